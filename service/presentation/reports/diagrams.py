"""Hands as a bridge column has them: a row for every suit, and between them what lies on the table."""

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from engine import Entry, State
from engine.core.cards import BIT, CARD_OF, CODES, HIDDEN, SEATS, SUITS, Card, Seat, cards_in
from engine.core.events import CardPlayed
from engine.play.state import PLAY
from service.presentation.text import names
from service.presentation.text.fan import ORDER, suit_known, suits_of
from service.presentation.text.hands import Hand, Hands
from service.presentation.text.style import Style
from service.presentation.text.words import LETTERS

SIDES: Final = {"anticlockwise": ("bottom", "right", "left"), "clockwise": ("bottom", "left", "right")}
"""Where forehand, middlehand and backhand sit, by the direction of play."""


class Letter(NamedTuple):
    """A card in the row of its suit: whether it was legal then, was played, was known only later."""

    text: str
    open: bool = False
    played: bool = False
    later: bool = False


class Row(NamedTuple):
    """A suit of a hand; no letter where it has none that is known."""

    suit: str
    letters: tuple[Letter, ...]


class Drawn(NamedTuple):
    """A hand: at which side, whose, what he plays (empty for a defender), and how many cards nobody knows."""

    side: str
    seat: Seat
    name: str
    game: str
    rows: tuple[Row, ...]
    unseen: int
    empty: bool


class Laid(NamedTuple):
    """A card on the table: before whom, by whose name, and which."""

    side: str
    name: str
    card: str
    leads: bool


class Diagram(NamedTuple):
    """Three hands, and between them the trick or else the talon, as far as it is known.

    ``underlined``, ``boxed``, ``leaning``: whether any card is marked so.
    """

    hands: tuple[Drawn, ...]
    trick: tuple[Laid, ...] = ()
    talon: tuple[str, ...] = ()
    underlined: bool = False
    boxed: bool = False
    leaning: bool = False


class Marks(NamedTuple):
    """What is marked of the hands: cards that were legal, the one that was played, those known only later."""

    open: Collection[Card] = ()
    played: Card | None = None
    later: tuple[int, int, int] = (0, 0, 0)


UNMARKED: Final = Marks()


def at_a_point(before: State, style: Style, marks: Marks = UNMARKED) -> Diagram | None:
    """The hands as they stood, and the trick so far; None where no card of any hand is known."""
    play = before.play
    hands = tuple(
        Hand(play.held[seat] | marks.later[seat], _rest(play.slots[seat], marks.later[seat], play.held[seat]))
        for seat in SEATS
    )
    if not any(hand.mask for hand in hands):
        return None
    sides = _sides(before)
    laid = zip(play.seats, play.cards, strict=True) if before.phase == PLAY else ()
    trick = tuple(
        Laid(sides[seat], names.player(before, seat, style), style.card(card), place == 0)
        for place, (seat, card) in enumerate(laid)
    )
    made = of_hands(hands, before, style, marks)
    return made._replace(trick=trick, talon=() if trick else _talon(before, style))


def of_hands(hands: Hands, state: State, style: Style, marks: Marks = UNMARKED) -> Diagram:
    """A diagram of three hands, at the sides at which they sit."""
    drawn = tuple(_drawn(seat, hands[seat], state, style, marks) for seat in SEATS)
    letters = [letter for hand in drawn for row in hand.rows for letter in row.letters]
    return Diagram(
        drawn,
        underlined=any(one.open for one in letters),
        boxed=any(one.played for one in letters),
        leaning=any(one.later for one in letters),
    )


def known_later(before: State, after: Iterable[Entry], end: State) -> tuple[int, int, int]:
    """By seat the cards of its hand that only later entries show: it played them, or has them in the end.

    Nothing where more would be shown than the hand had unknown cards: then the record contradicts itself.
    """
    masks = list(end.play.held)
    if before.phase != PLAY:
        return (0, 0, 0)
    for entry in after:
        event = entry.event
        if isinstance(event, CardPlayed):
            masks[event.seat] |= BIT[event.card]
    later = [masks[seat] & ~before.play.held[seat] for seat in SEATS]
    fits = [later[seat].bit_count() <= len(before.play.slots[seat]) for seat in SEATS]
    first, second, third = (mask if fit else 0 for mask, fit in zip(later, fits, strict=True))
    return first, second, third


def _rest(slots: tuple[int, ...], later: int, held: int) -> tuple[int, ...]:
    """What is still unknown of a hand when what was known later is put in."""
    left = list(slots)
    for card in cards_in(later & ~held):
        fitting = next((slot for slot in left if slot & BIT[card]), None)
        left.remove(left[0] if fitting is None else fitting)
    return tuple(left)


def _sides(state: State) -> tuple[str, ...]:
    return SIDES[state.opening.rules.ruleset.direction]


def _drawn(seat: Seat, hand: Hand, state: State, style: Style, marks: Marks) -> Drawn:
    by_suit: dict[str, list[Letter]] = {suit: [] for suit in ORDER}
    for card in (card for group in suits_of(hand.mask, state) for card in group):
        by_suit[CODES[card][0]].append(_letter(card, seat, state, style, marks))
    unseen = 0
    for slot in hand.slots:
        suit = suit_known(slot)
        if suit is None:
            unseen += 1
        else:
            by_suit[SUITS[suit]].append(Letter("x", later=True))
    known = any(by_suit.values())
    rows = tuple(Row(suit, tuple(letters)) for suit, letters in by_suit.items()) if known else ()
    name = names.player(state, seat, style)
    empty = not (hand.mask or hand.slots)
    return Drawn(_sides(state)[seat], seat, name, _game(seat, state, style), rows, unseen, empty)


def _letter(card: Card, seat: Seat, state: State, style: Style, marks: Marks) -> Letter:
    rank = CODES[card][1]
    turn = state.play.turn if state.phase == PLAY else None
    return Letter(
        LETTERS[style.lang].get(rank, rank),
        open=seat == turn and card in marks.open,
        played=card == marks.played,
        later=bool(marks.later[seat] & BIT[card]),
    )


def _game(seat: Seat, state: State, style: Style) -> str:
    """At the hand of whoever plays it, what is played."""
    bargain = state.bargain
    if bargain.declarer != seat or bargain.contract_id is None:
        return ""
    return names.game(state, bargain.contract_id, bargain.trump, style)


def _talon(state: State, style: Style) -> tuple[str, ...]:
    """The known cards of the talon, top first; none once the play has begun."""
    cards = () if state.phase == PLAY else state.exchange.talon
    return tuple(style.card(card) for card in cards if card != HIDDEN)


def cards_of(codes: Iterable[str]) -> frozenset[Card]:
    """Cards by their codes."""
    return frozenset(CARD_OF[code] for code in codes)
