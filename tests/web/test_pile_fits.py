"""A pile and blank slips, for every eye, finger and window; on paper; and their words."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.web.club import Club
from tests.support.web.eyes import LANGUAGES, in_order, resized
from tests.support.web.pile import SEND, cell, opened, row
from tests.support.web.showing import evaluated

LONG = ("Anne-Sophie Østergaard", "Bo", "Carl-Christian", "Dorthe", "Őrsi")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pile_is_in_order_for_every_eye(page: Page, club: Club, language: str) -> None:
    table = club.table(players=LONG, ruleset="dlu-tournament", chip_value="0.25")
    opened(page, club, table, language)
    for line in ("so h A v", "quatsch", "bs D 2-5-2 v", "pas"):
        page.locator(".pile-row").last.locator('[data-column="contract"]').fill(line)
        page.keyboard.press("Enter")
    cell(page, 0, "paper").fill("1 2 3 4 5")
    club.deal(table, declarer="forehand", contract="solo", outcome="won")
    expect(page.locator(".pile-between")).to_be_visible()
    expect(row(page, 1)).to_have_attribute("data-state", "unreadable")
    expect(page.locator(".pile-differing button")).to_be_visible()
    for summary in page.locator("summary").all():
        summary.click()
    in_order(page, by_night=language == "da")
    resized(page, 1280, 800)
    cell(page, 4, "contract").focus()
    page.keyboard.type("so")
    expect(page.locator(".pile-list")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
    page.keyboard.press("Escape")
    page.locator("#to-paste").fill("Nr;Melder;Melding\n1;Bo;solo")
    page.locator(".pile-paste button").click()
    expect(page.locator("dialog.pasting")).to_be_visible()
    in_order(page, by_night=language == "da")


@pytest.mark.parametrize("language", LANGUAGES)
def test_blank_slips_are_in_order_and_fit_their_paper(page: Page, club: Club, language: str) -> None:
    table = club.table(players=LONG)
    club.enter(page, f"/tables/{table}?lang={language}")
    for path in (f"/tables/{table}/blank", "/tables/blank"):
        for form, pages in (("sheet", 1), ("slips", 5)):
            resized(page, 1280, 800)
            page.goto(f"{club.origin}{path}?lang={language}&form={form}")
            printed = page.pdf(prefer_css_page_size=True)
            assert len(re.findall(rb"/Type /Page\b", printed)) == pages, (path, form)
            boxes = re.findall(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", printed)
            assert {(round(float(wide)), round(float(high))) for wide, high in boxes} == {(595, 842)}
            text = page.locator(".blank-scroll").inner_text()
            assert ("ren nolo" if language == "da" else "pure nolo") in text
            assert ("Dorthe" in text) is (table in path)
    # Every row and every slip is as the first few are; axe looks at each letter of them.
    for form, path in (("sheet", f"/tables/{table}/blank"), ("slips", "/tables/blank")):
        page.goto(f"{club.origin}{path}?lang={language}&form={form}")
        page.evaluate(
            """() => document.querySelectorAll(
                ".blank-page + .blank-page, .blank-slip:nth-child(n + 3), tbody tr:nth-child(n + 4)"
            ).forEach((one) => one.remove())"""
        )
        in_order(page, by_night=language == "da")


def test_letters_mean_the_likeliest_choice(page: Page, club: Club) -> None:
    """By abbreviation, by the beginning, by a word within; in the other language too."""
    table = club.table()
    club.enter(page, f"/tables/{table}/slip-batch?lang=da")
    script = """const { choices } = JSON.parse(document.querySelector("[data-pile]").dataset.pile);
        return given.map(([column, text]) => it.completed(choices[column], text));"""
    meanings = {
        "contract": {
            "so": "solo", "ss": "solo spar", "sp": "spil", "ga": "spil", "be": "bedre spil",
            "vendt": "tourné", "kob": "købe-nolo", "REN": "ren nolo", "?": "?",
        },
        "trump": {"k": "klør", "♥": "hjerter", "sp": "spar"},
        "outcome": {"v": "vundet", "+": "vundet", "5-2-2": "5-2-2"},
    }  # fmt: skip
    asked = [(column, text) for column, texts in meanings.items() for text in texts]
    told = evaluated(page, "slips/pile-ahead", script, *asked)
    assert told == [meaning for texts in meanings.values() for meaning in texts.values()]


def test_a_phone_goes_on_in_the_row(page: Page, club: Club) -> None:
    table = club.table(players=("Anna", "Bo", "Carl"))
    resized(page, 390, 844)
    opened(page, club, table)
    cell(page, 0, "contract").click()
    for letters in ("so", "h", "A", "w"):
        page.keyboard.type(letters)
        page.keyboard.press("Enter")
    expect(row(page, 0)).to_have_attribute("data-state", "ready")
    expect(row(page, 0).locator(".of-chips").first).to_contain_text("6")
    cell(page, 1, "contract").click()
    page.keyboard.type("s")
    page.locator(".pile-list li", has_text="spade solo").click()
    expect(cell(page, 1, "contract")).to_have_value("spade solo")
    page.locator('[data-tool="remove"]').click()
    expect(page.locator(".pile-row")).to_have_count(2)
    page.locator('[data-tool="undo"]').click()
    expect(cell(page, 1, "contract")).to_have_value("spade solo")
    row(page, 0).locator(".of-mark label").click()
    expect(page.locator(f'{SEND}[aria-disabled="true"]')).to_be_visible()
    # By keys: to the left of everything stands the mark.
    cell(page, 0, "number").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    expect(page.locator(f'{SEND}[aria-disabled="false"]')).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(cell(page, 0, "number")).to_be_focused()
