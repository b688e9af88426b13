"""Opens the user's browser with a link that holds a token.

Everybody on the computer can read commands in the list of processes. So the browser opens a page that only
its user can read, and the page redirects it.

This file runs in its own process, which reads the link from standard input: some browsers block the program
that opens them until they are closed, and the page has to be removed at the end.
"""

import html
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

REDIRECT_PAGE_SECONDS: Final = 60
"""Seconds until the page is removed: a browser may take a while to start."""

REDIRECT_PAGE: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={link}">
<title>Spadille</title>
<p><a href="{link}">Spadille</a></p>
"""


def has_display() -> bool:
    """Whether there is a display for a browser."""
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform in ("win32", "darwin") or bool(display)


def open_browser(link: str) -> None:
    """Open the user's browser if there is a display. Best effort: failures are ignored."""
    if not has_display():
        return
    with suppress(OSError):
        opener = subprocess.Popen(
            [sys.executable, "-P", str(Path(__file__))],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert opener.stdin is not None, "a request for it"
        with opener.stdin as given:
            given.write(link.encode())


@contextmanager
def redirect_page(link: str, folder: Path | None) -> Iterator[Path]:
    """A page that redirects to ``link`` and that nobody else can read, in a new folder within ``folder``."""
    own = Path(tempfile.mkdtemp(prefix="spadille-", dir=folder))
    try:
        page = own / "open.html"
        handle = os.open(page, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(REDIRECT_PAGE.format(link=html.escape(link)))
        yield page
    finally:
        shutil.rmtree(own, ignore_errors=True)


def redirect_page_folder() -> Path | None:
    """A folder whose pages the browser can read; None for the system's folder for temporary files.

    On Linux many browsers run in containers that see neither that folder nor hidden files, but only visible
    files in the user's home.
    """
    if sys.platform in ("win32", "darwin"):
        return None
    home = Path(os.path.expanduser("~"))
    return home if home.is_dir() and os.access(home, os.W_OK) else None


def open_link_from_stdin() -> None:
    """Open the browser with the link from standard input."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with redirect_page(sys.stdin.read(), redirect_page_folder()) as page:
        threading.Thread(target=webbrowser.open_new_tab, args=(page.as_uri(),), daemon=True).start()
        time.sleep(REDIRECT_PAGE_SECONDS)


if __name__ == "__main__":
    open_link_from_stdin()
