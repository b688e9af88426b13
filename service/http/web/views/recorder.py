"""The pages of the recorder, which records a deal card by card, and those on which a deal begins.

These are only the frames. Their modules (``static/js/recorder/*.js``) ask the API how the deal stands.
"""

from importlib.metadata import version
from typing import Any, Final

from flask import Response

from engine import build_log, legal
from engine.core.cards import SEAT_NAMES
from engine.core.events import DealOpened
from engine.core.field_types import Players
from schemas.answers.states import legal_object, score_object, state_object
from service.config.urls import API_PREFIX
from service.eventstore import StreamInfo
from service.http.service_context import queries, service_context
from service.http.web.display_preferences import apply_game_names, page_language
from service.http.web.offline import PLACEHOLDER_ID
from service.http.web.pages import (
    display_name,
    page_url,
    pages,
    render_record_page,
)
from service.http.web.slip_choices import build_recorder_choices, default_ruleset_id
from service.http.web.views.table import format_data_attribute, list_ruleset_choices, render_table_page
from service.records.deal_points import build_deal_point
from service.records.record_streams import TABLE_KIND
from service.records.slip_batches import build_next_opening

ENTRIES_PER_REQUEST: Final = 500
"""The limit with which ``static/js/recorder/recorded-deal.js`` reads entries."""


@pages.get("/deals/<stream:deal>/record")
def record(deal: str) -> Response:
    """The recorder of a deal; readers who may not write only watch."""
    info = queries().find_deal(deal)
    summary = queries().summary(info)
    table = summary["table"] if summary["table"] and can_read_table(summary["table"]) else None
    closed = table is not None and queries().summary(queries().find_table(table))["closed"]
    permissions = build_deal_permissions(info)
    return render_record_page(
        "recorder.html",
        nav_section="tables" if table else "deals",
        deal=info.stream,
        title=summary["title"],
        number=summary["number"],
        players=[display_name(summary, summary["players"][seat]) for seat in SEAT_NAMES],
        rules=format_data_attribute("rules", build_deal_choices(info)),
        names=format_data_attribute(
            "names", queries().deal_member_names(queries().expanded_record_view(info))
        ),
        engine=version("spadille"),
        table=table,
        table_url=page_url("web.slip", table=table) if table else None,
        sheet_url=page_url("web.sheet", table=table) if table else None,
        data_urls=list_prefetch_urls(info),
        next_url=page_url("web.record_next", table=table) if table else page_url("web.new_deal"),
        record_url=page_url("web.record", deal=PLACEHOLDER_ID),
        replay_url=page_url("web.recorded", deal=info.stream),
        **(CLOSED_TABLE_PERMISSIONS if closed and permissions["may_write"] else permissions),
    )


@pages.get("/tables/<stream:table>/record")
def record_next(table: str) -> Response:
    """The page on which the next deal of a table is begun, or an unfinished one continued."""
    deal_start = build_next_deal_start(queries().find_table(table))
    return render_table_page(
        "next_deal.html",
        table,
        record_url=page_url("web.record", deal=PLACEHOLDER_ID),
        deal_start=format_data_attribute("begun", deal_start) if deal_start else "",
    )


def build_next_deal_start(table: StreamInfo) -> dict[str, Any] | None:
    """What a recorder needs to open the next deal before it is stored; its page knows the players.

    None where no deal is due, or the caller may not write.
    """
    continuation = queries().build_table_continuation(table)
    next_deals = continuation.next_deals()
    if not next_deals or not queries().caller.has_permission("write", table):
        return None
    next_deal = next_deals[0]
    return {
        **build_deal_start(build_next_opening(continuation, next_deal.seating, next_deal.number, next_deal)),
        "addresses": build_recorder_urls(table),
    }


def build_deal_start(opening: DealOpened) -> dict[str, Any]:
    """The choices of a deal, and its state, legal actions and score when it has just been opened."""
    point = build_deal_point(build_log([opening]), None, None, service_context().book)
    return {
        "rules": apply_game_names(build_recorder_choices(point.state.opening.rules, page_language())),
        "state": state_object(point.state),
        "legal": legal_object(legal(point.state)),
        "score": score_object(point.score, page_language()),
    }


def build_recorder_urls(table: StreamInfo | None = None) -> dict[str, str]:
    """The links of a recorder, with `PLACEHOLDER_ID` in place of the deal, and the engine's version."""
    return {
        **({"tableUrl": page_url("web.slip", table=table.stream)} if table else {}),
        "engine": version("spadille"),
        "nextUrl": page_url("web.record_next", table=table.stream) if table else page_url("web.new_deal"),
        "recordUrl": page_url("web.record", deal=PLACEHOLDER_ID),
        "replayUrl": page_url("web.recorded", deal=PLACEHOLDER_ID),
    }


@pages.get("/deals/new")
def new_deal() -> Response:
    """The page on which a deal is begun that belongs to no table."""
    queries().caller.require_permission("open_deals")
    return render_record_page(
        "deal_new.html",
        nav_section="deals",
        rulesets=format_data_attribute("rulesets", list_ruleset_choices()),
        default_ruleset=default_ruleset_id(service_context().book),
        deal_start=format_data_attribute(
            "begun", {"rules": build_deal_starts_by_ruleset(), "addresses": build_recorder_urls()}
        ),
        record_url=page_url("web.record", deal=PLACEHOLDER_ID),
    )


def build_deal_starts_by_ruleset() -> dict[str, Any]:
    """What a recorder needs to open a deal, by ruleset."""
    newest = {rules.ruleset.id: rules for rules in service_context().book}
    return {
        name: build_deal_start(DealOpened(name, Players(*SEAT_NAMES), revision=rules.ruleset.revision))
        for name, rules in newest.items()
    }


CLOSED_TABLE_PERMISSIONS: Final = {"closed": True, "may_write": False, "may_note": False, "may_open": False}
"""On the page of a deal whose table is closed nothing is written until the table is opened again.

The API still accepts corrections and rulings, which come up after the evening.
"""


def build_deal_permissions(deal: StreamInfo) -> dict[str, bool]:
    """What the caller may write into this deal: everything, or only notes."""
    caller = queries().caller
    may_write = caller.has_permission("write", deal)
    return {
        "may_write": may_write,
        "may_note": may_write or caller.has_permission("note", deal),
        "may_open": caller.has_permission("open_deals"),
    }


def list_prefetch_urls(deal: StreamInfo) -> list[str]:
    """What the recorder's modules ask for first, for the browser to prefetch."""
    deal_path = f"{API_PREFIX}/deals/{deal.stream}"
    resource_urls = [
        f"{deal_path}/{resource}?known={deal.version}" for resource in ("state", "legal", "score", "findings")
    ]
    # A longer record is read in parts, and its modules first ask about an earlier point.
    return [
        f"{deal_path}/events?limit={ENTRIES_PER_REQUEST}",
        *(resource_urls if deal.version <= ENTRIES_PER_REQUEST else []),
    ]


def can_read_table(table: str) -> bool:
    """Whether the caller may read the table; a link to one deal does not allow it."""
    return queries().caller.can_read(StreamInfo(table, table, TABLE_KIND, 0))


def build_deal_choices(deal: StreamInfo) -> dict[str, Any] | None:
    """The choices of a deal by its rules; None where they are not known here."""
    rules = build_deal_point(
        queries().expanded_record_view(deal).log, None, None, service_context().book
    ).state.opening.rules
    return apply_game_names(build_recorder_choices(rules, page_language())) if rules.is_known else None
