"""Deals of which only the result was written down, alone or with cards; and announced tries for all nine."""

from typing import Any

import pytest

from tests.support.engine.answers import asked, findings, payment, turn
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    a_deal,
    answered,
    bids,
    claimed,
    gap,
    names,
    note,
    plays,
    ruled,
    score_after,
    slip,
    stands,
    state_after,
    swap,
    tricks,
)

CALLS = bids("F simple, M pass, B pass")
SOLO = a_deal() + bids("F solo, M pass, B pass") + names("F", "solo", "H") + stands("M B")
FIVE, SEVEN = tricks("FFFFF"), SOLO + tricks("FFFMMFF")


def of_slip(*told: Any, ruleset: str = "dlu", **more: Any) -> list[Event]:
    return [*a_deal(ruleset=ruleset), slip(*told, **more)]


def test_a_slip_is_a_finished_deal() -> None:
    events = of_slip("M", "solo", "3-4-2", trump="H")
    assert (findings(events), payment(events), turn(events)) == ("", "won -3 6 -3", "over")
    state = state_after(events)
    assert (state["phase"], state["to_act"], state["incomplete"]) == ("finished", None, True)
    assert (state["declarer"], state["contract"], state["trump"]) == (M, "solo", "H")


PAYS: dict[str, tuple[list[Event], str]] = {
    "no trick of a nolo": (of_slip("F", "pure-nolo", "0-?-?"), "won 8 -4 -4"),
    "two and five": (of_slip("F", "play", "2-5-?", ruleset="ombre"), "codille -10 10 0"),
    "four tricks": (of_slip("F", "simple", "4-?-?"), "open"),
    "three tricks": (of_slip("F", "simple", "3-?-?"), "open"),
    "the declarer alone": (of_slip("F"), "open"),
    "bids and result": (
        [*a_deal(), *bids("F simple, M solo, F pass, B pass"), slip(tricks="?-5-?", contract="solo")],
        "won -3 6 -3",
    ),
    "an ouvert bete, which cannot be": (of_slip("F", "nolo-ouvert", outcome="bete"), "open"),
    "two slips": ([*of_slip("F", "simple", "5-2-2"), slip("F", "simple", "4-4-1")], "bete -2 1 1"),
    "a nolo with all nine": (of_slip("F", "pure-nolo", "9-0-0", slam="made"), "codille -10 5 5"),
    # Beside cards
    "the rest of the tricks": ([*SOLO, *tricks("FFMM"), slip(outcome="bete", tricks="4-4-1")], "bete -6 3 3"),
    "a hidden last trick told": (
        [*SOLO, *tricks("FFFFMMMM"), *plays("M-?? B-?? F-??"), slip(outcome="won", tricks="5-4-0")],
        "won 6 -3 -3",
    ),
    "a slip before the cards": ([*of_slip("F", "solo", outcome="bete"), *SOLO[1:], *FIVE], "won 6 -3 -3"),
}


@pytest.mark.parametrize("name", PAYS)
def test_what_a_slip_pays(name: str) -> None:
    events, expected = PAYS[name]
    assert payment(events) == expected


def test_what_too_few_tricks_leave_open() -> None:
    assert sorted(score_after(PAYS["four tricks"][0])["reachable"]) == ["bete", "codille", "won"]
    assert sorted(score_after(PAYS["three tricks"][0])["reachable"]) == ["bete", "codille"]
    assert score_after(PAYS["the rest of the tricks"][0])["tricks"] == {F: 4, M: 4, B: 1}


def test_a_call_after_the_slip_opens_the_deal_again_and_a_note_does_not() -> None:
    events = of_slip("F", "simple", "5-2-2")
    assert (turn(events + bids("F simple")), findings(events + bids("F simple"))) == ("M bid", "")
    assert turn([*events, note("!")]) == "over"


OMBRE = {"ruleset": "ombre"}
LATE = [*a_deal(), gap(), *plays("F-D7 M-DK B-DJ"), *names("F", "solo", "H")]
"""The contract is written down when play has begun."""
FOUND: dict[str, tuple[list[Event], str]] = {
    "ten tricks": (of_slip("F", "simple", "5-3-2"), "result_mismatch"),
    "a nolo won with one": (of_slip("F", "pure-nolo", "1-4-4", outcome="won"), "result_mismatch"),
    "an ouvert bete with one": (of_slip("F", "nolo-ouvert", "1-4-4", outcome="bete"), "result_mismatch"),
    "an unknown contract": (of_slip("F", "oros", "5-2-2"), "contract_not_allowed"),
    "a slam unknown here": (of_slip("F", "simple", "9-0-0", slam="made"), "slam_not_allowed"),
    "spade-solo in hearts": (of_slip("F", "spade-solo", outcome="won", trump="H"), "contract_not_allowed"),
    "primeras of dlu": (of_slip("F", "simple", "5-4-0", primeras=True), "result_mismatch"),
    "primeras of four": (of_slip("F", "play", "4-3-2", primeras=True, **OMBRE), "result_mismatch"),
    # Beside the auction and the cards
    "another declarer than bid": ([*a_deal(), *CALLS, slip("M", "simple", "2-5-2")], "result_mismatch"),
    "all passed after a bid": ([*a_deal(), *CALLS, slip(outcome="passed_out")], "result_mismatch"),
    "as the cards": ([*SEVEN, slip("F", "solo", "5-2-0", trump="H", outcome="won")], ""),
    "another declarer": ([*SEVEN, slip("M", "solo", "5-2-0")], "result_mismatch"),
    "another outcome": ([*SEVEN, slip("F", "solo", outcome="bete")], "result_mismatch"),
    "too few of another's": ([*SEVEN, slip("F", "solo", "5-1-3")], "result_mismatch"),
    "other trumps than those named late": ([*LATE, slip("F", "solo", trump="D")], "result_mismatch"),
    "the trumps named late": ([*LATE, slip("F", "solo", trump="H")], ""),
    "the cards afterwards": ([*of_slip("F", "solo", outcome="won"), *SOLO[1:], *tricks("FFFFF")], ""),
    "other cards afterwards": (PAYS["a slip before the cards"][0], "2 result_mismatch"),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_of_a_slip(name: str) -> None:
    events, expected = FOUND[name]
    assert findings(events) == expected
    if events[: len(SEVEN)] == SEVEN:
        assert payment(events) == "won 6 -3 -3"  # the cards have it


HANDS = ("SA S2 CA SK C2 C3 D7 D6 H7", "SQ SJ S7 CK CQ DK HK H2 H3", "S3 S4 S5 CJ C7 DQ DJ HQ HJ")
NOLO = of_slip("F", "simple-nolo", ruleset="la-bete", outcome="codille")
ANNOUNCED: Event = {"type": "slam_announced", "seat": F}
FOUR = "F-SA M-S7 B-S3 F-S2 M-SJ B-S4 F-CA M-SQ B-S5 F-SK M-HK B-DJ "
"""The declarer wins the first four tricks …"""
LOST = "F-C2 M-CK B-C7 "
"""… and loses the fifth."""
WON = FOUR + LOST + "M-H2 B-HQ F-H7 B-CJ F-C3 M-CQ M-DK B-DQ F-D6 M-H3 B-HJ F-D7"
BETE = FOUR[:-15] + "F-SK M-H3 B-HJ " + LOST + "M-CQ B-CJ F-C3 M-H2 B-HQ F-H7 B-DJ F-D6 M-DK M-HK B-DQ F-D7"


def spade_game(ruleset: str, words: str = "", *, announced: bool = True) -> list[Event]:
    """A spade game, nobody exchanging, with these cards."""
    deal = a_deal(*HANDS, ruleset=ruleset) + bids("F spade-game, M pass, B pass")
    return deal + names("F", "spade-game", "S") + [ANNOUNCED] * announced + stands() + plays(words)


def simple(ruleset: str = "la-bete", **told: Any) -> list[Event]:
    return of_slip("F", "simple", ruleset=ruleset, trump="H", **told)


def with_slam(events: list[Event]) -> str:
    return f"{payment(events)} {score_after(events)['slam'] or '-'}"


def test_an_announced_slam_leaves_the_game_open() -> None:
    reachable = score_after(spade_game("la-bete"))["reachable"]
    assert {name: [*chips.values()] for name, chips in reachable.items()} == {
        "slam_made": [4, -2, -2], "slam_failed": [0, 0, 0], "bete": [-2, 1, 1], "codille": [-4, 2, 2],
    }  # fmt: skip
    lost = score_after(spade_game("la-bete", FOUR + LOST))["reachable"]
    assert sorted(lost) == ["bete", "codille", "slam_failed"]
    assert score_after([*spade_game("la-bete"), note("Bold!")]) == score_after(spade_game("la-bete"))
    twice = [*spade_game("la-bete"), ANNOUNCED]
    assert (findings(twice), asked(twice, "slam")) == ("slam_not_allowed", "")
    for ruleset in ("gamerules", "dlu"):
        assert "slam_not_allowed" in findings(spade_game(ruleset)), "it changes nothing"
        assert sorted(score_after(spade_game(ruleset))["reachable"]) == ["bete", "codille", "won"]


GRANTED = [claimed("F", 9, 0, 0), *answered("M accept, B accept")]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (spade_game("la-bete", WON), "won 0 0 0 failed"),
        (spade_game("la-bete", BETE), "bete -2 1 1 -"),  # as it would without
        ([*spade_game("la-bete", FOUR, announced=False), *GRANTED], "won 4 -2 -2 made"),
        # Slips
        (simple(tricks="9-0-0"), "won 4 -2 -2 made"),
        (simple(outcome="bete", slam="failed"), "bete -2 1 1 -"),
        (simple(outcome="abandoned"), "abandoned -2 1 1 -"),
        (of_slip("F", "solo", ruleset="la-bete", outcome="abandoned"), "open -"),
        (NOLO, "open -"),
        (of_slip("F", "simple-nolo", "3-3-3", ruleset="la-bete"), "codille -8 4 4 -"),
        ([*simple(outcome="won"), ruled(outcome="bete")], "bete -2 1 1 -"),
    ],
)
def test_what_a_game_pays_of_which_all_nine_were_tried(events: list[Event], expected: str) -> None:
    assert with_slam(events) == expected


def vole(*told: Event) -> list[Event]:
    deal = a_deal(ruleset="ombre", pool=20, switches={"vole-challenge": True})
    return [*deal, *bids("F vole, M pass, B pass"), *names("F", "solo", "H"), *told]


def test_a_vole_challenged_in_the_auction_by_a_slip() -> None:
    for told, expected, after in (
        (slip(slam="made"), "won 80 -30 -30 made", 0),
        (slip(tricks="6-2-1"), "won -40 30 30 failed", 0),
        (slip(outcome="bete"), "bete -60 30 30 failed", 20),
        (slip(tricks="3-1-0"), "bete -60 30 30 failed", 20),
    ):
        assert with_slam(vole(told)) == expected
        assert score_after(vole(told))["pool"] == {"before": 20, "after": after, "reserved": []}
    score = score_after(vole(slip(outcome="won")))
    assert not score["decided"] and sorted(score["reachable"]) == ["slam_failed", "slam_made"]


WITH_PRIMERAS = slip("F", "countervole", trump="S", outcome="won", primeras=True)
COUNTERVOLE = a_deal(ruleset="ombre", pool=10, switches={"countervole": True})
ROUND_A_POOL = a_deal(ruleset="ombre", pool=20) + bids("F play, M pass, B pass") + names("F", "play", "S")
RESERVED: Event = {"type": "puesta_reserved", "seat": F}


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (simple(outcome="bete", slam="failed"), ""),
        (simple("gamerules", outcome="bete", slam="failed"), "result_mismatch"),
        (simple(outcome="codille", slam="made"), "result_mismatch"),
        (of_slip("F", "solo", ruleset="la-bete", outcome="abandoned"), "abandon_not_allowed"),
        ([*simple(outcome="won"), ruled(outcome="bete")], ""),
        (vole(slip(outcome="codille")), "result_mismatch"),
        ([*COUNTERVOLE, WITH_PRIMERAS], "result_mismatch"),
        ([*ROUND_A_POOL[:1], slip("F", "play", "5-4-0", estuches=0), RESERVED], "reserve_not_allowed"),
        ([*ROUND_A_POOL[:1], slip("F", "play", "3-4-2", estuches=0), RESERVED], "reserve_not_allowed"),
    ],
)
def test_what_is_found_of_slams_and_puestas(events: list[Event], expected: str) -> None:
    assert findings(events) == expected


def test_extras_without_a_price_and_primeras_that_are_not_paid() -> None:
    assert score_after(NOLO)["reachable"] == {"codille": {F: None, M: None, B: None}}
    assert payment([*COUNTERVOLE, WITH_PRIMERAS]) == "won 20 -5 -5"


def test_a_ruling_without_the_cards_leaves_the_extras_open_and_pays_out_of_the_pool() -> None:
    won = score_after([*ROUND_A_POOL, ruled(outcome="won")])
    assert won["reachable"] == {"won": {F: None, M: None, B: None}}
    half = score_after([*ROUND_A_POOL, ruled(payments={F: 10})])
    assert half["pool"] == {"before": 20, "after": 10, "reserved": []}


def test_the_parts_of_a_forbidden_surrender_are_told_also_of_a_ruling() -> None:
    events = [
        *ROUND_A_POOL, *swap("F"), {"type": "surrender_offered", "seat": F},
        {"type": "surrender_answered", "seat": M, "answer": "forbid"},
    ]  # fmt: skip
    first, second = score_after([*events, ruled(outcome="won")])["parts"]
    assert (first["declarer"], first["outcome"], second["outcome"]) == (F, "codille", "won")
    parts = score_after([*events, ruled(payments={F: 0})])["parts"]
    assert [one["payments"] for one in parts] == [None, None]
