"""Every single fault put into a legal deal of any ruleset is found where it is, and the deal folds on."""

import random
from itertools import count

import pytest

from engine import audit
from schemas.states import state_object
from tests.slow.__main__ import COMPARED
from tests.slow.planting import PLANTERS, planted
from tests.support.engine.shorthand import Event, folded, log_from, named, opened, plays, said, stands

EACH = 6
"""How many deals are tried with each fault, in each ruleset."""
LOOKED_THROUGH = 150
"""Among so many deals a fault has to find room, where it can occur at all."""

CANNOT_OCCUR = {
    ("too_few_discarded", "la-bete"),
    ("too_few_discarded", "gamerules"),
    ("too_few_discarded", "clockwise"),
    ("too_few_discarded", "lomber"),
    ("too_few_discarded", "tresillo"),
}
"""Nobody has to exchange there."""


@pytest.mark.parametrize("ruleset", COMPARED)
@pytest.mark.parametrize("name", PLANTERS)
def test_a_planted_fault_is_found_where_it_is(name: str, ruleset: str) -> None:
    make, second = COMPARED[ruleset]
    deals = (make(seed) for seed in range(LOOKED_THROUGH))
    found = planted(name, deals, second, random.Random(name), EACH)
    assert bool(found) is ((name, ruleset) not in CANNOT_OCCUR)
    for events, codes in found:
        findings = audit(log_from(events)).findings
        serious = [(one.seq, one.code) for one in findings if one.severity in ("impossible", "error")]
        assert serious, events
        assert {seq for seq, _ in serious} == {len(events)}, (serious, events)
        assert {code for _, code in serious} & codes, (serious, codes, events[-1])


@pytest.mark.parametrize("ruleset", COMPARED)
def test_the_table_plays_on_after_a_revoke(ruleset: str) -> None:
    """The card that did not follow lies in its trick, and the next one plays."""
    make, second = COMPARED[ruleset]
    deals = (make(seed) for seed in count())
    for events, _ in planted("revoke", deals, second, random.Random(ruleset), 10):
        before, after = state_object(folded(events[:-1])), state_object(folded(events))
        assert after["tricks"][-1]["cards"][-1] == events[-1]["card"]
        assert events[-1]["card"] not in after["hands"][events[-1]["seat"]]["cards"]
        assert before["tricks_won"] != after["tricks_won"] or after["to_act"] != before["to_act"]


def withheld(ruleset: str, **switches: str) -> list[Event]:
    """Manille is led; middlehand, holding only spadille and basta as trumps, throws a club."""
    hands = ("H7 HA HK HQ HJ H2 H3 D2 D3", "SA CA C2 C3 C4 C5 C6 C7 CJ")
    deal = opened(*hands, ruleset=ruleset, pool=5, switches=switches)
    deal += said("F solo, M pass, B pass") + named("F", "solo", "H")
    return deal + stands("B M" if ruleset == "gamerules" else "M B") + plays("F-H7 M-C2")


@pytest.mark.parametrize(
    ("ruleset", "offence"),
    [
        ("la-bete", True),
        ("clockwise", True),
        ("ombre", True),
        ("gamerules", False),
        ("dlu", False),
        ("five-matadors", False),
        ("dlu-tournament", False),
        ("lomber", True),
        ("tresillo", True),
    ],
)
def test_a_matador_withheld_from_a_manille_lead(ruleset: str, offence: bool) -> None:
    """By forced-by-higher manille compels basta; under can-beat-lead spadille beats it and he is free."""
    codes = [one.code for one in audit(log_from(withheld(ruleset))).findings if one.severity == "error"]
    assert codes == (["revoke"] if offence else [])


@pytest.mark.parametrize(
    ("policy", "offence"), [("forced-by-higher", True), ("can-beat-lead", False), ("absolute", False)]
)
def test_the_same_under_each_policy_in_one_house(policy: str, offence: bool) -> None:
    deal = withheld("dlu", matadors=policy)
    codes = [one.code for one in audit(log_from(deal)).findings if one.severity == "error"]
    assert codes == (["revoke"] if offence else [])
