"""The search among hidden plays, within a budget of steps.

What is possible beside the slots already filled bounds what is worth trying. Every complete filling that is
found proves much at once: its own cards, and everything that the flow still leaves open beside them. What no
filling has proved is looked for by itself, until it is found or shown not to be.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from engine.core.cards import BIT, SEATS, Card, Seat, cards_in
from engine.core.work_budget import Spent
from engine.inference.cases import NOTHING, Case, Level
from engine.inference.duties import lawful
from engine.inference.matter import Reading
from engine.inference.places import COUNT, DRAWN, HAND, KEPT, LAID_AWAY, LEFT, place_of
from engine.inference.plays import Course, Filled, Room, Rules, Slot
from engine.inference.solving import Lying, joined, lying

MOST_STEPS: Final = 6_000
"""So many times the search asks what is possible beside some filled slots, on each level."""


A_READING: Final = 5
"""What it costs to put a question to a reading."""
MOST_EACH: Final = 600
"""So many of them for one question, so that one hard one does not use up all."""
MOST_NEAR: Final = 3
"""So many fillings already found are changed a little before a new one is searched for."""


class Budget:
    """Steps that a search may still take; there is no clock in the engine."""

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self.left = steps

    def step(self) -> None:
        """Takes a step.

        Raises:
            Spent: none was left.
        """
        if self.left <= 0:
            raise Spent
        self.left -= 1


class Found(NamedTuple):
    """A complete filling of the slots, and what lies open beside it."""

    filled: Filled
    readings: tuple[Reading, ...]
    lying: Lying


class Search:
    """The search in one reading."""

    def __init__(self, course: Course, budget: Budget) -> None:
        self.course, self.budget = course, budget
        self.hint: Mapping[Slot, Card] = {}

    def first(self, filled: dict[Slot, Card]) -> Found | None:
        """Some complete filling with ``filled`` in it, or None where there is none.

        Raises:
            Spent: it was not found out within the budget.
        """
        return next(self.each(filled), None)

    def each(self, filled: dict[Slot, Card]) -> Iterator[Found]:
        """Every complete filling with ``filled`` in it.

        Raises:
            Spent: not all were found within the budget.
        """
        self.budget.step()
        room = self.course.room(filled)
        if room is None:
            return
        if not room.slots:
            found = self._whole(filled)
            if found is not None:
                self.hint = dict(filled)
                yield found
            return
        slot = min(room.slots, key=lambda one: room.slots[one].bit_count())
        options = cards_in(room.slots[slot])
        hinted = self.hint.get(slot)
        for card in sorted(options, key=lambda one: one != hinted):
            yield from self.each({**filled, slot: card})

    def just(self, filled: Filled) -> Found | None:
        """This very filling of all slots, or None where it does not fit.

        Raises:
            Spent: no step was left.
        """
        self.budget.step()
        if not all(BIT[card] & self.course.windows[slot] for slot, card in filled.items()):
            return None
        return None if self.course.room(filled) is None else self._whole(filled)

    def _whole(self, filled: Filled) -> Found | None:
        """The filling with what it leaves open, where the hands were dealt and drawn so too."""
        fitting, found = [], None
        for reading in whole_readings(self.course, filled):
            here = lying(reading, self.course.work)
            if here is not None:
                fitting.append(reading)
                found = joined(found, here)
        return None if found is None else Found(filled, tuple(fitting), found)


def whole_readings(course: Course, filled: Filled) -> Iterator[Reading]:
    """Where the cards can lie once every slot is filled; no deal belongs to two of these readings."""
    allowed = list(course.reading.allowed)
    for slot, card in filled.items():
        allowed[card] &= HAND[slot.seat]
    kept = course.duties_with(filled)
    for way in lawful(allowed, kept, course.claims.table, course.played_with(filled), course.work):
        yield course.reading._replace(allowed=way)


class Open:
    """What may still be possible, and what of it has been proved."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.may = dict.fromkeys(case.slots, 0)
        self.can = dict(self.may)
        self.may_lie, self.can_lie = [0] * COUNT, [0] * COUNT
        self.may_hold, self.can_hold = [0, 0, 0], [0, 0, 0]

    def bound(self, room: Room, matter: Lying) -> None:
        """Takes in what one reading leaves open at most: as matter, and beside the slots."""
        for slot, cards in room.slots.items():
            self.may[slot] |= cards
        for seat in SEATS:
            hand = room.rest[seat] | sum(
                BIT[card] for card, at in self.case.played.items() if at.seat == seat
            )
            for slot, cards in room.slots.items():
                hand |= cards if slot.seat == seat else 0
            self.may_hold[seat] |= room.rest[seat]
            for fate, cards in ((LAID_AWAY, room.away[seat]), (KEPT, hand), (DRAWN, hand)):
                place = place_of(seat, fate)
                self.may_lie[place] |= matter[place] & cards
        self.may_lie[LEFT] |= matter[LEFT] & room.left

    def proved(self, found: Found) -> None:
        """Takes in a complete filling, and what lies open beside it."""
        gone = sum(BIT[card] for card in self.case.played)
        for slot, card in found.filled.items():
            self.can[slot] |= BIT[card]
            gone |= BIT[card]
        for place, cards in enumerate(found.lying):
            self.can_lie[place] |= cards
        for seat in SEATS:
            hand = found.lying[place_of(seat, KEPT)] | found.lying[place_of(seat, DRAWN)]
            self.can_hold[seat] |= hand & ~gone

    def level(self, decided: bool) -> Level:
        """The level as far as it is known."""
        any_found = any(self.can_lie)
        if decided and not any_found:
            return NOTHING
        if decided:
            return Level(True, True, tuple(self.can_lie), self.can, tuple(self.can_hold))
        return Level(any_found or None, False, tuple(self.may_lie), self.may, tuple(self.may_hold))


def searched(case: Case, rules: Rules, budget: Budget) -> Level:
    """What is possible for the hidden plays and everything beside them, where these rules bind.

    Raises:
        Spent: there was not even work enough left to go through the readings once.
    """
    level = Open(case)
    search = _Proof(case, rules, budget, level)
    search.bound()
    try:
        found = level.level(search.prove())
        return found._replace(decided=found.decided and (not found.agrees or case.seen_through))
    except Spent:
        return level.level(False)


def agrees(case: Case, rules: Rules, budget: Budget) -> bool | None:
    """Whether some complete deal agrees; None where the budget was too small to find out."""
    try:
        return first_found(case, rules, budget) is not None
    except Spent:
        return None


def first_found(case: Case, rules: Rules, budget: Budget) -> Found | None:
    """Some complete filling.

    Raises:
        Spent: none was found within the budget, nor shown that there is none.
    """
    for reading in case.readings:
        if lying(reading, case.work) is None:
            continue  # nothing fits even where any card may have been played at any time: no step is needed
        found = Search(Course(case.claims, reading, case.slots, rules, case.work), budget).first({})
        if found is not None:
            return found
    return None


class _Proof:
    """Proves what is open, one thing after another, in every reading."""

    def __init__(self, case: Case, rules: Rules, budget: Budget, level: Open) -> None:
        self.case, self.rules, self.budget, self.level = case, rules, budget, level
        self.readings: list[Reading] = []
        self.courses: list[Course] = []
        self.hint: Mapping[Slot, Card] = {}
        self.known: list[tuple[int, Filled]] = []
        self.whole = budget.left

    def bound(self) -> None:
        """Take in what each reading leaves open at most. Raises `Spent`."""
        for reading in self.case.readings:
            course, matter = self._course(reading), lying(reading, self.case.work)
            room = course.room({})
            if room is not None and matter is not None:
                self.readings.append(reading)
                self.courses.append(course)
                self.level.bound(room, matter)

    def prove(self) -> bool:
        """Until nothing is open any more; False where some things were left open.

        Raises:
            Spent: not even one filling was found within the budget.
        """
        level = self.level
        self._look({}, self.readings)
        decided = True
        for slot in self.case.slots:
            decided &= self._tried(level.may, level.can, slot, self._in_slot)
        for place in range(COUNT):
            decided &= self._tried(level.may_lie, level.can_lie, place, self._in_place)
        for seat in SEATS:
            decided &= self._tried(level.may_hold, level.can_hold, seat, self._in_hand)
        return decided

    def _in_slot(self, slot: Slot, card: Card) -> bool:
        return self._look({slot: card}, self.readings)

    def _in_place(self, place: int, card: Card) -> bool:
        return self._look({}, [_lying_in(1 << place, card, one) for one in self.readings])

    def _in_hand(self, seat: Seat, card: Card) -> bool:
        return self._look({}, [_lying_in(HAND[seat], card, one) for one in self.readings], BIT[card])

    def _tried(self, may: Any, can: Any, key: Any, look: Callable[[Any, Card], bool]) -> bool:
        """Looks for each card that may be there until it is found or excluded; False where some stay open."""
        unanswered = 0
        while missing := may[key] & ~can[key] & ~unanswered:
            card = cards_in(missing)[0]
            try:
                if not look(key, card):
                    may[key] ^= BIT[card]
            except Spent:
                unanswered |= BIT[card]
        return not unanswered

    def _course(self, reading: Reading, unplayed: int = 0) -> Course:
        return Course(self.case.claims, reading, self.case.slots, self.rules, self.case.work, unplayed)

    def _look(self, filled: dict[Slot, Card], readings: list[Reading], unplayed: int = 0) -> bool:
        """Looks for a complete filling, first near those already found, and takes it in.

        Raises:
            Spent: the budget was used up, or this question alone would use too much of it.
        """
        self.case.work.spend(A_READING * len(readings))
        budget = Budget(min(self.budget.left, max(MOST_EACH, self.whole // 10)))
        before = budget.left
        try:
            return self._found(filled, readings, unplayed, budget)
        finally:
            self.budget.left -= before - budget.left

    def _found(
        self, filled: dict[Slot, Card], readings: list[Reading], unplayed: int, budget: Budget
    ) -> bool:
        searches: dict[int, Search] = {}

        def search(number: int) -> Search:
            """The search in a reading, made when first asked: making one takes as long as some steps."""
            if number not in searches:
                as_bounded = readings is self.readings and not unplayed
                course = self.courses[number] if as_bounded else self._course(readings[number], unplayed)
                searches[number] = Search(course, budget)
            return searches[number]

        for number, known in self.known[-MOST_NEAR:]:
            if self._taken_in(number, search(number).just(_changed(known, filled))):
                return True
        for number in range(len(readings)):
            search(number).hint = self.hint
            if self._taken_in(number, search(number).first(filled)):
                return True
        return False

    def _taken_in(self, number: int, found: Found | None) -> bool:
        if found is None:
            return False
        self.hint = found.filled
        self.known.append((number, found.filled))
        self.level.proved(found)
        return True


def _changed(known: Filled, into: Filled) -> dict[Slot, Card]:
    """A filling with other cards in some slots; what lay there goes where these came from."""
    filled = dict(known)
    for slot, card in into.items():
        for other, lying_there in known.items():
            if lying_there == card:
                filled[other] = known[slot]
        filled[slot] = card
    return filled


def _lying_in(places: int, card: Card, reading: Reading) -> Reading:
    """The reading with ``card`` in one of these places only."""
    allowed = list(reading.allowed)
    allowed[card] &= places
    return reading._replace(allowed=allowed)
