"""A check of the register's file, without a change to it: whether a service could start on it."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlite_utils import Database

from service.auth import sqlite_migrations
from service.auth.access_register import AccessRegister
from service.eventstore.errors import StoreDamaged, StoreError, StoreUnavailable
from service.eventstore.sqlite.connections import ReaderPool, sqlite3, translate_error
from service.eventstore.sqlite.inspection import list_schema_objects

_MAX_INTEGRITY_MESSAGES: Final = 20
_JOURNAL_SUFFIX: Final = "-journal"


def require_intact_register(path: Path) -> None:
    """Raise `StoreDamaged` where the register at ``path`` is damaged, `NotAStore` and `StoreTooNew` where it
    is no register of this version, `StoreUnavailable` where it cannot be read.

    A copy is opened as the service opens the register, and every row is read. The file stays as it is.
    """
    with tempfile.TemporaryDirectory(prefix=".spadille-register-") as folder:
        copy = Path(folder) / path.name
        _copy_register_file(path, copy)
        try:
            _require_intact(copy)
        except StoreError as error:
            # Its sentences name the copy.
            error.args = tuple(str(argument).replace(str(copy), str(path)) for argument in error.args)
            raise


def _copy_register_file(path: Path, target: Path) -> None:
    """Copy the register as it stands at one moment, also while a service changes it.

    A journal is left where a program was ended by force. Whoever may only read cannot apply it: then both
    files are copied, as nobody writes to them.
    """
    readers = ReaderPool(path)
    try:
        with readers.connection() as connection, closing(sqlite3.connect(str(target))) as copy:
            connection.backup(copy)
    except StoreUnavailable:
        journal = path.with_name(path.name + _JOURNAL_SUFFIX)
        if not journal.exists():
            raise
        shutil.copyfile(path, target)
        shutil.copyfile(journal, target.with_name(target.name + _JOURNAL_SUFFIX))
    finally:
        readers.close()


def _require_intact(path: Path) -> None:
    with AccessRegister(path) as register:
        for grant in register.list_grants():
            if fault := grant.terms.find_fault():
                raise _build_damage_error(path, f"a grant in it cannot be: {fault}")
        register.list_sessions()
        register.list_members()
    fresh_database = Database(memory=True)
    sqlite_migrations.migrate_register_file(fresh_database, "")
    try:
        with closing(sqlite3.connect(str(path))) as connection:
            for (message,) in connection.execute(f"PRAGMA integrity_check({_MAX_INTEGRITY_MESSAGES})"):
                if message != "ok":
                    raise _build_damage_error(path, str(message))
            if differing_names := sorted(
                {
                    name
                    for name, _ in list_schema_objects(connection) ^ list_schema_objects(fresh_database.conn)
                }
            ):
                raise _build_damage_error(
                    path, f"other tables or indices than it was made with: {', '.join(differing_names)}"
                )
    except sqlite3.Error as error:
        raise translate_error(error, path, "read") from error


def _build_damage_error(path: Path, reason: str) -> StoreDamaged:
    return StoreDamaged(
        f"The register {path} is damaged ({reason}). Keep a copy of it as it is, and restore it from a "
        f"backup; or move it away and begin a new one with spadille tokens make owner."
    )
