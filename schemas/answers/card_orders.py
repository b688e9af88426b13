"""How a ruleset sorts cards and names games, as JSON: for pages, which know no rule of the game."""

from typing import Any, Final

from engine.core.cards import BASTA, CARD_CODES, NO_TRUMP, SPADILLE, SUIT_BY_LETTER, Suit
from engine.core.ranking import suit_ladders
from engine.play.auction import PASS, SELF
from engine.play.phases import FIXED_TRUMPS
from engine.rulesets import CompiledRuleset
from schemas.i18n.catalogs import gettext

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


def games_object(rules: CompiledRuleset, lang: str) -> dict[str, Any]:
    """``names`` of calls and contracts by id, in a language; ``implied_suits``: contracts with one suit."""
    words = {PASS: "pass", SELF: "self"}
    words |= {bid.id: bid.words for bid in rules.bids.values()}
    words |= {contract.id: contract.words for contract in rules.contracts.values()}
    return {
        "names": {game: gettext(name, lang) for game, name in words.items()},
        "implied_suits": [one.id for one in rules.contracts.values() if one.trump in FIXED_TRUMPS],
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
