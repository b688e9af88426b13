"""The contract of what keeps a register's rows: SQLite, in a file or in memory, or PostgreSQL.

The register's statements are in the SQL that both know, with a ``?`` for each value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

StatementExecutor: TypeAlias = Callable[..., object]
"""Executes a statement of a transaction, with a sequence of its values if it has any."""


def insert_row(execute: StatementExecutor, table: str, row: Mapping[str, Any]) -> None:
    """Insert a row, given as its values by column."""
    places = ", ".join("?" for _ in row)
    execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", tuple(row.values()))


class AccessRepository(Protocol):
    """Keeps the rows of a register, for any number of threads.

    Each method raises `StoreUnavailable` or `StoreDamaged` if the disk, file or server fails, and
    `StoreClosed` after `close`.
    """

    def select_rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows that a query finds; in a transaction it sees the changes of that."""

    def transaction(
        self, best_effort: bool = False, erases: bool = False
    ) -> AbstractContextManager[StatementExecutor]:
        """One transaction for the length of a `with`; one inside another is part of that.

        No other process or thread changes anything in the meantime. With ``best_effort`` the change may get
        lost, and `StoreUnavailable` is raised instead of a long wait. With ``erases`` the old contents leave
        no trace in the file.
        """

    def data_version(self) -> tuple[int, int]:
        """Two numbers that differ after every change by any process."""

    def close(self) -> None:
        """Close files and connections. Closing twice is harmless."""
