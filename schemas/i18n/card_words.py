"""What cards, seats, calls and outcomes are called in English and in Danish, wherever one reads of them."""

from typing import Final

from schemas.i18n.catalogs import gettext

SUIT_TERMS: Final = {
    "C": "clubs",
    "D": "diamonds",
    "H": "hearts",
    "S": "spades",
}

RANK_TERMS: Final = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "7": "seven",
    "6": "six",
    "5": "five",
    "4": "four",
    "3": "three",
    "2": "two",
}

MATADOR_NAMES: Final = ("spadille", "manille", "basta")
"""The three highest trumps, highest first, called so in both languages."""

SEAT_TERMS: Final = {
    "forehand": "forehand",
    "middlehand": "middlehand",
    "backhand": "backhand",
}

CALL_TERMS: Final = {"pass": "pass", "self": "self"}
"""Calls that every ruleset has."""

OUTCOME_TERMS: Final = {
    "won": "won",
    "bete": "bête",
    "codille": "codille",
    "passed_out": "all passed",
    "abandoned": "given up",
    "forfeited": "forfeited",
    "voided": "void",
    "slam_made": "all nine tricks made",
    "slam_failed": "all nine tricks failed",
}
"""Outcomes as a note: of a slip, a ruling, or one that is still possible."""

SPANISH_SUITS: Final = {"C": "bastos", "D": "oros", "H": "copas", "S": "espadas"}
SPANISH_RANKS: Final = {
    "A": "as",
    "K": "rey",
    "Q": "caballo",
    "J": "sota",
    "7": "siete",
    "6": "seis",
    "5": "cinco",
    "4": "cuatro",
    "3": "tres",
    "2": "dos",
}
SPANISH_LETTERS: Final = {"K": "R", "Q": "C", "J": "S"}
"""The letters on the cards of a king, queen and jack, where they are those of rey, caballo and sota."""
SPANISH_MATADORS: Final = ("espada", "mala", "basto")
SPANISH_GAMES: Final = {
    "play": "entrada",
    "favoured-play": "entrada a palo de favor",
    "voltereta": "vuelta",
    "solo": "solo",
    "favoured-solo": "solo a palo de favor",
    "oros": "oros",
    "higher": "juego más",
    "countervole": "contrabola",
}
"""Bids and contracts in Spanish, by Fournier's rules of tresillo, and Parlett's of Ombre for the last three.

Only words that a source has: any other game keeps the name that it has in the reader's language.
"""


def listed_card_name(suit: str, rank: str, lang: str) -> str:
    """A card by its name, as in a list; ``suit`` and ``rank`` are letters of the record."""
    suit_name, rank_name = gettext(SUIT_TERMS[suit], lang), gettext(RANK_TERMS[rank], lang)
    return gettext("{rank} of {suit}", lang).format(rank=rank_name, suit=suit_name)
