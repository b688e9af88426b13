"""Which cards lie where: every card of a state, each in its zone and in its order."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from engine.core.cards import SEAT_NAMES
from engine.rulesets import CompiledRuleset
from service.presentation.svg.hand_order import order_known_cards

HIDDEN_CARD_CODE: Final = "??"
StateObject = dict[str, Any]


class PlacedCard(NamedTuple):
    """A card that lies somewhere: ``order`` of ``zone_size`` is its place in its zone.

    ``zone`` is ``hand``, ``talon``, ``discard``, ``trick``, ``won``, or ``aside`` for a trick whose winner
    nobody knows. ``trick_pile`` counts the packets of tricks, ``is_spread`` says that a pile is laid out to
    be read, ``is_winner`` that the card takes the trick that lies on the table.
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
    """Every card of a state that somebody could point to."""
    if has_result_only(state):
        return list(_place_trick_packets(count_tricks_won(state)))
    return [*_place_hands(state, rules), *_place_talon(state), *_place_discards(state), *_place_tricks(state)]


def has_result_only(state: StateObject) -> bool:
    """Whether only the result of a deal was written down: then nobody knows where any card went."""
    unseen = all(not hand["cards"] and "maybe" not in hand for hand in state["hands"].values())
    return bool(state["result"]) and unseen and not state["tricks"]


def count_tricks_won(state: StateObject) -> dict[str, int]:
    """How many tricks each seat has: by the cards, or else by what was written down."""
    if has_result_only(state):
        recorded = state["result"].get("tricks") or {}
        return {seat: recorded.get(seat, 0) for seat in SEAT_NAMES}
    return {seat: state["tricks_won"][seat] for seat in SEAT_NAMES}


def order_hand_cards(state: StateObject, seat: str, rules: CompiledRuleset) -> list[str]:
    """A hand as it is held: the known cards in order, then those of which little is known."""
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
    """Packets for tricks of which only the number is known."""
    for seat, count in counts.items():
        for pile in range(min(count, 9)):
            yield PlacedCard("won", seat, HIDDEN_CARD_CODE, 0, 1, trick_pile=pile, face_down=True)
