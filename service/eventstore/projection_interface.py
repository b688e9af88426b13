"""Projections: what is made of each root's events, kept beside them so that nobody has to make it again.

A projection takes in the log in its order and keeps how far it has come, its *position*. What it keeps of a
root is true of all events up to there, or is *due* to be made. It holds nothing that the log does not tell:
at any time it may be set back to any position, and comes to the same. The store knows nothing of what is in
it; who makes it says by its ``builder`` how, and what another maker made is made again.

It is made from what its readers may read, and goes the way of it: where contents are erased, what was made of
them is gone in the same step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum
from typing import Generic, NamedTuple, Protocol, TypeVar

Row = TypeVar("Row")


class ProjectionProgress(NamedTuple):
    """How far a projection has come, and by whom: the position up to which all events were taken in."""

    builder: str
    position: int


class ProjectionRow(NamedTuple):
    """What is kept of a root: ``sort_key`` is what it is ordered and found by, such as a day.

    ``body`` is None where nothing is kept: it is due, or cannot be kept, and is to be made by whoever wants
    it. Then ``sort_key`` is what it last was, None where it never was made.
    """

    root: str
    sort_key: str | None
    body: bytes | None


class TaggedProjectionRow(NamedTuple):
    """What is kept of a root, with all by which it is found."""

    row: ProjectionRow
    tags: frozenset[str]


class ProjectionRows(NamedTuple, Generic[Row]):
    """Rows of a projection, and how far it had come when, or before, they were read on the same server."""

    progress: ProjectionProgress | None
    rows: list[Row]


class PendingRoot(NamedTuple):
    """A root of which something is to be made. ``generation`` is another whenever it is due again."""

    root: str
    generation: int


class ProjectionUpdate(NamedTuple):
    """What was made of a root that was due, after it was; by ``tags`` it is found, too."""

    pending_root: PendingRoot
    sort_key: str | None
    body: bytes | None
    tags: frozenset[str] = frozenset()


class ChangedRoots(NamedTuple):
    """The roots to which something was added, with the kinds of the streams that bear their names ("" where
    there is none), and the position up to which that was looked at."""

    position: int
    kinds: Mapping[str, str]


class ClaimRefusal(Enum):
    """Why a projection is not somebody's to make."""

    BUSY = "another makes it"
    SUPERSEDED = "another maker has come in his place"


class ProjectionReader(Protocol):
    """What projections tell. Raises as `EventReader` does."""

    def read_progress(self, name: str) -> ProjectionProgress | None:
        """How far it has come; None where nobody has begun it, or what is said of it cannot be so."""
        ...

    def read_projection_rows(
        self,
        name: str,
        first: str | None = None,
        last: str | None = None,
        tag: str | None = None,
        roots: Collection[str] | None = None,
    ) -> ProjectionRows[ProjectionRow]:
        """What is kept with a place from ``first`` to ``last``, with that tag, of these roots: where given.

        And what may be so: whatever has no place yet and, for a tag, whatever has no body. What is told is so
        up to the position that is told with it, or up to a later one.
        """
        ...

    def list_sort_keys(self, name: str) -> ProjectionRows[tuple[str, str | None]]:
        """Every root of the projection with its place."""
        ...

    def read_tagged_rows(self, name: str, roots: Collection[str]) -> list[TaggedProjectionRow]:
        """All that is kept of these roots."""
        ...

    def list_changed_roots(self, after: int, limit: int) -> ChangedRoots:
        """The roots of the events behind that position, of so many positions at most."""
        ...


class ProjectionStore(ProjectionReader, Protocol):
    """Projections that are read and made."""

    def claim(
        self, name: str, builder: str, holder: str, lease_seconds: float, allow_superseded: bool = False
    ) -> ProjectionProgress | ClaimRefusal:
        """Begin or go on with a projection: for so many seconds it is the ``holder``'s to make.

        It is refused while it is another's, and to a maker in whose place another has come: two of them at
        once would undo each other's work. ``allow_superseded`` is for such a one where that other is gone.
        What another maker made is due from then on; where what is said of it cannot be so, it begins anew.
        Claims keep two from doing the same at once; where they do all the same, nothing comes of it.
        """
        ...

    def advance(
        self, name: str, after: int, position: int, roots: Iterable[str], tag: str | None = None
    ) -> bool:
        """Take in the events behind ``after`` up to ``position``: these roots are due, and those with that
        tag. With a tag also those that are due already are so anew: it is not known yet whether they have it.

        False, and nothing is done, where the projection stands elsewhere than at ``after``.
        """
        ...

    def list_pending_roots(self, name: str, up_to: int, limit: int) -> list[PendingRoot]:
        """Roots that are due since a position of at most ``up_to``, the latest first."""
        ...

    def save_updates(self, name: str, updates: Sequence[ProjectionUpdate]) -> None:
        """Keep what was made, but for roots that were due again meanwhile."""
        ...

    def rewind(self, name: str, position: int, builder: str) -> None:
        """Set a projection back to an earlier position. Its rows stay until they are made again.

        ``builder`` may then continue from there, even if another had replaced it.
        """
        ...
