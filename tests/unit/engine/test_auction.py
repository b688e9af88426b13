"""The auction: who says what, what the winner names, and offences that a ruleset states points for."""

import itertools

import pytest

from engine.core.spoken_words import SPOKEN_WORDS
from engine.rulings import list_penalties, list_ruling_effects
from tests.support.engine.answers import findings, turn
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    a_deal,
    audited,
    bids,
    cards_shown,
    codes,
    due_after,
    hand_held,
    names,
    plays,
    ruled,
    state_after,
    trumps,
    turned,
)

ACES = "SA CA H2 H3 H4 D2 D3 D4 S3"
NO_ACES = "S4 C2 H2 H3 H4 D2 D3 D4 S3"


def called(words: str, ruleset: str = "dlu") -> list[Event]:
    return a_deal(ruleset=ruleset) + bids(words)


def calls(words: str, ruleset: str = "dlu") -> str:
    due = due_after(called(words, ruleset))
    assert due["action"] == "bid"
    return " ".join(due["calls"])


def test_after_a_call_that_is_not_allowed_the_auction_goes_on() -> None:
    """Backhand spoke before middlehand: middlehand still has a say, and then the two who are left."""
    assert turn(called("F simple, B solo")) == "M bid"
    assert turn(called("F simple, B solo, M pass")) == "F bid"
    assert "self" in calls("F simple, B solo, M pass").split()
    too_low = called("F solo, M simple, F pass, B pass")
    assert (turn(too_low), findings(too_low)) == ("M name", "3 bid_too_low"), "it stands if the table let it"


BID = bids("F grand-tourne")


@pytest.mark.parametrize(
    ("before", "allowed"),
    [
        (a_deal(ACES), True),
        (a_deal(NO_ACES), False),
        (a_deal("SA C2 H2 H3 H4 D2 D3 D4 S3"), False),
        (a_deal(), True),  # a hand that nobody recorded has the benefit of the doubt
        (a_deal(middlehand=ACES), False),
        ([*a_deal(), hand_held("F", NO_ACES)], False),
    ],
    ids=["both", "none", "one", "not recorded", "another's", "stated"],
)
def test_grand_tourne_is_for_a_hand_dealt_both_black_aces(before: list[Event], allowed: bool) -> None:
    assert ("grand-tourne" in due_after(before)["calls"]) is allowed
    assert findings(before + BID) == ("" if allowed else "bid_not_allowed")


def test_an_ace_that_shows_up_elsewhere_later_proves_the_bid_wrong() -> None:
    one_turned = [*called("F grand-tourne, M pass, B pass"), *names("F", "grand-tourne"), *turned("SA")]
    assert "2 bid_not_allowed" in findings(one_turned)
    assert findings([*a_deal(), *BID, cards_shown("M", "CA")]) == "2 bid_not_allowed"
    # Anna was dealt both: what is wrong is Bo's entry, not her bid.
    assert findings([*a_deal(ACES), *BID, cards_shown("M", "SA")]) == "card_duplicated"


def ombre(bid: str) -> list[Event]:
    return called(f"F {bid}, M pass, B pass", "ombre")


WON = called("F simple, M pass, B pass")
NAMED = WON + names("F", "simple", "H")
WHEN: dict[str, tuple[list[Event], str]] = {
    "spades in a simple game": (WON + names("F", "simple", "S"), "contract_not_allowed"),
    "the trumps of a tourne": (WON + names("F", "tourne", "H"), "contract_not_allowed"),
    "trumps not written down": (WON + names("F", "simple"), "incomplete"),
    "solo in diamonds round a pool": (ombre("solo") + names("F", "solo", "D"), "contract_not_allowed"),
    "oros": (ombre("oros") + names("F", "oros", "D"), ""),
    "too early": (called("F simple, M pass") + names("F", "simple", "H"), "wrong_phase"),
    "again": (NAMED + names("F", "tourne"), "wrong_phase"),
    "a bid after it": (NAMED + bids("B solo"), "wrong_phase"),
    "not written down where there is one": (called("F pure-nolo, M pass, B pass") + plays("F-H4"), ""),
    "trumps after it": ([*WON, *names("F", "simple"), trumps("F", "H")], "5 incomplete"),
    "other trumps after it": ([*NAMED, trumps("F", "D")], "contract_not_allowed"),
    "trumps in the auction": ([*called("F simple"), trumps("F", "H")], "wrong_phase"),
    "another's trumps": ([*WON, *names("F", "simple"), trumps("M", "H")], "5 incomplete, wrong_seat"),
    "trumps of a tourne": ([*WON, *names("F", "tourne"), trumps("F", "H")], "contract_not_allowed"),
}


@pytest.mark.parametrize("name", WHEN)
def test_who_names_and_when(name: str) -> None:
    events, expected = WHEN[name]
    assert findings(events) == expected


def test_what_comes_too_late_changes_nothing_and_trumps_may() -> None:
    assert state_after(WHEN["again"][0])["contract"] == "simple"
    assert state_after(WHEN["a bid after it"][0])["declarer"] == F
    assert state_after(WHEN["trumps after it"][0])["trump"] == "H"
    assert turn(WHEN["trumps in the auction"][0]) == "M bid"


def test_what_is_known_of_a_call_and_of_a_contract_by_its_name_or_its_bid() -> None:
    words = state_after([*a_deal(), call("F", "simple", said="spil")])["calls"]
    assert words == [{"seq": 2, "seat": F, "bid": "simple", "said": "spil"}]
    assert findings(WON + plays("F-H4")).startswith("wrong_phase"), "a choice must be written down"
    assert state_after(WHEN["not written down where there is one"][0])["contract"] == "pure-nolo"
    assert state_after(WON + names("F", "spade-game"))["trump"] == "S"
    assert state_after(WON + names("F", "simple-nolo"))["trump"] is None
    assert state_after(ombre("oros") + names("F", "oros"))["trump"] == "D"


TOURNAMENT = "dlu-tournament"


def call(seat: str, bid: str, **more: str) -> Event:
    return {"type": "bid_made", "seat": {"F": F, "M": M, "B": B}[seat], "bid": bid, **more}


def offences(*calls: Event, ruleset: str = TOURNAMENT, before: tuple[Event, ...] = ()) -> list[int]:
    """The calls, the first of them 1, for which a penalty is possible."""
    events = [*a_deal(ruleset=ruleset), *before, *calls]
    return [int(seq) - 1 - len(before) for seq, code in codes(events) if code == "penalty_possible"]


SIMPLE, PASS, SOLO = call("F", "simple"), call("F", "pass"), call("F", "solo")
PASSED = (PASS, call("M", "pass"))
HEARTS = {"type": "trump_named", "seat": F, "trump": "H"}
EARLY = [*bids("F simple, M pass")]

OFFENCES: dict[str, tuple[list[Event], list[int]]] = {
    # A suit is named by the words or the suit that was recorded
    "i hjerter": ([call("F", "simple", said="Spil i hjerter")], [1]),
    "a sign": ([call("F", "simple", said="a simple game, in ♦")], [1]),
    "a suit recorded": ([call("F", "solo", trump="S")], [1]),
    "no suit": ([call("F", "simple", said="spil")], []),
    "a word like a suit": ([call("F", "simple", said="jeg sparer på det")], []),
    # A bid that tells its suit by itself names none
    "spade-solo, said": ([SOLO, call("M", "spade-solo", said="solo spar")], []),
    "spade-solo and another suit": ([SOLO, call("M", "spade-solo", said="solo, ikke hjerter")], [2]),
    # Who ends the auction has the contract with the words that end it
    "the last call": ([*PASSED, call("B", "simple", said="spil i ruder")], []),
    # That it was too early is what a recorder says who records it as named with the bid
    "the last call, recorded": ([*PASSED, call("B", "simple", trump="D")], [3]),
    # A bid is needless where a lower one would have been enough
    "calls missing": ([call("M", "spade-game")], []),
    # A suit named while others have still to speak
    "named early": ([*EARLY, *names("F", "simple", "H")], [3]),
    "named in time": ([*EARLY, call("B", "pass"), *names("F", "simple", "H")], []),
    "named without an auction": (names("F", "simple", "H"), []),
    "trumps named early": ([*bids("F solo, M pass"), HEARTS], [3]),
    "a nolo named early": ([*bids("F nolo-ouvert, M pass"), *names("F", "nolo-ouvert")], []),
}


@pytest.mark.parametrize("name", OFFENCES)
def test_a_call_that_tells_too_much_is_an_offence_in_a_tournament(name: str) -> None:
    events, expected = OFFENCES[name]
    assert offences(*events) == expected
    assert offences(*events, ruleset="dlu") == []


@pytest.mark.parametrize("lang", SPOKEN_WORDS)
def test_every_suit_is_known_by_each_of_its_words(lang: str) -> None:
    for word in itertools.chain(*SPOKEN_WORDS[lang].suits.values()):
        assert offences(call("F", "simple", said=f"simple, {word}")) == [1], word


@pytest.mark.parametrize("needless", ["spade-game", "tourne", "simple-nolo", "spade-solo"])
def test_a_bid_is_needless_where_a_lower_one_would_have_been_enough(needless: str) -> None:
    assert offences(call("F", needless)) == [1]
    assert offences(PASS, call("M", needless)) == [2]
    assert offences(SOLO, call("M", needless)) == []
    assert offences(call("F", needless), before=({"type": "gap_noted"},)) == []
    if needless != "spade-solo":
        assert offences(SIMPLE, call("M", needless)) == []


OFFENDED = [*a_deal(ruleset=TOURNAMENT), *bids("F spade-game, M pass, B pass"), *names("F", "spade-game")]
RESULT = {"type": "result_recorded", "outcome": "won"}


def test_points_are_offered_and_given_and_change_no_payment() -> None:
    offered = audited([*OFFENDED, RESULT])
    assert offered.ok
    assert [
        (one.seat, one.possible_points, one.offence_seqs, one.given_points) for one in list_penalties(offered)
    ] == [(0, 1, (2,), 0)]
    given = audited([*OFFENDED, RESULT, ruled(penalty={F: 1, B: 2})])
    assert given.score.payments == offered.score.payments
    assert [
        (one.seat, one.possible_points, one.given_points, one.ruling_seqs) for one in list_penalties(given)
    ] == [(0, 1, 1, (7,)), (2, 0, 2, (7,))]
    assert list_ruling_effects(given) == ()


def test_a_ruling_is_told_next_to_what_the_deal_would_pay_without_it() -> None:
    judged = audited([*OFFENDED, RESULT, ruled(outcome="codille"), ruled(payments={F: -1, B: 1}), ruled()])
    first, last = list_ruling_effects(judged)
    assert (first.is_in_force, first.differences, last.is_in_force) == (False, None, True)
    assert dict(last.payments_without or ()) == {F: 2, M: -1, B: -1}
    assert dict(last.payments or ()) == {F: -1, M: 0, B: 1}
    assert dict(last.differences or ()) == {F: -3, M: 1, B: 2}


def test_a_ruling_on_an_open_or_void_deal_changes_nothing_that_is_certain() -> None:
    (alone,) = list_ruling_effects(audited([*OFFENDED, ruled(outcome="bete")]))
    assert (alone.is_in_force, alone.payments_without, alone.differences) == (True, None, None)
    assert dict(alone.payments or ()) == {F: -2, M: 1, B: 1}
    void = {"type": "deal_voided", "reason": "a misdeal"}
    (one,) = list_ruling_effects(audited([*OFFENDED, RESULT, ruled(outcome="bete"), void]))
    assert not one.is_in_force
    (unpaid,) = list_ruling_effects(audited([*OFFENDED, RESULT, ruled(outcome="forfeited", at_fault=F)]))
    assert (unpaid.is_in_force, unpaid.payments, unpaid.differences) == (True, None, None)
