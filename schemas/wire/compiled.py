"""The quick way through an entry's object: straight-line Python, written out for each class of event.

What is written out reads an object that has no fault, and raises at the first doubt. It never
says what is wrong: ``schemas.wire.reader`` then reads the object again with care, and its word counts.
Every value goes through the same reader or table as there (``schemas.wire.values``).
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final, TypeVar

from engine.core.events import Event
from engine.core.log import EVENT_TYPES, UNRECORDED, Record
from engine.core.vocabulary import Seq
from schemas.wire.declaration import BOOKKEEPING, EVENT_SPECS, FieldSpec
from schemas.wire.faults import WireError
from schemas.wire.values import Reader, words_of

Read = tuple[Event, Record, Seq | None]
"""An event, its bookkeeping and the seq it claims."""
QuickReader = Callable[[dict[str, Any]], Read]
"""Raises one of ``DOUBTS`` where the object is not plainly right."""


Made = TypeVar("Made")


class MadeOnce(dict[str, Made]):
    """A table by type of event, each of whose values is made when it is first asked for.

    A type that does not exist is a ``KeyError``.
    """

    def __init__(self, make: Callable[[str], Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, type_name: str) -> Made:
        made = self[type_name] = self._make(type_name)
        return made


class Doubt(Exception):
    """The object has members that the quick way does not account for."""


DOUBTS: Final = (Doubt, WireError, KeyError, TypeError)


class Shared(dict[tuple[Any, ...], Event]):
    """Events of one type by the values of these fields; the others are as they are when nothing is said.

    Events never change, and where each field is a word there are few of them: each is made but once.
    """

    def __init__(self, event_class: type[Event], attributes: Sequence[str]) -> None:
        super().__init__()
        self._event_class, self._attributes = event_class, attributes

    def __missing__(self, values: tuple[Any, ...]) -> Event:
        made = self[values] = self._event_class(**dict(zip(self._attributes, values, strict=True)))
        return made


FEW: Final = 500
"""Of at most so many events each is kept, once it was made."""


def quick_reader(type_name: str, reader_of: Callable[[FieldSpec], Reader]) -> QuickReader:
    """Writes out the reader of one type of event; ``reader_of`` gives the reader of each field."""
    specs = EVENT_SPECS[type_name]
    scope: dict[str, Any] = {
        "event_class": EVENT_TYPES[type_name], "Record": Record, "UNRECORDED": UNRECORDED, "Doubt": Doubt,
    }  # fmt: skip
    lines = ["def read(obj):"]
    for at, spec in enumerate(specs):
        if spec.required:
            value = _taking(f"f{at}", spec, reader_of(spec), scope, f"obj[{spec.name!r}]")
            lines.append(f"    f{at} = {value}")
    lines += _plain_lines(specs, reader_of, scope)
    lines += ["    get = obj.get", f"    taken = {1 + sum(spec.required for spec in specs)}"]
    for at, spec in enumerate(specs):
        if not spec.required:
            lines += _optional_lines(f"f{at}", spec, reader_of(spec), scope)
    event = f"event_class({', '.join(f'f{at}' for at in range(len(specs)))})"
    lines += ["    if taken == len(obj):", f"        return {event}, UNRECORDED, None"]
    for at, spec in enumerate(BOOKKEEPING):
        lines += _bookkeeping_lines(f"b{at}", spec, reader_of(spec), scope)
    kept = [f"b{at}" for at, spec in enumerate(BOOKKEEPING) if spec is not SEQ]
    seq = f"b{BOOKKEEPING.index(SEQ)}"
    lines += [
        "    if taken != len(obj):",
        "        raise Doubt",
        f"    if {' is '.join(kept)} is None:",
        f"        return {event}, UNRECORDED, {seq}",
        f"    return {event}, Record({', '.join(kept)}), {seq}",
    ]
    # As dataclasses does: the text holds nothing but names from the declaration.
    exec("\n".join(lines), scope)
    written: QuickReader = scope["read"]
    return written


SEQ: Final = next(spec for spec in BOOKKEEPING if spec.name == "seq")


def _plain_lines(
    specs: Sequence[FieldSpec], reader_of: Callable[[FieldSpec], Reader], scope: dict[str, Any]
) -> list[str]:
    """The lines for an object that has what it must, and its seq at most.

    So are most lines that were written by hand, or exported for people.
    """
    required = [(f"f{at}", spec) for at, spec in enumerate(specs) if spec.required]
    words = [words_of(spec.kind) or () for _, spec in required]
    if 0 < prod(map(len, words)) <= FEW and required:
        scope["shared"] = Shared(scope["event_class"], [spec.attribute for _, spec in required])
        event = f"shared[{', '.join(variable for variable, _ in required)},]"
    else:
        event = f"event_class({', '.join(f'{spec.attribute}={variable}' for variable, spec in required)})"
    return [
        f"    if len(obj) == {1 + len(required)}:",
        f"        return {event}, UNRECORDED, None",
        f"    if len(obj) == {2 + len(required)} and 'seq' in obj:",
        "        seq = obj['seq']",
        "        if seq is not None:",
        f"            seq = {_taking('seq', SEQ, reader_of(SEQ), scope, 'seq')}",
        f"        return {event}, UNRECORDED, seq",
    ]


def _optional_lines(variable: str, spec: FieldSpec, reader: Reader, scope: dict[str, Any]) -> list[str]:
    """The lines that read a field of the event, which may be missing, into ``variable``."""
    scope[f"{variable}_default"] = spec.default
    return [
        f"    {variable} = get({spec.name!r})",
        f"    if {variable} is None:",
        f"        {variable} = {variable}_default",
        "    else:",
        f"        {variable} = {_taking(variable, spec, reader, scope, variable)}",
        "        taken += 1",
    ]


def _bookkeeping_lines(variable: str, spec: FieldSpec, reader: Reader, scope: dict[str, Any]) -> list[str]:
    """The lines that read a piece of bookkeeping, which stands there as null where it is not known."""
    return [
        f"    {variable} = get({spec.name!r})",
        f"    if {variable} is not None:",
        f"        {variable} = {_taking(variable, spec, reader, scope, variable)}",
        "        taken += 1",
        f"    elif {spec.name!r} in obj:",
        "        taken += 1",
    ]


def _taking(variable: str, spec: FieldSpec, reader: Reader, scope: dict[str, Any], value: str) -> str:
    """The expression that reads ``value``: a look into a table of words, or a call of the reader."""
    words = words_of(spec.kind)
    if words is not None:
        scope[f"{variable}_words"] = words
        return f"{variable}_words[{value}]"
    scope[f"read_{variable}"] = reader
    return f"read_{variable}({value})"
