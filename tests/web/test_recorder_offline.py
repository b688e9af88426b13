"""The recorder without a network: what is tapped lies on the table, is kept, and is sent once."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support.web.club import Club, all_sent, arrived, ready
from tests.support.web.devices import installed
from tests.support.web.recorder import DEALT, alone, call, exchange, key, name, play, version

CONNECTION = "[data-part=connection]"
HAND = DEALT[0]
KEPT = """async ([deal, version]) => {
    const { keptDeal } = await import("/static/js/recorder/record-keeping.js");
    for (;;) {
        const kept = await keptDeal(deal);
        if (kept?.now.version === version) return JSON.stringify(kept);
        await new Promise((go) => setTimeout(go, 50));
    }
}"""
BEGUN = """async (table) => {
    const { keptTable } = await import("/static/js/core/keeping.js");
    while (!(await keptTable(table))?.pages?.da?.begun) await new Promise((go) => setTimeout(go, 50));
}"""


def tapped(page: Page, cards: str) -> None:
    """Taps cards, and sees each lie on the table at once, whoever answers."""
    for card in cards.split():
        key(page, card)
        expect(page.locator(f'.seat-card .card[data-card="{card}"]')).to_be_visible()
        expect(page.locator(".pad.is-busy")).to_have_count(0)


def played(club: Club, deal: str) -> list[str]:
    return [event["card"] for event in club.events("deals", deal) if event["type"] == "card_played"]


@pytest.mark.smoke
def test_a_deal_goes_on_without_a_network_and_is_sent_once(phone: BrowserContext, club: Club) -> None:
    """Two tricks without a network, the page opened anew between them; of hands nothing was kept."""
    deal = alone(club, "dlu", HAND)
    page = installed(phone, club, f"/deals/{deal}/record?lang=da")
    call(page, club, deal, "solo", "pass", "pass")
    name(page, club, deal, "solo", "H")
    exchange(page, club, deal, 3, 0)
    kept = page.evaluate(KEPT, [deal, version(club, deal)])
    assert [card for card in HAND["cards"] if f'"{card}"' in kept] == []

    phone.set_offline(True)
    tapped(page, "H7 HJ H2")
    expect(page.locator(".prompt")).to_have_text("Hvem tog stikket? Tryk på navnet.")
    # The cards lie where they lay, and none is taken until that is known.
    expect(page.locator('.card-keys[aria-disabled="true"]')).to_be_visible()
    page.locator('.card-key[data-card="SA"]').dispatch_event("click")
    expect(page.locator(CONNECTION)).to_contain_text("Intet net. 3")
    expect(page.locator(".last-entry")).to_contain_text("Carl: hjerter 2. (ikke sendt endnu)")
    page.reload()
    ready(page)
    expect(page.locator('.seat-card .card[data-card="HJ"]')).to_be_visible()
    page.locator('[data-seat="forehand"]').click()
    tapped(page, "SA H3 H4")
    page.locator('[data-act="undo"]').click()
    page.locator('[data-way="strike"]').click()
    expect(page.locator(".prompt")).to_have_text("Carl lægger til")
    tapped(page, "H5")
    assert played(club, deal) == []

    phone.set_offline(False)
    expect(page.locator(CONNECTION)).to_be_empty()
    expect(page.locator(".prompt")).to_have_text("Anna spiller ud")
    expect(page.locator('.card-key[data-card="HA"].is-legal')).to_be_visible()
    assert played(club, deal) == ["H7", "HJ", "H2", "SA", "H3", "H5"]
    play(page, club, deal, "HA")


def test_a_table_s_deal_is_begun_and_recorded_without_a_network(phone: BrowserContext, club: Club) -> None:
    """The page that begins it is opened anew; two deals are begun, each is stored with what was tapped."""
    table = club.table()
    page = installed(phone, club, f"/tables/{table}/record?lang=da")
    page.evaluate(BEGUN, table)
    phone.set_offline(True)
    page.reload()
    ready(page)
    expect(page.locator(".deal-seats")).to_have_text("Dorthe giver · Bo sidder over")
    page.get_by_role("button", name="Notér spil 1").click()
    arrived(page, "**/deals/*/record*")
    expect(page.locator("h1")).to_have_text("Spil 1")
    expect(page.locator(".board-about")).to_have_text("Dorthe giver · Bo sidder over")
    first = page.url.split("/")[4]
    page.locator('[data-seat="forehand"]').click()
    page.locator('[data-call="solo"]').click()
    expect(page.locator(".last-entry")).to_contain_text("(ikke sendt endnu)")
    page.reload()
    ready(page)
    expect(page.locator(".seat-did").first).to_contain_text("solo")
    page.goto(f"{club.origin}/deals?lang=da")
    expect(page.get_by_role("link", name="Spil 1")).to_have_attribute(
        "href", f"/deals/{first}/record?lang=da"
    )
    club.go(page, f"/tables/{table}/record?lang=da")
    expect(page.get_by_role("link", name="Fortsæt spil 1")).to_be_visible()
    expect(page.locator(".deal-seats")).to_have_text("Anna giver · Carl-Christian sidder over")
    page.get_by_role("button", name="Notér spil 2").click()
    arrived(page, lambda url: "/deals/" in url and first not in url)
    assert club.get(f"/tables/{table}/ledger")["lines"] == []
    phone.set_offline(False)
    all_sent(page)
    expect(page.locator(CONNECTION)).to_be_empty()
    expect(page.locator(".what-next")).to_be_hidden()
    expect(page.locator(".prompt")).to_have_text("Bo melder")
    lines = club.get(f"/tables/{table}/ledger")["lines"]
    assert [line["deal"] for line in lines] == [first, page.url.split("/")[4]]
    assert [event["type"] for event in club.events("deals", first)] == ["deal_opened", "bid_made"]
    assert [line["seating"]["dealer"] for line in lines] == ["Dorthe", "Anna"]


def test_a_deal_alone_is_begun_without_a_network(phone: BrowserContext, club: Club) -> None:
    page = installed(phone, club, "/deals/new?lang=da")
    phone.set_offline(True)
    page.reload()
    ready(page)
    for label, player in (("Forhånd", "Anna"), ("Mellemhånd", "Bo"), ("Baghånd", "Carl")):
        page.get_by_label(label, exact=True).fill(player)
    page.get_by_role("button", name="Begynd").click()
    arrived(page, "**/deals/*/record*")
    expect(page.locator(".prompt")).to_have_text("Anna melder")
    page.locator('[data-call="solo"]').click()
    expect(page.locator(".last-entry")).to_contain_text("(ikke sendt endnu)")
    phone.set_offline(False)
    all_sent(page)
    expect(page.locator(CONNECTION)).to_be_empty()
    expect(page.locator(".prompt")).to_have_text("Bo melder")
    deal = page.url.split("/")[4]
    assert [event["type"] for event in club.events("deals", deal)] == ["deal_opened", "bid_made"]
