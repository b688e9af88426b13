"""Proof of a revoke after the fact, in words (RULES 5, 9).

A proof stands at the trick of the offence. Its evidence are the entries that are needed to see it: the lead,
the card that did not follow, and what shows that the hand held better: a card played later, or every other
place of such a card being accounted for.
"""

from typing import Final, NamedTuple

from engine.cards import BIT, CODES, HIDDEN, Card, Seat, cards_in, codes_in
from engine.findings import Finding, finding, name_of
from engine.hidden.conflict import conflict
from engine.hidden.duties import Duty, ban_of, duties
from engine.hidden.evidence import Evidence
from engine.hidden.matter import Played
from engine.hidden.places import DEALT, HAND
from engine.hidden.plays import Rules
from engine.log import place
from engine.said import Listed, Said, said
from engine.state import State, is_over
from engine.vocabulary import Seq

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


class Withheld(NamedTuple):
    """Matadors that were lawfully not played when a trump was led."""

    seq: Seq
    seat: Seat
    cards: int
    message: Said


def proofs(found: Evidence, state: State) -> tuple[Proof, ...]:
    """The revokes that the record proves, whatever its hidden cards are; ``state`` is its fold."""
    return tuple(_proof(found, state, _duty(found, seq)) for seq in found.offences)


def _duty(found: Evidence, seq: Seq) -> Duty:
    """The play at ``seq`` with the card led to it; either may be one that nobody saw."""
    trick = next(trick for trick in found.claims.tricks if seq in trick.seqs)
    at = trick.seqs.index(seq)
    return Duty(seq, trick.seqs[0], trick.seats[at], trick.number, trick.cards[0], trick.cards[at])


def _proof(found: Evidence, state: State, duty: Duty) -> Proof:
    evidence = conflict(found.claims, Rules(only=frozenset((duty.seq,)), winners=False))
    needed = (duty.lead_seq, duty.seq)
    evidence = tuple(sorted({*evidence, *needed}, key=place))
    held = _held(found, duty, evidence)
    opening, shown = _opening(state, duty), _proving(found, state, duty, held, evidence)
    story = (opening, *shown)
    message = said(
        "{opening} {shown} No hand that {player} can have had allowed it: a revoke.",
        opening=opening,
        shown=Listed(shown, " "),
        player=name_of(state, duty.seat),
    )
    one = finding(duty.seq, "revoke", message, RULE, duty.seat, evidence, "revoke")
    privilege = _privilege(found, duty, held)
    return Proof(
        duty.seq, duty.seat, duty.trick, held, evidence, story, privilege, _mending(state, duty), one
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


def _laid_before(laid: Played | None, duty: Duty) -> bool:
    return laid is not None and laid.seat == duty.seat and laid.trick <= duty.trick


def _opening(state: State, duty: Duty) -> Said:
    whole = duty.trick <= len(state.play.tricks)
    leader = (state.play.tricks[duty.trick - 1] if whole else state.play).seats[0]
    return said(
        "At trick {trick} {leader} led {lead}; {player} played {card}.",
        trick=duty.trick,
        leader=name_of(state, leader),
        lead=_called(duty.lead),
        player=name_of(state, duty.seat),
        card=_called(duty.card),
    )


def _called(card: Card) -> str:
    """A card of the story, which may be one that nobody saw."""
    return CODES[card] if card != HIDDEN else said("an unseen card")


def _proving(
    found: Evidence, state: State, duty: Duty, held: int, evidence: tuple[Seq, ...]
) -> tuple[Said, ...]:
    """What shows that the hand held better."""
    if not held:
        entries = Listed(str(seq) for seq in evidence if seq not in (duty.seq, duty.lead_seq))
        return (
            said(
                "Entries {entries} leave no other place for all cards that had to follow: {player} held one.",
                entries=entries,
                player=name_of(state, duty.seat),
            ),
        )
    return tuple(_shown(found, state, duty, card) for card in cards_in(held))


def _shown(found: Evidence, state: State, duty: Duty, card: Card) -> Said:
    """How a card that was in the hand came to be known, and since when it was there."""
    player, laid = name_of(state, duty.seat), found.case.played.get(card)
    if laid is None:
        return said("{player} held {card} then.", player=player, card=CODES[card])
    if _since_the_deal(found, duty.seat, card):
        return said(
            "At trick {trick} {player} played {card}, held since the deal.",
            trick=laid.trick,
            player=player,
            card=CODES[card],
        )
    return said(
        "At trick {trick} {player} played {card}, held since the exchange.",
        trick=laid.trick,
        player=player,
        card=CODES[card],
    )


def _since_the_deal(found: Evidence, seat: Seat, card: Card) -> bool:
    """Whether the card was dealt to the seat: because it is told, or because the seat drew nothing."""
    swapped = found.claims.swapped[seat]
    dealt = any(card in one.cards and one.places == DEALT[seat] for one in found.claims.told)
    return dealt or (swapped is not None and not swapped.drawn)


def _privilege(found: Evidence, duty: Duty, held: int) -> Said:
    """Whether the matador privilege excuses the play, in words (RULES 5)."""
    table = found.claims.table
    if BIT[duty.lead] and not BIT[duty.lead] & table.trumps:
        return said("No trump was led: the matador privilege does not come into it.")
    low = held & ~table.matadors
    if low:
        return said(
            "The matador privilege does not excuse it: {cards} is no matador.", cards=Listed(codes_in(low))
        )
    if held:
        return said(
            "The matador privilege does not excuse it: {lead} was led, and {cards} has to follow that.",
            lead=CODES[duty.lead],
            cards=Listed(codes_in(held)),
        )
    return said("The matador privilege does not excuse it: the hand held more than free matadors.")


def _mending(state: State, duty: Duty) -> Said:
    """Whether the revoke could still be mended at the end of the record, where the rules say so (RULES 9)."""
    tricks, play = state.play.tricks, state.play
    if state.opening.rules.ruleset.revoke == "not-stated":
        return said("The rules in force do not state how long a revoke can be mended: the table rules.")
    folded = len(tricks) > duty.trick or (len(tricks) == duty.trick and (play.cards or is_over(state)))
    if folded:
        return said("Trick {trick} has been folded since: the revoke is established.", trick=duty.trick)
    return said("Trick {trick} has not been folded yet: the revoke can still be mended.", trick=duty.trick)


def withheld(found: Evidence, state: State) -> tuple[Withheld, ...]:
    """Plays that did not follow a trump although the seat is known to have held matadors, by its right."""
    answer = []
    for duty in duties(found.claims):
        table = found.claims.table
        if duty.seq in found.offences or not BIT[duty.lead] & table.trumps:
            continue
        held = 0
        for card, laid in found.case.played.items():
            if laid.seat == duty.seat and laid.trick > duty.trick:
                held |= BIT[card] & table.matadors
        if held and not held & ban_of(duty.lead, table).never:
            message = said(
                "{player} did not follow {lead} at trick {trick} and held {cards}: the matadors excuse it.",
                player=name_of(state, duty.seat),
                lead=CODES[duty.lead],
                trick=duty.trick,
                cards=Listed(codes_in(held)),
            )
            answer.append(Withheld(duty.seq, duty.seat, held, message))
    return tuple(answer)
