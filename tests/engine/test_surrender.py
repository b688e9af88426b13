"""Surrender in Ombre: accepted, forbidden, and what the first and the new Ombre pay (RULES 8)."""

import pytest

from tests.support.engine.answers import asked, findings, payment, turn
from tests.support.engine.ombre import ombre
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    opened,
    plays,
    score_after,
    slip,
    state_after,
    swap,
    tricks,
)

FOUR = {"sitting_out": ["Dora"]}


def offered(seat: str = F) -> Event:
    return {"type": "surrender_offered", "seat": seat}


def answer(seat: str, word: str) -> Event:
    return {"type": "surrender_answered", "seat": seat, "answer": word}


def game(winners: str = "", *more: Event, players: dict[str, list[str]] | None = None) -> list[Event]:
    """Forehand plays in hearts; ten fish in the pool; these tricks have been won."""
    return [*ombre(hand="", players=players or {}), *tricks(winners), *more]


FORBIDDEN = [offered(), answer(M, "forbid")]
ACCEPTED = [offered(), answer(M, "accept"), answer(B, "accept")]
BEGUN = [*game("FMB"), *plays("B-SJ")]
"""The fourth trick is begun."""


def taken(earlier: str, later: str, players: dict[str, list[str]] | None = None) -> list[Event]:
    """After ``earlier`` tricks middlehand forbids the surrender, and wins or loses the ``later`` ones."""
    return game(earlier, *FORBIDDEN, *tricks(earlier + later)[3 * len(earlier) :], players=players)


TWINS = taken("FFM", "FFMMMB")

FOUND: dict[str, tuple[list[Event], str]] = {
    "before a trick": (game("", offered()), ""),
    "after one": (game("F", offered()), ""),
    "after two": (game("FM", offered()), ""),
    "after three": (game("FMB", offered()), ""),
    "in the fourth": ([*BEGUN, offered()], "abandon_not_allowed"),
    "before the exchange": ([*game()[:-3], offered()], "abandon_not_allowed"),
    "after its own exchange": ([*game()[:-3], *swap("F", "?? ??", "?? ??"), offered()], ""),
    "by a defender": (game("", offered(M)), "abandon_not_allowed"),
    "twice": (game("", offered(), offered()), "abandon_not_allowed"),
    "answered without an offer": (game("", answer(M, "accept")), "wrong_phase"),
    "answered by who offers": (game("", offered(), answer(F, "accept")), "wrong_seat"),
    "by the new ombre": (game("", *FORBIDDEN, offered(M)), "abandon_not_allowed"),
    "answered when forbidden": (game("", *FORBIDDEN, answer(B, "accept")), "wrong_phase"),
    "accepted": (game("MB", *ACCEPTED), ""),
    "the new ombre wins": (taken("MM", "MMM"), ""),
    "twins set aside": ([*TWINS, {"type": "puesta_reserved", "seat": M}], ""),
    "under rules that know none": ([*opened(), offered()], "abandon_not_allowed"),
}


@pytest.mark.parametrize("name", FOUND)
def test_when_a_surrender_is_allowed(name: str) -> None:
    events, expected = FOUND[name]
    assert findings(events) == expected
    if events[-1] == offered():
        assert asked(events[:-1], "surrender") == ("" if expected else "F")


def test_the_others_are_asked() -> None:
    assert asked(game("", offered()), "answer") == "B M"
    assert state_after(game("", *ACCEPTED[:2]))["surrender"] == {
        "seat": F, "accepted": [M], "forbidden_by": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("events", "pays", "after"),
    [
        (game("MB", *ACCEPTED), "bete -20 0 0", 30),
        (game("MMBB", *ACCEPTED), "bete -20 0 0", 30),  # too late, but the table took it
        # The first pays the new ombre 20; the pool, 10, and the base, 5 from backhand, come to it
        (taken("MM", "MMM"), "won -20 35 -5", 0),
        (taken("MMM", "MM"), "won -20 35 -5", 0),  # no primeras, and no try for the vole
        (game("", *FORBIDDEN, slip("M", tricks="2-5-2")), "won -20 35 -5", 0),
        (TWINS, "bete -20 -20 0", 50),
        ([*TWINS, {"type": "puesta_reserved", "seat": M}], "bete -20 -20 0", 10),
    ],
    ids=["accepted", "late", "won", "won in a row", "on a slip", "twins", "twins set aside"],
)
def test_what_a_surrender_pays(events: list[Event], pays: str, after: int) -> None:
    assert (payment(events), turn(events)) == (pays, "over")
    reserved = [40] if after == 10 else []
    assert score_after(events)["pool"] == {"before": 10, "after": after, "reserved": reserved}


@pytest.mark.parametrize(
    ("events", "chips"),
    [
        (game("", *ACCEPTED, players=FOUR), {F: -25, M: 0, B: 0, "Dora": 0}),
        (taken("MM", "MMM", FOUR), {F: -25, M: 45, B: -5, "Dora": -5}),
    ],
)
def test_with_four_at_the_table_it_is_paid_for_the_sitter_too(
    events: list[Event], chips: dict[str, int]
) -> None:
    assert score_after(events)["payments"] == chips


def test_who_forbids_it_becomes_ombre_in_the_same_contract() -> None:
    state = state_after(game("M", *FORBIDDEN))
    assert (state["declarer"], state["contract"], state["trump"]) == (M, "play", "H")
    assert state["tricks_won"] == {F: 0, M: 1, B: 0}
    assert state["to_act"] == M


def test_both_parts_are_told() -> None:
    first, second = score_after(taken("MM", "MMM"))["parts"]
    assert (first["declarer"], first["outcome"], first["payments"]) == (F, "codille", {F: -20, M: 20, B: 0})
    assert (second["declarer"], second["outcome"], second["payments"]) == (M, "won", {F: 0, M: 15, B: -5})
    assert [part["outcome"] for part in score_after(TWINS)["parts"]] == ["bete", "bete"]
    assert "parts" not in score_after(game("MB", *ACCEPTED))
    assert score_after(taken("MMM", "FFFMBB"))["tricks"] == {F: 3, M: 4, B: 2}


def test_what_the_new_ombre_pays_for_a_codille_nobody_says() -> None:
    deal = taken("MF", "FFFFBBB")
    assert (payment(deal), turn(deal)) == ("open", "over")
    assert score_after(deal)["payments"] is None
    assert score_after(deal)["reachable"] == {"codille": {F: None, M: None, B: None}}
