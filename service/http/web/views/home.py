"""The first page: what Spadille is, or the club's table of tonight, last evening and season."""

from datetime import date
from typing import Any, Final

from flask import Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from service.auth.grants import UnknownToken
from service.eventstore import StoreError
from service.eventstore.clock import utc_now
from service.http.api.record_responses import summarize_records
from service.http.service_context import evening_queries, queries
from service.http.web.display_preferences import format_page_date
from service.http.web.pages import (
    display_name,
    member_display_name,
    page_url,
    pages,
    render_page,
    without_caching,
)
from service.http.web.views.game_guide import example_drawing_url
from service.http.web.views.library import read_search_criteria
from service.http.web.views.seasons import build_standing_row, format_season_title
from service.http.web.views.table import build_demo_offer, build_table_row
from service.projections.seasons import build_standings, season_containing
from service.projections.summaries import RecordSummary, opening_date
from service.records.record_streams import TABLE_KIND

NEWEST_TABLES: Final = 5
"""Among so many tables is tonight's."""
LEADING_PLAYERS: Final = 5
"""So many players of the season are shown."""


@pages.get("/")
def home() -> AnyResponse:
    """The first page, by what the reader may see. A search is the library's."""
    if read_search_criteria().has_criteria:
        return redirect(page_url("web.library", **request.args.to_dict()))
    try:
        is_club = queries().caller.is_authenticated
        club = _describe_club() if is_club else {}
    except (UnknownToken, StoreError):
        # A visitor's page needs no store and no valid login.
        is_club, club = False, {}
    return without_caching(_render_home(is_club, club))


def _render_home(is_club: bool, club: dict[str, Any]) -> Response:
    return render_page(
        "home.html",
        is_club=is_club,
        shows_login=not is_club,
        drawing_url=example_drawing_url(),
        example_url=page_url("web.replay", name="belinda"),
        examples_url=page_url("web.example_deals"),
        **club,
    )


def _describe_club() -> dict[str, Any]:
    """Tonight's table, or who sat at the last one; the last evening and the season so far."""
    caller = queries().caller
    summaries, _ = summarize_records(queries().list_newest_records(TABLE_KIND, None, NEWEST_TABLES).streams)
    tables = [table for table in summaries if table["voided"] is None]
    today = date.fromisoformat(utc_now()[:10])
    company = next((table for table in tables if not table["made_up"]), None)
    tonight = [build_table_row(table) for table in tables if _is_tonight(table, today)]
    evenings, _ = evening_queries().list_evenings(season_containing(today))
    names = evening_queries().list_member_names(evenings)
    last = next((one for one in reversed(evenings) if one.counts), None)
    standings = build_standings(evenings)
    return {
        "tonight": tonight,
        "demo": build_demo_offer(),
        "open_url": page_url("web.new_table") if caller.has_permission("open_tables") else None,
        "company": [display_name(company, player) for player in company["players"]] if company else [],
        "last": last
        and {
            "url": page_url("web.sheet", table=last.table),
            "title": last.title or format_page_date(last.day.isoformat()),
            "totals": sorted(
                ((member_display_name(player, names), chips) for player, chips in last.settled.items()),
                key=lambda row: -row[1],
            ),
        },
        "season": {
            "url": page_url("web.season", season=season_containing(today).id),
            "title": format_season_title(season_containing(today)),
            "rows": [build_standing_row(one, names) for one in standings[:LEADING_PLAYERS]],
        },
    }


def _is_tonight(table: RecordSummary, today: date) -> bool:
    """Whether people sit there now: it is open, and of today or yesterday."""
    day = date.fromisoformat(table["date"] or opening_date(table).isoformat())
    return not table["closed"] and 0 <= (today - day).days <= 1
