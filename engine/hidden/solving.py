"""Which cards each place can hold, in one reading or in all of them."""

from collections.abc import Iterator, Sequence
from itertools import product

from engine.cards import cards_in
from engine.hidden.flow import Classes, classes_of, filling, possible
from engine.hidden.matter import PACK_SIZE, Need, Reading
from engine.hidden.places import COUNT, Places

Lying = list[int]
"""For each place the cards that can lie in it."""


def lying(reading: Reading) -> Lying | None:
    """The cards that each place can hold; None where no deal fits the reading."""
    if not reading.needs:
        return _gathered(classes_of(reading.allowed, range(PACK_SIZE)), reading.sizes)
    found: Lying | None = None
    for allowed, sizes, base in _parted(reading):
        here = _gathered(classes_of(allowed, range(PACK_SIZE)), sizes)
        if here is None:
            continue
        found = found or [0] * COUNT
        for place, cards in enumerate(here):
            found[base[place]] |= cards
    return found


def filled(reading: Reading) -> dict[int, int] | None:
    """One way to fill the places of a reading: for each its cards; None where there is none."""
    if not reading.needs:
        return filling(classes_of(reading.allowed, range(PACK_SIZE)), reading.sizes)
    for allowed, sizes, base in _parted(reading):
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


def _gathered(classes: Classes, sizes: Sequence[int]) -> Lying | None:
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


def _parted(reading: Reading) -> Iterator[tuple[list[Places], list[int], list[int]]]:
    """The ways in which cards known only by suit can be shared out among the places where they lie.

    Each way parts a place in two: one for cards of the suit, as many as are needed there, one for the rest.
    Yields what is allowed, the sizes, and the place that each part belongs to.
    """
    for shares in product(*(list(_shares(need, reading.sizes)) for need in reading.needs)):
        least: dict[tuple[int, int], int] = {}
        for need, share in zip(reading.needs, shares, strict=True):
            for place, count in share.items():
                key = (place, need.cards)
                least[key] = max(least.get(key, 0), count)
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


def _shares(need: Need, sizes: Sequence[int]) -> Iterator[dict[int, int]]:
    """Every way to share a need out among its places."""
    places = [int(place) for place in cards_in(need.places)]
    for counts in product(*(range(min(sizes[place], need.least) + 1) for place in places)):
        if sum(counts) == need.least:
            yield dict(zip(places, counts, strict=True))
