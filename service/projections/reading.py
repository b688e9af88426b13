"""Rows of a projection, as far as nothing was appended to their records since they were written."""

from collections.abc import Callable
from typing import Final, TypeVar

import structlog

from service.auth.caller import Caller
from service.auth.grants import Scope
from service.eventstore import EventStore, StoreDamaged, StreamInfo
from service.eventstore.projecting import Kept, Progress, ProjectionReader
from service.projections.making import OWN_RULES, Projection, maker
from service.records.club_rules import STREAM as RULESETS
from service.records.records import DEAL, TABLE

_POSITIONS: Final = 50_000
"""How many positions of the log are looked through at once."""

Value = TypeVar("Value")
Row = TypeVar("Row")

_log = structlog.get_logger()


def read_rows(store: EventStore, ask: Callable[[ProjectionReader], Kept[Row]]) -> Kept[Row]:
    """Return what ``ask`` reads, or no rows if the projection is damaged: events say the same, slower."""
    try:
        return ask(store.projections)
    except StoreDamaged as error:
        _log.warning("projections", said=str(error))
        return Kept(None, [])


def changed_roots(
    store: EventStore, projection: Projection, progress: Progress | None
) -> dict[str, None] | None:
    """Return the roots whose rows are out of date or missing.

    None, for all of them, where the projection was not begun, or was made by another version of Spadille.
    """
    projections = store.projections
    if progress is None or progress.maker != maker():
        return None
    found, position = dict[str, None](), progress.position
    while (changed := projections.changed(position, _POSITIONS)).position > position:
        found |= dict.fromkeys(root for root, kind in changed.kinds.items() if kind in projection.kinds)
        if RULESETS in changed.kinds:
            found |= {one.root: None for one in projections.projected(projection.name, tag=OWN_RULES).rows}
        position = changed.position
    return found


def visible_row(caller: Caller, record: StreamInfo, whole: Value, public: Value | None) -> Value | None:
    """Return the row of a record as the caller may see it: the whole one, or else the public one.

    None where the caller may see more than the public and less than all: such a row is not stored.
    """
    if public is None or caller.may("see_all", record):
        return whole
    own = any(_within(grant.terms.scope, record) for grant in caller.own.of_people)
    return None if own else public


def _within(scope: Scope, record: StreamInfo) -> bool:
    """Whether a scope reaches into the record: a link to a single deal may be to one of the table."""
    within = record.kind == TABLE and scope.kind == DEAL
    return scope.id is None or within or scope.id in (record.root, record.stream)
