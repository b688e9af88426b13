"""Values that event stores take and return. Events are opaque; nothing here depends on the game.

An event is a JSON object as bytes with an id. Events are in *streams*, numbered 1, 2, 3, … without a gap; a
stream's *version* is its number of events. Every stream belongs permanently to one *root*: a root is the unit
of atomic writes, the unit in which event ids are unique, and so the partition key of a larger store. Across
all streams, every event has a *position*; positions only increase.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final, Literal, NamedTuple, TypeAlias

PAGE_SIZE: Final = 500
"""Default number of events or streams on a page."""


BRANCH_FIELD: Final = b'"branch"'
"""The field in a record's first event that says that it branches off another record."""


def validate_limit(limit: int) -> int:
    """The limit of a page. Raises `ValueError` below 1."""
    if limit < 1:
        raise ValueError(f"A page holds at least 1, not {limit}.")
    return limit


class AnyVersion(Enum):
    """The type of `ANY_VERSION`: an append that fits a stream at any version."""

    ANY = "*"


ANY_VERSION: Final = AnyVersion.ANY
ExpectedVersion: TypeAlias = int | Literal[AnyVersion.ANY]

BodyBuilder: TypeAlias = Callable[[bytes, int, str], bytes]
"""Builds the stored body from the writer's body, the event's seq and the time of storing."""

Clock: TypeAlias = Callable[[], str]
"""Returns the time for events: RFC 3339 in UTC, such as 2026-11-20T19:30:05.250Z."""


def stamp_event(event_json: bytes, seq: int, stored_at: str) -> bytes:
    """Add `seq` and `stored_at` as the last fields of a JSON object that has neither.

    >>> stamp_event(b'{"type":"card_played"}', 7, "2026-11-20T19:30:05.250Z")
    b'{"type":"card_played","seq":7,"stored_at":"2026-11-20T19:30:05.250Z"}'
    """
    if event_json[:1] != b"{" or event_json[-1:] != b"}":
        raise ValueError(
            f"An event is a JSON object in braces, without space around it, not {event_json[:40]!r}."
        )
    comma = b"" if event_json == b"{}" else b","
    return b'%s%s"seq":%d,"stored_at":"%s"}' % (event_json[:-1], comma, seq, stored_at.encode())


class NewEvent(NamedTuple):
    """An event as its writer sends it.

    A repeat is recognised by `body`: the writer's own event in canonical JSON, without what the server adds.
    `build_body` builds what is stored and read back. It is called during the write, so it must be quick and
    depend only on its three arguments; an exception in it refuses the whole append.
    """

    event_id: str
    body: bytes
    build_body: BodyBuilder = stamp_event


class StreamAppend(NamedTuple):
    """Events for the end of one stream.

    `expected_version` is the version the writer knows (0: the stream must be new), or `ANY_VERSION`. `kind`
    labels a stream that is to be created ("deal", "table"); an append without a kind creates none. Without
    events it only checks the stream's version while others of the same root are appended to. The append must
    not take the stream beyond `max_version` (None: no bound); a repeat does not count.
    """

    stream: str
    expected_version: ExpectedVersion
    events: Sequence[NewEvent]
    kind: str | None = None
    max_version: int | None = None


class StoredEvent(NamedTuple):
    """An event in the store; `seq` is its number in the stream, `body` the final bytes."""

    position: int
    root: str
    stream: str
    seq: int
    event_id: str
    stored_at: str
    body: bytes


class SealedEvent(NamedTuple):
    """An event with its proof: the leaf hash, the commitment in it, and the salt that opens the commitment.

    The salt is None if the contents were erased, and then `event.body` is their replacement.
    """

    event: StoredEvent
    leaf_hash: bytes
    commitment: bytes
    salt: bytes | None


class FullEvent(NamedTuple):
    """An event with everything a store keeps: its proof, the kind of its stream, the digest that identifies a
    repeat, and when its contents were erased, if ever."""

    sealed_event: SealedEvent
    kind: str
    digest: bytes
    erased_at: str | None


class AppendResult(NamedTuple):
    """The result of one `StreamAppend`: its events as stored, of which the first `repeated_count` were stored
    before, and the stream's version now."""

    stream: str
    version: int
    events: tuple[StoredEvent, ...]
    repeated_count: int


class StreamInfo(NamedTuple):
    """A stream in a list."""

    stream: str
    root: str
    kind: str
    version: int


class DiskUsage(NamedTuple):
    """The bytes that a store takes on its disk and the bytes that are free there; None if unknown."""

    used: int
    free: int | None
