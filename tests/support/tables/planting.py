"""Errors planted in an evening: what is done to the record, and where it has to be named."""

import random
from collections.abc import Callable
from typing import Final, NamedTuple

from engine import audit
from engine.play.findings import CARD_FINDING_CODES
from tests.support.engine.shorthand import Event, log_from
from tests.support.hidden.misprinting import MISPRINTS
from tests.support.tables.evenings import Evening, with_number


class Planted(NamedTuple):
    """An error: its kind, the deal (from 0), the entry, and the code by which it has to be named."""

    kind: str
    deal: int
    seq: int
    code: str


Planter = Callable[[random.Random, Evening], Planted]
PLANTERS: Final[dict[str, Planter]] = {}


def _planter(planter: Planter) -> Planter:
    PLANTERS[planter.__name__] = planter
    return planter


@_planter
def wrong_settlement(rng: random.Random, evening: Evening) -> Planted:
    """Some chips paid to one and taken from another that are not due."""
    for at in evening.untouched(rng):
        events = list(evening.deals[at])
        seqs = [seq for seq, one in enumerate(events, 1) if one["type"] == "deal_settled"]
        if not seqs or len(events[seqs[0] - 1]["payments"]) < 2:
            continue
        seq = seqs[0]
        paid = events[seq - 1]["payments"]
        (one, chips), (other, more) = rng.sample(sorted(paid.items()), 2)
        wrong = rng.randint(1, 3)
        paid = {**paid, one: chips + wrong, other: more - wrong}
        events[seq - 1] = {**events[seq - 1], "payments": paid}
        if found_at(events, "settlement_mismatch") == [seq]:
            evening.plant(at, events)
            return Planted("wrong settlement", at, seq, "settlement_mismatch")
    raise LookupError("no deal to pay wrongly")


@_planter
def wrong_dealer(rng: random.Random, evening: Evening) -> Planted:
    """Another dealer written down than the one who gave; the evening went on in its order."""
    at = next(one for one in evening.untouched(rng) if evening.deals[one][0].get("dealer"))
    opened = evening.deals[at][0]
    other = rng.choice([one for one in evening.players if one != opened["dealer"]])
    evening.plant(at, [{**opened, "dealer": other}, *evening.deals[at][1:]])
    return Planted("wrong dealer", at, 1, "seating_mismatch")


@_planter
def swapped_card(rng: random.Random, evening: Evening) -> Planted:
    """A card written in place of another, by which the record cannot be."""
    for at in evening.untouched(rng) * 20:
        events = evening.deals[at]
        try:
            wrong = MISPRINTS[rng.choice(("replaced", "misread"))](rng, events)
        except IndexError:  # no card is told
            continue
        changed = [seq for seq, (one, other) in enumerate(zip(events, wrong, strict=True), 1) if one != other]
        if any(one.code in CARD_FINDING_CODES for one in audit(log_from(wrong)).findings):
            evening.plant(at, wrong)
            return Planted("swapped card", at, changed[0], "misprint_likely")
    raise LookupError("no card to swap")


@_planter
def doubled_entry(rng: random.Random, evening: Evening) -> Planted:
    """An entry of a deal that is there twice, one right behind the other, and cannot be."""
    kinds = ("bid_made", "card_played", "cards_discarded", "cards_drawn", "contract_named", "hand_dealt")
    for at in evening.untouched(rng) * 5:
        events = evening.deals[at]
        seq = rng.choice([seq for seq, one in enumerate(events, 1) if one["type"] in kinds])
        twice = [*events[:seq], events[seq - 1], *events[seq:]]
        if any(one.seq == seq + 1 for one in audit(log_from(twice)).findings):
            evening.plant(at, twice)
            return Planted("doubled entry", at, seq + 1, "entry_doubled")
    raise LookupError("no entry to double")


@_planter
def doubled_deal(rng: random.Random, evening: Evening) -> Planted:
    """A deal of which cards are told that is entered once more behind itself, under the next number."""
    at = next(one for one in evening.untouched(rng) if told_well(evening.deals[one]))
    deals = [*evening.deals[: at + 1], evening.deals[at], *evening.deals[at + 1 :]]
    evening.deals = [with_number(deal, number) for number, deal in enumerate(deals, 1)]
    evening.touched = {one + (one > at) for one in evening.touched} | {at, at + 1}
    seq = next(seq for seq, one in enumerate(evening.deals[at], 1) if tells(one))
    return Planted("doubled deal", at + 1, seq, "deal_doubled")


def tells(event: Event) -> bool:
    """Whether an event says which cards a hand was dealt, or is a play."""
    dealt = event["type"] == "hand_dealt" and "??" not in event["cards"]
    return dealt or event["type"] == "card_played"


def told_well(events: list[Event]) -> bool:
    """Whether enough of a deal's cards are told to know it again."""
    hands = any(one["type"] == "hand_dealt" and "??" not in one["cards"] for one in events)
    plays = sum(one["type"] == "card_played" and "?" not in one["card"] for one in events)
    return hands or plays >= 9


def found_at(events: list[Event], code: str) -> list[object]:
    return [one.seq for one in audit(log_from(events)).findings if one.code == code]
