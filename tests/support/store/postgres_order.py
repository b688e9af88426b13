"""An insert whose transaction the test ends."""

from service.eventstore import Append, appending
from service.eventstore.clock import utc_now
from service.eventstore.postgres.connections import Connection
from service.eventstore.postgres.rows import KeysAtHand
from service.eventstore.postgres.statement import insert, versions_of


def insert_in(connection: Connection, root: str, append: Append) -> bool:
    """Write as the store does, in a transaction that the test ends as it likes."""
    streams = versions_of(connection, [append.stream])
    plans = appending.plan(root, [append], streams, {}, utc_now())
    return insert(connection, "public", root, plans, KeysAtHand())
