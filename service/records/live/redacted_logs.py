"""Redacted logs, built once for all viewers who may know the same."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Final, Generic, TypeAlias, TypeVar

from engine import FULL_VIEWER, PUBLIC_VIEWER, Log, Viewer, view
from engine.core.events import CorrectionMade, DealClosed, HandTakenOver
from schemas.wire.event_writer import entry_bytes
from service.eventstore import EventReader
from service.records.repository import read_log

MAX_REDACTED_LOGS: Final = 200
"""The most logs, and the most redacted ones, in memory: those built last."""

Key = TypeVar("Key")
Made = TypeVar("Made")

EventBodies: TypeAlias = tuple[bytes, ...]

ViewerResolver: TypeAlias = Callable[[str, Callable[[], Log]], Viewer]
"""Returns the viewer of `engine.view` as whom somebody sees a stream. It may depend on the log, which the
second argument reads: a player holds another seat in every deal."""

REDACTION_CHANGING_EVENTS: Final = (CorrectionMade, DealClosed, HandTakenOver)
"""Events that may change the redaction of earlier ones: they hide or open cards or change their holder."""


def fixed_viewer(viewer: Viewer) -> ViewerResolver:
    """Sees every stream as that viewer."""
    return lambda stream, log: viewer


class _OnceCache(Generic[Key, Made]):
    """The last values by key, each built once even if many threads ask for it at the same moment."""

    def __init__(self, max_size: int) -> None:
        self._max_size = max_size
        self._build_lock = threading.Lock()
        self._values: dict[Key, Made] = {}

    def get(self, key: Key, build: Callable[[], Made]) -> Made:
        # Without the lock, as many threads ask after the same event.
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
    """The logs of a store, redacted by `engine.view`, as canonical JSON."""

    def __init__(self, store: EventReader) -> None:
        self._store = store
        self._logs: _OnceCache[tuple[str, int], Log] = _OnceCache(MAX_REDACTED_LOGS)
        self._redacted: _OnceCache[tuple[str, int, Viewer], EventBodies] = _OnceCache(MAX_REDACTED_LOGS)

    def resolve_viewer(self, stream: str, version: int, viewer_resolver: ViewerResolver) -> Viewer:
        """The viewer as whom the stream is seen at that version."""
        return viewer_resolver(stream, partial(self._read_log, stream, version))

    def redacted_bodies(self, stream: str, version: int, viewer: Viewer) -> EventBodies:
        """The first ``version`` entries of a log, as ``viewer`` may know them at that version."""
        return self._redacted.get(
            (stream, version, viewer),
            lambda: _redact_bodies(self._read_log(stream, version), viewer, version),
        )

    def clear(self) -> None:
        """Drop everything: some of it was erased from the store."""
        self._logs.clear()
        self._redacted.clear()

    def _read_log(self, stream: str, version: int) -> Log:
        return self._logs.get((stream, version), partial(read_log, self._store, stream, version))

    def is_redaction_stable(
        self, stream: str, count: int, version: int, viewer_resolver: ViewerResolver
    ) -> bool:
        """Whether the first ``count`` entries were redacted alike at all versions up to ``version``."""
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
        """The first ``count`` entries, nothing redacted."""
        return _redact_bodies(self._read_log(stream, count), FULL_VIEWER, count)

    def is_same_for_all(self, stream: str, count: int, version: int) -> bool:
        """Whether all viewers saw the first ``count`` entries alike at all versions up to ``version``.

        If the public sees what full viewers see, so does everyone between them.
        """
        public_viewer = fixed_viewer(PUBLIC_VIEWER)
        return self.redacted_bodies(stream, version, PUBLIC_VIEWER)[:count] == self.unredacted_bodies(
            stream, count
        ) and self.is_redaction_stable(stream, count, version, public_viewer)


def _redact_bodies(log: Log, viewer: Viewer, count: int) -> EventBodies:
    """The first ``count`` entries, as ``viewer`` may know them by the whole log."""
    return tuple(map(entry_bytes, view(log, viewer)[:count]))
