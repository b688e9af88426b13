"""The club's own rulesets: kept in the store beside the records, each revision once and for good.

They are one stream of events, so what was published is as hard to change unnoticed as what was played, and
goes along in every backup. A revision's event has an id that follows from its ruleset's and its number: the
same again is a repeat, and anything else under that number the store itself refuses.
"""

import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

import orjson
import structlog

from engine.core.events import DealOpened
from engine.core.table_events import TableOpened
from engine.rulesets import PUBLISHED, Book, Rules, Ruleset, find, rules_of
from schemas.rulesets.published import published_object, read_published
from schemas.wire.faults import WireError, unfit
from schemas.wire.lines import LONGEST
from service.eventstore import ANY, Append, EventReader, EventStore, IdConflict, NewEvent, UnknownStream
from service.eventstore.ids import derived_id
from service.records.records import Posted, entry_in, stored_events

STREAM: Final = "5e1d1b1e-0000-8000-8000-72756c657300"
"""The stream, and root, of all rulesets of a store."""
KIND: Final = "rulesets"
MOST: Final = 500
"""So many revisions a store holds at most: all of them are made ready when the service starts."""


_IDS: Final = frozenset(rules.ruleset.id for rules in PUBLISHED)
_log = structlog.get_logger()


class RevisionTaken(Exception):
    """That revision of a ruleset was published already, and says something else."""

    def __init__(self, ruleset: Ruleset, newest: int) -> None:
        super().__init__(
            f"Revision {ruleset.revision} of {ruleset.id} is there already and says something else; a "
            f"published revision never changes. Give it revision {newest + 1}."
        )


class TooManyRevisions(Exception):
    """The store holds as many revisions as it takes."""

    def __init__(self) -> None:
        super().__init__(f"There are {MOST} revisions of rulesets already, and no more are taken.")


class Kept(NamedTuple):
    """A revision as it is kept; ``new`` where it was not there before."""

    ruleset: Ruleset
    new: bool


class ClubRules:
    """The rulesets that a service plays by: those it was started with, and those in its store.

    What it is started with beside the published ones is kept in the store too, so that it is there without
    its file the next time. Other processes may publish into the same store: `look_again` finds what they did.
    May be used from any thread. Raises `RevisionTaken`, and as the store does.
    """

    def __init__(self, store: EventStore, book: Book = PUBLISHED) -> None:
        self._store = store
        self._mutex = threading.Lock()
        self._read = 0
        self._book = PUBLISHED
        self._read_on()
        for rules in book:
            if rules.ruleset.id not in _IDS:
                self.keep(rules.ruleset)

    @property
    def book(self) -> Book:
        """All of them. It is another object when, and only when, a revision was added."""
        return self._book

    def look_again(self) -> None:
        """Take in what was published elsewhere meanwhile. Raises as the store does."""
        with self._mutex:
            self._read_on()

    def newest(self, ruleset_id: str) -> Ruleset | None:
        """The newest revision of a ruleset."""
        found = find(self._book, ruleset_id)
        return found.ruleset if found else None

    def keep(self, ruleset: Ruleset) -> Kept:
        """Publishes a revision for good. Raises `RevisionTaken`, `TooManyRevisions`, `WireError`."""
        event_id = derived_id(STREAM, f"{ruleset.id} {ruleset.revision}")
        body = orjson.dumps({**published_object(ruleset), "id": event_id})
        if len(body) > LONGEST - 1000:
            raise unfit(f"{len(body)} bytes", f"a ruleset of at most {LONGEST - 1000} bytes")
        with self._mutex:
            self._read_on()
            there = find(self._book, ruleset.id, ruleset.revision)
            if there is None and len(self._book) - len(PUBLISHED) >= MOST:
                raise TooManyRevisions
            append = Append(STREAM, ANY, [NewEvent(event_id, body)], KIND)
            try:
                (kept,) = self._store.append(STREAM, [append])
            except IdConflict:
                newest = self.newest(ruleset.id) or ruleset
                raise RevisionTaken(ruleset, newest.revision) from None
            self._read_on()
            return Kept(ruleset, not kept.repeated)

    def _read_on(self) -> None:
        """Reads the revisions behind those that were read before."""
        try:
            new = list(stored_events(self._store, STREAM, self._read))
        except UnknownStream:
            return
        if found := tuple(_rules_in(event.body for event in new)):
            self._book = (*self._book, *found)
        self._read = new[-1].seq if new else self._read


def own_rules(store: EventReader) -> Iterator[Rules]:
    """The rulesets in a store, in the order in which they were published.

    One that this version cannot read is passed over, and said in the log: deals by it still fold.
    """
    yield from _rules_in(bodies_in(store))


def _rules_in(bodies: Iterable[bytes]) -> Iterator[Rules]:
    for body in bodies:
        said = orjson.loads(body)
        try:
            yield rules_of(read_published(said))
        except WireError as error:
            _log.warning("unreadable ruleset", seq=said.get("seq"), said=str(error)[:200])


def _version_in(store: EventReader) -> int:
    try:
        return store.version(STREAM)
    except UnknownStream:
        return 0


def bodies_in(store: EventReader, upto: int | None = None) -> Iterator[bytes]:
    """The events that tell the rulesets of a store as they are stored, up to that position of the store."""
    try:
        for event in stored_events(store, STREAM):
            if upto is not None and event.position > upto:
                return
            yield event.body
    except UnknownStream:
        return


def with_revision(store: EventReader, root: str, opening: Posted, book: Book) -> Posted:
    """The opening of a deal or table, naming the revision that it is played by.

    Where it names none, of a ruleset of the club's own, that is the newest now; so what the club publishes
    later does not change it. A repeat gets what it got the first time.
    """
    event, record, _ = opening.reading
    if not isinstance(event, DealOpened | TableOpened) or event.revision is not None or event.ruleset in _IDS:
        return opening
    revision = None
    stored = store.find(root, [record.id]) if record.id else {}
    for one in stored.values():
        then = entry_in(one).event
        revision = then.revision if isinstance(then, DealOpened | TableOpened) else None
    if not stored:
        found = find(book, event.ruleset)
        revision = found.ruleset.revision if found else None
    return opening._replace(reading=opening.reading._replace(event=replace(event, revision=revision)))


def ids_in(book: Iterable[Rules]) -> list[str]:
    """The ids of the rulesets of a book, each once, in its order."""
    return list(dict.fromkeys(rules.ruleset.id for rules in book))


def is_own(ruleset_id: str) -> bool:
    """Whether a ruleset is a club's own, not one that Spadille comes with."""
    return ruleset_id not in _IDS
