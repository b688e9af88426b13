"""Connections to PostgreSQL: addresses, the connection pool, and the translation of errors.

Passwords never appear in messages: addresses are shown without them, and the driver's message on an
unreadable address is suppressed, as it may repeat the password.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from secrets import token_hex
from typing import Any, Final, LiteralString, TypeVar
from urllib.parse import quote, urlencode

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from service.eventstore.errors import StoreClosed, StoreDamaged, StoreError, StoreUnavailable

MIN_SERVER_VERSION: Final = 15
"""The oldest supported PostgreSQL version."""
MAX_CONNECTIONS: Final = 32
WAIT_TIMEOUT_SECONDS: Final = 10.0
"""Seconds to wait for a connection, or for a lock that another session holds."""
UNREACHABLE_TIMEOUT_SECONDS: Final = 0.4
"""Seconds to wait for a server that accepts no connections."""
UNREACHABLE_RETRY_SECONDS: Final = 1.0
"""Seconds during which nobody waits for a server that was found unreachable."""
_CONNECT_SECONDS: Final = 2
_POLL_SECONDS: Final = 0.1
_PAUSE_SECONDS: Final = 0.05
_LONGEST_PAUSE_SECONDS: Final = 0.4

APPLICATION_NAME: Final = "spadille"
"""With a suffix for each process, this identifies our sessions to the server."""
_OTHERS: Final = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE %s
        AND application_name <> current_setting('application_name')"""

Connection = psycopg.Connection[tuple[Any, ...]]
Outcome = TypeVar("Outcome")

_CONNECTION_LOST_CODES: Final = ("08", "57P")
"""Errors after which a connection is unusable: it broke, or the server is starting or stopping."""
_NO_ROOM: Final = "53100"
_NO_RIGHT: Final = "42501"
_NO_TABLE: Final = ("42P01", "42703", "42883", "3F000")
_READ_ONLY: Final = "25006"
_LOCKED: Final = "55P03"

_SESSION: Final = b"""
    SELECT set_config('default_transaction_isolation', 'read committed', false),
           set_config('lock_timeout', '%d', false),
           set_config('jit', 'off', false),
           set_config('enable_seqscan', 'off', false),
           set_config('plan_cache_mode', 'force_generic_plan', false),
           set_config('max_parallel_workers_per_gather', '0', false),
           CASE WHEN current_setting('synchronous_commit') = 'off'
                THEN set_config('synchronous_commit', 'on', false) END""" % int(WAIT_TIMEOUT_SECONDS * 1000)
"""Settings of each session. Acknowledged events are on the disk, whatever the server's default is. All our
queries have an index, and plans are reused: a plan made for a small table must not scan a large one, and
planning again each time, for sixteen partitions, takes longer than the query."""


_ENCODING: Final = "UTF8"
"""The encoding of the database and of the connection, whatever the environment says."""
_KEEPALIVE_OPTIONS: Final = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""If the server's machine disappears without notice, this detects it after twenty-five seconds, not after the
system's default of a quarter of an hour or more. A server that is slow to answer is not affected."""


class PostgresAddress:
    """The address of a store: ``postgresql://user@host:port/database``, with optional libpq parameters.

    Its text is the complete address without secrets, as it can be typed again. Raises `StoreUnavailable` if
    it cannot be parsed.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        try:
            self._parts = conninfo_to_dict(url)
        except psycopg.Error:
            raise _invalid_address_error() from None
        if _is_misread(url) or not _PORTS.fullmatch(str(self._parts.get("port") or "")):
            raise _invalid_address_error()

    @property
    def connect_options(self) -> dict[str, Any]:
        """Options of each connection: UTF-8, and settings that detect a lost server machine, unless the
        address sets them."""
        alive = {name: value for name, value in _KEEPALIVE_OPTIONS.items() if name not in self._parts}
        return {**alive, "client_encoding": _ENCODING}

    def __str__(self) -> str:
        part = {name: str(value) for name, value in self._parts.items() if value is not None}
        rest = {name: value for name, value in part.items() if name not in _SECRET}
        user = f"{quote(rest.pop('user'), safe='')}@" if "user" in rest else ""
        database = quote(rest.pop("dbname", ""), safe="")
        host = ""
        # The folder of a socket, several hosts, and an IPv6 address are written after the question mark.
        if not set(rest.get("host", "")) & set("/,:%"):
            host, port = rest.pop("host", ""), rest.pop("port", "")
            host += f":{port}" if port else ""
        query = urlencode(rest, safe="/,", quote_via=quote)
        return f"postgresql://{user}{host}/{database}{'?' if query else ''}{query}"


_SECRET: Final = frozenset({"password", "sslpassword"})
_PORTS: Final = re.compile(r"[0-9,]*")


def _is_misread(url: str) -> bool:
    """Whether libpq takes part of the password for something else, which would then be shown.

    This happens if the password contains an unescaped ``/`` or ``@`` instead of ``%2F`` or ``%40``.
    """
    authority, slash, path = url.partition("://")[2].partition("/")
    user, at, host = authority.partition("@")
    after_separator = f"{host if at else user}{slash}{path}"
    return "@" in after_separator.partition("?")[0]


def _invalid_address_error() -> StoreUnavailable:
    return StoreUnavailable(
        "The address of the store cannot be read. Expected: postgresql://user@host:5432/database, with "
        "special characters escaped as %20, such as %2F for a / and %40 for an @ in a password. The "
        "address is not shown here, because it may have a password."
    )


class _WritablePool(ConnectionPool[Connection]):
    """A pool whose connections are usable only while their server accepts writes."""

    @staticmethod
    def check_connection(conn: Connection) -> None:
        """Raise psycopg's error if the connection is no longer usable."""
        require_writable(conn)


class ServerUnreachable(PoolTimeout):
    """The server accepts no connections."""


class PostgresPool:
    """A pool of connections to one server, each lent to one thread at a time, in the process that created it.

    With ``writable``, connections are discarded when their server no longer accepts writes. Raises
    `StoreUnavailable` if no connection is free for ``timeout`` seconds, and sooner if the server accepts none
    (`UNREACHABLE_TIMEOUT_SECONDS`).
    """

    def __init__(
        self,
        address: PostgresAddress,
        max_size: int = MAX_CONNECTIONS,
        *,
        writable: bool = False,
        timeout: float = WAIT_TIMEOUT_SECONDS,
        application_name: str = APPLICATION_NAME,
    ) -> None:
        self._address = address
        self._pid = os.getpid()
        self._closed = False
        self._timeout_seconds = timeout
        self._mutex = threading.Lock()
        self._lent_count = 0
        self._unreachable_until = 0.0
        seconds = max(2, int(timeout))  # libpq accepts no less
        self._pool: ConnectionPool[Connection] = (_WritablePool if writable else ConnectionPool)(
            address.url,
            kwargs={
                "autocommit": True,
                "application_name": f"{application_name} {token_hex(4)}",
                "connect_timeout": _CONNECT_SECONDS,
                **address.connect_options,
            },
            # A failed attempt is given up immediately: the next caller starts another.
            reconnect_timeout=_POLL_SECONDS,
            configure=_configure_session,
            min_size=1,
            max_size=max_size,
            timeout=timeout,
            open=False,
            name=f"spadille {address}",
        )
        with self.translate_errors("opened"):
            _require_supported_server(address, seconds)
            self._pool.open()

    def require_open(self) -> None:
        """Raise `StoreClosed` if the store is closed or belongs to another process."""
        if os.getpid() != self._pid:
            raise StoreClosed(
                f"The store {self._address} was opened by process {self._pid} and cannot be used in process "
                f"{os.getpid()}, which was forked from it. Open the store after the fork."
            )
        if self._closed:
            raise StoreClosed(f"The store {self._address} is closed.")

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection for the duration of a `with`; each statement is its own transaction.

        The driver's errors are raised unchanged: `translate_errors` translates them.
        """
        self.require_open()
        connection = self._acquire()
        try:
            yield connection
        except psycopg.errors.ReadOnlySqlTransaction:
            connection.close()  # it is not reused: the next one may go to the new leader
            raise
        finally:
            with self._mutex:
                self._lent_count -= 1
            self._pool.putconn(connection)

    def _acquire(self) -> Connection:
        """A connection of the pool. Raises `PoolTimeout`, and `ServerUnreachable` if the server accepts
        none."""
        started_at = time.monotonic()
        if started_at < self._unreachable_until:
            raise ServerUnreachable("the connection to the server was lost")
        failures_before = self._count_failures()
        while True:
            try:
                connection = self._pool.getconn(timeout=min(_POLL_SECONDS, self._timeout_seconds))
            except PoolTimeout:
                waited_seconds = time.monotonic() - started_at
                if (
                    waited_seconds >= UNREACHABLE_TIMEOUT_SECONDS
                    and self._lent_count == 0
                    and self._count_failures() > failures_before
                ):
                    self._unreachable_until = time.monotonic() + UNREACHABLE_RETRY_SECONDS
                    raise ServerUnreachable("the connection to the server was lost") from None
                if waited_seconds >= self._timeout_seconds:
                    raise
            else:
                self._unreachable_until = 0.0
                with self._mutex:
                    self._lent_count += 1
                return connection

    def _count_failures(self) -> int:
        """The number of failed attempts to connect so far."""
        return self._pool.get_stats().get("connections_errors", 0)

    def retry(self, operation: str, action: Callable[[], Outcome]) -> Outcome:
        """The result of an action, which is repeated for ten seconds while its connections break.

        Errors are translated as by `translate_errors`.
        """
        deadline: float | None = None
        pause = _PAUSE_SECONDS
        while True:
            try:
                with self.translate_errors(operation):
                    return action()
            except StoreError as error:
                deadline = deadline or time.monotonic() + WAIT_TIMEOUT_SECONDS
                if not can_retry_on_new_connection(error.__cause__) or time.monotonic() > deadline:
                    raise
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
                self.discard_broken()

    def run_read(self, query: Callable[[Connection], Outcome]) -> Outcome:
        """The result of ``query`` with a connection; see `retry`."""

        def read() -> Outcome:
            with self.connection() as connection:
                return query(connection)

        return self.retry("read", read)

    def fetch_all(self, query: bytes | LiteralString, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query, read as `run_read` does."""
        return self.run_read(lambda connection: connection.execute(query, values, binary=True).fetchall())

    def discard_broken(self) -> None:
        """Discard unusable connections, for example after the server was restarted or another took over."""
        self._pool.check()

    @contextmanager
    def translate_errors(self, operation: str) -> Iterator[None]:
        """Translate the driver's errors into `StoreError`; ``operation`` names what failed."""
        try:
            yield
        except PoolClosed:
            raise StoreClosed(f"The store {self._address} is closed.") from None
        except psycopg.Error as error:
            raise translate_error(error, self._address, operation) from error

    def close(self) -> None:
        """Close all connections, lent ones when they are returned. Closing twice is harmless."""
        if os.getpid() == self._pid:
            self._closed = True
            self._pool.close()


def is_only_process(connection: Connection) -> bool:
    """Whether no other process has Spadille sessions open in this database."""
    return connection.execute(_OTHERS, (f"{APPLICATION_NAME} %",)).fetchone() == (0,)


def is_connection_lost(error: BaseException | None) -> bool:
    """Whether the connection is lost, so that the outcome of the current operation is unknown."""
    if not isinstance(error, psycopg.OperationalError) or isinstance(error, PoolTimeout):
        return False
    return error.sqlstate is None or error.sqlstate.startswith(_CONNECTION_LOST_CODES)


def can_retry_on_new_connection(error: BaseException | None) -> bool:
    """Whether to retry with another connection: this one is lost, or its server no longer accepts writes, as
    a former leader does not."""
    return is_connection_lost(error) or isinstance(error, psycopg.errors.ReadOnlySqlTransaction)


def advisory_lock_key(*names: str) -> int:
    """The number of the advisory lock on something, the same in every process."""
    digest = blake2b("\0".join(names).encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def translate_error(error: psycopg.Error, address: PostgresAddress, operation: str) -> StoreError:
    """The store error for a server error; ``operation`` is "opened", "read", "changed" or "written"."""
    code = error.sqlstate or ""
    unknown = _UNKNOWN if operation == "written" else ""
    if code in _NO_TABLE:
        return StoreDamaged(
            f"The store {address} lacks one of its tables or functions ({_error_summary(error)}). Check "
            "that the address names its database and schema; otherwise restore it from a backup."
        )
    if code == _NO_RIGHT:
        return StoreUnavailable(
            f"The store {address} could not be {operation}: this user has no right to it "
            f"({_error_summary(error)}). docs/scaling.md lists the rights that the user needs."
        )
    if code == _NO_ROOM:
        return StoreUnavailable(
            f"The disk of the server that has the store {address} is full. Free some space; the stored "
            f"events are safe.{unknown}"
        )
    if code == _READ_ONLY:
        return StoreUnavailable(f"{_TAKES_NO_WRITES.format(address)}{unknown}")
    if code == _LOCKED:
        return StoreUnavailable(
            f"The store {address} was locked by another session for {WAIT_TIMEOUT_SECONDS:.0f} seconds, "
            f"perhaps by a running copy.{unknown}"
        )
    if code.startswith(("23", "P0")):
        return StoreDamaged(
            f"The safeguards of the store {address} refused a change ({_error_summary(error)}): its "
            "contents contradict themselves. Keep a copy of it as it is, and restore it from a backup."
        )
    return StoreUnavailable(
        f"The store {address} could not be {operation} ({_error_summary(error)}).{unknown}"
    )


_TAKES_NO_WRITES: Final = (
    "The server at {} accepts no writes: it is a standby, or read-only. Name the leader."
)
_UNKNOWN: Final = (
    " This append was not acknowledged, and may or may not be stored: send it again with the same ids."
)


def require_writable(connection: Connection) -> None:
    """Raise psycopg's `ReadOnlySqlTransaction` if the server accepts no writes, as its first write would."""
    if connection.execute("SELECT current_setting('transaction_read_only')").fetchone() != ("off",):
        raise psycopg.errors.ReadOnlySqlTransaction("the server accepts no writes")


def _error_summary(error: psycopg.Error) -> str:
    """The server's message in one line, without the values that its detail may contain."""
    if isinstance(error, ServerUnreachable):
        return "the server accepts no connections; check that it runs and can be reached"
    if isinstance(error, PoolTimeout):
        return "no connection in time"
    message = error.diag.message_primary or str(error)
    return " ".join(message.split()) or type(error).__name__


def _configure_session(connection: Connection) -> None:
    connection.execute(_SESSION)


def _require_supported_server(address: PostgresAddress, seconds: int) -> None:
    """Raise `StoreUnavailable` if the server is too old or the database cannot store every name, and
    psycopg's error if there is no server."""
    with psycopg.connect(address.url, connect_timeout=seconds, **address.connect_options) as connection:
        version = connection.info.server_version // 10000
        encoding = connection.info.parameter_status("server_encoding")
    if version < MIN_SERVER_VERSION:
        raise StoreUnavailable(
            f"The server at {address} is PostgreSQL {version}; {MIN_SERVER_VERSION} or later is needed."
        )
    if encoding != _ENCODING:
        raise StoreUnavailable(
            f"The database at {address} keeps text in {encoding}, in which not every name can be written; "
            f"UTF8 is needed. Make it by CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0, and restore "
            f"into that what it holds."
        )
