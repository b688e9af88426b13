"""The pages for slips on paper: a batch typed after the evening, and blank slips to print."""

from typing import Any, Final

from flask import Response, request

from engine.core.cards import SEAT_NAMES
from engine.rulesets import CompiledRuleset, RulesetBook, find_ruleset
from schemas.i18n.catalogs import gettext
from schemas.spreadsheet.sheet_words import abbreviate_contracts
from service.http.service_context import queries, service_context
from service.http.web.display_preferences import apply_game_names, page_language
from service.http.web.pages import (
    display_name,
    format_record_date,
    page_url,
    pages,
    render_page,
    without_caching,
)
from service.http.web.slip_choices import (
    build_slip_batch_choices,
    build_slip_choices,
    default_ruleset_id,
)
from service.http.web.views.table import find_table_rules, format_data_attribute, render_table_page
from service.records.record_streams import TABLE_KIND
from service.records.slip_batches import plan_next_deals

BLANK_SHEET_ROWS: Final = 40
"""The deals on a blank sheet."""
SLIPS_PER_PAGE: Final = 8
"""The slips on a page, if each deal has its own."""
BLANK_FORMS: Final = ("sheet", "slips")
UNNAMED_PLAYERS: Final = ("", "", "", "")
"""The columns of a sheet that is printed for no table; the names are written by hand."""


@pages.get("/tables/<stream:table>/slip-batch")
def slip_batch(table: str) -> Response:
    """A slip batch that is typed into a grid, for callers who may write at the table."""
    info = queries().find_table(table)
    queries().caller.require_permission("write", info)
    rules = find_table_rules(queries().summary(info))
    return render_table_page(
        "slip_batch.html",
        table,
        cell_choices=format_data_attribute("pile", {"choices": build_cell_choices(rules)}),
    )


def build_cell_choices(rules: CompiledRuleset | None) -> dict[str, Any]:
    """The choices of the cells of a slip batch; none where the rules are not known here."""
    if rules is None:
        return {name: [] for name in ("contract", "trump", "outcome", "extras")}
    return build_slip_batch_choices(rules, page_language())


@pages.get("/tables/<stream:table>/blank")
def blank(table: str) -> Response:
    """Blank slips for a table, with its players and the planned dealers."""
    info = queries().find_table(table)
    summary = queries().summary(info)
    seatings = plan_next_deals(
        queries().build_table_continuation(info), BLANK_SHEET_ROWS, service_context().book
    )
    rows = [
        {
            "number": number,
            "dealer": display_name(summary, seating.dealer),
            "out": [display_name(summary, player) for player in seating.sitting_out],
            "players": [display_name(summary, getattr(seating, seat)) for seat in SEAT_NAMES],
        }
        for number, seating in seatings
    ]
    return without_caching(
        render_blank_slips(
            find_table_rules(summary),
            rows,
            [display_name(summary, player) for player in summary["players"]],
            title=summary["title"] or format_record_date(summary),
            table_url=page_url("web.slip", table=info.stream),
            forms=list_form_links("web.blank", table=info.stream),
        )
    )


@pages.get("/tables/blank")
def blank_alone() -> Response:
    """Blank slips for any table; names and dealers are written by hand."""
    book = service_context().book
    requested_id = request.args.get("rules") or find_last_ruleset_id()
    rules = find_ruleset(book, requested_id)
    ruleset_id = rules.ruleset.id if rules else default_ruleset_id(book)
    return render_blank_slips(
        find_ruleset(book, ruleset_id),
        [],
        UNNAMED_PLAYERS,
        title=None,
        table_url=None,
        forms=list_form_links("web.blank_alone", rules=ruleset_id),
        rulesets=[
            {**title, "url": page_url("web.blank_alone", rules=title["id"], form=requested_form())}
            for title in list_ruleset_titles(book)
        ],
        chosen=ruleset_id,
    )


def list_form_links(endpoint: str, **values: str) -> list[dict[str, str]]:
    """The forms of blank slips, each with its page."""
    return [{"name": form, "url": page_url(endpoint, **values, form=form)} for form in BLANK_FORMS]


def find_last_ruleset_id() -> str:
    """The ruleset of the newest table that the reader may see; empty where there is none."""
    newest_tables = queries().list_newest_records(TABLE_KIND, None, 1).streams
    return str(queries().summary(newest_tables[0])["ruleset"]) if newest_tables else ""


def list_ruleset_titles(book: RulesetBook) -> list[dict[str, str]]:
    """Every ruleset once, by its title."""
    titles = {rules.ruleset.id: gettext(rules.ruleset.words, page_language()) for rules in book}
    return [{"id": name, "name": title} for name, title in titles.items()]


def requested_form() -> str:
    """The form that the address asks for: one row or one slip for each deal."""
    form = request.args.get("form", BLANK_FORMS[0])
    return form if form in BLANK_FORMS else BLANK_FORMS[0]


def render_blank_slips(
    rules: CompiledRuleset | None,
    rows: list[dict[str, Any]],
    players: tuple[str, ...] | list[str],
    **context: Any,
) -> Response:
    """Render blank slips; what is not planned of the deals is left blank."""
    lang, first_number = page_language(), rows[-1]["number"] + 1 if rows else 1
    blank_numbers = range(first_number, first_number + BLANK_SHEET_ROWS - len(rows))
    blank_rows = [{"number": number, "dealer": "", "out": [], "players": []} for number in blank_numbers]
    all_rows = [*rows, *blank_rows]
    return render_page(
        "blank.html",
        nav_section="tables",
        form=requested_form(),
        rows=all_rows,
        slips=[all_rows[start : start + SLIPS_PER_PAGE] for start in range(0, len(all_rows), SLIPS_PER_PAGE)],
        players=players,
        rules=apply_game_names(build_slip_choices(rules, lang)) if rules else None,
        abbreviations=abbreviate_contracts(rules, lang) if rules else {},
        choices=build_cell_choices(rules),
        **context,
    )
