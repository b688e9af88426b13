"""The fast reader: from an object as JSON gives it to an event, or to every fault it has.

A reader is built once for each class of event from its declaration (``schemas.wire.field_specs``). It
knows the fields, nothing of the rules: whether an event may happen is for the engine to say.
An entry takes the quick way first (``schemas.wire.generated_readers``); the readers here say what is wrong.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, cast

from engine.core.events import Event
from engine.core.field_types import FieldKind, Seq
from engine.core.log import EVENT_TYPES, NO_METADATA, Entry, EntryMetadata
from schemas.wire.field_specs import EVENT_SPECS, METADATA_FIELDS, FieldSpec, build_field_specs
from schemas.wire.generated_readers import FALLBACK_ERRORS, EntryParts, LazyTable, generate_fast_reader
from schemas.wire.value_readers import (
    ValueReader,
    build_value_reader,
    collect_item_faults,
    describe_expected_value,
)
from schemas.wire.wire_faults import (
    NO_VALUE,
    WireError,
    WireFault,
    find_nearest_word,
    find_unknown_names,
    missing_field_fault,
    quote_value,
    unexpected_value_error,
)

MAX_CORRECTION_DEPTH: Final = 4
"""Corrections of corrections may hold events in one another so many levels deep."""

EXPECTED_EVENT: Final = 'an event: an object with a "type"'
EXPECTED_EVENT_LIST: Final = "a list of events"
EXPECTED_NO_DEEPER_EVENTS: Final = (
    f"no events: corrections hold events at most {MAX_CORRECTION_DEPTH} levels deep"
)


class ParsedEntry(NamedTuple):
    """What one object says: the fact, its bookkeeping, and the seq it claims, if it claims one."""

    event: Event
    metadata: EntryMetadata = NO_METADATA
    seq: Seq | None = None


FieldsReader = Callable[[dict[str, Any], list[WireFault]], list[Any]]
"""The values of an object's fields in their order; what is wrong with them is added to the faults."""


def describe_expected_field(spec: FieldSpec) -> str:
    """What a field has to be, as a noun."""
    if spec.kind.name == "object":
        return f"an object with {_list_field_names(spec.object_class)}"
    if spec.kind.name == "events":
        return f"a list of at most {spec.kind.maximum} events"
    return describe_expected_value(spec.kind)


def _list_field_names(shape: type | None) -> str:
    return ", ".join(spec.name for spec in build_field_specs(cast(type, shape)))


def _fields_reader(specs: tuple[FieldSpec, ...], owner: str, depth: int = 0) -> FieldsReader:
    """The reader of the fields of ``owner``, ``depth`` corrections deep; a name it lacks is a fault."""
    plan = {spec.name: (at, _build_reader(spec, depth)) for at, spec in enumerate(specs)}
    blank = [_UNREAD if spec.required else spec.default for spec in specs]
    required = tuple(
        (at, spec.name, describe_expected_field(spec)) for at, spec in enumerate(specs) if spec.required
    )
    known = tuple(plan)

    def read(obj: dict[str, Any], faults: list[WireFault]) -> list[Any]:
        values = blank.copy()
        has_unknown = False
        for name, value in obj.items():
            name_and_reader = plan.get(name)
            if name_and_reader is None:
                has_unknown = True
            elif value is not None:
                try:
                    values[name_and_reader[0]] = name_and_reader[1](value)
                except WireError as error:
                    faults += error.prefixed_faults(name)
                    values[name_and_reader[0]] = None
        for at, name, expected in required:
            if values[at] is _UNREAD:
                faults.append(WireFault(f"/{name}", quote_value(None) if name in obj else NO_VALUE, expected))
        if has_unknown:
            faults += find_unknown_names(obj, known, owner)
        return values

    return read


_UNREAD: Final = object()
"""Stands where a required field has not been read."""


def _build_reader(spec: FieldSpec, depth: int) -> ValueReader:
    if spec.kind.name == "object":
        return _object_reader(cast(type, spec.object_class), describe_expected_field(spec))
    if spec.kind.name == "events":
        return _events_reader(spec.kind, depth + 1, describe_expected_field(spec))
    return build_value_reader(spec.kind)


def _object_reader(object_class: type, expected: str) -> ValueReader:
    """The reader of an object inside an event, such as the players of a deal."""
    read_fields = _fields_reader(build_field_specs(object_class), object_class.__name__.lower())

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise unexpected_value_error(value, expected)
        faults: list[WireFault] = []
        values = read_fields(value, faults)
        if faults:
            raise WireError(faults)
        return object_class(*values)

    return read


def _events_reader(kind: FieldKind, depth: int, expected: str) -> ValueReader:
    """The reader of the events that a correction puts in, ``depth`` levels deep."""

    def read(value: Any) -> tuple[Event, ...]:
        if not isinstance(value, list) or len(value) > kind.maximum:
            raise unexpected_value_error(value, expected)
        if value and depth > MAX_CORRECTION_DEPTH:
            raise unexpected_value_error(value, EXPECTED_NO_DEEPER_EVENTS)
        read_event = _BARE_EVENT_READERS[depth]
        try:
            return tuple([read_event(item)[0] for item in value])
        except WireError:
            raise WireError(collect_item_faults(read_event, value)) from None

    return read


TypedObjectReader = Callable[[object], EntryParts]


def _build_event_reader(depth: int, metadata_fields: tuple[FieldSpec, ...]) -> TypedObjectReader:
    """The reader of an object of any type, with its bookkeeping where it may have some."""

    def build_type_reader(name: str) -> tuple[type[Event], int, FieldsReader]:
        specs = EVENT_SPECS[name]
        return (
            EVENT_TYPES[name],
            len(specs),
            _fields_reader((*specs, *metadata_fields, TYPE_FIELD_SPEC), name, depth),
        )

    readers_by_type = LazyTable(build_type_reader)

    def read(obj: object) -> EntryParts:
        if not isinstance(obj, dict):
            raise unexpected_value_error(obj, EXPECTED_EVENT)
        faults: list[WireFault] = []
        try:
            event_class, size, read_fields = readers_by_type[obj["type"]]
        except (KeyError, TypeError):
            raise WireError(find_untyped_object_faults(obj, metadata_fields)) from None
        values = read_fields(obj, faults)
        if faults:
            raise WireError(faults)
        return event_class(*values[:size]), *_split_metadata(values[size:-1])

    return read


def find_untyped_object_faults(
    obj: dict[str, Any], metadata_fields: tuple[FieldSpec, ...]
) -> list[WireFault]:
    """What can be said of an object whose type is not known: that, and its bookkeeping."""
    faults = [_type_fault(obj)]
    _read_metadata_fields({spec.name: obj.get(spec.name) for spec in metadata_fields}, faults)
    return faults


def _split_metadata(values: list[Any]) -> tuple[EntryMetadata, Seq | None]:
    """The record and the seq from the values of ``METADATA_FIELDS``, or of none of it."""
    if not values or values == _NO_METADATA_VALUES:
        return NO_METADATA, None
    seq: Seq | None = values.pop(_SEQ)
    return EntryMetadata(*values), seq


TYPE_FIELD_SPEC: Final = FieldSpec("type", "type", FieldKind("text", maximum=100), required=False)
_SEQ: Final = [spec.name for spec in METADATA_FIELDS].index("seq")
_NO_METADATA_VALUES: Final = [None] * len(METADATA_FIELDS)


def _type_fault(obj: dict[str, Any]) -> WireFault:
    """The fault of an object whose ``type`` is missing or is none that we know."""
    if "type" not in obj:
        return missing_field_fault("type", "a type of event, such as card_played")
    nearest = find_nearest_word(obj["type"], EVENT_TYPES)
    suggestion = ", such as card_played" if nearest is None else f'; the nearest is "{nearest}"'
    return WireFault("/type", quote_value(obj["type"]), f"a type of event{suggestion}")


def read_entry_parts(obj: Any) -> EntryParts:
    """``read_submitted_entry`` for those in a hurry: a bare tuple of event, record and claimed seq.

    Raises:
        WireError: with every fault of the object.
    """
    try:
        return _FAST_READERS[obj["type"]](obj)
    except FALLBACK_ERRORS:
        return _CAREFUL_READER(obj)


_FAST_READERS: Final = LazyTable(
    lambda name: generate_fast_reader(name, lambda spec: _build_reader(spec, depth=0))
)
_CAREFUL_READER: Final = _build_event_reader(0, METADATA_FIELDS)
_BARE_EVENT_READERS: Final = {
    depth: _build_event_reader(depth, ()) for depth in range(MAX_CORRECTION_DEPTH + 1)
}


def read_submitted_entry(obj: object) -> ParsedEntry:
    """Reads an entry's object: the event's fields with the bookkeeping flat beside them.

    Raises:
        WireError: with every fault of the object.
    """
    return ParsedEntry(*read_entry_parts(obj))


def read_event(obj: object) -> Event:
    """Reads an event without bookkeeping, such as a correction puts in.

    Raises:
        WireError: with every fault of the object.
    """
    return _BARE_EVENT_READERS[0](obj)[0]


def read_entry(obj: object, seq: Seq) -> Entry:
    """Reads an entry's object as the entry that stands at ``seq``.

    Raises:
        WireError: with every fault of the object; a ``seq`` in it that is another one is a fault.
    """
    event, metadata, claimed_seq = read_entry_parts(obj)
    if claimed_seq is not None and claimed_seq != seq:
        raise WireError([seq_mismatch_fault(claimed_seq, seq)])
    return Entry(seq, event, metadata)


def seq_mismatch_fault(claimed_seq: Seq, seq: Seq) -> WireFault:
    """The fault of an entry that says it stands at ``claimed_seq`` when it stands at ``seq``."""
    return WireFault(
        "/seq", quote_value(claimed_seq), f"{quote_value(seq)}, its place in this log, or leave seq out"
    )


_read_metadata_fields: Final = _fields_reader(METADATA_FIELDS, "bookkeeping")
