"""Routes for seasons: the evenings in a span of days, and what they come to for each player."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from operator import attrgetter
from typing import Any, Final

from flask import Response

from schemas.answers.ledgers import figures_object, format_csv
from schemas.i18n.catalogs import SOURCE_LANGUAGE, format_decimal, gettext
from service.auth.caller import PermissionDenied
from service.auth.grants import UnknownMember, replace_member_ids
from service.config.urls import API_PREFIX
from service.http.api.blueprint import ApiBlueprint
from service.http.api.cache_policies import LIST_POLICY, declared_cache_control
from service.http.api.operation_permissions import ANYONE_FILTERED, TABLE_COMPANIONS
from service.http.api.responses import csv_response, json_response
from service.http.api.schemas.ledgers import (
    AttendedEveningSchema,
    EveningSchema,
    MemberFiguresSchema,
    SeasonSchema,
    SeasonsSchema,
    SeasonSummarySchema,
)
from service.http.api.schemas.records import SpreadsheetQuery
from service.http.problems import Problem
from service.http.service_context import evening_queries, queries, service_context
from service.presentation.csv_sheet import download_file_name, format_spreadsheet
from service.projections.seasons import (
    ALL_SEASONS_ID,
    EveningResult,
    Season,
    SeasonStanding,
    build_standings,
    group_by_season,
    parse_season,
    player_totals_object,
    season_containing,
)

routes = ApiBlueprint("seasons", "", "The results of many evenings, by season and by member.")

STANDINGS_COLUMNS: Final[dict[str, Callable[[SeasonStanding], object]]] = {
    "place": attrgetter("place"),
    "player": attrgetter("player"),
    "evenings": attrgetter("evenings"),
    "deals": attrgetter("figures.played"),
    "sat out": attrgetter("figures.sat_out"),
    "declared": attrgetter("figures.declared"),
    "won": attrgetter("figures.won"),
    "bête": attrgetter("figures.bete"),
    "codille": attrgetter("figures.codille"),
    "chips": attrgetter("figures.chips"),
    "share of pools": attrgetter("share"),
    "settled": attrgetter("settled"),
}
"""The columns of the standings in rows; those of money and evenings follow. Programs read “bete”."""
MONEY_COLUMN = "money"
DAMAGED_TABLE_REMARK = "not counted: table {table} is damaged"
SEASON_ID_HINT = (
    "Write 2026-27 for August 2026 to July 2027, 2026 for that year, two days with two hyphens between, such "
    "as 2026-09-01--2026-12-31, or all."
)
STANDINGS_FILE_TITLE = "Standings"
"""The title of the file of standings."""


@routes.get("/seasons", ANYONE_FILTERED, LIST_POLICY)
@routes.response(200, SeasonsSchema)
def list_seasons() -> Response:
    """List the seasons

    Those with tables that the caller may read, the latest first. A season is a club's year of cards: August
    to July.
    """
    days, damaged = evening_queries().list_evening_days()
    summaries = [
        SeasonSummarySchema.write(season, evenings=len(tables), links=_links(season))
        for season, tables in group_by_season(days).items()
    ]
    return json_response({"seasons": summaries, "damaged": damaged}, cache_control=_evenings_cache_control())


@routes.get("/seasons/<season>", ANYONE_FILTERED, LIST_POLICY)
@routes.response(200, SeasonSchema)
def show_season(season: str) -> Response:
    """Show a season

    Each of its evenings that the caller may read, and the totals of each player. The figures come from the
    ledgers, so corrections count from the start. Other tables do not count.
    """
    return json_response(season_object(*load_season(season)), cache_control=_evenings_cache_control())


@routes.get("/seasons/<season>/standings.csv", ANYONE_FILTERED, LIST_POLICY, query=SpreadsheetQuery)
@routes.response(200, content_type="text/csv")
def download_standings(query: dict[str, Any], season: str) -> Response:
    """Read a season's standings as rows for a spreadsheet

    One row per player, with the total and the result of each evening; `lang` sets the language. A damaged
    table does not count; the last row names it by its id, without figures.
    """
    span, evenings, damaged = load_season(season)
    format_cell = partial(replace_member_ids, names_by_id=evening_queries().list_member_names(evenings))
    lang: str | None = query["lang"]
    rows = ([format_cell(cell) for cell in row] for row in build_standings_rows(evenings, damaged, lang))
    if lang is None:
        return csv_response(format_csv(rows), _evenings_cache_control())
    return csv_response(
        format_spreadsheet(rows, lang),
        _evenings_cache_control(),
        download_file_name(lang, STANDINGS_FILE_TITLE, span.id),
    )


@routes.get("/members/<member>/figures", TABLE_COMPANIONS, LIST_POLICY)
@routes.response(200, MemberFiguresSchema)
def show_figures(member: str) -> Response:
    """Show a member's results

    Over every evening that the caller may read. A caller who may see no table of the member gets the same
    answer as for an unknown member. Callers who manage the members see every member.
    """
    return json_response(
        member_figures_object(member, *load_member_evenings(member)), cache_control=_evenings_cache_control()
    )


def _evenings_cache_control() -> str:
    return declared_cache_control(queries().caller.has_permission("see_all"))


def load_season(season_id: str) -> tuple[Season, list[EveningResult], list[str]]:
    """A season, its evenings that the caller may see, and the damaged tables."""
    season = parse_season(season_id)
    if season is None:
        raise Problem("unknown-season", f"“{season_id[:60]}” is not a season. {SEASON_ID_HINT}")
    return (season, *evening_queries().list_evenings(season))


def load_member_evenings(member: str) -> tuple[list[EveningResult], list[str]]:
    """The evenings at which a member sat, the latest first, and the damaged tables.

    Raises `UnknownMember` where the caller may see no such evening.
    """
    evenings, damaged = evening_queries().list_evenings(Season(ALL_SEASONS_ID), member)
    latest_first = evenings[::-1]
    found_member = service_context().register.find_members_by_id([member]).get(member)
    caller = queries().caller
    if (
        found_member is None
        or found_member.forgotten_at
        or not (latest_first or caller.has_permission("members"))
    ):
        if not caller.is_authenticated:
            raise PermissionDenied("This needs a link to a table of the member.", is_authenticated=False)
        raise UnknownMember(member)
    return latest_first, damaged


def season_object(season: Season, evenings: list[EveningResult], damaged: list[str]) -> dict[str, Any]:
    """A season with its evenings and standings."""
    standings = build_standings(evenings)
    return SeasonSchema.write(
        season,
        evenings=[evening_object(item) for item in evenings],
        standings=[{"place": item.place, **player_totals_object(item)} for item in standings],
        damaged=damaged,
        names=evening_queries().list_member_names(evenings),
        links=_links(season),
    )


def _links(season: Season) -> dict[str, str]:
    base = f"{API_PREFIX}/seasons/{season.id}"
    return {"self": base, "rows": f"{base}/standings.csv", "page": f"/seasons/{season.id}"}


def evening_object(evening: EveningResult) -> dict[str, Any]:
    """The result of one table."""
    return EveningSchema.write(evening, links=_evening_links(evening))


def _evening_links(evening: EveningResult) -> dict[str, str]:
    base = f"{API_PREFIX}/tables/{evening.table}"
    return {"table": base, "ledger": f"{base}/ledger", "page": f"/tables/{evening.table}/sheet"}


def member_figures_object(member: str, evenings: list[EveningResult], damaged: list[str]) -> dict[str, Any]:
    """The figures of a member."""
    total = next((one for one in build_standings(evenings) if one.player == member), None)
    return {
        "member": member,
        "total": None if total is None else player_totals_object(total),
        "evenings": [attended_evening_object(one, member) for one in evenings],
        "damaged": damaged,
        "names": member_names_at(member, evenings),
        "links": {"self": f"{API_PREFIX}/members/{member}/figures", "page": f"/members/{member}"},
    }


def member_names_at(member: str, evenings: Iterable[EveningResult]) -> Mapping[str, str | None]:
    """The names of the member and of those at the same tables."""
    names = evening_queries().list_member_names(evenings)
    if member not in names:
        # Only those who manage the list of members see a member who sat at none of their tables.
        names[member] = service_context().register.find_member(member).name
    return names


def attended_evening_object(evening: EveningResult, member: str) -> dict[str, Any]:
    """An evening with a member's figures."""
    figures = next(one for one in evening.figures if one.player == member)
    money = evening.money(member)
    return AttendedEveningSchema.write(
        evening,
        links=_evening_links(evening),
        season=season_containing(evening.day).id,
        figures=figures_object(figures),
        settled=evening.settled[member],
        money=None if money is None else format(money, "f"),
    )


def build_standings_rows(
    evenings: list[EveningResult], damaged: list[str], lang: str | None = None
) -> Iterator[list[str]]:
    """Standings as rows: headings (in ``lang``), players, damaged tables."""
    standings = build_standings(evenings)
    currencies = list(dict.fromkeys(currency for one in standings for currency in one.money))
    money_heading = gettext(MONEY_COLUMN, lang) if lang else "money"
    headings = [
        *(gettext(name, lang) if lang else name.replace("ê", "e") for name in STANDINGS_COLUMNS),
        *(f"{money_heading}, {currency}" if currency else money_heading for currency in currencies),
        *(" ".join(filter(None, (one.date or one.day.isoformat(), one.title))) for one in evenings),
    ]
    yield headings
    for one in standings:
        amounts = (format(one.money[each], "f") if each in one.money else "" for each in currencies)
        chips = (each.settled.get(one.player, "") for each in evenings)
        yield [
            *(str(read_cell(one)) for read_cell in STANDINGS_COLUMNS.values()),
            *(format_decimal(amount, lang or SOURCE_LANGUAGE) for amount in amounts),
            *map(str, chips),
        ]
    for table in damaged:
        remark = gettext(DAMAGED_TABLE_REMARK, lang or SOURCE_LANGUAGE).format(table=table)
        yield ["", remark, *[""] * (len(headings) - 2)]
