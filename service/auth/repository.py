"""What the register asks of whatever keeps its rows: SQLite, in a file or in memory, or PostgreSQL.

Its statements are written once, in the SQL that both know, with a ``?`` for each value. What the two do not
have in common stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

StatementExecutor: TypeAlias = Callable[..., object]
"""Executes a statement of a change, given with a sequence of its values where it has any."""


def insert_row(execute: StatementExecutor, table: str, row: Mapping[str, Any]) -> None:
    """Insert a row, given by its columns."""
    places = ", ".join("?" for _ in row)
    execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", tuple(row.values()))


class AccessRepository(Protocol):
    """Keeps the rows of a register. For any number of threads at once.

    Each method raises `StoreUnavailable` or `StoreDamaged` where disk, file or server fail, `StoreClosed`
    after `close`.
    """

    def select_rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What a query finds; within a change it sees what was changed."""

    def transaction(self, best_effort: bool = False) -> AbstractContextManager[StatementExecutor]:
        """One change for the length of a `with`, whole or not at all; a change within a change is part of it.

        Nobody else changes anything meanwhile, in whatever process. One that is made ``best_effort`` may be
        lost with the server, and need not be waited for: raises `StoreUnavailable` where that would take
        long.
        """

    def data_version(self) -> tuple[int, int]:
        """Two numbers that are others after every change, whoever made it, in whatever process."""

    def mark_for_vacuum(self) -> None:
        """Note, within a change, that what it erases is to leave no trace."""

    def vacuum_if_marked(self) -> None:
        """Take away the traces of what was erased, as far as that is for a program to do."""

    def close(self) -> None:
        """Let go of it. Twice is harmless."""
