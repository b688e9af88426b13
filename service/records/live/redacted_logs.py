"""Logs as somebody may know them, made once for all who know as much."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, Generic, TypeAlias, TypeVar

from engine import FULL_VIEWER, PUBLIC_VIEWER, Log, Viewer, view
from engine.core.events import CorrectionMade, DealClosed, HandTakenOver
from schemas.wire.event_writer import entry_bytes
from service.eventstore import EventReader
from service.records.repository import read_log

MAX_REDACTED_LOGS: Final = 200
"""The most logs, and the most redacted ones, in memory: those that were made last."""

Key = TypeVar("Key")
Made = TypeVar("Made")

EventBodies: TypeAlias = tuple[bytes, ...]

ViewerResolver: TypeAlias = Callable[[str, Callable[[], Log]], Viewer]
"""Says as which viewer of `engine.view` somebody sees a stream; that may depend on its log, which the second
argument gives: a player holds another seat in every deal."""

REDACTION_CHANGING_EVENTS: Final = (CorrectionMade, DealClosed, HandTakenOver)
"""Events after which earlier ones may be cut in another way: they hide cards, lay them open, or hand them to
another player."""


def fixed_viewer(viewer: Viewer) -> ViewerResolver:
    """Sees every stream as that viewer."""
    return lambda stream, log: viewer


SEES_EVERYTHING: Final = fixed_viewer(FULL_VIEWER)
"""Sees every stream as it is stored."""


class _OnceCache(Generic[Key, Made]):
    """Values by key, each made once however many ask for it at the same moment; the last made are kept."""

    def __init__(self, max_size: int) -> None:
        self._max_size = max_size
        self._build_lock = threading.Lock()
        self._values: dict[Key, Made] = {}

    def get(self, key: Key, build: Callable[[], Made]) -> Made:
        # Without the lock, on which all would meet who are told of the same event.
        if (cached := self._values.get(key)) is not None:
            return cached
        with self._build_lock:
            if (cached := self._values.get(key)) is not None:
                return cached
            built = self._values[key] = build()
            if len(self._values) > self._max_size:
                del self._values[next(iter(self._values))]
            return built

    def clear(self) -> None:
        with self._build_lock:
            self._values.clear()


class RedactedLogCache:
    """The logs of a store, cut by ``view``, as canonical JSON."""

    def __init__(self, store: EventReader) -> None:
        self._store = store
        self._logs: _OnceCache[tuple[str, int], Log] = _OnceCache(MAX_REDACTED_LOGS)
        self._redacted: _OnceCache[tuple[str, int, Viewer], EventBodies] = _OnceCache(MAX_REDACTED_LOGS)

    def resolve_viewer(self, stream: str, version: int, viewer_resolver: ViewerResolver) -> Viewer:
        """As which viewer the stream is seen, at that version."""
        return viewer_resolver(stream, partial(self._read_log, stream, version))

    def redacted_bodies(self, stream: str, version: int, viewer: Viewer) -> EventBodies:
        """The first ``version`` entries of the stream's log, as ``viewer`` may know them by then."""
        return self._redacted.get(
            (stream, version, viewer),
            lambda: _redact_bodies(self._read_log(stream, version), viewer, version),
        )

    def prepare(self, stream: str, version: int, viewer_resolvers: Iterable[ViewerResolver]) -> None:
        """Make what these viewers are about to ask for."""
        # Those who see everything need nothing that is made here.
        for viewer in {self.resolve_viewer(stream, version, viewer_of) for viewer_of in viewer_resolvers}:
            if not viewer.sees_everything:
                self.redacted_bodies(stream, version, viewer)

    def clear(self) -> None:
        """Keep nothing of what was read before: some of it has been erased."""
        self._logs.clear()
        self._redacted.clear()

    def _read_log(self, stream: str, version: int) -> Log:
        return self._logs.get((stream, version), partial(read_log, self._store, stream, version))

    def is_redaction_stable(
        self, stream: str, count: int, version: int, viewer_resolver: ViewerResolver
    ) -> bool:
        """Whether the first ``count`` entries were cut alike at every version from ``count`` to
        ``version``."""
        log = self._read_log(stream, version)

        def redact_at(up_to: int) -> EventBodies:
            log_then = log[:up_to]
            return _redact_bodies(log_then, viewer_resolver(stream, lambda: log_then), count)

        current_bodies = redact_at(version)
        changing_versions = (
            up_to
            for up_to in range(count + 1, version)
            if isinstance(log[up_to - 1].event, REDACTION_CHANGING_EVENTS)
        )
        return all(redact_at(up_to) == current_bodies for up_to in (count, *changing_versions))

    def unredacted_bodies(self, stream: str, count: int) -> EventBodies:
        """The first ``count`` entries, of which nothing is cut."""
        return _redact_bodies(self._read_log(stream, count), FULL_VIEWER, count)

    def is_same_for_all(self, stream: str, count: int, version: int) -> bool:
        """Whether everybody was told the first ``count`` entries in the same way, from ``count`` to
        ``version``.

        Who is shown least and who is shown all are told the same then, and so is everyone between them.
        """
        public_viewer = fixed_viewer(PUBLIC_VIEWER)
        return self.redacted_bodies(stream, version, PUBLIC_VIEWER)[:count] == self.unredacted_bodies(
            stream, count
        ) and self.is_redaction_stable(stream, count, version, public_viewer)


def _redact_bodies(log: Log, viewer: Viewer, count: int) -> EventBodies:
    """The first ``count`` entries of the log as ``viewer`` may know them by all of it."""
    return tuple(map(entry_bytes, view(log, viewer)[:count]))
