"""Offences are offered to the director where a ruleset states points for them; nobody is accused by a gap."""

import pytest

from engine.judging.offences import SUITS_SAID
from engine.rulings import penalties, rulings
from tests.support.engine.shorthand import B, Event, F, M, audited, found, named, opened, ruled, said

TOURNAMENT = "dlu-tournament"


def call(seat: str, bid: str, **more: str) -> Event:
    return {"type": "bid_made", "seat": {"F": F, "M": M, "B": B}[seat], "bid": bid, **more}


def offences(*calls: Event, ruleset: str = TOURNAMENT, before: tuple[Event, ...] = ()) -> list[int]:
    """The calls, the first of them 1, for which a penalty is possible."""
    events = [*opened(ruleset=ruleset), *before, *calls]
    return [int(seq) - 1 - len(before) for seq, code in found(events) if code == "penalty_possible"]


SIMPLE, PASS, SOLO = call("F", "simple"), call("F", "pass"), call("F", "solo")
PASSED = (PASS, call("M", "pass"))
HEARTS = {"type": "trump_named", "seat": F, "trump": "H"}
EARLY = [*said("F simple, M pass")]

OFFENCES: dict[str, tuple[list[Event], list[int]]] = {
    # A suit is named by the words or the suit that was recorded
    "i hjerter": ([call("F", "simple", said="Spil i hjerter")], [1]),
    "a sign": ([call("F", "simple", said="a simple game, in ♦")], [1]),
    "a suit recorded": ([call("F", "solo", trump="S")], [1]),
    "no suit": ([call("F", "simple", said="spil")], []),
    "a word like a suit": ([call("F", "simple", said="jeg sparer på det")], []),
    "a nolo": ([call("F", "nolo-ouvert", said="nolo")], []),
    # A bid that tells its suit by itself names none
    "spade-solo, said": ([SOLO, call("M", "spade-solo", said="solo spar")], []),
    "spade-solo held, said": ([SOLO, call("M", "spade-solo"), call("F", "self", said="solo spar")], []),
    "spade-solo and another suit": ([SOLO, call("M", "spade-solo", said="solo, ikke hjerter")], [2]),
    # Who ends the auction has the contract with the words that end it
    "the last call": ([*PASSED, call("B", "simple", said="spil i ruder")], []),
    "the last call but one": ([PASS, call("M", "simple", said="spil i ruder")], [2]),
    # That it was too early is what a recorder says who records it as named with the bid
    "the last call, recorded": ([*PASSED, call("B", "simple", trump="D")], [3]),
    # A bid is needless where a lower one would have been enough
    "calls missing": ([call("M", "spade-game")], []),
    # A suit named while others have still to speak
    "named early": ([*EARLY, *named("F", "simple", "H")], [3]),
    "named in time": ([*EARLY, call("B", "pass"), *named("F", "simple", "H")], []),
    "named without an auction": (named("F", "simple", "H"), []),
    "trumps named early": ([*said("F solo, M pass"), HEARTS], [3]),
    "a nolo named early": ([*said("F nolo-ouvert, M pass"), *named("F", "nolo-ouvert")], []),
}


@pytest.mark.parametrize("name", OFFENCES)
def test_a_call_that_tells_too_much_is_an_offence_in_a_tournament(name: str) -> None:
    events, expected = OFFENCES[name]
    assert offences(*events) == expected
    assert offences(*events, ruleset="dlu") == []


@pytest.mark.parametrize("suit", SUITS_SAID)
def test_every_suit_is_known_by_each_of_its_words(suit: int) -> None:
    for word in SUITS_SAID[suit]:  # type: ignore[index]
        assert offences(call("F", "simple", said=f"simple, {word}")) == [1], word


@pytest.mark.parametrize("needless", ["spade-game", "tourne", "simple-nolo", "spade-solo"])
def test_a_bid_is_needless_where_a_lower_one_would_have_been_enough(needless: str) -> None:
    assert offences(call("F", needless)) == [1]
    assert offences(PASS, call("M", needless)) == [2]
    assert offences(SOLO, call("M", needless)) == []
    assert offences(call("F", needless), before=({"type": "gap_noted"},)) == []
    if needless != "spade-solo":
        assert offences(SIMPLE, call("M", needless)) == []


OFFENDED = [*opened(ruleset=TOURNAMENT), *said("F spade-game, M pass, B pass"), *named("F", "spade-game")]
WON = {"type": "result_recorded", "outcome": "won"}


def test_points_are_offered_and_given_and_change_no_payment() -> None:
    offered = audited([*OFFENDED, WON])
    assert offered.ok
    assert [(one.seat, one.possible, one.offences, one.given) for one in penalties(offered)] == [
        (0, 1, (2,), 0)
    ]
    given = audited([*OFFENDED, WON, ruled(penalty={F: 1, B: 2})])
    assert given.score.payments == offered.score.payments
    assert [(one.seat, one.possible, one.given, one.rulings) for one in penalties(given)] == [
        (0, 1, 1, (7,)),
        (2, 0, 2, (7,)),
    ]
    assert rulings(given) == ()


def test_a_ruling_is_told_next_to_what_the_deal_would_pay_without_it() -> None:
    judged = audited([*OFFENDED, WON, ruled(outcome="codille"), ruled(payments={F: -1, B: 1}), ruled()])
    first, last = rulings(judged)
    assert (first.in_force, first.changed, last.in_force) == (False, None, True)
    assert dict(last.without or ()) == {F: 2, M: -1, B: -1}
    assert dict(last.pays or ()) == {F: -1, M: 0, B: 1}
    assert dict(last.changed or ()) == {F: -3, M: 1, B: 2}


def test_a_ruling_on_an_open_or_void_deal_changes_nothing_that_is_certain() -> None:
    (alone,) = rulings(audited([*OFFENDED, ruled(outcome="bete")]))
    assert (alone.in_force, alone.without, alone.changed) == (True, None, None)
    assert dict(alone.pays or ()) == {F: -2, M: 1, B: 1}
    void = {"type": "deal_voided", "reason": "a misdeal"}
    (one,) = rulings(audited([*OFFENDED, WON, ruled(outcome="bete"), void]))
    assert not one.in_force
    (unpaid,) = rulings(audited([*OFFENDED, WON, ruled(outcome="forfeited", at_fault=F)]))
    assert (unpaid.in_force, unpaid.pays, unpaid.changed) == (True, None, None)
