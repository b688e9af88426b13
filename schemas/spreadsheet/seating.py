"""The order in which the players of a table sit, as far as its slips tell."""

from collections.abc import Sequence
from itertools import permutations
from typing import Final

from engine.rulesets.model import Ruleset
from engine.tables import games_of, seated
from schemas.spreadsheet.slip import Slip

MOST: Final = 6
LOOKED_AT: Final = 60
"""So many first slips are enough to see the order in."""


def named_in(slips: Sequence[Slip]) -> tuple[str, ...]:
    """Everybody whom the slips name before they say otherwise who sits at the table, as they come."""
    found: list[str] = []
    for slip in slips:
        if slip.seated and found:
            break
        if slip.seated:
            return slip.seated
        found += _sat(slip)
        found += [slip.dealer] if slip.dealer is not None else []
    return tuple(dict.fromkeys(found))


def order_of_play(names: Sequence[str], slips: Sequence[Slip], ruleset: Ruleset) -> tuple[str, ...]:
    """``names`` in the order of play in which most of the slips have their seats; else as they come."""
    sat = [slip for slip in slips[:LOOKED_AT] if slip.players is not None]
    if not sat or not 3 <= len(names) <= MOST:
        return tuple(names)
    first, *others = names
    orders = [(first, *rest) for rest in permutations(others)]
    return max(orders, key=lambda order: sum(_fits(order, slip, ruleset) for slip in sat))


def _sat(slip: Slip) -> tuple[str, ...]:
    if slip.players is None:
        return ()
    sat = slip.players
    return (sat.forehand, sat.middlehand, sat.backhand, *sat.sitting_out)


def _fits(order: Sequence[str], slip: Slip, ruleset: Ruleset) -> bool:
    """Whether some dealer, or the one of the slip, makes its seats in this order."""
    active = _sat(slip)[:3]
    for game in games_of(order):
        for dealer in game if slip.dealer is None else (slip.dealer,):
            seats = seated(game, dealer, ruleset)
            if seats is not None and seats.active == active:
                return True
    return False
