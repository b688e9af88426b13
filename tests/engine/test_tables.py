"""The table: seats, whose deal it is, pool and ledger, who owes whom (RULES 2, 8, 9)."""

import random
from decimal import Decimal
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import (
    CorrectionMade,
    DealVoided,
    HandTakenOver,
    PuestaReserved,
    ResultRecorded,
    RulingMade,
)
from engine.rulesets import CLOCKWISE, DLU, GAMERULES, OMBRE, PUBLISHED, Ruleset
from engine.table_events import (
    PaymentMade,
    PenaltyGiven,
    PlayerJoined,
    PlayerLeft,
    SeatsSet,
    TableClosed,
)
from engine.tables import Ledger, games_of, next_dealer, seated, table_of, who_owes_whom
from engine.vocabulary import Plan
from tests.support.engine.evenings import NAMES, Evening

RULESETS = sorted(rules.ruleset.id for rules in PUBLISHED)


def rules_named(ruleset: str) -> Ruleset:
    return next(rules.ruleset for rules in PUBLISHED if rules.ruleset.id == ruleset)


F, M, B = 0, 1, 2


def slip(outcome: str, declarer: int = F, contract: str = "simple", **more: object) -> ResultRecorded:
    return ResultRecorded(outcome, declarer, contract, **more)  # type: ignore[arg-type]


def even(told: Ledger) -> bool:
    """Whether what the players have and what lies in the pools comes to nothing, line by line."""
    running: dict[int | None, int] = {}
    for line in told.lines:
        if line.after is not None:
            running[line.game] = line.after.total
        if sum(chips for _, chips in line.totals) != -sum(running.values()):
            return False
    return sum(chips for _, chips in told.totals) == -sum(pot.total for pot in told.pots)


# --- Seats ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "count", "active", "out"),
    [
        (DLU, 3, "BCA", ""),
        (DLU, 4, "BDA", "C"),
        (DLU, 5, "BEA", "CD"),
        (OMBRE, 3, "BCA", ""),
        (OMBRE, 4, "BCD", "A"),
        (OMBRE, 5, "BCD", "AE"),
    ],
)
def test_who_sits_where_when_the_first_deals(ruleset: object, count: int, active: str, out: str) -> None:
    seats = seated("ABCDE"[:count], "A", ruleset)  # type: ignore[arg-type]
    assert seats is not None
    assert ("".join(seats.active), "".join(seats.sitting_out)) == (active, out)


def test_two_cannot_play_and_six_play_two_games() -> None:
    assert seated("AB", "A", DLU) is None
    assert games_of("ABCDEF") == (("A", "C", "E"), ("B", "D", "F"))


@pytest.mark.parametrize("count", [3, 4, 5])
@pytest.mark.parametrize("ruleset", [DLU, OMBRE, GAMERULES, CLOCKWISE], ids=lambda one: one.id)
def test_in_a_full_round_everybody_deals_and_sits_out_as_often(ruleset: object, count: int) -> None:
    dealer, dealers = "A", []
    out: list[str] = []
    for _ in range(count):
        seats = seated("ABCDE"[:count], dealer, ruleset)  # type: ignore[arg-type]
        assert seats is not None
        dealers.append(dealer)
        out += seats.sitting_out
        dealer = next_dealer("ABCDE"[:count], dealer, ruleset)  # type: ignore[arg-type]
    assert sorted(dealers) == sorted("ABCDE"[:count])
    assert {out.count(player) for player in out} <= {count - 3}


# --- Whose deal it is -----------------------------------------------------------------------------


def dealers_due(evening: Evening) -> list[str]:
    return [one.seating.dealer for one in evening.ledger().following]


def test_the_deal_passes_on_and_the_last_in_order_deals_first() -> None:
    evening = Evening()
    assert dealers_due(evening) == ["Carl"]
    for dealer in ("Anna", "Bo", "Carl"):
        evening.play(slip("won"))
        assert dealers_due(evening) == [dealer]


def test_under_gamerules_it_passes_the_other_way() -> None:
    evening = Evening("gamerules")
    evening.play(slip("won"))
    assert dealers_due(evening) == ["Bo"]


@pytest.mark.parametrize(("ruleset", "dealer"), [("dlu", "Carl"), ("la-bete", "Anna"), ("ombre", "Anna")])
def test_who_deals_after_all_have_passed(ruleset: str, dealer: str) -> None:
    evening = Evening(ruleset)
    evening.play(ResultRecorded("passed_out"))
    assert dealers_due(evening) == [dealer]


def test_a_house_may_let_the_same_one_deal_again() -> None:
    evening = Evening("la-bete", switches=(("all-pass", "same-dealer"),))
    evening.play(ResultRecorded("passed_out"))
    assert dealers_due(evening) == ["Carl"]


def test_after_a_misdeal_the_same_one_deals_again_and_a_board_moves_nothing() -> None:
    evening = Evening("la-bete")
    evening.play(DealVoided("a card lay open"))
    assert dealers_due(evening) == ["Carl"]
    evening.play(slip("won"), opening=evening.opening(board=7))
    assert dealers_due(evening) == ["Carl"]


def test_the_seats_may_be_set_and_say_who_deals() -> None:
    evening = Evening()
    evening.table.append(SeatsSet(("Bo", "Anna", "Carl"), dealer="Bo", drawn=True))
    assert dealers_due(evening) == ["Bo"]
    evening.play(slip("won"))
    assert dealers_due(evening) == ["Anna"]
    evening.table.append(SeatsSet(("Bo", "Anna", "Carl"), dealer="Carl"))
    assert dealers_due(evening) == ["Carl"]


def test_one_comes_and_one_goes() -> None:
    evening = Evening()
    evening.play(slip("won"))
    evening.table.append(PlayerJoined("Dora", 2))
    told = evening.ledger()
    assert told.players == ("Anna", "Dora", "Bo", "Carl")
    assert told.following[0].seating.dealer == "Anna"
    assert told.following[0].seating.sitting_out == ("Bo",)
    evening.table.append(PlayerLeft("Anna"))
    assert dealers_due(evening) == ["Dora"]
    assert dict(evening.ledger().totals)["Anna"] == 2


def test_six_play_two_games_each_with_its_own_pool() -> None:
    evening = Evening("ombre", 6)
    assert [one.seating.active for one in evening.ledger().following] == [
        ("Anna", "Carl", "Else"),
        ("Bo", "Dora", "Finn"),
    ]
    evening.play(slip("bete", contract="play"), game=0)
    evening.play(slip("won", contract="play"), game=1)
    told = evening.ledger()
    assert [pot.pool for pot in told.pots] == [20, 0]
    assert [line.game for line in told.lines] == [0, 1]
    assert even(told)


def test_other_seats_than_were_due_are_taken_as_they_were() -> None:
    evening = Evening()
    opening = evening.opening()
    swapped = opening.players.__class__("Bo", "Anna", "Carl")
    evening.play(slip("won"), opening=evening.opening(players=swapped))
    told = evening.ledger()
    assert [one.finding.code for one in told.findings] == ["seating_mismatch"]
    assert dict(told.totals) == {"Anna": -1, "Bo": 2, "Carl": -1}


# --- Chips ----------------------------------------------------------------------------------------


def test_a_line_for_every_deal_and_payment_with_running_totals() -> None:
    evening = Evening()
    evening.play(slip("won"))
    evening.table.append(PaymentMade("Bo", "Anna", 3, "a coffee"))
    evening.play(slip("codille", M))
    told = evening.ledger()
    assert [dict(line.totals) for line in told.lines] == [
        {"Anna": 2, "Bo": -1, "Carl": -1},
        {"Anna": 5, "Bo": -4, "Carl": -1},
        {"Anna": 7, "Bo": -2, "Carl": -5},
    ]
    assert told.standings == ((1, "Anna", 7), (2, "Bo", -2), (3, "Carl", -5))
    assert told.lines[0].declarer == "Anna"


def test_what_was_paid_counts_where_the_rules_cannot_say() -> None:
    from engine.events import DealSettled

    evening = Evening()
    evening.play(DealSettled((("Anna", 4), ("middlehand", -2), ("backhand", -2))))
    evening.play()
    told = evening.ledger()
    assert [line.decided for line in told.lines] == [True, False]
    assert dict(told.totals) == {"Anna": 4, "Bo": -2, "Carl": -2}


def test_who_takes_a_hand_over_pays_for_it() -> None:
    evening = Evening("dlu", 4, switches=(("sitter-pays", False),))
    evening.play(HandTakenOver(M, "Bo"), slip("won", F))  # type: ignore[arg-type]
    seating = evening.ledger().lines[0].seating
    assert seating is not None
    taken_from = seating.middlehand
    assert dict(evening.ledger().totals)["Bo"] == -1
    assert dict(evening.ledger().totals)[taken_from] == 0


def test_penalty_points_are_kept_apart() -> None:
    evening = Evening("dlu-tournament")
    evening.play(RulingMade("too high", penalty=((F, 1),)), slip("won", F))  # type: ignore[arg-type]
    evening.table.append(PenaltyGiven("Carl", 2, text="talking"))
    told = evening.ledger()
    assert dict(told.penalties) == {"Anna": 1, "Carl": 2}
    assert dict(told.totals) == {"Anna": 2, "Bo": -1, "Carl": -1}


def test_the_plan_and_the_chip() -> None:
    evening = Evening(plan=Plan(deals=6), chip_value="0.25", currency="kr")
    evening.play(slip("won"))
    told = evening.ledger()
    assert (told.deals_left, told.money(2), told.currency) == (5, Decimal("0.50"), "kr")
    assert Evening(chip_value="a cow").ledger().money(2) is None


# --- The pool -------------------------------------------------------------------------------------


def test_the_dealer_stakes_five_and_all_pass_leaves_them_there() -> None:
    evening = Evening("ombre")
    for pool in (5, 10, 15):
        assert evening.opening().pool == pool
        evening.play(ResultRecorded("passed_out"))
    told = evening.ledger()
    assert dict(told.totals) == {"Anna": -5, "Bo": -5, "Carl": -5}
    assert (told.pots[0].pool, even(told)) == (15, True)


def test_a_puesta_set_aside_comes_back_when_the_pool_is_won() -> None:
    evening = Evening("ombre")
    evening.play(slip("bete", contract="play"), PuestaReserved(F))  # type: ignore[arg-type]
    assert evening.ledger().pots[0].reserved == (15,)
    assert evening.opening().reserved == (15,)
    evening.play(slip("won", contract="play"))
    assert (evening.opening().pool, evening.opening().reserved) == (20, ())
    assert even(evening.ledger())


def test_a_deal_that_does_not_record_its_pool_is_played_for_what_lies_there() -> None:
    evening = Evening("ombre")
    evening.play(ResultRecorded("passed_out"))
    evening.play(slip("won", contract="play"), opening=evening.opening(pool=None, reserved=()))
    assert dict(evening.ledger().lines[1].chips)["Bo"] == 20
    assert evening.ledger().findings == ()


def test_what_lies_in_the_pool_at_the_end_is_divided() -> None:
    evening = Evening("ombre")
    evening.play(slip("bete", contract="play"))
    told = evening.ledger()
    assert told.pots[0].pool == 20
    assert dict(told.shares) == {"Bo": 7, "Carl": 7, "Anna": 6}
    assert sum(debt.chips for debt in told.owes) == 15 - 6


def test_a_correction_in_the_middle_changes_what_it_must_and_no_more() -> None:
    """The first deal was a puesta, not a win: the second was opened with a pool that was not there."""
    evening = Evening("ombre")
    first = evening.play(slip("won", contract="play"))
    evening.play(slip("won", contract="play"))
    assert evening.ledger().findings == ()
    evening.add(first, CorrectionMade("misread", replaces=(2,), with_=(slip("bete", contract="play"),)))
    told = evening.ledger()
    assert [(one.deal, one.finding.code) for one in told.findings] == [("deal-2", "pool_mismatch")]
    assert even(told)
    assert dict(told.lines[0].chips)["Anna"] == -15


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_evening_of_forty_deals_is_even_after_every_deal(ruleset: str, players: int) -> None:
    rng, evening = random.Random(ruleset), Evening(ruleset, players)
    middle = [evening.play_randomly(rng) for _ in range(40)][20]
    told = evening.ledger()
    assert [one.finding.message for one in told.findings] == []
    silent = {contract for contract, tariff in rules_named(ruleset).tariff if not tariff.codille}
    assert all(line.decided or line.contract in silent for line in told.lines)
    assert even(told)
    before = evening.logs[middle][0]
    evening.logs[middle] = [before, DealVoided("it was played with 39 cards")]
    evening.fold(middle)
    assert even(evening.ledger())
    assert {one.finding.code for one in evening.ledger().findings} <= {"pool_mismatch", "seating_mismatch"}


# --- The table's own log --------------------------------------------------------------------------


def test_what_does_not_fit_is_told() -> None:
    evening = Evening()
    evening.table += [
        PlayerJoined("Anna"),
        PlayerLeft("Xenia"),
        PaymentMade("Anna", "Yrsa", 1),
        TableClosed(),
        PenaltyGiven("Bo", 1),
    ]
    told = [(one.finding.seq, one.finding.code) for one in evening.ledger().findings]
    assert told == [*((seq, "table_mismatch") for seq in (2, 3, 4)), (6, "entry_after_close")]
    table = table_of(evening.log())
    assert table is not None
    assert table.closed
    assert evening.ledger().following == ()


def test_a_log_that_opens_no_table_comes_to_nothing() -> None:
    assert table_of(()) is None


# --- Who owes whom --------------------------------------------------------------------------------


def fewest(balances: dict[str, int]) -> int:
    """The fewest payments by trying: each player but one settles with the next in some order."""
    uneven = [chips for chips in balances.values() if chips]
    best = len(uneven)
    for order in permutations(uneven):
        running, payments = 0, 0
        for chips in order:
            running += chips
            payments += running != 0
        best = min(best, payments)
    return best if uneven else 0


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=5))
def test_debts_settle_exactly_and_are_the_fewest(chips: list[int]) -> None:
    balances = dict(zip(NAMES, [*chips, -sum(chips)], strict=False))
    left = dict(balances)
    debts = who_owes_whom(balances)
    for debt in debts:
        assert debt.chips > 0
        left[debt.debtor] += debt.chips
        left[debt.creditor] -= debt.chips
    assert set(left.values()) <= {0}
    assert len(debts) == fewest(balances)


def test_two_pairs_settle_among_themselves() -> None:
    assert len(who_owes_whom({"Anna": 5, "Bo": -5, "Carl": 3, "Dora": -3})) == 2
    with pytest.raises(ValueError, match="add up to 1"):
        who_owes_whom({"Anna": 1})


def test_more_than_a_dozen_settle_exactly_too() -> None:
    balances = {f"player {number}": number - 7 for number in range(15)}
    left = dict(balances)
    debts = who_owes_whom(balances)
    for debt in debts:
        left[debt.debtor] += debt.chips
        left[debt.creditor] -= debt.chips
    assert set(left.values()) == {0}
    assert len(debts) < 15


def test_a_dozen_are_parted_into_as_many_even_groups_as_can_be() -> None:
    """Six pairs that owe each other, hidden among sums that could be chained otherwise."""
    balances = {
        f"{name}{number}": sign * number for number in range(1, 7) for name, sign in (("w", 1), ("l", -1))
    }
    assert len(who_owes_whom(balances)) == 6
