"""What a deal of dlu pays: the tariff, the outcomes, and when it is decided."""

from dataclasses import replace

import pytest

from engine.rulesets import DLU, book_of
from engine.rulesets.model import Tariff
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    named,
    note,
    opened,
    paid,
    plays,
    said,
    score_after,
    slip,
    stands,
    swap,
    tricks,
)

GAMES = ("simple", "spade-game", "tourne", "grand-tourne", "solo", "spade-solo")
NOLOS = ("simple-nolo", "pure-nolo", "nolo-ouvert")
# Chips from or to each opponent (RULES 7, the union's table): won, bête, kodille.
TABLE = {
    "simple": (1, -1, -2),
    "spade-game": (1, -1, -2),
    "tourne": (2, -2, -3),
    "simple-nolo": (2, -2, -3),
    "grand-tourne": (3, -3, -4),
    "solo": (3, -3, -4),
    "spade-solo": (4, -4, -5),
    "pure-nolo": (4, -4, -5),
    "nolo-ouvert": (6, None, -7),
}


def by_tricks(contract: str, tricks: str, declarer: str = "F") -> tuple[str, list[int]]:
    return paid([*opened(), slip(declarer, contract, tricks)])


# --- The tariff -------------------------------------------------------------------------------


@pytest.mark.parametrize("contract", GAMES)
def test_a_game_is_won_lost_or_kodille(contract: str) -> None:
    won, bete, codille = TABLE[contract]
    assert bete is not None
    assert by_tricks(contract, "5-3-1") == ("won", [2 * won, -won, -won])
    assert by_tricks(contract, "4-4-1") == ("bete", [2 * bete, -bete, -bete])
    assert by_tricks(contract, "3-4-2") == ("codille", [2 * codille, -codille, -codille])


@pytest.mark.parametrize("contract", NOLOS)
def test_a_nolo_is_won_without_a_trick(contract: str) -> None:
    won, bete, codille = TABLE[contract]
    assert by_tricks(contract, "0-4-5") == ("won", [2 * won, -won, -won])
    assert by_tricks(contract, "2-4-3") == ("codille", [2 * codille, -codille, -codille])
    if bete is None:
        assert by_tricks(contract, "1-4-4") == ("codille", [2 * codille, -codille, -codille])
    else:
        assert by_tricks(contract, "1-4-4") == ("bete", [2 * bete, -bete, -bete])


def test_simple_nolo_kodille_is_flat() -> None:
    assert by_tricks("simple-nolo", "5-2-2") == ("codille", [-6, 3, 3])


@pytest.mark.parametrize(
    ("declarer", "payments"), [("F", [6, -3, -3]), ("M", [-3, 6, -3]), ("B", [-3, -3, 6])]
)
def test_both_opponents_pay_the_declarer(declarer: str, payments: list[int]) -> None:
    tricks = {"F": "5-2-2", "M": "2-5-2", "B": "2-2-5"}[declarer]
    assert by_tricks("solo", tricks, declarer) == ("won", payments)


@pytest.mark.parametrize(
    ("tricks", "outcome"),
    [
        ("9-0-0", "won"),
        ("5-4-0", "won"),
        ("5-2-2", "won"),
        ("4-3-2", "won"),
        ("4-2-3", "won"),
        ("4-4-1", "bete"),
        ("4-1-4", "bete"),
        ("3-3-3", "bete"),
        ("1-4-4", "bete"),  # remis en quatre
        ("4-5-0", "codille"),
        ("4-0-5", "codille"),
        ("3-4-2", "codille"),
        ("2-4-3", "codille"),
        ("0-5-4", "codille"),
        ("0-0-9", "codille"),
        ("2-5-2", "codille"),
    ],
)
def test_what_the_tricks_make_of_a_game(tricks: str, outcome: str) -> None:
    assert by_tricks("simple", tricks)[0] == outcome


def test_every_division_of_nine_tricks_has_one_outcome() -> None:
    for mine in range(10):
        for first in range(10 - mine):
            second = 9 - mine - first
            most = max(first, second)
            expected = "won" if mine > most else "bete" if mine == most else "codille"
            if (mine, first, second) == (1, 4, 4):
                expected = "bete"
            assert by_tricks("solo", f"{mine}-{first}-{second}")[0] == expected
            assert by_tricks("solo", f"{first}-{mine}-{second}", "M")[0] == expected


def test_one_who_sits_out_neither_pays_nor_receives() -> None:
    players = {F: "Anna", M: "Bo", B: "Carl", "sitting_out": ["Dora"]}
    result = score_after([*opened(players=players), slip("F", "solo", "5-2-2")])
    assert result["payments"] == {F: 6, M: -3, B: -3}


def test_every_chip_has_its_reason() -> None:
    result = score_after([*opened(), slip("F", "solo", "5-2-2")])
    assert [(item["each"], item["rule"]) for item in result["items"]] == [(3, "7. Payments")]
    assert "solo" in result["items"][0]["label"]


# --- Decided ----------------------------------------------------------------------------------


def solo() -> list[Event]:
    return opened() + said("F solo, M pass, B pass") + named("F", "solo", "H") + stands("M B")


def test_nothing_is_decided_before_the_contract() -> None:
    for words in ("", "F simple", "F simple, M pass, B pass"):
        result = score_after(opened() + said(words))
        assert (result["decided"], result["outcome"], result["payments"]) == (False, None, None)
        assert result["reachable"] == {}


def test_the_declarer_is_known_once_the_auction_is_over() -> None:
    assert score_after(opened() + said("F simple, M pass"))["declarer"] is None
    assert score_after(opened() + said("F simple, M pass, B pass"))["declarer"] == F


def test_until_it_is_decided_everything_still_open_has_its_price() -> None:
    result = score_after(solo())
    assert result["reachable"] == {
        "won": {F: 6, M: -3, B: -3},
        "bete": {F: -6, M: 3, B: 3},
        "codille": {F: -8, M: 4, B: 4},
    }


@pytest.mark.parametrize(
    ("winners", "reachable"),
    [
        ("FFF", {"won", "bete", "codille"}),
        ("FFFF", {"won", "bete", "codille"}),
        ("FFFFF", {"won"}),
        ("FFFFM", {"won", "bete", "codille"}),
        ("FFFFMMBB", {"won"}),  # 4-2-2: whoever takes the last one
        ("FFFFMMM", {"won", "bete", "codille"}),
        ("FFFFMMMM", {"won", "bete", "codille"}),
        ("MMMMM", {"codille"}),
        ("MMMMBBBB", {"bete", "codille"}),  # remis en quatre is still open
        ("MMMMBBB", {"bete", "codille"}),
        ("MMMMFBB", {"bete", "codille"}),
        ("FFMMMBB", {"won", "bete", "codille"}),
        ("FFFMMMBB", {"won", "bete", "codille"}),
        ("MMMMFBBB", {"bete", "codille"}),
        ("MMMMFFBB", {"codille"}),
        ("FMMMMBBBB", {"bete"}),
    ],
)
def test_what_the_tricks_so_far_leave_open(winners: str, reachable: set[str]) -> None:
    result = score_after(solo() + tricks(winners))
    if len(reachable) == 1:
        assert (result["decided"], {result["outcome"]}) == (True, reachable)
    else:
        assert not result["decided"]
        assert set(result["reachable"]) == reachable


def test_a_nolo_is_decided_when_it_cannot_be_saved_or_lost_any_more() -> None:
    def pure(winners: str) -> dict[str, object]:
        events = opened() + said("F pure-nolo, M pass, B pass") + named("F", "pure-nolo")
        return score_after(events + plays(winners))

    assert not pure("F-D2 M-D3 B-DK")["decided"]
    assert set(pure("F-DK M-D3 B-D2")["reachable"]) == {"bete", "codille"}  # type: ignore[call-overload]
    assert pure("F-DK M-D3 B-D2 F-CK M-C2 B-C3")["outcome"] == "codille"


def test_simple_nolo_kodille_is_decided_although_it_is_played_out() -> None:
    events = opened() + said("F simple-nolo, M pass, B pass") + named("F", "simple-nolo")
    events += swap("F", "??", "??") + plays("F-DK M-D3 B-D2 F-CK M-C2 B-C3")
    assert paid(events) == ("codille", [-6, 3, 3])


def test_notes_and_irregularities_pay_nothing() -> None:
    events = solo() + tricks("FFFFF")
    irregularity = {"type": "irregularity_noted", "seat": M, "kind": "talking"}
    assert score_after([*events, note("!"), irregularity]) == score_after(events)


GRADED = book_of([replace(DLU, tariff=(*DLU.tariff, ("simple-nolo", Tariff(1, 1, (3, 4, 5, 6)))))])
"""The house rule of the other Danish table: a simple-nolo kodille costs more with every trick, up to five."""


def lost_nolo(kings: str) -> list[Event]:
    events = opened() + said("F simple-nolo, M pass, B pass") + named("F", "simple-nolo")
    words = " ".join(f"F-{suit}K M-{suit}2 B-{suit}3" for suit in kings)
    return events + swap("F", "??", "??") + plays(words)


@pytest.mark.parametrize(("count", "each"), [("2-4-3", -3), ("3-3-3", -4), ("5-2-2", -6), ("9-0-0", -6)])
def test_a_graded_kodille_costs_by_its_tricks(count: str, each: int) -> None:
    events = [*opened(), slip("F", "simple-nolo", count)]
    assert paid(events, GRADED) == ("codille", [2 * each, -each, -each])


def test_a_graded_kodille_is_not_decided_while_it_can_cost_more() -> None:
    assert not score_after(lost_nolo("DC"), GRADED)["decided"]
