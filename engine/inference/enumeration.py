"""Count the ways to fill the places of a scenario, and find a way by its number.

Classes of cards are laid out one after another. All that matters of earlier classes is how much room each
place has left, so counts from there are remembered. Places that no class tells apart are filled as one, and
divided afterwards.
"""

from collections.abc import Iterator, Sequence
from math import comb, prod
from typing import Final, NamedTuple

from engine.core.cards import SUIT_MASKS, cards_in_mask
from engine.core.work_budget import WorkBudget
from engine.inference.claims import PLACE_COUNT
from engine.inference.physical_constraints import Scenario, SuitMinimum
from engine.inference.placement import group_by_places

COUNT_COST, COUNT_STEP_COST = 100, 7
"""Work of a count, and of each of its steps."""
MAX_COUNT_STEPS: Final = 200_000
"""Limit on the ways to lay out a class that one count tries."""
MAX_TOTAL_COUNT_STEPS: Final = 400_000
"""The same for several counts, as the same is counted again and again with other hidden plays."""
PlaceCounts = tuple[int, ...]
"""How many cards each place can still take; or how many of a suit lie in each place that is watched."""
PlaceShares = list[tuple[int, int]]
"""Places, each with how many cards it takes."""


class CardClass(NamedTuple):
    """A class of cards: the places it may lie in, its cards, and their suit where suits are counted."""

    places: list[int]
    cards: int
    suit: int


class NumberedFillings:
    """The ways to fill the places of a scenario, numbered from 0 to ``total`` − 1."""

    def __init__(self, scenario: Scenario, work: WorkBudget, steps: WorkBudget | None = None) -> None:
        """Count them in at most ``steps`` (`MAX_COUNT_STEPS`). Raises `BudgetExceeded`."""
        work.spend(COUNT_COST)
        self._work = work
        self._steps = WorkBudget(MAX_COUNT_STEPS) if steps is None else steps
        self._suit_minimums = scenario.suit_minimums
        self._watched = _places_with_minimums(scenario.suit_minimums)
        self._zero_counts = (0,) * len(self._watched)
        sizes, classes = list(scenario.place_sizes), _list_classes(scenario)
        self._merged_places = (
            {} if self._watched else _merge_alike_places([card_class.places for card_class in classes], sizes)
        )
        self._classes = sorted(classes, key=lambda card_class: (card_class.suit, len(card_class.places)))
        self._known_counts: dict[tuple[int, PlaceCounts, PlaceCounts], int] = {}
        self._start = tuple(sizes)
        self._factor = prod(_count_splits(shares) for shares in self._merged_places.values())
        self.total = self._factor * self._count_from(0, self._start, self._zero_counts)

    def unrank(self, rank: int) -> list[int]:
        """By place the cards that lie there in the filling with this number. Raises `BudgetExceeded`."""
        self._work.spend(COUNT_COST)
        rank, split_rank = divmod(rank, self._factor)
        cards_by_place, room, suit_counts = [0] * len(self._start), self._start, self._zero_counts
        for number, card_class in enumerate(self._classes):
            for left, taken, choices in self._list_placements(number, room, suit_counts):
                self._work.spend(COUNT_STEP_COST)
                rest_count = self._count_from(number + 1, left, taken)
                if rank < choices * rest_count:
                    choice, rank = divmod(rank, rest_count)
                    counts = [(one, room[one] - left[one]) for one in card_class.places]
                    for one, cards in _unrank_split(card_class.cards, counts, choice):
                        cards_by_place[one] |= cards
                    room, suit_counts = left, taken
                    break
                rank -= choices * rest_count
        for first, shares in self._merged_places.items():
            cards, cards_by_place[first] = cards_by_place[first], 0
            ways = _count_splits(shares)
            split_rank, choice = divmod(split_rank, ways)
            for one, mask in _unrank_split(cards, shares, choice):
                cards_by_place[one] = mask
        return cards_by_place

    def _count_from(self, number: int, room: PlaceCounts, suit_counts: PlaceCounts) -> int:
        """Count the ways to lay out the classes from ``number`` on.

        ``room``: what each place can still take; ``suit_counts``: how many cards of the current suit lie in
        each watched place.
        """
        if number == len(self._classes):
            return int(not any(room))
        key = (number, room, suit_counts)
        known = self._known_counts.get(key)
        if known is None:
            known = 0
            for left, taken, choices in self._list_placements(number, room, suit_counts):
                self._steps.spend(1)
                self._work.spend(COUNT_STEP_COST)
                known += choices * self._count_from(number + 1, left, taken)
            self._known_counts[key] = known
        return known

    def _list_placements(
        self, number: int, room: PlaceCounts, suit_counts: PlaceCounts
    ) -> Iterator[tuple[PlaceCounts, PlaceCounts, int]]:
        """Every way to lay out a class: the room and the suit counts after it, and the choices of cards."""
        card_class, later = self._classes[number], self._classes[number + 1 :]
        is_suit_complete = not later or later[0].suit != card_class.suit
        for left, taken, choices in _list_spreads(
            room, suit_counts, card_class.places, card_class.cards.bit_count(), self._watched
        ):
            if not is_suit_complete:
                yield left, taken, choices
            elif self._meets_minimums(taken, card_class.suit):
                yield left, self._zero_counts, choices

    def _meets_minimums(self, suit_counts: PlaceCounts, suit: int) -> bool:
        """Whether enough cards of a suit lie where they are needed."""
        return all(
            sum(suit_counts[i] for i, place in enumerate(self._watched) if need.places >> place & 1)
            >= need.minimum
            for need in self._suit_minimums
            if need.cards == SUIT_MASKS[suit]
        )


def _list_classes(scenario: Scenario) -> list[CardClass]:
    """The classes of cards, divided by suit if some cards are known only by suit."""
    classes = []
    for mask, cards in group_by_places(scenario.allowed_places).items():
        for number, suit in enumerate(SUIT_MASKS) if scenario.suit_minimums else ((0, -1),):
            if cards & suit:
                classes.append(CardClass(list(cards_in_mask(mask)), cards & suit, number))
    return classes


def _merge_alike_places(places: list[list[int]], sizes: list[int]) -> dict[int, PlaceShares]:
    """Merge places that no class tells apart into one, in ``places`` and ``sizes``.

    Returns by merged place the places that it is made of.
    """
    alike: dict[frozenset[int], PlaceShares] = {}
    for place, size in enumerate(sizes):
        class_numbers = frozenset(
            number for number, class_places in enumerate(places) if place in class_places
        )
        alike.setdefault(class_numbers, []).append((place, size))
    for shares in alike.values():
        (first, _), *others = shares
        for place, size in others:
            sizes[first] += size
            sizes[place] = 0
            for class_places in places:
                if place in class_places:
                    class_places.remove(place)
    return {shares[0][0]: shares for shares in alike.values() if len(shares) > 1}


def _places_with_minimums(needs: Sequence[SuitMinimum]) -> tuple[int, ...]:
    return tuple(place for place in range(PLACE_COUNT) if any(need.places >> place & 1 for need in needs))


def _list_spreads(
    room: PlaceCounts, suit_counts: PlaceCounts, places: list[int], count: int, watched: tuple[int, ...]
) -> Iterator[tuple[PlaceCounts, PlaceCounts, int]]:
    """Every way to lay ``count`` cards of a class into its places, with the choices of cards."""
    if not places:
        if not count:
            yield room, suit_counts, 1
        return
    place, others = places[0], places[1:]
    minimum = max(0, count - sum(room[other] for other in others))
    for taken_here in range(minimum, min(room[place], count) + 1):
        left = _add_at(room, place, -taken_here)
        taken = suit_counts
        if place in watched:
            taken = _add_at(suit_counts, watched.index(place), taken_here)
        for after, taken_after, choices in _list_spreads(left, taken, others, count - taken_here, watched):
            yield after, taken_after, choices * comb(count, taken_here)


def _add_at(counts: PlaceCounts, index: int, added: int) -> PlaceCounts:
    return (*counts[:index], counts[index] + added, *counts[index + 1 :])


def _count_splits(shares: Sequence[tuple[int, int]]) -> int:
    """In how many ways cards can be divided among these places."""
    left, count = sum(size for _, size in shares), 1
    for _, size in shares:
        count *= comb(left, size)
        left -= size
    return count


def _unrank_split(cards: int, shares: Sequence[tuple[int, int]], number: int) -> Iterator[tuple[int, int]]:
    """The cards that each of the places gets, in the division with this number."""
    left = cards_in_mask(cards)
    for place, size in shares:
        number, choice = divmod(number, comb(len(left), size))
        mask, rest = 0, []
        for position, card in enumerate(left):
            # The ways that have this card among those still to be chosen.
            ways_with_card = comb(len(left) - position - 1, size - 1) if size else 0
            if choice < ways_with_card:
                mask |= 1 << card
                size -= 1
            else:
                choice -= ways_with_card
                rest.append(card)
        left = tuple(rest)
        yield place, mask
