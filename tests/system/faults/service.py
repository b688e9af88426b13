"""The service as somebody starts it, in a process group of its own that can be killed as a whole."""

import http.client
import os
import signal
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Final

from service.auth.grants import GrantTerms
from service.auth.register_factory import open_access_register
from service.config.data_files import STORE_FILE_NAME
from service.transparency.signing_keys import KEY_FILE_NAME
from tests.support.api.servers import TOKENS
from tests.support.store.writing import ROOT
from tests.support.waiting import until

COMMAND: Final = (sys.executable, "-m", "service.cli")
SECONDS_TO_START: Final = 60
ENVIRONMENT: Final = {**os.environ, "PYTHONPATH": str(ROOT), "SPADILLE_STREAMS": "20"}


class Service:
    """A service on the folder ``data`` and a port, started, killed and started again.

    Where its store is at an ``address`` on PostgreSQL it has no token before `have_token`, as the database
    need not be there yet. What it complains of goes into a ``log`` where there is one.
    """

    def __init__(self, data: Path, port: int, address: str | None = None, log: Path | None = None) -> None:
        self.data, self.port, self.address, self.log = data, port, address, log
        self.store = data / STORE_FILE_NAME
        data.mkdir(mode=0o700, exist_ok=True)
        self.token = ""
        if address is None:
            self.have_token()
        self.process: subprocess.Popen[str] | None = None

    def have_token(self) -> None:
        with open_access_register(self.store, self.address) as register:
            self.token = register.create_grant(GrantTerms("owner")).token or ""
        TOKENS[self.port] = self.token

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}

    def start(self) -> None:
        """Start it, and return when it answers. Raises `AssertionError` where it does not."""
        words = ("serve", "--data", str(self.data), "--port", str(self.port), "--no-browser")
        told = {}
        if self.address:  # what signs is one file for all; whatever else a node keeps is its own
            told = {"SPADILLE_STORE": self.address, "SPADILLE_KEY": str(self.data.with_name(KEY_FILE_NAME))}
        with self.log.open("ab") if self.log else nullcontext() as log:
            self.process = subprocess.Popen(
                [*COMMAND, *words], env={**ENVIRONMENT, **told}, stdout=subprocess.DEVNULL,
                stderr=log or subprocess.PIPE, text=True, start_new_session=True,
            )  # fmt: skip
        process = self.process
        until(lambda: process.poll() is not None or self.answers(), "the service answers", SECONDS_TO_START)
        assert process.poll() is None, f"the service ended at once: {process.communicate()}"

    def answers(self) -> bool:
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


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words], env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=300
    )


def require_no_traceback(said: str) -> None:
    """What people are told is sentences."""
    assert "Traceback" not in said, said
