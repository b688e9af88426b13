"""Copying a register to another place that keeps it from now on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from service.auth.repository import AccessRepository, insert_row
from service.auth.sqlite_repository import SqliteRepository

_COLUMNS: Final = {
    "grants": (
        "id", "token_digest", "role", "scope", "scope_id", "seat", "person", "label", "expires_at", "once",
        "public", "title", "made_at", "made_by", "used_on", "revoked_at", "spent",
    ),
    "sessions": ("id", "secret_digest", "made_at", "expires_at", "used_on"),
    "session_grants": ("session_id", "grant_id"),
    "members": ("id", "name", "short", "joined", "note", "forgotten_at"),
}  # fmt: skip
_FLAGS: Final = frozenset({"once", "public", "spent"})
_ORDER_BY: Final = {"grants": " ORDER BY rowid"}
"""A grant refers to an earlier one, by which it was made."""
_PERMANENT_ID_QUERIES: Final = {
    "grants": "SELECT id FROM grants WHERE NOT once OR spent",
    "members": "SELECT id FROM members",
}
"""Rows that are never deleted; an unused invitation may be."""
_FORGOTTEN_AT_INDEX: Final = _COLUMNS["members"].index("forgotten_at")
_TableRows: TypeAlias = dict[str, list[list[Any]]]


def copy_register_file_if_empty(target: AccessRepository, source_path: Path) -> bool:
    """Copy the register in ``source_path``, tokens and sessions included, into one that holds nobody yet.

    False, and nothing changes, if it holds somebody. Raises as both do.
    """
    with closing(SqliteRepository(source_path)) as source, target.transaction():
        if any(target.select_rows(f"SELECT 1 FROM {table} LIMIT 1") for table in ("grants", "members")):
            return False
        return copy_register(target, source) is not None


class RegisterCounts(NamedTuple):
    """How many grants a register holds, and how many members who were not erased."""

    grants: int
    members: int


def copy_register(target: AccessRepository, source: AccessRepository) -> RegisterCounts | None:
    """Make a register the same as ``source``, of which it is an earlier state, or empty.

    None, and nothing changes, if it holds somebody who is not in ``source``. People erased from the source
    leave no trace in the target. Raises as both do.
    """
    rows = _read_consistent_rows(source)
    with target.transaction(erases=True) as execute:
        for table, query in _PERMANENT_ID_QUERIES.items():
            if not {one for (one,) in target.select_rows(query)} <= {row[0] for row in rows[table]}:
                return None
        for table in reversed(_COLUMNS):
            execute(f"DELETE FROM {table}")
        for table, columns in _COLUMNS.items():
            for row in rows[table]:
                insert_row(execute, table, dict(zip(columns, row, strict=True)))
    current_members = [row for row in rows["members"] if row[_FORGOTTEN_AT_INDEX] is None]
    return RegisterCounts(len(rows["grants"]), len(current_members))


def _read_consistent_rows(source: AccessRepository) -> _TableRows:
    """All rows of one state of a register, also while it changes."""
    while True:
        version = source.data_version()
        rows = {table: list(_read_table(source, table, columns)) for table, columns in _COLUMNS.items()}
        if source.data_version() == version:
            return rows


def _read_table(source: AccessRepository, table: str, columns: tuple[str, ...]) -> Iterator[list[Any]]:
    """The rows of a table, with booleans where SQLite has numbers."""
    for row in source.select_rows(f"SELECT {', '.join(columns)} FROM {table}{_ORDER_BY.get(table, '')}"):
        yield [bool(value) if name in _FLAGS else value for name, value in zip(columns, row, strict=True)]
