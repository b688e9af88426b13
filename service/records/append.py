"""Recording: appending what a client sent to a deal or a table, and what is found at it."""

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from engine import EVERYTHING, Finding, Log, Viewer, audit, view
from engine.core.events import DealSettled, IrregularityNoted, NoteAdded, RulingMade
from engine.core.log import place
from engine.rulesets import PUBLISHED, Book
from schemas.wire.jsonlines import ENTRIES
from service.eventstore import (
    ANY,
    Append,
    Appended,
    EventStore,
    StaleVersion,
    StoreDamaged,
    StreamInfo,
    UnknownStream,
)
from service.eventstore.interface import Expected
from service.records.capacity import Judge, most_entries, room_for_corrections, share_of
from service.records.fold_cache import findings_so_far
from service.records.records import (
    DEAL,
    TABLE,
    Posted,
    entries_after,
    id_of,
    log_in,
    new_event,
    require_place,
    with_ids,
)
from service.records.strict_mode import found_by_those_who_act, refusals
from service.records.variations import Course

ANYTIME: Final = (NoteAdded, IrregularityNoted, RulingMade, DealSettled)
"""Events that say the same whatever came in between: they may be appended at any version."""


class AgainstTheRules(Exception):
    """In strict mode: events that break rules, with what was found at them. Nothing was stored.

    ``pointers`` says for each finding where its event stands in what was sent.
    """

    def __init__(self, findings: Sequence[Finding], pointers: Sequence[str]) -> None:
        super().__init__(findings[0].message)
        self.findings = tuple(findings)
        self.pointers = tuple(pointers)


class Recorded(NamedTuple):
    """What became of what was sent: the events as stored, and what is found at them."""

    appended: Appended
    findings: tuple[Finding, ...]

    @property
    def is_new(self) -> bool:
        """Whether anything was stored that had not been stored before."""
        return self.appended.repeated < len(self.appended.events)

    @property
    def version(self) -> int:
        """The version of the record now; after a repeat it may be later than the events."""
        return self.appended.version


def may_come_anytime(posted: Sequence[Posted]) -> bool:
    """Whether all of it may be appended without saying at which version."""
    return all(isinstance(one.reading.event, ANYTIME) for one in posted)


def open_deal(
    store: EventStore,
    sent: Sequence[Posted],
    *,
    strict: bool,
    book: Book = PUBLISHED,
    course: Course | None = None,
) -> Recorded:
    """Records a deal alone, from its opening on, as far as it was sent. Raises `Misplaced`.

    ``course`` puts a variation behind its beginning; it is None for any other deal, here and below.
    """
    posted = with_ids(sent)
    for index, one in enumerate(posted):
        require_place(one, DEAL, opening=index == 0)
    deal = id_of(posted[0])
    new = StreamInfo(deal, deal, DEAL, 0)
    return _append_to_deal(store, new, 0, posted, strict, kind=DEAL, book=book, course=course)


def continue_deal(
    store: EventStore,
    deal: StreamInfo,
    expected: Expected,
    sent: Sequence[Posted],
    *,
    strict: bool,
    book: Book = PUBLISHED,
    viewer: Viewer = EVERYTHING,
    course: Course | None = None,
    noting_as: str | None = None,
) -> Recorded:
    """Appends to a deal that was opened; what is found at it is told as ``viewer`` may know it.

    ``noting_as`` is the grant of a writer who may add notes and nothing else. Raises `Misplaced`,
    `AgainstTheRules`, `NotesUsedUp`, or as the store does.
    """
    posted = with_ids(sent)
    for one in posted:
        require_place(one, DEAL, opening=False)
    return _append_to_deal(
        store, deal, expected, posted, strict, book=book, viewer=viewer, course=course, noting_as=noting_as
    )


def _append_to_deal(
    store: EventStore,
    deal: StreamInfo,
    expected: Expected,
    posted: Sequence[Posted],
    strict: bool,
    kind: str | None = None,
    *,
    book: Book,
    viewer: Viewer = EVERYTHING,
    course: Course | None,
    noting_as: str | None = None,
) -> Recorded:
    judges: list[Judge] = share_of(noting_as)
    if strict:
        judges.append(partial(_judge_by_the_rules, book=book, course=course))
    appended = _append(store, deal, expected, posted, judges, most_entries(noting_as), kind)
    if strict:
        return Recorded(appended, findings_for_those_who_act(store, appended, book, course))
    try:
        found = findings_at(store, appended, book, viewer, course)
    except StoreDamaged:
        found = ()  # What was sent is stored; the damage is said where the record is read.
    return Recorded(appended, found)


def _append(
    store: EventStore,
    stream: StreamInfo,
    expected: Expected,
    posted: Sequence[Posted],
    judges: Sequence[Judge],
    most: int,
    kind: str | None = None,
) -> Appended:
    """Appends what all the judges let pass, at the version at which they did. Raises as the store does."""
    events = [new_event(one) for one in posted]
    judges = [*judges, *room_for_corrections(stream.stream, posted)]
    while True:
        held_to = judged_version(store, stream, expected, posted, judges) if judges else expected
        try:
            (appended,) = store.append(stream.root, [Append(stream.stream, held_to, events, kind, most)])
        except StaleVersion:
            # Sent to come at any version, it was judged at one that has passed meanwhile.
            if expected is not ANY:
                raise
        else:
            return appended


def _judge_by_the_rules(log: Log, new: Sequence[Posted], book: Book, course: Course | None) -> None:
    """Raises `AgainstTheRules` for what is new and breaks a rule behind the log."""
    version = len(log)
    if found := refusals(log, entries_after(version, new), book, course):
        raise AgainstTheRules(found, [new[place(one.seq)[0] - version - 1].pointer for one in found])


NO_VERSION: Final = -1
"""A version that no record has: the store looks at the ids, and then says that it is stale."""


def judged_version(
    store: EventStore,
    stream: StreamInfo,
    expected: Expected,
    posted: Sequence[Posted],
    judges: Sequence[Judge],
) -> Expected:
    """The version at which the judges let pass what is new of it. Raises as they do.

    `NO_VERSION` where another was decided on.
    """
    stored = store.find(stream.root, map(id_of, posted))
    new = [one for one in posted if id_of(one) not in stored]
    if not new:
        return expected
    log = _log_so_far(store, stream.stream)
    version = len(log)
    if expected is not ANY and expected != version:
        # A writer who lost the answer to the first part of his batch names the version from which it began.
        began_there = sorted(one.seq for one in stored.values()) == list(range(expected + 1, version + 1))
        if not stored or not began_there:
            return NO_VERSION
    for judge in judges:
        judge(log, new)
    return version


def _log_so_far(store: EventStore, stream: str) -> Log:
    try:
        return log_in(store, stream)
    except UnknownStream:
        return ()


def findings_at(
    store: EventStore,
    appended: Appended,
    book: Book = PUBLISHED,
    viewer: Viewer = EVERYTHING,
    course: Course | None = None,
) -> tuple[Finding, ...]:
    """What is found at the events, and what they show of earlier ones: as the log stood after them.

    Only what ``viewer`` may know, which the whole log decides.
    """
    seqs = {event.seq for event in appended.events}
    found = findings_so_far(store, appended, book) if viewer.everything and course is None else None
    if found is None:
        log = view(log_in(store, appended.stream), viewer)[: max(seqs)]
        found = audit(course(log, EVERYTHING) if course else log, book).findings
    return tuple(
        finding for finding in found if any(place(seq)[0] in seqs for seq in (finding.seq, *finding.evidence))
    )


def findings_for_those_who_act(
    store: EventStore, appended: Appended, book: Book = PUBLISHED, course: Course | None = None
) -> tuple[Finding, ...]:
    """What is found at the events by what the seats that act may know: in strict mode nobody is told more."""
    # Others may have written between what was there before and what is new.
    own = {event.seq for event in appended.events}
    log, before = log_in(store, appended.stream, upto=max(own)), min(own) - 1
    found = found_by_those_who_act(log[:before], log[before:], book, course)
    return tuple(one for one in found if place(one.seq)[0] in own)


def open_table(store: EventStore, sent: Posted) -> Appended:
    """Opens a table. Raises `Misplaced`, or as the store does."""
    (posted,) = with_ids([sent])
    require_place(posted, TABLE, opening=True)
    table = id_of(posted)
    (appended,) = store.append(table, [Append(table, 0, [new_event(posted)], TABLE, ENTRIES)])
    return appended


def continue_table(
    store: EventStore,
    table: StreamInfo,
    expected: Expected,
    sent: Sequence[Posted],
    noting_as: str | None = None,
) -> Appended:
    """Appends to a table's log; ``noting_as`` as for a deal.

    Raises `Misplaced`, `NotesUsedUp`, or as the store does.
    """
    posted = with_ids(sent)
    for one in posted:
        require_place(one, TABLE, opening=False)
    return _append(store, table, expected, posted, share_of(noting_as), most_entries(noting_as))
