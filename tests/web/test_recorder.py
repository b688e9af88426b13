"""A deal card by card, in the browser: every kind of contract to its settlement, by taps."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.club import Club, Json
from tests.web.recorder import alone, call, entered, finished, legal, name, paid, recorder
from tests.web.watching import Watch

HANDS = {
    "forehand": "SA CA H7 HA HK D4 D3 C2 S5",
    "middlehand": "S2 SK SQ C7 C6 C5 DQ DK H2",
    "backhand": "SJ S7 HQ HJ H3 CK CQ D7 D2",
}
"""Hands in which forehand was dealt both black aces."""

CONTRACTS = [
    # ruleset, bid, contract, trump
    ("dlu-tournament", "simple", "simple", "H"),
    ("dlu-tournament", "simple", "spade-game", None),
    ("dlu-tournament", "tourne", "tourne", None),
    ("dlu-tournament", "simple-nolo", "simple-nolo", None),
    ("dlu-tournament", "grand-tourne", "grand-tourne", None),
    ("dlu-tournament", "solo", "solo", "D"),
    ("dlu-tournament", "spade-solo", "spade-solo", None),
    ("dlu-tournament", "pure-nolo", "pure-nolo", None),
    ("dlu-tournament", "nolo-ouvert", "nolo-ouvert", None),
    ("ombre", "play", "voltereta", None),
    ("la-bete", "solo", "solo", "H"),
]


def hands() -> list[Json]:
    return [{"type": "hand_dealt", "seat": seat, "cards": cards.split()} for seat, cards in HANDS.items()]


@pytest.mark.parametrize(
    ("ruleset", "bid", "contract", "trump"), CONTRACTS, ids=[f"{one[0]}-{one[2]}" for one in CONTRACTS]
)
def test_every_contract_is_recorded_to_its_settlement(
    chromium_page: Page, club: Club, ruleset: str, bid: str, contract: str, trump: str | None
) -> None:
    """Hands known, the cards bought not: every tap is of something that the service says is legal."""
    page, watch = chromium_page, Watch(chromium_page)
    page.set_viewport_size({"width": 390, "height": 844})
    deal = alone(club, ruleset, *hands(), **({"pool": 15} if ruleset == "ombre" else {}))
    recorder(page, club, deal, "en")
    call(page, club, deal, bid, "pass", "pass")
    name(page, club, deal, contract, trump)
    score = finished(page, club, deal)
    assert score["decided"], score
    assert score["contract"] == contract
    expect(page.locator(".settlement .outcome")).to_be_visible()
    told = [text.replace("−", "-").replace("+", "") for text in paid(page)]
    assert [int(text) for text in told] == list(score["payments"].values())
    entered(page, club, deal, page.get_by_role("button", name="Close the deal").click)
    expect(page.get_by_text("The deal is closed.")).to_be_visible()
    (closing,) = [event for event in club.events("deals", deal) if event["type"] == "deal_closed"]
    assert closing["payments"] == score["payments"]
    assert club.get(f"/deals/{deal}/findings")["ok"]
    assert legal(club, deal) == {}
    assert watch.complaints == []
