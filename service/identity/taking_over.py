"""What stood in a register's file is taken over where another place keeps the register from now on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from service.identity.file_keeping import InFile
from service.identity.keeping import Keeping

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


def take_over(kept: Keeping, file: Path) -> bool:
    """Takes the rows of the register in ``file`` over into one in which nobody stands yet.

    False where somebody does: then nothing is changed. Tokens, links and sessions go on. Raises as both do.
    """
    with closing(InFile(file)) as before, kept.changing() as execute:
        if any(kept.rows(f"SELECT 1 FROM {table} LIMIT 1") for table in ("grants", "members")):
            return False
        for table, columns in _COLUMNS.items():
            places = ", ".join("?" for _ in columns)
            for row in _rows(before, table, columns):
                execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", row)
    return True


def _rows(kept: InFile, table: str, columns: tuple[str, ...]) -> Iterator[list[Any]]:
    """The rows of a table, with flags as such: SQLite has numbers for them."""
    for row in kept.rows(f"SELECT {', '.join(columns)} FROM {table}{_AS_MADE.get(table, '')}"):
        yield [bool(value) if name in _FLAGS else value for name, value in zip(columns, row, strict=True)]
