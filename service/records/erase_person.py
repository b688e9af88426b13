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
from engine.view import is_uuid
from schemas.wire.event_reader import read_entry
from schemas.wire.event_writer import entry_bytes
from service.eventstore import EventReader, EventStore, StreamInfo
from service.records.repository import iterate_streams, read_stored_events

PERSON_FIELDS: Final = frozenset(
    {
        "players", "forehand", "middlehand", "backhand", "sitting_out", "partners", "dealer", "player",
        "from", "to", "payments", "author", "recorded_by", "accounts",
    }
)  # fmt: skip
"""Fields whose values, or the keys of whose values, are names of people."""
TEXT_FIELDS: Final = frozenset({"text", "reason", "said", "source", "title", "why"})
"""Fields with somebody's own words, in which a name may stand."""
IMPERSONAL_FIELDS: Final = frozenset(
    {"bid", "chip_value", "contract", "currency", "deal", "engine", "kind", "ruleset", "table", "until"}
)
"""Fields of text that name no person."""
_CORRECTION_PARTS: Final = "with"


class PseudonymTaken(Exception):
    """The stand-in is already somebody's name in these records: the two would become one."""


class NameOccurrences(NamedTuple):
    """The entries of a root in which a name stands: by their ids what they become; in how many records."""

    root: str
    replacements: dict[str, bytes]
    record_count: int


def find_name_occurrences(
    store: EventReader, name: str, pseudonym: str, root: str | None = None
) -> list[NameOccurrences]:
    """Where a name stands, in the records of a root or in all, and what the entries become without it.

    Raises `PseudonymTaken` where the stand-in is somebody's name there.
    """
    roots: dict[str, list[StreamInfo]] = {}
    for info in iterate_streams(store, root):
        roots.setdefault(info.root, []).append(info)
    found = (_find_in_root(store, name, pseudonym, one, streams) for one, streams in roots.items())
    return [one for one in found if one.replacements]


def erase_name(store: EventStore, occurrences: Iterable[NameOccurrences]) -> None:
    """Erases a name from all entries in which it was found, in one step."""
    store.erase_in_roots({one.root: one.replacements for one in occurrences})


def can_be_placeholder(event_json: dict[str, Any]) -> bool:
    """Whether an entry may stand in the place of one from which a name was erased.

    Forgetting puts another name, or another word, where the name stood, and changes nothing else: so there is
    a person in it, or a word. What tells of cards alone was never erased by it.
    """
    return any(_can_contain_name(field, text) for field, text in _iterate_texts(event_json))


def _can_contain_name(field: str, text: str) -> bool:
    """Whether somebody may be called so: not a seat; nor, as who recorded it, the id of a grant."""
    return field in TEXT_FIELDS or (
        text not in SEAT_NAMES and not (field == "recorded_by" and is_uuid(text) is not None)
    )


def _find_in_root(
    store: EventReader, name: str, pseudonym: str, root: str, streams: Iterable[StreamInfo]
) -> NameOccurrences:
    bodies: dict[str, bytes] = {}
    records, is_pseudonym_taken = 0, False
    for info in streams:
        before = len(bodies)
        for event in read_stored_events(store, info.stream, up_to=info.version):
            event_json = orjson.loads(event.body)
            is_pseudonym_taken |= any(
                field in PERSON_FIELDS and text == pseudonym for field, text in _iterate_texts(event_json)
            )
            replaced_json = _replace_name(event_json, name, pseudonym)
            if replaced_json != event_json:
                bodies[event.event_id] = entry_bytes(read_entry(replaced_json, event.seq))
        records += len(bodies) > before
    if bodies and is_pseudonym_taken:
        raise PseudonymTaken(pseudonym)
    return NameOccurrences(root, bodies, records)


def _replace_name(event_json: dict[str, Any], name: str, pseudonym: str) -> dict[str, Any]:
    """An event without the name."""
    word_pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    replaced_json: dict[str, Any] = {}
    for field, value in event_json.items():
        if field == _CORRECTION_PARTS:
            replaced_json[field] = [_replace_name(part, name, pseudonym) for part in value]
        elif field in PERSON_FIELDS:
            replaced_json[field] = _replace_name_in_value(value, name, pseudonym)
        elif field in TEXT_FIELDS and isinstance(value, str):
            replaced_json[field] = word_pattern.sub(lambda _: pseudonym, value)
        else:
            replaced_json[field] = value
    return replaced_json


def _replace_name_in_value(value: Any, name: str, pseudonym: str) -> Any:
    """A name, or names in a list or an object, with the stand-in for one of them."""
    if isinstance(value, str):
        return pseudonym if value == name else value
    if isinstance(value, list):
        return [_replace_name_in_value(part, name, pseudonym) for part in value]
    if isinstance(value, dict):
        return {
            _replace_name_in_value(key, name, pseudonym): _replace_name_in_value(part, name, pseudonym)
            for key, part in value.items()
        }
    return value


def _iterate_texts(event_json: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The names of people in an event, and somebody's own words, each with its field."""
    for field, value in event_json.items():
        if field == _CORRECTION_PARTS:
            for part in value or ():
                yield from _iterate_texts(part)
        elif field in PERSON_FIELDS or field in TEXT_FIELDS:
            yield from ((field, text) for text in _iterate_strings(value) if text)


def _iterate_strings(value: Any) -> Iterator[str]:
    """A text, or the texts in a list or an object, its keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value:
            yield from _iterate_strings(part)
        if isinstance(value, dict):
            yield from _iterate_strings(list(value.values()))
