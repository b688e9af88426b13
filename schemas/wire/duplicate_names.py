"""Names that stand twice in one object of JSON: which of the two is meant, nobody can say.

RFC 8259 leaves it to the reader what such an object says, and readers differ; so it is refused.
"""

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import orjson

from schemas.wire.wire_faults import escape_pointer_token

_ESCAPED_COLON: Final = b"\\u003"
"""How a colon may be written in a text so that it is none in the body, or the beginning of that."""


class DuplicateName(NamedTuple):
    """A name that stands twice in one object, with the JSON Pointer of what it names."""

    name: str
    pointer: str


def find_duplicate_name(body: bytes, parsed: Any) -> DuplicateName | None:
    """The first such name of a body in JSON; None where there is none.

    ``parsed`` is what `schemas.wire.json_parser.parse_json` made of it.

    What was read has fewer colons than the body where a name and what it names were dropped, so that
    nearly every body is told by counting.
    """
    colons = body.count(b":")
    if isinstance(parsed, dict) and colons == len(parsed):
        return None
    if colons == orjson.dumps(parsed).count(b":") and _ESCAPED_COLON not in body:
        return None
    return next(_iterate_duplicates(json.loads(body, object_pairs_hook=_build_object), ()), None)


class _ObjectWithDuplicate(dict[str, Any]):
    """An object in which a name stands twice."""

    name: str


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    obj = _ObjectWithDuplicate(pairs)
    if len(obj) == len(pairs):
        return dict(obj)
    seen = set[str]()
    for name, _ in pairs:
        if name in seen:
            obj.name = name
            break
        seen.add(name)
    return obj


def _iterate_duplicates(parsed: Any, path: tuple[str | int, ...]) -> Iterator[DuplicateName]:
    if isinstance(parsed, _ObjectWithDuplicate):
        yield DuplicateName(
            parsed.name, "".join(f"/{escape_pointer_token(one)}" for one in (*path, parsed.name))
        )
    if isinstance(parsed, dict):
        for name, value in parsed.items():
            yield from _iterate_duplicates(value, (*path, name))
    elif isinstance(parsed, list):
        for index, value in enumerate(parsed):
            yield from _iterate_duplicates(value, (*path, index))
