"""What is kept of the records, as far as it still is so: as nothing was added to them since."""

from collections.abc import Callable
from typing import Final, TypeVar

import structlog

from service.club_rules import STREAM as RULESETS
from service.identity.grants import Scope
from service.projections.making import OWN_RULES, Projection, maker
from service.reading import Reading
from service.records import DEAL, TABLE
from service.store import StoreDamaged, StreamInfo
from service.store.projecting import Kept, Progress, ProjectionReader

_POSITIONS: Final = 50_000
"""So much of the log is looked through at once for what was added."""

Told = TypeVar("Told")
Row = TypeVar("Row")

_log = structlog.get_logger()


class ProjectionReading(Reading):
    """The records of a store as a caller may read them, beside what is kept of them."""

    def _kept(self, ask: Callable[[ProjectionReader], Kept[Row]]) -> Kept[Row]:
        """What is kept; nothing where it is damaged: the events tell the same, only slower."""
        try:
            return ask(self._store.projections)
        except StoreDamaged as error:
            _log.warning("projections", said=str(error))
            return Kept(None, [])

    def _changed(self, projection: Projection, progress: Progress | None) -> dict[str, None] | None:
        """The roots of which what was kept at that point is not so any more, or nothing was kept yet.

        None, for all of them, where nobody had begun to keep it, or another version of Spadille does.
        """
        projections = self._store.projections
        if progress is None or progress.maker != maker():
            return None
        found, position = dict[str, None](), progress.position
        while (changed := projections.changed(position, _POSITIONS)).position > position:
            found |= dict.fromkeys(root for root, kind in changed.kinds.items() if kind in projection.kinds)
            if RULESETS in changed.kinds:
                found |= {
                    one.root: None for one in projections.projected(projection.name, tag=OWN_RULES).rows
                }
            position = changed.position
        return found

    def _may_know(self, record: StreamInfo, whole: Told, public: Told | None) -> Told | None:
        """What is kept of a record as the caller may know it: all, or what everybody knows if that is less.

        None where he knows more than everybody and less than all.
        """
        if public is None or self.caller.may("see_all", record):
            return whole
        own = any(_within(grant.terms.scope, record) for grant in self.caller.own.of_people)
        return None if own else public


def _within(scope: Scope, record: StreamInfo) -> bool:
    """Whether a scope reaches into the record: a link to a single deal may be to one of the table."""
    within = record.kind == TABLE and scope.kind == DEAL
    return scope.id is None or within or scope.id in (record.root, record.stream)
