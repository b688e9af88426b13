"""What a director's payments cannot be, and other entries that used to pass in silence (RULES 2, 9)."""

import pytest

from tests.support.engine.shorthand import Event, Json, audited, found, named, opened, said

SIMPLE = [*said("F simple, M pass, B pass"), *named("F", "simple", "H")]


def ruled(**payments: int) -> Event:
    return {"type": "ruling_made", "text": "as it was", "payments": payments}


@pytest.mark.parametrize(
    ("payments", "told"),
    [
        ({"Anna": -3, "Bo": 3}, []),
        ({"forehand": -3, "middlehand": 1, "Carl": 2}, []),
        ({"Anna": -3, "Bo": 1}, ["settlement_mismatch"]),
        ({"Anna": -3, "Zed": 3}, ["settlement_mismatch"]),
        ({"Anna": -3, "forehand": 1, "Bo": 2}, ["settlement_mismatch"]),
    ],
)
def test_what_a_ruling_pays_without_a_pool(payments: Json, told: list[str]) -> None:
    events = [*opened(), *SIMPLE, ruled(**payments)]
    assert found(events) == [(len(events), code) for code in told]


@pytest.mark.parametrize(("most", "told"), [(30, []), (31, ["pool_mismatch"])])
def test_a_ruling_takes_no_more_than_lies_in_the_pool(most: int, told: list[str]) -> None:
    events = [*opened(ruleset="ombre", pool=10, reserved=[20]), ruled(Anna=most)]
    assert found(events) == [(2, code) for code in told]
    assert found([*opened(ruleset="ombre"), ruled(Anna=most)]) == []


def test_a_player_is_in_a_deal_once() -> None:
    four = {"sitting_out": ["Anna"]}
    assert found(opened(players=four)) == [(1, "seating_mismatch")]
    two = {"middlehand": "Anna"}
    assert found(opened(players=two)) == [(1, "seating_mismatch")]
    assert found(opened(players={"sitting_out": ["Dora", "Else"]})) == []


def test_a_switch_said_twice_counts_as_said_first() -> None:
    first, second = {"sitter_pays": True}, {"sitter-pays": False}
    for switches in (first | second, second | first):
        told = audited(opened(switches=switches)).findings
        assert [one.code for one in told if one.severity != "info"] == ["unknown_switch"]
        assert any("said twice" in one.message for one in told)
    assert found(opened(switches={"sitter_pays": True, "sitter-pays": True})) == []


def test_all_nine_are_announced_once() -> None:
    slam = {"type": "slam_announced", "seat": "forehand"}
    events = [*opened(ruleset="la-bete"), *SIMPLE, slam, slam]
    assert found(events) == [(7, "slam_not_allowed")]
