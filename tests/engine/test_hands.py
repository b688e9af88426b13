"""Hands as dealt, stated and shown: their size, cards in two places, what is left when something is wrong."""

import pytest

from tests.support.engine.answers import findings, turn
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    audited,
    dealt,
    gap,
    held,
    named,
    note,
    opened,
    plays,
    said,
    shown,
    stands,
    state_after,
    swap,
)

ANNA, BO = "SA S2 CA HK HQ HJ D7 D6 D5", "S7 S6 CK CQ CJ H2 H3 DK DQ"
BARGAIN = said("F simple, M pass, B pass") + named("F", "simple", "H")
EIGHT = ANNA.rsplit(" ", 1)[0]


def hand(events: list[Event], seat: str = F) -> str:
    """The known cards of a hand, and the number of the others: ``"CA SA +7"``."""
    told = state_after(events)["hands"][seat]
    return " ".join([*told["cards"], f"+{told['unknown']}"])


def game(*hands: str) -> list[Event]:
    return opened(*hands) + BARGAIN + stands()


def sorted_hand(cards: str) -> str:
    return " ".join(sorted(cards.split()))


FOUND: dict[str, tuple[list[Event], str]] = {
    # Dealt
    "partly unknown": (opened("SA S2 S? H? ?? ?? ?? ?? ??"), ""),
    "eight dealt": (opened(EIGHT), "hand_size"),
    "a card twice in a hand": (opened("SA SA CA HK HQ HJ D7 D6 D5"), "card_duplicated"),
    "a card in two hands": (opened(ANNA, BO.replace("S7", "SA")), "card_duplicated"),
    "dealt twice": ([*opened(ANNA), dealt("F", ANNA)], "wrong_phase"),
    "told while they bid": ([*opened(), *said("F simple, M pass"), dealt("F", ANNA)], ""),
    "told after the exchange": ([*opened(), *BARGAIN, *swap("F"), dealt("M", BO)], "wrong_phase"),
    "told after the exchange and a gap": ([*opened(), *BARGAIN, *swap("F"), gap(), dealt("M", BO)], ""),
    # Stated
    "stated and new": ([*game("SA ?? ?? ?? ?? ?? ?? ?? ??"), held("F", ANNA)], ""),
    "eight stated": ([*game(), held("F", EIGHT)], "hand_size"),
    "stated without a card": ([*game(ANNA), held("F", ANNA.replace(" HK", ""))], "hand_size"),
    "stated without it, and played": (
        [*game(ANNA), held("F", ANNA.replace(" HK", "")), *plays("F-HK")],
        "10 hand_size",
    ),
    "stated before the draw": ([*opened(), *BARGAIN, *swap("F", "?? ??"), held("F", ANNA)], ""),
    # Shown
    "another's card shown": ([*game(ANNA), shown("F", "SK")], "card_not_held"),
    "shown by another": ([*game(ANNA), shown("M", "SA")], "card_duplicated"),
    # What is left
    "a card not held": ([*game(ANNA), *plays("F-SK M-S3 B-S4")], "10 card_not_held"),
    "eight, and a ninth played": ([*game(EIGHT), *plays("F-D5")], "2 hand_size"),
    "laid away and played by another": (
        [*opened(ANNA), *BARGAIN, *swap("F", "D5 D6", "?? ??"), *stands("M B"), *plays("F-HK M-D5")],
        "card_duplicated",
    ),
    "taken over": ([*game(), {"type": "hand_taken_over", "seat": M, "player": "Dora"}], ""),
    "opened twice": ([*opened(ANNA), opened(ruleset="ombre")[0], note("again")], "3 wrong_phase"),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_of_a_hand(name: str) -> None:
    events, expected = FOUND[name]
    assert findings(events) == expected


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (opened(), "+9"),
        (FOUND["partly unknown"][0], "S2 SA +7"),
        (FOUND["eight dealt"][0], sorted_hand(EIGHT) + " +1"),
        (FOUND["stated without a card"][0], sorted_hand(ANNA) + " +0"),
        (FOUND["stated before the draw"][0], sorted_hand(ANNA) + " +0"),
        (FOUND["a card not held"][0], "+8"),
        (FOUND["eight, and a ninth played"][0], sorted_hand(EIGHT) + " +0"),
    ],
)
def test_what_is_known_of_a_hand(events: list[Event], expected: str) -> None:
    assert hand(events) == expected


def test_of_a_card_only_the_suit_may_be_known() -> None:
    assert state_after(FOUND["partly unknown"][0])["hands"][F]["maybe"] == ["??"] * 5 + ["H?", "S?"]


def test_a_stated_hand_must_have_what_is_certainly_there_and_no_card_of_another() -> None:
    assert "hand_mismatch" in findings([*game(ANNA), held("F", ANNA.replace("HK", "H6"))]).split(", ")
    others = [*game(ANNA, BO), held("F", ANNA.replace("D5", "CK"))]
    assert "card_duplicated" in findings(others).split(", ")


def test_a_statement_that_the_play_refutes_is_wrong_not_the_play() -> None:
    """As in Belinda's game as printed: the Baron's king is the declarer's, who plays it."""
    events = [*game(), held("F", ANNA), held("M", BO.replace("S7", "SA")), *plays("F-SA")]
    told = [one for one in findings(events).split(", ") if one.endswith("card_duplicated")]
    assert told == ["10 card_duplicated"]
    assert hand(events, M).endswith("+1")


def test_each_card_in_two_hands_and_the_card_that_is_missing_are_named() -> None:
    twice = audited(opened(ANNA, BO.replace("S7", "SA").replace("S6", "S2"))).findings
    one, other = (found.message for found in twice if found.code == "card_duplicated")
    assert {"S2" in one, "S2" in other} == {"SA" in one, "SA" in other} == {True, False}
    (missing,) = (
        one for one in audited(FOUND["stated without a card"][0]).findings if one.code == "hand_size"
    )
    assert "HK" in missing.message


def test_a_wrong_card_clouds_the_hand_and_the_fold_goes_on() -> None:
    events = FOUND["a card not held"][0]
    assert turn(events) == "F play"
    assert next(one for one in audited(events).findings if one.code == "card_not_held").message.startswith(
        "Anna plays SK"
    )


def test_a_hand_taken_over_is_played_by_another_and_a_deal_is_opened_once() -> None:
    told = state_after(FOUND["taken over"][0])
    assert told["players"] == {F: "Anna", M: "Dora", B: "Carl", "sitting_out": []}
    assert state_after(FOUND["opened twice"][0])["ruleset"] == "dlu"
    assert findings(said("F simple, M pass, B pass")) != ""
