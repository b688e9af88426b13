"""The pages of an evening: the tables, opening one, its slip, its score sheet.

These are only the frames. Their modules (``static/js/evening/evening.js``) read a table from the API, live,
so that all browsers see what one of them enters.
"""

from typing import Any

import orjson
from flask import Response
from markupsafe import Markup

from engine.rulesets import CompiledRuleset, find_ruleset
from service.eventstore.clock import utc_now
from service.http.api.record_responses import summarize_records
from service.http.service_context import queries, service_context
from service.http.web.demo_evening import build_demo_evening
from service.http.web.display_preferences import apply_game_names, page_language
from service.http.web.offline import PLACEHOLDER_ID, TABLE_PAGES
from service.http.web.page_texts import format_deal_count
from service.http.web.pages import (
    build_rules_page_url,
    build_start_links,
    display_name,
    format_record_date,
    page_url,
    pages,
    render_newest_records,
    render_record_page,
    ruleset_name,
)
from service.http.web.slip_choices import build_ruleset_choices, build_slip_choices, default_ruleset_id
from service.presentation.text.words import set_aside_sentence
from service.projections.summaries import RecordSummary
from service.records.record_streams import TABLE_KIND


@pages.get("/tables")
def tables() -> Response:
    """The tables of the evenings, the latest first."""
    caller = queries().caller
    return render_newest_records(
        TABLE_KIND,
        "tables",
        build_table_row,
        **build_start_links(),
        demo=build_demo_offer(),
        blank_url=page_url("web.blank_alone"),
        deals_url=page_url("web.deals"),
        members_url=page_url("web.members") if caller.has_permission("members") else None,
    )


@pages.get("/tables/new")
def new_table() -> Response:
    """The page on which a table is opened; it begins with the settings of the last one."""
    queries().caller.require_permission("open_tables")
    newest_tables, _ = summarize_records(queries().list_newest_records(TABLE_KIND, None, 1).streams)
    return render_record_page(
        "table_new.html",
        nav_section="tables",
        rulesets=format_data_attribute("rulesets", list_ruleset_choices()),
        default_ruleset=default_ruleset_id(service_context().book),
        last_table=next((table["id"] for table in newest_tables if not table["made_up"]), ""),
        table_url=page_url("web.slip", table=PLACEHOLDER_ID),
    )


def list_ruleset_choices() -> list[dict[str, Any]]:
    """The rulesets to choose from, with the names that this device prefers."""
    return [apply_game_names(one) for one in build_ruleset_choices(service_context().book, page_language())]


@pages.get("/tables/<stream:table>")
def slip(table: str) -> Response:
    """The slip: the result of the next deal, and what has been entered."""
    return render_table_page("slip.html", table)


@pages.get("/tables/<stream:table>/sheet")
def sheet(table: str) -> Response:
    """The score sheet of an evening."""
    return render_table_page("sheet.html", table)


def render_table_page(template: str, table: str, **context: Any) -> Response:
    """Render a page of one table; ``context`` is what only this page needs."""
    info, caller = queries().find_table(table), queries().caller
    summary = queries().summary(info)
    return render_record_page(
        template,
        nav_section="tables",
        table=info.stream,
        title=summary["title"],
        date=format_record_date(summary),
        players=[display_name(summary, player) for player in summary["players"]],
        rules=format_data_attribute("rules", build_table_choices(summary)),
        rules_page=build_rules_page_url(summary),
        ledger_url=summary["links"]["ledger"],
        csv_url=f"{summary['links']['ledger']}.csv?lang={page_language()}",
        **{name: page_url(endpoint, table=info.stream) for name, endpoint in TABLE_PAGES.items()},
        may_write=caller.has_permission("write", info),
        may_share=caller.has_permission("grant", info),
        offers_members=caller.has_permission("members"),
        **context,
    )


def build_table_choices(table: RecordSummary) -> dict[str, Any] | None:
    """The choices of a slip at this table; None where its rules are not known here."""
    rules = find_table_rules(table)
    return apply_game_names(build_slip_choices(rules, page_language())) if rules else None


def find_table_rules(table: RecordSummary) -> CompiledRuleset | None:
    """The rules of a table with its switches; None where they are not known here."""
    return find_ruleset(
        service_context().book, table["ruleset"], table["revision"], tuple(table["switches"].items())
    )


def build_demo_offer() -> dict[str, Any] | None:
    """A made-up evening to try, for a reader who may open tables where nothing is recorded yet."""
    if not queries().caller.has_permission("open_tables"):
        return None
    if queries().list_newest_records(TABLE_KIND, None, 1).streams:
        return None
    evening = build_demo_evening(page_language(), utc_now()[:10])
    return {
        "evening": format_data_attribute("demo", evening),
        "sheet_url": page_url("web.sheet", table=PLACEHOLDER_ID),
    }


def build_table_row(table: RecordSummary) -> dict[str, Any]:
    """A table in the list."""
    voided = table["voided"]
    may_write = voided is None and queries().caller.has_permission("write", queries().find_table(table["id"]))
    can_continue = may_write and not table["closed"]
    return {
        "url": page_url("web.slip", table=table["id"]),
        "sheet_url": page_url("web.sheet", table=table["id"]),
        "slip_batch_url": page_url("web.slip_batch", table=table["id"]) if can_continue else None,
        "title": table["title"],
        "date": format_record_date(table),
        "players": [display_name(table, player) for player in table["players"]],
        "ruleset": ruleset_name(table),
        "deals": format_deal_count(table["deals"], page_language()),
        "closed": table["closed"],
        "made_up": table["made_up"],
        "demo_id": table["id"] if may_write and table["made_up"] else None,
        "set_aside": None if voided is None else set_aside_sentence(voided, page_language()),
    }


def format_data_attribute(name: str, value: Any) -> Markup:
    """An attribute ``data-name='…'`` with JSON for a page's module.

    Between single quotes the double quotes of JSON need no escape, which makes a page a third shorter.
    """
    text = orjson.dumps(value).decode()
    for sign, escaped in (("&", "&amp;"), ("'", "&#39;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(sign, escaped)
    return Markup(f"data-{name}='{text}'")
