"""In which column of a line the value stands that a JSON Pointer leads to.

Only needed when there is something to complain of, so the line is walked a second time then.
"""

import json
import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from schemas.wire.wire_faults import escape_pointer_token

_find_tokens: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|[^\s{}\[\],:"]+').finditer
"""Names, values and the brackets around them."""


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
    tokens = _find_tokens(text)

    def walk_value(token: re.Match[str], pointer: str | None, name_column: int | None = None) -> None:
        """Walks the value that begins at ``token``; ``pointer`` is None off every route."""
        column = token.start() + 1
        if pointer is not None and pointer in routes:
            found[pointer] = PointerColumns(column, name_column or column)
        else:
            pointer = None
        if token[0] == "{":
            while (name := next(tokens))[0] != "}":
                member = None if pointer is None else _member_pointer(pointer, json.loads(name[0]))
                walk_value(next(tokens), member, name.start() + 1)
        elif token[0] == "[":
            index = 0
            while (item := next(tokens))[0] != "]":
                walk_value(item, None if pointer is None else _member_pointer(pointer, index))
                index += 1

    walk_value(next(tokens), "")
    return found


def _member_pointer(pointer: str, token: str | int) -> str:
    return f"{pointer}/{escape_pointer_token(token)}"


def _pointer_prefixes(pointer: str) -> list[str]:
    """A pointer and every pointer on the way to it, from the whole document."""
    steps = pointer.split("/")
    return ["/".join(steps[:length]) for length in range(1, len(steps) + 1)]


def find_column(text: str, pointer: str, at_name: bool = False) -> int:
    """The column of what stands at ``pointer``, or of the innermost object that lacks it."""
    return find_nearest_column(find_pointer_columns(text, [pointer]), pointer, at_name)


def find_nearest_column(columns: dict[str, PointerColumns], pointer: str, at_name: bool = False) -> int:
    """The column of what stands at ``pointer``, or of the innermost object that lacks it."""
    if at_name and pointer in columns:
        return columns[pointer].name
    for route in reversed(_pointer_prefixes(pointer)):
        if route in columns:
            return columns[route].value
    return 1
