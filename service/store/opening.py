"""Which store it is: the file in the folder of the records, or PostgreSQL where an address is given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from service.store.errors import StoreUnavailable
from service.store.sqlite import SqliteReader, SqliteStore

if TYPE_CHECKING:
    from service.store.postgres import PostgresReader, PostgresStore

_NO_DRIVER: Final = (
    "A store on PostgreSQL needs psycopg 3 with its pool, which come with the extra `postgres`: "
    "pip install --require-hashes -r requirements-postgres.txt"
)


def open_store(path: Path, address: str | None = None) -> SqliteStore | PostgresStore:
    """The store at ``address`` opened for writing, or without one the file at ``path``.

    Raises as `SqliteStore` and `PostgresStore` do, and `StoreUnavailable` where what connects to PostgreSQL
    is not installed.
    """
    if address is None:
        return SqliteStore(path)
    try:
        from service.store.postgres import PostgresStore
    except ImportError as error:
        raise StoreUnavailable(_NO_DRIVER) from error
    return PostgresStore(address)


def shown_address(address: str) -> str:
    """The address as people are told it, without a password. Raises `StoreUnavailable` where it cannot be
    read, or what connects to PostgreSQL is not installed."""
    try:
        from service.store.postgres_connections import Address
    except ImportError as error:
        raise StoreUnavailable(_NO_DRIVER) from error
    return str(Address(address))


def open_reader(path: Path, address: str | None = None) -> SqliteReader | PostgresReader:
    """As `open_store`, for reading only."""
    if address is None:
        return SqliteReader(path)
    try:
        from service.store.postgres import PostgresReader
    except ImportError as error:
        raise StoreUnavailable(_NO_DRIVER) from error
    return PostgresReader(address)
