"""The replayer in a real browser: walking through a deal, the table, and what stands beside it."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.support.web.club import Club
from tests.support.web.evening import Json, where
from tests.support.web.eyes import resized
from tests.support.web.recorder import alone, version
from tests.support.web.showing import (
    BELINDA,
    BOARD,
    CLUB,
    CODILLE,
    PRINTED,
    PUESTA,
    SECOND,
    SENTENCE,
    SLIP,
    at,
    document,
    evaluated,
    events_of,
    opened,
    said,
)

SLIDER = '[data-part="scrubber"]'


def sent_with(page: Page, path: str, **changes: Any) -> None:
    """Lets the page have a deal's document with these members changed."""

    def answer(route: Route) -> None:
        route.fulfill(body=json.dumps({**route.fetch().json(), **changes}))

    page.route(f"**{document(path)}", answer)


def text_of(items: Locator) -> list[str]:
    """What each of the items says, on one line."""
    return [" ".join(text.split()) for text in items.all_inner_texts()]


# Walking through the deal


@pytest.mark.smoke
def test_the_keys_walk_by_card_and_by_trick(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + BELINDA)
    assert said(page) == "The cards are dealt. Belinda is forehand and speaks first."
    page.keyboard.press("ArrowRight")
    assert said(page) == "Belinda bids play: “I play”."
    page.keyboard.press("Shift+ArrowRight")
    assert said(page) == "Belinda has the bid: play in spades."
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    assert said(page) == "Trick 1: Sir Anonym plays the four of spades; Belinda takes the trick."
    page.keyboard.press("ArrowLeft")
    assert said(page) == "Trick 1: the Baron plays the three of spades."
    page.locator('[data-move="on"]').focus()
    page.keyboard.press("End")
    assert said(page) == "Belinda had the bid: play in spades. Belinda wins the game."
    page.keyboard.press("ArrowUp")
    assert said(page) == "Trick 9: Belinda plays the king of hearts and takes the trick. !!"
    page.keyboard.press("ArrowUp")
    assert said(page).startswith("Trick 8: Belinda plays the queen of hearts")
    page.keyboard.press("Home")
    assert said(page).startswith("The cards are dealt.")


def test_the_slider_has_the_browsers_own_keys(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + at(BELINDA, card="SK"))
    page.locator(SLIDER).focus()
    page.keyboard.press("ArrowUp")
    assert said(page) == "Trick 4: the Baron plays the jack of spades."
    page.keyboard.press("ArrowRight")
    assert said(page).startswith("Trick 4: Sir Anonym")
    # The opening and the three hands are one step, and what was noted is none of its own.
    steps = [event for event in events_of(BELINDA) if event["type"] != "note_added"][3:]
    step = where(steps, card="SJ") + 1
    assert page.locator(SLIDER).get_attribute("aria-valuetext") == f"step {step} of {len(steps)}"


def test_the_address_keeps_the_point(chromium_page: Page, origin: str) -> None:
    basta = where(events_of(BELINDA), card="CA")
    page = opened(chromium_page, f"{origin}{BELINDA}#at={basta}")
    assert said(page) == "Trick 3: Belinda leads basta."
    page.locator('[data-move="on"]').click()
    expect(page).to_have_url(re.compile(f"#at={basta + 1}$"))
    page.reload()
    expect(page.locator(SENTENCE)).to_have_text("Trick 3: the Baron plays the seven of spades.")
    page.goto(f"{origin}{BELINDA}#at={where(events_of(BELINDA), card='SJ') + 1}")
    expect(page.locator(SENTENCE)).to_contain_text("Trick 4: Sir Anonym")


def test_an_address_that_names_no_step_leads_to_the_one_before(chromium_page: Page, origin: str) -> None:
    chromium_page.goto(origin)
    events = events_of(CLUB)
    wrong, last = where(events, card="H5"), len(events) - 1
    found = evaluated(
        chromium_page,
        "steps",
        """const [address, seqs] = given;
        const steps = it.stepsOf(await (await fetch(address)).json());
        return seqs.map((seq) => steps[it.stepAt(steps, seq)].frame.seq);""",
        document(CLUB),
        [2, f"{last + 1}.1", last + 1, wrong, 99, "x"],
    )
    assert found == [2, f"{last + 1}.1", f"{last + 1}.1", wrong - 1, last, 2]


def test_a_slip_opens_on_what_it_tells(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + at(SLIP))
    assert "Bo" in said(page)
    expect(page.get_by_text("Bo wins the game.")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("#at=1$"))
    page.reload()
    expect(page.locator(SENTENCE)).to_contain_text("The cards are dealt.")
    opened(page, origin + at(BELINDA))
    assert said(page).startswith("The cards are dealt")


def test_a_swipe_walks_a_card(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + BELINDA)
    swipe = """(table) => {
      const at = (type, clientX) => new PointerEvent(type, {clientX, pointerType: "touch", bubbles: true});
      table.dispatchEvent(at("pointerdown", 300));
      table.dispatchEvent(at("pointerup", 200));
    }"""
    page.locator('[data-part="table"]').evaluate(swipe)
    assert said(page).startswith("Belinda bids")


def test_no_button_moves_from_step_to_step(chromium_page: Page, origin: str) -> None:
    resized(chromium_page, 360, 640)
    page = opened(chromium_page, origin + at(PRINTED, lang="da"))
    seen = page.evaluate(
        """() => {
            const part = (name) => document.querySelector(`[data-${name}]`);
            const {max} = part('part="scrubber"');
            return Array.from({length: Number(max)}, () => {
                part('move="on"').click();
                return [part('move="on"').getBoundingClientRect().top, part('part="sentence"').textContent];
            });
        }"""
    )
    tops, sentences = zip(*seen, strict=True)
    assert len(set(sentences)) > 30
    assert len(set(tops)) == 1


def test_a_button_that_is_held_walks_on_until_it_is_let_go(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + BELINDA)
    page.locator('[data-move="on"]').hover()
    page.mouse.down()
    page.wait_for_function("() => document.querySelector('[data-part=scrubber]').value >= 4")
    page.mouse.up()
    there = page.locator(SLIDER).input_value()
    page.locator('[data-move="back"]').click()
    assert int(page.locator(SLIDER).input_value()) == int(there) - 1


def test_a_deal_plays_itself_until_somebody_takes_it_in_hand(chromium_page: Page, origin: str) -> None:
    page = chromium_page
    page.clock.install()
    opened(page, origin + BELINDA)
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


def test_a_live_deal_plays_itself_before_whoever_is_at_its_end(chromium_page: Page, club: Club) -> None:
    page, deal = chromium_page, alone(club)
    club.enter(page, f"/deals/{deal}?lang=en")
    expect(page.locator("main[data-waiting]")).to_have_count(0)
    said_so_far = said(page)
    bids = [
        {"type": "bid_made", "seat": "forehand", "bid": "solo"},
        {"type": "bid_made", "seat": "middlehand", "bid": "pass"},
    ]
    club.post(f"/deals/{deal}/events", bids, version(club, deal))
    expect(page.locator(SENTENCE)).to_have_text("Bo passes.")
    page.keyboard.press("Home")
    page.locator('[data-move="start"]').click()
    assert said(page) == said_so_far
    club.post(
        f"/deals/{deal}/events", {"type": "bid_made", "seat": "backhand", "bid": "pass"}, version(club, deal)
    )
    expect(page.locator(SLIDER)).to_have_attribute("max", "3")
    assert said(page) == said_so_far


# How it is seen


def test_the_table_can_be_turned_and_seen_from_a_seat(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + at(BELINDA, card="SJ"))
    at_the_bottom = page.locator('.seat[data-side="bottom"]')
    faces = page.locator(".table .card:not(.is-hidden)")
    shown = faces.count()
    expect(at_the_bottom).to_contain_text("Belinda")
    page.get_by_text("How it is seen").click()
    page.locator('[data-act="turn"]').click()
    expect(at_the_bottom).to_contain_text("the Baron")
    here = said(page)
    page.get_by_label("Seen by").select_option("backhand")
    expect(page.locator(".seat", has_text="Belinda")).to_be_visible()
    page.wait_for_function(
        "(shown) => document.querySelectorAll('.table .card:not(.is-hidden)').length < shown", arg=shown
    )
    assert said(page) == here


def barred(page: Page) -> list[str]:
    """The cards that lie in the shade."""
    return page.locator(".card.is-barred").evaluate_all("all => all.map((one) => one.dataset.card).sort()")


def test_what_may_not_be_played_lies_in_the_shade(chromium_page: Page, origin: str) -> None:
    """The legal cards of whoever is to play: no step asks the service for them."""
    page = chromium_page
    page.goto(origin)
    frames = page.evaluate("address => fetch(address).then((told) => told.json())", document(BELINDA))[
        "frames"
    ]
    opened(page, origin + at(BELINDA, card="SA", type="card_played"))
    seen = 0
    lead = where(events_of(BELINDA), card="SA", type="card_played")
    for frame in frames[lead - 1 :]:
        legal, hands = frame["legal"], frame["state"]["hands"]
        if frame["event"]["type"] != "card_played":
            break
        told = legal if legal and legal["action"] == "play" and not legal.get("hidden") else None
        due = sorted(set(hands[told["seat"]]["cards"]) - set(told["cards"])) if told else []
        assert barred(page) == due, frame["seq"]
        seen += bool(due)
        page.keyboard.press("ArrowRight")
    assert seen > 5


def test_the_shade_can_be_left_off_and_the_device_remembers(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + at(BELINDA, card="SK"))
    face = page.locator('.card[data-card="HA"] .card-front')
    colour = "card => getComputedStyle(card).backgroundColor"
    shaded = face.evaluate(colour)
    page.locator("[data-part=seeing] summary").focus()
    page.keyboard.press("Enter")
    choice = page.get_by_label("In shade what may not be played")
    expect(choice).to_be_checked()
    choice.focus()
    page.keyboard.press(" ")
    lying = face.evaluate(colour)
    assert lying != shaded
    page.reload()
    expect(page.locator("main[data-waiting]")).to_have_count(0)
    assert face.evaluate(colour) == lying
    page.locator("[data-part=seeing] summary").click()
    page.get_by_label("In shade what may not be played").click()
    assert face.evaluate(colour) == shaded


def test_what_the_deal_can_still_pay_stands_beside_every_point(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + at(BELINDA, card="SK"))
    order = page.locator("[data-part=margin] > :not([hidden]) h2").all_inner_texts()
    assert order[:2] == ["Still open", "The bidding"]
    assert text_of(page.locator(".reachable tbody tr"))[1] == "bête −15 0 0"
    page.keyboard.press("ArrowRight")
    expect(page.locator(".reachable")).to_be_visible()


def test_the_hands_are_told_in_words_where_the_reader_asks_for_them(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + at(BELINDA, card="SK"))
    expect(page.locator(".hands dd")).to_have_count(0)
    page.locator(".hands summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".hands dd").last).to_contain_text("the Baron: play")
    assert "the queen of spades" in page.locator(".hands").aria_snapshot()
    page.locator('[data-move="on"]').click()
    expect(page.locator(".hands dt").last).to_have_text("May now")
    expect(page.locator(".hands dd").last).to_contain_text("Sir Anonym")


def test_what_was_known_only_later_is_shown_as_far_back_as_it_is_sure(
    chromium_page: Page, origin: str
) -> None:
    """A hand that nobody saw buys two unseen cards, and plays the king: it was there behind the exchange."""
    page = opened(chromium_page, origin + BELINDA)
    hand = [{"cards": [], "unknown": 9}, {"cards": [], "unknown": 7}, {"cards": [], "unknown": 9}]
    talon = [{"count": 13, "cards": []}, {"count": 13, "cards": []}, {"count": 11, "cards": []}]
    sold = [{}, *[{"forehand": {"cards": [], "count": 2}}] * 2]
    states: list[Json] = [
        {"hands": {"forehand": held}, "talon": lying, "discards": gone}
        for held, lying, gone in zip(hand, talon, sold, strict=True)
    ]
    trick = {"number": 1, "seats": ["forehand"], "cards": ["SK"], "seqs": [9], "winner": None}
    states.append({**states[-1], "hands": {"forehand": {"cards": [], "unknown": 8}}, "tricks": [trick]})
    told = evaluated(
        page,
        "later",
        """const { tracksOf } = await import("/static/js/tracks.js");
        const later = (track) => [...track.values()].filter((slot) => slot.later);
        const tracks = it.knownLater(tracksOf(given[0]), given[0]);
        return tracks.map((track) => later(track).map((slot) => slot.card));""",
        states,
    )
    assert told == [[], [], ["SK"], []]


# The table


def test_the_forty_cards_are_the_same_ones_at_every_step(chromium_page: Page, origin: str) -> None:
    chromium_page.goto(origin)
    for deal in (BELINDA, PRINTED, SECOND, CLUB, BOARD, SLIP):
        numbers = evaluated(
            chromium_page,
            "tracks",
            """const deal = await (await fetch(given[0])).json();
            const tracks = it.tracksOf(deal.frames.map((frame) => frame.state));
            return tracks.map((track) => [...track.keys()].sort((one, other) => one - other));""",
            document(deal),
        )
        assert all(track == list(range(40)) for track in numbers), deal


def test_only_what_changed_moves(chromium_page: Page, origin: str) -> None:
    """The play of a card moves it from its hand to the trick, and nothing that lies elsewhere."""
    chromium_page.goto(origin)
    king = where(events_of(BELINDA), card="SK")
    moved = evaluated(
        chromium_page,
        "tracks",
        """const [address, king] = given;
        const deal = await (await fetch(address)).json();
        const frames = deal.frames.filter((frame) => [king - 1, king].includes(frame.seq));
        const [before, after] = it.tracksOf(frames.map((frame) => frame.state));
        const zone = (slot) => slot.zone + " " + slot.seat;
        const elsewhere = [...after].filter(([piece, slot]) => zone(slot) !== zone(before.get(piece)));
        return elsewhere.map(([piece, slot]) => slot.card + " " + zone(slot));""",
        document(BELINDA),
        king,
    )
    assert sorted(moved) == ["?? won forehand", "CA won forehand", "S7 won forehand", "SK trick forehand"]


def test_a_card_whose_suit_is_known_never_becomes_one_of_another(chromium_page: Page, origin: str) -> None:
    """Where a hand is known by suits alone, what is played is the piece that lay there as that suit."""
    chromium_page.goto(origin)
    faces: list[list[str]] = evaluated(
        chromium_page,
        "tracks",
        """const deal = await (await fetch(given[0])).json();
        const faces = new Map();
        for (const track of it.tracksOf(deal.frames.map((frame) => frame.state))) {
            for (const [piece, { card }] of track) {
                faces.set(piece, (faces.get(piece) ?? new Set()).add(card));
            }
        }
        return [...faces.values()].map((cards) => [...cards]);""",
        document(SECOND),
    )
    suits = [{card[0] for card in cards} - {"?"} for cards in faces]
    assert max(len(one) for one in suits) == 1
    assert any({"CJ", "C?"} <= set(cards) for cards in faces)


def test_play_goes_anticlockwise_seen_from_above(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + BELINDA)
    sides = page.locator(".seat").evaluate_all("labels => labels.map(label => label.dataset.side)")
    assert sides == ["bottom", "right", "left"]


def test_where_the_deal_goes_clockwise_two_seats_change_sides(chromium_page: Page, origin: str) -> None:
    sent_with(chromium_page, BELINDA, direction="clockwise")
    page = opened(chromium_page, origin + BELINDA)
    sides = page.locator(".seat").evaluate_all("labels => labels.map(label => label.dataset.side)")
    assert sides == ["bottom", "left", "right"]


def test_a_hand_is_sorted_with_trumps_first(chromium_page: Page, origin: str) -> None:
    chromium_page.goto(origin)
    hands = evaluated(
        chromium_page,
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


PLAIN = {"back": "0", "edge": "none", "mark": "none", "ring": "none"}


@pytest.mark.parametrize(
    ("address", "kind", "told_by"),
    [
        (at(CLUB, "da", card="D?"), "is-suit-only", {"edge": "dashed"}),
        (at(CLUB, "da", card="D?"), "is-hidden", {"back": "1"}),
        (at(CLUB, "da", card="S3"), "is-questioned", {"mark": '"?"'}),
        (f"{BELINDA}#at={where(events_of(BELINDA), card='SJ') + 1}", "is-won", {"ring": '""'}),
        (at(BELINDA, card="CK", type="card_played"), "is-in-trick", {}),
    ],
)
def test_a_card_says_what_it_is_without_colour(
    chromium_page: Page, origin: str, address: str, kind: str, told_by: dict[str, str]
) -> None:
    page = opened(chromium_page, origin + address)
    page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))")
    (card,) = page.locator(f".card.is-in-trick.{kind}").all()
    look = """(card) => {
        const style = (part, where) => getComputedStyle(part ? card.querySelector(part) : card, where);
        return {back: style(".card-back").opacity, edge: style(".card-front").borderTopStyle,
                mark: style(".card-mark", "::after").content, ring: style(null, "::after").content};
    }"""
    assert card.evaluate(look) == {**PLAIN, **told_by}


def test_a_card_in_a_hand_is_under_question_where_its_statement_is(chromium_page: Page, origin: str) -> None:
    """The misprint: what the book says of the Baron's hand questions the king that Belinda holds."""
    page = opened(chromium_page, origin + at(PRINTED, type="hand_held", seat="middlehand"))
    questioned = page.locator(".card.is-questioned")
    assert questioned.evaluate_all("cards => cards.map((card) => card.dataset.card)") == ["SK"]
    page.locator('[data-move="on"]').click()
    expect(questioned).to_have_count(0)


def test_the_danish_cards_have_danish_letters(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + at(CLUB, lang="da"))
    letters = page.locator(".card-index b").all_inner_texts()
    assert sorted(letters) == sorted(["E", "E", "K", "K", "K", "Kn", "7", "4", "3"])
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    assert said(page) == "Bo har meldingen: solo i hjerter."


def test_motion_is_left_out_for_those_who_ask(chromium_page: Page, origin: str) -> None:
    times = []
    for wish in ("no-preference", "reduce"):
        chromium_page.emulate_media(reduced_motion=wish)
        opened(chromium_page, origin + at(BELINDA, card="S5"))
        chromium_page.keyboard.press("ArrowRight")
        times.append(
            chromium_page.locator(".card").first.evaluate("card => getComputedStyle(card).transitionDuration")
        )
    assert times == ["0.38s", "0s"]


# Beside the table


def test_a_finding_leads_to_its_card_and_to_what_shows_it(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + at(CLUB, lang="da"))
    revoke = page.locator(".finding", has_text="kulørsvigt.")
    revoke.get_by_role("button", name="stik 4").click()
    assert said(page) == "Stik 4: Carl-Christian lægger spar 3."
    expect(page.locator(".is-questioned.is-in-trick")).to_have_count(1)
    revoke.get_by_role("button", name="stik 6").click()
    assert said(page) == "Stik 6: Carl-Christian lægger hjerter 6."


@pytest.mark.parametrize(("language", "king"), [("en", "the king of spades"), ("da", "spar konge")])
def test_a_card_in_a_finding_is_drawn_and_read_out(
    chromium_page: Page, origin: str, language: str, king: str
) -> None:
    page = opened(chromium_page, origin + at(PRINTED, lang=language))
    for finding in page.locator(".finding").all():
        (sign,) = finding.locator(".card-sign").all()
        assert sign.inner_text() == "K"
        expect(sign.locator(".pip-black")).to_have_count(1)
        assert finding.locator(".unseen").inner_text() == king
        assert "SK" not in finding.inner_text()
    opened(chromium_page, origin + at(CLUB, lang=language))
    expect(page.locator(".finding .pip-red")).to_have_count(2)


def test_what_is_no_card_stays_as_it_is_written(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + BELINDA)
    texts = ["DAD says SA3, H77 and xCK.", "D7.", "Bo's S? and ??"]
    read = evaluated(
        page,
        "cards",
        """const words = (await import("/static/js/words-en.js")).default;
        const spoken = (piece) => piece.querySelector?.(".unseen")?.textContent ?? piece.textContent ?? piece;
        return given.map((text) => it.textWithCards(text, words).map(spoken).join(""));""",
        *texts,
    )
    assert read == [texts[0], "the seven of diamonds.", "Bo’s one of the spades and an unseen card"]


def test_a_corrected_entry_says_so(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, f"{origin}{CLUB}?lang=da#at={len(events_of(CLUB))}.1")
    assert said(page) == "Stik 3: Carl-Christian lægger hjerter 4. Skrevet om ved en senere rettelse."


def test_the_score_explains_every_chip_when_it_is_decided(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + at(BELINDA, card="HA"))
    expect(page.locator(".payments:visible")).to_have_count(0)
    assert page.locator(".reachable tbody th").all_inner_texts() == ["won", "bête", "codille"]
    page.locator('[data-move="trick-on"]').click()
    expect(page.locator(".outcome")).to_have_text("Belinda wins the game.")
    assert page.locator(".payments .chips").all_inner_texts() == ["+23", "−9", "−9"]
    assert page.locator(".items .chips").all_inner_texts() == ["5 from each", "4 from each", "+5"]
    expect(page.get_by_text("The pool held 5 and now holds 0.")).to_be_visible()


@pytest.mark.parametrize(("language", "word"), [("en", "depends"), ("da", "afhænger")])
def test_what_depends_on_the_tricks_is_said_to(
    chromium_page: Page, origin: str, language: str, word: str
) -> None:
    """Open are which defender is paid for a codille, and whether the first five tricks will be paid for."""
    page = opened(chromium_page, origin + at(BELINDA, language, card="S2", type="card_played"))
    rows = text_of(page.locator(".reachable tbody tr"))
    assert [row.partition(" ")[2] for row in rows] == [
        f"{word} {word} {word}",
        "−15 0 0",
        f"−15 {word} {word}",
    ]


def test_what_goes_to_the_pool_is_stated_in_all(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, f"{origin}{PUESTA}#at=3")
    assert page.locator(".items .chips").all_inner_texts() == ["−10", "−7"]
    expect(page.get_by_text("The pool held 7 and now holds 7. Set aside: 17.")).to_be_visible()
    page = opened(chromium_page, f"{origin}{CODILLE}?lang=da#at=2")
    assert page.locator(".items .chips").all_inner_texts() == ["−10", "−7"]
    assert page.locator(".payments .chips").all_inner_texts() == ["−17", "+17", "0"]


def test_the_pool_is_known_by_its_mark_and_not_by_its_name(chromium_page: Page, origin: str) -> None:
    page = chromium_page
    page.goto(origin)
    fetched = "address => fetch(address).then((answer) => answer.json())"
    frames = page.evaluate(fetched, document(SLIP))["frames"]
    items = [
        {"label": "a whirlpool", "each": 2, "rule": None},
        {"label": "the dish", "each": 4, "rule": None, "pool": True},
        {"label": "as the director ruled", "each": 0, "rule": None},
    ]
    frames[-1]["score"]["items"] = items
    sent_with(page, SLIP, frames=frames)
    opened(page, f"{origin}{SLIP}#at=2")
    assert page.locator(".items .chips").all_inner_texts() == ["2 from each", "+4", ""]


def test_the_reasons_are_in_danish_too(chromium_page: Page, origin: str) -> None:
    page = opened(chromium_page, origin + at(CLUB, "da", card="SK", type="card_played"))
    assert text_of(page.locator(".items tr")) == ["solo vundet 7. Takster 3 fra hver"]
    opened(page, origin + at(BELINDA, "da", type="result_recorded"))
    expect(page.locator(".items tr").nth(1)).to_contain_text("estuches: 4 i træk fra spadille")


def test_the_sheet_fills_as_the_cards_fall(chromium_page: Page, origin: str) -> None:
    fifth = where(events_of(BELINDA), card="SQ", type="card_played") + 1
    page = opened(chromium_page, f"{origin}{BELINDA}#at={fifth}")
    assert page.locator(".sheet tfoot td").all_inner_texts() == ["", "4", "1", "0"]
    assert page.locator(".sheet .is-winner").count() == 5
    page.get_by_role("button", name="Trick 2").click()
    assert said(page).startswith("Trick 2: Sir Anonym")
    assert page.locator(".sheet .is-winner").count() == 2


def test_a_note_stands_beside_its_point_with_its_mark(chromium_page: Page, origin: str) -> None:
    note = next(event for event in events_of(BELINDA) if event.get("mark") == "!?")
    page = opened(chromium_page, f"{origin}{BELINDA}#at={note['on']}")
    assert page.locator(".notes .note").inner_text() == f"!? {note['text']}"
    assert said(page).endswith("!?")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(note["text"])).not_to_be_visible()


def test_long_words_of_somebody_stand_in_the_margin(chromium_page: Page, origin: str) -> None:
    gap = next(event for event in events_of(PRINTED) if event["type"] == "gap_noted")
    page = opened(chromium_page, origin + at(PRINTED, type="gap_noted"))
    assert said(page) == "Here entries are missing."
    expect(page.locator(".notes .note")).to_have_text(gap["text"])


# When it cannot be shown


def test_a_deal_that_cannot_be_fetched_can_be_tried_again(chromium_page: Page, origin: str) -> None:
    address = f"**{document(BELINDA)}"
    chromium_page.route(address, lambda route: route.abort())
    chromium_page.goto(origin + BELINDA)
    expect(chromium_page.locator(SENTENCE)).to_contain_text("The deal could not be fetched.")
    chromium_page.unroute(address)
    chromium_page.get_by_role("button", name="Try again").click()
    expect(chromium_page.locator(SENTENCE)).to_contain_text("The cards are dealt.")


def test_a_reader_without_scripts_is_told_and_gets_the_file(chromium_page: Page, origin: str) -> None:
    browser = chromium_page.context.browser
    assert browser is not None
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{origin}{BELINDA}?lang=da")
    expect(page.locator(".stage")).to_be_hidden()
    told = page.locator("#content noscript").inner_html()
    assert "Siden skal bruge JavaScript" in told
    assert document(BELINDA) in told
    context.close()
