"""Exporting a store as lines from which `service.records.log_import` makes the same records."""

from collections.abc import Callable, Iterator

from service.eventstore import EventReader, StoreDamaged, StreamInfo, UnknownStream
from service.records.club_rules import RULESETS_STREAM, read_ruleset_bodies
from service.records.record_streams import DEAL_KIND, TABLE_KIND
from service.records.repository import iterate_streams, read_stored_events

DamagedRecordHandler = Callable[[str, StoreDamaged], None]
"""Is called with the id of each record that is left out because it is damaged."""


def export_store_lines(store: EventReader, on_damaged: DamagedRecordHandler | None = None) -> Iterator[bytes]:
    """Export the club's rulesets, then all tables with their deals and all other deals, as JSON Lines.

    Exports the state of the store when the first line was requested. A damaged record raises `StoreDamaged`
    midway; with ``on_damaged`` it is left out, for which each record is read into memory as a whole.
    """
    up_to_position = store.head()
    yield from _lines_or_skip(
        RULESETS_STREAM, (body + b"\n" for body in read_ruleset_bodies(store, up_to_position)), on_damaged
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
    """The lines of a record; none if it is damaged and may be left out."""
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
    """The stored log of one deal. Raises `UnknownStream` if there is no such deal."""
    info = store.stream_info(deal)
    if info.kind != DEAL_KIND:
        raise UnknownStream(deal)
    return _stream_lines(store, info, store.head())


def _stream_lines(store: EventReader, stream: StreamInfo, up_to_position: int) -> Iterator[bytes]:
    for event in read_stored_events(store, stream.stream, up_to=stream.version):
        if event.position > up_to_position:
            return
        yield event.body + b"\n"
