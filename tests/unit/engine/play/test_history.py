"""Corrections, withdrawals and insertions: what stands now, what stood then, and what they took away."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import History, audit, effective, legal, score
from engine.core.log import Log
from engine.fold import fold_all
from engine.play.amendments import list_amendments
from engine.play.state import State
from schemas.answers.states import finding_objects, legal_object, score_object, state_object
from service.records.deal_points import build_deal_point
from tests.properties.slow import generator
from tests.support.effort import examples
from tests.support.engine.shorthand import Event, a_deal, bids, codes, corrected, log_from, note, withdrawn


def history(events: list[Event]) -> History:
    return effective(log_from(events))


def order(events: list[Event]) -> str:
    """The addresses of what stands, in the order in which it happened."""
    return " ".join(str(entry.seq) for entry in history(events).entries)


def bid(words: str) -> Event:
    return bids(words)[0]


BIDS = a_deal() + bids("F simple, M pass, B pass")  # entries 1 to 4
SOLO, TOURNE, NOLO = bid("F solo"), bid("F tourne"), bid("F pure-nolo")
REPLACED = corrected([2], SOLO)
PUT_IN, NO_PLACE = corrected([], note("a"), after=2), corrected([], note("a"))
WITHIN = corrected([3], bid("M solo"), corrected([2], TOURNE))
"""What a correction puts in may itself be one: it applies, and its parts have longer addresses."""

STANDING: dict[str, tuple[list[Event], str]] = {
    "replaced": ([REPLACED], "1 5.1 3 4"),
    "replaced by several": ([corrected([3], bid("M solo"), bid("F pass"))], "1 2 5.1 5.2 4"),
    "replaced by its address": ([REPLACED, corrected(["5.1"], NOLO)], "1 6.1 3 4"),
    "the opening replaced": ([corrected([1], a_deal(ruleset="ombre")[0])], "5.1 2 3 4"),
    # Put in
    "put in behind another": ([PUT_IN], "1 2 5.1 3 4"),
    "put in without a place": ([NO_PLACE, note("more")], "1 2 3 4 5.1 6"),
    "the later stands nearer": (
        [corrected([], note("a"), note("b"), after=2), corrected([], note("c"), after=2)],
        "1 2 6.1 5.1 5.2 3 4",
    ),
    "put in behind a part": ([PUT_IN, corrected([], note("b"), after="5.1")], "1 2 5.1 6.1 3 4"),
    "replaced before what is put in": ([PUT_IN, REPLACED], "1 6.1 5.1 3 4"),
    # Undone and bettered
    "undone": ([REPLACED, corrected([5])], "1 2 3 4"),
    "bettered": ([REPLACED, corrected([5], NOLO)], "1 6.1 3 4"),
    "a bettering bettered": ([REPLACED, corrected([5], TOURNE), corrected([6], NOLO)], "1 7.1 3 4"),
    "one without a place bettered": ([NO_PLACE, note("b"), corrected([5], note("c"))], "1 2 3 4 7.1 6"),
    # A correction in a correction
    "within": ([WITHIN], "1 5.2.1 5.1 4"),
    "undone within alone": ([WITHIN, corrected(["5.2"])], "1 2 5.1 4"),
    "an earlier one undone within": ([corrected([], REPLACED, corrected(["5.1"]))], "1 2 3 4"),
    "deeper within": ([corrected([], REPLACED, corrected([], corrected(["5.1"])))], "1 2 3 4"),
    # Taken back at the table
    "taken back": ([withdrawn(4), bid("B solo")], "1 2 3 6"),
    "a withdrawal undone": ([withdrawn(3), corrected([5])], "1 2 3 4"),
    "a withdrawal of the wrong entry": ([withdrawn(3), corrected([5], withdrawn(4))], "1 2 3"),
    "the part of a correction taken back": ([corrected([3], bid("M solo")), withdrawn("5.1")], "1 2 4"),
}


@pytest.mark.parametrize("name", STANDING)
def test_what_stands_after_corrections(name: str) -> None:
    events, expected = STANDING[name]
    assert order([*BIDS, *events]) == expected
    assert not history([*BIDS, *events]).faults


AFTER_REPLACED = [REPLACED, corrected([2], TOURNE)]
NOT_POSSIBLE: dict[str, tuple[list[Event], str, int]] = {
    "no entry": ([corrected([9], SOLO)], "1 2 3 4", 5),
    "no part": ([corrected(["2.1"], SOLO)], "1 2 3 4", 5),
    "itself": ([corrected([5], SOLO), note("next")], "1 2 3 4 6", 5),
    "corrected already": (AFTER_REPLACED, "1 5.1 3 4", 6),
    "one of two is not there": ([corrected([2, 8], SOLO)], "1 5.1 3 4", 5),
    "the opening taken back": ([withdrawn(1)], "1 2 3 4", 5),
    "taken back twice": ([withdrawn(2), withdrawn(2)], "1 3 4", 6),
    "a withdrawal taken back": ([withdrawn(2), withdrawn(5)], "1 3 4", 6),
    "a correction taken back": ([corrected([3], bid("M solo")), withdrawn(5)], "1 2 5.1 4", 6),
}


@pytest.mark.parametrize("name", NOT_POSSIBLE)
def test_a_correction_of_what_is_not_there_is_found_and_changes_nothing(name: str) -> None:
    events, expected, seq = NOT_POSSIBLE[name]
    whole = [*BIDS, *events]
    assert order(whole) == expected
    assert [(one.seq, one.code) for one in history(whole).faults] == [(seq, "correction_not_possible")]
    assert (seq, "correction_not_possible") in codes(whole)
    if name == "corrected already":
        assert "5" in history(whole).faults[0].message, "its new address"


LOUD = [*BIDS, corrected([2], SOLO, note("loud")), note("end")]
UNDONE = [*BIDS, REPLACED, note("between"), corrected([5]), note("end")]


@pytest.mark.parametrize(
    ("events", "seq", "expected"),
    [
        (LOUD, 2, "1 5.1 5.2"),
        (LOUD, "5.1", "1 5.1"),
        (LOUD, 5, "1 5.1 5.2 3 4"),
        (LOUD, 6, "1 5.1 5.2 3 4 6"),
        ([*BIDS, corrected([3])], 3, "1 2"),
        (UNDONE, 5, "1 2 3 4"),
        (UNDONE, "5.1", "1 2 3 4"),
    ],
)
def test_the_point_of_an_entry_is_right_after_what_stands_in_its_place(
    events: list[Event], seq: int | str, expected: str
) -> None:
    assert " ".join(str(entry.seq) for entry in history(events).entries_up_to(seq)) == expected
    for nowhere in (9, "9.1"):
        with pytest.raises(LookupError, match=str(nowhere)):
            history(events).entries_up_to(nowhere)


def whole_deal(seed: int) -> list[Event]:
    return generator.random_deal(random.Random(seed), talon=seed % 2 == 0)


def answers(log: Log) -> str:
    """Everything the engine says of a log, as text."""
    whole = audit(log)
    return repr((*answers_at(whole.state), finding_objects(whole.findings)))


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
def test_what_is_undone_or_put_in_late_leaves_the_deal_as_it_was(seed: int, data: st.DataObject) -> None:
    deal, other = whole_deal(seed), whole_deal(seed + 1)
    seqs = data.draw(st.lists(st.integers(1, len(deal)), max_size=3, unique=True))
    with_ = data.draw(st.lists(st.sampled_from(other), max_size=3))
    undone = [*deal, corrected(seqs, *with_), corrected([len(deal) + 1])]
    assert effective(log_from(undone)).entries == log_from(deal)
    seq = data.draw(st.integers(2, len(deal)))
    late = [*deal[: seq - 1], *deal[seq:], corrected([], deal[seq - 1], after=seq - 1)]
    told = [entry.event for entry in effective(log_from(late)).entries]
    assert told == [entry.event for entry in log_from(deal)]


@settings(max_examples=examples(25))
@given(seed=st.integers(0, 10**6))
def test_the_fold_of_the_first_entries_is_the_state_at_that_point(seed: int) -> None:
    log = log_from(whole_deal(seed))
    for seq in range(1, len(log) + 1):
        at_point = answers_at(fold_all(effective(log).entries_up_to(seq)))
        assert at_point == answers_at(fold_all(effective(log[:seq]).entries))


def mended(events: list[Event]) -> list[tuple[int | str, list[int | str], int | str | None, int]]:
    """Of each mending: its own entry, what it took away, where it belongs, how many entries stand before."""
    found = list_amendments(effective(log_from(events)))
    return [
        (one.entry.seq, [entry.seq for entry in one.replaced_entries], one.position_seq, one.start_index)
        for one in found
    ]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([*BIDS, corrected([2], TOURNE)], [(5, [2], "5.1", 1)]),
        ([*BIDS, corrected([2], TOURNE), corrected(["5.1"], bid("F solo"))],
         [(5, [2], "6.1", 1), (6, ["5.1"], "6.1", 1)]),
        ([*BIDS, corrected([2], TOURNE), corrected([5])], [(5, [2], 2, 1), (6, ["5.1"], 2, 1)]),
        ([*BIDS, corrected([2], TOURNE), *(corrected([n]) for n in range(5, 8))],
         [(5, [2], 2, 1), (6, ["5.1"], 2, 1), (7, [], 2, 1), (8, [], 2, 1)]),
        ([*BIDS, corrected([1])], [(5, [1], None, 0)]),
        ([*BIDS, corrected([], *bids("F pass, M pass"))], [(5, [], "5.2", 4)]),
        ([*BIDS, corrected([2, 3], *bids("F tourne, M solo"))], [(5, [2, 3], "5.2", 1)]),
        ([*BIDS, corrected([3], *bids("M tourne, M solo")), corrected(["5.2"], bid("M pass"))],
         [(5, [3], "6.1", 2), (6, ["5.2"], "6.1", 3)]),
        ([*BIDS, corrected([9])], []),
        ([*BIDS, withdrawn(4), bid("B tourne")], [(5, [4], 3, 3)]),
        ([*BIDS, corrected([4], bid("B solo")), withdrawn(4)], [(5, [4], 3, 3), (6, ["5.1"], 3, 3)]),
    ],
    ids=["replaced", "bettered", "undone", "undone twice", "the first", "two put in", "two at once",
         "the second part", "of nothing", "taken back", "taken back in a correction"],
)  # fmt: skip
def test_a_mending_says_what_it_took_away_and_where(events: list[Event], expected: object) -> None:
    assert mended(events) == expected


def test_what_is_corrected_after_a_point_is_not_told_there() -> None:
    settled: Event = {"type": "deal_settled", "payments": {}}
    cut = build_deal_point(log_from([*a_deal(), settled, withdrawn(1)]), 1).audit.history
    assert list(list_amendments(cut)) == []
    corrections = log_from([*BIDS, corrected([2], TOURNE), corrected([4], bid("B solo"))])
    assert [one.entry.seq for one in list_amendments(build_deal_point(corrections, 2).audit.history)] == [5]
