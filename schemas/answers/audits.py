"""The report on a deal as a JSON object."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from engine.core.cards import CODES, SEAT_NAMES
from engine.core.events import CorrectionMade, type_name
from engine.core.log import Entry
from engine.diagnosis.conditions import with_conditions
from engine.diagnosis.misprints import Misprints, grouped
from engine.diagnosis.mistakes import Mistake
from engine.report import Matter, PutRight, Report, Settled
from engine.rulings import Penalty, Ruled, penalties, rulings
from schemas.answers.reports import mending_object
from schemas.answers.states import Told, finding_objects, legal_object, score_object, state_object
from schemas.logs.deal_size import JsonPieces
from schemas.wire.writer import entry_object, event_fields

Json = dict[str, Any]

PROPOSED: Final = 20
"""So many proposals are told, the likeliest first."""


def audit_object(made: Report, told: Told = str) -> Json:
    """The report on a deal: what it breaks and pays, and all that it takes to judge it.

    Raises:
        DealTooLarge: the answer would have too many bytes.
    """
    pieces = JsonPieces()
    opened = made.audit.state.opening.opened
    return {
        "title": opened.title if opened else None,
        "ruleset": opened.ruleset if opened else None,
        "ok": made.audit.ok,
        "findings": finding_objects(with_conditions(made.audit), told),
        "score": score_object(made.audit.score),
        "course": _entries(made.audit.history.entries),
        "matters": [pieces.add(_matter(one, told)) for one in made.matters],
        "mendings": [
            pieces.add({**mending_object(one.mending), "since": _entries(one.since)}) for one in made.mended
        ],
        "rulings": _entries(made.rulings),
        "ruled": [_ruled(one) for one in rulings(made.audit, made.audit.state.opening.book)],
        "penalties": [_penalty(one) for one in penalties(made.audit)],
        "settled": _settled(made.settled),
        "put_right": None if made.put_right is None else _put_right(made.put_right, told),
        "instead": [_put_right(one, told) for one in made.instead],
        "misprints": None if made.misprints is None else _misprints(made.misprints, told),
    }


def _settled(settled: Iterable[Settled]) -> list[Json]:
    return [
        {
            "seq": one.entry.seq,
            "paid": dict(one.paid),
            "parted": None if one.parted is None else dict(one.parted),
        }
        for one in settled
    ]


def _put_right(made: PutRight, told: Told) -> Json:
    return {
        "mistakes": mistake_objects(made.explained.mistakes, told),
        "score": score_object(made.audit.score),
        "settled": _settled(made.settled),
    }


def mistake_objects(mistakes: Iterable[Mistake], told: Told) -> list[Json]:
    """Mistakes of the pen that may explain what is found, each with the corrections to append."""
    return [
        {
            "finding": finding_objects((one.finding,), told)[0],
            "corrections": [correction_object(correction, told) for correction in one.corrections],
        }
        for one in mistakes
    ]


def _misprints(found: Misprints, told: Told) -> Json:
    return {
        "contradicting": list(found.contradicting),
        "complete": found.complete,
        "proposals": [
            {
                "corrections": [correction_object(one, told) for one in group.first.corrections],
                "reasons": [told(one) for one in group.first.reasons],
                "alike": [CODES[card] for card in group.cards],
            }
            for group in grouped(found.proposals)[:PROPOSED]
        ],
    }


def correction_object(one: CorrectionMade, told: Told) -> Json:
    """A correction that is proposed, as the event to append."""
    return {"type": type_name(CorrectionMade), **event_fields(replace(one, reason=told(one.reason)))}


def _matter(matter: Matter, told: Told) -> Json:
    played = matter.played
    return {
        "entry": entry_object(matter.entry),
        "findings": finding_objects(matter.findings, told),
        "follows": finding_objects(matter.follows, told),
        "corrections": [correction_object(one, told) for one in matter.corrections],
        "state": None if matter.before is None else state_object(matter.before),
        "legal": legal_object(matter.due),
        "cost": None if played is None else played.cost,
        "told": told(played.told) if played is not None and played.told else None,
    }


def _ruled(one: Ruled) -> Json:
    return {
        "seq": one.seq,
        "in_force": one.in_force,
        "without": None if one.without is None else dict(one.without),
        "pays": None if one.pays is None else dict(one.pays),
        "changed": None if one.changed is None else dict(one.changed),
    }


def _penalty(one: Penalty) -> Json:
    return {
        "seat": SEAT_NAMES[one.seat],
        "possible": one.possible,
        "offences": list(one.offences),
        "given": one.given,
        "rulings": list(one.rulings),
    }


def _entries(entries: Iterable[Entry]) -> list[Json]:
    return [entry_object(entry) for entry in entries]
