"""JSON text from outside: parsed to a bounded depth, and what stands where in it.

Parsed values may be repeated in an answer, nested further there; the writer takes some 250 levels. So JSON
that nests too deep is refused when it is read. RFC 8259 leaves open what an object with a name twice means,
and readers differ; so that is refused too.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

import orjson

from schemas.wire.wire_faults import escape_pointer_token

MAX_JSON_DEPTH: Final = 100
"""The most levels of lists and objects inside each other; no event or ruleset needs a quarter of them."""

_find_brackets: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[{]|[\]}]', re.DOTALL).finditer
"""Strings, in which brackets mean nothing, and brackets."""
_find_tokens: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|[^\s{}\[\],:"]+').finditer
"""Names, values and the brackets around them."""
_ESCAPED_COLON: Final = b"\\u003"
"""How a text may begin to write a colon so that the body holds none."""


class JsonTooDeep(orjson.JSONDecodeError):
    """JSON that nests deeper than `MAX_JSON_DEPTH` levels; line and column are those of the first level
    too many."""


def parse_json(text: bytes) -> Any:
    """The value of a JSON text.

    Raises:
        orjson.JSONDecodeError: it is no JSON, or it nests too deep (`JsonTooDeep`), with line and column.
    """
    value = orjson.loads(text)
    if text.count(b"[") + text.count(b"{") > MAX_JSON_DEPTH:
        _require_shallow(text)
    return value


def _require_shallow(text: bytes) -> None:
    depth = 0
    for token in _find_brackets(text):
        first = text[token.start()]
        if first in b"[{":
            depth += 1
            if depth > MAX_JSON_DEPTH:
                message = f"lists and objects nest more than {MAX_JSON_DEPTH} levels deep"
                raise JsonTooDeep(message, text.decode(), len(text[: token.start()].decode()))
        elif first in b"]}":
            depth -= 1


class DuplicateName(NamedTuple):
    """A name that stands twice in one object, with the JSON Pointer of what it names."""

    name: str
    pointer: str


def find_duplicate_name(body: bytes, parsed: Any) -> DuplicateName | None:
    """The first such name of a body in JSON, which `parse_json` made ``parsed`` of; None where there is none.

    Where a member was dropped, ``parsed`` has fewer colons than the body: counting settles nearly every body.
    """
    colons = body.count(b":")
    if isinstance(parsed, dict) and colons == len(parsed):
        return None
    if colons == orjson.dumps(parsed).count(b":") and _ESCAPED_COLON not in body:
        return None
    return next(_iterate_duplicates(json.loads(body, object_pairs_hook=_Members), ""), None)


class _Members(list[tuple[str, Any]]):
    """The members of an object, including names that stand twice."""


def _iterate_duplicates(parsed: Any, pointer: str) -> Iterator[DuplicateName]:
    if isinstance(parsed, _Members):
        seen = set[str]()
        for name, _ in parsed:
            if name in seen:
                yield DuplicateName(name, _member_pointer(pointer, name))
                break
            seen.add(name)
        for name, value in dict(parsed).items():
            yield from _iterate_duplicates(value, _member_pointer(pointer, name))
    elif isinstance(parsed, list):
        for index, value in enumerate(parsed):
            yield from _iterate_duplicates(value, _member_pointer(pointer, index))


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
    """`find_nearest_column` in a text."""
    return find_nearest_column(find_pointer_columns(text, [pointer]), pointer, at_name)


def find_nearest_column(columns: dict[str, PointerColumns], pointer: str, at_name: bool = False) -> int:
    """The column of what stands at ``pointer``, or of the innermost object that lacks it."""
    if at_name and pointer in columns:
        return columns[pointer].name
    for route in reversed(_pointer_prefixes(pointer)):
        if route in columns:
            return columns[route].value
    return 1


def map_strings(value: Any, change: Callable[[str], str]) -> Any:
    """A JSON value with all its strings changed, also the names in objects.

    >>> map_strings({"a": ["b", 1]}, str.upper)
    {'A': ['B', 1]}
    """
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [map_strings(part, change) for part in value]
    if isinstance(value, dict):
        return {change(name): map_strings(part, change) for name, part in value.items()}
    return value
