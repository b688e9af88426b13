"""Complete deals that agree with a record, by number: all of them, or some that are drawn.

Every lawful complete deal has a number, so whoever draws a number draws a deal, each as likely as any other.
Numbers are worked out from a seed that is given, always the same (`engine.inference.chance`).

Where few hands can have been held these are gone through instead, each with the number of complete deals
that have it: how the rest lies, in the discards and in the talon, does not matter for the play.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine.core.cards import BIT, SEATS, Card, cards_in
from engine.core.vocabulary import Seq
from engine.core.work_budget import Spent, Work
from engine.inference.cases import Case
from engine.inference.chance import numbers
from engine.inference.counting import MOST_TOGETHER, Allowance, Fillings, TooMany
from engine.inference.deals import Orders
from engine.inference.duties import duties
from engine.inference.levels import kept_readings
from engine.inference.matter import Reading
from engine.inference.offences import offences
from engine.inference.places import COUNT, DRAWN, HAND, KEPT, LEFT, place_of
from engine.inference.plays import Course, Filled, Rules, Slot
from engine.inference.searching import MOST_STEPS, Budget
from engine.inference.solving import lying
from engine.inference.weighing import weighed

Hands = tuple[int, int, int]
"""By seat the cards with which it began the play, as masks."""


class Held(NamedTuple):
    """Hands that can have been held, and the cards of the hidden plays by their entries.

    ``weight``: for how many of the complete deals that were looked at this stands.
    """

    hands: Hands
    plays: Mapping[Seq, Card]
    weight: int


class Drawn(NamedTuple):
    """Deals that agree with a record: ``whole`` where these are all, else so many of ``total`` were drawn.

    ``even``: each deal was as likely as any other, and ``total`` is exact; else nearly, and about so many.
    """

    held: tuple[Held, ...]
    whole: bool
    total: int
    even: bool = True

    @property
    def weight(self) -> int:
        """How many complete deals were looked at."""
        return sum(one.weight for one in self.held)


def drawn_deals(case: Case, seed: int, count: int, steps: int = MOST_STEPS) -> Drawn | None:
    """All hands that the lawful deals allow, where there are at most ``count`` of them; else deals drawn.

    Of ``count`` deals none is drawn twice. Revokes that the cards prove are excepted, as on the lawful level
    of evidence. Where plays are hidden and the deals cannot be counted in so many ``steps`` they are drawn by
    their weights (`engine.inference.weighing`). None where that cannot be either, or where nobody knows which
    entries are missing.
    """
    if not case.claims.course_known or any(slot.seq is None for slot in case.slots):
        return None
    make = _of_hidden if case.slots else _of_seen
    try:
        drawn = make(case, frozenset(), _Wanted(seed, count, steps))
        if not drawn.total and (found := offences(case, duties(case.claims), steps)):
            drawn = make(case, frozenset(found), _Wanted(seed, count, steps))
    except (TooMany, Spent):
        return _by_weight(case, _Wanted(seed, count, steps)) if case.slots else None
    return drawn


class _Wanted(NamedTuple):
    """How many deals are wanted, by which seed, and in how many steps."""

    seed: int
    deals: int
    steps: int


# --- Where every play is seen ---------------------------------------------------------------------


def _of_seen(case: Case, excused: frozenset[Seq], wanted: _Wanted) -> Drawn:
    kept = tuple(duty for duty in duties(case.claims) if duty.seq not in excused)
    readings, allowance = tuple(kept_readings(case, kept)), Allowance(MOST_TOGETHER, case.work)
    ways = [allowance.fillings(reading) for reading in readings]
    total = sum(each.total for each in ways)
    held = _all_hands(readings, wanted.deals, case.work)
    if held is not None:
        return Drawn(tuple(Held(hands, {}, weight) for hands, weight in held.items()), True, total)
    deals = (_numbered(ways, number) for number in numbers(wanted.seed, wanted.deals, total))
    return Drawn(_together((_hands(one), {}) for one in deals), total <= wanted.deals, total)


def _all_hands(readings: tuple[Reading, ...], most: int, work: Work) -> dict[Hands, int] | None:
    """All hands that can have been held, with the number of deals of each; None where they are too many."""
    # What only the sizes of discards and talon exclude is among these as well, and falls out by its weight.
    outlines = [(reading, Fillings(_outline(reading), work)) for reading in readings]
    if sum(outline.total for _, outline in outlines) > most:
        return None
    held: dict[Hands, int] = {}
    for reading, outline in outlines:
        for number in range(outline.total):
            hands = _hands(outline.at(number))
            if weight := Fillings(_with_hands(reading, hands), work).total:
                held[hands] = held.get(hands, 0) + weight
    return held


def _outline(reading: Reading) -> Reading:
    """The reading with no more than who held which cards: all else is one place."""
    allowed = []
    for places in reading.allowed:
        outline = sum(1 << place_of(seat, KEPT) for seat in SEATS if places & HAND[seat])
        allowed.append(outline | (1 << LEFT if places & ~(HAND[0] | HAND[1] | HAND[2]) else 0))
    sizes = [0] * COUNT
    for seat in SEATS:
        sizes[place_of(seat, KEPT)] = sum(reading.sizes[place] for place in cards_in(HAND[seat]))
    sizes[LEFT] = sum(reading.sizes) - sum(sizes)
    return Reading(allowed, tuple(sizes))


def _with_hands(reading: Reading, hands: Hands) -> Reading:
    """The reading where these very hands were held."""
    allowed = list(reading.allowed)
    for card in range(len(allowed)):
        for seat in SEATS:
            allowed[card] &= HAND[seat] if hands[seat] & BIT[card] else ~HAND[seat]
    return reading._replace(allowed=allowed)


# --- With hidden plays ----------------------------------------------------------------------------


def _of_hidden(case: Case, excused: frozenset[Seq], wanted: _Wanted) -> Drawn:
    allowance, rules = Allowance(MOST_TOGETHER, case.work), Rules(excused=excused)
    budget = Budget(wanted.steps)
    courses = [
        Course(case.claims, reading, case.slots, rules, case.work)
        for reading in case.readings
        if lying(reading, case.work) is not None
    ]
    orders = [Orders(course, budget, allowance) for course in courses]
    totals = [one.beside({}, 0) for one in orders]
    total = sum(totals)
    held = []
    for number in numbers(wanted.seed, wanted.deals, total):
        for one, of_it in zip(orders, totals, strict=True):
            if number < of_it:
                held.append(_played(one, number))
                break
            number -= of_it
    return Drawn(_together(held), total <= wanted.deals, total)


def _played(orders: Orders, number: int) -> tuple[Hands, Mapping[Seq, Card]]:
    """The deal of that number in one reading: hidden play after hidden play, and then how the rest lies."""
    filled: dict[Slot, Card] = {}
    for place, slot in enumerate(orders.course.slots):
        room = orders.course.room(filled)
        for card in () if room is None else cards_in(room.slots[slot]):
            ways = orders.beside({**filled, slot: card}, place + 1)
            if number < ways:
                filled[slot] = card
                break
            number -= ways
    lying_there = _numbered(list(orders.fillings(filled)), number)
    return _hands(lying_there), _plays(filled)


def _by_weight(case: Case, wanted: _Wanted) -> Drawn | None:
    """Deals drawn by their weights; None where too few could be tried."""
    found = weighed(case, Rules(), wanted.seed, wanted.deals, wanted.steps)
    if found is None:
        return None
    deals, about = found
    return Drawn(_together((_hands(one.lying), _plays(one.filled)) for one in deals), False, about, False)


def _plays(filled: Filled) -> Mapping[Seq, Card]:
    return {slot.seq: card for slot, card in filled.items() if slot.seq is not None}


# --- Both -----------------------------------------------------------------------------------------


def _numbered(ways: list[Fillings], number: int) -> list[int]:
    """The filling of that number, counted through all of them."""
    for each in ways:
        if number < each.total:
            return each.at(number)
        number -= each.total
    raise IndexError(number)


def _hands(lying: list[int]) -> Hands:
    first, second, third = (lying[place_of(s, KEPT)] | lying[place_of(s, DRAWN)] for s in SEATS)
    return first, second, third


def _together(deals: Iterable[tuple[Hands, Mapping[Seq, Card]]]) -> tuple[Held, ...]:
    """Deals with the same hands and plays as one, with their number."""
    weights: dict[tuple[Hands, tuple[tuple[Seq, Card], ...]], int] = {}
    for hands, plays in deals:
        key = (hands, tuple(plays.items()))
        weights[key] = weights.get(key, 0) + 1
    return tuple(Held(hands, dict(plays), weight) for (hands, plays), weight in weights.items())
