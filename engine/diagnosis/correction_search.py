"""The search for corrections: first one change alone, then two cards that changed places, then two misprints.

A contradiction is as few entries as are needed to see it: whatever is wrong, one of them is. So a change is
looked for in these, and a second one, where the first does not suffice, in what then contradicts still. What
a card can be is read off the evidence: it is left open, and everything it can be, physically, is tried.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeGuard

from engine.core.cards import CARD_BITS, CARD_CANDIDATES, HIDDEN_CARD, Card, cards_in_mask
from engine.core.events import CardsDrawn, Event, TalonLaid
from engine.core.field_types import Seq
from engine.core.log import Entry, Log, inherited_count
from engine.core.work_budget import BudgetExceeded
from engine.diagnosis.possibility_check import CheckedRecord, PossibilityChecker
from engine.inference.claims import CARD_LIST_EVENTS, SINGLE_CARD_EVENTS, cards_of_event

REPLACED, ADDED, LEFT_OUT = "replaced", "added", "left-out"
"""What can have become of a card on its way into the record."""

CARD_EVENTS: Final = (*CARD_LIST_EVENTS, *SINGLE_CARD_EVENTS)
"""Events that tell of cards; of a list the only one may be missing."""


class CardChange(NamedTuple):
    """A card of the entry ``seq`` put right.

    ``kind``: `REPLACED`, `ADDED` or `LEFT_OUT`; ``position``: its place in the entry, for one that is added
    the place where it belongs; ``wrong_card``: what stands there, None where it is added; ``right_card``:
    what belongs there, None where it is left out.
    """

    seq: Seq
    kind: str
    position: int
    wrong_card: Card | None
    right_card: Card | None


def apply_change(event: Event, change: CardChange) -> Event:
    """The event with the change made in it."""
    if isinstance(event, SINGLE_CARD_EVENTS):
        return replace(event, card=HIDDEN_CARD if change.right_card is None else change.right_card)
    cards = list(cards_of_event(event))
    right = [] if change.right_card is None else [change.right_card]
    cards[change.position : change.position + (change.kind != ADDED)] = right
    listing: Any = event
    changed: Event = replace(listing, cards=tuple(cards))
    return changed


def apply_changes(entries: Log, changes: Iterable[CardChange]) -> Log:
    """The entries with the changes made, of each entry one at most."""
    by_entry = {change.seq: change for change in changes}
    return tuple(
        entry._replace(event=apply_change(entry.event, change))
        if (change := by_entry.get(entry.seq)) is not None
        else entry
        for entry in entries
    )


def list_open_changes(entry: Entry, *, is_talon_ordered: bool) -> Iterator[CardChange]:
    """Yield every change of an entry, leaving open the card that it puts in.

    A hidden card is never a misprint, so none is replaced or left out. If the talon's order is recorded
    (``is_talon_ordered``), a card may be missing anywhere among those drawn from it; otherwise one is added
    at the end, and of a card that appears twice only the first is changed, as either would do.
    """
    seq, event, _ = entry
    cards = cards_of_event(event)
    in_order = is_talon_ordered and isinstance(event, (CardsDrawn, TalonLaid))
    known = [
        (index, card)
        for index, card in enumerate(cards)
        if card != HIDDEN_CARD and (in_order or card not in cards[:index])
    ]
    for index, card in known:
        yield CardChange(seq, REPLACED, index, card, HIDDEN_CARD)
    if isinstance(event, CARD_LIST_EVENTS):
        for index in range(0 if in_order else len(cards), len(cards) + 1):
            yield CardChange(seq, ADDED, index, None, HIDDEN_CARD)
        for index, card in known:
            yield CardChange(seq, LEFT_OUT, index, card, None)


MAX_CARDS_TRIED_AT_ONCE: Final = 2
"""So few cards of an entry are tried at once, instead of asking first which can be elsewhere."""

ChangeSet = tuple[CardChange, ...]
"""One change, or two of different entries."""


class FoundCorrection(NamedTuple):
    """Changes that make the record possible, and the record as it then is."""

    changes: ChangeSet
    record: CheckedRecord


class CorrectionSearch:
    """The search in one record; ``corrections`` grows, ``is_complete`` says whether all was looked at."""

    def __init__(self, entries: Log, checker: PossibilityChecker) -> None:
        self.entries, self.checker = entries, checker
        self.card_entries = [
            entry for entry in entries[inherited_count(entries) :] if isinstance(entry.event, CARD_EVENTS)
        ]
        self.contradicting_entries: tuple[Seq, ...] = ()
        self.suspects: list[Seq] = []
        self.suspect_pairs: list[tuple[Seq, Seq]] | None = None
        self.changes: dict[tuple[Seq, Seq], list[CardChange]] = {}
        self.corrections: list[FoundCorrection] = []
        self.is_complete = True

    def run(self) -> None:
        """Looks for changes, those of one misprint first; for two only where none does it."""
        try:
            self.record = self.checker.judge_record(self.entries)
            self.contradicting_entries = self.checker.find_contradiction(self.record)
            seqs = (entry.seq for entry in self.card_entries)
            self.suspects = [seq for seq in seqs if seq in self.contradicting_entries]
            if not self.suspects:
                return
            self._try_single_changes()
            self._try_moved_cards()
            if not self.corrections:
                self._try_two_misprints()
        except BudgetExceeded:
            self.is_complete = False

    def _add_if_possible(self, *changes: CardChange) -> None:
        """Keeps the changes if they make the record possible, and are not kept already."""
        if any(set(one.changes) == set(changes) for one in self.corrections):
            return
        record = self.checker.require_possible(apply_changes(self.entries, changes))
        if record is not None:
            self.corrections.append(FoundCorrection(changes, record))

    def _try_single_changes(self) -> None:
        """One change alone. A number too many or too few may be in any list, whatever contradicts."""
        for entry in self.card_entries:
            if not self.checker.can_be_true(self.record.claims, (entry.seq,)):
                continue
            for change in self._list_open_changes(entry.seq):
                if change.kind != REPLACED or entry.seq in self.suspects:
                    for one in self._list_closed_changes(change, ()):
                        self._add_if_possible(one)

    def _list_open_changes(self, seq: Seq) -> list[CardChange]:
        """Every change of an entry, the card left open; where one is missing counts if the talon is told."""
        entry = next(entry for entry in self.card_entries if entry.seq == seq)
        return list(list_open_changes(entry, is_talon_ordered=bool(self.record.claims.talon_cards)))

    def _list_closed_changes(self, change: CardChange, ignored: Collection[Seq]) -> Iterator[CardChange]:
        """The change with every card that it can put in, if the entries ``ignored`` said otherwise.

        Where only the suit was told, another card of that suit puts nothing right.
        """
        entries = apply_changes(self.entries, (change,))
        if change.kind == LEFT_OUT:
            if self.checker.can_be_true(self.checker.collect_claims(entries), ignored):
                yield change
            return
        possible = self.checker.possible_cards(entries, change.seq, change.position, ignored)
        if change.wrong_card is not None:
            possible &= ~CARD_CANDIDATES[change.wrong_card]
        for card in cards_in_mask(possible):
            yield change._replace(right_card=card)

    def _try_moved_cards(self) -> None:
        """Two cards that changed places, or one that was put into the wrong list."""
        for first, second in self._list_suspect_pairs():
            second_changes = self._list_open_changes(second)
            replaced = (one.wrong_card for one in second_changes if one.kind == REPLACED)
            moved_cards = sorted({card for card in replaced if _is_known(card)})
            for change in self._list_open_changes(first):
                if change.wrong_card is not None and not _is_known(change.wrong_card):
                    continue
                for one in self._list_changes_from(moved_cards, change, second):
                    for other in second_changes:
                        self._add_moved_if_possible(one, other)

    def _list_changes_from(
        self, moved_cards: list[Card], change: CardChange, second: Seq
    ) -> Iterator[CardChange]:
        """The change with those cards put in that are ``moved_cards``, in the entry ``second``."""
        if change.kind == LEFT_OUT:
            yield change
        elif len(moved_cards) <= MAX_CARDS_TRIED_AT_ONCE:
            yield from (change._replace(right_card=card) for card in moved_cards)
        else:
            for one in self._list_closed_changes(change, (second,)):
                if one.right_card in moved_cards:
                    yield one

    def _add_moved_if_possible(self, one: CardChange, other: CardChange) -> None:
        """Keeps two changes of which the second, still open, can be the other side of the first."""
        closed = (
            other
            if other.kind == LEFT_OUT or one.wrong_card is None
            else other._replace(right_card=one.wrong_card)
        )
        if is_single_misprint(one, closed):
            self._add_if_possible(one, closed)

    def _try_two_misprints(self) -> None:
        """Two misprints of different entries, one of them in what contradicts."""
        for first, second in self._list_suspect_pairs():
            for one in self._possible_changes(first, second):
                for other in self._possible_changes(second, first):
                    self._add_if_possible(one, other)

    def _list_suspect_pairs(self) -> list[tuple[Seq, Seq]]:
        """The entries of which two may be wrong together, and no other: the rest does not contradict."""
        if self.suspect_pairs is None:
            pairs: dict[frozenset[Seq], tuple[Seq, Seq]] = {}
            for first in self.suspects:
                for second in self._list_second_suspects(first):
                    pair = frozenset((first, second))
                    if pair not in pairs and self.checker.can_be_true(self.record.claims, pair):
                        pairs[pair] = first, second
            self.suspect_pairs = list(pairs.values())
        return self.suspect_pairs

    def _list_second_suspects(self, first: Seq) -> list[Seq]:
        """What may be wrong beside ``first``: a part of what contradicts without it, or any entry."""
        rest = self.checker.find_contradiction_without(self.record, first)
        return [
            entry.seq for entry in self.card_entries if entry.seq != first and (not rest or entry.seq in rest)
        ]

    def _possible_changes(self, seq: Seq, ignored: Seq) -> list[CardChange]:
        """The changes of one entry that are possible if another said otherwise."""
        if (seq, ignored) not in self.changes:
            self.changes[seq, ignored] = [
                one
                for change in self._list_open_changes(seq)
                for one in self._list_closed_changes(change, (ignored,))
            ]
        return self.changes[seq, ignored]


def _is_known(card: Card | None) -> TypeGuard[Card]:
    """Whether a change is of one certain card: what was not seen changes places with nothing."""
    return card is not None and bool(CARD_BITS[card])


def is_single_misprint(one: CardChange, other: CardChange) -> bool:
    """Whether the two are one misprint: two cards that changed places, or one put into the wrong list."""
    kinds = {one.kind, other.kind}
    if kinds == {REPLACED}:
        return one.wrong_card == other.right_card and one.right_card == other.wrong_card
    moved = one.right_card if one.kind == ADDED else one.wrong_card
    return kinds == {ADDED, LEFT_OUT} and moved == (
        other.right_card if other.kind == ADDED else other.wrong_card
    )


def find_other_mentions(entries: Log, seq: Seq, card: Card | None) -> tuple[Seq, ...]:
    """Other entries that tell of the card in the same hand as the entry ``seq``."""
    seats = {entry.seq: getattr(entry.event, "seat", None) for entry in entries}
    return tuple(
        entry.seq
        for entry in entries
        if entry.seq != seq and seats[entry.seq] == seats.get(seq) and card in cards_of_event(entry.event)
    )


def are_easily_confused(wrong: Card | None, right: Card | None) -> bool:
    """Whether two cards are easily taken for one another: of one suit, or of one rank."""
    return (
        wrong is not None and right is not None and (wrong // 10 == right // 10 or wrong % 10 == right % 10)
    )
