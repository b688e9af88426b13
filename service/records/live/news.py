"""News: one thread follows the store, and hands what is new to those who listen to it.

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

from service.config.logging import places_of
from service.eventstore import EventReader, StoreClosed, StoredEvent
from service.records.live.cuts import ViewerOf

WAIT_SECONDS: Final = 1.0
"""So often the thread looks whether anyone still listens."""
WAITING: Final = 100
"""So many letters wait for one who is slow; of more he is told only that he missed some."""

log = structlog.get_logger()


class Arrived(NamedTuple):
    """Events that came since the last look, in order of position; not ``whole`` where some were missed."""

    events: tuple[StoredEvent, ...]
    whole: bool


class Listener:
    """The letter box of one who listens as ``viewer``. One thread reads it, and one fills it."""

    def __init__(self, viewer: ViewerOf) -> None:
        self.viewer = viewer
        # A queue in C, as many wait at once and are called at the same moment. An empty letter only calls.
        self._letters: SimpleQueue[Sequence[StoredEvent]] = SimpleQueue()
        self._missed = False

    def wait(self, timeout: float) -> Arrived:
        """What has come; where there is nothing yet, what comes first within ``timeout`` seconds."""
        events: list[StoredEvent] = []
        with suppress(Empty):
            letter = self._letters.get(timeout=timeout)
            while True:
                events += letter
                letter = self._letters.get_nowait()
        if self._missed:
            # What is left out from here on is in the store when he looks there.
            self._missed = False
            return Arrived((), False)
        return Arrived(tuple(events), True)

    def put(self, events: Sequence[StoredEvent]) -> None:
        """Hand over events, in order of position."""
        if self._missed:
            return
        if self._letters.qsize() >= WAITING:
            self.miss()
        else:
            self._letters.put(events)

    def miss(self) -> None:
        """Say that something may have come which is not handed over."""
        self._missed = True
        self._letters.put(())

    def wake(self) -> None:
        """Call without bringing anything."""
        self._letters.put(())


Place = tuple[str, bool]
"""What is listened to: a stream, or a whole root."""
Where = TypeVar("Where", Place, str)


class News:
    """Hands what is committed to whoever listens. The thread is there only while somebody does.

    Before all who listen are called at once, ``prepare`` is called for them, with a stream, its version and
    the viewers: so that what they all need is there. All are called, too, when ``standing`` has another
    value: whoever listens then looks whether he still may.
    """

    def __init__(
        self,
        store: EventReader,
        prepare: Callable[[str, int, Sequence[ViewerOf]], object],
        standing: Callable[[], Hashable] = lambda: None,
    ) -> None:
        self._store, self._prepare, self._standing = store, prepare, standing
        self._mutex = threading.Lock()
        self._listeners: dict[Place, set[Listener]] = {}
        # Those who are only called when something comes to a stream, by that stream.
        self._called: dict[str, set[Listener]] = {}
        self._thread: threading.Thread | None = None
        self.ended = False

    @contextmanager
    def listening(
        self, name: str, viewer: ViewerOf, *, whole: bool = False, beside: Collection[str] = ()
    ) -> Iterator[Listener]:
        """A letter box for what is committed from now on to the stream ``name``, or to all of that root.

        What comes to a stream ``beside`` it brings nothing, and calls all the same.
        """
        listener, place = Listener(viewer), (name, whole)
        with self._mutex:
            _put_in(self._listeners, place, listener)
            for one in beside:
                _put_in(self._called, one, listener)
        try:
            self._have_thread()
            yield listener
        finally:
            with self._mutex:
                _take_out(self._listeners, place, listener)
                for one in beside:
                    _take_out(self._called, one, listener)

    def end(self) -> None:
        """Wake everyone for the last time."""
        self.ended = True
        self._wake()

    def _wake(self) -> None:
        for listener in self._all():
            listener.wake()

    def _have_thread(self) -> None:
        with self._mutex:
            if self._thread is None and not self.ended:
                # From here on: what was committed before is for the listener to read.
                start = (self._store.head(), self._standing())
                self._thread = threading.Thread(
                    target=self._follow, args=start, name="live news", daemon=True
                )
                self._thread.start()

    def _follow(self, position: int, stood: Hashable) -> None:
        while self._wanted():
            try:
                stands = self._standing()
                if stands != stood:
                    stood = stands
                    self._wake()
                self._store.wait(position, WAIT_SECONDS)
                while events := self._store.follow(position):
                    self._hand_out(events)
                    position = events[-1].position
            except StoreClosed:
                self.end()
            except Exception as error:  # whatever it is, those who listen would wait in vain
                where = places_of(error.__traceback__)
                log.error("following interrupted", error=type(error).__name__, where=where)
                for listener in self._all():
                    listener.miss()
                time.sleep(WAIT_SECONDS)

    def _wanted(self) -> bool:
        """Whether the thread goes on. Where it does not, the next who listens starts another."""
        with self._mutex:
            if self._listeners and not self.ended:
                return True
            self._thread = None
            return False

    def _hand_out(self, events: Sequence[StoredEvent]) -> None:
        letters: dict[Place, list[StoredEvent]] = {}
        for event in events:
            for place in ((event.stream, False), (event.root, True)):
                if place in self._listeners:
                    letters.setdefault(place, []).append(event)
        for place, letter in letters.items():
            with self._mutex:
                listeners = list(self._listeners.get(place, ()))
            versions = {event.stream: event.seq for event in letter}
            viewers = [listener.viewer for listener in listeners]
            for stream, version in versions.items():
                self._prepare(stream, version, viewers)
            for listener in listeners:
                listener.put(letter)
        for stream in {event.stream for event in events if event.stream in self._called}:
            with self._mutex:
                called = list(self._called.get(stream, ()))
            for listener in called:
                listener.wake()

    def _all(self) -> list[Listener]:
        with self._mutex:
            return [one for listeners in self._listeners.values() for one in listeners]


def _put_in(boxes: dict[Where, set[Listener]], place: Where, listener: Listener) -> None:
    boxes.setdefault(place, set()).add(listener)


def _take_out(boxes: dict[Where, set[Listener]], place: Where, listener: Listener) -> None:
    boxes[place].discard(listener)
    if not boxes[place]:
        del boxes[place]
