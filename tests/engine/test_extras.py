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
FAVOR = called("F play, M favor, B pass, F pass", "favor")


def vole(hand: str = ALL_TOPS) -> list[Event]:
    deal = called("F vole, M pass, B pass", "vole-challenge", hands=(hand,))
    return deal + named("F", "solo", "H") + stands("M B")


FIVE = vole() + leading(ALL_TOPS, 5)
EARLY_LOSS = vole("SA H7 CA D2 D3 D4 D5 D6 D7") + leading("SA H7 CA", 3) + plays("F-D2 M-DK B-D4")

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
    ("events", "due", "pays"),
    [
        (EXCHANGED, "F name", "open"),  # eight are exchanged before trumps are named
        ([*FOUND["gascarille"][0], slip(tricks="5-4-0")], "over", "won 26 -8 -8"),
        ([*agreed("gascarille"), slip("F", "gascarille", "4-4-1", trump="H")], "over", "bete -26 0 0"),
        # The first trick ends countervole as a puesta
        (FOUND["countervole in a singleton"][0] + plays("F-D2 M-C2 B-S3"), "over", "bete 0 0 -20"),
        ([*agreed("countervole"), slip("B", "countervole", "5-4-0", trump="S")], "over", "won -5 -5 20"),
        # Spadille is seen, not seen, or in the talon
        (called(PASS, "forced-spadille"), "- name", "open"),
        ([*agreed("forced-spadille"), laid("SA"), *said(PASS)], "over", "passed_out 0 0 0"),
        # The vole challenged
        (vole() + leading(ALL_TOPS, 9), "over", "won 80 -35 -35"),
        (EARLY_LOSS, "over", "bete -60 30 30"),
        (vole(LATE) + leading(LATE, 5) + plays("F-D2 M-DK B-D6"), "over", "won -40 25 25"),
    ],
)
def test_who_is_due_and_what_is_paid(events: list[Event], due: str, pays: str) -> None:
    assert (turn(events), payment(events)) == (due, pays)


def test_a_vole_challenged_has_to_be_made() -> None:
    assert state_after(vole())["slam"] == "challenged"
    assert "optional" not in due_after(FIVE)
    assert set(score_after(FIVE)["reachable"]) == {"slam_made", "slam_failed"}
    lost = score_after(EARLY_LOSS)
    assert (lost["slam"], lost["pool"]) == ("failed", {"before": 10, "after": 10, "reserved": []})


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


@pytest.mark.parametrize(
    ("events", "pays", "after"),
    [
        (game("MB", *ACCEPTED), "bete -20 0 0", 30),
        # The first pays the new ombre 20; the pool, 10, and the base, 5 from backhand, come to it
        (taken("MM", "MMM"), "won -20 35 -5", 0),
        (game("", *FORBIDDEN, slip("M", tricks="2-5-2")), "won -20 35 -5", 0),
        (TWINS, "bete -20 -20 0", 50),
        (SURRENDERS["twins set aside"][0], "bete -20 -20 0", 10),
    ],
    ids=["accepted", "won", "on a slip", "twins", "twins set aside"],
)
def test_what_a_surrender_pays(events: list[Event], pays: str, after: int) -> None:
    assert (payment(events), turn(events)) == (pays, "over")
    reserved = [40] if after == 10 else []
    assert score_after(events)["pool"] == {"before": 10, "after": after, "reserved": reserved}


def test_who_forbids_a_surrender_becomes_ombre_in_the_same_contract() -> None:
    assert asked(game("", offered()), "answer") == "B M"
    told = state_after(game("", *ACCEPTED[:2]))["surrender"]
    assert told == {"seat": F, "accepted": [M], "forbidden_by": None}
    state = state_after(game("M", *FORBIDDEN))
    assert (state["declarer"], state["contract"], state["trump"], state["to_act"]) == (M, "play", "H", M)


def test_both_parts_of_a_forbidden_surrender_are_told() -> None:
    first, second = score_after(taken("MM", "MMM"))["parts"]
    assert (first["declarer"], first["outcome"], first["payments"]) == (F, "codille", {F: -20, M: 20, B: 0})
    assert (second["declarer"], second["outcome"], second["payments"]) == (M, "won", {F: 0, M: 15, B: -5})
    assert "parts" not in score_after(game("MB", *ACCEPTED))
    four = score_after(game("", *ACCEPTED, players={"sitting_out": ["Dora"]}))
    assert four["payments"] == {F: -25, M: 0, B: 0, "Dora": 0}


def test_no_source_says_what_the_new_ombre_pays_for_a_codille() -> None:
    deal = taken("MF", "FFFFBBB")
    assert (payment(deal), turn(deal)) == ("open", "over")
    assert score_after(deal)["reachable"] == {"codille": {F: None, M: None, B: None}}
