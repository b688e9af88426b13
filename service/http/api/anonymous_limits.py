"""Limits for anonymous callers: heavy work waits for its turn, counts as many requests, is done elsewhere."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from flask import Flask, current_app, request

from service.application import hidden_cards
from service.http.api.openapi.languages import response_language
from service.http.client_address import client_address, is_local_request
from service.http.heavy_worker import (
    HeavyQuestion,
    HeavyWorker,
    HeavyWorkerUnavailable,
    list_unpublished_rulesets,
)
from service.http.problems import Problem
from service.http.rate_limit import charge_client
from service.http.service_context import queries
from service.http.work_queue import QueueFull, WorkQueue
from service.records.deal_points import DealPoint

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
    """What may take about a second: an anonymous caller waits for its turn for it, nobody else does."""
    if not has_anonymous_limits():
        yield
        return
    with anonymous_turn(request_cost):
        yield


def register_heavy_worker(app: Flask, client: HeavyWorker) -> None:
    """Have what is heavy of anonymous callers answered by another process."""
    app.extensions[_KEY] = client


def ask_heavy_worker(build_question: Callable[[], HeavyQuestion]) -> dict[str, Any] | None:
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


Json = dict[str, Any]


def find_evidence_answer(point: DealPoint, lang: str, query: Mapping[str, Any]) -> Json:
    """What the hidden cards can be. Raises `DealTooLarge`."""
    point.require_size()
    answer = ask_heavy_worker(lambda: _build_question("evidence", point, query))
    return hidden_cards.build_evidence_answer(point, lang, query) if answer is None else answer


def find_odds_answer(point: DealPoint, lang: str, query: Mapping[str, Any]) -> Json:
    """What best play comes to over lawful deals that agree with the record. Raises `DealTooLarge`."""
    point.require_size()
    answer = ask_heavy_worker(lambda: _build_question("odds", point, query))
    return hidden_cards.build_odds_answer(point, lang, query) if answer is None else answer


def _build_question(answer_name: str, point: DealPoint, query: Mapping[str, Any]) -> HeavyQuestion:
    return HeavyQuestion(
        answer_name,
        point.log,
        point.at,
        list_unpublished_rulesets(point.book),
        response_language(),
        dict(query),
    )
