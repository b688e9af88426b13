"""The engine held against a slow model, entry by entry of a deal: what is legal, and what is paid."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from engine import evolve, initial_state, judge, legal, score
from engine.core.log import Entry, EntryMetadata
from schemas.answers.states import legal_object, score_object
from schemas.wire.event_reader import read_event

Event = dict[str, Any]
Json = dict[str, Any]


class Second(NamedTuple):
    """A second reading of the rules: what it says of the deal so far.

    ``also`` tells of the actions in ``also_told`` only.
    """

    legal: Callable[[list[Event]], Json | None]
    also: Callable[[list[Event]], list[Json]]
    score: Callable[[list[Event]], Json]
    fold: Callable[[list[Event]], Json]
    also_told: frozenset[str]


PENALTY = "penalty_possible"
"""The one finding that a legal call may have."""


def differences(deal: list[Event], second: Second) -> Iterator[str]:
    """Where the engine says something else than the second reading, or finds fault with a legal deal.

    Begins when the opening and three hands are told.
    """
    state = initial_state()
    for length, event in enumerate(deal, 1):
        entry = Entry(length, read_event(event), EntryMetadata())
        for one in judge(state, entry):
            if one.code != PENALTY:
                yield f"entry {length}, {event}: {one.code}, {one.message}"
        state = evolve(state, entry)
        if length > 3:
            yield from _at_this_point(state, deal[:length], second)


def _at_this_point(state: Any, so_far: list[Event], second: Second) -> Iterator[str]:
    due = legal_object(legal(state))
    also = [one for one in (due or {}).get("also", []) if one["action"] in second.also_told]
    told = due and {name: value for name, value in due.items() if name != "also"}
    paid = {name: value for name, value in score_object(score(state)).items() if name != "items"}
    for part in paid.get("parts", []):
        del part["items"]
    pairs = (
        ("legal", told, second.legal(so_far)),
        ("also", also, second.also(so_far)),
        ("score", paid, second.score(so_far)),
    )
    for what, ours, theirs in pairs:
        if ours != theirs:
            yield f"after entry {len(so_far)}, {so_far[-1]}: {what}\n    engine {ours}\n    model  {theirs}"
