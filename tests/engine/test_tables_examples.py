"""Evenings worked out by hand: stakes, voids, hands taken over, records that do not fit (RULES 2, 8, 9)."""

from decimal import Decimal

import pytest

from engine.cards import SEATS
from engine.events import (
    BidMade,
    CorrectionMade,
    DealSettled,
    DealVoided,
    HandTakenOver,
    NoteAdded,
    ResultRecorded,
    RulingMade,
)
from engine.table_events import (
    DealStarted,
    PaymentMade,
    PlayerJoined,
    PlayerLeft,
    SeatsSet,
    TableClosed,
    TableOpened,
)
from engine.tables import Debt
from engine.vocabulary import Plan, Players
from tests.support.engine.evenings import Evening

F, M, B = SEATS
THREE = Players("Anna", "Bo", "Carl")


def codes(evening: Evening) -> list[tuple[str | None, str]]:
    return [(one.deal, one.finding.code) for one in evening.ledger().findings]


def test_an_evening_of_ombre_with_four_chip_by_chip() -> None:
    """The dealer sits out, stakes five, and pays and receives as an opponent."""
    evening = Evening("ombre", 4, plan=Plan(deals=12), chip_value="0.10", currency="kr")
    evening.play(ResultRecorded("bete", F, "play"))  # Dora deals; Anna pays 5 + 3 × 5 into the pool
    evening.play(ResultRecorded("won", M, "solo"))  # Anna deals; Carl takes 30 and 8 from each of three
    evening.play(DealVoided("a card lay open"))  # Bo deals, and his stake waits for the next deal
    evening.play(ResultRecorded("passed_out"))  # Bo deals again; five stay in the pool
    tricks = ((F, 3), (M, 2), (B, 4))
    evening.play(ResultRecorded("codille", F, "play", tricks=tricks))  # Carl deals; Dora pays Bo 10 + 15
    told = evening.ledger()
    assert told.findings == ()
    assert [line.seating.dealer for line in told.lines if line.seating] == [
        "Dora", "Anna", "Bo", "Bo", "Carl",
    ]  # fmt: skip
    assert [(line.before.pool, line.after.pool) for line in told.lines if line.before and line.after] == [
        (5, 25), (30, 0), (5, 0), (5, 5), (10, 10),
    ]  # fmt: skip
    assert [dict(line.totals) for line in told.lines] == [
        {"Anna": -20, "Bo": 0, "Carl": 0, "Dora": -5},
        {"Anna": -33, "Bo": -8, "Carl": 54, "Dora": -13},
        {"Anna": -33, "Bo": -8, "Carl": 54, "Dora": -13},
        {"Anna": -33, "Bo": -13, "Carl": 54, "Dora": -13},
        {"Anna": -33, "Bo": 12, "Carl": 49, "Dora": -38},
    ]
    assert told.deals_left == 8
    (due,) = told.following
    assert (due.number, due.pool, due.seating.dealer, due.seating.active) == (
        6, 15, "Dora", ("Anna", "Bo", "Carl"),
    )  # fmt: skip
    assert dict(told.shares) == {"Anna": 3, "Bo": 3, "Carl": 2, "Dora": 2}
    assert set(told.owes) == {Debt("Dora", "Carl", 36), Debt("Anna", "Carl", 15), Debt("Anna", "Bo", 15)}
    assert told.money(36) == Decimal("3.60")


def test_five_at_the_table_two_sit_out_and_pay_nothing_under_dlu() -> None:
    evening = Evening("dlu", 5)
    evening.play(ResultRecorded("won", F, "solo"))  # Else deals; Anna, Dora and Else play
    (line,) = evening.ledger().lines
    assert line.seating is not None
    assert (line.seating.active, line.seating.sitting_out) == (("Anna", "Dora", "Else"), ("Bo", "Carl"))
    assert dict(line.totals) == {"Anna": 6, "Bo": 0, "Carl": 0, "Dora": -3, "Else": -3}


@pytest.mark.parametrize(("ruleset", "left", "dealer"), [("dlu", 9, "Anna"), ("la-bete", 8, "Bo")])
def test_what_is_dealt_again_is_no_deal_of_the_plan(ruleset: str, left: int, dealer: str) -> None:
    evening = Evening(ruleset, plan=Plan(deals=10))
    evening.play(ResultRecorded("passed_out"))
    evening.play(ResultRecorded("won", F, "simple"))
    told = evening.ledger()
    assert told.deals_left == left
    assert told.following[0].seating.dealer == dealer


def test_a_board_leaves_the_order_alone_however_they_sit() -> None:
    evening = Evening("dlu-tournament")
    players = Players("Carl", "Anna", "Bo")
    evening.play(ResultRecorded("won", F, "simple"), opening=evening.bare(players=players, board=7))
    told = evening.ledger()
    assert told.findings == ()
    assert told.following[0].seating.dealer == "Carl"


def test_who_takes_a_hand_over_is_no_longer_the_one_who_sits_out() -> None:
    """With sitters paying, Bo plays Dora's hand, and she pays as the one who sits out for him."""
    evening = Evening("dlu", 4, switches=(("sitter-pays", True),))
    opening = evening.opening()
    assert opening.players == Players("Anna", "Carl", "Dora", ("Bo",))
    evening.play(HandTakenOver(B, "Bo"), ResultRecorded("won", F, "solo"))
    (line,) = evening.ledger().lines
    assert line.taken_over == (("backhand", "Bo"),)
    assert dict(line.chips) == {"Anna": 9, "Carl": -3, "Bo": -3, "Dora": -3}


def test_where_sitters_pay_it_has_to_be_recorded_who_sits_out() -> None:
    for ruleset, expected in (("ombre", [("deal-1", "seating_mismatch")]), ("dlu", [])):
        evening = Evening(ruleset, 4)
        due = evening.opening().players
        players = Players(due.forehand, due.middlehand, due.backhand)
        evening.play(ResultRecorded("passed_out"), opening=evening.opening(players=players))
        assert codes(evening) == expected
        (line,) = evening.ledger().lines
        assert line.seating is not None
        assert line.seating.sitting_out == due.sitting_out


def test_a_deal_that_was_started_twice_counts_once() -> None:
    evening = Evening()
    name = evening.play(ResultRecorded("won", F, "simple"))
    evening.table.append(DealStarted(name, 2))
    told = evening.ledger()
    assert [line.deal for line in told.lines] == [name]
    assert dict(told.totals) == {"Anna": 2, "Bo": -1, "Carl": -1}
    assert codes(evening) == [(None, "table_mismatch")]


def test_a_deal_whose_record_is_not_there_stands_open() -> None:
    evening = Evening("ombre")
    evening.table.append(DealStarted("elsewhere", 1))
    told = evening.ledger()
    (line,) = told.lines
    assert (line.decided, line.outcome, dict(line.totals)) == (False, None, {"Anna": 0, "Bo": 0, "Carl": -5})
    assert codes(evening) == [(None, "incomplete")]
    assert told.following[0].seating.dealer == "Anna"


def test_a_settlement_out_of_which_chips_have_vanished_does_not_count() -> None:
    evening = Evening()
    evening.play(DealSettled((("Anna", 4), ("Bo", -2))))
    told = evening.ledger()
    assert (told.lines[0].decided, dict(told.totals)) == (False, {"Anna": 0, "Bo": 0, "Carl": 0})
    assert [(one.deal, one.finding.seq, one.finding.code) for one in told.findings] == [
        ("deal-1", 2, "settlement_mismatch")
    ]
    evening = Evening("ombre")
    evening.play(DealSettled((("Anna", 4), ("Bo", -2))))
    assert [pot.pool for pot in evening.ledger().pots] == [3]


def test_a_deal_under_other_rules_is_staked_and_passed_on_by_its_own() -> None:
    evening = Evening("dlu")
    opening = evening.under("ombre", evening.opening(pool=5))
    evening.play(ResultRecorded("passed_out"), opening=opening)
    told = evening.ledger()
    assert told.lines[0].stake == (("Carl", -5),)
    assert [pot.pool for pot in told.pots] == [5]
    assert told.following[0].seating.dealer == "Anna"
    assert told.following[0].pool is None


def test_a_deal_that_records_a_larger_pool_wins_what_lay_there() -> None:
    """Anna's deal is opened with 30; by the stake 5 lay there, and nobody can win more."""
    evening = Evening("ombre")
    evening.play(ResultRecorded("won", F, "play"), opening=evening.opening(pool=30))
    told = evening.ledger()
    assert dict(told.lines[0].chips) == {"Anna": 15, "Bo": -5, "Carl": -5}
    assert [pot.pool for pot in told.pots] == [0]
    assert told.following[0].pool == 5
    evening.play(ResultRecorded("won", F, "play"))
    assert codes(evening) == [("deal-1", "pool_mismatch")]
    assert sum(chips for _, chips in evening.ledger().totals) == 0


def test_a_ruling_that_takes_more_out_of_the_pool_than_lies_there_does_not_count() -> None:
    evening = Evening("ombre")
    evening.play(RulingMade("x", payments=(("Anna", -300), ("Bo", 500))), opening=evening.bare(players=THREE))
    told = evening.ledger()
    assert codes(evening) == [("deal-1", "pool_mismatch")]
    assert (dict(told.totals), told.pots[0].pool) == ({"Anna": 0, "Bo": 0, "Carl": -5}, 5)
    assert min(chips for _, chips in told.shares) >= 0


def test_what_a_ruling_takes_beyond_the_pool_comes_from_a_puesta_set_aside() -> None:
    evening = Evening("ombre", switches=(("reserve-at", 5),))
    evening.play(ResultRecorded("bete", F, "play"))
    before = evening.ledger().pots[0]
    assert (before.pool, before.reserved) == (5, (15,))
    evening.play(RulingMade("x", payments=(("Anna", 12),)))
    after = evening.ledger().pots[0]
    assert (after.pool, after.reserved) == (13, ())


def test_a_stranger_is_paid_nothing_by_a_ruling_nor_by_hand() -> None:
    evening = Evening("dlu")
    evening.play(RulingMade("x", payments=(("Anna", -3), ("Zed", 3))))
    evening.table.append(PaymentMade("Bo", "Zed", 40))
    told = evening.ledger()
    assert dict(told.totals) == {"Anna": 0, "Bo": 0, "Carl": 0}
    assert [line.decided for line in told.lines] == [False, False]
    assert codes(evening) == [("deal-1", "settlement_mismatch"), (None, "table_mismatch")]
    assert told.owes == ()


def test_who_joins_later_is_no_stranger() -> None:
    evening = Evening("dlu")
    evening.table += [PaymentMade("Bo", "Dora", 4), PlayerJoined("Dora")]
    assert dict(evening.ledger().totals)["Dora"] == 4


def test_deals_of_six_whose_records_are_missing_are_dealt_in_turn() -> None:
    evening = Evening("ombre", 6)
    evening.table += [DealStarted("one", 1), DealStarted("two", 2), DealStarted("three", 3)]
    told = evening.ledger()
    assert [line.game for line in told.lines] == [0, 1, 0]
    assert [line.stake for line in told.lines] == [(("Else", -5),), (("Finn", -5),), (("Anna", -5),)]


def test_a_missing_deal_of_six_is_of_the_game_that_is_behind() -> None:
    evening = Evening("ombre", 6)
    evening.play(ResultRecorded("passed_out"), game=0)
    evening.table.append(DealStarted("lost", 2))
    evening.play(ResultRecorded("passed_out"), game=1)
    evening.table.append(DealStarted("lost too", 4))
    assert [line.game for line in evening.ledger().lines] == [0, 1, 1, 0]


@pytest.mark.parametrize(
    "worth",
    [
        "1E+999999999999",
        "1e999999",
        "abc",
        "NaN",
        "-3",
        "0",
        "0,00",
        "1_0",
        "٣",
        "1.00001",
        "1234567890",
        "1.",
    ],
)
def test_what_is_no_worth_of_a_chip_counts_no_money_and_is_told(worth: str) -> None:
    evening = Evening(chip_value=worth)
    assert evening.ledger().money(3) is None
    assert codes(evening) == [(None, "table_mismatch")]
    assert repr(worth) in evening.ledger().findings[0].finding.message


@pytest.mark.parametrize(
    ("worth", "three"), [("0.25", "0.75"), ("0,25", "0.75"), ("999999999.9999", "2999999999.9997")]
)
def test_what_a_chip_is_worth(worth: str, three: str) -> None:
    evening = Evening(chip_value=worth)
    assert evening.ledger().money(3) == Decimal(three)
    assert codes(evening) == []


@pytest.mark.parametrize("payment", [("Anna", "Anna", 3), ("Anna", "Bo", 0), ("Anna", "Bo", -2)])
def test_a_payment_that_is_unlikely_is_told_and_counts(payment: tuple[str, str, int]) -> None:
    evening = Evening()
    evening.table.append(PaymentMade(*payment))
    assert codes(evening) == [(None, "table_mismatch")]
    assert dict(evening.ledger().totals)["Bo"] == (-2 if payment[2] < 0 else 0)


@pytest.mark.parametrize(("leaving", "told"), [(2, "One player sits"), (3, "Nobody sits")])
def test_how_few_sit_at_a_table(leaving: int, told: str) -> None:
    evening = Evening()
    evening.table += [PlayerLeft(name) for name in ("Anna", "Bo", "Carl")[:leaving]]
    evening.table.append(DealStarted("one", 1))
    messages = [one.finding.message for one in evening.ledger().findings]
    assert f"{told} at this table; three to six can play." in messages


def test_a_dealer_from_elsewhere_leaves_the_order_as_the_seats_have_it() -> None:
    evening = Evening()
    evening.play(ResultRecorded("won", F, "simple"), opening=evening.opening(dealer="Xenia"))
    assert codes(evening) == [("deal-1", "seating_mismatch")]
    assert evening.ledger().following[0].seating.dealer == "Anna"


def test_when_one_of_six_goes_home_what_lies_in_both_pools_stays() -> None:
    evening = Evening("ombre", 6)
    evening.play(ResultRecorded("bete", F, "play"), game=0)
    evening.play(ResultRecorded("bete", F, "solo"), game=1)
    evening.table.append(PlayerLeft("Finn"))
    told = evening.ledger()
    assert [pot.pool for pot in told.pots] == [20, 26]
    assert [one.game for one in told.following] == [0]
    assert sum(chips for _, chips in told.shares) == 46
    assert sum(chips for _, chips in told.totals) == -46


def test_who_was_to_deal_first_goes_home_before_it() -> None:
    evening = Evening("dlu", 4)
    evening.table += [SeatsSet(("Anna", "Bo", "Carl", "Dora"), "Bo"), PlayerLeft("Bo")]
    assert evening.ledger().following[0].seating.dealer == "Carl"


def test_what_a_director_rules_is_paid_and_punished_in_the_ledger() -> None:
    evening = Evening("dlu")
    payments = (("Anna", 3), ("Bo", -3))
    evening.play(RulingMade("a revoke", payments=payments, penalty=((F, 2),)))
    told = evening.ledger()
    assert dict(told.totals) == {"Anna": 3, "Bo": -3, "Carl": 0}
    assert dict(told.penalties) == {"Anna": 2}


def test_the_entries_of_a_table_can_be_corrected() -> None:
    evening = Evening()
    evening.table += [
        PaymentMade("Bo", "Anna", 30),
        CorrectionMade("a zero too many", replaces=(2,), with_=(PaymentMade("Bo", "Anna", 3),)),
        CorrectionMade("nothing is there", replaces=(9,)),
    ]
    assert dict(evening.ledger().totals) == {"Anna": 3, "Bo": -3, "Carl": 0}
    assert codes(evening) == [(None, "correction_not_possible")]


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (TableOpened("dlu", ("Anna", "Bo", "Carl")), "table_mismatch"),
        (BidMade(F, "pass"), "table_mismatch"),
        (SeatsSet(("Anna", "Bo", "Anna")), "table_mismatch"),
        (SeatsSet(("Anna", "Bo", "Carl"), "Dora"), "table_mismatch"),
        (PlayerJoined("Bo"), "table_mismatch"),
        (PaymentMade("Xenia", "Anna", 1), "table_mismatch"),
    ],
)
def test_an_entry_that_does_not_fit_is_told_and_folded(event: object, code: str) -> None:
    evening = Evening()
    evening.table.append(event)  # type: ignore[arg-type]
    assert [(one.finding.seq, one.finding.code) for one in evening.ledger().findings] == [(2, code)]


def test_a_deal_with_a_number_that_is_taken_and_one_with_too_few_players() -> None:
    evening = Evening()
    evening.table += [DealStarted("one", 1), DealStarted("two", 1), PlayerLeft("Bo"), DealStarted("three", 3)]
    told = [one.finding for one in evening.ledger().findings if one.finding.code == "table_mismatch"]
    assert [(one.seq, one.message) for one in told] == [
        (3, "There is a deal number 1 already."),
        (5, "2 players sit at this table; three to six can play."),
    ]


def test_rules_that_nobody_knows_are_told_at_the_opening() -> None:
    evening = Evening("mars", switches=(("moon", True),))
    assert codes(evening)[0] == (None, "unknown_ruleset")
    evening = Evening("dlu", switches=(("moon", True),))
    assert codes(evening) == [(None, "unknown_switch")]
    assert "'moon'" in evening.ledger().findings[0].finding.message


def test_after_the_table_is_closed_notes_may_follow() -> None:
    evening = Evening()
    evening.table += [TableClosed(), NoteAdded("A good evening."), PlayerJoined("Dora")]
    assert [(one.finding.seq, one.finding.code) for one in evening.ledger().findings] == [
        (4, "entry_after_close")
    ]


@pytest.mark.parametrize(("ruleset", "players"), [("dlu", 3), ("dlu", 5), ("gamerules-org", 4), ("ombre", 4)])
def test_who_sits_where_later_is_told_ahead_and_comes_to_be_so(ruleset: str, players: int) -> None:
    """What a browser without a network goes by: a round of seats, and what is dealt again."""
    evening = Evening(ruleset, players)
    (due,) = evening.ledger().following
    assert len(due.then) == players - 1
    for seating in (*due.then, due.seating):
        evening.play(ResultRecorded("won", F, "solo"))
        assert evening.ledger().following[0].seating == seating
    evening.play(ResultRecorded("passed_out"))
    after = due.seating if "passed_out" in due.dealt_again else due.then[0]
    assert evening.ledger().following[0].seating == after


@pytest.mark.parametrize("dealer", ["Anna", "Bo", "Carl"])
def test_the_first_dealer_is_drawn_by_lot_unless_it_was_said_who_it_is(dealer: str) -> None:
    """RULES 2: whom the first deal records as dealer is due, and the order goes on from him."""
    players = {"Anna": Players("Bo", "Carl", "Anna"), "Bo": Players("Carl", "Anna", "Bo")}.get(
        dealer, Players("Anna", "Bo", "Carl")
    )
    evening, told = Evening("dlu", 3), Evening("dlu", 3)
    told.table.append(SeatsSet(("Anna", "Bo", "Carl"), dealer="Carl"))
    for one in (evening, told):
        one.play(ResultRecorded("passed_out"), opening=one.opening(players=players, dealer=dealer))
        one.play(ResultRecorded("passed_out"))
    assert codes(evening) == []
    assert codes(told) == ([] if dealer == "Carl" else [("deal-1", "seating_mismatch")])
