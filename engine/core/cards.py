"""The pack of forty, the three seats, and their notation (RULES 1).

A card is a small integer: 0 to 39 in the order of the codes as text, 40 for a card that nobody recorded
("??"), 41 to 44 for cards with only a known suit ("C?" …). A set of cards is an integer bit mask.
"""

from typing import Final, NewType, TypeVar

Card = NewType("Card", int)
Suit = NewType("Suit", int)
Seat = NewType("Seat", int)

SUIT_LETTERS: Final = "CDHS"
RANK_LETTERS: Final = "234567AJKQ"
CLUBS, DIAMONDS, HEARTS, SPADES = Suit(0), Suit(1), Suit(2), Suit(3)
NO_TRUMP: Final = Suit(4)
"""Trump of a nolo contract; never written on the wire."""
ACES_ONLY: Final = Suit(5)
"""Trump of a game without a trump suit, in which only the two black aces are trumps."""

SEAT_NAMES: Final = ("forehand", "middlehand", "backhand")
FOREHAND, MIDDLEHAND, BACKHAND = Seat(0), Seat(1), Seat(2)
SEATS: Final[tuple[Seat, ...]] = (FOREHAND, MIDDLEHAND, BACKHAND)
NEXT_SEAT: Final[tuple[Seat, ...]] = (MIDDLEHAND, BACKHAND, FOREHAND)
"""By seat, the next one in the order of play."""

Value = TypeVar("Value")
BySeat = tuple[Value, ...]
"""Something for each of the three seats; compiled, a tuple of a fixed length would be copied at each use."""

PACK_MASK: Final = (1 << 40) - 1
"""The mask of all forty cards."""
HAND_SIZE: Final = 9
TALON_SIZE: Final = 13

HIDDEN_CARD: Final = Card(40)
"""A card nobody recorded, written ``??``."""

CARD_CODES: Final[tuple[str, ...]] = (
    *(suit + rank for suit in SUIT_LETTERS for rank in RANK_LETTERS),
    "??",
    *(suit + "?" for suit in SUIT_LETTERS),
)
CARD_BY_CODE: Final[dict[str, Card]] = {code: Card(i) for i, code in enumerate(CARD_CODES)}
SUIT_BY_LETTER: Final[dict[str, Suit]] = {code: Suit(i) for i, code in enumerate(SUIT_LETTERS)}
SEAT_BY_NAME: Final[dict[str, Seat]] = {name: Seat(i) for i, name in enumerate(SEAT_NAMES)}

SUIT_MASKS: Final[tuple[int, ...]] = tuple(0b1111111111 << (10 * i) for i in range(4))
"""For each suit the mask of the ten cards printed with it (black aces included)."""

CARD_BITS: Final[tuple[int, ...]] = (*(1 << i for i in range(40)), 0, 0, 0, 0, 0)
"""The bit of each card; 0 for a hidden one."""

CARD_CANDIDATES: Final[tuple[int, ...]] = (*(1 << i for i in range(40)), PACK_MASK, *SUIT_MASKS)
"""The mask of what each card can be: itself, or every card that its hidden code allows."""

SPADILLE: Final = CARD_BY_CODE["SA"]
BASTA: Final = CARD_BY_CODE["CA"]
BLACK_ACES: Final = CARD_BITS[SPADILLE] | CARD_BITS[BASTA]


def parse_card(code: str) -> Card:
    """The card with the code ``code`` ("SA", "H7", "??", "S?").

    Raises:
        ValueError: no card has this code.
    """
    try:
        return CARD_BY_CODE[code]
    except KeyError:
        raise ValueError(
            f"{code!r} is not a card: write a suit (C D H S), then a rank ({' '.join(RANK_LETTERS)} or ?)"
        ) from None


def mask_of_cards(cards: tuple[Card, ...]) -> int:
    """The mask of the known cards among ``cards``."""
    mask = 0
    for card in cards:
        mask |= CARD_BITS[card]
    return mask


def cards_in_mask(mask: int) -> tuple[Card, ...]:
    """The cards of a mask, in the order of their codes."""
    found = []
    while mask:
        low = mask & -mask
        found.append(Card(low.bit_length() - 1))
        mask ^= low
    return tuple(found)


def codes_in_mask(mask: int) -> list[str]:
    """The codes of the cards of a mask, sorted."""
    return [CARD_CODES[card] for card in cards_in_mask(mask)]


def trump_letter(trump: Suit | None) -> str | None:
    """The letter of a trump suit; None if there is none, or nobody knows it."""
    return None if trump is None or trump >= NO_TRUMP else SUIT_LETTERS[trump]


def slot_code(slot: int) -> str:
    """The code of an unknown card, by the mask of what it can be: with its suit, if that is known."""
    for suit, mask in enumerate(SUIT_MASKS):
        if slot and not slot & ~mask:
            return SUIT_LETTERS[suit] + "?"
    return CARD_CODES[HIDDEN_CARD]


def next_seat(seat: Seat) -> Seat:
    """The next seat in the order of play."""
    return NEXT_SEAT[seat]


def with_seat(by_seat: BySeat[Value], seat: Seat, value: Value) -> BySeat[Value]:
    """The same values with another one for ``seat``."""
    first, second, third = by_seat
    if seat == 0:
        return value, second, third
    return (first, value, third) if seat == 1 else (first, second, value)


def printed_suit(card: Card) -> Suit:
    """The printed suit of a known card."""
    return Suit(card // 10)
