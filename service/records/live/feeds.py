"""What a subscriber is sent next: every event once, in the order in which they were stored.

A viewer who may not know all is sent the log as ``view`` redacts it. An event can change how earlier ones are
redacted: a closing lays the hands open, a correction covers what was entered wrongly. Then a *reset* comes
first, with all that was sent of that log as it is redacted now.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from service.eventstore import PAGE_SIZE, EventReader, StoredEvent, StreamInfo, UnknownStream
from service.records.live.redacted_logs import SEES_EVERYTHING, EventBodies, RedactedLogCache, ViewerResolver
from service.records.live.sse_messages import format_event_message, format_reset_message
from service.records.repository import iterate_streams, read_stored_events

_match_cursor: Final = re.compile(r"(?:([0-9a-f-]{36}):)?([0-9]{1,10})").fullmatch


class InvalidCursor(ValueError):
    """What should name the last event somebody has names none; the text says what would."""


class EventCursor(NamedTuple):
    """The last event that somebody has: its stream, and its seq there; seq 0 is before the first."""

    stream: str
    seq: int


class Subscription(NamedTuple):
    """What is followed, a stream or with ``with_deals`` a table and all its deals; and by which viewer.

    ``is_allowed``: whether the subscriber still may; if not, nothing more is sent. ``seconds_left``: in how
    many seconds that may expire; then it is checked again. ``stable_viewer``: whether the subscriber has
    always been the same viewer: not a browser, which may have opened a further link since it lost its
    connection, or have lost what it held. ``access_streams`` are other streams on which the permission
    depends: ``is_allowed`` is called again as soon as something is stored in one of them.
    """

    stream: StreamInfo
    with_deals: bool = False
    viewer_resolver: ViewerResolver = SEES_EVERYTHING
    is_allowed: Callable[[], bool] = lambda: True
    stable_viewer: bool = True
    seconds_left: Callable[[], float] = lambda: math.inf
    access_streams: tuple[str, ...] = ()

    def format_event_id(self, event: StoredEvent) -> str:
        """What the stream calls an event: its seq, at a table with its deals behind its log's id."""
        return f"{event.stream}:{event.seq}" if self.with_deals else str(event.seq)

    def parse_cursor(self, event_id: str) -> EventCursor:
        """The event of that name. Raises `InvalidCursor`."""
        found = _match_cursor(event_id)
        if not found or bool(found[1]) != self.with_deals:
            form = "<id of the stream>:<seq>" if self.with_deals else "a seq, such as 17"
            raise InvalidCursor(f"The last event is named by its id in the stream, {form}.")
        return EventCursor(found[1] or self.stream.stream, int(found[2]))


class Feed:
    """The messages for a subscriber: `start` first, then `forward` or `catch_up` as often as wished."""

    def __init__(
        self, store: EventReader, redacted_logs: RedactedLogCache, subscription: Subscription
    ) -> None:
        self._store, self._redacted_logs = store, redacted_logs
        self._subscription = subscription
        # Every event up to this position was sent; of each stream that is this number of events.
        self._position = 0
        self._sent_counts: dict[str, int] = {}
        # What was sent of each log that is redacted for this viewer.
        self._sent_bodies: dict[str, EventBodies] = {}

    def start(self, cursor: EventCursor | None) -> Iterator[bytes]:
        """Everything after ``cursor``; a reset of everything where that names no event."""
        if cursor is not None and cursor.seq:
            try:
                self._seek(cursor)
            except LookupError:
                yield format_reset_message(None, ())
            else:
                yield from self._resets_after_reconnect()
        yield from self.catch_up()

    def catch_up(self) -> Iterator[bytes]:
        """Everything that was not sent yet, read from the store a page at a time."""
        if not self._subscription.with_deals:
            stream = self._subscription.stream.stream
            version = self._store.stream_version(stream)
            while page := self._store.read_stream(stream, self._sent_counts.get(stream, 0), PAGE_SIZE):
                yield self._build_messages(page, {stream: max(version, page[-1].seq)})
            return
        head = self._store.head()
        # Whatever is stored from here on may be in one stream and not yet in one that was read before it.
        found = [event for event in self._read_unsent_events() if event.position <= head]
        found.sort(key=lambda event: event.position)
        versions = {event.stream: event.seq for event in found}
        for start in range(0, len(found), PAGE_SIZE):
            yield self._build_messages(found[start : start + PAGE_SIZE], versions)

    def forward(self, events: Sequence[StoredEvent]) -> Iterator[bytes]:
        """Those of the events that were not sent yet; they come in order, without a gap."""
        if new := [event for event in events if event.position > self._position]:
            yield self._build_messages(new, {event.stream: event.seq for event in new})

    def _seek(self, cursor: EventCursor) -> None:
        """Take everything up to that event as sent. Raises `LookupError` where it is not there."""
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
        """How many of the stream's events were sent."""
        events = read_stored_events(self._store, info.stream, up_to=info.version)
        return sum(1 for event in events if event.position <= self._position)

    def _resets_after_reconnect(self) -> Iterator[bytes]:
        """A reset for each log of which something else may have been sent than would be now."""
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
        """Whether the client was told the first ``count`` entries as it would be told them now.

        The client names only its last event. So after a reconnect the view is compared at each version at
        which it may have been sent.
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
        """The streams that are followed."""
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
        """The messages of the next events, and the resets that go before them; each log at its version."""
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
        """The log as it is redacted for the viewer at that version; None where nothing of it is hidden."""
        viewer = self._redacted_logs.resolve_viewer(stream, version, self._subscription.viewer_resolver)
        return (
            None if viewer.sees_everything else self._redacted_logs.redacted_bodies(stream, version, viewer)
        )

    def _resets(self, logs: Mapping[str, EventBodies]) -> Iterator[bytes]:
        """A reset for each of the logs that were redacted otherwise."""
        for stream, current_bodies in logs.items():
            sent_bodies = self._sent_bodies.get(stream, ())
            if current_bodies[: len(sent_bodies)] != sent_bodies:
                self._sent_bodies[stream] = current_bodies[: len(sent_bodies)]
                yield format_reset_message(stream, self._sent_bodies[stream])
