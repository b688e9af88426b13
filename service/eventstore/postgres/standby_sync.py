"""Delays the acknowledgement of events that were found stored until the synchronous standbys have them.

If a session is terminated while its commit waits, events become visible that no standby may have yet.
Therefore a commit of only a message, which waits like any other, follows what was seen.
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
    """Wait until the synchronous standbys have everything that was seen over this connection."""
    while True:
        with collect_warnings(connection) as warned:
            connection.execute(_MESSAGE)
        if not warned:
            return


@contextmanager
def collect_warnings(connection: Connection) -> Iterator[list[Diagnostic]]:
    """Collect the server's warnings: one of them says that waiting for a standby was cancelled."""
    warned: list[Diagnostic] = []
    connection.add_notice_handler(warned.append)
    try:
        yield warned
    finally:
        connection.remove_notice_handler(warned.append)
