"""The hands of a deal: as they were dealt, as they were played, as they stand."""

from typing import NamedTuple

from engine import History, State, evolve, start
from engine.core.cards import BIT, CANDIDATES, HAND_SIZE, PACK, SEATS, Card, Seat, mask_of
from engine.core.events import CardPlayed, HandDealt, HandHeld, TalonLaid
from engine.core.vocabulary import Seq
from engine.play.state import PLAY, UNSEEN, Slots, is_over
from service.presentation.text import names
from service.presentation.text.fan import fanned
from service.presentation.text.layout import GAP, cells, columns, wrapped
from service.presentation.text.sentences import upper
from service.presentation.text.sheet import INDENT, Line, Section
from service.presentation.text.style import Style
from service.presentation.text.words import HEADINGS, LABELS


class Hand(NamedTuple):
    """What is known of a hand: its known cards, what the others can be, which entries tell of it."""

    mask: int
    slots: Slots
    seqs: tuple[Seq, ...] = ()


Hands = tuple[Hand, ...]
"""The three hands, forehand's first."""


def dealt(history: History, state: State) -> Hands:
    """The hands as they were dealt, as far as the record tells."""
    hands = [_as_known(state.knowledge.dealt[seat]) for seat in SEATS]
    for entry in history.entries:
        event = entry.event
        if isinstance(event, HandDealt):
            slots = tuple(CANDIDATES[card] for card in event.cards if not BIT[card])
            hands[event.seat] = Hand(mask_of(event.cards), slots, (*hands[event.seat].seqs, entry.seq))
    return tuple(hands)


def played(history: History, state: State) -> Hands | None:
    """The hands with which the play began, by all that was seen later; None before the play."""
    at_lead, before = None, start(state.opening.book)
    stated: dict[Seat, tuple[Seq, ...]] = {}
    for entry in history.entries:
        if isinstance(entry.event, CardPlayed):
            at_lead = before
            break
        if isinstance(entry.event, HandHeld):
            stated[entry.event.seat] = (*stated.get(entry.event.seat, ()), entry.seq)
        before = evolve(before, entry)
    if at_lead is None and state.phase != PLAY:
        return None
    held = (at_lead or state).play.held
    return tuple(
        _as_known(held[seat] | _played_by(seat, state) | state.play.held[seat], stated.get(seat, ()))
        for seat in SEATS
    )


def now(state: State) -> Hands | None:
    """The hands in the middle of the play; None before it and after it."""
    play = state.play
    if is_over(state) or state.phase != PLAY or not (play.tricks or play.cards):
        return None
    return tuple(Hand(play.held[seat], play.slots[seat]) for seat in SEATS)


def _as_known(mask: int, seqs: tuple[Seq, ...] = ()) -> Hand:
    return Hand(mask, (PACK,) * max(HAND_SIZE - mask.bit_count(), 0), seqs)


def _played_by(seat: Seat, state: State) -> int:
    play = state.play
    laid = [(trick.seats, trick.cards) for trick in play.tricks] + [(play.seats, play.cards)]
    mask = 0
    for seats, cards in laid:
        for player, card in zip(seats, cards, strict=True):
            mask |= BIT[card] if player == seat else 0
    for _, player, card in state.ending.beyond:
        mask |= BIT[card] if player == seat else 0
    return mask


def any_known(hands: Hands) -> bool:
    """Whether any card of the hands is known."""
    return any(hand.mask or hand.seqs for hand in hands)


def hands_section(key: str, hands: Hands, state: State, style: Style, talon: Line | None = None) -> Section:
    """The three hands under a heading, each fanned; the talon below them, where it was laid."""
    seats = names.seat_names(style)
    rows = [
        (upper(seats[seat]), names.short(state, seat, style), _fan(hand, state, style))
        for seat, hand in zip(SEATS, hands, strict=True)
    ]
    texts = [INDENT + line for line in columns(rows)]
    if any(cells(text) > style.width for text in texts):
        texts = [_two_lines(row, style) for row in rows]
    lines = [Line(text, hand.seqs) for text, hand in zip(texts, hands, strict=True)]
    return Section(HEADINGS[key][style.lang], lines if talon is None else [*lines, talon])


def _two_lines(row: tuple[str, str, str], style: Style) -> str:
    """A hand that is too wide for a line with its player."""
    seat, name, fan = row
    fits = cells(INDENT * 2 + fan) <= style.width
    lines = [INDENT * 2 + fan] if fits else wrapped(fan, style.width, INDENT * 2)
    return "\n".join([f"{INDENT}{seat}{GAP}{name}", *lines])


def _fan(hand: Hand, state: State, style: Style) -> str:
    if hand.mask or hand.slots != UNSEEN:
        return fanned(hand.mask, hand.slots, state, style)
    return style.dim(LABELS["unrecorded"][style.lang])


def talon_line(history: History, style: Style) -> Line | None:
    """The talon as it was laid, top first; None where it was not."""
    laid: tuple[Card, ...] = ()
    seqs: tuple[Seq, ...] = ()
    for entry in history.entries:
        if isinstance(entry.event, TalonLaid):
            laid, seqs = entry.event.cards, (*seqs, entry.seq)
    if not seqs:
        return None
    name = f"{INDENT}{HEADINGS['talon'][style.lang]}{GAP}"
    return Line("\n".join(wrapped(style.cards(laid), style.width, name)), seqs)
