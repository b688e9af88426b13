"""A live server, as a user starts it."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from service.auth.grants import GrantTerms
from service.auth.register_factory import open_access_register
from service.config.data_files import STORE_FILE_NAME
from service.config.settings import Settings
from service.server.run import open_records
from tests.support.waiting import until

START = """
import sys, pathlib
from service.server.run import run_service
from service.config.settings import load_settings
run_service(load_settings(data=pathlib.Path(sys.argv[1]), port=int(sys.argv[2])), False)
"""
DEALS, TABLES = "/api/v1/deals", "/api/v1/tables"
NOTE = {"type": "note_added", "text": "A note."}
TOKENS: dict[int, str] = {}
"""An owner's token of each server that was started, by its port."""


def as_owner(port: int) -> dict[str, str]:
    return {"Authorization": f"Bearer {TOKENS[port]}"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start(data: Path, port: int, **settings: str) -> "subprocess.Popen[str]":
    """A server of that store on that port, still starting; ``settings`` as the environment has them."""
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open_access_register(data / STORE_FILE_NAME, settings.get("SPADILLE_STORE")) as register:
        TOKENS[port] = register.create_grant(GrantTerms("owner")).token or ""
    command = [sys.executable, "-c", START, str(data), str(port)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **settings}
    )


def wait_until_it_answers(server: "subprocess.Popen[str]", port: int, seconds: float = 20) -> None:
    """Return when the server answers; `AssertionError` where it ends before that, or takes too long."""

    def answers() -> bool:
        assert server.poll() is None, f"the server ended at once: {server.communicate()}"
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        with suppress(OSError), closing(connection):
            connection.request("GET", "/api/v1/healthz")
            return connection.getresponse().status == 200
        return False

    until(answers, "the server answers", seconds)


@contextmanager
def run_server(data: Path, **settings: str) -> "Iterator[tuple[int, subprocess.Popen[str]]]":
    """A server that answers: its port and its process, which the test may end."""
    port = free_port()
    server = start(data, port, **settings)
    try:
        wait_until_it_answers(server, port)
        yield port, server
    finally:
        if server.poll() is None:
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=60)


def ended(server: "subprocess.Popen[str]", how: int = signal.SIGTERM, seconds: float = 60) -> tuple[str, str]:
    """What a server has said and complained of that is told to end, and does so cleanly."""
    server.send_signal(how)
    said, complained = server.communicate(timeout=seconds)
    assert server.returncode == 0, complained
    return said, complained


@contextmanager
def served(data: Path, **settings: str) -> Iterator[int]:
    with run_server(data, **settings) as (port, _):
        yield port


def half_taken(port: int, path: str, more: str = "") -> socket.socket:
    """One who asks for it and takes nothing, or next to nothing, of the answer."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.settimeout(20)
    made.connect(("127.0.0.1", port))
    shown = as_owner(port)["Authorization"]
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: {shown}\r\n{more}\r\n"
    made.sendall(head.encode())
    return made


def deaf(port: int, path: str) -> socket.socket:
    """One who asks for a stream, and then takes next to nothing of it."""
    made = half_taken(port, path)
    assert made.recv(12) == b"HTTP/1.1 200"
    return made


def send(port: int, path: str, body: Any, version: str = "*") -> Any:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    headers = {"Content-Type": "application/json", "If-Match": version, **as_owner(port)}
    connection.request("POST", path, json.dumps(body).encode(), headers)
    answer = connection.getresponse()
    told = json.loads(answer.read())
    assert answer.status in (200, 201), told
    connection.close()
    return told


def prepare(data: Path | None, **settings: Any) -> Path:
    """Open the records as the service does at its start, and close them; the store's file."""
    with open_records(Settings(data, **settings)):
        return (data or Path()) / STORE_FILE_NAME
