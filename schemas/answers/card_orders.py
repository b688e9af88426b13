"""How the cards of a hand are sorted by a ruleset, as JSON: for pages, which know no rule of the game."""

from typing import Any, Final

from engine.core.cards import BASTA, CARD_CODES, NO_TRUMP, SPADILLE, SUIT_BY_LETTER, Suit
from engine.core.ranking import suit_ladders
from engine.rulesets import CompiledRuleset

SUIT_ORDER: Final = "SHCD"
BLACK_ACES: Final = {int(SPADILLE): "S", int(BASTA): "B"}
"""How the black aces are written among the ranks of the trumps."""


def card_order_object(rules: CompiledRuleset) -> dict[str, Any]:
    """``suits`` by trump (a letter, ``none`` in a nolo, ``unknown``); ``nolos``: contracts without trumps."""
    trumps = {"unknown": None, "none": NO_TRUMP, **{suit: SUIT_BY_LETTER[suit] for suit in SUIT_ORDER}}
    return {
        "nolos": [contract.id for contract in rules.contracts.values() if contract.aim == "nolo"],
        "suits": {name: _ranks_by_suit(trump, rules) for name, trump in trumps.items()},
    }


def _ranks_by_suit(trump: Suit | None, rules: CompiledRuleset) -> dict[str, str]:
    """Each suit with its ranks, the highest first, such as ``S7BKQJA23456`` for trump hearts."""
    ladders = suit_ladders(trump, rules.ruleset.red_trumps, SUIT_ORDER)
    aces = {} if trump is None or trump == NO_TRUMP else BLACK_ACES
    # The lowest card of the trumps too is of their suit.
    return {
        CARD_CODES[ladder[-1]][0]: "".join(aces.get(card, CARD_CODES[card][1]) for card in ladder)
        for ladder in ladders
    }
