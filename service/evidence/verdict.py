"""The verdict: what was looked at, and what was found."""

from __future__ import annotations

from typing import NamedTuple

from service.evidence.faults import Fault


class Verdict(NamedTuple):
    """What was looked at and what was found: the first event that differs stands first.

    ``proven`` is how many events a checkpoint kept elsewhere proves, None where none was asked for;
    ``hidden`` how many were looked at by their hash alone, ``erased`` how many have lost their contents;
    ``more`` how many faults there are beside those that are named. ``first`` is only there for a log that
    grew: how many events it had before.
    """

    events: int
    streams: int
    faults: tuple[Fault, ...]
    proven: int | None = None
    hidden: int = 0
    erased: int = 0
    more: int = 0
    first: int | None = None
