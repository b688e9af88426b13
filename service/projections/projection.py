"""Projections: what is folded of which roots, by which version of the code, and which rows are up to date."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Final, Generic, NamedTuple, TypeVar

import structlog

from engine import Log
from engine.core.events import DealOpened
from engine.core.table_events import TableOpened
from engine.rulesets import RulesetBook
from service.auth.caller import Caller
from service.auth.grants import Scope
from service.eventstore import EventReader, EventStore, StoreDamaged, StreamInfo
from service.eventstore.projections import (
    PendingRoot,
    ProjectionProgress,
    ProjectionReader,
    ProjectionRows,
    ProjectionUpdate,
)
from service.records.club_rules import RULESETS_STREAM, is_club_ruleset
from service.records.record_streams import DEAL_KIND, TABLE_KIND, flatten_corrections

PROJECTION_VERSION: Final = 5
"""Raise this whenever the same events give other rows: rows of another version are dropped."""
CLUB_RULES_TAG: Final = "by rules of the club"
"""Tags rows that depend on a ruleset of the club, of which a new revision may change the result."""

Value = TypeVar("Value")


class Projection(NamedTuple):
    """A projection of the roots with streams of ``kinds``; ``build`` folds the row of a root."""

    name: str
    kinds: frozenset[str]
    build: Callable[[EventReader, RulesetBook, PendingRoot], ProjectionUpdate]


class RowViews(NamedTuple, Generic[Value]):
    """What a row has of a record: all of it, and what the public may know if that is less."""

    full: Value
    public: Value | None = None


def serialize_row(row: object) -> bytes:
    """A row as JSON: named tuples are lists, sets are sorted, dates and decimals are texts."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"), default=_replace_for_json).encode()


def _replace_for_json(value: object) -> object:
    return sorted(value) if isinstance(value, frozenset) else str(value)


def club_rules_tags(logs: Iterable[Log]) -> frozenset[str]:
    """`CLUB_RULES_TAG` if one of the logs names a ruleset of the club, else nothing."""
    openings = (part for log in logs for entry in log for part in flatten_corrections(entry.event))
    own = any(is_club_ruleset(one.ruleset) for one in openings if isinstance(one, DealOpened | TableOpened))
    return frozenset({CLUB_RULES_TAG} if own else ())


POSITIONS_PER_PAGE: Final = 50_000

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
    while (changed := projections.list_changed_roots(position, POSITIONS_PER_PAGE)).position > position:
        found |= dict.fromkeys(root for root, kind in changed.kinds.items() if kind in projection.kinds)
        if RULESETS_STREAM in changed.kinds:
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
