"""kill -9 in a loop, while clients append: nothing acknowledged is lost, doubled or left out."""

import http.client
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from service.eventstore import SqliteReader
from tests.support.api.listening import Line, messages_in
from tests.support.api.servers import free_port
from tests.support.waiting import until
from tests.system.faults.accounts import Acknowledged, amiss, fault_counts, stored_in
from tests.system.faults.clients import Recorders
from tests.system.faults.service import Service, require_no_traceback, run

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
        return (
            f"{self.rounds} kills, {self.acknowledged:,} events acknowledged in {self.streams:,} records "
            f"({self.stored:,} stored), {self.lines} live lines: {fault_counts(self.faults)}"
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
        try:
            until(lambda: len(self.heard) >= len(stored) and self.lines > kills, seconds=60)
        except AssertionError:
            return [f"live: {len(self.heard)} of {len(stored)} events, {self.lines} streams in {kills} kills"]
        pairs = zip(self.heard, [(str(event.seq), event.body) for event in stored], strict=False)
        return [f"live: heard {heard} where {one} is stored" for heard, one in pairs if heard != one]


def killed(
    place: Path, rounds: int, clients: int, seed: int = 0, at_least: int = 0,
    tell: Callable[[str], None] = lambda _: None,
) -> Killed:  # fmt: skip
    """Kill the service so often, and until ``at_least`` events are acknowledged or anything is amiss."""
    chance = random.Random(seed)
    service = Service(place / "data", free_port())
    recorders = Recorders(place)
    follower = Follower(service, recorders.shared)
    faults: list[str] = []
    number = 0
    service.start()
    try:
        with recorders.recording([service], clients, seed):
            follower.start()
            while not faults and (number < rounds or recorders.count() < at_least):
                number += 1
                kept = _keep_checkpoint(service, place)
                time.sleep(chance.uniform(*LIVES))
                _strike(service, chance, place)
                # What they wait for comes when they go on: else the store would grow by what is looked at.
                with recorders.standing_still():
                    faults = _looked_at(service, recorders, follower, kept, number)
                faults += recorders.ended()
                more = "".join(f"\n  {one}" for one in faults[:5])
                tell(f"round {number}: {recorders.count():,} acknowledged{more}")
        stored, told = stored_in(service.store), recorders.told()
        faults = faults or amiss(told, stored)
        require_no_traceback(service.stop())
    finally:
        follower.stopped = True
        if service.process is not None and service.process.poll() is None:
            service.kill()
    return Killed(
        number, sum(map(len, told.values())), len(stored), len({event.stream for event in stored}),
        follower.lines, tuple(faults),
    )  # fmt: skip


def _strike(service: Service, chance: random.Random, place: Path) -> None:
    """Kill it, sometimes while a backup runs, and start it again."""
    backing_up = None
    if chance.random() < 0.2:
        words = ["backup", str(place / "backup.zip"), "--data", str(service.data)]
        backing_up = threading.Thread(target=lambda: run(*words), daemon=True)
        backing_up.start()
        time.sleep(chance.uniform(0.2, 0.8))
    service.kill()
    service.start()
    if backing_up is not None:
        backing_up.join()


def _looked_at(
    service: Service, recorders: Recorders, follower: Follower, kept: Path, kills: int
) -> list[str]:
    """What is amiss after a kill, while the service runs again."""
    faults = amiss(recorders.told(), stored_in(service.store))
    with SqliteReader(service.store) as reader:
        entries = reader.read_stream(recorders.shared, limit=5000)
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
