"""The library's page: its deals, and the form that searches them."""

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from flask import Response, request

from engine.core.vocabulary import ALL_OUTCOMES
from engine.play.findings import CODES as FINDINGS
from engine.rulesets import find
from replays import Replay
from service.application.library import PublishedDeal, is_struck_out, published_deals
from service.auth.grants import UnknownToken
from service.eventstore import StoreDamaged, StoreError
from service.http.api.routes.replays import in_short
from service.http.context import context, deal_facts, queries
from service.http.web.language import asked_language, language
from service.http.web.looks import game_called
from service.http.web.pages import address, day_of, page, pages, told
from service.presentation.i18n.card_words import OUTCOMES, RANKS, card_called
from service.presentation.i18n.translate import kind_called
from service.projections.library_search import Facts, Wanted, facts_of, found

LISTED: Final = 100
"""So many deals that were found stand on the page; the others are counted."""
LONGEST: Final = 100
"""Letters of what may be searched for."""


class Choice(NamedTuple):
    """One thing to choose from: its value in the address, and what it is called."""

    value: str
    name: str


@pages.get("/")
def library() -> Response:
    """The library: a table of contents, or what was found in it."""
    wanted = asked()
    deals = list(context().library.values())
    listed = found(wanted, deals) if wanted.anything else [deal for deal in deals if not deal.folder]
    of_club = of_the_club()
    fitting = [one for one in of_club if not wanted.anything or wanted.fits(one.facts)]
    return page(
        "library.html",
        here="library",
        deals=[library_row(deal) for deal in listed[:LISTED]],
        of_club=[club_row(one.published) for one in fitting[:LISTED]],
        searched=wanted.anything,
        count=len(listed) + len(fitting),
        wanted=wanted._asdict(),
        choices=choices([*map(facts_of, deals), *(one.facts for one in of_club)]),
        all_url=address("web.library"),
        write_url=address("web.desk"),
        lang_asked=asked_language(),
    )


def asked() -> Wanted:
    """What the address searches for: a form sends what was left empty, too."""
    given = {name: request.args.get(name, "").strip()[:LONGEST] or None for name in Wanted._fields}
    return Wanted(**given)


class OfTheClub(NamedTuple):
    """A deal that the club has published, with what it can be found by."""

    published: PublishedDeal
    facts: Facts


def of_the_club() -> list[OfTheClub]:
    """What the club has published; without what is damaged, and nothing while the store cannot be read."""
    ours: list[OfTheClub] = []
    try:
        reached = queries()
        listed = published_deals(reached)
        kept = deal_facts().kept_facts([one.deal for one in listed])
        for one in listed:
            try:
                ours.append(OfTheClub(one, deal_facts().facts(one.deal, kept.get(one.deal.stream))))
            except StoreDamaged as error:
                context().damage.note(error)
    except (UnknownToken, StoreError):
        # The historic deals need no store, and no login that still holds.
        return ours
    return ours


def choices(facts: Collection[Facts]) -> dict[str, list[Choice]]:
    """What can be chosen of each kind: only what the library has."""
    lang = language()
    rules = {one.ruleset: find(context().book, one.ruleset or "") for one in facts}
    games = {
        contract.id: game_called(contract.id, contract.words, lang)
        for one in rules.values()
        if one is not None
        for contract in one.ruleset.contracts
    }
    played = {one.contract for one in facts}
    ended = {one.outcome for one in facts}
    shown = frozenset[str]().union(*(one.findings for one in facts))
    kinds = [Choice(code, kind_called(code, lang)) for code in FINDINGS if code in shown]
    return {
        "card": [Choice(suit + rank, card_called(suit, rank, lang)) for suit in "SHCD" for rank in RANKS],
        "ruleset": [Choice(name, one.ruleset.words[lang]) for name, one in rules.items() if name and one],
        "contract": [Choice(name, called) for name, called in games.items() if name in played],
        "outcome": [Choice(one, OUTCOMES[one][lang]) for one in ALL_OUTCOMES if one in ended],
        "finding": sorted(kinds, key=lambda one: one.name),
    }


def club_row(one: PublishedDeal) -> dict[str, Any]:
    """A deal that the club has published in the table of contents."""
    short = queries().summary(one.deal)
    score = short["score"]
    return {
        "url": address("web.recorded", deal=one.deal.stream),
        "title": one.title,
        "source": short["source"] or day_of(short),
        "struck_out": is_struck_out(queries(), one.deal),
        **told(short, score["outcome"], score["declarer"], score["contract"]),
    }


def library_row(deal: Replay) -> dict[str, Any]:
    """A deal of the library in the table of contents."""
    short = in_short(deal)
    return {
        "url": address("web.replay", name=deal.name),
        "title": deal.title,
        "source": deal.source,
        **told(short, short["outcome"], short["declarer"], short["contract"]),
    }
