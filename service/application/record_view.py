"""Records as a caller may know them."""

from typing import NamedTuple

from engine import Log, Viewer
from service.eventstore import EventStore, StreamInfo
from service.records.repository import read_log


class RecordView(NamedTuple):
    """A record as a caller sees it: its log, redacted for ``viewer``."""

    stream: StreamInfo
    viewer: Viewer
    log: Log

    @property
    def is_unredacted(self) -> bool:
        """Whether nothing is redacted: the viewer may know everything."""
        return self.viewer.sees_everything


class RecordPage(NamedTuple):
    """Some records of a list, and whether more follow."""

    streams: list[StreamInfo]
    has_more: bool


class UnredactedLogs:
    """Whole logs with their hidden cards, each read once, for one request.

    Only this package reads them: redact a log before it leaves.
    """

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._logs: dict[StreamInfo, Log] = {}

    def read_log(self, stream: StreamInfo) -> Log:
        """Return the log of a record up to ``stream.version``."""
        found = self._logs.get(stream)
        if found is None:
            found = self._logs[stream] = read_log(self._store, stream.stream, stream.version)
        return found
