"""Every journey by keyboard alone: only Tab, arrows, Enter, Space, and what is typed."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.web.club import BUSY, Club, arrived, ready
from tests.support.web.eyes import resized
from tests.support.web.recorder import alone, entered, recorder
from tests.support.web.showing import BELINDA, sentence

FOCUSED = """() => {
    const at = document.activeElement;
    const labels = [...(at.labels ?? [])].map((one) => one.textContent);
    return [at.getAttribute("aria-label"), ...labels, at.textContent].filter(Boolean).join(" ").trim();
}"""
MOST_TABS = 60


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def tab_to(page: Page, name: str, back: bool = False) -> int:
    """Press Tab until the control of that name has the focus; returns how many times."""
    for tabs in range(MOST_TABS):
        if re.search(name, page.evaluate(FOCUSED)):
            return tabs
        page.keyboard.press("Shift+Tab" if back else "Tab")
    raise AssertionError(f"{name} is not reached; the focus is on {page.evaluate(FOCUSED)!r}")


def enter_key(page: Page, club: Club, deal: str, *keys: str) -> None:
    for key in keys:
        entered(page, club, deal, lambda key=key: page.keyboard.press(key))  # type: ignore[misc]


def enter_card(page: Page, club: Club, deal: str, code: str) -> None:
    page.keyboard.type(code)
    enter_key(page, club, deal, "Enter")


def test_a_table_is_opened(page: Page, club: Club) -> None:
    club.enter(page, "/tables/new?lang=en")
    for number, name in enumerate(("Anna", "Bo", "Carl"), 1):
        tab_to(page, f"Player {number}")
        page.keyboard.type(name)
    tab_to(page, "^Open the table")
    press(page, "Enter")
    arrived(page, "**/tables/0*-*")
    expect(page.locator(".deal-number")).to_have_text("Deal 1")


def test_a_slip_is_written(page: Page, club: Club) -> None:
    club.enter(page, f"/tables/{club.table(players=('Anna', 'Bo', 'Carl'))}?lang=en")
    tab_to(page, "^Anna")
    press(page, "ArrowRight")
    expect(page.get_by_role("radio", name="Bo middlehand")).to_be_checked()
    press(page, "Tab")
    expect(page.get_by_role("button", name="All pass")).to_be_focused()
    press(page, "Tab", "Space")
    expect(page.get_by_role("radio", name="simple game")).to_be_checked()
    press(page, "Tab", "ArrowRight", "Tab", "Space")
    expect(page.locator(".verdict-game")).to_contain_text(": Bo won")
    tab_to(page, "^Write it down")
    press(page, "Enter")
    expect(page.locator(".bar .status")).to_have_text("Deal 1 is written down.")
    tab_to(page, "^All pass")
    expect(page.locator(BUSY)).to_have_count(0)
    press(page, "Enter")
    expect(page.locator(".bar .status")).to_have_text("Deal 2 is written down.")


@pytest.mark.parametrize("width", [390, 1280])
def test_a_deal_is_recorded_and_an_entry_corrected(page: Page, club: Club, width: int) -> None:
    """The question has the focus from the first call on, and cards are typed by their codes."""
    deal = alone(club)
    resized(page, width, 800)
    recorder(page, club, deal, "en")
    expect(page.locator('[data-call="pass"]')).to_be_focused()
    # It does not look chosen until a key is used.
    expect(page.locator('[data-call="pass"]')).to_have_css("outline-style", "none")
    assert tab_to(page, "^solo$") <= 12
    expect(page.locator('[data-call="solo"]')).to_have_css("outline-style", "solid")
    enter_key(page, club, deal, "Enter")
    for _ in range(2):
        expect(page.locator('[data-call="pass"]')).to_be_focused()
        enter_key(page, club, deal, "Enter")
    enter_key(page, club, deal, "Enter")
    for _ in range(2):
        expect(page.locator('[data-count="0"]')).to_be_focused()
        enter_key(page, club, deal, "Enter")
    expect(page.locator(".card-key:focus")).to_have_count(1)
    for code in ("ck", "c7", "cq"):
        enter_card(page, club, deal, code)
    press(page, "ArrowDown", "ArrowRight")
    card = page.locator(".card-key:focus").get_attribute("data-card")
    enter_key(page, club, deal, "Enter")
    played = [one["card"] for one in club.events("deals", deal) if one["type"] == "card_played"]
    assert played == ["CK", "C7", "CQ", card]
    # On from the card that has gone, to one that may be played.
    expect(page.locator(".card-key.is-legal:focus")).to_have_count(1)
    tab_to(page, "^Correct: Trick 1: Carl")
    press(page, "Enter")
    expect(page.locator(".prompt")).to_have_text("Carl plays")
    tab_to(page, "king of|queen of", back=True)
    enter_card(page, club, deal, "c6")
    assert club.events("deals", deal)[-1]["with"][0]["card"] == "C6"


def test_a_deal_is_replayed_and_a_what_if_begun(page: Page, origin: str) -> None:
    page.goto(f"{origin}/library?lang=en")
    tab_to(page, "^Belinda’s game$")
    press(page, "Enter")
    page.wait_for_url(f"**{BELINDA}*")
    ready(page)
    press(page, "ArrowRight")
    assert sentence(page) == "Belinda bids play: “I play”."
    press(page, "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight")
    assert sentence(page) == "Trick 1: Sir Anonym plays the four of spades; Belinda takes the trick."
    tab_to(page, "^What if")
    press(page, "Enter")
    tab_to(page, "king of hearts")
    press(page, "Enter")
    expect(page.locator(".what-if-bar")).to_contain_text("If Belinda plays the king of hearts")
