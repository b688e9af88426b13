"""Sends hostile logs to an application in this process, and measures each request."""

import ctypes
import gc
import json
import multiprocessing
import resource
import signal
import time
from base64 import b64decode, b64encode
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple

from service.app import create_app
from service.config.settings import Settings
from service.eventstore import MemoryStore
from tests.support.api.clients import holding, owner_of
from tests.system.hostile_logs.generator import hostile_log
from tests.system.hostile_logs.requests import STRANGER, Asked, requests_of

MEMORY: Final = 300 << 20
"""The most bytes that the process may hold at once while it answers."""
SECONDS: Final = 3.0
"""The most processor time that an answer may take."""
STOPPED_AFTER: Final = 8.0
"""A request that takes this much processor time is stopped."""
ADDRESS_SPACE: Final = 4 << 30
LOGS_A_STORE: Final = 25
"""So many logs go to one application, which begins with an empty store."""
TRIMMED_AT: Final = 140 << 20
"""A process that holds more bytes before a request first gives back what is free."""
STATUS: Final = Path("/proc/self/status")
CLEAR: Final = Path("/proc/self/clear_refs")


class Measured(NamedTuple):
    """A request: its status (0 where it was stopped), its processor time and the memory of the process."""

    asked: Asked
    status: int
    seconds: float
    memory: int

    @property
    def exceeds(self) -> bool:
        """Whether it took too much, or was answered as a fault of the program."""
        return self.seconds > SECONDS or self.memory > MEMORY or self.status in (0, 500)

    def __str__(self) -> str:
        ended = self.status or "stopped"
        took = f"{ended}, {self.seconds:.2f} s, {self.memory >> 20} MiB"
        return f"{self.asked.method} {self.asked.path} by a {self.asked.caller}: {took}"


class Stopped(BaseException):
    """A request took far too long. Nothing that catches `Exception` catches this."""


def _stop(_: int, __: FrameType | None) -> None:
    raise Stopped


class Service:
    """An application with an empty store, and those who ask it."""

    def __init__(self) -> None:
        app = create_app(MemoryStore(), settings=Settings(rate=1e9, burst=1_000_000))
        self.recorder, self.stranger = owner_of(app), holding(app)
        self.stranger.environ_base["REMOTE_ADDR"] = "192.0.2.7"
        self.deal: str | None = None

    def answer(self, asked: Asked) -> int:
        """The status of the answer to a request. The deal that it names is the one stored last."""
        client = self.stranger if asked.caller == STRANGER else self.recorder
        headers = {} if asked.version is None else {"If-Match": f'"{asked.version}"'}
        answer = client.open(
            asked.path.replace("{deal}", self.deal or ""), method=asked.method, headers=headers,
            data=asked.body or None, content_type=asked.media_type or None,
        )  # fmt: skip
        if answer.status_code == 201 and asked.path.endswith("/deals"):
            self.deal = answer.headers["Location"].rpartition("/")[2]
        answer.close()
        return answer.status_code


def limit_this_process() -> None:
    """Bounds the memory of this process, as a safety net, and lets a request be stopped."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    signal.signal(signal.SIGPROF, _stop)


def measured(service: Service, asked: Asked) -> Measured:
    if _in_status("VmRSS") > TRIMMED_AT:  # what is free already is none of this request's
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
    CLEAR.write_text("5")  # The peak is counted from here on (proc_pid_clear_refs(5)).
    begun = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, STOPPED_AFTER)
    try:
        status = service.answer(asked)
    except Stopped:
        status = 0
    except MemoryError:
        status = 500
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return Measured(asked, status, time.process_time() - begun, _in_status("VmHWM"))


def _in_status(name: str) -> int:
    """A number of bytes that the kernel tells of this process."""
    lines = STATUS.read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(f"{name}:"))


class Tried(NamedTuple):
    """A log, how many requests it was tried with, and those that took too much, each with the file of it."""

    number: int
    kind: str
    requests: int
    found: tuple[tuple[Measured, Path], ...]


def all_tried(seed: int, count: int, folder: Path, seconds: float) -> Iterator[Tried]:
    """Try ``count`` logs, none begun after ``seconds``; what took too much is written into ``folder``."""
    end = time.monotonic() + seconds
    shares = [range(first, min(first + LOGS_A_STORE, count)) for first in range(0, count, LOGS_A_STORE)]
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn"), limit_this_process) as pool:
        for share in as_completed([pool.submit(try_logs, seed, numbers, folder, end) for numbers in shares]):
            yield from share.result()


def try_logs(seed: int, numbers: range, folder: Path, end: float) -> list[Tried]:
    """Try the logs of these numbers on one application, as long as the ``end`` has not come."""
    service, tries = Service(), []
    for number in numbers:
        if time.monotonic() > end:
            break
        service.deal = None
        log = hostile_log(seed, number)
        sent: list[Asked] = []
        found = []
        for asked in requests_of(log, seed, number):
            if "{deal}" in asked.path and service.deal is None:
                continue
            sent.append(asked)
            took = measured(service, asked)
            if took.exceeds:
                file = folder / f"{seed}-{number}-{len(sent)}.json"
                # What stores the deal which the last request reads, and that one.
                recording = [one for one in sent[:-1] if one.method == "POST" and "/deals" in one.path]
                write(file, [*recording, asked])
                found.append((took, file))
        tries.append(Tried(number, log.kind, len(sent), tuple(found)))
    return tries


def write(file: Path, requests: list[Asked]) -> None:
    """Writes requests into a file, so that they can be sent again."""
    file.parent.mkdir(parents=True, exist_ok=True)
    told = [{**one._asdict(), "body": b64encode(one.body).decode()} for one in requests]
    file.write_text(json.dumps(told), encoding="utf-8")


def sent_again(file: Path) -> Iterator[Measured]:
    service = Service()
    for one in json.loads(file.read_text(encoding="utf-8")):
        yield measured(service, Asked(**{**one, "body": b64decode(one["body"])}))
