"""Versions of records: at which one what a client sends may be appended."""

from collections.abc import Callable, Sequence

from service.api.shapes.fields import IfMatch
from service.problems import Problem
from service.recording import may_come_anytime
from service.records import Posted
from service.store import ANY
from service.store.interface import Expected


def expected_version(asked: IfMatch | None, posted: Sequence[Posted], current: Callable[[], int]) -> Expected:
    """The version at which to append. Raises the problem of a request that has to name one."""
    expected = required_version(asked, current)
    if expected is ANY and not may_come_anytime(posted):
        raise _unversioned(
            "With If-Match: * only notes, irregularities, rulings and settlements can be appended."
        )
    return expected


def required_version(asked: IfMatch | None, current: Callable[[], int]) -> Expected:
    """The version that the request names. Raises the problem of one that names none."""
    if asked is None:
        raise _unversioned("The request has no If-Match.")
    return asked.expected(current)


def _unversioned(sentence: str) -> Problem:
    return Problem(
        "version-required", f'{sentence} Send If-Match with the version you have seen, such as "17".'
    )
