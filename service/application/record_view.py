"""Records as a caller may know them."""

from typing import NamedTuple

from engine import Log, Viewer
from service.eventstore import StreamInfo


class RecordView(NamedTuple):
    """A record as a caller sees it: its log, cut for ``viewer``; ``is_unredacted`` where nothing was cut."""

    stream: StreamInfo
    viewer: Viewer
    log: Log

    @property
    def is_unredacted(self) -> bool:
        """Whether the viewer may know everything."""
        return self.viewer.sees_everything


class RecordPage(NamedTuple):
    """Some records of a list, and whether there are more after them."""

    streams: list[StreamInfo]
    has_more: bool
