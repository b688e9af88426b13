"""Spanish tresillo and its favoured suit, by deals that a player of it would recognise."""

from typing import Any

import pytest

from tests.support.engine.answers import findings, payment, turn
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    due_after,
    legal_after,
    named,
    opened,
    plays,
    said,
    score_after,
    slip,
    stands,
    state_after,
    swap,
    tricks,
)


def tresillo(favoured: str = "none", *hands: str, **more: Any) -> list[Event]:
    """A deal with ten fichas in the dish."""
    return opened(*hands, ruleset="tresillo", pool=10, switches={"favoured-suit": favoured}, **more)


def won(contract: str, favoured: str = "S", *hands: str) -> list[Event]:
    return tresillo(favoured, *hands) + said(f"F {contract}, M pass, B pass")


GAME = won("play", "none") + named("F", "play", "H") + stands()
OFFER: Event = {"type": "surrender_offered", "seat": F}
TAKEN: Event = {"type": "surrender_answered", "seat": M, "answer": "forbid"}
CONTENT: list[Event] = [{"type": "surrender_answered", "seat": seat, "answer": "accept"} for seat in (M, B)]
NINE = swap("M", "H2 H3 H4 H5 H6 D2 D3 D4 D5", "C2 C3 C4 C5 C6 C7 CJ CQ CK")
HAND, SPADES = "SA S2 CA SK SQ SJ HK DK CK", "S3 S4 S5 H2 H3 H4 D2 D3 D4"
FAVOURED_SOLO = [
    *won("favoured-solo", "S", HAND, SPADES), *named("F", "favoured-solo"), *stands("M B"),
    *plays("F-SA M-S3 B-S6 F-S2 M-S4 B-S7 F-CA M-S5 B-H5 F-SK M-H2 B-H6 F-SQ M-H3 B-HJ"),
]  # fmt: skip

FOUND: dict[str, tuple[list[Event], str]] = {
    "each favoured game outbids its like": (
        tresillo("C") + said("F play, M favoured-play, B voltereta, F solo, M favoured-solo"),
        "",
    ),
    "play over favoured play": (tresillo("C") + said("F favoured-play, M play"), "bid_too_low"),
    "where none is favoured": (tresillo() + said("F favoured-play"), "bid_not_allowed"),
    "the favoured suit by the other": (won("play") + named("F", "play", "S"), "contract_not_allowed"),
    "the favoured suit by its own": (won("play") + named("F", "favoured-play"), ""),
    "another suit than was bid": (won("favoured-play") + named("F", "play", "H"), "contract_not_allowed"),
    "nine bought against a solo": (
        won("favoured-solo") + named("F", "favoured-solo") + NINE,
        "6 exchange_count",
    ),
    "a favoured solo played": (FAVOURED_SOLO, ""),
    "an opponent goes on": ([*GAME, *tricks("MMM"), OFFER, TAKEN, *tricks("MMMMM")[9:]], ""),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_in_tresillo(name: str) -> None:
    events, expected = FOUND[name]
    assert findings(events) == expected


def test_the_elder_holds_an_entrada_of_favour() -> None:
    deal = [*tresillo("S"), *said("F play, M favoured-play, B pass, F self, M pass")]
    assert (turn(deal), findings(deal)) == ("F name", "")


def test_where_no_suit_is_favoured_nobody_can_bid_it() -> None:
    assert due_after(tresillo())["calls"] == ["pass", "play", "solo", "voltereta"]
    assert legal_after(tresillo("X")) == legal_after(tresillo())


# --- What is paid ---------------------------------------------------------------------------------


@pytest.mark.parametrize("contract", ["favoured-play", "favoured-solo"])
@pytest.mark.parametrize("outcome", ["won", "bete", "codille"])
def test_what_a_game_of_favour_pays_is_for_the_table_to_say(contract: str, outcome: str) -> None:
    deal = [*tresillo("S"), slip("F", contract, outcome=outcome)]
    assert payment(deal) == "open"
    assert score_after(deal)["reachable"] == {outcome: {F: None, M: None, B: None}}
    ruling = {"type": "ruling_made", "text": "double", "outcome": outcome, "payments": {F: 2, M: -1, B: -1}}
    assert payment([*deal, ruling]) == f"{outcome} 2 -1 -1"


def test_a_favoured_solo_won_may_be_tried_for_the_vole() -> None:
    assert score_after(FAVOURED_SOLO)["reachable"] == {"won": {F: None, M: None, B: None}}
    assert due_after(FAVOURED_SOLO)["optional"]


def test_the_zangano_pays_and_receives_like_the_others() -> None:
    told = score_after([*tresillo(players={"sitting_out": ["Dora"]}), slip("F", "play", "5-2-2")])
    assert told["payments"] == {F: 25, M: -5, B: -5, "Dora": -5}


def test_a_surrendered_entrada_is_a_puesta_or_an_opponents() -> None:
    taken_over = [*GAME, *tricks("M"), OFFER, TAKEN]
    assert state_after(taken_over)["declarer"] == M
    assert payment(FOUND["an opponent goes on"][0]) == "won -20 35 -5"
    accepted = [*GAME, *tricks("MB"), OFFER, *CONTENT]
    assert (turn(accepted), payment(accepted)) == ("over", "bete -20 0 0")
