"""What corrections and withdrawals took away, and where it stood: what a reader of the history does not see.

It is worked out from the log as somebody may know it, like all else: of what was entered wrongly the cut log
shows its cards to nobody (`engine.view`), and so does this.
"""

from collections.abc import Iterator
from typing import NamedTuple

from engine.core.events import ActionWithdrawn, CorrectionMade
from engine.core.log import Entry, Log, place
from engine.core.vocabulary import Seq
from engine.play.history import History, Key


class Mending(NamedTuple):
    """A correction, or something taken back at the table, and what is no longer there because of it.

    ``entry`` is that of the correction or the withdrawal; ``before`` what it took away, as it was
    recorded; ``at`` the entry of the effective history at which it belongs: what stands in the place of
    ``before``, else the last that stands before that place. None where nothing does. ``begins``: how many
    entries of the effective history stand before that place.
    """

    entry: Entry
    before: Log
    at: Seq | None
    begins: int


def mendings(history: History) -> Iterator[Mending]:
    """The corrections and withdrawals of a history in the order in which they were recorded.

    One that takes nothing away and puts nothing in is left out: that it can do nothing is a finding. So is
    one whose place comes only behind the end of a history that is cut off (`service.records.points`).
    """
    return _Telling(history).told() if history.mended else iter(())


class _Telling:
    """One telling of a log's mendings: entries and parts of corrections are found by their addresses."""

    def __init__(self, history: History) -> None:
        self.entries, self.reach = history.entries, history.reach or {}
        self.replaced = {place(seq) for seq in history.replaced}
        self.made: dict[Key, Entry] = {}
        self.parts: dict[Key, tuple[Entry, ...]] = {}
        self.replaced_by: dict[Key, list[Key]] = {}
        self.gone: set[Key] = set()
        self.places: dict[Key, Key] = {}
        self.begun: dict[Key, int] = {}
        waiting = list(reversed(history.mended))
        while waiting:
            waiting += reversed(self._gathered(waiting.pop()))

    def _gathered(self, entry: Entry) -> tuple[Entry, ...]:
        """Takes in an entry; the parts that it has."""
        key = place(entry.seq)
        self.made[key] = entry
        if not isinstance(entry.event, CorrectionMade):
            return ()
        for target in map(place, entry.event.replaces):
            self.replaced_by.setdefault(target, []).append(key)
        parts = enumerate(entry.event.with_, 1)
        self.parts[key] = tuple(Entry(f"{entry.seq}.{n}", part, entry.record) for n, part in parts)
        return self.parts[key]

    def told(self) -> Iterator[Mending]:
        for key in sorted(self.made):
            entry = self.made[key]
            if isinstance(entry.event, CorrectionMade):
                before = tuple(self._before(key, entry.event))
                undoes = any(place(seq) in self.places for seq in entry.event.replaces)
                self.places[key] = where = self._place_of(key, entry.event)
                self.begun[key] = self._begins(key if where[:-1] == key else where)
                if (before or undoes or self.parts[key]) and self._is_there(where):
                    yield Mending(entry, before, self._at(where), self.begun[key])
            elif isinstance(entry.event, ActionWithdrawn) and key in self.reach and key not in self.replaced:
                taken_back = tuple(self._stood(place(entry.event.of), key))
                if taken_back and self._is_there(key):
                    yield Mending(entry, taken_back, self._at(key), self._reached(key))

    def _before(self, key: Key, event: CorrectionMade) -> Iterator[Entry]:
        """What a correction replaces and was still there: of an earlier one what that had put in."""
        for target in map(place, event.replaces):
            entry = self.made.get(target)
            if entry is None or target >= key or target in self.gone:
                continue
            self.gone.add(target)
            if not isinstance(entry.event, CorrectionMade):
                yield entry
                continue
            yield from (part for part in self.parts[target] if not isinstance(part.event, CorrectionMade))
            if not event.with_:
                # What the earlier one had replaced stands again, and may be replaced again.
                self.gone.difference_update(map(place, entry.event.replaces))

    def _place_of(self, key: Key, event: CorrectionMade) -> Key:
        """The address whose reach tells where a correction belongs; those before it have theirs already."""
        targets = (one for one in map(place, event.replaces) if one in self.made and one < key)
        first = next(targets, None)
        return (*key, len(event.with_)) if first is None else self.places.get(first, first)

    def _at(self, key: Key) -> Seq | None:
        """The last entry that stands up to an address, or in its place."""
        count = self._reached(key)
        return self.entries[count - 1].seq if count else None

    def _is_there(self, key: Key) -> bool:
        """Whether the history goes as far as an address: it may be cut off before it."""
        return self._reached(key) <= len(self.entries)

    def _reached(self, key: Key) -> int:
        """How many entries stand up to an address, with what stands in its place."""
        while key and key not in self.reach:
            key = key[:-1]
        return self.reach.get(key, 0)

    def _begins(self, key: Key) -> int:
        """How many entries stand before an address."""
        if len(key) > 1 and key[-1] == 1 and key[:-1] in self.begun:
            # The first part of a correction stands where what that corrects stood.
            return self.begun[key[:-1]]
        return self._reached((*key[:-1], key[-1] - 1))

    def _stood(self, target: Key, until: Key) -> Iterator[Entry]:
        """The entry that is taken back, or what corrections had put in its place."""
        waiting, seen = [target], set[Key]()
        while waiting:
            one = waiting.pop()
            if one in seen or one not in self.made or one >= until:
                continue
            seen.add(one)
            if one not in self.replaced:
                if one not in self.parts:
                    yield self.made[one]
                continue
            for by in self.replaced_by.get(one, ()):
                waiting += [place(part.seq) for part in self.parts[by]]
