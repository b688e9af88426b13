"""The report of a deal: what a director needs to judge it, gathered from the whole record.

Each entry at which something is found, with the deal as it stood before it and what was open to whom; what a
card cost, where all hands are known; what was corrected or taken back, by whom and why; what was ruled; what
the deal pays, beside what was paid at the table. Nothing is judged here that `engine.audit` does not judge.

What a mistake of the pen explains (`engine.diagnosis.explanations`) is told below that mistake, and not as a
fault of its own; what is found besides is told as it is found once the mistake is put right, with the
condition on which it is so, and the slip that may have been instead (`engine.diagnosis.conditions`). Nothing
is put right by that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Final, NamedTuple

from engine.audit import Audit, audit
from engine.core.events import CorrectionMade, DealSettled, DealVoided, IrregularityNoted, RulingMade
from engine.core.log import Entry, Log, place
from engine.core.vocabulary import Seq
from engine.core.work_budget import SECOND, Spent, Work
from engine.diagnosis.alternatives import Otherwise
from engine.diagnosis.explanations import Explanation, explaining
from engine.diagnosis.misprints import Misprints
from engine.fold import evolve, fold_all
from engine.judging.ending import given_by_seat
from engine.legality import Legal, legal
from engine.play.findings import Finding, Findings, of_cards
from engine.play.mending import Mending, mendings
from engine.play.state import State, start
from engine.rulesets import PUBLISHED, Book
from engine.solver import Played, best_course

BEST_PLAY: Final = SECOND // 2
"""So much it may cost to find what the cards that were played were worth (`engine.core.work_budget`)."""
LOOKED_FOR: Final = 3_000
"""Work to find what may be misprinted: some tenths of a second (`engine.diagnosis.misprints`)."""
SAID_OF_THE_DEAL: Final = (IrregularityNoted, RulingMade, DealVoided)
"""Entries by which people judge: an irregularity that is called, a ruling, a deal that does not count."""


class Matter(NamedTuple):
    """An entry at which something is found.

    ``before`` is the deal as it stood before it, ``due`` what was open then; both None where the entry does
    not stand in the history, as a correction does not. Where a mistake's correction takes the entry out, they
    are those of the deal without it. ``played`` is what the card was worth, where it is a card and all hands
    are known.

    Where a mistake of the pen is found there, ``corrections`` are the entries that a person may append to put
    it right, and ``follows`` is what is found as the record stands, and would not be found then.
    """

    entry: Entry
    findings: Findings
    before: State | None = None
    due: Legal | None = None
    played: Played | None = None
    follows: Findings = ()
    corrections: tuple[CorrectionMade, ...] = ()


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


class PutRight(NamedTuple):
    """The deal as it would stand with the corrections that are proposed for mistakes of the pen.

    ``called``: by the entries that the corrections put in, those of the record in whose place they stand.
    """

    explained: Explanation
    settled: tuple[Settled, ...]
    called: Mapping[Seq, Seq]

    @property
    def audit(self) -> Audit:
        """The record with the corrections behind it, judged."""
        return self.explained.judged

    @property
    def seqs(self) -> tuple[Seq, ...]:
        """The entries that are corrected, in their order."""
        return tuple(sorted({seq for one in self.explained.corrections for seq in one.replaces}, key=place))


class Report(NamedTuple):
    """What is reported of a deal. ``matters``, ``mended`` and ``rulings`` stand in the order of entries.

    ``audit`` is that of the record as it stands. ``misprints`` are the corrections of cards that would make
    it possible; None where it is, or where it would be without other mistakes, and no card need be another.
    ``put_right`` is None where no mistake of the pen explains anything; ``instead`` are the slips that may
    have been instead of a revoke, each put right (`engine.diagnosis.conditions`).
    """

    log: Log
    audit: Audit
    matters: tuple[Matter, ...]
    mended: tuple[Mended, ...]
    rulings: Log
    settled: tuple[Settled, ...]
    misprints: Misprints | None
    put_right: PutRight | None
    instead: tuple[PutRight, ...] = ()

    @property
    def likeliest(self) -> Audit:
        """The deal as it probably went: as the record would stand put right, or as it stands."""
        return self.audit if self.put_right is None else self.put_right.audit


def report(log: Log, book: Book = PUBLISHED, audited: Audit | None = None) -> Report:
    """The report of a whole deal; ``audited`` is its audit, where that was made already."""
    judged = audit(log, book) if audited is None else audited
    explained = explaining(log, judged, book, LOOKED_FOR) if judged.findings else Explanation((), judged)
    otherwise = explained.may_be_instead(log)
    return Report(
        log,
        judged,
        tuple(_Matters(log, judged, explained, otherwise, book).told()),
        tuple(_mended(judged, book)),
        tuple(entry for entry in judged.history.entries if isinstance(entry.event, SAID_OF_THE_DEAL)),
        _payments(judged),
        explained.looked,
        _put_right(log, explained) if explained.mistakes else None,
        tuple(_put_right(log, explained.with_one_more(log, one.mistake, book)) for one in otherwise),
    )


def _put_right(log: Log, explained: Explanation) -> PutRight:
    """The deal of ``log`` with the corrections that are proposed for what explains its findings."""
    return PutRight(explained, _payments(explained.judged), explained.places(log))


class _Matters:
    """The entries at which something is found, and the deal before each, as far as mistakes are put right.

    ``places``: those that the corrections of these mistakes put in are told as what they stand for.
    """

    def __init__(
        self, log: Log, judged: Audit, explained: Explanation, otherwise: tuple[Otherwise, ...], book: Book
    ) -> None:
        self.log, self.judged, self.explained, self.book = log, judged, explained, book
        self.places = explained.places(log)
        self.found: dict[Seq, list[Finding]] = {}
        mistakes = (*explained.mistakes, *(one.mistake for one in otherwise))
        for one in (*(mistake.finding for mistake in mistakes), *explained.as_recorded(log)):
            self.found.setdefault(one.seq, []).append(one)
        self.mistaken = {mistake.finding.seq: mistake.corrections for mistake in reversed(mistakes)}
        self.follows = _following(judged, explained, self.found)

    def told(self) -> list[Matter]:
        """The matters in the order of their entries."""
        standing = self._standing()
        worth = self._worth(standing)
        recorded = {entry.seq: entry for entry in (*self.log, *self.judged.history.entries)}
        matters = []
        for seq, found in self.found.items():
            entry = recorded.get(seq) or recorded[place(seq)[0]]
            before = standing.get(seq)
            due = None if before is None else legal(before)
            below, corrections = self.follows.get(seq, ()), self.mistaken.get(seq, ())
            matters.append(Matter(entry, tuple(found), before, due, worth.get(seq), below, corrections))
        return sorted(matters, key=lambda one: place(one.findings[0].seq))

    def _standing(self) -> dict[Seq, State]:
        """The deal before each entry at which something is found, by that entry."""
        standing: dict[Seq, State] = {}
        known = {entry.seq for entry in self.judged.history.entries}
        for judged in (self.explained.judged, self.judged)[: 2 if self.mistaken else 1]:
            state = start(self.book)
            for entry in judged.history.entries:
                seq = self.places.get(entry.seq, entry.seq)
                if seq in self.found and seq in known:
                    standing.setdefault(seq, state)
                state = evolve(state, entry)
            self._taken_out(judged, standing, known)
        return standing

    def _taken_out(self, judged: Audit, standing: dict[Seq, State], known: set[Seq]) -> None:
        """The deal before entries of the record that ``judged`` has not: as it stands there without them."""
        entries = judged.history.entries
        stand = {self.places.get(entry.seq, entry.seq) for entry in entries}
        for seq in self.found.keys() & known - stand:
            before = [one for one in entries if place(self.places.get(one.seq, one.seq)) < place(seq)]
            standing.setdefault(seq, fold_all(before, start(self.book)))

    def _worth(self, standing: Mapping[Seq, State]) -> dict[Seq, Played]:
        """What the cards played were worth; nothing of hands that cannot be, or where it takes long."""
        right = self.explained.judged
        if not standing or of_cards(right.findings):
            return {}
        try:
            course = best_course(right.history.entries, start(self.book), Work(BEST_PLAY)).plays
        except Spent:
            return {}
        played = {self.places.get(one.seq, one.seq): one for one in course}
        return {seq: one for seq, one in played.items() if seq not in self.mistaken}


def _following(
    judged: Audit, explained: Explanation, found: Mapping[Seq, list[Finding]]
) -> dict[Seq, Findings]:
    """What is not found any more once mistakes are put right, by the entry of the last mistake before it."""
    still = {(one.seq, one.code, one.about) for there in found.values() for one in there}
    heads = sorted((mistake.finding.seq for mistake in explained.mistakes), key=place)
    follows: dict[Seq, Findings] = {}
    for one in judged.findings:
        if (one.seq, one.code, one.about) not in still:
            before = [seq for seq in heads if place(seq) <= place(one.seq)]
            head = before[-1] if before else heads[0]
            follows[head] = (*follows.get(head, ()), one)
    return follows


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


def _payments(judged: Audit) -> tuple[Settled, ...]:
    """What was paid at the table, each time, beside what is due."""
    history = judged.history.entries
    return tuple(_settled(entry, judged) for entry in history if isinstance(entry.event, DealSettled))


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
