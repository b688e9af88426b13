"""What was found to be stored is acknowledged when it is where it has to be: on the standbys, too.

A commit waits for the standbys, where the server is told to wait for them, and is seen by nobody before. But
a session that is ended while it waits, or a server that crashed and came back, lets be seen what no standby
may have yet. The server's log is written in order: so a commit of nothing but a message in it, which waits as
any other does, has all on the standbys that was seen before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from psycopg.errors import Diagnostic

from service.eventstore.postgres.connections import Connection

_MESSAGE: Final = """
    SELECT pg_logical_emit_message(true, 'spadille', '')
    WHERE current_setting('synchronous_standby_names') <> ''"""


def wait_for_standbys(connection: Connection) -> None:
    """Wait until the standbys that are waited for have all that was seen over this connection."""
    while True:
        with collect_warnings(connection) as warned:
            connection.execute(_MESSAGE)
        if not warned:
            return


@contextmanager
def collect_warnings(connection: Connection) -> Iterator[list[Diagnostic]]:
    """What the server warns of meanwhile: so it tells who waited for a standby that his wait was ended."""
    warned: list[Diagnostic] = []
    connection.add_notice_handler(warned.append)
    try:
        yield warned
    finally:
        connection.remove_notice_handler(warned.append)
