"""The talon and the hands: who exchanges what, cards in two places, hands as dealt, stated and shown."""

import pytest

from tests.support.engine.answers import findings, turn
from tests.support.engine.shorthand import (
    SEATS,
    B,
    Event,
    F,
    M,
    a_deal,
    bids,
    cards_shown,
    dealt,
    gap,
    hand_held,
    laid,
    names,
    note,
    plays,
    stands,
    state_after,
    swap,
    turned,
)

HANDS = ("SA S2 CA HK HQ HJ D7 D6 D5", "S7 S6 CK CQ CJ H2 H3 DK DQ", "SK SQ SJ C7 C6 C5 H4 H5 DJ")
TALON = "C4 C3 C2 D2 D3 D4 DA H6 H7 HA S3 S4 S5"
WON_BY = {"F": "F {}, M pass, B pass", "M": "F pass, M {}, B pass", "B": "F pass, M pass, B {}"}
TRUMPS = {"simple": "H", "solo": "H", "play": "H", "oros": "D"}


def naming(contract: str, seat: str = "F", *, ruleset: str = "dlu", talon: bool = True) -> list[Event]:
    """A deal up to the contract, all cards known."""
    deal = a_deal(*HANDS, ruleset=ruleset) + [laid(TALON)] * talon + bids(WON_BY[seat].format(contract))
    return deal + names(seat, contract, TRUMPS.get(contract))


def ombre(contract: str = "play", seat: str = "F") -> list[Event]:
    return naming(contract, seat, ruleset="ombre")


def untold(contract: str) -> list[Event]:
    """A deal up to the contract, of which the talon is not known."""
    return naming(contract, talon=False)


def yields(seats: str) -> list[Event]:
    return [{"type": "exchange_yielded", "seat": SEATS[seat]} for seat in seats.split()]


def seen(seats: list[str], cards: str = TALON) -> Event:
    return {"type": "talon_seen", "seats": seats, "cards": cards.split()}


NOLO = naming("simple-nolo")
LAST_FOUR = swap("F", HANDS[0], "C4 C3 C2 D2 D3 D4 DA H6 H7")
NOT_BOUGHT = ombre("voltereta") + turned("C4") + swap("F")

WRONG: dict[str, tuple[list[Event], str]] = {
    "out of turn": (naming("simple") + swap("M", "S7", "C4"), "10 wrong_seat"),
    "before the contract": (untold("simple")[:-1] + swap("F", "D5"), "wrong_phase"),
    "after the lead": (untold("simple") + stands() + plays("F-SA") + swap("M", "S7"), "wrong_phase"),
    # How many
    "none in simple nolo": (NOLO + swap("F"), "exchange_count"),
    "drawn without a discard": (naming("simple") + swap("F", "", "C4")[1:], "exchange_mismatch"),
    # Which cards
    "a card discarded twice": (untold("simple") + swap("F", "D5 D5"), "card_duplicated"),
    "another's card, of a hand known in part": (
        [*a_deal("D5 ?? ?? ?? ?? ?? ?? ?? ??", HANDS[1]), *untold("simple")[4:], *swap("F", "CK")],
        "card_duplicated",
    ),
    "not from the top": (naming("simple") + swap("F", "D5 D6", "C4 C2"), "talon_mismatch"),
    # The turned card
    "turned that is not the top": (naming("tourne") + turned("C3"), "talon_mismatch"),
    "turned, the talon tells otherwise": ([*untold("tourne"), *turned("C3"), laid(TALON)], "talon_mismatch"),
    "turned in ombre, not bought": (NOT_BOUGHT + swap("M", "S7", "C4"), ""),
    "not bought, passed over": (NOT_BOUGHT + swap("M", "S7 S6", "C3 C4"), "talon_mismatch, talon_mismatch"),
    # The talon laid and looked at
    "a card of a hand laid": ([*a_deal(*HANDS), laid("SA")], "card_duplicated"),
    "told after the exchange": (untold("simple") + swap("F", "D5", "C4") + stands("M B") + [laid(TALON)], ""),
    "looked at by one": ([*naming("simple"), *stands(), seen([M])], "exchange_not_allowed"),
    "looked at, too few": ([*naming("simple"), *stands(), seen([], "C4")], "talon_mismatch"),
    # First choice
    "yielded": (ombre() + swap("F") + yields("M B") + stands("M B"), ""),
    "yielded by the third alone": (ombre() + swap("F") + swap("M") + yields("B"), "exchange_not_allowed"),
    "yielded under other rules": (naming("simple") + swap("F") + yields("M"), "exchange_not_allowed"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_found_of_an_exchange(name: str) -> None:
    events, expected = WRONG[name]
    assert findings(events) == expected


def test_what_is_found_among_other_things() -> None:
    other_order = findings(naming("simple") + swap("F", "D5 D6", "C3 C4") + stands("M B"))
    assert "11 talon_mismatch" in other_order.split(", ")
    drawn_last = findings(untold("tourne") + turned("C4") + swap("F", "D5 D6", "C3 C4"))
    assert "talon_mismatch" in drawn_last.split(", ")
    yielded = findings(ombre() + swap("M") + yields("F"))
    assert "exchange_not_allowed" in yielded.split(", "), "the declarer has the first choice"


def test_a_draw_that_nobody_wrote_down_is_missed_when_the_next_one_exchanges() -> None:
    events = naming("simple") + swap("F", "D7 D6 D5") + swap("M")
    assert findings(events) == "10 exchange_mismatch"
    assert state_after(events)["hands"][F]["unknown"] == 3
    assert state_after(events)["talon"]["count"] == 10


def test_where_the_talon_is_empty_one_may_only_stand() -> None:
    emptied = naming("simple") + LAST_FOUR + swap("M", "CK CQ CJ DK", "HA S3 S4 S5")
    assert (turn(emptied), findings(emptied)) == ("F play", "")
    assert findings(emptied + swap("B", "SK")) == "exchange_count"
    assert findings(emptied + swap("B")) == ""


def test_a_hidden_draw_is_known_where_the_talon_is() -> None:
    events = naming("simple") + swap("F", "D5 D6", "?? ??")
    assert findings(events) == ""
    assert {"C3", "C4"} <= set(state_after(events)["hands"][F]["cards"])
    assert state_after(events)["draws"][F]["cards"] == ["C4", "C3"]
    bought = untold("tourne") + turned("C4") + swap("F", "D5 D6", "?? ??")
    assert "C4" in state_after(bought)["hands"][F]["cards"]


@pytest.mark.parametrize(("card", "trump"), [("D4", "D"), ("SA", "S"), ("CA", "C"), ("H7", "H"), ("H?", "H")])
def test_the_turned_card_makes_trumps_by_its_printed_suit(card: str, trump: str) -> None:
    events = a_deal() + bids(WON_BY["F"].format("tourne")) + names("F", "tourne")
    assert turn(events) == "- turn"
    assert state_after(events + turned(card))["trump"] == trump
    assert findings(events + turned(card)) == ""
    simple = naming("simple") + turned("C4")
    assert state_after(simple)["trump"] == "H"


ANNA, BO = "SA S2 CA HK HQ HJ D7 D6 D5", "S7 S6 CK CQ CJ H2 H3 DK DQ"
BARGAIN = bids("F simple, M pass, B pass") + names("F", "simple", "H")
EIGHT = ANNA.rsplit(" ", 1)[0]


def hand(events: list[Event], seat: str = F) -> str:
    """The known cards of a hand, and the number of the others: ``"CA SA +7"``."""
    told = state_after(events)["hands"][seat]
    return " ".join([*told["cards"], f"+{told['unknown']}"])


def game(*hands: str) -> list[Event]:
    return a_deal(*hands) + BARGAIN + stands()


def sorted_hand(cards: str) -> str:
    return " ".join(sorted(cards.split()))


FOUND: dict[str, tuple[list[Event], str]] = {
    # Dealt
    "partly unknown": (a_deal("SA S2 S? H? ?? ?? ?? ?? ??"), ""),
    "eight dealt": (a_deal(EIGHT), "hand_size"),
    "dealt twice": ([*a_deal(ANNA), dealt("F", ANNA)], "wrong_phase"),
    "told while they bid": ([*a_deal(), *bids("F simple, M pass"), dealt("F", ANNA)], ""),
    "told after the exchange": ([*a_deal(), *BARGAIN, *swap("F"), dealt("M", BO)], "wrong_phase"),
    "told after the exchange and a gap": ([*a_deal(), *BARGAIN, *swap("F"), gap(), dealt("M", BO)], ""),
    # Stated
    "stated without a card": ([*game(ANNA), hand_held("F", ANNA.replace(" HK", ""))], "hand_size"),
    "stated without it, and played": (
        [*game(ANNA), hand_held("F", ANNA.replace(" HK", "")), *plays("F-HK")],
        "10 hand_size",
    ),
    "stated before the draw": ([*a_deal(), *BARGAIN, *swap("F", "?? ??"), hand_held("F", ANNA)], ""),
    # Shown
    "another's card shown": ([*game(ANNA), cards_shown("F", "SK")], "card_not_held"),
    "shown by another": ([*game(ANNA), cards_shown("M", "SA")], "card_duplicated"),
    # What is left
    "a card not held": ([*game(ANNA), *plays("F-SK M-S3 B-S4")], "10 card_not_held"),
    "eight, and a ninth played": ([*game(EIGHT), *plays("F-D5")], "2 hand_size"),
    "laid away and played by another": (
        [*a_deal(ANNA), *BARGAIN, *swap("F", "D5 D6", "?? ??"), *stands("M B"), *plays("F-HK M-D5")],
        "card_duplicated",
    ),
    "taken over": ([*game(), {"type": "hand_taken_over", "seat": M, "player": "Dora"}], ""),
    "opened twice": ([*a_deal(ANNA), a_deal(ruleset="ombre")[0], note("again")], "3 wrong_phase"),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_of_a_hand(name: str) -> None:
    events, expected = FOUND[name]
    assert findings(events) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("partly unknown", "S2 SA +7"),
        ("eight dealt", sorted_hand(EIGHT) + " +1"),
        ("stated without a card", sorted_hand(ANNA) + " +0"),
        ("stated before the draw", sorted_hand(ANNA) + " +0"),
        ("a card not held", "+8"),
        ("eight, and a ninth played", sorted_hand(EIGHT) + " +0"),
    ],
)
def test_what_is_known_of_a_hand(name: str, expected: str) -> None:
    assert hand(FOUND[name][0]) == expected
    assert hand(a_deal()) == "+9"
    suits = state_after(FOUND["partly unknown"][0])["hands"][F]["maybe"]
    assert suits == ["??"] * 5 + ["H?", "S?"], "only the suit of a card may be known"


def test_a_stated_hand_must_have_what_is_certainly_there_and_no_card_of_another() -> None:
    assert "hand_mismatch" in findings([*game(ANNA), hand_held("F", ANNA.replace("HK", "H6"))]).split(", ")
    others = [*game(ANNA, BO), hand_held("F", ANNA.replace("D5", "CK"))]
    assert "card_duplicated" in findings(others).split(", ")


def test_a_statement_that_the_play_refutes_is_wrong_not_the_play() -> None:
    """As in Belinda's game as printed: the Baron's king is the declarer's, who plays it."""
    events = [*game(), hand_held("F", ANNA), hand_held("M", BO.replace("S7", "SA")), *plays("F-SA")]
    told = [one for one in findings(events).split(", ") if one.endswith("card_duplicated")]
    assert told == ["10 card_duplicated"]
    assert hand(events, M).endswith("+1")


def test_a_hand_taken_over_is_played_by_another_and_a_deal_is_opened_once() -> None:
    told = state_after(FOUND["taken over"][0])
    assert told["players"] == {F: "Anna", M: "Dora", B: "Carl", "sitting_out": []}
    assert state_after(FOUND["opened twice"][0])["ruleset"] == "dlu"
    assert findings(bids("F simple, M pass, B pass")) != ""
