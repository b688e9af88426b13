"""What holds for every page: its policy, its weight, every eye and finger, every window, and paper."""

import gzip
import re

import pytest
from playwright.sync_api import FloatRect, Locator, Page, Response, expect

from tests.support.web.evening import where
from tests.support.web.eyes import in_order, resized
from tests.support.web.showing import BELINDA, BOARD, CLUB, PRINTED, SECOND, at, document, events_of, opened

KING_WINS = f"{BELINDA}#at={where(events_of(BELINDA), card='SJ') + 1}"
MISPRINT = at(PRINTED, "da", type="hand_held", seat="middlehand")
REVOKE = at(CLUB, "da", card="S3")
DRAWN = at(BOARD, "en", type="cards_drawn", seat="middlehand")
PAGES = ["/", "/deals", "/nowhere", "/api/docs", KING_WINS, MISPRINT, REVOKE, DRAWN]


def shown(page: Page, address: str) -> Page:
    """The page at ``address``; a deal only once it is there."""
    page.goto(address)
    expect(page.locator("main[data-waiting]")).to_have_count(0)
    return page


def settled(page: Page, address: str) -> Page:
    """The page at ``address``, once its type is there and the table has taken its size."""
    opened(page, address)
    page.evaluate("document.fonts.ready.then(() => new Promise((drawn) => setTimeout(drawn, 100)))")
    return page


def box(element: Locator) -> FloatRect:
    found = element.bounding_box()
    assert found is not None
    return found


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_in_order_for_every_eye(chromium_page: Page, origin: str, path: str) -> None:
    """It has no fault that axe knows, by day and by night, and fits a narrow phone, also with large text."""
    page = chromium_page
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    shown(page, origin + path)
    in_order(page)


def test_what_is_pressed_is_large_enough_for_a_finger(chromium_page: Page, origin: str) -> None:
    resized(chromium_page, 320, 700)
    opened(chromium_page, origin + at(CLUB, "da", card="S7"))
    targets = chromium_page.locator("button:visible, input:visible, summary:visible, nav a:visible")
    sizes = targets.evaluate_all("targets => targets.map((one) => [one.offsetWidth, one.offsetHeight])")
    assert len(sizes) > 15
    assert [size for size in sizes if min(size) < 44] == []


def test_the_walk_covers_no_card_and_is_in_view_where_there_is_room(chromium_page: Page, origin: str) -> None:
    page = chromium_page
    for address, width, height, in_view in (
        (KING_WINS, 390, 844, True), (KING_WINS, 375, 667, True), (KING_WINS, 360, 560, False),
        (KING_WINS, 320, 568, False), (KING_WINS, 844, 390, False),
        # Its title takes two lines, and its longest sentence three.
        (MISPRINT, 390, 770, True),
    ):  # fmt: skip
        resized(page, width, height)
        settled(page, origin + address)
        table, walk = box(page.locator(".table")), box(page.locator(".walk"))
        assert table["height"] >= 370
        assert walk["y"] >= table["y"] + table["height"]
        assert (walk["y"] + walk["height"] <= height) is in_view, (width, height)
        bottoms = "cards => cards.map((card) => card.getBoundingClientRect().bottom)"
        assert max(page.locator(".card").evaluate_all(bottoms)) <= walk["y"]


@pytest.mark.smoke
def test_a_page_that_is_not_there_looks_like_the_rest(chromium_page: Page, origin: str) -> None:
    page = chromium_page
    page.goto(f"{origin}/deals/nowhere?lang=da")
    expect(page.locator("h1")).to_have_text("Det gik ikke")
    expect(page.locator("main .lead")).to_contain_text("Der er ikke noget på denne adresse.")
    expect(page.locator("header.site nav a")).to_have_text(["Bordene", "Biblioteket", "Noterede spil"])
    assert page.evaluate("getComputedStyle(document.body).fontFamily").startswith('"Spadille Serif"')
    page.get_by_role("link", name="English").click()
    expect(page.locator("main .lead")).to_contain_text("There is nothing at this address.")
    page.get_by_role("link", name="To the library").click()
    expect(page.locator("h1")).to_have_text("The library")


def test_a_deal_is_printed_on_one_sheet(chromium_page: Page, origin: str) -> None:
    for address in (
        at(BELINDA, type="result_recorded"),
        at(PRINTED, "da", type="result_recorded"),
        at(SECOND, card="CJ", type="card_played"),
        at(CLUB, "da", card="SK", type="card_played"),
        DRAWN,
    ):
        opened(chromium_page, origin + address)
        sheet = chromium_page.pdf(format="A4", print_background=True)
        assert len(re.findall(rb"/Type /Page\b", sheet)) == 1, address


def test_on_paper_the_table_fits_its_column_and_comes_back(chromium_page: Page, origin: str) -> None:
    page = settled(chromium_page, origin + DRAWN)
    drawn = "() => [...document.querySelectorAll('.table, .card')].map((one) => one.getAttribute('style'))"
    before = page.evaluate(drawn)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    table = box(page.locator(".table"))
    assert table["width"] < 340
    sides = (
        """cards => cards.map((card) => card.getBoundingClientRect()).map((box) => [box.left, box.right])"""
    )
    cards = page.locator(".card").evaluate_all(sides)
    assert len(cards) == 40
    assert min(left for left, _ in cards) >= table["x"]
    assert max(right for _, right in cards) <= table["x"] + table["width"]
    expect(page.locator(".controls")).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    expect(page.locator(".controls")).to_be_visible()
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    assert page.evaluate(drawn) == before


@pytest.mark.parametrize("language", ["en", "da"])
def test_a_first_view_is_light(chromium_page: Page, origin: str, language: str) -> None:
    """All that a phone loads to see a deal of some sixty events: page, modules, type and the deal."""
    bodies: dict[str, bytes] = {}

    def keep(answer: Response) -> None:
        bodies[answer.url] = answer.body()

    chromium_page.on("response", keep)
    opened(chromium_page, origin + at(BELINDA, language))
    # The type comes last, and a network may be idle for a while before.
    expect(chromium_page.locator("html[data-type]")).to_have_count(0)
    chromium_page.wait_for_load_state("networkidle")
    fonts = sum(len(body) for name, body in bodies.items() if name.endswith(".woff2"))
    assert 0 < fonts < 50_000
    assert any(url.endswith(document(BELINDA)) for url in bodies)
    assert sum(len(gzip.compress(body)) for body in bodies.values()) < 100_000
