"""Limits for anonymous callers: heavy work waits for a turn, counts as many requests, has its own process."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from flask import Flask, current_app, request

from service.http.api.openapi.languages import response_language
from service.http.heavy_worker import (
    ANSWER_BUILDERS,
    HeavyQuestion,
    HeavyWorker,
    HeavyWorkerUnavailable,
    list_unpublished_rulesets,
)
from service.http.problems import Problem
from service.http.rate_limit import charge_client, client_address, is_local_request
from service.http.service_context import queries
from service.records.deal_points import DealPoint

TURN_TIMEOUT_SECONDS: Final = 10.0
"""The longest that a request waits for its turn."""
MAX_WAITING: Final = 8
"""The most requests that wait or work: each holds a thread."""
MAX_WAITING_PER_CLIENT: Final = 2
YIELD_INTERVAL_SECONDS: Final = 0.01
"""A thread works this long before it pauses."""
YIELD_PAUSE_SECONDS: Final = 0.001
"""Long enough for a waiting thread to take over."""
_last_pause: Final = threading.local()


class QueueFull(Exception):
    """Too many requests of this client or of all are waiting, or the wait took too long."""


class _Ticket(NamedTuple):
    client: str
    number: int


class WorkQueue:
    """Lets one request work at a time: next is the client whose last turn is longest ago."""

    def __init__(self, max_waiting: int = MAX_WAITING, timeout_seconds: float = TURN_TIMEOUT_SECONDS) -> None:
        self._max_waiting, self._timeout_seconds = max_waiting, timeout_seconds
        self._changed = threading.Condition()
        self._tickets: list[_Ticket] = []
        self._working: _Ticket | None = None
        self._number = 0
        # The number of each client's last turn, for as long as anybody waits or works.
        self._last_turns: dict[str, int] = {}

    def __len__(self) -> int:
        """Return how many requests wait or work."""
        return len(self._tickets)

    @contextmanager
    def turn(self, client: str) -> Iterator[None]:
        """Wait for a turn of that client, and have it.

        Raises `QueueFull` where there is no place to wait, or the turn does not come in time.
        """
        with self._changed:
            count = sum(ticket.client == client for ticket in self._tickets)
            if len(self._tickets) >= self._max_waiting or count >= MAX_WAITING_PER_CLIENT:
                raise QueueFull
            ticket = _Ticket(client, self._next_number())
            self._tickets.append(ticket)
        try:
            with self._changed:
                if not self._changed.wait_for(lambda: self._is_next(ticket), self._timeout_seconds):
                    raise QueueFull
                self._working = ticket
                self._last_turns[client] = self._next_number()
            yield
        finally:
            with self._changed:
                self._tickets.remove(ticket)
                if self._working == ticket:
                    self._working = None
                if not self._tickets:
                    self._last_turns.clear()
                self._changed.notify_all()

    def _next_number(self) -> int:
        self._number += 1
        return self._number

    def _is_next(self, ticket: _Ticket) -> bool:
        first = min(self._tickets, key=lambda waiting: self._last_turns.get(waiting.client, 0))
        return self._working is None and first == ticket


def yield_to_other_threads() -> None:
    """Pause for a moment, at most every hundredth of a second, so that other threads can run."""
    if time.monotonic() - getattr(_last_pause, "at", 0.0) > YIELD_INTERVAL_SECONDS:
        time.sleep(YIELD_PAUSE_SECONDS)
        _last_pause.at = time.monotonic()


WORK_RETRY_SECONDS: Final = 10
HEAVY_REQUEST_COST: Final = 25
"""Work that may take about a second counts as that many requests before it begins."""
REPORT_REQUEST_COST: Final = 5
"""A report on a deal rarely takes more than a tenth of that."""
REQUESTS_PER_CPU_SECOND: Final = 100
"""The requests that each second of processor time counts as, in addition."""
_queue: Final = WorkQueue()
_KEY: Final = "spadille-heavy"


def has_anonymous_limits() -> bool:
    """Whether the caller is neither local nor may record anything here."""
    return not is_local_request(request.environ) and not queries().caller.can_write_any_record()


@contextmanager
def anonymous_turn(request_cost: float, must_wait: bool = True) -> Iterator[None]:
    """A turn of an anonymous caller for work that counts as ``request_cost`` requests, if it ``must_wait``.

    Raises the problem of too many requests.
    """
    charge_client(request_cost)
    if not must_wait:
        yield
        return
    try:
        with _queue.turn(client_address(request.environ)):
            yield
    except QueueFull:
        raise _too_many_requests(
            "Too much work is waiting, perhaps yours, so this would take too long."
        ) from None


@contextmanager
def heavy_work(request_cost: float) -> Iterator[None]:
    """An anonymous caller waits for a turn for work that costs anything; nobody else waits."""
    if not request_cost or not has_anonymous_limits():
        yield
        return
    with anonymous_turn(request_cost):
        yield


def register_heavy_worker(app: Flask, client: HeavyWorker) -> None:
    """Let another process answer the heavy questions of anonymous callers."""
    app.extensions[_KEY] = client


def _too_many_requests(message: str) -> Problem:
    return Problem(
        "too-many-requests",
        f"{message} Try again in {WORK_RETRY_SECONDS} s, or send a recorder's token.",
        headers={"Retry-After": str(WORK_RETRY_SECONDS)},
    )


def find_hidden_card_answer(
    answer_name: str, point: DealPoint, lang: str, query: Mapping[str, Any]
) -> dict[str, Any]:
    """Answer one of `ANSWER_BUILDERS`, for anonymous callers in the other process. Raises `DealTooLarge`."""
    point.require_size()
    worker: HeavyWorker | None = current_app.extensions.get(_KEY)
    if worker is None or not has_anonymous_limits():
        return ANSWER_BUILDERS[answer_name](point, lang, query)
    rulesets = list_unpublished_rulesets(point.book)
    question = HeavyQuestion(answer_name, point.log, point.at, rulesets, response_language(), dict(query))
    try:
        body, seconds = worker.ask(question)
    except HeavyWorkerUnavailable:
        raise _too_many_requests("This needs more time or memory than there is now.") from None
    charge_client(REQUESTS_PER_CPU_SECOND * seconds)
    return body
