"""The table: seats, whose deal it is, pool and ledger, who owes whom, what is ahead (RULES 2, 8, 9)."""

from decimal import Decimal
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import events
from engine.core.cards import BACKHAND, FOREHAND, MIDDLEHAND
from engine.core.field_types import Plan, Players
from engine.core.log import build_log
from engine.core.table_events import (
    DealStarted,
    PaymentMade,
    PenaltyGiven,
    PlayerJoined,
    PlayerLeft,
    SeatsSet,
    TableClosed,
    TableOpened,
)
from engine.rulesets import DLU, OMBRE
from engine.tables import (
    Debt,
    EveningPreview,
    Seating,
    compute_debts,
    fold_evening_deal,
    fold_table,
    seat_players,
    split_into_games,
)
from tests.support.engine.dealt import chips, codes, dealers, even, evening_of, pots, result, tell, totals
from tests.support.engine.evenings import NAMES, Evening

VOID = events.DealVoided("a card lay open")
THREE = ("Bo", "Anna", "Carl")


@pytest.mark.parametrize(
    ("ruleset", "count", "active", "out"),
    [(DLU, 3, "BCA", ""), (DLU, 5, "BEA", "CD"), (OMBRE, 4, "BCD", "A"), (OMBRE, 5, "BCD", "AE")],
)
def test_who_sits_where_when_the_first_deals(ruleset: Any, count: int, active: str, out: str) -> None:
    seats = seat_players("ABCDE"[:count], "A", ruleset)
    assert seats is not None
    assert ("".join(seats.active), "".join(seats.sitting_out)) == (active, out)
    assert seat_players("AB", "A", ruleset) is None
    assert split_into_games("ABCDEF") == (("A", "C", "E"), ("B", "D", "F"))


AGAIN = {"switches": (("all-pass", "same-dealer"),)}


@pytest.mark.parametrize(
    ("told", "opening", "dealer"),
    [
        ((), {}, "Carl"),  # the last in order deals first
        (("won F simple",), {"ruleset": "gamerules"}, "Bo"),  # it passes the other way
        (("passed_out",), {}, "Carl"),
        (("passed_out",), {"ruleset": "la-bete"}, "Anna"),
        (("passed_out",), {"ruleset": "la-bete", **AGAIN}, "Carl"),
        ((VOID,), {"ruleset": "la-bete"}, "Carl"),
        ((SeatsSet(THREE, "Bo", True),), {}, "Bo"),
        ((SeatsSet(NAMES[:4], "Bo"), PlayerLeft("Bo")), {"players": 4}, "Carl"),
        (("won F simple", PlayerJoined("Dora", 2)), {}, "Anna"),
        (("won F simple", PlayerJoined("Dora", 2), PlayerLeft("Anna")), {}, "Dora"),
        ((), {"ruleset": "ombre", "players": 6}, "Else Finn"),
    ],
)
def test_whose_deal_it_is(told: tuple[Any, ...], opening: dict[str, Any], dealer: str) -> None:
    assert dealers(evening_of(*told, **opening)) == dealer


def test_one_comes_and_one_goes() -> None:
    evening = evening_of("won F simple", PlayerJoined("Dora", 2))
    assert evening.ledger().players == ("Anna", "Dora", "Bo", "Carl")
    assert evening.ledger().next_deals[0].seating.sitting_out == ("Bo",)
    tell(evening, PlayerLeft("Anna"))
    assert dict(evening.ledger().totals)["Anna"] == 2


def test_six_play_two_games_each_with_its_own_pool() -> None:
    evening = evening_of(ruleset="ombre", players=6)
    active = [one.seating.active for one in evening.ledger().next_deals]
    assert active == [("Anna", "Carl", "Else"), ("Bo", "Dora", "Finn")]
    evening.play(result("bete F play"), game=0)
    evening.play(result("won F play"), game=1)
    assert (pots(evening), [line.game for line in evening.ledger().lines]) == ("20 0", [0, 1])
    assert even(evening)


SETTLED = events.DealSettled((("Anna", 4), ("middlehand", -2), ("backhand", -2)))
TAKEN_OVER = (events.HandTakenOver(MIDDLEHAND, "Bo"), result("won F simple"))


@pytest.mark.parametrize(
    ("told", "opening", "expected"),
    [
        ((SETTLED, ()), {}, "Anna 4, Bo -2, Carl -2"),
        ((events.RulingMade("", payments=(("Anna", 3), ("Bo", -3))),), {}, "Anna 3, Bo -3, Carl 0"),
        (("won F simple", PaymentMade("Bo", "Anna", 3)), {}, "Anna 5, Bo -4, Carl -1"),
        ((PaymentMade("Bo", "Dora", 4), PlayerJoined("Dora")), {}, "Anna 0, Bo -4, Carl 0, Dora 4"),
        (("won F solo",), {"players": 5}, "Anna 6, Bo 0, Carl 0, Dora -3, Else -3"),
        ((TAKEN_OVER,), {"players": 4}, "Anna 2, Bo -1, Carl 0, Dora -1"),
        (("passed_out", "passed_out", "passed_out"), {"ruleset": "ombre"}, "Anna -5, Bo -5, Carl -5"),
    ],
)
def test_what_each_has(told: tuple[Any, ...], opening: dict[str, Any], expected: str) -> None:
    evening = evening_of(*told, **opening)
    assert totals(evening) == expected
    assert even(evening)


def test_a_line_for_every_deal_and_payment_with_running_totals() -> None:
    told = evening_of("won F simple", PaymentMade("Bo", "Anna", 3, "a coffee"), "codille M simple").ledger()
    totals = [chips(line.totals) for line in told.lines]
    assert totals == ["Anna 2, Bo -1, Carl -1", "Anna 5, Bo -4, Carl -1", "Anna 7, Bo -2, Carl -5"]
    assert told.standings == ((1, "Anna", 7), (2, "Bo", -2), (3, "Carl", -5))
    assert told.lines[0].declarer == "Anna"
    assert [line.is_decided for line in evening_of(SETTLED, ()).ledger().lines] == [True, False]


def test_penalty_points_are_kept_apart() -> None:
    ruled = (events.RulingMade("too high", penalty=((FOREHAND, 1),)), result("won F simple"))
    given = (PenaltyGiven("Carl", 2, text="talking"), PenaltyGiven("Anna", 2))
    evening = evening_of(ruled, *given, ruleset="dlu-tournament")
    assert chips(evening.ledger().penalties) == "Anna 3, Carl 2"
    assert totals(evening) == "Anna 2, Bo -1, Carl -1"


def test_who_takes_a_hand_over_is_no_longer_the_one_who_sits_out() -> None:
    """With sitters paying, Bo plays Dora's hand, and she pays as the one who sits out for him."""
    taken = (events.HandTakenOver(BACKHAND, "Bo"), result("won F solo"))
    (line,) = evening_of(taken, players=4, switches=(("sitter-pays", True),)).ledger().lines
    assert line.taken_over == (("backhand", "Bo"),)
    assert chips(line.chips) == "Anna 9, Bo -3, Carl -3, Dora -3"


@pytest.mark.parametrize(
    ("ruleset", "told", "left"),
    [("dlu", ("won F simple",), 5), ("dlu", ("passed_out",), 6), ("la-bete", ("passed_out",), 5)],
)
def test_what_is_dealt_again_is_no_deal_of_the_plan(ruleset: str, told: tuple[str], left: int) -> None:
    assert evening_of(*told, ruleset=ruleset, plan=Plan(deals=6)).ledger().deals_left == left


@pytest.mark.parametrize("worth", ["0.25", "0,25"])
def test_what_a_chip_is_worth(worth: str) -> None:
    evening = evening_of(chip_value=worth, currency="kr")
    assert (evening.ledger().money_value(3), evening.ledger().currency) == (Decimal("0.75"), "kr")
    assert codes(evening) == ""
    assert evening_of(chip_value="999999999.9999").ledger().money_value(3) == Decimal("2999999999.9997")


@pytest.mark.parametrize("worth", ["1E+9999999", "NaN", "-3", "0,00", "1_0", "٣", "1.00001", "1234567890"])
def test_what_no_chip_can_be_worth(worth: str) -> None:
    evening = evening_of(chip_value=worth, currency="kr")
    assert (evening.ledger().money_value(3), codes(evening)) == (None, "table_mismatch at 1")
    assert repr(worth) in evening.ledger().findings[0].finding.message


def test_the_dealer_stakes_five_and_what_lies_in_the_pool_at_the_end_is_divided() -> None:
    evening = evening_of(ruleset="ombre")
    for pool in (5, 10, 15):
        assert evening.opening().pool == pool
        tell(evening, "passed_out")
    assert pots(evening) == "15"
    left = evening_of("bete F play", ruleset="ombre")
    assert (pots(left), chips(left.ledger().shares)) == ("20", "Anna 6, Bo 7, Carl 7")
    assert sum(debt.chips for debt in left.ledger().debts) == 15 - 6


def test_a_puesta_set_aside_comes_back_when_the_pool_is_won() -> None:
    evening = evening_of((result("bete F play"), events.PuestaReserved(FOREHAND)), ruleset="ombre")
    assert (pots(evening), evening.opening().reserved) == ("5+15", (15,))
    tell(evening, "won F play")
    assert (evening.opening().pool, evening.opening().reserved, even(evening)) == (20, (), True)


def test_a_deal_that_does_not_record_its_pool_is_played_for_what_lies_there() -> None:
    evening = evening_of("passed_out", ruleset="ombre")
    evening.play(result("won F play"), opening=evening.opening(pool=None, reserved=()))
    assert dict(evening.ledger().lines[1].chips)["Bo"] == 20
    assert codes(evening) == ""


def test_a_correction_in_the_middle_changes_what_it_must_and_no_more() -> None:
    """The first deal was a puesta, not a win: the second was opened with a pool that was not there."""
    evening = evening_of("won F play", "won F play", ruleset="ombre")
    assert codes(evening) == ""
    evening.add("deal-1", events.CorrectionMade("misread", replaces=(2,), with_=(result("bete F play"),)))
    assert codes(evening) == "pool_mismatch in deal-2"
    assert even(evening)
    assert dict(evening.ledger().lines[0].chips)["Anna"] == -15


def test_a_table_closed_deals_no_more_and_takes_notes() -> None:
    evening = evening_of(TableClosed(), events.NoteAdded("A good evening."), PlayerJoined("Dora"))
    table = fold_table(evening.log())
    assert table is not None and table.is_closed
    assert (dealers(evening), codes(evening)) == ("", "entry_after_close at 4")
    assert fold_table(()) is None


def fewest(balances: dict[str, int]) -> int:
    """The fewest payments by trying: each player but one settles with the next in some order."""
    uneven = [owed for owed in balances.values() if owed]
    best = len(uneven)
    for order in permutations(uneven):
        running, payments = 0, 0
        for owed in order:
            running += owed
            payments += running != 0
        best = min(best, payments)
    return best if uneven else 0


def left_after(balances: dict[str, int]) -> set[int]:
    """What anybody has when all debts are paid."""
    left = dict(balances)
    for debt in compute_debts(balances):
        assert debt.chips > 0
        left[debt.debtor] += debt.chips
        left[debt.creditor] -= debt.chips
    return set(left.values())


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=5))
def test_debts_settle_exactly_and_are_the_fewest(counts: list[int]) -> None:
    balances = dict(zip(NAMES, [*counts, -sum(counts)], strict=False))
    assert left_after(balances) <= {0}
    assert len(compute_debts(balances)) == fewest(balances)


@pytest.mark.parametrize(
    ("balances", "most"),
    [
        ({f"player {number}": number - 7 for number in range(15)}, 14),
        # Pairs, hidden among sums that could be chained otherwise
        ({f"{sign}{number}": int(f"{sign}{number}") for number in range(1, 7) for sign in "+-"}, 6),
    ],
    ids=["fifteen", "pairs"],
)
def test_debts_of_many_are_settled_with_few_payments(balances: dict[str, int], most: int) -> None:
    assert left_after(balances) == {0}
    assert len(compute_debts(balances)) <= most


def test_what_does_not_add_up_cannot_be_settled() -> None:
    with pytest.raises(ValueError, match="add up to 1"):
        compute_debts({"Anna": 1})


NOTHING = "Anna 0, Bo 0, Carl 0"


def test_an_evening_of_ombre_with_four_chip_by_chip() -> None:
    """The dealer sits out, stakes five, and pays and receives as an opponent."""
    tricks = ((FOREHAND, 3), (MIDDLEHAND, 2), (BACKHAND, 4))
    evening = evening_of(
        "bete F play",  # Dora deals; Anna pays 5 + 3 × 5 into the pool
        "won M solo",  # Anna deals; Carl takes 30 and 8 from each of three
        events.DealVoided("a card lay open"),  # Bo deals, and the stake waits for the next deal
        "passed_out",  # Bo deals again; five stay in the pool
        result("codille F play", tricks=tricks),  # Carl deals; Dora pays Bo 10 + 15
        ruleset="ombre",
        players=4,
        plan=Plan(deals=12),
        chip_value="0.10",
        currency="kr",
    )
    told = evening.ledger()
    assert told.findings == ()
    assert [
        (line.seating.dealer, line.pot_before.pool, line.pot_after.pool)
        for line in told.lines
        if line.seating and line.pot_before and line.pot_after
    ] == [("Dora", 5, 25), ("Anna", 30, 0), ("Bo", 5, 0), ("Bo", 5, 5), ("Carl", 10, 10)]
    assert [chips(line.totals) for line in told.lines] == [
        "Anna -20, Bo 0, Carl 0, Dora -5",
        "Anna -33, Bo -8, Carl 54, Dora -13",
        "Anna -33, Bo -8, Carl 54, Dora -13",
        "Anna -33, Bo -13, Carl 54, Dora -13",
        "Anna -33, Bo 12, Carl 49, Dora -38",
    ]
    (due,) = told.next_deals
    assert (due.number, due.pool, due.seating.dealer) == (6, 15, "Dora")
    assert (due.seating.active, told.deals_left) == (("Anna", "Bo", "Carl"), 8)
    assert chips(told.shares) == "Anna 3, Bo 3, Carl 2, Dora 2"
    assert set(told.debts) == {Debt("Dora", "Carl", 36), Debt("Anna", "Carl", 15), Debt("Anna", "Bo", 15)}
    assert told.money_value(36) == Decimal("3.60")


def ruled(*payments: tuple[str, int]) -> events.RulingMade:
    return events.RulingMade("x", payments=payments)


STARTED = DealStarted("one", 1)
VANISHED = events.DealSettled((("Anna", 4), ("Bo", -2)))
LEFT = tuple(PlayerLeft(name) for name in ("Anna", "Bo", "Carl"))
UNFIT: dict[str, tuple[Evening, str, str]] = {
    "a deal started twice": (
        evening_of("won F simple", DealStarted("deal-1", 2)), "table_mismatch at 3", "Anna 2, Bo -1, Carl -1"
    ),
    "a missing record": (evening_of(STARTED, ruleset="ombre"), "incomplete at 2", "Anna 0, Bo 0, Carl -5"),
    "vanished chips": (evening_of(VANISHED), "settlement_mismatch in deal-1", NOTHING),
    "a ruling on a stranger": (
        evening_of(ruled(("Anna", -3), ("Zed", 3))), "settlement_mismatch in deal-1", NOTHING
    ),
    "a payment to a stranger": (evening_of(PaymentMade("Bo", "Zed", 40)), "table_mismatch at 2", NOTHING),
    "a payment to oneself": (evening_of(PaymentMade("Anna", "Anna", 3)), "table_mismatch at 2", NOTHING),
    "a negative payment": (
        evening_of(PaymentMade("Anna", "Bo", -2)), "table_mismatch at 2", "Anna 2, Bo -2, Carl 0"
    ),
    "opened twice": (evening_of(TableOpened("dlu", NAMES[:3])), "table_mismatch at 2", NOTHING),
    "a player twice": (evening_of(SeatsSet(("Anna", "Bo", "Anna"))), "table_mismatch at 2", NOTHING),
    "a dealer from elsewhere": (evening_of(SeatsSet(NAMES[:3], "Dora")), "table_mismatch at 2", NOTHING),
    "one joins twice": (evening_of(PlayerJoined("Bo")), "table_mismatch at 2", NOTHING),
    "a stranger leaves": (evening_of(PlayerLeft("Xenia")), "table_mismatch at 2", NOTHING),
    "after closing": (evening_of(TableClosed(), PenaltyGiven("Bo", 1)), "entry_after_close at 3", NOTHING),
    "a number twice": (
        evening_of(STARTED, DealStarted("two", 1)),
        "incomplete at 2, table_mismatch at 3, incomplete at 3",
        NOTHING,
    ),
    "an unknown switch": (evening_of(switches=(("moon", True),)), "unknown_switch at 1", NOTHING),
    "unknown rules": (evening_of(ruleset="mars"), "unknown_ruleset at 1", NOTHING),
}  # fmt: skip


@pytest.mark.parametrize("name", UNFIT)
def test_what_does_not_fit_is_found_and_counts_as_it_can(name: str) -> None:
    evening, expected, counted = UNFIT[name]
    assert (codes(evening), totals(evening)) == (expected, counted)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ((*LEFT[:1], STARTED), "2 players sit at this table; three to six can play."),
        ((*LEFT, STARTED), "Nobody sits at this table; three to six can play."),
    ],
)
def test_a_finding_says_what_is_wrong(told: tuple[events.Event, ...], message: str) -> None:
    assert message in [one.finding.message for one in evening_of(*told).ledger().findings]


def test_a_settlement_out_of_which_chips_have_vanished_counts_round_a_pool() -> None:
    assert [line.is_decided for line in evening_of(VANISHED).ledger().lines] == [False]
    assert pots(evening_of(VANISHED, ruleset="ombre")) == "3"


MISPLACED = "seating_mismatch in deal-1"
ON_A_BOARD = {"players": Players("Carl", "Anna", "Bo"), "board": 7, "dealer": None}


@pytest.mark.parametrize(
    ("ruleset", "opening", "found", "dealer", "sums"),
    [
        ("dlu", {"players": Players("Bo", "Anna", "Carl")}, MISPLACED, "Anna", "Anna -1, Bo 2, Carl -1"),
        ("dlu", {"dealer": "Xenia"}, MISPLACED, "Anna", "Anna 2, Bo -1, Carl -1"),
        ("dlu-tournament", ON_A_BOARD, "", "Carl", "Anna -1, Bo -1, Carl 2"),
    ],
    ids=["other seats", "a dealer from elsewhere", "a board"],
)
def test_seats_that_were_not_due_are_taken_as_they_were(
    ruleset: str, opening: dict[str, Any], found: str, dealer: str, sums: str
) -> None:
    evening = evening_of(ruleset=ruleset)
    evening.play(result("won F simple"), opening=evening.opening(**opening))
    assert (codes(evening), dealers(evening), totals(evening)) == (found, dealer, sums)


@pytest.mark.parametrize(("ruleset", "found"), [("ombre", MISPLACED), ("dlu", "")])
def test_where_sitters_pay_it_has_to_be_recorded_who_sits_out(ruleset: str, found: str) -> None:
    evening = evening_of(ruleset=ruleset, players=4)
    due = evening.opening().players
    players = Players(due.forehand, due.middlehand, due.backhand)
    evening.play(result("passed_out"), opening=evening.opening(players=players))
    assert codes(evening) == found
    (line,) = evening.ledger().lines
    assert line.seating is not None and line.seating.sitting_out == due.sitting_out


def test_a_deal_under_other_rules_is_staked_and_passed_on_by_its_own() -> None:
    evening = evening_of()
    evening.play(result("passed_out"), opening=evening.opening(ruleset="ombre", pool=5))
    assert chips(evening.ledger().lines[0].stake) == "Carl -5"
    assert (pots(evening), dealers(evening)) == ("5", "Anna")
    assert evening.ledger().next_deals[0].pool is None


def test_a_deal_that_records_a_larger_pool_wins_what_lay_there() -> None:
    """Anna's deal is opened with 30; by the stake 5 lay there, and nobody can win more."""
    evening = evening_of(ruleset="ombre")
    evening.play(result("won F play"), opening=evening.opening(pool=30))
    assert chips(evening.ledger().lines[0].chips) == "Anna 15, Bo -5, Carl -5"
    assert (pots(evening), evening.ledger().next_deals[0].pool) == ("0", 5)
    tell(evening, "won F play")
    assert (codes(evening), even(evening)) == ("pool_mismatch in deal-1", True)


def test_a_ruling_that_takes_more_out_of_the_pool_than_lies_there_does_not_count() -> None:
    evening = evening_of(ruleset="ombre")
    evening.play(ruled(("Anna", -300), ("Bo", 500)), opening=evening.bare(players=Players(*NAMES[:3])))
    assert (codes(evening), totals(evening)) == ("pool_mismatch in deal-1", "Anna 0, Bo 0, Carl -5")
    assert pots(evening) == "5"
    assert min(count for _, count in evening.ledger().shares) >= 0


def test_what_a_ruling_takes_beyond_the_pool_comes_from_a_puesta_set_aside() -> None:
    evening = evening_of("bete F play", ruleset="ombre", switches=(("reserve-at", 5),))
    assert pots(evening) == "5+15"
    tell(evening, ruled(("Anna", 12)))
    assert pots(evening) == "13"


def test_the_entries_of_a_table_can_be_corrected() -> None:
    evening = evening_of()
    evening.table += [
        PaymentMade("Bo", "Anna", 30),
        events.CorrectionMade("a zero too many", replaces=(2,), with_=(PaymentMade("Bo", "Anna", 3),)),
        events.CorrectionMade("nothing is there", replaces=(9,)),
        events.BidMade(FOREHAND, "pass"),  # of a deal, not of a table
    ]
    assert totals(evening) == "Anna 3, Bo -3, Carl 0"
    assert codes(evening) == "correction_not_possible at 4, table_mismatch at 5"


def test_a_missing_deal_of_six_is_of_the_game_that_is_behind() -> None:
    evening = evening_of(ruleset="ombre", players=6)
    evening.play(result("passed_out"), game=0)
    evening.table.append(DealStarted("lost", 2))
    evening.play(result("passed_out"), game=1)
    evening.table.append(DealStarted("lost too", 4))
    assert [line.game for line in evening.ledger().lines] == [0, 1, 1, 0]


def test_when_one_of_six_goes_home_what_lies_in_both_pools_stays() -> None:
    evening = evening_of(ruleset="ombre", players=6)
    evening.play(result("bete F play"), game=0)
    evening.play(result("bete F solo"), game=1)
    tell(evening, PlayerLeft("Finn"))
    told = evening.ledger()
    assert (pots(evening), [one.game for one in told.next_deals]) == ("20 26", [0])
    assert sum(count for _, count in told.shares) == 46
    assert even(evening)


@pytest.mark.parametrize(("ruleset", "players"), [("dlu", 3), ("dlu", 5), ("gamerules-org", 4), ("ombre", 4)])
def test_who_sits_where_later_is_told_ahead_and_comes_to_be_so(ruleset: str, players: int) -> None:
    """What a browser without a network goes by: a round of seats, and what is dealt again."""
    evening = evening_of(ruleset=ruleset, players=players)
    (due,) = evening.ledger().next_deals
    assert len(due.later_seatings) == players - 1
    for seating in (*due.later_seatings, due.seating):
        tell(evening, "won F solo")
        assert evening.ledger().next_deals[0].seating == seating
    tell(evening, "passed_out")
    after = due.seating if "passed_out" in due.redeal_outcomes else due.later_seatings[0]
    assert evening.ledger().next_deals[0].seating == after


@pytest.mark.parametrize("dealer", ["Anna", "Bo", "Carl"])
def test_the_first_dealer_is_drawn_by_lot_unless_it_was_said_who_it_is(dealer: str) -> None:
    """RULES 2: whom the first deal records as dealer is due, and the order goes on from there."""
    order = {"Anna": ("Bo", "Carl", "Anna"), "Bo": ("Carl", "Anna", "Bo"), "Carl": ("Anna", "Bo", "Carl")}
    drawn, said = evening_of(), evening_of(SeatsSet(("Anna", "Bo", "Carl"), dealer="Carl"))
    for one in (drawn, said):
        one.play(result("passed_out"), opening=one.opening(players=Players(*order[dealer]), dealer=dealer))
        tell(one, "passed_out")
    assert codes(drawn) == ""
    assert codes(said) == ("" if dealer == "Carl" else "seating_mismatch in deal-1")


@pytest.mark.parametrize(("ruleset", "players"), [("dlu", 3), ("dlu", 5), ("ombre", 4)])
def test_each_deal_comes_to_what_the_ledger_says(ruleset: str, players: int) -> None:
    evening = Evening(ruleset, players)
    ahead = EveningPreview(evening.log(), {})
    for said in ("won F {}", "bete M {}", "passed_out", "won B {}", "bete F {}", "won M {}", "passed_out"):
        assert ahead.next_deals()[0] in evening.ledger().next_deals
        name = evening.play(result(said.format("play" if ruleset == "ombre" else "solo")))
        taken = ahead.add_deal(DealStarted(name, len(evening.logs)), evening.folded[name])
        now = evening.ledger()
        assert (taken.line, ahead.totals) == (now.lines[-1], now.totals)
        assert [one for one in taken.findings if one.finding.severity in ("error", "impossible")] == []
        assert sorted(ahead.next_deals()) == sorted(now.next_deals)


def ahead_of(players: int) -> EveningPreview:
    return EveningPreview(evening_of(players=players).log(), {})


def taken_as(ahead: EveningPreview, number: int, seating: Seating) -> list[str]:
    """What is found of a deal of that number that is seated so."""
    seats = Players(*seating.active, seating.sitting_out)
    opening = events.DealOpened("dlu", seats, dealer=seating.dealer, number=number)
    known = fold_evening_deal(build_log([opening, result("bete M solo")]))
    taken = ahead.add_deal(DealStarted(f"d{number}", number), known)
    assert taken.line.seating == seating
    return [one.finding.code for one in taken.findings]


def test_two_games_are_dealt_in_turn() -> None:
    ahead = ahead_of(6)
    assert taken_as(ahead, 1, ahead.next_deals()[0].seating) == []
    assert [due.game for due in ahead.next_deals()] == [1, 0]


def test_what_does_not_fit_is_told_of_the_deal_that_brings_it() -> None:
    ahead = ahead_of(3)
    opening = events.DealOpened("dlu", Players("Carl", "Bo", "Anna"), dealer="Anna")
    known = fold_evening_deal(build_log([opening]))
    taken = ahead.add_deal(DealStarted("d1", 1), known)
    assert [one.finding.code for one in taken.findings] == ["seating_mismatch"]
    again = ahead.add_deal(DealStarted("d2", 1), known)
    assert "There is a deal number 1 already." in [one.finding.message for one in again.findings]


@pytest.mark.parametrize("order", [(1, 3, 4, 5, 6, 2), (2, 3, 4, 6, 1, 5), (4, 5, 6, 3, 2, 1)])
def test_a_deal_entered_late_belongs_to_its_dealer_and_moves_nobody_on(order: tuple[int, ...]) -> None:
    plan, ahead, seatings = ahead_of(4), ahead_of(4), []
    for number in range(1, 7):
        seatings.append(plan.next_deals()[0].seating)
        assert taken_as(plan, number, seatings[-1]) == []
    assert [taken_as(ahead, number, seatings[number - 1]) for number in order] == [[]] * 6
    assert ahead.next_deals()[0].seating == plan.next_deals()[0].seating


def test_whose_deal_a_late_one_was_follows_from_those_before_it() -> None:
    ahead = ahead_of(4)
    first, *rest = [ahead.next_deals()[0].seating, *ahead.next_deals()[0].later_seatings]
    assert taken_as(ahead, 1, first) == []
    assert taken_as(ahead, 4, rest[2]) == []
    (due,) = ahead.next_deals()
    assert [ahead.find_seating(number, due) for number in (2, 5)] == [rest[0], due.seating]
    # Deal 3 was the second one's, or, where deal 2 was dealt again, the first one's; never the fourth one's.
    assert taken_as(ahead, 3, rest[2]) == ["seating_mismatch"]
    assert taken_as(ahead, 2, rest[1]) == ["seating_mismatch"]
