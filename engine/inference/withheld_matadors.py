"""Matadors that were not played to a trump lead, by right, where somebody called it a revoke (RULES 5, 9).

What the privilege excuses is no fault, and is told only to answer the call: a record in which nobody calls
anything has nothing of it.
"""

from collections.abc import Iterator
from typing import Final

from engine.core.cards import CARD_BITS, SEATS, Card, Seat, codes_in_mask
from engine.core.events import IrregularityNoted
from engine.core.field_types import Seq
from engine.core.log import Log, seq_key
from engine.core.message import Message, TextList, format_message
from engine.inference.suit_constraints import is_lead_known
from engine.judging.revoke_messages import card_term, describe_revoke, plays_after_trick
from engine.play.findings import NO_FINDINGS, Finding, Findings, build_finding, player_or_seat
from engine.play.revoke_calls import mentions_revoke
from engine.play.state import State, Trick

RULE: Final = "5. Play"


def find_withheld_matadors(entries: Log, state: State, revokes: frozenset[Seq]) -> Findings:
    """Trump leads not followed, and called a revoke, from a hand known to have held matadors.

    ``entries`` and ``state`` are those of the whole record; ``revokes`` are the plays that were revokes.
    None is told where entries are missing: which card was led would hang on them.
    """
    calls = [(seq, event) for seq, event, _ in entries if isinstance(event, IrregularityNoted)]
    if not calls or not state.play.trick_rules.matadors or state.is_incomplete:
        return NO_FINDINGS
    found = []
    for trick, seat, seq, held_matadors in _list_withholding_plays(state):
        later_calls = (one for one in calls if seq_key(one[0]) > seq_key(seq))
        call = next(
            (call_seq for call_seq, event in later_calls if event.seat == seat and mentions_revoke(event)),
            None,
        )
        if call is not None and seq not in revokes:
            found.append(_build_finding(state, trick, seat, seq, held_matadors, call))
    return tuple(found)


def _list_withholding_plays(state: State) -> Iterator[tuple[Trick, Seat, Seq, int]]:
    """The plays that did not follow a trump: the trick, whose, the entry, the matadors held then.

    From the last to the first: what is played later was held before.
    """
    play, trick_rules = state.play, state.play.trick_rules
    tricks = play.tricks
    if play.seats:
        tricks = (*tricks, Trick(len(tricks) + 1, play.seats, play.cards, play.seqs, None))
    held_matadors = [play.known_cards[seat] & trick_rules.matadors for seat in SEATS]
    for number in range(len(tricks) - 1, -1, -1):
        trick = tricks[number]
        compelling = trick_rules.compelling[trick.cards[0]]
        if CARD_BITS[trick.cards[0]] & trick_rules.trumps and is_lead_known(tricks, number):
            for seat, card, seq in zip(trick.seats[1:], trick.cards[1:], trick.seqs[1:], strict=True):
                if (
                    CARD_BITS[card] & ~trick_rules.trumps
                    and held_matadors[seat]
                    and not held_matadors[seat] & compelling
                ):
                    yield trick, seat, seq, held_matadors[seat]
        for seat, card in zip(trick.seats, trick.cards, strict=True):
            held_matadors[seat] |= CARD_BITS[card] & trick_rules.matadors


def _build_finding(
    state: State, trick: Trick, seat: Seat, seq: Seq, held_matadors: int, call: Seq
) -> Finding:
    story = describe_revoke(state, seat, trick.number, held_matadors)
    message = format_message(
        "{course} {excuse}",
        course=TextList(story, " "),
        excuse=_describe_excuse(state, seat, trick.cards[0], held_matadors),
    )
    shown = (
        later
        for _, card, later in plays_after_trick(state, seat, trick.number)
        if CARD_BITS[card] & held_matadors
    )
    return build_finding(seq, "matador_withheld", message, RULE, seat, (trick.seqs[0], *shown, call))


def _describe_excuse(state: State, seat: Seat, lead: Card, held_matadors: int) -> Message:
    trick_rules = state.play.trick_rules
    freeing = trick_rules.freeing[lead]
    if held_matadors & freeing:
        return format_message(
            "The matador privilege excuses it: {lead} does not compel {cards}.",
            lead=card_term(lead),
            cards=TextList(codes_in_mask(held_matadors)),
        )
    return format_message(
        "The matador privilege excuses it only if {player} held {cards} too.",
        player=player_or_seat(state, seat),
        cards=TextList(codes_in_mask(freeing & trick_rules.trumps)),
    )
