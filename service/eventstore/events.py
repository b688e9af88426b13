"""What event stores take and give: append-only streams of opaque events, with nothing of the game in them.

An event is a JSON object as bytes with an id. Events stand in *streams*, numbered 1, 2, 3, … without a gap;
a stream's *version* is its number of events. Every stream belongs to one *root* for good: a root is the
unit that is written atomically, the unit in which event ids are unique, and so the partition key of a
larger store. Over all streams, every event has a *position*, which only ever grows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final, Literal, NamedTuple, TypeAlias

PAGE_SIZE: Final = 500
"""How many events or streams one page holds unless told otherwise."""


BRANCH_FIELD: Final = b'"branch"'
"""The name of a field by which a record says in its first event that it leaves another."""


def validate_limit(limit: int) -> int:
    """The limit of a page, if it is one. Raises `ValueError` below 1."""
    if limit < 1:
        raise ValueError(f"A page holds at least 1, not {limit}.")
    return limit


class AnyVersion(Enum):
    """The type of `ANY`: an append that fits a stream whatever its version."""

    ANY = "*"


ANY_VERSION: Final = AnyVersion.ANY
ExpectedVersion: TypeAlias = int | Literal[AnyVersion.ANY]

BodyBuilder: TypeAlias = Callable[[bytes, int, str], bytes]
"""Makes the stored body of the writer's body, the event's seq and the moment it is stored."""

Clock: TypeAlias = Callable[[], str]
"""Tells the moment as the store writes it: RFC 3339 in UTC, such as 2026-11-20T19:30:05.250Z."""


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

    `body` is what a repeat is recognised by: the writer's own event in canonical JSON, without what the
    server adds. `build_body` makes what is stored and read back. It is called while the event's place is
    being taken, so it must be quick and must depend on its three arguments only; what it raises refuses the
    whole append.
    """

    event_id: str
    body: bytes
    build_body: BodyBuilder = stamp_event


class StreamAppend(NamedTuple):
    """Events for the end of one stream.

    `expected_version` is the version the writer knows (0: the stream must be new), or `ANY_VERSION`. `kind`
    labels a stream that is to be made ("deal", "table"); an append without a kind makes none. Without events
    it only holds the stream to the expected version while others of the same root are appended to.
    `max_version` is the version beyond which the stream is not to grow by it, None for no bound; a repeat is
    no growth.
    """

    stream: str
    expected_version: ExpectedVersion
    events: Sequence[NewEvent]
    kind: str | None = None
    max_version: int | None = None


class StoredEvent(NamedTuple):
    """An event as it stands in the store; `seq` is its number in the stream, `body` the finished bytes."""

    position: int
    root: str
    stream: str
    seq: int
    event_id: str
    stored_at: str
    body: bytes


class SealedEvent(NamedTuple):
    """An event with its proof: the hash of its leaf, the commitment in it, and the salt that opens that.

    The salt is None if the contents were erased, and then `event.body` is their replacement.
    """

    event: StoredEvent
    leaf_hash: bytes
    commitment: bytes
    salt: bytes | None


class FullEvent(NamedTuple):
    """An event with all that a store keeps of it: what proves it, the kind of its stream, the digest by which
    a repeat of it is recognised, and when its contents were erased, if they were."""

    sealed_event: SealedEvent
    kind: str
    digest: bytes
    erased_at: str | None


class AppendResult(NamedTuple):
    """What became of one `StreamAppend`: its events as stored, of which the first `repeated_count` were there
    before, and the stream's version now."""

    stream: str
    version: int
    events: tuple[StoredEvent, ...]
    repeated_count: int


class StreamInfo(NamedTuple):
    """A stream as a list shows it."""

    stream: str
    root: str
    kind: str
    version: int


class DiskUsage(NamedTuple):
    """What a store takes on its disk, and what is free there, in bytes; None where that cannot be seen."""

    used: int
    free: int | None
