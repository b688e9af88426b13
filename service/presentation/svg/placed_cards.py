"""The cards of a state, each in its zone and order; a hand as it is fanned.

A hand begins with the trumps. The other suits follow, red and black alternating where possible.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from engine.core.cards import CARD_BY_CODE, CARD_CODES, NO_TRUMP, SEAT_NAMES, SUIT_BY_LETTER, Suit
from engine.core.ranking import suit_ladders, trump_ladder
from engine.rulesets import CompiledRuleset

_SUIT_ORDER: Final = "SHCD"
_RED: Final = "HD"
HIDDEN_CARD_CODE: Final = "??"
StateObject = dict[str, Any]


class PlacedCard(NamedTuple):
    """A card on the table: the one at ``order`` of ``zone_size`` in its zone.

    ``zone`` is ``hand``, ``talon``, ``discard``, ``trick``, ``won``, or ``aside`` for a trick whose winner
    is not known. ``trick_pile`` numbers the packets of tricks won, ``is_spread``: the pile is laid out to be
    read, ``is_winner``: the card takes the trick on the table.
    """

    zone: str
    seat: str
    card: str
    order: int
    zone_size: int
    trick: int | None = None
    trick_pile: int | None = None
    face_down: bool = False
    is_turned: bool = False
    is_spread: bool = False
    is_winner: bool = False


def is_card_known(card: str) -> bool:
    """Whether suit and rank of a card are known."""
    return "?" not in card


def list_placed_cards(state: StateObject, rules: CompiledRuleset) -> list[PlacedCard]:
    """Every card of a state."""
    if has_result_only(state):
        return list(_place_trick_packets(count_tricks_won(state)))
    return [*_place_hands(state, rules), *_place_talon(state), *_place_discards(state), *_place_tricks(state)]


def has_result_only(state: StateObject) -> bool:
    """Whether only the result of a deal is recorded, and no card."""
    unseen = all(not hand["cards"] and "maybe" not in hand for hand in state["hands"].values())
    return bool(state["result"]) and unseen and not state["tricks"]


def count_tricks_won(state: StateObject) -> dict[str, int]:
    """The number of tricks of each seat: by the cards, else by the recorded result."""
    if has_result_only(state):
        recorded = state["result"].get("tricks") or {}
        return {seat: recorded.get(seat, 0) for seat in SEAT_NAMES}
    return {seat: state["tricks_won"][seat] for seat in SEAT_NAMES}


def order_hand_cards(state: StateObject, seat: str, rules: CompiledRuleset) -> list[str]:
    """A hand as it is held: the known cards in order, then the unknown ones."""
    hand = state["hands"][seat]
    suits = sorted(card for card in hand.get("maybe", ()) if card != HIDDEN_CARD_CODE)[: hand["unknown"]]
    return [
        *order_known_cards(hand["cards"], state, rules),
        *suits,
        *[HIDDEN_CARD_CODE] * (hand["unknown"] - len(suits)),
    ]


def _place_row(zone: str, seat: str, cards: Sequence[str], **more: Any) -> list[PlacedCard]:
    return [PlacedCard(zone, seat, card, order, len(cards), **more) for order, card in enumerate(cards)]


def _place_hands(state: StateObject, rules: CompiledRuleset) -> Iterator[PlacedCard]:
    for seat in SEAT_NAMES:
        yield from _place_row("hand", seat, order_hand_cards(state, seat, rules))


def _pad_with_hidden(laid: dict[str, Any]) -> list[str]:
    cards: list[str] = laid["cards"]
    return [*cards, *[HIDDEN_CARD_CODE] * (laid["count"] - len(cards))]


def _place_talon(state: StateObject) -> list[PlacedCard]:
    talon = state["talon"]
    cards, turned = _pad_with_hidden(talon), talon["turned"]
    has_turned_card = turned is not None and bool(cards) and cards[0] in (turned, HIDDEN_CARD_CODE)
    if has_turned_card:
        cards[0] = turned
    spread = any(is_card_known(card) for card in cards[has_turned_card:])
    row = _place_row("talon", "", cards, is_spread=spread)
    return [row[0]._replace(is_turned=True), *row[1:]] if has_turned_card else row


def _place_discards(state: StateObject) -> Iterator[PlacedCard]:
    for seat in SEAT_NAMES:
        laid = state["discards"].get(seat)
        if laid:
            cards = _pad_with_hidden(laid)
            yield from _place_row("discard", seat, cards, is_spread=any(map(is_card_known, cards)))


def _place_tricks(state: StateObject) -> Iterator[PlacedCard]:
    counts = dict.fromkeys(SEAT_NAMES, 0)
    for index, trick in enumerate(state["tricks"], 1):
        winner = trick["winner"]
        pile = 0
        if winner is not None and index < len(state["tricks"]):
            pile = counts[winner]
            counts[winner] += 1
        for order, (seat, card) in enumerate(zip(trick["seats"], trick["cards"], strict=True)):
            here = PlacedCard("trick", seat, card, order, len(trick["cards"]), trick["number"])
            if index == len(state["tricks"]):
                yield here._replace(is_winner=winner == seat)
            elif winner is None:
                yield here._replace(zone="aside", trick_pile=0, face_down=True)
            else:
                yield here._replace(zone="won", seat=winner, trick_pile=pile, face_down=True)


def _place_trick_packets(counts: dict[str, int]) -> Iterator[PlacedCard]:
    """Packets for tricks of which only the number is recorded."""
    for seat, count in counts.items():
        for pile in range(min(count, 9)):
            yield PlacedCard("won", seat, HIDDEN_CARD_CODE, 0, 1, trick_pile=pile, face_down=True)


# --- The order of a hand --------------------------------------------------------------------------


def order_known_cards(cards: list[str], state: dict[str, Any], rules: CompiledRuleset) -> list[str]:
    """Known cards as a player holds them, each suit from high to low."""
    known_cards = {CARD_BY_CODE[card] for card in cards}
    trump = _shown_trump(state, rules)
    ladders = suit_ladders(trump, rules.ruleset.red_trumps, _SUIT_ORDER)
    groups = [[CARD_CODES[card] for card in ladder if card in known_cards] for ladder in ladders]
    trumps = [] if trump in (None, NO_TRUMP) else groups.pop(0)
    plain = [group for group in groups if group]
    return [*trumps, *(card for group in _alternate_colours(plain, trumps) for card in group)]


def shown_trump_ladder(state: dict[str, Any], rules: CompiledRuleset) -> list[int]:
    """The trumps from high to low; none while there are none, or they are not known."""
    trump = _shown_trump(state, rules)
    return [] if trump is None else trump_ladder(trump, rules.ruleset.red_trumps)


def _shown_trump(state: dict[str, Any], rules: CompiledRuleset) -> Suit | None:
    """The trump suit; `NO_TRUMP` where not even the black aces are trumps, None while it is not known."""
    contract = rules.contracts.get(state["contract"])
    if contract is not None and contract.aim == "nolo":
        return NO_TRUMP
    return None if state["trump"] is None else SUIT_BY_LETTER[state["trump"]]


def _alternate_colours(groups: list[list[str]], first_group: list[str]) -> list[list[str]]:
    """The suits after the trumps, red and black alternating as far as possible."""
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
    """Whether a suit is red; the last card decides for the trumps."""
    return group[-1][0] in _RED
