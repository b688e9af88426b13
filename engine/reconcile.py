"""Two accounts of one deal, such as two phones' or a phone's and the book's (DESIGN 4, RULES 9).

Entries of one kind can record the same act; the more they agree, the better they match. Of all alignments
that keep the order of both accounts, the best-matching one is used. What the accounts leave open is not
decided: if they disagree, the merged record has one account's version, and names that account in
`EntryMetadata.accounts`, so that a person can choose the other.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, Final, NamedTuple

from engine.audit import audit
from engine.core.cards import (
    CARD_BITS,
    CARD_BY_CODE,
    CARD_CANDIDATES,
    HIDDEN_CARD,
    SUIT_LETTERS,
    SUIT_MASKS,
    Card,
)
from engine.core.events import CardPlayed, CardsDrawn, Event, GapNoted, NoteAdded, TalonLaid
from engine.core.field_types import Seq
from engine.core.log import Entry, EntryMetadata, Log, seq_key
from engine.play.findings import Findings
from engine.play.history import effective
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook

ONLY_ONE, CONFLICTING, MORE_DETAIL = "only", "otherwise", "more"
"""Only in one account; different in the other; one account has what the other leaves open."""
MAX_ACCOUNT_ENTRIES: Final = 400
"""Maximum number of entries of an account; a deal has about sixty."""
EQUAL_SCORE, COMPATIBLE_SCORE, CONFLICT_SCORE = 12, 9, 3
"""The score of a pair of entries: equal, one with more detail, conflicting."""
ORDERED_CARD_EVENTS: Final = (CardsDrawn, TalonLaid)
"""Events in which the order of the cards has a meaning."""


class AccountTooLong(ValueError):
    """An account with too many entries to align."""


class DealAccount(NamedTuple):
    """An account of the deal: its ``name`` and its log."""

    name: str
    log: Log


class MergedEvent(NamedTuple):
    """Two events merged.

    ``event``: what both say; in the ``conflicting_fields``, where they disagree, what the first says.
    ``refined_fields``: those in which one says what the other leaves open.
    """

    event: Event
    conflicting_fields: tuple[str, ...]
    refined_fields: tuple[str, ...]


class EntryPair(NamedTuple):
    """Entries that record the same act, or an entry of one account alone."""

    first: Entry | None
    second: Entry | None
    merged: MergedEvent | None


class AccountDifference(NamedTuple):
    """A difference between the accounts.

    ``seq``: its entry in the merged record, None if it has none (a gap that the other fills); ``first`` and
    ``second``: the entries of the accounts; ``fields``: the differing fields; ``followed_account``: 0 or 1
    for the account that the merged record follows, None if it includes both.
    """

    seq: int | None
    kind: str
    first: Entry | None
    second: Entry | None
    fields: tuple[str, ...]
    followed_account: int | None


class AccountComparison(NamedTuple):
    """The comparison of two accounts.

    ``impossible_findings``: for each account what is impossible in it, empty if it is consistent;
    ``merged_log``: the record with what both say; each entry names its accounts.
    """

    pairs: tuple[EntryPair, ...]
    differences: tuple[AccountDifference, ...]
    impossible_findings: tuple[Findings, Findings]
    merged_log: Log


NO_CHOICES: Final[Mapping[Seq, int]] = {}


def compare_accounts(
    first: DealAccount,
    second: DealAccount,
    choices: Mapping[Seq, int] = NO_CHOICES,
    book: RulesetBook = PUBLISHED_RULESETS,
) -> AccountComparison:
    """Compare two accounts of one deal, and merge them.

    If they disagree, the merged record follows the account that does not contradict itself, else the first.
    ``choices`` maps an entry of the merged record to the account that it follows instead: 0 or 1.

    Raises:
        AccountTooLong: an account has more than `MAX_ACCOUNT_ENTRIES` entries.
    """
    entries = [effective(one.log).entries for one in (first, second)]
    for log in entries:
        if len(log) > MAX_ACCOUNT_ENTRIES:
            raise AccountTooLong(
                f"an account has {len(log)} entries; at most {MAX_ACCOUNT_ENTRIES} can be compared"
            )
    pairs = _align_entries(*entries)
    first_faults, second_faults = (
        tuple(one for one in audit(account.log, book).findings if one.severity == "impossible")
        for account in (first, second)
    )
    trusted = 1 if first_faults and not second_faults else 0
    merger = _LogMerger((first.name, second.name), trusted, choices)
    for index, pair in enumerate(pairs):
        merger.add_pair(pair, is_filled_gap=_is_gap_filled(pairs, index))
    return AccountComparison(
        pairs, tuple(merger.differences), (first_faults, second_faults), tuple(merger.entries)
    )


# --- The entries side by side -----------------------------------------------------------------------


def _align_entries(first: Log, second: Log) -> tuple[EntryPair, ...]:
    """Align the entries of two effective histories, keeping the order of both."""
    scores = _alignment_scores(first, second)
    pairs: list[EntryPair] = []
    i = j = 0
    while i < len(first) or j < len(second):
        best = scores[i][j]
        if i < len(first) and best == scores[i + 1][j]:
            pairs.append(EntryPair(first[i], None, None))
            i += 1
        elif j < len(second) and best == scores[i][j + 1]:
            pairs.append(EntryPair(None, second[j], None))
            j += 1
        else:
            merged = _merge_events(first[i].event, second[j].event)
            pairs.append(EntryPair(first[i], second[j], merged))
            i, j = i + 1, j + 1
    return tuple(pairs)


def _alignment_scores(first: Log, second: Log) -> list[list[int]]:
    """The best score for the rest of both accounts, from each pair of places."""
    scores = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i in range(len(first) - 1, -1, -1):
        row, row_below = scores[i], scores[i + 1]
        for j in range(len(second) - 1, -1, -1):
            best = max(row_below[j], row[j + 1])
            fit = _match_score(first[i].event, second[j].event)
            row[j] = max(best, row_below[j + 1] + fit) if fit else best
    return scores


def _match_score(one: Event, other: Event) -> int:
    """The score of two events as the same act; 0 if they cannot be."""
    if type(one) is not type(other):
        return 0
    if one == other:
        return EQUAL_SCORE
    if isinstance(one, NoteAdded):
        return 0
    conflicts = _merge_events(one, other).conflicting_fields
    if not conflicts:
        return COMPATIBLE_SCORE
    if isinstance(one, CardPlayed):
        return 0 if "trick" in conflicts or len(conflicts) > 1 else CONFLICT_SCORE
    return 0 if "seat" in conflicts else CONFLICT_SCORE


def _is_gap_filled(pairs: tuple[EntryPair, ...], index: int) -> bool:
    """Whether the other account has entries for a gap that this account notes."""
    pair = pairs[index]
    entry = pair.first or pair.second
    if pair.merged is not None or entry is None or not isinstance(entry.event, GapNoted):
        return False
    neighbours = (*pairs[max(index - 1, 0) : index], *pairs[index + 1 : index + 2])
    return any((one.first if pair.first is None else one.second) and one.merged is None for one in neighbours)


# --- Two entries of the same act --------------------------------------------------------------------


def _merge_events(first: Event, second: Event) -> MergedEvent:
    """Merge two events of one kind, field by field."""
    values: dict[str, Any] = {}
    conflicting, refined = [], []
    for field in fields(first):
        one, other = getattr(first, field.name), getattr(second, field.name)
        is_ordered = isinstance(first, ORDERED_CARD_EVENTS)
        if one == other or (field.name == "cards" and not is_ordered and sorted(one) == sorted(other)):
            continue
        merged = _merge_values(field.name, one, other, is_ordered=is_ordered)
        if merged is None:
            conflicting.append(field.name)
        else:
            values[field.name] = merged
            refined.append(field.name)
    event: Any = first
    return MergedEvent(replace(event, **values), tuple(conflicting), tuple(refined))


def _merge_values(field: str, one: Any, other: Any, *, is_ordered: bool) -> Any:
    """The merged value of a field that differs; None if the values conflict."""
    if field == "card":
        return _more_specific_card(one, other)
    if field == "cards":
        return _merge_ordered_cards(one, other) if is_ordered else _merge_hands(one, other)
    if one in (None, (), ""):
        return other
    return one if other in (None, (), "") else None


def _more_specific_card(one: Card, other: Card) -> Card | None:
    """The more specific of two cards that can be the same; None if they cannot be."""
    can_be = CARD_CANDIDATES[one] & CARD_CANDIDATES[other]
    if can_be == CARD_CANDIDATES[one]:
        return one
    return other if can_be == CARD_CANDIDATES[other] else None


def _merge_ordered_cards(one: tuple[Card, ...], other: tuple[Card, ...]) -> tuple[Card, ...] | None:
    if len(one) != len(other):
        return None
    merged = tuple(_more_specific_card(*pair) for pair in zip(one, other, strict=True))
    return None if None in merged else tuple(card for card in merged if card is not None)


def _merge_hands(one: tuple[Card, ...], other: tuple[Card, ...]) -> tuple[Card, ...] | None:
    """The cards of a hand in either account; None if they are too many, or one account repeats a card."""
    if len(one) != len(other) or _has_duplicates(one) or _has_duplicates(other):
        return None
    known = tuple(dict.fromkeys(card for card in (*one, *other) if CARD_BITS[card]))
    by_suit: list[Card] = []
    for suit, letter in enumerate(SUIT_LETTERS):
        count = max(_count_suit(one, suit), _count_suit(other, suit))
        by_suit += [CARD_BY_CODE[f"{letter}?"]] * (count - _count_suit(known, suit))
    cards = (*known, *by_suit)
    return None if len(cards) > len(one) else (*cards, *[HIDDEN_CARD] * (len(one) - len(cards)))


def _has_duplicates(cards: tuple[Card, ...]) -> bool:
    known = [card for card in cards if CARD_BITS[card]]
    return len(known) > len(set(known))


def _count_suit(cards: Iterable[Card], suit: int) -> int:
    """How many of these cards are known to be of a suit."""
    return sum(card != HIDDEN_CARD and not CARD_CANDIDATES[card] & ~SUIT_MASKS[suit] for card in cards)


# --- The merged record ------------------------------------------------------------------------------


class _LogMerger:
    """Builds the merged record."""

    def __init__(self, names: tuple[str, str], trusted: int, choices: Mapping[Seq, int]) -> None:
        self.names, self.trusted, self.choices = names, trusted, choices
        self.entries: list[Entry] = []
        self.differences: list[AccountDifference] = []
        self.place_of: tuple[dict[Seq, int], dict[Seq, int]] = ({}, {})

    def add_pair(self, pair: EntryPair, *, is_filled_gap: bool) -> None:
        """Add the next pair; ``is_filled_gap``: it is a gap that the other account fills."""
        first, second, merged = pair
        if is_filled_gap:
            self._add_difference(None, ONLY_ONE, pair)
            return
        seq = len(self.entries) + 1
        if first is not None:
            self.place_of[0][first.seq] = seq
        if second is not None:
            self.place_of[1][second.seq] = seq
        if first is not None and second is not None and merged is not None:
            self._add_shared_act(seq, pair, merged, (first, second))
        for side, entry in enumerate((first, second)):
            if entry is not None and merged is None:
                self._add_entry(seq, entry.event, {side: entry})
                self._add_difference(seq, ONLY_ONE, pair, followed_account=side)

    def _add_shared_act(
        self, seq: int, pair: EntryPair, merged: MergedEvent, entries: tuple[Entry, Entry]
    ) -> None:
        """Add an act that both accounts record."""
        if not merged.conflicting_fields:
            self._add_entry(seq, merged.event, dict(enumerate(entries)))
            if merged.refined_fields:
                self._add_difference(seq, MORE_DETAIL, pair, merged.refined_fields)
            return
        side = self.choices.get(seq, self.trusted)
        event = _merge_events(entries[side].event, entries[1 - side].event).event
        self._add_entry(seq, event, {side: entries[side]})
        self._add_difference(seq, CONFLICTING, pair, merged.conflicting_fields, side)

    def _add_difference(
        self,
        seq: int | None,
        kind: str,
        pair: EntryPair,
        differing_fields: tuple[str, ...] = (),
        followed_account: int | None = None,
    ) -> None:
        self.differences.append(
            AccountDifference(seq, kind, pair.first, pair.second, differing_fields, followed_account)
        )

    def _add_entry(self, seq: int, event: Event, sources: Mapping[int, Entry]) -> None:
        """Add an event from the accounts ``sources``, in the words of the first of them."""
        bases = {entry.metadata.basis for entry in sources.values()}
        accounts = dict.fromkeys(
            name for side, entry in sources.items() for name in entry.metadata.accounts or (self.names[side],)
        )
        metadata = EntryMetadata(basis=bases.pop() if len(bases) == 1 else None, accounts=tuple(accounts))
        self.entries.append(Entry(seq, self._renumber_note(event, min(sources)), metadata))

    def _renumber_note(self, event: Event, side: int) -> Event:
        """The event, with the seq that its entry has in the merged record."""
        if not isinstance(event, NoteAdded) or event.on is None:
            return event
        places = self.place_of[side]
        key: Seq = event.on
        while key not in places and isinstance(key, str):
            *outer, _ = seq_key(key)
            key = outer[0] if len(outer) == 1 else ".".join(map(str, outer))
        return replace(event, on=places.get(key))
