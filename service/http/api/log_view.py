"""A log that a request is about, as its caller may see it: of a recorded deal, or of the library."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from engine import Log, Viewer


class LogView(NamedTuple):
    """A log as its caller may see it, read only when it is needed.

    ``version`` is None for a log without versions; ``url`` is the deal's. ``read_names`` gives the names of
    club members in it, if it can have any; ``has_erased_events``: it no longer says what it said at that
    version; ``etag_dependencies`` are the other things its content depends on; ``is_fully_public``:
    everybody may read it, and all of it.
    """

    read_log: Callable[[], Log]
    version: int | None
    viewer: Viewer
    url: str
    read_names: Callable[[], Mapping[str, str | None]] | None = None
    has_erased_events: Callable[[], bool] = bool
    etag_dependencies: tuple[object, ...] = ()
    is_fully_public: Callable[[], bool] = bool

    @property
    def is_unredacted(self) -> bool:
        """Whether it is shown whole."""
        return self.viewer.sees_everything

    def member_names(self) -> Mapping[str, str | None]:
        """The names of club members in it, by id."""
        return {} if self.read_names is None else self.read_names()


LogViewLoader = Callable[[str, str | None], LogView]
"""Finds a log by its key, for the viewer requested or else for the caller."""
