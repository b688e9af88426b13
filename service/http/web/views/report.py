"""The pages of the report on a deal; below it whoever records enters rulings and corrections."""

from typing import Any, Final, NamedTuple

from flask import Response, request

from engine.core.cards import SEAT_NAMES
from engine.core.events import CorrectionMade
from engine.core.log import begun
from engine.diagnosis.misprints import grouped
from engine.report import Report
from engine.view import view
from schemas.wire.writer import event_fields
from service.application.library import published_as
from service.application.named_logs import named_log
from service.application.queries import Queries
from service.config.urls import PREFIX
from service.eventstore import StreamInfo
from service.http.api.anonymous_limits import REPORT, laborious
from service.http.api.routes.identity import manages
from service.http.api.routes.replays import deal_called
from service.http.context import context, published, queries
from service.http.web.language import language
from service.http.web.pages import address, called, of_records, page, pages
from service.http.web.views.deal_files import viewer_asked
from service.http.web.views.record import may_read_table
from service.http.web.words.report import USUAL_KINDS
from service.presentation.i18n.card_words import OUTCOMES
from service.presentation.i18n.translate import told
from service.presentation.reports.article import PROPOSED, About, article_of
from service.presentation.reports.setting import as_set
from service.presentation.reports.vouching import Vouched, unvouched, vouched
from service.presentation.text.findings import with_cards
from service.presentation.text.style import Style
from service.records.points import VIEWERS, point_of

RULED: Final = ("won", "bete", "codille", "passed_out", "abandoned", "forfeited", "voided")
"""The outcomes that a director can rule, as the recorder has them."""


@pages.get("/replays/<name>/report")
def replay_report(name: str) -> Response:
    """The report on a deal of the library."""
    deal = deal_called(name)
    log = view(deal.log(), VIEWERS[viewer_asked() or "all"])
    lang = language()
    place = {"da": f"biblioteket, „{deal.name}“", "en": f"the library, “{deal.name}”"}[lang]
    with laborious(REPORT):
        made = point_of(log, None, None, context().book).report
        shown = as_set(article_of(made, lang, About(unvouched(log, place), title=deal.title)), lang)
    return page("report.html", here="library", page_url=address("web.replay", name=name), **shown)


@pages.get("/deals/<stream:deal>/report")
def recorded_report(deal: str) -> Response:
    """The report on a recorded deal, as far as whoever asks may know it."""
    reached, asked, lang = queries(), viewer_asked(), language()
    info = reached.deal(deal)
    sight = reached.course(info, asked)
    log = named_log(sight.log, reached.names_in(sight))
    in_library = published_as(reached, info)
    about = About(
        vouched_here(reached, info, asked, begun(log)),
        title=in_library.title if in_library and in_library.title else "",
        table=table_called(reached, info),
        record=info.stream,
        authors=authors_known(reached),
    )
    with laborious(REPORT):
        made = point_of(log, None, None, context().book).report
        shown = as_set(article_of(made, lang, about), lang)
    if asked is None and reached.caller.may("write", info):
        shown |= entering(reached, info, made)
    return of_records(page("report.html", here="deals", page_url=address("web.recorded", deal=deal), **shown))


def table_called(reached: Queries, info: StreamInfo) -> str:
    """What the table of a deal is called, for who may see it; empty where it has no name."""
    if info.root == info.stream or not may_read_table(info.root):
        return ""
    return reached.summary(reached.table(info.root))["title"] or ""


def vouched_here(reached: Queries, info: StreamInfo, asked: str | None, beginning: int) -> Vouched:
    """What the log of all records vouches for in this one, by the checkpoint of this moment."""
    note = published().checkpoint(None)
    proof = reached.proof([info], note, asked)
    proof_url = (
        f"{request.host_url.rstrip('/')}{PREFIX}/deals/{info.stream}/proof?size={note.checkpoint.size}"
    )
    return vouched(proof, published().verifiers, proof_url, beginning)


def authors_known(reached: Queries) -> dict[str, str]:
    """To whom the grants were given by which entries were written, as far as the caller manages them."""
    if not any("grant" in grant.powers for grant in reached.caller.grants):
        return {}
    return {one.id: one.terms.label for one in reached.register.grants() if one.terms.label and manages(one)}


def entering(reached: Queries, info: StreamInfo, made: Report) -> dict[str, Any]:
    """What the forms take by which whoever records writes into the record.

    It is written as the record has it: players who sit out are named there by what the record calls them.
    """
    lang, short, rules = language(), reached.summary(info), made.audit.state.opening.rules
    seats = [
        {"key": seat, "name": called(short, short["players"][seat]), "sits": True} for seat in SEAT_NAMES
    ]
    out = [{"key": one, "name": called(short, one), "sits": False} for one in short["players"]["sitting_out"]]
    return {
        "deal": info.stream,
        "version": info.version,
        "record_url": address("web.record", deal=info.stream),
        "seated": [*seats, *out],
        "outcomes": [{"id": one, "name": OUTCOMES[one][lang]} for one in RULED],
        "kinds": USUAL_KINDS[lang],
        "pooled": rules.ruleset.pool is not None or not rules.known,
        "proposals": proposals_told(made, lang),
    }


class Proposed(NamedTuple):
    """Corrections as events to be appended; ``unsure``: of what only may have been instead of a revoke."""

    corrections: list[dict[str, Any]]
    unsure: bool


def proposals_told(made: Report, lang: str) -> list[Proposed]:
    """The corrections that are proposed as events to be appended, their reasons in the language of the page.

    First those of cards, as they are numbered in the report; then those of other mistakes that are found. The
    beginning of a variation (entries 1.1, 1.2, …) belongs to another record, and is not put right here.
    """
    groups = grouped(made.misprints.proposals if made.misprints else ())[:PROPOSED]
    of_cards = [one.first.corrections for one in groups]
    others = [one.corrections for one in made.matters if one.corrections and one.corrections not in of_cards]
    unsure = [one.explained.mistakes[-1].corrections for one in made.instead]
    return [
        Proposed(
            [
                {**event_fields(one), "reason": with_cards(told(one.reason, lang), Style(lang))}
                for one in corrections
            ],
            corrections in unsure,
        )
        for corrections in (*of_cards, *others)
        if not any(map(_of_another, corrections))
    ]


def _of_another(correction: CorrectionMade) -> bool:
    """Whether a correction concerns the deal that a variation leaves."""
    return any(str(seq).startswith("1.") for seq in (*correction.replaces, correction.after))
