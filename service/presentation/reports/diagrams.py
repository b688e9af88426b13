"""Hands as a bridge column has them: a row for every suit, and between them what lies on the table."""

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from engine import Entry, State
from engine.core.cards import (
    CARD_BITS,
    CARD_BY_CODE,
    CARD_CODES,
    HIDDEN_CARD,
    SEATS,
    SUIT_LETTERS,
    Card,
    Seat,
    cards_in_mask,
)
from engine.core.events import CardPlayed
from engine.play.state import PLAY
from schemas.i18n.catalogs import rank_letter
from service.presentation.text import names
from service.presentation.text.hand_format import SUIT_ORDER, slot_suit, sort_into_suits
from service.presentation.text.hands import KnownHand, KnownHands
from service.presentation.text.style import TextStyle

SEAT_SIDES: Final = {"anticlockwise": ("bottom", "right", "left"), "clockwise": ("bottom", "left", "right")}
"""Where forehand, middlehand and backhand sit, by the direction of play."""


class DiagramCard(NamedTuple):
    """A card in the row of its suit: whether it was legal then, was played, was known only later."""

    text: str
    is_legal: bool = False
    is_played: bool = False
    is_known_later: bool = False


class SuitRow(NamedTuple):
    """A suit of a hand; no letter where it has none that is known."""

    suit: str
    cards: tuple[DiagramCard, ...]


class DiagramHand(NamedTuple):
    """A hand: at which side, whose, what he plays (empty for a defender), and how many cards nobody knows."""

    side: str
    seat: Seat
    name: str
    game: str
    rows: tuple[SuitRow, ...]
    hidden_count: int
    is_empty: bool


class DiagramTrickCard(NamedTuple):
    """A card on the table: before whom, by whose name, and which."""

    side: str
    name: str
    card: str
    leads: bool


class HandDiagram(NamedTuple):
    """Three hands, and between them the trick or else the talon, as far as it is known.

    ``has_underlined``, ``has_boxed``, ``has_leaning``: whether any card is marked so.
    """

    hands: tuple[DiagramHand, ...]
    trick: tuple[DiagramTrickCard, ...] = ()
    talon: tuple[str, ...] = ()
    has_underlined: bool = False
    has_boxed: bool = False
    has_leaning: bool = False


class DiagramMarks(NamedTuple):
    """What is marked of the hands: cards that were legal, the one that was played, those known only later."""

    legal_cards: Collection[Card] = ()
    played_card: Card | None = None
    known_later_masks: tuple[int, int, int] = (0, 0, 0)


NO_MARKS: Final = DiagramMarks()


def build_position_diagram(
    state: State, style: TextStyle, marks: DiagramMarks = NO_MARKS
) -> HandDiagram | None:
    """The hands as they stood, and the trick so far; None where no card of any hand is known."""
    play = state.play
    hands = tuple(
        KnownHand(
            play.known_cards[seat] | marks.known_later_masks[seat],
            _remaining_slots(play.hidden_slots[seat], marks.known_later_masks[seat], play.known_cards[seat]),
        )
        for seat in SEATS
    )
    if not any(hand.known_mask for hand in hands):
        return None
    sides = _sides(state)
    laid = zip(play.seats, play.cards, strict=True) if state.phase == PLAY else ()
    trick = tuple(
        DiagramTrickCard(sides[seat], names.player_label(state, seat, style), style.card(card), place == 0)
        for place, (seat, card) in enumerate(laid)
    )
    diagram = build_hands_diagram(hands, state, style, marks)
    return diagram._replace(trick=trick, talon=() if trick else _talon_cards(state, style))


def build_hands_diagram(
    hands: KnownHands, state: State, style: TextStyle, marks: DiagramMarks = NO_MARKS
) -> HandDiagram:
    """A diagram of three hands, at the sides at which they sit."""
    drawn = tuple(_build_hand(seat, hands[seat], state, style, marks) for seat in SEATS)
    letters = [letter for hand in drawn for row in hand.rows for letter in row.cards]
    return HandDiagram(
        drawn,
        has_underlined=any(one.is_legal for one in letters),
        has_boxed=any(one.is_played for one in letters),
        has_leaning=any(one.is_known_later for one in letters),
    )


def cards_known_later(state: State, later_entries: Iterable[Entry], end_state: State) -> tuple[int, int, int]:
    """By seat the cards of its hand that only later entries show: it played them, or has them in the end.

    Nothing where more would be shown than the hand had unknown cards: then the record contradicts itself.
    """
    masks = list(end_state.play.known_cards)
    if state.phase != PLAY:
        return (0, 0, 0)
    for entry in later_entries:
        event = entry.event
        if isinstance(event, CardPlayed):
            masks[event.seat] |= CARD_BITS[event.card]
    later = [masks[seat] & ~state.play.known_cards[seat] for seat in SEATS]
    fits = [later[seat].bit_count() <= len(state.play.hidden_slots[seat]) for seat in SEATS]
    first, second, third = (mask if fit else 0 for mask, fit in zip(later, fits, strict=True))
    return first, second, third


def _remaining_slots(slots: tuple[int, ...], later: int, current: int) -> tuple[int, ...]:
    """What is still unknown of a hand when what was known later is put in."""
    remaining = list(slots)
    for card in cards_in_mask(later & ~current):
        fitting = next((slot for slot in remaining if slot & CARD_BITS[card]), None)
        remaining.remove(remaining[0] if fitting is None else fitting)
    return tuple(remaining)


def _sides(state: State) -> tuple[str, ...]:
    return SEAT_SIDES[state.opening.rules.ruleset.direction]


def _build_hand(
    seat: Seat, hand: KnownHand, state: State, style: TextStyle, marks: DiagramMarks
) -> DiagramHand:
    by_suit: dict[str, list[DiagramCard]] = {suit: [] for suit in SUIT_ORDER}
    for card in (card for group in sort_into_suits(hand.known_mask, state) for card in group):
        by_suit[CARD_CODES[card][0]].append(_build_card(card, seat, state, style, marks))
    unseen = 0
    for slot in hand.slots:
        suit = slot_suit(slot)
        if suit is None:
            unseen += 1
        else:
            by_suit[SUIT_LETTERS[suit]].append(DiagramCard("x", is_known_later=True))
    known = any(by_suit.values())
    rows = tuple(SuitRow(suit, tuple(letters)) for suit, letters in by_suit.items()) if known else ()
    name = names.player_label(state, seat, style)
    empty = not (hand.known_mask or hand.slots)
    return DiagramHand(
        _sides(state)[seat], seat, name, _game_of_seat(seat, state, style), rows, unseen, empty
    )


def _build_card(card: Card, seat: Seat, state: State, style: TextStyle, marks: DiagramMarks) -> DiagramCard:
    rank = CARD_CODES[card][1]
    turn = state.play.turn if state.phase == PLAY else None
    return DiagramCard(
        rank_letter(rank, style.lang),
        is_legal=seat == turn and card in marks.legal_cards,
        is_played=card == marks.played_card,
        is_known_later=bool(marks.known_later_masks[seat] & CARD_BITS[card]),
    )


def _game_of_seat(seat: Seat, state: State, style: TextStyle) -> str:
    """At the hand of whoever plays it, what is played."""
    contract_state = state.contract_state
    if contract_state.declarer != seat or contract_state.contract_id is None:
        return ""
    return names.game_name(state, contract_state.contract_id, contract_state.trump, style)


def _talon_cards(state: State, style: TextStyle) -> tuple[str, ...]:
    """The known cards of the talon, top first; none once the play has begun."""
    cards = () if state.phase == PLAY else state.exchange.talon
    return tuple(style.card(card) for card in cards if card != HIDDEN_CARD)


def parse_cards(codes: Iterable[str]) -> frozenset[Card]:
    """Cards by their codes."""
    return frozenset(CARD_BY_CODE[code] for code in codes)
