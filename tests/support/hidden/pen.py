"""Mistakes of the pen: a card tapped twice, not at all, for another seat, or before the one played first."""

import random
from collections.abc import Callable
from typing import Final

from engine import audit
from engine.play.findings import FAULT_SEVERITIES
from tests.support.engine.shorthand import Event, log_from
from tests.support.hidden.misprinting import near, put

NAMING: Final = ("contract_named", "trump_named")
Slip = Callable[[random.Random, list[Event], list[int]], list[Event] | None]
"""Makes a record with a slip, given the places of its cards; None where it cannot slip so."""


def among(slip: Slip, fits: Callable[[Event], bool]) -> Slip:
    """The slip, of an entry that fits in place of a card."""

    def made(rng: random.Random, events: list[Event], _cards: list[int]) -> list[Event] | None:
        acts = [at for at, one in enumerate(events) if fits(one)]
        return slip(rng, events, acts) if acts else None

    return made


def missing(rng: random.Random, events: list[Event], cards: list[int]) -> list[Event] | None:
    at = rng.choice(cards)
    return [*events[:at], *events[at + 1 :]]


def trick_missing(rng: random.Random, events: list[Event], cards: list[int]) -> list[Event] | None:
    tricks = [cards[first : first + 3] for first in range(0, len(cards) - 2, 3)]
    if not tricks:
        return None
    gone = rng.choice(tricks)
    return [one for at, one in enumerate(events) if at not in gone]


def wrong_seat(rng: random.Random, events: list[Event], cards: list[int]) -> list[Event] | None:
    at = rng.choice(cards)
    seats = [seat for seat in ("forehand", "middlehand", "backhand") if seat != events[at]["seat"]]
    return [*events[:at], {**events[at], "seat": rng.choice(seats)}, *events[at + 1 :]]


def doubled(rng: random.Random, events: list[Event], cards: list[int]) -> list[Event] | None:
    at = rng.choice(cards)
    return [*events[:at], events[at], *events[at:]]


def other_order(rng: random.Random, events: list[Event], cards: list[int]) -> list[Event] | None:
    """Two cards tapped one before the other, also about the end of a trick."""
    pairs = [at for at in cards if at + 1 in cards]
    if not pairs:
        return None
    at = rng.choice(pairs)
    return [*events[:at], events[at + 1], events[at], *events[at + 2 :]]


def lead_misread(rng: random.Random, events: list[Event], cards: list[int]) -> list[Event] | None:
    """A lead that was tapped as another card of its suit or its rank."""
    at = rng.choice(cards[::3])
    return put(events, at, 0, rng.choice(near(events[at]["card"])))


def trump_mistaken(rng: random.Random, events: list[Event], _cards: list[int]) -> list[Event] | None:
    """Another suit tapped for trumps, that may be named, so that something is found of it."""
    made = []
    for at, one in enumerate(events):
        for suit in "CDHS" if one["type"] in NAMING and one.get("trump") else "":
            wrong = [*events[:at], {**one, "trump": suit}, *events[at + 1 :]]
            found = audit(log_from(wrong)).findings
            codes = {one.code for one in found if one.severity in FAULT_SEVERITIES}
            if codes and "contract_not_allowed" not in codes:
                made.append(wrong)
    return rng.choice(made) if made else None


SLIPS: Final[dict[str, Slip]] = {
    "missing": missing,
    "pass missing": among(missing, lambda one: one.get("bid") == "pass"),
    "trick missing": trick_missing,
    "wrong seat": wrong_seat,
    "doubled": doubled,
    "other order": other_order,
    "lead misread": lead_misread,
    "trump mistaken": trump_mistaken,
    "contract's seat": among(wrong_seat, lambda one: one["type"] in NAMING),
    "exchange's seat": among(wrong_seat, lambda one: one["type"] in ("cards_discarded", "cards_drawn")),
    "discard missing": among(missing, lambda one: one["type"] == "cards_discarded"),
    "draw missing": among(missing, lambda one: one["type"] == "cards_drawn"),
}
"""The mistakes of the pen that are planted, by what they are called."""
