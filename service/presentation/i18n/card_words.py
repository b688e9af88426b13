"""What cards, seats, calls and outcomes are called in English and in Danish, wherever one reads of them."""

from typing import Final

from engine.rulesets.model import Words

SUITS: Final = {
    "C": Words("clubs", "klør"),
    "D": Words("diamonds", "ruder"),
    "H": Words("hearts", "hjerter"),
    "S": Words("spades", "spar"),
}

RANKS: Final = {
    "A": Words("ace", "es"),
    "K": Words("king", "konge"),
    "Q": Words("queen", "dame"),
    "J": Words("jack", "knægt"),
    "7": Words("seven", "7"),
    "6": Words("six", "6"),
    "5": Words("five", "5"),
    "4": Words("four", "4"),
    "3": Words("three", "3"),
    "2": Words("two", "2"),
}

MATADORS: Final = ("spadille", "manille", "basta")
"""The three highest trumps, highest first, called so in both languages."""

SEATS: Final = {
    "forehand": Words("forehand", "forhånd"),
    "middlehand": Words("middlehand", "mellemhånd"),
    "backhand": Words("backhand", "baghånd"),
}

CALLS: Final = {"pass": Words("pass", "pas"), "self": Words("self", "kan selv")}
"""Calls that every ruleset has."""

OUTCOMES: Final = {
    "won": Words("won", "vundet"),
    "bete": Words("bête", "bet"),
    "codille": Words("codille", "kruk"),
    "passed_out": Words("all passed", "alle meldte pas"),
    "abandoned": Words("given up", "opgivet"),
    "forfeited": Words("forfeited", "fortabt"),
    "voided": Words("void", "gælder ikke"),
    "slam_made": Words("all nine tricks made", "alle ni stik taget"),
    "slam_failed": Words("all nine tricks failed", "alle ni stik glippet"),
}
"""Outcomes as a note: of a slip, a ruling, or one that is still possible."""

SPANISH_SUITS: Final = {"C": "bastos", "D": "oros", "H": "copas", "S": "espadas"}
SPANISH_RANKS: Final = {
    "A": "as", "K": "rey", "Q": "caballo", "J": "sota",
    "7": "siete", "6": "seis", "5": "cinco", "4": "cuatro", "3": "tres", "2": "dos",
}  # fmt: skip
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


def card_called(suit: str, rank: str, lang: str) -> str:
    """A card by its name, as in a list; ``suit`` and ``rank`` are letters of the record."""
    suit_name, rank_name = SUITS[suit][lang], RANKS[rank][lang]
    return f"{suit_name} {rank_name}" if lang == "da" else f"{rank_name} of {suit_name}"
