"""Records as somebody may know them: what `service.access` gives out."""

from typing import NamedTuple

from engine import Log, Viewer
from service.store import StreamInfo


class Sight(NamedTuple):
    """A record as a caller sees it: its log, cut for ``viewer``; ``whole`` where nothing may be cut."""

    stream: StreamInfo
    viewer: Viewer
    log: Log

    @property
    def whole(self) -> bool:
        """Whether it is shown to somebody who may know everything."""
        return self.viewer.everything


class Page(NamedTuple):
    """Some records of a list, and whether there are more behind them."""

    streams: list[StreamInfo]
    more: bool
