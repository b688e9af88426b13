"""Legal deals in whose entries something slipped: who is accused of it in the report, and who is not.

Whoever enters a deal taps a card twice, not at all, for another seat, before the one that was played first,
or one like it. Nobody may be accused of that in `engine.report` but on a condition; and a true revoke stays
in it, whatever slip might have been instead.
"""

import random
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from engine import audit
from engine.judging.caveats import is_conditional
from engine.play.findings import GRAVE, Finding
from engine.report import report
from tests.support.engine.shorthand import log_from
from tests.support.hidden.misprinting import near, put
from tests.support.hidden.records import deal, with_revoke

Event = dict[str, Any]
OF_SOMEBODY: Final = ("revoke", "wrong_seat")
"""Codes of findings that accuse somebody."""
NAMING: Final = ("contract_named", "trump_named")


class Slipped(NamedTuple):
    """What came of slips of a kind: how many, and how often nothing of the reports but the slip was grave.

    ``accused``: the records in whose report somebody is accused without a condition.
    """

    tried: int
    explained: int
    accused: list[list[Event]]


class Kept(NamedTuple):
    """What came of true revokes: how many the audit found, how many with a condition, and those lost."""

    tried: int
    conditional: int
    lost: list[list[Event]]


def slipped(rng: random.Random, ruleset: str, kind: str, deals: int, *, hidden: bool) -> Slipped:
    """So many deals with such a slip; ``hidden``: nobody's cards are known before they are played."""
    explained, accused, tried = 0, [], 0
    while tried < deals:
        events = [{name: one[name] for name in one if name != "trick"} for one in deal(rng, ruleset)]
        events = _as_entered(events, hidden=hidden)
        cards = [at for at, one in enumerate(events) if one["type"] == "card_played"]
        wrong = SLIPS[kind](rng, events, cards)
        if wrong is None:
            continue
        tried += 1
        found = [one for matter in report(log_from(wrong)).matters for one in matter.findings]
        explained += not any(one.severity in GRAVE and one.code in OF_SOMEBODY for one in found)
        if any(_accuses(one) for one in found):
            accused.append(wrong)
    return Slipped(tried, explained, accused)


def kept(rng: random.Random, ruleset: str, deals: int, *, hidden: bool) -> Kept:
    """So many deals with a revoke that the audit finds: the report has to find it at the same entry."""
    tried, conditional, lost = 0, 0, []
    while tried < deals:
        made = with_revoke(rng, ruleset)
        if made is None:
            continue
        events, card = made[0], made[0][made[1] - 1]
        events = _as_entered(events, hidden=hidden)
        seq = events.index(card) + 1
        log = log_from(events)
        judged = audit(log)
        if not any((one.seq, one.code) == (seq, "revoke") for one in judged.findings):
            continue
        tried += 1
        found = [one for matter in report(log, audited=judged).matters for one in matter.findings]
        revokes = [one for one in found if (one.seq, one.code, one.severity) == (seq, "revoke", "error")]
        conditional += bool(revokes) and not any(_accuses(one) for one in revokes)
        if not revokes:
            lost.append(events)
    return Kept(tried, conditional, lost)


def _as_entered(events: list[Event], *, hidden: bool) -> list[Event]:
    """The record as somebody enters it who does not know the talon, and where hidden no hand either."""
    told = [one for one in events if one["type"] != "talon_laid"]
    if not hidden:
        return told
    told = [one for one in told if one["type"] not in ("hand_dealt", "hand_held")]
    return [{**one, "cards": ["??"] * len(one["cards"])} if "cards" in one else one for one in told]


def _accuses(one: Finding) -> bool:
    """Whether a finding accuses somebody without a condition."""
    return one.code in OF_SOMEBODY and one.severity in GRAVE and not is_conditional(one.message)


Slip = Callable[[random.Random, list[Event], list[int]], list[Event] | None]
"""Makes a record with a slip, given the places of its cards; None where it cannot slip so."""


def among(slip: Slip, fits: Callable[[Event], bool]) -> Slip:
    """The slip, of an entry that fits in place of a card."""

    def made(rng: random.Random, events: list[Event], _cards: list[int]) -> list[Event] | None:
        acts = [at for at, one in enumerate(events) if fits(one)]
        return slip(rng, events, acts) if acts else None

    return made


def missing(rng: random.Random, events: list[Event], cards: list[int]) -> list[Event] | None:
    """A card that was not tapped."""
    at = rng.choice(cards)
    return [*events[:at], *events[at + 1 :]]


def trick_missing(rng: random.Random, events: list[Event], cards: list[int]) -> list[Event] | None:
    """A whole trick that was not tapped."""
    tricks = [cards[first : first + 3] for first in range(0, len(cards) - 2, 3)]
    if not tricks:
        return None
    gone = rng.choice(tricks)
    return [one for at, one in enumerate(events) if at not in gone]


def wrong_seat(rng: random.Random, events: list[Event], cards: list[int]) -> list[Event] | None:
    """A card tapped for another seat."""
    at = rng.choice(cards)
    seats = [seat for seat in ("forehand", "middlehand", "backhand") if seat != events[at]["seat"]]
    return [*events[:at], {**events[at], "seat": rng.choice(seats)}, *events[at + 1 :]]


def doubled(rng: random.Random, events: list[Event], cards: list[int]) -> list[Event] | None:
    """A card tapped twice."""
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
            codes = {found.code for found in audit(log_from(wrong)).findings if found.severity in GRAVE}
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
