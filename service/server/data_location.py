"""Where the service of a folder last kept its records, if not in that folder.

It is noted at each start, so that a command on the folder's own files is not taken at its word when the
records, and who may do what with them, are elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from service.eventstore.private_files import replace_private_file

LOCATION_FILE_NAME: Final = "store.txt"
ADDRESS_FILE_NAME: Final = "serving.txt"
_MAX_LOCATION_BYTES: Final = 4096


@contextmanager
def noted_address(folder: Path, url: str) -> Iterator[None]:
    """Note the address of the running service in its folder, for a second start to name."""
    path = folder / ADDRESS_FILE_NAME
    with suppress(OSError):
        replace_private_file(path, f"{url}\n")
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def read_running_address(folder: Path) -> str | None:
    """The address of the service that runs on this folder; None if none has noted it."""
    return _read_line(folder / ADDRESS_FILE_NAME)


def write_data_location(folder: Path, address: str | None) -> None:
    """Note the address, without a password, at which a service of this folder keeps its records; None for
    those in the folder. A folder that takes no notes is none the worse."""
    try:
        if address is None:
            (folder / LOCATION_FILE_NAME).unlink(missing_ok=True)
        else:
            replace_private_file(folder / LOCATION_FILE_NAME, f"{address}\n")
    except OSError:
        return


def read_data_location(folder: Path) -> str | None:
    """The address that was noted; None where the records are in the folder."""
    return _read_line(folder / LOCATION_FILE_NAME)


def _read_line(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return file.read(_MAX_LOCATION_BYTES).decode("utf-8", "replace").strip() or None
    except OSError:
        return None
