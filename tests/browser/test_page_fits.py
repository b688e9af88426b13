"""What holds for every page: its policy, every eye, finger and window, paper, Spanish terms, four colours."""

import re

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.support.web.club import Club, fill, ready, tap
from tests.support.web.devices import again
from tests.support.web.evening import where
from tests.support.web.eyes import LANGUAGES, Watch, fits_a_narrow_phone, in_order, resized, sheets
from tests.support.web.showing import BELINDA, BOARD, CLUB, PRINTED, SECOND, SLIP, at, events_of, visit

KING_WINS = f"{BELINDA}#at={where(events_of(BELINDA), card='SJ') + 1}"
MISPRINT = f"{PRINTED}#at={where(events_of(PRINTED), type='hand_held', seat='middlehand')}"
REVOKE = f"{CLUB}#at={where(events_of(CLUB), card='S3')}"
DRAWN = f"{BOARD}#at={where(events_of(BOARD), type='cards_drawn', seat='middlehand')}"
PAGES = [
    "/", "/library", "/verify", "/rules", "/rules/dlu", "/rules/dlu/compare/ombre", "/game",
    "/deals/new", "/deals", "/nowhere", "/api/docs", SLIP, KING_WINS, MISPRINT, REVOKE, DRAWN,
    f"{BELINDA}/print", f"{CLUB}/print", f"{BOARD}/print",
    f"{BELINDA}/report", f"{CLUB}/report", f"{PRINTED}/report",
    f"{BELINDA}/readings/belinda-second-reading", f"{BELINDA}/readings/belinda-as-printed",
    f"{BELINDA}/compare", f"{PRINTED}/compare/belinda", f"{BELINDA}/hidden-cards?at=31",
    f"{BELINDA}#at=26~2&from=26&if=fHK.mHA",
]  # fmt: skip


def settled(page: Page, address: str) -> Page:
    """The page at ``address``, once its type is there and the table has taken its size."""
    visit(page, address)
    page.evaluate("document.fonts.ready")
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    return page


def box(element: Locator) -> FloatRect:
    found = element.bounding_box()
    assert found is not None
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_in_order_for_every_eye_and_asks_no_other_host(
    page: Page, origin: str, path: str, language: str
) -> None:
    watch = Watch(page)
    page.set_extra_http_headers({"Accept-Language": language})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    visit(page, origin + path)
    page.wait_for_load_state("networkidle")
    assert [said for said in watch.complaints if not (path == "/nowhere" and "404" in said)] == []
    assert watch.hosts == {origin}
    page.evaluate("document.querySelectorAll('.report-form-part').forEach((part) => (part.open = true))")
    if path == "/api/docs":
        # What stands in it is the library's to keep in order.
        fits_a_narrow_phone(page)
        return
    plain = "all => all.filter((it) => getComputedStyle(it).textDecorationLine === 'none').length"
    assert page.locator(".contents a, .head-links a").evaluate_all(plain) == 0
    in_order(page)


BROKEN_WORDS = """() => {
    const broken = [];
    const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        if (!text.parentElement.checkVisibility() || text.parentElement.closest(".visually-hidden")) continue;
        for (const word of text.data.matchAll(/(?<![^\\s])\\p{L}{2,9}(?![^\\s])/gu)) {
            const range = document.createRange();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word[0]);
        }
    }
    return broken;
}"""
"""The short words on the page that do not stand on one line."""


@pytest.mark.parametrize("path", [f"{CLUB}/report", f"{CLUB}/print", "/rules/dlu/compare/tresillo"])
def test_no_short_word_is_broken_in_large_type_on_a_phone(page: Page, origin: str, path: str) -> None:
    resized(page, 390, 664)
    visit(page, f"{origin}{path}?lang=da")
    cut = "all => all.filter((it) => it.scrollWidth > it.clientWidth).length"
    assert page.locator(".table-scroll").evaluate_all(cut) == 0
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.evaluate("document.fonts.ready")
    assert page.evaluate(BROKEN_WORDS) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_the_link_to_the_top_is_there_once_a_window_has_been_read(page: Page, origin: str) -> None:
    resized(page, 390, 664)
    for path in ("/rules/dlu", "/rules/dlu/compare/tresillo"):
        page.goto(f"{origin}{path}?lang=en")
        link = page.get_by_role("link", name="To the top")
        expect(link).not_to_be_in_viewport()
        page.mouse.wheel(0, 2000)
        expect(link).to_be_in_viewport(ratio=1)
        link.click()
        page.wait_for_function("scrollY === 0")


WATCH_SHIFTS = """
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries())
            if (!hadRecentInput) shifts.push([value, ...sources.map((one) => one.node?.outerHTML)]);
    }).observe({ type: "layout-shift", buffered: true });
"""
LARGE_TYPE = """
    new MutationObserver((_, observer) => {
        if (!document.documentElement) return;
        document.documentElement.style.fontSize = "200%";
        observer.disconnect();
    }).observe(document, { childList: true });
"""
MOST_SHIFT = 0.05


def shifts(page: Page, path: str) -> list[object]:
    """What has moved since the page began to load, once it is drawn."""
    ready(page)
    found = page.evaluate(
        """async () => {
            await document.fonts.ready;
            await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
            return new Promise((told) => setTimeout(() => told(shifts)));
        }"""
    )
    return [path, *found] if sum(value for value, *_ in found) >= MOST_SHIFT else []


@pytest.mark.parametrize(("width", "height", "script"), [
    (390, 664, ""), (1280, 800, ""), (390, 664, LARGE_TYPE),
], ids=["phone", "desktop", "large-type"])  # fmt: skip
def test_hardly_anything_moves_while_a_page_opens(
    page: Page, club: Club, width: int, height: int, script: str
) -> None:
    """Neither with nothing of it on the device, nor when it is opened again."""
    table = club.table(players=("Anna", "Karl-Christian", "Dorthe", "Wilhelmine"), plan={"deals": 24})
    slip = club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")
    deal = club.begun(table)
    assert club.members
    tables, deals = f"/tables/{table}", f"/deals/{deal}"
    page.set_viewport_size({"width": width, "height": height})
    page.add_init_script(WATCH_SHIFTS + script)
    club.enter(page, "/enter?lang=da")
    wire = page.context.new_cdp_session(page)
    drawn = (
        "/tables/new", tables, f"{tables}/sheet", f"{tables}/record", f"{tables}/slip-batch", "/deals/new",
        f"{deals}/record", deals, f"/deals/{slip}", f"{BELINDA}/print",
        f"{BELINDA}#at=26~2&from=26&if=fHK.mHA", "/members", "/enter",
    )  # fmt: skip
    served = () if script or width > 640 else ("/", "/library", "/write")
    moved = []
    for path in (*drawn, *served):
        page.goto("about:blank")
        wire.send("Network.clearBrowserCache")
        page.context.clear_cookies(name="spadille-type")
        page.goto(f"{club.origin}{path}")
        moved.append(shifts(page, f"{path}, cold"))
        if not script:
            page.reload()
            moved.append(shifts(page, f"{path}, warm"))
    assert "\n".join(map(str, filter(None, moved))) == ""


def test_the_walk_covers_no_card_and_is_in_view_where_there_is_room(page: Page, origin: str) -> None:
    for address, width, height, in_view in (
        (KING_WINS, 390, 844, True), (KING_WINS, 375, 667, True), (KING_WINS, 360, 560, False),
        (KING_WINS, 320, 568, False),
        # Its title takes two lines, and its longest sentence three.
        (at(PRINTED, "da", type="hand_held", seat="middlehand"), 390, 770, True),
        # On a desk, also with a line for who sat out, and with that of a what-if.
        (REVOKE, 1280, 800, True), (f"{BELINDA}#at=26~2&from=26&if=fHK", 1280, 800, True),
    ):  # fmt: skip
        resized(page, width, height)
        settled(page, origin + address)
        table, walk = box(page.locator(".table")), box(page.locator(".step-controls"))
        assert table["height"] >= 370
        assert walk["y"] >= table["y"] + table["height"]
        assert (walk["y"] + walk["height"] <= height) is in_view, (width, height)
        bottoms = "cards => cards.map((card) => card.getBoundingClientRect().bottom)"
        assert max(page.locator(".card").evaluate_all(bottoms)) <= walk["y"]


COVERED = """labels => labels.filter((label) => {
    const at = label.getBoundingClientRect();
    const cloth = label.parentElement.getBoundingClientRect();
    const isInside = at.left >= cloth.left && at.right <= cloth.right && at.bottom <= cloth.bottom;
    const isClear = [...document.querySelectorAll(".card:not([hidden])")].every((card) => {
        const { left, right, top, bottom } = card.getBoundingClientRect();
        return right <= at.left || left >= at.right || bottom <= at.top || top >= at.bottom;
    });
    return !isInside || !isClear || label.scrollWidth > label.offsetWidth;
}).map((label) => label.textContent)"""
"""The labels of seats that are cut, or that a card covers."""
FONT_SIZE = "it => parseFloat(getComputedStyle(it).fontSize)"


@pytest.mark.parametrize(("width", "height"), [(390, 664), (320, 568), (1280, 800)])
def test_the_names_on_the_cloth_are_whole_and_follow_the_size_of_type(
    page: Page, origin: str, width: int, height: int
) -> None:
    resized(page, width, height)
    for address in (KING_WINS, DRAWN):
        settled(page, origin + address)
        seats, ticks = page.locator(".seat"), page.locator(".ticks")
        assert seats.evaluate_all(COVERED) == []
        sizes = []
        for size in ("", "200%"):
            page.evaluate("size => document.documentElement.style.fontSize = size", size)
            page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
            sizes.append(
                [
                    it.evaluate("it => parseFloat(getComputedStyle(it).fontSize)")
                    for it in (seats.first, ticks)
                ]
            )
        assert seats.evaluate_all(COVERED) == []
        assert all(large > small * 1.5 for small, large in zip(*sizes, strict=True)), sizes


@pytest.mark.parametrize(("width", "height"), [(844, 390), (740, 360), (667, 375)])
def test_on_a_phone_on_its_side_the_buttons_are_in_view(
    page: Page, origin: str, width: int, height: int
) -> None:
    resized(page, width, height)
    settled(page, origin + KING_WINS)
    table, controls = box(page.locator(".table")), box(page.locator(".controls"))
    assert controls["y"] + controls["height"] <= height
    assert controls["x"] >= table["x"] + table["width"]


@pytest.mark.smoke
def test_a_page_that_is_not_there_looks_like_the_rest(page: Page, origin: str) -> None:
    page.goto(f"{origin}/deals/nowhere?lang=da")
    expect(page.locator("h1")).to_have_text("Det gik ikke")
    expect(page.locator("main .lead")).to_contain_text("Der er ikke noget på denne adresse.")
    expect(page.locator("header.site nav a")).to_have_text(["Aftener", "Sæson", "Bibliotek", "Regler"])
    assert page.evaluate("getComputedStyle(document.body).fontFamily").startswith('"Spadille Serif"')
    page.get_by_role("link", name="English").click()
    expect(page.locator("main .lead")).to_contain_text("There is nothing at this address.")
    page.get_by_role("link", name="To the library").click()
    expect(page.locator("h1")).to_have_text("The library")


def test_a_deal_is_printed_on_one_sheet(page: Page, origin: str) -> None:
    for address in (
        at(BELINDA, type="result_recorded"), at(PRINTED, "da", type="result_recorded"),
        at(SECOND, card="CJ", type="card_played"), at(CLUB, "da", card="SK", type="card_played"), DRAWN,
    ):  # fmt: skip
        visit(page, origin + address)
        assert sheets(page, format="A4", print_background=True) == 1, address


def test_on_paper_the_table_fits_its_column_and_comes_back(page: Page, origin: str) -> None:
    settled(page, origin + DRAWN)
    drawn = "() => [...document.querySelectorAll('.table, .card')].map((one) => one.getAttribute('style'))"
    before = page.evaluate(drawn)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    table = box(page.locator(".table"))
    assert table["width"] < 340
    sides = "cards => cards.map((card) => card.getBoundingClientRect()).map((box) => [box.left, box.right])"
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


def colour(page: Page, of: str) -> str:
    return str(page.locator(of).first.evaluate("it => getComputedStyle(it).fill"))


def test_spanish_terms_are_chosen_remembered_and_taken_back(page: Page, origin: str) -> None:
    watch = Watch(page)
    visit(page, origin + at(BELINDA, card="SJ", type="card_played"))
    sentence = page.locator('[data-part="sentence"]')
    expect(sentence).to_contain_text("jack of spades")
    press = page.get_by_role("button", name="Spanish terms")
    press.press("Enter")
    expect(sentence).to_contain_text("sota de espadas")
    ready(page)
    expect(press).to_have_attribute("aria-pressed", "true")
    cards = page.request.get(f"{origin}{page.locator('body').get_attribute('data-cards')}").text()
    letters = re.findall(r">(\w+)</text>", cards)
    assert {"R", "C"} & set(letters)
    assert not {"K", "Q", "J"} & set(letters)
    expect(page.locator(".auction")).to_contain_text("entrada")
    page.goto(f"{origin}/library?lang=en")
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
