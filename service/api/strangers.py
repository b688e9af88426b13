"""What a stranger may have computed: he waits for his turn, and what takes long counts as many requests."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from flask import request

from service.clients import client_of, is_direct
from service.context import access
from service.judging_turns import NoTurn, Turns
from service.limits import spend
from service.problems import Problem

RETRY_SECONDS: Final = 10
LABORIOUS: Final = 25
"""What may take about a second counts as so many requests."""
_turns: Final = Turns()


def is_stranger() -> bool:
    """Whether somebody elsewhere asks who may record nothing here: he may have less computed.

    Only what he shows himself counts: what is published is everybody's.
    """
    return not is_direct(request.environ) and not access().caller.records()


@contextmanager
def in_turn(requests: float, waits: bool = True) -> Iterator[None]:
    """A stranger's turn for what counts as so many ``requests``; he ``waits`` for it where it takes long.

    Raises the problem of too many who wait for theirs.
    """
    spend(requests)
    if not waits:
        yield
        return
    try:
        with _turns.turn(client_of(request.environ)):
            yield
    except NoTurn:
        raise Problem(
            "too-many-requests",
            "So much waits to be judged, or so much of yours, that this would take too long. "
            f"Go on in {RETRY_SECONDS} s, or show a recorder's link.",
            headers={"Retry-After": str(RETRY_SECONDS)},
        ) from None


@contextmanager
def laborious() -> Iterator[None]:
    """What may take about a second: a stranger waits for his turn for it, nobody else does."""
    if not is_stranger():
        yield
        return
    with in_turn(LABORIOUS):
        yield
