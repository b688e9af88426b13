"""Spanish tresillo and its favoured suit, by deals that a player of it would recognise."""

from typing import Any

import pytest

from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    due_after,
    found,
    legal_after,
    named,
    opened,
    paid,
    plays,
    said,
    score_after,
    slip,
    stands,
    state_after,
    swap,
    tricks,
    turned,
)


def tresillo(favoured: str = "none", *hands: str, **more: Any) -> list[Event]:
    """A deal with ten fichas in the dish."""
    return opened(*hands, ruleset="tresillo", pool=10, switches={"favoured-suit": favoured}, **more)


def game(favoured: str = "none", **more: Any) -> list[Event]:
    """Forehand plays an entrada in hearts."""
    deal = [*tresillo(favoured, **more), *said("F play, M pass, B pass"), *named("F", "play", "H")]
    return deal + stands()


# --- The favoured suit in the auction -------------------------------------------------------------


def test_each_game_in_the_favoured_suit_outbids_the_same_in_another() -> None:
    rising = "F play, M favoured-play, B voltereta, F solo, M favoured-solo"
    assert found([*tresillo("C"), *said(rising)]) == []
    for call in ("F favoured-play, M play", "F favoured-solo, M solo"):
        assert found([*tresillo("C"), *said(call)])[0][1] == "bid_too_low", call


def test_a_vuelta_goes_before_an_entrada_in_the_favoured_suit() -> None:
    assert found([*tresillo("S"), *said("F favoured-play, M voltereta")]) == []
    assert found([*tresillo("S"), *said("F voltereta, M favoured-play")])[0][1] == "bid_too_low"


def test_the_elder_holds_an_entrada_of_favour() -> None:
    deal = [*tresillo("S"), *said("F play, M favoured-play, B pass, F self, M pass")]
    assert found(deal) == []
    assert state_after(deal)["declarer"] == F


def test_where_no_suit_is_favoured_nobody_can_bid_it() -> None:
    assert due_after(tresillo())["calls"] == ["pass", "play", "solo", "voltereta"]
    assert found([*tresillo(), *said("F favoured-play")])[0][1] == "bid_not_allowed"


@pytest.mark.parametrize("suit", "CDHS")
def test_any_suit_may_be_the_favoured_one(suit: str) -> None:
    deal = [*tresillo(suit), *said("F favoured-solo, M pass, B pass"), *named("F", "favoured-solo")]
    assert found(deal) == []
    assert state_after(deal)["trump"] == suit


# --- Naming and exchanging ------------------------------------------------------------------------


def test_the_favoured_suit_is_named_by_its_own_contract() -> None:
    won = [*tresillo("S"), *said("F play, M pass, B pass")]
    assert found([*won, *named("F", "play", "S")])[0][1] == "contract_not_allowed"
    assert found([*won, *named("F", "favoured-play")]) == []
    assert found([*won, *named("F", "solo", "C")]) == []


def test_who_bid_the_favoured_suit_has_to_play_in_it_or_higher() -> None:
    won = [*tresillo("S"), *said("F favoured-play, M pass, B pass")]
    named_open = [one["contract"] for one in due_after(won)["contracts"]]
    assert set(named_open) == {"favoured-play", "voltereta", "solo", "favoured-solo"}
    assert found([*won, *named("F", "play", "H")])[0][1] == "contract_not_allowed"


def test_a_vuelta_is_in_the_suit_that_turns_up_the_favoured_one_too() -> None:
    won = [*tresillo("S"), *said("F voltereta, M pass, B pass"), *named("F", "voltereta")]
    for card, trump in (("H4", "H"), ("S4", "S"), ("CA", "C")):
        deal = [*won, *turned(card)]
        assert (found(deal), state_after(deal)["trump"]) == ([], trump)


def test_the_player_exchanges_in_favoured_play_and_not_in_favoured_solo() -> None:
    play = [*tresillo("S"), *said("F favoured-play, M pass, B pass"), *named("F", "favoured-play")]
    assert (due_after(play)["seat"], due_after(play)["max"]) == (F, 9)
    solo = [*tresillo("S"), *said("F favoured-solo, M pass, B pass"), *named("F", "favoured-solo")]
    assert (due_after(solo)["seat"], due_after(solo)["max"]) == (M, 8)
    nine = swap("M", "H2 H3 H4 H5 H6 D2 D3 D4 D5", "C2 C3 C4 C5 C6 C7 CJ CQ CK")
    assert found([*solo, *nine])[0][1] == "exchange_count"


# --- What is paid ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contract", "shared", "chips"),
    [
        ("play", "5-2-2", [20, -5, -5]),
        ("play", "4-4-1", [-20, 0, 0]),
        ("play", "3-5-1", [-20, 20, 0]),
        ("play", "1-4-4", [-20, 0, 0]),
        ("voltereta", "4-3-2", [24, -7, -7]),
        ("solo", "3-3-3", [-26, 0, 0]),
    ],
)
def test_sacada_puesta_and_codillo_round_the_dish(contract: str, shared: str, chips: list[int]) -> None:
    assert paid([*tresillo(), slip("F", contract, shared)])[1] == chips


@pytest.mark.parametrize("contract", ["favoured-play", "favoured-solo"])
@pytest.mark.parametrize("outcome", ["won", "bete", "codille"])
def test_what_a_game_of_favour_pays_is_for_the_table_to_say(contract: str, outcome: str) -> None:
    told = score_after([*tresillo("S"), slip("F", contract, outcome=outcome)])
    assert not told["decided"]
    assert told["reachable"] == {outcome: {F: None, M: None, B: None}}


def test_a_ruling_says_what_a_game_of_favour_pays() -> None:
    ruling = {
        "type": "ruling_made",
        "text": "favour pays double",
        "outcome": "won",
        "payments": {F: 20, M: -10, B: -10},
    }
    deal = [*tresillo("S"), slip("F", "favoured-play", outcome="won"), ruling]
    assert paid(deal) == ("won", [20, -10, -10])


def test_the_zangano_pays_and_receives_like_the_others() -> None:
    deal = tresillo(players={"sitting_out": ["Dora"]})
    told = score_after([*deal, slip("F", "play", "5-2-2")])
    assert told["payments"] == {F: 25, M: -5, B: -5, "Dora": -5}


def test_a_favoured_solo_is_played_like_any_other() -> None:
    hand, spades = "SA S2 CA SK SQ SJ HK DK CK", "S3 S4 S5 H2 H3 H4 D2 D3 D4"
    deal = [*tresillo("S", hand, spades), *said("F favoured-solo, M pass, B pass")]
    deal += named("F", "favoured-solo") + stands("M B")
    deal += plays("F-SA M-S3 B-S6 F-S2 M-S4 B-S7 F-CA M-S5 B-H5 F-SK M-H2 B-H6 F-SQ M-H3 B-HJ")
    assert found(deal) == []
    assert score_after(deal)["reachable"] == {"won": {F: None, M: None, B: None}}
    assert due_after(deal)["optional"]  # five are won; the lead to the sixth tries for the vole


# --- Surrender ------------------------------------------------------------------------------------


def test_an_opponent_goes_on_with_a_surrendered_entrada_and_wins() -> None:
    offer = {"type": "surrender_offered", "seat": F}
    taken = {"type": "surrender_answered", "seat": M, "answer": "forbid"}
    deal = [*game(), *tricks("M"), offer, taken]
    assert state_after(deal)["declarer"] == M
    won = [*game(), *tricks("MMMMM")[:3], offer, taken, *tricks("MMMMM")[3:]]
    assert found(won) == []
    assert paid(won) == ("won", [-20, 35, -5])


def test_both_content_it_is_a_puesta() -> None:
    offer = {"type": "surrender_offered", "seat": F}
    answers = [{"type": "surrender_answered", "seat": seat, "answer": "accept"} for seat in (M, B)]
    deal = [*game(), *tricks("MB"), offer, *answers]
    assert legal_after(deal) is None
    assert paid(deal) == ("bete", [-20, 0, 0])


def test_it_is_too_late_once_the_fourth_trick_is_begun() -> None:
    deal = [*game(), *tricks("MMMM")[:10], {"type": "surrender_offered", "seat": F}]
    assert found(deal) == [(len(deal), "abandon_not_allowed")]
