"""Remembers where the service of a folder last kept its records, if not in that folder.

Each start records the location, so that a command on the folder's own files does not mislead when the
records, and the grants, are elsewhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from service.eventstore.private_files import replace_private_file

LOCATION_FILE_NAME: Final = "store.txt"
_MAX_LOCATION_BYTES: Final = 4096


def write_data_location(folder: Path, address: str | None) -> None:
    """Record the address of this folder's store, without a password; None for a file in the folder. Best
    effort: I/O errors are ignored."""
    try:
        if address is None:
            (folder / LOCATION_FILE_NAME).unlink(missing_ok=True)
        else:
            replace_private_file(folder / LOCATION_FILE_NAME, f"{address}\n")
    except OSError:
        return


def read_data_location(folder: Path) -> str | None:
    """The recorded address; None if the records are in the folder."""
    try:
        with (folder / LOCATION_FILE_NAME).open("rb") as file:
            return file.read(_MAX_LOCATION_BYTES).decode("utf-8", "replace").strip() or None
    except OSError:
        return None
