"""What holds for every page of an evening: for every eye, finger and window."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.web.club import Club, fill
from tests.support.web.eyes import LANGUAGES, in_order, resized


def kept(club: Club) -> str:
    """A table with long names, a corrected deal, and one that is not finished."""
    table = club.table(
        players=("Anne-Sophie Østergaard", "Bo", "Carl-Christian", "Dorthe", "Őrsi"), chip_value="0.25"
    )
    deal = club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")
    lost = {"type": "result_recorded", "declarer": "forehand", "contract": "solo", "outcome": "bete"}
    correction = {"type": "correction_made", "replaces": [2], "reason": "Tabt", "with": [lost]}
    club.post(f"/deals/{deal}/events", correction, 2)
    club.deal(table, outcome="passed_out")
    club.begun(table)
    return table


BROKEN = """all => all.filter((it) => it.checkVisibility()).map((it) => {
    const range = document.createRange();
    range.selectNodeContents(it);
    const room = it.closest(".choice").getBoundingClientRect();
    const lines = [...range.getClientRects()];
    const inside = lines.every((one) => one.left >= room.left - 1 && one.right <= room.right + 1);
    return inside && lines.length === 1 ? null : [it.textContent, lines.length, inside];
}).filter(Boolean)"""
"""The words that stand in two lines, or reach out of the choice that they belong to."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_a_seat_stands_in_two_lines(page: Page, club: Club, language: str) -> None:
    club.enter(page, f"/tables/{kept(club)}?lang={language}")
    words = page.locator('[data-facts="declarer"] .choice-more')
    expect(words).to_have_count(3)
    for width in (390, 360, 320):
        resized(page, width)
        for size in ("106.25%", "140%", "212.5%"):
            page.evaluate("size => document.documentElement.style.fontSize = size", size)
            assert words.evaluate_all(BROKEN) == [], f"{width} px, {size}"


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


def test_no_name_is_broken_within_a_word_and_the_first_question_is_in_sight(page: Page, club: Club) -> None:
    """On the slip a long name is set smaller; in the score sheet too, or the row becomes a block."""
    table = club.table(players=("Anna", "Karl-Christian", "Dorthe", "Wilhelmine"), plan={"deals": 24})
    club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")
    for width, height in ((390, 844), (360, 640)):
        resized(page, width, height)
        club.enter(page, f"/tables/{table}?lang=da")
        names = page.locator('[data-facts="declarer"] .choice:has(.choice-more) .choice-name')
        expect(names).to_have_count(3)
        told = [*names.evaluate_all(LINES_OF_WORDS)]
        # Only the deal and who deals stand above the question: who sits there is told below the slip.
        question = page.locator('[data-facts="declarer"]').bounding_box()
        bar = page.locator(".bar").bounding_box()
        company = page.locator(".company").bounding_box()
        assert question and bar and company
        assert question["y"] < 215
        assert question["y"] + question["height"] < bar["y"]
        assert company["y"] > question["y"]
        club.go(page, f"/tables/{table}/sheet?lang=da")
        told += page.locator(".score-sheet:not(.is-folded) .head-name").evaluate_all(LINES_OF_WORDS)
        assert {lines for _, lines in told} == {1}, told


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_of_an_evening_are_in_order_for_every_eye(page: Page, club: Club, language: str) -> None:
    table, by_night = kept(club), language == "da"
    assert club.members
    club.enter(page, f"/tables?lang={language}")
    in_order(page, by_night)
    for path in ("/tables/new", f"/tables/{table}/sheet", f"/tables/{table}"):
        club.go(page, f"{path}?lang={language}")
        if path.endswith("new"):
            page.locator("summary").click()
        if path.endswith("sheet"):
            page.locator(".why").first.click()
            expect(page.locator(".reason-row .payments")).to_be_visible()
        in_order(page, by_night)
    hearts, lost = {"da": ("hjerter", "Bet"), "en": ("hearts", "Bête")}[language]
    fill(page, "Bo", "solo", hearts, lost)
    in_order(page, by_night)
    page.locator(".mend").last.click()
    in_order(page, by_night)
    page.locator('[data-part="share"]').click()
    page.locator('[data-role="recorder"]').click()
    expect(page.locator(".qr")).to_be_visible()
    in_order(page, by_night)
