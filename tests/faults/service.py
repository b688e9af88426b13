"""The service as somebody starts it, in a process group of its own that can be killed as a whole."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from service.auth.grants import Terms
from service.auth.opening import open_register
from service.config.data_files import STORE_NAME
from tests.store.writing import ROOT

COMMAND: Final = (sys.executable, "-m", "service.cli")
SECONDS_TO_START: Final = 60
ENVIRONMENT: Final = {**os.environ, "PYTHONPATH": str(ROOT), "SPADILLE_STREAMS": "20"}


class Service:
    """A service on the folder ``data`` and a port, started, killed and started again.

    ``before`` stands before its command, such as strace. Where its store is at an ``address`` on PostgreSQL
    it has no token before `have_token`, as the database need not be there yet.
    """

    def __init__(self, data: Path, port: int, before: Sequence[str] = (), address: str | None = None) -> None:
        self.data, self.port, self.before, self.address = data, port, tuple(before), address
        self.store = data / STORE_NAME
        data.mkdir(mode=0o700, exist_ok=True)
        self.token = ""
        if address is None:
            self.have_token()
        self.process: subprocess.Popen[str] | None = None

    def have_token(self) -> None:
        """Make a token of an owner's in its register."""
        with open_register(self.store, self.address) as register:
            self.token = register.make(Terms("owner")).token or ""

    @property
    def headers(self) -> dict[str, str]:
        """What its owner shows."""
        return {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}

    def start(self) -> None:
        """Start it, and return when it answers. Raises `AssertionError` where it does not."""
        self.begin()
        deadline = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < deadline:
            assert self.process is not None
            if self.process.poll() is not None:
                raise AssertionError(f"the service ended at once: {self.process.communicate()}")
            if self.answers():
                return
            time.sleep(0.02)
        raise AssertionError("the service does not answer")

    def begin(self) -> None:
        """Start it, and do not wait."""
        words = ("serve", "--data", str(self.data), "--port", str(self.port), "--no-browser")
        self.process = subprocess.Popen(
            [*self.before, *COMMAND, *words],
            env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip

    def answers(self) -> bool:
        """Whether it answers now."""
        try:
            return self.ask("GET", "/api/v1/healthz")[0] == 200
        except OSError:
            return False

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
        """One request over a connection of its own; status and body of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            shown = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, {**self.headers, **shown})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except http.client.HTTPException as error:
            raise ConnectionError(str(error)) from error
        finally:
            connection.close()

    def worker(self) -> int:
        """The process that holds the store."""
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return int(children.read_text(encoding="ascii").split()[0])

    def kill(self) -> None:
        """SIGKILL to all of it, and no answer to anybody any more."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def stop(self) -> str:
        """End it as a service is ended; what it complained of."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.communicate(timeout=30)[1]


def run(
    *words: str, before: Sequence[str] = (), stdin: str | None = None
) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own."""
    return subprocess.run(
        [*before, *COMMAND, *words],
        env=ENVIRONMENT, input=stdin, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


def require_no_traceback(said: str) -> None:
    """What people are told is sentences."""
    assert "Traceback" not in said, said
