"""Reads a store without trusting it: its rows as they are, even if they break the store's own rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import NamedTuple

from service.eventstore.merkle.leaves import build_leaf_hasher, compute_commitment


class RawEvent(NamedTuple):
    """The row of an event in the store. Invalid UTF-8 in a text becomes U+FFFD."""

    position: int
    root: str
    stream: str
    version: int
    event_id: str
    stored_at: str
    body: bytes
    salt: bytes | None
    leaf_hash: bytes | None
    commitment: bytes | None
    kind: str
    placeholder_digest: bytes | None = None
    erased_at: str = ""

    def compute_leaf_hash(self) -> bytes:
        """The leaf hash that follows from the row."""
        salt, body = self.salt, self.body
        commitment = compute_commitment(salt, body) if salt is not None else self.commitment or b""
        return build_leaf_hasher(self.root, self.stream)(
            self.version, self.event_id, self.stored_at, commitment
        )


class Inspection(ABC):
    """What a verifier asks of a store. Database errors are raised as `StoreError`.

    ``recorded_head`` is the store's position when it was opened, as noted in the file next to it; 0 without
    one. ``reports_leaf_mismatch``: if an event's two stored leaf hashes differ, it is returned with the wrong
    one, so a verifier that finds all of them right need not call `read_leaf_tiles`.
    """

    recorded_head = 0
    reports_leaf_mismatch = False

    def find_integrity_errors(self) -> list[str]:
        """Errors that the database itself finds, about twenty messages at most."""
        return []

    def last_assigned_position(self) -> int:
        """The last position that the database has assigned, if it keeps count; else 0."""
        return 0

    @abstractmethod
    def find_schema_differences(self) -> list[str]:
        """The names of the schema objects that guard the store and differ from the expected ones, sorted."""

    @abstractmethod
    def last_position(self) -> int:
        """The position of the last event."""

    @abstractmethod
    def read_raw_events(self, after: int = 0, up_to: int | None = None) -> Iterator[RawEvent]:
        """Events by position: all, or those after ``after`` and up to ``up_to``.

        If they start at the first, events with impossible positions are included.
        """

    def read_raw_event(self, position: int) -> RawEvent | None:
        """The event at that position, or None."""
        found = self.read_raw_events(position - 1, position)
        return next((event for event in found if event.position == position), None)

    @abstractmethod
    def read_raw_stream(self, stream: str) -> list[RawEvent]:
        """The events of a stream, by version."""

    def find_unpositioned_events(self) -> list[RawEvent]:
        """Events that should have a position and have none, about twenty at most, with position 0."""
        return []

    @abstractmethod
    def read_leaf_tiles(self) -> Iterator[tuple[int, list[bytes]]]:
        """The stored leaf hashes, in tiles by number."""

    @abstractmethod
    def read_subtree_hashes(self) -> dict[tuple[int, int], bytes]:
        """The stored hashes of whole tiles, by level and number."""
