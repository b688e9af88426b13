"""Deals drawn where they cannot be counted: more are tried by chance than are wanted, and weighed.

Hidden plays are filled one after another, each with any card that is possible beside those before it. Such a
deal is the likelier the fewer cards there were to choose from; its *weight* is the inverse of how likely it
was (Knuth 1975). Of all that were tried those wanted are drawn by their weights, so that in the end each
deal is nearly as likely as any other, the more nearly the more were tried. The mean weight tells about how
many deals there are.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine.core.cards import Card, cards_in
from engine.core.work_budget import Spent
from engine.inference.cases import Case
from engine.inference.chance import Chance
from engine.inference.counting import MOST_TOGETHER, Allowance, TooMany
from engine.inference.plays import Course, Filled, Rules, Slot
from engine.inference.searching import Budget, whole_readings

TRIES: Final = 10
"""So many times as many deals are tried as are wanted, if the steps suffice."""
LEAST_WORTH: Final = 20
"""Weighed draws that are worth fewer deals than this, drawn evenly, say nothing."""


class Weighed(NamedTuple):
    """A deal that was tried: where its cards lie, what its hidden plays are, and its weight."""

    lying: list[int]
    filled: Filled
    weight: int


def weighed(
    case: Case, rules: Rules, seed: int, wanted: int, steps: int
) -> tuple[tuple[Weighed, ...], int] | None:
    """So many deals drawn by their weights, some perhaps more than once, and about how many there are.

    None where not enough could be tried in so many ``steps``.
    """
    chance, tried, tries = Chance(seed), list[Weighed](), 0
    budget, allowance = Budget(steps), Allowance(MOST_TOGETHER, case.work)
    try:
        courses = [Course(case.claims, reading, case.slots, rules, case.work) for reading in case.readings]
        # A reading is tried the oftener the more ways there are for its cards to lie.
        shares = [allowance.fillings(course.reading).total for course in courses]
        while tries < TRIES * wanted and any(shares):
            number = _chosen(shares, chance.below(sum(shares)))
            one = _tried(courses[number], chance, budget, allowance)
            tries += 1
            if one is not None:
                tried.append(one._replace(weight=one.weight * sum(shares) // shares[number]))
    except (Spent, TooMany):
        pass
    weights = [one.weight for one in tried]
    if not tried or sum(weights) ** 2 < LEAST_WORTH * sum(weight * weight for weight in weights):
        return None
    return tuple(tried[number] for number in _by_weight(weights, chance, wanted)), sum(weights) // tries


def _tried(course: Course, chance: Chance, budget: Budget, allowance: Allowance) -> Weighed | None:
    """A deal tried by chance; None where the cards chosen leave none.

    Raises:
        Spent, TooMany: it takes more than is left.
    """
    filled: dict[Slot, Card] = {}
    weight = 1
    while len(filled) < len(course.slots):
        budget.step()
        room = course.room(filled)
        if room is None:
            return None
        slot = min(room.slots, key=lambda one: room.slots[one].bit_count())
        cards = cards_in(room.slots[slot])
        if not cards:
            return None
        filled[slot] = cards[chance.below(len(cards))]
        weight *= len(cards)
    lying = [allowance.fillings(reading) for reading in whole_readings(course, filled)]
    totals = [each.total for each in lying]
    if course.room(filled) is None or not sum(totals):
        return None
    number = chance.below(sum(totals))
    place = _chosen(totals, number)
    return Weighed(lying[place].at(number - sum(totals[:place])), filled, weight * sum(totals))


def _chosen(shares: Sequence[int], number: int) -> int:
    """In which of the shares, laid one after another, a number falls."""
    for place, share in enumerate(shares):
        if number < share:
            return place
        number -= share
    raise IndexError(number)


def _by_weight(weights: Sequence[int], chance: Chance, wanted: int) -> Iterator[int]:
    """So many of them, each as often as its weight has it, by points at even distances."""
    whole = sum(weights)
    begin, place, passed = chance.below(whole), 0, weights[0]
    for number in range(wanted):
        point = (begin + number * whole) // wanted
        while point >= passed:
            place += 1
            passed += weights[place]
        yield place
