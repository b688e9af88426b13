"""How many ways there are to fill the places of a reading, and which way is the one of a number.

Classes of cards are laid out one after another; all that matters of those before is how much room each place
has left, so what was counted once from there is remembered. Places that no class tells apart are filled as
one, and parted afterwards.
"""

from collections.abc import Iterator, Sequence
from math import comb, prod
from typing import NamedTuple

from engine.core.cards import SUIT_MASK, cards_in
from engine.core.work_budget import Work
from engine.inference.flow import classes_of
from engine.inference.matter import PACK_SIZE, Need, Reading
from engine.inference.places import COUNT

COUNT_ALONE, STEP = 100, 7
"""What a count costs, and each of its steps."""
MOST_STEPS = 200_000
"""So many ways to lay out a class are gone through at most."""

Room = tuple[int, ...]
"""How many cards each place can still take; or how many of a suit lie in each place that is watched."""


MOST_TOGETHER = 400_000
"""So many in all, where the same is counted again and again beside what hidden plays can be."""


class TooMany(Exception):
    """The count would take more steps than allowed."""


class Part(NamedTuple):
    """A class of cards: the places it may lie in, its cards, and their suit where suits are counted."""

    places: list[int]
    cards: int
    suit: int


class Fillings:
    """The ways to fill the places of a reading, numbered from 0 to ``total`` − 1; ``steps`` counted them."""

    def __init__(self, reading: Reading, work: Work, most_steps: int = MOST_STEPS) -> None:
        """Counts them.

        Raises:
            TooMany: it would take more than ``most_steps``.
            Spent: it would take more work than is left.
        """
        work.spend(COUNT_ALONE)
        self._work = work
        self._needs = reading.needs
        self._watched = _watched(reading.needs)
        self.steps = 0
        self._most = most_steps
        sizes, parts = list(reading.sizes), _parts(reading)
        self._parted = {} if self._watched else _merged([part.places for part in parts], sizes)
        self._parts = sorted(parts, key=lambda part: (part.suit, len(part.places)))
        self._counted: dict[tuple[int, Room, Room], int] = {}
        self._start = tuple(sizes)
        self._factor = prod(_ways_to_part(shares) for shares in self._parted.values())
        self.total = self._factor * self._from(0, self._start, self._none)

    @property
    def _none(self) -> Room:
        return (0,) * len(self._watched)

    def at(self, number: int) -> list[int]:
        """By place the cards that lie there, in the filling of that number. Raises `Spent`."""
        self._work.spend(COUNT_ALONE)
        number, parting = divmod(number, self._factor)
        lying, room, inside = [0] * len(self._start), self._start, self._none
        for place, part in enumerate(self._parts):
            inside = self._begun(place, inside)
            for left, taken, times in self._ways(place, room, inside):
                self._work.spend(STEP)
                onward = self._from(place + 1, left, taken)
                if number < times * onward:
                    chosen, number = divmod(number, onward)
                    counts = [(one, room[one] - left[one]) for one in part.places]
                    for one, cards in _chosen(part.cards, counts, chosen):
                        lying[one] |= cards
                    room, inside = left, taken
                    break
                number -= times * onward
        for first, shares in self._parted.items():
            cards, lying[first] = lying[first], 0
            ways = _ways_to_part(shares)
            parting, chosen = divmod(parting, ways)
            for one, mask in _chosen(cards, shares, chosen):
                lying[one] = mask
        return lying

    def _from(self, number: int, room: Room, inside: Room) -> int:
        """How many ways there are to lay out the parts from ``number`` on.

        ``room``: what each place can still take; ``inside``: how many of the suit at hand lie where suits
        are watched.
        """
        if number and self._suit_of(number) != self._parts[number - 1].suit:
            if not self._met(inside, self._parts[number - 1].suit, self._suit_of(number)):
                return 0
            inside = self._none
        if number == len(self._parts):
            return int(not any(room))
        key = (number, room, inside)
        known = self._counted.get(key)
        if known is None:
            known = 0
            for left, taken, times in self._ways(number, room, inside):
                self.steps += 1
                self._work.spend(STEP)
                if self.steps > self._most:
                    raise TooMany
                known += times * self._from(number + 1, left, taken)
            self._counted[key] = known
        return known

    def _ways(self, number: int, room: Room, inside: Room) -> Iterator[tuple[Room, Room, int]]:
        part = self._parts[number]
        return _spread(room, inside, part.places, part.cards.bit_count(), self._watched)

    def _begun(self, number: int, inside: Room) -> Room:
        """What is counted of the suit of a part where it begins."""
        new = number and self._suit_of(number) != self._parts[number - 1].suit
        return self._none if new else inside

    def _suit_of(self, number: int) -> int:
        return self._parts[number].suit if number < len(self._parts) else len(SUIT_MASK)

    def _met(self, inside: Room, suit: int, before: int) -> bool:
        """Whether enough of the suits from ``suit`` up to ``before`` lie where they are needed."""
        return all(
            sum(inside[i] for i, place in enumerate(self._watched) if need.places >> place & 1) >= need.least
            for need in self._needs
            if need.cards == SUIT_MASK[suit]
        ) and not any(need.least for need in self._needs if need.cards in SUIT_MASK[suit + 1 : before])


class Allowance:
    """Steps that several counts may take together."""

    def __init__(self, most_steps: int, work: Work) -> None:
        self.left, self._work = most_steps, work

    def fillings(self, reading: Reading) -> Fillings:
        """The fillings of one reading.

        Raises:
            TooMany: counting them takes more steps than are left, or than one count may take.
            Spent: it takes more work than is left.
        """
        found = Fillings(reading, self._work, min(self.left, MOST_STEPS))
        self.left -= found.steps
        return found


def ways(reading: Reading, work: Work, most_steps: int = MOST_STEPS) -> int | None:
    """How many fillings a reading has; None where counting them takes too many steps. Raises `Spent`."""
    try:
        return Fillings(reading, work, most_steps).total
    except TooMany:
        return None


def _parts(reading: Reading) -> list[Part]:
    """The classes of cards, parted by suit where something is known only by suit."""
    found = []
    for mask, cards in classes_of(reading.allowed, range(PACK_SIZE)).items():
        for number, suit in enumerate(SUIT_MASK) if reading.needs else ((0, -1),):
            if cards & suit:
                found.append(Part(list(cards_in(mask)), cards & suit, number))
    return found


Shares = list[tuple[int, int]]
"""Places, each with how many cards it takes."""


def _merged(places: list[list[int]], sizes: list[int]) -> dict[int, Shares]:
    """Makes one of all places that no class tells apart: for each such one the places that it is made of."""
    alike: dict[frozenset[int], Shares] = {}
    for place, size in enumerate(sizes):
        like = frozenset(number for number, open_to in enumerate(places) if place in open_to)
        alike.setdefault(like, []).append((place, size))
    for shares in alike.values():
        (first, _), *others = shares
        for place, size in others:
            sizes[first] += size
            sizes[place] = 0
            for open_to in places:
                if place in open_to:
                    open_to.remove(place)
    return {shares[0][0]: shares for shares in alike.values() if len(shares) > 1}


def _watched(needs: Sequence[Need]) -> tuple[int, ...]:
    mask = 0
    for need in needs:
        mask |= need.places
    return tuple(place for place in range(COUNT) if mask >> place & 1)


def _spread(
    room: Room, inside: Room, places: list[int], count: int, watched: tuple[int, ...]
) -> Iterator[tuple[Room, Room, int]]:
    """Every way to lay ``count`` cards of a class into its places, with the choices of cards."""
    if not places:
        if not count:
            yield room, inside, 1
        return
    place, others = places[0], places[1:]
    at = watched.index(place) if place in watched else -1
    least = max(0, count - sum(room[other] for other in others))
    for here in range(least, min(room[place], count) + 1):
        left = (*room[:place], room[place] - here, *room[place + 1 :])
        taken = inside if at < 0 else (*inside[:at], inside[at] + here, *inside[at + 1 :])
        for after, after_inside, times in _spread(left, taken, others, count - here, watched):
            yield after, after_inside, times * comb(count, here)


def _ways_to_part(shares: Sequence[tuple[int, int]]) -> int:
    """In how many ways cards can be parted into these places."""
    left, found = sum(size for _, size in shares), 1
    for _, size in shares:
        found *= comb(left, size)
        left -= size
    return found


def _chosen(cards: int, shares: Sequence[tuple[int, int]], number: int) -> Iterator[tuple[int, int]]:
    """The cards that each of the places gets, in the way of that number to part them."""
    left = cards_in(cards)
    for place, size in shares:
        number, which = divmod(number, comb(len(left), size))
        mask, rest = 0, []
        for position, card in enumerate(left):
            # So many of the ways have this card among those that are still to be chosen.
            having = comb(len(left) - position - 1, size - 1) if size else 0
            if which < having:
                mask |= 1 << card
                size -= 1
            else:
                which -= having
                rest.append(card)
        left = tuple(rest)
        yield place, mask
