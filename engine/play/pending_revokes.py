"""Revokes that only later cards prove (RULES 5, 9).

Where a hand is not wholly known, a card that does not follow is held in doubt. Every card
the seat is later seen to have held is laid against it: hands only shrink once play has
begun, so what is held later was held then.
"""

from engine.core.cards import BIT, Card, Seat
from engine.core.vocabulary import Seq
from engine.play.hands import elsewhere, options_of
from engine.play.state import Doubt, State


def doubted(state: State, seat: Seat, card: Card, seq: Seq) -> Doubt | None:
    """The doubt that a card played to a trick raises; None where it may have followed.

    ``state`` is the state before the card.
    """
    play = state.play
    lead = play.cards[0]
    suit = play.table.suit[lead]
    if not suit or options_of(state, seat, card) & suit or not play.slots[seat]:
        return None
    return Doubt(seq, seat, lead, len(play.tricks) + 1, 0, ())


def proved(doubt: Doubt, state: State) -> bool:
    """Whether what is known of the seat's hand makes the play a revoke (RULES 5).

    Under ``can-beat-lead`` a lone lower matador is proof once the higher ones are known
    not to have been in the hand.
    """
    play = state.play
    had = doubt.had | play.held[doubt.seat]
    if had & play.table.compelling[doubt.lead]:
        return True
    freeing = play.table.freeing[doubt.lead]
    if not had & play.table.suit[doubt.lead] or had & freeing:
        return False
    return _all_known_since(doubt, state) or not freeing & ~elsewhere(state.knowledge, play, doubt.seat)


def _all_known_since(doubt: Doubt, state: State) -> bool:
    """Whether every card the seat held at the doubtful play is known by now."""
    play = state.play
    if play.slots[doubt.seat]:
        return False
    for trick in play.tricks[doubt.trick - 1 :]:
        for seat, card in zip(trick.seats, trick.cards, strict=True):
            if seat == doubt.seat and not BIT[card]:
                return False
    return True


def weighed(state: State, seat: Seat, mask: int, seq: Seq) -> tuple[tuple[Doubt, ...], tuple[Doubt, ...]]:
    """Lays the cards of ``mask``, just learnt of ``seat`` by the entry ``seq``, against the doubts.

    ``state`` is the state after that entry. Returns the doubts that stay open and those proved.
    """
    still_open: list[Doubt] = []
    now_proved: list[Doubt] = []
    for doubt in state.play.doubts:
        relevant = mask & state.play.table.suit[doubt.lead] if doubt.seat == seat and doubt.seq != seq else 0
        if relevant:
            doubt = doubt._replace(had=doubt.had | relevant, shown_by=(*doubt.shown_by, seq))
        if proved(doubt, state):
            shown = doubt.shown_by if seq in doubt.shown_by else (*doubt.shown_by, seq)
            now_proved.append(doubt._replace(shown_by=shown))
        else:
            still_open.append(doubt)
    return tuple(still_open), tuple(now_proved)
