"""The pages that compare two accounts of a deal, entry by entry: the choice of the other one, and both."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from flask import Response, request

from engine import Log
from engine.core.log import Entry
from engine.reconcile import (
    CONFLICTING,
    MORE_DETAIL,
    ONLY_ONE,
    AccountComparison,
    AccountDifference,
    AccountTooLong,
    DealAccount,
    compare_accounts,
)
from schemas.i18n.catalogs import gettext
from service.application.member_names import replace_ids_with_names
from service.auth.caller import PermissionDenied
from service.http.api.anonymous_limits import HEAVY_REQUEST_COST, heavy_work
from service.http.problems import Problem
from service.http.service_context import service_context
from service.http.web.display_preferences import page_language, requested_language
from service.http.web.page_texts import format_deal_number
from service.http.web.pages import (
    build_deal_result,
    display_name,
    format_deal_source,
    format_record_date,
    pages,
    render_page,
    without_caching,
)
from service.http.web.views.deal_readings import Reading, find_reading, list_all_readings, list_readings
from service.presentation.reports.card_markup import report_template_variables
from service.presentation.text.account_comparison import (
    NarratedAccount,
    account_sentence,
    count_sentences,
    describe_entry,
    field_words,
    is_unmatched_note,
    narrate_account,
    verdict_sentence,
)
from service.presentation.text.findings import finding_message
from service.presentation.text.sentences import capitalize_first
from service.presentation.text.style import TextStyle
from service.records.repository import UnknownRecord

MAX_LISTED: Final = 30
"""Deals to choose from on a page."""
DEAL_ADDRESS: Final = re.compile(r"(?:.*/)?(?:(replays)|deals)/([\w-]+)(?:[/?#].*)?|([\w-]{8,})", re.DOTALL)
"""The address of a deal, or its id alone."""

KIND_PHRASES: Final = {
    ONLY_ONE: "Only one has it",
    "filled": "Missing in one",
    MORE_DETAIL: "One says more: {fields}",
    CONFLICTING: "They differ: {fields}",
}


@pages.get("/replays/<name>/compare", endpoint="choose_account_of_replay")
@pages.get("/deals/<stream:deal>/compare", endpoint="choose_account_of_deal")
def choose_account(**key: str) -> Response:
    """Choose the deal with which another one is compared."""
    shown = find_reading(**key)
    search = request.args.get("q", "").strip()[:200]
    found = list(_search_accounts(shown, search) if search else _list_likely_accounts(shown))
    response = render_page(
        "choose_account.html",
        nav_section="deals" if shown.is_recorded else "library",
        title=_account_name(shown),
        deal_page=shown.url,
        search=search,
        count=len(found),
        deals=[_build_row(shown, one) for one in found[:MAX_LISTED]],
        requested_language=requested_language(),
    )
    return without_caching(response)


def _list_likely_accounts(shown: Reading) -> Iterator[Reading]:
    """The readings of a deal, then the other deals of its players."""
    readings = [one for one in list_readings(shown) if one.name != shown.name]
    yield from readings
    known = {shown.name, *(one.name for one in readings)}
    for one in list_all_readings():
        if one.name not in known and sorted(one.players) == sorted(shown.players):
            yield one


def _search_accounts(shown: Reading, search: str) -> Iterator[Reading]:
    """The deals that have every word of the search, or have it as their address."""
    match = DEAL_ADDRESS.fullmatch(search)
    if match:
        key = {"name": match[2]} if match[1] else {"deal": match[2] or match[3]}
        with suppress(UnknownRecord, PermissionDenied, Problem):
            yield find_reading(**key)
            return
    words = search.casefold().split()
    for one in list_all_readings():
        text = _searched_text(one)
        if one.name != shown.name and all(word in text for word in words):
            yield one


def _searched_text(reading: Reading) -> str:
    """What a deal is found by: its title, number, players, source and date."""
    summary = reading.summary
    players = [
        display_name(summary, player) for player in summary["players"].values() if isinstance(player, str)
    ]
    return " ".join([_account_name(reading), *players, _format_origin(reading)]).casefold()


def _build_row(shown: Reading, one: Reading) -> dict[str, Any]:
    """A deal to choose."""
    return {
        "url": shown.account_url(one),
        "title": _account_name(one),
        "source": _format_origin(one),
        **build_deal_result(one.summary),
    }


def _format_origin(reading: Reading) -> str:
    """Where a deal comes from, or else when it was recorded."""
    summary = dict(reading.summary)
    return format_deal_source(summary) or (format_record_date(summary) if reading.is_recorded else "")


def _account_name(reading: Reading) -> str:
    number = reading.summary.get("number")
    return reading.title or format_deal_number(number, page_language()) or gettext("Deal", page_language())


# The comparison


@pages.get("/replays/<name>/compare/<other>", endpoint="compare_replay_accounts")
@pages.get("/deals/<stream:deal>/compare/<other>", endpoint="compare_recorded_accounts")
def compare_with_account(other: str, **key: str) -> Response:
    """Two accounts of a deal, as far as the reader may know them, and what differs between them."""
    shown = find_reading(**key), _find_other(other)
    style, book = TextStyle(page_language()), service_context().book
    first, second = map(DealAccount, _distinct_names(*shown), map(_read_log, shown))
    with heavy_work(HEAVY_REQUEST_COST):
        try:
            comparison = compare_accounts(first, second, book=book)
        except AccountTooLong as error:
            raise Problem("too-large", f"That is too much to compare: {error}.") from None
    sides = [narrate_account(account, book, style) for account in (first, second)]
    urls = [one.url for one in shown]
    are_readings = any(one.name == shown[1].name for one in list_readings(shown[0]))
    response = render_page(
        "account_comparison.html",
        nav_section="library",
        accounts=[
            {
                "name": side.name,
                "url": one.url,
                "sentence": account_sentence(number, side, comparison, style),
                "findings": [finding_message(item, style) for item in comparison.impossible_findings[number]],
            }
            for number, (side, one) in enumerate(zip(sides, shown, strict=True))
        ],
        verdict=_verdict(comparison, sides, style),
        counts=list(count_sentences(comparison, style)),
        rows=list(_build_differences(comparison, sides, urls, style)),
        choose_url=shown[0].choose_account_url,
        readings_url=shown[0].comparison_url(shown[1]) if are_readings else None,
        **report_template_variables({}, page_language()),
    )
    return without_caching(response) if any(one.is_recorded for one in shown) else response


def _find_other(name: str) -> Reading:
    """The deal of the library of that name, else the recorded one of that id."""
    return find_reading(**{"name" if name in service_context().library else "deal": name})


def _read_log(reading: Reading) -> Log:
    """The log as the reader may know it, with members by name."""
    return replace_ids_with_names(reading.read_log(), reading.summary.get("names", {}))


def _distinct_names(first: Reading, second: Reading) -> tuple[str, str]:
    """What the accounts are called: their titles, and if these are the same, also where they are from."""
    names = _account_name(first), _account_name(second)
    if names[0] != names[1]:
        return names
    return f"{names[0]} (1)", f"{names[1]} (2)"


def _verdict(found: AccountComparison, sides: list[NarratedAccount], style: TextStyle) -> str:
    """Whether both accounts can be right; the page merges nothing."""
    if all(found.impossible_findings):
        return style.phrase("Neither account can be right as it stands.", "account")
    return verdict_sentence(found, sides, style)


def _build_differences(
    found: AccountComparison, sides: Sequence[NarratedAccount], urls: Sequence[str], style: TextStyle
) -> Iterator[dict[str, Any]]:
    """A row for each difference, the notes that one account has alone in the last one.

    ``head`` says what kind of difference it is; ``cells`` has the entries of each account.
    """

    def build_cells(differences: Sequence[AccountDifference]) -> list[list[dict[str, Any]]]:
        return [
            [
                _build_cell(entry, one, side, url, style)
                for one in differences
                if (entry := (one.first, one.second)[number])
            ]
            for number, (side, url) in enumerate(zip(sides, urls, strict=True))
        ]

    for one in found.differences:
        if not is_unmatched_note(one):
            kind = "filled" if one.kind == ONLY_ONE and one.seq is None else one.kind
            head = style.phrase(KIND_PHRASES[kind], "account", fields=field_words(one.fields, style))
            yield {"head": head, "cells": build_cells([one])}
    notes = [one for one in found.differences if is_unmatched_note(one)]
    if notes:
        yield {"head": gettext("Notes", style.lang), "cells": build_cells(notes), "are_notes": True}


def _build_cell(
    entry: Entry, one: AccountDifference, side: NarratedAccount, url: str, style: TextStyle
) -> dict[str, Any]:
    what = describe_entry(entry, one.fields, side, style)
    return {"seq": entry.seq, "url": f"{url}#at={entry.seq}", "text": capitalize_first(what)}
