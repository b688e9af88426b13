"""Live streams: a log, or a table with its deals, sent to subscribers as it grows.

`Broadcaster` wakes the subscribers, `RedactedLogCache` has what each may know, `Feed` decides what to send
next, `ConnectionLimit` bounds how many there are. None of them knows HTTP.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from typing import Final

from service.config.settings import DEFAULT_STREAMS
from service.eventstore import EventReader, StoreError
from service.records.live.broadcaster import Broadcaster, EventBatch
from service.records.live.connection_limit import ConnectionLimit, TooManyStreams
from service.records.live.feeds import EventCursor, Feed, InvalidCursor, Subscription
from service.records.live.redacted_logs import RedactedLogCache, ViewerResolver, fixed_viewer
from service.records.live.sse_messages import HEARTBEAT_MESSAGE, RETRY_MESSAGE, format_event_message

__all__ = [
    "EventCursor",
    "Feed",
    "InvalidCursor",
    "LiveStreams",
    "Subscription",
    "TooManyStreams",
    "ViewerResolver",
    "fixed_viewer",
]

MIN_WAIT_SECONDS: Final = 0.05
HEARTBEAT_SECONDS: Final = 15.0
"""The longest silence of a stream: a dead connection is noticed by writing to it."""


class LiveStreams:
    """All live streams of one application."""

    def __init__(
        self,
        store: EventReader,
        stream_limit: int = DEFAULT_STREAMS,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
        permission_state: Callable[[], Hashable] = lambda: None,
    ) -> None:
        """``permission_state`` is another value whenever what somebody may do has changed."""
        self.store = store
        self.redacted_logs = RedactedLogCache(store)
        self.broadcaster = Broadcaster(store, self._prepare, permission_state)
        # At most half of them for one client; this computer itself may have all.
        self.connection_limit = ConnectionLimit(stream_limit, max(1, stream_limit // 2))
        self._heartbeat = heartbeat_seconds

    def stream_messages(self, subscription: Subscription, cursor: EventCursor | None) -> Iterator[bytes]:
        """Yield what is sent to a subscriber, starting after ``cursor``.

        Ends when the subscriber disconnects or loses permission, or `close` is called. The first piece comes
        when the log has been read: raises `StoreDamaged` there if it is not as it was recorded.

        Holds nothing of the store while waiting or while a piece is being sent.
        """
        for message in self._messages(subscription, cursor):
            if not subscription.is_allowed():
                return
            yield message

    def _messages(self, subscription: Subscription, cursor: EventCursor | None) -> Iterator[bytes]:
        feed = Feed(self.store, self.redacted_logs, subscription)
        stream, viewer = subscription.stream.stream, subscription.viewer_resolver
        with_deals, access_streams = subscription.with_deals, subscription.access_streams
        with self.broadcaster.subscribe(
            stream, viewer, with_root=with_deals, wake_streams=access_streams
        ) as listener:
            messages, batch = feed.start(cursor), EventBatch((), True)
            # Read before anything is sent: where the log is damaged there is nothing to follow.
            messages = chain(list(islice(messages, 1)), messages)
            yield RETRY_MESSAGE
            while not self.broadcaster.is_closed:
                is_silent = True
                for message in messages:
                    if self.broadcaster.is_closed:
                        return
                    is_silent = False
                    yield message
                if is_silent and not batch.events:
                    yield HEARTBEAT_MESSAGE
                batch = listener.wait(
                    min(self._heartbeat, max(MIN_WAIT_SECONDS, subscription.seconds_left()))
                )
                messages = feed.forward(batch.events) if batch.is_complete else feed.catch_up()

    def _prepare(self, stream: str, version: int, viewers: Iterable[ViewerResolver]) -> None:
        # Where a log cannot be read, that is told to those who follow it, and to nobody else.
        with suppress(StoreError):
            self.redacted_logs.prepare(stream, version, viewers)

    def clear_caches(self) -> None:
        """Keep nothing in memory of what was told: something has been erased in the store."""
        self.redacted_logs.clear()
        format_event_message.cache_clear()

    def close(self) -> None:
        """Ends every stream at once, and takes no further one."""
        self.connection_limit.close()
        self.broadcaster.close()
