"""Where a card is known to be, and by which entry: what shows that it cannot be here."""

from engine.cards import BIT, CODES, SEAT_NAMES, SEATS, Card, Seat
from engine.findings import Finding, Findings, finding, name_of
from engine.state import State
from engine.vocabulary import Seq

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


def twice_told(state: State, seat: Seat | None, card: Card, seq: Seq, where: str) -> Finding | None:
    """A finding where ``card``, told of at ``seq``, is known to be somewhere else."""
    code = CODES[card]
    played = played_at(state, card)
    if played is not None:
        message = f"{code} {where}, but it has been played (entry {played})."
        return finding(seq, "card_duplicated", message, RULE, seat, (played,), code)
    holder = holder_of(state, card, seat)
    if holder is not None:
        sources = sources_of(state, holder)
        message = f"{code} {where}, but {name_of(state, holder)} ({SEAT_NAMES[holder]}) has it."
        return finding(seq, "card_duplicated", message, RULE, seat, sources, code)
    if state.play.gone & BIT[card]:
        return finding(
            seq, "card_duplicated", f"{code} {where}, but it has been laid away.", RULE, seat, (), code
        )
    return None


def repeated_within(cards: tuple[Card, ...], seat: Seat | None, seq: Seq, where: str) -> Findings:
    """Findings for cards that stand twice in one list."""
    twice = sorted({card for card in cards if BIT[card] and cards.count(card) > 1})
    return tuple(
        finding(
            seq, "card_duplicated", f"{CODES[card]} stands twice in {where}.", RULE, seat, (), CODES[card]
        )
        for card in twice
    )
