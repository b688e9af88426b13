"""The talon: who exchanges, when, how many, and which cards come."""

import pytest

from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    due_after,
    found,
    laid,
    named,
    opened,
    plays,
    said,
    stands,
    state_after,
    swap,
    turned,
)

HANDS = ("SA S2 CA HK HQ HJ D7 D6 D5", "S7 S6 CK CQ CJ H2 H3 DK DQ", "SK SQ SJ C7 C6 C5 H4 H5 DJ")
TALON = "C4 C3 C2 D2 D3 D4 DA H6 H7 HA S3 S4 S5"
WON_BY = {"F": "F {}, M pass, B pass", "M": "F pass, M {}, B pass", "B": "F pass, M pass, B {}"}


def bargain(seat: str, contract: str, trump: str | None = None, *, talon: bool = True) -> list[Event]:
    """A deal up to the contract, all cards known."""
    auction = said(WON_BY[seat].format(contract))
    return opened(*HANDS) + [laid(TALON)] * talon + auction + named(seat, contract, trump)


def ombre(contract: str = "play", seat: str = "F") -> list[Event]:
    trump = "D" if contract == "oros" else "H"
    auction = said(WON_BY[seat].format(contract))
    return opened(*HANDS, ruleset="ombre") + auction + named(seat, contract, trump)


def exchangers(events: list[Event]) -> list[str]:
    """Who is asked to exchange, in order, when everybody stands."""
    asked = []
    while (due := due_after(events))["action"] == "exchange":
        asked.append(due["seat"])
        events = [*events, {"type": "cards_discarded", "seat": due["seat"], "cards": []}]
    return asked


# --- Who exchanges, in which order ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "contract", "trump", "order"),
    [
        ("F", "simple", "H", [F, M, B]),
        ("M", "simple", "H", [M, B, F]),
        ("B", "spade-game", None, [B, F, M]),
        ("F", "solo", "H", [M, B]),
        ("M", "solo", "H", [F, B]),
        ("B", "spade-solo", None, [F, M]),
        ("M", "pure-nolo", None, []),
        ("M", "nolo-ouvert", None, []),
    ],
)
def test_the_order_of_exchange(seat: str, contract: str, trump: str | None, order: list[str]) -> None:
    assert exchangers(bargain(seat, contract, trump)) == order


def test_after_the_exchange_forehand_leads() -> None:
    for seat, contract in (("F", "solo"), ("M", "solo"), ("B", "solo")):
        events = bargain(seat, contract, "H")
        events += stands(" ".join({"F": "MB", "M": "FB", "B": "FM"}[seat]))
        assert (due_after(events)["seat"], due_after(events)["action"]) == (F, "play")


def test_in_simple_nolo_only_the_declarer_exchanges() -> None:
    events = bargain("M", "simple-nolo")
    assert due_after(events) == {
        "seat": M, "action": "exchange", "min": 1, "max": 9,
        "also": [{"action": "abandon", "seat": M, "pays": "codille"}],
    }  # fmt: skip
    assert due_after(events + swap("M", "CK", "C4"))["action"] == "play"


@pytest.mark.parametrize(
    ("contract", "least"), [("simple", 0), ("spade-game", 0), ("tourne", 2), ("simple-nolo", 1)]
)
def test_how_many_the_declarer_must_exchange(contract: str, least: int) -> None:
    events = bargain("F", contract, "H" if contract == "simple" else None)
    events += turned("C4") if contract == "tourne" else []
    assert due_after(events)["min"] == least
    if least:
        few = HANDS[0].split()[: least - 1]
        assert (len(events) + 1, "exchange_count") in found(events + swap("F", " ".join(few)))


def test_grand_tourne_buys_two_at_least() -> None:
    events = bargain("F", "grand-tourne") + turned("C4")
    assert (due_after(events)["min"], due_after(events)["max"]) == (2, 9)


def test_out_of_turn() -> None:
    events = bargain("F", "simple", "H") + swap("M", "S7", "C4")
    assert found(events) == [(10, "wrong_seat")]
    assert due_after(events)["seat"] == F  # he still has his exchange


def test_nobody_exchanges_twice() -> None:
    events = bargain("F", "simple", "H") + swap("F", "D5", "C4")
    assert found(events + swap("F", "D6", "C3"))[0] == (12, "exchange_not_allowed")
    done = events + stands("M B")
    assert found(done + swap("M", "S7", "C3"))[0] == (14, "exchange_not_allowed")


def test_who_plays_his_hand_as_dealt_exchanges_nothing() -> None:
    events = bargain("F", "solo", "H") + swap("F", "D5", "C4")
    assert found(events)[0] == (10, "exchange_not_allowed")


def test_defenders_exchange_nothing_in_nolo() -> None:
    for contract in ("simple-nolo", "pure-nolo", "nolo-ouvert"):
        events = bargain("F", contract)
        events += swap("F", "HK", "C4") if contract == "simple-nolo" else []
        assert (len(events) + 1, "exchange_not_allowed") in found(events + swap("M", "S7", "C3"))


def test_no_exchange_before_the_contract_or_after_the_lead() -> None:
    early = opened(*HANDS) + said("F simple, M pass, B pass") + swap("F", "D5", "C4")
    assert (8, "wrong_phase") in found(early)
    late = bargain("F", "simple", "H", talon=False) + stands() + plays("F-SA") + swap("M", "S7", "C4")
    assert (13, "wrong_phase") in found(late)


# --- How many -------------------------------------------------------------------------------------


def test_as_many_are_drawn_as_were_discarded() -> None:
    events = bargain("F", "simple", "H") + swap("F", "D7 D6 D5")
    assert due_after(events)["action"] == "draw"
    assert due_after(events)["count"] == 3
    for drawn in ("C4 C3", "C4 C3 C2 D2"):
        assert found([*events, {"type": "cards_drawn", "seat": F, "cards": drawn.split()}]) == [
            (11, "exchange_mismatch")
        ]


def test_a_draw_without_a_discard() -> None:
    events = [*bargain("F", "simple", "H"), {"type": "cards_drawn", "seat": F, "cards": ["C4"]}]
    assert found(events) == [(10, "exchange_mismatch")]


def test_a_draw_by_another() -> None:
    events = bargain("F", "simple", "H") + swap("F", "D5")
    events += [{"type": "cards_drawn", "seat": M, "cards": ["C4"]}]
    assert found(events) == [(11, "wrong_seat")]


def test_a_draw_that_nobody_wrote_down() -> None:
    """It is missed when the next one exchanges; the hand is then held to have nine again."""
    events = bargain("F", "simple", "H") + swap("F", "D7 D6 D5")
    events += swap("M")
    assert found(events) == [(10, "exchange_mismatch")]
    assert state_after(events)["hands"][F]["unknown"] == 3
    assert state_after(events)["talon"]["count"] == 10


def test_the_talon_is_shared_and_ends() -> None:
    events = bargain("F", "simple", "H") + swap("F", HANDS[0], "C4 C3 C2 D2 D3 D4 DA H6 H7")
    assert due_after(events)["max"] == 4
    few = swap("M", "CK CQ CJ DK", "HA S3 S4 S5")
    assert (due_after(events + few)["seat"], due_after(events + few)["action"]) == (F, "play")
    assert found(events + few) == []
    many = events + swap("M", "CK CQ CJ DK DQ")
    assert (12, "exchange_count") in found(many)


def talon_emptied() -> list[Event]:
    events = bargain("F", "simple", "H") + swap("F", HANDS[0], "C4 C3 C2 D2 D3 D4 DA H6 H7")
    return events + swap("M", "CK CQ CJ DK", "HA S3 S4 S5")


def test_where_the_talon_is_empty_nobody_exchanges() -> None:
    assert found(talon_emptied() + swap("B", "SK")) == [(14, "exchange_count")]


def test_to_stand_before_an_empty_talon_is_no_offence() -> None:
    assert found(talon_emptied() + swap("B")) == []


def test_who_stands_draws_nothing_and_the_next_comes() -> None:
    events = bargain("F", "simple", "H") + swap("F")
    assert due_after(events)["seat"] == M
    assert state_after(events)["discards"] == {F: {"cards": [], "count": 0}}


# --- Which cards ----------------------------------------------------------------------------------


def test_only_cards_of_the_hand_are_discarded() -> None:
    events = bargain("F", "simple", "H") + swap("F", "D5 SK")
    assert (10, "card_not_held") in found(events)
    assert (10, "card_duplicated") in found(bargain("F", "simple", "H") + swap("F", "D5 D5"))


def test_cards_come_from_the_top_of_the_talon() -> None:
    events = bargain("F", "simple", "H")
    assert found(events + swap("F", "D5 D6", "C4 C3")) == []
    assert found(events + swap("F", "D5 D6", "C3 C4"))[0] == (11, "talon_mismatch")
    assert found(events + swap("F", "D5 D6", "C4 C2")) == [(11, "talon_mismatch")]


def test_the_next_draws_what_is_left_on_top() -> None:
    events = bargain("F", "simple", "H") + swap("F", "D5 D6", "C4 C3")
    assert found(events + swap("M", "S7", "C2")) == []
    assert found(events + swap("M", "S7", "D2")) == [(13, "talon_mismatch")]


def test_a_hidden_draw_is_known_where_the_talon_is() -> None:
    events = bargain("F", "simple", "H") + swap("F", "D5 D6", "?? ??")
    assert found(events) == []
    assert {"C3", "C4"} <= set(state_after(events)["hands"][F]["cards"])
    assert state_after(events)["draws"][F]["cards"] == ["C4", "C3"]


def test_what_was_discarded_is_bought_by_nobody() -> None:
    events = bargain("F", "simple", "H", talon=False) + swap("F", "D5", "C4")
    assert found(events + swap("M", "S7", "D5")) == [(12, "card_duplicated")]
    assert found(events + swap("M", "S7", "C4")) == [(12, "card_duplicated")]


def test_a_card_of_a_hand_is_not_in_the_talon() -> None:
    events = bargain("F", "simple", "H", talon=False) + swap("F", "D5", "SK")
    assert found(events) == [(10, "card_duplicated")]


def test_nine_cards_again_after_the_exchange() -> None:
    events = bargain("F", "simple", "H") + swap("F", "D5 D6", "C4 C3") + swap("M", "S7", "C2") + swap("B")
    state = state_after(events)
    assert [len(hand["cards"]) for hand in state["hands"].values()] == [9, 9, 9]
    assert state["talon"]["cards"][:2] == ["D2", "D3"]
    assert state["discards"][F] == {"cards": ["D5", "D6"], "count": 2}
    assert state["phase"] == "play"


# --- The turned card ------------------------------------------------------------------------------


def test_the_turned_card_makes_trumps_by_its_printed_suit() -> None:
    for card, trump in (("D4", "D"), ("SA", "S"), ("CA", "C"), ("H7", "H")):
        events = opened() + said("F tourne, M pass, B pass") + named("F", "tourne") + turned(card)
        assert state_after(events)["trump"] == trump
        assert found(events) == []


def test_first_the_card_is_turned() -> None:
    events = bargain("F", "tourne")
    due = due_after(events)
    assert (due["seat"], due["action"]) == (None, "turn")
    assert (10, "wrong_phase") in found(events + swap("F", "D5 D6", "C4 C3"))


def test_the_turned_card_is_the_first_to_be_drawn() -> None:
    events = bargain("F", "tourne", talon=False) + turned("C4")
    assert found(events + swap("F", "D5 D6", "C4 C3")) == []
    assert found(events + swap("F", "D5 D6", "C3 C4"))[0] == (11, "talon_mismatch")
    hidden = events + swap("F", "D5 D6", "?? ??")
    assert "C4" in state_after(hidden)["hands"][F]["cards"]


def test_the_turned_card_is_the_top_of_the_talon() -> None:
    assert found(bargain("F", "tourne") + turned("C3")) == [(10, "talon_mismatch")]
    assert found([*bargain("F", "tourne", talon=False), *turned("C3"), laid(TALON)]) == [
        (10, "talon_mismatch")
    ]


def test_a_card_of_a_hand_is_not_turned() -> None:
    assert found(bargain("F", "tourne", talon=False) + turned("SK")) == [(9, "card_duplicated")]


def test_a_card_is_turned_once_and_only_where_the_contract_says_so() -> None:
    assert (11, "wrong_phase") in found(bargain("F", "tourne") + turned("C4") + turned("C4"))
    assert (10, "wrong_phase") in found(bargain("F", "simple", "H") + turned("C4"))
    assert state_after(bargain("F", "simple", "H") + turned("C4"))["trump"] == "H"


def test_a_card_was_turned_although_nobody_wrote_down_which() -> None:
    events = opened() + said("F tourne, M pass, B pass") + named("F", "tourne") + turned("??")
    assert found(events + swap("F", "?? ??", "?? ??")) == []


def test_the_suit_of_the_turned_card_makes_trumps() -> None:
    """A black ace excepted, which is printed with its suit all the same (RULES 3)."""
    events = opened() + said("F tourne, M pass, B pass") + named("F", "tourne") + turned("H?")
    assert state_after(events)["trump"] == "H"
    assert found(events + swap("F", "?? ??", "?? ??")) == []


# --- The talon laid and looked at -----------------------------------------------------------------


def test_the_talon_has_thirteen_cards() -> None:
    events = [*opened(), {"type": "talon_laid", "cards": ["C4"] * 1 + ["??"] * 11}]
    assert found(events) == [(2, "talon_mismatch")]


def test_the_talon_is_what_nobody_was_dealt() -> None:
    assert found([*opened(*HANDS), laid("SA")]) == [(5, "card_duplicated")]
    assert found([*opened(), laid("C4 C4")]) == [(2, "card_duplicated")]
    assert found([opened()[0], laid(TALON), *opened("C4 S2 CA HK HQ HJ D7 D6 D5")[1:]]) == [
        (3, "card_duplicated")
    ]


def test_the_leftover_talon_stays_face_down() -> None:
    events = bargain("F", "simple", "H") + stands()
    seen = {"type": "talon_seen", "seats": [M]}
    assert found([*events, {**seen, "cards": TALON.split()}]) == [(13, "exchange_not_allowed")]
    assert found([*events, {**seen, "seats": [], "cards": TALON.split()}]) == []
    assert found([*events, {**seen, "seats": [], "cards": ["C4"]}]) == [(13, "talon_mismatch")]


def test_the_talon_told_after_the_exchange_is_what_it_was_before() -> None:
    """Somebody looks the deal up afterwards: that cards of it were drawn is no contradiction."""
    events = bargain("F", "simple", "H", talon=False) + swap("F", "D5 D6", "C4 C3") + stands("M B")
    assert [code for _, code in found([*events, laid(TALON)]) if code != "wrong_phase"] == []


# --- Ombre ----------------------------------------------------------------------------------------

YIELD_M: Event = {"type": "exchange_yielded", "seat": M}
YIELD_B: Event = {"type": "exchange_yielded", "seat": B}


def test_ombre_then_the_others_in_the_order_of_play() -> None:
    assert exchangers(ombre()) == [F, M, B]
    assert exchangers(ombre(seat="M")) == [M, B, F]
    assert exchangers(ombre("solo", "M")) == [B, F]


def test_first_choice_is_yielded_and_handed_back() -> None:
    events = ombre() + swap("F")
    assert {"action": "yield", "seat": M} in due_after(events)["also"]
    assert exchangers([*events, YIELD_M]) == [B, M]
    assert exchangers([*events, YIELD_M, YIELD_B]) == [M, B]
    assert found([*events, YIELD_M, YIELD_B, *stands("M B")]) == []


def test_only_he_who_has_first_choice_yields_it() -> None:
    assert found([*ombre(), YIELD_M]) == [(9, "exchange_not_allowed")]
    assert found([*ombre(), *swap("F"), YIELD_B]) == [(10, "exchange_not_allowed")]
    assert found([*ombre(), *swap("F"), *swap("M"), YIELD_B]) == [(11, "exchange_not_allowed")]
    assert found([*bargain("F", "simple", "H"), *swap("F"), YIELD_M]) == [(11, "exchange_not_allowed")]


def test_what_was_handed_back_is_not_yielded_again() -> None:
    """He yields it to the other, who may take it or leave it; so ``legal`` has it, and so must ``judge``."""
    events = [*ombre(), *swap("F"), YIELD_M, YIELD_B]
    assert not [one for one in due_after(events).get("also", []) if one["action"] == "yield"]
    assert found([*events, YIELD_M]) == [(12, "exchange_not_allowed")]


def test_who_has_discarded_yields_no_more() -> None:
    events = [*ombre(), *swap("F"), *swap("M", "S7"), YIELD_M]
    assert found(events)[0] == (11, "exchange_not_allowed")


def test_ombre_himself_yields_nothing() -> None:
    events = [*ombre(), *swap("M"), {"type": "exchange_yielded", "seat": F}]
    assert (10, "exchange_not_allowed") in found(events)


def test_who_draws_first_against_a_solo_takes_eight_at_most() -> None:
    for contract in ("solo", "oros"):
        events = ombre(contract)
        assert (due_after(events)["seat"], due_after(events)["max"]) == (M, 8)
        assert found(events + swap("M", HANDS[1]))[0] == (9, "exchange_count")
        eight = swap("M", "S7 S6 CK CQ CJ H2 H3 DK", "C4 C3 C2 D2 D3 D4 DA H6")
        assert due_after(events + eight)["max"] == 5
    assert due_after(ombre() + swap("F"))["max"] == 9


def test_the_limit_goes_with_first_choice() -> None:
    assert due_after([*ombre("solo"), YIELD_M])["max"] == 8


def test_who_draws_first_is_not_he_who_stands() -> None:
    """Source 003: whoever draws first must not take more than eight."""
    assert due_after(ombre("solo") + swap("M"))["max"] == 8


def test_voltereta_turns_a_card_and_need_not_buy_it() -> None:
    events = opened(*HANDS, ruleset="ombre") + said("F voltereta, M pass, B pass") + named("F", "voltereta")
    events += turned("C4")
    assert state_after(events)["trump"] == "C"
    assert due_after(events)["min"] == 0
    assert found(events + swap("F") + swap("M", "S7", "C4")) == []
    assert found(events + swap("F") + swap("M", "S7", "C3"))[0] == (12, "talon_mismatch")
