"""What is found where a record is not the one that was recorded: which event, and what differs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class IntegrityFault(NamedTuple):
    """One thing that is not as it was recorded.

    ``kind``: an event was ``changed``, ``removed``, ``added`` or ``reordered``; ``unproved`` if a line says
    more than its proof shows; ``unreadable`` if its contents are no entry; ``rewritten`` is the first of
    several, of which it is not known which was changed. ``damaged`` is the file, ``rule`` a safeguard of the
    database that is gone, ``checkpoint`` what was to be proved against.

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
