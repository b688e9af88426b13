"""How far the server behind a connection has come: a standby tells what its leader had a moment ago.

A connection is to one server for as long as it lasts, and what that has it keeps; another connection of the
same stock may be to another one. So each is asked for itself, and no more once it is known to be far enough.
"""

from __future__ import annotations

from typing import Final
from weakref import WeakKeyDictionary

from service.eventstore.errors import StandbyLagging
from service.eventstore.postgres.connections import Connection
from service.eventstore.postgres.tiles import select_head


class ReplayPositions:
    """The positions that connections are known to have reached."""

    def __init__(self) -> None:
        self._known_positions: Final[WeakKeyDictionary[Connection, int]] = WeakKeyDictionary()

    def require_position(self, connection: Connection, position: int) -> None:
        """Raise `StandbyLagging` where the server does not have the event at that position yet."""
        if self._known_positions.get(connection, 0) >= position:
            return
        self._known_positions[connection] = now = select_head(connection)
        if now < position:
            raise StandbyLagging(now, position)
