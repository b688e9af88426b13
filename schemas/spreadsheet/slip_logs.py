"""A sheet's table as logs: the table's own and its deals', as if it had been recorded on the evening.

Ids are derived from what the slips say (UUIDs of version 5): the same sheet gives the same bytes every
time, and a deal is found by the table that started it.
"""

import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import orjson

from engine.core.events import DealOpened, DealSettled, Event, NoteAdded
from engine.core.log import Entry, EntryMetadata, Log
from engine.core.table_events import DealStarted, PenaltyGiven, SeatsSet, TableClosed, TableOpened
from schemas.spreadsheet.slip import Slip, SlipTable
from schemas.wire.event_writer import entry_bytes, event_object

SLIP_ID_NAMESPACE: Final = uuid.UUID("6f0f4c5a-0f0b-5d0e-9a54-6c1e4d2b7a31")
"""Of all ids that are derived from slips."""

_match_slip_source: Final = re.compile(
    r"slip(?: of (?P<date>.+?))??(?:,? table (?P<table>.+))?", re.DOTALL
).fullmatch


class EveningLogs(NamedTuple):
    """The log of a table, and those of its deals that could be read, in their order."""

    table: Log
    deals: tuple[Log, ...]

    def json_lines(self) -> Iterator[bytes]:
        """The logs as JSON Lines: the table first."""
        for log in (self.table, *self.deals):
            for entry in log:
                yield entry_bytes(entry, omit_unknown=True) + b"\n"


def build_evening_logs(tables: Sequence[SlipTable]) -> list[EveningLogs]:
    """The logs of a sheet's tables. Two tables that say the very same are still two."""
    seen: dict[bytes, int] = {}
    found = []
    for table in tables:
        deals = [_deal_events(slip, table.terms.opening) for slip in table.slips]
        content = _identifying_bytes(table, deals)
        seen[content] = seen.get(content, 0) + 1
        origin = uuid.uuid5(SLIP_ID_NAMESPACE, f"{seen[content]} {content.decode()}")
        found.append(_build_logs(table, deals, origin))
    return found


def _identifying_bytes(table: SlipTable, deals: Sequence[list[Event]]) -> bytes:
    """What a table's slips say of the games, as bytes that say nothing else.

    Notes are left out: ids are told to whoever may read the records, and notes are not.
    """
    slips = [
        [slip.number, slip.new_seating, slip.penalties, [event_object(one) for one in _without_notes(events)]]
        for slip, events in zip(table.slips, deals, strict=True)
    ]
    opening, first_dealer, is_closed = table.terms
    return orjson.dumps([event_object(opening), first_dealer, is_closed, slips])


def _without_notes(events: Sequence[Event]) -> Iterator[Event]:
    return (event for event in events if not isinstance(event, NoteAdded))


def _build_logs(table: SlipTable, deals: Sequence[list[Event]], origin: uuid.UUID) -> EveningLogs:
    names = [str(uuid.uuid5(origin, str(place))) for place in range(1, len(deals) + 1)]
    events: list[Event] = [table.terms.opening, *_first_dealer_events(table)]
    for name, slip in zip(names, table.slips, strict=True):
        if slip.new_seating:
            events.append(
                SeatsSet(slip.new_seating, slip.dealer if slip.dealer in slip.new_seating else None)
            )
        events.append(DealStarted(name, slip.number))
        events += [PenaltyGiven(player, points, name) for player, points in slip.penalties]
    if table.terms.is_closed:
        events.append(TableClosed())
    logs = [_build_log(deal, name, str(origin)) for deal, name in zip(deals, names, strict=True) if deal]
    return EveningLogs(_build_log(events, str(origin)), tuple(logs))


def _build_log(events: Sequence[Event], name: str, table: str | None = None) -> Log:
    """A log whose opening has its stream's name as its id, and names the table of a deal."""
    first, *others = events
    if isinstance(first, DealOpened):
        first = replace(first, table=table)
    return (Entry(1, first, EntryMetadata(id=name)), *(Entry(seq, one) for seq, one in enumerate(others, 2)))


def _first_dealer_events(table: SlipTable) -> Iterator[SeatsSet]:
    """Who deals first, as it is said, else as the first slip has it."""
    players, first = table.terms.opening.players, table.slips[0] if table.slips else None
    dealer = table.terms.first_dealer
    if dealer is None and first is not None and not first.new_seating:
        dealer = first.dealer
    if dealer is not None and (dealer in players or table.terms.first_dealer is not None):
        yield SeatsSet(players, dealer)


def _deal_events(slip: Slip, opening: TableOpened) -> list[Event]:
    """What a slip says, as the events of its deal; none where it could not be read."""
    if slip.players is None:
        return []
    events: list[Event] = [
        DealOpened(
            ruleset=opening.ruleset,
            players=slip.players,
            revision=opening.revision,
            switches=opening.switches,
            dealer=slip.dealer,
            pool=slip.pool,
            reserved=slip.reserved,
            number=slip.number,
            board=slip.board,
            source=format_slip_source(slip.date, slip.table),
        )
    ]
    if slip.result is not None:
        events.append(slip.result)
    if slip.payments:
        events.append(DealSettled(slip.payments))
    if slip.note:
        events.append(NoteAdded(slip.note))
    return events


def format_slip_source(date: str, table: str) -> str | None:
    """Where a deal is known from: "slip of 2026-11-19, table 2"."""
    date_phrase = f" of {date}" if date else ""
    table_phrase = f"{',' if date else ''} table {table}" if table else ""
    return f"slip{date_phrase}{table_phrase}" if date_phrase or table_phrase else None


def parse_slip_source(source: str | None) -> tuple[str, str]:
    """The date and the table that a slip's source names."""
    found = _match_slip_source(source or "")
    return (found.group("date") or "", found.group("table") or "") if found else ("", "")
