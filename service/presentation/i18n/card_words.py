"""What cards, seats, calls and outcomes are called in English and in Danish, wherever one reads of them."""

from typing import Final

from engine.rulesets.model import BilingualText

SUIT_TERMS: Final = {
    "C": BilingualText("clubs", "klør"),
    "D": BilingualText("diamonds", "ruder"),
    "H": BilingualText("hearts", "hjerter"),
    "S": BilingualText("spades", "spar"),
}

RANK_TERMS: Final = {
    "A": BilingualText("ace", "es"),
    "K": BilingualText("king", "konge"),
    "Q": BilingualText("queen", "dame"),
    "J": BilingualText("jack", "knægt"),
    "7": BilingualText("seven", "7"),
    "6": BilingualText("six", "6"),
    "5": BilingualText("five", "5"),
    "4": BilingualText("four", "4"),
    "3": BilingualText("three", "3"),
    "2": BilingualText("two", "2"),
}

MATADOR_NAMES: Final = ("spadille", "manille", "basta")
"""The three highest trumps, highest first, called so in both languages."""

SEAT_TERMS: Final = {
    "forehand": BilingualText("forehand", "forhånd"),
    "middlehand": BilingualText("middlehand", "mellemhånd"),
    "backhand": BilingualText("backhand", "baghånd"),
}

CALL_TERMS: Final = {"pass": BilingualText("pass", "pas"), "self": BilingualText("self", "kan selv")}
"""Calls that every ruleset has."""

OUTCOME_TERMS: Final = {
    "won": BilingualText("won", "vundet"),
    "bete": BilingualText("bête", "bet"),
    "codille": BilingualText("codille", "kruk"),
    "passed_out": BilingualText("all passed", "alle meldte pas"),
    "abandoned": BilingualText("given up", "opgivet"),
    "forfeited": BilingualText("forfeited", "fortabt"),
    "voided": BilingualText("void", "gælder ikke"),
    "slam_made": BilingualText("all nine tricks made", "alle ni stik taget"),
    "slam_failed": BilingualText("all nine tricks failed", "alle ni stik glippet"),
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


def listed_card_name(suit: str, rank: str, lang: str) -> str:
    """A card by its name, as in a list; ``suit`` and ``rank`` are letters of the record."""
    suit_name, rank_name = SUIT_TERMS[suit][lang], RANK_TERMS[rank][lang]
    return f"{suit_name} {rank_name}" if lang == "da" else f"{rank_name} of {suit_name}"
