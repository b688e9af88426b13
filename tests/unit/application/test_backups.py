"""Backups: made while the store is written to, put back whole, refused where anything is amiss."""

import hashlib
import io
import json
import os
import stat
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from service.application.backup import (
    BACKUP_FORMAT,
    MANIFEST_NAME,
    BackupError,
    create_backup,
    restore_backup,
)
from service.auth.access_register import AccessRegister
from service.auth.grants import GrantTerms, Scope
from service.config.data_files import AUTH_FILE_NAME, STORE_FILE_NAME
from service.eventstore import NewEvent, SqliteStore, StreamAppend
from service.eventstore.sqlite.connections import PAGE_BYTES
from service.transparency.signing_keys import KEY_FILE_NAME
from tests.support.cli.deals import refusal, run
from tests.support.transparency.forging import forging

ROOT = "018f5e2a-7b1c-7d3e-9f40-000000000001"


def event(number: int) -> NewEvent:
    event_id = f"018f5e2a-7b1c-7d3e-9f40-{number:012d}"
    return NewEvent(event_id, orjson.dumps({"type": "note_added", "text": str(number), "id": event_id}))


def kept_in(folder: Path, events: int = 5) -> Path:
    """A folder with a store of so many events, and a key."""
    folder.mkdir(parents=True, exist_ok=True)
    with SqliteStore(folder / STORE_FILE_NAME) as store:
        store.append(ROOT, [StreamAppend(ROOT, 0, [event(n) for n in range(events)], "deal")])
    (folder / KEY_FILE_NAME).write_text("a secret")
    return folder


def backup_of(folder: Path) -> bytes:
    out = io.BytesIO()
    create_backup(folder, out)
    return out.getvalue()


def turned(store: bytes, number: int) -> bytes:
    """One event says something else, and SQLite finds nothing amiss with the file."""
    word, other = (f'"text":"{text}"'.encode() for text in (number, "x" * len(str(number))))
    assert word in store
    return store.replace(word, other)


def test_a_store_with_a_changed_or_missing_event_does_not_replace_an_older_backup(tmp_path: Path) -> None:
    club, file = kept_in(tmp_path / "club", 1200), tmp_path / "club.zip"
    assert run("backup", str(file), "--data", str(club)).exit_code == 0
    before = file.read_bytes()
    store = club / STORE_FILE_NAME
    store.write_bytes(turned(store.read_bytes(), 1100))
    says = refusal("backup", str(file), "--data", str(club))
    assert f"Event 1101 of {ROOT} in the store in {club} is not as it was recorded" in says
    assert file.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["club", "club.zip"]
    other = kept_in(tmp_path / "other")
    with forging(other / STORE_FILE_NAME) as execute:
        execute("DELETE FROM events WHERE position = 3")
    with pytest.raises(BackupError, match=f"Event 3 of {ROOT} in the store"):
        create_backup(other, io.BytesIO())


def test_a_backup_whose_store_is_damaged_or_changed_is_not_put_back(tmp_path: Path) -> None:
    backup = backup_of(kept_in(tmp_path / "club", 400))
    for change, says in (
        (lambda store: turned(store, 2), f"Event 3 of {ROOT} in the store in this backup"),
        (lambda store: store[: len(store) // 2 // PAGE_BYTES * PAGE_BYTES], "damaged"),
    ):
        with pytest.raises(BackupError, match=says):
            restore_backup(io.BytesIO(with_store(backup, change)), tmp_path / "again")
        assert not list((tmp_path / "again").iterdir())


def test_sessions_end_when_grants_come_back(tmp_path: Path) -> None:
    club, file, again = kept_in(tmp_path / "club"), tmp_path / "club.zip", tmp_path / "again"
    with AccessRegister(club / AUTH_FILE_NAME) as register:
        made = register.create_grant(GrantTerms("owner", Scope("everything")))
        assert made.token
        entered = register.create_session(made.token)
        assert run("backup", str(file), "--data", str(club)).exit_code == 0
        register.end_session(entered.session.id)
        register.revoke_grant(made.grant.id)
    told = run("restore", str(file), "--data", str(again))
    assert told.exit_code == 0
    assert "Grants that were revoked after" in told.stderr and "spadille tokens list" in told.stderr
    with AccessRegister(again / AUTH_FILE_NAME) as register:
        assert register.list_sessions() == []
        assert register.find_session_caller(entered.secret) is None
        assert [grant.id for grant in register.list_active_grants()] == [made.grant.id]


@pytest.mark.parametrize("moves", [0, 1], ids=["before the key", "before the store"])
def test_the_store_is_restored_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int) -> None:
    """Whoever is cut off between two files has no store without its key, and begins anew."""
    backup, again = backup_of(kept_in(tmp_path / "club")), tmp_path / "again"
    moved, move = list[str](), os.replace

    def ended_by_force(one: Path, to: Path) -> None:
        if len(moved) == moves:
            raise KeyboardInterrupt
        moved.append(to.name)
        move(one, to)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(os, "replace", ended_by_force)
        restore_backup(io.BytesIO(backup), again)
    assert moved == [KEY_FILE_NAME][:moves]
    assert not (again / STORE_FILE_NAME).exists()
    assert restore_backup(io.BytesIO(backup), again).events == 5
    kept = {KEY_FILE_NAME, STORE_FILE_NAME, f"{STORE_FILE_NAME}.head"}
    assert {one.name for one in again.iterdir()} == kept


def test_a_backup_that_is_made_meanwhile_holds_a_whole_beginning(tmp_path: Path) -> None:
    folder = kept_in(tmp_path / "club", 1)
    stop = threading.Event()

    def write() -> None:
        with SqliteStore(folder / STORE_FILE_NAME) as store:
            version = 1
            while not stop.is_set():
                store.append(ROOT, [StreamAppend(ROOT, version, [event(version)])])
                version += 1

    writing = threading.Thread(target=write)
    writing.start()
    try:
        backups = [backup_of(folder) for _ in range(5)]
    finally:
        stop.set()
        writing.join()
    for number, backup in enumerate(backups):
        made = restore_backup(io.BytesIO(backup), tmp_path / str(number))
        with SqliteStore(tmp_path / str(number) / STORE_FILE_NAME) as store:
            assert store.stream_version(ROOT) == store.head() == made.events


def repacked(backup: bytes, **changes: bytes | None) -> bytes:
    """The backup with some of its files changed, or left out."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(backup)) as before, zipfile.ZipFile(out, "w") as after:
        files = {name: before.read(name) for name in before.namelist()} | changes
        for name, data in files.items():
            if data is not None:
                after.writestr(name, data)
    return out.getvalue()


def with_store(backup: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """The backup with another store in it, of which its manifest says what is so."""
    with zipfile.ZipFile(io.BytesIO(backup)) as packed:
        store, told = change(packed.read(STORE_FILE_NAME)), json.loads(packed.read(MANIFEST_NAME))
    told["files"][STORE_FILE_NAME] = {"size": len(store), "sha256": hashlib.sha256(store).hexdigest()}
    return repacked(backup, **{STORE_FILE_NAME: store, MANIFEST_NAME: json.dumps(told).encode()})


def manifest(**fields: object) -> bytes:
    told = {"format": BACKUP_FORMAT, "made_at": "2026-11-21T10:00:00Z", "events": 1, **fields}
    return json.dumps(told).encode()


def test_a_backup_that_is_not_whole_puts_nothing_back(tmp_path: Path) -> None:
    backup = backup_of(kept_in(tmp_path / "club"))
    evil = {"../evil": {"size": 1, "sha256": "0"}, STORE_FILE_NAME: {"size": 1, "sha256": "0"}}
    newer = manifest(format="spadille-backup-9", files={})
    manifests = (None, b"[]", b"[" * 9_000, manifest(files={}))
    refused = [
        *((one, "not a backup") for one in (b"", backup[:-200], backup[: len(backup) // 2])),
        (repacked(backup, **{STORE_FILE_NAME: b"SQLite format 3\0 and then nothing"}), "is damaged"),
        (repacked(backup, **{STORE_FILE_NAME: None}), "not a backup"),
        *((repacked(backup, **{MANIFEST_NAME: one}), "not a backup") for one in manifests),
        (repacked(backup, **{MANIFEST_NAME: manifest(files=evil), "../evil": b"x"}), "not a backup"),
        (repacked(backup, **{MANIFEST_NAME: newer}), "has the format"),
    ]
    for number, (wrong, says) in enumerate(refused):
        folder = tmp_path / str(number)
        with pytest.raises(BackupError, match=says):
            restore_backup(io.BytesIO(wrong), folder)
        assert not list(folder.iterdir())
    assert not (tmp_path / "evil").exists()


def test_the_commands_say_what_they_did(tmp_path: Path) -> None:
    club, file, again = kept_in(tmp_path / "club"), tmp_path / "club.zip", tmp_path / "again"
    made = run("backup", str(file), "--data", str(club))
    assert (made.exit_code, made.stdout) == (0, "")
    assert made.stderr == f"{file} holds 5 events and {STORE_FILE_NAME}, {KEY_FILE_NAME}.\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    back = run("restore", str(file), "--data", str(again))
    assert (back.exit_code, back.stderr.split(", as of ")[0]) == (0, f"{again} now holds 5 events")
    assert (again / KEY_FILE_NAME).read_text() == "a secret"
    assert stat.S_IMODE((again / KEY_FILE_NAME).stat().st_mode) == 0o600
    with SqliteStore(again / STORE_FILE_NAME) as store:
        assert [one.seq for one in store.read_stream(ROOT)] == [1, 2, 3, 4, 5]
        store.append(ROOT, [StreamAppend(ROOT, 5, [event(9)])])
    twice = refusal("restore", str(file), "--data", str(again))
    assert "a restore overwrites nothing" in twice
    assert f"already holds {STORE_FILE_NAME} and {KEY_FILE_NAME}" in twice
    with SqliteStore(again / STORE_FILE_NAME) as store:
        assert store.head() == 6
    for place in (tmp_path / "none", tmp_path, club / KEY_FILE_NAME):
        assert refusal("restore", str(place), "--data", str(tmp_path / "new")).endswith(".")
    assert "There is no store in" in refusal("backup", str(file), "--data", str(tmp_path / "none"))
    assert zipfile.is_zipfile(file), "what was there before is still there"
