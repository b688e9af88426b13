"""Slips that tell of all nine tricks, and tries for them that are announced before the game is won."""

import pytest

from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    found,
    legal_after,
    named,
    note,
    opened,
    paid,
    said,
    score_after,
    slip,
)

HANDS = (
    "SA S2 CA SK C2 C3 D7 D6 H7",
    "SQ SJ S7 CK CQ DK HK H2 H3",
    "S3 S4 S5 CJ C7 DQ DJ HQ HJ",
)
ANNOUNCED = {"type": "slam_announced", "seat": F}
FOUR = ("F SA S7 S3", "F S2 SJ S4", "F CA SQ S5", "F SK HK DJ")
"""The declarer wins the first four tricks …"""
LOST = ("F C2 CK C7",)
"""… and loses the fifth."""


def codes(events: list[Event]) -> list[str]:
    return [code for _, code in found(events)]


def played(*tricks: str) -> list[Event]:
    events: list[Event] = []
    for trick in tricks:
        seat, *cards = trick.split()
        at = "FMB".index(seat)
        events += [
            {"type": "card_played", "seat": (F, M, B)[(at + step) % 3], "card": card}
            for step, card in enumerate(cards)
        ]
    return events


def announcing(ruleset: str, *tricks: str) -> list[Event]:
    """A spade game with all nine announced at once, nobody exchanging, and these tricks."""
    stand: list[Event] = [{"type": "cards_discarded", "seat": seat, "cards": []} for seat in (F, M, B)]
    return [
        *opened(*HANDS, ruleset=ruleset), *said("F spade-game, M pass, B pass"),
        *named("F", "spade-game", "S"), ANNOUNCED, *stand, *played(*tricks),
    ]  # fmt: skip


def test_an_announced_slam_leaves_the_game_open() -> None:
    reachable = score_after(announcing("la-bete"))["reachable"]
    assert {name: [*chips.values()] for name, chips in reachable.items()} == {
        "slam_made": [4, -2, -2], "slam_failed": [0, 0, 0], "bete": [-2, 1, 1], "codille": [-4, 2, 2],
    }  # fmt: skip


def test_a_trick_lost_costs_the_slam_where_the_game_is_won() -> None:
    reachable = score_after(announcing("la-bete", *FOUR, *LOST))["reachable"]
    assert sorted(reachable) == ["bete", "codille", "slam_failed"]
    won = announcing("la-bete", *FOUR, *LOST, "M H2 HQ H7", "B CJ C3 CQ", "M DK DQ D6", "M H3 HJ D7")
    score = score_after(won)
    assert score["tricks"] == {F: 4, M: 3, B: 2}
    assert (score["outcome"], score["slam"], [*score["payments"].values()]) == ("won", "failed", [0, 0, 0])


def test_a_game_lost_after_an_announced_slam_pays_as_it_would_without() -> None:
    lost = announcing(
        "la-bete", *FOUR[:3], "F SK H3 HJ", *LOST, "M CQ CJ C3", "M H2 HQ H7", "B DJ D6 DK", "M HK DQ D7"
    )
    score = score_after(lost)
    assert (score["outcome"], score["slam"], [*score["payments"].values()]) == ("bete", None, [-2, 1, 1])


@pytest.mark.parametrize("ruleset", ["gamerules", "clockwise", "dlu"])
def test_an_announcement_that_is_not_allowed_changes_nothing(ruleset: str) -> None:
    events = announcing(ruleset)
    assert "slam_not_allowed" in codes(events)
    assert sorted(score_after(events)["reachable"]) == ["bete", "codille", "won"]


def test_all_nine_are_announced_once() -> None:
    events = [*announcing("la-bete"), ANNOUNCED]
    assert found(events) == [(len(events), "slam_not_allowed")]
    assert "slam" not in [one["action"] for one in (legal_after(events) or {}).get("also", [])]


# --- Slips ----------------------------------------------------------------------------------------


def of_slip(ruleset: str = "la-bete", **told: object) -> list[Event]:
    event: Event = {"type": "result_recorded", "declarer": F, "contract": "simple", "trump": "H", **told}
    return [*opened(ruleset=ruleset), event]


def test_a_slip_of_nine_tricks_is_all_nine() -> None:
    score = score_after(of_slip(tricks={F: 9, M: 0, B: 0}))
    assert (score["slam"], [*score["payments"].values()]) == ("made", [4, -2, -2])


def test_a_game_lost_pays_no_slam_whatever_the_slip_says_of_it() -> None:
    events = of_slip(outcome="bete", slam="failed")
    assert paid(events) == ("bete", [-2, 1, 1]) and found(events) == []
    late = of_slip("gamerules", outcome="bete", slam="failed")
    assert codes(late) == ["result_mismatch"]


def test_a_slam_made_and_a_game_lost_contradict_each_other() -> None:
    assert codes(of_slip(outcome="codille", slam="made")) == ["result_mismatch"]


def test_nine_tricks_claimed_and_granted_are_all_nine() -> None:
    events = [
        *announcing("la-bete")[:-4], *played(*FOUR),
        {"type": "tricks_claimed", "seat": F, "tricks": {F: 9, M: 0, B: 0}},
        {"type": "claim_answered", "seat": M, "answer": "accept"},
        {"type": "claim_answered", "seat": B, "answer": "accept"},
    ]  # fmt: skip
    score = score_after([one for one in events if one is not ANNOUNCED])
    assert (score["slam"], [*score["payments"].values()]) == ("made", [4, -2, -2])


@pytest.mark.parametrize(
    ("told", "outcome", "slam", "chips", "after"),
    [
        ({"tricks": {F: 9, M: 0, B: 0}}, "won", "made", [80, -30, -30], 0),
        ({"slam": "made"}, "won", "made", [80, -30, -30], 0),
        ({"outcome": "won", "slam": "failed"}, "won", "failed", [-40, 30, 30], 0),
        ({"tricks": {F: 6, M: 2, B: 1}}, "won", "failed", [-40, 30, 30], 0),
        ({"outcome": "bete", "slam": "failed"}, "bete", "failed", [-60, 30, 30], 20),
        ({"outcome": "bete"}, "bete", "failed", [-60, 30, 30], 20),
        ({"tricks": {F: 3, M: 1, B: 0}}, "bete", "failed", [-60, 30, 30], 20),
    ],
)
def test_a_vole_challenged_in_the_auction_by_a_slip(
    told: dict[str, object], outcome: str, slam: str, chips: list[int], after: int
) -> None:
    score = score_after([*vole(), {"type": "result_recorded", **told}])
    assert (score["outcome"], score["slam"], [*score["payments"].values()]) == (outcome, slam, chips)
    assert score["pool"] == {"before": 20, "after": after, "reserved": []}


def vole() -> list[Event]:
    return [
        *opened(ruleset="ombre", pool=20, switches={"vole-challenge": True}),
        *said("F vole, M pass, B pass"),
        *named("F", "solo", "H"),
    ]


def test_a_vole_said_to_be_won_leaves_open_whether_it_was_made() -> None:
    score = score_after([*vole(), {"type": "result_recorded", "outcome": "won"}])
    assert not score["decided"] and sorted(score["reachable"]) == ["slam_failed", "slam_made"]
    assert "result_mismatch" in codes([*vole(), {"type": "result_recorded", "outcome": "codille"}])


def test_countervole_pays_no_primeras() -> None:
    events = [
        *opened(ruleset="ombre", pool=10, switches={"countervole": True}),
        slip("F", "countervole", trump="S", outcome="won", primeras=True),
    ]
    assert paid(events) == ("won", [20, -5, -5])
    assert codes(events) == ["result_mismatch"]


@pytest.mark.parametrize("ruleset", ["la-bete", "five-matadors"])
def test_a_kodille_of_nolo_is_paid_by_its_tricks(ruleset: str) -> None:
    without = [*opened(ruleset=ruleset), slip("F", "simple-nolo", outcome="codille")]
    score = score_after(without)
    assert not score["decided"] and score["reachable"] == {"codille": {F: None, M: None, B: None}}
    counted = [*opened(ruleset=ruleset), slip("F", "simple-nolo", "3-3-3")]
    assert paid(counted)[0] == "codille"


def test_tricks_that_can_only_come_out_one_way_decide() -> None:
    events = [*opened(ruleset="ombre", pool=5), slip("F", "play", "2-5-?")]
    assert paid(events)[0] == "codille"


def test_tricks_that_can_come_out_two_ways_leave_these_two() -> None:
    score = score_after([*opened(), slip("F", "simple", "4-?-?")])
    assert sorted(score["reachable"]) == ["bete", "codille", "won"]
    score = score_after([*opened(), slip("F", "simple", "3-?-?")])
    assert sorted(score["reachable"]) == ["bete", "codille"]


def test_a_slip_of_what_nobody_may_give_up_stays_open() -> None:
    events = [*opened(ruleset="la-bete"), slip("F", "solo", outcome="abandoned")]
    assert not score_after(events)["decided"]
    assert "abandon_not_allowed" in codes(events)
    assert paid([*opened(ruleset="la-bete"), slip("F", "simple", outcome="abandoned")])[0] == "abandoned"


# --- Rulings and puestas --------------------------------------------------------------------------


def test_a_slip_that_the_director_overrules_is_no_fault() -> None:
    events = [*of_slip(outcome="won"), {"type": "ruling_made", "text": "Revoke.", "outcome": "bete"}]
    assert found(events) == [] and paid(events)[0] == "bete"


def test_a_ruling_without_the_cards_leaves_the_extras_open() -> None:
    events = [
        *opened(ruleset="ombre", pool=5), *said("F play, M pass, B pass"), *named("F", "play", "S"),
        {"type": "ruling_made", "text": "He has won it.", "outcome": "won"},
    ]  # fmt: skip
    assert score_after(events)["reachable"] == {"won": {F: None, M: None, B: None}}


@pytest.mark.parametrize("outcome", ["won", "codille"])
def test_only_a_puesta_is_set_aside(outcome: str) -> None:
    events = [
        *opened(ruleset="ombre", pool=20),
        slip("F", "play", "5-4-0" if outcome == "won" else "3-4-2", estuches=0),
        {"type": "puesta_reserved", "seat": F},
    ]
    assert found(events) == [(len(events), "reserve_not_allowed")]


def test_the_parts_of_a_forbidden_surrender_are_told_also_of_a_ruling() -> None:
    events = [
        *opened(ruleset="ombre", pool=20), *said("F play, M pass, B pass"), *named("F", "play", "S"),
        {"type": "cards_discarded", "seat": F, "cards": []},
        {"type": "surrender_offered", "seat": F},
        {"type": "surrender_answered", "seat": M, "answer": "forbid"},
        {"type": "ruling_made", "text": "Bo has won.", "outcome": "won"},
    ]  # fmt: skip
    first, second = score_after(events)["parts"]
    assert (first["declarer"], first["outcome"], second["outcome"]) == (F, "codille", "won")
    ruled = [*events[:-1], {"type": "ruling_made", "text": "Nobody pays.", "payments": {F: 0}}]
    assert [one["payments"] for one in score_after(ruled)["parts"]] == [None, None]


def test_a_note_beside_a_slam_changes_nothing() -> None:
    assert score_after([*announcing("la-bete"), note("Bold!")]) == score_after(announcing("la-bete"))


def test_what_a_ruling_takes_comes_out_of_the_pool() -> None:
    events = [
        *opened(ruleset="ombre", pool=20), *said("F play, M pass, B pass"), *named("F", "play", "S"),
        {"type": "ruling_made", "text": "He takes half of it.", "payments": {F: 10}},
    ]  # fmt: skip
    assert score_after(events)["pool"] == {"before": 20, "after": 10, "reserved": []}
