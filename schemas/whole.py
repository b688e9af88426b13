"""Whole numbers of any size as JSON: there can be more deals than 64 bits count."""

from typing import Any, Final

import orjson

LARGEST: Final = (1 << 63) - 1
"""The largest number that orjson writes by itself."""


def whole(number: int) -> Any:
    """A number of any size, as `orjson` takes it."""
    return number if -LARGEST <= number <= LARGEST else orjson.Fragment(str(number))
