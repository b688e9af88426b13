"""Limits for anonymous callers: heavy work waits for its turn, counts as many requests, is done elsewhere."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from flask import Flask, current_app, request

from service.http.api.openapi.languages import response_language
from service.http.client_address import client_address, is_local_request
from service.http.heavy_worker import (
    ANSWER_BUILDERS,
    HeavyQuestion,
    HeavyWorker,
    HeavyWorkerUnavailable,
    list_unpublished_rulesets,
)
from service.http.problems import Problem
from service.http.rate_limit import charge_client
from service.http.service_context import queries
from service.records.deal_points import DealPoint

TURN_TIMEOUT_SECONDS: Final = 10.0
"""A request waits this long for its turn."""
MAX_WAITING: Final = 8
"""The most requests that wait, with the one that is worked on: each has a thread."""
MAX_WAITING_PER_CLIENT: Final = 2
YIELD_INTERVAL_SECONDS: Final = 0.01
"""A thread works this long before it pauses."""
YIELD_PAUSE_SECONDS: Final = 0.001
"""Long enough for a waiting thread to take over; at once, the same thread would go on."""
_last_pause: Final = threading.local()


class QueueFull(Exception):
    """Too many requests wait already, of this client or of all, or it took too long."""


class _Ticket(NamedTuple):
    client: str
    number: int


class WorkQueue:
    """Lets one request work at a time: of those that wait, that of the client whose turn was longest ago."""

    def __init__(self, max_waiting: int = MAX_WAITING, timeout_seconds: float = TURN_TIMEOUT_SECONDS) -> None:
        self._max_waiting, self._timeout_seconds = max_waiting, timeout_seconds
        self._changed = threading.Condition()
        self._tickets: list[_Ticket] = []
        self._working: _Ticket | None = None
        self._number = 0
        # The number of each client's last turn, for as long as anybody waits or works.
        self._last_turns: dict[str, int] = {}

    def __len__(self) -> int:
        """Return how many requests wait, with the one that is worked on."""
        return len(self._tickets)

    @contextmanager
    def turn(self, client: str) -> Iterator[None]:
        """Wait for a turn of that client, and have it.

        Raises:
            QueueFull: there is no place to wait, or the turn did not come in time.
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
    """Let a thread that waits for the interpreter have it, at most each hundredth of a second."""
    if time.monotonic() - getattr(_last_pause, "at", 0.0) > YIELD_INTERVAL_SECONDS:
        time.sleep(YIELD_PAUSE_SECONDS)
        _last_pause.at = time.monotonic()


WORK_RETRY_SECONDS: Final = 10
HEAVY_REQUEST_COST: Final = 25
"""What may take about a second counts as so many requests before it begins."""
REPORT_REQUEST_COST: Final = 5
"""A report on a deal, which rarely takes more than a tenth of that, counts as so many."""
REQUESTS_PER_CPU_SECOND: Final = 100
"""Each second of a processor's time that it took counts as so many requests more."""
_queue: Final = WorkQueue()
_KEY: Final = "spadille-heavy"


def has_anonymous_limits() -> bool:
    """Whether the caller is not local and may record nothing here, and so may have less computed."""
    return not is_local_request(request.environ) and not queries().caller.can_write_any_record()


@contextmanager
def anonymous_turn(request_cost: float, must_wait: bool = True) -> Iterator[None]:
    """An anonymous caller's turn for what counts as ``request_cost`` requests; what takes long ``must_wait``.

    Raises the problem of too many that wait for theirs.
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
            "So much waits to be judged, or so much of yours, that this would take too long."
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
    """Have what is heavy of anonymous callers answered by another process."""
    app.extensions[_KEY] = client


def _ask_heavy_worker(build_question: Callable[[], HeavyQuestion]) -> dict[str, Any] | None:
    """What the other process answers an anonymous caller; None where it is to be answered here."""
    client: HeavyWorker | None = current_app.extensions.get(_KEY)
    if client is None or not has_anonymous_limits():
        return None
    try:
        body, seconds = client.ask(build_question())
    except HeavyWorkerUnavailable:
        raise _too_many_requests("This takes more time or memory than there is for it just now.") from None
    charge_client(REQUESTS_PER_CPU_SECOND * seconds)
    return body


def _too_many_requests(message: str) -> Problem:
    return Problem(
        "too-many-requests",
        f"{message} Go on in {WORK_RETRY_SECONDS} s, or show a recorder's link.",
        headers={"Retry-After": str(WORK_RETRY_SECONDS)},
    )


def find_hidden_card_answer(
    answer_name: str, point: DealPoint, lang: str, query: Mapping[str, Any]
) -> dict[str, Any]:
    """Answer one of `ANSWER_BUILDERS`, for anonymous callers in the other process. Raises `DealTooLarge`."""
    point.require_size()
    answer = _ask_heavy_worker(
        lambda: HeavyQuestion(
            answer_name,
            point.log,
            point.at,
            list_unpublished_rulesets(point.book),
            response_language(),
            dict(query),
        )
    )
    return ANSWER_BUILDERS[answer_name](point, lang, query) if answer is None else answer
