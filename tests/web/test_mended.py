"""Corrections, what was taken back and rulings are seen as what they are."""

import re

import orjson
import pytest
from playwright.sync_api import Page, expect

from engine import audit
from schemas.answers.reports import replay_object
from schemas.wire.reader import read_entry
from tests.support.web import evening
from tests.support.web.evening import Json
from tests.support.web.showing import CLUB, SENTENCE, SLIP, document, events_of, opened, said


def replayed(page: Page, origin: str, events: list[Json], lang: str) -> Page:
    """The page of a deal, showing these events in its place."""
    log = tuple(read_entry(one, seq) for seq, one in enumerate(events, 1))
    told = orjson.dumps(replay_object(audit(log)))
    page.route(f"**{document(SLIP)}", lambda route: route.fulfill(body=told))
    return opened(page, f"{origin}{SLIP}?lang={lang}#at=1")


@pytest.mark.smoke
def test_a_correction_says_what_stood_there_and_why(page: Page, origin: str) -> None:
    opened(page, f"{origin}{CLUB}?lang=da#at={len(events_of(CLUB))}.1")
    told = "Rettelse. Her stod: Carl-Christian lægger hjerter 5. Det var fireren, der faldt."
    expect(page.locator(".notes .note-mended")).to_have_text(told)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".note-mended")).to_be_hidden()


def test_what_was_taken_back_is_a_step_of_its_own(page: Page, origin: str) -> None:
    events = [event for event in evening.club_deal() if event["type"] != "correction_made"]
    early = next(place for place, event in enumerate(events) if event.get("said") == "solo!")
    withdrawal = {"type": "action_withdrawn", "of": early + 1, "text": "Det var for tidligt."}
    instead = evening.bid("middlehand", "grand-tourne")
    bids = [events[early], withdrawal, instead, *events[early + 1 : early + 3]]
    replayed(page, origin, [*events[:early], *bids], "da")
    page.evaluate(f"location.hash = 'at={early}'")
    expect(page.locator(SENTENCE)).to_contain_text("Anna kan selv")
    page.keyboard.press("ArrowRight")
    expect(page.locator(SENTENCE)).to_have_text("Taget tilbage: Bo melder solo: »solo!« Det var for tidligt.")
    expect(page).to_have_url(re.compile(f"#at={early + 2}$"))
    page.keyboard.press("ArrowRight")
    expect(page.locator(SENTENCE)).to_have_text("Bo melder tourné respect.")


def test_a_ruling_says_what_it_comes_to(page: Page, origin: str) -> None:
    ruling = {
        "type": "ruling_made", "text": "Stikket gælder.", "outcome": "bete", "at_fault": "backhand",
        "payments": {"forehand": 4, "middlehand": -8, "backhand": 4}, "penalty": {"backhand": 2},
    }  # fmt: skip
    replayed(page, origin, [*evening.club_deal(), ruling], "en")
    page.locator("[data-move=end]").click()
    assert said(page) == "Ruling: Stikket gælder."
    expect(page.locator(".notes .note").last).to_have_text(
        "Ruling. Bo is bête. Carl-Christian is at fault. "
        "Paid: Anna +4, Bo −8, Carl-Christian +4. Penalty: Carl-Christian 2."
    )
