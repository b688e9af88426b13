"""What a record is by its first event: the kind that its stream is kept under has to be that."""

from __future__ import annotations

from typing import Any, Final

from schemas.wire.jsonlines import RULESET_PUBLISHED_TYPE
from service.eventstore import erasure_log
from service.records.club_rules import RULESETS_KIND as RULESETS
from service.records.record_streams import DEAL_KIND, TABLE_KIND

KIND_BY_OPENING_TYPE: Final = {
    "deal_opened": DEAL_KIND,
    "table_opened": TABLE_KIND,
    RULESET_PUBLISHED_TYPE: RULESETS,
    erasure_log.ERASURE_EVENT_TYPE: erasure_log.ERASURE_STREAM_KIND,
}
"""The kinds of records by the type of the event that each begins with."""


def find_mismatched_kind(kind: str, event_json: dict[str, Any]) -> str | None:
    """The kind that a record is of by its first event, where it is kept under another; None where they fit.

    A record that is kept as what it is not vanishes from every list that it belongs in. The leaves do not say
    the kind, as the first event does.
    """
    expected = KIND_BY_OPENING_TYPE.get(str(event_json.get("type")))
    return expected if expected is not None and expected != kind else None
