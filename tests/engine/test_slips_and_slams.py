"""Slips that tell of all nine tricks, and tries for them that are announced before the game is won."""

from typing import Any

import pytest

from tests.support.engine.answers import asked, findings, payment
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    answered,
    claimed,
    named,
    note,
    opened,
    plays,
    said,
    score_after,
    slip,
    stands,
    swap,
)

HANDS = ("SA S2 CA SK C2 C3 D7 D6 H7", "SQ SJ S7 CK CQ DK HK H2 H3", "S3 S4 S5 CJ C7 DQ DJ HQ HJ")
ANNOUNCED: Event = {"type": "slam_announced", "seat": F}
FOUR = "F-SA M-S7 B-S3 F-S2 M-SJ B-S4 F-CA M-SQ B-S5 F-SK M-HK B-DJ "
"""The declarer wins the first four tricks …"""
LOST = "F-C2 M-CK B-C7 "
"""… and loses the fifth."""
WON = FOUR + LOST + "M-H2 B-HQ F-H7 B-CJ F-C3 M-CQ M-DK B-DQ F-D6 M-H3 B-HJ F-D7"
BETE = FOUR[:-15] + "F-SK M-H3 B-HJ " + LOST + "M-CQ B-CJ F-C3 M-H2 B-HQ F-H7 B-DJ F-D6 M-DK M-HK B-DQ F-D7"


def game(ruleset: str, words: str = "", *, announced: bool = True) -> list[Event]:
    """A spade game, nobody exchanging, with these cards."""
    deal = opened(*HANDS, ruleset=ruleset) + said("F spade-game, M pass, B pass")
    return deal + named("F", "spade-game", "S") + [ANNOUNCED] * announced + stands() + plays(words)


def of_slip(ruleset: str = "la-bete", **told: Any) -> list[Event]:
    return [*opened(ruleset=ruleset), slip("F", "simple", trump="H", **told)]


def with_slam(events: list[Event]) -> str:
    """What it pays, and what became of the slam."""
    return f"{payment(events)} {score_after(events)['slam'] or '-'}"


# --- Announced ------------------------------------------------------------------------------------


def test_an_announced_slam_leaves_the_game_open() -> None:
    reachable = score_after(game("la-bete"))["reachable"]
    assert {name: [*chips.values()] for name, chips in reachable.items()} == {
        "slam_made": [4, -2, -2], "slam_failed": [0, 0, 0], "bete": [-2, 1, 1], "codille": [-4, 2, 2],
    }  # fmt: skip
    assert sorted(score_after(game("la-bete", FOUR + LOST))["reachable"]) == [
        "bete",
        "codille",
        "slam_failed",
    ]
    assert score_after([*game("la-bete"), note("Bold!")]) == score_after(game("la-bete"))


@pytest.mark.parametrize("ruleset", ["gamerules", "clockwise", "dlu"])
def test_an_announcement_that_is_not_allowed_changes_nothing(ruleset: str) -> None:
    assert "slam_not_allowed" in findings(game(ruleset))
    assert sorted(score_after(game(ruleset))["reachable"]) == ["bete", "codille", "won"]


def test_all_nine_are_announced_once() -> None:
    events = [*game("la-bete"), ANNOUNCED]
    assert (findings(events), asked(events, "slam")) == ("slam_not_allowed", "")


GRANTED = [claimed("F", 9, 0, 0), *answered("M accept, B accept")]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (game("la-bete", WON), "won 0 0 0 failed"),
        (game("la-bete", BETE), "bete -2 1 1 -"),  # as it would without
        ([*game("la-bete", FOUR, announced=False), *GRANTED], "won 4 -2 -2 made"),
        # Slips
        (of_slip(tricks="9-0-0"), "won 4 -2 -2 made"),
        (of_slip(outcome="bete", slam="failed"), "bete -2 1 1 -"),
        ([*opened(ruleset="la-bete"), slip("F", "simple", outcome="abandoned")], "abandoned -2 1 1 -"),
        ([*opened(ruleset="la-bete"), slip("F", "solo", outcome="abandoned")], "open -"),
        ([*opened(ruleset="la-bete"), slip("F", "simple-nolo", outcome="codille")], "open -"),
        ([*opened(ruleset="la-bete"), slip("F", "simple-nolo", "3-3-3")], "codille -8 4 4 -"),
        ([*of_slip(outcome="won"), {"type": "ruling_made", "text": "", "outcome": "bete"}], "bete -2 1 1 -"),
    ],
)
def test_what_a_game_pays_of_which_all_nine_were_tried(events: list[Event], expected: str) -> None:
    assert with_slam(events) == expected


def vole(*told: Event) -> list[Event]:
    deal = opened(ruleset="ombre", pool=20, switches={"vole-challenge": True})
    return [*deal, *said("F vole, M pass, B pass"), *named("F", "solo", "H"), *told]


@pytest.mark.parametrize(
    ("told", "expected", "after"),
    [
        (slip(slam="made"), "won 80 -30 -30 made", 0),
        (slip(tricks="6-2-1"), "won -40 30 30 failed", 0),
        (slip(outcome="bete"), "bete -60 30 30 failed", 20),
        (slip(tricks="3-1-0"), "bete -60 30 30 failed", 20),
    ],
)
def test_a_vole_challenged_in_the_auction_by_a_slip(told: Event, expected: str, after: int) -> None:
    assert with_slam(vole(told)) == expected
    assert score_after(vole(told))["pool"] == {"before": 20, "after": after, "reserved": []}


def test_what_a_slip_leaves_open() -> None:
    score = score_after(vole(slip(outcome="won")))
    assert not score["decided"] and sorted(score["reachable"]) == ["slam_failed", "slam_made"]
    nolo = score_after([*opened(ruleset="la-bete"), slip("F", "simple-nolo", outcome="codille")])
    assert nolo["reachable"] == {"codille": {F: None, M: None, B: None}}


COUNTERVOLE = opened(ruleset="ombre", pool=10, switches={"countervole": True})
OMBRE = opened(ruleset="ombre", pool=20) + said("F play, M pass, B pass") + named("F", "play", "S")
RESERVED: Event = {"type": "puesta_reserved", "seat": F}


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (of_slip(outcome="bete", slam="failed"), ""),
        (of_slip("gamerules", outcome="bete", slam="failed"), "result_mismatch"),
        (of_slip(outcome="codille", slam="made"), "result_mismatch"),
        ([*opened(ruleset="la-bete"), slip("F", "solo", outcome="abandoned")], "abandon_not_allowed"),
        ([*of_slip(outcome="won"), {"type": "ruling_made", "text": "", "outcome": "bete"}], ""),
        (vole(slip(outcome="codille")), "result_mismatch"),
        (
            [*COUNTERVOLE, slip("F", "countervole", trump="S", outcome="won", primeras=True)],
            "result_mismatch",
        ),
        ([*OMBRE[:1], slip("F", "play", "5-4-0", estuches=0), RESERVED], "reserve_not_allowed"),
        ([*OMBRE[:1], slip("F", "play", "3-4-2", estuches=0), RESERVED], "reserve_not_allowed"),
    ],
)
def test_what_is_found_of_slams_and_puestas(events: list[Event], expected: str) -> None:
    assert findings(events) == expected


# --- Rulings --------------------------------------------------------------------------------------


def ruled(**decision: Any) -> Event:
    return {"type": "ruling_made", "text": "So be it.", **decision}


def test_a_ruling_without_the_cards_leaves_the_extras_open_and_pays_out_of_the_pool() -> None:
    won = score_after([*OMBRE, ruled(outcome="won")])
    assert won["reachable"] == {"won": {F: None, M: None, B: None}}
    half = score_after([*OMBRE, ruled(payments={F: 10})])
    assert half["pool"] == {"before": 20, "after": 10, "reserved": []}


def test_the_parts_of_a_forbidden_surrender_are_told_also_of_a_ruling() -> None:
    events = [
        *OMBRE, *swap("F"), {"type": "surrender_offered", "seat": F},
        {"type": "surrender_answered", "seat": M, "answer": "forbid"},
    ]  # fmt: skip
    first, second = score_after([*events, ruled(outcome="won")])["parts"]
    assert (first["declarer"], first["outcome"], second["outcome"]) == (F, "codille", "won")
    parts = score_after([*events, ruled(payments={F: 0})])["parts"]
    assert [one["payments"] for one in parts] == [None, None]
