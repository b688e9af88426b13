"""Logs as somebody may know them, made once for all who know as much."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final, TypeAlias

from engine import Log, view
from engine.events import CorrectionMade, DealClosed
from schemas.writer import entry_bytes
from service.points import VIEWERS
from service.records import log_in
from service.store import EventReader

KEPT: Final = 200
"""So many cut logs are kept in memory, those that were asked for last."""

Bodies: TypeAlias = tuple[bytes, ...]

RECUTS: Final = (CorrectionMade, DealClosed)
"""Events after which earlier ones may be cut in another way: one hides cards, the other lays them open."""


class CutLogs:
    """The logs of a store, cut by ``view``, as canonical JSON."""

    def __init__(self, store: EventReader) -> None:
        self._store = store
        # One makes a log and the others wait for it: they would all make the same at the same moment.
        self._making = threading.Lock()
        self._kept: OrderedDict[tuple[str, int, str], Bodies] = OrderedDict()

    def at(self, stream: str, version: int, viewer: str) -> Bodies:
        """The first ``version`` entries of the stream's log, as ``viewer`` may know them by then."""
        key = (stream, version, viewer)
        with self._making:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            log = log_in(self._store, stream, version)
            made = self._kept[key] = _bodies(log, viewer, version)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return made

    def steady(self, stream: str, had: int, version: int, viewer: str) -> bool:
        """Whether the first ``had`` entries were cut alike at every version from ``had`` to ``version``."""
        log = log_in(self._store, stream, version)
        now = _bodies(log, viewer, had)
        between = (upto for upto in range(had + 1, version) if isinstance(log[upto - 1].event, RECUTS))
        return all(_bodies(log[:upto], viewer, had) == now for upto in (had, *between))


def _bodies(log: Log, viewer: str, count: int) -> Bodies:
    """The first ``count`` entries of the log as ``viewer`` may know them by all of it."""
    return tuple(map(entry_bytes, view(log, VIEWERS[viewer])[:count]))
