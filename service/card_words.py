"""What cards and seats are called in English and in Danish, wherever somebody reads of them."""

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
