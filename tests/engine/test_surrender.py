"""Surrender in Ombre: accepted, forbidden, and what the first and the new Ombre pay (RULES 8)."""

from typing import Any

import pytest

from tests.support.engine.ombre import ombre
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    due_after,
    found,
    paid,
    plays,
    score_after,
    slip,
    state_after,
    swap,
    tricks,
)

FOUR: dict[str, Any] = {
    "players": {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl", "sitting_out": ["Dora"]}
}


def offered(seat: str = F) -> Event:
    return {"type": "surrender_offered", "seat": seat}


def answer(seat: str, word: str) -> Event:
    return {"type": "surrender_answered", "seat": seat, "answer": word}


def game(hand: str = "", **more: Any) -> list[Event]:
    """Forehand plays in hearts; ten fish in the pool."""
    return ombre(hand=hand, **more)


FORBIDDEN = [offered(), answer(M, "forbid")]


# --- Offering -------------------------------------------------------------------------------------


def test_ombre_may_surrender_until_the_fourth_trick_is_begun() -> None:
    for won in ("", "F", "FM", "FMB"):
        assert {"action": "surrender", "seat": F} in due_after([*game(), *tricks(won)])["also"], won
        assert found([*game(), *tricks(won), offered()]) == []
    begun = [*game(), *tricks("FMB"), *plays("B-SJ")]
    assert {"action": "surrender", "seat": F} not in due_after(begun).get("also", [])
    assert found([*begun, offered()]) == [(len(begun) + 1, "abandon_not_allowed")]


def test_before_his_own_exchange_there_is_nothing_to_surrender() -> None:
    before = game()[:-3]
    assert due_after(before)["action"] == "exchange"
    assert found([*before, offered()])[0][1] == "abandon_not_allowed"
    assert found([*before, *swap("F", "?? ??", "?? ??"), offered()]) == []


@pytest.mark.parametrize(
    ("events", "code"),
    [
        ([offered(M)], "abandon_not_allowed"),
        ([offered(), offered()], "abandon_not_allowed"),
        ([answer(M, "accept")], "wrong_phase"),
        ([offered(), answer(F, "accept")], "wrong_seat"),
        ([*FORBIDDEN, offered(M)], "abandon_not_allowed"),
        ([*FORBIDDEN, answer(B, "accept")], "wrong_phase"),
    ],
)
def test_what_is_no_surrender(events: list[Event], code: str) -> None:
    deal = [*game(), *events]
    assert found(deal) == [(len(deal), code)]


def test_the_others_are_asked() -> None:
    also = due_after([*game(), offered()])["also"]
    assert [one for one in also if one["action"] == "answer"] == [
        {"action": "answer", "seat": B},
        {"action": "answer", "seat": M},
    ]
    assert state_after([*game(), offered(), answer(M, "accept")])["surrender"] == {
        "seat": F,
        "accepted": [M],
        "forbidden_by": None,
    }


# --- Accepted -------------------------------------------------------------------------------------


def test_accepted_by_both_it_is_a_puesta() -> None:
    deal = [*game(), *tricks("MB"), offered(), answer(M, "accept"), answer(B, "accept")]
    assert found(deal) == []
    assert paid(deal) == ("bete", [-20, 0, 0])
    assert score_after(deal)["pool"] == {"before": 10, "after": 30, "reserved": []}
    assert "parts" not in score_after(deal)


def test_with_four_at_the_table_it_costs_fifteen_and_the_pool() -> None:
    deal = [*game(**FOUR), offered(), answer(M, "accept"), answer(B, "accept")]
    assert score_after(deal)["payments"] == {F: -25, M: 0, B: 0, "Dora": 0}


# --- Forbidden ------------------------------------------------------------------------------------


def test_who_forbids_it_becomes_ombre_in_the_same_contract() -> None:
    state = state_after([*game(), *tricks("M"), *FORBIDDEN])
    assert (state["declarer"], state["contract"], state["trump"]) == (M, "play", "H")
    assert state["tricks_won"] == {F: 0, M: 1, B: 0}
    assert state["to_act"] == M


def test_the_new_ombre_wins_and_is_paid_the_codille() -> None:
    """The first pays him pool and base, 20; he takes the pool, 10, and the base from backhand, 5."""
    deal = [*game(), *tricks("MM"), *FORBIDDEN, *tricks_on("MMM", "MM")]
    assert found(deal) == []
    assert paid(deal) == ("won", [-20, 35, -5])
    whole = score_after(deal)
    assert whole["pool"] == {"before": 10, "after": 0, "reserved": []}
    first, second = whole["parts"]
    assert (first["declarer"], first["outcome"], first["payments"]) == (F, "codille", {F: -20, M: 20, B: 0})
    assert (second["declarer"], second["outcome"], second["payments"]) == (M, "won", {F: 0, M: 15, B: -5})


def tricks_on(winners: str, earlier: str) -> list[Event]:
    """Further tricks of a play whose ``earlier`` tricks are told already."""
    return tricks(earlier + winners)[3 * len(earlier) :]


def test_a_sitter_pays_the_new_ombre_too() -> None:
    deal = [*game(**FOUR), *tricks("MM"), *FORBIDDEN, *tricks_on("MMM", "MM")]
    assert score_after(deal)["payments"] == {F: -25, M: 45, B: -5, "Dora": -5}
    assert len(score_after(deal)["payments"]) == 4


def test_the_new_ombre_bested_makes_twins() -> None:
    deal = [*game(), *tricks("MMM"), *FORBIDDEN, *tricks_on("FFFMBB", "MMM")]
    assert paid([*game(), *tricks("FFM"), *FORBIDDEN, *tricks_on("FFMMMB", "FFM")])[0] == "bete"
    assert score_after(deal)["tricks"] == {F: 3, M: 4, B: 2}
    twins = [*game(), *tricks("FFM"), *FORBIDDEN, *tricks_on("FFMMMB", "FFM")]
    assert paid(twins) == ("bete", [-20, -20, 0])
    assert score_after(twins)["pool"] == {"before": 10, "after": 50, "reserved": []}
    assert [part["outcome"] for part in score_after(twins)["parts"]] == ["bete", "bete"]


def test_twins_set_aside_are_played_for_together() -> None:
    twins = [*game(), *tricks("FFM"), *FORBIDDEN, *tricks_on("FFMMMB", "FFM")]
    apart = [*twins, {"type": "puesta_reserved", "seat": M}]
    assert found(apart) == []
    assert score_after(apart)["pool"] == {"before": 10, "after": 10, "reserved": [40]}


def test_what_the_new_ombre_pays_for_a_codille_nobody_says() -> None:
    deal = [*game(), *tricks("MF"), *FORBIDDEN, *tricks_on("FFFFBBB", "MF")]
    whole = score_after(deal)
    assert (whole["decided"], whole["payments"]) == (False, None)
    assert whole["reachable"] == {"codille": {F: None, M: None, B: None}}
    assert state_after(deal)["phase"] == "finished"


def test_the_new_ombre_is_paid_no_primeras_and_tries_for_no_vole() -> None:
    deal = [*game(), *tricks("MMM"), *FORBIDDEN, *tricks_on("MM", "MMM")]
    assert state_after(deal)["phase"] == "finished"
    assert paid(deal) == ("won", [-20, 35, -5])


def test_a_late_surrender_that_the_table_took_is_paid_all_the_same() -> None:
    deal = [*game(), *tricks("MMBB"), offered(), answer(M, "accept"), answer(B, "accept")]
    assert [code for _, code in found(deal)] == ["abandon_not_allowed"]
    assert paid(deal) == ("bete", [-20, 0, 0])


def test_a_slip_after_a_forbidden_surrender() -> None:
    """Nobody wrote the cards down: the slip tells how it ended for the new Ombre."""
    deal = [*game(), *FORBIDDEN, slip("M", tricks="2-5-2")]
    assert paid(deal) == ("won", [-20, 35, -5])


def test_where_the_rules_know_no_surrender() -> None:
    deal = [*ombre()[:1], offered()]
    deal[0] = {**deal[0], "ruleset": "dlu"}
    assert found(deal) == [(2, "abandon_not_allowed")]
