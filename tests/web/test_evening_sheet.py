"""The score sheet: totals, reasons, debts, figures, the chart; on a phone and on paper."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.engine.shorthand import slip
from tests.support.web.club import Club
from tests.support.web.eyes import resized, sheets


def played(club: Club) -> str:
    """A table of three deals: a solo won, a nolo lost, one passed out."""
    table = club.table(players=("Anna", "Bo", "Carl"), chip_value="0.25", currency="kr")
    club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")
    club.deal(table, declarer="forehand", contract="simple-nolo", tricks={"forehand": 2})
    club.deal(table, outcome="passed_out")
    return table


@pytest.mark.smoke
def test_the_sheet_says_what_the_ledger_says(page: Page, club: Club) -> None:
    table = played(club)
    club.enter(page, f"/tables/{table}/sheet?lang=da")
    ledger = club.get(f"/tables/{table}/ledger")
    signed = {
        player: f"{total:+}".replace("-", "−") if total else "0" for player, total in ledger["totals"].items()
    }
    expect(page.locator(".score-sheet tfoot td")).to_have_text([signed[one] for one in ledger["players"]])
    expect(page.locator(".score-sheet .what-told")).to_have_text(
        ["Solo i hjerter: Anna vandt", "Købe-nolo: Bo kruk", "Alle meldte pas"]
    )
    assert page.locator(".owes li").count() == len(ledger["owes"]) > 0
    first = ledger["owes"][0]
    expect(page.locator(".owes li").first).to_contain_text(f"{first['debtor']} giver {first['creditor']}")
    expect(page.locator(".owes li").first).to_contain_text(f"({first['money'].replace('.', ',')} kr)")
    figures = page.locator(".figures tbody tr").first.locator("td")
    expect(figures).to_have_text([signed["Anna"], "3", "1", "1", "0", "0"])
    names = page.locator(".chart-name")
    expect(names).to_have_text(["Anna", "Bo", "Carl"])
    label = page.locator(".chart").get_attribute("aria-label")
    assert label and all(f"{one} {signed[one]}" in label for one in ledger["players"])
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Som regneark (CSV)").click()
    assert re.fullmatch(r"Regnskab 20\d\d-\d\d-\d\d\.csv", downloading.value.suggested_filename)
    assert downloading.value.path().read_text("utf-8-sig").startswith("nr;giver;")


def test_the_reason_for_every_chip_is_a_tap_away_and_follows_a_correction(page: Page, club: Club) -> None:
    table = played(club)
    club.enter(page, f"/tables/{table}/sheet?lang=da")
    page.locator(".why").nth(1).click()
    reason = page.locator(".reason-row")
    expect(reason.locator(".items td").first).to_contain_text("købe-nolo kruk")
    expect(reason.locator(".items .chips")).to_have_text("3 til hver")
    expect(page.locator(".why").nth(1)).to_have_attribute("aria-expanded", "true")
    deal = club.get(f"/tables/{table}/ledger")["lines"][1]["deal"]
    won = slip("F", "simple-nolo", outcome="won")
    correction = {"type": "correction_made", "replaces": [2], "reason": "none", "with": [won]}
    club.post(f"/deals/{deal}/events", correction, 2)
    expect(reason.locator(".items .chips")).to_have_text("2 fra hver")
    expect(page.locator(".why").nth(1)).to_be_focused()
    page.locator(".why").nth(1).click()
    expect(reason).to_have_count(0)


def test_a_corrected_deal_bears_a_mark_and_a_payment_is_no_deal(page: Page, club: Club) -> None:
    table = played(club)
    deal = club.get(f"/tables/{table}/ledger")["lines"][0]["deal"]
    better = slip("F", "solo", trump="H", outcome="bete")
    correction = {"type": "correction_made", "replaces": [2], "reason": "Bo så det", "with": [better]}
    club.post(f"/deals/{deal}/events", correction, 2)
    club.post(f"/tables/{table}/events", {"type": "payment_made", "from": "Bo", "to": "Anna", "amount": 3},
              club.get(f"/tables/{table}")["version"])  # fmt: skip
    club.deal(table, outcome="passed_out")
    club.enter(page, f"/tables/{table}/sheet?lang=da")
    rows = page.locator(".score-sheet tbody tr")
    expect(rows.nth(0).locator("th")).to_have_text("1Solo i hjerter: Anna bet rettet")
    expect(page.locator(".mark")).to_have_count(1)
    page.locator(".why").first.click()
    expect(page.locator(".reason-row .undone")).to_have_text("Solo i hjerter: Anna vandt Rettet: Bo så det")
    # What was paid by hand is no deal: the chart counts by the deals' own numbers.
    marks = page.locator(".chart text:not([text-anchor=end]):not([text-anchor=start])")
    expect(marks).to_have_text(["1", "2", "3", "4"])


FIGURES = ".accounts table, .accounts table *"


def test_where_a_row_has_no_room_it_is_a_block_and_nothing_is_cut(page: Page, club: Club) -> None:
    """On a narrow phone, with large type, on a desk with large type: nothing is moved sideways."""
    table = club.table(players=("Anne-Sophie Østergaard", "Bo", "Carl-Christian", "Dorthe", "Ørsted"))
    for contract in ("solo", "pure-nolo", "simple"):
        club.deal(table, declarer="forehand", contract=contract, outcome="codille")
    club.enter(page, f"/tables/{table}/sheet?lang=da")
    page.locator(".why").first.click()
    expect(page.locator(".reason-row .payments")).to_be_visible()
    sheet = page.locator(".score-sheet")
    for width, size, folded in (
        (1280, "", False), (640, "", None), (320, "", True), (320, "212.5%", True), (390, "212.5%", True),
        (1280, "212.5%", None), (1280, "", False),
    ):  # fmt: skip
        resized(page, width, 800)
        page.evaluate("size => document.documentElement.style.fontSize = size", size)
        if folded is not None:
            state = expect(sheet)
            (state.to_have_class if folded else state.not_to_have_class)(re.compile("is-folded"))
        cut = page.locator(FIGURES).evaluate_all(
            """all => all.filter((it) => !it.closest("thead") || !it.closest(".is-folded"))
                .filter((it) => it.getBoundingClientRect().right > document.documentElement.clientWidth
                    || (it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).overflowX !== "visible"))
                .map((it) => it.outerHTML.slice(0, 80))"""
        )
        assert cut == [], (width, size)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        # However it is laid out, it is a table to who hears it.
        heard = page.get_by_role("table", name="Spil for spil")
        expect(heard.get_by_role("columnheader")).to_have_count(6)
        expect(heard.get_by_role("row", name="I alt").get_by_role("cell")).to_have_count(5)


def test_forty_deals_are_printed_on_one_sheet(page: Page, club: Club) -> None:
    table = club.table(title="Torsdagsklubben")
    for number in range(40):
        declarer = ("forehand", "middlehand", "backhand")[number % 3]
        outcome = ("won", "bete", "codille")[number // 3 % 3]
        club.deal(table, declarer=declarer, contract="solo", trump="H", outcome=outcome)
    club.enter(page, f"/tables/{table}/sheet?lang=da")
    expect(page.locator(".score-sheet tbody tr")).to_have_count(40)
    page.locator(".why").first.click()
    expect(page.locator(".reason-row .payments")).to_be_visible()
    assert sheets(page, format="A4", print_background=True) == 1
