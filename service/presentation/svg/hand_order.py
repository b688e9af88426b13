"""How a hand is fanned: trumps first, then suit by suit, black and red by turns where it can be done."""

from typing import Any, Final

from engine.core.cards import CARD_BY_CODE, CARD_CODES, NO_TRUMP, SUIT_BY_LETTER, Suit
from engine.core.ranking import plain_ladders, trump_ladder
from engine.rulesets import CompiledRuleset

_ORDER: Final = "SHCD"
_RED: Final = "HD"


def order_known_cards(cards: list[str], state: dict[str, Any], rules: CompiledRuleset) -> list[str]:
    """Known cards as a player holds them, each suit from the highest down."""
    known_cards = {CARD_BY_CODE[card] for card in cards}
    groups = [
        [CARD_CODES[card] for card in ladder if card in known_cards] for ladder in _suit_ladders(state, rules)
    ]
    trumps, plain = groups[0], [group for group in groups[1:] if group]
    return [*trumps, *(card for group in _alternate_colours(plain, trumps) for card in group)]


def is_nolo_contract(state: dict[str, Any], rules: CompiledRuleset) -> bool:
    """Whether what is played has no trumps, not even the black aces."""
    contract = rules.contracts.get(state["contract"])
    return contract.aim == "nolo" if contract else "nolo" in (state["contract"] or "")


def shown_trump_ladder(state: dict[str, Any], rules: CompiledRuleset) -> list[int]:
    """The trumps from the highest down; none while there are none, or nobody knows them."""
    if state["trump"] is None or is_nolo_contract(state, rules):
        return []
    return trump_ladder(SUIT_BY_LETTER[state["trump"]], rules.ruleset.red_trumps)


def _suit_ladders(state: dict[str, Any], rules: CompiledRuleset) -> list[list[int]]:
    """The trumps, or no card where there are none; then each plain suit."""
    trumps = shown_trump_ladder(state, rules)
    if trumps:
        return [trumps, *_ladders_with_trump(SUIT_BY_LETTER[state["trump"]])]
    plain = _ladders_with_trump(NO_TRUMP)
    # Before there are trumps a black ace leads its suit: in any game but a nolo it will be one.
    ahead = [] if is_nolo_contract(state, rules) else [CARD_BY_CODE["SA"], CARD_BY_CODE["CA"]]
    return [
        [],
        *(
            [*(card for card in one if card in ahead), *(card for card in one if card not in ahead)]
            for one in plain
        ),
    ]


def _ladders_with_trump(trump: Suit) -> list[list[int]]:
    return sorted(plain_ladders(trump), key=lambda ladder: _ORDER.index(CARD_CODES[ladder[0]][0]))


def _alternate_colours(groups: list[list[str]], first_group: list[str]) -> list[list[str]]:
    """The suits so that black and red take turns as far as they can."""
    remaining, order = list(groups), [first_group] if first_group else []
    while remaining:
        red = [group for group in remaining if _is_red(group)]
        black = [group for group in remaining if not _is_red(group)]
        first = (red, black) if (not _is_red(order[-1]) if order else len(red) > len(black)) else (black, red)
        chosen = (first[0] or first[1])[0]
        order.append(chosen)
        remaining.remove(chosen)
    return order[1:] if first_group else order


def _is_red(group: list[str]) -> bool:
    """Whether a suit is red; the trumps are what their last card is."""
    return group[-1][0] in _RED
