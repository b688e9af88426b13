"""Heavy answers for anonymous callers, computed by another process.

Threads of one process share an interpreter, so a second of work delays every append. The other process has
low priority and little memory, and is killed when it takes too long. It has no access to store, register or
settings.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Final, NamedTuple

import structlog

from engine import Log
from engine.core.field_types import Seq
from engine.rulesets import PUBLISHED_RULESETS, Ruleset, RulesetBook, compile_cached, compile_ruleset
from service.application.hidden_cards import build_evidence_answer, build_odds_answer
from service.records.deal_points import build_deal_point

ANSWER_TIMEOUT_SECONDS: Final = 20.0
"""The longest wait for an answer; its budget is about a second of processor time."""
ANSWER_BUILDERS: Final = {"evidence": build_evidence_answer, "odds": build_odds_answer}
NICENESS: Final = 10
MEMORY_LIMIT_BYTES: Final = 1 << 30
"""The most memory of the process, including its code."""

_SPAWN: Final = multiprocessing.get_context("spawn")
_log = structlog.get_logger()


class HeavyQuestion(NamedTuple):
    """Which answer about which log at which point, with which unpublished rulesets."""

    answer_name: str
    log: Log
    at: Seq | None
    rulesets: tuple[Ruleset, ...]
    language: str
    query: dict[str, Any]


class HeavyAnswer(NamedTuple):
    """An answer, and the processor time that it took."""

    body: dict[str, Any]
    cpu_seconds: float


class HeavyWorkerUnavailable(RuntimeError):
    """The other process gave no answer."""


class HeavyWorker:
    """The other process. It starts with the first question, restarts after an end, and ends with this one."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    def ask(self, question: HeavyQuestion) -> HeavyAnswer:
        """Have a question answered. Raises `HeavyWorkerUnavailable`."""
        with self._mutex:
            try:
                connection = self._connect()
                connection.send(question)
                if not connection.poll(ANSWER_TIMEOUT_SECONDS):
                    raise TimeoutError
                answer: HeavyAnswer = connection.recv()
            except (OSError, EOFError):
                self._end()
                _log.warning("heavy process ended")
                raise HeavyWorkerUnavailable from None
            return answer

    def close(self) -> None:
        """End the process."""
        process = self._process
        if process is not None:
            process.kill()  # also where it is being asked
        with self._mutex:
            self._end()

    def _connect(self) -> Connection:
        if self._connection is None or self._process is None or not self._process.is_alive():
            self._end()
            self._connection, other_end = _SPAWN.Pipe()
            self._process = _SPAWN.Process(target=_answer_questions, args=(other_end,), daemon=True)
            self._process.start()
            other_end.close()
        return self._connection

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


def list_unpublished_rulesets(book: RulesetBook) -> tuple[Ruleset, ...]:
    """The unpublished rulesets of a book."""
    published = {rules.ruleset for rules in PUBLISHED_RULESETS}
    return tuple(rules.ruleset for rules in book if rules.ruleset not in published)


def answer_question(question: HeavyQuestion) -> HeavyAnswer:
    """Compute the answer in this process."""
    start_seconds = time.process_time()
    book = (*PUBLISHED_RULESETS, *map(compile_ruleset, question.rulesets))
    point = build_deal_point(question.log, question.at, None, book)
    body = ANSWER_BUILDERS[question.answer_name](point, question.language, question.query)
    if question.rulesets:
        compile_cached.cache_clear()  # what somebody sent once is not asked about again
    return HeavyAnswer(body, time.process_time() - start_seconds)


def _answer_questions(connection: Connection) -> None:
    """Answer until the service ends and closes the other end. Runs in the other process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the service, which ends this
    _limit_resources()
    with contextlib.suppress(EOFError, OSError):  # the service has ended
        while True:
            connection.send(answer_question(connection.recv()))


def _limit_resources() -> None:
    """Lower the priority and limit the memory, where the system allows it."""
    if sys.platform != "win32":
        import resource

        with contextlib.suppress(OSError, ValueError):
            os.nice(NICENESS)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))
