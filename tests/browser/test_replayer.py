"""The replayer in a real browser: walking through a deal, the table, and what stands next to it."""

import re
from pathlib import Path
from typing import Literal

import orjson
import pytest
from playwright.sync_api import Browser, FloatRect, Page, expect

from engine import audit
from schemas.answers.deal_reports import card_order_object, replay_object
from schemas.wire.event_reader import read_entry
from tests.support.schemas.slips import RULES
from tests.support.web import evening
from tests.support.web.club import Club, ready
from tests.support.web.devices import again
from tests.support.web.evening import Json, where
from tests.support.web.eyes import SCHEMES, Watch, in_order, no_fault, resized
from tests.support.web.showing import (
    BELINDA,
    CLUB,
    SECOND,
    SENTENCE,
    SLIP,
    at,
    evaluated,
    events_of,
    sentence,
    unfolded,
    visit,
)

SLIDER = '[data-part="scrubber"]'


def document(path: str) -> str:
    return f"/api/v1{path}/replay"


@pytest.mark.smoke
def test_from_the_library_a_deal_is_walked_through_by_keys(page: Page, origin: str) -> None:
    watch = Watch(page)
    page.goto(f"{origin}/library")
    page.get_by_role("link", name="Belinda’s game", exact=True).click()
    ready(page)
    assert sentence(page) == "The cards are dealt. Belinda is forehand and speaks first."
    # Play goes anticlockwise, seen from above.
    sides = page.locator(".seat").evaluate_all("labels => labels.map(label => label.dataset.side)")
    assert sides == ["bottom", "right", "left"]
    page.keyboard.press("ArrowRight")
    assert sentence(page) == "Belinda bids play: “I play”."
    page.keyboard.press("Shift+ArrowRight")
    assert sentence(page) == "Belinda has the bid: play in spades."
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    assert sentence(page) == "Trick 1: Sir Anonym plays the four of spades; Belinda takes the trick."
    page.keyboard.press("ArrowLeft")
    assert sentence(page) == "Trick 1: the Baron plays the three of spades."
    page.locator('[data-move="on"]').press("End")
    assert sentence(page) == "Belinda had the bid: play in spades. Belinda wins the game."
    page.keyboard.press("ArrowUp")
    assert sentence(page) == "Trick 9: Belinda plays the king of hearts and takes the trick. !!"
    page.keyboard.press("Home")
    assert sentence(page).startswith("The cards are dealt.")
    swipe = """(table) => {
      const at = (type, clientX) => new PointerEvent(type, {clientX, pointerType: "touch", bubbles: true});
      table.dispatchEvent(at("pointerdown", 300));
      table.dispatchEvent(at("pointerup", 200));
    }"""
    page.locator('[data-part="table"]').evaluate(swipe)
    assert sentence(page).startswith("Belinda bids")
    assert watch.complaints == []


def test_the_address_keeps_the_point_and_an_entered_one_is_not_overwritten(page: Page, origin: str) -> None:
    # A browser may tell of an address late: what the page writes meanwhile must not replace it.
    page.add_init_script(
        """window.addEventListener("hashchange", (event) => {
             if (!event.isTrusted) return;
             event.stopImmediatePropagation();
             setTimeout(() => dispatchEvent(new HashChangeEvent("hashchange")), 500);
           });"""
    )
    basta = where(events_of(BELINDA), card="CA")
    visit(page, f"{origin}{BELINDA}#at={basta}")
    assert sentence(page) == "Trick 3: Belinda leads basta."
    page.locator('[data-move="on"]').click()
    expect(page).to_have_url(re.compile(f"#at={basta + 1}$"))
    page.reload()
    expect(page.locator(SENTENCE)).to_have_text("Trick 3: the Baron plays the seven of spades.")
    page.keyboard.press("ArrowRight")
    jack = where(events_of(BELINDA), card="SJ")
    page.evaluate("at => { location.hash = `at=${at}` }", jack + 1)
    expect(page.locator(SENTENCE)).to_contain_text("Trick 4: Sir Anonym")
    expect(page).to_have_url(re.compile(f"#at={jack + 1}$"))


def test_a_deal_plays_itself_until_somebody_takes_it_in_hand(page: Page, origin: str) -> None:
    page.clock.install()
    visit(page, origin + BELINDA)
    play, slider = page.locator('[data-part="play"]'), page.locator(SLIDER)
    page.keyboard.press("Space")
    expect(play).to_have_attribute("aria-label", "Pause")
    page.clock.run_for(5_000)
    assert int(slider.input_value()) >= 4
    page.keyboard.press("ArrowLeft")
    expect(play).to_have_attribute("aria-label", "Play")
    there = slider.input_value()
    page.clock.run_for(5_000)
    assert slider.input_value() == there
    play.click()
    page.clock.run_for(120_000)
    assert slider.input_value() == slider.get_attribute("max")
    expect(play).to_have_attribute("aria-label", "Play")


def test_a_deal_plays_itself_as_fast_as_the_reader_wants(page: Page, origin: str) -> None:
    page.clock.install()
    visit(page, f"{origin}{BELINDA}?lang=en")
    speed, slider = page.locator("[data-part=speed]"), page.locator(SLIDER)
    expect(speed).to_have_text("1×")
    reached = []
    for shown in ("1×", "2×", "4×", "½×"):
        expect(speed).to_have_text(shown)
        page.locator("[data-part=play]").click()
        page.clock.run_for(6_000)
        reached.append(int(slider.input_value()))
        page.locator("[data-move=start]").click()
        speed.click()
    assert reached[3] < reached[0] < reached[1] < reached[2]


def test_the_keys_are_listed_and_leave_the_deal_where_it_is(page: Page, origin: str) -> None:
    visit(page, f"{origin}{BELINDA}?lang=en")
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_contain_text("a card back or forward")
    no_fault(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    assert page.locator(SLIDER).input_value() == "0"
    page.keyboard.press("ArrowRight")
    expect(page.locator(SLIDER)).to_have_value("1")


def test_a_reader_guesses_the_cards_of_a_seat_and_sees_no_other_hand(page: Page, origin: str) -> None:
    visit(page, f"{origin}{BELINDA}?lang=en")
    unfolded(page).locator("[data-tool=guess]").click()
    page.get_by_role("button", name="To the next card to guess").click()
    expect(page.get_by_label("By seat")).to_be_checked()
    hidden = page.locator(".table .card.is-hidden")
    expect(hidden).to_have_count(27)
    page.locator("[data-guess=SA]").click()
    expect(page.get_by_text("1 of 1 guessed.")).to_be_visible()
    assert sentence(page) == "Trick 1: Belinda leads spadille."
    page.get_by_role("button", name="To the next card to guess").click()
    page.locator("[data-guess=HK]").click()
    expect(page.locator(".tool-panel [role=status]")).to_contain_text("Played was")
    expect(page.get_by_text("1 of 2 guessed.")).to_be_visible()
    no_fault(page)


def test_the_table_can_be_turned_and_seen_from_a_seat(page: Page, origin: str) -> None:
    visit(page, origin + at(BELINDA, card="SJ"))
    at_the_bottom = page.locator('.seat[data-side="bottom"]')
    shown = page.locator(".table .card:not(.is-hidden)").count()
    expect(at_the_bottom).to_contain_text("Belinda")
    unfolded(page).locator("[data-tool=seeing]").click()
    page.locator('[data-act="turn"]').click()
    expect(at_the_bottom).to_contain_text("the Baron")
    here = sentence(page)
    page.get_by_label("By seat").check()
    page.get_by_label("Seen by").select_option("backhand")
    expect(page.locator(".seat", has_text="Belinda")).to_be_visible()
    page.wait_for_function(
        "(shown) => document.querySelectorAll('.table .card:not(.is-hidden)').length < shown", arg=shown
    )
    assert sentence(page) == here


def test_what_may_not_be_played_lies_in_the_shade(page: Page, origin: str) -> None:
    """The legal cards of the seat to play: no step asks the service for them."""
    visit(page, origin + at(BELINDA, card="SA", type="card_played"))
    frames = page.request.get(origin + document(BELINDA)).json()["frames"]
    shaded = 0
    for frame in frames[where(events_of(BELINDA), card="SA", type="card_played") - 1 :]:
        legal, hands = frame["legal"], frame["state"]["hands"]
        if frame["event"]["type"] != "card_played":
            break
        told = legal if legal and legal["action"] == "play" and not legal.get("hidden") else None
        due = sorted(set(hands[told["seat"]]["cards"]) - set(told["cards"])) if told else []
        barred = page.locator(".card.is-unplayable")
        assert sorted(barred.evaluate_all("all => all.map((one) => one.dataset.card)")) == due, frame["seq"]
        shaded += bool(due)
        page.keyboard.press("ArrowRight")
    assert shaded > 5


def test_cards_move_unless_the_device_or_its_owner_wants_them_still(page: Page, origin: str) -> None:
    visit(page, f"{origin}{BELINDA}?lang=da")
    moves = "() => !document.querySelector('.table').classList.contains('is-still')"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(moves)
    unfolded(page).locator("[data-tool=seeing]").click()
    page.get_by_label("Bevæg kortene").uncheck()
    again(page)
    page.keyboard.press("ArrowRight")
    assert not page.evaluate(moves)
    unfolded(page).locator("[data-tool=seeing]").click()
    page.get_by_label("Bevæg kortene").check()
    page.locator("[data-move=on]").click()
    time = "card => getComputedStyle(card).transitionDuration"
    assert page.locator(".card").first.evaluate(time) == "0.38s"
    page.emulate_media(reduced_motion="reduce")
    assert page.locator(".card").first.evaluate(time) == "0s"


def test_where_an_address_leads_what_moves_and_how_a_hand_is_sorted(page: Page, origin: str) -> None:
    page.goto(origin)
    events = events_of(CLUB)
    wrong, last = where(events, card="H5"), len(events) - 1
    found = evaluated(
        page,
        "replay/steps",
        """const [address, seqs] = given;
        const steps = it.buildSteps(await (await fetch(address)).json());
        return seqs.map((seq) => steps[it.stepAt(steps, seq)].frame.seq);""",
        document(CLUB),
        [2, f"{last + 1}.1", last + 1, wrong, 99, "x"],
    )
    # An address that names no step leads to the one before.
    assert found == [2, f"{last + 1}.1", f"{last + 1}.1", wrong - 1, last, 2]

    king = where(events_of(BELINDA), card="SK")
    moved = evaluated(
        page,
        "replay/card-tracks",
        """const [address, king] = given;
        const deal = await (await fetch(address)).json();
        const frames = deal.frames.filter((frame) => [king - 1, king].includes(frame.seq));
        const [before, after] = it.buildCardTracks(frames.map((frame) => frame.state));
        const zone = (slot) => slot.zone + " " + slot.seat;
        const elsewhere = [...after].filter(([piece, slot]) => zone(slot) !== zone(before.get(piece)));
        return elsewhere.map(([piece, slot]) => slot.card + " " + zone(slot));""",
        document(BELINDA),
        king,
    )
    # A card that is played moves to the trick; only the trick before it moves too.
    assert sorted(moved) == ["?? won forehand", "CA won forehand", "S7 won forehand", "SK trick forehand"]

    orders = [card_order_object(RULES[name]) for name in ("dlu", "clockwise")]
    hands = evaluated(
        page,
        "core/cards",
        """const [[byDlu, clockwise]] = given;
        const hand = ["D5", "CA", "HK", "S2", "SA", "CK", "HA", "D7", "S3"];
        const sorted = (cards, trump, contract) => it.sortHand(cards, trump, contract).join(" ");
        it.useRules({ card_order: byDlu });
        const found = [sorted(hand, "S", "play"), sorted(hand, "D", "solo"), sorted(hand, null, "pure-nolo"),
                sorted([...hand, "??", "H?"], "H", "solo"), it.matadorName("HA", "H", "solo")];
        it.useRules({ card_order: clockwise });
        return [...found, sorted(["HA", "HJ", "H7"], "H", "solo"), it.matadorName("HA", "H", "solo")];""",
        orders,
    )
    assert hands == [
        "SA S2 CA S3 HK HA CK D5 D7",
        "SA D7 CA D5 S3 S2 HK HA CK",
        "S3 S2 SA HK HA CK CA D5 D7",
        "SA CA HA HK H? S3 S2 D5 D7 CK ??",
        "ponto",
        "H7 HJ HA",
        None,
    ]


PLAIN = {"back": "0", "edge": "none", "mark": "none", "ring": "none"}


def test_a_card_says_what_it_is_without_colour(page: Page, origin: str) -> None:
    look = """(card) => {
        const style = (part, where) => getComputedStyle(part ? card.querySelector(part) : card, where);
        return {back: style(".card-back").opacity, edge: style(".card-front").borderTopStyle,
                mark: style(".card-mark", "::after").content, ring: style(null, "::after").content};
    }"""
    jack = where(events_of(BELINDA), card="SJ")
    for address, looks in (
        (at(CLUB, "da", card="D?"), {"is-suit-only": {"edge": "dashed"}, "is-hidden": {"back": "1"}}),
        (at(CLUB, "da", card="S3"), {"is-questioned": {"mark": '"?"'}}),
        (f"{BELINDA}#at={jack + 1}", {"is-won": {"ring": '""'}}),
        (at(BELINDA, card="CK", type="card_played"), {"is-in-trick": {}}),
    ):
        page.goto("about:blank")
        visit(page, origin + address)
        page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))")
        for kind, told_by in looks.items():
            (card,) = page.locator(f".card.is-in-trick.{kind}").all()
            assert card.evaluate(look) == {**PLAIN, **told_by}, kind


@pytest.mark.parametrize("scheme", SCHEMES)
def test_dim_cards_are_opaque_and_their_letters_readable(
    page: Page, origin: str, scheme: Literal["light", "dark"]
) -> None:
    """Cards that may not be played, and cards that were known only later, in two colours and in four."""
    page.emulate_media(color_scheme=scheme)
    look = """cards => cards.map((card) => {
        const front = getComputedStyle(card.querySelector(".card-front"));
        return [front.opacity, getComputedStyle(card).color, front.backgroundColor];
    })"""

    def luminance(colour: str) -> float:
        found = re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", colour)
        assert found, f"{colour} is not opaque"
        parts = [int(part) / 255 for part in found.groups()]
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for suits in ("", "four"):
        inks = set()
        for address, kind in (
            (at(BELINDA, card="SA", type="card_played"), "is-unplayable"),
            (at(CLUB, card="C4"), "is-known-later"),
        ):
            page.goto("about:blank")
            visit(page, origin + address)
            page.evaluate("suits => { document.body.dataset.suits = suits }", suits)
            dim = page.locator(f".card.{kind}")
            expect(dim).not_to_have_count(0)
            for opacity, ink, ground in dim.evaluate_all(look):
                assert opacity == "1"
                assert (luminance(ground) + 0.05) / (luminance(ink) + 0.05) >= 4.5, (kind, ink, ground)
                inks.add(ink)
        assert len(inks) == (4 if suits else 2)


def test_cards_are_large_and_each_of_a_hand_can_be_read(page: Page, origin: str) -> None:
    """A fan shows the stacked index of each card, a column its top edge with rank and suit side by side."""
    for size, wide in (((390, 844), 74), ((1280, 900), 105)):
        resized(page, *size)
        visit(page, f"{origin}{BELINDA}?lang=da")
        widths = page.locator(".table .card").evaluate_all("all => all.map((one) => one.offsetWidth)")
        assert min(widths) >= wide
        covered = page.locator(".card.is-covered")
        assert covered.count() == 16, "of each hand at a side all but the last"
        assert covered.first.locator(".card-edge").is_visible()
        assert not covered.first.locator(".card-whole").is_visible()
        assert page.locator(".card-whole:visible").count() == 9 + 2
        page.goto("about:blank")


def test_a_finding_leads_to_its_card_and_to_what_shows_it(page: Page, origin: str) -> None:
    visit(page, origin + at(CLUB, lang="da"))
    revoke = page.locator(".finding", has_text="kulørsvigt.")
    revoke.get_by_role("button", name="stik 4").click()
    assert sentence(page) == "Stik 4: Carl-Christian lægger spar 3."
    expect(page.locator(".is-questioned.is-in-trick")).to_have_count(1)
    revoke.get_by_role("button", name="stik 6").click()
    assert sentence(page) == "Stik 6: Carl-Christian lægger hjerter 6."


def test_what_a_deal_can_pay_and_what_it_paid_stand_next_to_its_points(page: Page, origin: str) -> None:
    visit(page, origin + at(BELINDA, card="SK"))
    order = page.locator("[data-part=margin] h2").all_inner_texts()
    assert order[:2] == ["Still open", "The bidding"]
    bete = page.locator(".reachable tbody tr").nth(1)
    assert bete.inner_text().split() == ["bête", "−15", "0", "0"]
    # Where letters are large each figure has its player next to it, and not above.
    resized(page, 390, 664)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(page.locator(".reachable thead")).to_be_hidden()
    names = "all => all.map((one) => getComputedStyle(one, '::before').content)"
    assert bete.locator("td").evaluate_all(names) == ['"Belinda"', '"the Baron"', '"Sir Anonym"']
    resized(page, 1280, 720)
    page.evaluate("document.documentElement.style.fontSize = ''")
    # The slider has the browser's own keys. The opening and the three hands are one step; a note is none.
    page.locator(SLIDER).press("ArrowUp")
    page.keyboard.press("ArrowRight")
    assert sentence(page).startswith("Trick 4: Sir Anonym")
    expect(page.locator(".payments:visible")).to_have_count(0)
    steps = [event for event in events_of(BELINDA) if event["type"] != "note_added"][3:]
    step = where(steps, card="SJ") + 1
    assert page.locator(SLIDER).get_attribute("aria-valuetext") == f"step {step} of {len(steps)}"
    page.locator("[data-move=end]").click()
    expect(page.locator(".outcome")).to_have_text("Belinda wins the game.")
    assert page.locator(".payments .chips").all_inner_texts() == ["+23", "−9", "−9"]
    assert page.locator(".items .chips").all_inner_texts() == ["5 from each", "4 from each", "+5"]
    expect(page.get_by_text("The pool held 5 and now holds 0.")).to_be_visible()


@pytest.mark.smoke
def test_a_note_is_read_and_heard_at_its_point(page: Page, origin: str) -> None:
    """On a phone it stands right below the walk, on a desk below what can be thought of."""
    note = next(event for event in events_of(BELINDA) if event.get("mark") == "!?")
    resized(page, 360, 740)
    visit(page, f"{origin}{BELINDA}?lang=en#at={note['on']}")
    assert page.locator(".notes .note").inner_text() == f"!? {note['text']}"
    assert sentence(page).endswith("!?")
    expect(page.locator(SENTENCE)).to_contain_text(f"Note: {note['text']}")
    heard = page.locator(f"{SENTENCE} .visually-hidden")
    assert heard.evaluate("(one) => one.getBoundingClientRect().width") <= 1

    def boxes() -> list[FloatRect]:
        found = [page.locator(one).bounding_box() for one in ("[data-part=walk]", ".notes", ".tools")]
        return [box for box in found if box]

    walk, shown, what_if = boxes()
    assert 0 <= shown["y"] - walk["y"] - walk["height"] < 60
    assert shown["y"] < what_if["y"]
    resized(page, 1280, 800)
    _, shown, what_if = boxes()
    assert what_if["y"] < shown["y"]
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(note["text"])).not_to_be_visible()
    expect(page.locator(SENTENCE)).not_to_contain_text(note["text"])


def test_what_is_open_and_has_the_focus_stays_so_when_the_deal_is_drawn_anew(page: Page, origin: str) -> None:
    visit(page, origin + at(BELINDA, card="HA"))
    hands, trick = page.locator(".hands summary"), page.get_by_role("button", name="Trick 2")
    hands.click()
    expect(page.locator(".hands dd").first).to_be_visible()
    unfolded(page).locator("[data-tool=seeing]").click()
    expect(page.locator("[data-act=turn]")).to_be_visible()
    for focused in (hands, trick):
        focused.focus()
        page.evaluate("() => document.querySelector('[data-act=turn]').click()")
        expect(focused).to_be_focused()
        expect(page.locator(".hands dd").first).to_be_visible()


def test_a_deal_that_cannot_be_fetched_can_be_tried_again(page: Page, origin: str) -> None:
    address = f"**{document(BELINDA)}"
    page.route(address, lambda route: route.abort())
    page.goto(origin + BELINDA)
    expect(page.locator(SENTENCE)).to_contain_text("The deal could not be fetched.")
    page.unroute(address)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(SENTENCE)).to_contain_text("The cards are dealt.")


def test_a_reader_without_scripts_is_told_and_gets_the_file(browser: Browser, origin: str) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{origin}{BELINDA}?lang=da")
    expect(page.locator(".stage")).to_be_hidden()
    told = page.locator("#content noscript").inner_html()
    assert "Siden skal bruge JavaScript" in told
    assert document(BELINDA) in told
    page.close()


def replayed(page: Page, origin: str, events: list[Json], lang: str) -> Page:
    log = tuple(read_entry(one, seq) for seq, one in enumerate(events, 1))
    told = orjson.dumps(replay_object(audit(log), lang))
    page.route(f"**{document(CLUB)}", lambda route: route.fulfill(body=told))
    return visit(page, f"{origin}{CLUB}?lang={lang}#at=1")


@pytest.mark.smoke
def test_a_correction_says_what_stood_there_and_why(page: Page, origin: str) -> None:
    visit(page, f"{origin}{CLUB}?lang=da#at={len(events_of(CLUB))}.1")
    told = "Rettelse. Før: Carl-Christian lægger hjerter 5. Det var fireren, der faldt."
    expect(page.locator(".notes .note-correction")).to_have_text(told)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".note-correction")).to_be_hidden()


def test_what_was_taken_back_is_a_step_of_its_own(page: Page, origin: str) -> None:
    events = [event for event in evening.club_deal() if event["type"] != "correction_made"]
    early = next(place for place, event in enumerate(events) if event.get("said") == "solo!")
    withdrawal = {"type": "action_withdrawn", "of": early + 1, "text": "Det var for tidligt."}
    instead = evening.bid("middlehand", "grand-tourne")
    bids = [events[early], withdrawal, instead, *events[early + 1 : early + 3]]
    replayed(page, origin, [*events[:early], *bids], "da")
    page.evaluate(f"location.hash = 'at={early}'")
    expect(page.locator(SENTENCE)).to_contain_text("Anna kan selv")
    page.keyboard.press("ArrowRight")
    expect(page.locator(SENTENCE)).to_have_text("Taget tilbage: Bo melder solo: »solo!« Det var for tidligt.")
    expect(page).to_have_url(re.compile(f"#at={early + 2}$"))
    page.keyboard.press("ArrowRight")
    expect(page.locator(SENTENCE)).to_have_text("Bo melder tourné respect.")


def test_a_ruling_says_what_it_comes_to(page: Page, origin: str) -> None:
    ruling = {
        "type": "ruling_made", "text": "Stikket gælder.", "outcome": "bete", "at_fault": "backhand",
        "payments": {"forehand": 4, "middlehand": -8, "backhand": 4}, "penalty": {"backhand": 2},
    }  # fmt: skip
    replayed(page, origin, [*evening.club_deal(), ruling], "en")
    page.locator("[data-move=end]").click()
    assert sentence(page) == "Ruling: Stikket gælder."
    expect(page.locator(".notes .note").last).to_have_text(
        "Ruling. Bo is bête. At fault: Carl-Christian. "
        "Paid: Anna +4, Bo −8, Carl-Christian +4. Penalty: Carl-Christian 2."
    )


def test_a_deal_known_only_from_its_slip_shows_the_slip_and_why_it_pays(page: Page, origin: str) -> None:
    visit(page, f"{origin}{SLIP}?lang=en")
    slip = page.locator(".slip-stage")
    expect(slip.locator("dd")).to_have_text(["Bo", "Solo in hearts", "won", "Anna 3 · Bo 4 · Carl 2"])
    expect(slip.locator(".payments .chips")).to_have_count(3)
    expect(page.locator(":is(.card, .controls, .hands, .card-switch, [data-tool=what-if])")).to_have_count(0)
    slip.get_by_role("link", name="Write it card by card").click()
    expect(page.locator('[data-editor="text"]')).to_have_value(re.compile("Solo|solo"))


def test_a_slip_that_says_nothing_of_tricks_counts_none(page: Page, club: Club) -> None:
    table = club.table()
    deal = club.deal(table, declarer="middlehand", contract="solo", trump="H", outcome="codille")
    club.enter(page, f"/deals/{deal}?lang=en")
    expect(page.locator(".payments tr")).to_have_count(3)
    expect(page.locator(".slip-stage")).not_to_contain_text("tricks")


def test_a_deal_leads_to_the_deals_next_to_it_and_back_to_its_evening(page: Page, club: Club) -> None:
    table = club.table(title="Wednesday")
    for _ in range(3):
        club.deal(table, declarer="middlehand", contract="solo", trump="H", outcome="won")
    second = club.get(f"/deals?table={table}")["deals"][1]
    club.enter(page, f"/deals/{second['id']}?lang=en")
    place = page.locator(".deal-place")
    expect(page.locator("h1")).to_have_text("Deal 2")
    expect(page.locator(".deal-head .result")).to_have_text(re.compile("Solo in hearts: .+ won"))
    expect(place).to_contain_text("2/3")
    place.get_by_role("link", name="Next").click()
    expect(page.locator("h1")).to_have_text("Deal 3")
    expect(place.get_by_role("link", name="Next")).to_have_count(0)
    place.get_by_role("link", name="Previous").click()
    place.get_by_role("link", name="Wednesday").click()
    expect(page).to_have_url(re.compile(f"/tables/{table}/sheet"))


def test_a_finished_deal_lies_open_until_the_reader_wants_it_as_it_was_seen(page: Page, origin: str) -> None:
    visit(page, f"{origin}{SECOND}?lang=en#at=4")
    later = page.locator(".table .card.is-known-later:not(.is-hidden)")
    expect(later).to_have_count(20)
    # Hands overlap: what is seen through makes stripes.
    opacity = "card => getComputedStyle(card.querySelector('.card-front')).opacity"
    assert later.first.evaluate(opacity) == "1"
    page.get_by_label("As seen then").check()
    expect(later).to_have_count(0)


@pytest.mark.smoke
def test_best_play_stands_beside_the_moves_as_the_service_has_it(page: Page, origin: str) -> None:
    with page.expect_response("**/odds") as answered:
        visit(page, f"{origin}{BELINDA}?lang=en")
        page.locator("[data-tool=best-play]").click()
    plays = answered.value.json()["plays"]
    costly = [one for one in plays if sum(cost["chips"] * cost["deals"] for cost in one["costs"]) > 0]
    seen = {one["seq"] for one in page.request.get(origin + document(BELINDA)).json()["frames"]
            if one["event"].get("card") != "??"}  # fmt: skip
    costly = [one for one in costly if one["seq"] in seen]
    expect(page.locator(".tick-costly")).to_have_count(len(costly))
    expect(page.locator(".costly-cards li")).to_have_count(len(costly))
    assert costly
    page.locator(".costly-cards button").first.click()
    expect(page).to_have_url(re.compile(f"#at={costly[0]['seq']}$"))
    rows = page.locator(".best-play tbody tr")
    expect(rows).to_have_count(len(costly[0]["cards"]))
    expect(page.locator('.best-play [aria-current="true"]')).to_contain_text("played")
    expect(page.get_by_text("cost 2 fish. Better:")).to_contain_text("In all of them: Belinda wins the game.")
    expect(rows.first).to_contain_text("won in all 12")
    in_order(page)


def test_a_tool_opens_in_view_in_large_type(page: Page, origin: str) -> None:
    resized(page, 390, 664)
    visit(page, origin + at(BELINDA, card="SK"))
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for tool, answer in (("what-if", ".what-if-choices"), ("best-play", ".tool-panel > p")):
        page.locator(f"[data-tool={tool}]").click()
        expect(page.locator(answer).first).to_be_in_viewport(ratio=0.9)


def test_links_to_the_glossary_leave_the_texts_of_every_step_whole(page: Page, origin: str) -> None:
    visit(page, origin + at(BELINDA, card="SK"))
    expect(page.locator(".reachable a.term").first).to_be_attached()
    page.locator("[data-move=start]").click()
    texts = "all => all.map((one) => one.textContent)"
    panels = page.locator(":is(.score, .auction, .exchange, .notes)")
    count = int(page.locator(SLIDER).get_attribute("max") or 0)
    forward = []
    for _ in range(count):
        forward.append(panels.evaluate_all(texts))
        page.keyboard.press("ArrowRight")
        page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    for wanted in reversed(forward):
        page.keyboard.press("ArrowLeft")
        page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        assert panels.evaluate_all(texts) == wanted


def test_a_screen_reader_reads_a_whole_replay(page: Page, origin: str) -> None:
    """The headings, then the sentence of every step as it is spoken, then how it ended."""
    visit(page, f"{origin}{BELINDA}?lang=en")
    spoken = page.locator(SENTENCE)
    lines = [page.locator("h1").inner_text(), page.locator(".deal-head .result").inner_text()]
    while True:
        lines.append(" ".join((spoken.text_content() or "").split()))
        if page.locator("[data-move=on]").get_attribute("aria-disabled") == "true":
            break
        page.keyboard.press("ArrowRight")
    lines += [" ".join(row.split()) for row in page.locator(".score tr").all_inner_texts()]
    reading = Path(__file__).with_name("belinda-reading.txt")
    assert lines == reading.read_text(encoding="utf-8").splitlines()


def test_a_finding_leads_to_the_section_of_the_rules_that_it_cites(page: Page, origin: str) -> None:
    visit(page, f"{origin}/replays/belinda-as-printed?lang=en")
    cited = page.locator(".finding a[href*='/rules/']").first
    expect(cited).to_have_text("2. Deal")
    cited.click()
    expect(page.locator("[id='2-Deal'] h2")).to_have_text("2. Deal")
