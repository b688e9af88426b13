"""What a record is by its first event: the kind that its stream is kept under has to be that."""

from __future__ import annotations

from typing import Any, Final

from schemas.wire.jsonlines import RULESET
from service.eventstore import erasing
from service.records.club_rules import KIND as RULESETS
from service.records.records import DEAL, TABLE

BEGUN_BY: Final = {"deal_opened": DEAL, "table_opened": TABLE, RULESET: RULESETS, erasing.TYPE: erasing.KIND}
"""The kinds of records by the type of the event that each begins with."""


def kind_amiss(kind: str, said: dict[str, Any]) -> str | None:
    """The kind that a record is of by its first event, where it is kept under another; None where they fit.

    A record that is kept as what it is not vanishes from every list that it belongs in. The leaves do not say
    the kind, as the first event does.
    """
    due = BEGUN_BY.get(str(said.get("type")))
    return due if due is not None and due != kind else None
