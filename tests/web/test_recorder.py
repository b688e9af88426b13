"""A deal card by card, by taps, to its settlement; ``python -m tests.web.rounds`` tries every contract."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.web.club import Club
from tests.support.web.eyes import LANGUAGES, in_order, resized
from tests.support.web.recorder import alone, call, exchange, finished, key, legal, name, play, recorder
from tests.support.web.watching import Watch
from tests.web.rounds import Game, recorded

TRIED = [
    Game("dlu-tournament", "simple", "tourne", None, None),
    Game("dlu-tournament", "nolo-ouvert", "nolo-ouvert", None, None),
    Game("ombre", "play", "play", "C", 15),
]


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


# For every eye, finger and window


LONG = {"forehand": "Anne-Sophie Østergaard", "middlehand": "Bo", "backhand": "Carl-Christian"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_deal_is_in_order_from_its_first_call_on(page: Page, club: Club, language: str) -> None:
    deal = alone(club, "dlu", players=LONG)
    by_night = language == "da"
    recorder(page, club, deal, language)
    page.locator(".pad-more summary").first.click()
    in_order(page, by_night)
    call(page, club, deal, "solo", "pass", "pass")
    name(page, club, deal, "solo", "H")
    in_order(page, by_night)
    exchange(page, club, deal, 3)
    page.locator('[data-way="cards"]').click()
    key(page, "SK")
    in_order(page, by_night)
    page.locator('[data-way="count"]').click()
    exchange(page, club, deal, 0)
    play(page, club, deal, "SA H2 H3 H7 H4 C2")
    key(page, "H7")
    expect(page.locator(".says .notice")).to_be_visible()
    page.locator(".entries summary").click()
    in_order(page, by_night)


def test_forms_questions_and_the_settlement_are_in_order(page: Page, club: Club) -> None:
    deal = alone(club, "dlu", players=LONG)
    recorder(page, club, deal)
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
    page.locator(".entries summary").click()
    page.locator(".entry-item .mend").first.click()
    in_order(page)
