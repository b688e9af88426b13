"""What every event store does: append-only streams of opaque events, with nothing of the game in it.

An event is a JSON object as bytes with an id. Events stand in *streams*, numbered 1, 2, 3, … without a gap;
a stream's *version* is its number of events. Every stream belongs to one *root* for good: a root is the
unit that is written atomically, the unit in which event ids are unique, and so the partition key of a
larger store. Over all streams, every event has a *position*, which only ever grows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from types import TracebackType
from typing import Final, Literal, NamedTuple, Protocol, Self, TypeAlias

from service.eventstore.projections import ProjectionReader, ProjectionStore

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
    """An event with its proof (`service.transparency`).

    `leaf_hash` is its hash in the Merkle log, where its index is `position - 1`; `commitment` is what the
    leaf holds of its contents. `salt` opens that to those who may read the event; it is None if the contents
    were erased, and then `event.body` is their replacement.
    """

    event: StoredEvent
    leaf_hash: bytes
    commitment: bytes
    salt: bytes | None


class AppendResult(NamedTuple):
    """What became of one `StreamAppend`: its events as stored, of which the first `repeated_count` were there
    before.

    `version` is the stream's version now. It is beyond the last event's seq where a repeat came late.
    """

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


class EventReader(Protocol):
    """The reading half of a store. All methods may be called from any thread.

    Each raises `StoreClosed` after `close`, `StoreUnavailable` or `StoreDamaged` where the disk or file
    fails, and `ValueError` for a limit below 1.
    """

    warning: str | None
    """One sentence for the log where the store runs in a lesser way than it could, else None."""

    @property
    def projections(self) -> ProjectionReader:
        """What was made of the events and is kept beside them."""
        ...

    def read_stream(self, stream: str, after: int = 0, limit: int = PAGE_SIZE) -> list[StoredEvent]:
        """The stream's events with a seq above `after`, in order, at most `limit`. Raises `UnknownStream`."""
        ...

    def stream_version(self, stream: str) -> int:
        """The stream's number of events. Raises `UnknownStream`."""
        ...

    def stream_info(self, stream: str) -> StreamInfo:
        """The stream's root, kind and version. Raises `UnknownStream`."""
        ...

    def list_streams(
        self,
        root: str | None = None,
        kind: str | None = None,
        after: str | None = None,
        limit: int = PAGE_SIZE,
        *,
        newest_first: bool = False,
    ) -> list[StreamInfo]:
        """Streams in the order they were made, at most `limit`, from the one after stream `after` on.

        ``newest_first`` the latest is the first, and ``after`` the one that was made later. Only those of
        `root` and of `kind`, where given. Raises `UnknownStream` where `after` is not in the store.
        """
        ...

    def list_branches(self, after: int = 0, limit: int = PAGE_SIZE) -> list[tuple[int, str]]:
        """Streams whose first event has `BRANCH_FIELD` in its body and a position above `after`, with that
        position and in its order, at most `limit`.

        They are found without reading the others: of millions of records few leave another.
        """
        ...

    def find_events(self, root: str, event_ids: Collection[str]) -> dict[str, StoredEvent]:
        """Those of the ids that are stored in `root`, each with its event. An unknown root has none."""
        ...

    def read_all(self, after: int = 0, limit: int = PAGE_SIZE) -> list[StoredEvent]:
        """Events of all streams with a position above `after`, in order of position, at most `limit`.

        Who goes on from the last position he got never misses an event: none appears later at a lower
        position. Positions grow, with or without gaps.
        """
        ...

    def head(self) -> int:
        """The position of the newest event, 0 in an empty store."""
        ...

    def read_sealed_events(self, stream: str, after: int = 0, limit: int = PAGE_SIZE) -> list[SealedEvent]:
        """As `read_stream`, each event with what proves it. Raises `UnknownStream`."""
        ...

    def read_tile(self, level: int, number: int) -> list[bytes]:
        """Hashes of the Merkle log: of the complete subtrees of `256**level` leaves those from
        `number * 256` on, as many as there are, 256 at most. See `service.eventstore.merkle.tiles`.
        """
        ...

    def read_verified_leaves(self, after: int = 0, limit: int = PAGE_SIZE) -> list[tuple[int, bytes]]:
        """The positions above `after` that have an event, in order, at most `limit`, with their leaf hashes.

        Each hash is computed from what the event says now. Raises `StoreDamaged` where it is another than
        the stored one.
        """
        ...

    def wait_for_events(self, after: int, timeout: float) -> int:
        """Block until some position is above `after`, at most `timeout` seconds; the head then."""
        ...

    def wait_for_stream(self, stream: str, after: int, timeout: float) -> int:
        """Block until the stream's version is above `after`, at most `timeout` seconds; the version then.

        Raises `UnknownStream`.
        """
        ...

    def disk_usage(self) -> DiskUsage | None:
        """What the store takes and what is left for it; None where it is not on a disk."""
        ...

    def close(self) -> None:
        """Let go of everything; whoever waits is woken with `StoreClosed`. Closing twice is harmless."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class EventStore(EventReader, Protocol):
    """A store that can be read and appended to."""

    @property
    def projections(self) -> ProjectionStore:
        """See `EventReader.projections`; here they can be made, too."""
        ...

    def append(self, root: str, appends: Sequence[StreamAppend]) -> list[AppendResult]:
        """Append to several streams of one root in one step: all of it is durable on return, or none is
        stored.

        Ids are looked at before versions. An id that is stored with the same writer's body is a repeat: the
        stored event is returned and nothing written. Where only the beginning of `events` is stored the
        rest is appended, if `expected_version` is the current version or the one from which the batch began.
        Answers come in the order of `appends`.

        Raises `IdConflict` (an id stored with another body, in another stream, behind an event that is new,
        or used twice), `UnknownStream` (to be made without a kind), `StreamMismatch`, `StaleVersion`,
        `StreamFull`; `StoreUnavailable` where the outcome is unknown, so that the same may be appended again;
        `ValueError` where a stream is named twice.
        """
        ...

    def keyed_id(self, content: bytes) -> str:
        """A UUID that this store gives to ``content``, the same every time, and no other store.

        What was said cannot be found or checked by it: it depends on a secret that the store keeps.
        """
        ...

    def erase(self, root: str, replacements: Mapping[str, bytes]) -> None:
        """Put other bodies in the place of those of events of `root`, by their ids, for good.

        Where they stand, their ids, their moments and their leaf hashes stay, and so every proof. What was
        erased is not in the store any more; a repeat of such an event is met as an `IdConflict`. A body that
        is put in has the same `id`, `seq` and `stored_at`; that is the caller's affair, as is whatever he
        keeps in memory of what he read before. That they were erased is recorded as an event of the store's
        own (`service.eventstore.erasure_log`); the same bodies once more change nothing, and are not
        recorded.

        Raises `UnknownEvent` where an id is not stored in the root; then nothing is erased.
        """
        ...

    def erase_in_roots(self, replacements: Mapping[str, Mapping[str, bytes]]) -> None:
        """As `erase`, in several roots in one step: ``replacements`` has for each root what it has there."""
        ...
