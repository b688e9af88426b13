"""The order in which the players of a table sit, as far as its slips tell."""

from collections.abc import Sequence
from itertools import permutations
from typing import Final

from engine.rulesets.model import Ruleset
from engine.tables import seat_players, split_into_games
from schemas.spreadsheet.slip import Slip

MAX_ORDERED_PLAYERS: Final = 6
ORDER_SAMPLE_SLIPS: Final = 60
"""So many first slips are enough to see the order in."""


def list_slip_players(slips: Sequence[Slip]) -> tuple[str, ...]:
    """Everybody whom the slips name before they say otherwise who sits at the table, as they come."""
    found: list[str] = []
    for slip in slips:
        if slip.new_seating and found:
            break
        if slip.new_seating:
            return slip.new_seating
        found += _players_of_slip(slip)
        found += [slip.dealer] if slip.dealer is not None else []
    return tuple(dict.fromkeys(found))


def infer_seating_order(names: Sequence[str], slips: Sequence[Slip], ruleset: Ruleset) -> tuple[str, ...]:
    """``names`` in the order of play in which most of the slips have their seats; else as they come."""
    seated_slips = [slip for slip in slips[:ORDER_SAMPLE_SLIPS] if slip.players is not None]
    if not seated_slips or not 3 <= len(names) <= MAX_ORDERED_PLAYERS:
        return tuple(names)
    first, *others = names
    orders = [(first, *rest) for rest in permutations(others)]
    return max(
        orders, key=lambda order: sum(_is_order_consistent(order, slip, ruleset) for slip in seated_slips)
    )


def _players_of_slip(slip: Slip) -> tuple[str, ...]:
    if slip.players is None:
        return ()
    players = slip.players
    return (players.forehand, players.middlehand, players.backhand, *players.sitting_out)


def _is_order_consistent(order: Sequence[str], slip: Slip, ruleset: Ruleset) -> bool:
    """Whether some dealer, or the one of the slip, makes its seats in this order."""
    active = _players_of_slip(slip)[:3]
    for game in split_into_games(order):
        for dealer in game if slip.dealer is None else (slip.dealer,):
            seats = seat_players(game, dealer, ruleset)
            if seats is not None and seats.active == active:
                return True
    return False
