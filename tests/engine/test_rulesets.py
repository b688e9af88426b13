"""Rulesets that nobody published: facts fold, nothing is judged or paid. And which revision is meant."""

from dataclasses import replace

import pytest

from engine.rulesets import DLU, OMBRE, PUBLISHED, book_of
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    audited,
    found,
    legal_after,
    named,
    note,
    opened,
    paid,
    plays,
    said,
    score_after,
    slip,
    stands,
    state_after,
    swap,
)

HAND = "HA S2 S3 S4 S5 S6 S7 CK CQ"


def on_mars() -> list[Event]:
    """A deal of a game that nobody here knows, played by somebody who plainly revokes in ours."""
    events = opened("H2 H3 H4 H5 H6 HK HQ HJ D2", HAND, ruleset="mars")
    events += said("F boston, B misere, M boston, F pass") + named("F", "boston", "H")
    return events + swap("F", "D2", "D3") + swap("M", "CK", "C4") + plays("F-H2 M-S2 B-?? M-S3")


def test_the_facts_of_an_unknown_ruleset_are_folded() -> None:
    state = state_after(on_mars())
    assert [call["bid"] for call in state["calls"]] == ["boston", "misere", "boston", "pass"]
    assert (state["ruleset"], state["revision"]) == ("mars", None)
    assert (state["declarer"], state["contract"], state["trump"]) == (F, "boston", "H")
    assert state["hands"][F] == {"cards": ["D3", "H3", "H4", "H5", "H6", "HJ", "HK", "HQ"], "unknown": 0}
    assert state["discards"][M] == {"cards": ["CK"], "count": 1}
    assert [trick["cards"] for trick in state["tricks"]] == [["H2", "S2", "??"], ["S3"]]


def test_an_unknown_ruleset_is_told_and_nothing_else_is_judged() -> None:
    assert found(on_mars()) == [(1, "unknown_ruleset")]
    assert found(opened(ruleset="dlu", revision=2)) == [(1, "unknown_ruleset")]


def test_under_an_unknown_ruleset_nothing_is_paid() -> None:
    for events in (
        on_mars(),
        [*opened(ruleset="mars"), slip("F", "solo", "5-4-0", outcome="won")],
        [*opened(ruleset="mars"), slip("F", "solo", "9-0-0", slam="made")],
    ):
        result = score_after(events)
        assert (result["decided"], result["payments"]) == (False, None)


def test_even_when_all_pass() -> None:
    """In some games that costs something."""
    assert not score_after(opened(ruleset="mars") + said("F pass, M pass, B pass"))["decided"]


@pytest.mark.parametrize("impossible", ["twice", "not held"])
def test_what_cannot_have_happened_under_any_rules_is_found(impossible: str) -> None:
    card = {"twice": "F-H2 M-S2 B-H2", "not held": "F-S2"}[impossible]
    events = opened("H2 H3 H4 H5 H6 HK HQ HJ D2", HAND, ruleset="mars") + plays(card)
    assert [code for _, code in found(events)][1:] in (["card_duplicated"], ["card_not_held"])


def test_the_newest_revision_is_meant_where_none_is_named() -> None:
    dearer = replace(DLU, revision=2, tariff=tuple((c, replace(t, won=9)) for c, t in DLU.tariff))
    book = book_of((DLU, dearer, OMBRE))
    result = slip("F", "simple", "5-4-0")
    assert paid([*opened(), result], book)[1] == [18, -9, -9]
    assert paid([*opened(revision=1), result], book)[1] == [2, -1, -1]
    assert paid([*opened(revision=2), result], book)[1] == [18, -9, -9]
    assert state_after(opened(), book)["revision"] == 2


def test_a_house_rule_is_a_ruleset_of_its_own() -> None:
    clockwise = replace(DLU, id="house", defender_order="against-order-of-play")
    events = [
        *opened(ruleset="house"),
        *said("F simple, M pass, B pass"),
        *named("F", "simple", "H"),
        *swap("F"),
    ]
    due = legal_after(events, book_of((clockwise,)))
    assert due is not None
    assert due["seat"] == B
    assert audited(events).findings[0].code == "unknown_ruleset"


def test_every_published_ruleset_says_where_its_points_were_read() -> None:
    assert {rules.ruleset.id for rules in PUBLISHED} >= {"dlu", "ombre"}
    for rules in PUBLISHED:
        ruleset = rules.ruleset
        assert ruleset.source
        assert all(clause.text and clause.source for clause in ruleset.clauses)
        assert any(clause.ours for clause in ruleset.clauses)
        assert set(rules.naming) == set(rules.bids)
        assert {naming.contract for namings in rules.naming.values() for naming in namings} == set(
            rules.contracts
        )
        assert set(rules.tariff or rules.bases) == set(rules.contracts)


def test_switches_that_no_ruleset_knows_are_told() -> None:
    events = opened(switches={"talon_shown": True, "limit": 9})
    assert found(events) == [(1, "unknown_switch"), (1, "unknown_switch")]
    assert paid([*events, slip("F", "simple", "5-4-0")])[0] == "won"
    assert found([*opened(), note(""), *stands("")]) == []
    assert M in state_after(events)["hands"]
