"""The projection of evenings, so that a season need not fold all its tables.

A row has the result of a table, sorted by the day of the evening and tagged with its players; also as the
public may know it, if that is less.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Any, Final

import orjson

from engine import PUBLIC_VIEWER, Log, view
from engine.rulesets import RulesetBook
from engine.tables import Ledger, PlayerFigures
from engine.tables.player_figures import ContractFigures
from service.eventstore import EventReader
from service.eventstore.projections import PendingRoot, ProjectionUpdate
from service.projections.projection import Projection, RowViews, club_rules_tags, serialize_row
from service.projections.seasons import EveningResult, build_evening_result, evening_date
from service.records import tables
from service.records.record_streams import TABLE_KIND
from service.records.repository import read_log, table_deal_info

EVENINGS_NAME: Final = "evenings"
UNCOUNTED_KEY: Final = ""
"""The sort key of tables that count nowhere."""


def player_tag(player: str) -> str:
    """The tag of the evenings of a player."""
    return f"player {player}"


def build_evening_update(
    store: EventReader, book: RulesetBook, pending_root: PendingRoot
) -> ProjectionUpdate:
    """Fold the row of a table. Raises `UnknownStream`, `StoreDamaged`."""
    table = pending_root.root
    log = read_log(store, table)
    deals: dict[str, Log] = {}

    def read_deal_log(deal: str) -> Log:
        deals[deal] = read_log(store, table_deal_info(store, table, deal).stream)
        return deals[deal]

    day = evening_date(log)
    full = _build_evening(table, day, log, tables.build_ledger(log, read_deal_log, book), book)
    logs = (log, *deals.values())
    public = None
    if any(view(one, PUBLIC_VIEWER) != one for one in logs):
        public_log = view(log, PUBLIC_VIEWER)
        ledger = tables.build_ledger(public_log, lambda deal: view(read_deal_log(deal), PUBLIC_VIEWER), book)
        public = _build_evening(table, day, public_log, ledger, book)
    tags = club_rules_tags(logs) | {player_tag(player) for player in full.settled}
    row = RowViews(full, None if public == full else public)
    sort_key = day.isoformat() if full.counts else UNCOUNTED_KEY
    return ProjectionUpdate(pending_root, sort_key, serialize_evening(row), tags)


def _build_evening(table: str, day: date, log: Log, ledger: Ledger, book: RulesetBook) -> EveningResult:
    return build_evening_result(table, day, tables.table_from_log(log, book).opening_event, ledger)


def serialize_evening(row: RowViews[EveningResult]) -> bytes:
    """The body of a row."""
    return serialize_row([one for one in row if one])


def parse_evening(body: bytes) -> RowViews[EveningResult]:
    """What `serialize_evening` wrote."""
    return RowViews(*(_parse_result(EveningResult(*fields)) for fields in orjson.loads(body)))


def _parse_result(stored: EveningResult) -> EveningResult:
    """An evening whose fields are what JSON has in their place."""
    return stored._replace(
        day=date.fromisoformat(str(stored.day)),
        figures=tuple(map(_parse_figures, stored.figures)),
        shares=tuple((player, share) for player, share in stored.shares),
        chip_value=None if stored.chip_value is None else Decimal(stored.chip_value),
    )


def _parse_figures(fields: Iterable[Any]) -> PlayerFigures:
    stored = PlayerFigures(*fields)
    return stored._replace(contracts=tuple(ContractFigures(*one) for one in stored.contracts))


EVENINGS_PROJECTION: Final = Projection(EVENINGS_NAME, frozenset({TABLE_KIND}), build_evening_update)
"""What every evening came to."""
