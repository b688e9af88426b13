"""Where cards can lie: a flow of classes of cards into places that must be exactly filled.

Cards that may lie in the same places form a *class*. A filling is a flow; once there is one, what else is
possible is read off what is left of it (its residual graph), without trying anything. So the answer is exact:
a card may lie in a place if and only if some filling puts it there.

Places are numbered from 0; a set of places is a bit mask, as a set of cards is.
"""

from collections.abc import Sequence

CardClasses = dict[int, int]
"""For each set of places the cards that may lie in just these."""


def group_by_places(allowed_places: Sequence[int]) -> CardClasses:
    """The classes of all cards, from the places that each may lie in."""
    classes: CardClasses = {}
    for card, places in enumerate(allowed_places):
        classes[places] = classes.get(places, 0) | 1 << card
    return classes


def possible_places(classes: CardClasses, sizes: Sequence[int]) -> CardClasses | None:
    """For each class the places its cards can really lie in; None where no filling exists.

    ``sizes``: how many cards lie in each place; together they are as many as the cards.
    """
    flow = _find_flow(classes, sizes)
    return None if flow is None else _residual_places(classes, flow, len(sizes))


def fill_places(classes: CardClasses, sizes: Sequence[int]) -> list[int] | None:
    """One way to fill the places: for each place its cards; None where there is none."""
    flow = _find_flow(classes, sizes)
    if flow is None:
        return None
    cards_by_place = [0] * len(sizes)
    for places, parts in flow.items():
        cards = classes[places]
        for place, count in parts.items():
            for _ in range(count):
                lowest = cards & -cards
                cards_by_place[place] |= lowest
                cards ^= lowest
    return cards_by_place


PlacementFlow = dict[int, dict[int, int]]
"""For each class how many of its cards lie in each place."""


def _find_flow(classes: CardClasses, sizes: Sequence[int]) -> PlacementFlow | None:
    """A flow that fills every place, or None."""
    left = list(sizes)
    flow: PlacementFlow = {}
    for places in sorted(classes, key=int.bit_count):
        count = classes[places].bit_count()
        parts: dict[int, int] = {}
        flow[places] = parts
        rest = places
        while rest and count:
            low = rest & -rest
            rest ^= low
            place = low.bit_length() - 1
            taken = min(left[place], count)
            if taken > 0:
                parts[place] = taken
                left[place] -= taken
                count -= taken
        while count:
            if not _augment(flow, places, left):
                return None
            count -= 1
    return None if any(left) else flow


def _augment(flow: PlacementFlow, places: int, left: list[int]) -> bool:
    """Moves cards on along a path that ends in a place with room, and puts one more of ``places`` there."""
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
            fresh = other & ~reached if parts.get(place) else 0
            reached |= fresh
            frontier |= fresh
            while fresh:
                bit = fresh & -fresh
                fresh ^= bit
                came_from[bit.bit_length() - 1] = (place, other)
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


def _residual_places(classes: CardClasses, flow: PlacementFlow, count: int) -> CardClasses:
    """The places each class can lie in: where it lies, or where a round of exchanges can bring it."""
    reachable = [0] * count
    filled_places: dict[int, int] = {}
    for places, parts in flow.items():
        mask = 0
        for place, cards in parts.items():
            if cards:
                mask |= 1 << place
                reachable[place] |= places
        filled_places[places] = mask
    for through in range(count):
        bit, next_reachable = 1 << through, reachable[through]
        if next_reachable:
            for place in range(count):
                if reachable[place] & bit:
                    reachable[place] |= next_reachable
    possible: CardClasses = {}
    for places, mask in filled_places.items():
        found = mask
        if mask != places:
            candidates = places & ~mask
            while candidates:
                bit = candidates & -candidates
                candidates ^= bit
                if reachable[bit.bit_length() - 1] & mask:
                    found |= bit
        possible[places] = found
    return possible
