"""What many deals come to: added up in any parts and any order, and as a plain count has it."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import replays
from engine import Audit, audit
from engine.cards import SEAT_NAMES
from engine.outcomes import WON
from engine.statistics import UNDECIDED, UNKNOWN, RulesetCount, Statistics, counted, statistics
from tests.support.effort import examples
from tests.support.engine.shorthand import F, log_from, opened, slip
from tests.support.schemas import strategies


@cache
def library() -> tuple[tuple[Audit, int], ...]:
    """Every deal of the library and every example, judged, with its number of entries."""
    logs = [one.log() for one in (*replays.library(), *replays.examples())]
    return tuple((audit(log), len(log)) for log in logs)


def added_up(deals: Any) -> Statistics:
    counts: Counter[Any] = Counter()
    for deal in deals:
        counts.update(counted(*deal))
    return statistics(counts)


@settings(max_examples=examples(40))
@given(st.randoms(use_true_random=False), st.integers(0, 12))
def test_deals_can_be_counted_in_any_parts_and_order(rng: random.Random, cuts: int) -> None:
    deals = rng.sample(library(), rng.randint(0, 120))
    places = sorted([0, len(deals), *(rng.randint(0, len(deals)) for _ in range(cuts))])
    parts = [Counter[Any]() for _ in pairwise(places)]
    for part, (begin, end) in zip(parts, pairwise(places), strict=True):
        for deal in deals[begin:end]:
            part.update(counted(*deal))
    rng.shuffle(parts)
    whole: Counter[Any] = Counter()
    for part in parts:
        whole.update(part)
    assert statistics(whole) == added_up(deals)


@settings(max_examples=examples(60))
@given(st.lists(strategies.logs(), max_size=4), st.lists(strategies.logs(), max_size=4))
def test_no_deal_is_too_strange_to_be_counted(first: list[Any], second: list[Any]) -> None:
    deals = [(audit(log), len(log)) for log in (*first, *second)]
    told = added_up(deals)
    assert told == added_up(reversed(deals))
    assert (told.deals, told.entries) == (len(deals), sum(size for _, size in deals))
    assert told.faulty == sum(not one.ok for one, _ in deals)


def ruleset_of(one: Audit) -> str:
    return one.state.opening.rules.ruleset.id


def chips_of(deals: list[Audit], seat: str | None = None) -> list[int]:
    """What a seat, or each deal's declarer, received in the deals of which that is known."""
    return [
        dict(one.score.payments)[seat or SEAT_NAMES[one.score.declarer or 0]]
        for one in deals
        if one.score.payments is not None
    ]


def outcomes_of(deals: list[Audit]) -> Counter[str]:
    return Counter(one.score.outcome or UNDECIDED for one in deals)


@cache
def with_rulesets() -> tuple[tuple[RulesetCount, list[Audit]], ...]:
    """What is told of each ruleset of the library, with its deals."""
    return tuple(
        (told, [one for one, _ in library() if ruleset_of(one) == told.ruleset])
        for told in added_up(library()).rulesets
    )


def test_every_deal_is_counted_under_its_ruleset() -> None:
    assert sum(told.deals for told, _ in with_rulesets()) == len(library()) > 100
    for told, deals in with_rulesets():
        assert told.deals == len(deals)
        assert told.outcomes == outcomes_of(deals)


def test_a_contract_is_counted_with_its_outcomes_and_what_it_paid() -> None:
    for told, deals in with_rulesets():
        declared = [one for one in deals if one.score.declarer is not None and one.score.contract is not None]
        assert {each.name for each in told.contracts} == {one.score.contract for one in declared}
        for each in told.contracts:
            own = [one for one in declared if one.score.contract == each.name]
            chips = chips_of(own)
            expected = (len(own), outcomes_of(own), sum(chips), len(chips))
            assert (each.played, each.outcomes, each.chips, each.paid) == expected


def test_a_seat_is_counted_with_its_chips_and_its_contracts() -> None:
    for told, deals in with_rulesets():
        for place, each in enumerate(told.seats):
            own = [one for one in deals if one.score.declarer == place and one.score.contract is not None]
            chips = chips_of(deals, each.seat)
            assert (each.chips, each.paid) == (sum(chips), len(chips))
            assert (each.declared, each.won) == (len(own), outcomes_of(own)[WON])


def test_findings_are_counted_and_the_deals_that_have_them() -> None:
    told = added_up(library())
    audits = [one for one, _ in library()]
    assert sum(each.times for each in told.findings) == sum(len(one.findings) for one in audits) > 50
    for each in told.findings:
        times = [
            sum((found.code, found.severity) == (each.code, each.severity) for found in one.findings)
            for one in audits
        ]
        assert (each.times, each.deals) == (sum(times), sum(map(bool, times)))


def test_what_is_oftenest_stands_first() -> None:
    told = added_up(library())
    assert [one.deals for one in told.rulesets] == sorted((one.deals for one in told.rulesets), reverse=True)
    for one in told.rulesets:
        played = [(-each.played, each.name) for each in one.contracts]
        assert played == sorted(played)
        assert list(one.outcomes.values()) == sorted(one.outcomes.values(), reverse=True)
        assert [seat.seat for seat in one.seats] == list(SEAT_NAMES)
    found = [(-each.times, each.code, each.severity) for each in told.findings]
    assert found == sorted(found)


def test_no_deal_comes_to_nothing() -> None:
    assert statistics({}) == Statistics(0, 0, 0, (), ())


@pytest.mark.parametrize(
    ("ruleset", "contract", "name", "played"),
    [
        ("dlu", "solo", "dlu", "solo"),
        ("dlu", "a-made-up-one", "dlu", UNKNOWN),
        ("our-own", "solo", UNKNOWN, UNKNOWN),
    ],
)
def test_rules_and_contracts_not_known_here_are_counted_together(
    ruleset: str, contract: str, name: str, played: str
) -> None:
    deal = log_from([*opened(ruleset=ruleset), slip("F", contract, "5-2-2")])
    told = added_up([(audit(deal), len(deal))] * 3)
    (one,) = told.rulesets
    assert (one.ruleset, one.deals, one.entries) == (name, 3, 6)
    assert [(each.name, each.played) for each in one.contracts] == [(played, 3)]
    assert [seat.declared for seat in one.seats] == [3 if seat == F else 0 for seat in SEAT_NAMES]
