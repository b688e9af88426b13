"""Figures of players: counted from a ledger's lines, and added up over evenings."""

import random

import pytest

from engine.cards import HEARTS, SEATS
from engine.events import DealVoided, HandTakenOver, ResultRecorded
from engine.rulesets import PUBLISHED
from engine.table_events import PlayerJoined, PlayerLeft
from engine.tables import Figures, Games, figures_of, together
from tests.support.engine.evenings import Evening

RULESETS = sorted(rules.ruleset.id for rules in PUBLISHED)
F, M, B = SEATS


def by_name(evening: Evening) -> dict[str, Figures]:
    return {one.player: one for one in figures_of(evening.ledger())}


def test_what_each_did_is_counted() -> None:
    evening = Evening(players=4)  # Dora deals first, and Bo sits opposite
    evening.play(ResultRecorded(outcome="won", declarer=F, contract="solo", trump=HEARTS))
    evening.play(ResultRecorded(outcome="bete", declarer=F, contract="solo", trump=HEARTS))
    evening.play(ResultRecorded(outcome="passed_out"))
    evening.play(DealVoided("a card too many"))
    evening.play()
    told = by_name(evening)
    assert (told["Anna"].played, told["Anna"].sat_out) == (3, 0)
    assert told["Anna"].contracts == (Games("solo", 1, 1, 0, 0, 6),)
    assert told["Bo"].contracts == (Games("solo", 1, 0, 1, 0, -6),)
    assert [sum(getattr(one, name) for one in told.values()) for name in ("played", "sat_out")] == [9, 3]
    assert (told["Anna"].declared, told["Anna"].won, told["Anna"].bete, told["Anna"].codille) == (1, 1, 0, 0)


def test_who_takes_a_hand_over_plays_it() -> None:
    evening = Evening(players=4)
    evening.play(
        HandTakenOver(F, "Bo"), ResultRecorded(outcome="codille", declarer=F, contract="solo", trump=HEARTS)
    )
    told = by_name(evening)
    assert (told["Bo"].played, told["Bo"].codille) == (1, 1)
    assert (told["Anna"].played, told["Anna"].sat_out) == (0, 1)


def test_who_has_gone_home_keeps_his_figures() -> None:
    evening = Evening(players=4)
    evening.play(ResultRecorded(outcome="won", declarer=F, contract="solo", trump=HEARTS))
    evening.table.append(PlayerLeft("Anna"))
    assert "Anna" not in evening.ledger().players
    assert by_name(evening)["Anna"] == Figures("Anna", 1, 0, (Games("solo", 1, 1, 0, 0, 6),), 6)


def test_whoever_is_due_to_deal_stays_so_when_somebody_comes() -> None:
    evening = Evening()
    assert evening.opening().dealer == "Carl"
    evening.table.append(PlayerJoined("Dora"))
    assert evening.opening().dealer == "Carl"
    assert evening.opening().players.sitting_out == ("Anna",)
    evening.play(ResultRecorded(outcome="passed_out"), opening=evening.opening())
    evening.table.append(PlayerJoined("Else", place=1))
    assert evening.ledger().findings == ()


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
