"""What a deal of dlu pays: the outcomes, and when it is decided. The tariff is in `test_every_ruleset`."""

from dataclasses import replace

import pytest

from engine.rulesets import DLU, book_of
from engine.rulesets.model import Tariff
from tests.support.engine.answers import payment
from tests.support.engine.shorthand import (
    B,
    F,
    M,
    named,
    opened,
    plays,
    said,
    score_after,
    slip,
    stands,
    swap,
    tricks,
)


def by_tricks(contract: str, tricks: str, declarer: str = "F") -> str:
    return payment([*opened(), slip(declarer, contract, tricks)])


@pytest.mark.parametrize(
    ("declarer", "tricks", "payments"),
    [("F", "5-2-2", "won 6 -3 -3"), ("M", "2-5-2", "won -3 6 -3"), ("B", "2-2-5", "won -3 -3 6")],
)
def test_both_opponents_pay_the_declarer(declarer: str, tricks: str, payments: str) -> None:
    assert by_tricks("solo", tricks, declarer) == payments


def test_every_division_of_nine_tricks_has_one_outcome() -> None:
    for mine in range(10):
        for first in range(10 - mine):
            second = 9 - mine - first
            most = max(first, second)
            expected = "won" if mine > most else "bete" if mine == most else "codille"
            if (mine, first, second) == (1, 4, 4):
                expected = "bete"  # remis en quatre
            assert by_tricks("solo", f"{mine}-{first}-{second}").split()[0] == expected
            assert by_tricks("solo", f"{first}-{mine}-{second}", "M").split()[0] == expected


def test_one_who_sits_out_neither_pays_nor_receives() -> None:
    result = score_after([*opened(players={"sitting_out": ["Dora"]}), slip("F", "solo", "5-2-2")])
    assert result["payments"] == {F: 6, M: -3, B: -3}


def test_every_chip_has_its_reason() -> None:
    result = score_after([*opened(), slip("F", "solo", "5-2-2")])
    assert [(item["each"], item["rule"]) for item in result["items"]] == [(3, "7. Payments")]
    assert "solo" in result["items"][0]["label"]


# --- Decided ----------------------------------------------------------------------------------

SOLO = opened() + said("F solo, M pass, B pass") + named("F", "solo", "H") + stands("M B")


@pytest.mark.parametrize(
    ("words", "declarer"),
    [("", None), ("F simple", None), ("F simple, M pass", None), ("F simple, M pass, B pass", F)],
)
def test_nothing_is_decided_before_the_contract(words: str, declarer: str | None) -> None:
    result = score_after(opened() + said(words))
    assert (result["decided"], result["outcome"], result["payments"]) == (False, None, None)
    assert (result["declarer"], result["reachable"]) == (declarer, {})


def test_until_it_is_decided_everything_still_open_has_its_price() -> None:
    assert score_after(SOLO)["reachable"] == {
        "won": {F: 6, M: -3, B: -3},
        "bete": {F: -6, M: 3, B: 3},
        "codille": {F: -8, M: 4, B: 4},
    }


@pytest.mark.parametrize(
    ("winners", "reachable"),
    [
        ("FFFF", "bete codille won"),
        ("FFFFF", "won"),
        ("FFFFMMBB", "won"),  # 4-2-2: whoever takes the last one
        ("FFFFMMMM", "bete codille won"),
        ("MMMMBBBB", "bete codille"),  # remis en quatre is still open
        ("MMMMFFBB", "codille"),
        ("FMMMMBBBB", "bete"),
    ],
)
def test_what_the_tricks_so_far_leave_open(winners: str, reachable: str) -> None:
    result = score_after(SOLO + tricks(winners))
    if " " in reachable:
        assert (result["decided"], " ".join(sorted(result["reachable"]))) == (False, reachable)
    else:
        assert (result["decided"], result["outcome"]) == (True, reachable)


def test_a_nolo_is_decided_when_it_cannot_be_saved_or_lost_any_more() -> None:
    pure = opened() + said("F pure-nolo, M pass, B pass") + named("F", "pure-nolo")
    assert not score_after(pure + plays("F-D2 M-D3 B-DK"))["decided"]
    assert set(score_after(pure + plays("F-DK M-D3 B-D2"))["reachable"]) == {"bete", "codille"}
    assert payment(pure + plays("F-DK M-D3 B-D2 F-CK M-C2 B-C3")) == "codille -10 5 5"


GRADED = book_of([replace(DLU, tariff=(*DLU.tariff, ("simple-nolo", Tariff(1, 1, (3, 4, 5, 6)))))])
"""The house rule of the other Danish table: a simple-nolo kodille costs more with every trick, up to five."""
LOST = [
    *opened(), *said("F simple-nolo, M pass, B pass"), *named("F", "simple-nolo"), *swap("F", "??", "??"),
    *plays("F-DK M-D2 B-D3 F-CK M-C2 B-C3"),
]  # fmt: skip


@pytest.mark.parametrize(("count", "each"), [("2-4-3", 3), ("3-3-3", 4), ("5-2-2", 6), ("9-0-0", 6)])
def test_a_graded_kodille_costs_by_its_tricks_and_a_flat_one_does_not(count: str, each: int) -> None:
    assert by_tricks("simple-nolo", count) == "codille -6 3 3"
    events = [*opened(), slip("F", "simple-nolo", count)]
    assert payment(events, GRADED) == f"codille {-2 * each} {each} {each}"


def test_a_graded_kodille_is_not_decided_while_it_can_cost_more() -> None:
    assert payment(LOST) == "codille -6 3 3"
    assert payment(LOST, GRADED) == "open"
