"""Settlements of an evening beside the rules, the same under other rules, figures of players."""

import random
from dataclasses import replace
from typing import Any

import pytest

from engine.core import events as ev
from engine.core.cards import BACKHAND, FOREHAND, SEATS
from engine.core.log import build_log
from engine.core.table_events import PaymentMade, PlayerJoined, PlayerLeft
from engine.scoring.payments import Payments
from engine.tables import ContractFigures, PlayerFigures, add_player_figures, count_player_figures
from engine.tables.rescoring import (
    EveningRescoring,
    OtherRules,
    UnknownRules,
    rescore_evening,
    score_with_rules,
)
from engine.tables.table_report import TableReport, compile_table_report
from tests.support.engine.dealt import chips, codes, dealers, evening_of, result, tell
from tests.support.engine.evenings import Evening
from tests.support.hidden.records import RULESETS


def report_of(evening: Evening) -> TableReport:
    report = compile_table_report(evening.log(), evening.deal_logs())
    assert report is not None
    return report


def under(evening: Evening, *other: Any) -> EveningRescoring:
    found = rescore_evening(evening.log(), evening.deal_logs(), OtherRules(*other))
    assert found is not None
    return found


def settle(**payments: int) -> ev.DealSettled:
    return ev.DealSettled(tuple(payments.items()))


WON = result("won F simple")
FIRST, LAST = (WON, settle(Anna=2, Bo=-1, Carl=-1)), (WON, settle(Carl=2, Anna=-1, Bo=-1))
RIGHT, WRONG = (WON, settle(Bo=2, Carl=-1, Anna=-1)), (WON, settle(Bo=4, Carl=-1, Anna=-3))
MADE_GOOD = (WON, settle(Carl=2, Anna=1, Bo=-3))
LOST = ev.CorrectionMade("It was lost.", (2,), None, (result("bete F simple"),))
BY_SEAT = (WON, settle(forehand=2, middlehand=-1, backhand=-1))
RULED: Payments = (("Anna", 5), ("Bo", -5), ("Carl", 0))


def first_to_part(evening: Evening) -> str:
    """The first deal in which table and rules part, by how much there, and by how much in the end."""
    report = report_of(evening)
    first = report.first_difference
    told = f"{first.line.number}: {chips(first.difference)}" if first else "none"
    return f"{told}; {chips(report.difference)}"


@pytest.mark.parametrize(
    ("evening", "expected"),
    [
        (evening_of(FIRST, RIGHT, LAST), "none; "),
        (evening_of(FIRST, WRONG, LAST), "2: Anna -2, Bo 2; Anna -2, Bo 2"),
        (evening_of(FIRST, WRONG, MADE_GOOD), "2: Anna -2, Bo 2; "),
        (evening_of(BY_SEAT), "none; "),
        (evening_of((WON, ev.RulingMade("So be it.", payments=RULED), ev.DealSettled(RULED))), "none; "),
        (evening_of(settle(Anna=2, Bo=-1, Carl=-1)), "none; "),  # nobody can compute it
    ],
    ids=["paid right", "paid wrong", "made good again", "by seats", "as ruled", "without a result"],
)
def test_the_first_deal_to_part_is_found_and_by_how_much(evening: Evening, expected: str) -> None:
    assert first_to_part(evening) == expected


def test_one_who_plays_for_another_is_paid_by_their_own_name() -> None:
    taken = (ev.HandTakenOver(BACKHAND, "Bo"), result("won F solo"), settle(Anna=9, Carl=-3, Bo=-3, Dora=-3))
    (deal,) = report_of(evening_of(taken, players=4, switches=(("sitter-pays", True),))).deals
    assert (deal.difference, chips(deal.settlements[0].payments)) == ((), "Anna 9, Bo -3, Carl -3, Dora -3")


def test_a_correction_after_the_payment_parts_them() -> None:
    evening = evening_of(FIRST, RIGHT, LAST)
    evening.add("deal-1", LOST)
    assert first_to_part(evening) == "1: Anna 4, Bo -2, Carl -2; Anna 4, Bo -2, Carl -2"


def test_each_deal_says_how_far_they_are_apart_by_then() -> None:
    report = report_of(evening_of(FIRST, WRONG, LAST))
    assert [chips(one.running_difference) for one in report.deals] == ["", "Anna -2, Bo 2", "Anna -2, Bo 2"]
    assert [bool(one.settlements[0].difference) for one in report.deals] == [False, True, False]
    assert report.first_difference is not None
    assert report.first_difference.fault.finding.code == "settlement_mismatch"
    good = report_of(evening_of(FIRST, WRONG, MADE_GOOD))
    assert [bool(one.difference) for one in good.deals] == [False, True, True]
    alone = report_of(evening_of(settle(Anna=2, Bo=-1, Carl=-1)))
    assert alone.deals[0].settlements[0].difference is None


def test_what_was_settled_counts_and_a_closing_says_what_computed_it() -> None:
    closing = ev.DealClosed((("Anna", 2), ("Bo", -1), ("Carl", -1)), "1.0")
    (deal,) = report_of(evening_of((WON, settle(Anna=3, Bo=-2, Carl=-1), closing))).deals
    told = [(one.seq, one.engine_version, bool(one.difference)) for one in deal.settlements]
    assert told == [(3, None, True), (4, "1.0", False)]
    assert chips(deal.difference) == "Anna 1, Bo -1", "a closing counts only where nobody said what was paid"


def test_a_pool_that_the_earlier_deals_did_not_leave() -> None:
    evening = evening_of("bete F play", ruleset="ombre")
    right = evening.opening()
    evening.play(result("passed_out"), opening=replace(right, pool=(right.pool or 0) + 7))
    first = report_of(evening).first_difference
    assert first is not None and first.fault.finding.code == "pool_mismatch"
    assert first.recorded_pot is not None and first.line.pot_before is not None
    assert (first.recorded_pot.pool, first.line.pot_before.pool) == (32, 25)


def test_payments_by_hand_and_deals_that_are_not_here_are_left_out() -> None:
    evening = evening_of(FIRST, RIGHT, LAST, PaymentMade("Anna", "Bo", 3))
    del evening.logs["deal-2"]
    report = report_of(evening)
    assert [one.line.number for one in report.deals if one.audit is not None] == [1, 3]
    assert dict(report.ledger.totals)["Bo"] == 3 - 1 - 1
    assert rescore_evening((), {}, OtherRules("dlu")) is None


@pytest.mark.parametrize("ruleset", RULESETS)
def test_in_a_random_evening_one_settlement_put_wrong_is_the_first_to_part(ruleset: str) -> None:
    rng = random.Random(f"recount {ruleset}")
    evening = Evening(ruleset, rng.choice((3, 4)))
    settled = []
    for number in range(8):
        name = evening.play_randomly(rng)
        line = evening.ledger().lines[number]
        if line.is_decided:  # what a slam of some rulesets pays is not stated
            evening.add(name, ev.DealSettled(line.chips))
            settled += [number] if line.chips else []
    assert report_of(evening).first_difference is None
    wrong = rng.choice(settled)
    events = evening.logs[f"deal-{wrong + 1}"]
    (one, first), (other, second), *rest = events[-1].payments  # type: ignore[attr-defined]
    events[-1] = ev.DealSettled(((one, first + 3), (other, second - 3), *rest))
    report = report_of(evening)
    assert report.first_difference is not None and report.first_difference.line.number == wrong + 1
    assert dict(report.first_difference.difference) == dict(report.difference) == {one: 3, other: -3}


def test_the_same_deals_under_another_ruleset() -> None:
    """One trick in nolo ouvert is codille by the union's tables and bête by La Bete."""
    one_trick = result("won F nolo-ouvert", tricks=tuple(zip(SEATS, (1, 4, 4), strict=True)))
    evening = evening_of(replace(one_trick, outcome=None), "won F tourne")
    found = under(evening, "la-bete")
    ouvert, tourne = found.deals
    assert (ouvert.before.outcome, ouvert.after.outcome) == ("codille", "bete")
    assert chips(ouvert.before.chips) == "Anna -14, Bo 7, Carl 7"
    assert chips(ouvert.after.chips) == "Anna -10, Bo 5, Carl 5"
    assert chips(ouvert.difference or ()) == "Anna 4, Bo -2, Carl -2"
    assert chips(tourne.difference or ()) == "Anna 1, Bo -2, Carl 1"
    assert chips(found.difference) == "Anna 5, Bo -4, Carl -1"
    assert chips(under(evening, "five-matadors").difference) == "Anna -2, Bo 1, Carl 1"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_under_the_rules_they_were_played_by_nothing_changes(ruleset: str) -> None:
    rng = random.Random(f"the same {ruleset}")
    evening = Evening(ruleset, 3)
    for _ in range(4):
        evening.play_randomly(rng)
    found = under(evening, ruleset, 1)
    assert {found.difference, *(one.difference for one in found.deals)} <= {(), None}
    assert found.after.totals == found.before.totals


def test_a_voided_deal_pays_nothing_anywhere() -> None:
    evening = evening_of((WON, settle(Anna=9, Bo=-8, Carl=-1)), ev.DealVoided("a card lay open"))
    found = under(evening, "la-bete")
    assert chips(found.before.totals) == "Anna 2, Bo -1, Carl -1"
    assert found.deals[1].difference == ()


def test_a_contract_that_the_other_rules_do_not_know_stays_open() -> None:
    found = under(evening_of("won F tourne", "won F solo"), "ombre")
    assert [one.after.is_decided for one in found.deals] == [False, True]
    assert found.deals[0].difference is None
    assert found.difference == found.deals[1].difference
    assert found.after.lines[1].pot_before is not None  # a pool is laid there, and was not here


def test_a_pool_is_carried_on_by_the_other_rules_and_not_taken_from_the_record() -> None:
    evening = evening_of("bete F play", ruleset="ombre")
    evening.play(result("won F play"), opening=evening.opening(pool=32))
    found = under(evening, "tresillo")
    assert [line.pot_before.pool for line in found.after.lines if line.pot_before] == [5, 25]
    assert [one.finding.code for one in found.before.findings] == ["pool_mismatch"]
    assert found.after.findings == ()


def test_one_deal_under_other_rules_and_rules_that_nobody_knows() -> None:
    remis = result("bete F simple", tricks=tuple(zip(SEATS, (1, 4, 4), strict=True)))
    log = build_log(evening_of(remis).logs["deal-1"])
    assert score_with_rules(log, OtherRules("dlu")).outcome == "bete"
    assert score_with_rules(log, OtherRules("la-bete")).payments is not None
    for other, says in ((OtherRules("mars"), "no ruleset mars"), (OtherRules("dlu", 99), "revision 99")):
        with pytest.raises(UnknownRules, match=says):
            score_with_rules(log, other)


def by_name(evening: Evening) -> dict[str, PlayerFigures]:
    return {one.player: one for one in count_player_figures(evening.ledger())}


def test_what_each_did_is_counted() -> None:
    deals = ("won F solo", "bete F solo", "passed_out", ev.DealVoided("a card too many"), ())
    told = by_name(evening_of(*deals, players=4))  # Dora deals first, and Bo sits opposite
    anna = told["Anna"]
    assert (anna.played, anna.sat_out, anna.declared, anna.won, anna.bete, anna.codille) == (3, 0, 1, 1, 0, 0)
    assert anna.contracts == (ContractFigures("solo", 1, 1, 0, 0, 6),)
    assert told["Bo"].contracts == (ContractFigures("solo", 1, 0, 1, 0, -6),)
    assert [sum(getattr(one, name) for one in told.values()) for name in ("played", "sat_out")] == [9, 3]


def test_a_hand_taken_over_counts_for_who_plays_it() -> None:
    taken = (ev.HandTakenOver(FOREHAND, "Bo"), result("codille F solo"))
    told = by_name(evening_of(taken, players=4))
    assert (told["Bo"].played, told["Bo"].codille) == (1, 1)
    assert (told["Anna"].played, told["Anna"].sat_out) == (0, 1)


def test_a_player_who_leaves_keeps_figures_and_one_who_comes_moves_no_dealer() -> None:
    evening = evening_of("won F solo", PlayerLeft("Anna"), players=4)
    assert "Anna" not in evening.ledger().players
    contracts = (ContractFigures("solo", 1, 1, 0, 0, 6),)
    assert by_name(evening)["Anna"] == PlayerFigures("Anna", 1, 0, contracts, 6)
    evening = evening_of(PlayerJoined("Dora"))
    assert (dealers(evening), evening.opening().players.sitting_out) == ("Carl", ("Anna",))
    tell(evening, "passed_out", PlayerJoined("Else", place=1))
    assert codes(evening) == ""


@pytest.mark.parametrize("ruleset", RULESETS)
def test_figures_add_up_over_evenings(ruleset: str) -> None:
    rng = random.Random(3)
    evenings = [Evening(ruleset, players) for players in (3, 4, 5)]
    for evening in evenings:
        for _ in range(3):
            evening.play_randomly(rng)
    ledgers = [evening.ledger() for evening in evenings]
    added = add_player_figures(one for ledger in ledgers for one in count_player_figures(ledger))
    totals = {one.player: sum(dict(ledger.totals).get(one.player, 0) for ledger in ledgers) for one in added}
    assert {one.player: one.chips for one in added} == totals
    lines = [line for ledger in ledgers for line in ledger.lines]
    played = [line for line in lines if line.outcome not in (None, "voided")]
    assert sum(one.played for one in added) == 3 * len(played)
    declared = [line for line in played if line.declarer and line.contract]
    assert sum(one.declared for one in added) == len(declared)
    for ending in ("won", "bete", "codille"):
        assert sum(getattr(one, ending) for one in added) == sum(one.outcome == ending for one in declared)
    chips = sum(dict(line.chips).get(line.declarer or "", 0) for line in declared)
    assert sum(games.chips for one in added for games in one.contracts) == chips
