"""The library's page: its deals, and the form that searches them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from flask import Response, request

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
from service.http.web.views.deal_readings import list_historic_readings
from service.projections.library_search import SearchCriteria, SearchFacts, replay_search_facts

MAX_LISTED_DEALS: Final = 100
"""More deals than these are only counted."""
MAX_SEARCH_LENGTH: Final = 100
"""Characters."""


FACETS: Final = ("ruleset", "contract", "outcome", "finding")
"""The criteria that are chosen from what the library has, with the number of deals."""
LibrarySource = Literal["books", "club", "examples"]
SOURCE_NAMES: Final[dict[LibrarySource, str]] = {
    "books": "Books and papers",
    "club": "The club’s evenings",
    "examples": "Made-up examples",
}


class LibraryDeal(NamedTuple):
    """A deal of the library: one that comes with it, or one that the club has published."""

    source: LibrarySource
    facts: SearchFacts
    deal: Replay | PublishedDeal


class FacetOption(NamedTuple):
    """A value that can be chosen: its name, how many deals have it, and the page with or without it."""

    name: str
    deals: int
    url: str
    is_chosen: bool


@pages.get("/library")
def library() -> Response:
    """The library: a table of contents, or what was found in it."""
    criteria, source = read_search_criteria(), _read_source()
    all_deals = list_library_deals()
    found = find_library_deals(all_deals, criteria, source)
    rows = [build_row(one) for one in found[:MAX_LISTED_DEALS]]
    old_rows = sorted((row for row in rows if row["is_old"]), key=lambda row: row["date"] or "9")
    return render_page(
        "library.html",
        nav_section="library",
        deals=[*(row for row in rows if row["source_kind"] != "club"), *old_rows],
        club_deals=[row for row in rows if row["source_kind"] == "club" and not row["is_old"]],
        has_criteria=criteria.has_criteria or source is not None,
        count=len(found),
        criteria=criteria._asdict(),
        source=source,
        chosen=[] if found else list_chosen_criteria(all_deals, criteria, source),
        facets=build_facets(all_deals, criteria, source),
        cards=_list_cards(page_language()),
        all_url=page_url("web.library"),
        deals_url=page_url("web.deals"),
        write_url=page_url("web.deal_editor"),
        examples_url=page_url("web.example_deals"),
        requested_language=requested_language(),
    )


def find_library_deals(
    deals: Iterable[LibraryDeal], criteria: SearchCriteria, source: LibrarySource | None
) -> list[LibraryDeal]:
    """The deals that a search finds; the made-up ones only if something is searched for."""
    has_criteria = criteria.has_criteria or source is not None
    return [
        one
        for one in deals
        if source in (None, one.source) and criteria.matches(one.facts)
        if has_criteria or one.source != "examples"
    ]


def list_chosen_criteria(
    deals: Sequence[LibraryDeal], criteria: SearchCriteria, source: LibrarySource | None
) -> list[tuple[str, FacetOption]]:
    """What is searched for, by its field, each with what is found without it, the most first."""
    chosen = _chosen_values(criteria, source)
    options = []
    for field, value in chosen.items():
        is_source = field == "source"
        others = criteria if is_source else criteria._replace(**{field: None})
        left = find_library_deals(deals, others, None if is_source else source)
        name = facet_names(field, (value,)).get(value, value)
        options.append((field, FacetOption(name, len(left), _toggled_url(chosen, field, value), True)))
    return sorted(options, key=lambda one: -one[1].deals)


def _chosen_values(criteria: SearchCriteria, source: LibrarySource | None) -> dict[str, str]:
    """What is searched for, by its field."""
    return {name: one for name, one in {**criteria._asdict(), "source": source}.items() if one}


def read_search_criteria() -> SearchCriteria:
    """What the address searches for; a form also sends its empty fields."""
    values = {
        name: request.args.get(name, "").strip()[:MAX_SEARCH_LENGTH] or None
        for name in SearchCriteria._fields
    }
    return SearchCriteria(**values)


def _list_cards(lang: str) -> list[tuple[str, str]]:
    return [(suit + rank, listed_card_name(suit, rank, lang)) for suit in "SHCD" for rank in RANK_TERMS]


def _read_source() -> LibrarySource | None:
    asked = request.args.get("source")
    return next((source for source in SOURCE_NAMES if source == asked), None)


def list_library_deals() -> list[LibraryDeal]:
    """All deals of the library, the made-up ones last."""
    included = [
        LibraryDeal("examples" if deal.folder else "books", replay_search_facts(deal), deal)
        for deal in service_context().library.values()
    ]
    club_deals = [LibraryDeal("club", facts, published) for published, facts in list_club_deals()]
    return sorted([*included, *club_deals], key=lambda one: one.source == "examples")


def build_facets(
    deals: Sequence[LibraryDeal], criteria: SearchCriteria, source: LibrarySource | None
) -> list[tuple[str, list[FacetOption]]]:
    """The values to choose from, the most frequent first, each with how many deals it leaves."""
    chosen = _chosen_values(criteria, source)
    facets = []
    for field in ("source", *FACETS):
        others = criteria if field == "source" else criteria._replace(**{field: None})
        counts = Counter(
            value
            for one in deals
            if (field == "source" or source in (None, one.source)) and others.matches(one.facts)
            for value in _facet_values(one, field)
        )
        names = facet_names(field, counts)
        options = [
            FacetOption(names[value], count, _toggled_url(chosen, field, value), chosen.get(field) == value)
            for value, count in counts.most_common()
            if value in names
        ]
        if options:
            facets.append((field, options))
    return facets


def _facet_values(deal: LibraryDeal, field: str) -> Collection[str]:
    if field == "source":
        return (deal.source,)
    if field == "finding":
        return deal.facts.findings
    value: str | None = getattr(deal.facts, field)
    return (value,) if value else ()


def _toggled_url(chosen: Mapping[str, str], field: str, value: str) -> str:
    """The page of the same search with another value of the field, or without the one that is chosen."""
    others = {name: one for name, one in chosen.items() if name != field}
    return page_url("web.library", **others, **({} if chosen.get(field) == value else {field: value}))


def facet_names(field: str, values: Collection[str]) -> dict[str, str]:
    """The names of values of a field."""
    lang, book = page_language(), service_context().book
    if field == "source":
        return {source: gettext(name, lang) for source, name in SOURCE_NAMES.items()}
    if field == "outcome":
        return {outcome: gettext(words, lang) for outcome, words in OUTCOME_TERMS.items()}
    if field == "card":
        return dict(_list_cards(lang))
    if field == "player":
        return {value: value for value in values}
    if field == "finding":
        return {code: finding_kind_name(code, lang) for code in values}
    if field == "ruleset":
        found = {value: find_ruleset(book, value) for value in values}
        return {value: gettext(rules.ruleset.words, lang) for value, rules in found.items() if rules}
    return {
        contract.id: game_words(rules).contract(contract.id)
        for rules in book
        for contract in rules.ruleset.contracts
    }


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


def build_row(one: LibraryDeal) -> dict[str, Any]:
    """A deal in the table of contents."""
    row = build_library_row(one.deal) if isinstance(one.deal, Replay) else build_club_row(one.deal)
    return {"source_kind": one.source, **row}


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
        "date": None,
        "is_old": False,
        "source": deal.source,
        "compare_url": _compare_url(deal),
        **build_deal_result(summary),
    }


def _compare_url(deal: Replay) -> str | None:
    """Where a deal is compared with its other accounts in the library, if there are any."""
    historic = list_historic_readings()
    shown = historic.get(deal.name)
    same = [one for one in historic.values() if shown and one.players == shown.players]
    return shown.choose_account_url if shown and len(same) > 1 else None
