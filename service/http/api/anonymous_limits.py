"""Limits for anonymous callers: heavy work waits for its turn, counts as many requests, is done elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from flask import Flask, current_app, request

from service.http.clients import client_of, is_direct
from service.http.context import queries
from service.http.heavy import HeavyProcess, HeavyUnavailable, Question
from service.http.problems import Problem
from service.http.rate_limit import spend
from service.http.work_queue import QueueFull, WorkQueue

RETRY_SECONDS: Final = 10
LABORIOUS: Final = 25
"""What may take about a second counts as so many requests before it begins."""
REPORT: Final = 5
"""A report on a deal, which rarely takes more than a tenth of that, counts as so many."""
A_SECOND: Final = 100
"""Each second of a processor's time that it took counts as so many requests more."""
_queue: Final = WorkQueue()
_KEY: Final = "spadille-heavy"


def is_stranger() -> bool:
    """Whether somebody elsewhere asks who may record nothing here: they may have less computed.

    Only what they show themselves counts: what is published is everybody's.
    """
    return not is_direct(request.environ) and not queries().caller.records()


@contextmanager
def in_turn(requests: float, waits: bool = True) -> Iterator[None]:
    """An anonymous caller's turn for what counts as so many ``requests``; it ``waits`` where it takes long.

    Raises the problem of too many that wait for theirs.
    """
    spend(requests)
    if not waits:
        yield
        return
    try:
        with _queue.turn(client_of(request.environ)):
            yield
    except QueueFull:
        raise _too_much(
            "So much waits to be judged, or so much of yours, that this would take too long."
        ) from None


@contextmanager
def laborious(requests: float) -> Iterator[None]:
    """What may take about a second: an anonymous caller waits for its turn for it, nobody else does."""
    if not is_stranger():
        yield
        return
    with in_turn(requests):
        yield


def have_heavy_answered(app: Flask, process: HeavyProcess) -> None:
    """Have what is heavy of anonymous callers answered by another process."""
    app.extensions[_KEY] = process


def heavy_answer(question: Callable[[], Question]) -> dict[str, Any] | None:
    """What the other process answers an anonymous caller; None where it is to be answered here.

    Raises the problem of a question that it does not answer.
    """
    process: HeavyProcess | None = current_app.extensions.get(_KEY)
    if process is None or not is_stranger():
        return None
    try:
        body, seconds = process.ask(question())
    except HeavyUnavailable:
        raise _too_much("This takes more time or memory than there is for it just now.") from None
    spend(A_SECOND * seconds)
    return body


def _too_much(sentence: str) -> Problem:
    return Problem(
        "too-many-requests",
        f"{sentence} Go on in {RETRY_SECONDS} s, or show a recorder's link.",
        headers={"Retry-After": str(RETRY_SECONDS)},
    )
