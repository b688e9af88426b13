"""In which column of a line the value stands that a JSON Pointer leads to.

Only needed when there is something to complain of, so the line is walked a second time then.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from schemas.wire.wire_faults import escape_pointer_token

_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


class PointerColumns(NamedTuple):
    """The columns, counted from 1, of a value and of the name it has in its object."""

    value: int
    name: int


def find_pointer_columns(text: str, pointers: Iterable[str]) -> dict[str, PointerColumns]:
    """The columns of what stands at each of ``pointers``, and at all that leads there.

    ``text`` is a JSON document in one line. A pointer to what is not there is left out; of a
    name that an object has twice the last one counts, as it does to the reader.
    """
    routes = {route for pointer in pointers for route in _pointer_prefixes(pointer)}
    found: dict[str, PointerColumns] = {}
    open_ones: list[_Container] = []
    for token in _TOKEN.finditer(text):
        column, sign = token.start() + 1, token[0][0]
        container = open_ones[-1] if open_ones else None
        if sign == ":":
            continue
        if sign == ",":
            if container is not None:
                container.next_member()
            continue
        if sign in "}]":
            open_ones.pop()
            continue
        if container is not None and container.awaits_name:
            container.take_name(token[0], column)
            continue
        pointer = "" if container is None else container.member_pointer()
        if pointer is not None and pointer not in routes:
            pointer = None
        if pointer is not None:
            found[pointer] = PointerColumns(
                column, column if container is None else container.name_column or column
            )
        if sign in "{[":
            open_ones.append(_Container(pointer, is_object=sign == "{", awaits_name=sign == "{"))
    return found


@dataclass(slots=True)
class _Container:
    """An object or a list that is being walked; ``pointer`` is None off every route."""

    pointer: str | None
    is_object: bool
    awaits_name: bool
    index: int = 0
    name: str = ""
    name_column: int = 0

    def next_member(self) -> None:
        self.index += 1
        self.awaits_name = self.is_object

    def take_name(self, quoted: str, column: int) -> None:
        self.awaits_name = False
        self.name_column = column
        if self.pointer is not None:
            self.name = json.loads(quoted)

    def member_pointer(self) -> str | None:
        if self.pointer is None:
            return None
        return f"{self.pointer}/{escape_pointer_token(self.name if self.is_object else self.index)}"


def _pointer_prefixes(pointer: str) -> list[str]:
    """A pointer and every pointer on the way to it, from the whole document."""
    steps = pointer.split("/")
    return ["/".join(steps[:length]) for length in range(1, len(steps) + 1)]


def find_nearest_column(columns: dict[str, PointerColumns], pointer: str, at_name: bool = False) -> int:
    """The column of what stands at ``pointer``, or of the innermost object that lacks it."""
    if at_name and pointer in columns:
        return columns[pointer].name
    for route in reversed(_pointer_prefixes(pointer)):
        if route in columns:
            return columns[route].value
    return 1
