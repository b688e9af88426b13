"""No token's text in any byte but in the answer that makes it: answers, logs, files, processes, browser."""

import io
import json
import logging
import os
import signal
import socket
import stat
import subprocess
import sys
import time
import webbrowser
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from unittest.mock import Mock
from urllib.parse import unquote, urlsplit

import pytest
from click.testing import CliRunner
from flask import Flask

from service.auth.access_register import AccessRegister
from service.auth.grants import GrantTerms, Scope
from service.auth.tokens import SESSION_PREFIX, TOKEN_PREFIX
from service.cli import main
from service.config.data_files import AUTH_FILE_NAME, STORE_FILE_NAME
from service.eventstore import SqliteStore
from service.server import open_browser
from tests.support.api.clients import token_for
from tests.support.api.recording import DEAL, recorded_deal
from tests.support.api.servers import TOKENS, free_port, start, wait_until_it_answers
from tests.support.effort import examples
from tests.support.waiting import until
from tests.system.secrets.astray import ASTRAY, hold_all, hold_texts, small_app

API: Final = "/api/v1"


@pytest.fixture(scope="module")
def app() -> Flask:
    return small_app()


AT_ONCE: Final = examples(6, 2)
"""So many ways are tried at each route; the command tries them all."""


def test_no_answer_and_no_line_of_the_log_repeats_a_token(log_output: io.StringIO) -> None:
    assert hold_all(small_app(), AT_ONCE) > AT_ONCE * 50
    assert ASTRAY[11:] not in log_output.getvalue()


def test_no_token_is_taken_into_what_others_read(app: Flask, log_output: io.StringIO) -> None:
    assert hold_texts(app) > 60
    assert TOKEN_PREFIX not in log_output.getvalue() and SESSION_PREFIX not in log_output.getvalue()


def test_a_token_is_told_once_and_a_session_to_its_browser_alone(app: Flask) -> None:
    owner = {"Authorization": f"Bearer {token_for(app, GrantTerms('owner'))}"}
    client = app.test_client(use_cookies=False)
    made = client.post(f"{API}/grants", json={"role": "viewer", "deal": DEAL}, headers=owner).get_json()
    entered = client.post(f"{API}/session", json={"token": made["token"]})
    secret = entered.headers["Set-Cookie"].partition("=")[2].partition(";")[0]
    assert (
        secret.startswith(SESSION_PREFIX) and secret not in entered.text and made["token"] not in entered.text
    )
    for path in ("grants", f"grants/{made['id']}", "sessions", "session"):
        for headers in (owner, {"Cookie": f"spadille-80={secret}"}):
            told = client.get(f"{API}/{path}", headers=headers)
            assert made["token"] not in told.text and secret not in told.text + str(told.headers)


def test_what_waitress_logs_tells_no_address_and_no_text_of_an_error(log_output: io.StringIO) -> None:
    waitress = logging.getLogger("waitress")
    try:
        raise RuntimeError(f"It went wrong with {DEAL}")
    except RuntimeError:
        waitress.exception("Exception while serving /%s", ASTRAY)
    waitress.warning("Odd: %s", ASTRAY)
    logging.getLogger("waitress.queue").warning("Task queue depth is %d", 1)
    error, odd = (json.loads(line) for line in log_output.getvalue().splitlines())
    assert (error["error"], odd["said"]) == ("RuntimeError", "Odd: spadille_…")
    assert DEAL not in log_output.getvalue() and ASTRAY not in log_output.getvalue()


def test_files_and_backups_hold_digests_alone(tmp_path: Path) -> None:
    with (
        SqliteStore(tmp_path / STORE_FILE_NAME) as store,
        AccessRegister(tmp_path / AUTH_FILE_NAME) as register,
    ):
        recorded_deal(store)
        made = [
            register.create_grant(GrantTerms("owner")),
            register.create_grant(GrantTerms("viewer", Scope("deal", DEAL))),
        ]
        secrets = [one.token or "" for one in made]
        secrets.append(register.create_session(secrets[1]).secret)
        register.revoke_grant(made[1].grant.id)
        # As it runs, with the logs of the databases; and as it was backed up meanwhile.
        files = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
        run = CliRunner().invoke(main, ["backup", str(tmp_path / "club.zip"), "--data", str(tmp_path)])
        assert run.exit_code == 0, run.output
    with zipfile.ZipFile(tmp_path / "club.zip") as archive:
        files |= {f"backup of {name}": archive.read(name) for name in archive.namelist()}
    files |= {f"{file.name} in the end": file.read_bytes() for file in tmp_path.iterdir()}
    assert {AUTH_FILE_NAME, STORE_FILE_NAME, f"backup of {AUTH_FILE_NAME}"} <= set(files)
    for name, data in files.items():
        assert not [one for one in secrets if one[11:].encode() in data], name
    assert all(len(secret) > 50 for secret in secrets)


TYPED: Final = (
    "{}", "--{}", "show {}", "show --{}", "validate {}", "score {}", "convert {}", "stats {}", "ledger {}",
    "import {}", "export --store {}", "verify {}", "backup --data {}", "checkpoint {}", "rules {}",
    "serve --port {}", "serve --log-format {}", "tokens revoke {}", "tokens make {}", "tokens {}",
    "tokens make viewer --deal {}", "tokens make viewer --for {}",
)  # fmt: skip


def test_the_command_line_repeats_no_token(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SPADILLE_DATA", str(tmp_path))
    for words in TYPED:
        run = CliRunner().invoke(main, words.format(ASTRAY).split(), input="")
        assert run.exit_code not in (0, 70), f"{words}: {run.output}"
        assert ASTRAY not in run.output, words


NO_REQUESTS: Final = (
    "GET / HTTP/1.1\r\n{own}Authorization {astray}: x\r\n\r\n",
    "GET / HTTP/1.1\r\n{own}{astray}\r\n\r\n",
    "GET / HTTP/1.1\r\n{own}{astray} : x\r\n\r\n",
    "{astray} / HTTP/1.1\r\n{own}\r\n",
    "{astray}\r\n\r\n",
    "GET /{astray}\r\n\r\n",
    "GET / {astray}\r\n{own}\r\n",
    "GET /{astray} {astray} HTTP/1.1\r\n{own}\r\n",
    "GET http://{astray}:x/ HTTP/1.1\r\n{own}\r\n",
    "POST / HTTP/1.1\r\n{own}Content-Length: {astray}\r\n\r\n",
    "POST / HTTP/1.1\r\n{own}Transfer-Encoding: {astray}\r\n\r\n",
    "POST / HTTP/1.1\r\n{own}Expect: {astray}\r\n\r\n",
    "POST /api/v1/score HTTP/1.1\r\n{own}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    "{astray}\r\n",
    "GET /{astray} HTTP/1.1\r\n{own}Accept: text/html\r\n\r\n",
    "GET /enter#token={astray} HTTP/1.1\r\n{own}\r\n",
    "GET /deals HTTP/1.1\r\n{own}Cookie: {astray}={astray}\r\nAuthorization: Bearer {owner}\r\n\r\n",
)


def sent(port: int, text: str) -> bytes:
    """What is answered to some bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as raw:
        raw.sendall(text.encode())
        raw.shutdown(socket.SHUT_WR)
        answer = b""
        while part := raw.recv(65536):
            answer += part
    return answer


def of_process(pid: int) -> bytes:
    """What everybody on the computer can see of a process and its children."""
    own = Path(f"/proc/{pid}")
    children = (own / f"task/{pid}/children").read_text().split()
    return (own / "cmdline").read_bytes() + b"".join(map(of_process, map(int, children)))


@pytest.mark.process
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it looks into /proc")
def test_a_server_repeats_no_token_whatever_is_sent(tmp_path: Path) -> None:
    port = free_port()
    # JSON: so all is logged.
    server = start(tmp_path, port, SPADILLE_LOG_FORMAT="json")
    wait_until_it_answers(server, port)
    own, owner = f"Host: 127.0.0.1:{port}\r\nConnection: close\r\n", TOKENS[port]
    for text in NO_REQUESTS:
        answer = sent(port, text.format(own=own, astray=ASTRAY, owner=owner))
        assert not [one for one in (ASTRAY, owner) if one[11:].encode() in answer], text
        status = int(answer.split()[1]) if answer else 400
        assert status < 500 or status == 501, f"{text}: {answer[:200]!r}"
    seen = of_process(server.pid)
    assert b"python" in seen
    server.terminate()
    told = "".join(server.communicate(timeout=30)).encode() + seen
    assert not [one for one in (ASTRAY, owner) if one[11:].encode() in told]


@pytest.mark.process
@pytest.mark.smoke
def test_what_is_no_request_is_answered_in_the_shape_of_every_problem(tmp_path: Path) -> None:
    port = free_port()
    server = start(tmp_path, port, SPADILLE_LOG_FORMAT="json")
    wait_until_it_answers(server, port)
    answer = sent(port, "GET / HTTP/1.1\r\nNo header\r\n\r\n")
    server.terminate()
    lines = [json.loads(line) for line in server.communicate(timeout=30)[1].splitlines()]
    assert {line["event"] for line in lines} == {"request", "not a request"}
    assert all(line["time"] and line["level"] == "info" for line in lines)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b" 400 Bad Request\r\n" in head
    assert b"Content-Type: application/problem+json" in head
    assert json.loads(body) == {
        "type": "about:blank",
        "title": "Bad Request",
        "status": 400,
        "detail": "The server cannot read this request. Nothing was done.",
    }


LINK = "http://127.0.0.1:1/enter#token=spadille_t_" + "a" * 49 + "&to=/replays/belinda"


@pytest.fixture
def url_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
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


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="where a display is told by the environment")
def test_a_display_opens_a_browser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, url_log: Path) -> None:
    started: list[Any] = []
    begin = subprocess.Popen

    def watched(*command: Any, **options: Any) -> Any:
        started.append(begin(*command, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", watched)
    open_browser.open_browser(LINK)
    assert started == []
    monkeypatch.setenv("DISPLAY", ":0")
    open_browser.open_browser(LINK)
    try:
        until(url_log.exists)
        address, _, commands = url_log.read_text().partition("\n")
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
    monkeypatch.setattr(subprocess, "Popen", Mock(side_effect=OSError))
    open_browser.open_browser(LINK)


def test_the_page_goes_in_the_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[str] = []
    monkeypatch.setattr(open_browser, "redirect_page_folder", lambda: tmp_path)
    monkeypatch.setattr(webbrowser, "open_new_tab", seen.append)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(sys, "stdin", io.StringIO(LINK))
    open_browser.open_link_from_stdin()
    until(lambda: bool(seen))
    assert seen[0].startswith(tmp_path.as_uri())
    assert list(tmp_path.iterdir()) == []


def test_without_a_home_the_page_is_a_temporary_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os.path, "expanduser", lambda _: str(tmp_path / "nowhere"))
    assert open_browser.redirect_page_folder() is None
