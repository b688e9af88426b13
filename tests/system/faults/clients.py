"""Clients that record in processes of their own (`tests.system.faults.recorder`), and what they were told."""

import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson

from tests.support.api.recording import OPENING
from tests.support.store.writing import ROOT
from tests.system.faults.accounts import Acknowledged, lines_in
from tests.system.faults.service import ENVIRONMENT, Service


class Recorders:
    """So many clients of some services; each writes what was acknowledged into a file in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.shared = str(uuid.uuid4())
        """The deal that all of them write to."""
        self._running: dict[Path, subprocess.Popen[bytes]] = {}

    @contextmanager
    def recording(self, services: list[Service], clients: int, seed: int) -> Iterator[None]:
        status, said = services[0].ask("POST", "/api/v1/deals", orjson.dumps({**OPENING, "id": self.shared}))
        assert status == 201, said
        try:
            for number in range(clients):
                service, file = services[number % len(services)], self.folder / f"client-{seed}{number}.jsonl"
                words = (str(service.port), str(file), f"{seed}{number}", self.shared)
                command = [sys.executable, "-m", "tests.system.faults.recorder", *words]
                environment = {**ENVIRONMENT, "SPADILLE_TOKEN": service.token}
                with file.with_suffix(".said").open("wb") as ours:
                    self._running[file] = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=ours)
            yield
        finally:
            for client in self._running.values():
                client.kill()
                client.wait()

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        for client in self._running.values():
            client.send_signal(signal.SIGSTOP)
        yield
        for client in self._running.values():
            client.send_signal(signal.SIGCONT)

    def told(self) -> dict[Path, list[Acknowledged]]:
        return lines_in(self._running)

    def count(self) -> int:
        return sum(file.read_bytes().count(b"\n") for file in self._running if file.exists())

    def ended(self) -> list[str]:
        """Why clients ended: each met what cannot be, such as another version than it was told."""
        ended = [file for file, client in self._running.items() if client.poll() is not None]
        return [f"ended: {file.with_suffix('.said').read_text('utf-8').splitlines()[-1:]}" for file in ended]
