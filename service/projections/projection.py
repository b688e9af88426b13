"""Projections: what is folded of which roots, and the version of the code that folds it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from engine import Log
from engine.core.events import DealOpened
from engine.core.table_events import TableOpened
from engine.rulesets import RulesetBook
from service.eventstore import EventReader
from service.eventstore.projections import PendingRoot, ProjectionUpdate
from service.records.club_rules import is_club_ruleset
from service.records.record_streams import flatten_corrections

PROJECTION_VERSION: Final = 2
"""Raise this whenever the same events give other rows: rows of another version are dropped."""
CLUB_RULES_TAG: Final = "by rules of the club"
"""Tags rows that depend on a ruleset of the club, of which a new revision may change the result."""


class Projection(NamedTuple):
    """A projection of the roots whose own stream is of one of ``kinds``; ``build`` folds the row of a
    root."""

    name: str
    kinds: frozenset[str]
    build: Callable[[EventReader, RulesetBook, PendingRoot], ProjectionUpdate]


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
