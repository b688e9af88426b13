"""The desk: a deal is written as text next to its table, and notes are put to what is seen."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.web.club import Club
from tests.support.web.eyes import fits_a_narrow_phone, no_fault
from tests.support.web.showing import BELINDA, SENTENCE, unfolded, visit

TEXT = "[data-editor=text]"
SAID = "[data-editor=status]"
AMISS = "[data-editor=problems] li"
READ = {"en": "Everything can be read.", "da": "Alt kan læses."}


def at_desk(page: Page, address: str, language: str = "en") -> Page:
    return expect_deal_read(visit(page, f"{address}?lang={language}"), language)


def expect_deal_read(page: Page, language: str = "en") -> Page:
    expect(page.locator(SAID)).to_have_text(READ[language])
    return page


def editor_text(page: Page) -> str:
    return page.locator(TEXT).input_value()


@pytest.mark.parametrize(
    ("language", "second", "trick"),
    [("en", "2: F H7  M HJ  B HQ\n", "Trick 2"), ("da", "2: F h7  M hKn  B hD\n", "Stik 2")],
)
def test_text_is_replayed_next_to_it(page: Page, origin: str, language: str, second: str, trick: str) -> None:
    at_desk(page, f"{origin}/write", language)
    assert page.locator("[data-editor=import]").count() == 1  # the owner is there
    page.locator("[data-move=end]").click()
    expect(page.locator(SENTENCE)).to_contain_text("Carl")
    page.locator(TEXT).fill(editor_text(page) + second)
    # Who looks at a point stays there.
    expect(page.locator("[data-move=end]")).to_have_attribute("aria-disabled", "false")
    page.locator("[data-move=end]").click()
    expect(page.locator(SENTENCE)).to_contain_text(trick)
    no_fault(page)
    fits_a_narrow_phone(page)


def test_what_cannot_be_read_is_reported_where_it_stands(page: Page, origin: str) -> None:
    at_desk(page, f"{origin}{BELINDA}/write")
    text = editor_text(page)
    page.locator("[data-move=end]").click()
    page.locator(TEXT).fill(text.replace("4: F SK", "4: F XK"))
    expect(page.locator(AMISS)).to_have_count(1)
    line = text[: text.index("4: F SK")].count("\n") + 1
    expect(page.locator(AMISS)).to_contain_text(f'Line {line}, column 6: In place of "XK"')
    expect(page.locator(".line-numbers .has-problem")).to_have_text(str(line))
    expect(page.locator(TEXT)).to_have_attribute("aria-invalid", "true")
    # The table shows what can be read.
    expect(page.locator(SENTENCE)).to_contain_text("Belinda wins the game")
    expect(page.locator(SAID)).to_have_text("One place cannot be read.")
    page.locator("#note-text").fill("Here?")
    page.locator(".editor-note button").click()
    expect(page.locator(SAID)).to_have_text("Fix what cannot be read first.")
    page.locator(f"{AMISS} button").click()
    assert page.evaluate("document.activeElement.selectionStart") == text.index("4: F SK") + 5
    page.keyboard.press("Delete")
    page.keyboard.type("S")
    expect(page.locator(AMISS)).to_have_count(0)
    expect_deal_read(page)


def test_a_note_is_put_to_what_is_seen(page: Page, origin: str) -> None:
    note = "The last trump against her is gone."
    expect_deal_read(visit(page, f"{origin}{BELINDA}/write?lang=en#at=26"))
    page.locator("#note-text").fill(note)
    page.locator("#note-mark").select_option("!")
    page.locator(".editor-note button").click()
    expect(page.locator(".panel.notes, .notes").first).to_contain_text(note)
    assert editor_text(page).endswith(f"\n{{! {note}}} on @26\n")
    expect(page.locator("#note-text")).to_have_value("")
    page.reload()
    expect_deal_read(page)
    assert note in editor_text(page)
    page.locator("[data-editor=reset]").click()
    expect(page.locator("[data-editor=reset]")).to_be_hidden()
    assert note not in editor_text(page)


@pytest.mark.smoke
def test_a_recorder_keeps_a_deal_and_a_draft_goes_at_logout(page: Page, second: Page, club: Club) -> None:
    at_desk(second, f"{club.origin}/write")
    assert second.locator("[data-editor=import]").count() == 0
    expect_deal_read(club.enter(page, "/write?lang=en"))
    page.locator(TEXT).fill(editor_text(page).replace("A deal of ours", "Kept from the desk"))
    page.locator("[data-editor=import]").click()
    page.wait_for_url("**/deals/*")
    expect(page.locator("h1")).to_have_text("Kept from the desk")
    unfolded(page).locator("[data-tool=text]").click()
    page.get_by_role("link", name="Write in it").click()
    expect_deal_read(page)
    assert "Kept from the desk" in editor_text(page)
    at_desk(page, f"{club.origin}/write")
    page.locator(TEXT).fill(editor_text(page).replace("A deal of ours", "Not for others"))
    page.wait_for_function("() => JSON.stringify(localStorage).includes('Not for others')")
    with page.expect_navigation():
        page.locator("[data-logout]").click()
    expect_deal_read(page)
    assert "Not for others" not in page.evaluate("JSON.stringify(localStorage)") + editor_text(page)
