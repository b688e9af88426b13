"""Whole logs, hidden cards and all. Nothing outside this package reads them: cut a log before it leaves."""

from engine import Log
from service.eventstore import EventStore, StreamInfo
from service.records.repository import read_log


class UnredactedLogs:
    """Logs at the versions asked for, each read once. Made for one request."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._logs: dict[StreamInfo, Log] = {}

    def read_log(self, stream: StreamInfo) -> Log:
        """Return the log of a record up to ``stream.version``."""
        found = self._logs.get(stream)
        if found is None:
            found = self._logs[stream] = read_log(self._store, stream.stream, stream.version)
        return found
