"""Exporting: all that a store holds, as lines that `service.importing` makes the same records of."""

from collections.abc import Iterator

from service.club_rules import bodies_in
from service.records import DEAL, TABLE, stored_events
from service.store import PAGE, EventReader, StreamInfo


def lines_of_all(store: EventReader) -> Iterator[bytes]:
    """The club's own rulesets, then every table with its deals and every deal alone, as JSON Lines.

    It is all of the store as it stood when the first line was asked for, whatever is appended meanwhile. One
    page is held at a time, and nothing of the store between two of them.
    """
    upto = store.head()
    for body in bodies_in(store, upto):
        yield body + b"\n"
    for kind in (TABLE, DEAL):
        for info in _streams(store, None, kind):
            if info.stream == info.root:
                yield from _lines_of(store, info, upto)
                if kind == TABLE:
                    for deal in _streams(store, info.root, DEAL):
                        yield from _lines_of(store, deal, upto)


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
