"""Figures of players: counted from a ledger's lines, and added up over evenings."""

import random

import pytest

from engine.core.cards import FOREHAND
from engine.core.events import DealVoided, HandTakenOver
from engine.core.table_events import PlayerJoined, PlayerLeft
from engine.rulesets import PUBLISHED
from engine.tables import Figures, Games, figures_of, together
from tests.support.engine.dealt import codes, dealers, evening_of, result, tell
from tests.support.engine.evenings import Evening

RULESETS = sorted(rules.ruleset.id for rules in PUBLISHED)


def by_name(evening: Evening) -> dict[str, Figures]:
    return {one.player: one for one in figures_of(evening.ledger())}


def test_what_each_did_is_counted() -> None:
    deals = ("won F solo", "bete F solo", "passed_out", DealVoided("a card too many"), ())
    told = by_name(evening_of(*deals, players=4))  # Dora deals first, and Bo sits opposite
    anna = told["Anna"]
    assert (anna.played, anna.sat_out, anna.declared, anna.won, anna.bete, anna.codille) == (3, 0, 1, 1, 0, 0)
    assert anna.contracts == (Games("solo", 1, 1, 0, 0, 6),)
    assert told["Bo"].contracts == (Games("solo", 1, 0, 1, 0, -6),)
    assert [sum(getattr(one, name) for one in told.values()) for name in ("played", "sat_out")] == [9, 3]


def test_a_hand_taken_over_counts_for_who_plays_it() -> None:
    taken = (HandTakenOver(FOREHAND, "Bo"), result("codille F solo"))
    told = by_name(evening_of(taken, players=4))
    assert (told["Bo"].played, told["Bo"].codille) == (1, 1)
    assert (told["Anna"].played, told["Anna"].sat_out) == (0, 1)


def test_a_player_who_leaves_keeps_figures_and_one_who_comes_moves_no_dealer() -> None:
    evening = evening_of("won F solo", PlayerLeft("Anna"), players=4)
    assert "Anna" not in evening.ledger().players
    assert by_name(evening)["Anna"] == Figures("Anna", 1, 0, (Games("solo", 1, 1, 0, 0, 6),), 6)
    evening = evening_of(PlayerJoined("Dora"))
    assert (dealers(evening), evening.opening().players.sitting_out) == ("Carl", ("Anna",))
    tell(evening, "passed_out", PlayerJoined("Else", place=1))
    assert codes(evening) == ""


@pytest.mark.parametrize("ruleset", RULESETS)
def test_figures_add_up_over_evenings(ruleset: str) -> None:
    rng = random.Random(3)
    evenings = [Evening(ruleset, players) for players in (3, 4, 5)]
    for evening in evenings:
        for _ in range(3):
            evening.play_randomly(rng)
    ledgers = [evening.ledger() for evening in evenings]
    added = together(one for ledger in ledgers for one in figures_of(ledger))
    totals = {one.player: sum(dict(ledger.totals).get(one.player, 0) for ledger in ledgers) for one in added}
    assert {one.player: one.chips for one in added} == totals
    lines = [line for ledger in ledgers for line in ledger.lines]
    played = [line for line in lines if line.outcome not in (None, "voided")]
    assert sum(one.played for one in added) == 3 * len(played)
    declared = [line for line in played if line.declarer and line.contract]
    assert sum(one.declared for one in added) == len(declared)
    for ending in ("won", "bete", "codille"):
        assert sum(getattr(one, ending) for one in added) == sum(one.outcome == ending for one in declared)
    chips = sum(dict(line.chips).get(line.declarer or "", 0) for line in declared)
    assert sum(games.chips for one in added for games in one.contracts) == chips
