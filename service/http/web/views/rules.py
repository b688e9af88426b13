"""The pages of the rulesets: each with its clauses, and the differences of two."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Final, NamedTuple

from flask import Response, request

from engine.rulesets import CompiledRuleset, find_ruleset
from engine.rulesets.model import Ruleset
from schemas.i18n.catalogs import gettext
from schemas.i18n.translate import rule_section_name, ruleset_source
from schemas.rulesets.rulebook import RulebookNames, RulebookTable, build_rulebook
from service.http.problems import Problem
from service.http.service_context import service_context
from service.http.web.display_preferences import game_words, page_language
from service.http.web.pages import page_url, pages, render_page
from service.presentation.reports.card_markup import mark_up_cards
from service.presentation.reports.clauses import number_clauses, section_anchor
from service.presentation.text.findings import format_card_codes
from service.presentation.text.style import TextStyle

CLAUSES_TITLE: Final = "Clauses"
"""The table of a rulebook that the page shows as text."""


class TableDifference(NamedTuple):
    """The rows of a rulebook's table that differ: the heading of a row, and its lines in each of the two."""

    title: str
    rows: list[tuple[str, list[str], list[str]]]


@pages.get("/rules")
def rulesets() -> Response:
    """The rulesets that deals can be played by; ``first`` is the one that the reader comes from."""
    first = request.args.get("first")
    listed = sorted(_list_rulesets(), key=lambda one: one["id"] != first)
    return render_page("rulesets.html", nav_section="rules", rulesets=listed)


@pages.get("/rules/<ruleset>")
def ruleset(ruleset: str) -> Response:
    """A ruleset: what it pays, in tables, and its clauses, each at ``#`` and its number."""
    rules = _find_rules(ruleset)
    return render_page(
        "ruleset.html",
        nav_section="rules",
        **_describe(rules),
        all_url=page_url("web.rulesets", first=rules.ruleset.id),
        tables=_list_tables(rules),
        sections=_list_sections(rules.ruleset),
        signs=mark_up_cards,
        others=[one for one in _list_rulesets() if one["id"] != rules.ruleset.id],
    )


@pages.get("/rules/<ruleset>/compare/<other>")
def ruleset_differences(ruleset: str, other: str) -> Response:
    """Where two rulesets differ, side by side."""
    one, two = _find_rules(ruleset), _find_rules(other)
    return render_page(
        "ruleset_differences.html",
        nav_section="rules",
        one=_describe(one),
        two=_describe(two),
        differences=list(list_differences(one, two, page_language())),
        signs=mark_up_cards,
    )


def _find_rules(ruleset_id: str) -> CompiledRuleset:
    revision = request.args.get("revision", type=int)
    rules = find_ruleset(service_context().book, ruleset_id, revision)
    if rules is None:
        raise Problem("not-found", f"There is no ruleset “{ruleset_id[:60]}”.")
    return rules


def _list_rulesets() -> list[dict[str, str]]:
    newest = {one.ruleset.id: one.ruleset for one in service_context().book}
    return [
        {
            "id": one.id,
            "title": gettext(one.words, page_language()),
            "source": ruleset_source(one.source, page_language()),
            "url": page_url("web.ruleset", ruleset=one.id),
        }
        for one in newest.values()
    ]


def _describe(rules: CompiledRuleset) -> dict[str, Any]:
    """What the head of a page says of a ruleset."""
    found = rules.ruleset
    return {
        "id": found.id,
        "name": gettext(found.words, page_language()),
        "revision": found.revision,
        "source": ruleset_source(found.source, page_language()),
        "url": page_url("web.ruleset", ruleset=found.id),
    }


def _list_tables(rules: CompiledRuleset) -> list[RulebookTable]:
    """The tables of a ruleset, without its clauses."""
    lang = page_language()
    return [table for table in _build_tables(rules, lang) if table.title != gettext(CLAUSES_TITLE, lang)]


def _build_tables(rules: CompiledRuleset, lang: str) -> Iterator[RulebookTable]:
    """The tables of a ruleset with the names that this device prefers, and with cards as symbols."""
    style, found = TextStyle(lang=lang), rules.ruleset
    # A game that needs a switch has a name, too.
    bids, contracts = {one.id: one for one in found.bids}, {one.id: one for one in found.contracts}
    words = game_words(rules._replace(bids=bids, contracts=contracts))
    for table in build_rulebook(found, lang, RulebookNames(words.bid, words.contract, style.suit)):
        rows = tuple(tuple(format_card_codes(cell, style) for cell in row) for row in table.rows)
        yield table._replace(rows=rows)


def _list_sections(found: Ruleset) -> list[dict[str, Any]]:
    """The sections of a ruleset with their numbered clauses."""
    lang = page_language()
    style = TextStyle(lang=lang)
    numbered = (one._replace(text=format_card_codes(one.text, style)) for one in number_clauses(found, lang))
    grouped = groupby(numbered, key=lambda one: one.clause.point)
    return [
        {
            "id": section_anchor(point),
            "title": rule_section_name(point, lang),
            "clauses": list(clauses),
        }
        for point, clauses in grouped
    ]


def list_differences(one: CompiledRuleset, two: CompiledRuleset, lang: str) -> Iterator[TableDifference]:
    """The rows in which two rulesets differ, table by table; the clauses of a section are one row."""
    tables_one, tables_two = (
        {table.title: _join_rows(table.rows) for table in _build_tables(found, lang)} for found in (one, two)
    )
    for title in dict.fromkeys((*tables_one, *tables_two)):
        rows_one, rows_two = tables_one.get(title, {}), tables_two.get(title, {})
        rows = [
            (heading, rows_one.get(heading, []), rows_two.get(heading, []))
            for heading in dict.fromkeys((*rows_one, *rows_two))
            if rows_one.get(heading) != rows_two.get(heading)
        ]
        if rows:
            yield TableDifference(title, rows)


def _join_rows(rows: Iterable[tuple[str, ...]]) -> dict[str, list[str]]:
    """What the rows with each heading say, by that heading."""
    found: dict[str, list[str]] = {}
    for heading, *cells in rows:
        found.setdefault(heading, []).append(" · ".join(filter(None, cells)))
    return found
