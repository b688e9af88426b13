"""A walk through all events of a store file: what each comes to now, and what contradicts itself."""

from __future__ import annotations

from typing import Final

import orjson

from schemas.rulesets.published import is_published, read_published
from schemas.wire.faults import WireError
from schemas.wire.reader import read_entry
from service.eventstore import erasing
from service.eventstore.inspection import RawEvent
from service.eventstore.merkle.leaves import ABSENT, commitment, leaves_of
from service.eventstore.merkle.tree import HASH_BYTES
from service.eventstore.rows import digest_of_standin
from service.records.erase_person import may_be_standin
from service.transparency.beginnings import kind_amiss
from service.transparency.faults import Fault
from service.transparency.standins import Standins

WIDEST_GAP: Final = 1_000_000
"""So many positions are never missing in a row; a row that lies farther off is damaged."""

NO_LEAF: Final = bytes(HASH_BYTES)
"""Stands where a row was put in by who knew nothing of leaves."""
_MOST_SKIPPED: Final = 1000
_MOST_FAULTS: Final = 10_000


class Faults(list[Fault]):
    """The first faults of a walk; a file that is garbage has as many as it has events."""

    def append(self, fault: Fault, /) -> None:
        """Add one, unless there are very many."""
        if len(self) < _MOST_FAULTS:
            super().append(fault)


class Walk:
    """What the events of a store come to. Indices are positions less one.

    ``passed`` events before those of the lists were looked at and let go of.
    ``now`` are the leaf hashes that the rows come to as they stand; ``written`` those in the rows beside
    them; ``versions`` says how many events each stream has; ``missing`` are positions without an event;
    ``skipped`` are the streams and versions that they leave out; ``standins`` the events that have lost their
    contents, and what is recorded of that.
    """

    def __init__(self, passed: int = 0) -> None:
        self.passed = passed
        self.now: list[bytes] = []
        self.written: list[bytes] = []
        self.versions: dict[str, int] = {}
        self.missing: list[int] = []
        self.skipped: list[tuple[str, int]] = []
        self.faults = Faults()
        self.events = 0
        self.standins = Standins()

    def step(self, event: RawEvent) -> bool:
        """Take the next event; False where its position cannot be, so that the walk ends."""
        index = self.passed + len(self.now)
        if event.position != index + 1:
            if not index < event.position <= index + WIDEST_GAP:
                self.faults.append(self.fault("damaged", "position", event))
                return False
            for position in range(index + 1, event.position):
                self.missing.append(position)
                self.now.append(ABSENT)
                self.written.append(ABSENT)
        leaf = leaf_now(event)
        self.now.append(leaf)
        self.written.append(leaf if event.leaf == leaf else event.leaf or b"")
        self.events += 1
        if event.salt is None:
            self.standins.stand(event)
        if event.version == self.versions.get(event.stream, 0) + 1:
            self.versions[event.stream] = event.version
        else:
            self._look_at_version(event)
        self._look_at_contents(event)
        return True

    def is_sound(self) -> bool:
        """Whether of the events that are held none contradicts itself, and none is missing."""
        return not (self.missing or self.faults or self.skipped) and self.now == self.written

    def let_go(self) -> list[bytes]:
        """The leaf hashes of the events so far, of which no more is kept here than how many they were."""
        now, self.now, self.written = self.now, [], []
        self.passed += len(now)
        return now

    def fault(self, kind: str, what: str, event: RawEvent, **parts: str | int) -> Fault:
        """A fault of that event."""
        return Fault(kind, what, event.position, event.stream, event.version, event.event_id, parts)

    def _look_at_version(self, event: RawEvent) -> None:
        """Of an event that is not the next of its stream."""
        due = self.versions.get(event.stream, 0) + 1
        self.versions[event.stream] = max(event.version, due - 1)
        if event.version > due:
            last = min(event.version, due + _MOST_SKIPPED)
            self.skipped += ((event.stream, version) for version in range(due, last))
            if not self.missing:
                fault = self.fault("removed", "version_skipped", event, due=due)
                self.faults.append(fault._replace(version=due, event_id=None))
        else:
            self.faults.append(self.fault("reordered", "version_repeated", event, due=due))

    def _look_at_contents(self, event: RawEvent) -> None:
        if event.leaf == NO_LEAF:
            self.faults.append(self.fault("added", "no_leaf", event))
        elif event.salt is None and event.kept is None:
            self.faults.append(self.fault("changed", "salt_lost", event))
        elif event.standin and event.standin != digest_of_standin(event.body):
            self.faults.append(self.fault("changed", "standin", event))
        try:
            said = orjson.loads(event.body)
            if is_published(said):
                read_published(said)
            elif event.stream == erasing.STREAM:
                self.standins.recorded(event.position, said)
            else:
                read_entry(said, event.version)
        except orjson.JSONDecodeError:
            self.faults.append(self.fault("unreadable", "no_json", event))
        except (WireError, ValueError) as error:
            self.faults.append(self.fault("unreadable", "no_entry", event, said=str(error)))
        else:
            if names := columns_amiss(event, said):
                self.faults.append(self.fault("changed", "columns", event, names=", ".join(names)))
            if event.version == 1 and (due := kind_amiss(event.kind, said)):
                self.faults.append(self.fault("changed", "kind", event, kept_as=event.kind, due=due))
            if event.salt is None and not may_be_standin(said):
                self.faults.append(self.fault("changed", "no_standin", event))


def leaf_now(event: RawEvent) -> bytes:
    """The leaf hash that a row comes to as it stands."""
    committed = commitment(event.salt, event.body) if event.salt is not None else event.kept or b""
    return leaves_of(event.root, event.stream)(event.version, event.event_id, event.stored_at, committed)


def columns_amiss(event: RawEvent, said: object) -> list[str]:
    """What the row says of itself in other words than its contents do."""
    if not isinstance(said, dict) or (
        said.get("id") == event.event_id
        and said.get("seq") == event.version
        and said.get("stored_at") == event.stored_at
    ):
        return []
    columns = (("id", event.event_id), ("seq", event.version), ("stored_at", event.stored_at))
    return [name for name, value in columns if said.get(name, value) != value]
