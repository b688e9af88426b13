"""What stands in a register is taken over where another place keeps the register from now on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from service.auth.repository import AccessRepository, StatementExecutor, insert_row
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
"""A grant is made by one that was there before it."""
_PERMANENT_ID_QUERIES: Final = {
    "grants": "SELECT id FROM grants WHERE NOT once OR spent",
    "members": "SELECT id FROM members",
}
"""What never goes from a register; an invitation that nobody has used may."""
_FORGOTTEN_AT_INDEX: Final = _COLUMNS["members"].index("forgotten_at")
_TableRows: TypeAlias = dict[str, list[list[Any]]]


def copy_register_file_if_empty(target: AccessRepository, source_path: Path) -> bool:
    """Takes the rows of the register in ``source_path`` over into one in which nobody stands yet.

    False where somebody does: then nothing is changed. Tokens, links and sessions go on. Raises as both do.
    """
    with closing(SqliteRepository(source_path)) as source, target.transaction() as execute:
        if any(target.select_rows(f"SELECT 1 FROM {table} LIMIT 1") for table in ("grants", "members")):
            return False
        _insert_all_rows(execute, _read_all_rows(source))
    return True


class RegisterCounts(NamedTuple):
    """How many grants a register holds, and how many members who were not forgotten."""

    grants: int
    members: int


def copy_register(target: AccessRepository, source: AccessRepository) -> RegisterCounts | None:
    """Makes a register the same as the original, of which it is an earlier state, or where nobody stands yet.

    None, and nothing is changed, where somebody stands in it who does not in the original. What was forgotten
    in the original leaves no trace in it. Raises as both do.
    """
    rows = _read_consistent_rows(source)
    with target.transaction() as execute:
        if not all(
            _are_all_in(target.select_rows(query), rows[table])
            for table, query in _PERMANENT_ID_QUERIES.items()
        ):
            return None
        for table in reversed(_COLUMNS):
            execute(f"DELETE FROM {table}")
        _insert_all_rows(execute, rows)
        target.mark_for_vacuum()
    target.vacuum_if_marked()
    current_members = [row for row in rows["members"] if row[_FORGOTTEN_AT_INDEX] is None]
    return RegisterCounts(len(rows["grants"]), len(current_members))


def _are_all_in(ids: list[tuple[Any, ...]], rows: list[list[Any]]) -> bool:
    return {one for (one,) in ids} <= {row[0] for row in rows}


def _read_consistent_rows(source: AccessRepository) -> _TableRows:
    """All rows of a register, also while it is changed."""
    while True:
        state = source.data_version()
        rows = _read_all_rows(source)
        if source.data_version() == state:
            return rows


def _read_all_rows(source: AccessRepository) -> _TableRows:
    return {table: list(_read_table(source, table, columns)) for table, columns in _COLUMNS.items()}


def _insert_all_rows(execute: StatementExecutor, rows: _TableRows) -> None:
    for table, columns in _COLUMNS.items():
        for row in rows[table]:
            insert_row(execute, table, dict(zip(columns, row, strict=True)))


def _read_table(source: AccessRepository, table: str, columns: tuple[str, ...]) -> Iterator[list[Any]]:
    """The rows of a table, with flags as such: SQLite has numbers for them."""
    for row in source.select_rows(f"SELECT {', '.join(columns)} FROM {table}{_ORDER_BY.get(table, '')}"):
        yield [bool(value) if name in _FLAGS else value for name, value in zip(columns, row, strict=True)]
