"""All that a store holds, as lines that `service.records.log_import` makes the same records of."""

from collections.abc import Callable, Iterator

from service.eventstore import EventReader, StoreDamaged, StreamInfo, UnknownStream
from service.records.club_rules import RULESETS_STREAM as RULESETS
from service.records.club_rules import read_ruleset_bodies
from service.records.record_streams import DEAL_KIND, TABLE_KIND
from service.records.repository import iterate_streams, read_stored_events

DamagedRecordHandler = Callable[[str, StoreDamaged], None]
"""Is told which record is left out, and how it is damaged."""


def export_store_lines(store: EventReader, on_damaged: DamagedRecordHandler | None = None) -> Iterator[bytes]:
    """Export the club's own rulesets, then every table with its deals and every deal alone, as JSON Lines.

    This is the whole store as it stood when the first line was requested, whatever is appended meanwhile. One
    page is held at a time, and nothing of the store between two pages. A damaged record raises `StoreDamaged`
    midway; with ``on_damaged`` it is left out, and each record is held whole, one at a time.
    """
    up_to_position = store.head()
    yield from _lines_or_skip(
        RULESETS, (body + b"\n" for body in read_ruleset_bodies(store, up_to_position)), on_damaged
    )
    for kind in (TABLE_KIND, DEAL_KIND):
        for info in iterate_streams(store, None, kind):
            if info.stream == info.root:
                yield from _lines_or_skip(info.stream, _stream_lines(store, info, up_to_position), on_damaged)
                if kind == TABLE_KIND:
                    for deal in iterate_streams(store, info.root, DEAL_KIND):
                        yield from _lines_or_skip(
                            deal.stream, _stream_lines(store, deal, up_to_position), on_damaged
                        )


def _lines_or_skip(
    record: str, lines: Iterator[bytes], on_damaged: DamagedRecordHandler | None
) -> Iterator[bytes]:
    """The lines of a record; none of them where it is damaged and may be left out."""
    if on_damaged is None:
        yield from lines
        return
    try:
        found = list(lines)
    except StoreDamaged as error:
        on_damaged(record, error)
        return
    yield from found


def export_deal_lines(store: EventReader, deal: str) -> Iterator[bytes]:
    """The log of one deal as it is stored. Raises `UnknownStream` where there is no such deal."""
    info = store.stream_info(deal)
    if info.kind != DEAL_KIND:
        raise UnknownStream(deal)
    return _stream_lines(store, info, store.head())


def _stream_lines(store: EventReader, stream: StreamInfo, up_to_position: int) -> Iterator[bytes]:
    for event in read_stored_events(store, stream.stream, up_to=stream.version):
        if event.position > up_to_position:
            return
        yield event.body + b"\n"
