"""Logs for people, with the names of members instead of their ids.

The names go into the log, not into its text, so that the notation quotes what needs quotes.
"""

from collections import Counter
from collections.abc import Mapping

from engine import Log
from engine.core.cards import SEATS
from engine.core.events import DealOpened
from engine.core.log import Entry
from schemas.wire.event_reader import read_entry
from schemas.wire.event_writer import entry_object
from schemas.wire.json_text import map_strings
from schemas.wire.wire_faults import WireError
from service.auth.grants import replace_member_ids

MemberNames = Mapping[str, str | None]
"""The names of members by id; None for a forgotten one."""


def replace_ids_with_names(log: Log, names: MemberNames) -> Log:
    """The log with members by name, also in texts.

    Forgotten members keep their ids, as do members with the name of another player of the deal.
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
        named = map_strings(entry_object(entry), lambda text: replace_member_ids(text, names))
        return read_entry(named, entry.seq)
    except WireError:
        # A text without room for the names stays as it is.
        return entry
