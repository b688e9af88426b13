"""A check of the register's file, without a change to it: whether a service could start on it."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlite_utils import Database

from service.auth import migrations
from service.auth.register import Register
from service.eventstore.errors import StoreDamaged, StoreError, StoreUnavailable
from service.eventstore.sqlite.connections import Readers, sqlite3, told
from service.eventstore.sqlite.inspection import schema_of

_MESSAGES: Final = 20
_JOURNAL: Final = "-journal"


def require_sound_register(path: Path) -> None:
    """Raise `StoreDamaged` where the register at ``path`` is damaged, `NotAStore` and `StoreTooNew` where it
    is no register of this version, `StoreUnavailable` where it cannot be read.

    A copy is opened as the service opens the register, and every row is read. The file stays as it is.
    """
    with tempfile.TemporaryDirectory(prefix=".spadille-register-") as folder:
        copy = Path(folder) / path.name
        _copy(path, copy)
        try:
            _require_sound(copy)
        except StoreError as error:
            # Its sentences name the copy.
            error.args = tuple(str(said).replace(str(copy), str(path)) for said in error.args)
            raise


def _copy(path: Path, to: Path) -> None:
    """Copy the register as it stands at one moment, also while a service changes it.

    A journal is left where a program was ended by force. Whoever may only read cannot apply it: then both
    files are copied, as nobody writes to them.
    """
    readers = Readers(path)
    try:
        with readers.lend() as connection, closing(sqlite3.connect(str(to))) as copy:
            connection.backup(copy)
    except StoreUnavailable:
        journal = path.with_name(path.name + _JOURNAL)
        if not journal.exists():
            raise
        shutil.copyfile(path, to)
        shutil.copyfile(journal, to.with_name(to.name + _JOURNAL))
    finally:
        readers.close()


def _require_sound(path: Path) -> None:
    with Register(path) as register:
        for grant in register.grants():
            if fault := grant.terms.fault():
                raise _damaged(path, f"a grant in it cannot be: {fault}")
        register.sessions()
        register.members()
    pristine = Database(memory=True)
    migrations.bring_up(pristine, "")
    try:
        with closing(sqlite3.connect(str(path))) as connection:
            for (said,) in connection.execute(f"PRAGMA integrity_check({_MESSAGES})"):
                if said != "ok":
                    raise _damaged(path, str(said))
            if other := sorted({name for name, _ in schema_of(connection) ^ schema_of(pristine.conn)}):
                raise _damaged(path, f"other tables or indices than it was made with: {', '.join(other)}")
    except sqlite3.Error as error:
        raise told(error, path, "read") from error


def _damaged(path: Path, said: str) -> StoreDamaged:
    return StoreDamaged(
        f"The register {path} is damaged ({said}). Keep a copy of it as it is, and restore it from a backup; "
        f"or move it away and begin a new one with spadille tokens make owner."
    )
