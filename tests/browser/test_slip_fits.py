"""The slip in the real window of a phone: one screen, in large type folded; nothing moves while one taps."""

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.support.web.club import BUSY, CONFIRM, Club, all_sent, confirm, pass_all, payments, tap
from tests.support.web.devices import LINES, again, open_slip
from tests.support.web.eyes import IN_SIGHT, LANGUAGES, PHONES, in_order, placed_controls, resized

TOPS = "all => all.map((it) => it.getBoundingClientRect().top)"
CLIPPED = """all => all.filter((it) => it.checkVisibility() && it.scrollWidth > it.clientWidth + 1)
    .map((it) => it.textContent)"""


def four_at_table(club: Club) -> str:
    """A table of four with a deal and a plan."""
    table = club.table(plan={"deals": 24})
    club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")
    return table


def tapped_in_sight(page: Page, *answers: tuple[str, str]) -> int:
    """How many taps it takes to answer and to write the slip down, none of them after scrolling."""
    expect(page.locator(BUSY)).to_have_count(0)
    for group, value in answers:
        choice = page.locator(f'[data-facts="{group}"] .choice:has([value="{value}"])')
        assert choice.evaluate(IN_SIGHT), (group, value)
        choice.click()
        if group == "tricks":  # the next player's are asked for when these are judged
            expect(page.locator(f'{CONFIRM}[aria-disabled="false"]')).to_be_visible()
    expect(page.locator(f'{CONFIRM}[aria-disabled="false"]')).to_be_visible()
    assert page.locator(CONFIRM).evaluate(IN_SIGHT)
    page.locator(CONFIRM).click()
    return len(answers) + 1


@pytest.mark.parametrize(("width", "height"), PHONES)
def test_a_slip_is_one_screen_and_a_few_taps(page: Page, club: Club, width: int, height: int) -> None:
    table = four_at_table(club)
    resized(page, width, height)
    club.enter(page, f"/tables/{table}?lang=da")
    number = page.locator(".deal-number")
    expect(page.locator(".deal-totals dd")).to_have_text(["+6", "0", "−3", "−3"])
    assert page.locator('[data-facts="tricks"] .choice').last.evaluate(IN_SIGHT)
    assert page.locator(".table-nav").bounding_box() == {
        "x": 0,
        "y": height - 48,
        "width": width,
        "height": 48,
    }
    solo = (("declarer", "Dorthe"), ("contract", "solo"), ("trump", "H"), ("outcome", "won"))
    assert tapped_in_sight(page, *solo) == 5
    expect(number).to_have_text("Spil 3")
    assert tapped_in_sight(page, ("declarer", "Anna"), ("contract", "simple-nolo"), ("outcome", "bete")) == 4
    expect(number).to_have_text("Spil 4")
    passed = page.locator(".is-passed")
    expect(page.locator(BUSY)).to_have_count(0)
    assert passed.evaluate(IN_SIGHT)
    # One tap; a hasty second one writes nothing more, and answers nothing of the next slip.
    passed.dblclick()
    expect(number).to_have_text("Spil 5")
    stray = page.locator('[data-facts="declarer"] .choice').first.bounding_box()
    assert stray
    page.mouse.click(stray["x"] + 20, stray["y"] + 20)
    expect(page.locator(".bar .status")).to_have_text("Spil 4 er skrevet ned.")
    expect(page.locator(".slip-form input:checked")).to_have_count(0)
    expect(page.get_by_role("button", name="Ret spil 4").first).to_be_in_viewport()
    # The tricks of two players, where the payment depends on them.
    two = (("declarer", "Bo"), ("contract", "solo"), ("trump", "C"), ("tricks", "4"))
    assert tapped_in_sight(page, *two, ("tricks", "3")) == 6
    expect(page.locator(LINES).first).to_contain_text("Bo")
    assert page.evaluate("scrollY") == 0
    page.get_by_role("button", name="Andet").click()
    page.get_by_role("link", name="Bordets regler").click()
    expect(page.locator("h1")).to_have_text("Dansk L'hombre-Union (DLU)")


@pytest.mark.parametrize(("width", "height"), PHONES)
def test_nothing_moves_while_one_taps_and_the_network_goes(
    phone: BrowserContext, club: Club, width: int, height: int
) -> None:
    table = four_at_table(club)
    page = open_slip(phone, club, table)
    resized(page, width, height)
    answers = page.locator(".slip-form .choice")
    before = answers.evaluate_all(TOPS)
    for group, name in (("declarer", "Dorthe"), ("contract", "solo"), ("trump", "hearts")):
        tap(page, group, name)
        assert answers.evaluate_all(TOPS) == before, group
    phone.set_offline(True)
    tap(page, "outcome", "Won")
    expect(page.locator(CONFIRM)).to_be_visible()
    assert answers.evaluate_all(TOPS) == before
    page.locator(CONFIRM).click()
    expect(page.locator(".deal-number")).to_have_text("Deal 3")
    expect(page.locator(BUSY)).to_have_count(0)
    # In the middle of a tap.
    page.locator('[data-facts="declarer"] .choice').first.hover()
    page.mouse.down()
    controls = placed_controls(page)
    expect(page.locator(".connection")).to_have_text("No network. 1 to be sent when it is back.")
    assert controls - placed_controls(page) == set()
    page.mouse.up()
    assert answers.evaluate_all(TOPS) == before
    # It lies over the totals: the deal and who deals stay in sight.
    seats, line = page.locator(".deal-seats").bounding_box(), page.locator(".connection").bounding_box()
    assert seats and line
    assert seats["y"] + seats["height"] <= line["y"] + 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("width", "type_size"), [(320, "106.25%"), (320, "200%"), (390, "200%"), (1280, "200%")]
)
def test_in_large_type_and_on_small_phones_what_is_answered_folds(
    page: Page, club: Club, width: int, type_size: str, language: str
) -> None:
    solo, hearts, won = {"da": ("solo", "hjerter", "Vundet"), "en": ("solo", "hearts", "Won")}[language]
    label = {"da": "Spilfører", "en": "Declarer"}[language]
    table = four_at_table(club)
    resized(page, width, 568)
    club.enter(page, f"/tables/{table}?lang={language}")
    page.evaluate("size => (document.documentElement.style.fontSize = size)", type_size)
    first = page.locator('[data-facts="declarer"] .choice').first
    expect(page.locator(".slip-form.is-tight")).to_be_visible()
    assert first.evaluate(IN_SIGHT), "a whole answer is in sight"
    tap(page, "declarer", "Dorthe")
    line = page.locator('[data-facts="declarer"] .facts-line')
    expect(line).to_have_text(f"{label} Dorthe")
    expect(line).to_be_focused()
    line.click()
    expect(page.get_by_role("radio", name="Dorthe")).to_be_checked()
    tap(page, "declarer", "Bo")
    tap(page, "contract", solo)
    tap(page, "trump", hearts)
    assert page.locator(".choice-name, .choice-more, .facts-label").evaluate_all(CLIPPED) == []
    tap(page, "outcome", won)
    expect(page.locator(".facts-line")).to_have_count(5)
    button = page.locator(f'{CONFIRM}[aria-disabled="false"]')
    expect(button).to_be_in_viewport(ratio=1)
    assert payments(page)["Bo"] == "+6"
    assert page.evaluate("document.documentElement.scrollWidth") == width
    button.click()
    expect(page.locator(".deal-number")).to_have_text({"da": "Spil 3", "en": "Deal 3"}[language])


def test_in_large_type_it_is_said_in_sight_what_became_of_a_slip(page: Page, club: Club) -> None:
    table = four_at_table(club)
    resized(page, 390, 664)
    club.enter(page, f"/tables/{table}")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.locator(".is-passed").click()
    status = page.locator(".bar .status")
    expect(status).to_have_text("Deal 2 is written down.")
    assert status.evaluate(IN_SIGHT)
    # A correction opens at its head, though its result is known already.
    page.get_by_role("button", name="Correct deal 2").first.click()
    heading = page.get_by_role("heading", name="Correct deal 2")
    expect(heading).to_be_visible()
    page.wait_for_function(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    assert heading.evaluate(IN_SIGHT)


def test_folded_answers_are_changed_by_keys(page: Page, club: Club) -> None:
    """Arrows walk through the answers: a question folds when the focus leaves it."""
    club.enter(page, f"/tables/{four_at_table(club)}?lang=en")
    resized(page, 1280, 500)
    line = page.locator('[data-facts="declarer"] .facts-line')
    page.locator('[data-facts="declarer"] input').first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Anna backhand")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".is-passed")).to_be_focused()
    page.keyboard.press("Tab")
    expect(line).to_have_text("Declarer Anna")
    expect(page.get_by_role("radio", name="simple game")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(line).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name="Anna backhand")).to_be_focused()


def unsettled(page: Page) -> Locator:
    return page.locator(".unsettled")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_deal_without_its_payment_stays_in_sight_until_it_is_settled(
    page: Page, club: Club, language: str
) -> None:
    """Four tricks alone do not say whether it is bête or codille."""
    is_danish = language == "da"
    lacks = "Betalingen for spil 2 mangler" if is_danish else "Deal 2 lacks its payment"
    table = four_at_table(club)
    resized(page, 390, 664)
    club.enter(page, f"/tables/{table}?lang={language}")
    tap(page, "declarer", "Bo")
    tap(page, "contract", "tourné")
    tap(page, "trump", "ruder" if is_danish else "diamonds")
    tap(page, "tricks", "4")
    button = page.locator(CONFIRM)
    expect(button).to_have_text("Skriv ned uden betaling" if is_danish else "Write without payment")
    assert button.evaluate("it => getComputedStyle(it).backgroundColor") == "rgba(0, 0, 0, 0)"
    in_order(page)
    confirm(page, "Spil 2 er skrevet ned." if is_danish else "Deal 2 is written down.")
    expect(unsettled(page)).to_contain_text(lacks)
    expect(page.locator(LINES).first.locator(".entry-unsettled")).to_have_text(lacks)
    in_order(page)
    pass_all(page, "Spil 3 er skrevet ned." if is_danish else "Deal 3 is written down.")
    expect(unsettled(page)).to_be_in_viewport()
    expect(unsettled(again(page))).to_contain_text(lacks)
    unsettled(page).get_by_role("button").click()
    tap(page, "tricks", "4")
    expect(page.locator(".verdict-game")).to_contain_text("bet" if is_danish else "bête")
    confirm(page, "Spil 2 er rettet." if is_danish else "Deal 2 is corrected.")
    expect(unsettled(page)).to_have_count(0)
    all_sent(page)
    line = club.get(f"/tables/{table}/ledger")["lines"][1]
    assert (line["decided"], line["outcome"]) == (True, "bete")
