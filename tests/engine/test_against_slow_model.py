"""The engine held against the slow model: another reading of the same rules, sharing no line with it."""

import os
import random
from collections.abc import Iterator
from functools import cache

import pytest

from engine import audit, legal, score
from schemas.answers.states import legal_object, score_object
from tests.slow import generator, model
from tests.slow.__main__ import COMPARED, compared
from tests.slow.faults import FAULTS
from tests.slow.planting import PLANTERS, planted
from tests.support.effort import examples
from tests.support.engine.shorthand import (
    Event,
    Json,
    audited,
    folded,
    log_from,
    state_after,
)

DEALS = int(os.environ.get("SPADILLE_DEALS", examples(200)))
FAULTY_DEALS = max(1, DEALS // 25)
"""How many deals are tried with each fault."""


def random_deals(count: int = DEALS) -> Iterator[tuple[int, list[Event]]]:
    for seed in range(count):
        rng = random.Random(seed)
        yield seed, generator.random_deal(rng, talon=seed % 3 == 0)


def test_the_reasons_of_a_score_add_up_to_its_payments() -> None:
    for seed, deal in random_deals(DEALS // 3):
        told = score_object(score(folded(deal)))
        if told["outcome"] == "passed_out":
            assert told["items"] == [], f"seed {seed}"
            continue
        each = sum(item["each"] for item in told["items"])
        due = {seat: 2 * each if seat == told["declarer"] else -each for seat in model.SEATS}
        assert told["payments"] == due, f"seed {seed}"


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_where_it_is_and_alone(name: str) -> None:
    """What the table plays on afterwards is no offence; a forbidden exchange alone comes as two events."""
    for number in range(FAULTY_DEALS):
        seed = f"{name} {number}"
        deal, seq, codes = FAULTS[name](random.Random(seed))
        told = [(one.seq, one.code) for one in audited(deal).findings if one.code != "incomplete"]
        others = [one for one in told if one[0] != seq or one[1] not in codes]
        assert len(told) > len(others), f"seed {seed!r}: {told}"
        if name == "exchange_in_nolo_by_a_defender":
            others = [one for one in others if one[0] < seq]  # type: ignore[operator]
        assert others == [], f"seed {seed!r}"


def hidden_deals(count: int = DEALS) -> Iterator[tuple[int, list[Event], list[Event]]]:
    """Deals in full, and the same as a recorder wrote them who did not see every card."""
    for seed, deal in random_deals(count):
        yield seed, deal, generator.hide(deal, random.Random(-seed))


def plays_due(deal: list[Event], seen: list[Event]) -> Iterator[tuple[int, Json, Json]]:
    """Wherever a card is due: the length of the hidden record, what the engine lists, what was legal."""
    at = 0
    for length, event in enumerate(seen, 1):
        while (deal[at]["type"], deal[at].get("seat")) != (event["type"], event.get("seat")):
            at += 1  # entries that the hidden record leaves out
        at += 1
        due, truth = legal_object(legal(folded(seen[:length]))), model.legal(deal[:at])
        if due and truth and due["action"] == truth["action"] == "play":
            yield length, due, truth


def lead_of(events: list[Event]) -> str | None:
    played = [event["card"] for event in events if event["type"] == "card_played"]
    return played[-(len(played) % 3)] if len(played) % 3 else None


def test_legal_cards_of_a_hidden_deal_are_legal_in_truth() -> None:
    """No card is listed that was not legal, and no list is given out as whole that is not."""
    hidden_leads = 0
    for seed, deal, seen in hidden_deals(DEALS // 3):
        for length, due, truth in plays_due(deal, seen):
            lead = lead_of(seen[:length]) or ""
            hidden_leads += "?" in lead
            whole = not due.get("hidden") and due["seat"] is not None
            right = due["cards"] == truth["cards"] if whole else set(due["cards"]) <= set(truth["cards"])
            where = f"seed {seed}, after entry {length} ({lead} led): {due} against {truth}"
            assert right and due["seat"] in (None, truth["seat"]), where
    assert hidden_leads


@pytest.mark.parametrize("ruleset", sorted(COMPARED))
def test_every_ruleset_is_read_as_the_slow_model_reads_it(ruleset: str) -> None:
    """``python -m tests.slow --deals 10000`` compares many more."""
    deals = DEALS if ruleset == "dlu" else examples(50, 25)
    entries, found = compared(ruleset, range(deals))
    assert found == []
    assert entries > 10 * deals


EACH = examples(6, 2)
"""How many deals are tried with each fault, in each ruleset."""
LOOKED_THROUGH = 150
"""Among so many deals a fault has to find room, where it can occur at all."""
NO_EXCHANGE_DUE = ("la-bete", "gamerules", "clockwise", "lomber", "tresillo")
"""Rulesets in which nobody has to exchange, so that nobody discards too few."""


@cache
def legal_deal(ruleset: str, seed: int) -> list[Event]:
    return COMPARED[ruleset][0](seed)


@pytest.mark.parametrize("ruleset", COMPARED)
@pytest.mark.parametrize("name", PLANTERS)
def test_a_planted_fault_is_found_where_it_is(name: str, ruleset: str) -> None:
    if name == "too_few_discarded" and ruleset in NO_EXCHANGE_DUE:
        return
    deals = (legal_deal(ruleset, seed) for seed in range(LOOKED_THROUGH))
    found = planted(name, deals, COMPARED[ruleset][1], random.Random(name), EACH)
    assert found, f"no deal in {LOOKED_THROUGH} has room for this fault"
    for events, codes in found:
        findings = audit(log_from(events)).findings
        serious = [(one.seq, one.code) for one in findings if one.severity in ("impossible", "error")]
        assert serious, events
        assert {seq for seq, _ in serious} == {len(events)}, (serious, events)
        assert {code for _, code in serious} & codes, (serious, codes, events[-1])
        if name == "revoke":  # the card lies in its trick, and the next one plays
            state = state_after(events)
            assert state["tricks"][-1]["cards"][-1] == events[-1]["card"]
            assert events[-1]["card"] not in state["hands"][events[-1]["seat"]]["cards"]
