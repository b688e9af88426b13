"""Every single fault put into a legal deal of any ruleset is found where it is, and the deal folds on."""

import random
from functools import cache

import pytest

from engine import audit
from tests.slow.__main__ import COMPARED
from tests.slow.planting import PLANTERS, planted
from tests.support.effort import examples
from tests.support.engine.shorthand import (
    Event,
    log_from,
    named,
    opened,
    plays,
    said,
    stands,
    state_after,
)

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


def withheld(ruleset: str, **switches: str) -> list[Event]:
    """Manille is led; middlehand, holding only spadille and basta as trumps, throws a club."""
    hands = ("H7 HA HK HQ HJ H2 H3 D2 D3", "SA CA C2 C3 C4 C5 C6 C7 CJ")
    deal = opened(*hands, ruleset=ruleset, pool=5, switches=switches)
    deal += said("F solo, M pass, B pass") + named("F", "solo", "H")
    return deal + stands("B M" if ruleset == "gamerules" else "M B") + plays("F-H7 M-C2")


@pytest.mark.parametrize(
    ("ruleset", "policy", "offence"),
    [
        *((name, None, True) for name in ("la-bete", "clockwise", "ombre", "lomber", "tresillo")),
        *((name, None, False) for name in ("gamerules", "dlu", "five-matadors", "dlu-tournament")),
        ("dlu", "forced-by-higher", True),
        ("dlu", "can-beat-lead", False),
        ("dlu", "absolute", False),
    ],
)
def test_a_matador_withheld_from_a_manille_lead(ruleset: str, policy: str | None, offence: bool) -> None:
    """By forced-by-higher manille compels basta; under can-beat-lead spadille beats it and basta is free."""
    deal = withheld(ruleset, **({"matadors": policy} if policy else {}))
    codes = [one.code for one in audit(log_from(deal)).findings if one.severity == "error"]
    assert codes == ["revoke"] * offence
