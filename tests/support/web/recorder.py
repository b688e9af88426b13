"""Recording a deal by taps, for the tests of the recorder: what the service says is legal, on its buttons."""

import random
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.support.web.club import Club, Json

PAD = ".pad"

HANDS = {
    "forehand": ["SA", "CA", "H7", "HA", "HK", "D4", "D3", "C2", "S5"],
    "middlehand": ["S2", "SK", "SQ", "C7", "C6", "C5", "DQ", "DK", "H2"],
    "backhand": ["SJ", "S7", "HQ", "HJ", "H3", "CK", "CQ", "D7", "D2"],
}
"""Hands in which forehand was dealt both black aces, so that every contract is open to that seat."""
DEALT: list[Json] = [{"type": "hand_dealt", "seat": seat, "cards": cards} for seat, cards in HANDS.items()]
"""The events by which they are dealt."""


def recorder(page: Page, club: Club, deal: str, lang: str = "da") -> Page:
    return club.enter(page, f"/deals/{deal}/record?lang={lang}")


def alone(club: Club, ruleset: str = "dlu", *events: Json, **opening: object) -> str:
    """The id of a new deal that belongs to no table."""
    players = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"}
    opened = {"type": "deal_opened", "ruleset": ruleset, "players": players, **opening}
    return club.post("/deals", [opened, *events])["deal"]


def legal_actions(club: Club, deal: str) -> Json:
    """What may happen next, as the service says it; an empty object when the deal is over."""
    return club.get(f"/deals/{deal}/legal") or {}


def version(club: Club, deal: str) -> int:
    return club.get(f"/deals/{deal}")["version"]


def entered(page: Page, club: Club, deal: str, act: Callable[[], object]) -> None:
    """Does something on the page, and waits until what it entered is stored and shown."""
    before = version(club, deal)
    act()
    expect(page.locator(f'main[data-version="{before}"]')).to_have_count(0)
    expect(page.locator(".pad.is-busy")).to_have_count(0)


def call(page: Page, club: Club, deal: str, *bids: str) -> None:
    for bid in bids:
        entered(page, club, deal, page.locator(f'[data-group="calls"] [data-call="{bid}"]').click)


def name(page: Page, club: Club, deal: str, contract: str, trump: str | None = None) -> None:
    suit = f'[data-trump="{trump}"]' if trump else ""
    entered(page, club, deal, page.locator(f'[data-contract="{contract}"]{suit}').click)


def exchange(page: Page, club: Club, deal: str, *counts: int) -> None:
    for count in counts:
        entered(page, club, deal, page.locator(f'[data-count="{count}"]').click)


def key(page: Page, card: str) -> None:
    page.locator(f'{PAD} .card-key[data-card="{card}"]').click()


def play(page: Page, club: Club, deal: str, cards: str) -> None:
    for card in cards.split():
        entered(page, club, deal, lambda card=card: key(page, card))  # type: ignore[misc]


def finished(page: Page, club: Club, deal: str, seed: int = 1) -> Json:
    """Plays on by taps, whatever is legal, until the deal is over; tells its score."""
    rng = random.Random(seed)
    while choices := legal_actions(club, deal):
        if choices["action"] == "play" and choices.get("optional"):
            break
        if choices["action"] in ("exchange", "draw"):
            exchanged(page, club, deal, choices, rng)
        else:
            entered(page, club, deal, page.locator(one_of(choices, rng)).first.click)
    return club.get(f"/deals/{deal}/score")


def one_of(choices: Json, rng: random.Random) -> str:
    """The button for something that is legal."""
    action = choices["action"]
    if action == "play":
        shown = choices["cards"]
        return f'{PAD} .card-key[data-card="{rng.choice(shown)}"]' if shown else f"{PAD} .card-key.is-legal"
    if action == "turn":
        return f"{PAD} .card-key.is-legal"
    if action == "name":
        return f"{PAD} [data-contract]"
    return f'{PAD} [data-call="pass"]'


def exchanged(page: Page, club: Club, deal: str, choices: Json, rng: random.Random) -> None:
    """Sells or buys so many cards as may be, each tapped on the keyboard."""
    sells = choices["action"] == "exchange"
    count = rng.randint(choices["min"], min(4, choices["max"])) if sells else choices["count"]
    free = page.locator(f'{PAD} .card-key.is-legal:not([aria-pressed="true"])')
    for _ in range(count - page.locator(f'{PAD} .card-key[aria-pressed="true"]').count()):
        free.nth(rng.randrange(free.count())).click()
    entered(page, club, deal, page.locator(f'[data-enter="{"discard" if sells else "draw"}"]').click)


def chips_paid(page: Page) -> list[str]:
    """What the settlement on the page says each is paid, in the order of play."""
    return page.locator(".settlement .payments .chips").all_inner_texts()
