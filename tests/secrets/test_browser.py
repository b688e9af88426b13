"""The browser that `serve` opens is sent on by a page: a token in its command would be shown to everybody."""

from __future__ import annotations

import io
import os
import signal
import stat
import subprocess
import sys
import time
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from service.server import open_browser
from tests.support.waiting import until

LINK = "http://127.0.0.1:1/enter#token=spadille_t_" + "a" * 49 + "&to=/replays/belinda"

unix = pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="where a display is told by the environment"
)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Where a browser of ours writes what it was opened with, and what all commands were at that moment."""
    said, program = tmp_path / "opened", tmp_path / "browser"
    commands = "".join(f"cat /proc/{who}/cmdline; " for who in ("$$", "$PPID"))
    program.write_text(
        f'#!/bin/sh\n{{ printf "%s\\n" "$1"; {commands} }} > {said}.part\nmv {said}.part {said}\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{program} %s")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    yield said


@unix
def test_a_display_opens_a_browser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, opened: Path) -> None:
    started: list[Any] = []
    begin = subprocess.Popen

    def watched(*command: Any, **options: Any) -> Any:
        started.append(begin(*command, **options))
        return started[-1]

    def none_there(*_: Any, **__: Any) -> None:
        raise OSError

    monkeypatch.setattr(subprocess, "Popen", watched)
    open_browser.open_browser(LINK)
    assert started == []
    monkeypatch.setenv("DISPLAY", ":0")
    open_browser.open_browser(LINK)
    try:
        until(opened.exists)
        address, _, commands = opened.read_text().partition("\n")
        page = Path(unquote(urlsplit(address).path))
        assert page.is_relative_to(tmp_path)
        assert "spadille_t_" not in address + commands + " ".join(started[0].args)
        assert f'content="0; url={LINK.replace("&", "&amp;")}"' in page.read_text()
        for one, mode in ((page, 0o600), (page.parent, 0o700)):
            assert stat.S_IMODE(one.stat().st_mode) == mode
    finally:
        started[0].terminate()
        started[0].wait(30)
    assert not page.parent.exists()
    # Where no browser can be started, nothing is raised.
    monkeypatch.setattr(subprocess, "Popen", none_there)
    open_browser.open_browser(LINK)


def test_the_page_goes_in_the_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[str] = []
    monkeypatch.setattr(open_browser, "folder_for_pages", lambda: tmp_path)
    monkeypatch.setattr(webbrowser, "open_new_tab", seen.append)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(sys, "stdin", io.StringIO(LINK))
    open_browser.main()
    until(lambda: bool(seen))
    assert seen[0].startswith(tmp_path.as_uri())
    assert list(tmp_path.iterdir()) == []


def test_without_a_home_the_page_is_a_temporary_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os.path, "expanduser", lambda _: str(tmp_path / "nowhere"))
    assert open_browser.folder_for_pages() is None
