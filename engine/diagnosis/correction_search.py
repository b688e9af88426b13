"""The search for corrections of a record that cannot be: one change, two swapped cards, or two misprints.

A record is possible if judging finds no card where it cannot have been, and some complete deal agrees with it
physically. The rules do not matter here: a revoke is no misprint.

A contradiction is a minimal set of entries, of which one at least is wrong. So a change is searched in these,
and a second one, if the first does not suffice, in what still contradicts. The card of a change is left open
first, and everything that it can be physically is tried.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeGuard

from engine.audit import judge_history
from engine.core.cards import CARD_BITS, CARD_CANDIDATES, HIDDEN_CARD, Card, cards_in_mask
from engine.core.events import CardsDrawn, Event, TalonLaid
from engine.core.field_types import Seq
from engine.core.log import Entry, Log, inherited_count
from engine.core.work_budget import BudgetExceeded, WorkBudget
from engine.fold import fold_all, folding_cost
from engine.inference.claims import (
    CARD_LIST_EVENTS,
    DISCARD_PLACES,
    DRAW_PLACES,
    SINGLE_CARD_EVENTS,
    Claims,
    cards_of_event,
    collect_claims,
)
from engine.inference.evidence import Evidence, find_minimal_conflict, find_physical_level
from engine.inference.hidden_play_search import has_consistent_deal
from engine.inference.inference_case import INCONSISTENT_LEVEL, PHYSICAL_ONLY, InferenceCase, build_case
from engine.inference.unseen_cards import list_hidden_cards
from engine.play.findings import Findings, card_findings
from engine.play.history import History
from engine.play.state import State, initial_state
from engine.rulesets import RulesetBook

REPLACED, ADDED, LEFT_OUT = "replaced", "added", "left-out"
"""How a card can be wrong in the record."""

CARD_EVENTS: Final = (*CARD_LIST_EVENTS, *SINGLE_CARD_EVENTS)
"""Events with cards."""


class CardChange(NamedTuple):
    """The correction of a card in the entry ``seq``.

    ``kind``: `REPLACED`, `ADDED` or `LEFT_OUT`; ``position``: the place in the entry; ``wrong_card``: the
    card there, None if one is added; ``right_card``: the card that belongs there, None if it is left out.
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


MAX_STEPS_PER_CHECK: Final = 150
"""Limit on the steps of one check of a record with hidden plays."""
CONFLICT_COST: Final = 40
"""What a search for contradictory entries counts, in checks."""


class CheckedRecord(NamedTuple):
    """A record with its state, the findings of judging, and its claims of the cards."""

    state: State
    findings: Findings
    claims: Claims

    @property
    def card_findings(self) -> Findings:
        """The findings that are impossible by the cards alone."""
        return card_findings(self.findings)


class PossibilityChecker:
    """Checks records; ``left`` is the number of checks left.

    A check counts once, and once more for every scenario of the record and every step. ``budget`` limits the
    work of all checks.
    """

    def __init__(self, book: RulesetBook, max_work: int, budget: WorkBudget) -> None:
        self.book, self.left, self.budget = book, max_work, budget

    def _build_case(self, claims: Claims) -> InferenceCase:
        """The case of claims, with its scenarios counted."""
        if self.left <= 0:
            raise BudgetExceeded
        case = build_case(claims, self.budget)
        self.left -= 1 + len(case.scenarios)
        return case

    def _is_consistent(self, claims: Claims) -> bool | None:
        """Whether some complete deal agrees; None if the steps do not suffice."""
        case, budget = self._build_case(claims), WorkBudget(MAX_STEPS_PER_CHECK)
        found = has_consistent_deal(case, PHYSICAL_ONLY, budget)
        self.left -= MAX_STEPS_PER_CHECK - budget.units_left
        return found

    def judge_record(self, entries: Log) -> CheckedRecord:
        """Judge a record. Raises `BudgetExceeded`."""
        self.budget.spend(folding_cost(len(entries)))
        state, found = judge_history(History(entries, None, (), False), initial_state(self.book))
        return CheckedRecord(state, tuple(found), collect_claims(entries, state))

    def collect_claims(self, entries: Log) -> Claims:
        """The claims of a record. Raises `BudgetExceeded`."""
        self.budget.spend(folding_cost(len(entries)) // 3)  # it is not judged
        return collect_claims(entries, fold_all(entries, initial_state(self.book)))

    def require_possible(self, entries: Log) -> CheckedRecord | None:
        """The record if it is certainly possible, otherwise None. Raises `BudgetExceeded`."""
        if self.left <= 0:
            raise BudgetExceeded
        record = self.judge_record(entries)
        self.left -= 1
        return record if not record.card_findings and self._is_consistent(record.claims) else None

    def can_be_true(self, claims: Claims, ignored_entries: Collection[Seq]) -> bool:
        """Whether the claims may be true with other cards in some entries. Raises `BudgetExceeded`."""
        return self._is_consistent(drop_entries(claims, ignored_entries)) is not False

    def possible_cards(self, entries: Log, seq: Seq, index: int, ignored_entries: Collection[Seq]) -> int:
        """A mask of what a hidden card can be physically, with other cards in ``ignored_entries``.

        It may include too many cards if plays are hidden. Raises `BudgetExceeded`.
        """
        case = self._build_case(drop_entries(self.collect_claims(entries), ignored_entries))
        budget = WorkBudget(MAX_STEPS_PER_CHECK)
        physical = find_physical_level(case, budget)
        evidence = Evidence(case, physical, INCONSISTENT_LEVEL, (), MAX_STEPS_PER_CHECK)
        self.left -= MAX_STEPS_PER_CHECK - budget.units_left
        read = tuple(entry for entry in entries if entry.seq == seq)
        return next((one.physical for one in list_hidden_cards(evidence, read) if one.place == index), 0)

    def find_contradiction(self, record: CheckedRecord) -> tuple[Seq, ...]:
        """A minimal set of contradictory entries.

        If the cards are physically possible but judging finds a fault, its evidence. Raises `BudgetExceeded`.
        """
        entries = find_minimal_conflict(record.claims, PHYSICAL_ONLY, MAX_STEPS_PER_CHECK, self.budget)
        if entries:
            return entries
        return tuple(
            dict.fromkeys(seq for one in record.card_findings[:1] for seq in (one.seq, *one.evidence))
        )

    def find_contradiction_without(self, record: CheckedRecord, ignored_entry: Seq) -> tuple[Seq, ...]:
        """The same without one entry, nothing if the rest is possible. Raises `BudgetExceeded`."""
        self.left -= CONFLICT_COST
        return find_minimal_conflict(
            drop_entries(record.claims, (ignored_entry,)), PHYSICAL_ONLY, MAX_STEPS_PER_CHECK, self.budget
        )


def drop_entries(claims: Claims, ignored_entries: Collection[Seq]) -> Claims:
    """The claims without some entries: neither their cards nor their number."""
    if not ignored_entries:
        return claims
    swapped = list(claims.exchanges)
    for one in claims.card_claims:
        if (
            one.seq in ignored_entries
            and one.seat is not None
            and one.places in (DISCARD_PLACES[one.seat], DRAW_PLACES[one.seat])
        ):
            swapped[one.seat] = None
    drawing = tuple(seat for seat in claims.draw_order if swapped[seat] is not None)
    talon = claims.talon_cards
    if drawing != claims.draw_order:  # how deep the others drew depends on how many cards these were
        drawn = {
            one.seq
            for one in claims.card_claims
            if one.seat is not None and one.places == DRAW_PLACES[one.seat]
        }
        talon = tuple(one for one in talon if one.seq not in drawn)
    return claims._replace(exchanges=tuple(swapped), draw_order=drawing, talon_cards=talon).without_cards(
        set(ignored_entries)
    )


MAX_CARDS_TRIED_AT_ONCE: Final = 2
"""Up to this many cards of an entry are tried without first asking which can be elsewhere."""

ChangeSet = tuple[CardChange, ...]
"""One change, or two of different entries."""


class FoundCorrection(NamedTuple):
    """Changes that make the record possible, and the changed record."""

    changes: ChangeSet
    record: CheckedRecord


class CorrectionSearch:
    """The search in one record; ``is_complete``: whether everything was tried."""

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
        """Search for one misprint, and for two only if one does not suffice."""
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
        """Keep new changes if they make the record possible."""
        if any(set(one.changes) == set(changes) for one in self.corrections):
            return
        record = self.checker.require_possible(apply_changes(self.entries, changes))
        if record is not None:
            self.corrections.append(FoundCorrection(changes, record))

    def _try_single_changes(self) -> None:
        """One change. A list with too many or too few cards may be any, not only one that contradicts."""
        for entry in self.card_entries:
            if not self.checker.can_be_true(self.record.claims, (entry.seq,)):
                continue
            for change in self._list_open_changes(entry.seq):
                if change.kind != REPLACED or entry.seq in self.suspects:
                    for one in self._list_closed_changes(change, ()):
                        self._add_if_possible(one)

    def _list_open_changes(self, seq: Seq) -> list[CardChange]:
        """Every change of an entry with the card left open."""
        entry = next(entry for entry in self.card_entries if entry.seq == seq)
        return list(list_open_changes(entry, is_talon_ordered=bool(self.record.claims.talon_cards)))

    def _list_closed_changes(self, change: CardChange, ignored: Collection[Seq]) -> Iterator[CardChange]:
        """The change with every card that it can put in, with other cards in the entries ``ignored``.

        If only the suit was recorded, another card of that suit corrects nothing.
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
        """The change with each of ``moved_cards``, those of the entry ``second``, put in."""
        if change.kind == LEFT_OUT:
            yield change
        elif len(moved_cards) <= MAX_CARDS_TRIED_AT_ONCE:
            yield from (change._replace(right_card=card) for card in moved_cards)
        else:
            for one in self._list_closed_changes(change, (second,)):
                if one.right_card in moved_cards:
                    yield one

    def _add_moved_if_possible(self, one: CardChange, other: CardChange) -> None:
        """Keep two changes if the second, still open, can be the other side of the first."""
        closed = (
            other
            if other.kind == LEFT_OUT or one.wrong_card is None
            else other._replace(right_card=one.wrong_card)
        )
        if is_single_misprint(one, closed):
            self._add_if_possible(one, closed)

    def _try_two_misprints(self) -> None:
        """Two misprints in different entries, one of them in what contradicts."""
        for first, second in self._list_suspect_pairs():
            for one in self._possible_changes(first, second):
                for other in self._possible_changes(second, first):
                    self._add_if_possible(one, other)

    def _list_suspect_pairs(self) -> list[tuple[Seq, Seq]]:
        """The pairs of entries without which the rest does not contradict."""
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
        """What may be wrong besides ``first``: a part of what contradicts without it, or any entry."""
        rest = self.checker.find_contradiction_without(self.record, first)
        return [
            entry.seq for entry in self.card_entries if entry.seq != first and (not rest or entry.seq in rest)
        ]

    def _possible_changes(self, seq: Seq, ignored: Seq) -> list[CardChange]:
        """The changes of one entry that are possible with other cards in another."""
        if (seq, ignored) not in self.changes:
            self.changes[seq, ignored] = [
                one
                for change in self._list_open_changes(seq)
                for one in self._list_closed_changes(change, (ignored,))
            ]
        return self.changes[seq, ignored]


def _is_known(card: Card | None) -> TypeGuard[Card]:
    """Whether a card is known: a hidden card swaps with nothing."""
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
    """Other entries with the card in the same hand as the entry ``seq``."""
    seats = {entry.seq: getattr(entry.event, "seat", None) for entry in entries}
    return tuple(
        entry.seq
        for entry in entries
        if entry.seq != seq and seats[entry.seq] == seats.get(seq) and card in cards_of_event(entry.event)
    )


def are_easily_confused(wrong: Card | None, right: Card | None) -> bool:
    """Whether two cards have the same suit or rank."""
    return (
        wrong is not None and right is not None and (wrong // 10 == right // 10 or wrong % 10 == right % 10)
    )
