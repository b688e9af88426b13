"""The library's page: its deals, and the form that searches them."""

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from flask import Response, request

from engine.core.field_types import ALL_OUTCOMES
from engine.play.findings import FINDING_CODES as FINDINGS
from engine.rulesets import find_ruleset
from replays import Replay
from service.application.published_deals import PublishedDeal, is_struck_from_table, list_published_deals
from service.auth.grants import UnknownToken
from service.eventstore import StoreDamaged, StoreError
from service.http.api.routes.replays import replay_summary
from service.http.service_context import deal_fact_queries, queries, service_context
from service.http.web.display_preferences import game_display_name
from service.http.web.language import page_language, requested_language
from service.http.web.pages import build_deal_result, format_record_date, page_url, pages, render_page
from service.presentation.i18n.card_words import OUTCOME_TERMS, RANK_TERMS, listed_card_name
from service.presentation.i18n.translate import finding_kind_name
from service.projections.library_search import SearchCriteria, SearchFacts, replay_search_facts, search_deals

MAX_LISTED_DEALS: Final = 100
"""So many deals that were found stand on the page; the others are counted."""
MAX_SEARCH_LENGTH: Final = 100
"""Letters of what may be searched for."""


class SearchOption(NamedTuple):
    """One thing to choose from: its value in the address, and what it is called."""

    value: str
    name: str


@pages.get("/")
def library() -> Response:
    """The library: a table of contents, or what was found in it."""
    wanted = read_search_criteria()
    deals = list(service_context().library.values())
    listed = (
        search_deals(wanted, deals) if wanted.has_criteria else [deal for deal in deals if not deal.folder]
    )
    of_club = list_club_deals()
    fitting = [one for one in of_club if not wanted.has_criteria or wanted.matches(one.facts)]
    return render_page(
        "library.html",
        here="library",
        deals=[build_library_row(deal) for deal in listed[:MAX_LISTED_DEALS]],
        of_club=[build_club_row(one.published) for one in fitting[:MAX_LISTED_DEALS]],
        searched=wanted.has_criteria,
        count=len(listed) + len(fitting),
        wanted=wanted._asdict(),
        choices=build_search_options([*map(replay_search_facts, deals), *(one.facts for one in of_club)]),
        all_url=page_url("web.library"),
        write_url=page_url("web.deal_editor"),
        lang_asked=requested_language(),
    )


def read_search_criteria() -> SearchCriteria:
    """What the address searches for: a form sends what was left empty, too."""
    given = {
        name: request.args.get(name, "").strip()[:MAX_SEARCH_LENGTH] or None
        for name in SearchCriteria._fields
    }
    return SearchCriteria(**given)


class ClubDeal(NamedTuple):
    """A deal that the club has published, with what it can be found by."""

    published: PublishedDeal
    facts: SearchFacts


def list_club_deals() -> list[ClubDeal]:
    """What the club has published; without what is damaged, and nothing while the store cannot be read."""
    ours: list[ClubDeal] = []
    try:
        reached = queries()
        listed = list_published_deals(reached)
        kept = deal_fact_queries().read_projected_facts([one.deal for one in listed])
        for one in listed:
            try:
                ours.append(
                    ClubDeal(one, deal_fact_queries().find_facts(one.deal, kept.get(one.deal.stream)))
                )
            except StoreDamaged as error:
                service_context().damage_tracker.record(error)
    except (UnknownToken, StoreError):
        # The historic deals need no store, and no login that still holds.
        return ours
    return ours


def build_search_options(facts: Collection[SearchFacts]) -> dict[str, list[SearchOption]]:
    """What can be chosen of each kind: only what the library has."""
    lang = page_language()
    rules = {one.ruleset: find_ruleset(service_context().book, one.ruleset or "") for one in facts}
    games = {
        contract.id: game_display_name(contract.id, contract.words, lang)
        for one in rules.values()
        if one is not None
        for contract in one.ruleset.contracts
    }
    played = {one.contract for one in facts}
    ended = {one.outcome for one in facts}
    shown = frozenset[str]().union(*(one.findings for one in facts))
    kinds = [SearchOption(code, finding_kind_name(code, lang)) for code in FINDINGS if code in shown]
    return {
        "card": [
            SearchOption(suit + rank, listed_card_name(suit, rank, lang))
            for suit in "SHCD"
            for rank in RANK_TERMS
        ],
        "ruleset": [
            SearchOption(name, one.ruleset.words[lang]) for name, one in rules.items() if name and one
        ],
        "contract": [SearchOption(name, called) for name, called in games.items() if name in played],
        "outcome": [SearchOption(one, OUTCOME_TERMS[one][lang]) for one in ALL_OUTCOMES if one in ended],
        "finding": sorted(kinds, key=lambda one: one.name),
    }


def build_club_row(published_deal: PublishedDeal) -> dict[str, Any]:
    """A deal that the club has published in the table of contents."""
    short = queries().summary(published_deal.deal)
    score = short["score"]
    return {
        "url": page_url("web.recorded", deal=published_deal.deal.stream),
        "title": published_deal.title,
        "source": short["source"] or format_record_date(short),
        "struck_out": is_struck_from_table(queries(), published_deal.deal),
        **build_deal_result(short, score["outcome"], score["declarer"], score["contract"]),
    }


def build_library_row(deal: Replay) -> dict[str, Any]:
    """A deal of the library in the table of contents."""
    short = replay_summary(deal)
    return {
        "url": page_url("web.replay", name=deal.name),
        "title": deal.title,
        "source": deal.source,
        **build_deal_result(short, short["outcome"], short["declarer"], short["contract"]),
    }
