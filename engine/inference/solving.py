"""Which cards each place can hold, in one reading or in all of them."""

from collections.abc import Iterator, Sequence

from engine.core.cards import cards_in
from engine.core.work_budget import Work
from engine.inference.flow import Classes, classes_of, filling, possible
from engine.inference.matter import PACK_SIZE, Reading
from engine.inference.places import COUNT, Places

FLOW, FLOW_OF_A_CLASS, PARTING, SHARING = 20, 6, 10, 10
"""What a flow costs, and each class of cards in it; a share that parts a place, and to try one."""

Lying = list[int]
"""For each place the cards that can lie in it."""


def lying(reading: Reading, work: Work) -> Lying | None:
    """The cards that each place can hold; None where no deal fits the reading.

    Raises:
        Spent: there was not enough work left to find out.
    """
    if not reading.needs:
        return _gathered(classes_of(reading.allowed, range(PACK_SIZE)), reading.sizes, work)
    found: Lying | None = None
    for allowed, sizes, base in _parted(reading, work):
        here = _gathered(classes_of(allowed, range(PACK_SIZE)), sizes, work)
        if here is None:
            continue
        found = found or [0] * COUNT
        for place, cards in enumerate(here):
            found[base[place]] |= cards
    return found


def filled(reading: Reading, work: Work) -> dict[int, int] | None:
    """One way to fill the places of a reading: for each its cards; None where there is none.

    Raises:
        Spent: there was not enough work left to find out.
    """
    work.spend(FLOW)
    if not reading.needs:
        return filling(classes_of(reading.allowed, range(PACK_SIZE)), reading.sizes)
    for allowed, sizes, base in _parted(reading, work):
        here = filling(classes_of(allowed, range(PACK_SIZE)), sizes)
        if here is not None:
            whole = dict.fromkeys(range(COUNT), 0)
            for place, cards in here.items():
                whole[base[place]] |= cards
            return whole
    return None


def joined(into: Lying | None, more: Lying | None) -> Lying | None:
    """What either of two answers holds possible."""
    if into is None or more is None:
        return into if more is None else more
    return [one | other for one, other in zip(into, more, strict=True)]


def _gathered(classes: Classes, sizes: Sequence[int], work: Work) -> Lying | None:
    work.spend(FLOW + FLOW_OF_A_CLASS * len(classes))
    if 0 in classes or any(size < 0 for size in sizes):
        return None
    open_to = possible(classes, sizes)
    if open_to is None:
        return None
    answer = [0] * len(sizes)
    for places, cards in classes.items():
        for place in cards_in(open_to[places]):
            answer[place] |= cards
    return answer


def _parted(reading: Reading, work: Work) -> Iterator[tuple[list[Places], list[int], list[int]]]:
    """The ways in which cards known only by suit can be shared out among the places where they lie.

    Each way parts a place in two: one for cards of the suit, as many as are needed there, one for the rest.
    Yields what is allowed, the sizes, and the place that each part belongs to.
    """
    for least in _shared(reading, 0, {}, work):
        work.spend(PARTING * len(least))
        allowed, sizes, base = list(reading.allowed), list(reading.sizes), list(range(COUNT))
        for (place, cards), count in least.items():
            sizes[place] -= count
            part = 1 << len(sizes)
            sizes.append(count)
            base.append(place)
            for card in cards_in(cards):
                if reading.allowed[card] >> place & 1:
                    allowed[card] |= part
        yield allowed, sizes, base


Least = dict[tuple[int, int], int]
"""By place and suit how many cards of the suit lie in the place at least."""


def _shared(reading: Reading, number: int, least: Least, work: Work) -> Iterator[Least]:
    """Every way to share out the needs from ``number`` on, where no place gets more than it can hold."""
    if number == len(reading.needs):
        yield least
        return
    need = reading.needs[number]
    for share in _shares(cards_in(need.places), need.least, reading.sizes):
        work.spend(SHARING)
        both = dict(least)
        for place, count in share.items():
            both[place, need.cards] = max(both.get((place, need.cards), 0), count)
        if all(
            sum(count for (at, _), count in both.items() if at == place) <= reading.sizes[place]
            for place in share
        ):
            yield from _shared(reading, number + 1, both, work)


def _shares(places: Sequence[int], count: int, sizes: Sequence[int]) -> Iterator[dict[int, int]]:
    """Every way to share so many cards out among these places."""
    if not places:
        if not count:
            yield {}
        return
    place, *others = places
    room = sum(sizes[other] for other in others)
    for here in range(max(0, count - room), min(sizes[place], count) + 1):
        for share in _shares(others, count - here, sizes):
            yield {place: here, **share}
