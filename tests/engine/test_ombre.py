"""English Ombre round the pool: sacada, puesta, codille, primeras, estuches, the vole, four at the table.

``due`` is another reading of RULES 8, held against the engine on random deals.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.slow import model
from tests.support.engine.ombre import leading, ombre
from tests.support.engine.selfplay import played_out
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    Json,
    M,
    answered,
    claimed,
    due_after,
    found,
    legal_after,
    named,
    opened,
    paid,
    plays,
    said,
    score_after,
    settled,
    slip,
    stands,
    tricks,
)

BASE = {"play": 5, "voltereta": 7, "solo": 8, "oros": 8}
LADDERS = {
    trump: ["SA", trump + ("2" if trump in "CS" else "7"), "CA"]
    + [trump + rank for rank in ("KQJ76543" if trump in "CS" else "AKQJ23456")]
    for trump in "CDHS"
}
FIVE_TOPS = "SA CA HA HK HQ D2 D3 D4 D5"
"""Five tricks in a row against hands without trumps; spadille without manille makes one estuche."""


def conceded() -> list[Event]:
    """All agree that forehand gets five tricks and middlehand four."""
    return [claimed("F", 5, 4, 0), *answered("M accept, B accept")]


# --- Sacada -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("contract", "base"), [("play", 5), ("voltereta", 7), ("solo", 8)])
def test_sacada_takes_the_pool_and_the_base(contract: str, base: int) -> None:
    events = [*opened(ruleset="ombre", pool=10), slip("F", contract, "5-4-0", trump="H")]
    assert paid(events) == ("won", [10 + 2 * base, -base, -base])
    assert score_after(events)["pool"] == {"before": 10, "after": 0, "reserved": []}


def test_five_tricks_or_a_dominant_four() -> None:
    for count, outcome in (("5-4-0", "won"), ("4-3-2", "won"), ("4-4-1", "bete"), ("3-3-3", "bete"),
                           ("1-4-4", "bete"), ("3-4-2", "codille"), ("0-5-4", "codille")):  # fmt: skip
        assert paid([*opened(ruleset="ombre", pool=5), slip("F", "play", count)])[0] == outcome


# --- Puesta and codille -----------------------------------------------------------------------


@pytest.mark.parametrize(("contract", "base"), [("play", 5), ("voltereta", 7), ("solo", 8), ("oros", 8)])
def test_puesta_doubles_the_pool_and_adds_the_base_for_each(contract: str, base: int) -> None:
    events = [*opened(ruleset="ombre", pool=10), slip("F", contract, "4-4-1")]
    assert paid(events) == ("bete", [-10 - 2 * base, 0, 0])
    assert score_after(events)["pool"] == {"before": 10, "after": 20 + 2 * base, "reserved": []}


def test_codille_goes_to_him_who_delivered_it_and_the_pool_stays() -> None:
    events = [*opened(ruleset="ombre", pool=10), slip("F", "play", "2-3-4")]
    assert paid(events) == ("codille", [-20, 0, 20])
    assert score_after(events)["pool"] == {"before": 10, "after": 10, "reserved": []}


def test_codille_of_which_nobody_wrote_who_delivered_it_is_left_open() -> None:
    result = score_after([*opened(ruleset="ombre", pool=10), slip("F", "play", outcome="codille")])
    assert not result["decided"]


def test_while_both_may_deliver_codille_it_is_not_said_who_gets_it() -> None:
    events = opened(ruleset="ombre", pool=10) + said("F solo, M pass, B pass") + named("F", "solo", "H")
    events += stands("M B") + tricks("MMMB")
    payments = score_after(events)["reachable"]["codille"]
    assert (payments[F], payments[M], payments[B]) == (-26, None, None)


# --- Primeras ---------------------------------------------------------------------------------


def test_the_first_five_tricks_pay_one_more() -> None:
    events = ombre(hand=FIVE_TOPS) + leading(FIVE_TOPS, 5)
    assert found(events) == []
    each = 5 + 1 + 1  # base, primeras, one estuche
    assert paid(events) == ("won", [10 + 2 * each, -each, -each])
    assert [item["label"].partition(":")[0] for item in score_after(events)["items"]] == [
        "play", "primeras", "estuches", "the pool",
    ]  # fmt: skip


def test_five_tricks_that_are_not_the_first_are_no_primeras() -> None:
    events = ombre(hand=FIVE_TOPS) + plays("F-D2 M-DK B-D6 M-C2 B-S2 F-HQ")
    events += plays("F-SA M-C3 B-S3 F-CA M-C4 B-S4 F-HA M-C5 B-S5 F-HK M-C6 B-S6")
    assert found(events) == []
    assert paid(events) == ("won", [10 + 2 * 6, -6, -6])


def test_primeras_on_a_slip() -> None:
    events = [*opened(ruleset="ombre", pool=10), slip("F", "solo", "5-4-0", primeras=True, estuches=3)]
    assert paid(events) == ("won", [10 + 2 * 12, -12, -12])


def test_after_the_first_five_he_may_stop_or_try_for_all() -> None:
    events = ombre(hand=FIVE_TOPS) + leading(FIVE_TOPS, 5)
    due = due_after(events)
    assert (due["seat"], due["action"], due["optional"]) == (F, "play", True)
    assert score_after(events)["decided"]
    one_more = events + plays("F-D2")
    assert not score_after(one_more)["decided"]
    assert set(score_after(one_more)["reachable"]) == {"slam_made", "slam_failed"}


def test_a_claim_of_all_nine_has_the_first_five_in_it() -> None:
    events = ombre(hand=FIVE_TOPS) + leading(FIVE_TOPS, 4)
    events += [claimed("F", 9, 0, 0), *answered("M accept, B accept")]
    labels = [item["label"] for item in score_after(events)["items"]]
    assert any("primeras" in label or "vole" in label for label in labels)


def test_primeras_are_open_where_the_first_tricks_are_missing() -> None:
    hand = "SA H7 CA HA HK D2 D3 D4 D5"
    first, *others = leading(hand, 5)
    events = [*ombre(hand=hand), {**first, "trick": 3}, *others]  # of tricks 1 and 2 nothing is told
    assert not score_after(events)["decided"]


# --- Estuches ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "estuches"),
    [
        ("SA D2 D3 D4 D5 D6 DJ DQ DK", 1),
        ("SA H7 D2 D3 D4 D5 D6 DJ DQ", 2),
        ("SA H7 CA D2 D3 D4 D5 D6 DJ", 3),
        ("SA H7 CA HA D2 D3 D4 D5 D6", 4),
        ("SA H7 CA HA HK D2 D3 D4 D5", 5),
        ("SA H7 CA HA HK HQ HJ H2 D2", 5),  # never more than five
        ("SA CA HA HK D2 D3 D4 D5 D6", 1),  # the row is broken at manille
        ("H7 CA HA D2 D3 D4 D5 D6 DJ", 1),  # spadille alone is lacking
        ("CA D2 D3 D4 D5 D6 DJ DQ DK", 2),
        ("HA HK D2 D3 D4 D5 D6 DJ DQ", 3),
        ("H6 D2 D3 D4 D5 D6 DJ DQ DK", 5),
        ("D2 D3 D4 D5 D6 DJ DQ DK DA", 5),
    ],
)
def test_estuches_held_or_lacked_in_a_row_from_spadille(hand: str, estuches: int) -> None:
    events = ombre(hand=hand) + plays(f"F-{hand.split()[-1]} M-H5 B-C2") + conceded()
    assert found(events) == []
    each = 5 + estuches
    assert paid(events) == ("won", [10 + 2 * each, -each, -each])


def test_estuches_count_in_the_hand_with_which_play_begins() -> None:
    events = opened("D2 D3 D4 D5 D6 DJ DQ DK S3", ruleset="ombre", pool=0)
    events += said("F play, M pass, B pass") + named("F", "play", "H")
    events += [
        {"type": "cards_discarded", "seat": F, "cards": ["S3", "DK"]},
        {"type": "cards_drawn", "seat": F, "cards": ["SA", "H7"]},
    ]
    events += stands("M B") + plays("F-D2 M-DA B-D7") + conceded()
    assert {"label": "estuches: 2 in a row from spadille", "each": 2, "rule": "8. Payments"} in [
        {name: item[name] for name in ("label", "each", "rule")} for item in score_after(events)["items"]
    ]


def test_estuches_are_paid_only_to_a_winner() -> None:
    events = ombre(hand="SA H7 CA D2 D3 D4 D5 D6 DJ") + plays("F-SA M-C2 B-S2")
    events += [claimed("F", 4, 4, 1), *answered("M accept, B accept")]
    assert paid(events) == ("bete", [-20, 0, 0])


def test_estuches_that_nobody_saw_leave_it_open() -> None:
    """Whether manille was with spadille is told by the slip, if by anything."""
    events = ombre(hand="SA ?? ?? ?? ?? ?? ?? ?? ??") + plays("F-D2 M-DK B-D3") + conceded()
    assert not score_after(events)["decided"]
    assert paid([*events, slip(outcome="won", estuches=1)]) == ("won", [22, -6, -6])


def test_estuches_of_unknown_trumps_leave_it_open() -> None:
    events = opened("SA H7 CA D2 D3 D4 D5 D6 DJ", ruleset="ombre", pool=10)
    events += said("F play, M pass, B pass") + named("F", "play") + stands()
    assert not score_after(events + plays("F-D2 M-DK B-D7") + conceded())["decided"]


def test_estuches_of_a_known_hand_are_paid_though_the_play_is_on_a_slip_only() -> None:
    """What is not known from cards is what a slip is for (DESIGN 4)."""
    events = [*ombre(hand="SA H7 CA D2 D3 D4 D5 D6 DJ"), slip("F", "play", "5-4-0")]
    assert paid(events) == ("won", [10 + 2 * 8, -8, -8])


FIRST_TRICK_LOST = "F-D2 M-DK B-D6 M-C2 B-S2 F-HQ F-SA M-C3 B-S3 F-CA M-C4 B-S4 F-HA M-C5 B-S5 F-HK M-C6 B-S6"


def test_primeras_that_the_cards_exclude_are_not_paid() -> None:
    events = [*ombre(hand=FIVE_TOPS), *plays(FIRST_TRICK_LOST), slip("F", "play", "5-1-0", primeras=True)]
    assert found(events) == [(len(events), "result_mismatch")]
    assert paid(events) == ("won", [22, -6, -6])


@pytest.mark.parametrize("extras", [{"primeras": False}, {"estuches": 4}])
def test_extras_that_the_cards_tell_otherwise(extras: dict[str, Any]) -> None:
    events = [*ombre(hand=FIVE_TOPS), *leading(FIVE_TOPS, 5), slip("F", "play", "5-0-0", **extras)]
    assert found(events) == [(len(events), "result_mismatch")]


# --- The vole ---------------------------------------------------------------------------------


def test_the_vole_pays_thirty_instead_of_the_base() -> None:
    hand = "SA H7 CA HA HK HQ HJ H2 H3"
    events = ombre(hand=hand) + leading(hand, 9)
    assert found(events) == []
    each = 30 + 5
    assert paid(events) == ("won", [10 + 2 * each, -each, -each])
    assert score_after(events)["slam"] == "made"
    assert score_after(events)["pool"]["after"] == 0


def test_a_vole_lost_ends_the_deal_and_the_pool_is_taken_all_the_same() -> None:
    events = ombre(hand=FIVE_TOPS) + leading(FIVE_TOPS, 5) + plays("F-D2 M-DK B-D6")
    assert found(events) == []
    assert legal_after(events) is None
    each = -30 + 1
    assert paid(events) == ("won", [10 + 2 * each, -each, -each])
    assert score_after(events)["slam"] == "failed"


@pytest.mark.parametrize(("count", "slam", "each"), [((9, 0, 0), "made", 31), ((6, 3, 0), "failed", -29)])
def test_a_claim_while_all_nine_are_tried_for(count: tuple[int, int, int], slam: str, each: int) -> None:
    events = ombre(hand=FIVE_TOPS) + leading(FIVE_TOPS, 6)
    events += [claimed("F", *count), *answered("M accept, B accept")]
    assert paid(events) == ("won", [10 + 2 * each, -each, -each])
    assert score_after(events)["slam"] == slam


def test_the_vole_needs_the_first_five_tricks() -> None:
    events = ombre(hand=FIVE_TOPS) + plays("F-D2 M-DK B-D6 M-C2 B-S2 F-HQ")
    events += plays("F-SA M-C3 B-S3 F-CA M-C4 B-S4 F-HA M-C5 B-S5 F-HK M-C6 B-S6")
    assert legal_after(events) is None  # his fifth trick ends it
    assert score_after(events)["slam"] is None


# --- The pool and the puestas set aside ---------------------------------------------------------


def test_after_a_sacada_a_reserved_puesta_goes_in() -> None:
    events = [*opened(ruleset="ombre", pool=10, reserved=[25]), slip("F", "play", "5-4-0")]
    assert score_after(events)["pool"] == {"before": 10, "after": 25, "reserved": []}


def test_the_largest_puesta_goes_in_first() -> None:
    events = [*opened(ruleset="ombre", pool=10, reserved=[20, 45, 30]), slip("F", "play", "5-4-0")]
    pool = score_after(events)["pool"]
    assert pool["after"] == 45
    assert sorted(pool["reserved"]) == [20, 30]


def test_a_puesta_set_aside_does_not_go_into_the_pool() -> None:
    events = [*opened(ruleset="ombre", pool=10), slip("F", "play", "4-4-1")]
    events += [{"type": "puesta_reserved", "seat": F}]
    assert score_after(events)["payments"][F] == -20
    assert score_after(events)["pool"] == {"before": 10, "after": 10, "reserved": [20]}


def test_a_void_deal_leaves_the_pool_as_it_was() -> None:
    events = [*opened(ruleset="ombre", pool=10), {"type": "deal_voided", "reason": "misdeal"}]
    assert score_after(events)["pool"] == {"before": 10, "after": 10, "reserved": []}


def test_where_nobody_wrote_down_the_pool_it_is_not_counted() -> None:
    events = [*opened(ruleset="ombre"), slip("F", "play", "5-4-0")]
    assert paid(events) == ("won", [10, -5, -5])
    assert score_after(events)["pool"] is None


# --- Four at the table --------------------------------------------------------------------------

FOUR: Json = {"players": {F: "Anna", M: "Bo", B: "Carl", "sitting_out": ["Dora"]}}


@pytest.mark.parametrize(
    ("count", "payments", "after"),
    [
        ("5-4-0", {F: 25, M: -5, B: -5, "Dora": -5}, 0),
        ("4-4-1", {F: -25, M: 0, B: 0, "Dora": 0}, 35),
        ("2-4-3", {F: -25, M: 25, B: 0, "Dora": 0}, 10),
    ],
)
def test_who_sits_out_pays_and_receives_as_an_opponent(
    count: str, payments: dict[str, int], after: int
) -> None:
    events = [*opened(ruleset="ombre", pool=10, **FOUR), slip("F", "play", count)]
    result = score_after(events)
    assert result["payments"] == payments
    assert result["pool"]["after"] == after
    assert found([*events, settled(**payments)]) == []


# --- Against another reading ----------------------------------------------------------------------


def due(deal: list[Event], pool: int) -> Json:
    """What a finished deal pays, read off its cards (RULES 8)."""
    opening = {event["type"]: event for event in deal}
    contract, declarer = opening["contract_named"]["contract"], opening["contract_named"]["seat"]
    card = opening.get("talon_turned", {}).get("card", "")
    trump = opening["contract_named"].get("trump") or card[:1]
    won = list(trick_winners(deal, trump))
    slam = "failed" if won[:5] == [declarer] * 5 and len(won) > 5 else None
    slam = "made" if won == [declarer] * 9 else slam
    count = {seat: won.count(seat) for seat in (F, M, B)}
    others = sorted((count[seat], seat) for seat in (F, M, B) if seat != declarer)
    base, (most, strongest) = BASE[contract], others[-1]
    if count[declarer] >= 5 or count[declarer] > most:
        each = {"made": 30, "failed": -30, None: base}[slam] + row(deal, declarer, trump)
        each += slam is None and won[:5] == [declarer] * 5
        payments = dict.fromkeys(count, -each) | {declarer: 2 * each + pool}
        return {"outcome": "won", "payments": payments, "after": 0, "slam": slam}
    puesta = pool + 2 * base
    payments = dict.fromkeys((F, M, B), 0) | {declarer: -puesta}
    if count[declarer] == most or others[0][0] == most == 4:
        return {"outcome": "bete", "payments": payments, "after": pool + puesta, "slam": None}
    payments[strongest] = puesta
    return {"outcome": "codille", "payments": payments, "after": pool, "slam": None}


def trick_winners(deal: list[Event], trump: str) -> Iterator[str]:
    cards = [(event["seat"], event["card"]) for event in deal if event["type"] == "card_played"]
    for start in range(0, len(cards), 3):
        if len(cards[start : start + 3]) == 3:
            yield model.trick_winner(cards[start : start + 3], trump)


def row(deal: list[Event], declarer: str, trump: str) -> int:
    """Matadors in a row from spadille, held or lacked when play began, five at most."""
    hand: set[str] = set()
    for event in deal:
        if event.get("seat") == declarer:
            if event["type"] in ("hand_dealt", "cards_drawn"):
                hand |= set(event["cards"])
            elif event["type"] == "cards_discarded":
                hand -= set(event["cards"])
    held = [card in hand for card in LADDERS[trump]]
    return next((n for n, one in enumerate(held[:5]) if one != held[0]), 5)


def test_random_deals_pay_what_another_reading_says() -> None:
    outcomes = set()
    for seed in range(250):
        deal = played_out(seed, "ombre", pool=seed)
        result = score_after(deal)
        if result["outcome"] == "passed_out":
            continue
        expected = due(deal, seed)
        outcomes.add((expected["outcome"], expected["slam"]))
        assert (result["outcome"], result["payments"]) == (expected["outcome"], expected["payments"]), seed
        assert (result["pool"]["after"], result["slam"]) == (expected["after"], expected["slam"]), seed
    assert {("won", None), ("won", "failed"), ("bete", None), ("codille", None)} <= outcomes


def test_what_leaves_the_players_lies_in_the_pool() -> None:
    for seed in range(100):
        result = score_after(played_out(seed, "ombre", pool=seed, **FOUR))
        if result["outcome"] != "passed_out":
            into_pool = result["pool"]["after"] - result["pool"]["before"]
            assert sum(result["payments"].values()) == -into_pool, seed
