"""Variations: a course that begins in another deal, and cannot change what was played there."""

import random
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import FULL_VIEWER, PUBLIC_VIEWER, Log, audit, branching, effective, legal, seat_viewer, view
from engine.core.cards import SEATS
from engine.core.events import CorrectionMade, DealOpened, GapNoted, NoteAdded
from engine.core.field_types import Branch
from engine.core.log import Entry, inherited_count, seq_key
from schemas.answers.states import legal_object, score_object, state_object
from tests.properties.slow.generator import random_deal
from tests.support.effort import examples
from tests.support.engine.annotated import annotated_deal
from tests.support.engine.shorthand import Event, a_deal, bids, corrected, log_from, note, plays, withdrawn

SEEDS = st.integers(0, 2**32)
ENTRIES = re.compile(r"entries [\d.]+(, [\d.]+)*")
"""Entries as a finding names them."""


def branch_log(branch: Branch, own: list[Event], **opening: Any) -> Log:
    """The own log of a variation: its opening, and what comes behind it."""
    first, *rest = log_from([*a_deal(**opening), *own])
    assert isinstance(first.event, DealOpened)
    return (first._replace(event=replace(first.event, branch=branch)), *rest)


def course(left: Log, branch: Branch, own: list[Event] | None = None, **opening: Any) -> Log:
    inherited = branching.inherited_log_at(left, branch)
    return branching.join_logs(branch_log(branch, own or [], **opening), inherited)


def without_seqs(told: Any) -> Any:
    """What a state or a score says, but for where the entries stand."""
    if isinstance(told, dict):
        return {name: without_seqs(part) for name, part in told.items() if name not in ("seq", "seqs")}
    return [without_seqs(part) for part in told] if isinstance(told, list) else told


def all_told(log: Log) -> list[Any]:
    """State, legal actions, score and findings, but for where the entries stand."""
    judged = audit(log)
    found = sorted((one.code, one.seat or 0, ENTRIES.sub("entries", one.message)) for one in judged.findings)
    told = [state_object(judged.state), legal_object(legal(judged.state)), score_object(judged.score)]
    return [*map(without_seqs, told), found]


def deal_from(seed: int) -> Log:
    """A random deal, most often with remarks, corrections and withdrawals among its entries."""
    rng = random.Random(seed)
    return log_from(random_deal(rng) if rng.random() < 0.4 else annotated_deal(rng))


def renumber(entries: Log) -> Log:
    return tuple(Entry(seq, event, record) for seq, (_, event, record) in enumerate(entries, 1))


def continued(left: Log, at: int) -> Log:
    """A variation that goes on just as the deal itself does, from the effective history on."""
    history = effective(left).entries
    branch = Branch("d", history[at - 1].seq, len(left))
    first = left[0]
    assert isinstance(first.event, DealOpened)
    opening = first._replace(event=replace(first.event, branch=branch))
    rest = (Entry(seq, entry.event) for seq, entry in enumerate(history[at:], 2))
    return branching.join_logs((opening, *rest), branching.inherited_log_at(left, branch))


@settings(max_examples=examples(60))
@given(SEEDS, st.data())
def test_a_variation_that_goes_on_alike_comes_to_the_same(seed: int, data: st.DataObject) -> None:
    left = deal_from(seed)
    history = effective(left).entries
    log = continued(left, data.draw(st.integers(1, len(history))))
    assert all_told(log) == all_told(renumber(history))
    count = data.draw(st.integers(1, len(log)))
    seq = log[count - 1].seq
    assert branching.has_entry(log, seq)
    assert effective(log).entries_up_to(seq) == log[:count]
    assert effective(log).entries_up_to(1) == log[: inherited_count(log)]
    # A later correction changes nothing in where the beginning ends.
    correction = CorrectionMade("?", (), None, (NoteAdded("?"),))
    later = (*log, Entry(branching.own_entry_count(log) + 1, correction))
    assert effective(later).entries_up_to(1) == log[: inherited_count(log)]


@settings(max_examples=examples(60))
@given(
    SEEDS, st.sampled_from([FULL_VIEWER, PUBLIC_VIEWER, *(seat_viewer(seat) for seat in SEATS)]), st.data()
)
def test_a_beginning_is_what_a_viewer_knows_of_that_deal_at_that_point(
    seed: int, viewer: Any, data: st.DataObject
) -> None:
    left = view(deal_from(seed), viewer)
    known = data.draw(st.integers(1, len(left)))
    at = data.draw(st.integers(1, known))
    branch = Branch("d", at, known)
    entries = branching.inherited_log_at(left, branch).entries
    assert entries == effective(left[:known]).entries_up_to(at)
    if entries and isinstance(entries[0].event, DealOpened):
        assert all_told(course(left, branch))[0]["phase"] == all_told(renumber(entries))[0]["phase"]


@settings(max_examples=examples(40))
@given(SEEDS, st.data())
def test_a_variation_of_a_variation_begins_in_the_joined_course(seed: int, data: st.DataObject) -> None:
    left = deal_from(seed)
    middle = continued(left, data.draw(st.integers(1, len(effective(left).entries))))
    last = data.draw(st.integers(1, len(middle)))
    log = course(middle, Branch("e", middle[last - 1].seq, branching.own_entry_count(middle)))
    assert len(log) == last
    assert [entry.seq for entry in log] == [f"1.{part}" for part in range(1, last + 1)]
    assert all_told(log)[0]["tricks"] == all_told(middle[:last])[0]["tricks"]


@settings(max_examples=examples(60))
@given(SEEDS, st.data())
def test_nothing_that_is_recorded_in_it_changes_its_beginning(seed: int, data: st.DataObject) -> None:
    log = continued(deal_from(seed), 1)
    log = continued(renumber(log), data.draw(st.integers(1, len(log))))
    brought = [entry for entry in log[: inherited_count(log)] if not isinstance(entry.event, DealOpened)]
    seqs = [entry.seq for entry in brought] or ["1.1"]
    attempts = [
        corrected([data.draw(st.sampled_from(seqs))]),
        corrected([data.draw(st.sampled_from(seqs))], note("!")),
        corrected([], note("!"), after=data.draw(st.sampled_from(seqs))),
        corrected([], note("!"), after=1),
        withdrawn(data.draw(st.sampled_from(seqs))),
    ]
    more = log_from(data.draw(st.lists(st.sampled_from(attempts), min_size=1, max_size=4)))
    first = branching.own_entry_count(log) + 1
    after = (*log, *(entry._replace(seq=seq) for seq, entry in enumerate(more, first)))
    assert effective(after).entries[1 : len(brought) + 1] == log[1 : inherited_count(log)]


DEAL = [*a_deal(), *bids("F simple, M pass, B pass"), note("A long think.", on=3)]


def seqs(log: Log) -> str:
    return " ".join(str(entry.seq) for entry in log)


def test_an_opening_inherits_what_it_leaves_open_from_the_deal_it_leaves() -> None:
    left = log_from([*a_deal(pool=5, switches={"gascarille": True}, dealer="Carl")])
    told = left[0].event
    brought = course(left, Branch("d", 1, 1))[0].event
    other = course(left, Branch("d", 1, 1), ruleset="tresillo")[0].event
    assert isinstance(told, DealOpened) and isinstance(brought, DealOpened) and isinstance(other, DealOpened)
    assert (brought.pool, brought.dealer, brought.switches) == (5, "Carl", told.switches)
    assert brought.branch == Branch("d", 1, 1)
    assert (other.pool, other.switches) == (None, ()), "under other rules, no pool and no switches"
    assert branching.inherit_opening(replace(told, pool=0), told).pool == 0


def test_the_opening_may_be_corrected_but_not_where_it_begins() -> None:
    left = log_from([*a_deal(pool=5), *bids("F simple, M pass")])
    (named,) = a_deal(players={"forehand": "Dora", "middlehand": "Bo", "backhand": "Carl"})
    log = course(left, Branch("d", 2, 3), [*bids("M pass"), corrected([1], named)])
    opening = audit(log).state.opening
    assert not effective(log).faults
    assert opening.players.forehand == "Dora" and opening.event is not None
    assert (opening.event.pool, opening.event.branch) == (5, Branch("d", 2, 3))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (corrected(["1.2"]), "It replaces entry 1.2, which belongs to the deal that this one branches from."),
        (corrected([], note("!"), after="1.2"), "It inserts entries after 1.2, which belongs to"),
        (withdrawn("1.2"), "It withdraws entry 1.2, which belongs to"),
        (corrected(["1.9"]), "It replaces entry 1.9, which does not exist."),
    ],
    ids=["replaced", "behind", "withdrawn", "not there"],
)
def test_what_would_change_the_beginning_is_a_fault(wrong: Event, says: str) -> None:
    log = course(log_from([*a_deal(), *bids("F simple, M pass")]), Branch("d", 3, 3), [wrong])
    (fault,) = effective(log).faults
    assert fault.seq == 2
    assert fault.message.startswith(says)
    assert effective(log).entries == log[:3]


def test_the_closing_of_the_deal_that_it_leaves_closes_no_variation() -> None:
    closing = {"type": "deal_closed", "payments": {}, "engine": "0"}
    left, branch = log_from([*a_deal(), *bids("F simple"), closing]), Branch("d", 3, 3)
    assert not effective(course(left, branch)).is_closed
    assert not effective(course(left, branch, [corrected([], note("!"))])).is_closed
    assert effective(course(left, branch, [closing])).is_closed


@pytest.mark.parametrize(
    ("branch", "says"),
    [
        (Branch("d", 3, None), "at is 3, which is not one of its 2 entries."),
        (Branch("d", "2.1", 2), "at is 2.1, which is not one of its first 2 entries."),
        (Branch("d", 1, 3), "known is 3, but that deal has 2 entries."),
        (Branch("d", 1, 0), "at is 1, which is not one of its first 0 entries."),
    ],
    ids=["at", "part", "known", "nothing known"],
)
def test_a_point_that_is_not_there(branch: Branch, says: str) -> None:
    with pytest.raises(branching.NoSuchBranchPoint) as told:
        branching.inherited_log_at(log_from([*a_deal(), *bids("F simple")]), branch)
    assert str(told.value) == says


def test_a_beginning_that_is_not_here_leaves_a_gap() -> None:
    own = branch_log(Branch("nowhere", 9), plays("F-SA M-S2 B-S3"))
    log = branching.join_logs(own, branching.missing_inherited_log())
    assert seqs(log[:3]) == "1.1 1.2 2"
    assert isinstance(log[1].event, GapNoted)
    judged = audit(log)
    assert not {"wrong_phase", "wrong_seat"} & {one.code for one in judged.findings}
    (gone,) = (one for one in judged.findings if one.code == "beginning_missing")
    assert (gone.seq, gone.severity, judged.ok) == ("1.1", "warning", True)
    assert gone.message.startswith("The deal that this one branches from is not here.")


def test_a_point_that_the_other_deal_does_not_have_is_found() -> None:
    with pytest.raises(branching.NoSuchBranchPoint) as why:
        branching.inherited_log_at(log_from(DEAL), Branch("d", 99))
    own = branch_log(Branch("d", 99), bids("F simple"))
    middle = branching.join_logs(own, branching.missing_inherited_log(why.value))
    for log in (middle, course(middle, Branch("e", 2))):
        (gone,) = (one for one in audit(log).findings if one.code == "beginning_missing")
        assert (gone.seq, gone.message.count("at is 99, which is not one of its 5 entries.")) == ("1.1", 1)


@pytest.mark.parametrize("text", [None, "The deal that this one branches from is not here."])
def test_any_other_gap_is_no_missing_beginning(text: str | None) -> None:
    noted = {"type": "gap_noted", "text": text}
    for log in (log_from([*a_deal(), noted]), course(log_from(DEAL), Branch("d", 3), [noted])):
        assert "beginning_missing" not in {one.code for one in audit(log).findings}


def test_the_first_entries_of_a_joined_log_bring_its_beginning() -> None:
    log = course(log_from(DEAL), Branch("d", 3, 5), bids("M solo, B pass"))
    for count in range(4):
        assert branching.own_entry_count(branching.first_own_entries(log, count)) == count
    assert seqs(branching.first_own_entries(log, 1)) == "1.1 1.2 1.3"
    there = [seq for seq in (1, 3, 4, "1.3", "1.4", "1.3.1") if branching.has_entry(log, seq)]
    assert there == [1, 3, "1.3"]
    noted = course(log_from(DEAL), Branch("d", 5, 5))
    assert [entry.event.on for entry in noted if isinstance(entry.event, NoteAdded)] == ["1.3"]
    assert sorted(seq_key(seq) for seq in ("1.10", "1.9", 2, 1)) == [(1,), (1, 9), (1, 10), (2,)]
