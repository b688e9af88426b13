"""One thread follows the store, and hands what is new to those who listen to it.

So a thousand who listen cost the writer one wake-up, and the store one read.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Final, NamedTuple, TypeVar

import structlog

from service.config.log_setup import format_trace_locations
from service.eventstore import EventReader, StoreClosed, StoredEvent
from service.records.live.redacted_logs import ViewerResolver

LISTENER_CHECK_SECONDS: Final = 1.0
"""So often the thread looks whether anyone still listens."""
MAX_QUEUED_BATCHES: Final = 100
"""So many letters wait for one who is slow; of more he is told only that he missed some."""

log = structlog.get_logger()


class EventBatch(NamedTuple):
    """Events that came since the last look, in order of position; ``is_complete``: none was missed."""

    events: tuple[StoredEvent, ...]
    is_complete: bool


class Subscriber:
    """The letter box of one who listens as ``viewer_resolver``. One thread reads it, and one fills it."""

    def __init__(self, viewer_resolver: ViewerResolver) -> None:
        self.viewer_resolver = viewer_resolver
        # A queue in C, as many wait at once and are called at the same moment. An empty letter only calls.
        self._queue: SimpleQueue[Sequence[StoredEvent]] = SimpleQueue()
        self._missed = False

    def wait(self, timeout: float) -> EventBatch:
        """What has come; where there is nothing yet, what comes first within ``timeout`` seconds."""
        events: list[StoredEvent] = []
        with suppress(Empty):
            letter = self._queue.get(timeout=timeout)
            while True:
                events += letter
                letter = self._queue.get_nowait()
        if self._missed:
            # What is left out from here on is in the store when he looks there.
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


Topic = tuple[str, bool]
"""What is listened to: a stream, or a whole root."""
Where = TypeVar("Where", Topic, str)


class Broadcaster:
    """Hands what is committed to whoever listens. The thread is there only while somebody does.

    Before all who listen are called at once, ``prepare`` is called for them, with a stream, its version and
    the viewers: so that what they all need is there. All are called, too, when ``permission_state`` has
    another value: whoever listens then looks whether he still may.
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
        # Those who are only called when something comes to a stream, by that stream.
        self._wake_only: dict[str, set[Subscriber]] = {}
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
        """A letter box for what is committed from now on to ``stream``, or to all of that root.

        Of what comes to one of ``wake_streams`` it brings nothing, and calls all the same.
        """
        listener, place = Subscriber(viewer_resolver), (stream, with_root)
        with self._mutex:
            _add_subscriber(self._subscribers, place, listener)
            for one in wake_streams:
                _add_subscriber(self._wake_only, one, listener)
        try:
            self._ensure_thread()
            yield listener
        finally:
            with self._mutex:
                _remove_subscriber(self._subscribers, place, listener)
                for one in wake_streams:
                    _remove_subscriber(self._wake_only, one, listener)

    def close(self) -> None:
        """Wake everyone for the last time."""
        self.is_closed = True
        self._wake_all()

    def _wake_all(self) -> None:
        for listener in self._all_subscribers():
            listener.wake()

    def _ensure_thread(self) -> None:
        with self._mutex:
            if self._thread is None and not self.is_closed:
                # From here on: what was committed before is for the listener to read.
                start = (self._store.head(), self._permission_state())
                self._thread = threading.Thread(target=self._run, args=start, name="live news", daemon=True)
                self._thread.start()

    def _run(self, position: int, stood: Hashable) -> None:
        while self._should_continue():
            try:
                stands = self._permission_state()
                if stands != stood:
                    stood = stands
                    self._wake_all()
                self._store.wait_for_events(position, LISTENER_CHECK_SECONDS)
                while events := self._store.read_all(position):
                    self._distribute(events)
                    position = events[-1].position
            except StoreClosed:
                self.close()
            except Exception as error:  # whatever it is, those who listen would wait in vain
                where = format_trace_locations(error.__traceback__)
                log.error("following interrupted", error=type(error).__name__, where=where)
                for listener in self._all_subscribers():
                    listener.mark_missed()
                time.sleep(LISTENER_CHECK_SECONDS)

    def _should_continue(self) -> bool:
        """Whether the thread goes on. Where it does not, the next who listens starts another."""
        with self._mutex:
            if self._subscribers and not self.is_closed:
                return True
            self._thread = None
            return False

    def _distribute(self, events: Sequence[StoredEvent]) -> None:
        letters: dict[Topic, list[StoredEvent]] = {}
        for event in events:
            for place in ((event.stream, False), (event.root, True)):
                if place in self._subscribers:
                    letters.setdefault(place, []).append(event)
        for place, letter in letters.items():
            with self._mutex:
                listeners = list(self._subscribers.get(place, ()))
            versions = {event.stream: event.seq for event in letter}
            viewers = [listener.viewer_resolver for listener in listeners]
            for stream, version in versions.items():
                self._prepare(stream, version, viewers)
            for listener in listeners:
                listener.put(letter)
        for stream in {event.stream for event in events if event.stream in self._wake_only}:
            with self._mutex:
                called = list(self._wake_only.get(stream, ()))
            for listener in called:
                listener.wake()

    def _all_subscribers(self) -> list[Subscriber]:
        with self._mutex:
            return [one for listeners in self._subscribers.values() for one in listeners]


def _add_subscriber(boxes: dict[Where, set[Subscriber]], place: Where, listener: Subscriber) -> None:
    boxes.setdefault(place, set()).add(listener)


def _remove_subscriber(boxes: dict[Where, set[Subscriber]], place: Where, listener: Subscriber) -> None:
    boxes[place].discard(listener)
    if not boxes[place]:
        del boxes[place]
