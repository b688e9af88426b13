"""Versions of records: at which one what a client sends may be appended."""

from collections.abc import Callable, Sequence

from service.eventstore.interface import Expected
from service.http.api.openapi.contract import NAME_A_VERSION
from service.http.api.schemas.fields import IfMatch
from service.http.problems import Problem
from service.records.append import may_come_anytime
from service.records.records import Posted


def expected_version(asked: IfMatch, posted: Sequence[Posted], current: Callable[[], int]) -> Expected:
    """The version at which to append. Raises the problem of a request that has to name one."""
    if asked.anything and not may_come_anytime(posted):
        raise Problem("version-required", f"If-Match: * does not do for these events. {NAME_A_VERSION}")
    return asked.expected(current)
