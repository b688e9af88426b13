"""Backups: all that the service keeps in one file, made while it runs, and put back.

A backup is a ZIP archive: the databases as SQLite copies them in one step, the key of the checkpoints, and
``manifest.json`` with size and SHA-256 of each. It holds names, hands and a secret: it is for the owner.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from service.auth.register import Register
from service.config.data_files import REGISTER_NAME, STORE_NAME
from service.eventstore import SqliteReader, StoreDamaged, StoreError, StoreUnavailable
from service.eventstore.clock import utc_now
from service.eventstore.private_files import make_folder, make_private
from service.eventstore.reached import Note
from service.eventstore.sqlite.connections import Readers, sqlite3, told
from service.transparency.keys import KEY_FILE

DATABASES: Final = (STORE_NAME, REGISTER_NAME)
KEPT: Final = (*DATABASES, KEY_FILE)
"""What the folder of the records holds; the store is always there."""
MANIFEST: Final = "manifest.json"
FORMAT: Final = "spadille-backup-1"
_LEFT_BEHIND: Final = tuple(f"{name}{end}" for name in DATABASES for end in ("-wal", "-journal"))
"""What a database leaves beside it when its program was ended by force; SQLite would put it into another
database of that name."""
_PUTTING_BACK: Final = ".putting-back"
_CHUNK: Final = 1 << 20
_LONGEST_MANIFEST: Final = 64 << 10


class BackupUnusable(Exception):
    """A backup cannot be made, or not put back; the sentence says why and what to do."""


class Backup(NamedTuple):
    """What a backup holds: when it was made (RFC 3339), how many events, which files."""

    made_at: str
    events: int
    files: tuple[str, ...]


def back_up(folder: Path, out: BinaryIO, beside: Path | None = None) -> Backup:
    """Writes a backup of what ``folder`` keeps; the service may be running.

    The copies that go into it lie in the folder ``beside`` until then, without it where temporary files lie.
    Raises `BackupUnusable` where there is no store, or one of its events is not as it was recorded; and as
    the store does: `StoreDamaged` where the file is not whole.
    """
    if not (folder / STORE_NAME).is_file():
        raise BackupUnusable(f"There is no store in {folder}.")
    with (
        tempfile.TemporaryDirectory(prefix=".spadille-backup-", dir=beside) as copies,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        SqliteReader(folder / STORE_NAME).close()  # it says where the store had come farther than it goes now
        files = {}
        for name in KEPT:
            path = folder / name
            if path.is_file():
                copy = Path(copies) / name
                (_copy_database if name in DATABASES else shutil.copyfile)(path, copy)
                archive.write(copy, name)
                files[name] = {"size": copy.stat().st_size, "sha256": _digest(copy)}
        with SqliteReader(Path(copies) / STORE_NAME) as store:
            store.require_sound()  # a damaged store must not take the place of an older, whole backup
            if (amiss := _event_amiss(store)) is not None:
                raise BackupUnusable(
                    f"{amiss} in the store in {folder} is not as it was recorded, and a damaged store is "
                    f"not backed up. See with spadille verify what else is damaged, and go back to an older "
                    f"backup."
                )
            events = store.head()
        made = Backup(utc_now(), events, tuple(files))
        manifest = {"format": FORMAT, "made_at": made.made_at, "events": events, "files": files}
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1) + "\n")
    return made


def _event_amiss(store: SqliteReader) -> str | None:
    """The first event that is not as it was recorded, or is not there: each row is held to its leaf hash."""
    versions: dict[str, int] = {}
    after = 0
    try:
        while page := store.follow(after):
            for event in page:
                due = versions.get(event.stream, 0) + 1
                if event.seq != due:
                    return f"Event {due} of {event.stream}"
                versions[event.stream] = due
            after = page[-1].position
    except StoreDamaged as error:
        return f"Event {error.seq} of {error.stream}"
    return None


def _copy_database(path: Path, to: Path) -> None:
    """Copies a database as it stands at one moment, also while another process writes to it."""
    readers = Readers(path)
    try:
        with readers.lend() as connection, closing(sqlite3.connect(str(to))) as copy:
            connection.backup(copy)
    finally:
        readers.close()


def restore(archive: BinaryIO, folder: Path) -> Backup:
    """Puts a backup into a folder that keeps nothing yet, wholly or not at all.

    Every session in it is ended: who was logged out since it was made is not to be in again.
    Raises `BackupUnusable` where the folder keeps something already, or the backup is not whole.
    """
    _clear_what_was_cut_off(folder)
    taken = [name for name in (*KEPT, *_LEFT_BEHIND) if (folder / name).exists()]
    if taken:
        raise BackupUnusable(
            f"{folder} keeps {' and '.join(taken)} already, and nothing is written over. Stop the service "
            f"and move them away first, or name another folder with --data."
        )
    try:
        make_folder(folder)
        with _beside(folder) as place:
            made = _unpack(archive, place, folder)
            events = _require_sound(place / STORE_NAME)
            if REGISTER_NAME in made.files:
                _end_sessions(place / REGISTER_NAME)
            note = Note(folder / STORE_NAME)
            note.remove()
            _put_in_place(place, folder, made.files)
            note.write(events)
            note.close()
    except OSError as error:
        raise BackupUnusable(f"{folder} cannot be written: {error.strerror or error}.") from error
    return made


def _put_in_place(place: Path, folder: Path, names: Iterable[str]) -> None:
    """Moves the files, the store last: with it the key and the grants are there that belong to it.

    While that goes on they lie in a folder by whose name a later restore knows that it was cut off.
    """
    going = place.rename(folder / _PUTTING_BACK)
    for name in sorted(names, key=lambda name: name == STORE_NAME):
        os.replace(going / name, folder / name)
    shutil.rmtree(going, ignore_errors=True)


def _clear_what_was_cut_off(folder: Path) -> None:
    """Takes away what a restore had put into the folder that was ended before it came to the store."""
    going = folder / _PUTTING_BACK
    if (folder / STORE_NAME).exists() or not (going / STORE_NAME).exists():
        return
    for name in KEPT:
        if not (going / name).exists():
            (folder / name).unlink(missing_ok=True)
    shutil.rmtree(going, ignore_errors=True)


@contextmanager
def _beside(folder: Path) -> Iterator[Path]:
    """A folder within it, for nobody else, that is gone in the end."""
    with tempfile.TemporaryDirectory(dir=folder, prefix=".restoring-") as place:
        yield Path(place)


def _unpack(archive: BinaryIO, place: Path, folder: Path) -> Backup:
    """Takes the files out of the archive, each held to its size and digest, for the owner of ``folder``."""
    try:
        with zipfile.ZipFile(archive) as packed:
            manifest = _manifest(packed)
            files: dict[str, dict[str, Any]] = manifest["files"]
            for name, stated in files.items():
                make_private(place / name, folder)
                _extract(packed, name, place / name, int(stated["size"]))
                if _digest(place / name) != stated["sha256"]:
                    raise BackupUnusable(f"{name} in this backup is damaged. Take another backup.")
            return Backup(str(manifest["made_at"]), int(manifest["events"]), tuple(files))
    # The last two: a compression that zipfile has not, contents that are encrypted or nested without end.
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise BackupUnusable(f"This is no backup of Spadille, or a damaged one: {error}.") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BackupUnusable("This is no backup of Spadille: its manifest cannot be read.") from error


def _manifest(packed: zipfile.ZipFile) -> dict[str, Any]:
    """What the archive says that it holds. Raises `BackupUnusable` where that is not what a backup has."""
    with packed.open(MANIFEST) as file:
        manifest: dict[str, Any] = json.loads(file.read(_LONGEST_MANIFEST))
    if str(manifest["format"]) != FORMAT:
        raise BackupUnusable(
            f"This backup is of the form {str(manifest['format'])[:40]}; this Spadille reads {FORMAT}. "
            f"Restore it with the version that made it, or a newer one."
        )
    strange = [name for name in manifest["files"] if name not in KEPT]
    if strange or STORE_NAME not in manifest["files"]:
        raise BackupUnusable("This is no backup of Spadille: it holds other files than a backup has.")
    return manifest


def _extract(packed: zipfile.ZipFile, name: str, to: Path, size: int) -> None:
    """Writes a file of the archive, no more of it than ``size`` and a byte."""
    with to.open("r+b") as file, packed.open(name) as source:
        left = size + 1
        while left > 0 and (chunk := source.read(min(_CHUNK, left))):
            file.write(chunk)
            left -= len(chunk)
        file.flush()
        os.fsync(file.fileno())


def _end_sessions(register: Path) -> None:
    try:
        with Register(register) as opened:
            for session in opened.sessions():
                opened.end_session(session.id)
    except StoreError as error:
        raise BackupUnusable(str(error)) from error


def _require_sound(store: Path) -> int:
    """How far the store has come. Raises `BackupUnusable` where SQLite finds it amiss, or an event is not as
    it was recorded."""
    try:
        with closing(sqlite3.connect(f"{store.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(1)")]
    except sqlite3.Error as error:
        raise BackupUnusable(str(told(error, store, "read"))) from error
    if found != ["ok"]:
        raise BackupUnusable(f"The store in this backup is damaged ({found[0]}). Take another backup.")
    try:
        with SqliteReader(store) as opened:
            amiss, events = _event_amiss(opened), opened.head()
    except StoreUnavailable:
        # Of an older version: each event is held to its hash when the service has brought it up to date.
        return 0
    if amiss is not None:
        raise BackupUnusable(f"{amiss} in this backup is not as it was recorded. Take another backup.")
    return events


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
