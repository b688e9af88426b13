"""A point of the play with all hands open, read off the state; or what is missing for that."""

from typing import NamedTuple

from engine.core.cards import CARD_BITS, HAND_SIZE, SEATS, Card, Seat, cards_in_mask, codes_in_mask
from engine.core.message import Message, TextList, format_message
from engine.core.ranking import UNKNOWN_TRUMP
from engine.play.findings import player_or_seat
from engine.play.state import PLAY, State
from engine.scoring.estuches import hand_at_start_of_play
from engine.solver.bit_layout import HandMasks
from engine.solver.trick_splits import TrickCount, trick_count_at

TablePlays = tuple[tuple[Seat, Card], ...]
"""The trick on the table, in the order of play."""


class Position(NamedTuple):
    """A point of the play: what each holds, what lies on the table, whose turn it is, how tricks stand."""

    hands: HandMasks
    trick_plays: TablePlays
    turn: Seat
    trick_count: TrickCount

    def hands_at_trick_start(self) -> HandMasks:
        """The hands at the beginning of the trick that is being played."""
        hands = list(self.hands)
        for seat, card in self.trick_plays:
            hands[seat] |= CARD_BITS[card]
        return hands[0], hands[1], hands[2]

    def cards_at_trick_start(self) -> tuple[Card, ...]:
        """All cards of that trick's beginning."""
        first, second, third = self.hands_at_trick_start()
        return cards_in_mask(first | second | third)


class InitialHands(NamedTuple):
    """The hands with which the play began, as far as the record tells, and what it does not tell of them."""

    hands: HandMasks
    missing: tuple[Message, ...]


def initial_hands(state: State) -> InitialHands:
    """The hands at the lead to trick 1, by all that the record says up to ``state``."""
    hands = [hand_at_start_of_play(state, seat) for seat in SEATS]
    first, second, third = (mask for mask, _ in hands)
    missing = [
        format_message(
            "{count} of the cards with which {player} began", count=count, player=player_or_seat(state, seat)
        )
        for seat, (mask, whole) in zip(SEATS, hands, strict=True)
        if not whole and (count := max(HAND_SIZE - mask.bit_count(), 1))
    ]
    missing += [
        format_message(
            "a hand of nine, {player} having begun with {count} cards",
            player=player_or_seat(state, seat),
            count=mask.bit_count(),
        )
        for seat, (mask, whole) in zip(SEATS, hands, strict=True)
        if whole and mask.bit_count() != HAND_SIZE
    ]
    duplicates = (first & second) | (first & third) | (second & third)
    if duplicates:
        missing.append(
            format_message("who held {cards}, told of two hands", cards=TextList(codes_in_mask(duplicates)))
        )
    return InitialHands((first, second, third), tuple(missing))


def list_missing_facts(state: State) -> tuple[Message, ...]:
    """What of the game itself is not known at a point of the play, for whoever would play it on."""
    contract_state, play = state.contract_state, state.play
    found = []
    if not state.opening.rules.is_known:
        found.append(format_message("the rules in force"))
    if contract_state.declarer is None:
        found.append(format_message("the declarer"))
    if contract_state.contract is None:
        found.append(format_message("the contract"))
    if play.trick_rules is UNKNOWN_TRUMP and state.opening.rules.is_known:
        found.append(format_message("the trumps"))
    if state.has_gap:
        found.append(format_message("the entries that are missing before this point"))
    found += [
        format_message("who won trick {trick}", trick=trick.number)
        for trick in play.tricks
        if trick.winner is None
    ]
    return tuple(found)


def build_position(state: State, hands_at_start: HandMasks) -> Position | None:
    """The position at ``state``, a point of the play that lacks nothing; None where the cards do not add up.

    ``hands_at_start`` are the hands at the lead to trick 1.
    """
    play = state.play
    hands = list(hands_at_start)
    trick_plays = tuple(zip(play.seats, play.cards, strict=True))
    earlier_plays = [pair for trick in play.tricks for pair in zip(trick.seats, trick.cards, strict=True)]
    for seat, card in (*earlier_plays, *trick_plays):
        if not hands[seat] & CARD_BITS[card]:
            return None
        hands[seat] ^= CARD_BITS[card]
    left = HAND_SIZE - len(play.tricks)
    sizes = [left - (seat in play.seats) for seat in SEATS]
    if state.phase != PLAY or play.turn is None or [hand.bit_count() for hand in hands] != sizes:
        return None
    return Position((hands[0], hands[1], hands[2]), trick_plays, play.turn, trick_count_at(state))
