"""A point of the play with all hands open, read off the state; or what is missing for that."""

from typing import NamedTuple

from engine.core.cards import BIT, HAND_SIZE, SEATS, Card, Seat, cards_in, codes_in
from engine.core.message import Listed, Said, said
from engine.core.ranking import UNKNOWN_TRUMP
from engine.play.findings import name_of
from engine.play.state import PLAY, State
from engine.scoring.estuches import hand_at_lead
from engine.solver.falls import Count, count_at
from engine.solver.layout import Masks

Laid = tuple[tuple[Seat, Card], ...]
"""The trick on the table, in the order of play."""


class Position(NamedTuple):
    """A point of the play: what each holds, what lies on the table, whose turn it is, how tricks stand."""

    hands: Masks
    laid: Laid
    turn: Seat
    standing: Count

    def in_trick(self) -> Masks:
        """The hands at the beginning of the trick that is being played."""
        hands = list(self.hands)
        for seat, card in self.laid:
            hands[seat] |= BIT[card]
        return hands[0], hands[1], hands[2]

    def lying(self) -> tuple[Card, ...]:
        """All cards of that trick's beginning."""
        first, second, third = self.in_trick()
        return cards_in(first | second | third)


class Dealt(NamedTuple):
    """The hands with which the play began, as far as the record tells, and what it does not tell of them."""

    hands: Masks
    missing: tuple[Said, ...]


def dealt_in(state: State) -> Dealt:
    """The hands at the lead to trick 1, by all that the record says up to ``state``."""
    told = [hand_at_lead(state, seat) for seat in SEATS]
    first, second, third = (mask for mask, _ in told)
    missing = [
        said("{count} of the cards with which {player} began", count=count, player=name_of(state, seat))
        for seat, (mask, whole) in zip(SEATS, told, strict=True)
        if not whole and (count := max(HAND_SIZE - mask.bit_count(), 1))
    ]
    missing += [
        said(
            "a hand of nine, {player} having begun with {count} cards",
            player=name_of(state, seat),
            count=mask.bit_count(),
        )
        for seat, (mask, whole) in zip(SEATS, told, strict=True)
        if whole and mask.bit_count() != HAND_SIZE
    ]
    twice = (first & second) | (first & third) | (second & third)
    if twice:
        missing.append(said("who held {cards}, told of two hands", cards=Listed(codes_in(twice))))
    return Dealt((first, second, third), tuple(missing))


def lacking(state: State) -> tuple[Said, ...]:
    """What of the game itself is not known at a point of the play, for whoever would play it on."""
    bargain, play = state.bargain, state.play
    found = []
    if not state.opening.rules.known:
        found.append(said("the rules in force"))
    if bargain.declarer is None:
        found.append(said("the declarer"))
    if bargain.contract is None:
        found.append(said("the contract"))
    if play.table is UNKNOWN_TRUMP and state.opening.rules.known:
        found.append(said("the trumps"))
    if state.gap:
        found.append(said("the entries that are missing before this point"))
    found += [
        said("who won trick {trick}", trick=trick.number) for trick in play.tricks if trick.winner is None
    ]
    return tuple(found)


def position_in(state: State, dealt: Masks) -> Position | None:
    """The position at ``state``, a point of the play that lacks nothing; None where the cards do not add up.

    ``dealt`` are the hands at the lead to trick 1.
    """
    play = state.play
    hands = list(dealt)
    laid = tuple(zip(play.seats, play.cards, strict=True))
    gone = [pair for trick in play.tricks for pair in zip(trick.seats, trick.cards, strict=True)]
    for seat, card in (*gone, *laid):
        if not hands[seat] & BIT[card]:
            return None
        hands[seat] ^= BIT[card]
    left = HAND_SIZE - len(play.tricks)
    sizes = [left - (seat in play.seats) for seat in SEATS]
    if state.phase != PLAY or play.turn is None or [hand.bit_count() for hand in hands] != sizes:
        return None
    return Position((hands[0], hands[1], hands[2]), laid, play.turn, count_at(state))
