"""Calls and contracts: two duels (dlu), rounds (ombre), who may say what, and what the winner may name."""

import pytest

from tests.support.engine.answers import findings, payment, turn
from tests.support.engine.shorthand import (
    Event,
    F,
    due_after,
    held,
    named,
    opened,
    plays,
    said,
    score_after,
    shown,
    state_after,
    trumps,
    turned,
)

ACES = "SA CA H2 H3 H4 D2 D3 D4 S3"
NO_ACES = "S4 C2 H2 H3 H4 D2 D3 D4 S3"


def called(words: str, ruleset: str = "dlu") -> list[Event]:
    return opened(ruleset=ruleset) + said(words)


def calls(words: str, ruleset: str = "dlu") -> str:
    due = due_after(called(words, ruleset))
    assert due["action"] == "bid"
    return " ".join(due["calls"])


@pytest.mark.parametrize(
    ("ruleset", "words", "due"),
    [
        # Two duels decide
        ("dlu", "F pass, M pass, B pass", "over"),
        ("dlu", "F simple, M pass, B pass", "F name"),
        ("dlu", "F simple, M solo, F self, M pure-nolo, F pass, B pass", "M name"),
        ("dlu", "F pass, M simple, B tourne, M self, B solo, M self, B pass", "M name"),
        # In ombre the turn goes round
        ("ombre", "F play, M pass, B voltereta, F self, B pass", "F name"),
        ("ombre", "F play, M higher, B voltereta, F self, M pass, B pass", "F name"),
    ],
)
def test_who_speaks_and_who_names(ruleset: str, words: str, due: str) -> None:
    events = called(words, ruleset)
    for count, call in enumerate(words.split(", "), 1):
        assert turn(events[:count]) == f"{call[0]} bid"
    assert (turn(events), findings(events)) == (due, "")
    seat = due_after(events)["seat"] if due != "over" else None
    assert (state_after(events)["to_act"], state_after(events)["declarer"]) == (seat, seat)


def test_a_deal_in_which_all_pass_is_over_and_pays_nothing() -> None:
    events = opened(ruleset="ombre", pool=10) + said("F pass, M pass, B pass")
    assert (payment(events), state_after(events)["phase"]) == ("passed_out 0 0 0", "finished")
    assert score_after(events)["pool"] == {"before": 10, "after": 10, "reserved": []}


# --- What may be said -----------------------------------------------------------------------------


TOP, MIDDLE = "grand-tourne nolo-ouvert pass pure-nolo", "simple-nolo solo spade-game spade-solo tourne"


@pytest.mark.parametrize(
    ("ruleset", "words", "expected"),
    [
        ("dlu", "F tourne, M simple-nolo", "bid_too_low"),
        ("dlu", "F simple, M solo, F tourne", "bid_too_low"),
        ("dlu", "F self", "bid_not_allowed"),
        ("dlu", "F simple, M self", "bid_not_allowed"),
        ("dlu", "M simple", "wrong_seat"),
        ("dlu", "F simple, F solo", "wrong_seat"),
        ("ombre", "F higher", "bid_not_allowed"),
        ("ombre", "F voltereta, M higher", "bid_too_low"),
    ],
)
def test_a_call_that_is_not_allowed(ruleset: str, words: str, expected: str) -> None:
    assert findings(called(words, ruleset)) == expected


def test_after_a_call_that_is_not_allowed_the_auction_goes_on() -> None:
    """Backhand spoke before middlehand: middlehand still has a say, and then the two who are left."""
    assert turn(called("F simple, B solo")) == "M bid"
    assert turn(called("F simple, B solo, M pass")) == "F bid"
    assert "self" in calls("F simple, B solo, M pass").split()
    too_low = called("F solo, M simple, F pass, B pass")
    assert (turn(too_low), findings(too_low)) == ("M name", "3 bid_too_low"), "it stands if the table let it"


# --- Both black aces ------------------------------------------------------------------------------

BID = said("F grand-tourne")


@pytest.mark.parametrize(
    ("before", "allowed"),
    [
        (opened(ACES), True),
        (opened(NO_ACES), False),
        (opened("SA C2 H2 H3 H4 D2 D3 D4 S3"), False),
        (opened(), True),  # a hand that nobody recorded has the benefit of the doubt
        (opened(middlehand=ACES), False),
        ([*opened(), held("F", NO_ACES)], False),
    ],
    ids=["both", "none", "one", "not recorded", "another's", "stated"],
)
def test_grand_tourne_is_for_a_hand_dealt_both_black_aces(before: list[Event], allowed: bool) -> None:
    assert ("grand-tourne" in due_after(before)["calls"]) is allowed
    assert findings(before + BID) == ("" if allowed else "bid_not_allowed")


def test_an_ace_that_shows_up_elsewhere_later_proves_the_bid_wrong() -> None:
    one_turned = [*called("F grand-tourne, M pass, B pass"), *named("F", "grand-tourne"), *turned("SA")]
    assert "2 bid_not_allowed" in findings(one_turned)
    assert findings([*opened(), *BID, shown("M", "CA")]) == "2 bid_not_allowed"
    # Anna was dealt both: what is wrong is Bo's entry, not her bid.
    assert findings([*opened(ACES), *BID, shown("M", "SA")]) == "card_duplicated"


def test_grand_tourne_is_taken_over_only_with_the_aces() -> None:
    bid = opened("HK HQ HJ S4 S5 S6 D5 D6 C4", ACES) + said("F simple, M grand-tourne")
    assert "self" not in due_after(bid)["calls"]
    assert findings(bid + said("F self")) == "bid_not_allowed"


# --- Naming ---------------------------------------------------------------------------------------

def ombre(bid: str) -> list[Event]:
    return called(f"F {bid}, M pass, B pass", "ombre")


WON = called("F simple, M pass, B pass")
NAMED = WON + named("F", "simple", "H")
WHEN: dict[str, tuple[list[Event], str]] = {
    "spades in a simple game": (WON + named("F", "simple", "S"), "contract_not_allowed"),
    "the trumps of a tourne": (WON + named("F", "tourne", "H"), "contract_not_allowed"),
    "trumps not written down": (WON + named("F", "simple"), "incomplete"),
    "solo in diamonds round a pool": (ombre("solo") + named("F", "solo", "D"), "contract_not_allowed"),
    "oros": (ombre("oros") + named("F", "oros", "D"), ""),
    "too early": (called("F simple, M pass") + named("F", "simple", "H"), "wrong_phase"),
    "again": (NAMED + named("F", "tourne"), "wrong_phase"),
    "a bid after it": (NAMED + said("B solo"), "wrong_phase"),
    "not written down where there is one": (called("F pure-nolo, M pass, B pass") + plays("F-H4"), ""),
    "trumps after it": ([*WON, *named("F", "simple"), trumps("F", "H")], "5 incomplete"),
    "other trumps after it": ([*NAMED, trumps("F", "D")], "contract_not_allowed"),
    "the same trumps after it": ([*NAMED, trumps("F", "H")], ""),
    "trumps in the auction": ([*called("F simple"), trumps("F", "H")], "wrong_phase"),
    "another's trumps": ([*WON, *named("F", "simple"), trumps("M", "H")], "5 incomplete, wrong_seat"),
    "trumps of a tourne": ([*WON, *named("F", "tourne"), trumps("F", "H")], "contract_not_allowed"),
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


def test_what_is_known_of_a_contract_by_its_name_or_its_bid() -> None:
    assert findings(WON + plays("F-H4")).startswith("wrong_phase"), "a choice must be written down"
    assert state_after(WHEN["not written down where there is one"][0])["contract"] == "pure-nolo"
    assert state_after(WON + named("F", "spade-game"))["trump"] == "S"
    assert state_after(WON + named("F", "simple-nolo"))["trump"] is None
    assert state_after(ombre("oros") + named("F", "oros"))["trump"] == "D"
