"""An evening told further comes to what its ledger says once the same deals are recorded."""

from engine.core.cards import SEATS, Suit
from engine.core.events import DealOpened, ResultRecorded
from engine.core.log import Entry, Log, Record
from engine.core.table_events import DealStarted, TableOpened
from engine.core.vocabulary import Players
from engine.tables import Ahead, Dealt, Seating, dealt, ledger


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
    known = dealt((Entry(1, DealOpened("dlu", Players("Carl", "Bo", "Anna"), dealer="Anna")),))
    taken = ahead.take(DealStarted("d1", 1), known)
    assert [one.finding.code for one in taken.findings] == ["seating_mismatch"]
    again = ahead.take(DealStarted("d2", 1), known)
    assert "There is a deal number 1 already." in [one.finding.message for one in again.findings]


def taken_as(ahead: Ahead, number: int, seating: Seating) -> list[str]:
    """What is found of a deal of that number that is seated so."""
    seats = Players(*seating.active, seating.sitting_out)
    opening = DealOpened("dlu", seats, dealer=seating.dealer, number=number)
    known = dealt((Entry(1, opening), Entry(2, results(1))))
    taken = ahead.take(DealStarted(f"d{number}", number), known)
    assert taken.line.seating == seating
    return [one.finding.code for one in taken.findings]


def test_a_deal_that_is_entered_late_is_his_who_dealt_it() -> None:
    """Whatever was entered meanwhile: a missing one is waited for, and a late one moves nobody on."""
    four = ("Anna", "Bo", "Carl", "Dorthe")
    plan = Ahead(opened("dlu", *four), {})
    seatings = []
    for number in range(1, 7):
        seatings.append(plan.following()[0].seating)
        assert taken_as(plan, number, seatings[-1]) == []
    sixth = plan.following()[0].seating
    for order in ((1, 3, 4, 5, 6, 2), (2, 3, 4, 6, 1, 5), (4, 5, 6, 3, 2, 1), (1, 6, 3, 5, 2, 4)):
        ahead = Ahead(opened("dlu", *four), {})
        assert [taken_as(ahead, number, seatings[number - 1]) for number in order] == [[]] * 6
        assert ahead.following()[0].seating == sixth


def test_whose_deal_a_late_one_was_follows_from_those_before_it() -> None:
    four = ("Anna", "Bo", "Carl", "Dorthe")
    ahead = Ahead(opened("dlu", *four), {})
    first, *rest = [ahead.following()[0].seating, *ahead.following()[0].then]
    assert taken_as(ahead, 1, first) == []
    assert taken_as(ahead, 4, rest[2]) == []
    (due,) = ahead.following()
    assert [ahead.seating_of(number, due) for number in (2, 5)] == [rest[0], due.seating]
    # Deal 3 was the second one's, or, where deal 2 was dealt again, the first one's; never the fourth one's.
    assert taken_as(ahead, 3, rest[2]) == ["seating_mismatch"]
    assert taken_as(ahead, 2, rest[1]) == ["seating_mismatch"]
