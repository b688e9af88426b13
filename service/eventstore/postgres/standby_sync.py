"""What was found to be stored is acknowledged when the standbys that are waited for have it, too.

A session that is ended while its commit waits lets be seen what no standby may have yet. So a commit of
nothing but a message, which waits as any other, comes after what was seen.
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
