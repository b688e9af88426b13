"""Wait for what happens in another thread or process, instead of for a time."""

import time
from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")


def until(look: Callable[[], Value], what: str = "", seconds: float = 30) -> Value:
    """Call ``look`` until its answer is true, and return that; ``AssertionError`` after ``seconds``."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end, f"not so after {seconds:g} s: {what or look}"
        time.sleep(0.01)
    return found
