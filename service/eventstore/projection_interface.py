"""Projections: read models that are folded from the events of each root and stored next to them.

A projection has a *position*: all events up to there were taken in. A root with a later event, or whose row
is *pending*, has no current row, and its answer is folded from the events. So rows hold nothing that the log
does not, and can be dropped at any time. The store does not know what is in them; the program that folds them
has a version, and rows of another version are dropped.

Where contents are erased, what was folded from them is erased in the same transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, Protocol, Self, TypeVar

Row = TypeVar("Row")


class ProjectionProgress(NamedTuple):
    """The version of the program that folds a projection, and the position up to which it took events in."""

    version: int
    position: int

    @classmethod
    def from_row(cls, maker: str, position: int) -> Self:
        """Read a row of a store's table: before versions were numbers, ``maker`` was a digest."""
        return cls(int(maker) if maker.isdecimal() else 0, position)


class ProjectionRow(NamedTuple):
    """The row of a root: ``sort_key`` is what it is ordered and found by, such as a day.

    ``body`` is None where the row is pending or cannot be folded. Then ``sort_key`` is its last one, if any.
    """

    root: str
    sort_key: str | None
    body: bytes | None


class ProjectionRows(NamedTuple, Generic[Row]):
    """Rows of a projection, and its progress when, or before, they were read from the same server."""

    progress: ProjectionProgress | None
    rows: list[Row]


class PendingRoot(NamedTuple):
    """A root whose row is to be folded. ``generation`` changes whenever the row becomes pending again."""

    root: str
    generation: int


class ProjectionUpdate(NamedTuple):
    """The row that was folded for a pending root; it can be found by any of its ``tags``."""

    pending_root: PendingRoot
    sort_key: str | None
    body: bytes | None
    tags: frozenset[str] = frozenset()


class ChangedRoots(NamedTuple):
    """Roots with new events, the kinds of the streams of the same names ("" where there is none), and the
    position up to which events were looked at."""

    position: int
    kinds: Mapping[str, str]


class ProjectionReader(Protocol):
    """Reads projections. Raises as `EventReader` does."""

    def read_progress(self, name: str) -> ProjectionProgress | None:
        """The progress of a projection; None where it was never begun."""
        ...

    def read_projection_rows(
        self,
        name: str,
        first: str | None = None,
        last: str | None = None,
        tag: str | None = None,
        roots: Collection[str] | None = None,
    ) -> ProjectionRows[ProjectionRow]:
        """Rows with a sort key from ``first`` to ``last``, with that tag, of these roots: where given.

        Rows that may belong to the answer are included: those without a sort key and, where a tag is given,
        those without a body.
        """
        ...

    def list_sort_keys(self, name: str) -> ProjectionRows[tuple[str, str | None]]:
        """Every root of the projection with its sort key."""
        ...

    def list_changed_roots(self, after: int, limit: int) -> ChangedRoots:
        """The roots of the events at the next ``limit`` positions after that one."""
        ...


class ProjectionStore(ProjectionReader, Protocol):
    """Reads and writes projections. What two processes write at the same time is written once."""

    def begin(self, name: str, version: int) -> int:
        """Begin a projection, or continue it; its position. Rows of another version are dropped."""
        ...

    def advance(
        self,
        name: str,
        progress: ProjectionProgress,
        position: int,
        roots: Iterable[str],
        tag: str | None = None,
    ) -> bool:
        """Take in the events up to ``position``: these roots become pending, and those with that tag.

        With a tag, roots that are pending already become so again: it is not known whether they have it.
        Returns False and does nothing unless the projection has that ``progress``.
        """
        ...

    def list_pending_roots(self, name: str, up_to: int, limit: int) -> list[PendingRoot]:
        """Roots that are pending since a position of at most ``up_to``, the latest first."""
        ...

    def save_updates(self, name: str, version: int, updates: Sequence[ProjectionUpdate]) -> None:
        """Store rows, except of roots that became pending again meanwhile, or if the version is another."""
        ...

    def rewind(self, name: str, position: int) -> None:
        """Set a projection back to an earlier position. Its rows stay until they are folded again."""
        ...
