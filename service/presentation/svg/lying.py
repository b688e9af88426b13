"""Which cards lie where: every card of a state, each in its zone and in its order."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from engine.core.cards import SEAT_NAMES
from engine.rulesets import Rules
from service.presentation.svg.fan import fanned

HIDDEN: Final = "??"
State = dict[str, Any]


class Lying(NamedTuple):
    """A card that lies somewhere: ``order`` of ``of`` is its place in its zone.

    ``zone`` is ``hand``, ``talon``, ``discard``, ``trick``, ``won``, or ``aside`` for a trick whose winner
    nobody knows. ``pile`` counts the packets of tricks, ``spread`` says that a pile is laid out to be
    read, ``won`` that the card takes the trick that lies on the table.
    """

    zone: str
    seat: str
    card: str
    order: int
    of: int
    trick: int | None = None
    pile: int | None = None
    face_down: bool = False
    turned: bool = False
    spread: bool = False
    won: bool = False


def is_known(card: str) -> bool:
    """Whether suit and rank of a card are known."""
    return "?" not in card


def lying_cards(state: State, rules: Rules) -> list[Lying]:
    """Every card of a state that somebody could point to."""
    if is_told_only(state):
        return list(_packets(tricks_won(state)))
    return [*_hands(state, rules), *_talon(state), *_discards(state), *_tricks(state)]


def is_told_only(state: State) -> bool:
    """Whether only the result of a deal was written down: then nobody knows where any card went."""
    unseen = all(not hand["cards"] and "maybe" not in hand for hand in state["hands"].values())
    return bool(state["result"]) and unseen and not state["tricks"]


def tricks_won(state: State) -> dict[str, int]:
    """How many tricks each seat has: by the cards, or else by what was written down."""
    if is_told_only(state):
        told = state["result"].get("tricks") or {}
        return {seat: told.get(seat, 0) for seat in SEAT_NAMES}
    return {seat: state["tricks_won"][seat] for seat in SEAT_NAMES}


def hand_cards(state: State, seat: str, rules: Rules) -> list[str]:
    """A hand as it is held: the known cards in order, then those of which little is known."""
    hand = state["hands"][seat]
    suits = sorted(card for card in hand.get("maybe", ()) if card != HIDDEN)[: hand["unknown"]]
    return [*fanned(hand["cards"], state, rules), *suits, *[HIDDEN] * (hand["unknown"] - len(suits))]


def _row(zone: str, seat: str, cards: Sequence[str], **more: Any) -> list[Lying]:
    return [Lying(zone, seat, card, order, len(cards), **more) for order, card in enumerate(cards)]


def _hands(state: State, rules: Rules) -> Iterator[Lying]:
    for seat in SEAT_NAMES:
        yield from _row("hand", seat, hand_cards(state, seat, rules))


def _padded(laid: dict[str, Any]) -> list[str]:
    cards: list[str] = laid["cards"]
    return [*cards, *[HIDDEN] * (laid["count"] - len(cards))]


def _talon(state: State) -> list[Lying]:
    talon = state["talon"]
    cards, turned = _padded(talon), talon["turned"]
    lies = turned is not None and bool(cards) and cards[0] in (turned, HIDDEN)
    if lies:
        cards[0] = turned
    spread = any(is_known(card) for card in cards[lies:])
    row = _row("talon", "", cards, spread=spread)
    return [row[0]._replace(turned=True), *row[1:]] if lies else row


def _discards(state: State) -> Iterator[Lying]:
    for seat in SEAT_NAMES:
        laid = state["discards"].get(seat)
        if laid:
            cards = _padded(laid)
            yield from _row("discard", seat, cards, spread=any(map(is_known, cards)))


def _tricks(state: State) -> Iterator[Lying]:
    counts = dict.fromkeys(SEAT_NAMES, 0)
    for index, trick in enumerate(state["tricks"], 1):
        winner = trick["winner"]
        pile = 0
        if winner is not None and index < len(state["tricks"]):
            pile = counts[winner]
            counts[winner] += 1
        for order, (seat, card) in enumerate(zip(trick["seats"], trick["cards"], strict=True)):
            here = Lying("trick", seat, card, order, len(trick["cards"]), trick["number"])
            if index == len(state["tricks"]):
                yield here._replace(won=winner == seat)
            elif winner is None:
                yield here._replace(zone="aside", pile=0, face_down=True)
            else:
                yield here._replace(zone="won", seat=winner, pile=pile, face_down=True)


def _packets(counts: dict[str, int]) -> Iterator[Lying]:
    """Packets for tricks of which only the number is known."""
    for seat, count in counts.items():
        for pile in range(min(count, 9)):
            yield Lying("won", seat, HIDDEN, 0, 1, pile=pile, face_down=True)
