"""Two rulesets that are data and nothing else: Icelandic lomber, and tresillo with its favoured suit."""

from itertools import pairwise

import pytest

from tests.support.engine.shorthand import (
    Event,
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
    tricks,
)


def lomber(**switches: object) -> list[Event]:
    return opened(ruleset="lomber", switches=switches) if switches else opened(ruleset="lomber")


# --- Icelandic lomber -----------------------------------------------------------------------------

RISING = [
    "simple", "spade-game", "tourne", "simple-nolo", "grand-tourne", "grandissimo", "solo", "spade-solo",
    "pure-nolo", "nolo-ouvert",
]  # fmt: skip


def test_every_bid_outbids_the_one_before_it() -> None:
    for lower, higher in pairwise(RISING):
        assert found([*lomber(), *said(f"F {lower}, M {higher}")]) == [], higher
        assert found([*lomber(), *said(f"F {higher}, M {lower}")])[0][1] == "bid_too_low", lower


def grandissimo(forehand: str, middlehand: str) -> list[Event]:
    events = opened(forehand, middlehand, ruleset="lomber") + said("F grandissimo, M pass, B pass")
    return events + named("F", "grandissimo") + stands("M B")


PLAIN = "HK HQ HJ DK DQ DJ S2 S3"


def test_only_the_defenders_exchange_in_grandissimo_and_there_is_no_trump_suit() -> None:
    deal = grandissimo(f"SA {PLAIN}", "CA C2 C3 C4 C5 C6 C7 CJ CQ")
    assert found(deal) == []
    assert state_after(deal)["trump"] is None
    assert due_after(deal)["action"] == "play"


def test_a_spadille_lead_forces_basta() -> None:
    deal = grandissimo(f"SA {PLAIN}", "CA C2 C3 C4 C5 C6 C7 CJ CQ") + plays("F-SA")
    assert due_after(deal)["cards"] == ["CA"]
    assert found([*deal, *plays("M-C2")])[0][1] == "revoke"


def test_a_basta_lead_does_not_force_spadille() -> None:
    deal = grandissimo(f"CA {PLAIN}", "SA C2 C3 C4 C5 C6 C7 CJ CQ") + plays("F-CA")
    assert len(due_after(deal)["cards"]) == 9
    assert found([*deal, *plays("M-C2")]) == []


def test_the_black_aces_are_no_cards_of_their_suits_in_grandissimo() -> None:
    deal = grandissimo(f"CA {PLAIN}", "SA C2 C3 C4 C5 C6 C7 CJ CQ") + plays("F-S2")
    assert len(due_after(deal)["cards"]) == 9  # spadille follows no spade
    assert state_after([*deal, *plays("M-SA B-SK")])["tricks_won"] == {
        "forehand": 0,
        "middlehand": 1,
        "backhand": 0,
    }


@pytest.mark.parametrize(
    ("contract", "outcome", "each"),
    [
        ("simple", "won", 1),
        ("spade-game", "codille", -2),
        ("tourne", "bete", -1),
        ("grand-tourne", "won", 2),
        ("grandissimo", "won", 2),
        ("grandissimo", "codille", -3),
        ("solo", "bete", -2),
        ("solo", "codille", -3),
        ("spade-solo", "won", 3),
        ("pure-nolo", "bete", -3),
    ],
)
def test_what_a_contract_pays(contract: str, outcome: str, each: int) -> None:
    assert paid([*lomber(), slip("F", contract, outcome=outcome)]) == (outcome, [2 * each, -each, -each])


@pytest.mark.parametrize(("most", "each"), [(0, 6), (6, 6), (5, 5), (4, 4)])
def test_a_lost_kupp_costs_one_more_for_each_trick_up_to_what_is_agreed(most: int, each: int) -> None:
    deal = [*lomber(**{"kupp-most": most}), slip("F", "simple-nolo", "5-2-2")]
    assert paid(deal) == ("codille", [-2 * each, each, each])


def test_what_the_source_does_not_say_is_left_open() -> None:
    told = score_after([*lomber(), slip("F", "spade-solo", "2-5-2")])
    assert not told["decided"]


def test_who_sits_out_pays_as_an_opponent() -> None:
    players = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl", "sitting_out": ["Dora"]}
    told = score_after([*opened(ruleset="lomber", players=players), slip("F", "solo", outcome="won")])
    assert told["payments"] == {"forehand": 6, "middlehand": -2, "backhand": -2, "Dora": -2}


# --- Tresillo -------------------------------------------------------------------------------------


def tresillo(favoured: str | None = None) -> list[Event]:
    return opened(ruleset="tresillo", pool=10, switches={"favoured_suit": favoured} if favoured else {})


def test_without_a_favoured_suit_all_suits_are_equal() -> None:
    deal = [*tresillo(), *said("F play, M pass, B pass")]
    assert due_after(deal)["contracts"][0] == {"contract": "play", "trumps": ["C", "D", "H", "S"]}
    assert "favoured-play" not in due_after(tresillo())["calls"]


def test_the_favoured_suit_outranks_the_others() -> None:
    assert (
        found([*tresillo("S"), *said("F play, M favoured-play, B voltereta, F solo, M favoured-solo")]) == []
    )
    assert found([*tresillo("S"), *said("F favoured-play, M play")])[0][1] == "bid_too_low"
    deal = [*tresillo("S"), *said("F play, M pass, B pass")]
    named_open = {one["contract"]: one["trumps"] for one in due_after(deal)["contracts"]}
    assert named_open["play"] == ["C", "D", "H"]
    assert named_open["favoured-play"] == ["S"]
    assert state_after([*deal, *named("F", "favoured-play")])["trump"] == "S"


def test_how_much_more_it_pays_is_for_the_table_to_say() -> None:
    assert paid([*tresillo("S"), slip("F", "play", outcome="won")]) == ("won", [20, -5, -5])
    assert not score_after([*tresillo("S"), slip("F", "favoured-play", outcome="won")])["decided"]


def test_a_suit_that_there_is_not_is_told() -> None:
    assert found(tresillo("X")) == [(1, "unknown_switch")]
    assert legal_after(tresillo("X")) == legal_after(tresillo())


def test_a_whole_game_of_tresillo() -> None:
    deal = [*tresillo("C"), *said("F play, M pass, B pass"), *named("F", "play", "H"), *stands()]
    assert found([*deal, *tricks("FMFFMFF")]) == []
