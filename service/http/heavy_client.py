"""Heavy answers for anonymous callers, worked out by another process (`service.http.heavy_worker`).

Threads of one process share an interpreter: a second of work in one of them makes every append wait again and
again. The other process has a lower priority, little memory, and can be ended when it takes too long.
"""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import IO, Any, Final, NamedTuple, cast

import orjson
import structlog

from engine import Log
from engine.core.field_types import Seq
from engine.rulesets import PUBLISHED_RULESETS, Ruleset, RulesetBook

ANSWER_TIMEOUT_SECONDS: Final = 20.0
"""An answer that takes longer is given up: its budget is about a second of a processor's time."""
LENGTH_PREFIX_BYTES: Final = 8
"""An answer begins with its length, in so many bytes."""

_log = structlog.get_logger()


class HeavyQuestion(NamedTuple):
    """What is asked: which answer, of which log at which point, with which rulesets besides the published."""

    answer_name: str
    log: Log
    at: Seq | None
    rulesets: tuple[Ruleset, ...]
    language: str
    query: dict[str, Any]


class HeavyWorkerUnavailable(RuntimeError):
    """The other process gave no answer."""


class HeavyAnswer(NamedTuple):
    """An answer, and how many seconds of a processor's time it took."""

    body: dict[str, Any]
    cpu_seconds: float


class HeavyWorkerClient:
    """The other process: started when first asked, and again when it has ended. It ends with this one."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, question: HeavyQuestion) -> HeavyAnswer:
        """Have a question answered. Raises `HeavyWorkerUnavailable`."""
        with self._mutex:
            process = self._ensure_running()
            watchdog = threading.Timer(ANSWER_TIMEOUT_SECONDS, process.kill)
            watchdog.start()
            try:
                return _exchange(process, question)
            except (OSError, EOFError, orjson.JSONDecodeError):
                self._terminate()
                _log.warning("heavy process ended")
                raise HeavyWorkerUnavailable from None
            finally:
                watchdog.cancel()

    def close(self) -> None:
        """End the process."""
        process = self._process
        if process is not None:
            process.kill()  # also where it is being asked
        with self._mutex:
            self._terminate()

    def _ensure_running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._terminate()
            # Isolated (-I): no folder of the caller and none of its variables says what is imported.
            command = [sys.executable, "-I", "-m", "service.http.heavy_worker"]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self._process

    def _terminate(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _exchange(process: subprocess.Popen[bytes], question: HeavyQuestion) -> HeavyAnswer:
    requests, answers = cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout)
    requests.write(pickle.dumps(question))
    requests.flush()
    length = int.from_bytes(_read_exactly(answers, LENGTH_PREFIX_BYTES))
    answer: Mapping[str, Any] = orjson.loads(_read_exactly(answers, length))
    return HeavyAnswer(answer["body"], answer["seconds"])


def _read_exactly(answers: IO[bytes], size: int) -> bytes:
    data = answers.read(size)
    if len(data) < size:
        raise EOFError
    return data


def list_unpublished_rulesets(book: RulesetBook) -> tuple[Ruleset, ...]:
    """The rulesets of a book that are not among the published."""
    published = {rules.ruleset for rules in PUBLISHED_RULESETS}
    return tuple(rules.ruleset for rules in book if rules.ruleset not in published)
