"""kill -9 in a loop, while clients append: nothing acknowledged is lost, doubled or left out."""

from __future__ import annotations

import http.client
import os
import random
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from service.eventstore import SqliteReader
from tests.faults.accounts import Acknowledged, amiss, lines_in, stored_in
from tests.faults.service import ENVIRONMENT, Service, require_no_traceback, run
from tests.store.writing import ROOT
from tests.support.api.listening import Line, messages_in
from tests.support.api.recording import OPENING
from tests.support.api.servers import TOKENS, free_port

LIVES: Final = (0.3, 1.6)
"""So many seconds the service lives at least and at most, once it answers."""


class Killed(NamedTuple):
    """What a run came to."""

    rounds: int
    acknowledged: int
    stored: int
    streams: int
    lines: int
    faults: tuple[str, ...]

    def __str__(self) -> str:
        counts = {
            kind: sum(one.startswith(kind) for one in self.faults) for kind in ("lost", "doubled", "gap")
        }
        said = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        return (
            f"{self.rounds} kills, {self.acknowledged:,} events acknowledged in {self.streams:,} records "
            f"({self.stored:,} stored), {self.lines} live lines: {said}, "
            f"{len(self.faults) - sum(counts.values())} else amiss"
        )


class Follower(threading.Thread):
    """Follows a deal live over every kill, going on from the last id that he was told."""

    def __init__(self, service: Service, deal: str) -> None:
        super().__init__(daemon=True)
        self._service, self._deal = service, deal
        self.heard: list[tuple[str, str]] = []
        self.lines = 0
        self.stopped = False

    def run(self) -> None:
        """Listen until it is stopped."""
        while not self.stopped:
            try:
                self._listen()
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)

    def _listen(self) -> None:
        last = self.heard[-1][0] if self.heard else None
        line = Line(self._service.port, f"/api/v1/deals/{self._deal}/live", last, timeout=20)
        self.lines += line.answer.status == 200
        try:
            for message in messages_in(line.chunks()):
                assert message.id is not None and message.data is not None
                self.heard.append((message.id, message.data))
        finally:
            line.close()

    def amiss(self, stored: list[Acknowledged], kills: int) -> list[str]:
        """What he heard otherwise than it is stored; waits until he has come back and has all of it."""
        deadline = time.monotonic() + 60
        while (len(self.heard) < len(stored) or self.lines <= kills) and time.monotonic() < deadline:
            time.sleep(0.02)
        if self.lines <= kills:
            return [f"live: {self.lines} streams in {kills} kills"]
        heard = self.heard[: len(stored)]
        due = [(str(event.seq), event.body) for event in stored]
        at = next((i for i, pair in enumerate(zip(heard, due, strict=False)) if pair[0] != pair[1]), None)
        if at is not None:
            return [f"live: heard {heard[at]} where {due[at]} is stored"]
        return [] if len(heard) == len(due) else [f"live: heard {len(heard)} of {len(due)} events"]


def killed(
    place: Path,
    rounds: int,
    clients: int,
    seed: int = 0,
    at_least: int = 0,
    tell: Callable[[str], None] = lambda _: None,
) -> Killed:
    """Kill the service so many times at random moments while so many clients record.

    There are more rounds where fewer than ``at_least`` events were acknowledged. Ends at the first round in
    which something is amiss.
    """
    chance = random.Random(seed)
    service = Service(place / "data", free_port())
    TOKENS[service.port] = service.token
    service.start()
    shared = str(uuid.uuid4())
    status, said = service.ask("POST", "/api/v1/deals", orjson.dumps({**OPENING, "id": shared}))
    assert status == 201, said
    files = [place / f"client-{number}.jsonl" for number in range(clients)]
    follower = Follower(service, shared)
    follower.start()
    faults: list[str] = []
    number = 0
    try:
        with recorders(service, files, shared, seed) as clients_running:
            while not faults and (number < rounds or _count(files) < at_least):
                number += 1
                kept = _keep_checkpoint(service, place)
                time.sleep(chance.uniform(*LIVES))
                _strike(service, chance, place)
                # What they wait for comes when they go on: else the store would grow by what is looked at.
                _signal(clients_running, signal.SIGSTOP)
                faults += _looked_at(service, files, follower, shared, kept, number)
                _signal(clients_running, signal.SIGCONT)
                tell(
                    f"round {number}: {_count(files):,} acknowledged"
                    + "".join(f"\n  {one}" for one in faults[:5])
                )
        stored = stored_in(service.store)
        told = lines_in(files)
        faults = faults or amiss(told, stored)
        complained = service.stop()
        require_no_traceback(complained)
    finally:
        follower.stopped = True
        if service.process is not None and service.process.poll() is None:
            service.kill()
    return Killed(
        number, sum(map(len, told.values())), len(stored), len({event.stream for event in stored}),
        follower.lines, tuple(faults),
    )  # fmt: skip


@contextmanager
def recorders(
    service: Service, files: list[Path], shared: str, seed: int
) -> Iterator[list[subprocess.Popen[str]]]:
    """The clients; each ends when what he sends is answered, and none has met anything odd."""
    environment = {**ENVIRONMENT, "SPADILLE_TOKEN": service.token}
    command = [sys.executable, "-m", "tests.faults.recorder", str(service.port)]
    running = [
        subprocess.Popen(
            [*command, str(file), f"{seed}{number}", shared],
            cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True,
        )
        for number, file in enumerate(files)
    ]  # fmt: skip
    try:
        yield running
        odd = [one.communicate()[1] for one in running if one.poll() is not None]
        assert not odd, odd
    finally:
        _signal(running, signal.SIGTERM)
        _signal(running, signal.SIGCONT)
        said = [one.communicate(timeout=30)[1] for one in running]
    assert not any("Error" in one for one in said), said


def _signal(processes: Iterable[subprocess.Popen[str]], which: signal.Signals) -> None:
    for one in processes:
        one.send_signal(which)


def _strike(service: Service, chance: random.Random, place: Path) -> None:
    """Kill all of it, or only the process that holds the store, sometimes while a backup runs."""
    backing_up = None
    if chance.random() < 0.2:
        words = ["backup", str(place / "backup.zip"), "--data", str(service.data)]
        backing_up = threading.Thread(target=lambda: run(*words), daemon=True)
        backing_up.start()
        time.sleep(chance.uniform(0.2, 0.8))
    if chance.random() < 0.2:
        os.kill(service.worker(), signal.SIGKILL)
        deadline = time.monotonic() + 60
        while not service.answers() and time.monotonic() < deadline:
            time.sleep(0.05)
    else:
        service.kill()
        service.start()
    if backing_up is not None:
        backing_up.join()


def _looked_at(
    service: Service, files: list[Path], follower: Follower, shared: str, kept: Path, kills: int
) -> list[str]:
    """What is amiss after a kill, while the service runs again."""
    told = lines_in(files)
    stored = stored_in(service.store)
    faults = amiss(told, stored)
    with SqliteReader(service.store) as reader:
        entries = reader.read(shared, limit=5000)
    faults += follower.amiss(
        [Acknowledged(one.stream, one.seq, one.event_id, one.body.decode()) for one in entries], kills
    )
    verified = run("verify", str(service.data), "--checkpoint", str(kept))
    if verified.returncode != 0:
        faults.append(f"verify: {verified.stdout}{verified.stderr}")
    return faults


def _keep_checkpoint(service: Service, place: Path) -> Path:
    """A checkpoint of what is there now with all leaf hashes, fetched as somebody would who keeps it."""
    kept = place / "kept.txt"
    parts = []
    for path in ("/api/v1/checkpoint", "/api/v1/checkpoint/leaves"):
        status, said = service.ask("GET", path)
        assert status == 200, said
        parts.append(said)
    kept.write_bytes(b"\n".join(parts))
    return kept


def _count(files: list[Path]) -> int:
    return sum(file.read_bytes().count(b"\n") for file in files if file.exists())
