"""A deal card by card, by taps, to its settlement; ``python -m tests.web.rounds`` tries every contract."""

import pytest
from playwright.sync_api import Page

from tests.support.web.club import Club
from tests.support.web.eyes import resized
from tests.support.web.recorder import legal
from tests.support.web.watching import Watch
from tests.web.rounds import Game, games, recorded

TRIED = [
    Game("dlu-tournament", "simple", "tourne", None, None),
    Game("dlu-tournament", "nolo-ouvert", "nolo-ouvert", None, None),
    Game("ombre", "play", "play", "C", 15),
]


def test_every_contract_of_the_rules_is_among_the_rounds() -> None:
    found = set(games())
    assert set(TRIED) <= found
    union = {game.contract for game in found if game.ruleset == "dlu-tournament"}
    assert union == {
        "simple", "spade-game", "tourne", "simple-nolo", "grand-tourne", "solo", "spade-solo", "pure-nolo",
        "nolo-ouvert",
    }  # fmt: skip


@pytest.mark.parametrize("game", TRIED, ids=[f"{game.ruleset}-{game.contract}" for game in TRIED])
def test_a_contract_is_recorded_to_its_settlement(page: Page, club: Club, game: Game) -> None:
    """Every tap is of something that the service says is legal."""
    watch = Watch(page)
    resized(page, 390, 844)
    recorded(page, club, game)
    deal = page.locator("main").get_attribute("data-record")
    assert deal is not None
    assert legal(club, deal) == {}
    assert watch.complaints == []
