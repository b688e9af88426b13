"""The canonical form of events and entries: the fields in declared order, then the bookkeeping.

These are the bytes that are stored, served and exported. A test holds them equal to what
marshmallow's schemas dump, which is the published contract and much slower.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

import orjson

from engine.core.cards import CARD_CODES, SEAT_NAMES, SUIT_LETTERS
from engine.core.events import Event
from engine.core.field_types import FieldKind
from engine.core.log import Entry, EntryMetadata
from schemas.wire.field_specs import (
    EVENT_SPECS,
    EVENT_TYPE_BY_CLASS,
    METADATA_FIELDS,
    FieldSpec,
    build_field_specs,
)
from schemas.wire.generated_readers import LazyTable

ValueWriter = Callable[[Any], Any]
"""From the engine's value to JSON's."""


def event_object(event: Event) -> dict[str, Any]:
    """An event without bookkeeping, as JSON has it: ``type``, then its fields in declared order.

    What is not known, or as empty as it is by default, is left out.
    """
    obj: dict[str, Any] = {"type": EVENT_TYPE_BY_CLASS[type(event)]}
    _EVENT_WRITERS[obj["type"]](event, obj)
    return obj


def entry_object(entry: Entry, omit_unknown: bool = False) -> dict[str, Any]:
    """An entry as JSON has it: the event's fields, then all seven of its bookkeeping.

    Bookkeeping that nobody recorded is null; with ``omit_unknown`` it is left out.
    """
    obj = event_object(entry.event)
    record = entry.metadata
    for name, read in _METADATA_GETTERS:
        value = entry.seq if read is None else read(record)
        if value is not None or not omit_unknown:
            obj[name] = list(value) if type(value) is tuple else value
    return obj


def entry_bytes(entry: Entry, omit_unknown: bool = False) -> bytes:
    """``entry_object`` as canonical JSON in UTF-8, without a line end."""
    return orjson.dumps(entry_object(entry, omit_unknown))


def build_value_writer(kind: FieldKind, object_class: type | None = None) -> ValueWriter:
    """The writer of values of one kind; ``object_class`` is the class of an ``object``."""
    if object_class is not None:
        return _build_object_writer(object_class)
    return _WRITERS.get(kind.name, _identity)


def _identity(value: Any) -> Any:
    return value


def _groups(value: tuple[tuple[str, ...], ...]) -> list[list[str]]:
    return [list(group) for group in value]


def _seat_counts(value: tuple[tuple[int, int], ...]) -> dict[str, int]:
    return {SEAT_NAMES[seat]: number for seat, number in value}


def _cards(value: tuple[int, ...]) -> list[str]:
    return [CARD_CODES[card] for card in value]


def _seats(value: tuple[int, ...]) -> list[str]:
    return [SEAT_NAMES[seat] for seat in value]


def _events(value: tuple[Event, ...]) -> list[dict[str, Any]]:
    return [event_object(event) for event in value]


_WRITERS: Final[dict[str, ValueWriter]] = {
    "names": list, "integers": list, "seqs": list, "groups": _groups,
    "seat": SEAT_NAMES.__getitem__, "seats": _seats, "suit": SUIT_LETTERS.__getitem__,
    "card": CARD_CODES.__getitem__, "cards": _cards, "seat-counts": _seat_counts,
    "chips-by-name": dict, "switches": dict, "events": _events,
}  # fmt: skip
"""Kinds whose values are not the same on the wire as in the engine."""

FieldsWriter = Callable[[Any, dict[str, Any]], None]
"""Adds the fields of an object of the engine to one of JSON."""


def _build_fields_writer(specs: tuple[FieldSpec, ...]) -> FieldsWriter:
    plan = tuple(
        (s.name, attrgetter(s.attribute), build_value_writer(s.kind, s.object_class), s.is_omitted)
        for s in specs
    )

    def write(value: Any, obj: dict[str, Any]) -> None:
        for name, read, write_value, omits in plan:
            field = read(value)
            # Only what is None or empty can be left out; the rest need not be asked.
            if (field is None or field == ()) and omits(field):
                continue
            obj[name] = write_value(field)

    return write


def _build_object_writer(object_class: type) -> ValueWriter:
    write = _build_fields_writer(build_field_specs(object_class))

    def write_object(value: Any) -> dict[str, Any]:
        obj: dict[str, Any] = {}
        write(value, obj)
        return obj

    return write_object


_EVENT_WRITERS: Final = LazyTable(lambda name: _build_fields_writer(EVENT_SPECS[name]))
_METADATA_GETTERS: Final[tuple[tuple[str, Callable[[EntryMetadata], Any] | None], ...]] = tuple(
    (spec.name, None if spec.name == "seq" else attrgetter(spec.attribute)) for spec in METADATA_FIELDS
)
"""Each piece of bookkeeping and where it stands: in the record, or (``seq``) in the entry itself."""
