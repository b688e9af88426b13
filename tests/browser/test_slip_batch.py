"""A slip batch in the browser: typed by keys alone, pasted, kept over a reload, written down once."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support.web.club import Club, confirm, fill, ready
from tests.support.web.devices import again, installed
from tests.support.web.devices import await_cached as wait_until_kept
from tests.support.web.network import before_first, lose_first_answer
from tests.support.web.slip_batch import READY, SEND, STATUS, aside, cell, lines_of, open_batch, row, typed


def totals(page: Page) -> list[dict[str, int]]:
    """The running totals next to the rows which say something."""
    shown = page.locator('.batch-row[data-state="ready"]').evaluate_all(
        """rows => rows.map((row) => [...row.querySelectorAll(".of-chips")].map(
            (cell) => [cell.dataset.name, cell.querySelector(".running-total").textContent]))"""
    )
    return [{name: int(text.replace("−", "-")) for name, text in cells} for cells in shown]


@pytest.mark.usefixtures("watched")
def test_a_batch_is_typed_by_keys_alone_and_comes_to_what_the_ledger_says(page: Page, club: Club) -> None:
    table = club.table()
    club.enter(page, f"/tables/{table}?lang=en")
    fill(page, "Anna", "solo", "hearts", "Won")
    confirm(page, "Deal 1 is written down.")
    page.get_by_role("link", name="Batch").click()
    ready(page)
    keys = page.keyboard
    cell(page, 0, "contract").focus()
    # Cell by cell, a letter or two each; the list offers what they can mean.
    keys.type("so")
    expect(page.locator('.batch-choice-list [aria-selected="true"]')).to_contain_text("solo")
    keys.press("Tab")
    expect(cell(page, 0, "contract")).to_have_value("solo")
    for letters in ("h", "b", "w"):
        keys.type(letters)
        keys.press("Tab")
    expect(cell(page, 0, "declarer")).to_have_value("Bo")
    expect(cell(page, 0, "outcome")).to_have_value("won")
    expect(page.locator(".batch-verdict")).to_contain_text("Solo in hearts: Bo won. Solo won: 3 from each")
    keys.press("Tab")
    keys.press("Tab")
    expect(cell(page, 1, "contract")).to_be_focused()
    # A whole deal in one cell, and the same cell of the next row.
    keys.type("ga s C +5")
    keys.press("Enter")
    expect(cell(page, 2, "contract")).to_be_focused()
    expect(cell(page, 1, "contract")).to_have_value("simple game")
    expect(cell(page, 1, "declarer")).to_have_value("Carl-Christian")
    keys.type("pass")
    keys.press("Enter")
    keys.press("ArrowUp")
    keys.press("ArrowUp")
    keys.press("ArrowRight")
    expect(cell(page, 1, "trump")).to_be_focused()
    # The row above, a row more, one less, and back.
    keys.press("ArrowDown")
    keys.press("ArrowDown")
    keys.press("Control+d")
    expect(cell(page, 3, "contract")).to_have_value("pass")
    keys.press("Control+z")
    expect(page.locator(".batch-row")).to_have_count(4)
    keys.press("Control+Home")
    keys.press("Control+Enter")
    expect(cell(page, 1, "contract")).to_have_value("solo")
    keys.press("Control+Delete")
    expect(cell(page, 0, "contract")).to_have_value("solo")
    expect(page.locator(".batch-row")).to_have_count(4)
    expect(page.locator(SEND)).to_have_text("Write all 3 down")
    expect(page.locator(READY)).to_be_visible()
    beside = totals(page)
    assert beside[0] != beside[1] == beside[2]
    keys.press("Control+s")
    expect(page.locator(STATUS)).to_have_text("3 deals are written down.")
    lines = lines_of(club, table)
    assert [line["totals"] for line in lines[1:]] == beside
    assert [line["contract"] for line in lines] == ["solo", "solo", "spade-game", None]
    by_slip, by_batch = (club.events("deals", line["deal"]) for line in lines[:2])
    assert [sorted(event) for event in by_slip] == [sorted(event) for event in by_batch]
    expect(page.locator(".batch-row")).to_have_count(1)
    page.get_by_role("link", name="Slip", exact=False).first.click()
    ready(page)
    expect(page.locator("[data-part=log] .entry-line")).to_have_count(4)
    words = "Spade game: Carl-Christian won"
    expect(page.locator("[data-part=log] .entry-line").nth(1)).to_contain_text(words)


def test_enter_goes_back_to_where_tab_began_as_in_a_spreadsheet(page: Page, club: Club) -> None:
    open_batch(page, club, club.table(players=("Anna", "Bo", "Carl")))
    cell(page, 0, "contract").focus()
    for letters in ("so", "h", "An", "v"):
        page.keyboard.type(letters)
        page.keyboard.press("Enter" if letters == "v" else "Tab")
    expect(cell(page, 1, "contract")).to_be_focused()
    expect(cell(page, 0, "outcome")).to_have_value("won")
    page.keyboard.type("pass")
    page.keyboard.press("Enter")
    cell(page, 1, "note").click()
    page.keyboard.press("Enter")
    expect(cell(page, 2, "note")).to_be_focused()
    border = cell(page, 0, "contract").evaluate("cell => getComputedStyle(cell).borderBottomWidth")
    assert border == "1px", "a cell is seen before it has the focus"


def test_a_wrong_cell_spoils_no_other_and_the_batch_outlives_the_page(page: Page, club: Club) -> None:
    table = club.table(players=("Anna", "Bo", "Carl"))
    open_batch(page, club, table, "da")
    typed(page, "so h A v")
    cell(page, 1, "contract").focus()
    page.keyboard.type("sollo")
    # A word that is not finished is no fault yet.
    expect(page.locator(".batch-verdict")).to_have_text("Spil 2. Her mangler spilfører og udfald.")
    expect(page.locator(".batch-remarks-row")).to_have_count(0)
    page.keyboard.press("Tab")
    expect(cell(page, 1, "contract")).to_have_attribute("aria-invalid", "true")
    expect(aside(page, 1)).to_contain_text("Melding: I stedet for »sollo«: skriv en melding")
    typed(page, "kn B 0", "bs C 5-2-2")
    expect(row(page, 1)).to_have_attribute("data-state", "unreadable")
    expect(page.locator(SEND)).to_have_text("Skriv de 3 ned, der er klar")
    again(page)
    expect(page.locator(STATUS)).to_have_text("Bunken er her endnu: 4 spil.")
    expect(cell(page, 1, "contract")).to_have_value("sollo")
    expect(cell(page, 3, "outcome")).to_have_value("5-2-2")
    page.locator(READY).click()
    expect(page.locator(STATUS)).to_have_text("3 spil er skrevet ned. 1 spil er endnu i bunken.")
    # What stays has its number and its seats, though it comes to the log after the others.
    expect(cell(page, 0, "number")).to_have_value("2")
    expect(cell(page, 0, "dealer")).to_have_value("Anna")
    # And the plan goes on from what is written down.
    following = club.get(f"/tables/{table}/ledger")["following"][0]
    expect(cell(page, 1, "number")).to_have_attribute("placeholder", str(following["number"]))
    expect(cell(page, 1, "dealer")).to_have_attribute("placeholder", following["seating"]["dealer"])
    cell(page, 0, "contract").fill("tourné")
    cell(page, 0, "declarer").fill("Bo")
    cell(page, 0, "outcome").fill("b")
    page.locator(READY).click()
    expect(page.locator(STATUS)).to_have_text("Spillet er skrevet ned.")
    assert [line["number"] for line in lines_of(club, table)] == [1, 3, 4, 2]
    again(page)
    expect(page.locator(STATUS)).to_have_text("")
    typed(page, "so h A v")
    page.get_by_role("button", name="Log ud").click()
    expect(page.locator("main.slip-batch")).to_have_count(0)
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('spadille.pile'))") == []


DANISH = """\
Nr;Melder;Melding;Trumf;Stik;Resultat;Anna;Bo;Carl;Bemærkning
1;Bo;solo;hjerter;5-2-2;vundet;-0,75;1,50;-0,75;
2;Carl;tourné;♠;4-4-1;bet;-0,25;2,00;-1,50;sent
3;;pas;;;;-0,25;2,00;-1,75;
pause;;;;;;;;;
I alt;;;;;;-0,25;2,00;-1,75;""".replace(";", "\t")


@pytest.mark.smoke
def test_a_danish_sheet_is_pasted_and_compared_with_the_paper(page: Page, club: Club) -> None:
    table = club.table(players=("Anna", "Bo", "Carl"), chip_value="0.25", currency="kr")
    open_batch(page, club, table, "da")
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            const cell = document.querySelector('[data-column="contract"]');
            const pasted = { clipboardData: data, bubbles: true, cancelable: true };
            cell.dispatchEvent(new ClipboardEvent("paste", pasted));
        }""",
        DANISH,
    )
    dialog = page.locator("dialog.paste-dialog")
    expect(dialog.locator("h2")).to_have_text("4 rækker, 10 kolonner")
    expect(dialog).to_contain_text("Udeladt, fordi det lægger de andre sammen: I alt -0,25 2,00 -1,75")
    # The number column is not needed: the rows are numbered as they come.
    dialog.locator("select").first.select_option("")
    dialog.get_by_role("button", name="Indsæt de 4 rækker").click()
    expect(row(page, 0)).to_have_attribute("data-state", "ready")
    expect(cell(page, 0, "outcome")).to_have_value("5-2-2 vundet")
    # Solo pays 3 from each, tourné bet 2 to each: the paper's first row that differs is the second.
    words = "Papiret afviger første gang ved spil 2: Carl −1,50."
    expect(page.locator(".batch-first-difference")).to_contain_text(words)
    expect(aside(page, 1)).to_contain_text("Papiret siger Carl −1,50.")
    page.get_by_role("button", name="Gå dertil").click()
    expect(cell(page, 1, "paper")).to_be_focused()
    assert totals(page)[0] == {"Anna": -3, "Bo": 6, "Carl": -3}
    expect(row(page, 0).locator(".running-total")).to_have_text(["−3", "+6", "−3"])
    # The box into which it was pasted is shut, and what the paper says otherwise is asked about.
    expect(page.locator(".batch-paste")).not_to_have_attribute("open", "")
    # What nobody understood is there as it was pasted, to be mended or deleted.
    expect(cell(page, 3, "contract")).to_have_value("pause")
    expect(aside(page, 3)).to_contain_text("Indsat: pause")
    expect(page.locator(SEND)).to_have_text("Skriv de 3 ned, der er klar (1 med et spørgsmål)")


def test_what_others_wrote_meanwhile_is_laid_before_a_person(page: Page, club: Club) -> None:
    table = club.table(players=("Anna", "Bo", "Carl"))
    open_batch(page, club, table)
    typed(page, "so h A w", "to s B b")
    club.deal(table, declarer="middlehand", contract="simple-nolo", outcome="won")
    between = page.locator(".batch-intervening")
    expect(between).to_contain_text("Deal 1: Simple nolo: Bo won")
    expect(page.locator(f'{SEND}[aria-disabled="true"]')).to_be_visible()
    expect(cell(page, 0, "number")).to_have_attribute("placeholder", "2")
    between.get_by_role("button").click()
    expect(between).to_be_hidden()
    expect(page.locator(READY)).to_be_visible()
    before_first(page, "**/slip-batches", lambda: club.deal(table, outcome="passed_out"))
    page.locator(SEND).click()
    expect(page.locator(STATUS)).to_contain_text("Others have written something at the table meanwhile.")
    expect(between).to_contain_text("Deal 2: All passed")
    assert len(lines_of(club, table)) == 2
    between.get_by_role("button").click()
    page.locator(READY).click()
    expect(page.locator(STATUS)).to_have_text("2 deals are written down.")
    assert [line["number"] for line in lines_of(club, table)] == [1, 2, 3, 4]


def test_an_answer_that_is_lost_writes_nothing_twice(page: Page, club: Club) -> None:
    table = club.table(players=("Anna", "Bo", "Carl"))
    open_batch(page, club, table)
    typed(page, "so h A w", "pass")
    lose_first_answer(page, "**/slip-batches")
    page.locator(SEND).click()
    arrived = "This had arrived and is taken out of the batch: 1. Solo in hearts"
    expect(page.locator(STATUS)).to_contain_text(arrived)
    expect(page.locator(".batch-row")).to_have_count(1)
    assert len(lines_of(club, table)) == 2


def test_what_the_rules_pay_besides_has_a_cell(page: Page, club: Club) -> None:
    open_batch(page, club, club.table(players=("Anna", "Bo", "Carl"), ruleset="ombre"))
    typed(page, "so h A w")
    plain = totals(page)
    cell(page, 0, "extras").press("Alt+ArrowDown")
    expect(page.locator(".batch-choice-list li").first).to_have_text("tout made")
    page.keyboard.press("Enter")
    expect(cell(page, 0, "extras")).to_have_value("tout made")
    page.keyboard.press("ArrowUp")
    expect(page.locator(".batch-verdict")).to_contain_text("Vole won")
    assert totals(page) != plain


def kept_batch(device: BrowserContext, club: Club, table: str) -> Page:
    """The slip batch of a table on a device that keeps it."""
    page = installed(device, club, f"/tables/{table}/slip-batch?lang=da")
    expect(row(page, 0).locator(".of-number input")).to_have_attribute("placeholder", "1")
    wait_until_kept(page, table, "pile")
    return page


def keyed(page: Page, *lines: str) -> None:
    """Types whole deals, each into one cell, whoever reads them."""
    for line in lines:
        cell(page, page.locator(".batch-row").count() - 1, "contract").focus()
        page.keyboard.type(line)
        page.keyboard.press("Tab")


def test_a_batch_comes_back_offline_and_is_written_down_later(phone: BrowserContext, club: Club) -> None:
    table = club.table(players=("Anna", "Bo", "Carl"))
    page = kept_batch(phone, club, table)
    typed(page, "so h A v")
    phone.set_offline(True)
    again(page)
    expect(cell(page, 0, "declarer")).to_have_value("Anna")
    expect(page.locator(".table-nav a")).to_have_count(7)
    expect(page.locator(STATUS)).to_contain_text("Ingen forbindelse: summerne kommer")
    keyed(page, "kn B 0", "pas")
    expect(cell(page, 1, "contract")).to_have_value("købe-nolo")
    expect(page.locator(SEND)).to_have_text("Skriv ned, når nettet er tilbage")
    page.locator(SEND).click()
    expect(page.locator(STATUS)).to_contain_text("bliver skrevet ned én gang, når nettet er tilbage")
    expect(page.locator(SEND)).to_have_text("Skrives ned, når nettet er tilbage")
    again(page)
    expect(page.locator(SEND)).to_have_text("Skrives ned, når nettet er tilbage")
    assert lines_of(club, table) == []
    phone.set_offline(False)
    expect(page.locator(STATUS)).to_have_text("3 spil er skrevet ned.")
    assert [(line["contract"], line["outcome"]) for line in lines_of(club, table)] == [
        ("solo", "won"), ("simple-nolo", "won"), (None, "passed_out"),
    ]  # fmt: skip
    expect(page.locator(".batch-row")).to_have_count(1)


def test_what_nobody_had_seen_of_a_row_is_asked_first(phone: BrowserContext, club: Club) -> None:
    """A word that cannot be read, and a change after the button was pressed: nothing goes by itself."""
    table = club.table(players=("Anna", "Bo", "Carl"))
    page = kept_batch(phone, club, table)
    phone.set_offline(True)
    keyed(page, "so h A v", "solo h B gik")
    page.locator(SEND).click()
    expect(page.locator(SEND)).to_have_text("Skrives ned, når nettet er tilbage")
    phone.set_offline(False)
    expect(aside(page, 1)).to_contain_text("I stedet for »gik«")
    expect(page.locator(STATUS)).to_contain_text("Bunken er ikke skrevet ned")
    expect(page.locator(SEND)).to_have_text("Skriv det ene ned, der er klar")
    assert lines_of(club, table) == []
    phone.set_offline(True)
    cell(page, 1, "outcome").fill("bet")
    expect(page.locator(SEND)).to_have_text("Skriv ned, når nettet er tilbage")
    page.locator(SEND).click()
    cell(page, 1, "outcome").fill("vundet")
    phone.set_offline(False)
    expect(row(page, 1)).to_have_attribute("data-state", "ready")
    expect(page.locator(SEND)).to_have_text("Skriv alle 2 ned")
    assert lines_of(club, table) == []
