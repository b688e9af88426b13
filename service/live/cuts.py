"""Logs as somebody may know them, made once for all who know as much."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from engine import EVERYTHING, Log, Viewer, view
from engine.events import CorrectionMade, DealClosed, HandTakenOver
from schemas.writer import entry_bytes
from service.records import log_in
from service.store import EventReader

KEPT: Final = 200
"""So many cut logs are kept in memory, those that were asked for last."""

Bodies: TypeAlias = tuple[bytes, ...]

ViewerOf: TypeAlias = Callable[[str, Callable[[], Log]], Viewer]
"""Says as which viewer of `engine.view` somebody sees a stream; that may depend on its log, which the second
argument gives: a player holds another seat in every deal."""

RECUTS: Final = (CorrectionMade, DealClosed, HandTakenOver)
"""Events after which earlier ones may be cut in another way: they hide cards, lay them open, or hand them to
another player."""


def always(viewer: Viewer) -> ViewerOf:
    """Sees every stream as that viewer."""
    return lambda stream, log: viewer


ALL: Final = always(EVERYTHING)
"""Sees every stream as it is stored."""


class CutLogs:
    """The logs of a store, cut by ``view``, as canonical JSON."""

    def __init__(self, store: EventReader) -> None:
        self._store = store
        # One makes a log and the others wait for it: they would all make the same at the same moment.
        self._making = threading.Lock()
        self._kept: OrderedDict[tuple[str, int, Viewer], Bodies] = OrderedDict()

    def viewer(self, stream: str, version: int, viewer_of: ViewerOf) -> Viewer:
        """As which viewer the stream is seen, at that version."""
        return viewer_of(stream, partial(log_in, self._store, stream, version))

    def at(self, stream: str, version: int, viewer: Viewer) -> Bodies:
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

    def steady(self, stream: str, had: int, version: int, viewer_of: ViewerOf) -> bool:
        """Whether the first ``had`` entries were cut alike at every version from ``had`` to ``version``."""
        log = log_in(self._store, stream, version)

        def cut_at(upto: int) -> Bodies:
            then = log[:upto]
            return _bodies(then, viewer_of(stream, lambda: then), had)

        now = cut_at(version)
        between = (upto for upto in range(had + 1, version) if isinstance(log[upto - 1].event, RECUTS))
        return all(cut_at(upto) == now for upto in (had, *between))


def _bodies(log: Log, viewer: Viewer, count: int) -> Bodies:
    """The first ``count`` entries of the log as ``viewer`` may know them by all of it."""
    return tuple(map(entry_bytes, view(log, viewer)[:count]))
