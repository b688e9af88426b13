"""What a piece of work costs, counted and not timed: the same on every machine, whatever it does beside."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

GROWTH: Final = 2.5
"""Twice the size may cost at most so many times as much."""
SLACK: Final = 20_000
"""So many calls more are no growth: what is done once in a while, such as filling a table of names."""
TRIES: Final = 4
"""So many sizes in a row have to cost too much: one step, such as a problem more to tell, is no growth."""

Work = Callable[[], object]


def calls(work: Work) -> int:
    """How many functions are called while ``work`` is done, Python's own among them.

    What happens inside one of Python's own (a pattern that is matched, bytes that are copied) counts as one.
    """
    count = 0

    def called(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def assert_grows_evenly(
    work: Callable[[int], Work], size: int, cost: Callable[[Work], float] = calls, slack: float = SLACK
) -> None:
    """Work of twice the size costs at most ``GROWTH`` times as much. ``work`` prepares it for a size."""
    for attempt in range(1, TRIES + 1):
        once, twice = cost(work(size)), cost(work(2 * size))
        if twice <= GROWTH * once + slack:
            return
        assert attempt < TRIES, f"size {size} costs {once:,.2f}, twice as much {twice:,.2f}"
        size *= 2
