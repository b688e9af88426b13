"""Hostile logs: the same for the same seed and number."""

import random
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import orjson

from engine.core.cards import SEAT_NAMES, SUIT_LETTERS
from engine.core.field_types import MAX_INTEGER
from schemas.notation import format_notation_log
from schemas.wire.event_reader import read_entry
from tests.properties.slow import generator as lawful
from tests.system.hostile_logs.events import (
    LOOSE_TYPES,
    OF_SUIT,
    Json,
    correction,
    opening,
    random_card,
    random_event,
)

LINES: Final = "application/jsonl"
LIST: Final = "application/json"
NOTATION: Final = "text/vnd.spadille.deal"
Deal = list[Json]


class HostileLog(NamedTuple):
    """A log: of which kind it is, its deals, and how it is written."""

    kind: str
    deals: list[Deal]
    body: bytes
    media_type: str


def hostile_log(seed: int, number: int) -> HostileLog:
    rng = random.Random(f"{seed} {number}")
    kind = rng.choices(list(KINDS), [weight for _, weight in KINDS.values()])[0]
    deals = KINDS[kind][0](rng)
    body, media_type = _written(rng, deals)
    return HostileLog(kind, deals, body, media_type)


def _written(rng: random.Random, deals: list[Deal]) -> tuple[bytes, str]:
    """The deals as a body, in one of three forms."""
    form = rng.choice((LINES, LINES, LIST, NOTATION))
    if form == NOTATION:
        try:
            logs = [tuple(read_entry(event, seq) for seq, event in enumerate(deal, 1)) for deal in deals]
            return b"\n".join(format_notation_log(log).encode() for log in logs), NOTATION
        except ValueError:
            form = LINES
    events = [event for deal in deals for event in deal]
    if form == LIST:
        return orjson.dumps(events), LIST
    return b"".join(orjson.dumps(event) + b"\n" for event in events), LINES


def random_types(rng: random.Random) -> list[Deal]:
    deal = [opening(rng)]
    for _ in range(rng.choice((3, 20, 80, 400))):
        deal.append(_any(rng, deal))
    return [deal]


def _any(rng: random.Random, deal: Deal) -> Json:
    if rng.random() < 0.1:
        return correction(rng, len(deal), [random_event(rng, len(deal)) for _ in range(rng.randint(0, 5))])
    return random_event(rng, len(deal))


def one_type(rng: random.Random) -> list[Deal]:
    """The same type of event again and again, with texts of some length."""
    kind, longest = rng.choice(LOOSE_TYPES), rng.choice((20, 200, 1500))
    start = opening(rng)
    count = rng.choice((50, 499, 1900))
    return [[start, *(random_event(rng, seq, kind, longest) for seq in range(1, count))]]


def spoilt_deal(rng: random.Random) -> list[Deal]:
    """A lawful deal, of which much is hidden, left out, corrected or withdrawn."""
    deal = lawful.random_deal(random.Random(rng.random()), lively=rng.random() < 0.5)
    hidden, lost = rng.choice((0.0, 0.3, 0.8, 1.0)), rng.choice((0.0, 0.02, 0.1))
    made = deal[:1]
    for event in deal[1:]:
        made.append({"type": "gap_noted"} if rng.random() < lost else _hidden(rng, event, hidden))
        if rng.random() < 0.05:
            made.append(rng.choice((_any, _withdrawal))(rng, made))
    return [made]


def _withdrawal(rng: random.Random, deal: Deal) -> Json:
    return {"type": "action_withdrawn", "of": rng.randint(1, max(1, len(deal)))}


def _hidden(rng: random.Random, event: Json, share: float) -> Json:
    """The event with some of its cards known by suit, or not at all."""

    def card(code: str) -> str:
        return rng.choice((code[0] + "?", "??")) if rng.random() < share else code

    made = dict(event)
    if "card" in made and made["type"] == "card_played":
        made["card"] = card(made["card"])
    if "cards" in made:
        made["cards"] = [card(code) for code in made["cards"]]
    return made


def suits_only(rng: random.Random) -> list[Deal]:
    """Hands known by their suits only, and tricks of hidden cards."""
    share = rng.random()
    pool = (*OF_SUIT, "??") if rng.random() < 0.8 else ("??",)
    deal = [opening(rng)]
    for seat in SEAT_NAMES:
        size = 9 if rng.random() < 0.8 else rng.randint(0, 40)
        deal.append({"type": "hand_dealt", "seat": seat, "cards": [rng.choice(pool) for _ in range(size)]})
    if rng.random() < 0.5:
        deal.append({"type": "talon_laid", "cards": [random_card(rng, share) for _ in range(13)]})
    contract = rng.choice(("solo", "simple", "pure-nolo", "tourne"))
    declarer = rng.choice(SEAT_NAMES)
    for seat in SEAT_NAMES:
        deal.append({"type": "bid_made", "seat": seat, "bid": contract if seat == declarer else "pass"})
    trump = rng.choice(SUIT_LETTERS)
    deal.append({"type": "contract_named", "seat": declarer, "contract": contract, "trump": trump})
    deal += _exchange(rng, share)
    for trick in range(rng.randint(0, 9)):
        for turn in range(3):
            seat = SEAT_NAMES[(trick + turn) % 3]
            deal.append({"type": "card_played", "seat": seat, "card": random_card(rng, share / 2)})
    return [deal]


def _exchange(rng: random.Random, share: float) -> Iterator[Json]:
    for seat in SEAT_NAMES:
        if rng.random() < 0.5:
            cards = [random_card(rng, share) for _ in range(rng.randint(0, 9))]
            yield {"type": "cards_discarded", "seat": seat, "cards": cards}
            yield {"type": "cards_drawn", "seat": seat, "cards": ["??"] * len(cards)}


READINGS: Final = (
    "talon_seen", "hand_held", "cards_shown", "cards_discarded", "cards_drawn", "hand_taken_over",
)  # fmt: skip
"""Events that say what somebody holds, or held."""


def many_readings(rng: random.Random) -> list[Deal]:
    """A deal in which hands and talon are stated over and over."""
    (deal,) = rng.choice((suits_only, spoilt_deal))(rng)
    for _ in range(rng.choice((5, 40, 200))):
        kind = rng.choice(READINGS)
        deal.insert(rng.randint(1, len(deal)), random_event(rng, len(deal), kind))
    return [deal]


def long_gaps(rng: random.Random) -> list[Deal]:
    """Gaps, with tricks whose numbers jump."""
    (deal,) = suits_only(rng)
    for _ in range(rng.choice((2, 10, 100))):
        if rng.random() < 0.5:
            deal.append({"type": "gap_noted"})
        trick = rng.choice((1, 5, 9, 10, 1000, MAX_INTEGER, rng.randint(1, 12)))
        seat, card = rng.choice(SEAT_NAMES), random_card(rng)
        deal.append({"type": "card_played", "seat": seat, "card": card, "trick": trick})
    return [deal]


def corrections(rng: random.Random) -> list[Deal]:
    """Corrections that put much in, also corrections, and corrections of these."""
    size = rng.choice((1, 20, 300, 1000))
    (deal,) = rng.choice((suits_only, lambda _: [[opening(rng)]]))(rng)
    kind = rng.choice((*LOOSE_TYPES, "card_played", "bid_made", "hand_held"))
    for _ in range(rng.randint(1, 12 if size > 100 else 150)):
        if rng.random() < 0.1:
            deal.append(_withdrawal(rng, deal))
        deal.append(_nested(rng, len(deal), kind, size, rng.choice((1, 1, 2, 4))))
    return [deal]


def _nested(rng: random.Random, count: int, kind: str, size: int, depth: int) -> Json:
    inside = [random_event(rng, count, kind, 50)] * rng.randint(0, size - 1)
    if depth > 1:
        inside += (_nested(rng, count, kind, size // 2 + 1, depth - 1) for _ in range(rng.randint(1, 2)))
    return correction(rng, count, inside)


def chain_of_corrections(rng: random.Random) -> list[Deal]:
    """Each correction betters the one before; withdrawals take back what the last put in."""
    size, kind = rng.choice((1, 10, 200)), rng.choice(("card_played", "bid_made", "cards_shown"))
    deal = [opening(rng), random_event(rng, 1, kind)]
    for _ in range(rng.choice((5, 40) if size > 10 else (5, 300, 1000))):
        inside = [random_event(rng, 1, kind, 20)] * size
        deal.append({"type": "correction_made", "reason": "", "replaces": [len(deal)], "with": inside})
    for _ in range(rng.choice((0, 50, 300))):
        deal.append({"type": "action_withdrawn", "of": rng.choice((2, len(deal)))})
    return [deal]


def many_deals(rng: random.Random) -> list[Deal]:
    make = rng.choice((spoilt_deal, suits_only, lambda _: [[opening(rng)]]))
    return [deal for _ in range(rng.choice((20, 100, 480))) for deal in make(rng)]


def variations(rng: random.Random) -> list[Deal]:
    """A deal, variations of it, and variations of those."""
    (deal,) = rng.choice((spoilt_deal, suits_only, one_type, corrections))(rng)
    deal[0] = {**deal[0], "title": "0"}
    deals = [deal]
    for number in range(1, rng.choice((3, 30, 300))):
        left = rng.choice((0, number - 1, rng.randrange(number)))
        at = rng.choice((1, len(deals[left]), rng.randint(1, len(deals[left]))))
        start = opening(rng, title=str(number), branch={"deal": str(left), "at": at})
        deals.append([start, *(random_event(rng, seq) for seq in range(1, rng.choice((0, 1, 10)) + 1))])
    return deals


def long_texts(rng: random.Random) -> list[Deal]:
    deal = [opening(rng, title="x" * 200, source="\U0001f0a1" * 20_000, pool=MAX_INTEGER)]
    for _ in range(rng.choice((5, 20, 40))):
        deal.append(random_event(rng, len(deal), None, 20_000))
    for seat in SEAT_NAMES * rng.choice((1, 5)):
        deal.append({"type": "bid_made", "seat": seat, "bid": "pass", "said": "x" * 20_000})
    return [deal]


def near_limit(rng: random.Random) -> list[Deal]:
    kind = rng.choice((*LOOSE_TYPES, "card_played", "bid_made", "note_added"))
    longest = rng.choice((3, 200, 20_000))
    way = rng.choice(("deals", "corrections"))
    deals: list[Deal] = []
    total = 0
    while True:
        count = rng.choice((60, 500, 1900))
        deal = [opening(rng)]
        for seq in range(1, count):
            event = random_event(rng, seq, kind, longest)
            if way == "corrections":
                event = correction(rng, seq, [event] * rng.randint(1, 1000))
            total += len(orjson.dumps(event)) + 1
            if total > (1 << 20) - 2000:
                return [*deals, deal]
            deal.append(event)
        total += len(orjson.dumps(deal[0]))
        deals.append(deal)


KINDS: Final[dict[str, tuple[Callable[[random.Random], list[Deal]], int]]] = {
    "random_types": (random_types, 160),
    "one_type": (one_type, 80),
    "spoilt_deal": (spoilt_deal, 200),
    "suits_only": (suits_only, 160),
    "many_readings": (many_readings, 120),
    "long_gaps": (long_gaps, 80),
    "corrections": (corrections, 80),
    "chain_of_corrections": (chain_of_corrections, 40),
    "many_deals": (many_deals, 8),
    "variations": (variations, 30),
    "long_texts": (long_texts, 20),
    "near_limit": (near_limit, 15),
}
"""How each kind of log is made, and how often of about a thousand."""
