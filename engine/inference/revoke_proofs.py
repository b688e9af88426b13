"""Proof of a revoke after the fact, in words (RULES 5, 9).

A proof stands at the trick of the offence. Its evidence are the entries that are needed to see it: the lead,
the card that did not follow, and what shows that the hand held better: a card played later, or every other
place of such a card being accounted for.
"""

from typing import Final

from engine.core.cards import CARD_BITS
from engine.core.field_types import Seq
from engine.core.log import seq_key
from engine.core.message import Message, TextList, format_message
from engine.inference.evidence import Evidence
from engine.inference.hidden_cards import cards_in_places
from engine.inference.inference_case import AssumedRules
from engine.inference.minimal_conflict import find_minimal_conflict
from engine.inference.places import ALL_PLACES, HAND_PLACES, hand_cards
from engine.inference.suit_constraints import OffSuitPlay
from engine.judging.revoke_messages import (
    add_revoke_deadline,
    describe_revoke,
    explain_privilege_refusal,
    is_matador_privilege_relevant,
)
from engine.play.findings import Finding, Findings, build_finding, player_or_seat
from engine.play.state import State

RULE: Final = "5. Play"


def build_revoke_findings(evidence: Evidence, state: State) -> Findings:
    """The revokes that the record proves, whatever its hidden cards are; ``state`` is its fold."""
    return tuple(
        _build_finding(evidence, state, _find_off_suit_play(evidence, seq)) for seq in evidence.revokes
    )


def _find_off_suit_play(evidence: Evidence, seq: Seq) -> OffSuitPlay:
    """The play at ``seq`` with the card led to it; either may be one that nobody saw."""
    trick = next(trick for trick in evidence.claims.tricks if seq in trick.seqs)
    place = trick.seqs.index(seq)
    return OffSuitPlay(
        seq, trick.seqs[0], trick.seats[place], trick.number, trick.cards[0], trick.cards[place]
    )


def _build_finding(evidence: Evidence, state: State, play: OffSuitPlay) -> Finding:
    rules = AssumedRules(binding_plays=frozenset((play.seq,)), must_winner_lead=False)
    conflict = find_minimal_conflict(evidence.claims, rules, work=evidence.case.work)
    proof_seqs = tuple(sorted({*conflict, play.lead_seq, play.seq}, key=seq_key))
    held_cards = _proved_holding(evidence, play, proof_seqs)
    sentences = list(describe_revoke(state, play.seat, play.trick, held_cards))
    if not held_cards:
        sentences.append(_describe_count(state, play, proof_seqs))
    compelling = _compelling_cards(evidence, play, held_cards)
    if is_matador_privilege_relevant(evidence.claims.trick_rules, play.lead, compelling):
        sentences.append(explain_privilege_refusal(state, play.seat, play.lead, compelling))
    message = format_message(
        "{course} No hand that {player} can have had allowed it: a revoke.",
        course=TextList(sentences, " "),
        player=player_or_seat(state, play.seat),
    )
    message = add_revoke_deadline(state, play.trick, message)
    return build_finding(play.seq, "revoke", message, RULE, play.seat, proof_seqs, "revoke")


def _describe_count(state: State, play: OffSuitPlay, proof_seqs: tuple[Seq, ...]) -> Message:
    """What shows that the hand held better where none of its cards is known."""
    return format_message(
        "Entries {entries} leave no other place for all cards that had to follow: {player} held one.",
        entries=TextList(str(seq) for seq in proof_seqs if seq not in (play.seq, play.lead_seq)),
        player=player_or_seat(state, play.seat),
    )


def _proved_holding(evidence: Evidence, off_suit_play: OffSuitPlay, proof_seqs: tuple[Seq, ...]) -> int:
    """The cards that the evidence itself shows in the hand, and that compelled it."""
    seat, lead = off_suit_play.seat, off_suit_play.lead
    mask = 0
    for trick in evidence.claims.tricks:
        for player, card, seq in zip(trick.seats, trick.cards, trick.seqs, strict=True):
            if player == seat and trick.number > off_suit_play.trick and seq in proof_seqs:
                mask |= CARD_BITS[card]
    elsewhere = cards_in_places(evidence.physical, ALL_PLACES & ~HAND_PLACES[seat])
    for claim in evidence.claims.card_claims:
        for card in claim.cards if claim.seq in proof_seqs and claim.seat == seat else ():
            play = evidence.case.plays_by_card.get(card)
            was_played = play and play.seat == seat and not play.was_held_after(off_suit_play.trick)
            mask |= 0 if was_played else CARD_BITS[card] & ~elsewhere
    return mask & evidence.claims.trick_rules.followers[lead] if CARD_BITS[lead] else 0


def _compelling_cards(evidence: Evidence, play: OffSuitPlay, held_cards: int) -> int:
    """``held_cards``, where these cards alone prove it; none where the hand may have held what frees them."""
    trick_rules = evidence.claims.trick_rules
    if held_cards & trick_rules.compelling[play.lead]:
        return held_cards
    in_hand = hand_cards(evidence.physical.cards_by_place, play.seat)
    return 0 if in_hand & trick_rules.freeing[play.lead] else held_cards
