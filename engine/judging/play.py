"""Judging the play of the cards (RULES 5)."""

from functools import partial

from engine.core.cards import BIT, CODES, codes_in
from engine.core.events import CardPlayed
from engine.core.message import NOTHING, Listed, Said, said
from engine.core.vocabulary import Seq
from engine.judging.auction import aces_elsewhere
from engine.judging.order import draw_missing, out_of_phase, out_of_turn
from engine.judging.revokes import matador_in_question, privilege_refused, story, with_mending
from engine.judging.whereabouts import holder_of, played_at, sources_of, stated_at
from engine.play.findings import NONE, Finding, Findings, finding, name_of
from engine.play.hands import can_hold, elsewhere
from engine.play.pending_revokes import weighed
from engine.play.state import FINISHED, OPEN, PLAY, Doubt, State
from engine.play.tricks import LAST_TRICK, card_laid, may_have_won, ready, truly_held

RULE = "5. Play"


def judge_card_played(state: State, event: CardPlayed, seq: Seq) -> Findings:
    """A card: in turn, from the hand, following where the hand must."""
    _, phase, _, _, _, knowledge, play, ending, gap, _ = state
    if phase == PLAY and ending is OPEN and not gap and event.trick is None:
        turn, hands, _, _, cards, _, _, _, _, _, doubts, table = play
        seat = event.seat
        bit = BIT[event.card]
        held = hands[seat]
        if seat == turn and held & bit and not bit & knowledge.watch and not doubts:
            if not cards:
                return NONE
            suit = table.suit[cards[0]]
            if bit & suit or not held & suit:
                return NONE
            return _not_followed(state, event, seq)
    return _judge_with_care(state, event, seq)


def _not_followed(state: State, event: CardPlayed, seq: Seq) -> Findings:
    """A known card that does not follow, though the hand is known to hold some of the suit led."""
    play, seat, table = state.play, event.seat, state.play.table
    lead, held = play.cards[0], play.held[event.seat]
    suit = table.suit[lead]
    if not suit or BIT[event.card] & suit or not BIT[event.card] or not state.opening.rules.known:
        return NONE
    proof = held & table.compelling[lead]
    if not proof:
        freeing = table.freeing[lead]
        if not held & suit or held & freeing:
            return NONE
        if play.slots[seat] and freeing & ~elsewhere(state.knowledge, play, seat):
            return NONE
        proof = held & suit
    evidence = (*sources_of(state, seat), play.seqs[0], seq)
    message = _told_at_once(state, event, proof)
    return (finding(seq, "revoke", message, RULE, seat, evidence, "revoke"),)


def _told_at_once(state: State, event: CardPlayed, proof: int) -> Said:
    """A revoke as it is made: ``proof`` are the cards that the hand is known to hold."""
    play, seat, trick = state.play, event.seat, len(state.play.tricks) + 1
    lead = play.cards[0]
    message = said(
        "{player} plays {card} to {lead} at trick {trick}, holding {cards}: a revoke.",
        player=name_of(state, seat),
        card=CODES[event.card],
        lead=CODES[lead],
        trick=trick,
        cards=Listed(codes_in(proof)),
    )
    if matador_in_question(play.table, lead, proof):
        refused = privilege_refused(state, seat, lead, proof)
        message = said("{found} {privilege}", found=message, privilege=refused)
    return with_mending(state, trick, message)


def revokes(state: State, proved: tuple[Doubt, ...]) -> Findings:
    """The findings for plays in doubt that turned out to be revokes."""
    found = []
    for doubt in proved:
        message = with_mending(state, doubt.trick, _told_afterwards(state, doubt))
        evidence = (doubt.seq, *doubt.shown_by)
        found.append(finding(doubt.seq, "revoke", message, RULE, doubt.seat, evidence, "revoke"))
    return tuple(found)


def _told_afterwards(state: State, doubt: Doubt) -> Said:
    """The course of a revoke that later cards prove."""
    seat, lead, table = doubt.seat, doubt.lead, state.play.table
    had = (doubt.had | state.play.held[seat]) & table.suit[lead]
    course = story(state, seat, doubt.trick, had)
    if matador_in_question(table, lead, had):
        course = (*course, privilege_refused(state, seat, lead, had))
    return said("{course} It was a revoke.", course=Listed(course, " "))


def _judge_with_care(state: State, event: CardPlayed, seq: Seq) -> Findings:
    """Everything that can be wrong with a card, where something about it is out of the ordinary."""
    seat = event.seat
    found: list[Finding]
    if state.phase == FINISHED and state.opening.opened is not None:
        found = [*_after_end(state, event, seq), *_card_in_hand(state, event, seq)]
        return (*found, *_proved_by(state, card_laid(state, event, seq), event, seq))
    found = [*draw_missing(state, None, seq)]
    if not found:
        found += out_of_phase(state, PLAY, partial(_plays, event), seat, seq, RULE)
    number = len(state.play.tricks) + 1
    if event.trick is not None:
        found += _anchor(state, event, number, seq)
    before, laid = state, card_laid(state, event, seq)
    state = ready(state, event)
    if not state.gap and state.phase == PLAY and not found:
        found += out_of_turn(state, seat, partial(_plays, event), seq, RULE)
        found += _cannot_lead(state, event, seq)
    # A second card to a trick is none that could follow: the first one has.
    if state.play.cards and seat not in state.play.seats and state.opening.rules.known and not state.gap:
        found += _not_followed(state, event, seq)
    found += _card_in_hand(state, event, seq)
    known = {(one.code, one.seq) for one in found}
    found += [one for one in _proved_by(before, laid, event, seq) if (one.code, one.seq) not in known]
    return tuple(found)


def _plays(event: CardPlayed) -> Said:
    return said("plays {card}", card=CODES[event.card])


def _proved_by(before: State, laid: State, event: CardPlayed, seq: Seq) -> Findings:
    """Revokes that the card proves; ``laid`` is the state with it on the table."""
    if not laid.play.doubts or not before.opening.rules.known:
        return NONE
    return revokes(laid, weighed(laid, event.seat, truly_held(before, event), seq)[1])


def _cannot_lead(state: State, event: CardPlayed, seq: Seq) -> Findings:
    """A lead by a seat that cannot have won the trick before, though nobody knows who has."""
    play = state.play
    if play.turn is not None or play.cards or not play.tricks or not state.opening.rules.known:
        return NONE
    if event.seat in may_have_won(play):
        return NONE
    trick = play.tricks[-1]
    message = said(
        "{player} leads, but cannot have won trick {trick}.",
        player=name_of(state, event.seat),
        trick=trick.number,
    )
    return (finding(seq, "wrong_seat", message, RULE, event.seat, trick.seqs),)


def _after_end(state: State, event: CardPlayed, seq: Seq) -> Findings:
    message = said(
        "{player} plays {card} after the deal was over; it does not count.",
        player=name_of(state, event.seat),
        card=CODES[event.card],
    )
    return (finding(seq, "play_after_end", message, "6. Outcome", event.seat),)


def _anchor(state: State, event: CardPlayed, number: int, seq: Seq) -> Findings:
    """The trick number an entry bears, against the trick that is due."""
    trick = event.trick or number
    if trick == number:
        return NONE
    if number < trick <= LAST_TRICK:
        message = said(
            "The record jumps from trick {number} to trick {trick}: entries are missing.",
            number=number,
            trick=trick,
        )
        return (finding(seq, "incomplete", message, "9. Record"),)
    message = said(
        "The card is recorded for trick {trick}, but trick {number} is being played.",
        trick=trick,
        number=number,
    )
    return (finding(seq, "trick_mismatch", message, "9. Record", event.seat),)


def _card_in_hand(state: State, event: CardPlayed, seq: Seq) -> Findings:
    """The card must be in the hand of the one who plays it, and nowhere else."""
    seat, card, play = event.seat, event.card, state.play
    bit, name = BIT[card], name_of(state, event.seat)
    held, slots = play.held[seat], play.slots[seat]
    if not bit:
        if can_hold(held, slots, card):
            return NONE
        message = said(
            "{player} plays a card, but can have none like {card} left.", player=name, card=CODES[card]
        )
        return (finding(seq, "card_not_held", message, "1. Pack", seat, sources_of(state, seat)),)
    aces = aces_elsewhere(state, seat, bit, seq)
    if held & bit:
        return (*_stated_of_another(state, event, seq), *aces)
    played = played_at(state, card)
    if played is not None:
        message = said(
            "{player} plays {card}, which has been played already (entry {entry}).",
            player=name,
            card=CODES[card],
            entry=played,
        )
        return (finding(seq, "card_duplicated", message, "1. Pack", seat, (played,)), *aces)
    if any(slot & bit for slot in slots):
        return (*_known_elsewhere(state, event, seq), *aces)
    owner = holder_of(state, card, seat)
    whose = NOTHING if owner is None else said(": {other} has it", other=name_of(state, owner))
    message = said(
        "{player} plays {card}, which is not in the hand{whose}.", player=name, card=CODES[card], whose=whose
    )
    evidence = (*sources_of(state, seat), *(sources_of(state, owner) if owner is not None else ()))
    return (finding(seq, "card_not_held", message, "1. Pack", seat, evidence), *aces)


def _stated_of_another(state: State, event: CardPlayed, seq: Seq) -> Findings:
    """A card that a source states in another hand: the play shows that the statement is wrong."""
    found = []
    for statement in state.knowledge.stated:
        if statement.seat != event.seat and statement.mask & BIT[event.card]:
            message = said(
                "{card} is stated in {other}'s hand, but {player} plays it to trick {trick} (entry {entry}).",
                card=CODES[event.card],
                other=name_of(state, statement.seat),
                player=name_of(state, event.seat),
                trick=len(state.play.tricks) + 1,
                entry=seq,
            )
            evidence = (*sources_of(state, event.seat), statement.seq, seq)
            code = CODES[event.card]
            found.append(
                finding(statement.seq, "card_duplicated", message, "1. Pack", statement.seat, evidence, code)
            )
    return tuple(found)


def _known_elsewhere(state: State, event: CardPlayed, seq: Seq) -> Findings:
    """A card from an unknown place of the hand that is known to be somewhere else."""
    seat, card, play = event.seat, event.card, state.play
    if not elsewhere(state.knowledge, play, seat) & BIT[card]:
        return NONE
    name, owner = name_of(state, seat), holder_of(state, card, seat)
    if owner is None:
        message = said("{player} plays {card}, which has been laid away.", player=name, card=CODES[card])
        return (finding(seq, "card_duplicated", message, "1. Pack", seat),)
    stated = stated_at(state, owner, card)
    if stated is not None and not state.knowledge.dealt[owner] & BIT[card]:
        return _stated_of_another(state, event, seq)
    message = said(
        "{player} plays {card}, but {other} has it.",
        player=name,
        card=CODES[card],
        other=name_of(state, owner),
    )
    return (finding(seq, "card_duplicated", message, "1. Pack", seat, sources_of(state, owner)),)
