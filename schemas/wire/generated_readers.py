"""The quick way through an entry's object: straight-line Python, written out for each class of event.

What is written out reads an object that has no fault, and raises at the first doubt. It never
says what is wrong: ``schemas.wire.event_reader`` then reads the object again with care, and its word counts.
Every value goes through the same reader or table as there (``schemas.wire.value_readers``).
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final, TypeVar

from engine.core.events import Event
from engine.core.field_types import Seq
from engine.core.log import EVENT_TYPES, NO_METADATA, EntryMetadata
from schemas.wire.field_specs import EVENT_SPECS, METADATA_FIELDS, FieldSpec
from schemas.wire.value_readers import ValueReader, find_word_table
from schemas.wire.wire_faults import WireError

EntryParts = tuple[Event, EntryMetadata, Seq | None]
"""An event, its bookkeeping and the seq it claims."""
FastEntryReader = Callable[[dict[str, Any]], EntryParts]
"""Raises one of ``FALLBACK_ERRORS`` where the object is not plainly right."""


Made = TypeVar("Made")


class LazyTable(dict[str, Made]):
    """A table by type of event, each of whose values is made when it is first asked for.

    A type that does not exist is a ``KeyError``.
    """

    def __init__(self, build: Callable[[str], Made]) -> None:
        super().__init__()
        self._build = build

    def __missing__(self, type_name: str) -> Made:
        value = self[type_name] = self._build(type_name)
        return value


class UnhandledMembers(Exception):
    """The object has members that the quick way does not account for."""


FALLBACK_ERRORS: Final = (UnhandledMembers, WireError, KeyError, TypeError)


class EventCache(dict[tuple[Any, ...], Event]):
    """Events of one type by the values of these fields; the others are as they are when nothing is said.

    Events never change, and where each field is a word there are few of them: each is made but once.
    """

    def __init__(self, event_class: type[Event], attributes: Sequence[str]) -> None:
        super().__init__()
        self._event_class, self._attributes = event_class, attributes

    def __missing__(self, field_values: tuple[Any, ...]) -> Event:
        event = self[field_values] = self._event_class(
            **dict(zip(self._attributes, field_values, strict=True))
        )
        return event


MAX_CACHED_EVENTS: Final = 500
"""Of at most so many events each is kept, once it was made."""


def generate_fast_reader(
    type_name: str, build_field_reader: Callable[[FieldSpec], ValueReader]
) -> FastEntryReader:
    """Writes out the reader of one type of event; ``build_field_reader`` gives the reader of each field."""
    specs = EVENT_SPECS[type_name]
    scope: dict[str, Any] = {
        "event_class": EVENT_TYPES[type_name], "Record": EntryMetadata, "UNRECORDED": NO_METADATA,
        "Doubt": UnhandledMembers,
    }  # fmt: skip
    lines = ["def read(obj):"]
    for at, spec in enumerate(specs):
        if spec.required:
            value = _read_expression(f"f{at}", spec, build_field_reader(spec), scope, f"obj[{spec.name!r}]")
            lines.append(f"    f{at} = {value}")
    lines += _minimal_object_lines(specs, build_field_reader, scope)
    lines += ["    get = obj.get", f"    taken = {1 + sum(spec.required for spec in specs)}"]
    for at, spec in enumerate(specs):
        if not spec.required:
            lines += _optional_field_lines(f"f{at}", spec, build_field_reader(spec), scope)
    event = f"event_class({', '.join(f'f{at}' for at in range(len(specs)))})"
    lines += ["    if taken == len(obj):", f"        return {event}, UNRECORDED, None"]
    for at, spec in enumerate(METADATA_FIELDS):
        lines += _metadata_field_lines(f"b{at}", spec, build_field_reader(spec), scope)
    variables = [f"b{at}" for at, spec in enumerate(METADATA_FIELDS) if spec is not SEQ_FIELD_SPEC]
    seq = f"b{METADATA_FIELDS.index(SEQ_FIELD_SPEC)}"
    lines += [
        "    if taken != len(obj):",
        "        raise Doubt",
        f"    if {' is '.join(variables)} is None:",
        f"        return {event}, UNRECORDED, {seq}",
        f"    return {event}, Record({', '.join(variables)}), {seq}",
    ]
    # As dataclasses does: the text holds nothing but names from the declaration.
    exec("\n".join(lines), scope)
    reader: FastEntryReader = scope["read"]
    return reader


SEQ_FIELD_SPEC: Final = next(spec for spec in METADATA_FIELDS if spec.name == "seq")


def _minimal_object_lines(
    specs: Sequence[FieldSpec], build_field_reader: Callable[[FieldSpec], ValueReader], scope: dict[str, Any]
) -> list[str]:
    """The lines for an object that has what it must, and its seq at most.

    So are most lines that were written by hand, or exported for people.
    """
    required = [(f"f{at}", spec) for at, spec in enumerate(specs) if spec.required]
    words = [find_word_table(spec.kind) or () for _, spec in required]
    if 0 < prod(map(len, words)) <= MAX_CACHED_EVENTS and required:
        scope["shared"] = EventCache(scope["event_class"], [spec.attribute for _, spec in required])
        event = f"shared[{', '.join(variable for variable, _ in required)},]"
    else:
        event = f"event_class({', '.join(f'{spec.attribute}={variable}' for variable, spec in required)})"
    read_seq = _read_expression("seq", SEQ_FIELD_SPEC, build_field_reader(SEQ_FIELD_SPEC), scope, "seq")
    return [
        f"    if len(obj) == {1 + len(required)}:",
        f"        return {event}, UNRECORDED, None",
        f"    if len(obj) == {2 + len(required)} and 'seq' in obj:",
        "        seq = obj['seq']",
        "        if seq is not None:",
        f"            seq = {read_seq}",
        f"        return {event}, UNRECORDED, seq",
    ]


def _optional_field_lines(
    variable: str, spec: FieldSpec, reader: ValueReader, scope: dict[str, Any]
) -> list[str]:
    """The lines that read a field of the event, which may be missing, into ``variable``."""
    scope[f"{variable}_default"] = spec.default
    return [
        f"    {variable} = get({spec.name!r})",
        f"    if {variable} is None:",
        f"        {variable} = {variable}_default",
        "    else:",
        f"        {variable} = {_read_expression(variable, spec, reader, scope, variable)}",
        "        taken += 1",
    ]


def _metadata_field_lines(
    variable: str, spec: FieldSpec, reader: ValueReader, scope: dict[str, Any]
) -> list[str]:
    """The lines that read a piece of bookkeeping, which stands there as null where it is not known."""
    return [
        f"    {variable} = get({spec.name!r})",
        f"    if {variable} is not None:",
        f"        {variable} = {_read_expression(variable, spec, reader, scope, variable)}",
        "        taken += 1",
        f"    elif {spec.name!r} in obj:",
        "        taken += 1",
    ]


def _read_expression(
    variable: str, spec: FieldSpec, reader: ValueReader, scope: dict[str, Any], value: str
) -> str:
    """The expression that reads ``value``: a look into a table of words, or a call of the reader."""
    words = find_word_table(spec.kind)
    if words is not None:
        scope[f"{variable}_words"] = words
        return f"{variable}_words[{value}]"
    scope[f"read_{variable}"] = reader
    return f"read_{variable}({value})"
