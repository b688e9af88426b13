"""Who sat where in a deal of the evening, and whose chips are whose (RULES 2, 9)."""

from collections.abc import Sequence

from engine.core.cards import SEAT_NAMES, SEATS
from engine.core.events import DealOpened
from engine.play.state import State
from engine.rulesets import Ruleset
from engine.scoring.payments import Chips
from engine.scoring.score import Score
from engine.tables.seating import Seating, dealer_of, games_of, seated


def active_in(opened: DealOpened) -> tuple[str, str, str]:
    """The three who play a deal, as it was opened."""
    return opened.players.forehand, opened.players.middlehand, opened.players.backhand


def game_of(players: Sequence[str], opened: DealOpened | None) -> int | None:
    """The game of the table to which a deal belongs, by who plays it; None where that does not say."""
    if opened is None:
        return None
    active = set(active_in(opened))
    return next((number for number, game in enumerate(games_of(players)) if active <= set(game)), None)


def seating_of(opened: DealOpened, players: Sequence[str], due: str | None, rules: Ruleset) -> Seating:
    """The seats of a deal as recorded; what it does not record, as it must have been.

    Where no dealer is recorded, it is the one who was due if that makes these seats, else whoever
    makes them; else the deal is taken to be his who was due.
    """
    active = active_in(opened)
    dealer = opened.dealer
    if dealer is None:
        seats = None if due is None else seated(players, due, rules)
        fits = seats is not None and seats.active == active
        dealer = (due if fits else dealer_of(players, active, rules)) or due or active[2]
    out = opened.players.sitting_out
    if not out and set(active) <= set(players):
        out = tuple(player for player in players if player not in active)
    return Seating(dealer, *active, out)


def player_at(state: State, seating: Seating | None, name: str) -> str:
    """The player at a seat, who took a hand over before who was dealt it; any other name as it is."""
    if name not in SEAT_NAMES:
        return name
    seat = SEATS[SEAT_NAMES.index(name)]
    sat = state.opening.players.at(seat) or ("" if seating is None else seating.active[seat])
    return state.ending.taken_over[seat] or sat or name


def taken_over(state: State) -> tuple[tuple[str, str], ...]:
    """The hands that were taken over: the seat, and who plays it now."""
    hands = zip(SEAT_NAMES, state.ending.taken_over, strict=True)
    return tuple((seat, player) for seat, player in hands if player is not None)


def chips_of(state: State, due: Score, seating: Seating | None) -> Chips | None:
    """What a deal brought each player: by the rules where that is known, else what was paid; else None.

    Where a player who sat out has taken a hand over, he from whom he took it sits out for him.
    """
    payments: Chips = ()
    swapped: dict[str, str] = {}
    if due.decided and due.payments is not None:
        payments = due.payments
        for seat, player in taken_over(state):
            swapped[player] = state.opening.players.at(SEATS[SEAT_NAMES.index(seat)])
    elif state.ending.settled is not None:
        payments = state.ending.settled.payments
    else:
        return None
    chips: dict[str, int] = {}
    for name, amount in payments:
        player = swapped.get(name) or player_at(state, seating, name)
        chips[player] = chips.get(player, 0) + amount
    return tuple(chips.items())
