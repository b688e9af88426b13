"""What the engine says of the model's logs: cut for a reader, folded up to a point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine import FULL_VIEWER, Log, Viewer, audit, effective, evolve, initial_state, legal, score, view
from engine.core.cards import SEAT_BY_NAME, SEAT_NAMES, SEATS
from engine.core.events import DealOpened, HandTakenOver
from engine.core.log import seq_key
from engine.rulesets import PUBLISHED_RULESETS
from engine.tables import compute_ledger, fold_evening_deal, fold_table
from schemas.answers.ledgers import ledger_object
from schemas.answers.states import finding_objects, legal_object, score_object, state_object
from schemas.wire.event_reader import read_entry
from schemas.wire.event_writer import entry_object

Json = dict[str, Any]
Seats = frozenset[str] | None
"""The seats whose hands somebody may know; None for all there is."""


def log_of(events: Sequence[Json]) -> Log:
    return tuple(read_entry(event, seq) for seq, event in enumerate(events, 1))


def cut(events: Sequence[Json], seats: Seats, own: frozenset[str] = frozenset()) -> Log:
    known = None if seats is None else frozenset(SEAT_BY_NAME[seat] for seat in seats)
    return view(log_of(events), FULL_VIEWER if known is None else Viewer(known, own_names=own))


def as_told(log: Log) -> list[Json]:
    return [entry_object(entry) for entry in log]


def seats_held(events: Sequence[Json], person: str) -> set[str]:
    """The seats that a player held, at the opening or by taking a hand over, as the record has it now."""
    found = set()
    for entry in effective(log_of(events)).entries:
        event = entry.event
        if isinstance(event, DealOpened):
            found |= {SEAT_NAMES[seat] for seat in SEATS if event.players.at(seat) == person}
        elif isinstance(event, HandTakenOver) and event.player == person:
            found.add(SEAT_NAMES[event.seat])
    return found


def at_point(log: Log, at: int | None, known: int | None) -> Json:
    """State, legal actions and score of a cut log at a point; what is found only at its end."""
    seen = log[:known]
    history = effective(seen)
    state = initial_state(PUBLISHED_RULESETS)
    for entry in history.entries if at is None else history.entries_up_to(at):
        state = evolve(state, entry)
    told: Json = {"state": state_object(state), "score": score_object(score(state))}
    told["legal"] = legal_object(legal(state))
    if at is None:
        judged = audit(seen)
        told["findings"] = {"ok": judged.ok, "findings": finding_objects(judged.findings)}
    return told


def found_at(log: Log, seqs: set[int]) -> list[Json]:
    """What is found at entries of a log that ends with the last of them, and what they show of others."""
    found = audit(log[: max(seqs)]).findings
    at_them = [one for one in found if any(seq_key(seq)[0] in seqs for seq in (one.seq, *one.evidence))]
    return finding_objects(tuple(at_them))


def ledger_told(table: Log, deals: Mapping[str, Log]) -> Json:
    made = fold_table(table, PUBLISHED_RULESETS)
    assert made is not None
    folded = {
        one.deal: fold_evening_deal(deals[one.deal], PUBLISHED_RULESETS)
        for one in made.deals
        if one.deal in deals
    }
    told = compute_ledger(table, folded, PUBLISHED_RULESETS)
    assert told is not None
    return ledger_object(told)
