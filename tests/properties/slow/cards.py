"""What beats what, and who must follow, as the rules concordance has it (1 and 5).

Written from the rules alone, sharing no line with the engine. Cards are "SA", suits "S"; `trump` is
None where there is none, "aces" where only the two black aces are trumps.
"""

SUITS = ["S", "H", "D", "C"]
PACK = [suit + rank for suit in SUITS for rank in "AKQJ765432"]


def matadors(trump: str) -> list[str]:
    """Spadille, manille and basta of this trump suit, the highest first."""
    if trump == "aces":
        return ["SA", "CA"]
    return ["SA", trump + ("2" if trump in "SC" else "7"), "CA"]


def order_of_suit(suit: str, trump: str | None, red_ace_low: bool = False) -> list[str]:
    """All cards that count as this suit, the highest first.

    `red_ace_low`: the red ace of trumps stands behind the jack, there is no ponto.
    """
    if suit == trump == "aces":
        return matadors("aces")
    if suit == trump:
        rest = "KQJ76543" if suit in "SC" else "KQJA23456" if red_ace_low else "AKQJ23456"
        return matadors(suit) + [suit + rank for rank in rest]
    if suit in "HD":
        return [suit + rank for rank in "KQJA234567"]
    plain = [suit + rank for rank in "KQJ765432"]
    return plain if trump else [*plain, suit + "A"]  # with trumps both black aces are trumps


def suit_of(card: str, trump: str | None) -> str:
    """The suit a card counts as: the black aces are trumps wherever there are any."""
    if trump is not None and card in ("SA", "CA"):
        return trump
    return card[0]


def beats(card: str, other: str, trump: str | None, red_ace_low: bool = False) -> bool:
    """Whether `card`, played after `other`, takes the trick from it."""
    suit, other_suit = suit_of(card, trump), suit_of(other, trump)
    if suit != other_suit:
        return suit == trump
    order = order_of_suit(suit, trump, red_ace_low)
    return order.index(card) < order.index(other)


def playable(hand: list[str], led: str | None, trump: str | None, privilege: str) -> list[str]:
    """The cards of `hand` that may be played to a trick to which `led` was led (None: he leads), sorted.

    `privilege`: when the holder of none but matadors is free. "beats": one of them beats the card led;
    "higher": none of them is lower than a matador that was led; "always".
    """
    if led is None:
        return sorted(hand)
    suit = suit_of(led, trump)
    following = [card for card in hand if suit_of(card, trump) == suit]
    if not following:
        return sorted(hand)
    if suit == trump and all(card in matadors(suit) for card in following):
        if privilege == "always":
            free = True
        elif privilege == "beats":
            free = any(beats(card, led, trump) for card in following)
        else:
            free = not (led in matadors(suit) and any(beats(led, card, trump) for card in following))
        if free:
            return sorted(hand)
    return sorted(following)


def trick_winner(trick: list[tuple[str, str]], trump: str | None, red_ace_low: bool = False) -> str:
    """The seat that takes this complete trick of (seat, card)."""
    best_seat, best_card = trick[0]
    for seat, card in trick[1:]:
        if beats(card, best_card, trump, red_ace_low):
            best_seat, best_card = seat, card
    return best_seat
