"""Corrections within corrections."""

from typing import Any


def corrections(levels: int) -> dict[str, Any]:
    obj: dict[str, Any] = {"type": "gap_noted"}
    for _ in range(levels):
        obj = {"type": "correction_made", "reason": "", "with": [obj]}
    return obj
