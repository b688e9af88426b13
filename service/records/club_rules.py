"""The club's own rulesets, stored next to the records: a published revision never changes.

They are events of one stream, as tamper-evident as records and part of every backup. The id of a revision's
event is derived from the ruleset and the number: the same again is a repeat, other contents are refused.
"""

import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

import orjson
import structlog

from engine.core.events import DealOpened
from engine.core.table_events import TableOpened
from engine.rulesets import (
    PUBLISHED_RULESETS,
    CompiledRuleset,
    Ruleset,
    RulesetBook,
    compile_ruleset,
    find_ruleset,
)
from schemas.rulesets.published_rulesets import published_ruleset_object, read_published_ruleset
from schemas.wire.line_reader import MAX_LINE_BYTES
from schemas.wire.wire_faults import WireError, unexpected_value_error
from service.eventstore import (
    ANY_VERSION,
    EventReader,
    EventStore,
    IdConflict,
    NewEvent,
    StreamAppend,
    UnknownStream,
)
from service.eventstore.ids import derive_id
from service.records.record_streams import SubmittedEvent
from service.records.repository import parse_stored_entry, read_stored_events

RULESETS_STREAM: Final = "5e1d1b1e-0000-8000-8000-72756c657300"
RULESETS_KIND: Final = "rulesets"
MAX_CLUB_REVISIONS: Final = 500
"""All of them are compiled when the service starts."""

_BUILT_IN_IDS: Final = frozenset(rules.ruleset.id for rules in PUBLISHED_RULESETS)
_log = structlog.get_logger()


class RevisionTaken(Exception):
    """That revision of a ruleset was published with other contents."""

    def __init__(self, ruleset: Ruleset, newest: int) -> None:
        super().__init__(
            f"Revision {ruleset.revision} of {ruleset.id} already exists with other contents; a published "
            f"revision never changes. Publish this as revision {newest + 1}."
        )


class TooManyRevisions(Exception):
    """The store has as many revisions as it takes."""

    def __init__(self) -> None:
        super().__init__(
            f"There are already {MAX_CLUB_REVISIONS} revisions of rulesets, which is the most that the "
            "service takes."
        )


class PublishedRevision(NamedTuple):
    """A published revision; ``is_new`` unless it was there before."""

    ruleset: Ruleset
    is_new: bool


class ClubRules:
    """The rulesets of a service: the built-in ones and those in its store, for any thread.

    Others in ``book`` are published into the store, so that the next start does not need their files.
    Raises `RevisionTaken`, and as the store does.
    """

    def __init__(self, store: EventStore, book: RulesetBook = PUBLISHED_RULESETS) -> None:
        self._store = store
        self._mutex = threading.Lock()
        self._last_seq = 0
        self._book = PUBLISHED_RULESETS
        self._read_new_revisions()
        for rules in book:
            if rules.ruleset.id not in _BUILT_IN_IDS:
                self.publish_revision(rules.ruleset)

    @property
    def book(self) -> RulesetBook:
        """All rulesets. It is another object only after a revision was added."""
        return self._book

    def refresh(self) -> None:
        """Read what other processes published. Raises as the store does."""
        with self._mutex:
            self._read_new_revisions()

    def newest_revision(self, ruleset_id: str) -> Ruleset | None:
        """The newest revision of a ruleset."""
        found = find_ruleset(self._book, ruleset_id)
        return found.ruleset if found else None

    def publish_revision(self, ruleset: Ruleset) -> PublishedRevision:
        """Publish a revision. Raises `RevisionTaken`, `TooManyRevisions`, `WireError`."""
        event_id = derive_id(RULESETS_STREAM, f"{ruleset.id} {ruleset.revision}")
        body = orjson.dumps({**published_ruleset_object(ruleset), "id": event_id})
        if len(body) > MAX_LINE_BYTES - 1000:
            raise unexpected_value_error(
                f"{len(body)} bytes", f"a ruleset of at most {MAX_LINE_BYTES - 1000} bytes"
            )
        with self._mutex:
            self._read_new_revisions()
            existing = find_ruleset(self._book, ruleset.id, ruleset.revision)
            if existing is None and len(self._book) - len(PUBLISHED_RULESETS) >= MAX_CLUB_REVISIONS:
                raise TooManyRevisions
            append = StreamAppend(RULESETS_STREAM, ANY_VERSION, [NewEvent(event_id, body)], RULESETS_KIND)
            try:
                (append_result,) = self._store.append(RULESETS_STREAM, [append])
            except IdConflict:
                newest = self.newest_revision(ruleset.id) or ruleset
                raise RevisionTaken(ruleset, newest.revision) from None
            self._read_new_revisions()
            return PublishedRevision(ruleset, not append_result.repeated_count)

    def _read_new_revisions(self) -> None:
        try:
            new = list(read_stored_events(self._store, RULESETS_STREAM, self._last_seq))
        except UnknownStream:
            return
        if found := tuple(_parse_rules(event.body for event in new)):
            self._book = (*self._book, *found)
        self._last_seq = new[-1].seq if new else self._last_seq


def read_club_rules(store: EventReader) -> Iterator[CompiledRuleset]:
    """The rulesets in a store, in the order of publication; unreadable ones are logged and skipped."""
    yield from _parse_rules(read_ruleset_bodies(store))


def _parse_rules(bodies: Iterable[bytes]) -> Iterator[CompiledRuleset]:
    for body in bodies:
        ruleset_json = orjson.loads(body)
        try:
            yield compile_ruleset(read_published_ruleset(ruleset_json))
        except WireError as error:
            _log.warning("unreadable ruleset", seq=ruleset_json.get("seq"), said=str(error)[:200])


def read_ruleset_bodies(store: EventReader, up_to_position: int | None = None) -> Iterator[bytes]:
    """The stored events of the rulesets of a store, up to a position of its log."""
    try:
        for event in read_stored_events(store, RULESETS_STREAM):
            if up_to_position is not None and event.position > up_to_position:
                return
            yield event.body
    except UnknownStream:
        return


def pin_ruleset_revision(
    store: EventReader, root: str, opening: SubmittedEvent, book: RulesetBook
) -> SubmittedEvent:
    """The opening of a deal or table with the revision by which it is played.

    If it names none of a club's ruleset, that is the newest now: later revisions do not change the record. A
    repeat gets the same revision as the first time.
    """
    event, record, _ = opening.reading
    if (
        not isinstance(event, DealOpened | TableOpened)
        or event.revision is not None
        or event.ruleset in _BUILT_IN_IDS
    ):
        return opening
    revision = None
    stored = store.find_events(root, [record.id]) if record.id else {}
    for one in stored.values():
        stored_event = parse_stored_entry(one).event
        revision = stored_event.revision if isinstance(stored_event, DealOpened | TableOpened) else None
    if not stored:
        found = find_ruleset(book, event.ruleset)
        revision = found.ruleset.revision if found else None
    return opening._replace(reading=opening.reading._replace(event=replace(event, revision=revision)))


def list_ruleset_ids(book: Iterable[CompiledRuleset]) -> list[str]:
    """The distinct ids of the rulesets of a book, in its order."""
    return list(dict.fromkeys(rules.ruleset.id for rules in book))


def is_club_ruleset(ruleset_id: str) -> bool:
    """Whether a ruleset is the club's own, not built in."""
    return ruleset_id not in _BUILT_IN_IDS
