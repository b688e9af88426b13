"""What is missing of an evening: numbers that no deal has, ends and closings of deals (RULES 9)."""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.core.events import DealClosed
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.core.message import format_message
from engine.core.table_events import DealStarted
from engine.play.findings import Finding, build_finding
from engine.play.history import effective
from engine.play.state import FINISHED
from engine.tables.evening_deal import EveningDeal
from engine.tables.ledger import Ledger, LedgerLine, TableFinding

RULE: Final = "9. Record"


def find_missing_numbers(log: Log) -> Iterator[Finding]:
    """A finding for each gap in the numbers, up to the highest, at the table's entry of the deal behind it.

    ``log`` is the table's. Two games at a table count together. A number whose deal was taken back, as it
    was entered twice, is accounted for.
    """
    before, withdrawn = 0, withdrawn_numbers(log)
    for number, seq in sorted(_list_started_deals(log), key=lambda one: one[0]):
        left_out = [one for one in range(before + 1, number) if one not in withdrawn]
        before = number
        if not left_out:
            continue
        first, last = left_out[0], left_out[-1]
        message = format_message(
            "There is no deal number {first}; number {following} comes next.", first=first, following=number
        )
        if last > first:
            message = format_message(
                "There are no deals number {first} to {last}; number {following} comes next.",
                first=first,
                last=last,
                following=number,
            )
        yield build_finding(seq, "number_missing", message, RULE)


def withdrawn_numbers(log: Log) -> frozenset[int]:
    """The numbers under which deals were started that were taken back since; ``log`` is the table's."""
    started = {entry.event.number for entry in log if isinstance(entry.event, DealStarted)}
    return frozenset(started - {number for number, _ in _list_started_deals(log)})


def find_unfinished_deals(
    ledger: Ledger, logs: Mapping[str, Log], deals: Mapping[str, EveningDeal]
) -> Iterator[TableFinding]:
    """The deals whose end or closing was not recorded although the table went on, at their last entry.

    ``ledger`` is as the table has it; ``logs`` and ``deals`` are its deals by their streams' names, as
    recorded and folded. A closing is missed only where cards were played, and another such deal of the table
    was closed: many tables close none.
    """
    played = {name for name in logs if deals[name].state.play.tricks}
    closed = {name for name in played if _is_closed(logs[name])}
    for name, line in _list_followed_deals(ledger):
        if name not in logs or not logs[name]:
            continue
        last = (effective(logs[name]).entries or logs[name])[-1].seq
        if not line.is_decided and deals[name].state.phase != FINISHED and not _is_closed(logs[name]):
            message = format_message(
                "The record of this deal ends before the deal does, and the table went on."
            )
        elif closed and name in played - closed:
            message = format_message("This deal was never closed, as others of this table were.")
        else:
            continue
        yield TableFinding(name, build_finding(last, "deal_unfinished", message, RULE))


def _is_closed(log: Log) -> bool:
    """Whether a deal was ever closed, also where a correction came later and it no longer is."""
    replaced = effective(log).replaced_seqs
    return any(isinstance(entry.event, DealClosed) and entry.seq not in replaced for entry in log)


def _list_followed_deals(table: Ledger) -> Iterator[tuple[str, LedgerLine]]:
    """The deals behind which another of the same game was started; all, where the evening is over."""
    dealt = [(line.deal, line) for line in table.lines if line.deal is not None]
    last = {line.game: name for name, line in dealt}
    return ((name, line) for name, line in dealt if table.is_closed or last[line.game] != name)


def _list_started_deals(log: Log) -> Iterator[tuple[int, Seq]]:
    """The numbers of the deals, each with the table's entry that started it."""
    for entry in effective(log).entries:
        if isinstance(entry.event, DealStarted):
            yield entry.event.number, entry.seq
