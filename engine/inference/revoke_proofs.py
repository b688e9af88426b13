"""Proof of a revoke after the fact, in words (RULES 5, 9).

A proof stands at the trick of the offence. Its evidence are the entries that are needed to see it: the lead,
the card that did not follow, and what shows that the hand held better: a card played later, or every other
place of such a card being accounted for.
"""

from typing import Final, NamedTuple

from engine.core.cards import CARD_BITS, Seat
from engine.core.field_types import Seq
from engine.core.log import seq_key
from engine.core.message import Message, TextList, format_message
from engine.inference.evidence import Evidence
from engine.inference.hidden_plays import AssumedRules
from engine.inference.minimal_conflict import find_minimal_conflict
from engine.inference.physical_constraints import CardPlay
from engine.inference.places import HAND_PLACES
from engine.inference.suit_constraints import OffSuitPlay
from engine.judging.revoke_messages import (
    add_revoke_deadline,
    describe_revoke,
    describe_revoke_deadline,
    explain_privilege_refusal,
    is_matador_privilege_relevant,
)
from engine.play.findings import Finding, build_finding, player_or_seat
from engine.play.state import State

RULE: Final = "5. Play"


class RevokeProof(NamedTuple):
    """A revoke and what proves it.

    ``held_cards``: a mask of cards that the seat certainly held and should have played from; none where only
    counting proves it. ``story``: the course of it, sentence by sentence; ``privilege``: whether the matadors
    excuse it; ``mending``: whether it could still be mended; ``finding``: at the trick of the offence.
    """

    seq: Seq
    seat: Seat
    trick: int
    held_cards: int
    evidence: tuple[Seq, ...]
    story: tuple[Message, ...]
    privilege: Message
    mending: Message
    finding: Finding


def build_revoke_proofs(evidence: Evidence, state: State) -> tuple[RevokeProof, ...]:
    """The revokes that the record proves, whatever its hidden cards are; ``state`` is its fold."""
    return tuple(
        _build_proof(evidence, state, _find_off_suit_play(evidence, seq)) for seq in evidence.revokes
    )


def _find_off_suit_play(found: Evidence, seq: Seq) -> OffSuitPlay:
    """The play at ``seq`` with the card led to it; either may be one that nobody saw."""
    trick = next(trick for trick in found.claims.tricks if seq in trick.seqs)
    at = trick.seqs.index(seq)
    return OffSuitPlay(seq, trick.seqs[0], trick.seats[at], trick.number, trick.cards[0], trick.cards[at])


def _build_proof(found: Evidence, state: State, duty: OffSuitPlay) -> RevokeProof:
    evidence = find_minimal_conflict(
        found.claims,
        AssumedRules(binding_plays=frozenset((duty.seq,)), must_winner_lead=False),
        work=found.case.work,
    )
    needed = (duty.lead_seq, duty.seq)
    evidence = tuple(sorted({*evidence, *needed}, key=seq_key))
    held = _proved_holding(found, duty, evidence)
    course = describe_revoke(state, duty.seat, duty.trick, held)
    if not held:
        course = (*course, _describe_count(state, duty, evidence))
    table, sure = found.claims.trick_rules, _compelling_cards(found, duty, held)
    privilege = explain_privilege_refusal(state, duty.seat, duty.lead, sure)
    told = (*course, privilege) if is_matador_privilege_relevant(table, duty.lead, sure) else course
    message = format_message(
        "{course} No hand that {player} can have had allowed it: a revoke.",
        course=TextList(told, " "),
        player=player_or_seat(state, duty.seat),
    )
    message = add_revoke_deadline(state, duty.trick, message)
    one = build_finding(duty.seq, "revoke", message, RULE, duty.seat, evidence, "revoke")
    mended = describe_revoke_deadline(state, duty.trick)
    return RevokeProof(duty.seq, duty.seat, duty.trick, held, evidence, course, privilege, mended, one)


def _describe_count(state: State, duty: OffSuitPlay, evidence: tuple[Seq, ...]) -> Message:
    """What shows that the hand held better where none of its cards is known."""
    return format_message(
        "Entries {entries} leave no other place for all cards that had to follow: {player} held one.",
        entries=TextList(str(seq) for seq in evidence if seq not in (duty.seq, duty.lead_seq)),
        player=player_or_seat(state, duty.seat),
    )


def _proved_holding(found: Evidence, duty: OffSuitPlay, evidence: tuple[Seq, ...]) -> int:
    """The cards that the evidence itself shows in the hand, and that compelled it."""
    suit = found.claims.trick_rules.followers[duty.lead] if CARD_BITS[duty.lead] else 0
    mask = 0
    for trick in found.claims.tricks:
        for seat, card, seq in zip(trick.seats, trick.cards, trick.seqs, strict=True):
            if seat == duty.seat and trick.number > duty.trick and seq in evidence:
                mask |= CARD_BITS[card]
    elsewhere = 0
    for number, cards in enumerate(found.physical.cards_by_place):
        elsewhere |= 0 if HAND_PLACES[duty.seat] >> number & 1 else cards
    for one in found.claims.card_claims:
        for card in one.cards if one.seq in evidence and one.seat == duty.seat else ():
            before = _was_played_before(found.case.plays_by_card.get(card), duty)
            mask |= 0 if before or CARD_BITS[card] & elsewhere else CARD_BITS[card]
    return mask & suit


def _compelling_cards(found: Evidence, duty: OffSuitPlay, held: int) -> int:
    """``held``, where these cards alone prove it; none where the hand may have held what frees them."""
    table = found.claims.trick_rules
    if held & table.compelling[duty.lead]:
        return held
    in_hand = 0
    for number, cards in enumerate(found.physical.cards_by_place):
        in_hand |= cards if HAND_PLACES[duty.seat] >> number & 1 else 0
    return 0 if in_hand & table.freeing[duty.lead] else held


def _was_played_before(laid: CardPlay | None, duty: OffSuitPlay) -> bool:
    return laid is not None and laid.seat == duty.seat and not laid.was_held_after(duty.trick)
