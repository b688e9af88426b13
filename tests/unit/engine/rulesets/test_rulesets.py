"""Rulesets: what is published of each; and where nobody published one, nothing is judged or paid."""

from dataclasses import replace
from itertools import pairwise

import pytest

from engine.rulesets import DLU, OMBRE, PUBLISHED_RULESETS, CompiledRuleset, compile_ruleset
from tests.support.engine.answers import findings, payment, turn
from tests.support.engine.shorthand import (
    Event,
    F,
    M,
    a_deal,
    audited,
    bids,
    names,
    plays,
    ruled,
    score_after,
    slip,
    state_after,
    swap,
)

every_ruleset = pytest.mark.parametrize("rules", PUBLISHED_RULESETS, ids=lambda rules: rules.ruleset.id)


@every_ruleset
def test_every_section_is_told_once_in_order_with_its_source(rules: CompiledRuleset) -> None:
    ruleset = rules.ruleset
    sections = [int(clause.point.partition(".")[0]) for clause in ruleset.clauses]
    assert sections == sorted(sections)
    assert set(sections) >= {1, 2, 3, 4, 5, 6, 8 if ruleset.pool else 7}
    points = [clause.point for clause in ruleset.clauses]
    changes = 1 + sum(one != other for one, other in pairwise(points))
    assert changes == len(set(points)), "a point is told in two places"
    texts = [(clause.point, clause.text) for clause in ruleset.clauses]
    assert len(texts) == len(set(texts))
    assert ruleset.source and all(clause.source for clause in ruleset.clauses)
    assert any(clause.ours for clause in ruleset.clauses)
    assert not [clause for clause in ruleset.clauses if clause.ours and clause.silent]
    assert all(clause.text.endswith((".", ":")) for clause in ruleset.clauses)


@every_ruleset
def test_a_card_out_of_turn_or_of_another_suit_breaks_the_clause_that_says_so(rules: CompiledRuleset) -> None:
    texts = [clause.text.lower() for clause in rules.ruleset.clauses if "revoke" in clause.on]
    assert any("suit is followed" in text for text in texts)
    assert not any("matador" in clause.text for clause in rules.ruleset.clauses if "wrong_seat" in clause.on)


@every_ruleset
def test_bids_lead_to_contracts_and_what_has_no_rate_is_told_as_silent(rules: CompiledRuleset) -> None:
    assert set(rules.namings_by_bid) == set(rules.bids)
    contracts = {naming.contract for namings in rules.namings_by_bid.values() for naming in namings}
    assert contracts == set(rules.contracts) == set(rules.tariffs or rules.pool_bases)
    ruleset = rules.ruleset
    paid = dict(ruleset.tariff) if ruleset.pool is None else dict(ruleset.pool.bases)
    unpaid = [one.id for one in ruleset.contracts if one.id not in paid]
    unpaid += [name for name, tariff in ruleset.tariff if not tariff.codille]
    silent = [one for one in ruleset.clauses if one.silent and one.point.endswith("Payments")]
    assert bool(unpaid) == bool(silent)


HAND = "HA S2 S3 S4 S5 S6 S7 CK CQ"
MARS = a_deal("H2 H3 H4 H5 H6 HK HQ HJ D2", HAND, ruleset="mars")
ON_MARS = [
    *MARS, *bids("F boston, B misere, M boston, F pass"), *names("F", "boston", "H"),
    *swap("F", "D2", "D3"), *swap("M", "CK", "C4"), *plays("F-H2 M-S2 B-?? M-S3"),
]  # fmt: skip
"""A deal of a game that nobody here knows, played by somebody who plainly revokes in ours."""


def test_the_facts_of_an_unknown_ruleset_are_folded() -> None:
    state = state_after(ON_MARS)
    assert [call["bid"] for call in state["calls"]] == ["boston", "misere", "boston", "pass"]
    assert (state["ruleset"], state["revision"]) == ("mars", None)
    assert (state["declarer"], state["contract"], state["trump"]) == (F, "boston", "H")
    assert state["hands"][F] == {"cards": ["D3", "H3", "H4", "H5", "H6", "HJ", "HK", "HQ"], "unknown": 0}
    assert state["discards"][M] == {"cards": ["CK"], "count": 1}
    assert [trick["cards"] for trick in state["tricks"]] == [["H2", "S2", "??"], ["S3"]]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (ON_MARS, "1 unknown_ruleset"),
        (a_deal(ruleset="dlu", revision=2), "unknown_ruleset"),
        (MARS + plays("F-H2 M-S2 B-H2"), "1 unknown_ruleset, card_duplicated"),
        ([*a_deal(ruleset="mars"), slip("F", "solo", "5-4-0", outcome="won")], "1 unknown_ruleset"),
        (a_deal(ruleset="mars") + bids("F pass, M pass, B pass"), "1 unknown_ruleset"),
    ],
)
def test_under_an_unknown_ruleset_only_the_impossible_is_found_and_nothing_is_paid(
    events: list[Event], expected: str
) -> None:
    assert (findings(events), payment(events)) == (expected, "open")
    assert score_after(events)["payments"] is None


def test_a_ruleset_that_names_a_policy_nobody_knows_is_refused() -> None:
    simple, *others = DLU.contracts
    for contract in (replace(simple, aim="all"), replace(simple, laid_open="sometimes")):
        with pytest.raises(ValueError, match="simple: "):
            replace(DLU, contracts=(contract, *others))


def test_the_newest_revision_is_meant_where_none_is_named_and_a_house_rule_is_a_ruleset() -> None:
    dearer = replace(DLU, revision=2, tariff=tuple((c, replace(t, won=9)) for c, t in DLU.tariff))
    book = tuple(map(compile_ruleset, (DLU, dearer, OMBRE)))
    for revision, expected in (({}, 9), ({"revision": 1}, 1), ({"revision": 2}, 9)):
        events = [*a_deal(**revision), slip("F", "simple", "5-4-0")]  # type: ignore[arg-type]
        assert payment(events, book) == f"won {2 * expected} {-expected} {-expected}"
    assert state_after(a_deal(), book)["revision"] == 2
    house = [*a_deal(ruleset="house"), *SIMPLE[1:], *swap("F")]
    against = replace(DLU, id="house", defender_order="against-order-of-play")
    assert turn(house, (compile_ruleset(against),)) == "B exchange"
    assert "unknown_ruleset" in findings(house)


SIMPLE = [*a_deal(), *bids("F simple, M pass, B pass"), *names("F", "simple", "H")]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([*SIMPLE, ruled(payments={"Anna": -3, "Bo": 3})], ""),
        ([*SIMPLE, ruled(payments={"forehand": -3, "middlehand": 1, "Carl": 2})], ""),
        ([*SIMPLE, ruled(payments={"Anna": -3, "Bo": 1})], "settlement_mismatch"),
        ([*SIMPLE, ruled(payments={"Anna": -3, "Zed": 3})], "settlement_mismatch"),
        ([*SIMPLE, ruled(payments={"Anna": -3, "forehand": 1, "Bo": 2})], "settlement_mismatch"),
        # No more is taken than lies in the pool
        ([*a_deal(ruleset="ombre", pool=10, reserved=[20]), ruled(payments={"Anna": 30})], ""),
        ([*a_deal(ruleset="ombre", pool=10, reserved=[20]), ruled(payments={"Anna": 31})], "pool_mismatch"),
        # A player is in a deal once
        (a_deal(players={"sitting_out": ["Anna"]}), "seating_mismatch"),
        (a_deal(players={"middlehand": "Anna"}), "seating_mismatch"),
        # Switches
        (a_deal(switches={"talon_shown": True, "limit": 9}), "unknown_switch, unknown_switch"),
        (a_deal(switches={"sitter_pays": True, "sitter-pays": True}), ""),
    ],
)
def test_what_an_opening_and_a_director_cannot_say(events: list[Event], expected: str) -> None:
    assert findings(events) == expected


def test_a_switch_said_twice_counts_as_said_first() -> None:
    first, second = {"sitter_pays": True}, {"sitter-pays": False}
    for switches in (first | second, second | first):
        told = audited(a_deal(switches=switches)).findings
        assert [one.code for one in told if one.severity != "info"] == ["unknown_switch"]
        assert any("set twice" in one.message for one in told)
