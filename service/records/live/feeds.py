"""What one who follows is sent next: every event once, in the order in which they were stored.

Where a viewer may not know all, what he is sent is computed from the log cut for him. An event can change
what he may know of earlier ones: a closing lays the hands open, a correction covers what was entered
wrongly. Then a *reset* comes first, which holds all that he has of that log as he may know it now. So what he
has in the end is what ``view`` gives.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from service.eventstore import PAGE, EventReader, StoredEvent, StreamInfo, UnknownStream
from service.records.live.cuts import ALL, Bodies, CutLogs, ViewerOf
from service.records.live.messages import event_message, reset_message
from service.records.records import stored_events

_split: Final = re.compile(r"(?:([0-9a-f-]{36}):)?([0-9]{1,10})").fullmatch


class UnreadableCursor(ValueError):
    """What should name the last event somebody has names none; the text says what would."""


class Cursor(NamedTuple):
    """The last event that somebody has: its stream, and its seq there; seq 0 is before the first."""

    stream: str
    seq: int


class Following(NamedTuple):
    """What is followed: a stream, or with ``with_deals`` a table and all its deals; and who looks.

    ``holds`` says whether he still may: where it says no he is sent nothing more. ``left`` says in how many
    seconds that may end by itself: then it is looked at again. ``as_ever`` is whether he always looked as the
    same viewer: not a browser, which may have opened a further link since it lost its connection, or have
    lost what it held. ``beside`` are other streams on which it depends whether he may: ``holds`` is asked
    again as soon as something is stored in one of them.
    """

    stream: StreamInfo
    with_deals: bool = False
    viewer: ViewerOf = ALL
    holds: Callable[[], bool] = lambda: True
    as_ever: bool = True
    left: Callable[[], float] = lambda: math.inf
    beside: tuple[str, ...] = ()

    def name_of(self, event: StoredEvent) -> str:
        """What the stream calls an event: its seq, at a table with its deals behind its log's id."""
        return f"{event.stream}:{event.seq}" if self.with_deals else str(event.seq)

    def cursor(self, name: str) -> Cursor:
        """The event of that name. Raises `UnreadableCursor`."""
        found = _split(name)
        if not found or bool(found[1]) != self.with_deals:
            form = "<id of the stream>:<seq>" if self.with_deals else "a seq, such as 17"
            raise UnreadableCursor(f"The last event is named by its id in the stream, {form}.")
        return Cursor(found[1] or self.stream.stream, int(found[2]))


class Feed:
    """The messages for one who follows: `begin` first, then `go_on` or `catch_up` as often as wished."""

    def __init__(self, store: EventReader, cuts: CutLogs, following: Following) -> None:
        self._store, self._cuts = store, cuts
        self._following = following
        # He has every event of his streams up to this position; of each stream that makes so many.
        self._position = 0
        self._counts: dict[str, int] = {}
        # What he has of each log, where he may not know all of it.
        self._shown: dict[str, Bodies] = {}

    def begin(self, cursor: Cursor | None) -> Iterator[bytes]:
        """Everything behind ``cursor``. Where that is no event of ours, he is told to begin anew."""
        if cursor is not None and cursor.seq:
            try:
                self._go_to(cursor)
            except LookupError:
                yield reset_message(None, ())
            else:
                yield from self._mended()
        yield from self.catch_up()

    def catch_up(self) -> Iterator[bytes]:
        """Everything that he does not have yet, read from the store a page at a time."""
        if not self._following.with_deals:
            stream = self._following.stream.stream
            version = self._store.version(stream)
            while page := self._store.read(stream, self._counts.get(stream, 0), PAGE):
                yield self._told(page, {stream: max(version, page[-1].seq)})
            return
        head = self._store.head()
        # Whatever is stored from here on may be in one stream and not yet in one that was read before it.
        found = [event for event in self._behind() if event.position <= head]
        found.sort(key=lambda event: event.position)
        versions = {event.stream: event.seq for event in found}
        for start in range(0, len(found), PAGE):
            yield self._told(found[start : start + PAGE], versions)

    def go_on(self, events: Sequence[StoredEvent]) -> Iterator[bytes]:
        """Those of the events that he does not have yet; they come in order, and none between is left out."""
        if new := [event for event in events if event.position > self._position]:
            yield self._told(new, {event.stream: event.seq for event in new})

    def _go_to(self, cursor: Cursor) -> None:
        """Take it that he has everything up to that event. Raises `LookupError` where it is not there."""
        try:
            page = self._store.read(cursor.stream, cursor.seq - 1, 1)
        except UnknownStream as error:
            raise LookupError from error
        if not page or page[0].root != self._following.stream.root:
            raise LookupError
        self._position = page[0].position
        self._counts = {
            info.stream: cursor.seq if info.stream == cursor.stream else self._had_of(info)
            for info in self._streams()
        }

    def _had_of(self, info: StreamInfo) -> int:
        """How many of the stream's events he has."""
        events = stored_events(self._store, info.stream, upto=info.version)
        return sum(1 for event in events if event.position <= self._position)

    def _mended(self) -> Iterator[bytes]:
        """A reset for each log of which he may have been told otherwise than he would be now."""
        for stream, had in self._counts.items():
            if not had:
                continue
            version = self._store.version(stream)
            known = self._known(stream, version)
            if known is not None:
                self._shown[stream] = known[:had]
            if not self._told_so(stream, had, version, known is None):
                yield reset_message(stream, self._cuts.whole(stream, had) if known is None else known[:had])

    def _told_so(self, stream: str, had: int, version: int, whole: bool) -> bool:
        """Whether he has been told the first ``had`` entries as he would be now, whenever that was."""
        if not self._following.as_ever and not self._cuts.same_for_all(stream, had, version):
            return False
        return whole or version == had or self._cuts.steady(stream, had, version, self._following.viewer)

    def _streams(self) -> list[StreamInfo]:
        """The streams that he follows."""
        own = self._following.stream
        if not self._following.with_deals:
            return [own]
        found = page = self._store.streams(root=own.root)
        while len(page) == PAGE:
            page = self._store.streams(root=own.root, after=page[-1].stream)
            found += page
        return found

    def _behind(self) -> Iterator[StoredEvent]:
        for info in self._streams():
            yield from stored_events(self._store, info.stream, self._counts.get(info.stream, 0), info.version)

    def _told(self, events: Sequence[StoredEvent], versions: Mapping[str, int]) -> bytes:
        """The messages of the next events that he does not have, and the resets that go before them.

        What he may know of a log is computed from as much of it as ``versions`` says.
        """
        last = {event.stream: event.seq for event in events}
        known = ((stream, self._known(stream, versions[stream])) for stream in last)
        cut = {stream: bodies for stream, bodies in known if bodies is not None}
        messages = list(self._resets(cut))
        for event in events:
            body = cut[event.stream][event.seq - 1] if event.stream in cut else event.body
            messages.append(event_message(self._following.name_of(event), body))
        self._shown.update((stream, bodies[: last[stream]]) for stream, bodies in cut.items())
        self._position = events[-1].position
        self._counts.update((event.stream, event.seq) for event in events)
        return b"".join(messages)

    def _known(self, stream: str, version: int) -> Bodies | None:
        """The log as he may know it, at that version; None where he may know all of it."""
        viewer = self._cuts.viewer(stream, version, self._following.viewer)
        return None if viewer.everything else self._cuts.at(stream, version, viewer)

    def _resets(self, logs: Mapping[str, Bodies]) -> Iterator[bytes]:
        """A reset for each of the logs that he had otherwise."""
        for stream, now in logs.items():
            had = self._shown.get(stream, ())
            if now[: len(had)] != had:
                self._shown[stream] = now[: len(had)]
                yield reset_message(stream, self._shown[stream])
