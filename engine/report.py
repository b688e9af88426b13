"""The report of a deal: what a director needs to judge it, gathered from the whole record.

Each entry at which something is found, with the deal as it stood before it and what was open to whom; what a
card cost, where all hands are known; what was corrected or taken back, by whom and why; what was ruled; what
the deal pays, beside what was paid at the table. Nothing is judged here that `engine.audit` does not judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Final, NamedTuple

from engine.audit import Audit, audit
from engine.bestplay import Played, best_course
from engine.events import (
    DealSettled,
    DealVoided,
    IrregularityNoted,
    RulingMade,
)
from engine.findings import Finding, Findings, of_cards
from engine.fold import evolve
from engine.judging.ending import given_by_seat
from engine.legality import Legal, legal
from engine.log import Entry, Log, place
from engine.mending import Mending, mendings
from engine.misprints import Misprints, misprints
from engine.rulesets import PUBLISHED, Book
from engine.state import State, start
from engine.vocabulary import Seq

LOOKED_FOR: Final = 3_000
"""So much work is done to find what may be misprinted: some tenths of a second (`engine.misprints`)."""
SAID_OF_THE_DEAL: Final = (IrregularityNoted, RulingMade, DealVoided)
"""Entries by which people judge: an irregularity that is called, a ruling, a deal that does not count."""


class Matter(NamedTuple):
    """An entry at which something is found.

    ``before`` is the deal as it stood before it, ``due`` what was open then; both None where the entry does
    not stand in the history, as a correction does not. ``played`` is what the card was worth, where it is a
    card and all hands are known.
    """

    entry: Entry
    findings: Findings
    before: State | None = None
    due: Legal | None = None
    played: Played | None = None


class Mended(NamedTuple):
    """A correction or a withdrawal, the deal as it stands before its place, and what it put in and stands."""

    mending: Mending
    before: State
    since: Log


class Settled(NamedTuple):
    """What was paid at the table, and by how much each name had more or less than he should have had.

    ``parted`` is empty where it was right, and None where the deal has no certain payments to hold it to.
    """

    entry: Entry
    paid: tuple[tuple[str, int], ...]
    parted: tuple[tuple[str, int], ...] | None


class Report(NamedTuple):
    """What is reported of a deal. ``matters``, ``mended`` and ``rulings`` stand in the order of entries.

    ``misprints`` are the corrections that would make the record possible; None where it is.
    """

    log: Log
    audit: Audit
    matters: tuple[Matter, ...]
    mended: tuple[Mended, ...]
    rulings: Log
    settled: tuple[Settled, ...]
    misprints: Misprints | None


def report(log: Log, book: Book = PUBLISHED, audited: Audit | None = None) -> Report:
    """The report of a whole deal; ``audited`` is its audit, where that was made already."""
    judged = audit(log, book) if audited is None else audited
    history = judged.history.entries
    return Report(
        log,
        judged,
        tuple(_matters(log, judged, book)),
        tuple(_mended(judged, book)),
        tuple(entry for entry in history if isinstance(entry.event, SAID_OF_THE_DEAL)),
        tuple(_settled(entry, judged) for entry in history if isinstance(entry.event, DealSettled)),
        misprints(log, book, LOOKED_FOR) if of_cards(judged.findings) else None,
    )


def _matters(log: Log, judged: Audit, book: Book) -> list[Matter]:
    """The entries with findings, and the deal before each."""
    found: dict[Seq, list[Finding]] = {}
    for one in judged.findings:
        found.setdefault(one.seq, []).append(one)
    worth = _worth(judged, book) if found and not of_cards(judged.findings) else {}
    matters: dict[Seq, Matter] = {}
    state = start(book)
    for entry in judged.history.entries:
        if entry.seq in found:
            findings = tuple(found[entry.seq])
            matters[entry.seq] = Matter(entry, findings, state, legal(state), worth.get(entry.seq))
        state = evolve(state, entry)
    entries = {entry.seq: entry for entry in log}
    for seq, findings_there in found.items():
        if seq not in matters:
            entry = entries.get(seq) or entries[place(seq)[0]]
            matters[seq] = Matter(entry, tuple(findings_there))
    return sorted(matters.values(), key=lambda one: place(one.findings[0].seq))


def _worth(judged: Audit, book: Book) -> dict[Seq, Played]:
    """What the cards played were worth; of hands that cannot have been, nothing is."""
    return {one.seq: one for one in best_course(judged.history.entries, start(book)).plays}


def _mended(judged: Audit, book: Book) -> Iterator[Mended]:
    """What was corrected or taken back, each where it belongs in the deal as the record has it now."""
    entries = judged.history.entries
    states: list[State] = []
    for mending in mendings(judged.history):
        # Folded once, and only for a deal in which something was mended.
        states = states or list(accumulate(entries, evolve, initial=start(book)))
        own = place(mending.entry.seq)
        since = (entry for entry in entries if own == place(entry.seq)[: len(own)])
        yield Mended(mending, states[mending.begins], tuple(since))


def _settled(entry: Entry, judged: Audit) -> Settled:
    """A payment at the table beside what is due, by seat, or name of who sits out."""
    event = entry.event
    assert isinstance(event, DealSettled)
    due = judged.score.payments
    if due is None:
        return Settled(entry, event.payments, None)
    given, _ = given_by_seat(judged.state, event.payments)
    owed = dict(due)
    parts = ((name, given.get(name, 0) - owed.get(name, 0)) for name in dict.fromkeys((*owed, *given)))
    return Settled(entry, event.payments, tuple((name, chips) for name, chips in parts if chips))
