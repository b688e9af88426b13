"""The pages of an evening: the tables, opening one, its slip, its score sheet.

What stands here is only the frame. What is known of a table comes from the API, live, to the page's own
modules (``static/js/evening/evening.js``), so that what one of several browsers enters is seen by all.
"""

from typing import Any

import orjson
from flask import Response
from markupsafe import Markup

from engine.rulesets import Rules, find
from service.eventstore import StreamInfo
from service.http.context import context, queries
from service.http.web.language import language
from service.http.web.looks import in_terms
from service.http.web.pages import address, beginnings, called, day_of, newest_page, of_records, page, pages
from service.http.web.slip_choices import choices_of, ruleset_choices, usual_of
from service.http.web.words.pages import page_words
from service.http.web.words.table import deals_counted
from service.projections.summaries import Summary
from service.records.records import TABLE


@pages.get("/tables")
def tables() -> Response:
    """The tables of the evenings, the latest first."""
    caller = queries().caller
    return newest_page(
        TABLE,
        "tables",
        table_row,
        **beginnings(),
        blank_url=address("web.blank_alone"),
        seasons_url=address("web.seasons"),
        members_url=address("web.members") if caller.may("members") else None,
    )


@pages.get("/tables/new")
def new_table() -> Response:
    """Where a table is opened, as the last one was unless told otherwise."""
    queries().caller.require("open_tables")
    last = queries().newest(TABLE, None, 1).streams
    return of_records(
        page(
            "table_new.html",
            here="tables",
            rulesets=as_attribute("rulesets", rulesets_in_terms()),
            usual=usual_of(context().book),
            last_table=last[0].stream if last else "",
            table_url=address("web.slip", table="00000000-0000-0000-0000-000000000000"),
        )
    )


def rulesets_in_terms() -> list[dict[str, Any]]:
    """The rulesets by which one can play, called as this device has them."""
    return [in_terms(one) for one in ruleset_choices(context().book, language())]


@pages.get("/tables/<stream:table>")
def slip(table: str) -> Response:
    """The slip: what the next deal came to, and what has been entered."""
    return of_table("slip.html", table)


@pages.get("/tables/<stream:table>/sheet")
def sheet(table: str) -> Response:
    """The score sheet of an evening."""
    return of_table("sheet.html", table)


def of_table(template: str, table: str, **shown: Any) -> Response:
    """A page of one table, for whoever may read it; ``shown`` is what this one has beside the others."""
    info = queries().table(table)
    summary = queries().summary(info)
    return of_records(
        page(
            template,
            here="tables",
            table=info.stream,
            title=summary["title"],
            date=day_of(summary),
            players=[called(summary, player) for player in summary["players"]],
            rules=as_attribute("rules", choices_at(summary)),
            slip_url=address("web.slip", table=info.stream),
            sheet_url=address("web.sheet", table=info.stream),
            report_url=address("web.table_report", table=info.stream),
            pile_url=address("web.pile", table=info.stream),
            blank_url=address("web.blank", table=info.stream),
            ledger_url=summary["links"]["ledger"],
            csv_url=f"{summary['links']['ledger']}.csv?lang={language()}",
            record_next_url=address("web.record_next", table=info.stream),
            **powers(info),
            **shown,
        )
    )


def powers(table: StreamInfo) -> dict[str, bool]:
    """What of the page's own doings the caller may do at this table."""
    caller = queries().caller
    return {
        "may_write": caller.may("write", table),
        "may_share": caller.may("grant", table),
        "offers_members": caller.may("members"),
    }


def choices_at(table: Summary) -> dict[str, Any] | None:
    """What a slip at this table can say; None where its rules are not known here."""
    rules = rules_at(table)
    return in_terms(choices_of(rules, language())) if rules else None


def rules_at(table: Summary) -> Rules | None:
    """The rules of a table as it has switched them; None where they are not known here."""
    return find(context().book, table["ruleset"], table["revision"], tuple(table["switches"].items()))


def table_row(table: Summary) -> dict[str, Any]:
    """A table in the list."""
    rules = find(context().book, table["ruleset"], table["revision"])
    return {
        "url": address("web.slip", table=table["id"]),
        "sheet_url": address("web.sheet", table=table["id"]),
        "pile_url": address("web.pile", table=table["id"]) if is_kept_on(table) else None,
        "title": table["title"],
        "date": day_of(table),
        "players": [called(table, player) for player in table["players"]],
        "ruleset": rules.ruleset.words[language()] if rules else table["ruleset"],
        "deals": deals_counted(table["deals"], page_words(language())),
        "closed": table["closed"],
    }


def is_kept_on(table: Summary) -> bool:
    """Whether the table goes on, and the caller may write there."""
    return not table["closed"] and queries().caller.may("write", queries().table(table["id"]))


def as_attribute(name: str, told: Any) -> Markup:
    """What a page's module is told, as JSON in an attribute: the whole of ``data-name='…'``.

    JSON is full of double quotes: between single ones they stand as they are, and a page is a third shorter.
    """
    text = orjson.dumps(told).decode()
    for sign, written in (("&", "&amp;"), ("'", "&#39;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(sign, written)
    return Markup(f"data-{name}='{text}'")
