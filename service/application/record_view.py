"""Records as a caller may know them."""

from typing import NamedTuple

from engine import Log, Viewer
from service.eventstore import StreamInfo


class RecordView(NamedTuple):
    """A record as a caller sees it: its log, cut for ``viewer``; ``whole`` where nothing was cut."""

    stream: StreamInfo
    viewer: Viewer
    log: Log

    @property
    def whole(self) -> bool:
        """Whether the viewer may know everything."""
        return self.viewer.everything


class Page(NamedTuple):
    """Some records of a list, and whether there are more after them."""

    streams: list[StreamInfo]
    more: bool
