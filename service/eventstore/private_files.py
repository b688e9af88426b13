"""Files that only their owner can read and write, whatever the umask.

When root creates a file in another user's folder, that user owns it, because the service runs as that user.
"""

from __future__ import annotations

import os
import shlex
import stat
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

PRIVATE_FILE_MODE: Final = 0o600
PRIVATE_FOLDER_MODE: Final = 0o700
_OTHERS: Final = 0o077
_POSIX: Final = os.name == "posix"


def create_private_file(path: Path, folder: Path | None = None) -> None:
    """Create the file, empty, if it does not exist, owned by the owner of ``folder`` or of its own folder.

    An existing file is not opened, as closing it would release SQLite's locks. Raises `OSError`.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE_MODE)
    except FileExistsError:
        restrict_to_owner([path])
        return
    try:
        _give_to_owner(descriptor, folder or path.parent)
    finally:
        os.close(descriptor)


def open_private_file(path: Path) -> int:
    """Open the file for reading and writing; create it if it does not exist. Raises `OSError`."""
    create_private_file(path)
    # Root follows no link: the owner of the folder could make root write anywhere. On Windows line ends are
    # left as they are.
    return os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0) | (os.O_NOFOLLOW if _is_root() else 0))


def replace_private_file(path: Path, text: str) -> None:
    """Atomically replace the file at ``path`` by one with this text, synced to disk. Raises `OSError`."""
    descriptor, temporary_path = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            _give_to_owner(descriptor, path.parent)
            file.write(text)
            # Otherwise an empty file could be left after a power cut.
            file.flush()
            os.fsync(descriptor)
        os.replace(temporary_path, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary_path)
        raise


def create_private_folder(path: Path) -> None:
    """Create the folder and its parents if they do not exist. Raises `OSError`."""
    if path.is_dir():
        return
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(exist_ok=True)
        if _POSIX:
            if folder == path:
                folder.chmod(PRIVATE_FOLDER_MODE)
            if (owner := folder_owner(folder.parent)) is not None:
                os.chown(folder, *owner, follow_symlinks=False)
    if not missing:
        path.mkdir()  # the error says what is there


def restrict_to_owner(files: Iterable[Path]) -> None:
    """Remove other users' rights to these files: earlier versions left some open. Raises `OSError`."""
    if _POSIX:
        for file in files:
            _restrict_file(file)


def folder_owner(folder: Path) -> tuple[int, int] | None:
    """The user and group of a folder if we are root and they are not; else None."""
    if not _is_root():
        return None
    found = folder.stat()
    return (found.st_uid, found.st_gid) if found.st_uid else None


def describe_access_error(error: OSError, path: Path) -> str:
    """A sentence that says why a file cannot be used, and what to do if another user owns it."""
    message = f"{error.strerror or error}."
    if sys.platform == "win32" or not isinstance(error, PermissionError):
        return message
    foreign_path = _find_foreign_path(path)
    if foreign_path is None:
        return message
    if foreign_path == path and foreign_path.parent.stat().st_uid == os.geteuid():
        folder, file = (shlex.quote(str(one)) for one in (path.parent, path))
        return (
            f"{message} It belongs to another user. To give it to the owner of its folder, as root: chown "
            f"--reference={folder} {file}"
        )
    user = _user_name(foreign_path.lstat().st_uid)
    advice = f"Run the command as that user; as root: runuser -u {user} -- spadille ..."
    return f"{message} It belongs to the user {user}. {advice}"


def _find_foreign_path(path: Path) -> Path | None:
    """The path, or its nearest accessible parent folder, if another user owns it."""
    for one in (path, *path.absolute().parents):
        try:
            return one if one.lstat().st_uid != os.geteuid() else None
        except OSError:
            continue
    return None


def _user_name(user: int) -> str:
    if sys.platform == "win32":
        return str(user)
    import pwd  # Windows has none

    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


def _is_root() -> bool:
    return _POSIX and os.geteuid() == 0


def _give_to_owner(file: int, folder: Path) -> None:
    if _POSIX:
        os.fchmod(file, PRIVATE_FILE_MODE)  # the umask may have removed more
        if (owner := folder_owner(folder)) is not None:
            os.fchown(file, *owner)


def _restrict_file(path: Path) -> None:
    """Restrict a file of ours in a folder of ours."""
    found, user = path.lstat(), os.geteuid()
    is_own = found.st_uid == user and path.parent.stat().st_uid == user
    if is_own and stat.S_ISREG(found.st_mode) and found.st_mode & _OTHERS:
        path.chmod(PRIVATE_FILE_MODE)
