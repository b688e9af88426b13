"""What the deals below an evening's log take from it: the rules, and who sits where, by who deals."""

from typing import Any, NamedTuple

from engine.core.log import Log
from engine.core.table_events import PlayerJoined, PlayerLeft, SeatsSet, TableOpened
from engine.rulesets import PUBLISHED_RULESETS
from engine.tables.seating import seat_players
from schemas.wire.event_writer import entry_object


class EveningDefaults(NamedTuple):
    """An evening's opening as JSON has it, and who sits at the table, in the order of play.

    ``players`` is empty where they change during the evening: then nobody can tell who sits in a deal.
    """

    opening: dict[str, Any]
    players: tuple[str, ...]


def find_evening_defaults(log: Log) -> EveningDefaults | None:
    """The evening whose log this is; None where it is a deal's, or nothing."""
    if not log or not isinstance(log[0].event, TableOpened):
        return None
    events = [entry.event for entry in log]
    seats = [event.players for event in events if isinstance(event, SeatsSet)]
    changes = len(seats) > 1 or any(isinstance(event, PlayerJoined | PlayerLeft) for event in events)
    players = () if changes else (seats or [log[0].event.players])[0]
    return EveningDefaults(entry_object(log[0], omit_unknown=True), tuple(players))


def fill_from_evening(obj: dict[str, Any], defaults: EveningDefaults) -> None:
    """Puts into the opening of a deal what it leaves out and the evening tells.

    The rules go together: with a ruleset of its own a deal has its own revision and switches.
    """
    if "ruleset" not in obj:
        for name in ("ruleset", "revision", "switches"):
            if name in defaults.opening and name not in obj:
                obj[name] = defaults.opening[name]
    rules = next(
        (one.ruleset for one in reversed(PUBLISHED_RULESETS) if one.ruleset.id == obj.get("ruleset")), None
    )
    if "players" in obj or rules is None or "dealer" not in obj:
        return
    seating = seat_players(defaults.players, obj["dealer"], rules)
    if seating is not None:
        forehand, middlehand, backhand = seating.active
        obj["players"] = {"forehand": forehand, "middlehand": middlehand, "backhand": backhand}
        if seating.sitting_out:
            obj["players"]["sitting_out"] = list(seating.sitting_out)
