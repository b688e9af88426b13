"""What-ifs on a deal's page: another card is played, the deal goes on from there, and it is left again."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from service.auth.grants import GrantTerms, Scope
from tests.support.web.club import Club
from tests.support.web.evening import where
from tests.support.web.eyes import Watch
from tests.support.web.network import posts
from tests.support.web.recorder import alone
from tests.support.web.showing import BELINDA, CLUB, SENTENCE, at, bare_events_of, events_of, sentence, visit

FIFTH = where(events_of(BELINDA), card="CK") - 1
"""The entry before the fifth lead: Belinda has the king of clubs and the king of hearts."""
LEADS_HEART = f"at={FIFTH}~2&from={FIFTH}&if=fHK"
TOOL = '[data-tool="what-if"]'
PANEL = '[data-part="branching"]'
BAR = ".what-if-bar"


def thinking(page: Page, address: str) -> Page:
    """The page at ``address``, with what can be thought of there."""
    visit(page, address)
    page.locator(TOOL).click()
    expect(page.locator(".what-if-choices > *").first).to_be_visible()
    return page


def cards(page: Page) -> list[str]:
    return page.locator("[data-play]").evaluate_all("all => all.map((one) => one.dataset.play)")


def ending(text: str) -> re.Pattern[str]:
    """An address that ends so; it is written once the reader rests."""
    return re.compile(f"{re.escape(text)}$")


def card(page: Page, code: str) -> Locator:
    return page.locator(f'[data-play="{code}"]')


def listed(page: Page) -> list[str]:
    """The what-ifs, each on one line."""
    return [" ".join(text.split()) for text in page.locator(".what-if-list li").all_inner_texts()]


@pytest.mark.smoke
def test_another_card_is_played_and_the_deal_goes_on_by_legal_cards(page: Page, origin: str) -> None:
    watch = Watch(page)
    thinking(page, f"{origin}{BELINDA}#at={FIFTH}")
    assert cards(page) == ["HK", "HQ", "CK", "D4", "D5"]
    expect(card(page, "CK")).to_contain_text("as played")
    card(page, "HK").click()
    expect(page.locator(SENTENCE)).to_have_text("Trick 5: Belinda leads the king of hearts.")
    expect(page.locator(BAR)).to_contain_text("Not as played: If Belinda plays the king of hearts")
    expect(page).to_have_url(ending(f"#{LEADS_HEART}"))
    # The Baron has to follow: his ace is below her king in a plain red suit.
    assert cards(page) == ["HA"]
    card(page, "HA").click()
    expect(page.locator(SENTENCE)).to_have_text("Trick 5: the Baron plays the ace of hearts.")
    # Nobody knows what the dealer has.
    expect(card(page, "??")).to_have_text("a card nobody saw")
    card(page, "??").click()
    expect(page.locator(SENTENCE)).to_contain_text("Belinda takes the trick")
    expect(page.locator(".sheet tfoot td").nth(1)).to_have_text("5")
    # She has won, and may stop here; if she leads on, all nine are at stake.
    expect(page.locator(".score .outcome")).to_have_text("Belinda wins the game.")
    card(page, "CK").click()
    expect(page.locator(".reachable tbody tr").first).to_contain_text("all nine made")
    expect(page.locator(".findings")).to_have_count(0)
    assert watch.complaints == []
    assert watch.hosts == {origin}


def test_a_card_of_the_table_is_played_and_begins_a_what_if(page: Page, origin: str) -> None:
    visit(page, f"{origin}{BELINDA}?lang=en#at={FIFTH}")
    on_table = page.locator(".table .card.can-be-played")
    assert sorted(on_table.evaluate_all("all => all.map((one) => one.dataset.card)")) == sorted(
        ["HK", "HQ", "CK", "D4", "D5"]
    )
    page.locator('.table .card[data-card="HK"]').click(position={"x": 8, "y": 12})
    expect(page.locator(SENTENCE)).to_have_text("Trick 5: Belinda leads the king of hearts.")
    expect(page.locator(BAR)).to_contain_text("Not as played")
    expect(card(page, "HA")).to_be_visible()
    page.keyboard.press("Escape")
    # What was played goes on with the deal.
    page.locator('.table .card[data-card="CK"]').click(position={"x": 8, "y": 12})
    expect(page.locator(SENTENCE)).to_contain_text("Trick 5: Belinda leads the king of clubs.")
    expect(page.locator(BAR)).to_have_count(0)


def test_a_what_if_is_left_and_entered_again_where_it_leaves_the_deal(page: Page, origin: str) -> None:
    thinking(page, f"{origin}{BELINDA}#at={FIFTH}")
    for first in ("HK", "D4"):
        card(page, first).click()
        expect(page.locator(BAR)).to_be_visible()
        page.get_by_role("button", name="Back to the deal").click()
        expect(page.locator(BAR)).to_be_hidden()
        expect(page).to_have_url(ending(f"#at={FIFTH}"))
        expect(page.locator(TOOL)).to_be_focused()
    assert listed(page) == [
        "If Belinda plays the king of hearts K from here",
        "If Belinda plays the four of diamonds 4 from here",
    ]
    page.locator('[data-move="back"]').click()
    assert [text.partition("from ")[2] for text in listed(page)] == ["trick 5", "trick 5"]
    page.locator(".what-if-list button").nth(1).click()
    expect(page.locator(SENTENCE)).to_have_text("Trick 5: Belinda leads the four of diamonds.")
    # Before it leaves, it is the deal; there the card that was played leads back into it.
    page.locator('[data-move="back"]').click()
    expect(page).to_have_url(ending(f"#at={FIFTH}&from={FIFTH}&if=fD4"))
    expect(card(page, "D4")).to_contain_text("continues like this")
    card(page, "CK").click()
    expect(page.locator(BAR)).to_be_hidden()
    expect(page.locator(SENTENCE)).to_contain_text("Trick 5: Belinda leads the king of clubs.")


def test_best_play_speaks_of_the_what_if_that_is_shown(page: Page, origin: str) -> None:
    visit(page, f"{origin}{BELINDA}?lang=en#{LEADS_HEART}.mHA")
    page.locator("[data-tool=best-play]").click()
    played = page.locator('.best-play [aria-current="true"]')
    expect(played).to_have_text(re.compile("K here"))
    recorded = page.locator(".best-play tr", has_text="as played")
    expect(recorded.locator("th")).to_have_text(re.compile("K as played"))
    expect(page.get_by_text("No card cost anything.")).to_be_visible()
    page.locator('[data-move="on"]').click()
    expect(played).to_have_text(re.compile("A here"))
    expect(recorded).to_have_count(0)
    # The king of clubs, which was played, cost something.
    page.keyboard.press("Escape")
    expect(page.locator(".costly-cards li")).to_have_count(1)


def opened_anew(page: Page) -> str:
    """Opens the page's address anew, and returns it: all of a what-if is in it."""
    address = page.url
    page.goto("about:blank")
    visit(page, address)
    return address


def done(page: Page, sign: str, sentence: str) -> None:
    """Does in a what-if what a button offers, by the keyboard; waits for what is said then."""
    card(page, sign).press("Enter")
    expect(page.locator(SENTENCE)).to_contain_text(sentence)


def test_another_call_another_game_and_another_exchange_are_thought_of(page: Page, origin: str) -> None:
    watch = Watch(page)
    thinking(page, f"{origin}{BELINDA}?lang=en")
    assert cards(page) == ["!oros", "!pass", "!play", "!solo", "!voltereta"]
    expect(card(page, "!play")).to_contain_text("as played")
    expect(page.get_by_role("group", name="Belinda may bid")).to_be_visible()
    done(page, "!pass", "Belinda passes.")
    expect(page.locator(BAR)).to_contain_text("Not as played: If Belinda passes")
    done(page, "!solo", "The Baron bids solo.")
    # Who has passed says no more, and who is behind may only go higher.
    assert cards(page) == ["!oros", "!pass"]
    done(page, "!pass", "Sir Anonym passes.")
    assert cards(page) == ["~oros*D", "~solo*C", "~solo*H", "~solo*S"]
    done(page, "~solo*H", "The Baron has the bid: solo in hearts.")
    assert cards(page) == [f"x{count}" for count in range(9)]
    done(page, "x3", "Sir Anonym discards three cards.")
    assert cards(page) == ["d3"]
    done(page, "d3", "Sir Anonym draws three cards.")
    expect(page.get_by_role("group", name="Belinda may discard this many")).to_be_visible()
    expect(page).to_have_url(ending("if=f!pass.m!solo.b!pass.m~solo*H.bx3.bd3"))
    opened_anew(page)
    expect(page.locator(SENTENCE)).to_have_text("Sir Anonym draws three cards.")
    words = ["Belindapass", "the Baronsolo", "Sir Anonympass"]
    expect(page.locator(".auction li:visible")).to_have_text(words)
    assert watch.complaints == []


def test_a_what_if_has_a_name_and_a_comment_and_is_copied_with_them(page: Page, origin: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
    comment = "The Baron’s <b>ace</b> falls & nothing is lost."
    thinking(page, f"{origin}{BELINDA}#at={FIFTH}")
    card(page, "HK").click()
    page.get_by_label("Name", exact=True).fill("A king too early")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Comment")).to_be_focused()
    page.keyboard.type(comment)
    page.get_by_label("Comment").press("Tab")
    expect(page.locator(BAR)).to_contain_text("A king too early")
    expect(page.locator(".notes .note")).to_have_text(comment)
    expect(page).to_have_url(re.compile("&name=.+&text=.+"))
    address = opened_anew(page)
    expect(page.locator(BAR)).to_contain_text("A king too early")
    expect(page.locator(".notes .note")).to_have_text(comment)
    assert sentence(page).startswith("Trick 5: Belinda leads the king of hearts.")
    expect(page).to_have_url(address)

    told = page.locator(".what-if-status")
    page.get_by_role("button", name="Copy the link").click()
    expect(told).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == address
    page.evaluate("navigator.clipboard.writeText('')")
    page.get_by_role("button", name="Copy as text").click()
    text = page.evaluate("""async () => {
        for (;;) {
            const text = await navigator.clipboard.readText();
            if (text) return text;
            await new Promise((later) => setTimeout(later, 20));
        }
    }""")
    as_text = {"Content-Type": "text/vnd.spadille.deal"}
    document = page.request.post(f"{origin}/api/v1/replay", data=text, headers=as_text).json()
    assert (document["title"], document["problems"]) == ("A king too early", [])
    events = [one["event"] for one in document["frames"]]
    assert [one["card"] for one in events if one["type"] == "card_played"][-1] == "HK"
    # A browser that does not let us copy shows it.
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    page.get_by_role("button", name="Copy as text").click()
    expect(page.get_by_label("Copy this:")).to_have_value(text)
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".what-if-list")).to_be_hidden()


def test_keys_alone_play_on_and_come_back(page: Page, origin: str) -> None:
    visit(page, f"{origin}{BELINDA}#at={FIFTH}")
    page.locator(TOOL).press("Enter")
    expect(card(page, "CK")).to_be_visible()
    card(page, "HK").press("Enter")
    # What may be played next has the focus, under the name of who plays it.
    expect(card(page, "HA")).to_be_focused()
    expect(page.get_by_role("group", name="The Baron may play", exact=True)).to_be_visible()
    expect(page.locator(".what-if-status")).to_have_text("A what-if: If Belinda plays the king of hearts.")
    page.keyboard.press("Enter")
    expect(card(page, "??")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".what-if-status")).to_have_text("Back in the deal as it was played.")
    expect(page.locator(SENTENCE)).to_contain_text("Trick 4: Sir Anonym")


def test_it_is_kept_as_a_variation_and_listed_from_then_on(page: Page, new_club: Club) -> None:
    club = new_club
    club.enter(page, f"{BELINDA}#{LEADS_HEART}.mHA&name=A+king&text=Too+early.")
    expect(page.locator(BAR)).to_contain_text("A king")
    page.get_by_role("button", name="Save with the deal").click()
    expect(page.locator(".what-if-status")).to_have_text("It is saved as a variation of this deal.")
    own = page.get_by_role("link", name="Its own page").get_attribute("href")
    assert own is not None
    visit(page, f"{club.origin}{own}#at=2")
    expect(page.locator("h1")).to_have_text("A king")
    expect(page.locator(".notes .note")).to_have_text("Too early.")
    assert sentence(page).startswith("Trick 5: Belinda leads the king of hearts.")
    # Whoever opens the deal finds it, and enters it as any other.
    thinking(page, f"{club.origin}{BELINDA}#at=3")
    expect(page.locator(".what-if-list li")).to_have_text("A king from trick 5")
    page.locator(".what-if-list button").click()
    expect(page.locator(SENTENCE)).to_contain_text("Trick 5: Belinda leads the king of hearts.")
    expect(page).to_have_url(ending(f"#at={FIFTH}~2&of={own.rpartition('/')[2]}"))
    address = page.url
    card(page, "HA").click()
    expect(page.locator(SENTENCE)).to_have_text("Trick 5: the Baron plays the ace of hearts.")
    page.goto("about:blank")
    visit(page, address)
    expect(page.locator(BAR)).to_contain_text("A king")
    expect(page.locator(SENTENCE)).to_contain_text("Trick 5: Belinda leads the king of hearts.")


def test_a_reader_who_may_record_nothing_explores_and_keeps_nothing(page: Page, club: Club) -> None:
    thinking(page, f"{club.origin}{BELINDA}#at={FIFTH}")
    page.route("**/api/v1/replay?*", lambda route: route.abort())
    card(page, "HK").click()
    expect(page.locator(".what-if-status")).to_contain_text("could not be worked out")
    expect(page.locator(BAR)).to_be_hidden()
    page.unroute("**/api/v1/replay?*")
    sent = posts(page)
    card(page, "HK").click()
    expect(page.locator(SENTENCE)).to_contain_text("Trick 5: Belinda leads the king of hearts.")
    expect(page.get_by_role("button", name="Copy the link")).to_be_visible()
    expect(page.get_by_role("button", name="Save with the deal")).to_have_count(0)
    assert [one.url for one in sent] == [f"{club.origin}/api/v1/replay?viewer=all"]


def test_a_recorded_deal_is_thought_on_too(page: Page, origin: str) -> None:
    """Its corrections are in it: entries of the deal keep their names."""
    lead = where(events_of(CLUB), card="C5")
    thinking(page, origin + at(CLUB, card="C5"))
    other = next(code for code in cards(page) if "as played" not in card(page, code).inner_text())
    before = sentence(page)
    card(page, other).click()
    expect(page.locator(BAR)).to_be_visible()
    expect(page).to_have_url(re.compile(f"from={lead}&if="))
    page.locator('[data-move="back"]').click()
    assert sentence(page) == before
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile(f"#at={lead}"))


def test_a_reader_who_sees_a_deal_as_a_seat_is_offered_no_other_hand(page: Page, origin: str) -> None:
    visit(page, f"{origin}{BELINDA}#at={FIFTH}")
    page.get_by_label("By seat").check()
    page.locator('[name="viewer"]').select_option("middlehand")
    expect(page.locator(".is-hidden").first).to_be_attached()
    page.locator(TOOL).click()
    expect(page.locator(PANEL)).to_contain_text("This hand is not known here.")
    assert cards(page) == ["??"]
    with page.expect_response("**/api/v1/replay?*") as answered:
        card(page, "??").click()
    expect(page.locator(BAR)).to_be_visible()
    assert answered.value.url.endswith("/replay?viewer=middlehand")
    hands = answered.value.json()["frames"][-1]["state"]["hands"]
    assert hands["forehand"]["cards"] == hands["backhand"]["cards"] == []
    # Of the own hand any card may follow one that was not seen.
    assert sorted(cards(page)) == sorted(hands["middlehand"]["cards"])


def test_a_player_of_a_running_deal_explores_what_that_seat_knows(page: Page, club: Club) -> None:
    """The service is sent the log as the player was told it, and no more is in its answer."""
    opening, *rest = bare_events_of(BELINDA)[:FIFTH]
    deal = alone(club, "ombre", *rest, players=opening["players"])
    club.enter(page, f"/deals/{deal}", GrantTerms("player", Scope("deal", deal), seat="middlehand"))
    page.locator('[data-move="end"]').click()
    sent = posts(page)
    page.locator(TOOL).click()
    expect(card(page, "??")).to_be_visible()
    assert cards(page) == ["??"]
    card(page, "??").click()
    expect(card(page, "HA")).to_be_visible()
    assert sorted(cards(page)) == ["DJ", "DK", "DQ", "HA", "SQ"]
    card(page, "HA").click()
    expect(page.locator(SENTENCE)).to_contain_text("the Baron plays the ace of hearts")
    expect(page.get_by_role("button", name="Save with the deal")).to_have_count(0)
    assert len(sent) == 2
    secret = [one for event in rest if event.get("seat") != "middlehand" for one in event.get("cards", [])]
    assert len(secret) > 20
    played = {event["card"] for event in rest if event["type"] == "card_played"}
    for one in set(secret) - played - {"??"}:
        assert f'"{one}"' not in (sent[-1].post_data or ""), one
