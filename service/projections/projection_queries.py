"""Reading rows of a projection that are up to date."""

from collections.abc import Callable
from typing import Final, TypeVar

import structlog

from service.auth.caller import Caller
from service.auth.grants import Scope
from service.eventstore import EventStore, StoreDamaged, StreamInfo
from service.eventstore.projections import ProjectionProgress, ProjectionReader, ProjectionRows
from service.projections.projection import CLUB_RULES_TAG, PROJECTION_VERSION, Projection
from service.records.club_rules import RULESETS_STREAM as RULESETS
from service.records.record_streams import DEAL_KIND, TABLE_KIND

_POSITIONS_PER_PAGE: Final = 50_000

Value = TypeVar("Value")
Row = TypeVar("Row")

_log = structlog.get_logger()


def read_rows_if_readable(
    store: EventStore, query: Callable[[ProjectionReader], ProjectionRows[Row]]
) -> ProjectionRows[Row]:
    """Run ``query``; no rows if the tables are damaged, as events give the same answer, slower."""
    try:
        return query(store.projections)
    except StoreDamaged as error:
        _log.warning("projections", said=str(error))
        return ProjectionRows(None, [])


def list_stale_roots(
    store: EventStore, projection: Projection, progress: ProjectionProgress | None
) -> dict[str, None] | None:
    """Return the roots whose rows are out of date or missing; None if all are."""
    projections = store.projections
    if progress is None or progress.version != PROJECTION_VERSION:
        return None
    found, position = dict[str, None](), progress.position
    while (changed := projections.list_changed_roots(position, _POSITIONS_PER_PAGE)).position > position:
        found |= dict.fromkeys(root for root, kind in changed.kinds.items() if kind in projection.kinds)
        if RULESETS in changed.kinds:
            found |= {
                one.root: None
                for one in projections.read_projection_rows(projection.name, tag=CLUB_RULES_TAG).rows
            }
        position = changed.position
    return found


def visible_row(caller: Caller, record: StreamInfo, full: Value, public: Value | None) -> Value | None:
    """Return the full or the public row of a record for a caller.

    None for a caller who may see more than the public but not all: such rows are not stored.
    """
    if public is None or caller.has_permission("see_all", record):
        return full
    own = any(_reaches_into(grant.terms.scope, record) for grant in caller.own_grants.personal_grants)
    return None if own else public


def _reaches_into(scope: Scope, record: StreamInfo) -> bool:
    """Whether a scope may reach into the record: a link to a deal may be to one of the table."""
    is_deal_of_table = record.kind == TABLE_KIND and scope.kind == DEAL_KIND
    return scope.id is None or is_deal_of_table or scope.id in (record.root, record.stream)
