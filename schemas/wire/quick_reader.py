"""Reads ordinary lines quickly: the event by a struct of msgspec, its bookkeeping by a regular expression.

Both are made from the declarations of events. They accept less than the readers of `event_reader`: no other
spelling of a value, no events inside an event, bookkeeping only after the event and in the order in which the
service writes it. The rest is left to those readers; what is accepted here means the same to both.
"""

import re
from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Annotated, Any, Final, Literal

import msgspec.json
import msgspec.structs
from msgspec import Meta, MsgspecError

from engine.core.events import Event
from engine.core.field_types import Basis, FieldKind, Name, Ordinal, Seq
from engine.core.log import EVENT_TYPES, NO_METADATA, EntryMetadata
from engine.core.tuples import new_tuple
from schemas.wire.field_specs import (
    EVENT_SPECS,
    METADATA_FIELDS,
    FieldSpec,
    build_field_specs,
    field_kind,
)
from schemas.wire.value_readers import (
    OFFSET_PATTERN,
    SEQ_PART_PATTERN,
    TIME_PATTERN,
    UUID_PATTERN,
    build_value_reader,
    find_word_table,
)
from schemas.wire.wire_faults import WireError

EntryParts = tuple[Event, EntryMetadata, Seq | None]
"""What an object says: the fact, its bookkeeping, and the seq it claims, if it claims one."""

MAX_CACHED_EVENTS: Final = 4_000
MAX_CACHED_LENGTH: Final = 80
"""Events are cached by texts of at most this many characters: calls and plays repeat."""
MAX_LONE_SEQ: Final = 2_000
_SEQS_BY_END: Final = {f"{seq}}}{end}": seq for seq in range(1, MAX_LONE_SEQ + 1) for end in ("", "\r")}
"""The seq at the end of a line that has no other bookkeeping after it."""


def read_line(line: bytes) -> EntryParts | None:
    """Read a line of JSON; None if it is no ordinary event, or may have a name twice."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return None
    # Without escapes each quotation mark begins or ends a text, so these names are not inside one.
    if "\\" in text:
        return None
    event_text, _, end = text.rpartition(',"seq":')
    seq: Seq | None = _SEQS_BY_END.get(end)
    metadata = NO_METADATA
    if seq is None:
        found = _find_bookkeeping(text)
        start = len(text) - 1 if found is None else found.start()
        bookkeeping = _read_bookkeeping(text, start)
        if bookkeeping is None:
            return None
        event_text, (metadata, seq) = text[:start], bookkeeping
    event = _events_by_text.get(event_text) or _read_event(event_text)
    return None if event is None else (event, metadata, seq)


# --- Events ---------------------------------------------------------------------------------------


def _text_type(kind: FieldKind) -> Any:
    # NUL and lone surrogates cannot be written without escapes.
    return Annotated[str, Meta(min_length=kind.minimum, max_length=kind.maximum)]


def _integer_type(kind: FieldKind) -> Any:
    return Annotated[int, Meta(ge=kind.minimum, le=kind.maximum)]


def _words_type(kind: FieldKind) -> Any:
    return Literal[tuple(find_word_table(kind) or ())]


def _list_type(item: Any) -> Callable[[FieldKind], Any]:
    return lambda kind: Annotated[list[item], Meta(max_length=kind.maximum)]


_SEQ_NUMBER: Final = _integer_type(field_kind(Ordinal))
# msgspec searches for a pattern anywhere.
_SEQ_PART: Final = Annotated[str, Meta(pattern=rf"\A(?:{SEQ_PART_PATTERN})\Z")]
_TYPE_BUILDERS: Final[dict[str, Callable[[FieldKind], Any]]] = {
    "text": _text_type,
    "integer": _integer_type,
    "flag": lambda _: bool,
    "seq": lambda _: _SEQ_NUMBER | _SEQ_PART,
    "names": _list_type(_text_type(field_kind(Name))),
    "cards": _list_type(_words_type(FieldKind("card"))),
    "seats": _list_type(_words_type(FieldKind("seat"))),
    **dict.fromkeys(("choice", "seat", "suit", "card"), _words_type),
}
"""The types of the kinds of fields that msgspec checks; of other kinds it takes any value."""

_ITEM_KINDS: Final = {"cards": FieldKind("card"), "seats": FieldKind("seat")}

StructConverter = Callable[[Any], Any]
"""From a struct to an event, or to an object inside one; raises `WireError`."""


def _value_converter(spec: FieldSpec) -> Callable[[Any], Any] | None:
    """Makes the engine's value of what a struct has; None if that is the same."""
    kind = spec.kind
    if spec.object_class is not None:
        return _struct_converter(spec.object_class, build_field_specs(spec.object_class))
    if kind.name == "names":
        return tuple
    if kind.name in _ITEM_KINDS:
        get_item = (find_word_table(_ITEM_KINDS[kind.name]) or {}).__getitem__
        return lambda words: tuple(map(get_item, words))
    if kind.name not in _TYPE_BUILDERS:
        return build_value_reader(kind)
    words = find_word_table(kind)
    return None if words is None or kind.name == "choice" else words.__getitem__


def _struct_converter(object_class: type, specs: Sequence[FieldSpec]) -> StructConverter:
    conversions = [
        (place, convert, spec.default)
        for place, spec in enumerate(specs)
        if (convert := _value_converter(spec)) is not None
    ]

    def convert_struct(struct: Any) -> Any:
        values = list(msgspec.structs.astuple(struct))
        for place, convert, default in conversions:
            if (value := values[place]) is not default:
                values[place] = convert(value)
        return object_class(*values)

    return convert_struct


def _define_struct(name: str, specs: Sequence[FieldSpec], **options: Any) -> Any:
    """The struct of an event, or of an object inside one."""
    # The underscore keeps the names of attributes apart from Python's keywords.
    return msgspec.defstruct(
        name,
        [(f"{spec.name}_", _value_type(spec), *(() if spec.required else (spec.default,))) for spec in specs],
        rename={f"{spec.name}_": spec.name for spec in specs},
        forbid_unknown_fields=True,
        omit_defaults=True,
        **options,
    )


def _value_type(spec: FieldSpec) -> Any:
    if spec.object_class is not None:
        return _define_struct(spec.object_class.__name__, build_field_specs(spec.object_class))
    build_type = _TYPE_BUILDERS.get(spec.kind.name)
    return Any if build_type is None else build_type(spec.kind)


_STRUCTS: Final = {
    type_name: _define_struct(type_name, specs, tag=type_name, tag_field="type")
    for type_name, specs in EVENT_SPECS.items()
    if all(spec.kind.name != "events" for spec in specs)
}
_CONVERTERS: Final = {
    struct: _struct_converter(EVENT_TYPES[type_name], EVENT_SPECS[type_name])
    for type_name, struct in _STRUCTS.items()
}
_decode: Final = msgspec.json.Decoder(reduce(or_, _STRUCTS.values())).decode
_encode: Final = msgspec.json.Encoder().encode


_events_by_text: Final[dict[str, Event]] = {}
"""Cleared when it is full. Threads share it; the worst is that two read the same event."""


def _read_event(text: str) -> Event | None:
    """Read an event from a text that ends before its brace."""
    try:
        struct = _decode(text + "}")
        event: Event = _CONVERTERS[type(struct)](struct)
    except (MsgspecError, RecursionError, WireError):
        return None
    # Of a name that stands twice the struct has only one value, with one colon.
    if _encode(struct).count(b":") != text.count(":"):
        return None
    if len(text) <= MAX_CACHED_LENGTH:
        if len(_events_by_text) >= MAX_CACHED_EVENTS:
            _events_by_text.clear()
        _events_by_text[text] = event
    return event


# --- Bookkeeping ----------------------------------------------------------------------------------

RECORD_SPECS: Final = tuple(spec for spec in METADATA_FIELDS if spec.name != "seq")
"""The bookkeeping without the seq, in the order of `EntryMetadata`."""
_COMMON_DAY: Final = (
    "[1-9][0-9]{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    "|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
)
"""A day from the year 1000 on, but not 29 February, for which the calendar is needed."""
_VALUE_PATTERNS: Final = {
    "uuid": f'"({UUID_PATTERN})"',
    "seq": "([1-9][0-9]{0,8})",
    "moment": rf'"({_COMMON_DAY}{TIME_PATTERN}(?:\.[0-9]{{1,9}})?{OFFSET_PATTERN})"',
    "text": r'"([^"\x00-\x1f]{1,200})"',
    "choice": '"(' + "|".join(field_kind(Basis).choices) + ')"',
    "names": "((?!))",
}
"""What is read of each kind of field. Names, which are rare, are not."""


def _bookkeeping_pattern(spec: FieldSpec) -> str:
    return f'(?:, ?"{spec.name}": ?(?:{_VALUE_PATTERNS[spec.kind.name]}|null))?+'


_NAMES: Final = "|".join(spec.name for spec in METADATA_FIELDS)
_find_bookkeeping: Final = re.compile(f', ?"(?:{_NAMES})":').search
_match_bookkeeping: Final = re.compile(
    "".join(map(_bookkeeping_pattern, METADATA_FIELDS)) + r"\}[ \r]?"
).fullmatch


def _read_bookkeeping(text: str, start: int) -> tuple[EntryMetadata, Seq | None] | None:
    """Read the bookkeeping from a place to the end of a line."""
    found = _match_bookkeeping(text, start)
    if found is None:
        return None
    entry_id, seq, recorded_at, stored_at, recorded_by, basis, accounts = found.groups()
    record = (entry_id, recorded_at, stored_at, recorded_by, basis, accounts)
    return new_tuple(EntryMetadata, record), None if seq is None else int(seq)
