"""An evening told further comes to what its ledger says once the same deals are recorded."""

import pytest

from engine.core.events import DealOpened
from engine.core.log import Entry
from engine.core.table_events import DealStarted
from engine.core.vocabulary import Players
from engine.tables import Ahead, Seating, dealt
from tests.support.engine.dealt import evening_of, result
from tests.support.engine.evenings import Evening


@pytest.mark.parametrize(("ruleset", "players"), [("dlu", 3), ("dlu", 5), ("ombre", 4)])
def test_each_deal_comes_to_what_the_ledger_says(ruleset: str, players: int) -> None:
    evening = Evening(ruleset, players)
    ahead = Ahead(evening.log(), {})
    for said in ("won F {}", "bete M {}", "passed_out", "won B {}", "bete F {}", "won M {}", "passed_out"):
        assert ahead.following()[0] in evening.ledger().following
        name = evening.play(result(said.format("play" if ruleset == "ombre" else "solo")))
        taken = ahead.take(DealStarted(name, len(evening.logs)), evening.folded[name])
        now = evening.ledger()
        assert (taken.line, ahead.totals) == (now.lines[-1], now.totals)
        assert [one for one in taken.findings if one.finding.severity in ("error", "impossible")] == []
        assert sorted(ahead.following()) == sorted(now.following)


def ahead_of(players: int) -> Ahead:
    return Ahead(evening_of(players=players).log(), {})


def taken_as(ahead: Ahead, number: int, seating: Seating) -> list[str]:
    """What is found of a deal of that number that is seated so."""
    seats = Players(*seating.active, seating.sitting_out)
    opening = DealOpened("dlu", seats, dealer=seating.dealer, number=number)
    known = dealt((Entry(1, opening), Entry(2, result("bete M solo"))))
    taken = ahead.take(DealStarted(f"d{number}", number), known)
    assert taken.line.seating == seating
    return [one.finding.code for one in taken.findings]


def test_two_games_are_dealt_in_turn() -> None:
    ahead = ahead_of(6)
    assert taken_as(ahead, 1, ahead.following()[0].seating) == []
    assert [due.game for due in ahead.following()] == [1, 0]


def test_what_does_not_fit_is_told_of_the_deal_that_brings_it() -> None:
    ahead = ahead_of(3)
    known = dealt((Entry(1, DealOpened("dlu", Players("Carl", "Bo", "Anna"), dealer="Anna")),))
    taken = ahead.take(DealStarted("d1", 1), known)
    assert [one.finding.code for one in taken.findings] == ["seating_mismatch"]
    again = ahead.take(DealStarted("d2", 1), known)
    assert "There is a deal number 1 already." in [one.finding.message for one in again.findings]


@pytest.mark.parametrize("order", [(1, 3, 4, 5, 6, 2), (2, 3, 4, 6, 1, 5), (4, 5, 6, 3, 2, 1)])
def test_a_deal_entered_late_belongs_to_its_dealer_and_moves_nobody_on(order: tuple[int, ...]) -> None:
    plan, ahead, seatings = ahead_of(4), ahead_of(4), []
    for number in range(1, 7):
        seatings.append(plan.following()[0].seating)
        assert taken_as(plan, number, seatings[-1]) == []
    assert [taken_as(ahead, number, seatings[number - 1]) for number in order] == [[]] * 6
    assert ahead.following()[0].seating == plan.following()[0].seating


def test_whose_deal_a_late_one_was_follows_from_those_before_it() -> None:
    ahead = ahead_of(4)
    first, *rest = [ahead.following()[0].seating, *ahead.following()[0].then]
    assert taken_as(ahead, 1, first) == []
    assert taken_as(ahead, 4, rest[2]) == []
    (due,) = ahead.following()
    assert [ahead.seating_of(number, due) for number in (2, 5)] == [rest[0], due.seating]
    # Deal 3 was the second one's, or, where deal 2 was dealt again, the first one's; never the fourth one's.
    assert taken_as(ahead, 3, rest[2]) == ["seating_mismatch"]
    assert taken_as(ahead, 2, rest[1]) == ["seating_mismatch"]
