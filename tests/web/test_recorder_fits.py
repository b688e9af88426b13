"""What holds for the recorder's pages: for every eye, finger and window; their words; every call."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from engine.rulesets import PUBLISHED, find
from service.http import web
from service.http.web.record_choices import record_choices
from tests.support.web.club import Club
from tests.support.web.eyes import in_order
from tests.support.web.recorder import alone, call, exchange, finished, key, name, play, recorder

SCRIPTS = Path(web.__file__).parent / "static" / "js"
LANGUAGES = ("da", "en")
LONG = {"forehand": "Anne-Sophie Østergaard", "middlehand": "Bo", "backhand": "Carl-Christian"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_deal_is_in_order_for_every_eye_from_its_first_call_on(
    page: Page, club: Club, language: str
) -> None:
    deal = alone(club, "dlu", players=LONG)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
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
    expect(page.locator(".says .notice")).to_be_visible()
    page.locator(".entries summary").click()
    in_order(page)


def test_forms_questions_and_the_settlement_are_in_order(page: Page, club: Club) -> None:
    deal = alone(club, "dlu", players=LONG)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
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


@pytest.mark.parametrize("ruleset", list(dict.fromkeys(rules.ruleset.id for rules in PUBLISHED)))
def test_every_call_that_the_rules_know_can_be_entered(ruleset: str) -> None:
    rules = find(PUBLISHED, ruleset)
    assert rules is not None
    for language in LANGUAGES:
        calls = record_choices(rules, language)["calls"]
        assert [one["id"] for one in calls[:2]] == ["pass", "self"]
        assert {one["id"] for one in calls[2:]} == set(rules.bids)
        assert all(one["name"] for one in calls[2:])
