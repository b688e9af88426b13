"""What is wrong between the deals of an evening: twice, left out, not finished, and what only follows."""

import random
from collections.abc import Iterable
from dataclasses import replace

import pytest

from engine.core.cards import HIDDEN_CARD, SEATS, Card
from engine.core.events import (
    BidMade,
    CardPlayed,
    CorrectionMade,
    DealClosed,
    DealOpened,
    DealSettled,
    GapNoted,
    HandDealt,
)
from engine.core.field_types import Players
from engine.core.log import build_log
from engine.core.table_events import DealStarted, TableClosed
from engine.tables.table_report import TableReport, compile_table_report
from tests.support.engine.dealt import evening_of, result, tell
from tests.support.engine.evenings import Evening
from tests.support.engine.shorthand import log_from
from tests.support.engine.slipping import BEGUN, PLAYED, unseen

F = SEATS[0]
WON = "won F simple"
BID = BidMade(F, "simple")
GAMES = ("won F simple", "won F tourne", "won F solo", "won F grand-tourne")
"""Results that differ, so that no deal is taken for another entered twice."""


def report(evening: Evening) -> TableReport:
    made = compile_table_report(evening.log(), evening.deal_logs())
    assert made is not None
    return made


def found(evening: Evening) -> list[tuple[int | None, str]]:
    return [(one.number, one.finding.code) for one in report(evening).faults]


def openings(evening: Evening) -> list[DealOpened]:
    return [log[0] for log in evening.logs.values() if isinstance(log[0], DealOpened)]


def opened_as(told: Iterable[tuple[int, DealOpened]], results: Iterable[str]) -> Evening:
    """An evening of four with deals of these numbers and openings."""
    evening = Evening(players=4)
    for (number, opened), one in zip(told, results, strict=False):
        evening.play(result(one), opening=replace(opened, number=number))
    return evening


def evening_numbered(*numbers: int) -> Evening:
    """Games alike under these numbers."""
    evening = evening_of(*[WON] * len(numbers))
    started = [one for one in evening.table if isinstance(one, DealStarted)]
    renumbered = [replace(one, number=number) for one, number in zip(started, numbers, strict=True)]
    evening.table = [evening.table[0], *renumbered]
    return evening


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (4, "There is no deal number 3; number 4 comes next."),
        (6, "There are no deals number 3 to 5; number 6 comes next."),
    ],
)
def test_missing_numbers_are_told_at_the_deal_after_them(number: int, message: str) -> None:
    made = report(evening_numbered(1, 2, number))
    (fault,) = made.faults
    assert (fault.deal, fault.number, fault.finding.seq) == (None, number, 4)
    assert (fault.finding.message, made.ok) == (message, True)


def test_numbers_entered_late_or_twice() -> None:
    assert "number_missing" not in [code for _, code in found(evening_numbered(2, 3, 1))]
    assert (2, "table_mismatch") in found(evening_numbered(1, 2, 2))


def test_an_unfinished_deal_is_told_once_the_table_went_on_or_closed() -> None:
    evening = evening_of(WON, BID)
    assert found(evening) == []
    tell(evening, TableClosed())
    assert found(evening) == [(2, "deal_unfinished")]
    (fault,) = report(evening_of(WON, BID, WON)).faults
    assert (fault.number, fault.finding.code, fault.finding.seq) == (2, "deal_unfinished", 2)
    assert fault.finding.severity == "warning"


@pytest.mark.parametrize("closed", [(), (0,), (0, 1, 2)], ids=str)
def test_a_closing_is_missed_where_other_played_deals_have_one(closed: tuple[int, ...]) -> None:
    rng, evening = random.Random("closed"), Evening()
    for number in range(3):
        name = evening.play_randomly(rng)
        if number in closed:
            evening.add(name, DealClosed(evening.ledger().lines[number].chips, "1"))
    tell(evening, WON)
    played = [any(isinstance(event, CardPlayed) for event in events) for events in evening.logs.values()]
    missing = [at + 1 for at in range(3) if closed and at not in closed and played[at]]
    assert found(evening) == [(number, "deal_unfinished") for number in missing]


def test_a_slip_out_of_turn_is_a_doubled_one_if_it_says_the_same() -> None:
    for said, code in ((WON, "deal_doubled"), ("bete F simple", "seating_mismatch")):
        evening = evening_of(WON, WON)
        evening.play(result(said), opening=replace(openings(evening)[1], number=3))
        (fault,) = report(evening).faults
        assert (fault.number, fault.finding.code, fault.finding.severity) == (3, code, "warning")
        assert [one.finding.code for one in fault.consequences] == ["seating_mismatch"] * (said == WON)
    assert found(evening_of(*["passed_out"] * 3, *[WON] * 6)) == []


def test_one_whole_hand_tells_a_doubled_deal_and_eight_cards_do_not() -> None:
    whole = HandDealt(F, tuple(map(Card, range(9))))
    for dealt, doubled in ((whole, True), (replace(whole, cards=(*whole.cards[:8], HIDDEN_CARD)), False)):
        evening = evening_of((dealt, result(WON)), WON, (dealt, result("bete F simple")))
        assert found(evening) == [(3, "deal_doubled")] * doubled
    boards = Evening()
    for _ in range(2):  # the same board comes again on purpose
        boards.play(whole, result(WON), opening=boards.opening(board=7))
    assert found(boards) == []


def round_a_pool(wrong: dict[int, int]) -> TableReport:
    """Six deals in which all is lost into the pool; some are opened with so much more than lay there."""
    evening = Evening("ombre")
    for number in range(1, 7):
        opened = evening.opening()
        pool = (opened.pool or 0) + wrong.get(number, 0)
        evening.play(result("bete F play"), opening=replace(opened, pool=pool))
    return report(evening)


def test_a_pool_counted_wrongly_is_told_once_and_again_where_it_is_wrong_again() -> None:
    made = round_a_pool({3: 7, 4: 7, 5: 7, 6: 7})
    (fault,) = made.faults
    assert (fault.number, fault.finding.code) == (3, "pool_mismatch")
    assert [one.deal for one in fault.consequences] == ["deal-4", "deal-5", "deal-6"]
    first = made.first_difference
    assert first is not None and first.line.number == 3
    assert first.recorded_pot is not None and first.line.pot_before is not None
    assert first.recorded_pot.total - first.line.pot_before.total == 7
    again = round_a_pool({2: 7, 3: 7, 5: -4}).faults
    assert [(one.number, one.finding.code) for one in again] == [(2, "pool_mismatch"), (5, "pool_mismatch")]


def test_what_was_taken_wrongly_out_of_the_pool_is_missing_in_the_next_opening() -> None:
    evening = evening_of(*["bete F play"] * 4, ruleset="ombre")
    (one, chips), *others = evening.ledger().lines[-1].chips
    evening.add("deal-4", DealSettled(((one, chips + 2), *others)))
    opened = evening.opening()
    evening.play(result("bete F play"), opening=replace(opened, pool=(opened.pool or 0) - 2))
    (fault,) = report(evening).faults
    assert (fault.number, fault.finding.code) == (4, "settlement_mismatch")
    assert [(one.deal, one.finding.code) for one in fault.consequences] == [("deal-5", "pool_mismatch")]


FIRST, SECOND, THIRD, FOURTH = openings(evening_of(*[WON] * 4, players=4))


def test_a_deal_out_of_turn_is_told_once_whichever_way_the_order_goes_on() -> None:
    """After the one who dealt, or as if it had been dealt in turn; any other is out of turn as well."""
    for then, faults in ((FOURTH, [2]), (THIRD, [2]), (SECOND, [2, 3]), (FIRST, [2, 3])):
        evening = opened_as(enumerate((FIRST, THIRD, then), 1), GAMES)
        assert found(evening) == [(number, "seating_mismatch") for number in faults]


def test_the_number_of_a_deal_that_was_taken_back_moves_no_dealer_on() -> None:
    """While the deal is missing, its dealer may have moved the deal on."""
    evening = opened_as(((1, FIRST), (2, SECOND), (3, SECOND), (4, FOURTH)), [WON] * 4)
    started = evening.table.pop(3)
    assert found(evening) == [(4, "number_missing")]
    evening.table.insert(3, started)
    evening.table.append(CorrectionMade("entered twice", (4,)))
    assert found(evening) == [(4, "seating_mismatch")]


def test_the_first_dealer_named_wrongly_is_told_once() -> None:
    """Nobody said who deals first; people sit as if Dora had dealt, and the order goes on after her."""
    other = next(one for one in ("Anna", "Bo", "Carl") if one != FIRST.dealer)
    evening = opened_as(enumerate((replace(FIRST, dealer=other), SECOND, THIRD), 1), GAMES)
    assert found(evening) == [(1, "seating_mismatch")]


@pytest.mark.parametrize("wrong", ["a stranger", "two who changed seats", "who sits out"])
def test_the_wrong_people_in_their_seats_are_told_once(wrong: str) -> None:
    evening = evening_of(WON, players=4)
    due = evening.opening()
    seats, (out,) = due.players, due.players.sitting_out
    one, two, three = seats.forehand, seats.middlehand, seats.backhand
    sitting = {
        "a stranger": Players("Xenia", two, three, (out,)),
        "two who changed seats": Players(two, one, three, (out,)),
        "who sits out": Players(out, two, three, (one,)),
    }
    evening.play(result("won F tourne"), opening=replace(due, players=sitting[wrong]))
    tell(evening, "won F solo")
    (fault,) = report(evening).faults
    assert (fault.number, fault.finding.code, fault.finding.seq) == (2, "seating_mismatch", 1)


def test_a_record_that_cannot_be_is_one_fault_with_all_that_comes_of_it() -> None:
    """A hand with three cards too many, of which nobody can say which are wrong."""
    many = HandDealt(F, tuple(map(Card, range(13))))
    settled = DealSettled((("Anna", 9), ("Bo", -9)))
    (fault,) = report(evening_of((many, GapNoted(), result(WON), settled), WON)).faults
    assert (fault.number, fault.finding.severity, fault.corrections) == (1, "impossible", ())
    assert "settlement_mismatch" in [one.finding.code for one in fault.consequences]


def test_a_deal_whose_record_is_not_here_is_reported_by_its_line() -> None:
    evening = evening_of(WON, WON)
    made = compile_table_report(evening.log(), {"deal-1": evening.deal_logs()["deal-1"]})
    assert made is not None
    assert [(one.line.number, one.audit is None) for one in made.deals] == [(1, False), (2, True)]
    assert compile_table_report((), {}) is None
    assert compile_table_report(build_log([FIRST]), {}) is None, "a deal's log opens no table"


def test_a_deal_that_was_corrected_stands_as_it_is_now() -> None:
    evening = evening_of((result(WON), DealSettled((("Anna", 4), ("Bo", -2), ("Carl", -2)))))
    assert found(evening) == [(1, "settlement_mismatch")]
    right = DealSettled((("Anna", 2), ("Bo", -1), ("Carl", -1)))
    evening.add("deal-1", CorrectionMade("Misread.", (3,), None, (right,)))
    assert found(evening) == []


def test_the_slip_that_may_have_been_instead_of_a_revoke_stands_below_it() -> None:
    """C5 was led and D5 tapped, as the cards have it; or forehand revoked."""
    misread = [*PLAYED[:6], {**PLAYED[6], "card": "D5"}, *PLAYED[7:]]
    opened, *course = (entry.event for entry in log_from([*unseen(BEGUN), *misread]))
    assert isinstance(opened, DealOpened)
    evening = Evening()
    evening.play(*course, opening=opened)
    revoke = next(one for one in report(evening).faults if one.finding.code == "revoke")
    (slip,) = revoke.alternatives
    (correction,) = slip.corrections
    assert correction.replaces == (18,)
    evening.add("deal-1", correction)
    assert "revoke" not in [code for _, code in found(evening)]
