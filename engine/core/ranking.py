"""The ranking of cards and who must follow: one table per trump suit, order and matador policy.

Sources: RULES 1 (ranking) and RULES 5 (following suit, the matador privilege).
"""

from functools import cache
from typing import Final, NamedTuple

from engine.core.cards import (
    ACES_ONLY,
    BASTA,
    CARD_BITS,
    CARD_BY_CODE,
    CARD_CANDIDATES,
    CARD_CODES,
    NO_TRUMP,
    PACK_MASK,
    SPADILLE,
    SUIT_LETTERS,
    Suit,
)

PLAIN_BLACK: Final = "KQJ765432A"
PLAIN_RED: Final = "KQJA234567"

RED_TRUMPS: Final = {
    "ponto-fourth": "AKQJ23456",
    "ace-after-jack": "KQJA23456",
}
"""Red trumps below the matadors, high to low, by the name of the order (RULES 1)."""

MATADOR_POLICIES: Final = ("forced-by-higher", "can-beat-lead", "absolute")
"""When the holder of matadors need not follow a trump lead (RULES 5)."""


class TrickRules(NamedTuple):
    """Everything that trick play needs to know about one trump suit, indexed by card.

    Hidden cards have entries too: what is true whatever the card is.

    ``followers[lead]``: the cards that follow it. Two masks per card led decide who must follow: the cards
    that compel, ``compelling[lead]``, and the cards that free, ``freeing[lead]``. A seat with a card that
    compels must follow. A seat with followers, but none that compels, is free only with a card that frees.
    All three `MATADOR_POLICIES` are such tables, so the play itself consults no policy.

    ``beaten_by[card]``: the cards that beat it while it is winning. ``trumps``: all trumps, black aces
    included; ``matadors``: the three highest of them. ``ladder``: the trumps from the highest to the lowest.
    """

    followers: tuple[int, ...]
    compelling: tuple[int, ...]
    freeing: tuple[int, ...]
    beaten_by: tuple[int, ...]
    trumps: int
    matadors: int
    ladder: tuple[int, ...]


def trump_ladder(trump: Suit, red_order: str) -> list[int]:
    """The trumps as card numbers, spadille first; empty if there are none."""
    if trump == NO_TRUMP:
        return []
    if trump == ACES_ONLY:
        return [SPADILLE, BASTA]
    suit = SUIT_LETTERS[trump]
    black = suit in "CS"
    manille = suit + ("2" if black else "7")
    rest = "KQJ76543" if black else RED_TRUMPS[red_order]
    return [SPADILLE, CARD_BY_CODE[manille], BASTA, *(CARD_BY_CODE[suit + rank] for rank in rest)]


def plain_ladders(trump: Suit) -> list[list[int]]:
    """The cards of each plain suit from the highest to the lowest."""
    ladders = []
    for suit in SUIT_LETTERS:
        if trump < NO_TRUMP and suit == SUIT_LETTERS[trump]:
            continue
        ranks = PLAIN_BLACK if suit in "CS" else PLAIN_RED
        cards = [int(CARD_BY_CODE[suit + rank]) for rank in ranks]
        if trump != NO_TRUMP:
            cards = [card for card in cards if card not in (SPADILLE, BASTA)]
        ladders.append(cards)
    return ladders


def suit_ladders(trump: Suit | None, red_order: str, suit_order: str) -> list[list[int]]:
    """The suits in the order in which a hand is sorted, trumps first, each from its highest card to its
    lowest.

    ``suit_order`` are the letters of the other suits. ``trump`` None: not known yet; a black ace is then
    sorted first in its suit, as it is a trump in every game with trumps.
    """
    plain = plain_ladders(NO_TRUMP if trump is None else trump)
    plain.sort(key=lambda ladder: suit_order.index(CARD_CODES[ladder[0]][0]))
    if trump is None:
        return [sorted(ladder, key=lambda card: card not in (SPADILLE, BASTA)) for ladder in plain]
    trumps = trump_ladder(trump, red_order)
    return [trumps, *plain] if trumps else plain


def _mask(cards: list[int]) -> int:
    return sum(1 << card for card in cards)


def _compelling(policy: str, lead: int, ladder: list[int]) -> tuple[int, int]:
    """The cards that compel, and those that free, when the trump ``lead`` is led (RULES 5)."""
    low = _mask(ladder[3:])
    place = ladder.index(lead)
    if policy == "can-beat-lead":
        return low, _mask(ladder[: min(3, place)])
    if policy == "forced-by-higher":
        return low | _mask(ladder[place + 1 : 3]), PACK_MASK
    if policy == "absolute":
        return low, PACK_MASK
    raise ValueError(f"{policy!r} is no matador policy; there are {', '.join(MATADOR_POLICIES)}")


@cache
def build_trick_rules(trump: Suit, red_order: str, policy: str) -> TrickRules:
    """Build the tables for one trump suit (``NO_TRUMP`` for nolo, ``ACES_ONLY`` for black aces alone).

    Raises:
        KeyError, ValueError: an unknown red order or matador policy.
    """
    ladder = trump_ladder(trump, red_order)
    trumps = _mask(ladder)
    suit, compelling, freeing, beats = [0] * 45, [0] * 45, [0] * 45, [0] * 45
    for cards in [ladder, *plain_ladders(trump)]:
        whole = _mask(cards)
        for place, card in enumerate(cards):
            suit[card] = whole
            beats[card] = _mask(cards[:place]) | (trumps & ~whole)
            if cards is ladder:
                compelling[card], freeing[card] = _compelling(policy, card, ladder)
            else:
                compelling[card], freeing[card] = whole, 0
    for hidden in range(40, 45):
        options = [card for card in range(40) if CARD_CANDIDATES[hidden] & CARD_BITS[card]]
        suit[hidden] = compelling[hidden] = beats[hidden] = PACK_MASK
        for card in options:
            suit[hidden] &= suit[card]
            compelling[hidden] &= compelling[card]
            freeing[hidden] |= freeing[card]
            beats[hidden] &= beats[card]
    return TrickRules(
        tuple(suit), tuple(compelling), tuple(freeing), tuple(beats), trumps, _mask(ladder[:3]), tuple(ladder)
    )


_NOTHING: Final = (0,) * 45
UNKNOWN_TRUMP: Final = TrickRules(_NOTHING, _NOTHING, (PACK_MASK,) * 45, _NOTHING, 0, 0, ())
"""The tables if nobody recorded the trump suit: nothing compels, nothing is known to win."""


def must_follow(hand: int, lead: int, trick_rules: TrickRules) -> bool:
    """Whether ``hand``, whose cards are known, has to follow the card ``lead`` (RULES 5)."""
    if hand & trick_rules.compelling[lead]:
        return True
    return bool(hand & trick_rules.followers[lead]) and not hand & trick_rules.freeing[lead]


def playable_cards(hand: int, lead: int | None, trick_rules: TrickRules) -> int:
    """The mask of cards that may be played from ``hand``; ``lead`` is None for the leader."""
    if lead is None or not must_follow(hand, lead, trick_rules):
        return hand
    return hand & trick_rules.followers[lead]
