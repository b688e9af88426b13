"""Exporting: all that a store holds, as lines that `service.records.importing` makes the same records of."""

from collections.abc import Callable, Iterator

from service.eventstore import PAGE, EventReader, StoreDamaged, StreamInfo, UnknownStream
from service.records.club_rules import STREAM as RULESETS
from service.records.club_rules import bodies_in
from service.records.records import DEAL, TABLE, stored_events

LeaveOut = Callable[[str, StoreDamaged], None]
"""Is told which record is left out, and how it is damaged."""


def lines_of_all(store: EventReader, leave_out: LeaveOut | None = None) -> Iterator[bytes]:
    """The club's own rulesets, then every table with its deals and every deal alone, as JSON Lines.

    It is all of the store as it stood when the first line was asked for, whatever is appended meanwhile. One
    page is held at a time, and nothing of the store between two of them. A record that is damaged raises
    `StoreDamaged` in its midst; with ``leave_out`` nothing of it is told, and each is held whole at a time.
    """
    upto = store.head()
    yield from _whole(RULESETS, (body + b"\n" for body in bodies_in(store, upto)), leave_out)
    for kind in (TABLE, DEAL):
        for info in _streams(store, None, kind):
            if info.stream == info.root:
                yield from _whole(info.stream, _lines_of(store, info, upto), leave_out)
                if kind == TABLE:
                    for deal in _streams(store, info.root, DEAL):
                        yield from _whole(deal.stream, _lines_of(store, deal, upto), leave_out)


def _whole(record: str, lines: Iterator[bytes], leave_out: LeaveOut | None) -> Iterator[bytes]:
    """The lines of a record; none of them where it is damaged and may be left out."""
    if leave_out is None:
        yield from lines
        return
    try:
        found = list(lines)
    except StoreDamaged as error:
        leave_out(record, error)
        return
    yield from found


def lines_of_deal(store: EventReader, deal: str) -> Iterator[bytes]:
    """The log of one deal as it is stored. Raises `UnknownStream` where there is no such deal."""
    info = store.describe(deal)
    if info.kind != DEAL:
        raise UnknownStream(deal)
    return _lines_of(store, info, store.head())


def _streams(store: EventReader, root: str | None, kind: str) -> Iterator[StreamInfo]:
    after = None
    while infos := store.streams(root, kind, after, PAGE):
        yield from infos
        after = infos[-1].stream


def _lines_of(store: EventReader, stream: StreamInfo, upto: int) -> Iterator[bytes]:
    for event in stored_events(store, stream.stream, upto=stream.version):
        if event.position > upto:
            return
        yield event.body + b"\n"
