"""Reads a store without trusting it: its rows as they are, even if they break the store's own rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import NamedTuple


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


class Inspection(ABC):
    """What a verifier asks of a store. Whatever the database refuses is raised as a `StoreError`.

    ``recorded_head`` is the store's position when it was opened, as noted in the file next to it; 0 without
    one. ``reports_leaf_mismatch``: if an event's two stored leaf hashes differ, it is returned with the wrong
    one, so a verifier that finds all of them right need not call `read_leaf_tiles`.
    """

    recorded_head = 0
    reports_leaf_mismatch = False

    def find_integrity_errors(self) -> list[str]:
        """What the database itself finds amiss, some twenty messages at most."""
        return []

    def last_assigned_position(self) -> int:
        """The last position that the database has given to an event, where it keeps count; else 0."""
        return 0

    @abstractmethod
    def find_schema_differences(self) -> list[str]:
        """The names of what the store is guarded by and is not as the store makes it, sorted."""

    @abstractmethod
    def last_position(self) -> int:
        """The position of the last event."""

    @abstractmethod
    def read_raw_events(self, after: int = 0, up_to: int | None = None) -> Iterator[RawEvent]:
        """The events by position: all, or those behind ``after``, or none behind ``up_to``.

        Where they begin at the first, an event is among them whose position cannot be.
        """

    @abstractmethod
    def read_raw_event(self, position: int) -> RawEvent | None:
        """The event at that position, if there is one."""

    @abstractmethod
    def read_raw_stream(self, stream: str) -> list[RawEvent]:
        """The events of a stream, by their versions."""

    def find_unpositioned_events(self) -> list[RawEvent]:
        """Events that should have a position by now and have none, some twenty at most, with 0 as theirs."""
        return []

    @abstractmethod
    def read_leaf_tiles(self) -> Iterator[tuple[int, list[bytes]]]:
        """The leaf hashes that are kept beside the events, in tiles by number."""

    @abstractmethod
    def read_subtree_hashes(self) -> dict[tuple[int, int], bytes]:
        """The stored hashes over whole tiles, by level and number."""
