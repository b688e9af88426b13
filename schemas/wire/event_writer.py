"""The canonical form of events and entries: the fields in declared order, then the bookkeeping.

These are the bytes that are stored, served and exported.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

import orjson

from engine.core.cards import CARD_CODES, SEAT_NAMES, SUIT_LETTERS
from engine.core.events import Event
from engine.core.log import Entry, EntryMetadata
from schemas.wire.field_specs import (
    EVENT_SPECS,
    EVENT_TYPE_BY_CLASS,
    METADATA_FIELDS,
    FieldSpec,
    build_field_specs,
)

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
    values = (entry.seq, *entry.metadata)
    for name, place in _METADATA_PLACES:
        value = values[place]
        if value is not None or not omit_unknown:
            obj[name] = list(value) if type(value) is tuple else value
    return obj


def entry_bytes(entry: Entry, omit_unknown: bool = False) -> bytes:
    """``entry_object`` as canonical JSON in UTF-8, without a line end."""
    return orjson.dumps(entry_object(entry, omit_unknown))


KIND_WRITERS: Final[dict[str, ValueWriter]] = {
    "names": list,
    "integers": list,
    "seqs": list,
    "groups": lambda groups: [list(group) for group in groups],
    "seat": SEAT_NAMES.__getitem__,
    "seats": lambda seats: [SEAT_NAMES[seat] for seat in seats],
    "suit": SUIT_LETTERS.__getitem__,
    "card": CARD_CODES.__getitem__,
    "cards": lambda cards: [CARD_CODES[card] for card in cards],
    "seat-counts": lambda counts: {SEAT_NAMES[seat]: number for seat, number in counts},
    "chips-by-name": dict,
    "switches": dict,
    "events": lambda events: [event_object(event) for event in events],
}
"""Kinds whose values are not the same on the wire as in the engine."""


def _identity(value: Any) -> Any:
    return value


def _build_fields_writer(specs: tuple[FieldSpec, ...]) -> Callable[[Any, dict[str, Any]], None]:
    """What adds the fields of an object of the engine to one of JSON."""
    plan = tuple(
        (spec.name, attrgetter(spec.attribute), _build_value_writer(spec), _omitted_values(spec))
        for spec in specs
    )

    def write(value: Any, obj: dict[str, Any]) -> None:
        for name, read, write_value, omitted in plan:
            field = read(value)
            # Only what is None or empty can be left out; the rest need not be looked for.
            if (field is None or field == ()) and field in omitted:
                continue
            obj[name] = write_value(field)

    return write


def _omitted_values(spec: FieldSpec) -> tuple[Any, ...]:
    """The values that are left out: unknown, or as empty as the default is."""
    if spec.required:
        return ()
    return (None, ()) if spec.default == () and not spec.kind.always_written else (None,)


def _build_value_writer(spec: FieldSpec) -> ValueWriter:
    if spec.object_class is None:
        return KIND_WRITERS.get(spec.kind.name, _identity)
    write_fields = _build_fields_writer(build_field_specs(spec.object_class))

    def write(value: Any) -> dict[str, Any]:
        obj: dict[str, Any] = {}
        write_fields(value, obj)
        return obj

    return write


_EVENT_WRITERS: Final = {name: _build_fields_writer(specs) for name, specs in EVENT_SPECS.items()}
_METADATA_PLACES: Final = [
    (spec.name, ("seq", *EntryMetadata._fields).index(spec.name)) for spec in METADATA_FIELDS
]
"""Each piece of bookkeeping, and its place in the seq and the record put together."""
