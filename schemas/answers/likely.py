"""Best play over the deals that can have been, as JSON: how often each card leads to which end."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from engine.core.cards import CODES, SEAT_NAMES
from engine.diagnosis.mistakes import Mistake
from engine.solver import LikelyAnswer, LikelyCourse, LikelyPlayed, LikelyPoint, Looked, Outlook, Share
from schemas.answers.audits import mistake_objects
from schemas.answers.states import Told

Json = dict[str, Any]

DIGITS = 4
"""So many places has an average of chips."""


def likely_object(
    course: LikelyCourse,
    here: LikelyAnswer | None,
    told: Told = str,
    mistakes: Iterable[Mistake] = (),
) -> Json:
    """What the cards that were played cost over the deals, and what those that are legal now come to.

    ``here`` is the end of the record; ``point`` is null where no card is to be played there. ``mistakes``
    of the pen may explain the record.
    """
    point = None if here is None else here.point
    missing = dict.fromkeys((*course.missing, *(() if here is None else here.missing)))
    return {
        "looked": None if course.looked is None else _looked(course.looked),
        "missing": [told(one) for one in missing],
        "plays": [_played(one, told) for one in course.plays],
        "point": None if point is None else _point(point),
        "mistakes": mistake_objects(mistakes, told),
    }


def _looked(looked: Looked) -> Json:
    # There can be more than 64 bits count, which no number of JSON should (RFC 7493, 2.2).
    return {**looked._asdict(), "total": str(looked.total)}


def _played(one: LikelyPlayed, told: Told) -> Json:
    return {
        "seq": one.seq,
        "trick": one.trick,
        "seat": SEAT_NAMES[one.seat],
        "card": CODES[one.card],
        "costs": [{"chips": chips, "deals": deals} for chips, deals in one.costs],
        "before": _shares(one.before),
        "after": _shares(one.after),
        "told": told(one.told),
    }


def _point(point: LikelyPoint) -> Json:
    return {
        "trick": point.trick,
        "seat": SEAT_NAMES[point.turn],
        "cards": [
            {"card": CODES[one.card], **_outlook(one)} for one in point.choices if one.card is not None
        ],
        "stop": None if point.stop is None else _outlook(point.stop),
    }


def _outlook(one: Outlook) -> Json:
    return {
        "deals": one.deals,
        "best": one.best,
        "ends": _shares(one.ends),
        "chips": None if one.chips is None else average(one.chips),
    }


def average(chips: Fraction) -> float:
    """An average of chips, rounded."""
    return round(float(chips), DIGITS)


def _shares(shares: tuple[Share, ...]) -> list[Json]:
    return [{"outcome": one.outcome, "slam": one.slam, "deals": one.deals} for one in shares]
