"""Revokes that only later cards prove: a card that did not follow, from an incompletely known hand (RULES 5,
9).

Hands only shrink once play has begun, so a card seen in a hand later was there before.
"""

from engine.core.cards import CARD_BITS, Card, Seat
from engine.core.field_types import Seq
from engine.play.hands import card_options, impossible_cards
from engine.play.state import PendingRevoke, State


def find_pending_revoke(state: State, seat: Seat, card: Card, seq: Seq) -> PendingRevoke | None:
    """The pending revoke of a card played to a trick; None if it followed or may have followed.

    ``state`` is the state before the card.
    """
    play = state.play
    lead = play.cards[0]
    suit = play.trick_rules.followers[lead]
    if not suit or card_options(state, seat, card) & suit or not play.hidden_slots[seat]:
        return None
    return PendingRevoke(seq, seat, lead, len(play.tricks) + 1, 0, ())


def is_revoke_proved(pending: PendingRevoke, state: State) -> bool:
    """Whether what is known of the seat's hand makes the play a revoke (RULES 5).

    Under ``can-beat-lead`` a lone lower matador is proof once the higher ones are known
    not to have been in the hand.
    """
    play = state.play
    held_cards = pending.known_cards | play.known_cards[pending.seat]
    if held_cards & play.trick_rules.compelling[pending.lead]:
        return True
    freeing = play.trick_rules.freeing[pending.lead]
    if not held_cards & play.trick_rules.followers[pending.lead] or held_cards & freeing:
        return False
    return _is_every_card_known_since(pending, state) or not freeing & ~impossible_cards(
        state.knowledge, play, pending.seat
    )


def _is_every_card_known_since(pending: PendingRevoke, state: State) -> bool:
    """Whether every card that the seat held at the pending play is known by now."""
    play = state.play
    if play.hidden_slots[pending.seat]:
        return False
    for trick in play.tricks[pending.trick - 1 :]:
        for seat, card in zip(trick.seats, trick.cards, strict=True):
            if seat == pending.seat and not CARD_BITS[card]:
                return False
    return True


def resolve_pending_revokes(
    state: State, seat: Seat, cards: int, seq: Seq
) -> tuple[tuple[PendingRevoke, ...], tuple[PendingRevoke, ...]]:
    """Check the pending revokes of ``seat`` against its ``cards``, just learnt from the entry ``seq``.

    ``state`` is the state after that entry. Returns the revokes that stay pending and those proved.
    """
    still_open: list[PendingRevoke] = []
    now_proved: list[PendingRevoke] = []
    for pending in state.play.pending_revokes:
        relevant = (
            cards & state.play.trick_rules.followers[pending.lead]
            if pending.seat == seat and pending.seq != seq
            else 0
        )
        if relevant:
            pending = pending._replace(
                known_cards=pending.known_cards | relevant, evidence=(*pending.evidence, seq)
            )
        if is_revoke_proved(pending, state):
            shown = pending.evidence if seq in pending.evidence else (*pending.evidence, seq)
            now_proved.append(pending._replace(evidence=shown))
        else:
            still_open.append(pending)
    return tuple(still_open), tuple(now_proved)
