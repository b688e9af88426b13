"""A record as a case to be decided, and a level of evidence as the answer (DESIGN 5)."""

from collections.abc import Mapping
from typing import NamedTuple

from engine.core.cards import Card, mask_of
from engine.core.work_budget import Work
from engine.inference.claims import Claims
from engine.inference.matter import Played, Reading, laid_cards, readings
from engine.inference.places import COUNT
from engine.inference.plays import Slot, slots_of


class Level(NamedTuple):
    """What is possible on one level of evidence.

    ``agrees``: whether some complete deal agrees with the record, None where that was not found out;
    ``decided``: whether everything here is exact, or else all that is possible stands in it and perhaps more.
    ``places``: the cards that can lie in each place (`engine.inference.places`); ``plays``: by slot what each
    hidden play can be; ``now``: by seat the cards that can be in the hand at this point.
    """

    agrees: bool | None
    decided: bool
    places: tuple[int, ...]
    plays: Mapping[Slot, int]
    now: tuple[int, ...]


NOTHING = Level(False, True, (0,) * COUNT, {}, (0, 0, 0))
"""No complete deal agrees."""


class Case(NamedTuple):
    """The claims with what is read off them once: the known plays, the hidden ones, the readings.

    ``work`` is what may be done to decide it; whoever looks into the case spends from that. ``whole``:
    whether all readings stand in it.
    """

    claims: Claims
    played: dict[Card, Played]
    slots: tuple[Slot, ...]
    readings: tuple[Reading, ...]
    work: Work
    whole: bool = True

    @property
    def seen_through(self) -> bool:
        """Whether every card that left a hand in the play was seen, or has a slot."""
        unseen = any(one.beyond and not mask_of(one.cards) for one in self.claims.told)
        return self.claims.course_known and not unseen


def case_of(claims: Claims, work: Work | None = None) -> Case:
    """The case that the claims make, to be decided with that ``work``, else with as much as it takes.

    Raises:
        Spent: it has more readings than there is work for.
    """
    work = Work() if work is None else work
    return Case(claims, laid_cards(claims), slots_of(claims), tuple(readings(claims, work)), work)


def unread(claims: Claims, work: Work) -> Case:
    """The case of claims that have more readings than there is work for: it has none of them."""
    return Case(claims, laid_cards(claims), slots_of(claims), (), work, whole=False)
