"""How many ways there are to fill the places of a reading, and which way is the one of a number.

Classes of cards are laid out one after another; all that matters of those before is how much room each place
has left, so what was counted once from there is remembered. Places that no class tells apart are filled as
one, and parted afterwards.
"""

from collections.abc import Iterator, Sequence
from math import comb, prod
from typing import NamedTuple

from engine.core.cards import SUIT_MASKS, cards_in_mask
from engine.core.work_budget import WorkBudget
from engine.inference.flow import group_by_places
from engine.inference.physical_constraints import PACK_SIZE, Scenario, SuitMinimum
from engine.inference.places import PLACE_COUNT

COUNT_COST, COUNT_STEP_COST = 100, 7
"""What a count costs, and each of its steps."""
MAX_COUNT_STEPS = 200_000
"""So many ways to lay out a class are gone through at most."""

PlaceCounts = tuple[int, ...]
"""How many cards each place can still take; or how many of a suit lie in each place that is watched."""


MAX_TOTAL_COUNT_STEPS = 400_000
"""So many in all, where the same is counted again and again beside what hidden plays can be."""


class TooManyFillings(Exception):
    """The count would take more steps than allowed."""


class CardClass(NamedTuple):
    """A class of cards: the places it may lie in, its cards, and their suit where suits are counted."""

    places: list[int]
    cards: int
    suit: int


class NumberedFillings:
    """The ways to fill the places of a reading, numbered from 0 to ``total`` − 1; ``steps`` counted them."""

    def __init__(self, scenario: Scenario, work: WorkBudget, max_steps: int = MAX_COUNT_STEPS) -> None:
        """Counts them.

        Raises:
            TooManyFillings: it would take more than ``max_steps``.
            BudgetExceeded: it would take more work than is left.
        """
        work.spend(COUNT_COST)
        self._work = work
        self._suit_minimums = scenario.suit_minimums
        self._watched = _places_with_minimums(scenario.suit_minimums)
        self.steps = 0
        self._max_steps = max_steps
        sizes, parts = list(scenario.place_sizes), _list_classes(scenario)
        self._merged_places = (
            {} if self._watched else _merge_alike_places([part.places for part in parts], sizes)
        )
        self._classes = sorted(parts, key=lambda part: (part.suit, len(part.places)))
        self._known_counts: dict[tuple[int, PlaceCounts, PlaceCounts], int] = {}
        self._start = tuple(sizes)
        self._factor = prod(_count_splits(shares) for shares in self._merged_places.values())
        self.total = self._factor * self._count_from(0, self._start, self._zero_counts)

    @property
    def _zero_counts(self) -> PlaceCounts:
        return (0,) * len(self._watched)

    def unrank(self, rank: int) -> list[int]:
        """By place the cards that lie there, in the filling of that number. Raises `BudgetExceeded`."""
        self._work.spend(COUNT_COST)
        rank, parting = divmod(rank, self._factor)
        lying, room, inside = [0] * len(self._start), self._start, self._zero_counts
        for place, part in enumerate(self._classes):
            inside = self._counts_at_start(place, inside)
            for left, taken, times in self._list_placements(place, room, inside):
                self._work.spend(COUNT_STEP_COST)
                onward = self._count_from(place + 1, left, taken)
                if rank < times * onward:
                    chosen, rank = divmod(rank, onward)
                    counts = [(one, room[one] - left[one]) for one in part.places]
                    for one, cards in _unrank_split(part.cards, counts, chosen):
                        lying[one] |= cards
                    room, inside = left, taken
                    break
                rank -= times * onward
        for first, shares in self._merged_places.items():
            cards, lying[first] = lying[first], 0
            ways = _count_splits(shares)
            parting, chosen = divmod(parting, ways)
            for one, mask in _unrank_split(cards, shares, chosen):
                lying[one] = mask
        return lying

    def _count_from(self, number: int, room: PlaceCounts, inside: PlaceCounts) -> int:
        """How many ways there are to lay out the parts from ``number`` on.

        ``room``: what each place can still take; ``inside``: how many of the suit at hand lie where suits
        are watched.
        """
        if number and self._suit_of(number) != self._classes[number - 1].suit:
            if not self._meets_minimums(inside, self._classes[number - 1].suit, self._suit_of(number)):
                return 0
            inside = self._zero_counts
        if number == len(self._classes):
            return int(not any(room))
        key = (number, room, inside)
        known = self._known_counts.get(key)
        if known is None:
            known = 0
            for left, taken, times in self._list_placements(number, room, inside):
                self.steps += 1
                self._work.spend(COUNT_STEP_COST)
                if self.steps > self._max_steps:
                    raise TooManyFillings
                known += times * self._count_from(number + 1, left, taken)
            self._known_counts[key] = known
        return known

    def _list_placements(
        self, number: int, room: PlaceCounts, inside: PlaceCounts
    ) -> Iterator[tuple[PlaceCounts, PlaceCounts, int]]:
        part = self._classes[number]
        return _list_spreads(room, inside, part.places, part.cards.bit_count(), self._watched)

    def _counts_at_start(self, number: int, inside: PlaceCounts) -> PlaceCounts:
        """What is counted of the suit of a part where it begins."""
        new = number and self._suit_of(number) != self._classes[number - 1].suit
        return self._zero_counts if new else inside

    def _suit_of(self, number: int) -> int:
        return self._classes[number].suit if number < len(self._classes) else len(SUIT_MASKS)

    def _meets_minimums(self, inside: PlaceCounts, suit: int, before: int) -> bool:
        """Whether enough of the suits from ``suit`` up to ``before`` lie where they are needed."""
        return all(
            sum(inside[i] for i, place in enumerate(self._watched) if need.places >> place & 1)
            >= need.minimum
            for need in self._suit_minimums
            if need.cards == SUIT_MASKS[suit]
        ) and not any(
            need.minimum for need in self._suit_minimums if need.cards in SUIT_MASKS[suit + 1 : before]
        )


class CountBudget:
    """Steps that several counts may take together."""

    def __init__(self, max_steps: int, work: WorkBudget) -> None:
        self.left, self._work = max_steps, work

    def number_fillings(self, scenario: Scenario) -> NumberedFillings:
        """The fillings of one reading.

        Raises:
            TooManyFillings: counting them takes more steps than are left, or than one count may take.
            BudgetExceeded: it takes more work than is left.
        """
        found = NumberedFillings(scenario, self._work, min(self.left, MAX_COUNT_STEPS))
        self.left -= found.steps
        return found


def count_fillings(scenario: Scenario, work: WorkBudget, max_steps: int = MAX_COUNT_STEPS) -> int | None:
    """How many fillings a reading has; None where counting them takes too many steps. Raises
    `BudgetExceeded`."""
    try:
        return NumberedFillings(scenario, work, max_steps).total
    except TooManyFillings:
        return None


def _list_classes(reading: Scenario) -> list[CardClass]:
    """The classes of cards, parted by suit where something is known only by suit."""
    found = []
    for mask, cards in group_by_places(reading.allowed_places, range(PACK_SIZE)).items():
        for number, suit in enumerate(SUIT_MASKS) if reading.suit_minimums else ((0, -1),):
            if cards & suit:
                found.append(CardClass(list(cards_in_mask(mask)), cards & suit, number))
    return found


PlaceShares = list[tuple[int, int]]
"""Places, each with how many cards it takes."""


def _merge_alike_places(places: list[list[int]], sizes: list[int]) -> dict[int, PlaceShares]:
    """Makes one of all places that no class tells apart: for each such one the places that it is made of."""
    alike: dict[frozenset[int], PlaceShares] = {}
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


def _places_with_minimums(needs: Sequence[SuitMinimum]) -> tuple[int, ...]:
    mask = 0
    for need in needs:
        mask |= need.places
    return tuple(place for place in range(PLACE_COUNT) if mask >> place & 1)


def _list_spreads(
    room: PlaceCounts, inside: PlaceCounts, places: list[int], count: int, watched: tuple[int, ...]
) -> Iterator[tuple[PlaceCounts, PlaceCounts, int]]:
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
        for after, after_inside, times in _list_spreads(left, taken, others, count - here, watched):
            yield after, after_inside, times * comb(count, here)


def _count_splits(shares: Sequence[tuple[int, int]]) -> int:
    """In how many ways cards can be parted into these places."""
    left, found = sum(size for _, size in shares), 1
    for _, size in shares:
        found *= comb(left, size)
        left -= size
    return found


def _unrank_split(cards: int, shares: Sequence[tuple[int, int]], number: int) -> Iterator[tuple[int, int]]:
    """The cards that each of the places gets, in the way of that number to part them."""
    left = cards_in_mask(cards)
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
