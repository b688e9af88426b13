"""Random deals in which cards are laid out of turn, second to a trick or after the end, and nobody revokes.

What lies on the table stays there: it has left its hand, and what is held without it decides who has to
follow. Who is not in turn follows all the same, by the rules of `tests.properties.slow.cards`.
"""

import random
from typing import Any, NamedTuple

from engine.core.cards import CARD_CODES, SEAT_NAMES
from engine.play.state import FINISHED
from tests.properties.slow.cards import playable
from tests.support.engine.selfplay import Table
from tests.support.hidden.by_trying import policy_of
from tests.support.hidden.naive import PRIVILEGE

Event = dict[str, Any]
OFTEN = 0.12
"""How often a card is laid that was not due."""


class Irregular(NamedTuple):
    """Such a deal: its events, the entry of a revoke (0: there is none), the cards second to a trick."""

    events: list[Event]
    revoke: int
    seconds: list[str]


def played_irregularly(
    rng: random.Random, ruleset: str, *, revoking: bool = False, numbered: bool = False
) -> Irregular:
    """A deal with such plays; ``revoking``: with one revoke as well."""
    while True:
        table, revoke, odd, seconds = Table(rng, ruleset), 0, 0, list[str]()
        while (due := table.due()) is not None:
            seat, cards = due["seat"], due.get("cards", [])
            if due["action"] != "play":
                table.add(table.step(due))
                continue
            strange = not_due(rng, table) if rng.random() < OFTEN else None
            if strange is None and not cards:
                break  # who is in turn has laid the last card already
            wrong = [card for card in table.hands[seat] if card not in cards]
            if strange is None and revoking and not revoke and wrong and rng.random() < 0.3:
                cards, revoke = wrong, len(table.events) + 1
            odd += strange is not None
            if strange is not None and SEAT_NAMES.index(strange[0]) in table.state.play.seats:
                seconds.append(strange[1])
            lay(table, *(strange or (seat, rng.choice(cards))), numbered=numbered)
        if not numbered:
            odd += laid_after_the_end(rng, table)
        if odd and (revoke or not revoking):
            return Irregular(table.events, revoke, seconds)


def lay(table: Table, seat: str, card: str, *, numbered: bool) -> None:
    """Lays a card on the table, and records it with the number of the trick or without."""
    event: Event = {"type": "card_played", "seat": seat, "card": card}
    table.add({**event, "trick": len(table.state.play.tricks) + 1} if numbered else event)


def not_due(rng: random.Random, table: Table) -> tuple[str, str] | None:
    """A seat that is not in turn with a card of its hand: it follows, or has played to the trick already."""
    play, policy = table.state.play, policy_of(table.state)
    seat = rng.choice([seat for seat in range(3) if seat != play.turn])
    cards = table.hands[SEAT_NAMES[seat]]
    if play.cards and seat not in play.seats:
        cards = playable(sorted(cards), CARD_CODES[play.cards[0]], policy.trump, PRIVILEGE[policy.privilege])
    return (SEAT_NAMES[seat], rng.choice(cards)) if cards else None


def laid_after_the_end(rng: random.Random, table: Table) -> int:
    """Some cards that are laid when all is over; how many."""
    count = 0
    while table.state.phase == FINISHED and table.state.play.tricks and rng.random() < 0.4:
        seat = rng.choice(SEAT_NAMES)
        if table.hands[seat]:
            lay(table, seat, rng.choice(table.hands[seat]), numbered=False)
            count += 1
    return count
