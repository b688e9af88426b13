"""The files of the records: for their owner alone, and his whose the folder is where root works."""

import os
import pwd
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.auth.access_register import AccessRegister
from service.config.data_files import AUTH_FILE_NAME, STORE_FILE_NAME
from service.eventstore import SqliteStore, private_files
from service.transparency.notary import open_notary
from tests.support.api.recording import recorded_deal
from tests.support.api.servers import prepare
from tests.support.cli.deals import SLIP, jsonl, run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="rights as POSIX has them")

MADE = (
    *("access.db", "checkpoint.key", "checkpoint.leaves", "checkpoint.txt"),
    *(STORE_FILE_NAME, f"{STORE_FILE_NAME}.head", f"{STORE_FILE_NAME}.lock"),
)
"""All that the folder of the records holds in the end."""
SOMEBODY = 65534
"""A user who is not root, of Linux's."""


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("mask", [0o000, 0o777], ids=["nothing masked", "all masked"])
def test_nobody_else_may_read_anything_of_the_records(tmp_path: Path, mask: int) -> None:
    data = tmp_path / "club"
    with umask(mask):
        path = prepare(data)
        with SqliteStore(path) as store, AccessRegister(data / AUTH_FILE_NAME):
            recorded_deal(store)
            assert {one.name for one in data.iterdir()} >= {STORE_FILE_NAME, f"{STORE_FILE_NAME}-wal"}
            assert {rights(one) for one in data.iterdir()} == {0o600}
            open_notary(data).sign_checkpoint(store)
        prepare(data)
    assert rights(data) == 0o700
    assert {one.name: rights(one) for one in data.iterdir()} == dict.fromkeys(MADE, 0o600)


def test_what_an_earlier_version_left_open_to_others_is_closed(tmp_path: Path) -> None:
    with SqliteStore(prepare(tmp_path)) as store:
        open_notary(tmp_path).sign_checkpoint(store)
    AccessRegister(tmp_path / AUTH_FILE_NAME).close()
    for file in tmp_path.iterdir():
        file.chmod(0o644)
    (tmp_path / "of the house").write_text("")
    (tmp_path / "of the house").chmod(0o644)
    prepare(tmp_path)
    assert [one.name for one in tmp_path.iterdir() if rights(one) != 0o600] == ["of the house"]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], bool]:
    """Root works in folders of somebody's; whether what lies at a path was given to him.

    Where the tests do not run as root, what they give away is noted instead.
    """
    noted: set[tuple[int, int]] = set()
    if os.geteuid() != 0:

        def note(file: int | Path, user: int, group: int, follow_symlinks: bool = True) -> None:
            assert (user, group) == (SOMEBODY, SOMEBODY)
            found = os.stat(file)
            noted.add((found.st_dev, found.st_ino))

        monkeypatch.setattr(private_files, "folder_owner", lambda folder: (SOMEBODY, SOMEBODY))
        monkeypatch.setattr(os, "fchown", note)
        monkeypatch.setattr(os, "chown", note)

    def is_his(path: Path) -> bool:
        found = path.stat()
        return found.st_uid == SOMEBODY or (found.st_dev, found.st_ino) in noted

    return is_his


def test_what_root_makes_is_the_folder_owner_s(tmp_path: Path, given: Callable[[Path], bool]) -> None:
    """Else the service, which runs as him, could not read it."""
    data = tmp_path / "club"
    data.mkdir()
    for folder in (data, tmp_path):
        if os.geteuid() == 0:
            os.chown(folder, SOMEBODY, SOMEBODY)
    # Every command that writes into the folder of the records, each for the first time.
    (tmp_path / "slip.jsonl").write_bytes(jsonl(SLIP))
    kept, saved, again = tmp_path / "kept.txt", tmp_path / "saved.zip", tmp_path / "again"
    for command in (
        ["import-slips", tmp_path / "slip.jsonl", "--store", data],
        ["checkpoint", data, "-o", kept],
        ["tokens", "make", "owner", "--data", data],
        ["backup", saved, "--data", data],
        ["restore", saved, "--data", again],
        ["erase-person", data, "Carl", "--yes"],
        ["verify", data],
    ):
        result = run(*map(str, command))
        assert result.exit_code == 0, result.output
    made = [again, *data.iterdir(), *again.iterdir()]
    assert {one.name for one in made} >= {STORE_FILE_NAME, "checkpoint.key", "checkpoint.leaves", "access.db"}
    # SQLite gives what it puts beside a database to whom that belongs, by itself.
    assert [one.name for one in made if not given(one) and not one.name.endswith(("-shm", "-wal"))] == []


def test_root_gives_away_nothing_in_his_own_folder_and_writes_through_no_link(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Through a link the owner of the folder could have root write anywhere."""
    monkeypatch.setattr(private_files, "_is_root", lambda: True)
    with monkeypatch.context() as his_own:
        his_own.setattr(os, "fchown", lambda *_: pytest.fail("there is nobody to give it to"))
        his_own.setattr(Path, "stat", lambda self: os.stat_result((0o40700, *[0] * 9)))
        private_files.create_private_file(tmp_path / "file")
    assert rights(tmp_path / "file") == 0o600
    (tmp_path / "elsewhere").write_text("kept")
    (tmp_path / "head").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"):
        private_files.open_private_file(tmp_path / "head")
    private_files.replace_private_file(tmp_path / "head", "new")
    assert (tmp_path / "elsewhere").read_text() == "kept"


def test_a_folder_is_made_with_those_it_lies_in(tmp_path: Path) -> None:
    private_files.create_private_folder(tmp_path / "a" / "b")
    private_files.create_private_folder(tmp_path / "a" / "b")
    assert rights(tmp_path / "a" / "b") == 0o700
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "folder"):
        with pytest.raises(OSError):
            private_files.create_private_folder(place)


def test_the_owner_of_an_unusable_file_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.key"
    path.write_text("")
    denied = PermissionError(13, "Permission denied")
    assert private_files.describe_access_error(denied, path) == "Permission denied."
    monkeypatch.setattr(private_files, "_find_foreign_path", lambda path: path)
    assert private_files.describe_access_error(denied, path) == (
        "Permission denied. It belongs to another user. To give it to the owner of its folder, as root: "
        f"chown --reference={tmp_path} {path}"
    )
    monkeypatch.setattr(private_files, "_find_foreign_path", lambda path: Path("/"))
    user = pwd.getpwuid(Path("/").stat().st_uid).pw_name
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert private_files.describe_access_error(denied, path) == (
        f"Permission denied. It belongs to the user {user}. Run the command as that user; as root: "
        f"runuser -u {user} -- spadille ..."
    )
    full = OSError(28, "No space left on device")
    assert private_files.describe_access_error(full, path) == "No space left on device."
