"""A server in its own process, for measurements over HTTP."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from service.auth.access_register import AccessRegister
from service.auth.grants import GrantTerms
from service.config.data_files import AUTH_FILE_NAME

SERVER_CODE = """
import pathlib, sys
from service.server.run import run_service
from service.config.settings import load_settings
run_service(load_settings(data=pathlib.Path(sys.argv[1]), port=int(sys.argv[2])), False)
"""
START_TIMEOUT_SECONDS = 30
DEAL_OPENING_BODY = {
    "type": "deal_opened",
    "ruleset": "dlu",
    "players": {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"},
}


OWNER_TOKEN_BY_PORT: dict[int, str] = {}
"""An owner's token for each server, by port."""
PROCESS_ID_BY_PORT: dict[int, int] = {}
"""The process of each server, by port."""


def owner_headers(port: int) -> dict[str, str]:
    """The header with the owner's token for the server on that port."""
    return {"Authorization": f"Bearer {OWNER_TOKEN_BY_PORT[port]}"}


def processor_seconds(port: int) -> float:
    """The processor time of a server until now, as Linux counts it."""
    fields = Path(f"/proc/{PROCESS_ID_BY_PORT[port]}/stat").read_text().rpartition(")")[2].split()
    user_ticks, system_ticks = fields[11:13]
    return (int(user_ticks) + int(system_ticks)) / os.sysconf("SC_CLK_TCK")


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def run_server(data: Path, code: str = SERVER_CODE, **settings: str) -> Iterator[int]:
    """Start a server with `code`, given a folder and a port; returns the port."""
    port = find_free_port()
    with AccessRegister(data / AUTH_FILE_NAME) as register:
        OWNER_TOKEN_BY_PORT[port] = register.create_grant(GrantTerms("owner")).token or ""
    command = [sys.executable, "-c", code, str(data), str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **settings})
    PROCESS_ID_BY_PORT[port] = server.pid
    try:
        _wait_for_server(server, port)
        yield port
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)


def _wait_for_server(server: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the server does not start")


class ApiClient:
    """A client with a persistent connection."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = owner_headers(port)

    def get(self, path: str) -> bytes:
        self._connection.request("GET", path, headers=self._headers)
        return self._read_response()

    def post(self, path: str, body: Any, version: int | str | None = None) -> Any:
        headers = {"Content-Type": "application/json", **self._headers}
        if version is not None:
            headers["If-Match"] = "*" if version == "*" else f'"{version}"'
        self._connection.request("POST", path, json.dumps(body), headers)
        return json.loads(self._read_response())

    def _read_response(self) -> bytes:
        answer = self._connection.getresponse()
        held = answer.read()
        if answer.status >= 400:
            raise RuntimeError(held.decode())
        return held
