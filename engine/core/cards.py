"""The pack of forty, the three seats and how both are written.

A card is a small integer. Known cards are 0 to 39, numbered so that the order of the
numbers is the order of the codes as text ("C2" before "CA" before "D2"); 40 is a card
nobody recorded ("??"); 41 to 44 are cards of which only the suit is known ("C?" …).
A set of cards is an integer bit mask. Source: RULES 1.
"""

from typing import Final, NewType

Card = NewType("Card", int)
Suit = NewType("Suit", int)
Seat = NewType("Seat", int)

SUITS: Final = "CDHS"
RANKS: Final = "234567AJKQ"
CLUBS, DIAMONDS, HEARTS, SPADES = Suit(0), Suit(1), Suit(2), Suit(3)
NO_TRUMP: Final = Suit(4)
"""Trump of a nolo contract; never written on the wire."""
ACES_ONLY: Final = Suit(5)
"""Trump of a game without a trump suit, in which only the two black aces are trumps."""

SEAT_NAMES: Final = ("forehand", "middlehand", "backhand")
FOREHAND, MIDDLEHAND, BACKHAND = Seat(0), Seat(1), Seat(2)
SEATS: Final = (FOREHAND, MIDDLEHAND, BACKHAND)

PACK: Final = (1 << 40) - 1
"""The mask of all forty cards."""
HAND_SIZE: Final = 9
TALON_SIZE: Final = 13

HIDDEN: Final = Card(40)
"""A card nobody recorded, written ``??``."""

CODES: Final[tuple[str, ...]] = (
    *(suit + rank for suit in SUITS for rank in RANKS),
    "??",
    *(suit + "?" for suit in SUITS),
)
CARD_OF: Final[dict[str, Card]] = {code: Card(i) for i, code in enumerate(CODES)}
SUIT_OF: Final[dict[str, Suit]] = {code: Suit(i) for i, code in enumerate(SUITS)}
SEAT_OF: Final[dict[str, Seat]] = {name: Seat(i) for i, name in enumerate(SEAT_NAMES)}

SUIT_MASK: Final[tuple[int, ...]] = tuple(0b1111111111 << (10 * i) for i in range(4))
"""For each suit the mask of the ten cards printed with it (black aces included)."""

BIT: Final[tuple[int, ...]] = (*(1 << i for i in range(40)), 0, 0, 0, 0, 0)
"""For each card its bit; 0 for a hidden one."""

CANDIDATES: Final[tuple[int, ...]] = (*(1 << i for i in range(40)), PACK, *SUIT_MASK)
"""For each card the mask of what it can be: itself, or all that its hidden code allows."""

SPADILLE: Final = CARD_OF["SA"]
BASTA: Final = CARD_OF["CA"]
BLACK_ACES: Final = BIT[SPADILLE] | BIT[BASTA]


def read_card(code: str) -> Card:
    """The card written ``code`` ("SA", "H7", "??", "S?").

    Raises:
        ValueError: no card of the pack is written so.
    """
    try:
        return CARD_OF[code]
    except KeyError:
        raise ValueError(
            f"{code!r} is no card of the pack: a suit (C D H S), then a rank ({' '.join(RANKS)} or ?)"
        ) from None


def mask_of(cards: tuple[Card, ...]) -> int:
    """The mask of the known cards among ``cards``."""
    mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask


def cards_in(mask: int) -> tuple[Card, ...]:
    """The cards of a mask, in the order of their codes."""
    found = []
    while mask:
        low = mask & -mask
        found.append(Card(low.bit_length() - 1))
        mask ^= low
    return tuple(found)


def codes_in(mask: int) -> list[str]:
    """The codes of the cards of a mask, sorted."""
    return [CODES[card] for card in cards_in(mask)]


def seat_after(seat: Seat) -> Seat:
    """The next seat in the order of play."""
    return Seat((seat + 1) % 3)


def suit_of(card: Card) -> Suit:
    """The printed suit of a known card."""
    return Suit(card // 10)
