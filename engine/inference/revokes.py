"""Proof of a revoke after the fact, in words (RULES 5, 9).

A proof stands at the trick of the offence. Its evidence are the entries that are needed to see it: the lead,
the card that did not follow, and what shows that the hand held better: a card played later, or every other
place of such a card being accounted for.
"""

from typing import Final, NamedTuple

from engine.core.cards import BIT, Seat
from engine.core.log import place
from engine.core.message import Listed, Said, said
from engine.core.vocabulary import Seq
from engine.inference.conflict import conflict
from engine.inference.duties import Duty
from engine.inference.evidence import Evidence
from engine.inference.matter import Played
from engine.inference.places import HAND
from engine.inference.plays import Rules
from engine.judging.revokes import matador_in_question, mending, privilege_refused, story, with_mending
from engine.play.findings import Finding, finding, name_of
from engine.play.state import State

RULE: Final = "5. Play"


class Proof(NamedTuple):
    """A revoke and what proves it.

    ``held``: cards that the seat certainly held and should have played from, as a mask; none where only
    counting proves it. ``story``: the course of it, sentence by sentence; ``privilege``: whether the matadors
    excuse it; ``mending``: whether it could still be mended; ``finding``: at the trick of the offence.
    """

    seq: Seq
    seat: Seat
    trick: int
    held: int
    evidence: tuple[Seq, ...]
    story: tuple[Said, ...]
    privilege: Said
    mending: Said
    finding: Finding


def proofs(found: Evidence, state: State) -> tuple[Proof, ...]:
    """The revokes that the record proves, whatever its hidden cards are; ``state`` is its fold."""
    return tuple(_proof(found, state, _duty(found, seq)) for seq in found.offences)


def _duty(found: Evidence, seq: Seq) -> Duty:
    """The play at ``seq`` with the card led to it; either may be one that nobody saw."""
    trick = next(trick for trick in found.claims.tricks if seq in trick.seqs)
    at = trick.seqs.index(seq)
    return Duty(seq, trick.seqs[0], trick.seats[at], trick.number, trick.cards[0], trick.cards[at])


def _proof(found: Evidence, state: State, duty: Duty) -> Proof:
    evidence = conflict(found.claims, Rules(only=frozenset((duty.seq,)), winners=False), work=found.case.work)
    needed = (duty.lead_seq, duty.seq)
    evidence = tuple(sorted({*evidence, *needed}, key=place))
    held = _held(found, duty, evidence)
    course = story(state, duty.seat, duty.trick, held)
    if not held:
        course = (*course, _counted(state, duty, evidence))
    table, sure = found.claims.table, _surely_compelled(found, duty, held)
    privilege = privilege_refused(state, duty.seat, duty.lead, sure)
    told = (*course, privilege) if matador_in_question(table, duty.lead, sure) else course
    message = said(
        "{course} No hand that {player} can have had allowed it: a revoke.",
        course=Listed(told, " "),
        player=name_of(state, duty.seat),
    )
    message = with_mending(state, duty.trick, message)
    one = finding(duty.seq, "revoke", message, RULE, duty.seat, evidence, "revoke")
    mended = mending(state, duty.trick)
    return Proof(duty.seq, duty.seat, duty.trick, held, evidence, course, privilege, mended, one)


def _counted(state: State, duty: Duty, evidence: tuple[Seq, ...]) -> Said:
    """What shows that the hand held better where none of its cards is known."""
    return said(
        "Entries {entries} leave no other place for all cards that had to follow: {player} held one.",
        entries=Listed(str(seq) for seq in evidence if seq not in (duty.seq, duty.lead_seq)),
        player=name_of(state, duty.seat),
    )


def _held(found: Evidence, duty: Duty, evidence: tuple[Seq, ...]) -> int:
    """The cards that the evidence itself shows in the hand, and that compelled it."""
    suit = found.claims.table.suit[duty.lead] if BIT[duty.lead] else 0
    mask = 0
    for trick in found.claims.tricks:
        for seat, card, seq in zip(trick.seats, trick.cards, trick.seqs, strict=True):
            if seat == duty.seat and trick.number > duty.trick and seq in evidence:
                mask |= BIT[card]
    elsewhere = 0
    for number, cards in enumerate(found.physical.places):
        elsewhere |= 0 if HAND[duty.seat] >> number & 1 else cards
    for one in found.claims.told:
        for card in one.cards if one.seq in evidence and one.seat == duty.seat else ():
            before = _laid_before(found.case.played.get(card), duty)
            mask |= 0 if before or BIT[card] & elsewhere else BIT[card]
    return mask & suit


def _surely_compelled(found: Evidence, duty: Duty, held: int) -> int:
    """``held``, where these cards alone prove it; none where the hand may have held what frees them."""
    table = found.claims.table
    if held & table.compelling[duty.lead]:
        return held
    in_hand = 0
    for number, cards in enumerate(found.physical.places):
        in_hand |= cards if HAND[duty.seat] >> number & 1 else 0
    return 0 if in_hand & table.freeing[duty.lead] else held


def _laid_before(laid: Played | None, duty: Duty) -> bool:
    return laid is not None and laid.seat == duty.seat and not laid.after(duty.trick)
