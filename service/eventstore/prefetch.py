"""Reading ahead: the next page is fetched while the one before it is worked on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final, TypeVar

Page = TypeVar("Page")

_THREAD_SWITCH_SECONDS: Final = 0.0005
"""So long one thread works before it lets the other go on. A page comes in many pieces, and whoever reads it
wants a turn for each: with Python's usual 5 ms the page would take longer than the work on the one before."""


def prefetch_pages(pages: Iterator[Page]) -> Iterator[Page]:
    """The same pages, each asked for in a thread of its own while the one before it is in use.

    At most two are held at a time. What fetching one raises is raised in its place.
    """
    with _short_switch_interval(), ThreadPoolExecutor(1, "reading ahead") as thread:
        next_page = thread.submit(next, pages, None)
        while (page := next_page.result()) is not None:
            next_page = thread.submit(next, pages, None)
            yield page


@contextmanager
def _short_switch_interval() -> Iterator[None]:
    previous = sys.getswitchinterval()
    sys.setswitchinterval(min(previous, _THREAD_SWITCH_SECONDS))
    try:
        yield
    finally:
        sys.setswitchinterval(previous)
