"""The pages of what many evenings come to: the seasons, one of them, the members, one of them.

They are drawn here, whole, and sorted by their addresses, so that they need no script. Only the list of
members, which is changed in the page, is its module's (``static/js/core/members-page.js``).
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final

from flask import Response, redirect, request
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from engine.rulesets import find
from engine.tables import Figures, Games
from service.auth.grants import is_member
from service.http.api.routes.seasons import names_of, read_member, read_season
from service.http.context import context, evening_queries, queries
from service.http.web.language import day, language
from service.http.web.looks import game_called
from service.http.web.pages import address, of_records, page, pages
from service.http.web.words.pages import page_words
from service.http.web.words.table import deals_counted
from service.presentation.svg.chart import Line, chart_of
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

Names = Mapping[str, str | None]
Row = dict[str, Any]

WIDE: Final = 760
SLIM: Final = 340
ORDERS: Final = ("name", "evenings", "played", "declared", "won", "bete", "codille", "chips")
"""What the standings can be sorted by; other than by name the greatest comes first."""


@pages.get("/seasons")
def seasons() -> AnyResponse:
    """The seasons, the latest first; or, where days are asked for, the way to those."""
    if "first" in request.args and "last" in request.args:
        span = season_called(f"{request.args['first']}--{request.args['last']}")
        if span is not None:
            return redirect(address("web.season", season=span.id))
    days, damaged = evening_queries().days()
    listed = [
        {
            "url": address("web.season", season=one.id),
            "title": titled(one),
            "evenings": counted(len(tables)),
        }
        for one, tables in by_season(days).items()
    ]
    made = page(
        "seasons.html",
        here="tables",
        seasons=listed,
        all_url=address("web.season", season=ALL),
        first=min(days.values(), default=None),
        last=max(days.values(), default=None),
        damaged=len(damaged),
        login=not queries().caller.known,
    )
    return of_records(made)


@pages.get("/seasons/<season>")
def season(season: str) -> Response:
    """A season: its standings, its games, how it went, every evening."""
    span, evenings, damaged = read_season(season)
    names, ranked = evening_queries().names_over(evenings), standings(evenings)
    players = [one.player for one in ranked]
    by, up = asked_order()
    rows = sorted((standing_row(one, names) for one in ranked), key=order_by(by), reverse=up)
    running = running_totals(evenings, players)
    made = page(
        "season.html",
        here="tables",
        title=titled(span),
        span=days_told(span),
        evenings_counted=counted(len(evenings)),
        deals=deals_counted(sum(one.deals for one in evenings), page_words(language())),
        rows=rows,
        heads=heads(span, by, up),
        has_money=any(row["money"] for row in rows),
        players=[called(player, names) for player in players],
        games=games_table(evenings, ranked, names),
        charts=charts(running, names),
        evenings=[evening_row(place, one, players, running) for place, one in enumerate(evenings)],
        totals=[signed(one.settled) for one in ranked],
        damaged=len(damaged),
        csv_url=f"/api/v1/seasons/{span.id}/standings.csv?lang={language()}",
    )
    return of_records(made)


@pages.get("/members")
def members() -> Response:
    """The members of the club, for those who keep their list."""
    queries().caller.require("members")
    nobody = address("web.member", member="m-")
    return of_records(page("members.html", here="tables", member_url=nobody))


@pages.get("/members/<member>")
def member(member: str) -> Response:
    """What a member did, over all evenings that the reader may see."""
    evenings, damaged = read_member(member)
    names = names_of(member, evenings)
    earliest = evenings[::-1]
    total = next((one for one in standings(evenings) if one.player == member), None)
    running = running_totals(earliest, [member])
    made = page(
        "member.html",
        here="tables",
        name=called(member, names),
        total=None if total is None else standing_row(total, names),
        evenings=[attended_row(one, member) for one in evenings],
        has_money=any(one.money(member) is not None for one in evenings),
        by_season=member_seasons(evenings, member, names),
        games=[
            games_row(one, contract_names(evenings)) for one in (total.figures.contracts if total else ())
        ],
        charts=charts(running, names),
        damaged=len(damaged),
    )
    return of_records(made)


# Rows


def asked_order() -> tuple[str, bool]:
    """What the standings are to be sorted by, and whether the other way round."""
    by = request.args.get("by", "chips")
    return (by if by in ORDERS else "chips"), request.args.get("up") == "1"


def order_by(key: str) -> Callable[[Row], Any]:
    """What puts the rows of the standings in order."""
    if key == "name":
        return lambda row: row["name"].casefold()
    return lambda row: -row["counts"][key]


def heads(span: Season, by: str, up: bool) -> dict[str, Row]:
    """For each column that can be sorted by: the address that does it, and how it is sorted now."""
    found = {}
    for key in ORDERS:
        turned = key == by and not up
        state = None if key != by else ("ascending" if (key == "name") != up else "descending")
        link = address("web.season", season=span.id, by=key, up="1" if turned else None)
        found[key] = {"url": link, "sorted": state}
    return found


def standing_row(one: Standing, names: Names) -> Row:
    """A player in the standings."""
    figures = one.figures
    return {
        "place": one.place,
        "name": called(one.player, names),
        "url": address("web.member", member=one.player) if has_page(one.player, names) else None,
        "counts": {**counts_of(figures), "evenings": one.evenings, "chips": one.settled},
        "chips": signed(one.settled),
        "money": [money_told(amount, currency) for currency, amount in one.money.items()],
    }


def counts_of(figures: Figures) -> dict[str, int]:
    """What a player did, in numbers."""
    return {
        "played": figures.played,
        "declared": figures.declared,
        "won": figures.won,
        "bete": figures.bete,
        "codille": figures.codille,
    }


def evening_row(
    place: int, one: Evening, players: Sequence[str], running: Mapping[str, Sequence[int | None]]
) -> Row:
    """The evening at that place: how each stood after it, and what it brought those who were there."""
    settled = one.settled
    return {
        "url": address("web.sheet", table=one.table),
        "title": one.title,
        "date": day(one.day.isoformat()),
        "cells": [
            {"stands": signed(running[player][place + 1] or 0), "change": signed(settled[player])}
            if player in settled
            else None
            for player in players
        ],
    }


def attended_row(one: Evening, member: str) -> Row:
    """An evening of a member."""
    figures = next(each for each in one.figures if each.player == member)
    money = one.money(member)
    return {
        "url": address("web.sheet", table=one.table),
        "title": one.title,
        "date": day(one.day.isoformat()),
        "counts": counts_of(figures),
        "chips": signed(one.settled[member]),
        "money": None if money is None else money_told(money, one.currency),
    }


def member_seasons(evenings: Sequence[Evening], member: str, names: Names) -> list[Row]:
    """A member's evenings by season, the latest first."""
    found: dict[Season, list[Evening]] = {}
    for one in evenings:
        found.setdefault(season_of(one.day), []).append(one)
    rows = []
    for each, held in found.items():
        own = next(one for one in standings(held) if one.player == member)
        link = address("web.season", season=each.id)
        rows.append({**standing_row(own, names), "title": titled(each), "season_url": link})
    return rows


def games_row(games: Games, contracts: Mapping[str, str]) -> Row:
    """The games of one contract."""
    return {
        **games._asdict(),
        "name": contracts.get(games.contract, games.contract),
        "told": signed(games.chips),
    }


def games_table(evenings: Sequence[Evening], ranked: Sequence[Standing], names: Names) -> Row:
    """What each declared, by contract: won of so many."""
    contracts = contract_names(evenings)
    own = {one.player: {each.contract: each for each in one.figures.contracts} for one in ranked}
    played = [one for one in contracts if any(one in held for held in own.values())]
    rows = []
    for one in ranked:
        games = [own[one.player].get(each) for each in played]
        told = [f"{each.won} / {each.played}" if each else "" for each in games]
        rows.append({"name": called(one.player, names), "cells": told})
    return {"contracts": [contracts[one] for one in played], "rows": rows}


def contract_names(evenings: Sequence[Evening]) -> dict[str, str]:
    """How the contracts of these evenings are called, in the order of their rules."""
    found: dict[str, str] = {}
    for one in evenings:
        rules = find(context().book, one.ruleset, one.revision)
        for contract in rules.ruleset.contracts if rules else ():
            found.setdefault(contract.id, game_called(contract.id, contract.words, language()))
        for figures in one.figures:
            for games in figures.contracts:
                found.setdefault(games.contract, games.contract)
    return found


# The course of a season


def running_totals(evenings: Sequence[Evening], players: Sequence[str]) -> dict[str, list[int | None]]:
    """How each stood before the first evening and after each; None until he came."""
    found: dict[str, list[int | None]] = {}
    for player in players:
        first = next((place for place, one in enumerate(evenings) if player in one.settled), None)
        if first is None:
            continue
        points: list[int | None] = [None] * first
        stands = 0
        points.append(0)
        for one in evenings[first:]:
            stands += one.settled.get(player, 0)
            points.append(stands)
        found[player] = points
    return found


def charts(running: Mapping[str, Sequence[int | None]], names: Names) -> list[Markup]:
    """The chart of a season, for wide pages and for slim ones."""
    lines = [Line(called(player, names), tuple(points)) for player, points in running.items()]
    ends = ", ".join(f"{line.name} {signed(line.points[-1] or 0)}" for line in lines)
    told = page_words(language())["season_chart_told"].format(standings=ends)
    drawn = (chart_of(lines, told=told, chips=signed, width=width) for width in (WIDE, SLIM))
    # What a name holds was escaped when the drawing was written.
    return [Markup(one) for one in drawn if one]


# Words


def titled(span: Season) -> str:
    """What a season is called."""
    words = page_words(language())
    if span.id == ALL:
        return words["season_all"]
    if span.first is None or span.last is None or "--" in span.id:
        return days_told(span)
    if "-" in span.id:
        return words["season_called"].format(name=span.id.replace("-", "/"))
    return words["season_year"].format(name=span.id)


def days_told(span: Season) -> str:
    """The days of a season: "1 August 2026 – 31 July 2027"."""
    ends = (day(end.isoformat()) for end in (span.first, span.last) if isinstance(end, date))
    return " – ".join(ends)


def counted(number: int) -> str:
    """So many evenings."""
    words = page_words(language())
    return words["evenings_one"] if number == 1 else words["evenings_many"].format(n=number)


def called(player: str, names: Names) -> str:
    """How a player is called: a member by name, who was forgotten as such."""
    if player not in names:
        return player
    return names[player] or page_words(language())["forgotten"]


def has_page(player: str, names: Names) -> bool:
    """Whether a player is a member who is known."""
    return is_member(player) and bool(names.get(player))


def signed(number: int) -> str:
    """A number of chips with its sign."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def money_told(amount: Decimal, currency: str | None) -> str:
    """An amount of money in the language of the page."""
    text = f"{abs(amount):f}"
    text = text.replace(".", ",") if language() == "da" else text
    sign = "+" if amount > 0 else "−" if amount < 0 else ""
    return f"{sign}{text} {currency or ''}".strip()
