"""Which cards each place can hold, in one scenario or in all of them.

Cards that may lie in the same places form a *class*. A filling of the places is a flow of the classes into
them; what else is possible is read off its residual graph, without trying anything. So the answer is exact: a
card may lie in a place if and only if some filling puts it there.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from engine.core.cards import cards_in_mask
from engine.core.work_budget import WorkBudget
from engine.inference.claims import PLACE_COUNT, PlaceMask
from engine.inference.physical_constraints import Scenario

CardClasses = dict[int, int]
"""For each set of places the cards that may lie in just these."""
CardsByPlace = list[int]
"""For each place the cards that can lie in it."""
FLOW_COST, CARD_CLASS_COST, SPLIT_COST, SHARE_COST = 20, 6, 10, 10
"""What a flow costs, and each class of cards in it; a share that parts a place, and to try one."""


@lru_cache(maxsize=4096)
def _list_places(mask: int) -> tuple[int, ...]:
    """The numbers of the places in a set. Cached: flows ask for the same few sets all the time."""
    return cards_in_mask(mask)


def group_by_places(allowed_places: Sequence[int]) -> CardClasses:
    """The classes of all cards, from the places that each may lie in."""
    classes: CardClasses = {}
    current, cards = 0, 0  # a series of cards next to each other, of the same class
    for card, places in enumerate(allowed_places):
        if places != current and cards:
            classes[current] = classes.get(current, 0) | cards
            cards = 0
        current = places
        cards |= 1 << card
    classes[current] = classes.get(current, 0) | cards
    return classes


def possible_cards(classes: CardClasses, sizes: Sequence[int]) -> CardsByPlace | None:
    """For each place the cards that can really lie in it; None where no filling exists.

    ``sizes``: how many cards lie in each place; together they are as many as the cards.
    """
    flow = _find_flow(classes, sizes)
    return None if flow is None else _residual_cards(classes, flow, len(sizes))


def fill_places(classes: CardClasses, sizes: Sequence[int]) -> CardsByPlace | None:
    """One way to fill the places: for each place its cards; None where there is none."""
    flow = _find_flow(classes, sizes)
    if flow is None:
        return None
    cards_by_place = [0] * len(sizes)
    for places, parts in flow.items():
        cards = classes[places]
        for place, count in parts.items():
            for _ in range(count):
                cards_by_place[place] |= cards & -cards
                cards &= cards - 1
    return cards_by_place


PlacementFlow = dict[int, dict[int, int]]
"""For each class how many of its cards lie in each place."""


def _find_flow(classes: CardClasses, sizes: Sequence[int]) -> PlacementFlow | None:
    """A flow that fills every place, or None."""
    left = list(sizes)
    flow: PlacementFlow = {}
    for places in sorted(classes, key=int.bit_count):
        count = classes[places].bit_count()
        parts = flow[places] = {}
        for place in _list_places(places):
            taken = min(left[place], count)
            if taken > 0:
                parts[place] = taken
                left[place] -= taken
                count -= taken
        for _ in range(count):
            if not _augment(flow, places, left):
                return None
    return None if any(left) else flow


def _augment(flow: PlacementFlow, places: int, left: list[int]) -> bool:
    """Move cards on along a path that ends in a place with room, and put one more of ``places`` there."""
    came_from: dict[int, tuple[int, int]] = {}
    reached = frontier = places
    goal = -1
    while frontier:
        low = frontier & -frontier
        frontier ^= low
        place = low.bit_length() - 1
        if left[place] > 0:
            goal = place
            break
        for other, parts in flow.items():
            if parts.get(place) and (fresh := other & ~reached):
                reached |= fresh
                frontier |= fresh
                came_from.update(dict.fromkeys(_list_places(fresh), (place, other)))
    if goal < 0:
        return False
    left[goal] -= 1
    while goal in came_from:
        before, other = came_from[goal]
        flow[other][goal] = flow[other].get(goal, 0) + 1
        flow[other][before] -= 1
        goal = before
    flow[places][goal] = flow[places].get(goal, 0) + 1
    return True


def _residual_cards(classes: CardClasses, flow: PlacementFlow, count: int) -> CardsByPlace:
    """By place the cards that lie there in ``flow``, or that a round of exchanges can bring there."""
    reachable = [0] * count
    filled_places: dict[int, int] = {}
    for places, parts in flow.items():
        filled = 0
        for place, cards in parts.items():
            if cards:
                filled |= 1 << place
                reachable[place] |= places
        filled_places[places] = filled
    for through in range(count):
        further = reachable[through]
        for place in range(count):
            reached = reachable[place]
            if reached >> through & 1 and further & ~reached:
                reachable[place] = reached | further
    cards_by_place = [0] * count
    for places, filled in filled_places.items():
        cards = classes[places]
        for place in _list_places(places):
            if filled >> place & 1 or reachable[place] & filled:
                cards_by_place[place] |= cards
    return cards_by_place


def possible_cards_by_place(scenario: Scenario, work: WorkBudget) -> CardsByPlace | None:
    """The cards that each place can hold; None where no deal fits the scenario. Raises `BudgetExceeded`."""
    if not scenario.suit_minimums:
        return _solve_flow(group_by_places(scenario.allowed_places), scenario.place_sizes, work)
    parted = (
        (_solve_flow(group_by_places(allowed), sizes, work), base)
        for allowed, sizes, base in _split_places(scenario, work)
    )
    return merge_cards_by_place(_join_parts(parts, base) for parts, base in parted if parts is not None)


def fill_scenario(scenario: Scenario, work: WorkBudget) -> CardsByPlace | None:
    """One way to fill the places of a scenario; None where there is none. Raises `BudgetExceeded`."""
    work.spend(FLOW_COST)
    if not scenario.suit_minimums:
        return fill_places(group_by_places(scenario.allowed_places), scenario.place_sizes)
    for allowed, sizes, base in _split_places(scenario, work):
        filling = fill_places(group_by_places(allowed), sizes)
        if filling is not None:
            return _join_parts(filling, base)
    return None


def merge_cards_by_place(placements: Iterable[CardsByPlace | None]) -> CardsByPlace | None:
    """The cards that any of these answers allows in each place; None where all are None."""
    merged: CardsByPlace | None = None
    for one in placements:
        if one is not None:
            merged = one if merged is None else [a | b for a, b in zip(merged, one, strict=True)]
    return merged


def _join_parts(parts: CardsByPlace, base: Sequence[int]) -> CardsByPlace:
    """The cards of parted places by the whole places that they belong to."""
    joined = [0] * PLACE_COUNT
    for place, cards in zip(base, parts, strict=True):
        joined[place] |= cards
    return joined


def _solve_flow(classes: CardClasses, sizes: Sequence[int], work: WorkBudget) -> CardsByPlace | None:
    work.spend(FLOW_COST + CARD_CLASS_COST * len(classes))
    if 0 in classes or any(size < 0 for size in sizes):
        return None
    return possible_cards(classes, sizes)


def _split_places(
    scenario: Scenario, work: WorkBudget
) -> Iterator[tuple[list[PlaceMask], list[int], list[int]]]:
    """Every way to share out cards known only by suit among the places where they lie.

    Each way parts a place in two: one for as many cards of the suit as are needed there, one for the rest.
    Yields the allowed places, the sizes, and the place that each part belongs to.
    """
    for shares in _list_suit_shares(scenario, 0, {}, work):
        work.spend(SPLIT_COST * len(shares))
        allowed, sizes = list(scenario.allowed_places), list(scenario.place_sizes)
        base = list(range(PLACE_COUNT))
        for (place, cards), count in shares.items():
            sizes[place] -= count
            part = 1 << len(sizes)
            sizes.append(count)
            base.append(place)
            for card in cards_in_mask(cards):
                if scenario.allowed_places[card] >> place & 1:
                    allowed[card] |= part
        yield allowed, sizes, base


SuitShares = dict[tuple[int, int], int]
"""By place and suit the least number of cards of the suit that lie in the place."""


def _list_suit_shares(
    scenario: Scenario, number: int, shares: SuitShares, work: WorkBudget
) -> Iterator[SuitShares]:
    """Every way to share out the minimums from ``number`` on, where no place gets more than it can hold."""
    if number == len(scenario.suit_minimums):
        yield shares
        return
    need = scenario.suit_minimums[number]
    for share in _list_shares(cards_in_mask(need.places), need.minimum, scenario.place_sizes):
        work.spend(SHARE_COST)
        minimums = dict(shares)
        for place, count in share.items():
            minimums[place, need.cards] = max(minimums.get((place, need.cards), 0), count)
        if all(
            sum(count for (other_place, _), count in minimums.items() if other_place == place)
            <= scenario.place_sizes[place]
            for place in share
        ):
            yield from _list_suit_shares(scenario, number + 1, minimums, work)


def _list_shares(places: Sequence[int], count: int, sizes: Sequence[int]) -> Iterator[dict[int, int]]:
    """Every way to share ``count`` cards out among these places."""
    if not places:
        if not count:
            yield {}
        return
    place, *others = places
    room = sum(sizes[other] for other in others)
    for share_here in range(max(0, count - room), min(sizes[place], count) + 1):
        for share in _list_shares(others, count - share_here, sizes):
            yield {place: share_here, **share}
