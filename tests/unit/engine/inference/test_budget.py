"""One budget for one answer: hostile records end undecided in about a second, the same on every machine."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from engine import audit, effective, fold_all
from engine.core.cards import CARD_BITS, CARD_BY_CODE, SEATS, codes_in_mask
from engine.core.work_budget import WorkBudget
from engine.diagnosis.explanations import explain_findings
from engine.inference.claims import ALL_PLACES
from engine.inference.suit_constraints import OffSuitPlay, list_lawful_placements
from engine.inference.unseen_cards import UnseenCards, analyze_unseen_cards, can_count_deals
from engine.rulesets import PUBLISHED_RULESETS
from tests.support.engine.shorthand import Event, dealt, log_from
from tests.support.hidden.by_trying import a_trial
from tests.support.hidden.records import RULESETS
from tests.support.hidden.suits_only import suits_only

MOST_SECONDS = 2.0


def in_time(ask: Callable[[], Any]) -> Any:
    """What comes of a question, which may take two seconds of a processor's time."""
    begun = time.process_time()
    found = ask()
    assert time.process_time() - begun < MOST_SECONDS
    return found


def examined(events: list[Event], work: WorkBudget | None = None) -> UnseenCards:
    entries = effective(log_from(events)).entries
    return analyze_unseen_cards(entries, fold_all(entries), work)


def test_hands_known_by_suit_alone_are_answered_in_time() -> None:
    made = in_time(lambda: examined(suits_only()))
    assert not made.evidence.physical.is_exact
    assert not made.evidence.lawful.is_exact
    assert made.evidence.physical.is_consistent is not False
    spades = next(one for one in made.cards if one.seq == 2 and one.place == 0)
    assert codes_in_mask(spades.physical) == ["S2", "S3", "S4", "S5", "S6", "S7", "SA", "SJ", "SK", "SQ"]


def test_the_same_work_is_spent_whatever_the_hash_seed() -> None:
    code = (
        "from tests.unit.engine.inference.test_budget import *\n"
        "work = WorkBudget(30_000)\n"
        "made = examined(suits_only(), work)\n"
        "print(work.units_left, made.evidence.physical, made.cards, made.hands, made.lawful_count)"
    )
    told = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", code]
        told.append(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert told[0] == told[1] != b""


@pytest.mark.parametrize("ruleset", RULESETS)
def test_however_small_the_budget_nothing_possible_is_left_out(ruleset: str) -> None:
    rng = random.Random(f"budget {ruleset}")
    undecided = 0
    for _ in range(6):
        visible = a_trial(rng, ruleset).visible
        whole = examined(visible)
        for units in (0, 50, 500, 2_000, 10_000, 50_000):
            made = examined(visible, WorkBudget(units))
            for level, of_all in ((0, whole.evidence.physical), (1, whole.evidence.lawful)):
                found = made.evidence.lawful if level else made.evidence.physical
                assert found == of_all or not found.is_exact
                undecided += not found.is_exact
            for one, all_of_it in zip(made.cards, whole.cards, strict=True):
                assert not all_of_it.physical & ~one.physical
                assert not all_of_it.lawful & ~one.lawful
            for count, exact in (
                (made.physical_count, whole.physical_count),
                (made.lawful_count, whole.lawful_count),
            ):
                assert count.minimum <= exact.minimum
                assert count.maximum is None or count.maximum >= exact.minimum
            assert made.contradicting_entries in (None, whole.contradicting_entries)
    assert undecided


def test_so_many_duties_that_matadors_are_free_are_not_multiplied() -> None:
    (dlu,) = [rules for rules in PUBLISHED_RULESETS if rules.ruleset.id == "dlu"][-1:]
    trumps = next(table for table in dlu.trick_rules_by_trump if CARD_BITS[CARD_BY_CODE["H7"]] & table.trumps)
    kept = [
        OffSuitPlay(seq, seq, seat, trick, CARD_BY_CODE["H7"], CARD_BY_CODE["C4"])
        for trick in range(1, 10)
        for seq, seat in enumerate(SEATS, 3 * trick)
    ]
    ways = in_time(lambda: list(list_lawful_placements([ALL_PLACES] * 40, kept, trumps, {}, WorkBudget())))
    assert 0 < len(ways) < 100


def test_mistakes_are_looked_for_in_time() -> None:
    """Hundreds of hands, each of which may have been entered for the seat of any other."""
    hands = [dealt("F", "SA S2")] * 150 + [dealt("M", "SA S3")] * 150
    log = log_from([suits_only()[0], *hands])
    judged = audit(log)
    in_time(lambda: explain_findings(log, judged))


def test_whether_deals_can_be_drawn_is_said_in_time() -> None:
    entries = effective(log_from(suits_only())).entries
    assert not in_time(lambda: can_count_deals(entries, fold_all(entries)))
