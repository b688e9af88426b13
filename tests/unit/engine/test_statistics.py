"""What many deals come to: added up in any parts and any order, and as a plain count has it."""

import random
from collections import Counter
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import replays
from engine import Audit, audit
from engine.core.cards import SEAT_NAMES, SEATS
from engine.play.outcomes import WON
from engine.statistics import UNDECIDED, UNKNOWN_NAME, DealStatistics, build_statistics, count_deal
from tests.support.effort import examples
from tests.support.engine.shorthand import F, a_deal, log_from, slip


@cache
def library_audits() -> tuple[tuple[Audit, int], ...]:
    """Every deal of the library and every example, judged, with its number of entries."""
    logs = [one.read_log() for one in (*replays.list_library(), *replays.list_examples())]
    return tuple((audit(log), len(log)) for log in logs)


def added_up(deals: Any) -> DealStatistics:
    counts: Counter[Any] = Counter()
    for deal in deals:
        counts.update(count_deal(*deal))
    return build_statistics(counts)


@settings(max_examples=examples(40))
@given(st.randoms(use_true_random=False), st.integers(0, 12))
def test_deals_can_be_counted_in_any_parts_and_order(rng: random.Random, cuts: int) -> None:
    deals = rng.sample(library_audits(), rng.randint(0, 120))
    parts = [Counter[Any]() for _ in range(cuts + 1)]
    for deal in deals:
        rng.choice(parts).update(count_deal(*deal))
    whole: Counter[Any] = Counter()
    for part in parts:
        whole.update(part)
    assert build_statistics(whole) == added_up(deals)


def chips_of(deals: list[Audit], seat: str | None = None) -> tuple[int, int]:
    """What a seat, or each deal's declarer, received where that is known, and in how many deals."""
    known = [one.score for one in deals if one.score.payments is not None]
    received = [dict(one.payments or ())[seat or SEAT_NAMES[one.declarer or 0]] for one in known]
    return sum(received), len(received)


def _final_players(deal: Audit) -> list[str]:
    players, takers = deal.state.opening.players, deal.state.ending.substitutes
    return [taker or players.at(seat) for seat, taker in zip(SEATS, takers, strict=True)]


def outcomes_of(deals: list[Audit]) -> Counter[str]:
    return Counter(one.score.outcome or UNDECIDED for one in deals)


def test_the_library_is_counted_by_ruleset_contract_seat_and_finding() -> None:
    told, audits = added_up(library_audits()), [one for one, _ in library_audits()]
    assert sum(each.deals for each in told.rulesets) == len(audits) > 100
    for each in told.rulesets:
        deals = [one for one in audits if one.state.opening.rules.ruleset.id == each.ruleset]
        assert (each.deals, each.outcomes) == (len(deals), outcomes_of(deals))
        declared = [one for one in deals if one.score.declarer is not None and one.score.contract is not None]
        assert {game.name for game in each.contracts} == {one.score.contract for one in declared}
        for game in each.contracts:
            own = [one for one in declared if one.score.contract == game.name]
            expected = (len(own), outcomes_of(own), *chips_of(own))
            assert (game.deals, game.outcomes, game.chips, game.paid_deals) == expected
        for place, seat in enumerate(each.seats):
            own = [one for one in declared if one.score.declarer == place]
            assert (seat.chips, seat.paid_deals) == chips_of(deals, seat.seat)
            assert (seat.declared_deals, seat.won_deals) == (len(own), outcomes_of(own)[WON])
    assert sum(each.occurrences for each in told.findings) == sum(len(one.findings) for one in audits) > 50
    for code in told.findings:
        alike = (code.code, code.severity)
        times = [sum((found.code, found.severity) == alike for found in one.findings) for one in audits]
        assert (code.occurrences, code.deals) == (sum(times), sum(map(bool, times)))
    ended = [one for one in audits if one.score.outcome not in (None, "voided")]
    for player in told.players:
        outcomes = [
            one.score.outcome
            for one in ended
            if one.score.declarer is not None and _final_players(one)[one.score.declarer] == player.player
        ]
        assert player.played == sum(player.player in _final_players(one) for one in ended)
        assert (player.declared, player.won) == (len(outcomes), outcomes.count(WON))
    sums = [sum(dict(one.score.payments or ()).values()) for one in audits]
    assert sum(one.chips for one in told.players) == sum(sums)
    assert told.faulty_deals == sum(not one.ok for one in audits)
    assert told.entries == sum(size for _, size in library_audits())
    # What is oftenest stands first.
    assert [one.deals for one in told.rulesets] == sorted((one.deals for one in told.rulesets), reverse=True)
    for one in told.rulesets:
        played = [(-each.deals, each.name) for each in one.contracts]
        assert played == sorted(played)
        assert list(one.outcomes.values()) == sorted(one.outcomes.values(), reverse=True)
    found = [(-each.occurrences, each.code, each.severity) for each in told.findings]
    assert found == sorted(found)
    assert build_statistics({}) == DealStatistics(0, 0, 0, (), (), ())


@pytest.mark.parametrize(
    ("ruleset", "contract", "name", "played"),
    [
        ("dlu", "solo", "dlu", "solo"),
        ("dlu", "own", "dlu", UNKNOWN_NAME),
        ("our-own", "solo", UNKNOWN_NAME, UNKNOWN_NAME),
    ],
)
def test_unknown_rules_and_contracts_are_counted_together(
    ruleset: str, contract: str, name: str, played: str
) -> None:
    deal = log_from([*a_deal(ruleset=ruleset), slip("F", contract, "5-2-2")])
    (one,) = added_up([(audit(deal), len(deal))] * 3).rulesets
    assert (one.ruleset, one.deals, one.entries) == (name, 3, 6)
    assert [(each.name, each.deals) for each in one.contracts] == [(played, 3)]
    assert [seat.declared_deals for seat in one.seats] == [3 if seat == F else 0 for seat in SEAT_NAMES]
