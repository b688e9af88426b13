"""The fold never fails, whatever a log claims, and everything it answers can be written down as JSON.

It changes no state that exists.

Logs are events of every type at random, and legal deals that were mangled, which get deeper.
"""

import random
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings

from engine import (
    FULL_VIEWER,
    PUBLIC_VIEWER,
    audit,
    effective,
    evolve,
    initial_state,
    judge,
    legal,
    score,
    seat_viewer,
    view,
)
from engine.core.cards import SEATS
from engine.core.log import Log
from schemas.answers.deal_reports import replay_frames, report_object
from schemas.answers.states import finding_objects, legal_object, score_object, state_object
from schemas.wire.event_writer import entry_bytes
from tests.support.effort import examples
from tests.support.engine.selfplay import played_out
from tests.support.engine.shorthand import Event, bids, log_from, swap
from tests.support.engine.state_text import state_text
from tests.support.schemas.strategies import logs
from tests.system.hostile_logs.generator import spoilt_deal

HERE = settings(
    max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
VIEWERS = (FULL_VIEWER, PUBLIC_VIEWER, *map(seat_viewer, SEATS))


def answer_everything(log: Log) -> None:
    """Asks all there is to ask about a log, at its end and after every entry."""
    for viewer in VIEWERS:
        cut = view(log, viewer)
        assert [entry.seq for entry in cut] == [entry.seq for entry in log]
        orjson.dumps(report_object(audit(cut), "log", 1))
        b"".join(map(entry_bytes, cut))
    history = effective(log)
    state = initial_state()
    for entry in history.entries:
        before, text = state, state_text(state)
        orjson.dumps(finding_objects(judge(state, entry)))
        state = evolve(state, entry)
        assert state_text(before) == text, f"entry {entry.seq} changes the state before it"
        check_state(state_object(state))
        orjson.dumps([legal_object(legal(state)), score_object(score(state))])
    orjson.dumps(list(replay_frames(history)))
    for entry in log:
        assert len(history.entries_up_to(entry.seq)) <= len(history.entries)


def check_state(told: dict[str, Any]) -> None:
    """What holds of every state, however it came about."""
    orjson.dumps(told)
    assert sum(told["tricks_won"].values()) <= len(told["tricks"])
    assert len({code for hand in told["hands"].values() for code in hand["cards"]}) <= 40
    assert all(hand["unknown"] >= 0 for hand in told["hands"].values())
    assert told["talon"]["count"] == len(told["talon"]["cards"])
    assert all(len(trick["seats"]) == len(trick["cards"]) <= 3 for trick in told["tricks"])


@HERE
@given(logs(most=25))
def test_any_log_of_valid_events_is_answered(log: Log) -> None:
    answer_everything(log)


def mangled_deal(seed: int) -> list[Event]:
    """A legal deal of which entries are hidden, left out, corrected, withdrawn, moved and doubled."""
    rng = random.Random(seed)
    (deal,) = spoilt_deal(rng) if seed % 2 else [played_out(seed, "ombre", pool=rng.randrange(20))]
    for _ in range(rng.randint(1, 8)):
        at, other = rng.randrange(len(deal)), rng.randrange(len(deal))
        deal.insert(at, deal.pop(other) if rng.random() < 0.5 else deal[other])
    return deal


@pytest.mark.parametrize("block", range(examples(5, 1)))
def test_a_mangled_deal_is_answered(block: int) -> None:
    for seed in range(30 * block, 30 * block + examples(30, 8)):
        try:
            answer_everything(log_from(mangled_deal(seed)))
        except Exception as error:
            raise AssertionError(f"mangled_deal({seed}) is not answered") from error


def test_an_empty_log_and_one_without_an_opening_are_answered() -> None:
    whole = audit(())
    assert (whole.findings, whole.ok, whole.score.decided) == ((), True, False)
    assert legal(whole.state) is None
    assert state_object(whole.state)["phase"] == "dealing"
    draw_owed_in_a_void_deal = [*swap("F", "DJ SK"), {"type": "deal_voided", "reason": ""}, *bids("B pass")]
    answer_everything(log_from([*draw_owed_in_a_void_deal, *swap("F", "DJ")]))
