"""The zones of the recorder: what is tapped quickly never moves; large type folds it without clipping."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support.engine.shorthand import bids, names, plays, stands, swap
from tests.support.web.club import Club
from tests.support.web.devices import installed
from tests.support.web.eyes import IN_SIGHT, PHONES, no_fault, placed_controls, resized
from tests.support.web.network import refuse
from tests.support.web.recorder import alone, entered, key, recorder

NOTICE = ".notice-area .notice"
CONNECTION = "[data-part=connection]"
KEYS = """() => [...document.querySelectorAll(".pad .card-key")].map((one) =>
    [one.dataset.card, one.offsetLeft, one.offsetTop, one.offsetWidth, one.offsetHeight].join(" "))"""
OPEN_SUITS = """() => document.querySelectorAll(".suit-fold").forEach((suit) => {
    suit.removeAttribute("name");
    suit.open = true;
})"""
CLIPPED = """() => [...document.querySelectorAll(".pad .card-key")].flatMap((key) => {
    const { left, right, top, bottom } = key.getBoundingClientRect();
    return [...key.querySelectorAll(".key-face > *, .key-where")]
        .map((part) => part.getBoundingClientRect())
        .filter((part) => part.left < left || part.right > right || part.top < top || part.bottom > bottom)
        .map((part) => `${key.dataset.card}: ${part.width} in ${right - left}`);
})"""


def playing(club: Club, played: str = "F-H7 M-HJ") -> str:
    """A solo in hearts of forehand's, hands unknown, with these cards played."""
    exchanged = [*swap("M", "?? ?? ??", "?? ?? ??"), *stands("B")]
    return alone(
        club, "dlu", *bids("F solo, M pass, B pass"), *names("F", "solo", "H"), *exchanged, *plays(played)
    )


@pytest.mark.smoke
def test_no_key_moves_when_the_network_drops_in_the_middle_of_a_tap(
    phone: BrowserContext, club: Club
) -> None:
    """The key that a finger lies on is the card that is entered, and the trick goes to its taker."""
    page = installed(phone, club, f"/deals/{playing(club)}/record?lang=da")
    resized(page, 390, 664)
    before = page.evaluate(KEYS)
    assert len(before) == 45
    phone.set_offline(True)
    key(page, "H2")
    expect(page.locator('.seat-card .card[data-card="H2"]')).to_be_visible()
    page.locator('.pad [data-card="HA"]').hover()
    page.mouse.down()
    controls = placed_controls(page)
    expect(page.locator(CONNECTION)).to_have_text("Intet net. 1 venter.")
    assert page.evaluate(KEYS) == before
    assert controls - placed_controls(page) == set()
    page.mouse.up()
    expect(page.locator('.seat-card .card[data-card="HA"]')).to_be_visible()
    expect(page.locator(".tile-tricks").first).to_have_text("1 stik")
    expect(page.locator(".prompt")).to_have_text("Bo lægger til")
    expect(page.locator(".entry-item").first).to_contain_text("(ikke sendt endnu)")


@pytest.mark.parametrize(("width", "height"), PHONES)
def test_a_deal_is_recorded_on_one_screen(page: Page, club: Club, width: int, height: int) -> None:
    """Every call and every card is in sight, above a bar with the table's pages."""
    resized(page, width, height)
    table = club.table(players=("Anna", "Bo", "Carl-Christian"))
    club.enter(page, f"/deals/{club.begun(table)}/record?lang=da")
    calls = page.locator("[data-call]")
    expect(calls).to_have_count(11)
    assert all(one.evaluate(IN_SIGHT) for one in calls.all())
    bar = page.locator(".table-nav")
    assert bar.bounding_box() == {"x": 0, "y": height - 48, "width": width, "height": 48}
    assert bar.locator(":scope > *:visible").all_inner_texts() == ["Sedlen", "Kort", "Regnskab", "Andet"]
    bar.get_by_role("button").click()
    expect(page.get_by_role("link", name="Se spillet")).to_be_visible()
    deal = playing(club)
    recorder(page, club, deal)
    assert page.locator(".pad .card-key").evaluate_all(f"all => all.filter((it) => !({IN_SIGHT})(it))") == []
    expect(page.locator(".prompt")).to_be_in_viewport(ratio=1)
    expect(page.locator('[data-act="undo"]')).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("width", "height", "type_size"), [(320, 568, "106.25%"), (390, 664, "200%")])
def test_in_large_type_and_on_small_phones_a_suit_is_a_line(
    page: Page, club: Club, width: int, height: int, type_size: str
) -> None:
    """The suit that was led is open, a tap opens another; a typed code finds its card in any."""
    resized(page, width, height)
    deal = playing(club, "F-S2 M-S3 B-S4 M-D2")
    recorder(page, club, deal)
    page.evaluate("size => document.documentElement.style.fontSize = size", type_size)
    suits = page.locator(".suit-fold")
    expect(suits).to_have_count(4)
    expect(page.locator(".suit-fold[open] summary")).to_contain_text("ruder")
    entered(page, club, deal, lambda: key(page, "D3"))
    page.get_by_text("spar", exact=True).click()
    expect(page.locator(".suit-fold[open]")).to_have_count(1)
    expect(page.locator('.pad [data-card="SK"]')).to_be_visible()
    page.keyboard.type("kk")
    expect(page.locator('.pad [data-card="CK"]')).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("width", [390, 1280])
def test_no_key_moves_when_something_is_asked_or_refused(page: Page, club: Club, width: int) -> None:
    resized(page, width, 760)
    recorder(page, club, playing(club, "F-S2 M-S3 B-S4"), "en")
    before = page.evaluate(KEYS)
    page.locator('[data-act="undo"]').click()
    expect(page.locator(NOTICE)).to_be_visible()
    assert page.evaluate(KEYS) == before
    notice, pad = page.locator(NOTICE).bounding_box(), page.locator(".pad").bounding_box()
    assert notice and pad
    ends = (notice["x"] + notice["width"], notice["y"] + notice["height"])
    assert ends[0] <= pad["x"] or ends[1] <= pad["y"], "it lies over no key"
    page.locator('[data-way="keep"]').click()
    refuse(page, "**/events*", "record-full", 413)
    key(page, "D2")
    expect(page.locator(NOTICE)).to_contain_text("There is no room for more entries here.")
    assert page.evaluate(KEYS) == before


@pytest.mark.parametrize(("width", "language"), [(390, "da"), (320, "da"), (390, "en")])
def test_no_key_clips_in_large_type(page: Page, club: Club, width: int, language: str) -> None:
    resized(page, width, 740)
    recorder(page, club, playing(club, "F-S2 M-S3 B-S4 M-D2"), language)
    for size in ("106.25%", "212.5%"):
        page.evaluate("size => document.documentElement.style.fontSize = size", size)
        page.evaluate(OPEN_SUITS)
        assert page.evaluate(CLIPPED) == [], size
        assert page.evaluate("document.documentElement.scrollWidth") == width
    no_fault(page)


def test_a_correction_that_breaks_a_rule_asks_first(page: Page, club: Club) -> None:
    """What is played later lies dim with its trick; it is stored only if it really happened."""
    deal = playing(club, "F-H7 M-HJ B-H2 F-SA M-HQ B-H3")
    recorder(page, club, deal, "en")
    page.get_by_role("button", name="Correct: Trick 1: Bo plays the jack of hearts.").click()
    expect(page.locator(".prompt")).to_have_text("Bo plays")
    later = page.locator('.pad [data-card="HQ"]')
    expect(later).to_have_class("card-key is-red is-gone")
    expect(later).to_contain_text("fell in trick 2, Bo")
    expect(page.locator('.pad [data-card="HJ"]')).to_have_class("card-key is-red is-legal")
    length = len(club.events("deals", deal))
    key(page, "HQ")
    expect(page.locator(NOTICE)).to_contain_text("Impossible. Bo plays")
    assert len(club.events("deals", deal)) == length
    page.locator('[data-way="no"]').click()
    key(page, "HQ")
    entered(page, club, deal, page.locator('[data-way="happened"]').click)
    assert club.events("deals", deal)[-1]["with"][0]["card"] == "HQ"


def test_cards_are_typed_by_their_codes(page: Page, club: Club) -> None:
    deal = playing(club, "F-H7")
    recorder(page, club, deal)
    for typed, card in (("hkn", "HJ"), ("h2", "H2"), ("se", "SA")):
        page.keyboard.type(typed)
        expect(page.locator(f'.pad [data-card="{card}"]')).to_be_focused()
        entered(page, club, deal, lambda: page.keyboard.press("Enter"))
    assert [one["card"] for one in club.events("deals", deal)[-3:]] == ["HJ", "H2", "SA"]


def test_the_log_stands_next_to_the_board_on_a_wide_screen(page: Page, club: Club) -> None:
    resized(page, 1280, 860)
    recorder(page, club, playing(club), "en")
    board, log = page.locator(".record-board").bounding_box(), page.locator(".record-log").bounding_box()
    assert board and log and log["x"] >= board["x"] + board["width"] and log["y"] == board["y"]
    expect(page.locator(".entry-item").first).to_contain_text("Trick 1: Bo plays the jack of hearts.")
