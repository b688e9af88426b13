"""What holds for every page of an evening; of slip batches and blank slips: in every window, on paper."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.engine.shorthand import corrected, slip
from tests.support.web.club import Club, fill
from tests.support.web.eyes import LANGUAGES, SHIFT, in_order, resized
from tests.support.web.showing import evaluated
from tests.support.web.slip_batch import SEND, cell, open_batch, row

LONG = ("Anne-Sophie Østergaard", "Bo", "Carl-Christian", "Dorthe", "Őrsi")


def full_table(club: Club) -> str:
    """A table with a long title and long names, a corrected deal, and one that is not finished."""
    table = club.table(title="Torsdagsklubben i Frederiksberg", players=LONG, chip_value="0.25")
    deal = club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")
    club.post(f"/deals/{deal}/events", corrected([2], slip("F", "solo", outcome="bete")), 2)
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
    club.enter(page, f"/tables/{full_table(club)}?lang={language}")
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
        company = page.locator(".seating-panel").bounding_box()
        assert question and bar and company
        assert question["y"] < 215
        assert question["y"] + question["height"] < bar["y"]
        assert company["y"] > question["y"]
        club.go(page, f"/tables/{table}/sheet?lang=da")
        told += page.locator(".score-sheet:not(.is-folded) .head-name").evaluate_all(LINES_OF_WORDS)
        assert {lines for _, lines in told} == {1}, told


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_of_an_evening_are_in_order_for_every_eye(page: Page, club: Club, language: str) -> None:
    table = full_table(club)
    assert club.members
    club.enter(page, f"/tables?lang={language}")
    in_order(page)
    for path in (
        "/", "/tables/new", f"/tables/{table}/record", f"/tables/{table}/sheet", f"/tables/{table}",
    ):  # fmt: skip
        club.go(page, f"{path}?lang={language}")
        if path.endswith("new"):
            page.locator("summary").click()
        if path.endswith("sheet"):
            page.locator(".deal-toggle").first.click()
            expect(page.locator(".reason-row .payments")).to_be_visible()
        in_order(page)
    hearts, lost = {"da": ("hjerter", "Bet"), "en": ("hearts", "Bête")}[language]
    fill(page, "Bo", "solo", hearts, lost)
    in_order(page)
    page.locator(".correct-button").last.click()
    in_order(page)
    page.locator(".table-nav-more").click()
    in_order(page)
    page.locator('[data-part="share"]').click()
    page.locator('[data-role="recorder"]').click()
    expect(page.locator(".qr")).to_be_visible()
    in_order(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_slip_batch_is_in_order_for_every_eye(page: Page, club: Club, language: str) -> None:
    table = club.table(players=LONG, ruleset="dlu-tournament", chip_value="0.25")
    open_batch(page, club, table, language)
    for line in ("so h A v", "quatsch", "bs D 2-5-2 v", "pas"):
        page.locator(".batch-row").last.locator('[data-column="contract"]').fill(line)
        page.keyboard.press("Enter")
    cell(page, 0, "paper").fill("1 2 3 4 5")
    club.deal(table, declarer="forehand", contract="solo", outcome="won")
    expect(page.locator(".batch-intervening")).to_be_visible()
    expect(row(page, 1)).to_have_attribute("data-state", "unreadable")
    expect(page.locator(".batch-first-difference button")).to_be_visible()
    for summary in page.locator("summary").all():
        summary.click()
    in_order(page)
    resized(page, 1280, 800)
    cell(page, 4, "contract").focus()
    page.keyboard.type("so")
    expect(page.locator(".batch-choice-list")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
    page.keyboard.press("Escape")
    page.locator("#to-paste").fill("Nr;Melder;Melding\n1;Bo;solo")
    page.locator(".batch-paste button").click()
    expect(page.locator("dialog.paste-dialog")).to_be_visible()
    in_order(page)


@pytest.mark.parametrize(("width", "height"), [(390, 664), (1280, 800)])
def test_what_a_script_draws_moves_nothing_that_is_seen(
    page: Page, club: Club, width: int, height: int
) -> None:
    table = full_table(club)
    assert club.members
    resized(page, width, height)
    club.enter(page, "/tables")
    for path in (f"/tables/{table}/slip-batch", f"/tables/{table}/sheet", "/tables/new", "/members"):
        page.context.new_cdp_session(page).send("Network.clearBrowserCache")
        for state in ("cold", "warm"):
            club.go(page, f"{path}?lang=da")
            assert page.evaluate(SHIFT) < 0.05, (path, state)


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
        in_order(page)


def test_letters_mean_the_likeliest_choice(page: Page, club: Club) -> None:
    """By abbreviation, by the beginning, by a word within; in the other language too."""
    table = club.table()
    club.enter(page, f"/tables/{table}/slip-batch?lang=da")
    script = """const { choices } = JSON.parse(document.querySelector("[data-pile]").dataset.pile);
        return given.map(([column, text]) => it.completeText(choices[column], text));"""
    meanings = {
        "contract": {
            "so": "solo", "ss": "solo spar", "sp": "spil", "ga": "spil", "be": "bedre spil",
            "vendt": "tourné", "kob": "købe-nolo", "REN": "ren nolo", "?": "?",
        },
        "trump": {"k": "klør", "♥": "hjerter", "sp": "spar"},
        "outcome": {"v": "vundet", "+": "vundet", "5-2-2": "5-2-2"},
    }  # fmt: skip
    asked = [(column, text) for column, texts in meanings.items() for text in texts]
    told = evaluated(page, "slips/batch-completion", script, *asked)
    assert told == [meaning for texts in meanings.values() for meaning in texts.values()]


def test_a_phone_goes_on_in_the_row(page: Page, club: Club) -> None:
    table = club.table(players=("Anna", "Bo", "Carl"))
    resized(page, 390, 844)
    open_batch(page, club, table)
    # Every cell says what it is for, also those that the table fills in.
    labels = "all => all.map((it) => getComputedStyle(it.parentElement, '::before').content)"
    assert "none" not in page.locator(".batch-row input[type=text]").evaluate_all(labels)
    cell(page, 0, "contract").click()
    for letters in ("so", "h", "A", "w"):
        page.keyboard.type(letters)
        page.keyboard.press("Enter")
    expect(row(page, 0)).to_have_attribute("data-state", "ready")
    expect(row(page, 0).locator(".of-chips").first).to_contain_text("6")
    cell(page, 1, "contract").click()
    page.keyboard.type("s")
    page.locator(".batch-choice-list li", has_text="spade solo").click()
    expect(cell(page, 1, "contract")).to_have_value("spade solo")
    page.locator('[data-tool="remove"]').click()
    expect(page.locator(".batch-row")).to_have_count(2)
    page.locator('[data-tool="undo"]').click()
    expect(cell(page, 1, "contract")).to_have_value("spade solo")
    row(page, 0).locator(".of-mark label").click()
    expect(page.locator(f'{SEND}[aria-disabled="true"]')).to_be_visible()
    # By keys: to the left of everything stands the mark.
    cell(page, 0, "number").press("ArrowLeft")
    page.keyboard.press("Space")
    expect(page.locator(f'{SEND}[aria-disabled="false"]')).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(cell(page, 0, "number")).to_be_focused()


def test_in_large_type_the_cell_that_is_typed_is_seen(page: Page, club: Club) -> None:
    resized(page, 390, 664)
    open_batch(page, club, club.table())
    page.evaluate("document.documentElement.style.fontSize = '212.5%'")
    covered = """it => {
        const { left, top, right, bottom } = it.getBoundingClientRect();
        return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) !== it;
    }"""
    for column in ("contract", "trump", "declarer", "outcome", "note", "paper"):
        cell(page, 0, column).focus()
        assert not cell(page, 0, column).evaluate(covered), column
