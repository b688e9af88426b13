"""A check of the register's file, without a change to it: whether a service could start on it."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlite_utils import Database

from service.auth.sqlite_repository import SqliteRepository, migrate_register_file
from service.eventstore.errors import StoreDamaged, StoreError, StoreUnavailable
from service.eventstore.sqlite.connections import copy_database, sqlite3, translate_error
from service.eventstore.sqlite.inspection import list_schema_objects

_JOURNAL_SUFFIX: Final = "-journal"


def require_intact_register(path: Path) -> None:
    """Raise `StoreDamaged` if the register at ``path`` is damaged, `NotAStore` or `StoreTooNew` if it is no
    register of this version, `StoreUnavailable` if it cannot be read.

    Opens a copy as the service opens the register, which compares the checksum over all rows.
    """
    with tempfile.TemporaryDirectory(prefix=".spadille-register-") as folder:
        copy = Path(folder) / path.name
        _copy_register_file(path, copy)
        try:
            _require_intact(copy)
        except StoreError as error:
            # Its messages name the copy.
            error.args = tuple(str(argument).replace(str(copy), str(path)) for argument in error.args)
            raise


def _copy_register_file(path: Path, target: Path) -> None:
    """Copy one state of the register, also while a service changes it.

    A killed program leaves a journal. A reader without write permission cannot apply it: then both files
    are copied, as nobody writes to them.
    """
    try:
        copy_database(path, target)
    except StoreUnavailable:
        journal = path.with_name(path.name + _JOURNAL_SUFFIX)
        if not journal.exists():
            raise
        shutil.copyfile(path, target)
        shutil.copyfile(journal, target.with_name(target.name + _JOURNAL_SUFFIX))


def _require_intact(path: Path) -> None:
    SqliteRepository(path).close()
    fresh_database = Database(memory=True)
    migrate_register_file(fresh_database, "")
    expected_objects = list_schema_objects(fresh_database.conn)
    try:
        with closing(sqlite3.connect(str(path))) as connection:
            messages = [message for (message,) in connection.execute("PRAGMA integrity_check(1)")]
            differing_names = {name for name, _ in list_schema_objects(connection) ^ expected_objects}
    except sqlite3.Error as error:
        raise translate_error(error, path, "read") from error
    faults = [message for message in messages if message != "ok"]
    if differing_names:
        faults.append(f"its tables or indices have changed: {', '.join(sorted(differing_names))}")
    if faults:
        raise StoreDamaged(
            f"The register {path} is damaged ({faults[0]}). Keep a copy of it as it is, and restore it "
            "from a backup. Or move it away and start a new one with spadille tokens make owner."
        )
