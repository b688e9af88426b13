"""Erasing a person whose name was typed into records: a pseudonym replaces it in the stored entries.

Records refer to members by id only; other names may be those of players or stand in notes. Proofs that the
entries were recorded, where and when, stay valid (`service.transparency`).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import orjson

from engine.core.cards import SEAT_NAMES
from engine.view import is_uuid
from schemas.wire.event_reader import read_entry
from schemas.wire.event_writer import entry_bytes
from schemas.wire.json_text import map_strings
from service.eventstore import EventReader, EventStore, StreamInfo
from service.records.repository import iterate_streams, read_stored_events

PERSON_FIELDS: Final = frozenset(
    {
        "players", "forehand", "middlehand", "backhand", "sitting_out", "partners", "dealer", "player",
        "from", "to", "payments", "author", "recorded_by", "accounts",
    }
)  # fmt: skip
"""Fields whose values or keys are names of people."""
TEXT_FIELDS: Final = frozenset({"text", "reason", "said", "source", "title", "why"})
"""Fields with free text, which may contain names."""
_CORRECTION_PARTS: Final = "with"


class PseudonymTaken(Exception):
    """The pseudonym is the name of another person in these records."""


class NameOccurrences(NamedTuple):
    """The entries of a root that contain a name: their replacements by id, and the number of records."""

    root: str
    replacements: dict[str, bytes]
    record_count: int


def find_name_occurrences(
    store: EventReader, name: str, pseudonym: str, root: str | None = None
) -> list[NameOccurrences]:
    """Find a name in the records of a root or of all, with replacements for the entries.

    Raises `PseudonymTaken` if the pseudonym is a name there.
    """
    roots: dict[str, list[StreamInfo]] = {}
    for info in iterate_streams(store, root):
        roots.setdefault(info.root, []).append(info)
    found = (_find_in_root(store, name, pseudonym, one, streams) for one, streams in roots.items())
    return [one for one in found if one.replacements]


def erase_name(store: EventStore, occurrences: Iterable[NameOccurrences]) -> None:
    """Erase a name from all entries in which it was found, in one step."""
    store.erase({one.root: one.replacements for one in occurrences})


def can_be_placeholder(event_json: dict[str, Any]) -> bool:
    """Whether an entry may replace one from which a name was erased: it has a name or free text."""
    return any(_can_contain_name(field, text) for field, text in _iterate_texts(event_json))


def _can_contain_name(field: str, text: str) -> bool:
    """Whether a field may contain a name: not a seat's, nor the id of a grant as recorder."""
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
    word_pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    replaced_json: dict[str, Any] = {}
    for field, value in event_json.items():
        if field == _CORRECTION_PARTS:
            replaced_json[field] = [_replace_name(part, name, pseudonym) for part in value]
        elif field in PERSON_FIELDS:
            replaced_json[field] = map_strings(value, lambda text: pseudonym if text == name else text)
        elif field in TEXT_FIELDS and isinstance(value, str):
            replaced_json[field] = word_pattern.sub(lambda _: pseudonym, value)
        else:
            replaced_json[field] = value
    return replaced_json


def _iterate_texts(event_json: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The names of people and the free texts in an event, each with its field."""
    for field, value in event_json.items():
        if field == _CORRECTION_PARTS:
            for part in value or ():
                yield from _iterate_texts(part)
        elif field in PERSON_FIELDS or field in TEXT_FIELDS:
            yield from ((field, text) for text in _iterate_strings(value) if text)


def _iterate_strings(value: Any) -> Iterator[str]:
    """A text, or the texts in a list or an object, including its keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value:
            yield from _iterate_strings(part)
        if isinstance(value, dict):
            yield from _iterate_strings(list(value.values()))
