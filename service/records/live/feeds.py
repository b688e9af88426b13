"""Builds the server-sent events of a subscriber: every event once, in the order of storage.

Viewers who may not know everything get the log as redacted by `engine.view`. An event can change how earlier
ones are redacted: a closing opens the hands, a correction hides a card that was entered wrongly. Then a
*reset* comes first, with everything sent of that log, redacted again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import orjson

from engine import FULL_VIEWER
from service.eventstore import PAGE_SIZE, EventReader, StoredEvent, StreamInfo, UnknownStream
from service.records.live.redacted_logs import EventBodies, RedactedLogCache, ViewerResolver, fixed_viewer
from service.records.repository import iterate_streams, read_stored_events

_match_cursor: Final = re.compile(r"(?:([0-9a-f-]{36}):)?([0-9]{1,10})").fullmatch


RETRY_MESSAGE: Final = b"retry: 2000\n\n"
"""Milliseconds that a client waits before it reconnects."""
HEARTBEAT_MESSAGE: Final = b": nothing new\n\n"
"""A comment, which clients ignore."""
MAX_CACHED_MESSAGES: Final = 500
"""All subscribers of a stream get the same messages."""


class InvalidCursor(ValueError):
    """The id of a subscriber's last event has a wrong form; the text says which is right."""


class EventCursor(NamedTuple):
    """The last event that a subscriber has: its stream and its seq; seq 0 is before the first."""

    stream: str
    seq: int


class Subscription(NamedTuple):
    """A stream, or with ``with_deals`` a table and all its deals, and the viewer who follows it.

    ``is_allowed``: whether the subscriber may still follow. It is called before each message, after
    ``seconds_left`` and when something is stored in one of ``access_streams``. ``stable_viewer`` is False for
    browsers: they may have gained or lost grants while they were not connected.
    """

    stream: StreamInfo
    with_deals: bool = False
    viewer_resolver: ViewerResolver = fixed_viewer(FULL_VIEWER)
    is_allowed: Callable[[], bool] = lambda: True
    stable_viewer: bool = True
    seconds_left: Callable[[], float] = lambda: math.inf
    access_streams: tuple[str, ...] = ()

    def format_event_id(self, event: StoredEvent) -> str:
        """The id of an event in the stream: its seq, for a table with its deals after the id of its log."""
        return f"{event.stream}:{event.seq}" if self.with_deals else str(event.seq)

    def parse_cursor(self, event_id: str) -> EventCursor:
        """The event with that id. Raises `InvalidCursor`."""
        found = _match_cursor(event_id)
        if not found or bool(found[1]) != self.with_deals:
            form = "<id of the stream>:<seq>" if self.with_deals else "a seq, such as 17"
            raise InvalidCursor(f"Name the last event by its id in the stream, {form}.")
        return EventCursor(found[1] or self.stream.stream, int(found[2]))


class Feed:
    """The messages for a subscriber: `start` first, then any number of `forward` and `catch_up`."""

    def __init__(
        self, store: EventReader, redacted_logs: RedactedLogCache, subscription: Subscription
    ) -> None:
        self._store, self._redacted_logs = store, redacted_logs
        self._subscription = subscription
        # Every event up to this position was sent, and of each stream that many events.
        self._position = 0
        self._sent_counts: dict[str, int] = {}
        # What was sent of each redacted log.
        self._sent_bodies: dict[str, EventBodies] = {}

    def start(self, cursor: EventCursor | None) -> Iterator[bytes]:
        """Everything after ``cursor``; after a reset of everything if there is no such event."""
        if cursor is not None and cursor.seq:
            try:
                self._seek(cursor)
            except LookupError:
                yield format_reset_message(None, ())
            else:
                yield from self._resets_after_reconnect()
        yield from self.catch_up()

    def catch_up(self) -> Iterator[bytes]:
        """Everything not sent yet, read from the store a page at a time."""
        if not self._subscription.with_deals:
            stream = self._subscription.stream.stream
            version = self._store.stream_version(stream)
            while page := self._store.read_stream(stream, self._sent_counts.get(stream, 0), PAGE_SIZE):
                yield self._build_messages(page, {stream: max(version, page[-1].seq)})
            return
        head = self._store.head()
        # What is stored from now on may be missing in a stream that was read first.
        found = [event for event in self._read_unsent_events() if event.position <= head]
        found.sort(key=lambda event: event.position)
        versions = {event.stream: event.seq for event in found}
        for start in range(0, len(found), PAGE_SIZE):
            yield self._build_messages(found[start : start + PAGE_SIZE], versions)

    def forward(self, events: Sequence[StoredEvent]) -> Iterator[bytes]:
        """Those of the events that were not sent yet; ``events`` are in order, without a gap."""
        if new := [event for event in events if event.position > self._position]:
            yield self._build_messages(new, {event.stream: event.seq for event in new})

    def _seek(self, cursor: EventCursor) -> None:
        """Treat everything up to that event as sent. Raises `LookupError` if there is no such event."""
        try:
            page = self._store.read_stream(cursor.stream, cursor.seq - 1, 1)
        except UnknownStream as error:
            raise LookupError from error
        if not page or page[0].root != self._subscription.stream.root:
            raise LookupError
        self._position = page[0].position
        self._sent_counts = {
            info.stream: cursor.seq if info.stream == cursor.stream else self._count_sent(info)
            for info in self._streams()
        }

    def _count_sent(self, info: StreamInfo) -> int:
        events = read_stored_events(self._store, info.stream, up_to=info.version)
        return sum(1 for event in events if event.position <= self._position)

    def _resets_after_reconnect(self) -> Iterator[bytes]:
        """A reset for each log that may have been redacted otherwise when it was sent."""
        for stream, sent_count in self._sent_counts.items():
            if not sent_count:
                continue
            version = self._store.stream_version(stream)
            redacted_bodies = self._redacted_bodies(stream, version)
            if redacted_bodies is not None:
                self._sent_bodies[stream] = redacted_bodies[:sent_count]
            if not self._was_sent_alike(stream, sent_count, version, redacted_bodies is None):
                yield format_reset_message(
                    stream,
                    self._redacted_logs.unredacted_bodies(stream, sent_count)
                    if redacted_bodies is None
                    else redacted_bodies[:sent_count],
                )

    def _was_sent_alike(self, stream: str, count: int, version: int, is_unredacted: bool) -> bool:
        """Whether the client got the first ``count`` entries as it would get them now.

        It names only its last event. So the redactions at all versions at which it may have got them are
        compared.
        """
        if not self._subscription.stable_viewer and not self._redacted_logs.is_same_for_all(
            stream, count, version
        ):
            return False
        return (
            is_unredacted
            or version == count
            or self._redacted_logs.is_redaction_stable(
                stream, count, version, self._subscription.viewer_resolver
            )
        )

    def _streams(self) -> list[StreamInfo]:
        followed_stream = self._subscription.stream
        if not self._subscription.with_deals:
            return [followed_stream]
        return list(iterate_streams(self._store, followed_stream.root))

    def _read_unsent_events(self) -> Iterator[StoredEvent]:
        for info in self._streams():
            yield from read_stored_events(
                self._store, info.stream, self._sent_counts.get(info.stream, 0), info.version
            )

    def _build_messages(self, events: Sequence[StoredEvent], versions: Mapping[str, int]) -> bytes:
        """The messages of the next events after the necessary resets; ``versions`` has that of each log."""
        last = {event.stream: event.seq for event in events}
        known = ((stream, self._redacted_bodies(stream, versions[stream])) for stream in last)
        redacted = {stream: bodies for stream, bodies in known if bodies is not None}
        messages = list(self._resets(redacted))
        for event in events:
            body = redacted[event.stream][event.seq - 1] if event.stream in redacted else event.body
            messages.append(format_event_message(self._subscription.format_event_id(event), body))
        self._sent_bodies.update((stream, bodies[: last[stream]]) for stream, bodies in redacted.items())
        self._position = events[-1].position
        self._sent_counts.update((event.stream, event.seq) for event in events)
        return b"".join(messages)

    def _redacted_bodies(self, stream: str, version: int) -> EventBodies | None:
        """The log as redacted for the viewer at that version; None if the viewer sees everything."""
        viewer = self._redacted_logs.resolve_viewer(stream, version, self._subscription.viewer_resolver)
        return (
            None if viewer.sees_everything else self._redacted_logs.redacted_bodies(stream, version, viewer)
        )

    def _resets(self, logs: Mapping[str, EventBodies]) -> Iterator[bytes]:
        """A reset for each log of which what was sent is now redacted otherwise."""
        for stream, current_bodies in logs.items():
            sent_bodies = self._sent_bodies.get(stream, ())
            if current_bodies[: len(sent_bodies)] != sent_bodies:
                self._sent_bodies[stream] = current_bodies[: len(sent_bodies)]
                yield format_reset_message(stream, self._sent_bodies[stream])


@lru_cache(MAX_CACHED_MESSAGES)
def format_event_message(sse_id: str, body: bytes) -> bytes:
    """An event with its id, its type and its JSON, which has no line break."""
    kind: str = orjson.loads(body)["type"]
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (sse_id.encode(), kind.encode(), body)


def format_reset_message(stream: str | None, bodies: Iterable[bytes]) -> bytes:
    """Replace what a client has of a stream, or for None of all streams, by these entries.

    It has no id, so the client's last event stays the same.
    """
    events = [orjson.Fragment(body) for body in bodies]
    data = orjson.dumps({"stream": stream, "version": len(events), "events": events})
    return b"event: reset\ndata: %s\n\n" % data
