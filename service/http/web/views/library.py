"""The library's page: its deals, and the form that searches them."""

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from flask import Response, request

from engine.core.field_types import ALL_OUTCOMES
from engine.play.findings import FINDING_CODES as FINDINGS
from engine.rulesets import find_ruleset
from replays import Replay
from schemas.i18n.card_words import OUTCOME_TERMS, RANK_TERMS, listed_card_name
from schemas.i18n.catalogs import gettext
from schemas.i18n.translate import finding_kind_name
from service.application.published_deals import PublishedDeal, is_struck_from_table, list_published_deals
from service.auth.grants import UnknownToken
from service.eventstore import StoreDamaged, StoreError
from service.http.api.routes.replays import replay_summary
from service.http.service_context import deal_fact_queries, queries, service_context
from service.http.web.display_preferences import game_words, page_language, requested_language
from service.http.web.pages import (
    build_deal_result,
    format_deal_origin,
    is_old_deal,
    page_url,
    pages,
    render_page,
)
from service.http.web.views.game_guide import example_drawing_url
from service.projections.library_search import SearchCriteria, SearchFacts, replay_search_facts, search_deals

MAX_LISTED_DEALS: Final = 100
"""More deals than these are only counted."""
MAX_SEARCH_LENGTH: Final = 100
"""Characters."""


class SearchOption(NamedTuple):
    """An option of the search form: its value in the address, and its name."""

    value: str
    name: str


@pages.get("/")
def library() -> Response:
    """The library: a table of contents, or what was found in it."""
    criteria = read_search_criteria()
    deals = list(service_context().library.values())
    replays = (
        search_deals(criteria, deals)
        if criteria.has_criteria
        else [deal for deal in deals if not deal.folder]
    )
    club_deals = list_club_deals()
    found_club_deals = [one for one in club_deals if not criteria.has_criteria or criteria.matches(one.facts)]
    club_rows = [build_club_row(club_deal.published) for club_deal in found_club_deals[:MAX_LISTED_DEALS]]
    old_rows = sorted((row for row in club_rows if row["is_old"]), key=lambda row: row["date"] or "9")
    return render_page(
        "library.html",
        nav_section="library",
        deals=[*map(build_library_row, replays[:MAX_LISTED_DEALS]), *old_rows],
        club_deals=[row for row in club_rows if not row["is_old"]],
        has_criteria=criteria.has_criteria,
        count=len(replays) + len(found_club_deals),
        criteria=criteria._asdict(),
        choices=build_search_options(
            [*map(replay_search_facts, deals), *(club_deal.facts for club_deal in club_deals)]
        ),
        all_url=page_url("web.library"),
        drawing_url=example_drawing_url(),
        write_url=page_url("web.deal_editor"),
        examples_url=page_url("web.example_deals"),
        requested_language=requested_language(),
    )


def read_search_criteria() -> SearchCriteria:
    """What the address searches for; a form also sends its empty fields."""
    values = {
        name: request.args.get(name, "").strip()[:MAX_SEARCH_LENGTH] or None
        for name in SearchCriteria._fields
    }
    return SearchCriteria(**values)


class ClubDeal(NamedTuple):
    """A deal that the club has published, and the facts by which it is found."""

    published: PublishedDeal
    facts: SearchFacts


def list_club_deals() -> list[ClubDeal]:
    """The published deals that are not damaged; none while the store cannot be read."""
    club_deals: list[ClubDeal] = []
    try:
        published_deals, fact_queries = list_published_deals(queries()), deal_fact_queries()
        rows = fact_queries.read_projected_facts([published.deal for published in published_deals])
        for published in published_deals:
            try:
                facts = fact_queries.find_facts(published.deal, rows.get(published.deal.stream))
                club_deals.append(ClubDeal(published, facts))
            except StoreDamaged as error:
                service_context().damage_tracker.record(error)
    except (UnknownToken, StoreError):
        # The historic deals need no store and no valid login.
        return club_deals
    return club_deals


def build_search_options(facts: Collection[SearchFacts]) -> dict[str, list[SearchOption]]:
    """The options of each field: only what the library has."""
    lang = page_language()
    rules = {item.ruleset: find_ruleset(service_context().book, item.ruleset or "") for item in facts}
    games = {
        contract.id: game_words(item).contract(contract.id)
        for item in rules.values()
        if item is not None
        for contract in item.ruleset.contracts
    }
    played = {item.contract for item in facts}
    ended = {item.outcome for item in facts}
    finding_codes = frozenset[str]().union(*(item.findings for item in facts))
    kinds = [SearchOption(code, finding_kind_name(code, lang)) for code in FINDINGS if code in finding_codes]
    return {
        "card": [
            SearchOption(suit + rank, listed_card_name(suit, rank, lang))
            for suit in "SHCD"
            for rank in RANK_TERMS
        ],
        "ruleset": [
            SearchOption(name, gettext(item.ruleset.words, lang))
            for name, item in rules.items()
            if name and item
        ],
        "contract": [SearchOption(name, game_name) for name, game_name in games.items() if name in played],
        "outcome": [
            SearchOption(item, gettext(OUTCOME_TERMS[item], lang)) for item in ALL_OUTCOMES if item in ended
        ],
        "finding": sorted(kinds, key=lambda item: item.name),
    }


def build_club_row(published_deal: PublishedDeal) -> dict[str, Any]:
    """A published deal of the club in the table of contents."""
    summary = queries().summary(published_deal.deal)
    return {
        "url": page_url("web.recorded", deal=published_deal.deal.stream),
        "title": published_deal.title,
        "date": summary["date"],
        "is_old": is_old_deal(summary),
        "source": format_deal_origin(summary),
        "struck_out": is_struck_from_table(queries(), published_deal.deal),
        **build_deal_result(summary),
    }


def build_library_row(deal: Replay) -> dict[str, Any]:
    """A deal of the library in the table of contents."""
    summary = replay_summary(deal)
    return {
        "url": page_url("web.replay", name=deal.name),
        "title": deal.title,
        "source": deal.source,
        **build_deal_result(summary),
    }
