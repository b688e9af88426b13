"""The time that the store writes into events."""

from __future__ import annotations

import time
from functools import lru_cache


def utc_now() -> str:
    """Now in UTC to the millisecond, such as 2026-11-20T19:30:05.250Z.

    The server's clock is used as it is, even if it jumps: events are ordered by position, never by time.
    """
    seconds, milliseconds = divmod(time.time_ns() // 1_000_000, 1000)
    return f"{_second(seconds)}.{milliseconds:03d}Z"


@lru_cache(maxsize=2)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
