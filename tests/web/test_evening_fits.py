"""What holds for every page of an evening: for every eye, finger and window; its weight; its words."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.web.club import Club, fill, ready
from tests.support.web.evening_fits import LANGUAGES, SCRIPTS, in_one_line, in_order
from tests.support.web.eyes import resized


def kept(club: Club) -> str:
    """A table with long names, a corrected deal, and one that is not finished."""
    table = club.table(
        players=("Anne-Sophie Østergaard", "Bo", "Carl-Christian", "Dorthe", "Őrsi"), chip_value="0.25"
    )
    deal = club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")
    lost = {"type": "result_recorded", "declarer": "forehand", "contract": "solo", "outcome": "bete"}
    club.post(f"/deals/{deal}/events", {"type": "correction_made", "replaces": [2], "reason": "Tabt",
                                        "with": [lost]}, 2)  # fmt: skip
    club.deal(table, outcome="passed_out")
    club.begun(table)
    return table


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_a_seat_stands_in_two_lines(chromium_page: Page, club: Club, language: str) -> None:
    page, table = chromium_page, kept(club)
    club.enter(page, f"/tables/{table}?lang={language}")
    expect(page.locator('[data-facts="declarer"] .choice-more')).to_have_count(3)
    in_one_line(page, '[data-facts="declarer"] .choice-more', ".choice")


LINES_OF_WORDS = """all => all.map((it) => {
    const pieces = [...it.firstChild.data.matchAll(/[^\\s-]+/g)].map((found) => {
        const range = document.createRange();
        range.setStart(it.firstChild, found.index);
        range.setEnd(it.firstChild, found.index + found[0].length);
        return range.getClientRects().length;
    });
    return [it.textContent, Math.max(...pieces)];
})"""
"""Names, and in how many lines the most broken word of each stands."""


@pytest.mark.parametrize("width", [390, 360])
def test_no_name_is_broken_within_a_word(chromium_page: Page, club: Club, width: int) -> None:
    """On the slip it is set smaller; in the score sheet too, or the row becomes a block."""
    page = chromium_page
    table = club.table(players=("Anna", "Karl-Christian", "Dorthe", "Wilhelmine"))
    club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")
    resized(page, width, 740)
    club.enter(page, f"/tables/{table}?lang=da")
    names = page.locator('[data-facts="declarer"] .choice:has(.choice-more) .choice-name')
    expect(names).to_have_count(3)
    told = [*names.evaluate_all(LINES_OF_WORDS)]
    ready(page).goto(f"{club.origin}/tables/{table}/sheet?lang=da")
    ready(page)
    told += page.locator(".score-sheet:not(.is-folded) .head-name").evaluate_all(LINES_OF_WORDS)
    assert {lines for _, lines in told} == {1}, told


def test_the_first_question_is_in_sight_at_once(chromium_page: Page, club: Club) -> None:
    """On a phone only the deal and who deals stand above it: who sits there is told below the slip."""
    page, table = chromium_page, club.table(plan={"deals": 24})
    for width, height in ((390, 844), (360, 640)):
        resized(page, width, height)
        club.enter(page, f"/tables/{table}?lang=da")
        question = page.locator('[data-facts="declarer"]').bounding_box()
        bar = page.locator(".bar").bounding_box()
        assert question and bar
        assert question["y"] < 215
        assert question["y"] + question["height"] < bar["y"]
        company = page.locator(".company").bounding_box()
        assert company and company["y"] > question["y"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_of_an_evening_are_in_order_for_every_eye(
    chromium_page: Page, club: Club, language: str
) -> None:
    page, table = chromium_page, kept(club)
    assert club.members
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    club.enter(page, f"/tables?lang={language}")
    in_order(page)
    for path in ("/tables/new", f"/tables/{table}/sheet", f"/tables/{table}"):
        page.goto(f"{club.origin}{path}?lang={language}")
        ready(page)
        if path.endswith("new"):
            page.locator("summary").click()
        if path.endswith("sheet"):
            page.locator(".why").first.click()
            expect(page.locator(".reason-row .payments")).to_be_visible()
        in_order(page)


def test_a_slip_that_is_filled_in_corrected_and_shared_is_in_order(chromium_page: Page, club: Club) -> None:
    page, table = chromium_page, kept(club)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    club.enter(page, f"/tables/{table}?lang=da")
    fill(page, "Bo", "solo", "hjerter", "Bet")
    in_order(page)
    page.locator(".mend").last.click()
    in_order(page)
    page.locator('[data-part="share"]').click()
    page.locator('[data-role="recorder"]').click()
    expect(page.locator(".qr")).to_be_visible()
    in_order(page)


def test_the_modules_use_every_word_of_an_evening() -> None:
    """No word is left over in the dictionaries."""
    words = (SCRIPTS / "evening-en.js").read_text(encoding="utf-8")
    modules = "".join(
        script.read_text(encoding="utf-8")
        for script in SCRIPTS.glob("*.js")
        if not script.name.startswith("evening-")
    )
    own = re.findall(r"^    ([a-zA-Z]+):", words, re.MULTILINE)
    assert len(own) > 90
    indirect = {"won", "bete", "codille", "contracts", "played", "declared", "open", "deals", "rounds"}
    assert [name for name in own if name not in indirect and f".{name}" not in modules] == []
