"""A deal of an evening, folded once: who sat where in it, and whose chips are whose (RULES 2, 9)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.core.cards import SEAT_BY_NAME, SEAT_NAMES
from engine.core.events import DealOpened, RulingMade
from engine.core.log import Log
from engine.fold import fold_all
from engine.play.history import effective
from engine.play.state import State, initial_state
from engine.rulesets import PUBLISHED_RULESETS, Ruleset, RulesetBook
from engine.scoring.payments import Payments, add_by_name
from engine.scoring.score import Score
from engine.tables.seating import Seating, find_dealer, seat_players, split_into_games


class EveningDeal(NamedTuple):
    """A deal of the evening, folded: its state, and the penalty points that were given in it, by seat."""

    state: State
    penalties: tuple[tuple[int, int], ...]


def fold_evening_deal(log: Log, book: RulesetBook = PUBLISHED_RULESETS) -> EveningDeal:
    """A deal folded once, for the ledger."""
    entries = effective(log).entries
    rulings = (entry.event for entry in entries if isinstance(entry.event, RulingMade))
    return EveningDeal(
        fold_all(entries, initial_state(book)), tuple(one for ruling in rulings for one in ruling.penalty)
    )


def list_named_players(deals: Mapping[str, EveningDeal]) -> Iterator[str]:
    """Everybody who is in one of the deals: who has a seat, takes a hand over, or sits out."""
    for state, _ in deals.values():
        if state.opening.event is not None:
            yield from active_players(state.opening.event)
            yield from state.opening.players.sitting_out
        yield from (player for _, player in list_takeovers(state))


def active_players(opening_event: DealOpened) -> tuple[str, str, str]:
    """The three who play a deal, as it was opened."""
    return opening_event.players.forehand, opening_event.players.middlehand, opening_event.players.backhand


def find_game(players: Sequence[str], opening_event: DealOpened | None) -> int | None:
    """The game of the table to which a deal belongs, by who plays it; None where that does not say."""
    if opening_event is None:
        return None
    active = set(active_players(opening_event))
    return next(
        (number for number, game in enumerate(split_into_games(players)) if active <= set(game)), None
    )


def complete_seating(
    opening_event: DealOpened, players: Sequence[str], expected_dealer: str | None, rules: Ruleset
) -> Seating:
    """The seats of a deal as recorded; what it does not record, as it must have been.

    Where no dealer is recorded, it is the expected dealer if that makes these seats, else the player who
    makes them, else the expected dealer.
    """
    active = active_players(opening_event)
    dealer = opening_event.dealer
    if dealer is None:
        seats = None if expected_dealer is None else seat_players(players, expected_dealer, rules)
        fits = seats is not None and seats.active == active
        dealer = (
            (expected_dealer if fits else find_dealer(players, active, rules)) or expected_dealer or active[2]
        )
    out = opening_event.players.sitting_out
    if not out and set(active) <= set(players):
        out = tuple(player for player in players if player not in active)
    return Seating(dealer, *active, out)


def player_at(state: State, seating: Seating | None, name: str) -> str:
    """The player at a seat, who took a hand over before who was dealt it; any other name as it is."""
    seat = SEAT_BY_NAME.get(name)
    if seat is None:
        return name
    player = state.opening.players.at(seat) or ("" if seating is None else seating.active[seat])
    return state.ending.substitutes[seat] or player or name


def list_takeovers(state: State) -> tuple[tuple[str, str], ...]:
    """The hands that were taken over: the seat, and who plays it now."""
    hands = zip(SEAT_NAMES, state.ending.substitutes, strict=True)
    return tuple((seat, player) for seat, player in hands if player is not None)


def chips_by_player(state: State, due_score: Score, seating: Seating | None) -> Payments | None:
    """What a deal brought each player: by the rules where that is known, else what was paid; else None.

    Where a player who sat out took a hand over, the player who gave it up sits out instead.
    """
    payments: Payments = ()
    swapped: dict[str, str] = {}
    if due_score.decided and due_score.payments is not None:
        payments = due_score.payments
        for seat, player in list_takeovers(state):
            swapped[player] = state.opening.players.at(SEAT_BY_NAME[seat])
    elif state.ending.settlement is not None:
        payments = state.ending.settlement.payments
    else:
        return None
    chips = ((swapped.get(name) or player_at(state, seating, name), amount) for name, amount in payments)
    return tuple(add_by_name(chips).items())
