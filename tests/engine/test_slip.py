"""Deals of which only the result was written down: the slip, alone or beside cards."""

from typing import Any

import pytest

from tests.support.engine.answers import findings, payment, turn
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    named,
    note,
    opened,
    plays,
    said,
    score_after,
    slip,
    stands,
    state_after,
    tricks,
)

CALLS = said("F simple, M pass, B pass")
SOLO = opened() + said("F solo, M pass, B pass") + named("F", "solo", "H") + stands("M B")
SEVEN = SOLO + tricks("FFFMMFF")


def of_slip(*told: Any, ruleset: str = "dlu", **more: Any) -> list[Event]:
    return [*opened(ruleset=ruleset), slip(*told, **more)]


def test_a_slip_is_a_finished_deal() -> None:
    events = of_slip("M", "solo", "3-4-2", trump="H")
    assert (findings(events), payment(events), turn(events)) == ("", "won -3 6 -3", "over")
    state = state_after(events)
    assert (state["phase"], state["to_act"], state["incomplete"]) == ("finished", None, True)
    assert (state["declarer"], state["contract"], state["trump"]) == (M, "solo", "H")


PAYS: dict[str, tuple[list[Event], str]] = {
    "five tricks": (of_slip("F", "simple", "5-?-?"), "won 2 -1 -1"),
    "no trick of a nolo": (of_slip("F", "pure-nolo", "0-?-?"), "won 8 -4 -4"),
    "two and five": (of_slip("F", "play", "2-5-?", ruleset="ombre"), "codille -10 10 0"),
    "four tricks": (of_slip("F", "simple", "4-?-?"), "open"),
    "three tricks": (of_slip("F", "simple", "3-?-?"), "open"),
    "the declarer alone": (of_slip("F"), "open"),
    "declarer and contract": (of_slip("F", "solo"), "open"),
    "a deal that did not count": (of_slip(outcome="voided"), "voided 0 0 0"),
    "given up": (of_slip("F", "tourne", outcome="abandoned"), "abandoned -4 2 2"),
    "bids and result": (
        [*opened(), *said("F simple, M solo, F pass, B pass"), slip(tricks="?-5-?", contract="solo")],
        "won -3 6 -3",
    ),
    "contract and result": ([*opened(), *CALLS, *named("F", "tourne"), slip(tricks="3-3-3")], "bete -4 2 2"),
    "two slips": ([*of_slip("F", "simple", "5-2-2"), slip("F", "simple", "4-4-1")], "bete -2 1 1"),
    "a nolo with all nine": (of_slip("F", "pure-nolo", "9-0-0", slam="made"), "codille -10 5 5"),
    # Beside cards
    "the rest of the tricks": ([*SOLO, *tricks("FFMM"), slip(outcome="bete", tricks="4-4-1")], "bete -6 3 3"),
    "a hidden last trick told": (
        [*SOLO, *tricks("FFFFMMMM"), *plays("M-?? B-?? F-??"), slip(outcome="won", tricks="5-4-0")],
        "won 6 -3 -3",
    ),
    "a slip before the cards": (
        [*of_slip("F", "solo", outcome="bete"), *SOLO[1:], *tricks("FFFFF")],
        "won 6 -3 -3",
    ),
}


@pytest.mark.parametrize("name", PAYS)
def test_what_a_slip_pays(name: str) -> None:
    events, expected = PAYS[name]
    assert payment(events) == expected


def test_what_too_few_tricks_leave_open() -> None:
    assert sorted(score_after(PAYS["four tricks"][0])["reachable"]) == ["bete", "codille", "won"]
    assert sorted(score_after(PAYS["three tricks"][0])["reachable"]) == ["bete", "codille"]
    assert score_after(PAYS["declarer and contract"][0])["payments"] is None
    assert score_after(PAYS["the rest of the tricks"][0])["tricks"] == {F: 4, M: 4, B: 1}


def test_a_call_after_the_slip_opens_the_deal_again_and_a_note_does_not() -> None:
    events = of_slip("F", "simple", "5-2-2")
    assert (turn(events + said("F simple")), findings(events + said("F simple"))) == ("M bid", "")
    assert turn([*events, note("!")]) == "over"


OMBRE = {"ruleset": "ombre"}
FOUND: dict[str, tuple[list[Event], str]] = {
    "ten tricks": (of_slip("F", "simple", "5-3-2"), "result_mismatch"),
    "won with four": (of_slip("F", "simple", "4-4-1", outcome="won"), "result_mismatch"),
    "a nolo won with one": (of_slip("F", "pure-nolo", "1-4-4", outcome="won"), "result_mismatch"),
    "an ouvert bete with one": (of_slip("F", "nolo-ouvert", "1-4-4", outcome="bete"), "result_mismatch"),
    "an unknown contract": (of_slip("F", "oros", "5-2-2"), "contract_not_allowed"),
    "a slam unknown here": (of_slip("F", "simple", "9-0-0", slam="made"), "slam_not_allowed"),
    "spade-solo in hearts": (of_slip("F", "spade-solo", outcome="won", trump="H"), "contract_not_allowed"),
    "primeras of dlu": (of_slip("F", "simple", "5-4-0", primeras=True), "result_mismatch"),
    "a vole of five": (of_slip("F", "play", "5-4-0", slam="made", **OMBRE), "result_mismatch"),
    "primeras of four": (of_slip("F", "play", "4-3-2", primeras=True, **OMBRE), "result_mismatch"),
    # Beside the auction and the cards
    "another declarer than bid": ([*opened(), *CALLS, slip("M", "simple", "2-5-2")], "result_mismatch"),
    "all passed after a bid": ([*opened(), *CALLS, slip(outcome="passed_out")], "result_mismatch"),
    "as the cards": ([*SEVEN, slip("F", "solo", "5-2-0", trump="H", outcome="won")], ""),
    "what the cards leave open": (PAYS["the rest of the tricks"][0], ""),
    "another declarer": ([*SEVEN, slip("M", "solo", "5-2-0")], "result_mismatch"),
    "another trump": ([*SEVEN, slip("F", "solo", "5-2-0", trump="D")], "result_mismatch"),
    "another outcome": ([*SEVEN, slip("F", "solo", outcome="bete")], "result_mismatch"),
    "too few of another's": ([*SEVEN, slip("F", "solo", "5-1-3")], "result_mismatch"),
    "fewer than were won": ([*SOLO, *tricks("FFMM"), slip(tricks="5-1-3")], "result_mismatch"),
    "the cards afterwards": ([*of_slip("F", "solo", outcome="won"), *SOLO[1:], *tricks("FFFFF")], ""),
    "other cards afterwards": (PAYS["a slip before the cards"][0], "2 result_mismatch"),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_of_a_slip(name: str) -> None:
    events, expected = FOUND[name]
    assert findings(events) == expected
    if events[: len(SEVEN)] == SEVEN:
        assert payment(events) == "won 6 -3 -3"  # the cards have it
