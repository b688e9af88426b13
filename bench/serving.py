"""A server in a process of its own, for measurements over HTTP."""

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

from service.auth.grants import Terms
from service.auth.register import Register
from service.config.data_files import REGISTER_NAME

SERVE = """
import pathlib, sys
from service.server.run import run
from service.config.settings import settings_from
run(settings_from(data=pathlib.Path(sys.argv[1]), port=int(sys.argv[2])), False)
"""
SECONDS_TO_START = 30
OPENING = {
    "type": "deal_opened",
    "ruleset": "dlu",
    "players": {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"},
}


TOKENS: dict[int, str] = {}
"""An owner's token of each server, by its port."""


def as_owner(port: int) -> dict[str, str]:
    """The header that shows the server on that port its owner's token."""
    return {"Authorization": f"Bearer {TOKENS[port]}"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def served(data: Path, code: str = SERVE, **settings: str) -> Iterator[int]:
    """A server as `code` starts it, given a folder and a port; the port."""
    port = free_port()
    with Register(data / REGISTER_NAME) as register:
        TOKENS[port] = register.make(Terms("owner")).token or ""
    command = [sys.executable, "-c", code, str(data), str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **settings})
    try:
        _await(server, port)
        yield port
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)


def _await(server: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the server does not start")


class Caller:
    """A client that keeps its connection."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._own = as_owner(port)

    def get(self, path: str) -> bytes:
        self._connection.request("GET", path, headers=self._own)
        return self._answer()

    def post(self, path: str, body: Any, version: int | str | None = None) -> Any:
        headers = {"Content-Type": "application/json", **self._own}
        if version is not None:
            headers["If-Match"] = "*" if version == "*" else f'"{version}"'
        self._connection.request("POST", path, json.dumps(body), headers)
        return json.loads(self._answer())

    def _answer(self) -> bytes:
        answer = self._connection.getresponse()
        held = answer.read()
        if answer.status >= 400:
            raise RuntimeError(held.decode())
        return held
