"""The reader: from an object as JSON gives it to an event, or to every fault it has.

A reader is built for each type of event from its declaration (``schemas.wire.field_specs``). It
knows the fields, nothing of the rules: whether an event may happen is for the engine to say.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import orjson

from engine.core.events import Event
from engine.core.field_types import FieldKind, Seq
from engine.core.log import EVENT_TYPES, NO_METADATA, Entry, EntryMetadata
from engine.core.message import format_message
from engine.core.tuples import new_tuple
from schemas.wire.field_specs import (
    EVENT_SPECS,
    METADATA_FIELDS,
    FieldSpec,
    build_field_specs,
    type_field_spec,
)
from schemas.wire.quick_reader import RECORD_SPECS, EntryParts, read_line
from schemas.wire.value_readers import (
    ValueReader,
    build_value_reader,
    collect_item_faults,
    describe_expected_value,
    find_word_table,
)
from schemas.wire.wire_faults import (
    WireError,
    WireFault,
    find_nearest_word,
    find_unknown_names,
    missing_field_fault,
    quote_value,
    unexpected_value_error,
)

MAX_CORRECTION_DEPTH: Final = 4
"""How deep corrections of corrections may nest events."""

EXPECTED_EVENT: Final = 'an event: an object with a "type"'
EXPECTED_NO_DEEPER_EVENTS: Final = f"no events: corrections nest at most {MAX_CORRECTION_DEPTH} levels deep"


class ParsedEntry(NamedTuple):
    """What one object says: the fact, its bookkeeping, and the seq it claims, if it claims one."""

    event: Event
    metadata: EntryMetadata = NO_METADATA
    seq: Seq | None = None


def describe_expected_field(spec: FieldSpec) -> str:
    """What a field has to be, as a noun."""
    if spec.object_class is not None:
        names = ", ".join(part.name for part in build_field_specs(spec.object_class))
        return format_message("an object with {names}", names=names)
    if spec.kind.name == "events":
        return f"a list of at most {spec.kind.maximum} events"
    return describe_expected_value(spec.kind)


class FieldsReader:
    """Reads the fields of an object, ``depth`` corrections deep; ``owner`` is what faults call it."""

    def __init__(self, specs: Sequence[FieldSpec], owner: str, depth: int = 0) -> None:
        self._owner = owner
        self._required_specs = [spec for spec in specs if spec.required]
        self._defaults = [spec.default for spec in specs]
        self._value_readers = {spec.name: _build_reader(spec, depth) for spec in specs}
        self._quick_readers = {
            spec.name: (place, _quick_reader(spec, self._value_readers[spec.name]))
            for place, spec in enumerate(specs)
        }

    def read(self, obj: dict[str, Any]) -> list[Any]:
        """The values of the fields, in declared order; raises `WireError` with every fault of the object."""
        values, readers = self._defaults.copy(), self._quick_readers
        try:
            for name, value in obj.items():
                place, read = readers[name]
                if value is not None:
                    values[place] = read(value)
        except (KeyError, TypeError, WireError):
            raise WireError(self.find_faults(obj)) from None
        if None in values[: len(self._required_specs)]:
            raise WireError(self.find_faults(obj))
        return values

    def find_faults(self, obj: dict[str, Any]) -> list[WireFault]:
        """All that is wrong with an object."""
        faults: list[WireFault] = []
        for name, value in obj.items():
            if value is not None and name in self._value_readers:
                try:
                    self._value_readers[name](value)
                except WireError as error:
                    faults += error.prefixed_faults(name)
        for spec in self._required_specs:
            expected = describe_expected_field(spec)
            if spec.name not in obj:
                faults.append(missing_field_fault(spec.name, expected))
            elif obj[spec.name] is None:
                faults.append(WireFault(f"/{spec.name}", quote_value(None), expected))
        return faults + find_unknown_names(obj, tuple(self._value_readers), self._owner)


def _build_reader(spec: FieldSpec, depth: int) -> ValueReader:
    if spec.object_class is not None:
        return _object_reader(spec.object_class, describe_expected_field(spec))
    if spec.kind.name == "events":
        return _events_reader(spec.kind, depth + 1, describe_expected_field(spec))
    return build_value_reader(spec.kind)


def _quick_reader(spec: FieldSpec, read: ValueReader) -> ValueReader:
    """The same reader; one of words is a plain lookup, which does not say what is wrong."""
    words = find_word_table(spec.kind)
    return read if words is None else words.__getitem__


def _object_reader(object_class: type, expected: str) -> ValueReader:
    """The reader of an object inside an event, such as the players of a deal."""
    fields_reader = FieldsReader(build_field_specs(object_class), object_class.__name__.lower())

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise unexpected_value_error(value, expected)
        return object_class(*fields_reader.read(value))

    return read


def _events_reader(kind: FieldKind, depth: int, expected: str) -> ValueReader:
    """The reader of the events that a correction puts in, ``depth`` levels deep."""

    def read_item(obj: Any) -> Event:
        return _read_event_at(obj, depth)

    def read(value: Any) -> tuple[Event, ...]:
        if not isinstance(value, list) or len(value) > kind.maximum:
            raise unexpected_value_error(value, expected)
        if value and depth > MAX_CORRECTION_DEPTH:
            raise unexpected_value_error(value, EXPECTED_NO_DEEPER_EVENTS)
        try:
            return tuple([read_item(item) for item in value])
        except WireError:
            raise WireError(collect_item_faults(read_item, value)) from None

    return read


def read_event(obj: object) -> Event:
    """Read an event without bookkeeping, as in a correction; raises `WireError` with all its faults."""
    return _read_event_at(obj, depth=0)


def _read_event_at(obj: Any, depth: int) -> Event:
    try:
        event_class = EVENT_TYPES[obj["type"]]
    except (KeyError, TypeError):
        raise WireError(_find_untyped_faults(obj)) from None
    return event_class(*_bare_event_reader(obj["type"], depth).read(obj)[1:])


@cache
def _bare_event_reader(type_name: str, depth: int) -> FieldsReader:
    return FieldsReader((type_field_spec(type_name), *EVENT_SPECS[type_name]), type_name, depth)


def read_submitted_entry(obj: object) -> ParsedEntry:
    """Read an event with its bookkeeping; raises `WireError` with all faults of the object."""
    return ParsedEntry(*read_entry_parts(obj))


def read_entry_parts(obj: Any) -> EntryParts:
    """`read_submitted_entry` as a bare tuple, which is faster."""
    try:
        read = _ENTRY_READERS[obj["type"]]
    except (KeyError, TypeError):
        raise WireError(_find_untyped_faults(obj, has_metadata=True)) from None
    return read(obj)


def read_entry(obj: object, seq: Seq) -> Entry:
    """Read the entry that stands at ``seq``; raises `WireError` with all faults, such as another ``seq``."""
    return _place_entry(read_entry_parts(obj), seq)


def read_entry_text(text: bytes, seq: Seq) -> Entry:
    """`read_entry` of an object in JSON; raises `orjson.JSONDecodeError` too."""
    return _place_entry(read_line(text) or read_entry_parts(orjson.loads(text)), seq)


def _place_entry(parts: EntryParts, seq: Seq) -> Entry:
    event, metadata, claimed_seq = parts
    if claimed_seq is not None and claimed_seq != seq:
        raise WireError([seq_mismatch_fault(claimed_seq, seq)])
    return Entry(seq, event, metadata)


def seq_mismatch_fault(claimed_seq: Seq, seq: Seq) -> WireFault:
    """The fault of an entry that says it stands at ``claimed_seq`` when it stands at ``seq``."""
    return WireFault(
        "/seq", quote_value(claimed_seq), f"{quote_value(seq)}, its place in this log, or leave out seq"
    )


_SEQ_FIELD: Final = next(spec for spec in METADATA_FIELDS if spec.name == "seq")
_NO_RECORD: Final = [None] * len(RECORD_SPECS)
_METADATA_READER: Final = FieldsReader(METADATA_FIELDS, "bookkeeping")


def _build_entry_reader(type_name: str) -> Callable[[dict[str, Any]], EntryParts]:
    """The reader of one type of event with its bookkeeping."""
    event_class, specs = EVENT_TYPES[type_name], EVENT_SPECS[type_name]
    fields = (type_field_spec(type_name), *specs, *RECORD_SPECS, _SEQ_FIELD)
    read_fields = FieldsReader(fields, type_name).read
    event_end = 1 + len(specs)

    def read(obj: dict[str, Any]) -> EntryParts:
        values = read_fields(obj)
        record = values[event_end:-1]
        metadata = NO_METADATA if record == _NO_RECORD else new_tuple(EntryMetadata, record)
        return event_class(*values[1:event_end]), metadata, values[-1]

    return read


_ENTRY_READERS: Final = {type_name: _build_entry_reader(type_name) for type_name in EVENT_TYPES}


def _find_untyped_faults(obj: Any, *, has_metadata: bool = False) -> Sequence[WireFault]:
    """What can be said of an object whose type is not known: that, and its bookkeeping."""
    if not isinstance(obj, dict):
        return unexpected_value_error(obj, EXPECTED_EVENT).faults
    faults = [_type_fault(obj)]
    if has_metadata:
        faults += _METADATA_READER.find_faults({spec.name: obj.get(spec.name) for spec in METADATA_FIELDS})
    return faults


def _type_fault(obj: dict[str, Any]) -> WireFault:
    """The fault of an object whose ``type`` is missing or is none that we know."""
    if "type" not in obj:
        return missing_field_fault("type", "a type of event, such as card_played")
    nearest = find_nearest_word(obj["type"], EVENT_TYPES)
    suggestion = ", such as card_played" if nearest is None else f'; the nearest is "{nearest}"'
    return WireFault("/type", quote_value(obj["type"]), f"a type of event{suggestion}")
