"""The fast reader: from an object as JSON gives it to an event, or to every fault it has.

A reader is built once for each class of event from its declaration (``schemas.wire.declaration``). It
knows the fields, nothing of the rules: whether an event may happen is for the engine to say.
An entry takes the quick way first (``schemas.wire.compiled``); the readers here say what is wrong.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, cast

from engine.core.events import Event
from engine.core.log import EVENT_TYPES, UNRECORDED, Entry, Record
from engine.core.vocabulary import Kind, Seq
from schemas.wire.compiled import DOUBTS, MadeOnce, Read, quick_reader
from schemas.wire.declaration import BOOKKEEPING, EVENT_SPECS, FieldSpec, specs_of
from schemas.wire.faults import NOTHING, Fault, WireError, missing, nearest, shown, unfit, unknown_names
from schemas.wire.values import Reader, expected_of, item_faults, value_reader

DEEPEST: Final = 4
"""Corrections of corrections may hold events in one another so many levels deep."""

AN_EVENT: Final = 'an event: an object with a "type"'
A_LIST_OF_EVENTS: Final = "a list of events"
NO_DEEPER: Final = f"no events: corrections hold events at most {DEEPEST} levels deep"


class Reading(NamedTuple):
    """What one object says: the fact, its bookkeeping, and the seq it claims, if it claims one."""

    event: Event
    record: Record = UNRECORDED
    seq: Seq | None = None


FieldsReader = Callable[[dict[str, Any], list[Fault]], list[Any]]
"""The values of an object's fields in their order; what is wrong with them is added to the faults."""


def expectation(spec: FieldSpec) -> str:
    """What a field has to be, as a noun."""
    if spec.kind.name == "object":
        return f"an object with {_fields_in_words(spec.shape)}"
    if spec.kind.name == "events":
        return f"a list of at most {spec.kind.most} events"
    return expected_of(spec.kind)


def _fields_in_words(shape: type | None) -> str:
    return ", ".join(spec.name for spec in specs_of(cast(type, shape)))


def _fields_reader(specs: tuple[FieldSpec, ...], owner: str, depth: int = 0) -> FieldsReader:
    """The reader of the fields of ``owner``, ``depth`` corrections deep; a name it lacks is a fault."""
    plan = {spec.name: (at, _reader_of(spec, depth)) for at, spec in enumerate(specs)}
    blank = [_LACKING if spec.required else spec.default for spec in specs]
    required = tuple((at, spec.name, expectation(spec)) for at, spec in enumerate(specs) if spec.required)
    known = tuple(plan)

    def read(obj: dict[str, Any], faults: list[Fault]) -> list[Any]:
        values = blank.copy()
        strange = False
        for name, value in obj.items():
            planned = plan.get(name)
            if planned is None:
                strange = True
            elif value is not None:
                try:
                    values[planned[0]] = planned[1](value)
                except WireError as error:
                    faults += error.under(name)
                    values[planned[0]] = None
        for at, name, expected in required:
            if values[at] is _LACKING:
                faults.append(Fault(f"/{name}", shown(None) if name in obj else NOTHING, expected))
        if strange:
            faults += unknown_names(obj, known, owner)
        return values

    return read


_LACKING: Final = object()
"""Stands where a required field has not been read."""


def _reader_of(spec: FieldSpec, depth: int) -> Reader:
    if spec.kind.name == "object":
        return _object_reader(cast(type, spec.shape), expectation(spec))
    if spec.kind.name == "events":
        return _events_reader(spec.kind, depth + 1, expectation(spec))
    return value_reader(spec.kind)


def _object_reader(shape: type, expected: str) -> Reader:
    """The reader of an object inside an event, such as the players of a deal."""
    read_fields = _fields_reader(specs_of(shape), shape.__name__.lower())

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise unfit(value, expected)
        faults: list[Fault] = []
        values = read_fields(value, faults)
        if faults:
            raise WireError(faults)
        return shape(*values)

    return read


def _events_reader(kind: Kind, depth: int, expected: str) -> Reader:
    """The reader of the events that a correction puts in, ``depth`` levels deep."""

    def read(value: Any) -> tuple[Event, ...]:
        if not isinstance(value, list) or len(value) > kind.most:
            raise unfit(value, expected)
        if value and depth > DEEPEST:
            raise unfit(value, NO_DEEPER)
        read_event = _BARE[depth]
        try:
            return tuple([read_event(item)[0] for item in value])
        except WireError:
            raise WireError(item_faults(read_event, value)) from None

    return read


EventReader = Callable[[object], Read]


def _event_reader(depth: int, bookkeeping: tuple[FieldSpec, ...]) -> EventReader:
    """The reader of an object of any type, with its bookkeeping where it may have some."""

    def of_name(name: str) -> tuple[type[Event], int, FieldsReader]:
        specs = EVENT_SPECS[name]
        return EVENT_TYPES[name], len(specs), _fields_reader((*specs, *bookkeeping, TYPE), name, depth)

    of_type = MadeOnce(of_name)

    def read(obj: object) -> Read:
        if not isinstance(obj, dict):
            raise unfit(obj, AN_EVENT)
        faults: list[Fault] = []
        try:
            event_class, size, read_fields = of_type[obj["type"]]
        except (KeyError, TypeError):
            raise WireError(typeless_faults(obj, bookkeeping)) from None
        values = read_fields(obj, faults)
        if faults:
            raise WireError(faults)
        return event_class(*values[:size]), *_record_of(values[size:-1])

    return read


def typeless_faults(obj: dict[str, Any], bookkeeping: tuple[FieldSpec, ...]) -> list[Fault]:
    """What can be said of an object whose type is not known: that, and its bookkeeping."""
    faults = [_type_fault(obj)]
    _read_bookkeeping({spec.name: obj.get(spec.name) for spec in bookkeeping}, faults)
    return faults


def _record_of(kept: list[Any]) -> tuple[Record, Seq | None]:
    """The record and the seq from the values of ``BOOKKEEPING``, or of none of it."""
    if not kept or kept == _UNKNOWN:
        return UNRECORDED, None
    seq: Seq | None = kept.pop(_SEQ)
    return Record(*kept), seq


TYPE: Final = FieldSpec("type", "type", Kind("text", most=100), required=False)
_SEQ: Final = [spec.name for spec in BOOKKEEPING].index("seq")
_UNKNOWN: Final = [None] * len(BOOKKEEPING)


def _type_fault(obj: dict[str, Any]) -> Fault:
    """The fault of an object whose ``type`` is missing or is none that we know."""
    if "type" not in obj:
        return missing("type", "a type of event, such as card_played")
    near = nearest(obj["type"], EVENT_TYPES)
    which = ", such as card_played" if near is None else f'; the nearest is "{near}"'
    return Fault("/type", shown(obj["type"]), f"a type of event{which}")


def read_parts(obj: Any) -> Read:
    """``read_flat`` for those in a hurry: a bare tuple of event, record and claimed seq.

    Raises:
        WireError: with every fault of the object.
    """
    try:
        return _QUICK[obj["type"]](obj)
    except DOUBTS:
        return _CAREFUL(obj)


_QUICK: Final = MadeOnce(lambda name: quick_reader(name, lambda spec: _reader_of(spec, depth=0)))
_CAREFUL: Final = _event_reader(0, BOOKKEEPING)
_BARE: Final = {depth: _event_reader(depth, ()) for depth in range(DEEPEST + 1)}


def read_flat(obj: object) -> Reading:
    """Reads an entry's object: the event's fields with the bookkeeping flat beside them.

    Raises:
        WireError: with every fault of the object.
    """
    return Reading(*read_parts(obj))


def read_event(obj: object) -> Event:
    """Reads an event without bookkeeping, such as a correction puts in.

    Raises:
        WireError: with every fault of the object.
    """
    return _BARE[0](obj)[0]


def read_record(obj: object) -> Record:
    """Reads the bookkeeping of an entry's object; the event's own fields are not looked at.

    Raises:
        WireError: with every fault of the bookkeeping.
    """
    if not isinstance(obj, dict):
        raise unfit(obj, AN_EVENT)
    faults: list[Fault] = []
    kept = _read_bookkeeping({spec.name: obj.get(spec.name) for spec in BOOKKEEPING}, faults)
    if faults:
        raise WireError(faults)
    return _record_of(kept)[0]


def read_entry(obj: object, seq: Seq) -> Entry:
    """Reads an entry's object as the entry that stands at ``seq``.

    Raises:
        WireError: with every fault of the object; a ``seq`` in it that is another one is a fault.
    """
    event, record, claimed = read_parts(obj)
    if claimed is not None and claimed != seq:
        raise WireError([seq_fault(claimed, seq)])
    return Entry(seq, event, record)


def seq_fault(claimed: Seq, seq: Seq) -> Fault:
    """The fault of an entry that says it stands at ``claimed`` when it stands at ``seq``."""
    return Fault("/seq", shown(claimed), f"{shown(seq)}, its place in this log, or leave seq out")


_read_bookkeeping: Final = _fields_reader(BOOKKEEPING, "bookkeeping")
