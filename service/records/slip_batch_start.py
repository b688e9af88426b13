"""Several deals started at a table in one step, each with what a slip says of it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.core.events import DealOpened
from engine.core.log import Entry, Record, place
from engine.core.table_events import DealStarted
from engine.rulesets import PUBLISHED, Book
from engine.tables import Ahead, dealt
from schemas.wire.jsonlines import ENTRIES
from schemas.wire.writer import event_fields
from service.eventstore import Append, Appended, EventStore, StreamInfo
from service.eventstore.ids import new_id
from service.eventstore.interface import Expected
from service.records.append import AgainstTheRules
from service.records.capacity import require_room
from service.records.records import (
    DEAL,
    Posted,
    described_at,
    entries_after,
    id_of,
    log_in,
    new_event,
    require_place,
    with_ids,
)
from service.records.slip_batches import ahead_of
from service.records.strict_mode import refusals
from service.records.tables import NobodyDue, as_due, as_opened, completed, start_of

Json = Mapping[str, Any]
ReadDeal = Callable[[int, Sequence[Json]], list[Posted]]
"""Reads the events of the deal at a place of the pile. Raises the problem of those that cannot be read."""


class StartedPile(NamedTuple):
    """Deals that were started: what became of the table's entries, and of each deal's."""

    table: Appended
    deals: tuple[Appended, ...]


def pile_at(
    store: EventStore,
    table: StreamInfo,
    sent: Sequence[Sequence[Json]],
    read: ReadDeal,
    book: Book = PUBLISHED,
) -> list[list[Posted]]:
    """The deals of a pile as they are to be stored: each opening told in full, on top of the deals before it.

    What an opening leaves out is as for one that is sent alone (`service.records.tables.opening_at`); a deal
    that is stored already gets what it got then. Raises `NobodyDue`, and as ``read``.
    """
    log = log_in(store, table.stream)
    ahead = ahead_of(log, lambda deal: log_in(store, described_at(store, table.stream, deal).stream), book)
    found = []
    for number, events in enumerate(sent):
        first, rest = events[0], events[1:]
        stated = {name: value for name, value in first.items() if value is not None}
        then = as_opened(store, table, stated.get("id"))
        opening = _opening(ahead, table, stated) if then is None else completed(stated, then)
        posted = with_ids(read(number, [opening, *rest]))
        if then is None:
            _take(ahead, posted, book)
        found.append(posted)
    return found


def _opening(ahead: Ahead, table: StreamInfo, stated: dict[str, Any]) -> dict[str, Any]:
    own = event_fields(ahead.table.opened)
    rest: dict[str, Any] = {"id": new_id(), "table": table.stream, "number": ahead.table.next_number}
    if stated.get("ruleset", own["ruleset"]) == own["ruleset"]:
        rest |= {name: own[name] for name in ("ruleset", "revision", "switches") if name in own}
        if ahead.table.rules.known:
            rest.setdefault("revision", ahead.table.rules.ruleset.revision)
        rest |= as_due(ahead.following(), stated)
    if "players" not in stated and "players" not in rest:
        raise NobodyDue("The table cannot say who plays these deals. Say so in `players` of each opening.")
    return completed(stated, rest)


def _take(ahead: Ahead, posted: Sequence[Posted], book: Book) -> None:
    """The deal counts for those behind it; one whose opening has no place is told when it is stored."""
    event = posted[0].reading.event
    if isinstance(event, DealOpened) and event.number is not None:
        log = tuple(Entry(seq, one.reading.event, Record()) for seq, one in enumerate(posted, 1))
        ahead.take(DealStarted(id_of(posted[0]), event.number), dealt(log, book))


def start_pile(
    store: EventStore,
    table: StreamInfo,
    expected: Expected,
    deals: Sequence[Sequence[Posted]],
    *,
    strict: bool,
    book: Book = PUBLISHED,
) -> StartedPile:
    """Stores the deals of a pile and the table's entries of them: all, or none.

    Raises `Misplaced`, `AgainstTheRules` where ``strict``, or as the store does.
    """
    noted = []
    for posted in deals:
        noted.append(start_of(table, posted[0]))
        for one in posted[1:]:
            require_place(one, DEAL, opening=False)
    for posted in deals:
        require_room(id_of(posted[0]), (), [one.reading.event for one in posted])
    if strict:
        _require_lawful(store, table, deals, book)
    first, *rest = store.append(
        table.root,
        [
            Append(table.stream, expected, noted, most=ENTRIES),
            *(Append(id_of(one[0]), 0, [new_event(event) for event in one], DEAL, ENTRIES) for one in deals),
        ],
    )
    return StartedPile(first, tuple(rest))


def _require_lawful(
    store: EventStore, table: StreamInfo, deals: Sequence[Sequence[Posted]], book: Book
) -> None:
    """Raises `AgainstTheRules` for what is found at a deal that is new."""
    for posted in deals:
        is_new = not store.find(table.root, [id_of(posted[0])])
        if is_new and (found := refusals((), entries_after(0, posted), book)):
            raise AgainstTheRules(found, [posted[place(one.seq)[0] - 1].pointer for one in found])
