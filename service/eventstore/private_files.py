"""Files for nobody but their owner, whatever the umask.

What root makes in a folder of somebody else's belongs to the user of the folder, as whom the service runs.
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
    """Makes the file, empty, where it is not there, for the owner of ``folder`` or of the one it lies in.

    One that is there is not opened: closing it would end the locks that SQLite holds. Raises `OSError`.
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
    """The file, opened to be read and written, and made where it is not there. Raises `OSError`."""
    create_private_file(path)
    # As root no link is followed: whoever owns the folder could have root write anywhere. On Windows line
    # ends are left as they are.
    return os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0) | (os.O_NOFOLLOW if _is_root() else 0))


def replace_private_file(path: Path, text: str) -> None:
    """Puts a file with that text in the place of ``path``, on the disk, wholly or not at all.

    Raises `OSError`.
    """
    descriptor, temporary_path = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            _give_to_owner(descriptor, path.parent)
            file.write(text)
            # After a power cut an empty file would stand there otherwise.
            file.flush()
            os.fsync(descriptor)
        os.replace(temporary_path, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary_path)
        raise


def create_private_folder(path: Path) -> None:
    """Makes the folder, and those it lies in, where they are not there. Raises `OSError`."""
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
        path.mkdir()  # it says what stands there


def restrict_to_owner(files: Iterable[Path]) -> None:
    """Takes others' rights to these files from them: earlier versions left some open. Raises `OSError`."""
    if _POSIX:
        for file in files:
            _restrict_file(file)


def folder_owner(folder: Path) -> tuple[int, int] | None:
    """The user and group of a folder where we are root and they are not; else None."""
    if not _is_root():
        return None
    found = folder.stat()
    return (found.st_uid, found.st_gid) if found.st_uid else None


def describe_access_error(error: OSError, path: Path) -> str:
    """What hinders the use of a file, in a sentence, and what to do where it is somebody else's."""
    message = f"{error.strerror or error}."
    if sys.platform == "win32" or not isinstance(error, PermissionError):
        return message
    foreign_path = _find_foreign_path(path)
    if foreign_path is None:
        return message
    if foreign_path == path and foreign_path.parent.stat().st_uid == os.geteuid():
        folder, file = (shlex.quote(str(one)) for one in (path.parent, path))
        return (
            f"{message} It is another user's. To give it to whom its folder belongs, as root: "
            f"chown --reference={folder} {file}"
        )
    user = _user_name(foreign_path.lstat().st_uid)
    advice = f"Work as that user, as root can: runuser -u {user} -- spadille ..."
    return f"{message} It belongs to the user {user}. {advice}"


def _find_foreign_path(path: Path) -> Path | None:
    """The path, or the nearest folder around it that can be looked at, where it is another user's."""
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
        os.fchmod(file, PRIVATE_FILE_MODE)  # a umask may have taken away more
        if (owner := folder_owner(folder)) is not None:
            os.fchown(file, *owner)


def _restrict_file(path: Path) -> None:
    """Does so with a file of ours, in a folder of ours."""
    found, user = path.lstat(), os.geteuid()
    is_own = found.st_uid == user and path.parent.stat().st_uid == user
    if is_own and stat.S_ISREG(found.st_mode) and found.st_mode & _OTHERS:
        path.chmod(PRIVATE_FILE_MODE)
