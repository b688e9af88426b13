"""How many ways there are to fill the places: an exact count, or None where it would take too long.

Classes of cards are laid out one after another; what is kept between them is only how much room each place
has left. Places that no class tells apart are filled as one, and parted afterwards.
"""

from collections.abc import Iterator, Sequence
from math import comb

from engine.cards import SUIT_MASK
from engine.hidden.flow import classes_of
from engine.hidden.matter import PACK_SIZE, Need, Reading
from engine.hidden.places import COUNT

MOST_STEPS = 200_000
"""So many ways to lay out a class are gone through at most."""


class TooMany(Exception):
    """The count would take more steps than allowed."""


def ways(reading: Reading, most_steps: int = MOST_STEPS) -> int | None:
    """How many fillings a reading has; None where counting them takes too many steps."""
    needed = 0
    for need in reading.needs:
        needed |= need.places
    sizes = list(reading.sizes)
    classes = _split_by_suit(classes_of(reading.allowed, range(PACK_SIZE)), bool(reading.needs))
    places = [[place for place in range(COUNT) if mask >> place & 1] for mask, _, _ in classes]
    factor = 1
    if not needed:
        factor = _merged(places, sizes)
    try:
        return factor * _laid_out(classes, places, sizes, reading.needs, most_steps)
    except TooMany:
        return None


Part = tuple[int, int, int]
"""A class: its places, its cards, its suit."""


def _split_by_suit(classes: dict[int, int], by_suit: bool) -> list[Part]:
    if not by_suit:
        return [(places, cards, 0) for places, cards in classes.items()]
    return [
        (places, cards & suit, number)
        for number, suit in enumerate(SUIT_MASK)
        for places, cards in classes.items()
        if cards & suit
    ]


def _merged(places: list[list[int]], sizes: list[int]) -> int:
    """Makes one of all places that no class tells apart; the number of ways to part them again."""
    factor = 1
    first_like: dict[frozenset[int], int] = {}
    for place in range(len(sizes)):
        like = frozenset(number for number, open_to in enumerate(places) if place in open_to)
        first = first_like.setdefault(like, place)
        if first != place:
            factor *= comb(sizes[first] + sizes[place], sizes[place])
            sizes[first] += sizes[place]
            sizes[place] = 0
            for open_to in places:
                if place in open_to:
                    open_to.remove(place)
    return factor


def _laid_out(
    classes: list[Part], places: list[list[int]], sizes: list[int], needs: Sequence[Need], most_steps: int
) -> int:
    """The number of ways, class after class; within a suit also how many of it lie where it is needed."""
    order = sorted(range(len(classes)), key=lambda n: (classes[n][2], len(places[n])))
    watched = _watched(needs)
    none = (0,) * len(watched)
    states: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {(tuple(sizes), none): 1}
    steps, suit = 0, 0
    for number in order:
        _, cards, its_suit = classes[number]
        if its_suit != suit:
            states = _needs_met(states, needs, watched, suit, its_suit)
            suit = its_suit
        after: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        for (room, inside), count in states.items():
            for left, taken, times in _spread(room, inside, places[number], cards.bit_count(), watched):
                steps += 1
                if steps > most_steps:
                    raise TooMany
                after[left, taken] = after.get((left, taken), 0) + count * times
        states = after
    states = _needs_met(states, needs, watched, suit, len(SUIT_MASK))
    return sum(count for (room, _), count in states.items() if not any(room))


def _watched(needs: Sequence[Need]) -> tuple[int, ...]:
    mask = 0
    for need in needs:
        mask |= need.places
    return tuple(place for place in range(COUNT) if mask >> place & 1)


State = tuple[tuple[int, ...], tuple[int, ...]]
"""The room left in each place, and how many of the suit lie in each place that is watched."""


def _needs_met(
    states: dict[State, int], needs: Sequence[Need], watched: tuple[int, ...], suit: int, before: int
) -> dict[State, int]:
    """The states in which enough of the suits from ``suit`` up to ``before`` lie where they are needed."""
    after: dict[State, int] = {}
    for (room, inside), count in states.items():
        if all(
            sum(inside[i] for i, place in enumerate(watched) if need.places >> place & 1) >= need.least
            for need in needs
            if need.cards == SUIT_MASK[suit]
        ) and not any(need.least for need in needs if need.cards in SUIT_MASK[suit + 1 : before]):
            key = (room, (0,) * len(watched))
            after[key] = after.get(key, 0) + count
    return after


def _spread(
    room: tuple[int, ...], inside: tuple[int, ...], places: list[int], count: int, watched: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int]]:
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
