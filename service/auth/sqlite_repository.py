"""A register's rows in an SQLite file, or in memory.

The file is small and seldom written, so it keeps to a rollback journal: several programs may have it open at
once.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from service.auth import register_file, sqlite_migrations
from service.auth.repository import StatementExecutor
from service.eventstore.errors import StoreClosed, StoreUnavailable
from service.eventstore.sqlite.connections import require_own_process, sqlite3, translate_error


class SqliteRepository:
    """Keeps the rows in the file at ``path``, which is made where there is none; None keeps them in memory.

    One connection, which one thread at a time has. Raises `NotAStore`, `StoreTooNew`, `StoreDamaged` and
    `StoreUnavailable` where the file cannot be used.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or Path("the register in memory")
        self._mutex = threading.RLock()
        self._pid = os.getpid()
        self._closed = False
        try:
            self._db = register_file.open_register_file(path)
            sqlite_migrations.migrate_register_file(self._db, str(self._path))
            register_file.require_valid_checksum_in_transaction(self._db, self._path)
            register_file.vacuum_if_marked(self._db)
        except sqlite3.Error as error:
            raise translate_error(error, self._path, "open") from error
        except OSError as error:
            raise StoreUnavailable(
                f"The register {self._path} cannot be made: {error.strerror}. "
                f"Choose a folder that this user may write to."
            ) from error

    def select_rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """See `AccessRepository.select_rows`."""
        with self._mutex:
            self._require_open()
            try:
                return self._db.conn.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise translate_error(error, self._path, "read") from error

    @contextmanager
    def transaction(self, best_effort: bool = False) -> Iterator[StatementExecutor]:
        """See `AccessRepository.transaction`. A file is nothing that is waited for long."""
        with self._mutex:
            self._require_open()
            if self._db.conn.in_transaction:
                yield self._db.execute
                return
            try:
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    register_file.require_valid_checksum(self._db, self._path)
                    yield self._db.execute
                    register_file.update_register_checksum(self._db)
                except BaseException:
                    self._db.conn.rollback()
                    raise
                self._db.conn.commit()
            except sqlite3.Error as error:
                if self._db.conn.in_transaction:
                    self._db.conn.rollback()
                raise translate_error(error, self._path, "change") from error

    def data_version(self) -> tuple[int, int]:
        """See `AccessRepository.data_version`."""
        with self._mutex:
            (version,) = self.select_rows("PRAGMA data_version")[0]
            return version, self._db.conn.total_changes

    def mark_for_vacuum(self) -> None:
        """See `AccessRepository.mark_for_vacuum`."""
        self._db.execute(register_file.MARK_FOR_VACUUM)

    def vacuum_if_marked(self) -> None:
        """See `AccessRepository.vacuum_if_marked`. Where that is hindered it is done when the register is
        next opened."""
        with self._mutex:
            register_file.vacuum_if_marked(self._db)

    def close(self) -> None:
        """See `AccessRepository.close`."""
        with self._mutex:
            self._closed = True
            self._db.conn.close()

    def _require_open(self) -> None:
        require_own_process(self._pid, self._path)
        if self._closed:
            raise StoreClosed(f"The register {self._path} is closed.")
