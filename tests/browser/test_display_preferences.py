"""What a device chooses besides the language: Spanish terms, and four colours; remembered."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.web.club import Club, fill, ready, tap
from tests.support.web.devices import again
from tests.support.web.eyes import Watch, in_order
from tests.support.web.showing import BELINDA, at, opened


def colour(page: Page, of: str) -> str:
    return str(page.locator(of).first.evaluate("it => getComputedStyle(it).fill"))


def test_spanish_terms_are_chosen_remembered_and_taken_back(page: Page, origin: str) -> None:
    watch = Watch(page)
    opened(page, origin + at(BELINDA, card="SJ", type="card_played"))
    sentence = page.locator('[data-part="sentence"]')
    expect(sentence).to_contain_text("jack of spades")
    press = page.get_by_role("button", name="Spanish terms")
    press.press("Enter")
    expect(sentence).to_contain_text("sota de espadas")
    ready(page)
    expect(press).to_have_attribute("aria-pressed", "true")
    letters = page.locator(".card-index b").all_inner_texts()
    assert {"R", "C"} & set(letters)
    assert not {"K", "Q", "J"} & set(letters)
    expect(page.locator(".auction")).to_contain_text("entrada")
    page.goto(f"{origin}/?lang=en")
    expect(page.locator(".contents")).to_contain_text("Entrada in espadas: Belinda won")
    expect(page.locator("body")).to_have_attribute("data-terms", "es")
    press.click()
    expect(page.locator(".contents")).to_contain_text("Play in spades: Belinda won")
    assert [one["name"] for one in page.context.cookies() if one["name"] == "spadille-terms"] == []
    assert watch.complaints == []


@pytest.mark.smoke
def test_four_colours_are_there_from_the_first_moment(page: Page, club: Club) -> None:
    table = club.table()
    page.emulate_media(color_scheme="light")
    club.enter(page, f"/tables/{table}?lang=da")
    assert colour(page, ".pip-d") == colour(page, ".pip-h") == "rgb(177, 38, 29)"
    assert colour(page, ".pip-c") == colour(page, ".pip-s")
    page.get_by_role("button", name="Fire farver").click()
    four = {colour(page, f".pip-{suit}") for suit in "shcd"}
    assert len(four) == 4
    again(page)
    assert {colour(page, f".pip-{suit}") for suit in "shcd"} == four
    tap(page, "declarer", "Anna")
    tap(page, "contract", "solo")
    for suit, pip in (("klør", ".pip-c"), ("ruder", ".pip-d")):
        before = colour(page, pip)
        tap(page, "trump", suit)
        assert colour(page, pip) != before, "a choice is told also among four colours"
    page.emulate_media(color_scheme="dark")
    assert len({colour(page, f".pip-{suit}") for suit in "shcd"}) == 4


def test_pages_with_both_are_in_order_for_every_eye(page: Page, club: Club) -> None:
    for name, value in {"terms": "es", "suits": "four"}.items():
        page.context.add_cookies([{"name": f"spadille-{name}", "value": value, "url": club.origin}])
    table = club.table(ruleset="tresillo", players=("Ana", "Blas", "Carmen"), switches={"favoured-suit": "S"})
    club.enter(page, f"/tables/{table}?lang=da")
    names = page.locator('[data-facts="contract"] .choice-name').all_inner_texts()
    assert names == ["entrada", "entrada a palo de favor", "vuelta", "solo", "solo a palo de favor"]
    fill(page, "Ana", "entrada", "copas", "Vundet")
    expect(page.locator(".verdict-game")).to_have_text("Entrada i copas: Ana vandt")
    in_order(page)
    club.go(page, "/tables/new?lang=en")
    page.get_by_label("Rules", exact=True).select_option("ombre")
    page.locator("summary").click()
    expect(page.locator(".tariff tbody th").first).to_have_text("entrada")
    page.get_by_label("countervole when all pass").check()
    expect(page.locator(".tariff tbody th").last).to_have_text("contrabola")
