"""A pile without a network: it opens again with its rows, and is written down once when it is back."""

from playwright.sync_api import BrowserContext, Page, expect

from tests.support.web.club import Club
from tests.support.web.devices import again, installed
from tests.support.web.pile import SEND, STATUS, aside, cell, kept, row
from tests.support.web.pile import typed as read_rows

PLAYERS = ("Anna", "Bo", "Carl")

KEPT = """async (table) => {
    const { keptTable } = await import("/static/js/core/keeping.js");
    while (!(await keptTable(table))?.pages?.da?.pile) await new Promise((go) => setTimeout(go, 50));
}"""


def opened(device: BrowserContext, club: Club, table: str) -> Page:
    """The pile of a table on a device that keeps it."""
    page = installed(device, club, f"/tables/{table}/pile?lang=da")
    expect(row(page, 0).locator(".of-number input")).to_have_attribute("placeholder", "1")
    page.evaluate(KEPT, table)
    return page


def typed(page: Page, *lines: str) -> None:
    """Types whole deals, each into one cell, whoever reads them."""
    cell(page, page.locator(".pile-row").count() - 1, "contract").focus()
    for line in lines:
        cell(page, page.locator(".pile-row").count() - 1, "contract").focus()
        page.keyboard.type(line)
        page.keyboard.press("Tab")


def test_a_pile_comes_back_without_a_network_and_is_written_down_when_it_is_back(
    phone: BrowserContext, club: Club
) -> None:
    table = club.table(players=PLAYERS)
    page = opened(phone, club, table)
    read_rows(page, "so h A v")
    phone.set_offline(True)
    again(page)
    expect(cell(page, 0, "declarer")).to_have_value("Anna")
    expect(page.locator(".table-nav a")).to_have_count(4)
    expect(page.locator(STATUS)).to_contain_text("Ingen forbindelse: summerne følger")
    typed(page, "kn B 0", "pas")
    expect(cell(page, 1, "contract")).to_have_value("købe-nolo")
    expect(page.locator(SEND)).to_have_text("Skriv ned, når nettet er tilbage")
    page.locator(SEND).click()
    expect(page.locator(STATUS)).to_contain_text("bliver skrevet ned én gang, når det er tilbage")
    expect(page.locator(SEND)).to_have_text("Skrives ned, når nettet er tilbage")
    again(page)
    expect(page.locator(SEND)).to_have_text("Skrives ned, når nettet er tilbage")
    assert kept(club, table) == []
    phone.set_offline(False)
    expect(page.locator(STATUS)).to_have_text("3 spil er skrevet ned.")
    lines = kept(club, table)
    assert [(line["contract"], line["outcome"]) for line in lines] == [
        ("solo", "won"), ("simple-nolo", "won"), (None, "passed_out"),
    ]  # fmt: skip
    expect(page.locator(".pile-row")).to_have_count(1)


def test_what_nobody_had_seen_of_a_row_is_asked_before_it_is_written_down(
    phone: BrowserContext, club: Club
) -> None:
    """A word that cannot be read, and a change after the button was pressed: nothing goes by itself."""
    table = club.table(players=PLAYERS)
    page = opened(phone, club, table)
    phone.set_offline(True)
    typed(page, "so h A v", "solo h B gik")
    page.locator(SEND).click()
    expect(page.locator(SEND)).to_have_text("Skrives ned, når nettet er tilbage")
    phone.set_offline(False)
    expect(aside(page, 1)).to_contain_text('I stedet for "gik"')
    expect(page.locator(STATUS)).to_contain_text("Bunken er ikke skrevet ned")
    expect(page.locator(SEND)).to_have_text("Skriv det ned, der er klar")
    assert kept(club, table) == []
    phone.set_offline(True)
    cell(page, 1, "outcome").fill("bet")
    expect(page.locator(SEND)).to_have_text("Skriv ned, når nettet er tilbage")
    page.locator(SEND).click()
    cell(page, 1, "outcome").fill("vundet")
    phone.set_offline(False)
    expect(row(page, 1)).to_have_attribute("data-state", "ready")
    expect(page.locator(SEND)).to_have_text("Skriv alle 2 ned")
    assert kept(club, table) == []
