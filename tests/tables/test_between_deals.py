"""What is wrong between the deals of an evening: twice, left out, not finished, and what only follows."""

import random
from dataclasses import replace
from typing import Any

import pytest

from engine import Log
from engine.core.cards import HIDDEN, SEATS, Card
from engine.core.events import (
    BidMade,
    CardPlayed,
    CorrectionMade,
    DealClosed,
    DealOpened,
    DealSettled,
    Event,
    GapNoted,
    HandDealt,
    ResultRecorded,
)
from engine.core.log import log_of
from engine.core.table_events import DealStarted, TableClosed
from engine.core.vocabulary import Players
from engine.tables.report import TableReport, table_report
from tests.support.engine.evenings import Evening
from tests.support.engine.shorthand import log_from
from tests.support.engine.slipping import BEGUN, PLAYED, unseen

F, M, B = SEATS
WON = ResultRecorded("won", F, "simple")


def report(evening: Evening) -> TableReport:
    made = table_report(evening.log(), logs(evening))
    assert made is not None
    return made


def logs(evening: Evening) -> dict[str, Log]:
    return {name: log_of(events) for name, events in evening.logs.items()}


def found(evening: Evening) -> list[tuple[int | None, str, str]]:
    return [(one.number, one.finding.code, one.finding.severity) for one in report(evening).faults]


def again(evening: Evening) -> DealOpened:
    """The opening of the second deal once more, as that of the third."""
    opened = evening.logs["deal-2"][0]
    assert isinstance(opened, DealOpened)
    return replace(opened, number=3)


def slips(*results: Event, **opening: Any) -> Evening:
    evening = Evening(**opening)
    for one in results:
        evening.play(one)
    return evening


def renumbered(evening: Evening, *numbers: int) -> None:
    started = [one for one in evening.table if isinstance(one, DealStarted)]
    others = [one for one in evening.table if not isinstance(one, DealStarted)]
    evening.table = [
        *others[:1],
        *(replace(one, number=number) for one, number in zip(started, numbers, strict=True)),
        *others[1:],
    ]


# --- Numbers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (4, "There is no deal number 3; number 4 comes next."),
        (6, "There are no deals number 3 to 5; number 6 comes next."),
    ],
)
def test_numbers_that_are_left_out_are_told_at_the_deal_behind_them(number: int, message: str) -> None:
    evening = slips(WON, WON, WON)
    renumbered(evening, 1, 2, number)
    (fault,) = report(evening).faults
    assert (fault.deal, fault.number, fault.finding.seq) == (None, number, 4)
    assert fault.finding.message == message
    assert report(evening).ok


def test_deals_that_are_entered_late_leave_no_number_out() -> None:
    evening = slips(WON, WON, WON)
    renumbered(evening, 2, 3, 1)
    assert "number_missing" not in [code for _, code, _ in found(evening)]


def test_a_number_that_is_there_twice_is_told_at_the_second() -> None:
    evening = slips(WON, WON, WON)
    renumbered(evening, 1, 2, 2)
    assert (2, "table_mismatch", "warning") in found(evening)


# --- Not finished -----------------------------------------------------------------------------------


def test_a_deal_that_ends_in_the_middle_is_told_once_the_table_went_on() -> None:
    evening = Evening()
    evening.play(WON)
    evening.play(BidMade(F, "simple"))
    assert found(evening) == []
    evening.play(WON, opening=evening.opening())
    (fault,) = report(evening).faults
    assert (fault.number, fault.finding.code, fault.finding.seq) == (2, "deal_unfinished", 2)


def test_so_is_the_last_one_when_the_evening_is_over() -> None:
    evening = Evening()
    evening.play(WON)
    evening.play(BidMade(F, "simple"))
    evening.table.append(TableClosed())
    assert found(evening) == [(2, "deal_unfinished", "warning")]


@pytest.mark.parametrize("closed", [(), (0,), (0, 1), (0, 1, 2)], ids=str)
def test_a_closing_is_missed_where_others_that_were_played_have_one(closed: tuple[int, ...]) -> None:
    rng, evening = random.Random("closed"), Evening()
    for number in range(3):
        name = evening.play_randomly(rng)
        if number in closed:
            evening.add(name, DealClosed(evening.ledger().lines[number].chips, "1"))
    evening.play(WON)
    missing = [] if not closed else [one + 1 for one in range(3) if one not in closed]
    played = [name for name, events in evening.logs.items() if any(isinstance(e, CardPlayed) for e in events)]
    expected = [number for number in missing if f"deal-{number}" in played]
    assert [(number, code) for number, code, _ in found(evening)] == [
        (number, "deal_unfinished") for number in expected
    ]


# --- Twice ------------------------------------------------------------------------------------------


def test_a_slip_that_says_the_same_out_of_turn_is_warned_of() -> None:
    evening = slips(WON, WON)
    evening.play(WON, opening=again(evening))
    (fault,) = report(evening).faults
    assert (fault.number, fault.finding.code, fault.finding.severity) == (3, "deal_doubled", "warning")
    assert [one.finding.code for one in fault.follows] == ["seating_mismatch"]


def test_slips_that_say_the_same_in_turn_are_games_like_another() -> None:
    assert found(slips(*[ResultRecorded("passed_out")] * 3, *[WON] * 6)) == []


def test_a_slip_out_of_turn_that_says_something_else_is_out_of_turn() -> None:
    evening = slips(WON, WON)
    other = ResultRecorded("bete", F, "simple")
    evening.play(other, opening=again(evening))
    assert found(evening) == [(3, "seating_mismatch", "warning")]


def hand(first: int) -> HandDealt:
    return HandDealt(F, tuple(Card(card) for card in range(first, first + 9)))


def test_one_hand_of_nine_tells_a_deal_again_and_eight_cards_do_not() -> None:
    dealt: HandDealt
    for dealt, twice in ((hand(0), True), (replace(hand(0), cards=(*hand(0).cards[:8], HIDDEN)), False)):
        evening = Evening()
        evening.play(dealt, WON)
        evening.play(WON)
        evening.play(dealt, ResultRecorded("bete", F, "simple"))
        codes = [(number, code) for number, code, _ in found(evening)]
        assert codes == ([(3, "deal_doubled")] if twice else [])


def test_on_a_board_the_same_hands_come_again_on_purpose() -> None:
    evening = Evening()
    for _ in range(2):
        evening.play(hand(0), WON, opening=evening.opening(board="7"))
    assert found(evening) == []


# --- Pools ------------------------------------------------------------------------------------------


def round_a_pool(wrong: dict[int, int]) -> Evening:
    """Six deals in which all is lost into the pool; some are opened with so much more than lay there."""
    evening = Evening("ombre")
    for number in range(6):
        opened = evening.opening()
        pool = (opened.pool or 0) + wrong.get(number + 1, 0)
        evening.play(ResultRecorded("bete", F, "play"), opening=replace(opened, pool=pool))
    return evening


def test_a_pool_that_was_once_counted_wrongly_is_told_once() -> None:
    made = report(round_a_pool({3: 7, 4: 7, 5: 7, 6: 7}))
    (fault,) = made.faults
    assert (fault.number, fault.finding.code) == (3, "pool_mismatch")
    assert [one.deal for one in fault.follows] == ["deal-4", "deal-5", "deal-6"]
    assert made.first is not None
    assert made.first.line.number == 3
    assert made.first.recorded is not None and made.first.line.before is not None
    assert made.first.recorded.total - made.first.line.before.total == 7


def test_one_that_is_put_right_and_is_wrong_once_more_is_told_twice() -> None:
    made = report(round_a_pool({2: 7, 3: 7, 5: -4}))
    assert [(one.number, one.finding.code) for one in made.faults] == [
        (2, "pool_mismatch"),
        (5, "pool_mismatch"),
    ]


def test_what_was_taken_wrongly_out_of_the_pool_is_missing_in_the_next_opening() -> None:
    evening = Evening("ombre")
    for _ in range(3):
        evening.play(ResultRecorded("bete", F, "play"))
    name = evening.play(ResultRecorded("bete", F, "play"))
    line = evening.ledger().lines[-1]
    paid = [(player, chips + (2 if at == 0 else 0)) for at, (player, chips) in enumerate(line.chips)]
    evening.add(name, DealSettled(tuple(paid)))
    opened = evening.opening()
    evening.play(ResultRecorded("bete", F, "play"), opening=replace(opened, pool=(opened.pool or 0) - 2))
    (fault,) = report(evening).faults
    assert (fault.number, fault.finding.code) == (4, "settlement_mismatch")
    assert [(one.deal, one.finding.code) for one in fault.follows] == [("deal-5", "pool_mismatch")]


# --- Whose deal it is -------------------------------------------------------------------------------


def test_a_deal_out_of_turn_is_told_once_whichever_way_the_order_goes_on() -> None:
    """Behind whoever dealt, or as if it had been dealt in turn; any other is out of turn himself."""
    in_turn = slips(WON, WON, WON, WON, players=4)
    first, second, third, fourth = (openings for openings, *_ in in_turn.logs.values())
    for behind, faults in ((fourth, [2]), (third, [2]), (second, [2, 3]), (first, [2, 3])):
        evening = Evening(players=4)
        for number, opened in enumerate((first, third, behind), 1):
            assert isinstance(opened, DealOpened)
            evening.play(ResultRecorded("won", F, GAMES[number]), opening=replace(opened, number=number))
        assert found(evening) == [(number, "seating_mismatch", "warning") for number in faults]


GAMES = {1: "simple", 2: "tourne", 3: "solo"}


def test_the_number_of_a_deal_that_was_taken_back_moves_no_dealer_on() -> None:
    """Where it is missing still, whoever dealt it may have moved the deal on."""
    in_turn = slips(WON, WON, WON, WON, players=4)
    first, second, _, fourth = (openings for openings, *_ in in_turn.logs.values())
    evening = Evening(players=4)
    for number, opened in ((1, first), (2, second), (3, second), (4, fourth)):
        assert isinstance(opened, DealOpened)
        evening.play(ResultRecorded("won", F, "simple"), opening=replace(opened, number=number))
    started = evening.table.pop(3)
    assert found(evening) == [(4, "number_missing", "warning")]
    evening.table.insert(3, started)
    evening.table.append(CorrectionMade("entered twice", (4,)))
    assert found(evening) == [(4, "seating_mismatch", "warning")]


@pytest.mark.parametrize("wrong", ["a stranger", "two who changed seats", "who sits out"])
def test_the_wrong_people_in_their_seats_are_told_once(wrong: str) -> None:
    evening = Evening(players=4)
    evening.play(WON)
    due = evening.opening()
    forehand, middlehand, backhand = due.players.forehand, due.players.middlehand, due.players.backhand
    (out,) = due.players.sitting_out
    sitting = {
        "a stranger": Players("Xenia", middlehand, backhand, (out,)),
        "two who changed seats": Players(middlehand, forehand, backhand, (out,)),
        "who sits out": Players(out, middlehand, backhand, (forehand,)),
    }
    evening.play(ResultRecorded("won", F, "tourne"), opening=replace(due, players=sitting[wrong]))
    evening.play(ResultRecorded("won", F, "solo"))
    (fault,) = report(evening).faults
    assert (fault.number, fault.finding.code, fault.finding.seq) == (2, "seating_mismatch", 1)


# --- Records that cannot be, and that nothing puts right ----------------------------------------------


def test_a_record_that_cannot_be_is_one_fault_with_all_that_comes_of_it() -> None:
    """A hand with three cards too many, of which nobody can say which are wrong."""
    evening = Evening()
    many = HandDealt(F, tuple(map(Card, range(13))))
    evening.play(many, GapNoted(), WON, DealSettled((("Anna", 9), ("Bo", -9))))
    evening.play(WON)
    (fault,) = report(evening).faults
    assert (fault.number, fault.finding.severity) == (1, "impossible")
    assert fault.corrections == ()
    assert "settlement_mismatch" in [one.finding.code for one in fault.follows]


# --- What is here, and what is not --------------------------------------------------------------------


def test_a_deal_whose_record_is_not_here_is_told_by_its_line() -> None:
    evening = slips(WON, WON)
    here = logs(evening)
    del here["deal-2"]
    made = table_report(evening.log(), here)
    assert made is not None
    assert [(one.line.number, one.judged is None) for one in made.deals] == [(1, False), (2, True)]


def test_a_log_that_opens_no_table_has_no_report() -> None:
    assert table_report((), {}) is None
    assert table_report(log_of([DealOpened("dlu", Evening().opening().players)]), {}) is None


def test_a_deal_that_was_corrected_stands_as_it_is_now() -> None:
    evening = Evening()
    name = evening.play(WON, DealSettled((("Anna", 4), ("Bo", -2), ("Carl", -2))))
    assert found(evening) == [(1, "settlement_mismatch", "error")]
    right = DealSettled((("Anna", 2), ("Bo", -1), ("Carl", -1)))
    evening.add(name, CorrectionMade("Misread.", (3,), None, (right,)))
    assert found(evening) == []


def test_the_slip_that_may_have_been_instead_of_a_revoke_stands_below_it() -> None:
    """C5 was led and D5 tapped, as the cards have it; or forehand revoked."""
    misread = [*PLAYED[:6], {**PLAYED[6], "card": "D5"}, *PLAYED[7:]]
    opened, *course = (entry.event for entry in log_from([*unseen(BEGUN), *misread]))
    assert isinstance(opened, DealOpened)
    evening = Evening()
    evening.play(*course, opening=opened)
    revoke = next(one for one in report(evening).faults if one.finding.code == "revoke")
    (slip,) = revoke.instead
    (correction,) = slip.corrections
    assert correction.replaces == (18,)
    evening.add("deal-1", correction)
    assert "revoke" not in [code for _, code, _ in found(evening)]


def test_the_first_dealer_named_wrongly_is_told_once() -> None:
    """Nobody said who deals first; people sit as if Dora had dealt, and the order goes on behind her."""
    in_turn = slips(WON, WON, WON, players=4)
    first, second, third = (openings for openings, *_ in in_turn.logs.values())
    assert isinstance(first, DealOpened)
    other = next(one for one in ("Anna", "Bo", "Carl") if one != first.dealer)
    evening = Evening(players=4)
    for number, opened in enumerate((replace(first, dealer=other), second, third), 1):
        assert isinstance(opened, DealOpened)
        evening.play(ResultRecorded("won", F, GAMES[number]), opening=replace(opened, number=number))
    assert found(evening) == [(1, "seating_mismatch", "warning")]
