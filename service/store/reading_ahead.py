"""Reading ahead: the next page is fetched while the one before it is worked on."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Page = TypeVar("Page")


def read_ahead(pages: Iterator[Page]) -> Iterator[Page]:
    """The same pages, each asked for in a thread of its own while the one before it is in use.

    At most two are held at a time. What fetching one raises is raised in its place.
    """
    with ThreadPoolExecutor(1, "reading ahead") as thread:
        coming = thread.submit(next, pages, None)
        while (page := coming.result()) is not None:
            coming = thread.submit(next, pages, None)
            yield page
