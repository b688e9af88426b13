"""Judging has quick ways for what is plainly in order. They must pass nothing that the careful ways find.

A quick way is a function named ``_plainly_…`` in one of the modules of engine.judging; a card takes its own
unless its entry bears the number of its trick.
"""

import importlib
import pkgutil
import random
from collections.abc import Iterator
from types import ModuleType

import pytest

import engine.judging
from engine import effective, evolve, judge
from engine.audit import judged
from engine.play.findings import Finding
from engine.play.state import start
from engine.rulesets import PUBLISHED
from tests.slow import generator
from tests.slow.faults import FAULTS
from tests.support.effort import examples
from tests.support.engine.annotated import annotated_deal
from tests.support.engine.retellings import with_a_gap, with_statements
from tests.support.engine.selfplay import played_out
from tests.support.engine.shorthand import Event, audited, log_from

ROUNDS = examples(40)


def quick_ways() -> Iterator[tuple[ModuleType, str]]:
    for found in pkgutil.iter_modules(engine.judging.__path__):
        module = importlib.import_module(f"engine.judging.{found.name}")
        for name in vars(module):
            if name.startswith("_plainly_"):
                yield module, name


def records(seed: int) -> Iterator[tuple[str, list[Event]]]:
    """Records in order and out of order, whole and with things left out."""
    rng = random.Random(seed)
    fault = list(FAULTS)[seed % len(FAULTS)]
    yield "legal", generator.random_deal(rng, talon=seed % 2 == 0)
    yield "hidden", generator.hide(generator.random_deal(rng, talon=seed % 2 == 0), rng)
    yield fault, FAULTS[fault](rng)[0]
    yield "ombre", played_out(seed, "ombre")
    yield "stated", with_statements(generator.random_deal(rng), rng)
    yield "annotated", annotated_deal(rng)
    yield "gap", with_a_gap(generator.random_deal(rng), rng)


def faults(events: list[Event]) -> list[tuple[object, ...]]:
    return [(one.seq, one.code, one.seat) for one in audited(events).findings]


def test_the_quick_ways_find_what_the_careful_ways_find(monkeypatch: pytest.MonkeyPatch) -> None:
    told = [(seed, *record) for seed in range(ROUNDS) for record in records(seed)]
    quickly = [faults(events) for _, _, events in told]
    ways = list(quick_ways())
    assert ways, "there is no quick way named _plainly_… any more: look for its new name"
    for module, name in ways:
        monkeypatch.setattr(module, name, lambda *_: False)
    for (seed, kind, events), quick in zip(told, quickly, strict=True):
        assert faults(events) == quick, f"seed {seed}, {kind}"


def test_a_log_is_judged_as_its_entries_are_one_by_one() -> None:
    for seed in range(ROUNDS):
        for kind, events in records(seed):
            history, state = effective(log_from(events)), start(PUBLISHED)
            findings: list[Finding] = []
            for entry in history.entries:
                findings += judge(state, entry)
                state = evolve(state, entry)
            assert judged(history, start(PUBLISHED)) == (state, findings), f"seed {seed}, {kind}"
