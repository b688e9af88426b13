"""Walking through a deal whatever a reader has open, hears, sees or has switched off."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.web import evening
from tests.support.web.evening import where
from tests.support.web.eyes import resized
from tests.support.web.showing import (
    BELINDA,
    SENTENCE,
    at,
    events_of,
    opened,
)


def note_at(path: str) -> evening.Json:
    """The first note of a deal that is marked with !?."""
    return next(one for one in events_of(path) if one.get("mark") == "!?")


def test_what_is_open_and_has_the_focus_stays_so_when_the_deal_is_drawn_anew(page: Page, origin: str) -> None:
    opened(page, origin + at(BELINDA, card="HA"))
    hands = page.locator(".hands summary")
    hands.click()
    expect(page.locator(".hands dd").first).to_be_visible()
    page.locator("[data-part=seeing] summary").click()
    expect(page.locator("[data-act=turn]")).to_be_visible()
    hands.focus()
    page.evaluate("() => document.querySelector('[data-act=turn]').click()")
    expect(hands).to_be_focused()
    expect(page.locator(".hands dd").first).to_be_visible()
    trick = page.get_by_role("button", name="Trick 2")
    trick.focus()
    page.evaluate("() => document.querySelector('[data-act=turn]').click()")
    expect(page.get_by_role("button", name="Trick 2")).to_be_focused()


@pytest.mark.smoke
def test_a_note_is_heard_with_its_step(page: Page, origin: str) -> None:
    note = note_at(BELINDA)
    opened(page, f"{origin}{BELINDA}?lang=en#at={note['on']}")
    expect(page.locator(SENTENCE)).to_contain_text(f"Note: {note['text']}")
    heard = page.locator(f"{SENTENCE} .unseen")
    assert heard.evaluate("(one) => one.getBoundingClientRect().width") <= 1
    page.keyboard.press("ArrowRight")
    expect(page.locator(SENTENCE)).not_to_contain_text(note["text"])


def test_on_a_phone_notes_stand_right_below_the_walk(browser: Browser, origin: str) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 740})
    note = note_at(BELINDA)
    opened(page, f"{origin}{BELINDA}?lang=en#at={note['on']}")
    walk, shown, what_if = (
        page.locator(selector).bounding_box() for selector in ("[data-part=walk]", ".notes", ".branching")
    )
    assert walk and shown and what_if
    assert walk["y"] + walk["height"] <= shown["y"] < shown["y"] + 200 < what_if["y"] + 200
    assert shown["y"] - walk["y"] - walk["height"] < 60
    resized(page, 1280, 800)
    beside, what_if = (page.locator(selector).bounding_box() for selector in (".notes", ".branching"))
    assert beside and what_if and what_if["y"] < beside["y"]
    page.close()


@pytest.mark.parametrize("language", ["en", "da"])
def test_motion_can_be_off_on_this_device(page: Page, origin: str, language: str) -> None:
    opened(page, f"{origin}{BELINDA}?lang={language}")
    moves = "() => !document.querySelector('.table').classList.contains('is-still')"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(moves)
    page.locator("[data-part=seeing] summary").click()
    name = {"en": "Cards move on their way", "da": "Kortene bevæger sig"}[language]
    page.get_by_label(name).uncheck()
    page.keyboard.press("Escape")
    page.locator("[data-move=on]").click()
    assert not page.evaluate(moves)
    opened(page, f"{origin}{BELINDA}?lang={language}")
    page.keyboard.press("ArrowRight")
    assert not page.evaluate(moves)
    page.locator("[data-part=seeing] summary").click()
    page.get_by_label(name).check()
    page.locator("[data-move=on]").click()
    assert page.evaluate(moves)


def test_an_address_that_is_entered_is_not_written_over(page: Page, origin: str) -> None:
    page.add_init_script(
        """window.addEventListener("hashchange", (event) => {
             if (!event.isTrusted) return;
             event.stopImmediatePropagation();
             setTimeout(() => dispatchEvent(new HashChangeEvent("hashchange")), 500);
           });"""
    )
    opened(page, origin + BELINDA)
    page.keyboard.press("ArrowRight")
    basta = where(events_of(BELINDA), card="CA")
    page.evaluate("at => { location.hash = `at=${at}` }", basta)
    expect(page.locator(SENTENCE)).to_contain_text("Trick 3: Belinda leads basta.")
    expect(page).to_have_url(re.compile(f"#at={basta}$"))
