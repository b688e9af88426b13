"""The words of a drawing, in English and in Danish; what a ruleset calls its games is the ruleset's own."""

from collections.abc import Mapping
from typing import Final

DRAWING_PHRASES: Final[Mapping[str, str]] = {
    "title": "The table, seen from above",
    "tricks": "{count} tricks",
    "trick": "1 trick",
    "talon": "{count} in the talon",
    "sits_out": "sits out",
    "sit_out": "sit out",
    "and": "and",
    "unknown": "{count} not known",
    "one_unknown": "1 not known",
    "no_cards": "no cards",
    "somebody": "somebody",
    # What lies on the table, as sentences.
    "seated": "{forehand} is forehand, {middlehand} middlehand, {backhand} backhand.",
    "dealt": "The cards are dealt.",
    "speaks": "{name} is to speak.",
    "names": "{name} is to name the game.",
    "turns": "The talon is to be turned.",
    "exchanges": "{name} is to exchange.",
    "plays": "{name} is to play.",
    "leads_next": "{name} is to lead.",
    "passed": "{name} passes.",
    "self": "{name} takes the same bid: self.",
    "bid": "{name} bids {bid}.",
    "has_bid": "{name} has the bid: {game}.",
    "has_some_bid": "{name} has the bid.",
    "had_bid": "{name} had the bid: {game}.",
    "all_passed": "All have passed.",
    "over": "The deal is over.",
    "leads": "Trick {number}: {name} leads {card}.",
    "follows": "Trick {number}: {name} plays {card}.",
    "takes": "Trick {number}: {name} plays {card} and takes the trick.",
    "taken": "Trick {number}: {name} plays {card}; {winner} takes the trick.",
    "taken_shortly": "Trick {number} to {winner}.",
    "played_shortly": "Trick {number}: {card}.",
    "seated_shortly": "{forehand} is forehand.",
    "game_shortly": "{name}: {game}.",
    "claims": "{name} claims the rest.",
    "surrenders": "{name} offers to surrender.",
    "took": "Tricks: {counts}.",
}

DRAWING_OUTCOME_PHRASES: Final[Mapping[str, str]] = {
    "won": "{name} wins the game.",
    "bete": "{name} is bête.",
    "codille": "{name} loses by codille.",
    "passed_out": "All have passed.",
    "abandoned": "{name} gave up.",
    "forfeited": "The game is forfeited.",
    "voided": "The deal is void.",
}
"""How a deal ended, where somebody wrote it down."""
