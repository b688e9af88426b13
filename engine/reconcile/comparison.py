"""What two accounts of one deal come to: every difference, who contradicts himself, and one record.

Nothing is decided that the accounts leave open: where they disagree, the merged record has what one of them
tells, and says in `EntryMetadata.accounts` which, so that a person can put the other in its place.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from engine.audit import audit
from engine.core.events import Event, GapNoted, NoteAdded
from engine.core.field_types import Seq
from engine.core.log import Entry, EntryMetadata, Log, seq_key
from engine.play.findings import Findings
from engine.play.history import effective
from engine.reconcile.alignment import EntryPair, align_accounts
from engine.reconcile.event_merge import merge_events
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook

ONLY_ONE, CONFLICTING, MORE_DETAIL = "only", "otherwise", "more"
"""Told by one alone; told otherwise by the other; one tells what the other leaves open."""


class DealAccount(NamedTuple):
    """An account of the deal: the ``name`` by which it goes, and its log."""

    name: str
    log: Log


class AccountDifference(NamedTuple):
    """A point in which the accounts differ.

    ``seq``: its entry in the merged record, None where that leaves it out (a gap that the other fills);
    ``first`` and ``second``: the entries of the accounts; ``fields``: in what they differ;
    ``followed_account``: 0 or 1 for the account that the merged record follows, None where it has both.
    """

    seq: int | None
    kind: str
    first: Entry | None
    second: Entry | None
    fields: tuple[str, ...]
    followed_account: int | None


class AccountComparison(NamedTuple):
    """Two accounts side by side.

    ``impossible_findings``: for each account what in it cannot be, nothing where it does not contradict
    itself; ``merged_log``: the record that has what both tell; each entry names its accounts.
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
    """Two accounts of one deal side by side, and merged.

    Where they tell otherwise the merged record follows the account that does not contradict itself, else the
    first. ``choices`` says for an entry of the merged record which one it follows instead: 0 or 1.

    Raises:
        AccountTooLong: an account has more entries than can be compared.
    """
    entries = tuple(effective(one.log).entries for one in (first, second))
    pairs = align_accounts(entries[0], entries[1])
    faults = tuple(
        tuple(one for one in audit(account.log, book).findings if one.severity == "impossible")
        for account in (first, second)
    )
    trusted = 1 if faults[0] and not faults[1] else 0
    merger = _LogMerger((first.name, second.name), trusted, choices)
    for index, pair in enumerate(pairs):
        merger.add_pair(pair, is_filled_gap=_is_gap_filled(pairs, index))
    return AccountComparison(pairs, tuple(merger.differences), (faults[0], faults[1]), merger.build_log())


def _is_gap_filled(pairs: tuple[EntryPair, ...], index: int) -> bool:
    """Whether a gap that one account notes is filled by what the other alone tells just there."""
    pair = pairs[index]
    entry = pair.first or pair.second
    if pair.merged is not None or entry is None or not isinstance(entry.event, GapNoted):
        return False
    neighbours = (*pairs[max(index - 1, 0) : index], *pairs[index + 1 : index + 2])
    return any((one.first if pair.first is None else one.second) and one.merged is None for one in neighbours)


class _LogMerger:
    """The merged record in the making."""

    def __init__(self, names: tuple[str, str], trusted: int, choices: Mapping[Seq, int]) -> None:
        self.names, self.trusted, self.choices = names, trusted, choices
        self.entries: list[Entry] = []
        self.differences: list[AccountDifference] = []
        self.place_of: tuple[dict[Seq, int], dict[Seq, int]] = ({}, {})

    def add_pair(self, pair: EntryPair, *, is_filled_gap: bool) -> None:
        """The next pair; ``is_filled_gap``: it is a gap that the other account fills."""
        if is_filled_gap:
            self.differences.append(AccountDifference(None, ONLY_ONE, pair.first, pair.second, (), None))
            return
        seq = len(self.entries) + 1
        for side, entry in enumerate((pair.first, pair.second)):
            if entry is not None:
                self.place_of[side][entry.seq] = seq
        if pair.merged is not None and pair.first is not None and pair.second is not None:
            self._add_shared_act(seq, pair, pair.first, pair.second)
            return
        side = 0 if pair.second is None else 1
        entry = pair.first or pair.second
        assert entry is not None
        self._add_entry(seq, self._renumber_note(entry.event, side), (entry,), (side,))
        self.differences.append(AccountDifference(seq, ONLY_ONE, pair.first, pair.second, (), side))

    def _add_shared_act(self, seq: int, pair: EntryPair, first: Entry, second: Entry) -> None:
        """An act of which both tell."""
        merged = pair.merged
        assert merged is not None
        if merged.conflicting_fields:
            taken = self.choices.get(seq, self.trusted)
            entry, other = (first, second) if taken == 0 else (second, first)
            event = merge_events(entry.event, other.event).event
            self._add_entry(seq, self._renumber_note(event, taken), (entry,), (taken,))
            self.differences.append(
                AccountDifference(seq, CONFLICTING, first, second, merged.conflicting_fields, taken)
            )
            return
        self._add_entry(seq, self._renumber_note(merged.event, 0), (first, second), (0, 1))
        if merged.refined_fields:
            self.differences.append(
                AccountDifference(seq, MORE_DETAIL, first, second, merged.refined_fields, None)
            )

    def _renumber_note(self, event: Event, side: int) -> Event:
        """The event with the entry it is about where that stands in the merged record."""
        if not isinstance(event, NoteAdded) or event.on is None:
            return event
        places = self.place_of[side]
        key: Seq = event.on
        while key not in places and isinstance(key, str):
            *outer, _ = seq_key(key)
            key = outer[0] if len(outer) == 1 else ".".join(map(str, outer))
        return replace(event, on=places.get(key))

    def _add_entry(self, seq: int, event: Event, sources: tuple[Entry, ...], sides: tuple[int, ...]) -> None:
        bases = {entry.metadata.basis for entry in sources}
        accounts = [
            name
            for entry, side in zip(sources, sides, strict=True)
            for name in entry.metadata.accounts or (self.names[side],)
        ]
        basis = bases.pop() if len(bases) == 1 else None
        record = EntryMetadata(basis=basis, accounts=tuple(dict.fromkeys(accounts)))
        self.entries.append(Entry(seq, event, record))

    def build_log(self) -> Log:
        """The merged record."""
        return tuple(self.entries)
