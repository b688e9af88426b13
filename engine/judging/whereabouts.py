"""Where a card is known to be, and by which entry: what shows that it cannot be here."""

from engine.core.cards import BIT, CODES, SEATS, Card, Seat
from engine.core.message import Telling, said
from engine.core.vocabulary import Seq
from engine.play.findings import Finding, Findings, finding, name_of, seat_called
from engine.play.state import State

RULE = "1. Pack"


def played_at(state: State, card: Card) -> Seq | None:
    """The entry at which ``card`` was played, if it was."""
    play = state.play
    laid = [(trick.cards, trick.seqs) for trick in play.tricks]
    for cards, seqs in (*laid, (play.cards, play.seqs)):
        if card in cards:
            return seqs[cards.index(card)]
    return next((seq for seq, _, beyond in state.ending.beyond if beyond == card), None)


def stated_at(state: State, seat: Seat, card: Card) -> Seq | None:
    """The last entry that stated ``card`` in the hand of ``seat`` (``hand_held``), if there is one."""
    seqs = [s.seq for s in state.knowledge.stated if s.seat == seat and s.mask & BIT[card]]
    return seqs[-1] if seqs else None


def holder_of(state: State, card: Card, but: Seat | None = None) -> Seat | None:
    """Another seat that certainly holds ``card``, or was dealt it."""
    bit = BIT[card]
    for seat in SEATS:
        if seat != but and (state.play.held[seat] | state.knowledge.dealt[seat]) & bit:
            return seat
    return None


def sources_of(state: State, seat: Seat) -> tuple[Seq, ...]:
    """The entries that tell what ``seat`` holds."""
    return state.knowledge.sources[seat]


def twice_told(state: State, seat: Seat | None, card: Card, seq: Seq, where: Telling) -> Finding | None:
    """A finding where ``card``, told of at ``seq``, is known to be somewhere else.

    ``where`` says what is told of it.
    """
    code = CODES[card]
    played = played_at(state, card)
    if played is not None:
        message = said(
            "{card} {where}, but it has been played (entry {entry}).", card=code, where=where(), entry=played
        )
        return finding(seq, "card_duplicated", message, RULE, seat, (played,), code)
    holder = holder_of(state, card, seat)
    if holder is not None:
        sources = sources_of(state, holder)
        message = said(
            "{card} {where}, but {other} ({seat}) has it.",
            card=code,
            where=where(),
            other=name_of(state, holder),
            seat=seat_called(holder),
        )
        return finding(seq, "card_duplicated", message, RULE, seat, sources, code)
    if state.play.gone & BIT[card]:
        message = said("{card} {where}, but it has been laid away.", card=code, where=where())
        return finding(seq, "card_duplicated", message, RULE, seat, (), code)
    return None


def repeated_within(cards: tuple[Card, ...], seat: Seat | None, seq: Seq, where: Telling) -> Findings:
    """Findings for cards that stand twice in one list, which ``where`` names."""
    twice = sorted({card for card in cards if BIT[card] and cards.count(card) > 1})
    found = []
    for card in twice:
        message = said("{card} stands twice in {where}.", card=CODES[card], where=where())
        found.append(finding(seq, "card_duplicated", message, RULE, seat, (), CODES[card]))
    return tuple(found)
