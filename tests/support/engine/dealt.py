"""Evenings in shorthand: what was dealt and what else happened at a table, and what its ledger says."""

from collections.abc import Iterable
from typing import Any

from engine.core.cards import BACKHAND, FOREHAND, MIDDLEHAND
from engine.core.events import CorrectionMade, Event, ResultRecorded
from engine.core.table_events import TABLE_EVENTS
from tests.support.engine.evenings import Evening

SEATS = {"F": FOREHAND, "M": MIDDLEHAND, "B": BACKHAND}


def result(words: str, **more: Any) -> ResultRecorded:
    """A slip as one would say it: ``"won F solo"``, ``"passed_out"``."""
    outcome, *said = words.split()
    declarer, contract = said or (None, None)
    return ResultRecorded(outcome, SEATS[declarer] if declarer else None, contract, **more)


def evening_of(
    *told: str | Event | tuple[Event, ...], ruleset: str = "dlu", players: int = 3, **opening: Any
) -> Evening:
    """An evening of these deals, and of what happened at the table between them."""
    evening = Evening(ruleset, players, **opening)
    tell(evening, *told)
    return evening


def tell(evening: Evening, *told: str | Event | tuple[Event, ...]) -> None:
    """Go on with an evening; a deal is its result, its only event, or several."""
    for one in told:
        if isinstance(one, TABLE_EVENTS) and not isinstance(one, CorrectionMade):
            evening.table.append(one)
        elif isinstance(one, str):
            evening.play(result(one))
        elif isinstance(one, tuple):
            evening.play(*one)
        else:
            evening.play(one)


def chips(pairs: Iterable[tuple[str, int]]) -> str:
    """What each has, by name: ``"Anna 2, Bo -1, Carl -1"``."""
    return ", ".join(f"{player} {count}" for player, count in sorted(pairs))


def totals(evening: Evening) -> str:
    return chips(evening.ledger().totals)


def dealers(evening: Evening) -> str:
    """Whose deal it is, in each game."""
    return " ".join(one.seating.dealer for one in evening.ledger().next_deals)


def codes(evening: Evening) -> str:
    """What is found: ``"table_mismatch at 3, pool_mismatch in deal-2"``."""
    return ", ".join(
        f"{one.finding.code} in {one.deal}" if one.deal else f"{one.finding.code} at {one.finding.seq}"
        for one in evening.ledger().findings
    )


def pots(evening: Evening) -> str:
    """What lies in each pool, and what is set aside: ``"5+15"``."""
    return " ".join("+".join(map(str, (pot.pool, *pot.reserved))) for pot in evening.ledger().pots)


def even(evening: Evening) -> bool:
    """Whether what the players have and what lies in the pools comes to nothing, line by line."""
    told = evening.ledger()
    running: dict[int | None, int] = {}
    for line in told.lines:
        if line.pot_after is not None:
            running[line.game] = line.pot_after.total
        if sum(count for _, count in line.totals) != -sum(running.values()):
            return False
    return sum(count for _, count in told.totals) == -sum(pot.total for pot in told.pots)
