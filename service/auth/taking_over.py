"""What stands in a register is taken over where another place keeps the register from now on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from service.auth.file_keeping import InFile
from service.auth.keeping import Execute, Keeping

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
_AS_MADE: Final = {"grants": " ORDER BY rowid"}
"""A grant is made by one that was there before it."""
_LASTING: Final = {
    "grants": "SELECT id FROM grants WHERE NOT once OR spent",
    "members": "SELECT id FROM members",
}
"""What never goes from a register; an invitation that nobody has used may."""
_FORGOTTEN: Final = _COLUMNS["members"].index("forgotten_at")
_Rows: TypeAlias = dict[str, list[list[Any]]]


def take_over(kept: Keeping, file: Path) -> bool:
    """Takes the rows of the register in ``file`` over into one in which nobody stands yet.

    False where somebody does: then nothing is changed. Tokens, links and sessions go on. Raises as both do.
    """
    with closing(InFile(file)) as before, kept.changing() as execute:
        if any(kept.rows(f"SELECT 1 FROM {table} LIMIT 1") for table in ("grants", "members")):
            return False
        _fill(execute, _all_rows(before))
    return True


class Registered(NamedTuple):
    """How many grants a register holds, and how many members who were not forgotten."""

    grants: int
    members: int


def make_the_same(kept: Keeping, original: Keeping) -> Registered | None:
    """Makes a register the same as the original, of which it is an earlier state, or where nobody stands yet.

    None, and nothing is changed, where somebody stands in it who does not in the original. What was forgotten
    in the original leaves no trace in it. Raises as both do.
    """
    rows = _at_one_moment(original)
    with kept.changing() as execute:
        if not all(_are_among(kept.rows(query), rows[table]) for table, query in _LASTING.items()):
            return None
        for table in reversed(_COLUMNS):
            execute(f"DELETE FROM {table}")
        _fill(execute, rows)
        kept.to_be_cleaned()
    kept.clean()
    here = [row for row in rows["members"] if row[_FORGOTTEN] is None]
    return Registered(len(rows["grants"]), len(here))


def _are_among(ids: list[tuple[Any, ...]], rows: list[list[Any]]) -> bool:
    return {one for (one,) in ids} <= {row[0] for row in rows}


def _at_one_moment(kept: Keeping) -> _Rows:
    """All rows of a register, also while it is changed."""
    while True:
        state = kept.state()
        rows = _all_rows(kept)
        if kept.state() == state:
            return rows


def _all_rows(kept: Keeping) -> _Rows:
    return {table: list(_rows(kept, table, columns)) for table, columns in _COLUMNS.items()}


def _fill(execute: Execute, rows: _Rows) -> None:
    for table, columns in _COLUMNS.items():
        places = ", ".join("?" for _ in columns)
        for row in rows[table]:
            execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", row)


def _rows(kept: Keeping, table: str, columns: tuple[str, ...]) -> Iterator[list[Any]]:
    """The rows of a table, with flags as such: SQLite has numbers for them."""
    for row in kept.rows(f"SELECT {', '.join(columns)} FROM {table}{_AS_MADE.get(table, '')}"):
        yield [bool(value) if name in _FLAGS else value for name, value in zip(columns, row, strict=True)]
