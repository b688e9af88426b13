"""Make the logs of a table and its deals from a sheet, and slips from such logs.

Ids are derived from what the slips say (UUIDs of version 5): the same sheet always gives the same bytes, and
a table names its deals.
"""

import re
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import orjson

from engine.core.cards import SEAT_NAMES, SEATS, SUIT_LETTERS, Suit
from engine.core.events import DealOpened, DealSettled, Event, NoteAdded, ResultRecorded
from engine.core.field_types import Players
from engine.core.log import Entry, EntryMetadata, Log, build_log
from engine.core.table_events import (
    DealStarted,
    PaymentMade,
    PenaltyGiven,
    PlayerJoined,
    SeatsSet,
    TableClosed,
    TableOpened,
    TableVoided,
)
from engine.fold import fold_all
from engine.play.history import effective
from engine.play.state import State, initial_state
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.scoring.score import Score, extras_from_cards, score
from engine.tables import EveningDeal, Table, fold_evening_deal, fold_table
from engine.tables.table import evolve_table
from schemas.notation.written_dates import parse_written_date
from schemas.spreadsheet.cell_parsers import recorded_contract_id
from schemas.spreadsheet.slip import Slip, SlipTable, SlipTableTerms
from schemas.wire.event_writer import entry_bytes, event_object

SLIP_ID_NAMESPACE: Final = uuid.UUID("6f0f4c5a-0f0b-5d0e-9a54-6c1e4d2b7a31")
"""The namespace of ids derived from slips."""

_match_slip_source: Final = re.compile(
    r"slip(?: of (?P<date>.+?))??(?:,? table (?P<table>.+))?", re.DOTALL
).fullmatch


class EveningLogs(NamedTuple):
    """The log of a table, and those of its readable deals, in their order."""

    table: Log
    deals: tuple[Log, ...]

    def json_lines(self) -> Iterator[bytes]:
        """The logs as JSON Lines: the table first."""
        for log in (self.table, *self.deals):
            for entry in log:
                yield entry_bytes(entry, omit_unknown=True) + b"\n"


def build_evening_logs(tables: Sequence[SlipTable]) -> list[EveningLogs]:
    """The logs of a sheet's tables. Two identical tables are still two."""
    seen: dict[bytes, int] = {}
    found = []
    for table in tables:
        deals = [_deal_events(slip, table.terms.opening) for slip in table.slips]
        content = _identifying_bytes(table, deals)
        seen[content] = seen.get(content, 0) + 1
        origin = uuid.uuid5(SLIP_ID_NAMESPACE, f"{seen[content]} {content.decode()}")
        found.append(_build_logs(table, deals, origin))
    return found


def list_evening_players(evening: EveningLogs) -> Iterator[str]:
    """The players whom the logs name, as the record has them now."""
    events = (entry.event for log in (evening.table, *evening.deals) for entry in effective(log).entries)
    for event in events:
        if isinstance(event, TableOpened | SeatsSet):
            yield from event.players
        elif isinstance(event, PlayerJoined):
            yield event.player
        elif isinstance(event, DealOpened):
            yield from (*map(event.players.at, SEATS), *event.players.sitting_out)


def _identifying_bytes(table: SlipTable, deals: Sequence[list[Event]]) -> bytes:
    """What identifies a table's games, as bytes; without notes, which not all who see an id may read."""
    slips = [
        [
            slip.number,
            slip.new_seating,
            slip.penalties,
            [event_object(event) for event in events if not isinstance(event, NoteAdded)],
        ]
        for slip, events in zip(table.slips, deals, strict=True)
    ]
    opening, first_dealer, is_closed = table.terms
    return orjson.dumps([event_object(opening), first_dealer, is_closed, slips])


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
    """Build a log whose opening has ``name`` as its id; a deal's names its ``table``."""
    first, *others = events
    if isinstance(first, DealOpened):
        first = replace(first, table=table)
    return (Entry(1, first, EntryMetadata(id=name)), *(Entry(seq, one) for seq, one in enumerate(others, 2)))


def _first_dealer_events(table: SlipTable) -> Iterator[SeatsSet]:
    """The first dealer, as stated or as in the first slip."""
    players, first = table.terms.opening.players, table.slips[0] if table.slips else None
    dealer = table.terms.first_dealer
    if dealer is None and first is not None and not first.new_seating:
        dealer = first.dealer
    if dealer is not None and (dealer in players or table.terms.first_dealer is not None):
        yield SeatsSet(players, dealer)


def _deal_events(slip: Slip, opening: TableOpened) -> list[Event]:
    """The events of a slip's deal; none for an unreadable slip."""
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
            source=format_slip_source("" if slip.date == opening.date else slip.date, slip.table),
            date=opening.date,
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
    """The source of a deal: "slip of 2026-11-19, table 2"."""
    date_phrase = f" of {date}" if date else ""
    table_phrase = f"{',' if date else ''} table {table}" if table else ""
    return f"slip{date_phrase}{table_phrase}" if date_phrase or table_phrase else None


def parse_slip_source(source: str | None) -> tuple[str, str]:
    """The date and the table in the source of a deal."""
    found = _match_slip_source(source or "")
    return (found.group("date") or "", found.group("table") or "") if found else ("", "")


GIVEN_UP_OUTCOMES: Final = ("bete", "codille")
"""Outcomes that a slip may state for an abandoned deal."""


class TableSlips(NamedTuple):
    """A table as slips, what of it no slip can say, and the name of each slip's deal at the table."""

    table: SlipTable
    omissions: tuple[str, ...]
    deals: tuple[str, ...]


def build_slips(
    log: Log, deals: Mapping[str, Log], book: RulesetBook = PUBLISHED_RULESETS
) -> TableSlips | None:
    """The slips of a table from its log and those of ``deals`` by name; None if it has no opening."""
    table = fold_table(log, book)
    return None if table is None else _SlipTableBuilder(table, deals, book).build(log)


class _SlipTableBuilder:
    def __init__(self, table: Table, log_by_deal: Mapping[str, Log], book: RulesetBook) -> None:
        self.table, self.log_by_deal, self.book = table, log_by_deal, book
        self.slips: list[Slip] = []
        self.slip_index_by_deal: dict[str, int] = {}
        self.omissions: Counter[str] = Counter()
        self.first_dealer: str | None = None

    def build(self, log: Log) -> TableSlips:
        opening_event = self.table.opening_event
        table = self.table._replace(players=opening_event.players, first_dealer=None, deals=())
        seated, has_earlier_deals = opening_event.players, False
        for entry in effective(log).entries:
            event = entry.event
            if isinstance(event, SeatsSet):
                has_earlier_deals = bool(self.slip_index_by_deal)
            table = evolve_table(table, entry)
            if isinstance(event, DealStarted):
                self.first_dealer = table.first_dealer if not self.slip_index_by_deal else self.first_dealer
                changed = has_earlier_deals or table.players != seated
                if self._add_deal(event, table.players if changed else ()):
                    seated, has_earlier_deals = table.players, False
            else:
                self._add_table_event(event)
        if not self.slip_index_by_deal:
            self.first_dealer = table.first_dealer
        if table.players != seated and self.slip_index_by_deal:
            self.omissions["a change of seats after the last deal"] += 1
        closed = any(isinstance(entry.event, TableClosed) for entry in effective(log).entries)
        slips = self._without_splitting_columns()
        first_dealer = self._first_dealer_to_state(slips)
        terms = SlipTableTerms(replace(opening_event, mode=None), first_dealer, closed)
        phrases = (f"{what} ({count} times)" if count > 1 else what for what, count in self.omissions.items())
        return TableSlips(SlipTable(terms, slips), tuple(phrases), tuple(self.slip_index_by_deal))

    def _without_splitting_columns(self) -> tuple[Slip, ...]:
        """The slips without dates and names of tables that would make several tables of one."""
        slips = tuple(self.slips)
        if _splits_table([slip.date for slip in slips]):
            self.omissions["a date that is not the same in every deal"] += 1
            slips = tuple(slip._replace(date="") for slip in slips)
        elif slips and parse_written_date(slips[0].date):
            slips = tuple(slip._replace(date=slips[0].date) for slip in slips)
        if _splits_table([slip.table for slip in slips]):
            self.omissions["the name of a table that is not the same in every deal"] += 1
            slips = tuple(slip._replace(table="") for slip in slips)
        return slips

    def _first_dealer_to_state(self, slips: tuple[Slip, ...]) -> str | None:
        """The first dealer, unless the first slip says it."""
        players = self.table.opening_event.players
        first = slips[0] if slips else None
        if first is not None and first.new_seating:
            return None
        if self.first_dealer is None and (not players or first is None or first.dealer is None):
            return None
        expected = self.first_dealer or players[-1]
        return None if first is not None and first.dealer == expected else expected

    def _add_table_event(self, event: Event) -> None:
        if isinstance(event, PaymentMade):
            self.omissions["a payment outside the deals"] += 1
        elif isinstance(event, PenaltyGiven):
            place = None if event.deal is None else self.slip_index_by_deal.get(event.deal)
            if place is None:
                self.omissions["penalty points outside the deals"] += 1
            else:
                penalties = (*self.slips[place].penalties, (event.player, event.points))
                self.slips[place] = self.slips[place]._replace(penalties=penalties)
        elif isinstance(event, NoteAdded):
            self.omissions["a note on the table"] += 1
        elif isinstance(event, TableVoided):
            self.omissions["that the table is set aside"] += 1

    def _add_deal(self, started: DealStarted, new_seating: tuple[str, ...]) -> bool:
        """Add the slip of a deal; False if its log is missing, or does not say who sat there."""
        log = self.log_by_deal.get(started.deal)
        if started.deal in self.slip_index_by_deal:
            return False
        folded = None if log is None else fold_evening_deal(log, self.book)
        opening_event = None if folded is None else folded.state.opening.event
        if log is None or folded is None or opening_event is None:
            self.omissions[f"deal {started.number}, whose record is not here"] += 1
            return False
        self.slip_index_by_deal[started.deal] = len(self.slips)
        result, exact = _find_result(folded.state, opening_event)
        if not exact:
            self.omissions[f"all that makes the payments of deal {started.number}"] += 1
        if folded.state.opening.rules.ruleset != self.table.rules.ruleset:
            self.omissions[f"that deal {started.number} has other rules than its table"] += 1
        slip = _build_slip(started.number, log, folded, opening_event, result)
        date = slip.date or self.table.opening_event.date or ""
        self.slips.append(slip._replace(new_seating=new_seating, date=date))
        return True


def _splits_table(cells: Sequence[str]) -> bool:
    """Whether the cells of a column, blank if the same as above, make several tables of one."""
    return any(cells) and {one for one in cells if one} != {cells[0]}


def _build_slip(
    number: int, log: Log, folded: EveningDeal, opening_event: DealOpened, result: ResultRecorded | None
) -> Slip:
    date, table = parse_slip_source(opening_event.source)
    settled, taken_over = folded.state.ending.settlement, folded.state.ending.substitutes
    notes = [
        entry.event.text
        for entry in effective(log).entries
        if isinstance(entry.event, NoteAdded) and entry.event.on is None
    ]
    return Slip(
        number=number,
        players=replace(opening_event.players, partners=()),
        date=opening_event.date or parse_written_date(date) or date,
        table=table,
        board=opening_event.board,
        dealer=opening_event.dealer,
        result=result,
        pool=opening_event.pool,
        reserved=opening_event.reserved,
        payments=() if settled is None else _payments_by_seat(settled.payments, opening_event.players),
        penalties=tuple(
            (taken_over[seat] or opening_event.players.at(SEATS[seat]), points)
            for seat, points in folded.penalties
        ),
        note="\n".join(notes),
    )


def _payments_by_seat(payments: tuple[tuple[str, int], ...], players: Players) -> tuple[tuple[str, int], ...]:
    """Payments with seats in place of the names of those who played."""
    seats = {players.at(seat): SEAT_NAMES[seat] for seat in SEATS}
    chips: Counter[str] = Counter()
    for name, amount in payments:
        chips[name if name in SEAT_NAMES else seats.get(name, name)] += amount
    return tuple(chips.items())


def _find_result(state: State, opening_event: DealOpened) -> tuple[ResultRecorded | None, bool]:
    """What a slip says of how a deal ended, and whether the deal pays what such a slip does."""
    deal_score = score(state)
    candidates = list(_list_candidate_results(state, deal_score))
    for result in candidates:
        if _pays_the_same(state, opening_event, result, deal_score):
            return result, True
    return candidates[0], False


def _list_candidate_results(state: State, deal_score: Score) -> Iterator[ResultRecorded | None]:
    """What a slip may say: what the deal's own slip said, with what its cards show."""
    ending, contract_state = state.ending, state.contract_state
    slip = ending.result or ResultRecorded()
    by_cards = deal_score.decided and bool(
        state.play.tricks or ending.claim or ending.abandonment or ending.surrender
    )
    primeras, estuches = extras_from_cards(state) if by_cards else (None, None)
    trump, contract = _known_trump(state, slip), contract_state.contract_id or slip.contract
    decided_otherwise = ending.is_voided or ending.ruling is not None or ending.result is None or by_cards
    result = ResultRecorded(
        outcome=deal_score.outcome if deal_score.decided and decided_otherwise else slip.outcome,
        declarer=slip.declarer if contract_state.declarer is None else contract_state.declarer,
        contract=None if contract is None else recorded_contract_id(contract, trump, state.opening.rules),
        trump=trump,
        tricks=tuple(zip(SEATS, deal_score.tricks, strict=True)) if by_cards else slip.tricks,
        slam=deal_score.slam or slip.slam,
        primeras=slip.primeras if primeras is None else primeras,
        estuches=slip.estuches if estuches is None else estuches,
    )
    if result == ResultRecorded():
        yield None
        return
    yield result
    if result.outcome == "abandoned":
        for outcome in GIVEN_UP_OUTCOMES:
            yield replace(result, outcome=outcome)


def _known_trump(state: State, slip: ResultRecorded) -> Suit | None:
    """The trump suit; None for two aces as only trumps, and for nolo."""
    trump = state.contract_state.trump
    return slip.trump if trump is None or trump >= len(SUIT_LETTERS) else trump


def _pays_the_same(
    state: State, opening_event: DealOpened, result: ResultRecorded | None, deal_score: Score
) -> bool:
    """Whether a deal known only by this slip pays what the deal itself pays."""
    if any(state.ending.substitutes):
        return False
    events: list[Event] = [opening_event] if result is None else [opening_event, result]
    computed = score(fold_all(build_log(events), initial_state(state.opening.book)))
    if (computed.decided, computed.payments) != (deal_score.decided, deal_score.payments):
        return False
    return (computed.pool and computed.pool.after) == (deal_score.pool and deal_score.pool.after)
