"""The table: seats, whose deal it is, pool and ledger, who owes whom (RULES 2, 8, 9)."""

from decimal import Decimal
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.cards import BACKHAND, FOREHAND, MIDDLEHAND
from engine.core.events import (
    CorrectionMade,
    DealSettled,
    DealVoided,
    HandTakenOver,
    NoteAdded,
    PuestaReserved,
    RulingMade,
)
from engine.core.table_events import (
    PaymentMade,
    PenaltyGiven,
    PlayerJoined,
    PlayerLeft,
    SeatsSet,
    TableClosed,
)
from engine.core.vocabulary import Plan
from engine.rulesets import DLU, OMBRE
from engine.tables import games_of, seated, table_of, who_owes_whom
from tests.support.engine.dealt import chips, codes, dealers, even, evening_of, pots, result, tell, totals
from tests.support.engine.evenings import NAMES

VOID = DealVoided("a card lay open")
THREE = ("Bo", "Anna", "Carl")


@pytest.mark.parametrize(
    ("ruleset", "count", "active", "out"),
    [(DLU, 3, "BCA", ""), (DLU, 5, "BEA", "CD"), (OMBRE, 4, "BCD", "A"), (OMBRE, 5, "BCD", "AE")],
)
def test_who_sits_where_when_the_first_deals(ruleset: Any, count: int, active: str, out: str) -> None:
    seats = seated("ABCDE"[:count], "A", ruleset)
    assert seats is not None
    assert ("".join(seats.active), "".join(seats.sitting_out)) == (active, out)
    assert seated("AB", "A", ruleset) is None
    assert games_of("ABCDEF") == (("A", "C", "E"), ("B", "D", "F"))


# --- Whose deal it is -----------------------------------------------------------------------------

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
    assert evening.ledger().following[0].seating.sitting_out == ("Bo",)
    tell(evening, PlayerLeft("Anna"))
    assert dict(evening.ledger().totals)["Anna"] == 2


def test_six_play_two_games_each_with_its_own_pool() -> None:
    evening = evening_of(ruleset="ombre", players=6)
    active = [one.seating.active for one in evening.ledger().following]
    assert active == [("Anna", "Carl", "Else"), ("Bo", "Dora", "Finn")]
    evening.play(result("bete F play"), game=0)
    evening.play(result("won F play"), game=1)
    assert (pots(evening), [line.game for line in evening.ledger().lines]) == ("20 0", [0, 1])
    assert even(evening)


# --- Chips ----------------------------------------------------------------------------------------

SETTLED = DealSettled((("Anna", 4), ("middlehand", -2), ("backhand", -2)))
TAKEN_OVER = (HandTakenOver(MIDDLEHAND, "Bo"), result("won F simple"))


@pytest.mark.parametrize(
    ("told", "opening", "expected"),
    [
        ((SETTLED, ()), {}, "Anna 4, Bo -2, Carl -2"),
        ((RulingMade("", payments=(("Anna", 3), ("Bo", -3))),), {}, "Anna 3, Bo -3, Carl 0"),
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
    assert [line.decided for line in evening_of(SETTLED, ()).ledger().lines] == [True, False]


def test_penalty_points_are_kept_apart() -> None:
    ruled = (RulingMade("too high", penalty=((FOREHAND, 1),)), result("won F simple"))
    given = (PenaltyGiven("Carl", 2, text="talking"), PenaltyGiven("Anna", 2))
    evening = evening_of(ruled, *given, ruleset="dlu-tournament")
    assert chips(evening.ledger().penalties) == "Anna 3, Carl 2"
    assert totals(evening) == "Anna 2, Bo -1, Carl -1"


def test_who_takes_a_hand_over_is_no_longer_the_one_who_sits_out() -> None:
    """With sitters paying, Bo plays Dora's hand, and she pays as the one who sits out for him."""
    taken = (HandTakenOver(BACKHAND, "Bo"), result("won F solo"))
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
    assert (evening.ledger().money(3), evening.ledger().currency) == (Decimal("0.75"), "kr")
    assert codes(evening) == ""
    assert evening_of(chip_value="999999999.9999").ledger().money(3) == Decimal("2999999999.9997")


@pytest.mark.parametrize("worth", ["1E+9999999", "NaN", "-3", "0,00", "1_0", "٣", "1.00001", "1234567890"])
def test_what_no_chip_can_be_worth(worth: str) -> None:
    evening = evening_of(chip_value=worth, currency="kr")
    assert (evening.ledger().money(3), codes(evening)) == (None, "table_mismatch at 1")
    assert repr(worth) in evening.ledger().findings[0].finding.message


# --- The pool -------------------------------------------------------------------------------------


def test_the_dealer_stakes_five_and_what_lies_in_the_pool_at_the_end_is_divided() -> None:
    evening = evening_of(ruleset="ombre")
    for pool in (5, 10, 15):
        assert evening.opening().pool == pool
        tell(evening, "passed_out")
    assert pots(evening) == "15"
    left = evening_of("bete F play", ruleset="ombre")
    assert (pots(left), chips(left.ledger().shares)) == ("20", "Anna 6, Bo 7, Carl 7")
    assert sum(debt.chips for debt in left.ledger().owes) == 15 - 6


def test_a_puesta_set_aside_comes_back_when_the_pool_is_won() -> None:
    evening = evening_of((result("bete F play"), PuestaReserved(FOREHAND)), ruleset="ombre")
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
    evening.add("deal-1", CorrectionMade("misread", replaces=(2,), with_=(result("bete F play"),)))
    assert codes(evening) == "pool_mismatch in deal-2"
    assert even(evening)
    assert dict(evening.ledger().lines[0].chips)["Anna"] == -15


def test_a_table_closed_deals_no_more_and_takes_notes() -> None:
    evening = evening_of(TableClosed(), NoteAdded("A good evening."), PlayerJoined("Dora"))
    table = table_of(evening.log())
    assert table is not None and table.closed
    assert (dealers(evening), codes(evening)) == ("", "entry_after_close at 4")
    assert table_of(()) is None


# --- Who owes whom --------------------------------------------------------------------------------


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
    for debt in who_owes_whom(balances):
        assert debt.chips > 0
        left[debt.debtor] += debt.chips
        left[debt.creditor] -= debt.chips
    return set(left.values())


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=5))
def test_debts_settle_exactly_and_are_the_fewest(counts: list[int]) -> None:
    balances = dict(zip(NAMES, [*counts, -sum(counts)], strict=False))
    assert left_after(balances) <= {0}
    assert len(who_owes_whom(balances)) == fewest(balances)


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
    assert len(who_owes_whom(balances)) <= most


def test_what_does_not_add_up_cannot_be_settled() -> None:
    with pytest.raises(ValueError, match="add up to 1"):
        who_owes_whom({"Anna": 1})
