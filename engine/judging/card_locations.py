"""Where a card is known to be, and from which entry: evidence that it cannot be elsewhere."""

from engine.core.cards import CARD_BITS, CARD_CODES, SEATS, Card, Seat
from engine.core.field_types import Seq
from engine.core.message import Message, format_message
from engine.play.findings import NO_FINDINGS, Findings, build_finding, player_or_seat, seat_term
from engine.play.state import State

RULE = "1. Pack"


def find_play_seq(state: State, card: Card) -> Seq | None:
    """The entry at which ``card`` was played, or None."""
    play = state.play
    played = [(trick.cards, trick.seqs) for trick in play.tricks]
    for cards, seqs in (*played, (play.cards, play.seqs)):
        if card in cards:
            return seqs[cards.index(card)]
    return next((seq for seq, _, beyond in state.ending.uncounted_plays if beyond == card), None)


def find_statement_seq(state: State, seat: Seat, card: Card) -> Seq | None:
    """The last entry that stated ``card`` in the hand of ``seat`` (``hand_held``), or None."""
    seqs = [s.seq for s in state.knowledge.statements if s.seat == seat and s.mask & CARD_BITS[card]]
    return seqs[-1] if seqs else None


def find_holder(state: State, card: Card, excluded_seat: Seat | None = None) -> Seat | None:
    """Another seat that certainly holds ``card``, or was dealt it."""
    bit = CARD_BITS[card]
    for seat in SEATS:
        if seat != excluded_seat and (state.play.known_cards[seat] | state.knowledge.dealt_cards[seat]) & bit:
            return seat
    return None


def hand_sources(state: State, seat: Seat) -> tuple[Seq, ...]:
    """The entries that show what ``seat`` holds."""
    return state.knowledge.sources[seat]


def find_card_conflict(state: State, seat: Seat | None, card: Card, seq: Seq, where: Message) -> Findings:
    """A finding if ``card``, which the entry at ``seq`` places ``where``, is known to be elsewhere."""
    code = CARD_CODES[card]
    evidence: tuple[Seq, ...] = ()
    played = find_play_seq(state, card)
    if played is not None:
        evidence = (played,)
        message = format_message(
            "{card} {where}, but it has been played (entry {entry}).", card=code, where=where, entry=played
        )
    elif (holder := find_holder(state, card, seat)) is not None:
        evidence = hand_sources(state, holder)
        message = format_message(
            "{card} {where}, but {other} ({seat}) has it.",
            card=code,
            where=where,
            other=player_or_seat(state, holder),
            seat=seat_term(holder),
        )
    elif state.play.removed_cards & CARD_BITS[card]:
        message = format_message("{card} {where}, but it has been discarded.", card=code, where=where)
    else:
        return NO_FINDINGS
    return (build_finding(seq, "card_duplicated", message, RULE, seat, evidence, code),)


def find_repeated_cards(cards: tuple[Card, ...], seat: Seat | None, seq: Seq, listed: Message) -> Findings:
    """Findings for cards that occur twice in one list, which ``listed`` names."""
    found = []
    for card in sorted({card for card in cards if CARD_BITS[card] and cards.count(card) > 1}):
        message = format_message("{card} appears twice in {where}.", card=CARD_CODES[card], where=listed)
        found.append(build_finding(seq, "card_duplicated", message, RULE, seat, (), CARD_CODES[card]))
    return tuple(found)
