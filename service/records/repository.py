"""Records in the store: reading their logs, and appending events at an expected version.

Validators check what depends on the log as it is when the events are stored.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

import orjson

from engine import Entry, Log
from engine.core.events import CorrectionMade
from schemas.wire.event_reader import read_entry_text
from schemas.wire.wire_faults import WireError
from service.eventstore import (
    ANY_VERSION,
    PAGE_SIZE,
    AppendResult,
    EventReader,
    EventStore,
    StaleVersion,
    StoreDamaged,
    StoredEvent,
    StreamAppend,
    StreamInfo,
    UnknownStream,
)
from service.eventstore.events import ExpectedVersion
from service.records.capacity import max_record_entries, require_capacity, require_note_quota
from service.records.record_streams import (
    DEAL_KIND,
    SubmittedEvent,
    assign_event_ids,
    build_new_event,
    require_valid_placement,
    submitted_event_id,
)

AppendValidator = Callable[[Log, Sequence[SubmittedEvent]], None]
"""Looks at new events after a log, and raises if they may not be stored."""


class UnknownRecord(UnknownStream):
    """No record of this id and ``kind``, a deal or a table, is in the store."""

    def __init__(self, kind: str, stream: str) -> None:
        super().__init__(stream)
        self.kind = kind


def record_info(store: EventReader, kind: str, stream: str) -> StreamInfo:
    """The stream, if it is of that kind. Raises `UnknownRecord`."""
    try:
        info = store.stream_info(stream)
    except UnknownStream:
        raise UnknownRecord(kind, stream) from None
    if info.kind != kind:
        raise UnknownRecord(kind, stream)
    return info


def table_deal_info(store: EventReader, table: str, deal: str) -> StreamInfo:
    """A deal of that table. Raises `UnknownRecord` for any other.

    An imported table may name any deal, and who may read the table may not be allowed to read that one.
    """
    info = record_info(store, DEAL_KIND, deal)
    if info.root != table:
        raise UnknownRecord(DEAL_KIND, deal)
    return info


def iterate_streams(
    store: EventReader,
    root: str | None = None,
    kind: str | None = None,
    after: str | None = None,
    page_size: int = PAGE_SIZE,
    *,
    newest_first: bool = False,
) -> Iterator[StreamInfo]:
    """The streams of a root, or all, in the order of their creation, read a page at a time."""
    while page := store.list_streams(root, kind, after, page_size, newest_first=newest_first):
        yield from page
        if len(page) < page_size:
            return
        after = page[-1].stream


def read_stored_events(
    store: EventReader, stream: str, after: int = 0, up_to: int | None = None
) -> Iterator[StoredEvent]:
    """A stream's events after ``after``, up to and including ``up_to``, read a page at a time."""
    while up_to is None or after < up_to:
        page = store.read_stream(stream, after, PAGE_SIZE if up_to is None else min(PAGE_SIZE, up_to - after))
        yield from page
        if len(page) < PAGE_SIZE:
            return
        after = page[-1].seq


def read_log(store: EventReader, stream: str, up_to: int | None = None) -> Log:
    """A stream as a log: all of it or its first ``up_to`` entries. Raises `UnknownStream`."""
    return tuple(parse_stored_entry(event) for event in read_stored_events(store, stream, up_to=up_to))


def parse_stored_entry(event: StoredEvent) -> Entry:
    """The entry in a stored event. Raises `StoreDamaged` if there is none."""
    try:
        return read_entry_text(event.body, event.seq)
    except (orjson.JSONDecodeError, WireError) as error:
        raise StoreDamaged(
            f"Event {event.seq} of stream {event.stream} is not a readable log entry: {error}"
        ) from error


def append_to_record(
    store: EventStore,
    stream: StreamInfo,
    expected_version: ExpectedVersion,
    submitted_events: Sequence[SubmittedEvent],
    notes_only_grant: str | None = None,
    validators: Sequence[AppendValidator] = (),
) -> AppendResult:
    """Append events that all ``validators`` accept, at the version at which they accepted them.

    ``notes_only_grant`` is the grant of a caller who may add notes and nothing else. Raises `MisplacedEvent`,
    `NoteQuotaExceeded`, or as the store does.
    """
    submitted_events = assign_event_ids(submitted_events)
    for index, one in enumerate(submitted_events):
        require_valid_placement(one, stream.kind, opening=stream.version == 0 and index == 0)
    events = [build_new_event(one) for one in submitted_events]
    all_validators = list(validators)
    if notes_only_grant is not None:
        all_validators.insert(0, partial(require_note_quota, notes_only_grant=notes_only_grant))
    sent_events = (one.reading.event for one in submitted_events)
    if any(isinstance(event, CorrectionMade) and event.with_ for event in sent_events):
        # The store does not count the entries inside corrections.
        all_validators.append(partial(_require_stream_capacity, stream=stream.stream))
    kind = stream.kind if stream.version == 0 else None
    max_version = max_record_entries(notes_only_grant)
    while True:
        validated_version = (
            _find_valid_version(store, stream, expected_version, submitted_events, all_validators)
            if all_validators
            else expected_version
        )
        try:
            (append_result,) = store.append(
                stream.root, [StreamAppend(stream.stream, validated_version, events, kind, max_version)]
            )
        except StaleVersion:
            # Events for any version were validated at one that has passed in the meantime.
            if expected_version is not ANY_VERSION:
                raise
        else:
            return append_result


IMPOSSIBLE_VERSION: Final = -1
"""A version that no record has: the store looks for a repeat, and else raises `StaleVersion`."""


def _require_stream_capacity(log: Log, new_events: Sequence[SubmittedEvent], *, stream: str) -> None:
    require_capacity(stream, [entry.event for entry in log], [one.reading.event for one in new_events])


def _find_valid_version(
    store: EventStore,
    stream: StreamInfo,
    expected_version: ExpectedVersion,
    submitted_events: Sequence[SubmittedEvent],
    validators: Sequence[AppendValidator],
) -> ExpectedVersion:
    """The version at which ``validators`` accept the new events; `IMPOSSIBLE_VERSION` if it is not expected.

    Raises as they do.
    """
    stored = store.find_events(stream.root, list(map(submitted_event_id, submitted_events)))
    new_events = [one for one in submitted_events if submitted_event_id(one) not in stored]
    if not new_events:
        return expected_version
    log = _read_log_or_empty(store, stream.stream)
    version = len(log)
    if expected_version is not ANY_VERSION and expected_version != version:
        # A client that lost the answer to the first part of a batch names the version at its beginning.
        continues_batch = sorted(one.seq for one in stored.values()) == list(
            range(expected_version + 1, version + 1)
        )
        if not stored or not continues_batch:
            return IMPOSSIBLE_VERSION
    for validate in validators:
        validate(log, new_events)
    return version


def _read_log_or_empty(store: EventStore, stream: str) -> Log:
    try:
        return read_log(store, stream)
    except UnknownStream:
        return ()
