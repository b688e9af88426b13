"""The pages in a real browser, over the fixture's deals."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Response, expect
from werkzeug.serving import make_server

from tests.page_fixture.app import create_app

ALL_PAGES = ["/", "/deals", "/nowhere", "/replays/belinda#at=28", "/replays/bo?lang=da#at=24"]
SENTENCE = '[data-part="sentence"]'
SLIDER = '[data-part="scrubber"]'


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    """Where the fixture's application answers."""
    server = make_server("127.0.0.1", 0, create_app(), threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def opened(page: Page, address: str) -> Page:
    """The page at ``address``, once its deal is shown."""
    page.goto(address)
    if "/replays/" in address:
        expect(page.locator("main[data-waiting]")).to_have_count(0)
    return page


def said(page: Page) -> str:
    return page.locator(SENTENCE).inner_text()


def evaluated(page: Page, origin: str, module: str, body: str) -> Any:
    """What ``body`` returns, in which ``it`` is the page's module of that name."""
    address = json.dumps(f"{origin}/static/js/{module}.js")
    return page.evaluate(f"async () => {{ const it = await import({address}); {body} }}")


@pytest.mark.parametrize("path", ALL_PAGES)
def test_a_page_breaks_no_policy_and_asks_no_other_host(chromium_page: Page, origin: str, path: str) -> None:
    complaints: list[str] = []
    hosts: set[str] = set()
    expected = "404" if path == "/nowhere" else "no complaint expected"
    chromium_page.on(
        "console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None
    )
    chromium_page.on("pageerror", lambda error: complaints.append(str(error)))
    chromium_page.on("request", lambda request: hosts.add("/".join(request.url.split("/")[:3])))
    opened(chromium_page, origin + path)
    chromium_page.keyboard.press("ArrowRight")
    assert [complaint for complaint in complaints if expected not in complaint] == []
    assert hosts == {origin}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ALL_PAGES)
def test_a_page_has_no_fault_that_axe_knows(chromium_page: Page, origin: str, path: str, scheme: Any) -> None:
    chromium_page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    opened(chromium_page, origin + path)
    found = Axe().run(chromium_page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("size", ["106.25%", "212.5%"])
@pytest.mark.parametrize("path", [*ALL_PAGES, "/replays/board#at=16"])
def test_a_page_fits_320_pixels_also_with_text_twice_as_large(
    chromium_page: Page, origin: str, path: str, size: str
) -> None:
    chromium_page.set_viewport_size({"width": 320, "height": 700})
    opened(chromium_page, origin + path)
    chromium_page.evaluate("size => document.documentElement.style.fontSize = size", size)
    assert chromium_page.evaluate("document.documentElement.scrollWidth") == 320


def test_what_is_pressed_is_large_enough_for_a_finger(chromium_page: Page, origin: str) -> None:
    chromium_page.set_viewport_size({"width": 320, "height": 700})
    opened(chromium_page, f"{origin}/replays/bo?lang=da#at=33")
    targets = chromium_page.locator("button:visible, input:visible, summary:visible, nav a:visible")
    boxes = [target.bounding_box() for target in targets.all()]
    assert len(boxes) > 15
    assert [box for box in boxes if box is None or box["height"] < 44 or box["width"] < 44] == []


def test_the_keys_walk_by_card_and_by_trick(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, f"{origin}/replays/belinda")
    assert said(page) == "The cards are dealt. Belinda is forehand and speaks first."
    page.keyboard.press("ArrowRight")
    assert said(page) == "Belinda bids play: “I play”."
    page.keyboard.press("Shift+ArrowRight")
    assert said(page) == "Belinda has the bid: play in spades."
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    assert said(page) == "Trick 1: Sir Anonym plays the four of spades; Belinda takes the trick."
    page.keyboard.press("ArrowLeft")
    assert said(page) == "Trick 1: The Baron plays the three of spades."
    page.locator('[data-move="on"]').focus()
    page.keyboard.press("End")
    assert said(page) == "Trick 9: Belinda plays the king of hearts and takes the trick."
    page.keyboard.press("ArrowUp")
    assert said(page).startswith("Trick 8: Belinda plays the queen of hearts")
    page.keyboard.press("Home")
    assert said(page).startswith("The cards are dealt.")


def test_the_slider_has_the_browsers_own_keys(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, f"{origin}/replays/belinda#at=26")
    page.locator(SLIDER).focus()
    page.keyboard.press("ArrowUp")
    assert said(page) == "Trick 4: The Baron plays the jack of spades."
    page.keyboard.press("ArrowRight")
    assert said(page).startswith("Trick 4: Sir Anonym")
    assert page.locator(SLIDER).get_attribute("aria-valuetext") == "step 23 of 38"


def test_the_address_keeps_the_point(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, f"{origin}/replays/belinda#at=23")
    assert said(page) == "Trick 3: Belinda leads basta."
    page.locator('[data-move="on"]').click()
    assert page.url.endswith("#at=24")
    page.reload()
    expect(page.locator(SENTENCE)).to_have_text("Trick 3: The Baron plays the seven of spades.")
    page.goto(f"{origin}/replays/belinda#at=29")
    expect(page.locator(SENTENCE)).to_contain_text("Trick 4: Sir Anonym")


def test_an_address_that_names_no_step_leads_to_the_one_before(chromium_page: Page, origin: str) -> None:
    opened(chromium_page, origin)
    found = evaluated(
        chromium_page,
        origin,
        "steps",
        """const replay = await (await fetch("/api/bo")).json();
        const steps = it.stepsOf(replay);
        return [2, "35.1", 35, 21, 99, "x"].map((seq) => steps[it.stepAt(steps, seq)].frame.seq);""",
    )
    assert found == [2, "35.1", "35.1", 20, 34, 2]


def test_a_swipe_walks_a_card(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, f"{origin}/replays/belinda")
    swipe = """(table) => {
      const at = (type, clientX) => new PointerEvent(type, {clientX, pointerType: "touch", bubbles: true});
      table.dispatchEvent(at("pointerdown", 300));
      table.dispatchEvent(at("pointerup", 200));
    }"""
    page.locator('[data-part="table"]').evaluate(swipe)
    assert said(page).startswith("Belinda bids")


def test_the_forty_cards_are_the_same_ones_at_every_step(chromium_page: Page, origin: str) -> None:
    opened(chromium_page, origin)
    for deal in ("belinda", "bo", "board", "slip"):
        numbers = evaluated(
            chromium_page,
            origin,
            "tracks",
            f"""const deal = await (await fetch("/api/{deal}")).json();
            const tracks = it.tracksOf(deal.frames.map((frame) => frame.state));
            return tracks.map((track) => [...track.keys()].sort((one, other) => one - other));""",
        )
        assert all(track == list(range(40)) for track in numbers), deal


def test_only_what_changed_moves(chromium_page: Page, origin: str) -> None:
    """The play of a card moves it from its hand to the trick, and nothing that lies elsewhere."""
    opened(chromium_page, origin)
    moved = evaluated(
        chromium_page,
        origin,
        "tracks",
        """const deal = await (await fetch("/api/belinda")).json();
        const frames = deal.frames.filter((frame) => [25, 26].includes(frame.seq));
        const [before, after] = it.tracksOf(frames.map((frame) => frame.state));
        const zone = (slot) => slot.zone + " " + slot.seat;
        const elsewhere = [...after].filter(([piece, slot]) => zone(slot) !== zone(before.get(piece)));
        return elsewhere.map(([piece, slot]) => slot.card + " " + zone(slot));""",
    )
    assert sorted(moved) == ["?? won forehand", "CA won forehand", "S7 won forehand", "SK trick forehand"]


def test_play_goes_anticlockwise_seen_from_above(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, f"{origin}/replays/belinda")
    sides = page.locator(".seat").evaluate_all("labels => labels.map(label => label.dataset.side)")
    assert sides == ["bottom", "right", "left"]
    clockwise = evaluated(
        page,
        origin,
        "plan",
        'return it.planFor({width: 400, height: 480, label: 40}, "clockwise").sides.middlehand;',
    )
    assert clockwise == "left"


def test_a_hand_is_sorted_with_trumps_first(chromium_page: Page, origin: str) -> None:
    opened(chromium_page, origin)
    hands = evaluated(
        chromium_page,
        origin,
        "cards",
        """const hand = ["D5", "CA", "HK", "S2", "SA", "CK", "HA", "D7", "S3"];
        const sorted = (cards, trump, contract) => it.sortHand(cards, trump, contract).join(" ");
        return [sorted(hand, "S", "play"), sorted(hand, "D", "solo"), sorted(hand, null, "pure-nolo"),
                sorted([...hand, "??", "H?"], "H", "solo")];""",
    )
    assert hands == [
        "SA S2 CA S3 HK HA CK D5 D7",
        "SA D7 CA D5 S3 S2 HK HA CK",
        "S3 S2 SA HK HA CK CA D5 D7",
        "SA CA HA HK H? S3 S2 D5 D7 CK ??",
    ]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/replays/bo?lang=da#at=27", "is-suit-only"),
        ("/replays/bo?lang=da#at=28", "is-hidden"),
        ("/replays/bo?lang=da#at=24", "is-questioned"),
        ("/replays/belinda#at=28", "is-won"),
    ],
)
def test_a_card_says_what_it_is_without_colour(
    chromium_page: Page, origin: str, path: str, kind: str
) -> None:
    page = opened(chromium_page, origin + path)
    expect(page.locator(f".card.is-in-trick.{kind}")).to_have_count(1)


def test_the_danish_cards_have_danish_letters(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, f"{origin}/replays/bo?lang=da")
    letters = page.locator(".card-index b").all_inner_texts()
    assert sorted(letters) == sorted(["E", "E", "K", "K", "K", "Kn", "7", "4", "3"])
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    assert said(page) == "Bo har meldingen: solo i hjerter."


def test_a_finding_leads_to_its_card_and_to_what_shows_it(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, f"{origin}/replays/bo?lang=da")
    revoke = page.locator(".finding", has_text="følger ikke hjerter")
    revoke.get_by_role("button", name="stik 4").click()
    assert said(page) == "Stik 4: Carl-Christian lægger spar 3."
    expect(page.locator(".is-questioned.is-in-trick")).to_have_count(1)
    revoke.get_by_role("button", name="stik 6").click()
    assert said(page) == "Stik 6: Carl-Christian lægger hjerter 6."


def test_a_corrected_entry_says_so(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, f"{origin}/replays/bo?lang=da#at=35.1")
    assert said(page) == "Stik 3: Carl-Christian lægger hjerter 4. Skrevet om ved en senere rettelse."


def test_the_score_explains_every_chip_when_it_is_decided(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, f"{origin}/replays/belinda#at=44")
    expect(page.locator(".payments:visible")).to_have_count(0)
    assert page.locator(".reachable tbody th").all_inner_texts() == ["won", "bête", "codille"]
    page.keyboard.press("ArrowRight")
    expect(page.locator(".outcome")).to_have_text("Belinda wins the game.")
    assert page.locator(".payments .chips").all_inner_texts() == ["+23", "−9", "−9"]
    assert page.locator(".items .chips").all_inner_texts() == ["+5", "5 from each", "4 from each"]
    assert page.locator(".note").inner_text().endswith("— Pope")


def test_the_reasons_are_in_danish_too(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, f"{origin}/replays/bo?lang=da#at=34")
    assert page.locator(".items tr").all_inner_texts() == ["solo vundet\n7. Payments\n\t3 fra hver"]
    page.goto(f"{origin}/replays/belinda?lang=da#at=45")
    expect(page.locator(".items tr").nth(2)).to_contain_text("estuches: 4 i træk fra spadille")


def test_the_sheet_fills_as_the_cards_fall(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, f"{origin}/replays/belinda#at=32")
    assert page.locator(".sheet tfoot td").all_inner_texts() == ["", "4", "1", "0"]
    assert page.locator(".sheet .is-winner").count() == 5
    page.get_by_role("button", name="Trick 2").click()
    assert said(page).startswith("Trick 2: Sir Anonym")
    assert page.locator(".sheet .is-winner").count() == 2


def test_motion_is_left_out_for_those_who_ask(chromium_page: Page, origin: str) -> None:
    times = []
    for wish in ("no-preference", "reduce"):
        chromium_page.emulate_media(reduced_motion=wish)
        opened(chromium_page, f"{origin}/replays/belinda#at=20")
        chromium_page.keyboard.press("ArrowRight")
        times.append(
            chromium_page.locator(".card").first.evaluate("card => getComputedStyle(card).transitionDuration")
        )
    assert times == ["0.38s", "0s"]


def test_a_deal_that_cannot_be_fetched_can_be_tried_again(chromium_page: Page, origin: str) -> None:
    chromium_page.route("**/api/belinda", lambda route: route.abort())
    chromium_page.goto(f"{origin}/replays/belinda")
    expect(chromium_page.locator(SENTENCE)).to_contain_text("The deal could not be fetched.")
    chromium_page.unroute("**/api/belinda")
    chromium_page.get_by_role("button", name="Try again").click()
    expect(chromium_page.locator(SENTENCE)).to_contain_text("The cards are dealt.")


def test_a_reader_without_scripts_is_told_and_gets_the_file(chromium_page: Page, origin: str) -> None:
    browser = chromium_page.context.browser
    assert browser is not None
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{origin}/replays/belinda?lang=da")
    expect(page.locator(".stage")).to_be_hidden()
    told = page.locator("noscript").inner_html()
    assert "Siden skal bruge JavaScript" in told
    assert "/api/belinda" in told
    context.close()


def test_the_two_dictionaries_say_the_same_things(chromium_page: Page, origin: str) -> None:
    opened(chromium_page, origin)
    keys = [
        evaluated(
            chromium_page,
            origin,
            f"words-{language}",
            """const names = (words, before) => Object.entries(words).flatMap(([name, value]) =>
                 value && typeof value === "object" ? names(value, before + name + ".") : [before + name]);
               return names(it.default, "").sort();""",
        )
        for language in ("en", "da")
    ]
    assert keys[0] == keys[1]


def test_a_first_view_is_light(chromium_page: Page, origin: str) -> None:
    """All that a phone loads to see a deal, but the deal itself, before any compression."""
    weights: dict[str, int] = {}

    def weigh(answer: Response) -> None:
        if "/static/" in answer.url:
            weights[answer.url.split("/")[-1]] = len(answer.body())

    chromium_page.on("response", weigh)
    opened(chromium_page, f"{origin}/replays/belinda")
    chromium_page.wait_for_load_state("networkidle")
    fonts = sum(weight for name, weight in weights.items() if name.endswith(".woff2"))
    assert 0 < fonts < 70_000
    assert sum(weights.values()) < 150_000
