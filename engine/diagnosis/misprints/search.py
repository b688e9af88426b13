"""The search for corrections: first one change alone, then two cards that changed places, then two misprints.

A contradiction is as few entries as are needed to see it: whatever is wrong, one of them is. So a change is
looked for in these, and a second one, where the first does not suffice, in what then contradicts still. What
a card can be is read off the evidence: it is left open, and everything it can be, as mere matter, is tried.
"""

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple, TypeGuard

from engine.core.cards import BIT, CANDIDATES, Card, cards_in
from engine.core.log import Entry, Log, begun
from engine.core.vocabulary import Seq
from engine.core.work_budget import Spent
from engine.diagnosis.misprints.changes import (
    ADDED,
    LEFT_OUT,
    REPLACED,
    TELLING,
    Change,
    cards_of,
    corrected,
    open_changes,
)
from engine.diagnosis.misprints.looking import Looked, Looks

FEW: Final = 2
"""So few cards of an entry are tried at once, instead of asking first which can be elsewhere."""

Both = tuple[Change, ...]
"""One change, or two of different entries."""


class Found(NamedTuple):
    """Changes that make the record possible, and the record as it then is."""

    changes: Both
    looked: Looked


class Search:
    """The search in one record; ``found`` grows, ``complete`` says whether all was looked at."""

    def __init__(self, entries: Log, looks: Looks) -> None:
        self.entries, self.looks = entries, looks
        self.own = [entry for entry in entries[begun(entries) :] if isinstance(entry.event, TELLING)]
        self.contradicting: tuple[Seq, ...] = ()
        self.suspects: list[Seq] = []
        self.pairs: list[tuple[Seq, Seq]] | None = None
        self.changes: dict[tuple[Seq, Seq], list[Change]] = {}
        self.found: list[Found] = []
        self.complete = True

    def run(self) -> None:
        """Looks for changes, those of one misprint first; for two only where none does it."""
        try:
            self.looked = self.looks.at(self.entries)
            self.contradicting = self.looks.contradicting(self.looked)
            self.suspects = [entry.seq for entry in self.own if entry.seq in self.contradicting]
            if not self.suspects:
                return
            self._single()
            self._moved()
            if not self.found:
                self._two()
        except Spent:
            self.complete = False

    def _keep(self, *changes: Change) -> None:
        """Keeps the changes if they make the record possible, and are not kept already."""
        if any(set(one.changes) == set(changes) for one in self.found):
            return
        looked = self.looks.possible(corrected(self.entries, changes))
        if looked is not None:
            self.found.append(Found(changes, looked))

    def _single(self) -> None:
        """One change alone. A number too many or too few may be in any list, whatever contradicts."""
        for entry in self.own:
            if not self.looks.may_be(self.looked.claims, (entry.seq,)):
                continue
            for change in self._open(entry.seq):
                if change.kind != REPLACED or entry.seq in self.suspects:
                    for one in self._closed(change, ()):
                        self._keep(one)

    def _open(self, seq: Seq) -> list[Change]:
        """Every change of an entry, the card left open; where one is missing counts if the talon is told."""
        entry = next(entry for entry in self.own if entry.seq == seq)
        return list(open_changes(entry, ordered=bool(self.looked.claims.talon)))

    def _closed(self, change: Change, unread: Collection[Seq]) -> Iterator[Change]:
        """The change with every card that it can put in, if the entries ``unread`` said otherwise.

        Where only the suit was told, another card of that suit puts nothing right.
        """
        entries = corrected(self.entries, (change,))
        if change.kind == LEFT_OUT:
            if self.looks.may_be(self.looks.claims(entries), unread):
                yield change
            return
        told = 0 if change.wrong is None else CANDIDATES[change.wrong]
        for card in cards_in(self.looks.open_to(entries, change.seq, change.at, unread) & ~told):
            yield change.to(card)

    def _moved(self) -> None:
        """Two cards that changed places, or one that was put into the wrong list."""
        for first, second in self._open_pairs():
            theirs = self._open(second)
            there = sorted({one.wrong for one in theirs if one.kind == REPLACED and _known(one.wrong)})
            for change in self._open(first):
                if change.wrong is not None and not _known(change.wrong):
                    continue
                for one in self._taken_from(there, change, second):
                    for other in theirs:
                        self._keep_moved(one, other)

    def _taken_from(self, there: list[Card], change: Change, second: Seq) -> Iterator[Change]:
        """The change with those cards put in that are ``there``, in the entry ``second``."""
        if change.kind == LEFT_OUT:
            yield change
        elif len(there) <= FEW:
            yield from (change.to(card) for card in there)
        else:
            yield from (one for one in self._closed(change, (second,)) if one.right in there)

    def _keep_moved(self, one: Change, other: Change) -> None:
        """Keeps two changes of which the second, still open, can be the other side of the first."""
        closed = other if other.kind == LEFT_OUT or one.wrong is None else other.to(one.wrong)
        if one_misprint(one, closed):
            self._keep(one, closed)

    def _two(self) -> None:
        """Two misprints of different entries, one of them in what contradicts."""
        for first, second in self._open_pairs():
            for one in self._of(first, second):
                for other in self._of(second, first):
                    self._keep(one, other)

    def _open_pairs(self) -> list[tuple[Seq, Seq]]:
        """The entries of which two may be wrong together, and no other: the rest does not contradict."""
        if self.pairs is None:
            pairs: dict[frozenset[Seq], tuple[Seq, Seq]] = {}
            for first in self.suspects:
                for second in self._seconds(first):
                    pair = frozenset((first, second))
                    if pair not in pairs and self.looks.may_be(self.looked.claims, pair):
                        pairs[pair] = first, second
            self.pairs = list(pairs.values())
        return self.pairs

    def _seconds(self, first: Seq) -> list[Seq]:
        """What may be wrong beside ``first``: a part of what contradicts without it, or any entry."""
        rest = self.looks.contradicting_without(self.looked, first)
        return [entry.seq for entry in self.own if entry.seq != first and (not rest or entry.seq in rest)]

    def _of(self, seq: Seq, unread: Seq) -> list[Change]:
        """The changes of one entry that are possible if another said otherwise."""
        if (seq, unread) not in self.changes:
            closed = (self._closed(change, (unread,)) for change in self._open(seq))
            self.changes[seq, unread] = [one for changes in closed for one in changes]
        return self.changes[seq, unread]


def _known(card: Card | None) -> TypeGuard[Card]:
    """Whether a change is of one certain card: what was not seen changes places with nothing."""
    return card is not None and bool(BIT[card])


def one_misprint(one: Change, other: Change) -> bool:
    """Whether the two are one misprint: two cards that changed places, or one put into the wrong list."""
    kinds = {one.kind, other.kind}
    if kinds == {REPLACED}:
        return one.wrong == other.right and one.right == other.wrong
    moved = one.right if one.kind == ADDED else one.wrong
    return kinds == {ADDED, LEFT_OUT} and moved == (other.right if other.kind == ADDED else other.wrong)


def told_elsewhere(entries: Log, seq: Seq, card: Card) -> tuple[Seq, ...]:
    """Other entries that tell of the card in the same hand as the entry ``seq``."""
    seat = next((_seat_of(entry) for entry in entries if entry.seq == seq), None)
    return tuple(
        entry.seq
        for entry in entries
        if entry.seq != seq and _seat_of(entry) == seat and card in cards_of(entry.event)
    )


def _seat_of(entry: Entry) -> int | None:
    return getattr(entry.event, "seat", None)


def alike(wrong: Card, right: Card) -> bool:
    """Whether two cards are easily taken for one another: of one suit, or of one rank."""
    return wrong // 10 == right // 10 or wrong % 10 == right % 10
