"""Remembers where the service of a folder last kept its records, if not in that folder.

Each start records the location, so that a command on the folder's own files does not mislead when the
records, and the grants, are elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from service.eventstore.private_files import replace_private_file

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from urllib.request import Request

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


def find_running_service(folder: Path) -> str | None:
    """The address of the service that runs on this folder; None if none has noted it, or none answers."""
    url = _read_line(folder / ADDRESS_FILE_NAME)
    # A service that was killed leaves its note behind.
    with suppress(OSError, ValueError):
        if url is not None:
            open_local_url(f"{url}/healthz", timeout=5).close()
            return url
    return None


def open_local_url(request: str | Request, timeout: float) -> HTTPResponse:
    """Ask a service on this computer, without a proxy. Raises as `urllib.request.urlopen` does."""
    from urllib.request import ProxyHandler, build_opener  # they take a while to load

    return cast("HTTPResponse", build_opener(ProxyHandler({})).open(request, timeout=timeout))


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
    return _read_line(folder / LOCATION_FILE_NAME)


def _read_line(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return file.read(_MAX_LOCATION_BYTES).decode("utf-8", "replace").strip() or None
    except OSError:
        return None
