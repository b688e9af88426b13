"""Chooses the store: the file in the data folder, or PostgreSQL if an address is given."""

from __future__ import annotations

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
MISSING_DRIVER_MESSAGE: Final = (
    "A store on PostgreSQL needs psycopg 3 with its pool, from the extra `postgres`: pip install "
    "--no-deps --require-hashes -r requirements-postgres.txt"
)


def open_store(path: Path, address: str | None = None) -> SqliteStore | PostgresStore:
    """Open the store at ``address`` for writing, or without an address the file at ``path``.

    Raises as those do, and `StoreUnavailable` if the PostgreSQL driver is not installed.
    """
    if address is None:
        return SqliteStore(path)
    try:
        from service.eventstore.postgres.store import PostgresStore
    except ImportError as error:
        raise StoreUnavailable(MISSING_DRIVER_MESSAGE) from error
    return PostgresStore(address)


def redact_address(address: str) -> str:
    """The address without its password, for display. Raises `StoreUnavailable` if it cannot be read, or if
    the PostgreSQL driver is not installed."""
    return str(_parse_address(address))


def remove_password(address: str) -> str:
    """The complete address without its password, as it can be typed again. Raises as `redact_address`
    does."""
    return _parse_address(address).without_password


def _parse_address(address: str) -> PostgresAddress:
    try:
        from service.eventstore.postgres.connections import PostgresAddress
    except ImportError as error:
        raise StoreUnavailable(MISSING_DRIVER_MESSAGE) from error
    return PostgresAddress(address)


def open_reader(path: Path, address: str | None = None) -> SqliteReader | PostgresReader:
    """As `open_store`, for reading only."""
    if address is None:
        return SqliteReader(path)
    try:
        from service.eventstore.postgres.store import PostgresReader
    except ImportError as error:
        raise StoreUnavailable(MISSING_DRIVER_MESSAGE) from error
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
