"""What corrections and withdrawals took away is told, with its place; and of a hidden hand nothing of it."""

import orjson
import pytest

from engine import PUBLIC, Viewer, audit, effective, in_seat, view
from engine.core.cards import BACKHAND, FOREHAND, MIDDLEHAND
from engine.play.mending import mendings
from schemas.answers.reports import replay_object
from schemas.wire.writer import entry_object
from service.records.points import point_of
from tests.support.engine.shorthand import Event, corrected, log_from, opened, said, withdrawn

BIDS = opened() + said("F simple, M pass, B pass")  # entries 1 to 4


def bid(words: str) -> Event:
    return said(words)[0]


def told(events: list[Event]) -> list[tuple[int | str, list[int | str], int | str | None, int]]:
    """Of each mending: its own entry, what it took away, where it belongs, how many entries stand before."""
    found = mendings(effective(log_from(events)))
    return [(one.entry.seq, [entry.seq for entry in one.before], one.at, one.begins) for one in found]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (BIDS, []),
        ([*BIDS, corrected([2], bid("F tourne"))], [(5, [2], "5.1", 1)]),
        ([*BIDS, corrected([2], bid("F tourne")), corrected(["5.1"], bid("F solo"))],
         [(5, [2], "6.1", 1), (6, ["5.1"], "6.1", 1)]),
        ([*BIDS, corrected([2], bid("F tourne")), corrected([5])], [(5, [2], 2, 1), (6, ["5.1"], 2, 1)]),
        ([*BIDS, corrected([2], bid("F tourne")), corrected([5]), corrected([2], bid("F solo"))],
         [(5, [2], "7.1", 1), (6, ["5.1"], "7.1", 1), (7, [2], "7.1", 1)]),
        ([*BIDS, corrected([3])], [(5, [3], 2, 2)]),
        ([*BIDS, corrected([1])], [(5, [1], None, 0)]),
        ([*BIDS, corrected([], bid("F pass"))], [(5, [], "5.1", 4)]),
        ([*BIDS, corrected([], *said("F pass, M pass"))], [(5, [], "5.2", 4)]),
        ([*BIDS, corrected([2, 3], *said("F tourne, M solo"))], [(5, [2, 3], "5.2", 1)]),
        ([*BIDS, corrected([3], *said("M tourne, M solo")), corrected(["5.2"], bid("M pass"))],
         [(5, [3], "6.1", 2), (6, ["5.2"], "6.1", 3)]),
        ([*BIDS, corrected([9])], []),
        ([*BIDS, withdrawn(4), bid("B tourne")], [(5, [4], 3, 3)]),
        ([*BIDS, withdrawn(9)], []),
        ([*BIDS, corrected([4], bid("B solo")), withdrawn(4)], [(5, [4], 3, 3), (6, ["5.1"], 3, 3)]),
    ],
    ids=[
        "nothing", "replaced", "bettered", "undone", "undone and replaced again", "taken out", "the first",
        "put in", "two put in", "two at once", "the second part", "of nothing", "taken back",
        "of nothing taken back", "taken back in a correction",
    ],
)  # fmt: skip
def test_a_mending_says_what_it_took_away_and_where(events: list[Event], expected: object) -> None:
    assert told(events) == expected


def test_a_long_row_of_corrections_is_told() -> None:
    first = corrected([2], bid("F tourne"))
    undoing = told([*BIDS, first, *(corrected([n]) for n in range(5, 3000))])
    assert undoing[:3] == [(5, [2], 2, 1), (6, ["5.1"], 2, 1), (7, [], 2, 1)]
    bettering = told([*BIDS, first, *(corrected([f"{n}.1"], bid("F solo")) for n in range(5, 3000))])
    assert bettering[-1] == (3000, ["2999.1"], "3000.1", 1)
    assert len(undoing) == len(bettering) == 2996


def test_what_is_mended_behind_the_point_that_is_looked_at_is_not_told_there() -> None:
    settled: Event = {"type": "deal_settled", "payments": {}}
    cut = point_of(log_from([*opened(), settled, withdrawn(1)]), 1).audit.history
    assert list(mendings(cut)) == []
    corrections = log_from([*BIDS, corrected([2], bid("F tourne")), corrected([4], bid("B solo"))])
    assert [one.entry.seq for one in mendings(point_of(corrections, 2).audit.history)] == [5]


HAND = ["SA", "SK", "S2", "H2", "H3", "C2", "C3", "D2", "D3"]
WRONG = {"type": "hand_dealt", "seat": "middlehand", "cards": HAND}
RIGHT = {"type": "hand_dealt", "seat": "forehand", "cards": HAND}


@pytest.mark.parametrize(
    "viewer", [PUBLIC, *map(in_seat, (FOREHAND, MIDDLEHAND, BACKHAND))], ids=["public", "f", "m", "b"]
)
def test_a_hand_entered_wrongly_is_told_to_nobody(viewer: Viewer) -> None:
    events = [*opened(), WRONG, corrected([2], RIGHT), {"type": "deal_abandoned", "seat": "forehand"}]
    for mending in mendings(effective(view(log_from(events), viewer))):
        assert [card for entry in mending.before for card in entry_object(entry)["cards"]] == ["??"] * 9
        assert not entry_object(mending.entry)["reason"]


def test_a_replay_tells_the_mendings_of_what_it_shows() -> None:
    log = log_from([*BIDS, corrected([3], bid("M solo"))])
    document = orjson.loads(orjson.dumps(replay_object(audit(log))))
    assert [one["at"] for one in document["mendings"]] == ["5.1"]
    assert document["mendings"][0]["before"][0]["bid"] == "pass"
