"""Chooses the store: the file in the data folder, or PostgreSQL if an address is given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from service.eventstore.errors import NotAStore, StoreUnavailable
from service.eventstore.sqlite.store import SqliteReader, SqliteStore

if TYPE_CHECKING:
    from service.eventstore.postgres.connections import PostgresAddress
    from service.eventstore.postgres.replica import Standby
    from service.eventstore.postgres.store import PostgresReader, PostgresStore

STANDBY_TIMEOUT_SECONDS: Final = 1.0
"""Seconds to wait for a connection to the standby; after that the store itself answers."""


@contextmanager
def require_postgres_driver() -> Iterator[None]:
    """Raise `StoreUnavailable` if an import in the `with` fails, because the driver is not installed."""
    try:
        yield
    except ImportError as error:
        raise StoreUnavailable(
            "A store on PostgreSQL needs psycopg 3 with its pool, from the extra `postgres`: pip install "
            "--no-deps --require-hashes -r requirements-postgres.txt"
        ) from error


def open_store(path: Path, address: str | None = None) -> SqliteStore | PostgresStore:
    """Open the store at ``address`` for writing, or without an address the file at ``path``.

    Raises as those do, and `StoreUnavailable` if the PostgreSQL driver is not installed.
    """
    if address is None:
        return SqliteStore(path)
    with require_postgres_driver():
        from service.eventstore.postgres.store import PostgresStore
    return PostgresStore(address)


def remove_password(address: str) -> str:
    """The address without its password, for display, or to be typed again. Raises `StoreUnavailable` if it
    cannot be read, or if the PostgreSQL driver is not installed."""
    return str(_parse_address(address))


def _parse_address(address: str) -> PostgresAddress:
    with require_postgres_driver():
        from service.eventstore.postgres.connections import PostgresAddress
    return PostgresAddress(address)


def open_reader(path: Path, address: str | None = None) -> SqliteReader | PostgresReader:
    """As `open_store`, for reading only."""
    if address is None:
        return SqliteReader(path)
    with require_postgres_driver():
        from service.eventstore.postgres.store import PostgresReader
    return PostgresReader(address)


def open_standby(store: SqliteStore | PostgresStore, address: str) -> Standby:
    """Open a standby of the store at ``address``. If it is unavailable, this waits in the background.

    Raises as `PostgresReader` does if the server cannot be a standby, `StoreUnavailable` for an unreadable
    address, `NotAStore` if it has a different store, or a copy of this one that has diverged.
    """
    if isinstance(store, SqliteStore):
        raise NotAStore("A store in a file has no standby: SPADILLE_STORE_READS needs SPADILLE_STORE.")
    from service.eventstore.postgres.replica import Standby
    from service.eventstore.postgres.store import PostgresReader

    try:
        _parse_address(address)
    except StoreUnavailable as error:
        raise StoreUnavailable(f"SPADILLE_STORE_READS: {error}") from None

    def open_copy() -> PostgresReader:
        copy = PostgresReader(address, timeout=STANDBY_TIMEOUT_SECONDS)
        if copy.storage_identity() != store.storage_identity():
            copy.close()
            raise NotAStore(
                f"SPADILLE_STORE_READS must name a standby of the server in SPADILLE_STORE: {copy.address} "
                "is not one, even if it has a copy of the store."
            )
        return copy

    return Standby(open_copy)
