"""An evening told further comes to what its ledger says once the same deals are recorded."""

from engine.cards import SEATS, Suit
from engine.events import DealOpened, ResultRecorded
from engine.log import Entry, Log, Record
from engine.table_events import DealStarted, TableOpened
from engine.tables import Ahead, Dealt, dealt, ledger
from engine.vocabulary import Players


def opened(ruleset: str, *players: str) -> Log:
    return (Entry(1, TableOpened(ruleset, players), Record(id="t")),)


def results(number: int) -> ResultRecorded:
    if number % 4 == 3:
        return ResultRecorded(outcome="passed_out")
    contract = ("simple", "solo", "tourne")[number % 3]
    return ResultRecorded(outcome=("won", "bete")[number % 2], declarer=SEATS[number % 3], contract=contract)


def told(ruleset: str, *players: str, deals: int = 9) -> None:
    log = opened(ruleset, *players)
    recorded: dict[str, Dealt] = {}
    ahead = Ahead(log, {})
    for number in range(1, deals + 1):
        due = ahead.following()[0]
        now = ledger(log, recorded)
        assert now is not None
        assert due in now.following
        seats = Players(*due.seating.active, due.seating.sitting_out)
        opening = DealOpened(
            ruleset, seats, dealer=due.seating.dealer, pool=due.pool, reserved=due.reserved, number=number
        )
        result = results(number)
        if due.pool is not None and result.contract is not None:
            result = ResultRecorded(
                outcome=result.outcome, declarer=result.declarer, contract="play", trump=Suit(2)
            )
        known = dealt((Entry(1, opening), Entry(2, result)))
        taken = ahead.take(DealStarted(f"d{number}", due.number), known)
        log = (*log, Entry(number + 1, DealStarted(f"d{number}", number)))
        recorded[f"d{number}"] = known
        now = ledger(log, recorded)
        assert now is not None
        assert taken.line == now.lines[-1]
        assert ahead.totals == now.totals
        assert [one for one in taken.findings if one.finding.severity in ("error", "impossible")] == []
        assert sorted(ahead.following()) == sorted(now.following)


def test_it_comes_to_what_the_ledger_says() -> None:
    told("dlu", "Anna", "Bo", "Carl")
    told("dlu", "Anna", "Bo", "Carl", "Dorthe", "Eva")


def test_the_pool_of_each_deal_is_what_those_before_it_left() -> None:
    told("ombre", "Anna", "Bo", "Carl", "Dorthe")


def test_two_games_are_dealt_in_turn() -> None:
    log = opened("dlu", *"ABCDEF")
    ahead = Ahead(log, {})
    first = ahead.following()[0]
    seats = Players(*first.seating.active, first.seating.sitting_out)
    known = dealt((Entry(1, DealOpened("dlu", seats, dealer=first.seating.dealer)),))
    ahead.take(DealStarted("d1", 1), known)
    assert [due.game for due in ahead.following()] == [1, 0]


def test_what_does_not_fit_is_told_of_the_deal_that_brings_it() -> None:
    ahead = Ahead(opened("dlu", "Anna", "Bo", "Carl"), {})
    known = dealt((Entry(1, DealOpened("dlu", Players("Carl", "Anna", "Bo"), dealer="Bo")),))
    taken = ahead.take(DealStarted("d1", 1), known)
    assert [one.finding.code for one in taken.findings] == ["seating_mismatch"]
    again = ahead.take(DealStarted("d2", 1), known)
    assert "There is a deal number 1 already." in [one.finding.message for one in again.findings]
