"""Live streams: a log, or a table with its deals, sent to subscribers as it grows.

`Broadcaster` wakes the subscribers, `RedactedLogCache` has what each may know, `Feed` decides what to send
next, `ConnectionLimit` bounds how many there are. None of them knows HTTP.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import Final

from service.config.settings import DEFAULT_STREAMS
from service.eventstore import EventReader
from service.records.live.broadcaster import Broadcaster, EventBatch
from service.records.live.feeds import (
    HEARTBEAT_MESSAGE,
    RETRY_MESSAGE,
    EventCursor,
    Feed,
    InvalidCursor,
    Subscription,
    format_event_message,
)
from service.records.live.redacted_logs import RedactedLogCache, ViewerResolver, fixed_viewer

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
"""The longest silence of a stream: writing to a dead connection reveals it."""


class TooManyStreams(Exception):
    """All places are taken, or all that one client may have."""


class ConnectionLimit:
    """At most ``max_connections`` places, of which one named client has at most ``max_per_client``."""

    def __init__(self, max_connections: int, max_per_client: int) -> None:
        self.max_connections = max_connections
        self.on_change: Callable[[int], object] = lambda _: None
        """Called with the number of places taken, whenever it changes."""
        self._max_per_client = max_per_client
        self._mutex = threading.Lock()
        self._by_client: Counter[str] = Counter()
        self._closed = False

    @property
    def connection_count(self) -> int:
        """The number of places taken."""
        return self._by_client.total()

    @contextmanager
    def place(self, client: str) -> Iterator[None]:
        """Hold a place for ``client``; an empty name stands for this computer. Raises `TooManyStreams`."""
        with self._mutex:
            if self._closed or self._by_client.total() >= self.max_connections:
                raise TooManyStreams
            if client and self._by_client[client] >= self._max_per_client:
                raise TooManyStreams
            self._by_client[client] += 1
        try:
            with self._mutex:
                self.on_change(self._by_client.total())
            yield
        finally:
            with self._mutex:
                self._by_client -= Counter([client])
                self.on_change(self._by_client.total())

    def close(self) -> None:
        """Give out no further place."""
        self._closed = True


class LiveStreams:
    """All live streams of one application.

    ``permission_state`` returns another value whenever somebody's permissions change.
    """

    def __init__(
        self,
        store: EventReader,
        stream_limit: int = DEFAULT_STREAMS,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
        permission_state: Callable[[], Hashable] = lambda: None,
    ) -> None:
        self.store = store
        self.redacted_logs = RedactedLogCache(store)
        self.broadcaster = Broadcaster(store, permission_state)
        # One client may have at most half of them; this computer may have all.
        self.connection_limit = ConnectionLimit(stream_limit, max(1, stream_limit // 2))
        self._heartbeat = heartbeat_seconds

    def stream_messages(self, subscription: Subscription, cursor: EventCursor | None) -> Iterator[bytes]:
        """Yield what is sent to a subscriber, starting after ``cursor``.

        Ends when the subscriber disconnects or loses permission, or on `close`. Reads the log before the
        first piece: raises `StoreDamaged` there. Holds nothing of the store while waiting or sending.
        """
        for message in self._messages(subscription, cursor):
            if not subscription.is_allowed():
                return
            yield message

    def _messages(self, subscription: Subscription, cursor: EventCursor | None) -> Iterator[bytes]:
        feed = Feed(self.store, self.redacted_logs, subscription)
        stream, with_deals = subscription.stream.stream, subscription.with_deals
        with self.broadcaster.subscribe(
            stream, with_root=with_deals, wake_streams=subscription.access_streams
        ) as listener:
            messages, batch = feed.start(cursor), EventBatch((), True)
            # Read before anything is sent: a damaged log is an error, not a stream.
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

    def clear_caches(self) -> None:
        """Drop cached messages and logs: something was erased from the store."""
        self.redacted_logs.clear()
        format_event_message.cache_clear()

    def close(self) -> None:
        """End every stream and accept no further one."""
        self.connection_limit.close()
        self.broadcaster.close()
