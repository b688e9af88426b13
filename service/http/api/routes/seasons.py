"""The API's doors to seasons: the evenings in a span of days, and what they come to for each player."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import partial
from typing import Any

from flask import Response

from engine.rulesets.model import Words
from schemas.answers.ledgers import csv_of, figures_object
from service.auth.caller import NotAllowed
from service.auth.grants import UnknownMember, named
from service.config.urls import PREFIX
from service.http.api.event_pages import kept
from service.http.api.openapi.contract import Routes, may_fail, path_parameter
from service.http.api.responses import answer, rows_answer
from service.http.api.schemas.files import SpreadsheetQuery
from service.http.api.schemas.seasons import MemberFiguresSchema, SeasonSchema, SeasonsSchema
from service.http.context import context, evening_queries, queries
from service.http.problems import Problem
from service.presentation.csv_sheet import file_name, spreadsheet
from service.projections.seasons import (
    ALL,
    Evening,
    Season,
    Standing,
    by_season,
    season_called,
    season_of,
    standings,
)

routes = Routes(
    "seasons", __name__, url_prefix=PREFIX, description="What many evenings come to: a season, a member."
)

SEASON_ID = path_parameter(
    "season",
    "`2026-27` for August 2026 to July 2027, `2026` for that year, `2026-09-01--2026-12-31` for these days, "
    "or `all`.",
)
MEMBER_ID = path_parameter("member", "The member's id, such as `m-abcdefgh234567ab`.")
COLUMNS = {
    "place": Words("place", "plads"),
    "player": Words("player", "spiller"),
    "evenings": Words("evenings", "aftener"),
    "deals": Words("deals", "spil"),
    "sat out": Words("sat out", "sad over"),
    "declared": Words("declared", "meldt"),
    "won": Words("won", "vundet"),
    "bete": Words("bête", "bet"),
    "codille": Words("codille", "kruk"),
    "chips": Words("chips", "jetoner"),
    "share of pools": Words("share of pools", "andel i puljer"),
    "settled": Words("settled", "i alt"),
}
"""The columns of the standings in rows, and what people call them; those of money and evenings follow."""
MONEY = Words("money", "penge")
MISSING = Words("not counted: table {table} is damaged", "ikke talt med: bord {table} er beskadiget")
STANDINGS = Words("Standings", "Stilling")
"""What the standings are called as a file."""


@routes.route("/seasons", methods=["GET"])
@routes.response(200, SeasonsSchema)
@may_fail(401)
def list_seasons() -> Response:
    """List the seasons

    Those in which there are tables that the caller may read, the latest first. A season is a club's year of
    cards: August to July.
    """
    days, damaged = evening_queries().days()
    told = [season_in_short(season, len(tables)) for season, tables in by_season(days).items()]
    return answer({"seasons": told, "damaged": damaged}, cache=_kept())


@routes.route("/seasons/<season>", methods=["GET"], parameters=SEASON_ID)
@routes.response(200, SeasonSchema)
@may_fail(401, 404)
def show_season(season: str) -> Response:
    """Show a season

    Every evening in it that the caller may read, and what they come to for each player: computed from their
    ledgers, so that it is as if a correction had always been there. Other tables count nothing.
    """
    return answer(season_object(*read_season(season)), cache=_kept())


@routes.route("/seasons/<season>/standings.csv", methods=["GET"], parameters=SEASON_ID)
@routes.arguments(SpreadsheetQuery, location="query")
@routes.response(200, {"type": "string"}, content_type="text/csv")
@may_fail(401, 404, 422)
def download_standings(query: dict[str, Any], season: str) -> Response:
    """Read a season's standings as rows for a spreadsheet

    A row for each player, with the result in all and of each evening; `lang` writes it for people. A table
    that is damaged counts nothing, and a last row without figures says so, with its id.
    """
    span, evenings, damaged = read_season(season)
    spoken = partial(named, names=evening_queries().names_over(evenings))
    lang: str | None = query["lang"]
    rows = ([spoken(cell) for cell in row] for row in standing_rows(evenings, damaged, lang))
    if lang is None:
        return rows_answer(csv_of(rows), _kept())
    return rows_answer(spreadsheet(rows, lang), _kept(), file_name(lang, STANDINGS, span.id))


@routes.route("/members/<member>/figures", methods=["GET"], parameters=MEMBER_ID)
@routes.response(200, MemberFiguresSchema)
@may_fail(401, 404)
def show_figures(member: str) -> Response:
    """Show what a member did

    Over every evening that the caller may read. Who may see no table at which the member sat is answered as
    if there were no such member; those who keep the list of members are told of all in it.
    """
    return answer(member_object(member, *read_member(member)), cache=_kept())


def _kept() -> str:
    return kept(queries().caller.may("see_all"))


# Reading


def read_season(season_id: str) -> tuple[Season, list[Evening], list[str]]:
    """A season, its evenings as the caller may know them, and the tables that are damaged.

    Raises the problem of an id that says no season.
    """
    season = season_called(season_id)
    if season is None:
        raise Problem("unknown-season", f"“{season_id[:60]}” says no season. {SAYS}")
    return (season, *evening_queries().evenings(season))


SAYS = (
    "Write 2026-27 for August 2026 to July 2027, 2026 for that year, two days with two hyphens between, such "
    "as 2026-09-01--2026-12-31, or all."
)


def read_member(member: str) -> tuple[list[Evening], list[str]]:
    """The evenings at which a member sat, the latest first, and the tables that are damaged.

    Raises `UnknownMember` where the caller may know of none.
    """
    evenings, damaged = evening_queries().evenings(Season(ALL), member)
    there = evenings[::-1]
    known = context().register.members_among([member]).get(member)
    caller = queries().caller
    if known is None or known.forgotten_at or not (there or caller.may("members")):
        if not caller.known:
            raise NotAllowed("That takes a link to a table at which the member sat.", known=False)
        raise UnknownMember(member)
    return there, damaged


# Telling


def season_in_short(season: Season, evenings: int) -> dict[str, Any]:
    """A season in a list."""
    return {**_span(season), "evenings": evenings, "links": _links(season)}


def season_object(season: Season, evenings: list[Evening], damaged: list[str]) -> dict[str, Any]:
    """A season with its evenings and standings."""
    return {
        **_span(season),
        "evenings": [evening_object(one) for one in evenings],
        "standings": [standing_object(one) for one in standings(evenings)],
        "damaged": damaged,
        "names": evening_queries().names_over(evenings),
        "links": _links(season),
    }


def _span(season: Season) -> dict[str, Any]:
    return {"id": season.id, "first": _iso(season.first), "last": _iso(season.last)}


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _links(season: Season) -> dict[str, str]:
    base = f"{PREFIX}/seasons/{season.id}"
    return {"self": base, "rows": f"{base}/standings.csv", "page": f"/seasons/{season.id}"}


def evening_object(evening: Evening) -> dict[str, Any]:
    """What one table came to."""
    base = f"{PREFIX}/tables/{evening.table}"
    return {
        "table": evening.table,
        "title": evening.title,
        "day": evening.day.isoformat(),
        "ruleset": evening.ruleset,
        "revision": evening.revision,
        "deals": evening.deals,
        "closed": evening.closed,
        "totals": {one.player: one.chips for one in evening.figures},
        "shares": dict(evening.shares),
        "chip_value": None if evening.chip_value is None else str(evening.chip_value),
        "currency": evening.currency,
        "links": {"table": base, "ledger": f"{base}/ledger", "page": f"/tables/{evening.table}/sheet"},
    }


def standing_object(standing: Standing) -> dict[str, Any]:
    """A player in the standings."""
    return {"place": standing.place, **over_evenings_object(standing)}


def over_evenings_object(standing: Standing) -> dict[str, Any]:
    """What a player did over several evenings."""
    return {
        **figures_object(standing.figures),
        "evenings": standing.evenings,
        "share": standing.share,
        "settled": standing.settled,
        "money": [
            {"currency": currency, "amount": format(amount, "f")}
            for currency, amount in standing.money.items()
        ],
    }


def member_object(member: str, evenings: list[Evening], damaged: list[str]) -> dict[str, Any]:
    """What a member did."""
    total = next((one for one in standings(evenings) if one.player == member), None)
    return {
        "member": member,
        "total": None if total is None else over_evenings_object(total),
        "evenings": [attended_object(one, member) for one in evenings],
        "damaged": damaged,
        "names": names_of(member, evenings),
        "links": {"self": f"{PREFIX}/members/{member}/figures", "page": f"/members/{member}"},
    }


def names_of(member: str, evenings: Iterable[Evening]) -> Mapping[str, str | None]:
    """How the member, and those at his tables, are called."""
    names = evening_queries().names_over(evenings)
    if member not in names:
        # Only those who keep the list are told of a member who sat at none of their tables.
        names[member] = context().register.member(member).name
    return names


def attended_object(evening: Evening, member: str) -> dict[str, Any]:
    """An evening, and what a member did there."""
    figures = next(one for one in evening.figures if one.player == member)
    money = evening.money(member)
    return {
        **evening_object(evening),
        "season": season_of(evening.day).id,
        "figures": figures_object(figures),
        "settled": evening.settled[member],
        "money": None if money is None else format(money, "f"),
    }


def standing_rows(
    evenings: list[Evening], damaged: list[str], lang: str | None = None
) -> Iterator[list[str]]:
    """A season's standings as rows, the first with the names of the columns.

    The last rows name the tables that are ``damaged`` and therefore missing. With ``lang`` columns, money
    and that remark are in this language.
    """
    ranked = standings(evenings)
    currencies = list(dict.fromkeys(currency for one in ranked for currency in one.money))
    money = MONEY[lang] if lang else "money"
    heads = [
        *(words[lang] if lang else name for name, words in COLUMNS.items()),
        *(f"{money}, {currency}" if currency else money for currency in currencies),
        *(" ".join(filter(None, (one.day.isoformat(), one.title))) for one in evenings),
    ]
    yield heads
    for one in ranked:
        amounts = (format(one.money[each], "f") if each in one.money else "" for each in currencies)
        chips = (each.settled.get(one.player, "") for each in evenings)
        yield [
            *map(str, _counted(one)),
            *(amount.replace(".", ",") if lang == "da" else amount for amount in amounts),
            *map(str, chips),
        ]
    for table in damaged:
        yield ["", MISSING[lang or "en"].format(table=table), *[""] * (len(heads) - 2)]


def _counted(one: Standing) -> tuple[object, ...]:
    """A player's cells in the order of the columns."""
    figures = one.figures
    return (
        one.place, one.player, one.evenings, figures.played, figures.sat_out, figures.declared, figures.won,
        figures.bete, figures.codille, figures.chips, one.share, one.settled,
    )  # fmt: skip
