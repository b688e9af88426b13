"""What the unseen cards of a deal can be, as a JSON object."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from engine.core.cards import CODES, SEAT_NAMES, SEATS, Card, codes_in
from engine.core.events import CardPlayed, Event, TalonTurned
from engine.core.log import Log
from engine.core.vocabulary import Seq
from engine.diagnosis.mistakes import Mistake
from engine.inference.cases import Level
from engine.inference.deals import Count, Deal
from engine.inference.unseen import LAWFUL, PHYSICAL, Holding, Unseen, level_of, shares
from schemas.answers.audits import mistake_objects
from schemas.answers.states import Told

Json = dict[str, Any]

LEVELS: Final = ("physical", "lawful")
"""The two levels of evidence, the one that assumes less first."""


def evidence_object(
    made: Unseen,
    entries: Log,
    told: Told = str,
    of: Seq | None = None,
    witness: str | None = None,
    mistakes: Iterable[Mistake] = (),
) -> Json:
    """What is proved of the hidden cards of ``entries``.

    With the shares of what the card played at ``of`` can be, and with one complete deal of the level
    ``witness``, where these are asked for. ``mistakes`` of the pen may explain it.
    """
    found = made.found
    return {
        "physical": _level(found.physical, made.physical, told(PHYSICAL)),
        "lawful": _level(found.lawful, made.lawful, told(LAWFUL)),
        "offences": list(found.offences),
        "cards": _cards(made, entries),
        "hands": {SEAT_NAMES[one.seat]: _hand(one) for one in made.holdings},
        "contradicting": None if made.contradicting is None else list(made.contradicting),
        "shares": None if of is None else _shares(made, of),
        "witness": None if witness is None else _witness(made.witness(witness == "lawful"), witness),
        "mistakes": mistake_objects(mistakes, told),
    }


def _level(level: Level, count: Count, assumes: str) -> Json:
    return {
        "assumes": assumes,
        "agrees": level.agrees,
        "decided": level.decided,
        "deals": {"least": str(count.least), "most": _digits(count.most)},
    }


def _cards(made: Unseen, entries: Log) -> list[Json]:
    events: dict[Seq, Event] = {entry.seq: entry.event for entry in entries}
    return [
        {
            "seq": one.seq,
            "place": one.place,
            "seat": seat_of(events[one.seq]),
            "card": CODES[cards_told(events[one.seq])[one.place]],
            "physical": codes_in(one.physical),
            "lawful": codes_in(one.lawful),
            "forced": level_of(one),
        }
        for one in made.cards
    ]


def seat_of(event: Event) -> str | None:
    """Whose cards an entry tells of; None where they lie in the talon."""
    seat = getattr(event, "seat", None)
    return None if seat is None else SEAT_NAMES[seat]


def cards_told(event: Event) -> tuple[Card, ...]:
    """The cards of which an entry tells, as it writes them."""
    if isinstance(event, CardPlayed | TalonTurned):
        return (event.card,)
    cards: tuple[Card, ...] = getattr(event, "cards", ())
    return cards


def _shares(made: Unseen, of: Seq) -> list[Json] | None:
    found = shares(made, of)
    if found is None:
        return None
    return [{"card": CODES[card], "deals": _digits(deals)} for card, deals in found]


def _digits(number: int | None) -> str | None:
    """A number as text: there can be more deals than a number of JSON should say (RFC 7493, 2.2)."""
    return None if number is None else str(number)


def _hand(one: Holding) -> Json:
    return {
        "count": one.size,
        "physical": codes_in(one.physical),
        "lawful": codes_in(one.lawful),
        "certain": {"physical": codes_in(one.certain_physical), "lawful": codes_in(one.certain_lawful)},
    }


def _witness(deal: Deal | None, level: str) -> Json | None:
    """A complete deal: what was dealt, discarded, drawn and left, and every play."""
    if deal is None:
        return None
    return {
        "level": level,
        "dealt": _by_seat(deal.dealt),
        "discarded": _by_seat(deal.away),
        "drawn": _by_seat(deal.drawn),
        "left": codes_in(deal.left),
        "plays": [
            {
                "seq": play.seq,
                "seat": SEAT_NAMES[play.seat],
                "trick": play.trick,
                "card": CODES[play.card],
            }
            for play in deal.plays
        ],
    }


def _by_seat(masks: tuple[int, ...]) -> Json:
    return {SEAT_NAMES[seat]: codes_in(masks[seat]) for seat in SEATS}
