"""Answers about hidden cards and best play at a point, whose log is already redacted for the caller."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

import orjson

from engine import Log
from engine.core.field_types import MAX_INTEGER
from engine.core.work_budget import UNITS_PER_SECOND, WorkBudget
from engine.inference.unseen_cards import analyze_unseen_cards, can_count_deals
from engine.solver.monte_carlo import TOO_MUCH_HIDDEN, DealEstimate, estimate_deal, estimate_position
from schemas.answers.hidden_cards import evidence_object, odds_object
from schemas.wire.event_writer import event_object
from service.records.deal_points import DealPoint

Json = dict[str, Any]

MAX_SAMPLING_STEPS: Final = 1_000
"""Sampling steps with hidden plays: more than enough where the deals can be counted."""
ODDS_WORK_LIMIT: Final = 9 * UNITS_PER_SECOND // 10
"""The work to find the results of best play (`engine.core.work_budget`)."""
UNCOUNTED_ODDS: Final = DealEstimate((), None, (TOO_MUCH_HIDDEN,))
"""The answer if the deals cannot be counted in time."""


def build_evidence_answer(point: DealPoint, lang: str, query: Mapping[str, Any]) -> Json:
    """What the hidden cards can be."""
    entries = point.entries
    evidence = analyze_unseen_cards(entries, point.state)
    return evidence_object(evidence, entries, lang, query["of"], query["witness"], point.mistakes)


def build_odds_answer(point: DealPoint, lang: str, query: Mapping[str, Any]) -> Json:
    """The results of best play over lawful deals that agree with the record."""
    entries, state, work = point.entries, point.state, WorkBudget(ODDS_WORK_LIMIT)
    if not can_count_deals(entries, state, work):
        return odds_object(UNCOUNTED_ODDS, None, lang, point.mistakes)
    seed = derive_seed(entries) if query["seed"] is None else query["seed"]
    position_estimate = estimate_position(entries, state, seed, query["deals"], MAX_SAMPLING_STEPS, work)
    deal_estimate = estimate_deal(entries, state, seed, query["deals"], MAX_SAMPLING_STEPS, work)
    return odds_object(deal_estimate, position_estimate, lang, point.mistakes)


def derive_seed(entries: Log) -> int:
    """A seed derived from the entries: the same record draws the same deals."""
    events = [[entry.seq, event_object(entry.event)] for entry in entries]
    return int.from_bytes(sha256(orjson.dumps(events)).digest()) % MAX_INTEGER
