"""Ombre's optional extras, each behind its switch (RULES 8), and puestas set aside by agreement."""

from typing import Any

import pytest

from tests.support.engine.answers import findings, payment, turn
from tests.support.engine.ombre import leading
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    due_after,
    laid,
    named,
    opened,
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

PASS = "F pass, M pass, B pass"
HANDS = ("SA D2 D3 D4 D5 D6 DJ DQ DK", "C2 C3 C4 C5 C6 C7 CJ CQ CK", "S2 S3 S4 S5 S6 S7 SJ SQ SK")
ALL_TOPS, LATE = "SA H7 CA HA HK HQ HJ H2 H3", "SA H7 CA HA HK D2 D3 D4 D5"
EIGHT = " ".join(["??"] * 8)


def agreed(*extras: str, hands: tuple[str, ...] = (), switches: dict[str, Any] | None = None) -> list[Event]:
    """A deal with ten fish in the pool, in which these extras are agreed."""
    switches = {**dict.fromkeys(extras, True), **(switches or {})}
    return opened(*hands, ruleset="ombre", pool=10, switches=switches)


def called(words: str, *extras: str, hands: tuple[str, ...] = ()) -> list[Event]:
    return agreed(*extras, hands=hands) + said(words)


GASCARILLE = called(f"{PASS}, F gascarille", "gascarille")
EXCHANGED = GASCARILLE + named("F", "gascarille") + swap("F", EIGHT, EIGHT)
COUNTERVOLE = called(f"{PASS}, B countervole", "countervole", hands=HANDS)
FORCED = called(PASS, "forced-spadille", hands=HANDS)
BOTH = called(PASS, "forced-spadille", "gascarille", hands=HANDS)
SHOWN = [*called(PASS, "forced_spadille"), shown("M", "SA")]
FAVOR = called("F play, M favor, B pass, F pass", "favor")


def vole(hand: str = ALL_TOPS) -> list[Event]:
    deal = called("F vole, M pass, B pass", "vole-challenge", hands=(hand,))
    return deal + named("F", "solo", "H") + stands("M B")


FIVE = vole() + leading(ALL_TOPS, 5)
EARLY_LOSS = vole("SA H7 CA D2 D3 D4 D5 D6 D7") + leading("SA H7 CA", 3) + plays("F-D2 M-DK B-D4")

FOUND: dict[str, tuple[list[Event], str]] = {
    "an extra not agreed": (called(f"{PASS}, F gascarille"), "wrong_phase"),
    "an extra that nobody undertakes": (called(f"{PASS}, {PASS}", "gascarille", "countervole"), ""),
    "an extra by the youngest": (called(f"{PASS}, B gascarille", "gascarille"), ""),
    "an extra before all have passed": (called("F gascarille", "gascarille"), "bid_not_allowed"),
    "an extra after passing it": (called(f"{PASS}, F pass, F gascarille", "gascarille"), "bid_not_allowed"),
    "another bid then": (called(f"{PASS}, F play", "gascarille"), "bid_not_allowed"),
    "self then": (called(f"{PASS}, M self", "gascarille"), "bid_not_allowed"),
    "gascarille": ([*EXCHANGED, trumps("F", "H"), *stands("M B")], ""),
    "seven exchanged in gascarille": (GASCARILLE + swap("F", EIGHT[3:], EIGHT[3:]), "6 exchange_count"),
    "a defender before trumps": (GASCARILLE + swap("F", EIGHT, EIGHT) + stands("M"), "wrong_seat"),
    "countervole in a singleton": (COUNTERVOLE + named("B", "countervole", "S"), ""),
    "countervole in a void": (COUNTERVOLE + named("B", "countervole", "H"), "contract_not_allowed"),
    "spadille forced": (FORCED + named("F", "play", "H"), ""),
    "spadille forced, another names": (FORCED + named("M", "play", "H"), "contract_not_allowed, wrong_seat"),
    "spadille shown": ([*SHOWN, *named("M", "play", "H"), *stands("M B F")], ""),
    "spadille forced after an extra": (BOTH + said(PASS) + named("F", "play", "H"), ""),
    "favor over play": (called("F play, M favor, B higher", "favor"), ""),
    "favor over higher": (called("F play, M higher, B favor", "favor"), "bid_too_low"),
    "favor not agreed": (called("F play, M favor"), "bid_not_allowed"),
    "a vole over oros": (called("F oros, M vole, B pass, F pass", "vole-challenge"), ""),
    "a vole surrendered": ([*FIVE, {"type": "surrender_offered", "seat": F}], "abandon_not_allowed"),
    "a switch unknown": (agreed("nonsense"), "unknown_switch"),
    "a number too small": (agreed(switches={"estuches-most": 0}), "unknown_switch"),
    "a number for a switch": (agreed(switches={"gascarille": 1}), "unknown_switch"),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_where_extras_are_agreed(name: str) -> None:
    events, expected = FOUND[name]
    assert findings(events) == expected
    if expected == "unknown_switch":
        assert turn([*events, *said(PASS)]) == "over"


@pytest.mark.parametrize(
    ("events", "due", "pays"),
    [
        (called(PASS), "over", "passed_out 0 0 0"),
        (called(PASS, "gascarille"), "F bid", "passed_out 0 0 0"),
        (called(f"{PASS}, F pass", "gascarille"), "M bid", "passed_out 0 0 0"),
        (called(f"{PASS}, {PASS}", "gascarille"), "over", "passed_out 0 0 0"),
        (called(f"{PASS}, B gascarille", "gascarille"), "B name", "open"),
        # Gascarille: eight are exchanged before trumps are named
        (GASCARILLE, "F name", "open"),
        (GASCARILLE + named("F", "gascarille"), "F exchange", "open"),
        (EXCHANGED, "F name", "open"),
        ([*EXCHANGED, trumps("F", "H")], "M exchange", "open"),
        ([*FOUND["gascarille"][0], slip(tricks="5-4-0")], "over", "won 26 -8 -8"),
        ([*agreed("gascarille"), slip("F", "gascarille", "4-4-1", trump="H")], "over", "bete -26 0 0"),
        # Countervole: the first trick ends it as a puesta
        (FOUND["countervole in a singleton"][0], "F play", "open"),
        (FOUND["countervole in a singleton"][0] + plays("F-D2 M-C2 B-S3"), "over", "bete 0 0 -20"),
        ([*agreed("countervole"), slip("B", "countervole", "5-4-0", trump="S")], "over", "won -5 -5 20"),
        # Forced spadille
        (FORCED, "F name", "open"),
        (called(PASS, "forced-spadille"), "- name", "open"),
        (SHOWN, "M name", "open"),
        ([*agreed("forced-spadille"), laid("SA"), *said(PASS)], "over", "passed_out 0 0 0"),
        (BOTH, "F bid", "open"),
        (BOTH + said(PASS), "F name", "open"),
        # The vole challenged
        (FIVE, "F play", "open"),
        (vole() + leading(ALL_TOPS, 9), "over", "won 80 -35 -35"),
        (EARLY_LOSS, "over", "bete -60 30 30"),
        (vole(LATE) + leading(LATE, 5) + plays("F-D2 M-DK B-D6"), "over", "won -40 25 25"),
    ],
)
def test_who_is_due_and_what_is_paid(events: list[Event], due: str, pays: str) -> None:
    assert (turn(events), payment(events)) == (due, pays)


@pytest.mark.parametrize(
    ("events", "contracts"),
    [
        (GASCARILLE, {"gascarille": ""}),
        (EXCHANGED, {"gascarille": "CDHS"}),
        (COUNTERVOLE, {"countervole": "S"}),
        (FORCED, {"oros": "D", "play": "CDHS", "solo": "CHS", "voltereta": ""}),
        (FAVOR, {"favor": "D", "oros": "D", "solo": "CHS", "voltereta": ""}),
        (FOUND["a vole over oros"][0], {"oros": "D", "solo": "CHS"}),
    ],
    ids=["gascarille", "exchanged", "countervole", "forced spadille", "favor", "vole"],
)
def test_what_may_be_named(events: list[Event], contracts: dict[str, str]) -> None:
    assert {one["contract"]: "".join(one["trumps"]) for one in due_after(events)["contracts"]} == contracts


def test_what_may_be_called_after_all_have_passed() -> None:
    offered = due_after(called(PASS, "gascarille", "countervole"))
    assert (offered["calls"], offered["optional"]) == (["countervole", "gascarille", "pass"], True)
    assert due_after(BOTH)["calls"] == ["gascarille", "pass"]
    assert state_after(called(f"{PASS}, B gascarille", "gascarille"))["declarer"] == B
    assert state_after(EXCHANGED)["to_act"] == F
    due = due_after(GASCARILLE + named("F", "gascarille"))
    assert (due["min"], due["max"]) == (8, 8)
    assert state_after([*FAVOR, *named("M", "favor")])["trump"] == "D"


def test_a_vole_challenged_has_to_be_made() -> None:
    assert state_after(vole())["slam"] == "challenged"
    assert "optional" not in due_after(FIVE)
    assert set(score_after(FIVE)["reachable"]) == {"slam_made", "slam_failed"}
    lost = score_after(EARLY_LOSS)
    assert (lost["slam"], lost["pool"]) == ("failed", {"before": 10, "after": 10, "reserved": []})
    late = score_after(vole(LATE) + leading(LATE, 5) + plays("F-D2 M-DK B-D6"))
    assert (late["slam"], late["pool"]["after"]) == ("failed", 0)


# --- Puestas set aside by agreement, and other numbers -------------------------------------------


def bested(limit: int, *more: str) -> list[Event]:
    """A puesta where one is set aside from so large a pool on, and who sets it aside by an entry."""
    reserved: list[Event] = [{"type": "puesta_reserved", "seat": seat} for seat in more]
    return [*agreed(switches={"reserve-at": limit}), slip("F", "play", "4-4-1", trump="H"), *reserved]


@pytest.mark.parametrize(
    ("events", "after", "reserved", "expected"),
    [
        (bested(10), 10, [20], ""),
        (bested(11), 30, [], ""),
        (bested(11, F), 10, [20], "reserve_not_allowed"),
        (bested(0, F), 10, [20], ""),
        (bested(0, M), 30, [], "reserve_not_allowed"),
    ],
)
def test_from_the_agreed_pool_on_a_puesta_is_set_aside(
    events: list[Event], after: int, reserved: list[int], expected: str
) -> None:
    assert score_after(events)["pool"] == {"before": 10, "after": after, "reserved": reserved}
    assert findings(events) == expected


@pytest.mark.parametrize("most", [9, 5, 3])
def test_the_limit_of_estuches_is_a_house_rule(most: int) -> None:
    deal = agreed(hands=(ALL_TOPS,), switches={"estuches-most": most}) + said("F solo, M pass, B pass")
    deal += named("F", "solo", "H") + stands("M B") + leading(ALL_TOPS, 5)
    each = 8 + 1 + most
    assert payment(deal) == f"won {10 + 2 * each} {-each} {-each}"
