"""Logs for people to read: the members of the club in them called by name, where a record has their ids.

The names are put into the log, and not into its text: the notation then quotes what has to be quoted.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine import Log
from engine.core.cards import SEATS
from engine.core.events import DealOpened
from engine.core.log import Entry
from schemas.wire.event_reader import read_entry
from schemas.wire.event_writer import entry_object
from schemas.wire.wire_faults import WireError
from service.auth.grants import replace_member_ids

MemberNames = Mapping[str, str | None]
"""How members are called, by their ids; None for who was forgotten."""


def replace_ids_with_names(log: Log, names: MemberNames) -> Log:
    """The log with members called by name, also where a text speaks of them.

    Who was forgotten keeps the id; and so does who is called as another player of the deal: the two would be
    one in it. What is read from its text again names nobody of the club.
    """
    unambiguous_names = _unambiguous_names(log, names)
    return tuple(_name_entry(entry, unambiguous_names) for entry in log) if unambiguous_names else log


def _unambiguous_names(log: Log, names: MemberNames) -> dict[str, str]:
    openings = (entry.event for entry in log if isinstance(entry.event, DealOpened))
    players = {
        one for event in openings for one in (*map(event.players.at, SEATS), *event.players.sitting_out)
    }
    name_counts = Counter(name.casefold() for player in players for name in [names.get(player) or player])
    return {one: name for one, name in names.items() if name and name_counts[name.casefold()] <= 1}


def _name_entry(entry: Entry, names: MemberNames) -> Entry:
    try:
        return read_entry(_name_value(entry_object(entry), names), entry.seq)
    except WireError:
        # A text so long that it has no room for the names stays as it is.
        return entry


def _name_value(value: Any, names: MemberNames) -> Any:
    """A value of JSON with members called by name, wherever it has an id."""
    if isinstance(value, str):
        return replace_member_ids(value, names)
    if isinstance(value, list):
        return [_name_value(part, names) for part in value]
    if isinstance(value, dict):
        return {_name_value(key, names): _name_value(part, names) for key, part in value.items()}
    return value
