"""Reads ordinary events at once, by structs of msgspec made from the declarations of events.

A struct accepts less than the readers of `schemas.wire.event_reader`: no other spelling of a value, no null
but in the bookkeeping, no object inside an event. The rest is left to them; what a struct accepts means the
same to both.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Annotated, Any, Final, Literal

import msgspec.json
import msgspec.structs
from msgspec import UNSET, Meta, MsgspecError

from engine.core.events import Event
from engine.core.field_types import FieldKind, Name, Ordinal, Seq
from engine.core.log import EVENT_TYPES, NO_METADATA, EntryMetadata
from engine.core.tuples import new_tuple
from schemas.wire.field_specs import EVENT_SPECS, METADATA_FIELDS, FieldSpec, field_kind
from schemas.wire.value_readers import (
    DATE_LENGTH,
    SEQ_PART_PATTERN,
    TIMESTAMP_PATTERN,
    UUID_PATTERN,
    find_word_table,
    is_day_in_calendar,
)

EntryParts = tuple[Event, EntryMetadata, Seq | None]
"""What an object says: the fact, its bookkeeping, and the seq it claims, if it claims one."""

MAX_KEPT_EVENTS: Final = 500
"""How many short events of each type are cached."""

RECORD_SPECS: Final = tuple(spec for spec in METADATA_FIELDS if spec.name != "seq")
"""The bookkeeping without the seq, in the order of `EntryMetadata`."""
_MOMENT_PLACES: Final = [place for place, spec in enumerate(RECORD_SPECS) if spec.kind.name == "moment"]


def read_line(line: bytes) -> EntryParts | None:
    """Read a line of JSON; None if it is no ordinary event, or may have a name twice."""
    # Without escapes each colon stands between a name and its value, or in a value.
    if b"\\" in line:
        return None
    try:
        struct = _decode(line)
    except (MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    read, colons = _READERS[type(struct)], line.count(b":")
    return read(msgspec.structs.astuple(struct), colons)


def _text_type(kind: FieldKind) -> Any:
    # NUL and lone surrogates cannot be written without escapes.
    return Annotated[str, Meta(min_length=kind.minimum, max_length=kind.maximum)]


def _integer_type(kind: FieldKind) -> Any:
    return Annotated[int, Meta(ge=kind.minimum, le=kind.maximum)]


def _pattern_type(pattern: str, max_length: int | None = None) -> Any:
    return Annotated[str, Meta(pattern=_whole(pattern), max_length=max_length)]


def _whole(pattern: str) -> str:
    """The pattern of a whole text: msgspec searches for it anywhere."""
    return rf"\A(?:{pattern})\Z"


def _words_type(kind: FieldKind) -> Any:
    return Literal[tuple(find_word_table(kind) or ())]


def _list_type(item: Any) -> Callable[[FieldKind], Any]:
    return lambda kind: Annotated[list[item], Meta(max_length=kind.maximum)]


_SEQ_NUMBER: Final = _integer_type(field_kind(Ordinal))
_TYPE_BUILDERS: Final[dict[str, Callable[[FieldKind], Any]]] = {
    "text": _text_type,
    "integer": _integer_type,
    "flag": lambda _: bool,
    "moment": lambda kind: _pattern_type(TIMESTAMP_PATTERN, kind.maximum),
    "uuid": lambda _: _pattern_type(UUID_PATTERN),
    "seq": lambda _: _SEQ_NUMBER | _pattern_type(SEQ_PART_PATTERN),
    "names": _list_type(_text_type(field_kind(Name))),
    "cards": _list_type(_words_type(FieldKind("card"))),
    "seats": _list_type(_words_type(FieldKind("seat"))),
    **dict.fromkeys(("choice", "seat", "suit", "card"), _words_type),
}
"""The types of the kinds of fields that structs read."""

_ITEM_KINDS: Final = {"cards": FieldKind("card"), "seats": FieldKind("seat")}


def _value_converter(kind: FieldKind) -> Callable[[Any], Any] | None:
    """Makes the engine's value of what a struct has; None if that is the same."""
    if kind.name == "names":
        return tuple
    if kind.name in _ITEM_KINDS:
        get_item = (find_word_table(_ITEM_KINDS[kind.name]) or {}).__getitem__
        return lambda words: tuple(map(get_item, words))
    words = find_word_table(kind)
    return None if words is None or kind.name == "choice" else words.__getitem__


def _build_event_maker(
    event_class: type[Event], specs: Sequence[FieldSpec]
) -> Callable[[tuple[Any, ...]], Event]:
    """Makes an event of the first fields of its struct."""
    converters = [(_value_converter(spec.kind), spec.default) for spec in specs]

    def make_event(values: tuple[Any, ...]) -> Event:
        return event_class(
            *[
                default if value is UNSET else value if convert is None else convert(value)
                for value, (convert, default) in zip(values, converters, strict=False)
            ]
        )

    # Events never change, and those of few words come again and again.
    is_short = all(find_word_table(spec.kind) or spec.kind == field_kind(Name) for spec in specs)
    return lru_cache(MAX_KEPT_EVENTS)(make_event) if is_short else make_event


def _build_reader(
    event_class: type[Event], specs: Sequence[FieldSpec]
) -> Callable[[tuple[Any, ...], int], EntryParts | None]:
    """Reads the values of the structs of one type of event; ``colons`` is how many their text has."""
    required = [spec for spec in specs if spec.required]
    make_short_event = _build_event_maker(event_class, required)
    make_event = _build_event_maker(event_class, specs)
    required_end, event_end = len(required), len(specs)
    nothing_else = (UNSET,) * (event_end - required_end + len(RECORD_SPECS))
    no_optional = (UNSET,) * (event_end - required_end)

    def read(values: tuple[Any, ...], colons: int) -> EntryParts | None:
        seq = None if values[-1] is UNSET else values[-1]
        if values[required_end:-1] == nothing_else:
            is_whole = colons == 1 + required_end + (seq is not None)
            return (make_short_event(values[:required_end]), NO_METADATA, seq) if is_whole else None
        record = values[event_end:-1]
        expected_colons = 1 + len(values) - values.count(UNSET)
        for place in _MOMENT_PLACES:
            if moment := record[place]:
                if not is_day_in_calendar(moment[:DATE_LENGTH]):
                    return None
                expected_colons += moment.count(":")
        if colons != expected_colons:
            return None
        if values[required_end:event_end] == no_optional:
            event = make_short_event(values[:required_end])
        else:
            event = make_event(values[:event_end])
        return event, _make_metadata(record), seq

    return read


def _make_metadata(record: tuple[Any, ...]) -> EntryMetadata:
    values = [None if value is UNSET else value for value in record]
    if values[-1] is not None:
        values[-1] = tuple(values[-1])  # the accounts
    return new_tuple(EntryMetadata, values)


def _define_struct(type_name: str, specs: Sequence[FieldSpec]) -> Any:
    """The struct of a type of event with its bookkeeping; None if it has a field that no struct reads."""
    if not all(spec.kind.name in _TYPE_BUILDERS for spec in specs):
        return None
    fields: list[Any] = []
    # The underscore keeps the names of attributes apart from Python's keywords.
    for spec in specs:
        name, value_type = f"{spec.name}_", _TYPE_BUILDERS[spec.kind.name](spec.kind)
        fields.append((name, value_type) if spec.required else (name, value_type, UNSET))
    # In the bookkeeping the service writes null for what is not known.
    fields += [
        (f"{spec.name}_", _TYPE_BUILDERS[spec.kind.name](spec.kind) | None, UNSET) for spec in RECORD_SPECS
    ]
    rename = {f"{spec.name}_": spec.name for spec in (*specs, *RECORD_SPECS)} | {"seq_": "seq"}
    return msgspec.defstruct(
        type_name,
        [*fields, ("seq_", _SEQ_NUMBER, UNSET)],
        tag=type_name,
        tag_field="type",
        forbid_unknown_fields=True,
        rename=rename,
    )


_STRUCTS: Final = {
    type_name: struct
    for type_name, specs in EVENT_SPECS.items()
    if (struct := _define_struct(type_name, specs)) is not None
}
_decode: Final = msgspec.json.Decoder(reduce(or_, _STRUCTS.values())).decode
_READERS: Final = {
    struct: _build_reader(EVENT_TYPES[type_name], EVENT_SPECS[type_name])
    for type_name, struct in _STRUCTS.items()
}
