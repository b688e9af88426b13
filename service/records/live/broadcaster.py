"""One thread follows the store and hands new events to all subscribers: one wake-up and one read for all."""

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
from service.records.live.redacted_logs import ViewerResolver

LISTENER_CHECK_SECONDS: Final = 1.0
"""Seconds between two looks whether anyone still listens."""
MAX_QUEUED_BATCHES: Final = 100
"""The most batches that wait for a slow subscriber, which then is told that it missed some."""

log = structlog.get_logger()


class EventBatch(NamedTuple):
    """Events that came since the last look, in order of position; ``is_complete``: none was missed."""

    events: tuple[StoredEvent, ...]
    is_complete: bool


class Subscriber:
    """The queue of one who listens as ``viewer_resolver``. One thread reads it, and one fills it."""

    def __init__(self, viewer_resolver: ViewerResolver) -> None:
        self.viewer_resolver = viewer_resolver
        # A queue in C, as many wait at once and are called at the same moment. An empty batch only calls.
        self._queue: SimpleQueue[Sequence[StoredEvent]] = SimpleQueue()
        self._missed = False

    def wait(self, timeout: float) -> EventBatch:
        """What has come; where there is nothing yet, what comes first within ``timeout`` seconds."""
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
        """Hand over events, in order of position."""
        if self._missed:
            return
        if self._queue.qsize() >= MAX_QUEUED_BATCHES:
            self.mark_missed()
        else:
            self._queue.put(events)

    def mark_missed(self) -> None:
        """Say that something may have come which is not handed over."""
        self._missed = True
        self._queue.put(())

    def wake(self) -> None:
        """Call without bringing anything."""
        self._queue.put(())


Topic = tuple[str, str]
"""What is listened to: ``stream`` or ``root`` and its id; ``wake`` and the id of a stream of which nothing is
handed over."""


class Broadcaster:
    """Delivers committed events to subscribers. The thread runs only while there are any.

    Before all subscribers of a stream are called, ``prepare`` is called with the stream, its version and the
    viewers, so that what they all need is there. All subscribers are also called when ``permission_state``
    changes its value, and each then checks its permission again.
    """

    def __init__(
        self,
        store: EventReader,
        prepare: Callable[[str, int, Sequence[ViewerResolver]], object],
        permission_state: Callable[[], Hashable] = lambda: None,
    ) -> None:
        self._store, self._prepare, self._permission_state = store, prepare, permission_state
        self._mutex = threading.Lock()
        self._subscribers: dict[Topic, set[Subscriber]] = {}
        self._thread: threading.Thread | None = None
        self.is_closed = False

    @contextmanager
    def subscribe(
        self,
        stream: str,
        viewer_resolver: ViewerResolver,
        *,
        with_root: bool = False,
        wake_streams: Collection[str] = (),
    ) -> Iterator[Subscriber]:
        """Queue what is committed from now on to ``stream``, or to all of that root.

        What comes to one of ``wake_streams`` only wakes the subscriber.
        """
        subscriber = Subscriber(viewer_resolver)
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
        """Wake everyone for the last time."""
        self.is_closed = True
        self._wake_all()

    def _wake_all(self) -> None:
        for subscriber in self._all_subscribers():
            subscriber.wake()

    def _ensure_thread(self) -> None:
        with self._mutex:
            if self._thread is None and not self.is_closed:
                # From here on: what was committed before is for the listener to read.
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
            except Exception as error:  # whatever it is, those who listen would wait in vain
                trace_locations = format_trace_locations(error.__traceback__)
                log.error("following interrupted", error=type(error).__name__, where=trace_locations)
                for subscriber in self._all_subscribers():
                    subscriber.mark_missed()
                time.sleep(LISTENER_CHECK_SECONDS)

    def _should_continue(self) -> bool:
        """Whether the thread goes on. Where it does not, the next who listens starts another."""
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
            if topic[0] == "wake":
                for subscriber in subscribers:
                    subscriber.wake()
                continue
            viewers = [subscriber.viewer_resolver for subscriber in subscribers]
            for stream, version in {event.stream: event.seq for event in topic_events}.items():
                self._prepare(stream, version, viewers)
            for subscriber in subscribers:
                subscriber.put(topic_events)

    def _all_subscribers(self) -> set[Subscriber]:
        with self._mutex:
            return set().union(*self._subscribers.values())
