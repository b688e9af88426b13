"""Deals of which only the result was written down: the slip, alone or beside cards."""

import pytest

from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    due_after,
    found,
    legal_after,
    named,
    note,
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

CONTRACTS = (
    "simple", "spade-game", "tourne", "simple-nolo", "grand-tourne", "solo", "spade-solo", "pure-nolo",
    "nolo-ouvert",
)  # fmt: skip


def test_the_slip_of_the_design() -> None:
    events: list[Event] = [
        *opened(),
        {
            "type": "result_recorded", "declarer": M, "contract": "solo", "trump": "H",
            "tricks": {F: 3, M: 4, B: 2},
        },
    ]  # fmt: skip
    assert found(events) == []
    assert paid(events) == ("won", [-3, 6, -3])
    state = state_after(events)
    assert (state["phase"], state["to_act"], state["incomplete"]) == ("finished", None, True)
    assert (state["declarer"], state["contract"], state["trump"]) == (M, "solo", "H")
    assert legal_after(events) is None


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("outcome", ["won", "bete", "codille"])
def test_an_outcome_is_enough(contract: str, outcome: str) -> None:
    events = [*opened(), slip("F", contract, outcome=outcome)]
    if (contract, outcome) == ("nolo-ouvert", "bete"):
        assert not score_after(events)["decided"]  # the table prints 6, but it cannot occur
        return
    assert paid(events)[0] == outcome
    assert found(events) == []
    assert sum(paid(events)[1]) == 0


def test_the_declarers_five_tricks_are_enough() -> None:
    assert paid([*opened(), slip("F", "simple", tricks="5-?-?")])[0] == "won"
    assert paid([*opened(), slip("F", "pure-nolo", tricks="0-?-?")])[0] == "won"
    assert paid([*opened(), slip("F", "pure-nolo", tricks="2-?-?")])[0] == "codille"


def test_four_tricks_alone_decide_nothing() -> None:
    result = score_after([*opened(), slip("F", "simple", tricks="4-?-?")])
    assert not result["decided"]
    assert set(result["reachable"]) == {"won", "bete", "codille"}


@pytest.mark.parametrize(
    "told",
    [{"declarer": "F"}, {"contract": "solo"}, {"outcome": "won"}, {"declarer": "F", "contract": "solo"}],
)
def test_too_little_decides_nothing(told: dict[str, str]) -> None:
    result = score_after([*opened(), slip(**told)])
    assert not result["decided"]
    assert result["payments"] is None


def test_all_passed_on_a_slip() -> None:
    assert paid([*opened(), slip(outcome="passed_out")]) == ("passed_out", [0, 0, 0])


def test_a_deal_that_did_not_count() -> None:
    assert paid([*opened(), slip(outcome="voided")]) == ("voided", [0, 0, 0])


def test_given_up_on_a_slip_is_bete() -> None:
    assert paid([*opened(), slip("F", "tourne", outcome="abandoned")]) == ("abandoned", [-4, 2, 2])


def test_bids_and_result() -> None:
    events = [*opened(), *said("F simple, M solo, F pass, B pass"), slip(tricks="?-5-?", contract="solo")]
    assert found(events) == []
    assert paid(events) == ("won", [-3, 6, -3])


def test_contract_and_result() -> None:
    events = opened() + said("F simple, M pass, B pass") + named("F", "tourne")
    assert paid([*events, slip(tricks="3-3-3")]) == ("bete", [-4, 2, 2])


def test_cards_entered_after_the_slip_open_the_deal_again() -> None:
    events = [*opened(), slip("F", "simple", "5-2-2")]
    more = events + said("F simple")
    assert due_after(more)["seat"] == M
    assert found(more) == []


def test_a_note_opens_nothing() -> None:
    assert legal_after([*opened(), slip("F", "simple", "5-2-2"), note("!")]) is None


def test_the_later_slip_counts() -> None:
    events = [*opened(), slip("F", "simple", "5-2-2"), slip("F", "simple", "4-4-1")]
    assert paid(events)[0] == "bete"


# --- Slips that are wrong ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        slip("F", "simple", "5-3-2"),
        slip("F", "simple", "4-4-1", outcome="won"),
        slip("F", "simple", "5-2-2", outcome="bete"),
        slip("F", "pure-nolo", "1-4-4", outcome="won"),
        slip("F", "nolo-ouvert", "1-4-4", outcome="bete"),
        slip("F", "solo", "1-4-4", outcome="codille"),
    ],
)
def test_a_slip_that_contradicts_itself(wrong: Event) -> None:
    assert found([*opened(), wrong]) == [(2, "result_mismatch")]


def test_a_contract_that_the_rules_do_not_know() -> None:
    assert found([*opened(), slip("F", "oros", "5-2-2")]) == [(2, "contract_not_allowed")]


def test_all_nine_tricks_under_rules_that_do_not_know_them() -> None:
    assert found([*opened(), slip("F", "simple", "9-0-0", slam="made")]) == [(2, "slam_not_allowed")]


def test_a_nolo_has_no_tout() -> None:
    assert paid([*opened(), slip("F", "pure-nolo", "9-0-0", slam="made")])[0] == "codille"


@pytest.mark.parametrize(("contract", "trump"), [("spade-solo", "H"), ("solo", "S"), ("pure-nolo", "D")])
def test_trumps_that_the_contract_cannot_have(contract: str, trump: str) -> None:
    events = [*opened(), slip("F", contract, outcome="won", trump=trump)]
    assert found(events) == [(2, "contract_not_allowed")]


@pytest.mark.parametrize(
    "wrong",
    [slip("M", "simple", "2-5-2"), slip("F", "pure-nolo", "0-5-4"), slip(outcome="passed_out")],
)
def test_a_slip_that_the_auction_contradicts(wrong: Event) -> None:
    events = [*opened(), *said("F simple, M pass, B pass"), wrong]
    assert [seq for seq, _ in found(events)] == [5]


@pytest.mark.parametrize(
    "wrong",
    [
        slip("F", "play", "5-4-0", slam="made"),
        slip("F", "play", "9-0-0", slam="failed"),
        slip("F", "play", "4-3-2", primeras=True),
        slip("F", "play", "4-4-1", primeras=True),
    ],
)
def test_extras_that_the_tricks_exclude(wrong: Event) -> None:
    assert found([*opened(ruleset="ombre"), wrong]) == [(2, "result_mismatch")]


def test_extras_of_other_rules() -> None:
    events = [*opened(), slip("F", "simple", "5-4-0", primeras=True, estuches=3)]
    assert [seq for seq, _ in found(events)] == [2]


def test_given_up_on_a_slip_is_the_least_that_was_open() -> None:
    """As an entry of its own says (RULES 6): a solo or a nolo is given up for kodille."""
    assert paid([*opened(), slip("F", "pure-nolo", outcome="abandoned")]) == ("abandoned", [-10, 5, 5])


# --- A slip beside cards ----------------------------------------------------------------------


def solo() -> list[Event]:
    return opened() + said("F solo, M pass, B pass") + named("F", "solo", "H") + stands("M B")


def test_a_slip_that_agrees_with_the_cards() -> None:
    events = solo() + tricks("FFFMMFF")
    assert found([*events, slip("F", "solo", "5-2-0", trump="H", outcome="won")]) == []
    assert found([*events, slip("F", "solo", "5-3-1", outcome="won")]) == []  # the rest was not played


@pytest.mark.parametrize(
    "wrong",
    [
        slip("M", "solo", "5-2-0"),
        slip("F", "spade-solo", "5-2-0"),
        slip("F", "solo", "5-2-0", trump="D"),
        slip("F", "solo", outcome="bete"),
        slip("F", "solo", "5-1-3"),
        slip("F", "solo", "4-3-2"),
    ],
)
def test_a_slip_that_the_cards_contradict(wrong: Event) -> None:
    events = solo() + tricks("FFFMMFF")
    assert found([*events, wrong]) == [(len(events) + 1, "result_mismatch")]
    assert paid([*events, wrong])[0] == "won"  # the cards have it


def test_a_slip_completes_what_the_cards_leave_open() -> None:
    events = [*solo(), *tricks("FFMM"), slip(outcome="bete", tricks="4-4-1")]
    assert found(events) == []
    assert paid(events) == ("bete", [-6, 3, 3])
    assert score_after(events)["tricks"] == {F: 4, M: 4, B: 1}


def test_a_slip_has_no_fewer_tricks_than_were_won() -> None:
    events = [*solo(), *tricks("FFMM"), slip(tricks="5-1-3")]
    assert found(events) == [(len(events), "result_mismatch")]


def test_a_slip_first_and_then_the_cards() -> None:
    """The mistake shows as soon as the cards are there, at the slip."""
    right = [*opened(), slip("F", "solo", outcome="won"), *solo()[1:], *tricks("FFFFF")]
    assert found(right) == []
    wrong = [*opened(), slip("F", "solo", outcome="bete"), *solo()[1:], *tricks("FFFFF")]
    assert found(wrong) == [(2, "result_mismatch")]
    assert paid(wrong)[0] == "won"


def test_a_hidden_last_trick_and_the_slip_that_tells_of_it() -> None:
    events = solo() + tricks("FFFFMMMM") + plays("M-?? B-?? F-??")
    assert not score_after(events)["decided"]
    assert paid([*events, slip(outcome="won", tricks="5-4-0")]) == ("won", [6, -3, -3])
