"""Forgetting a person whose name was written into records: another stands in its place, for good.

Who is entered as a member has only an id in the records, and his name elsewhere. But a name may have been
typed in, as a player or in a note. It is erased from the stored entries; that they were recorded, where and
when, stays proved (`service.transparency`).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import orjson

from engine.core.cards import SEAT_NAMES
from engine.view import is_id
from schemas.wire.reader import read_entry
from schemas.wire.writer import entry_bytes
from service.eventstore import PAGE, EventReader, EventStore, StreamInfo
from service.records.records import stored_events

PEOPLE: Final = frozenset(
    {
        "players", "forehand", "middlehand", "backhand", "sitting_out", "partners", "dealer", "player",
        "from", "to", "payments", "author", "recorded_by", "accounts",
    }
)  # fmt: skip
"""Fields whose values, or the keys of whose values, are names of people."""
WORDS: Final = frozenset({"text", "reason", "said", "source", "title", "why"})
"""Fields with somebody's own words, in which a name may stand."""
NEITHER: Final = frozenset(
    {"bid", "chip_value", "contract", "currency", "deal", "engine", "kind", "ruleset", "table", "until"}
)
"""Fields of text that name no person."""
_PARTS: Final = "with"


class NameTaken(Exception):
    """The stand-in is already somebody's name in these records: the two would become one."""


class Named(NamedTuple):
    """The entries of a root in which a name stands: by their ids what they become; in how many records."""

    root: str
    bodies: dict[str, bytes]
    records: int


def named_in(store: EventReader, name: str, standin: str, root: str | None = None) -> list[Named]:
    """Where a name stands, in the records of a root or in all, and what the entries become without it.

    Raises `NameTaken` where the stand-in is somebody's name there.
    """
    roots: dict[str, list[StreamInfo]] = {}
    for info in _streams(store, root):
        roots.setdefault(info.root, []).append(info)
    found = (_named(store, name, standin, one, streams) for one, streams in roots.items())
    return [one for one in found if one.bodies]


def forget(store: EventStore, found: Iterable[Named]) -> None:
    """Erases a name from all entries in which it was found, in one step."""
    store.erase_all({one.root: one.bodies for one in found})


def may_be_standin(said: dict[str, Any]) -> bool:
    """Whether an entry may stand in the place of one from which a name was erased.

    Forgetting puts another name, or another word, where the name stood, and changes nothing else: so there is
    a person in it, or a word. What tells of cards alone was never erased by it.
    """
    return any(_may_be_touched(field, value) for field, value in said.items() if value)


def _may_be_touched(field: str, value: Any) -> bool:
    if field == _PARTS:
        return any(map(may_be_standin, value))
    return field in WORDS or (field in PEOPLE and any(_may_be_name(field, name) for name in _names(value)))


def _may_be_name(field: str, name: str) -> bool:
    """Whether somebody may be called so: not a seat; nor, as who recorded it, the id of a grant."""
    return name not in SEAT_NAMES and not (field == "recorded_by" and is_id(name) is not None)


def _streams(store: EventReader, root: str | None) -> Iterator[StreamInfo]:
    after = None
    while page := store.streams(root=root, after=after, limit=PAGE):
        yield from page
        after = page[-1].stream


def _named(store: EventReader, name: str, standin: str, root: str, streams: Iterable[StreamInfo]) -> Named:
    bodies: dict[str, bytes] = {}
    records, taken = 0, False
    for info in streams:
        before = len(bodies)
        for event in stored_events(store, info.stream, upto=info.version):
            said = orjson.loads(event.body)
            taken = taken or standin in _people(said)
            without = _without(said, name, standin)
            if without != said:
                bodies[event.event_id] = entry_bytes(read_entry(without, event.seq))
        records += len(bodies) > before
    if bodies and taken:
        raise NameTaken(standin)
    return Named(root, bodies, records)


def _without(said: dict[str, Any], name: str, standin: str) -> dict[str, Any]:
    """An event without the name."""
    as_word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    without: dict[str, Any] = {}
    for field, value in said.items():
        if field == _PARTS:
            without[field] = [_without(part, name, standin) for part in value]
        elif field in PEOPLE:
            without[field] = _renamed(value, name, standin)
        elif field in WORDS and isinstance(value, str):
            without[field] = as_word.sub(lambda _: standin, value)
        else:
            without[field] = value
    return without


def _renamed(value: Any, name: str, standin: str) -> Any:
    """A name, or names in a list or an object, with the stand-in for one of them."""
    if isinstance(value, str):
        return standin if value == name else value
    if isinstance(value, list):
        return [_renamed(part, name, standin) for part in value]
    if isinstance(value, dict):
        return {_renamed(key, name, standin): _renamed(part, name, standin) for key, part in value.items()}
    return value


def _people(said: dict[str, Any]) -> set[str]:
    """The names of people in an event."""
    found: set[str] = set()
    for field, value in said.items():
        if field == _PARTS:
            for part in value:
                found |= _people(part)
        elif field in PEOPLE:
            found |= _names(value)
    return found


def _names(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return set().union(value, *map(_names, value.values()))
    return set().union(*map(_names, value)) if isinstance(value, list) else set()
