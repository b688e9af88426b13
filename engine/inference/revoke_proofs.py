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
from engine.inference.inference_case import AssumedRules
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


def _find_off_suit_play(evidence: Evidence, seq: Seq) -> OffSuitPlay:
    """The play at ``seq`` with the card led to it; either may be one that nobody saw."""
    trick = next(trick for trick in evidence.claims.tricks if seq in trick.seqs)
    place = trick.seqs.index(seq)
    return OffSuitPlay(
        seq, trick.seqs[0], trick.seats[place], trick.number, trick.cards[0], trick.cards[place]
    )


def _build_proof(evidence: Evidence, state: State, play: OffSuitPlay) -> RevokeProof:
    proof_seqs = find_minimal_conflict(
        evidence.claims,
        AssumedRules(binding_plays=frozenset((play.seq,)), must_winner_lead=False),
        work=evidence.case.work,
    )
    needed = (play.lead_seq, play.seq)
    proof_seqs = tuple(sorted({*proof_seqs, *needed}, key=seq_key))
    held_cards = _proved_holding(evidence, play, proof_seqs)
    story = describe_revoke(state, play.seat, play.trick, held_cards)
    if not held_cards:
        story = (*story, _describe_count(state, play, proof_seqs))
    trick_rules, compelling_cards = evidence.claims.trick_rules, _compelling_cards(evidence, play, held_cards)
    privilege = explain_privilege_refusal(state, play.seat, play.lead, compelling_cards)
    sentences = (
        (*story, privilege)
        if is_matador_privilege_relevant(trick_rules, play.lead, compelling_cards)
        else story
    )
    message = format_message(
        "{course} No hand that {player} can have had allowed it: a revoke.",
        course=TextList(sentences, " "),
        player=player_or_seat(state, play.seat),
    )
    message = add_revoke_deadline(state, play.trick, message)
    finding = build_finding(play.seq, "revoke", message, RULE, play.seat, proof_seqs, "revoke")
    mending = describe_revoke_deadline(state, play.trick)
    return RevokeProof(
        play.seq, play.seat, play.trick, held_cards, proof_seqs, story, privilege, mending, finding
    )


def _describe_count(state: State, play: OffSuitPlay, proof_seqs: tuple[Seq, ...]) -> Message:
    """What shows that the hand held better where none of its cards is known."""
    return format_message(
        "Entries {entries} leave no other place for all cards that had to follow: {player} held one.",
        entries=TextList(str(seq) for seq in proof_seqs if seq not in (play.seq, play.lead_seq)),
        player=player_or_seat(state, play.seat),
    )


def _proved_holding(evidence: Evidence, off_suit_play: OffSuitPlay, proof_seqs: tuple[Seq, ...]) -> int:
    """The cards that the evidence itself shows in the hand, and that compelled it."""
    suit = evidence.claims.trick_rules.followers[off_suit_play.lead] if CARD_BITS[off_suit_play.lead] else 0
    mask = 0
    for trick in evidence.claims.tricks:
        for seat, card, seq in zip(trick.seats, trick.cards, trick.seqs, strict=True):
            if seat == off_suit_play.seat and trick.number > off_suit_play.trick and seq in proof_seqs:
                mask |= CARD_BITS[card]
    other_cards = 0
    for number, cards in enumerate(evidence.physical.cards_by_place):
        other_cards |= 0 if HAND_PLACES[off_suit_play.seat] >> number & 1 else cards
    for one in evidence.claims.card_claims:
        for card in one.cards if one.seq in proof_seqs and one.seat == off_suit_play.seat else ():
            was_played = _was_played_before(evidence.case.plays_by_card.get(card), off_suit_play)
            mask |= 0 if was_played or CARD_BITS[card] & other_cards else CARD_BITS[card]
    return mask & suit


def _compelling_cards(evidence: Evidence, play: OffSuitPlay, held_cards: int) -> int:
    """``held_cards``, where these cards alone prove it; none where the hand may have held what frees them."""
    trick_rules = evidence.claims.trick_rules
    if held_cards & trick_rules.compelling[play.lead]:
        return held_cards
    in_hand = 0
    for number, cards in enumerate(evidence.physical.cards_by_place):
        in_hand |= cards if HAND_PLACES[play.seat] >> number & 1 else 0
    return 0 if in_hand & trick_rules.freeing[play.lead] else held_cards


def _was_played_before(card_play: CardPlay | None, off_suit_play: OffSuitPlay) -> bool:
    return (
        card_play is not None
        and card_play.seat == off_suit_play.seat
        and not card_play.was_held_after(off_suit_play.trick)
    )
