"""Backups: all files of the service in one archive, made while it runs, and restored.

A backup is a ZIP archive with copies of the databases, the key of the checkpoints, and ``manifest.json`` with
the size and SHA-256 of each. It holds names, hands and a secret: it is for the owner.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from service.auth.access_register import AccessRegister
from service.config.data_files import AUTH_FILE_NAME, STORE_FILE_NAME
from service.eventstore import SqliteReader, StoreError, StoreUnavailable
from service.eventstore.clock import utc_now
from service.eventstore.head_file import HeadFile
from service.eventstore.private_files import create_private_file, create_private_folder
from service.eventstore.sqlite.connections import copy_database
from service.transparency.signing_keys import KEY_FILE_NAME
from service.transparency.store_verification import verify_store

DATABASE_FILES: Final = (STORE_FILE_NAME, AUTH_FILE_NAME)
BACKED_UP_FILES: Final = (*DATABASE_FILES, KEY_FILE_NAME)
"""The files in the folder of the records, of which only the store always exists."""
MANIFEST_NAME: Final = "manifest.json"
BACKUP_FORMAT: Final = "spadille-backup-1"
_STALE_JOURNAL_FILES: Final = tuple(f"{name}{end}" for name in DATABASE_FILES for end in ("-wal", "-journal"))
"""Files that a killed program leaves next to a database; SQLite would apply them to a new one."""
_RESTORE_FOLDER: Final = ".putting-back"
_MAX_MANIFEST_BYTES: Final = 64 << 10


class BackupError(Exception):
    """A backup cannot be made or restored; the sentence says why and what to do."""


class BackupInfo(NamedTuple):
    """When a backup was made (RFC 3339), its number of events, and its files."""

    made_at: str
    events: int
    files: tuple[str, ...]


def create_backup(folder: Path, output: BinaryIO, staging_folder: Path | None = None) -> BackupInfo:
    """Write a backup of ``folder``, through copies in ``staging_folder``; the service may be running.

    Raises `BackupError` without a store, or for an event that is not as recorded; `StoreDamaged`.
    """
    if not (folder / STORE_FILE_NAME).is_file():
        raise BackupError(f"There is no store in {folder}.")
    with (
        tempfile.TemporaryDirectory(prefix=".spadille-backup-", dir=staging_folder) as copies,
        zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        SqliteReader(folder / STORE_FILE_NAME).close()  # raises if the store has lost its last events
        files = {}
        for name in BACKED_UP_FILES:
            path = folder / name
            if path.is_file():
                copy = Path(copies) / name
                (copy_database if name in DATABASE_FILES else shutil.copyfile)(path, copy)
                archive.write(copy, name)
                files[name] = {"size": copy.stat().st_size, "sha256": _file_sha256(copy)}
        with SqliteReader(Path(copies) / STORE_FILE_NAME) as store:
            # A damaged store must not replace an older, whole backup.
            if (damage := _find_damage(store, f"the store in {folder}")) is not None:
                raise BackupError(
                    f"{damage}, and a damaged store is not backed up. Run spadille verify to see what else "
                    "is damaged, and restore an older backup."
                )
            events = store.head()
        info = BackupInfo(utc_now(), events, tuple(files))
        manifest = {"format": BACKUP_FORMAT, "made_at": info.made_at, "events": events, "files": files}
        archive.writestr(MANIFEST_NAME, json.dumps(manifest, indent=1) + "\n")
    return info


def _find_damage(store: SqliteReader, name: str) -> str | None:
    """The first thing that is not as it was recorded, in words; a missing safeguard is no damage."""
    for fault in verify_store(store.inspection()).faults:
        if fault.stream is not None:
            return f"Event {fault.version} of {fault.stream} in {name} is not as it was recorded"
        if fault.kind != "rule":
            details = ", ".join(map(str, fault.details.values()))
            return f"{name[0].upper()}{name[1:]} is damaged ({details or fault.code})"
    return None


def restore_backup(archive: BinaryIO, folder: Path) -> BackupInfo:
    """Restore a backup into a folder without data, completely or not at all.

    All sessions end, so that a later logout stays in force. Raises `BackupError` if the folder has data
    already, or the backup is not whole.
    """
    _remove_interrupted_restore(folder)
    existing_files = [name for name in (*BACKED_UP_FILES, *_STALE_JOURNAL_FILES) if (folder / name).exists()]
    if existing_files:
        raise BackupError(
            f"{folder} already holds {' and '.join(existing_files)}, and a restore overwrites nothing. "
            "Stop the service and move them away first, or name another folder with --data."
        )
    try:
        create_private_folder(folder)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".restoring-") as temporary_folder:
            staging_folder = Path(temporary_folder)
            info = _unpack(archive, staging_folder, folder)
            events = _require_intact(staging_folder / STORE_FILE_NAME)
            if AUTH_FILE_NAME in info.files:
                _end_sessions(staging_folder / AUTH_FILE_NAME)
            head_file = HeadFile(folder / STORE_FILE_NAME)
            head_file.remove()
            _move_into_place(staging_folder, folder, info.files)
            head_file.write(events)
            head_file.close()
    except OSError as error:
        raise BackupError(f"{folder} cannot be written: {error.strerror or error}.") from error
    return info


def _move_into_place(staging_folder: Path, folder: Path, names: Iterable[str]) -> None:
    """Move the files, the store last, from a folder whose name shows a later restore an interruption."""
    interrupted_folder = staging_folder.rename(folder / _RESTORE_FOLDER)
    for name in sorted(names, key=lambda name: name == STORE_FILE_NAME):
        os.replace(interrupted_folder / name, folder / name)
    shutil.rmtree(interrupted_folder, ignore_errors=True)


def _remove_interrupted_restore(folder: Path) -> None:
    """Remove the files of a restore that was interrupted before it came to the store."""
    interrupted_folder = folder / _RESTORE_FOLDER
    if (folder / STORE_FILE_NAME).exists() or not (interrupted_folder / STORE_FILE_NAME).exists():
        return
    for name in BACKED_UP_FILES:
        if not (interrupted_folder / name).exists():
            (folder / name).unlink(missing_ok=True)
    shutil.rmtree(interrupted_folder, ignore_errors=True)


def _unpack(archive: BinaryIO, staging_folder: Path, folder: Path) -> BackupInfo:
    """Extract the files, and check the size and digest of each; the owner of ``folder`` gets them."""
    try:
        with zipfile.ZipFile(archive) as packed:
            manifest = _read_manifest(packed)
            files: dict[str, dict[str, Any]] = manifest["files"]
            for name, stated in files.items():
                create_private_file(staging_folder / name, folder)
                with (staging_folder / name).open("r+b") as file, packed.open(name) as source:
                    shutil.copyfileobj(source, file)
                    file.flush()
                    os.fsync(file.fileno())
                if _file_sha256(staging_folder / name) != stated["sha256"]:
                    raise BackupError(f"{name} in this backup is damaged. Use another backup.")
            return BackupInfo(str(manifest["made_at"]), int(manifest["events"]), tuple(files))
    # The last two: an unknown compression; encrypted contents, or endlessly nested ones.
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise BackupError(f"This is not a backup of Spadille, or it is damaged: {error}.") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BackupError("This is not a backup of Spadille: its manifest cannot be read.") from error


def _read_manifest(packed: zipfile.ZipFile) -> dict[str, Any]:
    """The manifest of the archive. Raises `BackupError` if it is not one of a backup."""
    with packed.open(MANIFEST_NAME) as file:
        manifest: dict[str, Any] = json.loads(file.read(_MAX_MANIFEST_BYTES))
    if str(manifest["format"]) != BACKUP_FORMAT:
        raise BackupError(
            f"This backup has the format {str(manifest['format'])[:40]}; this Spadille reads "
            f"{BACKUP_FORMAT}. Restore it with the version that made it, or a newer one."
        )
    unexpected_files = [name for name in manifest["files"] if name not in BACKED_UP_FILES]
    if unexpected_files or STORE_FILE_NAME not in manifest["files"]:
        raise BackupError("This is not a backup of Spadille: it has other files than a backup.")
    return manifest


def _end_sessions(register: Path) -> None:
    try:
        with AccessRegister(register) as access_register:
            for session in access_register.list_sessions():
                access_register.end_session(session.id)
    except StoreError as error:
        raise BackupError(str(error)) from error


def _require_intact(store: Path) -> int:
    """The number of the store's events. Raises `BackupError` if it is not as it was recorded."""
    try:
        with SqliteReader(store) as reader:
            damage, events = _find_damage(reader, "the store in this backup"), reader.head()
    except StoreUnavailable:
        # Of an older version: the service checks each event when it updates the store.
        return 0
    except StoreError as error:
        raise BackupError(str(error)) from error
    if damage is not None:
        raise BackupError(f"{damage}. Use another backup.")
    return events


def _file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
