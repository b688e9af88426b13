"""The fold never fails, whatever a log claims, and everything it answers can be written down as JSON.

Two kinds of logs: events of every type at random, as the wire lets them through; and deals that were legal
before entries were left out, doubled, moved, changed and corrected. The second kind gets deeper.
"""

import random
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import EVERYTHING, PUBLIC, audit, effective, evolve, in_seat, judge, legal, score, start, view
from engine.core.cards import SEATS
from engine.core.log import Entry, Log
from schemas.answers.reports import frames, report_object
from schemas.answers.states import finding_objects, legal_object, score_object, state_object
from schemas.wire.reader import read_event
from schemas.wire.writer import entry_bytes
from tests.slow import generator, model
from tests.support.effort import examples
from tests.support.engine.annotated import annotated_deal
from tests.support.engine.selfplay import played_out
from tests.support.engine.shorthand import Event, corrected, log_from, said, swap
from tests.support.schemas.strategies import logs

HERE = settings(
    max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
VIEWERS = (EVERYTHING, PUBLIC, *map(in_seat, SEATS))


def answer_everything(log: Log) -> None:
    """Asks all there is to ask about a log, at its end and after every entry."""
    for viewer in VIEWERS:
        cut = view(log, viewer)
        assert [entry.seq for entry in cut] == [entry.seq for entry in log]
        whole = audit(cut)
        orjson.dumps(report_object(whole, "log", 1))
        b"".join(map(entry_bytes, cut))
    history = effective(log)
    state = start()
    for entry in history.entries:
        orjson.dumps(finding_objects(judge(state, entry)))
        state = evolve(state, entry)
        check_state(state_object(state))
        orjson.dumps([legal_object(legal(state)), score_object(score(state))])
    orjson.dumps(list(frames(history)))
    for entry in log:
        assert len(history.up_to(entry.seq)) <= len(history.entries)


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


def plausible_log(seed: int) -> list[Event]:
    """A legal deal of which entries were left out, doubled, moved, changed, or put among another deal's."""
    rng = random.Random(seed)
    deal = annotated_deal(rng) if seed % 2 else played_out(seed, "ombre", pool=rng.randrange(20))
    other = generator.random_deal(rng)
    for _ in range(rng.randint(1, 12)):
        at = rng.randrange(len(deal) + 1)
        event = rng.choice(deal or other)
        change = rng.randrange(7)
        if change == 0:
            deal = deal[:at] + deal[at + 1 :]
        elif change == 1:
            deal = [*deal[:at], event, *deal[at:]]
        elif change == 2:
            deal = [*deal[:at], rng.choice(other), *deal[at:]]
        elif change == 3 and "seat" in event:
            deal = [*deal[:at], {**event, "seat": rng.choice(model.SEATS)}, *deal[at + 1 :]]
        elif change == 4 and event.get("cards"):
            fewer = rng.choices(model.PACK + ["??"] * 9, k=rng.randrange(14))
            deal = [*deal[:at], {**event, "cards": fewer}, *deal[at:]]
        elif change == 5:
            deal = deal[at:] + deal[:at] if rng.random() < 0.2 else deal[:at]
        else:
            deal = [*deal[:at], correction(deal, other, rng), *deal[at:]]
    return deal


def correction(deal: list[Event], other: list[Event], rng: random.Random) -> Event:
    targets = [target(rng) for _ in range(rng.randrange(3))]
    with_ = [rng.choice(deal or other) for _ in range(rng.randrange(3))]
    with_ = [event for event in with_ if event["type"] != "correction_made"]
    if rng.random() < 0.2:
        with_.append(corrected([target(rng)]))
    return corrected(targets, *with_, after=rng.choice([None, target(rng)]))


def target(rng: random.Random) -> int | str:
    seq = rng.randint(1, 60)
    return seq if rng.random() < 0.5 else f"{seq}.{rng.randint(1, 3)}"


@pytest.mark.property
@pytest.mark.parametrize("block", range(5))
def test_a_mangled_deal_is_answered(block: int) -> None:
    for seed in range(30 * block, 30 * (block + 1)):
        try:
            answer_everything(log_from(plausible_log(seed)))
        except Exception as error:
            raise AssertionError(f"seed {seed}: plausible_log({seed}) is not answered") from error


@HERE
@given(st.integers(0, 10**6), logs(most=6))
def test_a_deal_goes_on_after_anything(seed: int, strange: Log) -> None:
    """Random events in the midst of a deal: what follows is still folded."""
    deal = [read_event(event) for event in generator.random_deal(random.Random(seed))]
    at = seed % len(deal)
    events = [*deal[:at], *(entry.event for entry in strange[1:]), *deal[at:]]
    answer_everything(tuple(Entry(seq, event) for seq, event in enumerate(events, 1)))


def test_a_draw_owed_in_a_deal_that_did_not_count() -> None:
    events = [*swap("F", "DJ SK"), {"type": "deal_voided", "reason": ""}, *said("B pass"), *swap("F", "DJ")]
    answer_everything(log_from(events))


def test_an_empty_log_is_answered() -> None:
    whole = audit(())
    assert whole.findings == ()
    assert whole.ok
    assert legal(whole.state) is None
    assert not whole.score.decided
    assert state_object(whole.state)["phase"] == "dealing"
