"""Logs as somebody may know them, made once for all who know as much."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, Generic, TypeAlias, TypeVar

from engine import EVERYTHING, PUBLIC, Log, Viewer, view
from engine.core.events import CorrectionMade, DealClosed, HandTakenOver
from schemas.wire.writer import entry_bytes
from service.eventstore import EventReader
from service.records.records import log_in

KEPT: Final = 200
"""So many logs, and so many cut ones, are kept in memory, those that were made last."""

Key = TypeVar("Key")
Made = TypeVar("Made")

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


class _MadeOnce(Generic[Key, Made]):
    """Values by key, each made once however many ask for it at the same moment; the last made are kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._making = threading.Lock()
        self._kept: dict[Key, Made] = {}

    def get(self, key: Key, make: Callable[[], Made]) -> Made:
        # Without the lock, on which all would meet who are told of the same event.
        if (kept := self._kept.get(key)) is not None:
            return kept
        with self._making:
            if (kept := self._kept.get(key)) is not None:
                return kept
            made = self._kept[key] = make()
            if len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
            return made

    def forget(self) -> None:
        with self._making:
            self._kept.clear()


class CutLogs:
    """The logs of a store, cut by ``view``, as canonical JSON."""

    def __init__(self, store: EventReader) -> None:
        self._store = store
        self._logs: _MadeOnce[tuple[str, int], Log] = _MadeOnce(KEPT)
        self._cuts: _MadeOnce[tuple[str, int, Viewer], Bodies] = _MadeOnce(KEPT)

    def viewer(self, stream: str, version: int, viewer_of: ViewerOf) -> Viewer:
        """As which viewer the stream is seen, at that version."""
        return viewer_of(stream, partial(self._log, stream, version))

    def at(self, stream: str, version: int, viewer: Viewer) -> Bodies:
        """The first ``version`` entries of the stream's log, as ``viewer`` may know them by then."""
        return self._cuts.get(
            (stream, version, viewer), lambda: _bodies(self._log(stream, version), viewer, version)
        )

    def prepare(self, stream: str, version: int, viewers: Iterable[ViewerOf]) -> None:
        """Make what these viewers are about to ask for."""
        # Those who see everything need nothing that is made here.
        for viewer in {self.viewer(stream, version, viewer_of) for viewer_of in viewers}:
            if not viewer.everything:
                self.at(stream, version, viewer)

    def forget(self) -> None:
        """Keep nothing of what was read before: some of it has been erased."""
        self._logs.forget()
        self._cuts.forget()

    def _log(self, stream: str, version: int) -> Log:
        return self._logs.get((stream, version), partial(log_in, self._store, stream, version))

    def steady(self, stream: str, had: int, version: int, viewer_of: ViewerOf) -> bool:
        """Whether the first ``had`` entries were cut alike at every version from ``had`` to ``version``."""
        log = self._log(stream, version)

        def cut_at(upto: int) -> Bodies:
            then = log[:upto]
            return _bodies(then, viewer_of(stream, lambda: then), had)

        now = cut_at(version)
        between = (upto for upto in range(had + 1, version) if isinstance(log[upto - 1].event, RECUTS))
        return all(cut_at(upto) == now for upto in (had, *between))

    def whole(self, stream: str, had: int) -> Bodies:
        """The first ``had`` entries, of which nothing is cut."""
        return _bodies(self._log(stream, had), EVERYTHING, had)

    def same_for_all(self, stream: str, had: int, version: int) -> bool:
        """Whether everybody was told the first ``had`` entries in the same way, from ``had`` to ``version``.

        Who is shown least and who is shown all are told the same then, and so is everyone between them.
        """
        least = always(PUBLIC)
        return self.at(stream, version, PUBLIC)[:had] == self.whole(stream, had) and self.steady(
            stream, had, version, least
        )


def _bodies(log: Log, viewer: Viewer, count: int) -> Bodies:
    """The first ``count`` entries of the log as ``viewer`` may know them by all of it."""
    return tuple(map(entry_bytes, view(log, viewer)[:count]))
