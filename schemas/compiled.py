"""The quick way through an entry's object: straight-line Python, written out for each class of event.

What is written out reads an object that has no fault, and raises at the first doubt. It never
says what is wrong: ``schemas.reader`` then reads the object again with care, and its word counts.
Every value goes through the same reader or table as there (``schemas.values``).
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from engine.events import Event
from engine.log import EVENT_TYPES, UNRECORDED, Record
from engine.vocabulary import Seq
from schemas.declaration import BOOKKEEPING, EVENT_SPECS, FieldSpec
from schemas.faults import WireError
from schemas.values import Reader, words_of

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


def quick_reader(type_name: str, reader_of: Callable[[FieldSpec], Reader]) -> QuickReader:
    """Writes out the reader of one type of event; ``reader_of`` gives the reader of each field."""
    specs = EVENT_SPECS[type_name]
    scope: dict[str, Any] = {
        "event_class": EVENT_TYPES[type_name], "Record": Record, "UNRECORDED": UNRECORDED, "Doubt": Doubt,
    }  # fmt: skip
    lines = [
        "def read(obj):",
        "    get = obj.get",
        f"    taken = {1 + sum(spec.required for spec in specs)}",
    ]
    for at, spec in enumerate(specs):
        lines += _field_lines(f"f{at}", spec, reader_of(spec), scope)
    event = f"event_class({', '.join(f'f{at}' for at in range(len(specs)))})"
    lines += ["    if taken == len(obj):", f"        return {event}, UNRECORDED, None"]
    for at, spec in enumerate(BOOKKEEPING):
        lines += _bookkeeping_lines(f"b{at}", spec, reader_of(spec), scope)
    kept = [f"b{at}" for at, spec in enumerate(BOOKKEEPING) if spec.name != "seq"]
    seq = next(f"b{at}" for at, spec in enumerate(BOOKKEEPING) if spec.name == "seq")
    lines += [
        "    if taken != len(obj):",
        "        raise Doubt",
        # Most lines that were written by hand, or exported for people, claim their seq and no more.
        f"    if {' is '.join(kept)} is None:",
        f"        return {event}, UNRECORDED, {seq}",
        f"    return {event}, Record({', '.join(kept)}), {seq}",
    ]
    # As dataclasses does: the text holds nothing but names from the declaration.
    exec("\n".join(lines), scope)
    written: QuickReader = scope["read"]
    return written


def _field_lines(variable: str, spec: FieldSpec, reader: Reader, scope: dict[str, Any]) -> list[str]:
    """The lines that read a field of the event into ``variable``."""
    if spec.required:
        return [f"    {variable} = {_taking(variable, spec, reader, scope, f'obj[{spec.name!r}]')}"]
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
