"""Random events that the readers take, most of them nonsense: every type, every field, extreme values."""

import random
from collections.abc import Callable
from typing import Any, Final

from engine.core.cards import CARD_CODES, SEAT_NAMES, SUIT_LETTERS
from engine.core.events import DEAL_EVENTS, CorrectionMade, DealOpened, type_name
from engine.core.field_types import MAX_INTEGER
from engine.rulesets import PUBLISHED_RULESETS
from schemas.wire.field_specs import EVENT_SPECS, FieldSpec

Json = dict[str, Any]

PLAYERS: Final = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"}
RULESETS: Final = tuple(sorted(rules.ruleset.id for rules in PUBLISHED_RULESETS))
NAMES: Final = ("Anna", "Bo", "Carl", "forehand", "backhand", "Ærø", "x" * 200, "\U0001f0a1" * 60)
BIDS: Final = ("pass", "solo", "self", "simple", "tourne", "grand-tourne", "pure-nolo", "spade-solo", "frobs")
LOOSE_TYPES: Final = tuple(
    type_name(event) for event in DEAL_EVENTS if event not in (DealOpened, CorrectionMade)
)
"""The types of events that may stand anywhere in a deal."""
OF_SUIT: Final = tuple(f"{suit}?" for suit in SUIT_LETTERS)
KNOWN: Final = tuple(code for code in CARD_CODES if "?" not in code)


def random_card(rng: random.Random, known: float = 0.4) -> str:
    """A card, known wholly, by its suit or not at all."""
    chance = rng.random()
    if chance < known:
        return rng.choice(KNOWN)
    return rng.choice(OF_SUIT) if chance < (1 + known) / 2 else "??"


def random_seq(rng: random.Random, count: int) -> int | str:
    """The number of an entry before the one numbered ``count``, or of what a correction may have put in."""
    one = rng.randint(1, max(count, 1))
    return one if rng.random() < 0.6 else f"{one}.{rng.randint(1, 30)}"


def _number(rng: random.Random, spec: FieldSpec) -> int:
    least, most = spec.kind.minimum, spec.kind.maximum or MAX_INTEGER
    return min(max(rng.choice((least, most, 0, 1, 2, 9, rng.randint(least, most))), least), most)


def _text(rng: random.Random, spec: FieldSpec, longest: int) -> str:
    most = min(spec.kind.maximum or 200, longest)
    letters = rng.choice(("x", "S7 ", "\u00e6", "\U0001f0a1", '"<&', "\u202e"))
    return (letters * most)[: max(rng.choice((1, 3, 20, most)), spec.kind.minimum)].strip() or "x"


VALUES: Final[dict[str, Callable[[random.Random, FieldSpec], Any]]] = {
    "names": lambda rng, _: rng.sample(NAMES, rng.randint(0, 4)),
    "integer": _number,
    "integers": lambda rng, _: [rng.choice((0, 1, MAX_INTEGER)) for _ in range(rng.randint(0, 5))],
    "flag": lambda rng, _: rng.random() < 0.5,
    "moment": lambda rng, _: "2026-01-01T20:00:00Z",
    "date": lambda rng, _: rng.choice(("1766", "2026-02", "2024-02-29")),
    "card": lambda rng, _: random_card(rng),
    "cards": lambda rng, _: [random_card(rng) for _ in range(rng.choice((0, 1, 3, 5, 8, 9, 13, 40)))],
    "suit": lambda rng, _: rng.choice(SUIT_LETTERS),
    "seat": lambda rng, _: rng.choice(SEAT_NAMES),
    "seats": lambda rng, _: rng.sample(SEAT_NAMES, rng.randint(1, 3)),
    "seat-counts": lambda rng, _: {
        seat: rng.choice((0, 3, 9, MAX_INTEGER)) for seat in rng.sample(SEAT_NAMES, rng.randint(1, 3))
    },
    "chips-by-name": lambda rng, _: {
        rng.choice(NAMES): rng.choice((0, 4, -4, MAX_INTEGER, -MAX_INTEGER))
        for _ in range(rng.choice((1, 3, 8)))
    },
    "switches": lambda rng, _: {},
    "choice": lambda rng, spec: rng.choice(spec.kind.choices),
}
"""A value of each kind that needs to know nothing of the log."""


def random_value(rng: random.Random, spec: FieldSpec, count: int, longest: int) -> Any:
    """A value for a field of an event; None where it is left out."""
    name = spec.kind.name
    if name == "seq":
        return random_seq(rng, count)
    if name == "text" and spec.kind.maximum > 200:
        return _text(rng, spec, longest)
    if name == "text":
        return rng.choice(BIDS if spec.name in ("bid", "contract") else (*NAMES, *RULESETS))
    make = VALUES.get(name)
    return None if make is None else make(rng, spec)


def random_event(rng: random.Random, count: int, kind: str | None = None, longest: int = 200) -> Json:
    """An event of a type, any unless named, for a log of ``count`` entries."""
    kind = kind or rng.choice(LOOSE_TYPES)
    event: Json = {"type": kind}
    for spec in EVENT_SPECS[kind]:
        if spec.required or rng.random() < 0.6:
            value = random_value(rng, spec, count, longest)
            if value is not None:
                event[spec.name] = value
    return event


def opening(rng: random.Random, **more: Any) -> Json:
    ruleset = rng.choice(RULESETS) if rng.random() < 0.3 else "dlu"
    return {"type": "deal_opened", "ruleset": ruleset, "players": PLAYERS, **more}


def correction(rng: random.Random, count: int, inside: list[Json]) -> Json:
    """A correction that puts these events in, after some entry or in place of some."""
    told: Json = {"type": "correction_made", "reason": "again", "replaces": [], "with": inside}
    chance = rng.random()
    if chance < 0.5:
        told["replaces"] = [random_seq(rng, count) for _ in range(rng.choice((1, 1, 3, 60)))]
    elif chance < 0.8:
        told["after"] = random_seq(rng, count)
    return told
