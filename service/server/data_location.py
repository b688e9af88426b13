"""Where the service of a folder last kept its records, if not in that folder.

It is noted at each start, so that a command on the folder's own files is not taken at its word when the
records, and who may do what with them, are elsewhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from service.eventstore.private_files import replace_private

NOTE: Final = "store.txt"
_MOST_BYTES: Final = 4096


def note_place(folder: Path, shown: str | None) -> None:
    """Note the address, without a password, at which a service of this folder keeps its records; None for
    those in the folder. A folder that takes no notes is none the worse."""
    try:
        if shown is None:
            (folder / NOTE).unlink(missing_ok=True)
        else:
            replace_private(folder / NOTE, f"{shown}\n")
    except OSError:
        return


def kept_elsewhere(folder: Path) -> str | None:
    """The address that was noted; None where the records are in the folder."""
    try:
        with (folder / NOTE).open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace").strip() or None
    except OSError:
        return None
