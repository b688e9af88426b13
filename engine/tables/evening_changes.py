"""What changed during an evening and its records: who came later or left, and what was corrected."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.audit import Audit
from engine.core.events import CorrectionMade
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.core.message import Message, format_message
from engine.core.table_events import DealStarted, PlayerJoined, PlayerLeft
from engine.play.amendments import list_amendments
from engine.play.history import effective


class EveningChange(NamedTuple):
    """A change at an entry: of the deal ``number``, or None of the table's own log."""

    deal: str | None
    number: int | None
    seq: Seq
    message: Message


def list_evening_changes(
    log: Log, audits: Mapping[str, Audit], numbers: Mapping[str, int | None]
) -> Iterator[EveningChange]:
    """The changes of a table's own log, then those of its deals, which have ``numbers``."""
    history, last_number = effective(log), 0
    for seq, event, _ in history.entries:
        if isinstance(event, DealStarted):
            last_number = event.number
        elif isinstance(event, PlayerJoined):
            yield EveningChange(None, None, seq, _describe_joining(event, last_number))
        elif isinstance(event, PlayerLeft):
            yield EveningChange(None, None, seq, _describe_leaving(event, last_number))
    for amendment in list_amendments(history):
        if isinstance(amendment.entry.event, CorrectionMade):
            reason = amendment.entry.event.reason
            message = format_message("The table's own log was corrected: {reason}", reason=reason)
            yield EveningChange(None, None, amendment.entry.seq, message)
    for deal, judged in audits.items():
        for amendment in list_amendments(judged.history):
            if isinstance(amendment.entry.event, CorrectionMade):
                number, reason = numbers.get(deal), amendment.entry.event.reason
                message = format_message(
                    "Deal {number} was corrected: {reason}", number=number or deal, reason=reason
                )
                yield EveningChange(deal, number, amendment.entry.seq, message)


def _describe_joining(event: PlayerJoined, last_number: int) -> Message:
    if not last_number:
        return format_message("{player} joined before the first deal.", player=event.player)
    return format_message("{player} joined after deal {number}.", player=event.player, number=last_number)


def _describe_leaving(event: PlayerLeft, last_number: int) -> Message:
    if not last_number:
        left = format_message("{player} left before the first deal", player=event.player)
    else:
        left = format_message("{player} left after deal {number}", player=event.player, number=last_number)
    if event.reason:
        return format_message("{left}: {reason}", left=left, reason=event.reason)
    return format_message("{left}.", left=left)
