"""The play: who follows, who wins, when it ends, unseen cards, and revokes, never found on a mere doubt."""

from typing import Any

import pytest

from tests.support.engine.answers import asked, findings, payment, turn
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    a_deal,
    audited,
    bids,
    cards_shown,
    codes,
    due_after,
    gap,
    hand_held,
    legal_after,
    names,
    plays,
    score_after,
    stands,
    state_after,
    swap,
)

HANDS = ("SA S2 CA HK HQ HJ D7 D6 D5", "S7 S6 CK CQ CJ H2 H3 DK DQ", "SK SQ SJ C7 C6 C5 H4 H5 DJ")


def solo(trump: str = "H", *hands: str, **opening: Any) -> list[Event]:
    """Forehand's solo, nobody having exchanged: play is due."""
    contract = "spade-solo" if trump == "S" else "solo"
    events = a_deal(*hands, **opening) + bids(f"F {contract}, M pass, B pass")
    return events + names("F", contract, trump) + stands("M B")


def nolo(contract: str, *hands: str) -> list[Event]:
    return a_deal(*hands) + bids(f"F {contract}, M pass, B pass") + names("F", contract)


def playable(policy: str, lead: str, hand: str) -> str:
    """What middlehand may play to forehand's lead, hearts being trumps, with diamonds for the other cards."""
    rest = [code for code in ("D2", "D3", "D4", "D5", "D6", "DJ", "DQ", "DK") if code not in hand]
    whole = " ".join([*hand.split(), *rest][:9])
    cards = due_after(solo("H", "", whole, switches={"matadors": policy}) + plays(f"F-{lead}"))["cards"]
    return "any" if len(cards) == 9 else " ".join(cards)


@pytest.mark.parametrize(
    ("lead", "hand", "by_policy"),
    [
        pytest.param("H7", "SA CA", ("CA SA", "any", "any"), id="spadille and basta, manille led"),
        pytest.param("H7", "CA", ("CA", "CA", "any"), id="basta alone, manille led"),
        pytest.param("SA", "H7 CA", ("CA H7", "CA H7", "any"), id="spadille compels the lower ones"),
        pytest.param("CA", "H7", ("any", "any", "any"), id="basta compels neither"),
        pytest.param("H4", "CA", ("any", "any", "any"), id="a low trump compels no matador"),
        pytest.param("H4", "CA H2", ("CA H2", "CA H2", "CA H2"), id="a low trump must follow"),
    ],
)
def test_the_privilege_of_the_matadors(lead: str, hand: str, by_policy: tuple[str, str, str]) -> None:
    policies = ("forced-by-higher", "can-beat-lead", "absolute")
    assert tuple(playable(policy, lead, hand) for policy in policies) == by_policy


FIVE = "F-SA M-H2 B-H4 F-CA M-H3 B-H5 F-HK M-S6 B-DJ F-HQ M-S7 B-C5 F-HJ M-CJ B-C6"
NUMBERED = " ".join(f"{word}@{1 + n // 3}" for n, word in enumerate(FIVE.split()))
KNOWN = solo("H", *HANDS)
FOUND: dict[str, tuple[list[Event], str]] = {
    "out of turn": (solo() + plays("F-D2 B-D3"), "wrong_seat"),
    "a lead by one who did not win": (solo() + plays("F-D2 M-D3 B-DK M-C3"), "wrong_seat"),
    "before the exchange is over": (solo()[:-2] + plays("F-H4"), "wrong_phase"),
    "a card known to be elsewhere": (solo("H", "", HANDS[1]) + plays("F-CK"), "card_duplicated"),
    "after the end": (
        KNOWN + plays(FIVE + " F-S2 M-CK B-C7"),
        "26 play_after_end",
    ),
    "right trick numbers": (KNOWN + plays(NUMBERED), ""),
    "entries missing": (solo() + plays("F-SA@1 M-H2@1 B-H3@1 M-C2@4 B-CK@4 F-C3@4"), "11 incomplete"),
    "the last card of a trick missing": (solo() + plays("F-D2@1 M-D3@1 B-S2@2"), "incomplete"),
    "a number that has passed": (solo() + plays("F-SA@1 M-H2@1 B-H3@1 F-H7@1"), "trick_mismatch"),
    "anybody after a gap": ([*solo(), *plays("F-SA M-H2 B-H3"), gap(), *plays("B-CK")], ""),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_of_the_play(name: str) -> None:
    events, expected = FOUND[name]
    assert findings(events) == expected


def test_after_a_card_out_of_turn_the_trick_goes_on() -> None:
    """A trick has one card of each: the next one still completes it."""
    for words, winner in (("F-D2 M-C2 M-D3 B-DK", B), ("F-D2 B-D3 B-D4 M-DK", M), ("F-D2 F-D3 M-D4 B-DK", B)):
        events = solo() + plays(words)
        assert state_after(events)["tricks"][0]["winner"] == due_after(events)["seat"] == winner, words
        assert len(events) not in [seq for seq, _ in codes(events)], words
    assert turn(FOUND["out of turn"][0]) == "M play"
    lead = FOUND["a lead by one who did not win"][0]
    assert turn(lead) == "B play"
    assert state_after(lead)["tricks_won"] == {F: 0, M: 0, B: 1}
    assert state_after(FOUND["before the exchange is over"][0])["phase"] == "play"


def test_a_tenth_card_is_not_held() -> None:
    for cards in (["D2", "D3", "D4", "D5", "D6", "C2", "C3", "C4", "C5", "C6"], ["??"] * 10):
        events = solo() + plays(" ".join(f"F-{code}" for code in cards))
        assert [seq for seq, code in codes(events) if code == "card_not_held"] == [len(events)]


LED = nolo("nolo-ouvert", "D2 D3 D4 D5 D6 C2 C3 S2 S3") + plays("F-D2")


def test_play_after_the_end_does_not_count() -> None:
    events, more = KNOWN + plays(FIVE), FOUND["after the end"][0]
    assert score_after(more) == score_after(events)
    assert state_after(more)["tricks_won"] == state_after(events)["tricks_won"]
    assert [one["card"] for one in state_after(more)["played_on"]] == ["S2", "CK", "C7"]


def test_cards_played_on_are_further_tricks() -> None:
    played_on = state_after(KNOWN + plays(FIVE + " F-S2 M-CK B-C7 F-D7"))["tricks"][5:]
    assert [(one["number"], one["cards"], one["winner"]) for one in played_on] == [
        (6, ["S2", "CK", "C7"], "forehand"),
        (7, ["D7"], None),
    ]
    assert all(one["played_on"] for one in played_on)


ALL_NINE = FIVE + " F-S2 M-CK B-SK B-SQ F-D5 M-CQ B-SJ F-D6 M-DQ B-C7 F-D7 M-DK"


def test_nine_whole_tricks_leave_no_room_for_a_gap() -> None:
    events = [*KNOWN, gap(), *plays(ALL_NINE)]
    assert payment(events) == payment(KNOWN + plays(FIVE)) != "open"
    assert [one.get("played_on", False) for one in state_after(events)["tricks"]] == [False] * 5 + [True] * 4
    assert payment(events[:-1]) == "open", "one more card may be missing"
    led_by_another = ALL_NINE.replace("F-HK M-S6 B-DJ", "M-S6 B-DJ F-HK")
    assert payment([*KNOWN, gap(), *plays(led_by_another)]) == "open", "what was won nobody can say"


def test_nolo_ouvert_is_laid_open_once_after_the_lead() -> None:
    shows = [*LED, cards_shown("F", "D3 D4 D5 D6 C2 C3 S2 S3")]
    assert [asked(events, "show") for events in (LED[:-1], LED, shows)] == ["", "F", ""]
    assert asked(nolo("pure-nolo") + plays("F-D2"), "show") == ""
    assert findings(shows) == ""


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("F-SA M-?? B-??", F),  # spadille wins whatever is laid to it
        ("F-DK M-D? B-C?", None),  # basta is printed with a club
        ("F-DK M-D? B-D?", F),
        ("F-D2 M-?? B-D3", None),
        ("F-D2 M-?? B-D3 M-C2", M),  # who leads next has won
    ],
)
def test_who_wins_a_trick_with_hidden_cards(trick: str, winner: str | None) -> None:
    events = solo() + plays(trick)
    assert state_after(events)["tricks"][0]["winner"] == winner
    assert state_after(events)["tricks_won"] == {seat: int(seat == winner) for seat in (F, M, B)}
    assert findings(events) == ""


def test_where_it_is_not_known_who_won_anybody_may_lead() -> None:
    assert legal_after(solo() + plays("F-D2 M-?? B-D3")) == {
        "seat": None, "action": "play", "cards": [], "hidden": True,
        "also": [{"action": "abandon", "seat": F, "pays": "codille"}, {"action": "claim", "seat": F}],
    }  # fmt: skip


def test_a_trick_number_that_jumps_says_that_entries_are_missing() -> None:
    state = state_after(FOUND["entries missing"][0])
    assert [trick["number"] for trick in state["tricks"]] == [1, 2, 3, 4]
    assert [trick["winner"] for trick in state["tricks"]] == [F, None, M, B]
    assert state["incomplete"]
    assert [hand["unknown"] for hand in state["hands"].values()] == [5, 5, 5]
    assert state_after(FOUND["the last card of a trick missing"][0])["tricks"][0]["winner"] == B
    assert state_after(FOUND["anybody after a gap"][0])["incomplete"]
    assert state_after(KNOWN + plays(FIVE)) == state_after(KNOWN + plays(NUMBERED))


def test_after_a_gap_a_second_card_of_a_seat_begins_another_trick() -> None:
    events = [*solo(), *plays("F-H2 M-H3"), gap(), *plays("F-D2 M-D3 B-D4")]
    assert findings(events) == ""
    assert [trick["cards"] for trick in state_after(events)["tricks"]] == [["H2", "H3"], ["D2", "D3", "D4"]]


def test_a_trick_whose_last_card_states_its_number_ends_a_gap() -> None:
    state = state_after([*solo(), gap(), *plays("F-H7 M-H5 B-HK@1 F-D3 M-DK B-D4")])
    assert [trick["winner"] for trick in state["tricks"]] == [F, M]


def game(*hands: str, ruleset: str = "dlu", exchange: list[Event] | None = None) -> list[Event]:
    """Forehand's game in hearts; all stand. Only what is played is known, unless a hand is given."""
    contract = "simple" if ruleset == "dlu" else "play"
    events = a_deal(*hands, ruleset=ruleset) + bids(f"F {contract}, M pass, B pass")
    return events + names("F", contract, "H") + (stands() if exchange is None else exchange)


def against(hand: str, words: str, ruleset: str = "dlu") -> list[Event]:
    """The play against middlehand's known hand; the first card is entry 10."""
    return game("", hand, ruleset=ruleset) + plays(words)


LONG_SPADES = "H2 S3 S4 S5 S6 S7 C4 C5 C6"
BASTA = "CA C4 C5 C6 C7 D2 D3 D4 D5"
BOTH = "SA CA C4 C5 C6 C7 D2 D3 D4"
AFTER_FIVE = "F-SA M-H3 B-H4 F-H7 M-C4 B-H5 F-CA M-C5 B-S3 F-HA M-C6 B-S4 F-HK M-C7 B-S5 F-D2 M-H6"
CLUB = game() + plays("F-H4 M-C4")
"""Hearts are led, and middlehand gives a club."""
WITHHELD = "F-H7 M-C4 B-H2 F-DK "
"""Manille is led, and middlehand gives a club."""
WITH_BASTA = game() + plays(WITHHELD + "M-D4 B-D3 F-SK M-CA B-S2")
"""Middlehand plays basta later."""
LAID_AWAY = [*stands("F"), *swap("M", "SA ?? ??", "?? ?? ??"), *stands("B")]

REVOKES: dict[str, tuple[list[Event], str]] = {
    "from a known hand": (against(LONG_SPADES, "F-H4 M-C4"), "revoke"),
    "not basta withheld from a low trump": (against(BASTA, "F-H4 M-D2"), ""),
    "not spadille and basta withheld from manille": (against(BOTH, "F-H7 M-D2"), ""),
    "all by one card": (
        game() + plays("F-SA M-C2 B-H4 F-H7 M-C4 B-H5 F-CA M-C5 B-HK F-D2 M-H3"),
        "10 revoke, 13 revoke, 16 revoke",
    ),
    "by a card shown": ([*CLUB, cards_shown("M", "H5")], "10 revoke"),
    "not by a stated hand without it": ([*CLUB, hand_held("M", "C5 C6 C7 D4 D5 D6 D7 S2")], ""),
    "of a hidden card of another suit": (game() + plays("F-H4 M-D? B-HJ B-D2 F-D3 M-H2"), "10 revoke"),
    "not to a hidden lead": (game() + plays("F-?? M-C4 B-H5 B-D2 F-D3 M-H2"), ""),
    "not by another's card": (
        game("H4 H5 H6 HK HQ HJ D7 D6 D5") + plays("F-H4 M-C4 B-C5 F-D5 M-HK"),
        "card_duplicated",
    ),
    # Basta, proved through spadille
    "by basta, spadille being elsewhere": ([*WITH_BASTA, *plays("M-C5 B-SA")], "10 revoke"),
    "by spadille elsewhere, then basta": (game() + plays(WITHHELD + "M-D4 B-SA B-C7 F-C2 M-CA"), "10 revoke"),
    "not by both from one hand": ([*WITH_BASTA, *plays("M-SA")], ""),
    "by basta, spadille being laid away": (
        game(exchange=LAID_AWAY) + plays(WITHHELD + "M-D4 B-D3 F-CK M-CA"),
        "11 revoke",
    ),
    "not by spadille": (game() + plays(WITHHELD + "M-D4 B-D3 F-CK M-SA"), ""),
    "by the rest of the hand": ([*WITH_BASTA, hand_held("M", "C5 C6 C7 D5 D6 D7")], "10 revoke"),
    "by a card after the end": (
        game() + plays(AFTER_FIVE),
        "13 revoke, 16 revoke, 19 revoke, 22 revoke, 24 play_after_end",
    ),
}


@pytest.mark.parametrize("name", REVOKES)
def test_a_revoke_is_found_when_something_proves_it(name: str) -> None:
    events, expected = REVOKES[name]
    assert findings(events) == expected


def test_a_revoke_from_a_hand_known_in_part_is_found_once_although_a_later_card_proves_it_again() -> None:
    events = against("H2 H3 ?? ?? ?? ?? ?? ?? ??", "F-H4 M-C4 B-HJ B-HK F-HQ M-H5")
    (revoke,) = [one for one in audited(events).findings if one.code == "revoke"]
    assert (revoke.seq, revoke.evidence) == (11, (2, 10, 11))
