"""Corrections, withdrawals and insertions: what the record says now, and what it said then."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import History, audit, effective, legal, score
from engine.fold import fold_all
from engine.log import Log
from engine.state import State
from schemas.states import finding_objects, legal_object, score_object, state_object
from tests.slow import generator
from tests.support.effort import examples
from tests.support.engine.shorthand import (
    Event,
    corrected,
    dealt,
    found,
    log_from,
    named,
    note,
    opened,
    plays,
    said,
    stands,
    state_after,
    withdrawn,
)


def history(events: list[Event]) -> History:
    return effective(log_from(events))


def order(events: list[Event]) -> list[int | str]:
    """The addresses of what stands, in the order in which it happened."""
    return [entry.seq for entry in history(events).entries]


def faults(events: list[Event]) -> list[tuple[int | str, str]]:
    return [(one.seq, one.code) for one in history(events).faults]


def bid(words: str) -> Event:
    return said(words)[0]


BIDS = opened() + said("F simple, M pass, B pass")  # entries 1 to 4


# --- Replacing ------------------------------------------------------------------------------------


def test_a_log_without_corrections_is_its_own_history() -> None:
    assert history(BIDS).entries == log_from(BIDS)


def test_one_entry_is_replaced_where_it_stood() -> None:
    events = [*BIDS, corrected([2], bid("F solo"))]
    assert order(events) == [1, "5.1", 3, 4]
    assert [call["bid"] for call in state_after(events)["calls"]] == ["solo", "pass", "pass"]


def test_one_entry_is_replaced_by_several() -> None:
    events = [*BIDS, corrected([3], bid("M solo"), bid("F pass"))]
    assert order(events) == [1, 2, "5.1", "5.2", 4]


def test_several_entries_are_replaced_where_the_first_of_them_stood() -> None:
    events = [*BIDS, corrected([4, 2], bid("F pass"))]
    assert order(events) == [1, "5.1", 3]


def test_an_entry_is_taken_out() -> None:
    assert order([*BIDS, corrected([3])]) == [1, 2, 4]


def test_the_log_keeps_what_was_replaced() -> None:
    log = log_from([*BIDS, corrected([2], bid("F solo"))])
    assert len(log) == 5
    assert effective(log).entries[1].seq == "5.1"


def test_the_part_of_a_correction_is_corrected_by_its_address() -> None:
    events = [*BIDS, corrected([2], bid("F solo")), corrected(["5.1"], bid("F pure-nolo"))]
    assert order(events) == [1, "6.1", 3, 4]


def test_a_deal_is_opened_otherwise() -> None:
    events = [*BIDS, corrected([1], opened(ruleset="ombre")[0])]
    assert order(events) == ["5.1", 2, 3, 4]
    assert state_after(events)["ruleset"] == "ombre"


# --- Inserting ------------------------------------------------------------------------------------


def test_an_entry_is_put_in_behind_another() -> None:
    assert order([*BIDS, corrected([], note("late"), after=2)]) == [1, 2, "5.1", 3, 4]


def test_an_entry_put_in_nowhere_in_particular_stands_where_it_was_recorded() -> None:
    assert order([*BIDS, corrected([], note("here")), note("more")]) == [1, 2, 3, 4, "5.1", 6]


def test_what_is_put_in_later_at_the_same_place_stands_nearer_to_it() -> None:
    events = [*BIDS, corrected([], note("a"), note("b"), after=2), corrected([], note("c"), after=2)]
    assert order(events) == [1, 2, "6.1", "5.1", "5.2", 3, 4]


def test_an_entry_is_put_in_behind_the_part_of_a_correction() -> None:
    events = [*BIDS, corrected([], note("a"), after=2), corrected([], note("b"), after="5.1")]
    assert order(events) == [1, 2, "5.1", "6.1", 3, 4]


def test_what_is_replaced_later_takes_its_place_before_what_was_put_in_behind_it() -> None:
    events = [*BIDS, corrected([], note("late"), after=2), corrected([2], bid("F solo"))]
    assert order(events) == [1, "6.1", "5.1", 3, 4]


def test_an_entry_is_put_in_behind_what_has_taken_an_entrys_place() -> None:
    events = [*BIDS, corrected([2], bid("F solo")), corrected([], note("late"), after=2)]
    assert order(events) == [1, "5.1", "6.1", 3, 4]


# --- Undoing and bettering ------------------------------------------------------------------------


def test_a_correction_is_undone() -> None:
    events = [*BIDS, corrected([2], bid("F solo")), corrected([5])]
    assert order(events) == [1, 2, 3, 4]


def test_an_undoing_is_undone() -> None:
    events = [*BIDS, corrected([2], bid("F solo")), corrected([5]), corrected([6])]
    assert order(events) == [1, "5.1", 3, 4]


def test_an_insertion_is_undone() -> None:
    events = [*BIDS, corrected([], note("late"), after=2), corrected([5])]
    assert order(events) == [1, 2, 3, 4]


def test_a_correction_is_bettered() -> None:
    events = [*BIDS, corrected([2], bid("F solo")), corrected([5], bid("F pure-nolo"))]
    assert order(events) == [1, "6.1", 3, 4]


def test_a_bettering_is_undone() -> None:
    events = [*BIDS, corrected([2], bid("F solo")), corrected([5], bid("F pure-nolo")), corrected([6])]
    assert order(events) == [1, "5.1", 3, 4]


def test_a_bettering_is_bettered() -> None:
    events = [*BIDS, corrected([2], bid("F solo")), corrected([5], bid("F tourne"))]
    assert order([*events, corrected([6], bid("F pure-nolo"))]) == [1, "7.1", 3, 4]


def test_an_insertion_is_bettered_where_it_stood() -> None:
    events = [*BIDS, corrected([], note("a"), after=2), corrected([5], note("b"), note("c"))]
    assert order(events) == [1, 2, "6.1", "6.2", 3, 4]


def test_an_insertion_without_a_place_is_bettered_where_it_stood() -> None:
    events = [*BIDS[:3], corrected([], bid("B solo")), *said("F pass"), corrected([4], bid("B pure-nolo"))]
    assert order(events) == [1, 2, 3, "6.1", 5]


def test_a_correction_of_several_entries_is_undone_whole() -> None:
    events = [*BIDS, corrected([2, 3], bid("F pass")), corrected([5])]
    assert order(events) == [1, 2, 3, 4]


def test_a_correction_stands_in_a_correction() -> None:
    """What a correction puts in may itself be one: it applies, and its parts have longer addresses."""
    events = [*BIDS, corrected([3], bid("M solo"), corrected([2], bid("F tourne")))]
    assert order(events) == [1, "5.2.1", "5.1", 4]


def test_a_correction_in_a_correction_goes_with_it() -> None:
    events = [*BIDS, corrected([3], bid("M solo"), corrected([2], bid("F tourne"))), corrected([5])]
    assert order(events) == [1, 2, 3, 4]


def test_a_correction_in_a_correction_is_undone_alone() -> None:
    events = [*BIDS, corrected([3], bid("M solo"), corrected([2], bid("F tourne"))), corrected(["5.2"])]
    assert order(events) == [1, 2, "5.1", 4]


def test_a_correction_undoes_an_earlier_one_of_the_same_entry() -> None:
    events = [*BIDS, corrected([], corrected([2], bid("F solo")), corrected(["5.1"]))]
    assert order(events) == [1, 2, 3, 4]


def test_a_correction_deeper_within_undoes_an_earlier_one() -> None:
    events = [*BIDS, corrected([], corrected([2], bid("F solo")), corrected([], corrected(["5.1"])))]
    assert order(events) == [1, 2, 3, 4]


@pytest.mark.parametrize("then", [[], [withdrawn(2)]], ids=["bettered", "withdrawn"])
def test_there_is_no_end_to_corrections(then: list[Event]) -> None:
    """Absurd at a table, but a posted log may hold it, and nothing posted may make the engine fail."""
    events, last = [*BIDS], 2
    for _ in range(1500):
        events.append(corrected([last], bid("F solo")))
        last = f"{len(events)}.1" if then else len(events)  # type: ignore[assignment]
    assert order([*events, *then])[1] == (3 if then else f"{len(events)}.1")


# --- Corrections of what is not there -------------------------------------------------------------


@pytest.mark.parametrize("target", [9, "2.1", "4.1.1"])
def test_a_correction_of_no_entry_is_a_finding_and_changes_nothing(target: int | str) -> None:
    events = [*BIDS, corrected([target], bid("F solo"))]
    assert order(events) == [1, 2, 3, 4]
    assert faults(events) == [(5, "correction_not_possible")]
    assert (5, "correction_not_possible") in found(events)


@pytest.mark.parametrize("target", [5, 6])
def test_no_entry_is_corrected_before_it_is_there(target: int) -> None:
    events = [*BIDS, corrected([target], bid("F solo")), note("next")]
    assert order(events) == [1, 2, 3, 4, 6]
    assert faults(events) == [(5, "correction_not_possible")]


def test_nothing_is_put_in_behind_what_is_not_there() -> None:
    events = [*BIDS, corrected([], note("late"), after=7), note("next")]
    assert order(events) == [1, 2, 3, 4, 6]
    assert faults(events) == [(5, "correction_not_possible")]


def test_an_entry_corrected_already_is_corrected_at_its_new_address() -> None:
    events = [*BIDS, corrected([2], bid("F solo")), corrected([2], bid("F tourne"))]
    assert order(events) == [1, "5.1", 3, 4]
    (fault,) = history(events).faults
    assert fault.seq == 6
    assert "5" in fault.message


def test_of_several_targets_those_that_are_there_are_replaced() -> None:
    events = [*BIDS, corrected([2, 8], bid("F solo"))]
    assert order(events) == [1, "5.1", 3, 4]
    assert faults(events) == [(5, "correction_not_possible")]


# --- Withdrawing ----------------------------------------------------------------------------------


def test_what_was_taken_back_at_the_table_leaves_the_history() -> None:
    events = [*opened(), *said("F simple, M solo"), withdrawn(3), *said("M pass, B pass")]
    assert order(events) == [1, 2, 5, 6]
    assert found(events) == []


def test_until_it_was_taken_back_it_stood() -> None:
    events = [*opened(), *said("F simple, M solo"), withdrawn(3)]
    assert order(events[:3]) == [1, 2, 3]
    assert order(events) == [1, 2]


def test_a_withdrawal_is_corrected() -> None:
    events = [*BIDS, withdrawn(3), corrected([5])]
    assert order(events) == [1, 2, 3, 4]


def test_a_withdrawal_names_the_wrong_entry_and_is_corrected() -> None:
    events = [*BIDS, withdrawn(3), corrected([5], withdrawn(4))]
    assert order(events) == [1, 2, 3]


def test_what_was_corrected_and_taken_back_is_gone_in_its_new_form() -> None:
    events = [*BIDS, withdrawn(3), corrected([3], bid("M solo"))]
    assert order(events) == [1, 2, 4]


def test_the_part_of_a_correction_is_taken_back() -> None:
    events = [*BIDS, corrected([3], bid("M solo")), withdrawn("5.1")]
    assert order(events) == [1, 2, 4]


@pytest.mark.parametrize("of", [1, 9, 6])
def test_only_a_call_or_a_card_that_is_there_is_taken_back(of: int) -> None:
    events = [*BIDS, withdrawn(of), note("a note")]
    assert order(events) == [1, 2, 3, 4, 6]
    assert faults(events) == [(5, "correction_not_possible")]


@pytest.mark.parametrize("of", [2, 5])
def test_what_has_gone_already_is_not_taken_back_again(of: int) -> None:
    events = [*BIDS, corrected([3], bid("M solo")), withdrawn(2), withdrawn(of)]
    assert faults(events) == [(7, "correction_not_possible")]


# --- Points: at and known -------------------------------------------------------------------------


def up_to(events: list[Event], seq: int | str) -> list[int | str]:
    return [entry.seq for entry in history(events).up_to(seq)]


def test_the_point_of_an_entry_is_right_after_it() -> None:
    assert up_to(BIDS, 3) == [1, 2, 3]


def test_the_point_of_a_replaced_entry_is_after_what_stands_in_its_place() -> None:
    events = [*BIDS, corrected([2], bid("F solo"), note("loud")), note("end")]
    assert up_to(events, 2) == [1, "5.1", "5.2"]
    assert up_to(events, "5.1") == [1, "5.1"]
    assert up_to(events, 5) == [1, "5.1", "5.2", 3, 4]
    assert up_to(events, 6) == [1, "5.1", "5.2", 3, 4, 6]


def test_the_point_of_an_entry_taken_out_is_where_it_stood() -> None:
    assert up_to([*BIDS, corrected([3])], 3) == [1, 2]
    assert up_to([*BIDS, withdrawn(3)], 3) == [1, 2]


def test_the_point_of_a_correction_undone_is_where_it_was_recorded() -> None:
    events = [*BIDS, corrected([2], bid("F solo")), note("between"), corrected([5]), note("end")]
    assert up_to(events, 5) == [1, 2, 3, 4]
    assert up_to(events, "5.1") == [1, 2, 3, 4]


def test_there_is_no_point_after_no_entry() -> None:
    for seq in (9, "9.1"):
        with pytest.raises(LookupError, match=str(seq)):
            history(BIDS).up_to(seq)


def test_what_the_record_said_then_is_the_history_of_the_log_as_long_as_it_was() -> None:
    events = [*BIDS, corrected([2], bid("F solo")), note("end")]
    assert order(events[:4]) == [1, 2, 3, 4]
    assert order(events[:5]) == [1, "5.1", 3, 4]


# --- Properties -----------------------------------------------------------------------------------


def whole_deal(seed: int) -> list[Event]:
    return generator.random_deal(random.Random(seed), talon=seed % 2 == 0)


def answers(log: Log) -> str:
    """Everything the engine says of a log, as text."""
    whole = audit(log)
    said_of_it = (*answers_at(whole.state), finding_objects(whole.findings))
    return repr(said_of_it)


def answers_at(state: State) -> tuple[object, ...]:
    return state_object(state), legal_object(legal(state)), score_object(score(state))


@settings(max_examples=examples(40))
@given(seed=st.integers(0, 10**6), data=st.data())
def test_a_correction_to_the_same_changes_nothing_but_addresses(seed: int, data: st.DataObject) -> None:
    deal = whole_deal(seed)
    seqs = data.draw(st.lists(st.integers(1, len(deal)), min_size=1, max_size=4, unique=True))
    events = deal + [corrected([seq], deal[seq - 1]) for seq in seqs]
    old_address = {f"{len(deal) + n}.1": str(seq) for n, seq in enumerate(seqs, 1)}
    text = re.sub(r"'(\d+\.1)'", lambda match: old_address[match[1]], answers(log_from(events)))
    assert text == answers(log_from(deal))


@settings(max_examples=examples(40))
@given(seed=st.integers(0, 10**6), data=st.data())
def test_an_undone_correction_leaves_the_log_as_it_was(seed: int, data: st.DataObject) -> None:
    deal, other = whole_deal(seed), whole_deal(seed + 1)
    seqs = data.draw(st.lists(st.integers(1, len(deal)), max_size=3, unique=True))
    with_ = data.draw(st.lists(st.sampled_from(other), max_size=3))
    events = [*deal, corrected(seqs, *with_), corrected([len(deal) + 1])]
    assert effective(log_from(events)).entries == log_from(deal)


@settings(max_examples=examples(40))
@given(seed=st.integers(0, 10**6), data=st.data())
def test_an_entry_written_late_is_as_good_as_one_in_its_place(seed: int, data: st.DataObject) -> None:
    """An entry left out and put in by a correction gives the same deal."""
    deal = whole_deal(seed)
    seq = data.draw(st.integers(2, len(deal)))
    events = [*deal[: seq - 1], *deal[seq:], corrected([], deal[seq - 1], after=seq - 1)]
    assert [entry.event for entry in effective(log_from(events)).entries] == [
        entry.event for entry in log_from(deal)
    ]


@settings(max_examples=examples(25))
@given(seed=st.integers(0, 10**6))
def test_the_fold_of_the_first_entries_is_the_state_at_that_point(seed: int) -> None:
    deal = whole_deal(seed)
    log = log_from(deal)
    for seq in range(1, len(log) + 1):
        at_point = answers_at(fold_all(effective(log).up_to(seq)))
        assert at_point == answers_at(fold_all(effective(log[:seq]).entries))


def test_a_slip_of_the_pen_put_right_leaves_no_finding() -> None:
    hands = ("SA S2 CA HK HQ HJ D7 D6 D5", "S7 S6 CK CQ CJ H2 H3 DK DQ", "SK SQ SJ C7 C6 C5 H4 H5 DJ")
    events = opened(*hands) + said("F simple, M pass, B pass") + named("F", "simple", "H") + stands()
    events += plays("F-SA M-H3 B-SK")
    assert found(events) == [(14, "revoke")]
    assert found([*events, corrected([14], *plays("B-H4"))]) == []
    assert found([*events, corrected([4], dealt("B", "SK SQ SJ C7 C6 C5 S5 D4 DJ"))]) == []
