"""The complete deals that agree with a record: how many there are, and one of them as a witness.

A complete deal says of each card which way it took (`engine.inference.places`), and which card each hidden
play was. In which order cards lay within a hand, a discard, a draw or the talon makes no other deal.
"""

from collections.abc import Iterator
from math import perm
from typing import NamedTuple

from engine.core.cards import BIT, SEATS, Card, Seat, cards_in
from engine.core.vocabulary import Seq
from engine.core.work_budget import Spent
from engine.inference.cases import Case
from engine.inference.counting import MOST_TOGETHER, Allowance, Fillings, TooMany, ways
from engine.inference.duties import ban_of, duties
from engine.inference.evidence import Evidence
from engine.inference.levels import kept_readings
from engine.inference.matter import Reading
from engine.inference.places import DRAWN, KEPT, LAID_AWAY, LEFT, place_of
from engine.inference.plays import MATTER_ONLY, PACK, Course, Filled, Rules, Slot
from engine.inference.searching import Budget, first_found, whole_readings
from engine.inference.solving import filled as filled_places


class Count(NamedTuple):
    """How many complete deals agree: at least and at most; ``most`` None where no bound was found."""

    least: int
    most: int | None

    @property
    def exact(self) -> bool:
        """Whether the number is known."""
        return self.least == self.most


class Play(NamedTuple):
    """A card played to a trick; ``seq`` None where the record has no entry of it."""

    seq: Seq | None
    seat: Seat
    trick: int
    card: Card


class Deal(NamedTuple):
    """A complete deal: by seat the masks of cards dealt, laid away and drawn, what is left, every play."""

    dealt: tuple[int, ...]
    away: tuple[int, ...]
    drawn: tuple[int, ...]
    left: int
    plays: tuple[Play, ...]


def how_many(found: Evidence, lawful: bool) -> Count:
    """How many complete deals agree with the record on one level of evidence."""
    level = found.lawful if lawful else found.physical
    if level.agrees is False:
        return Count(0, 0)
    try:
        return _counted(found, lawful)
    except Spent:
        return Count(1 if level.agrees else 0, None)


def _counted(found: Evidence, lawful: bool) -> Count:
    case = found.case
    if not case.slots:
        return _seen(found, lawful)
    if not lawful:
        free = _orders_free(case)
        if free is not None:
            return Count(free, free)
    least, whole = _gone_through(case, found.rules if lawful else MATTER_ONLY, Budget(found.steps))
    return Count(least, least if whole else _orders_at_most(case))


def _seen(found: Evidence, lawful: bool) -> Count:
    """The count where every play is seen."""
    counts = [ways(reading, found.case.work) for reading in seen_readings(found, lawful)]
    known = sum(count for count in counts if count is not None)
    exact = None not in counts and found.claims.course_known
    return Count(max(known, 1), known if exact else None)


def seen_readings(found: Evidence, lawful: bool) -> tuple[Reading, ...]:
    """Where the cards can lie where every play is seen; no deal belongs to two of these readings."""
    if not lawful or not found.claims.course_known:
        return found.case.readings
    kept = tuple(duty for duty in duties(found.claims) if duty.seq not in found.offences)
    return tuple(kept_readings(found.case, kept))


def _orders_free(case: Case) -> int | None:
    """The number of deals as matter, where nothing is told of when an unseen card was played."""
    courses = [Course(case.claims, reading, case.slots, MATTER_ONLY, case.work) for reading in case.readings]
    if any(window != PACK for course in courses for window in course.windows.values()):
        return None
    return _orders_at_most(case)


def _orders_at_most(case: Case) -> int | None:
    """Every way the cards can lie, each with every order of those that can have been hidden plays."""
    total = 0
    for reading in case.readings:
        course = Course(case.claims, reading, case.slots, MATTER_ONLY, case.work)
        count = ways(reading, case.work)
        if count is None:
            return None
        for seat in SEATS:
            hidden = sum(slot.seat == seat for slot in case.slots)
            count *= perm(course.rest[seat] + hidden, hidden) if course.rest[seat] >= 0 else 0
        total += count
    return total


def _gone_through(case: Case, rules: Rules, budget: Budget) -> tuple[int, bool]:
    """The deals in the readings that could be gone through, and whether these are all."""
    total, allowance = 0, Allowance(MOST_TOGETHER, case.work)
    for reading in case.readings:
        try:
            course = Course(case.claims, reading, case.slots, rules, case.work)
            total += Orders(course, budget, allowance).beside({}, 0)
        except (Spent, TooMany):
            return total, False
    return total, True


class Orders:
    """The count of the deals of one reading, hidden play after hidden play.

    Two beginnings from which the same goes on are counted once: the same cards have left the hands, the same
    is proved of what is left in them, and the trick being played is the same.
    """

    def __init__(self, course: Course, budget: Budget, allowance: Allowance) -> None:
        self.course, self.budget, self.allowance = course, budget, allowance
        self.counted: dict[tuple[object, ...], int] = {}
        self.lying: dict[tuple[int, ...], Fillings] = {}

    def beside(self, filled: dict[Slot, Card], number: int) -> int:
        """The number of deals in which ``filled`` lies in the first ``number`` slots.

        Raises:
            Spent, TooMany: it would take too long.
        """
        if number == len(self.course.slots):
            return self._ways(filled)
        slot = self.course.slots[number]
        key = self._onward(filled, slot)
        known = self.counted.get(key)
        if known is None:
            self.budget.step()
            room = self.course.room(filled)
            cards = () if room is None else cards_in(room.slots[slot])
            known = sum(self.beside({**filled, slot: card}, number + 1) for card in cards)
            self.counted[key] = known
        return known

    def _onward(self, filled: dict[Slot, Card], slot: Slot) -> tuple[object, ...]:
        """All that matters of ``filled`` from ``slot`` on."""
        gone = frozenset((one.seat, card) for one, card in filled.items())
        trick = tuple(card for one, card in filled.items() if one.trick == slot.trick)
        proved: dict[Seat, int] = {}
        choices = []
        for duty in self.course.duties_with(filled):
            ban = ban_of(duty.lead, self.course.claims.table)
            if duty.trick < slot.trick:
                proved[duty.seat] = proved.get(duty.seat, 0) | ban.never
            else:
                choices.append((duty.seat, duty.trick, duty.lead))
            if ban.needy:
                choices.append((duty.seat, duty.trick, duty.lead))
        return slot, gone, trick, frozenset(proved.items()), frozenset(choices)

    def _ways(self, filled: dict[Slot, Card]) -> int:
        """The number of ways in which the cards can lie where every slot is filled."""
        return sum(fillings.total for fillings in self.fillings(filled))

    def fillings(self, filled: dict[Slot, Card]) -> Iterator[Fillings]:
        """The ways themselves, reading by reading.

        Raises:
            TooMany: they cannot be counted.
        """
        for reading in whole_readings(self.course, filled):
            key = tuple(reading.allowed)
            if key not in self.lying:
                self.lying[key] = self.allowance.fillings(reading)
            yield self.lying[key]


def witness(found: Evidence, lawful: bool) -> Deal | None:
    """One complete deal that agrees with the record on a level; None where none was found."""
    try:
        return _witness(found, lawful)
    except Spent:
        return None


def _witness(found: Evidence, lawful: bool) -> Deal | None:
    case = found.case
    if case.slots:
        one = first_found(case, found.rules if lawful else MATTER_ONLY, Budget(found.steps))
        return None if one is None else _deal(case, one.readings[0], one.filled)
    for reading in seen_readings(found, lawful):
        if filled_places(reading, case.work) is not None:
            return _deal(case, reading, {})
    return None


def _deal(case: Case, reading: Reading, filled: Filled) -> Deal | None:
    """The deal of one way to fill the places of ``reading``."""
    lying = filled_places(reading, case.work)
    if lying is None:
        return None
    away = tuple(lying[place_of(seat, LAID_AWAY)] for seat in SEATS)
    dealt = tuple(away[seat] | lying[place_of(seat, KEPT)] for seat in SEATS)
    drawn = tuple(lying[place_of(seat, DRAWN)] for seat in SEATS)
    plays = [Play(slot.seq, slot.seat, slot.trick, card) for slot, card in filled.items()]
    for trick in case.claims.tricks:
        laid = zip(trick.seqs, trick.seats, trick.cards, strict=True)
        plays += [Play(seq, seat, trick.number, card) for seq, seat, card in laid if BIT[card]]
    return Deal(dealt, away, drawn, lying[LEFT], tuple(sorted(plays, key=lambda one: (one.trick, one.seat))))
