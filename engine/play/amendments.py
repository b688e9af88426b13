"""What corrections and withdrawals removed, and where it was, as far as the log shows it."""

from collections.abc import Iterator
from typing import NamedTuple

from engine.core.events import ActionWithdrawn, CorrectionMade
from engine.core.field_types import Seq
from engine.core.log import Entry, Log, seq_key
from engine.play.history import History, SeqKey


class Amendment(NamedTuple):
    """A correction, or something taken back at the table, and the entries that it removed.

    ``entry`` is the correction or the withdrawal; ``replaced_entries`` are the entries that it removed, as
    recorded. ``position_seq`` is the entry of the effective history where it belongs: the replacement of
    ``replaced_entries``, else the last entry before that place, else None. ``start_index``: how many entries
    of the effective history precede that place.
    """

    entry: Entry
    replaced_entries: Log
    position_seq: Seq | None
    start_index: int


def list_amendments(history: History) -> Iterator[Amendment]:
    """The corrections and withdrawals of a history, in the order in which they were recorded.

    Without those that change nothing, and those whose place is after the end of a truncated history.
    """
    return _AmendmentFinder(history).find() if history.corrected_log else iter(())


class _AmendmentFinder:
    """Lists the amendments of one log; entries and parts of corrections are found by their addresses."""

    def __init__(self, history: History) -> None:
        self.entries, self.reach = history.entries, history.standing_counts or {}
        self.replaced = {seq_key(seq) for seq in history.replaced_seqs}
        self.entries_by_key: dict[SeqKey, Entry] = {}
        self.parts: dict[SeqKey, tuple[Entry, ...]] = {}
        self.replaced_by: dict[SeqKey, list[SeqKey]] = {}
        self.replaced_keys: set[SeqKey] = set()
        self.position_keys: dict[SeqKey, SeqKey] = {}
        self.start_indexes: dict[SeqKey, int] = {}
        waiting = list(reversed(history.corrected_log))
        while waiting:
            waiting += reversed(self._add_entry(waiting.pop()))

    def _add_entry(self, entry: Entry) -> tuple[Entry, ...]:
        """Add an entry; returns the parts that it has."""
        key = seq_key(entry.seq)
        self.entries_by_key[key] = entry
        if not isinstance(entry.event, CorrectionMade):
            return ()
        for target in map(seq_key, entry.event.replaces):
            self.replaced_by.setdefault(target, []).append(key)
        parts = enumerate(entry.event.with_, 1)
        self.parts[key] = tuple(Entry(f"{entry.seq}.{n}", part, entry.metadata) for n, part in parts)
        return self.parts[key]

    def find(self) -> Iterator[Amendment]:
        for key in sorted(self.entries_by_key):
            entry = self.entries_by_key[key]
            if isinstance(entry.event, CorrectionMade):
                before = tuple(self._take_replaced_entries(key, entry.event))
                undoes = any(seq_key(seq) in self.position_keys for seq in entry.event.replaces)
                self.position_keys[key] = where = self._position_key(key, entry.event)
                self.start_indexes[key] = self._start_index(key if where[:-1] == key else where)
                if (before or undoes or self.parts[key]) and self._is_within_history(where):
                    yield Amendment(entry, before, self._seq_at(where), self.start_indexes[key])
            elif isinstance(entry.event, ActionWithdrawn) and key in self.reach and key not in self.replaced:
                taken_back = tuple(self._withdrawn_entries(seq_key(entry.event.of), key))
                if taken_back and self._is_within_history(key):
                    yield Amendment(entry, taken_back, self._seq_at(key), self._count_up_to(key))

    def _take_replaced_entries(self, key: SeqKey, event: CorrectionMade) -> Iterator[Entry]:
        """What a correction replaces and was still there: for an earlier correction, the entries it
        inserted."""
        for target in map(seq_key, event.replaces):
            entry = self.entries_by_key.get(target)
            if entry is None or target >= key or target in self.replaced_keys:
                continue
            self.replaced_keys.add(target)
            if not isinstance(entry.event, CorrectionMade):
                yield entry
                continue
            yield from (part for part in self.parts[target] if not isinstance(part.event, CorrectionMade))
            if not event.with_:
                # What the earlier correction had replaced is in force again, and may be replaced again.
                self.replaced_keys.difference_update(map(seq_key, entry.event.replaces))

    def _position_key(self, key: SeqKey, event: CorrectionMade) -> SeqKey:
        """The address whose place is the correction's; addresses before it are settled."""
        targets = (one for one in map(seq_key, event.replaces) if one in self.entries_by_key and one < key)
        first = next(targets, None)
        return (*key, len(event.with_)) if first is None else self.position_keys.get(first, first)

    def _seq_at(self, key: SeqKey) -> Seq | None:
        """The last entry at or before an address, or its replacement."""
        count = self._count_up_to(key)
        return self.entries[count - 1].seq if count else None

    def _is_within_history(self, key: SeqKey) -> bool:
        """Whether the history reaches an address: it may be truncated before it."""
        return self._count_up_to(key) <= len(self.entries)

    def _count_up_to(self, key: SeqKey) -> int:
        """How many entries there are up to an address, including its replacement."""
        while key and key not in self.reach:
            key = key[:-1]
        return self.reach.get(key, 0)

    def _start_index(self, key: SeqKey) -> int:
        """How many entries there are before an address."""
        if len(key) > 1 and key[-1] == 1 and key[:-1] in self.start_indexes:
            # The first part of a correction is at the place of what that corrects.
            return self.start_indexes[key[:-1]]
        return self._count_up_to((*key[:-1], key[-1] - 1))

    def _withdrawn_entries(self, target: SeqKey, until: SeqKey) -> Iterator[Entry]:
        """The entry that is taken back, or what corrections have replaced it with."""
        waiting, seen = [target], set[SeqKey]()
        while waiting:
            one = waiting.pop()
            if one in seen or one not in self.entries_by_key or one >= until:
                continue
            seen.add(one)
            if one not in self.replaced:
                if one not in self.parts:
                    yield self.entries_by_key[one]
                continue
            for by in self.replaced_by.get(one, ()):
                waiting += [seq_key(part.seq) for part in self.parts[by]]
