"""One thread follows the store and hands new events to all subscribers, so the store is read once for all."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Final, NamedTuple

import structlog

from service.config.log_setup import format_trace_locations
from service.eventstore import EventReader, StoreClosed, StoredEvent

LISTENER_CHECK_SECONDS: Final = 1.0
"""Seconds between two checks whether anyone still listens."""
MAX_QUEUED_BATCHES: Final = 100
"""Batches queued for a slow subscriber; beyond that it receives a notice that it missed some."""

log = structlog.get_logger()


class EventBatch(NamedTuple):
    """Events since the last one, in order of position; ``is_complete``: none was missed."""

    events: tuple[StoredEvent, ...]
    is_complete: bool


class Subscriber:
    """The queue of a listener. One thread reads it, and one fills it."""

    def __init__(self) -> None:
        # Implemented in C: hundreds of threads wait and wake at the same moment.
        self._queue: SimpleQueue[Sequence[StoredEvent]] = SimpleQueue()
        self._missed = False

    def wait(self, timeout: float) -> EventBatch:
        """The queued events; if there are none, the first that come within ``timeout`` seconds."""
        events: list[StoredEvent] = []
        with suppress(Empty):
            queued_events = self._queue.get(timeout=timeout)
            while True:
                events += queued_events
                queued_events = self._queue.get_nowait()
        if self._missed:
            self._missed = False
            return EventBatch((), False)
        return EventBatch(tuple(events), True)

    def put(self, events: Sequence[StoredEvent]) -> None:
        """Hand over events in order of position; no events only wake the listener."""
        if self._missed:
            return
        if self._queue.qsize() >= MAX_QUEUED_BATCHES:
            self.mark_missed()
        else:
            self._queue.put(events)

    def mark_missed(self) -> None:
        """Report that events may have been missed."""
        self._missed = True
        self._queue.put(())


Topic = tuple[str, str]
"""``stream`` or ``root`` with its id; or ``wake`` with the id of a stream whose events only wake."""


class Broadcaster:
    """Delivers committed events to subscribers. The thread runs only while there are any.

    Also wakes all subscribers when the value of ``permission_state`` changes, to check their permissions.
    """

    def __init__(self, store: EventReader, permission_state: Callable[[], Hashable] = lambda: None) -> None:
        self._store, self._permission_state = store, permission_state
        self._mutex = threading.Lock()
        self._subscribers: dict[Topic, set[Subscriber]] = {}
        self._thread: threading.Thread | None = None
        self.is_closed = False

    @contextmanager
    def subscribe(
        self, stream: str, *, with_root: bool = False, wake_streams: Collection[str] = ()
    ) -> Iterator[Subscriber]:
        """Queue what is committed from now on to ``stream``, or to all streams of that root.

        Events of ``wake_streams`` only wake the subscriber.
        """
        subscriber = Subscriber()
        topics = [("root" if with_root else "stream", stream), *(("wake", one) for one in wake_streams)]
        with self._mutex:
            for topic in topics:
                self._subscribers.setdefault(topic, set()).add(subscriber)
        try:
            self._ensure_thread()
            yield subscriber
        finally:
            with self._mutex:
                for topic in topics:
                    self._subscribers[topic].discard(subscriber)
                    if not self._subscribers[topic]:
                        del self._subscribers[topic]

    def close(self) -> None:
        """Wake all subscribers for the last time."""
        self.is_closed = True
        self._wake_all()

    def _wake_all(self) -> None:
        for subscriber in self._all_subscribers():
            subscriber.put(())

    def _ensure_thread(self) -> None:
        with self._mutex:
            if self._thread is None and not self.is_closed:
                # The listener itself reads what was committed before.
                start = (self._store.head(), self._permission_state())
                self._thread = threading.Thread(
                    target=self._run, args=start, name="live broadcaster", daemon=True
                )
                self._thread.start()

    def _run(self, position: int, last_permission_state: Hashable) -> None:
        while self._should_continue():
            try:
                permission_state = self._permission_state()
                if permission_state != last_permission_state:
                    last_permission_state = permission_state
                    self._wake_all()
                self._store.wait_for_events(position, LISTENER_CHECK_SECONDS)
                while events := self._store.read_all(position):
                    self._distribute(events)
                    position = events[-1].position
            except StoreClosed:
                self.close()
            except Exception as error:  # otherwise the subscribers would wait in vain
                trace_locations = format_trace_locations(error.__traceback__)
                log.error("following interrupted", error=type(error).__name__, where=trace_locations)
                for subscriber in self._all_subscribers():
                    subscriber.mark_missed()
                time.sleep(LISTENER_CHECK_SECONDS)

    def _should_continue(self) -> bool:
        """Whether the thread goes on. If not, the next subscriber starts another."""
        with self._mutex:
            if self._subscribers and not self.is_closed:
                return True
            self._thread = None
            return False

    def _distribute(self, events: Sequence[StoredEvent]) -> None:
        events_by_topic: dict[Topic, list[StoredEvent]] = {}
        for event in events:
            for topic in (("stream", event.stream), ("root", event.root), ("wake", event.stream)):
                if topic in self._subscribers:
                    events_by_topic.setdefault(topic, []).append(event)
        for topic, topic_events in events_by_topic.items():
            with self._mutex:
                subscribers = list(self._subscribers.get(topic, ()))
            for subscriber in subscribers:
                subscriber.put(() if topic[0] == "wake" else topic_events)

    def _all_subscribers(self) -> set[Subscriber]:
        with self._mutex:
            return set().union(*self._subscribers.values())
