"""Ombre's optional extras, each with its switch, puestas set aside by agreement, and surrender (RULES 8).

What is legal and paid at each point is held against the slow model in `test_against_slow_model`.
"""

from typing import Any

import pytest

from tests.support.engine.answers import asked, findings, payment, turn
from tests.support.engine.ombre import leading, ombre
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
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
    tricks,
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


def vole(hand: str = ALL_TOPS) -> list[Event]:
    deal = called("F vole, M pass, B pass", "vole-challenge", hands=(hand,))
    return deal + named("F", "solo", "H") + stands("M B")


FIVE = vole() + leading(ALL_TOPS, 5)
FOUND: dict[str, tuple[list[Event], str]] = {
    "an extra not agreed": (called(f"{PASS}, F gascarille"), "wrong_phase"),
    "an extra before all have passed": (called("F gascarille", "gascarille"), "bid_not_allowed"),
    "self then": (called(f"{PASS}, M self", "gascarille"), "bid_not_allowed"),
    "gascarille": ([*EXCHANGED, trumps("F", "H"), *stands("M B")], ""),
    "a defender before trumps": (GASCARILLE + swap("F", EIGHT, EIGHT) + stands("M"), "wrong_seat"),
    "countervole in a singleton": (COUNTERVOLE + named("B", "countervole", "S"), ""),
    "countervole in a void": (COUNTERVOLE + named("B", "countervole", "H"), "contract_not_allowed"),
    "spadille forced": (FORCED + named("F", "play", "H"), ""),
    "spadille forced, another names": (FORCED + named("M", "play", "H"), "contract_not_allowed, wrong_seat"),
    "spadille shown": ([*SHOWN, *named("M", "play", "H"), *stands("M B F")], ""),
    "spadille forced after an extra": (BOTH + said(PASS) + named("F", "play", "H"), ""),
    "favor over higher": (called("F play, M higher, B favor", "favor"), "bid_too_low"),
    "favor not agreed": (called("F play, M favor"), "bid_not_allowed"),
    "a vole over oros": (called("F oros, M vole, B pass, F pass", "vole-challenge"), ""),
    "a vole surrendered": ([*FIVE, {"type": "surrender_offered", "seat": F}], "abandon_not_allowed"),
    "a switch unknown": (agreed("nonsense"), "unknown_switch"),
    "a number for a switch": (agreed(switches={"gascarille": 1}), "unknown_switch"),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_where_extras_are_agreed(name: str) -> None:
    events, expected = FOUND[name]
    assert findings(events) == expected
    if expected == "unknown_switch":
        assert turn([*events, *said(PASS)]) == "over"


@pytest.mark.parametrize(
    ("limit", "seat", "after", "reserved", "expected"),
    [
        (10, "", 10, [20], ""),
        (11, "", 30, [], ""),
        (11, F, 10, [20], "reserve_not_allowed"),
        (0, F, 10, [20], ""),
        (0, M, 30, [], "reserve_not_allowed"),
    ],
)
def test_a_puesta_is_set_aside_from_the_agreed_pool_on_or_by_an_entry(
    limit: int, seat: str, after: int, reserved: list[int], expected: str
) -> None:
    events = [*agreed(switches={"reserve-at": limit}), slip("F", "play", "4-4-1", trump="H")]
    events += [{"type": "puesta_reserved", "seat": seat}] if seat else []
    assert score_after(events)["pool"] == {"before": 10, "after": after, "reserved": reserved}
    assert findings(events) == expected


@pytest.mark.parametrize("most", [9, 3])
def test_the_limit_of_estuches_is_a_house_rule(most: int) -> None:
    deal = agreed(hands=(ALL_TOPS,), switches={"estuches-most": most}) + said("F solo, M pass, B pass")
    deal += named("F", "solo", "H") + stands("M B") + leading(ALL_TOPS, 5)
    each = 8 + 1 + most
    assert payment(deal) == f"won {10 + 2 * each} {-each} {-each}"


# --- Surrender ------------------------------------------------------------------------------------


def offered(seat: str = F) -> Event:
    return {"type": "surrender_offered", "seat": seat}


def answer(seat: str, word: str) -> Event:
    return {"type": "surrender_answered", "seat": seat, "answer": word}


def game(winners: str = "", *more: Event, players: dict[str, list[str]] | None = None) -> list[Event]:
    """Forehand plays in hearts; ten fish in the pool; these tricks have been won."""
    return [*ombre(hand="", players=players or {}), *tricks(winners), *more]


FORBIDDEN = [offered(), answer(M, "forbid")]
ACCEPTED = [offered(), answer(M, "accept"), answer(B, "accept")]


def taken(earlier: str, later: str) -> list[Event]:
    """After ``earlier`` tricks middlehand forbids the surrender, and wins or loses the ``later`` ones."""
    return game(earlier, *FORBIDDEN, *tricks(earlier + later)[3 * len(earlier) :])


TWINS = taken("FFM", "FFMMMB")
SURRENDERS: dict[str, tuple[list[Event], str]] = {
    "after three tricks": (game("FMB", offered()), ""),
    "in the fourth": ([*game("FMB"), *plays("B-SJ"), offered()], "abandon_not_allowed"),
    "before the exchange": ([*game()[:-3], offered()], "abandon_not_allowed"),
    "after its own exchange": ([*game()[:-3], *swap("F", "?? ??", "?? ??"), offered()], ""),
    "twice": (game("", offered(), offered()), "abandon_not_allowed"),
    "answered without an offer": (game("", answer(M, "accept")), "wrong_phase"),
    "answered by who offers": (game("", offered(), answer(F, "accept")), "wrong_seat"),
    "by the new ombre": (game("", *FORBIDDEN, offered(M)), "abandon_not_allowed"),
    "answered when forbidden": (game("", *FORBIDDEN, answer(B, "accept")), "wrong_phase"),
    "accepted": (game("MB", *ACCEPTED), ""),
    "twins set aside": ([*TWINS, {"type": "puesta_reserved", "seat": M}], ""),
    "under rules that know none": ([*opened(), offered()], "abandon_not_allowed"),
}


@pytest.mark.parametrize("name", SURRENDERS)
def test_when_a_surrender_is_allowed(name: str) -> None:
    events, expected = SURRENDERS[name]
    assert findings(events) == expected
    if events[-1] == offered():
        assert asked(events[:-1], "surrender") == ("" if expected else "F")


def test_who_forbids_a_surrender_becomes_ombre_in_the_same_contract() -> None:
    assert asked(game("", offered()), "answer") == "B M"
    told = state_after(game("", *ACCEPTED[:2]))["surrender"]
    assert told == {"seat": F, "accepted": [M], "forbidden_by": None}
    state = state_after(game("M", *FORBIDDEN))
    assert (state["declarer"], state["contract"], state["trump"], state["to_act"]) == (M, "play", "H", M)


def test_no_source_says_what_the_new_ombre_pays_for_a_codille() -> None:
    deal = taken("MF", "FFFFBBB")
    assert (payment(deal), turn(deal)) == ("open", "over")
    assert score_after(deal)["reachable"] == {"codille": {F: None, M: None, B: None}}
