"""Walking through a deal whatever a reader has open, hears, sees or has switched off."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.web import evening
from tests.support.web.evening import where
from tests.support.web.eyes import resized
from tests.support.web.showing import (
    BELINDA,
    CLUB,
    SENTENCE,
    at,
    evaluated,
    events_of,
    opened,
    said,
)


def note_at(path: str) -> evening.Json:
    """The first note of a deal that is marked with !?."""
    return next(one for one in events_of(path) if one.get("mark") == "!?")


def test_what_is_open_and_has_the_focus_stays_so_when_the_deal_is_drawn_anew(
    chromium_page: Page, origin: str
) -> None:
    page = opened(chromium_page, origin + at(BELINDA, card="HA"))
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


def test_the_arrows_walk_on_after_a_press_in_the_margin(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + at(BELINDA, card="HA"))
    page.get_by_role("button", name="Trick 1").click()
    before = said(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator(SENTENCE)).not_to_have_text(before)
    assert said(page).startswith("Trick 2")
    page.locator("[data-part=seeing] summary").click()
    seen_by = page.get_by_label("Seen by")
    seen_by.focus()
    there = said(page)
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(100)
    assert said(page) == there  # in a list they choose


@pytest.mark.smoke
def test_a_note_is_heard_with_its_step(chromium_page: Page, origin: str) -> None:
    note = note_at(BELINDA)
    page = opened(chromium_page, f"{origin}{BELINDA}?lang=en#at={note['on']}")
    expect(page.locator(SENTENCE)).to_contain_text(f"Note: {note['text']}")
    heard = page.locator(f"{SENTENCE} .unseen")
    assert heard.evaluate("(one) => one.getBoundingClientRect().width") <= 1
    page.keyboard.press("ArrowRight")
    expect(page.locator(SENTENCE)).not_to_contain_text(note["text"])


def test_a_correction_is_heard_of(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, f"{origin}{CLUB}?lang=da#at={len(events_of(CLUB))}.1")
    expect(page.locator(f"{SENTENCE} .unseen")).to_contain_text("Der er en rettelse.")


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


def test_an_address_that_cannot_be_written_stops_nobody(chromium_page: Page, origin: str) -> None:
    page = chromium_page
    page.add_init_script("history.replaceState = () => { throw new DOMException('', 'SecurityError'); };")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    opened(page, origin + BELINDA)
    for _ in range(6):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(250)
    assert errors == []
    assert page.locator("[data-part=scrubber]").input_value() == "6"


def test_what_was_known_only_later_can_be_read_and_heard(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + at(CLUB, card="CK"))
    page.locator(".hands summary").click()
    expect(page.locator(".hands dd").first).to_be_visible()
    before = page.locator(".hands dd").all_inner_texts()
    assert any("not known" in text for text in before)
    page.locator("[data-part=seeing] summary").click()
    page.get_by_label("known only later").check()
    later = page.locator(".card.is-later").first
    assert later.locator(".card-front").evaluate("(one) => getComputedStyle(one).opacity") == "0.55"
    page.wait_for_timeout(400)
    backs = page.locator(".card.is-later:not(.is-hidden) .card-back")
    assert set(backs.evaluate_all("(all) => all.map((one) => getComputedStyle(one).opacity)")) == {"0"}
    shown = [text for text in page.locator(".hands dd").all_inner_texts() if "known later:" in text]
    assert shown and not set(shown) & set(before)


@pytest.mark.parametrize("language", ["en", "da"])
def test_motion_can_be_off_on_this_device(chromium_page: Page, origin: str, language: str) -> None:
    page = opened(chromium_page, f"{origin}{BELINDA}?lang={language}")
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


def test_two_fingers_make_the_table_larger(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + BELINDA)
    touch = page.locator("[data-part=table]").evaluate("(one) => getComputedStyle(one).touchAction")
    assert touch.split() == ["pan-y", "pinch-zoom"]


def test_what_can_still_be_paid_is_read_in_letters_twice_as_large(browser: Browser, origin: str) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 740})
    opened(page, origin + at(BELINDA, card="HA"))
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    panel = page.locator(".score:visible").first
    assert panel.evaluate("(one) => one.scrollWidth <= one.clientWidth + 1")
    page.close()


WORDS = """
    const { default: words } = await import(`/static/js/words-${given[0]}.js`);
    const state = { players: { forehand: "Anna" } };
    const { spoken } = await import("/static/js/spoken.js");
    return given[1].map((one) => {
      const told = { seat: "forehand", ...one };
      return spoken({ kind: one.type, told, frame: { seq: 1, state }, notes: [] }, [], words).join("");
    });"""


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", [
            "Anna bids play: “I ask.”", "Anna takes the same bid.", "Anna takes the same bid: “self”.",
            "Something is called on Anna: revoke, He had the knave.", "The deal is void: A card lay face up.",
        ]),
        ("da", [
            "Anna melder spil: »I ask.«", "Anna kan selv.", "Anna kan selv: »self«.",
            "Der gøres indsigelse mod Anna: kulørsvigt, He had the knave.",
            "Spillet gælder ikke: A card lay face up.",
        ]),
    ],
    ids=["en", "da"],
)  # fmt: skip
def test_no_sentence_has_two_stops(
    chromium_page: Page, origin: str, language: str, expected: list[str]
) -> None:
    chromium_page.goto(f"{origin}/?lang={language}")
    events = [
        {"type": "bid_made", "bid": "play", "said": "I ask."}, {"type": "bid_made", "bid": "self"},
        {"type": "bid_made", "bid": "self", "said": "self"},
        {"type": "irregularity_noted", "kind": "revoke", "text": "He had the knave."},
        {"type": "deal_voided", "reason": "A card lay face up."},
    ]  # fmt: skip
    assert evaluated(chromium_page, "cards", WORDS, language, events) == expected


def test_those_who_sit_out_are_named_whatever_their_number(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, f"{origin}{CLUB}?lang=da")
    expect(page.locator(".deal-head .quiet")).to_have_text("Sidder over: Dorthe")


def test_an_address_that_is_entered_is_not_written_over(chromium_page: Page, origin: str) -> None:
    page = chromium_page
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
