"""The pages of slips on paper: a pile that is typed after the evening, and blank slips to print before it."""

from typing import Any, Final

from flask import Response, request

from engine.core.cards import SEAT_NAMES
from engine.rulesets import Book, Rules, find
from schemas.spreadsheet.shorts import shorts_of
from service.http.context import context, queries
from service.http.web.language import day, language
from service.http.web.looks import in_terms
from service.http.web.pages import address, called, of_records, page, pages
from service.http.web.slip_batch_choices import pile_choices
from service.http.web.slip_choices import choices_of, usual_of
from service.http.web.views.table import as_attribute, of_table, rules_at
from service.records.records import TABLE
from service.records.slip_batches import planned

DEALS: Final = 40
"""So many deals a blank sheet has room for."""
ON_A_PAGE: Final = 8
"""So many slips stand on a page, where each deal has its own."""
FORMS: Final = ("sheet", "slips")
NOBODY: Final = ("", "", "", "")
"""Whose columns a sheet has that is printed for no table: they are written in by hand."""


@pages.get("/tables/<stream:table>/slip-batch")
def pile(table: str) -> Response:
    """A pile of slips that is typed into a grid: for who writes at the table."""
    info = queries().table(table)
    queries().caller.require("write", info)
    rules = rules_at(queries().summary(info))
    return of_table("pile.html", table, pile=as_attribute("pile", {"choices": choices_for(rules)}))


def choices_for(rules: Rules | None) -> dict[str, Any]:
    """What the cells of a pile can say; nothing where the rules are not known here."""
    if rules is None:
        return {name: [] for name in ("contract", "trump", "outcome", "extras")}
    return pile_choices(rules, language())


@pages.get("/tables/<stream:table>/blank")
def blank(table: str) -> Response:
    """Blank slips for a table: its players, and whose deal it is by the plan."""
    info = queries().table(table)
    summary = queries().summary(info)
    seatings = planned(queries().ahead(info), DEALS, context().book)
    rows = [
        {
            "number": number,
            "dealer": called(summary, seating.dealer),
            "out": [called(summary, player) for player in seating.sitting_out],
            "players": [called(summary, getattr(seating, seat)) for seat in SEAT_NAMES],
        }
        for number, seating in seatings
    ]
    return of_records(
        blank_page(
            rules_at(summary),
            rows,
            [called(summary, player) for player in summary["players"]],
            title=summary["title"] or day(summary["opened_at"]),
            table_url=address("web.slip", table=info.stream),
            forms=[
                {"name": form, "url": address("web.blank", table=info.stream, form=form)} for form in FORMS
            ],
        )
    )


@pages.get("/tables/blank")
def blank_alone() -> Response:
    """Blank slips for any table: names and dealers are written in by hand."""
    book = context().book
    asked = request.args.get("rules") or rules_of_last()
    known = find(book, asked)
    chosen = known.ruleset.id if known else usual_of(book)
    return blank_page(
        find(book, chosen),
        [],
        NOBODY,
        title=None,
        table_url=None,
        forms=[{"name": form, "url": address("web.blank_alone", rules=chosen, form=form)} for form in FORMS],
        rulesets=[
            {**one, "url": address("web.blank_alone", rules=one["id"], form=form_asked())}
            for one in named(book)
        ],
        chosen=chosen,
    )


def rules_of_last() -> str:
    """The ruleset of the newest table that the reader may see; "" where there is none."""
    last = queries().newest(TABLE, None, 1).streams
    return str(queries().summary(last[0])["ruleset"]) if last else ""


def named(book: Book) -> list[dict[str, str]]:
    """Every ruleset once, by its title."""
    titles = {rules.ruleset.id: rules.ruleset.words[language()] for rules in book}
    return [{"id": name, "name": title} for name, title in titles.items()]


def form_asked() -> str:
    """The form that the address asks for: a row for each deal, or a slip for each."""
    asked = request.args.get("form", FORMS[0])
    return asked if asked in FORMS else FORMS[0]


def blank_page(
    rules: Rules | None, rows: list[dict[str, Any]], players: tuple[str, ...] | list[str], **shown: Any
) -> Response:
    """The page of blank slips; what of the deals is not planned is left blank."""
    first = rows[-1]["number"] + 1 if rows else 1
    empty = {"dealer": "", "out": [], "players": []}
    filled = [*rows, *({"number": number, **empty} for number in range(first, first + DEALS - len(rows)))]
    slips = [filled[start : start + ON_A_PAGE] for start in range(0, len(filled), ON_A_PAGE)]
    lang = language()
    return page(
        "blank.html",
        here="tables",
        form=form_asked(),
        rows=filled,
        slips=slips,
        players=players,
        rules=in_terms(choices_of(rules, lang)) if rules else None,
        shorts=shorts_of(rules, lang) if rules else {},
        choices=choices_for(rules),
        **shown,
    )
