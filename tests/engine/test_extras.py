"""Ombre's optional extras, each behind its switch (RULES 8), and puestas set aside by agreement."""

from typing import Any

import pytest

from tests.support.engine.ombre import leading
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    due_after,
    found,
    laid,
    legal_after,
    named,
    opened,
    paid,
    plays,
    said,
    score_after,
    shown,
    slip,
    stands,
    state_after,
    swap,
    trumps,
)

ALL_PASS = "F pass, M pass, B pass"
HANDS = ("SA D2 D3 D4 D5 D6 DJ DQ DK", "C2 C3 C4 C5 C6 C7 CJ CQ CK", "S2 S3 S4 S5 S6 S7 SJ SQ SK")


def agreed(*extras: str, **more: Any) -> list[Event]:
    """A deal with ten fish in the pool, in which these extras are agreed."""
    switches = {**dict.fromkeys(extras, True), **more.pop("switches", {})}
    return opened(*more.pop("hands", ("", "", "")), ruleset="ombre", pool=10, switches=switches, **more)


# --- After all have passed ------------------------------------------------------------------------


def test_without_an_extra_the_deal_is_over() -> None:
    deal = [*agreed(), *said(ALL_PASS)]
    assert legal_after(deal) is None
    assert paid(deal) == ("passed_out", [0, 0, 0])
    assert found([*deal, *said("F gascarille")])[0][1] == "wrong_phase"


def test_an_extra_is_offered_to_the_elder_first() -> None:
    deal = [*agreed("gascarille", "countervole"), *said(ALL_PASS)]
    due = due_after(deal)
    assert due == {
        "seat": F,
        "action": "bid",
        "calls": ["countervole", "gascarille", "pass"],
        "optional": True,
    }
    assert paid(deal) == ("passed_out", [0, 0, 0])
    assert due_after([*deal, *said("F pass")])["seat"] == M
    assert legal_after([*deal, *said(ALL_PASS)]) is None
    assert found([*deal, *said(ALL_PASS)]) == []


def test_a_younger_may_undertake_what_the_elder_leaves() -> None:
    deal = [*agreed("gascarille"), *said(f"{ALL_PASS}, B gascarille")]
    assert found(deal) == []
    assert state_after(deal)["declarer"] == B
    assert not score_after(deal)["decided"]


@pytest.mark.parametrize(
    "words",
    ["F gascarille", f"{ALL_PASS}, F pass, F gascarille", f"{ALL_PASS}, F play", f"{ALL_PASS}, M self"],
)
def test_calls_that_are_no_undertaking(words: str) -> None:
    deal = [*agreed("gascarille"), *said(words)]
    assert found(deal)[0] == (len(deal), "bid_not_allowed")


# --- Gascarille -----------------------------------------------------------------------------------


def gascarille() -> list[Event]:
    return [*agreed("gascarille"), *said(f"{ALL_PASS}, F gascarille")]


EIGHT = " ".join(["??"] * 8)


def test_gascarille_exchanges_eight_then_names_trumps() -> None:
    deal = gascarille()
    assert due_after(deal)["contracts"] == [{"contract": "gascarille", "trumps": []}]
    deal += named("F", "gascarille")
    assert {key: due_after(deal)[key] for key in ("seat", "min", "max")} == {"seat": F, "min": 8, "max": 8}
    deal += swap("F", EIGHT, EIGHT)
    assert due_after(deal)["contracts"] == [{"contract": "gascarille", "trumps": ["C", "D", "H", "S"]}]
    assert state_after(deal)["to_act"] == F
    deal += [trumps("F", "H")]
    assert due_after(deal)["seat"] == M
    deal += stands("M B")
    assert found(deal) == []
    assert paid([*deal, slip(tricks="5-4-0")]) == ("won", [26, -8, -8])


def test_seven_are_too_few() -> None:
    deal = [*gascarille(), *swap("F", EIGHT[3:], EIGHT[3:])]
    assert [code for _, code in found(deal)] == ["exchange_count"]


def test_the_defenders_wait_for_trumps() -> None:
    deal = [*gascarille(), *swap("F", EIGHT, EIGHT), *stands("M")]
    assert found(deal) == [(len(deal), "wrong_seat")]


def test_gascarille_lost_costs_eight_for_each() -> None:
    deal = [*agreed("gascarille"), slip("F", "gascarille", "4-4-1", trump="H")]
    assert paid(deal) == ("bete", [-26, 0, 0])


# --- Countervole ----------------------------------------------------------------------------------


def countervole(trump: str = "S") -> list[Event]:
    deal = [*agreed("countervole", hands=HANDS), *said(f"{ALL_PASS}, B countervole")]
    return deal + named("B", "countervole", trump)


def test_countervole_names_a_suit_of_which_he_holds_one() -> None:
    deal = countervole()
    assert due_after(deal[:-1])["contracts"] == [{"contract": "countervole", "trumps": ["S"]}]
    assert found(deal) == []
    assert due_after(deal)["action"] == "play"
    assert found(countervole("H")) == [(len(deal), "contract_not_allowed")]


def test_his_first_trick_ends_it_as_a_puesta() -> None:
    deal = [*countervole(), *plays("F-D2 M-C2 B-S3")]
    assert legal_after(deal) is None
    assert paid(deal) == ("bete", [0, 0, -20])
    assert score_after(deal)["pool"]["after"] == 30


def test_no_trick_wins_pool_and_base_without_honours() -> None:
    deal = [*agreed("countervole"), slip("B", "countervole", "5-4-0", trump="S")]
    assert paid(deal) == ("won", [-5, -5, 20])


# --- Forced spadille ------------------------------------------------------------------------------


def test_the_holder_of_spadille_has_to_play() -> None:
    deal = [*agreed("forced-spadille", hands=HANDS), *said(ALL_PASS)]
    due = due_after(deal)
    assert (due["seat"], due["action"]) == (F, "name")
    assert [one["contract"] for one in due["contracts"]] == ["oros", "play", "solo", "voltereta"]
    assert not score_after(deal)["decided"]
    assert found([*deal, *named("F", "play", "H")]) == []
    assert found([*deal, *named("M", "play", "H")])[0][1] in ("wrong_seat", "contract_not_allowed")


def test_he_shows_it() -> None:
    deal = [*agreed("forced_spadille"), *said(ALL_PASS)]
    assert due_after(deal)["seat"] is None
    deal += [shown("M", "SA")]
    assert due_after(deal)["seat"] == M
    assert found([*deal, *named("M", "play", "H"), *stands("M B F")]) == []


def test_where_it_lies_in_the_talon_nobody_plays() -> None:
    deal = [*agreed("forced-spadille"), laid("SA"), *said(ALL_PASS)]
    assert legal_after(deal) is None
    assert paid(deal) == ("passed_out", [0, 0, 0])


def test_an_extra_may_be_undertaken_before_spadille_is_forced() -> None:
    deal = [*agreed("forced-spadille", "gascarille", hands=HANDS), *said(ALL_PASS)]
    assert due_after(deal)["calls"] == ["gascarille", "pass"]
    assert not score_after(deal)["decided"]
    assert due_after([*deal, *said(ALL_PASS)])["action"] == "name"
    assert found([*deal, *named("F", "play", "H")]) == []


# --- Favor and the vole ---------------------------------------------------------------------------


def test_favor_outbids_play_and_is_diamonds() -> None:
    deal = [*agreed("favor"), *said("F play, M favor, B higher")]
    assert found(deal) == []
    assert found([*agreed("favor"), *said("F play, M higher, B favor")])[0][1] == "bid_too_low"
    deal = [*agreed("favor"), *said("F play, M favor, B pass, F pass")]
    contracts = [one["contract"] for one in due_after(deal)["contracts"]]
    assert contracts == ["favor", "oros", "solo", "voltereta"]
    assert state_after([*deal, *named("M", "favor")])["trump"] == "D"
    assert found([*agreed(), *said("F play, M favor")])[0][1] == "bid_not_allowed"


ALL_TOPS = "SA H7 CA HA HK HQ HJ H2 H3"


def vole(hand: str = ALL_TOPS) -> list[Event]:
    deal = [*agreed("vole-challenge", hands=(hand, "", "")), *said("F vole, M pass, B pass")]
    return deal + named("F", "solo", "H") + stands("M B")


def test_a_vole_challenged_in_the_auction_outbids_every_solo() -> None:
    deal = [*agreed("vole-challenge"), *said("F oros, M vole, B pass, F pass")]
    assert found(deal) == []
    assert due_after(deal)["contracts"] == [
        {"contract": "oros", "trumps": ["D"]},
        {"contract": "solo", "trumps": ["C", "H", "S"]},
    ]


def test_he_has_to_win_all_nine() -> None:
    deal = vole()
    assert state_after(deal)["slam"] == "challenged"
    five = [*deal, *leading(ALL_TOPS, 5)]
    assert "optional" not in due_after(five)
    assert set(score_after(five)["reachable"]) == {"slam_made", "slam_failed"}
    assert paid([*deal, *leading(ALL_TOPS, 9)]) == ("won", [80, -35, -35])
    assert found([*five, {"type": "surrender_offered", "seat": F}])[0][1] == "abandon_not_allowed"


def test_any_trick_lost_ends_it() -> None:
    deal = [*vole("SA H7 CA D2 D3 D4 D5 D6 D7"), *leading("SA H7 CA", 3), *plays("F-D2 M-D3 B-D4")]
    deal[-2] = {**deal[-2], "card": "DK"}
    assert legal_after(deal) is None
    assert paid(deal) == ("bete", [-60, 30, 30])
    assert score_after(deal)["pool"] == {"before": 10, "after": 10, "reserved": []}
    assert score_after(deal)["slam"] == "failed"


def test_lost_after_the_fifth_trick_the_game_is_won_all_the_same() -> None:
    hand = "SA H7 CA HA HK D2 D3 D4 D5"
    deal = [*vole(hand), *leading(hand, 5), *plays("F-D2 M-DK B-D6")]
    assert paid(deal) == ("won", [10 - 50, 25, 25])
    assert score_after(deal)["pool"]["after"] == 0


# --- Puestas set aside by agreement ---------------------------------------------------------------


def bested(limit: int, *more: Event) -> list[Event]:
    return [*agreed(switches={"reserve-at": limit}), slip("F", "play", "4-4-1", trump="H"), *more]


def test_from_the_agreed_pool_on_a_puesta_is_set_aside() -> None:
    assert score_after(bested(10))["pool"] == {"before": 10, "after": 10, "reserved": [20]}
    assert score_after(bested(11))["pool"] == {"before": 10, "after": 30, "reserved": []}


def test_below_it_nobody_may_set_one_aside() -> None:
    reserved = {"type": "puesta_reserved", "seat": F}
    assert found(bested(11, reserved)) == [(3, "reserve_not_allowed")]
    assert score_after(bested(11, reserved))["pool"]["reserved"] == [20]
    assert found(bested(0, reserved)) == []
    assert found(bested(0, {**reserved, "seat": M})) == [(3, "reserve_not_allowed")]


def test_the_limit_of_estuches_is_a_house_rule() -> None:
    for most, each in ((9, 9), (5, 5), (3, 3)):
        deal = agreed(switches={"estuches-most": most}, hands=(ALL_TOPS, "", ""))
        deal += (
            said("F solo, M pass, B pass") + named("F", "solo", "H") + stands("M B") + leading(ALL_TOPS, 5)
        )
        assert paid(deal)[1][1] == -(8 + 1 + each)


@pytest.mark.parametrize("switches", [{"nonsense": True}, {"estuches-most": 0}, {"gascarille": 1}])
def test_a_switch_that_cannot_be_is_told_and_changes_nothing(switches: dict[str, Any]) -> None:
    deal = agreed(switches=switches)
    assert found(deal) == [(1, "unknown_switch")]
    assert legal_after([*deal, *said(ALL_PASS)]) is None
