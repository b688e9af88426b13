"""What is found where a record is not the one that was recorded: which event, and what differs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

INTEGRITY_FAULT_KINDS: Final = (
    "changed", "removed", "added", "reordered", "unproved",
    "unreadable", "rewritten", "damaged", "rule", "checkpoint",
)  # fmt: skip
"""What can be the matter. The first four name an event; `unproved` one of
which a line says more than its proof shows; `unreadable` one whose contents are no entry;
`rewritten` the first of those of which it cannot be told which was changed; `damaged` the file, `rule` a
safeguard of the database that somebody took out, `checkpoint` what was to be proved against."""


class IntegrityFault(NamedTuple):
    """One thing that is not as it was recorded.

    ``code`` is the word for what differs, with its ``details``; ``position``, ``stream``, ``version`` and
    ``event_id`` say where, as far as that is known.
    """

    kind: str
    code: str
    position: int | None = None
    stream: str | None = None
    version: int | None = None
    event_id: str | None = None
    details: Mapping[str, str | int] = {}
