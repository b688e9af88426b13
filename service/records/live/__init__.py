"""Live streams: a log, or a table with its deals, told to whoever listens as it grows.

`News` wakes those who listen, `CutLogs` has what each may know, `Feed` says what he is sent next, `Places`
bounds how many there are. None of it knows HTTP.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from typing import Final

from service.eventstore import EventReader, StoreError
from service.records.live.cuts import CutLogs, ViewerOf, always
from service.records.live.feeds import Cursor, Feed, Following, UnreadableCursor
from service.records.live.messages import HEARTBEAT, RETRY, event_message
from service.records.live.news import Arrived, News
from service.records.live.places import Place, Places, TooManyStreams

__all__ = [
    "STREAMS",
    "Cursor",
    "Feed",
    "Following",
    "Live",
    "Place",
    "TooManyStreams",
    "UnreadableCursor",
    "ViewerOf",
    "always",
]

STREAMS: Final = 500
"""How many may listen at once, unless told otherwise."""
LEAST_SECONDS: Final = 0.05
HEARTBEAT_SECONDS: Final = 15.0
"""So long a stream is silent at most: a dead connection is noticed by writing to it."""


class Live:
    """All live streams of one application."""

    def __init__(
        self,
        store: EventReader,
        streams: int = STREAMS,
        heartbeat: float = HEARTBEAT_SECONDS,
        standing: Callable[[], Hashable] = lambda: None,
    ) -> None:
        """``standing`` is another value whenever what somebody may do has changed."""
        self.store = store
        self.cuts = CutLogs(store)
        self.news = News(store, self._prepare, standing)
        # At most half of them for one client; this computer itself may have all.
        self.places = Places(streams, max(1, streams // 2))
        self._heartbeat = heartbeat

    def told(self, following: Following, cursor: Cursor | None, place: Place) -> Iterator[bytes]:
        """What is sent to one who follows, from behind ``cursor`` on.

        Until he goes, or may no longer, or `end` is called. The first piece comes when the log has been
        read: raises `StoreDamaged` there where it is not as it was recorded.

        Nothing of the store is held while he waits or while what is sent is on its way to him.
        """
        for message in self._messages(following, cursor):
            if not following.holds():
                return
            yield from place.sent(message)

    def _messages(self, following: Following, cursor: Cursor | None) -> Iterator[bytes]:
        feed = Feed(self.store, self.cuts, following)
        stream, viewer = following.stream.stream, following.viewer
        whole, beside = following.with_deals, following.beside
        with self.news.listening(stream, viewer, whole=whole, beside=beside) as listener:
            messages, arrived = feed.begin(cursor), Arrived((), True)
            # Read before anything is sent: where the log is damaged there is nothing to follow.
            messages = chain(list(islice(messages, 1)), messages)
            yield RETRY
            while not self.news.ended:
                silent = True
                for message in messages:
                    if self.news.ended:
                        return
                    silent = False
                    yield message
                if silent and not arrived.events:
                    yield HEARTBEAT
                arrived = listener.wait(min(self._heartbeat, max(LEAST_SECONDS, following.left())))
                messages = feed.go_on(arrived.events) if arrived.whole else feed.catch_up()

    def _prepare(self, stream: str, version: int, viewers: Iterable[ViewerOf]) -> None:
        # Where a log cannot be read, that is told to those who follow it, and to nobody else.
        with suppress(StoreError):
            self.cuts.prepare(stream, version, viewers)

    def forget(self) -> None:
        """Keep nothing in memory of what was told: something has been erased in the store."""
        self.cuts.forget()
        event_message.cache_clear()

    def end(self) -> None:
        """Ends every stream at once, and takes no further one."""
        self.places.close()
        self.news.end()
