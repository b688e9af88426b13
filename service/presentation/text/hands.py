"""The hands of a deal as dealt, as played and as they stand, each sorted the way a player holds it."""

from typing import Final, NamedTuple

from engine import History, State, evolve, initial_state
from engine.core.cards import (
    CARD_BITS,
    CARD_BY_CODE,
    CARD_CANDIDATES,
    HAND_SIZE,
    PACK_MASK,
    SEATS,
    Card,
    Seat,
    mask_of_cards,
    slot_code,
)
from engine.core.events import CardPlayed, HandDealt, HandHeld, TalonLaid
from engine.core.field_types import Seq
from engine.core.ranking import suit_ladders
from engine.play.state import PLAY, UNKNOWN_HAND, HiddenSlots, is_deal_over
from service.presentation.text import names
from service.presentation.text.layout import COLUMN_GAP, INDENT, align_columns, display_width, wrap_text
from service.presentation.text.sentences import capitalize_first
from service.presentation.text.style import TextStyle
from service.presentation.text.text_sections import TextLine, TextSection
from service.presentation.text.words import LABEL_PHRASES, SECTION_HEADINGS

SUIT_ORDER: Final = "SHDC"
"""The suits in the order in which they are shown."""

SUIT_GAP: Final = "   "
"""Between two suits of a hand."""


def format_hand(mask: int, slots: HiddenSlots, state: State, style: TextStyle) -> str:
    """A hand: the known cards of ``mask`` in order, then the unknown ones by suit, else by number.

    Each of ``slots`` holds what an unknown card can be.
    """
    groups = [style.cards(group) for group in sort_into_suits(mask, state)]
    codes = sorted(map(slot_code, slots))
    by_suit = [style.card(CARD_BY_CODE[code]) for code in codes if code != "??"]
    if by_suit:
        groups.append(" ".join(by_suit))
    if unknown := codes.count("??"):
        groups.append(style.dim(("+ " if groups else "") + style.phrase("{count} unknown", count=unknown)))
    return SUIT_GAP.join(groups)


def sort_into_suits(mask: int, state: State) -> list[tuple[Card, ...]]:
    """The cards of ``mask`` as a hand is sorted: the trumps, then the plain suits, each from high to low."""
    ladders = suit_ladders(state.contract_state.trump, state.opening.rules.ruleset.red_trumps, SUIT_ORDER)
    groups = [tuple(Card(card) for card in ladder if mask & CARD_BITS[card]) for ladder in ladders]
    return [group for group in groups if group]


def sort_hand_mask(mask: int, state: State) -> tuple[Card, ...]:
    """The cards of ``mask`` in one row, sorted as a hand is."""
    return tuple(card for group in sort_into_suits(mask, state) for card in group)


class KnownHand(NamedTuple):
    """What is known of a hand: its known cards, what the others can be, the entries that state it."""

    known_mask: int
    slots: HiddenSlots
    seqs: tuple[Seq, ...] = ()


KnownHands = tuple[KnownHand, ...]
"""The three hands, forehand's first."""


def dealt_hands(history: History, state: State) -> KnownHands:
    """The hands as they were dealt, as far as the record tells."""
    hands = [_build_hand(state.knowledge.dealt_cards[seat]) for seat in SEATS]
    for entry in history.entries:
        event = entry.event
        if isinstance(event, HandDealt):
            slots = tuple(CARD_CANDIDATES[card] for card in event.cards if not CARD_BITS[card])
            hands[event.seat] = KnownHand(
                mask_of_cards(event.cards), slots, (*hands[event.seat].seqs, entry.seq)
            )
    return tuple(hands)


def played_hands(history: History, state: State) -> KnownHands | None:
    """The hands with which the play began, by all that was seen later; None before the play."""
    at_lead, before = None, initial_state(state.opening.book)
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
    cards_at_lead = (at_lead or state).play.known_cards
    return tuple(
        _build_hand(
            cards_at_lead[seat] | _cards_played_by(seat, state) | state.play.known_cards[seat],
            stated.get(seat, ()),
        )
        for seat in SEATS
    )


def current_hands(state: State) -> KnownHands | None:
    """The hands in the middle of the play; None before it and after it."""
    play = state.play
    if is_deal_over(state) or state.phase != PLAY or not (play.tricks or play.cards):
        return None
    return tuple(KnownHand(play.known_cards[seat], play.hidden_slots[seat]) for seat in SEATS)


def _build_hand(mask: int, seqs: tuple[Seq, ...] = ()) -> KnownHand:
    return KnownHand(mask, (PACK_MASK,) * max(HAND_SIZE - mask.bit_count(), 0), seqs)


def _cards_played_by(seat: Seat, state: State) -> int:
    play = state.play
    laid = [(trick.seats, trick.cards) for trick in play.tricks] + [(play.seats, play.cards)]
    mask = 0
    for seats, cards in laid:
        for player, card in zip(seats, cards, strict=True):
            mask |= CARD_BITS[card] if player == seat else 0
    for _, player, card in state.ending.uncounted_plays:
        mask |= CARD_BITS[card] if player == seat else 0
    return mask


def has_known_card(hands: KnownHands) -> bool:
    """Whether any card of the hands is known."""
    return any(hand.known_mask or hand.seqs for hand in hands)


def hands_section(
    key: str, hands: KnownHands, state: State, style: TextStyle, talon: TextLine | None = None
) -> TextSection:
    """The three hands under a heading, and below them the talon, if it was laid."""
    rows = [
        (
            capitalize_first(names.seat_name(seat, style)),
            names.short_player_label(state, seat, style),
            _format_known_hand(hand, state, style),
        )
        for seat, hand in zip(SEATS, hands, strict=True)
    ]
    texts = [INDENT + line for line in align_columns(rows)]
    if any(display_width(text) > style.width for text in texts):
        texts = [_stack_hand_row(row, style) for row in rows]
    lines = [TextLine(text, hand.seqs) for text, hand in zip(texts, hands, strict=True)]
    return TextSection(style.phrase(SECTION_HEADINGS[key]), lines if talon is None else [*lines, talon])


def _stack_hand_row(row: tuple[str, str, str], style: TextStyle) -> str:
    """A hand that is too wide for a line with its player."""
    seat, name, fan = row
    fits = display_width(INDENT * 2 + fan) <= style.width
    lines = [INDENT * 2 + fan] if fits else wrap_text(fan, style.width, INDENT * 2)
    return "\n".join([f"{INDENT}{seat}{COLUMN_GAP}{name}", *lines])


def _format_known_hand(hand: KnownHand, state: State, style: TextStyle) -> str:
    if hand.known_mask or hand.slots != UNKNOWN_HAND:
        return format_hand(hand.known_mask, hand.slots, state, style)
    return style.dim(style.phrase(LABEL_PHRASES["unrecorded"]))


def talon_line(history: History, style: TextStyle) -> TextLine | None:
    """The talon as it was laid, top first; None where it was not."""
    laid: tuple[Card, ...] = ()
    seqs: tuple[Seq, ...] = ()
    for entry in history.entries:
        if isinstance(entry.event, TalonLaid):
            laid, seqs = entry.event.cards, (*seqs, entry.seq)
    if not seqs:
        return None
    name = f"{INDENT}{style.phrase('Talon')}{COLUMN_GAP}"
    return TextLine("\n".join(wrap_text(style.cards(laid), style.width, name)), seqs)
