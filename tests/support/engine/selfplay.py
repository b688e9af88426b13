"""Random deals made by asking the engine itself what may happen next, under any ruleset.

Every card is known, so that what is legal is exactly what breaks nothing.
"""

import random
from collections.abc import Iterator

from engine import evolve, legal
from engine.core.log import Entry
from engine.play.state import State, initial_state
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from schemas.answers.states import legal_object
from schemas.wire.event_reader import read_event
from tests.support.engine.shorthand import PLAYERS, SEATS, Event, Json

PACK = [suit + rank for suit in "CDHS" for rank in "234567AJKQ"]


class Table:
    """A table where a deal is being played: the events so far, and every card of it."""

    def __init__(
        self, rng: random.Random, ruleset: str, book: RulesetBook = PUBLISHED_RULESETS, **opening: object
    ) -> None:
        self.rng = rng
        self.events: list[Event] = []
        self.state: State = initial_state(book)
        pack = _shuffled(rng)
        self.hands = {seat: pack[9 * n : 9 * n + 9] for n, seat in enumerate(SEATS.values())}
        self.talon = pack[27:]
        self.add({"type": "deal_opened", "ruleset": ruleset, "players": dict(PLAYERS), **opening})
        for seat, hand in self.hands.items():
            self.add({"type": "hand_dealt", "seat": seat, "cards": list(hand)})

    def entry(self, event: Event) -> Entry:
        """The event as the entry that would come next."""
        return Entry(len(self.events) + 1, read_event(event))

    def add(self, event: Event) -> None:
        """What happens at the table: on the record, and with the cards."""
        self.state = evolve(self.state, self.entry(event))
        self.events.append(event)
        seat = event.get("seat", "")
        if event["type"] == "cards_drawn":
            self.hands[seat] += event["cards"]
            self.talon = self.talon[len(event["cards"]) :]
        elif event["type"] in ("cards_discarded", "card_played"):
            gone = event.get("cards") or [event.get("card")]
            self.hands[seat] = [card for card in self.hands[seat] if card not in gone]

    def due(self) -> Json | None:
        """What may happen next."""
        return legal_object(legal(self.state))

    def step(self, due: Json) -> Event:
        """One of the acts that are due, at random; most bids are low, so that auctions last."""
        rng, seat = self.rng, due["seat"]
        if due["action"] == "bid":
            ranks = {bid.id: bid.rank for bid in self.state.opening.rules.bids.values()}
            calls = sorted((call for call in due["calls"] if call != "pass"), key=lambda c: ranks.get(c, 0))
            calls = calls if rng.random() < 0.2 else calls[:2]
            bid = rng.choice(calls) if calls and rng.random() < 0.5 else "pass"
            return {"type": "bid_made", "seat": seat, "bid": bid}
        if due["action"] == "name":
            choice = rng.choice(due["contracts"])
            event = {"type": "contract_named", "seat": seat, "contract": choice["contract"]}
            return {**event, "trump": rng.choice(choice["trumps"])} if choice["trumps"] else event
        if due["action"] == "turn":
            return {"type": "talon_turned", "card": self.talon[0]}
        if due["action"] == "exchange":
            if rng.random() < 0.3 and any(one["action"] == "yield" for one in due.get("also", [])):
                return {"type": "exchange_yielded", "seat": seat}
            count = rng.randint(due["min"], due["max"])
            return {"type": "cards_discarded", "seat": seat, "cards": rng.sample(self.hands[seat], count)}
        if due["action"] == "draw":
            return {"type": "cards_drawn", "seat": seat, "cards": self.talon[: due["count"]]}
        return {"type": "card_played", "seat": seat, "card": rng.choice(due["cards"])}

    def points(self) -> Iterator[tuple[Json, Event]]:
        """Plays the deal on to its end: what is due at each point, and what happens, before it happens."""
        while (due := self.due()) is not None:
            event = self.step(due)
            yield due, event
            self.add(event)


def _shuffled(rng: random.Random) -> list[str]:
    """The pack in any order; in every third deal one seat has a hand to win all tricks with."""
    pack = rng.sample(PACK, 40)
    if rng.random() < 0.67:
        return pack
    suit, strong = rng.choice("CDHS"), 9 * rng.randrange(3)
    best = [card for card in pack if card[0] == suit or card in ("SA", "CA")][:9]
    rest = [card for card in pack if card not in best]
    return rest[:strong] + best + rest[strong:]


def played_out(seed: object, ruleset: str, **opening: object) -> list[Event]:
    """A whole random deal."""
    table = Table(random.Random(str(seed)), ruleset, **opening)  # type: ignore[arg-type]
    for _ in table.points():
        pass
    return table.events
