"""The pages about many evenings: the seasons, one season, the members, one member.

They need no script: their addresses say how they are sorted. Only the list of members is filled by its module
(``static/js/site/members-page.js``).
"""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import accumulate
from typing import Any, Final

from flask import Response, redirect, request
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from engine.rulesets import find_ruleset
from engine.tables import PlayerFigures
from schemas.i18n.catalogs import format_decimal
from service.auth.grants import is_member_id
from service.http.api.routes.seasons import load_member_evenings, load_season, member_names_at
from service.http.service_context import evening_queries, queries, service_context
from service.http.web.display_preferences import format_page_date, game_words, page_language
from service.http.web.page_texts import format_deal_count, page_texts
from service.http.web.pages import member_display_name, page_url, pages, render_record_page
from service.presentation.svg.chart import ChartLine, draw_totals_chart
from service.projections.seasons import (
    ALL_SEASONS_ID,
    EveningResult,
    Season,
    SeasonStanding,
    build_standings,
    group_by_season,
    parse_season,
    season_containing,
)

DisplayNames = Mapping[str, str | None]
SeasonPageRow = dict[str, Any]

WIDE_PAGE_CHART_WIDTH: Final = 760
NARROW_PAGE_CHART_WIDTH: Final = 340
STANDINGS_SORT_KEYS: Final = ("name", "evenings", "played", "declared", "won", "bete", "codille", "chips")
"""What the standings can be sorted by: by name, else the greatest first."""


@pages.get("/seasons")
def seasons() -> AnyResponse:
    """The seasons, the latest first; redirects to the days that are asked for."""
    if "first" in request.args and "last" in request.args:
        span = parse_season(f"{request.args['first']}--{request.args['last']}")
        if span is not None:
            return redirect(page_url("web.season", season=span.id))
    days, damaged = evening_queries().list_evening_days()
    season_rows = [
        {
            "url": page_url("web.season", season=season_item.id),
            "title": format_season_title(season_item),
            "evenings": format_evening_count(len(tables)),
        }
        for season_item, tables in group_by_season(days).items()
    ]
    return render_record_page(
        "seasons.html",
        nav_section="seasons",
        seasons=season_rows,
        all_url=page_url("web.season", season=ALL_SEASONS_ID),
        first=min(days.values(), default=None),
        last=max(days.values(), default=None),
        damaged=len(damaged),
        shows_login=not queries().caller.is_authenticated,
    )


@pages.get("/seasons/<season>")
def season(season: str) -> Response:
    """A season: its standings, its games, how it went, every evening."""
    span, evenings, damaged = load_season(season)
    names, standings = evening_queries().list_member_names(evenings), build_standings(evenings)
    players = [item.player for item in standings]
    sort_key, is_reversed = requested_order()
    rows = sorted(
        (build_standing_row(item, names) for item in standings),
        key=lambda row: row["name"].casefold() if sort_key == "name" else -row["counts"][sort_key],
        reverse=is_reversed,
    )
    running_totals = compute_running_totals(evenings, players)
    return render_record_page(
        "season.html",
        nav_section="seasons",
        shows_login=not queries().caller.is_authenticated,
        title=format_season_title(span),
        span=format_season_days(span),
        evenings_counted=format_evening_count(len(evenings)),
        deals=format_deal_count(sum(item.deals for item in evenings), page_language()),
        rows=rows,
        column_heads=build_column_heads(span, sort_key, is_reversed),
        has_money=any(row["money"] for row in rows),
        players=[member_display_name(player, names) for player in players],
        games=build_games_table(evenings, standings, names),
        charts=render_charts(running_totals, names),
        evenings=[
            build_evening_row(index, item, players, running_totals) for index, item in enumerate(evenings)
        ],
        totals=[item.settled for item in standings],
        damaged=len(damaged),
        csv_url=f"/api/v1/seasons/{span.id}/standings.csv?lang={page_language()}",
    )


@pages.get("/members")
def members() -> Response:
    """The members of the club, for readers who may edit the list."""
    queries().caller.require_permission("members")
    member_url_stem = page_url("web.member", member="m-")
    return render_record_page("members.html", nav_section="tables", member_url=member_url_stem)


@pages.get("/members/<member>")
def member(member: str) -> Response:
    """The results of a member in all evenings that the reader may see."""
    evenings, damaged = load_member_evenings(member)
    names = member_names_at(member, evenings)
    earliest_first = evenings[::-1]
    total = next((item for item in build_standings(evenings) if item.player == member), None)
    running_totals = compute_running_totals(earliest_first, [member])
    return render_record_page(
        "member.html",
        nav_section="seasons",
        name=member_display_name(member, names),
        total=None if total is None else build_standing_row(total, names),
        evenings=[build_attended_row(item, member) for item in evenings],
        has_money=any(item.money(member) is not None for item in evenings),
        by_season=build_member_seasons(evenings, member, names),
        games=total.figures.contracts if total else (),
        contract_names=list_contract_names(evenings),
        charts=render_charts(running_totals, names),
        damaged=len(damaged),
    )


# Rows


def requested_order() -> tuple[str, bool]:
    """What the standings are sorted by, and whether in reverse."""
    sort_key = request.args.get("by", "chips")
    return (sort_key if sort_key in STANDINGS_SORT_KEYS else "chips"), request.args.get("up") == "1"


def build_column_heads(span: Season, sort_key: str, is_ascending: bool) -> dict[str, SeasonPageRow]:
    """For each column that can be sorted by: the address that does it, and how it is sorted."""
    headings = {}
    for key in STANDINGS_SORT_KEYS:
        leads_to_ascending = key == sort_key and not is_ascending
        sort_state = (
            None if key != sort_key else ("ascending" if (key == "name") != is_ascending else "descending")
        )
        link = page_url("web.season", season=span.id, by=key, up="1" if leads_to_ascending else None)
        headings[key] = {"url": link, "sorted": sort_state}
    return headings


def build_standing_row(standing: SeasonStanding, names: DisplayNames) -> SeasonPageRow:
    """A player in the standings."""
    player, is_member = standing.player, is_member_id(standing.player) and names.get(standing.player)
    return {
        "place": standing.place,
        "name": member_display_name(player, names),
        "url": page_url("web.member", member=player) if is_member else None,
        "counts": {
            **count_figures(standing.figures),
            "evenings": standing.evenings,
            "chips": standing.settled,
        },
        "money": [format_money(amount, currency) for currency, amount in standing.money.items()],
    }


def count_figures(figures: PlayerFigures) -> dict[str, int]:
    """What a player did, in numbers."""
    return {name: getattr(figures, name) for name in ("played", "declared", "won", "bete", "codille")}


def build_evening_head(evening: EveningResult) -> SeasonPageRow:
    """The title and day of an evening, and its score sheet."""
    return {
        "url": page_url("web.sheet", table=evening.table),
        "title": evening.title,
        "date": format_page_date(evening.date or evening.day.isoformat()),
    }


def build_evening_row(
    index: int, evening: EveningResult, players: Sequence[str], running: Mapping[str, Sequence[int | None]]
) -> SeasonPageRow:
    """An evening of a season: for each player there, the total after it and the change."""
    settled = evening.settled
    cells = [
        (running[player][index + 1] or 0, settled[player]) if player in settled else None
        for player in players
    ]
    return {**build_evening_head(evening), "cells": cells}


def build_attended_row(evening: EveningResult, member: str) -> SeasonPageRow:
    """An evening of a member."""
    figures = next(each for each in evening.figures if each.player == member)
    money = evening.money(member)
    return {
        **build_evening_head(evening),
        "counts": {**count_figures(figures), "chips": evening.settled[member]},
        "money": None if money is None else format_money(money, evening.currency),
    }


def build_member_seasons(
    evenings: Sequence[EveningResult], member: str, names: DisplayNames
) -> list[SeasonPageRow]:
    """A member's evenings by season, the latest first."""
    evenings_by_season: dict[Season, list[EveningResult]] = {}
    for item in evenings:
        evenings_by_season.setdefault(season_containing(item.day), []).append(item)
    rows = []
    for season, season_evenings in evenings_by_season.items():
        standing = next(item for item in build_standings(season_evenings) if item.player == member)
        link = page_url("web.season", season=season.id)
        rows.append(
            {**build_standing_row(standing, names), "title": format_season_title(season), "season_url": link}
        )
    return rows


def build_games_table(
    evenings: Sequence[EveningResult], standings: Sequence[SeasonStanding], names: DisplayNames
) -> SeasonPageRow:
    """The games that each player won of those declared, by contract."""
    contracts = list_contract_names(evenings)
    figures_by_player = {
        one.player: {each.contract: each for each in one.figures.contracts} for one in standings
    }
    played_contracts = [
        one for one in contracts if any(one in figures for figures in figures_by_player.values())
    ]
    rows = []
    for one in standings:
        games = [figures_by_player[one.player].get(each) for each in played_contracts]
        cells = [f"{each.won} / {each.played}" if each else "" for each in games]
        rows.append({"name": member_display_name(one.player, names), "cells": cells})
    return {"contracts": [contracts[one] for one in played_contracts], "rows": rows}


def list_contract_names(evenings: Sequence[EveningResult]) -> dict[str, str]:
    """The names of the contracts of these evenings, in the order of their rules."""
    names: dict[str, str] = {}
    for evening in evenings:
        rules = find_ruleset(service_context().book, evening.ruleset, evening.revision)
        for contract in rules.ruleset.contracts if rules else ():
            names.setdefault(contract.id, game_words(rules).contract(contract.id))
        for figures in evening.figures:
            for games in figures.contracts:
                names.setdefault(games.contract, games.contract)
    return names


# The course of a season


def compute_running_totals(
    evenings: Sequence[EveningResult], players: Sequence[str]
) -> dict[str, list[int | None]]:
    """Each player's total before the first evening and after each; None until the first one attended."""
    running_totals: dict[str, list[int | None]] = {}
    for player in players:
        first = next((index for index, evening in enumerate(evenings) if player in evening.settled), None)
        if first is None:
            continue
        changes = (evening.settled.get(player, 0) for evening in evenings[first:])
        running_totals[player] = [*[None] * first, *accumulate(changes, initial=0)]
    return running_totals


def render_charts(running: Mapping[str, Sequence[int | None]], names: DisplayNames) -> list[Markup]:
    """The chart of a season, for wide pages and for narrow ones."""
    lines = [
        ChartLine(member_display_name(player, names), tuple(points)) for player, points in running.items()
    ]
    final_totals = ", ".join(f"{line.name} {format_signed_chips(line.points[-1] or 0)}" for line in lines)
    description = page_texts(page_language())(
        "Lines show how each player stood after every evening. At the end: {standings}."
    ).format(standings=final_totals)
    charts = (
        draw_totals_chart(lines, description=description, format_chips=format_signed_chips, width=width)
        for width in (WIDE_PAGE_CHART_WIDTH, NARROW_PAGE_CHART_WIDTH)
    )
    # Names were escaped when the drawing was written.
    return [Markup(chart) for chart in charts if chart]


# Words


def format_season_title(span: Season) -> str:
    """The title of a season."""
    t = page_texts(page_language())
    if span.id == ALL_SEASONS_ID:
        return t("All evenings")
    if span.first is None or span.last is None or "--" in span.id:
        return format_season_days(span)
    if "-" in span.id:
        return t("The season of {name}").format(name=span.id.replace("-", "/"))
    return t("The year {name}").format(name=span.id)


def format_season_days(span: Season) -> str:
    """The days of a season: "1 August 2026 – 31 July 2027"."""
    ends = (format_page_date(end.isoformat()) for end in (span.first, span.last) if isinstance(end, date))
    return " – ".join(ends)


def format_evening_count(number: int) -> str:
    """A number of evenings."""
    t = page_texts(page_language())
    return t("1 evening") if number == 1 else t("{n} evenings").format(n=number)


@pages.app_template_filter("chips")
def format_signed_chips(number: int) -> str:
    """A number of chips with its sign."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def format_money(amount: Decimal, currency: str | None) -> str:
    """An amount of money in the language of the page."""
    text = format_decimal(f"{abs(amount):f}", page_language())
    sign = "+" if amount > 0 else "−" if amount < 0 else ""
    return f"{sign}{text} {currency or ''}".strip()
