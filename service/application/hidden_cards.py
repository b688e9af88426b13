"""What is told of unseen cards at a point: what they can be, and what would have happened then.

It is told of the record as it is; where a mistake of the pen may explain that, the mistake stands beside it.

All of it is worked out of the point, whose log was cut already for whoever asks.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

import orjson

from engine import Log
from engine.core.vocabulary import MOST
from engine.core.work_budget import SECOND, Work
from engine.inference.unseen import countable, unseen
from engine.solver import LikelyCourse, likely_course, likely_play
from engine.solver.likely import NOT_COUNTED
from schemas.answers.likely import likely_object
from schemas.answers.states import Told
from schemas.answers.unseen import evidence_object
from schemas.wire.writer import event_fields
from service.records.points import Point

Json = dict[str, Any]

STEPS: Final = 1_000
"""So many steps deals are drawn in where plays are hidden: more than it takes where they can be counted."""
WORK: Final = 9 * SECOND // 10
"""Work to find what best play comes to, whatever the record is like (`engine.core.work_budget`)."""
UNCOUNTED: Final = LikelyCourse((), None, (NOT_COUNTED,))
"""What is told where the deals cannot be counted in time."""


def evidence_told(point: Point, told: Told, query: Mapping[str, Any]) -> Json:
    """What the hidden cards can be."""
    entries = point.entries
    made = unseen(entries, point.state)
    return evidence_object(made, entries, told, query["of"], query["witness"], point.mistakes)


def likely_told(point: Point, told: Told, query: Mapping[str, Any]) -> Json:
    """What best play comes to over lawful deals that agree with the record."""
    entries, state, work = point.entries, point.state, Work(WORK)
    if not countable(entries, state, work):
        return likely_object(UNCOUNTED, None, told, point.mistakes)
    seed = seed_of(entries) if query["seed"] is None else query["seed"]
    here = likely_play(entries, state, seed, query["deals"], STEPS, work)
    course = likely_course(entries, state, seed, query["deals"], STEPS, work)
    return likely_object(course, here, told, point.mistakes)


def seed_of(entries: Log) -> int:
    """A seed that follows from the entries: the same record draws the same deals."""
    events = [[entry.seq, event_fields(entry.event)] for entry in entries]
    return int.from_bytes(sha256(orjson.dumps(events)).digest()) % MOST
