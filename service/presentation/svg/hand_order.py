"""How a hand is fanned: trumps first, then suit by suit, black and red by turns where it can be done."""

from typing import Any, Final

from engine.core.cards import CARD_BY_CODE, CARD_CODES, NO_TRUMP, SUIT_BY_LETTER, Suit
from engine.core.ranking import suit_ladders, trump_ladder
from engine.rulesets import CompiledRuleset

_SUIT_ORDER: Final = "SHCD"
_RED: Final = "HD"


def order_known_cards(cards: list[str], state: dict[str, Any], rules: CompiledRuleset) -> list[str]:
    """Known cards as a player holds them, each suit from the highest down."""
    known_cards = {CARD_BY_CODE[card] for card in cards}
    trump = _shown_trump(state, rules)
    ladders = suit_ladders(trump, rules.ruleset.red_trumps, _SUIT_ORDER)
    groups = [[CARD_CODES[card] for card in ladder if card in known_cards] for ladder in ladders]
    trumps = [] if trump in (None, NO_TRUMP) else groups.pop(0)
    plain = [group for group in groups if group]
    return [*trumps, *(card for group in _alternate_colours(plain, trumps) for card in group)]


def shown_trump_ladder(state: dict[str, Any], rules: CompiledRuleset) -> list[int]:
    """The trumps from the highest down; none while there are none, or nobody knows them."""
    trump = _shown_trump(state, rules)
    return [] if trump is None else trump_ladder(trump, rules.ruleset.red_trumps)


def _shown_trump(state: dict[str, Any], rules: CompiledRuleset) -> Suit | None:
    """The trump suit, or that there is none, not even the black aces; None while nobody knows."""
    contract = rules.contracts.get(state["contract"])
    if contract.aim == "nolo" if contract else "nolo" in (state["contract"] or ""):
        return NO_TRUMP
    return None if state["trump"] is None else SUIT_BY_LETTER[state["trump"]]


def _alternate_colours(groups: list[list[str]], first_group: list[str]) -> list[list[str]]:
    """The suits so that black and red take turns as far as they can, after the trumps."""
    red = [group for group in groups if _is_red(group)]
    black = [group for group in groups if not _is_red(group)]
    order = []
    wants_red = not _is_red(first_group) if first_group else len(red) > len(black)
    while red or black:
        preferred, other = (red, black) if wants_red else (black, red)
        order.append((preferred or other).pop(0))
        wants_red = not _is_red(order[-1])
    return order


def _is_red(group: list[str]) -> bool:
    """Whether a suit is red; the trumps are what their last card is."""
    return group[-1][0] in _RED
