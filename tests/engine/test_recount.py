"""The score audit: the first deal in which table and rules part, by how much; the same under other rules."""

import doctest
import random
from dataclasses import replace
from pathlib import Path

import pytest

from engine.cards import SEAT_NAMES, SEATS
from engine.events import (
    CorrectionMade,
    DealClosed,
    DealSettled,
    DealVoided,
    HandTakenOver,
    ResultRecorded,
    RulingMade,
)
from engine.log import log_of
from engine.rulesets import PUBLISHED, find
from engine.table_events import PaymentMade
from engine.tables.recount import Recount, parting, recount
from engine.tables.rescoring import Other, Rescoring, UnknownRules, rescored, score_under
from service.telling import told
from tests.support.engine.evenings import Evening

F, M, B = SEATS
RULESETS = sorted({rules.ruleset.id for rules in PUBLISHED})


def counted(evening: Evening) -> Recount:
    again = recount(evening.log(), {name: log_of(events) for name, events in evening.logs.items()})
    assert again is not None
    return again


def under(evening: Evening, *other: str | int) -> Rescoring:
    logs = {name: log_of(events) for name, events in evening.logs.items()}
    found = rescored(evening.log(), logs, Other(*other))  # type: ignore[arg-type]
    assert found is not None
    return found


def three_deals(second: tuple[tuple[str, int], ...] = (("Bo", 2), ("Carl", -1), ("Anna", -1))) -> Evening:
    """Forehand wins simple three times, and is paid for it; the second time as said."""
    evening = Evening()
    evening.play(ResultRecorded("won", F, "simple"), DealSettled((("Anna", 2), ("Bo", -1), ("Carl", -1))))
    evening.play(ResultRecorded("won", F, "simple"), DealSettled(second))
    evening.play(ResultRecorded("won", F, "simple"), DealSettled((("Carl", 2), ("Anna", -1), ("Bo", -1))))
    return evening


def test_an_evening_that_was_paid_as_it_should_parts_nowhere() -> None:
    again = counted(three_deals())
    assert again.first is None
    assert parting(again) is None
    assert again.apart == ()
    assert [one.settlements[0].apart for one in again.deals] == [(), (), ()]
    assert dict(again.ledger.totals) == {"Anna": 0, "Bo": 0, "Carl": 0}


def test_the_first_deal_to_part_is_named_and_by_how_much() -> None:
    again = counted(three_deals((("Bo", 4), ("Carl", -1), ("Anna", -3))))
    assert again.first is again.deals[1]
    assert again.first.line.number == 2
    assert dict(again.first.apart) == {"Bo": 2, "Anna": -2}
    assert [dict(one.running) for one in again.deals] == [{}, {"Bo": 2, "Anna": -2}, {"Bo": 2, "Anna": -2}]
    one = parting(again)
    assert one is not None
    assert (one.seq, one.code, one.severity) == (3, "settlement_mismatch", "error")
    assert one.message == (
        "Deal 2 is the first to part from the rules: Bo +4 instead of +2, Anna -3 instead of -1."
    )
    assert told(one.message, "da") == (
        "Spil 2 er det første, der afviger fra reglerne: Bo +4 i stedet for +2, Anna -3 i stedet for -1."
    )


def test_errors_that_make_each_other_good_are_told_all_the_same() -> None:
    evening = three_deals((("Bo", 4), ("Carl", -1), ("Anna", -3)))
    evening.logs["deal-3"][-1] = DealSettled((("Carl", 2), ("Anna", 1), ("Bo", -3)))
    again = counted(evening)
    assert [one.parts for one in again.deals] == [False, True, True]
    assert again.apart == ()


def test_seats_and_names_are_the_same_players_and_one_who_plays_for_another_is_himself() -> None:
    evening = Evening()
    evening.play(
        ResultRecorded("won", F, "simple"),
        DealSettled((("forehand", 2), ("middlehand", -1), ("backhand", -1))),
    )
    assert counted(evening).first is None
    sitters = Evening("dlu", 4, switches=(("sitter-pays", True),))
    sitters.play(
        HandTakenOver(B, "Bo"),
        ResultRecorded("won", F, "solo"),
        DealSettled((("Anna", 9), ("Carl", -3), ("Bo", -3), ("Dora", -3))),
    )
    assert counted(sitters).first is None


def test_the_last_settlement_counts_and_a_closing_says_what_computed_it() -> None:
    wrong, right = (("Anna", 3), ("Bo", -2), ("Carl", -1)), (("Anna", 2), ("Bo", -1), ("Carl", -1))
    evening = Evening()
    evening.play(ResultRecorded("won", F, "simple"), DealSettled(wrong), DealClosed(right, "1.0"))
    (deal,) = counted(evening).deals
    assert [(one.seq, one.engine, bool(one.apart)) for one in deal.settlements] == [
        (3, None, True),
        (4, "1.0", False),
    ]
    assert not deal.parts


def test_a_correction_after_the_payment_parts_them() -> None:
    evening = three_deals()
    evening.add("deal-1", CorrectionMade("It was lost.", (2,), None, (ResultRecorded("bete", F, "simple"),)))
    again = counted(evening)
    assert again.first is again.deals[0]
    assert dict(again.apart) == {"Anna": 4, "Bo": -2, "Carl": -2}


def test_a_pool_that_the_earlier_deals_did_not_leave() -> None:
    evening = Evening("ombre")
    evening.play(ResultRecorded("bete", F, "play"))
    right = evening.opening()
    evening.play(ResultRecorded("passed_out"), opening=replace(right, pool=(right.pool or 0) + 7))
    again = counted(evening)
    assert again.first is again.deals[1]
    one = parting(again)
    assert one is not None
    assert one.code == "pool_mismatch"
    assert one.message == (
        "Deal 2 is the first to part from the rules: opened with 32 in the pool instead of 25 in the pool."
    )


def test_what_nobody_can_compute_parts_nowhere_and_counts_nothing() -> None:
    evening = Evening()
    evening.play(DealSettled((("Anna", 2), ("Bo", -1), ("Carl", -1))))
    again = counted(evening)
    assert again.deals[0].settlements[0].apart is None
    assert again.first is None
    assert dict(again.ledger.totals) == {"Anna": 0, "Bo": 0, "Carl": 0}


def test_a_ruling_is_what_the_deal_pays() -> None:
    ruled = (("Anna", 5), ("Bo", -5), ("Carl", 0))
    evening = Evening()
    evening.play(
        ResultRecorded("won", F, "simple"), RulingMade("So be it.", payments=ruled), DealSettled(ruled)
    )
    assert counted(evening).first is None


def test_payments_by_hand_and_deals_that_are_not_here_are_left_out() -> None:
    evening = three_deals()
    evening.table.append(PaymentMade("Anna", "Bo", 3))
    del evening.logs["deal-2"]
    again = counted(evening)
    assert [one.line.number for one in again.deals] == [1, 3]
    assert dict(again.ledger.totals)["Bo"] == 3 - 1 - 1


def test_a_log_that_opens_no_table_has_nothing_to_count() -> None:
    assert recount((), {}) is None
    assert rescored((), {}, Other("dlu")) is None


@pytest.mark.parametrize("ruleset", RULESETS)
def test_of_a_random_evening_every_settlement_agrees_and_one_put_wrong_is_the_first_to_part(
    ruleset: str,
) -> None:
    rng = random.Random(f"recount {ruleset}")
    evening = Evening(ruleset, rng.choice((3, 4)))
    paid = []
    for number in range(8):
        name = evening.play_randomly(rng)
        line = evening.ledger().lines[number]
        if line.decided:  # what a slam of some rulesets pays is not stated
            evening.add(name, DealSettled(line.chips))
            paid += [number] if line.chips else []
    assert counted(evening).first is None
    wrong = rng.choice(paid)
    events = evening.logs[f"deal-{wrong + 1}"]
    (one, chips), (other, more), *rest = events[-1].payments  # type: ignore[attr-defined]
    events[-1] = DealSettled(((one, chips + 3), (other, more - 3), *rest))
    again = counted(evening)
    assert again.first is again.deals[wrong]
    assert dict(again.first.apart) == dict(again.apart) == {one: 3, other: -3}


# --- Under other rules ------------------------------------------------------------------------------


def test_the_same_deals_under_another_ruleset() -> None:
    """One trick in nolo ouvert is kodille by the union's tables and bête by La Bete."""
    evening = Evening("dlu")
    evening.play(ResultRecorded(None, F, "nolo-ouvert", tricks=((F, 1), (M, 4), (B, 4))))
    evening.play(ResultRecorded("won", F, "tourne"))
    found = under(evening, "la-bete")
    ouvert, tourne = found.deals
    assert (ouvert.before.outcome, ouvert.after.outcome) == ("codille", "bete")
    assert dict(ouvert.before.chips) == {"Anna": -14, "Bo": 7, "Carl": 7}
    assert dict(ouvert.after.chips) == {"Anna": -10, "Bo": 5, "Carl": 5}
    assert dict(ouvert.difference or ()) == {"Anna": 4, "Bo": -2, "Carl": -2}
    assert dict(tourne.difference or ()) == {"Bo": -2, "Carl": 1, "Anna": 1}
    assert dict(found.difference) == {"Anna": 5, "Bo": -4, "Carl": -1}
    assert dict(under(evening, "five-matadors").difference) == {"Anna": -2, "Bo": 1, "Carl": 1}


def test_under_the_rules_they_were_played_by_nothing_changes() -> None:
    for ruleset in RULESETS:
        rng = random.Random(f"the same {ruleset}")
        evening = Evening(ruleset, 3)
        for _ in range(4):
            evening.play_randomly(rng)
        found = under(evening, ruleset, 1)
        assert found.difference == ()
        assert {one.difference for one in found.deals} <= {(), None}
        assert found.after.totals == found.before.totals


def test_what_was_settled_is_not_believed_and_a_voided_deal_pays_nothing_anywhere() -> None:
    evening = Evening()
    evening.play(ResultRecorded("won", F, "simple"), DealSettled((("Anna", 9), ("Bo", -8), ("Carl", -1))))
    evening.play(DealVoided("a card lay open"))
    found = under(evening, "la-bete")
    assert dict(found.before.totals) == {"Anna": 2, "Bo": -1, "Carl": -1}
    assert found.deals[1].difference == ()


def test_a_contract_that_the_other_rules_do_not_know_stays_open() -> None:
    evening = Evening("dlu")
    evening.play(ResultRecorded("won", F, "tourne"))
    evening.play(ResultRecorded("won", F, "solo"))
    found = under(evening, "ombre")
    assert [one.after.decided for one in found.deals] == [False, True]
    assert found.deals[0].difference is None
    assert found.difference == found.deals[1].difference
    assert found.after.lines[1].before is not None  # a pool is laid there, and was not here


def test_a_pool_is_carried_on_by_the_other_rules_and_not_taken_from_the_record() -> None:
    evening = Evening("ombre")
    evening.play(ResultRecorded("bete", F, "play"))
    evening.play(ResultRecorded("won", F, "play"), opening=evening.opening(pool=32))
    found = under(evening, "tresillo")
    assert [line.before.pool for line in found.after.lines if line.before] == [5, 25]
    assert [one.finding.code for one in found.before.findings] == ["pool_mismatch"]
    assert found.after.findings == ()


def test_one_deal_under_other_rules_and_rules_that_nobody_knows() -> None:
    evening = Evening("dlu")
    name = evening.play(ResultRecorded("bete", F, "simple", tricks=((F, 1), (M, 4), (B, 4))))
    log = log_of(evening.logs[name])
    assert score_under(log, Other("dlu")).outcome == "bete"
    assert score_under(log, Other("la-bete")).payments is not None
    with pytest.raises(UnknownRules, match="no ruleset mars"):
        score_under(log, Other("mars"))
    with pytest.raises(UnknownRules, match="revision 99"):
        score_under(log, Other("dlu", 99))
    assert find(PUBLISHED, "dlu") is not None
    assert set(SEAT_NAMES) >= {name for name, _ in score_under(log, Other("la-bete")).payments or ()}


def test_a_house_rule_alone() -> None:
    evening = Evening("dlu", 4)
    evening.play(ResultRecorded("won", F, "solo"))
    logs = {name: log_of(events) for name, events in evening.logs.items()}
    found = rescored(evening.log(), logs, Other("dlu", None, (("sitter-pays", True),)))
    assert found is not None
    out = found.before.lines[0].seating
    assert out is not None
    assert dict(found.difference)[out.sitting_out[0]] == -3


def test_the_examples_of_the_guide() -> None:
    guide = Path(__file__).parents[2] / "docs" / "audit.md"
    assert doctest.testfile(str(guide), module_relative=False).failed == 0
