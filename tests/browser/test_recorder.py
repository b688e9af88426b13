"""A deal card by card, by taps, to its settlement.

``python -m tests.browser.rounds`` tries every contract.
"""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.rounds import Game, record_to_end
from tests.support.web.club import Club, all_sent, arrived
from tests.support.web.devices import again, await_cached, installed
from tests.support.web.eyes import LANGUAGES, in_order, resized
from tests.support.web.recorder import (
    DEALT,
    alone,
    call,
    entered,
    exchange,
    finished,
    key,
    name,
    play,
    recorder,
)

TRIED = [
    Game("dlu-tournament", "simple", "tourne", None, None),
    Game("dlu-tournament", "nolo-ouvert", "nolo-ouvert", None, None),
    Game("ombre", "play", "play", "C", 15),
]


@pytest.mark.parametrize("game", TRIED, ids=[f"{game.ruleset}-{game.contract}" for game in TRIED])
@pytest.mark.usefixtures("watched")
def test_a_contract_is_recorded_to_its_settlement(page: Page, club: Club, game: Game) -> None:
    """Every tap is of something that the service says is legal."""
    resized(page, 390, 844)
    record_to_end(page, club, game)
    deal = page.locator("main").get_attribute("data-record")
    assert deal is not None
    assert not club.get(f"/deals/{deal}/legal")


REMOVED_KEYS = """() => {
    window.removedKeys = 0;
    const count = (changes) => changes.forEach(({ removedNodes }) => removedNodes.forEach((one) => {
        window.removedKeys += one.matches?.(".card-keys") ? 1 : 0;
    }));
    const around = document.querySelector(".pad").parentElement;
    new MutationObserver(count).observe(around, { childList: true, subtree: true });
}"""


def test_a_key_stays_under_the_finger_while_a_card_is_entered(page: Page, club: Club) -> None:
    """A key that is taken out between press and release gets no click."""
    deal = alone(club, "dlu")
    recorder(page, club, deal)
    call(page, club, deal, "solo", "pass", "pass")
    name(page, club, deal, "solo", "H")
    exchange(page, club, deal, 3, 0)
    page.evaluate(REMOVED_KEYS)
    play(page, club, deal, "HA H3")
    assert page.evaluate("window.removedKeys") == 0


LONG = {"forehand": "Anne-Sophie Østergaard", "middlehand": "Bo", "backhand": "Carl-Christian"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_deal_is_in_order_from_its_first_call_on(page: Page, club: Club, language: str) -> None:
    deal = alone(club, "dlu", players=LONG)
    recorder(page, club, deal, language)
    page.locator(".pad-more summary").first.click()
    in_order(page)
    call(page, club, deal, "solo", "pass", "pass")
    name(page, club, deal, "solo", "H")
    in_order(page)
    exchange(page, club, deal, 3)
    page.locator('[data-way="cards"]').click()
    key(page, "SK")
    in_order(page)
    page.locator('[data-way="count"]').click()
    exchange(page, club, deal, 0)
    play(page, club, deal, "SA H2 H3 H7 H4 C2")
    key(page, "H7")
    expect(page.locator(".notice-area .notice")).to_be_visible()
    in_order(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_forms_questions_and_the_settlement_are_in_order(page: Page, club: Club, language: str) -> None:
    deal = alone(club, "dlu", players=LONG)
    recorder(page, club, deal, language)
    page.locator(".more-menu summary").click()
    for form in ("hand", "ruling", "result"):
        page.locator(f'[data-form="{form}"]').click()
        in_order(page)
        page.locator("dialog .form-end button").click()
    call(page, club, deal, "pass", "pass", "pass")
    page.locator('[data-act="undo"]').click()
    in_order(page)
    page.locator('[data-way="keep"]').click()
    assert finished(page, club, deal)["outcome"] == "passed_out"
    page.locator(".entry-item .correct-button").first.click()
    in_order(page)


def test_who_dealt_and_who_sat_out_of_a_deal_card_by_card_are_corrected(page: Page, club: Club) -> None:
    resized(page, 390, 844)
    table = club.table(ruleset="dlu", players=("Anna", "Bo", "Carl", "Dora"))
    deal = club.begun(table)
    recorder(page, club, deal, "en")
    call(page, club, deal, "solo", "pass", "pass")
    expect(page.locator(".board-about")).to_have_text("Dora deals · Bo sits out")
    page.locator('[data-entry="1"] .correct-button').click()
    in_order(page)
    page.locator('[data-place="dealer"]').select_option("Bo")
    entered(page, club, deal, page.locator("dialog .confirm").click)
    expect(page.locator(".board-about")).to_have_text("Bo deals · Dora sits out")
    assert club.get(f"/tables/{table}/ledger")["lines"][0]["seating"] == {
        "dealer": "Bo", "forehand": "Carl", "middlehand": "Anna", "backhand": "Bo", "sitting_out": ["Dora"],
    }  # fmt: skip
    struck = page.locator(".entry-item.is-struck")
    expect(struck).to_contain_text("Anna is forehand, Carl middlehand, Dora backhand.")
    expect(struck).to_contain_text("Corrected: A typing error")


CONNECTION = "[data-part=connection]"
HAND = DEALT[0]
KEPT = """async ([deal, version]) => {
    const { readCachedDeal } = await import("/static/js/recorder/cached-deals.js");
    for (;;) {
        const kept = await readCachedDeal(deal);
        if (kept?.now.version === version) return JSON.stringify(kept);
        await new Promise((go) => setTimeout(go, 50));
    }
}"""


def tapped(page: Page, cards: str) -> None:
    """Taps cards, and sees each lie on the table at once, whoever answers."""
    for card in cards.split():
        key(page, card)
        expect(page.locator(f'.seat-card .card[data-card="{card}"]')).to_be_visible()
        expect(page.locator(".pad.is-busy")).to_have_count(0)


def cards_played(club: Club, deal: str) -> list[str]:
    return [event["card"] for event in club.events("deals", deal) if event["type"] == "card_played"]


@pytest.mark.smoke
def test_a_deal_goes_on_without_a_network_and_is_sent_once(phone: BrowserContext, club: Club) -> None:
    """Two tricks without a network, the page opened anew between them; of hands nothing was kept."""
    deal = alone(club, "dlu", HAND)
    page = installed(phone, club, f"/deals/{deal}/record?lang=da")
    call(page, club, deal, "solo", "pass", "pass")
    name(page, club, deal, "solo", "H")
    exchange(page, club, deal, 3, 0)
    cached = page.evaluate(KEPT, [deal, club.get(f"/deals/{deal}")["version"]])
    assert [card for card in HAND["cards"] if f'"{card}"' in cached] == []

    phone.set_offline(True)
    tapped(page, "H7 HJ H2")
    # Who took the trick is known without the service.
    expect(page.locator(".prompt")).to_have_text("Anna spiller ud")
    expect(page.locator(".tile-tricks").first).to_have_text("1 stik")
    expect(page.locator(CONNECTION)).to_contain_text("Intet net. 3")
    expect(page.locator(".last-entry")).to_contain_text("Carl: hjerter 2. (ikke sendt endnu)")
    again(page)
    expect(page.locator('.seat-card .card[data-card="HJ"]')).to_be_visible()
    tapped(page, "SA H3 H4")
    page.locator('[data-act="undo"]').click()
    page.locator('[data-way="strike"]').click()
    expect(page.locator(".prompt")).to_have_text("Carl lægger til")
    tapped(page, "H5")
    assert cards_played(club, deal) == []

    phone.set_offline(False)
    expect(page.locator(CONNECTION)).to_be_empty()
    expect(page.locator(".prompt")).to_have_text("Anna spiller ud")
    expect(page.locator('.card-key[data-card="HA"].is-legal')).to_be_visible()
    assert cards_played(club, deal) == ["H7", "HJ", "H2", "SA", "H3", "H5"]
    play(page, club, deal, "HA")


def test_a_table_s_deal_is_begun_and_recorded_without_a_network(phone: BrowserContext, club: Club) -> None:
    """The page that begins it is opened anew; two deals are begun, each is stored with what was tapped."""
    table = club.table()
    page = installed(phone, club, f"/tables/{table}/record?lang=da")
    await_cached(page, table, "begun")
    phone.set_offline(True)
    again(page)
    expect(page.locator(".deal-seats")).to_have_text("Dorthe giver · Bo sidder over")
    page.get_by_role("button", name="Notér spil 1").click()
    arrived(page, "**/deals/*/record*")
    expect(page.locator("h1")).to_have_text("Spil 1")
    expect(page.locator(".board-about")).to_have_text("Dorthe giver · Bo sidder over")
    first = page.url.split("/")[4]
    page.locator('[data-seat="forehand"]').click()
    page.locator('[data-call="solo"]').click()
    expect(page.locator(".last-entry")).to_contain_text("(ikke sendt endnu)")
    again(page)
    expect(page.locator(".tile-actions").first).to_contain_text("solo")
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
    expect(page.locator(".next-kinds")).to_have_count(0)
    expect(page.locator(".prompt")).to_have_text("Bo melder")
    lines = club.get(f"/tables/{table}/ledger")["lines"]
    assert [line["deal"] for line in lines] == [first, page.url.split("/")[4]]
    assert [event["type"] for event in club.events("deals", first)] == ["deal_opened", "bid_made"]
    assert [line["seating"]["dealer"] for line in lines] == ["Dorthe", "Anna"]


def test_a_deal_alone_is_begun_without_a_network(phone: BrowserContext, club: Club) -> None:
    page = installed(phone, club, "/deals/new?lang=da")
    phone.set_offline(True)
    again(page)
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
