"""Judging the play of the cards (RULES 5)."""

from engine.core.cards import CARD_BITS, CARD_CODES, codes_in_mask
from engine.core.events import CardPlayed
from engine.core.field_types import Seq
from engine.core.message import EMPTY_TEXT, Message, TextList, format_message
from engine.judging.auction import find_broken_ace_promises
from engine.judging.card_locations import find_holder, find_play_seq, find_statement_seq, hand_sources
from engine.judging.revoke_messages import (
    add_revoke_deadline,
    describe_revoke,
    explain_privilege_refusal,
    is_matador_privilege_relevant,
)
from engine.judging.turn_order import check_pending_draw, check_phase, check_turn
from engine.play.findings import NO_FINDINGS, Finding, Findings, build_finding, player_or_seat
from engine.play.hands import can_hold, impossible_cards
from engine.play.pending_revokes import resolve_pending_revokes
from engine.play.state import FINISHED, NO_ENDING, PLAY, PendingRevoke, State
from engine.play.tricks import (
    LAST_TRICK,
    lay_card,
    possible_last_trick_winners,
    prepare_for_card,
    proven_card,
)

RULE = "5. Play"


def judge_card_played(state: State, event: CardPlayed, seq: Seq) -> Findings:
    """Judge a card: in turn, from the hand, following suit if the hand must."""
    if state.phase == PLAY and state.ending is NO_ENDING and not state.has_gap and event.trick is None:
        play, seat, bit = state.play, event.seat, CARD_BITS[event.card]
        hand = play.known_cards[seat]
        if (
            seat == play.turn
            and hand & bit
            and not bit & state.knowledge.watched_cards
            and not play.pending_revokes
        ):
            if not play.cards:
                return NO_FINDINGS
            suit = play.trick_rules.followers[play.cards[0]]
            if bit & suit or not hand & suit:
                return NO_FINDINGS
            return _find_revoke(state, event, seq)
    return _judge_unusual_play(state, event, seq)


def _find_revoke(state: State, event: CardPlayed, seq: Seq) -> Findings:
    """A known card that does not follow, though the hand is known to hold some of the suit led."""
    play, seat, trick_rules = state.play, event.seat, state.play.trick_rules
    lead, known_cards = play.cards[0], play.known_cards[event.seat]
    suit = trick_rules.followers[lead]
    if (
        not suit
        or CARD_BITS[event.card] & suit
        or not CARD_BITS[event.card]
        or not state.opening.rules.is_known
    ):
        return NO_FINDINGS
    proof = known_cards & trick_rules.compelling[lead]
    if not proof:
        freeing = trick_rules.freeing[lead]
        if not known_cards & suit or known_cards & freeing:
            return NO_FINDINGS
        if play.hidden_slots[seat] and freeing & ~impossible_cards(state.knowledge, play, seat):
            return NO_FINDINGS
        proof = known_cards & suit
    evidence = (*hand_sources(state, seat), play.seqs[0], seq)
    message = _describe_immediate_revoke(state, event, proof)
    return (build_finding(seq, "revoke", message, RULE, seat, evidence, "revoke"),)


def _describe_immediate_revoke(state: State, event: CardPlayed, proof: int) -> Message:
    """A revoke as it happens: ``proof`` are the cards that the hand is known to hold."""
    play, seat, trick = state.play, event.seat, len(state.play.tricks) + 1
    lead = play.cards[0]
    message = format_message(
        "{player} plays {card} to {lead} at trick {trick}, holding {cards}: a revoke.",
        player=player_or_seat(state, seat),
        card=CARD_CODES[event.card],
        lead=CARD_CODES[lead],
        trick=trick,
        cards=TextList(codes_in_mask(proof)),
    )
    if is_matador_privilege_relevant(play.trick_rules, lead, proof):
        refusal = explain_privilege_refusal(state, seat, lead, proof)
        message = format_message("{found} {privilege}", found=message, privilege=refusal)
    return add_revoke_deadline(state, trick, message)


def build_revoke_findings(state: State, proved_revokes: tuple[PendingRevoke, ...]) -> Findings:
    """The findings for pending revokes that are now proved."""
    findings = []
    for revoke in proved_revokes:
        message = add_revoke_deadline(state, revoke.trick, _describe_proved_revoke(state, revoke))
        evidence = (revoke.seq, *revoke.evidence)
        findings.append(build_finding(revoke.seq, "revoke", message, RULE, revoke.seat, evidence, "revoke"))
    return tuple(findings)


def _describe_proved_revoke(state: State, pending: PendingRevoke) -> Message:
    """The course of a revoke that later cards prove."""
    seat, lead, trick_rules = pending.seat, pending.lead, state.play.trick_rules
    held_cards = (pending.known_cards | state.play.known_cards[seat]) & trick_rules.followers[lead]
    sentences = describe_revoke(state, seat, pending.trick, held_cards)
    if is_matador_privilege_relevant(trick_rules, lead, held_cards):
        sentences = (*sentences, explain_privilege_refusal(state, seat, lead, held_cards))
    return format_message("{course} It was a revoke.", course=TextList(sentences, " "))


def _judge_unusual_play(state: State, event: CardPlayed, seq: Seq) -> Findings:
    """All findings for a card with anything unusual about it."""
    seat = event.seat
    findings: list[Finding]
    if state.phase == FINISHED and state.opening.event is not None:
        findings = [*_judge_play_after_end(state, event, seq), *_judge_card_in_hand(state, event, seq)]
        return (*findings, *_find_proved_revokes(state, lay_card(state, event, seq), event, seq))
    findings = [*check_pending_draw(state, None, seq)]
    act = format_message("plays {card}", card=CARD_CODES[event.card])
    if not findings:
        findings += check_phase(state, PLAY, act, seat, seq, RULE)
    number = len(state.play.tricks) + 1
    if event.trick is not None:
        findings += _judge_trick_number(state, event, number, seq)
    before, after = state, lay_card(state, event, seq)
    state = prepare_for_card(state, event)
    if not state.has_gap and state.phase == PLAY and not findings:
        findings += check_turn(state, seat, act, seq, RULE)
        findings += _judge_leader(state, event, seq)
    # A second card to a trick need not follow: the first one has.
    if (
        state.play.cards
        and seat not in state.play.seats
        and state.opening.rules.is_known
        and not state.has_gap
    ):
        findings += _find_revoke(state, event, seq)
    findings += _judge_card_in_hand(state, event, seq)
    known = {(one.code, one.seq) for one in findings}
    findings += [
        one for one in _find_proved_revokes(before, after, event, seq) if (one.code, one.seq) not in known
    ]
    return tuple(findings)


def _find_proved_revokes(before: State, after: State, event: CardPlayed, seq: Seq) -> Findings:
    """Revokes that the card proves; ``after`` is the state with it on the table."""
    if not after.play.pending_revokes or not before.opening.rules.is_known:
        return NO_FINDINGS
    return build_revoke_findings(
        after, resolve_pending_revokes(after, event.seat, proven_card(before, event), seq)[1]
    )


def _judge_leader(state: State, event: CardPlayed, seq: Seq) -> Findings:
    """A lead by a seat that cannot have won the trick before, although its winner is unknown."""
    play = state.play
    if play.turn is not None or play.cards or not play.tricks or not state.opening.rules.is_known:
        return NO_FINDINGS
    if event.seat in possible_last_trick_winners(play):
        return NO_FINDINGS
    trick = play.tricks[-1]
    message = format_message(
        "{player} leads, but cannot have won trick {trick}.",
        player=player_or_seat(state, event.seat),
        trick=trick.number,
    )
    return (build_finding(seq, "wrong_seat", message, RULE, event.seat, trick.seqs),)


def _judge_play_after_end(state: State, event: CardPlayed, seq: Seq) -> Findings:
    """One remark, at the first card that is played on after the end."""
    if state.ending.tricks_played_on:
        return NO_FINDINGS
    message = format_message(
        "{player} plays {card} after the end of the deal; cards played on do not count.",
        player=player_or_seat(state, event.seat),
        card=CARD_CODES[event.card],
    )
    return (build_finding(seq, "play_after_end", message, "6. Outcome", event.seat),)


def _judge_trick_number(state: State, event: CardPlayed, number: int, seq: Seq) -> Findings:
    """The trick number in an entry must be that of the current trick."""
    trick = event.trick or number
    if trick == number:
        return NO_FINDINGS
    if number < trick <= LAST_TRICK:
        message = format_message(
            "The record jumps from trick {number} to trick {trick}: entries are missing.",
            number=number,
            trick=trick,
        )
        return (build_finding(seq, "incomplete", message, "9. Record"),)
    message = format_message(
        "The card is recorded for trick {trick}, but the current trick is {number}.",
        trick=trick,
        number=number,
    )
    return (build_finding(seq, "trick_mismatch", message, "9. Record", event.seat),)


def _judge_card_in_hand(state: State, event: CardPlayed, seq: Seq) -> Findings:
    """The card must be in the hand of its player, and nowhere else."""
    seat, card, play = event.seat, event.card, state.play
    bit, name = CARD_BITS[card], player_or_seat(state, event.seat)
    known_cards, slots = play.known_cards[seat], play.hidden_slots[seat]
    if not bit:
        if can_hold(known_cards, slots, card):
            return NO_FINDINGS
        message = format_message(
            "{player} plays a card, but can have no card like {card} left.",
            player=name,
            card=CARD_CODES[card],
        )
        return (build_finding(seq, "card_not_held", message, "1. Pack", seat, hand_sources(state, seat)),)
    ace_findings = find_broken_ace_promises(state, seat, bit, seq)
    if known_cards & bit:
        return (*_find_contradicted_statements(state, event, seq), *ace_findings)
    played = find_play_seq(state, card)
    if played is not None:
        message = format_message(
            "{player} plays {card}, which has been played already (entry {entry}).",
            player=name,
            card=CARD_CODES[card],
            entry=played,
        )
        return (build_finding(seq, "card_duplicated", message, "1. Pack", seat, (played,)), *ace_findings)
    if any(slot & bit for slot in slots):
        return (*_judge_card_from_slot(state, event, seq), *ace_findings)
    owner = find_holder(state, card, seat)
    owner_note = (
        EMPTY_TEXT
        if owner is None
        else format_message(": {other} has it", other=player_or_seat(state, owner))
    )
    message = format_message(
        "{player} plays {card}, which is not in the hand{whose}.",
        player=name,
        card=CARD_CODES[card],
        whose=owner_note,
    )
    evidence = (*hand_sources(state, seat), *(hand_sources(state, owner) if owner is not None else ()))
    return (build_finding(seq, "card_not_held", message, "1. Pack", seat, evidence), *ace_findings)


def _find_contradicted_statements(state: State, event: CardPlayed, seq: Seq) -> Findings:
    """A card that a source states in another hand: the play shows that the statement is wrong."""
    findings = []
    for statement in state.knowledge.statements:
        if statement.seat != event.seat and statement.mask & CARD_BITS[event.card]:
            message = format_message(
                "{card} is stated in {other}'s hand, but {player} plays it to trick {trick} (entry {entry}).",
                card=CARD_CODES[event.card],
                other=player_or_seat(state, statement.seat),
                player=player_or_seat(state, event.seat),
                trick=len(state.play.tricks) + 1,
                entry=seq,
            )
            evidence = (*hand_sources(state, event.seat), statement.seq, seq)
            code = CARD_CODES[event.card]
            findings.append(
                build_finding(
                    statement.seq, "card_duplicated", message, "1. Pack", statement.seat, evidence, code
                )
            )
    return tuple(findings)


def _judge_card_from_slot(state: State, event: CardPlayed, seq: Seq) -> Findings:
    """A card from an unknown place of the hand that is known to be elsewhere."""
    seat, card, play = event.seat, event.card, state.play
    if not impossible_cards(state.knowledge, play, seat) & CARD_BITS[card]:
        return NO_FINDINGS
    name, owner = player_or_seat(state, seat), find_holder(state, card, seat)
    if owner is None:
        message = format_message(
            "{player} plays {card}, which has been discarded.", player=name, card=CARD_CODES[card]
        )
        return (build_finding(seq, "card_duplicated", message, "1. Pack", seat),)
    statement_seq = find_statement_seq(state, owner, card)
    if statement_seq is not None and not state.knowledge.dealt_cards[owner] & CARD_BITS[card]:
        return _find_contradicted_statements(state, event, seq)
    message = format_message(
        "{player} plays {card}, but {other} has it.",
        player=name,
        card=CARD_CODES[card],
        other=player_or_seat(state, owner),
    )
    return (build_finding(seq, "card_duplicated", message, "1. Pack", seat, hand_sources(state, owner)),)
