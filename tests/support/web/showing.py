"""The pages in a browser: opening one, and asking what it shows."""

import json
from typing import Any

from playwright.sync_api import Page, expect

import replays
from tests.support.web import evening
from tests.support.web.evening import Json, where

SENTENCE = '[data-part="sentence"]'

_DEAL = "018f5e2a-7b1c-7d3e-9f40-{:012}"
RECORDED = {
    _DEAL.format(number): deal
    for number, deal in enumerate((evening.club_deal(), evening.board(), evening.slip_deal()), 1)
}
"""The recorded deals of the tests by their ids."""

CLUB, BOARD, SLIP = (f"/deals/{deal}" for deal in RECORDED)
BELINDA, PRINTED, SECOND = (
    f"/replays/{name}" for name in ("belinda", "belinda-as-printed", "belinda-second-reading")
)


def at(path: str, /, lang: str = "en", **fields: Any) -> str:
    """The address of a deal at the first entry that has these fields; at its beginning without any."""
    fragment = f"#at={where(events_of(path), **fields)}" if fields else ""
    return f"{path}?lang={lang}{fragment}"


def events_of(path: str) -> list[Json]:
    name = path.rpartition("/")[2]
    if name in RECORDED:
        return RECORDED[name]
    deal = replays.find_library_deal(name)
    assert deal is not None
    return [json.loads(line) for line in deal.jsonl.splitlines()]


def bare_events_of(path: str) -> list[Json]:
    """The log behind a page's address, to be recorded again: without its numbers."""
    return [
        {name: value for name, value in event.items() if name not in ("id", "seq") and value is not None}
        for event in events_of(path)
    ]


def visit(page: Page, address: str) -> Page:
    """The page at ``address``, once its deal is shown."""
    page.goto(address)
    expect(page.locator("main[data-waiting]")).to_have_count(0)
    return page


def unfolded(page: Page) -> Page:
    """The page of a deal, with the tools that are used less."""
    expect(page.locator(".toolbar")).to_be_visible()
    folded = page.locator("[data-tool=more][aria-expanded=false]")
    if folded.count():
        folded.click()
    return page


def sentence(page: Page) -> str:
    """The sentence of this step, as it is seen; what only who hears it is told is left out."""
    return page.locator(SENTENCE).evaluate(
        "(sentence) => [...sentence.childNodes].filter((it) => !it.classList?.contains('visually-hidden'))"
        ".map((node) => node.textContent).join('').replaceAll(/\\s+/g, ' ').trim()"
    )


def evaluated(page: Page, module: str, body: str, *arguments: Any) -> Any:
    """What ``body`` returns, in which ``it`` is the page's module of that name, ``given`` the arguments."""
    script = f"async (given) => {{ const it = await import('/static/js/{module}.js'); {body} }}"
    return page.evaluate(script, list(arguments))
