"""Names that stand twice in one object of JSON: which of the two is meant, nobody can say.

RFC 8259 leaves it to the reader what such an object says, and readers differ; so it is refused.
"""

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import orjson

from schemas.wire.faults import escaped

_ESCAPED_COLON: Final = b"\\u003"
"""How a colon may be written in a text so that it is none in the body, or the beginning of that."""


class Doubled(NamedTuple):
    """A name that stands twice in one object, with the JSON Pointer of what it names."""

    name: str
    pointer: str


def doubled_name(body: bytes, read: Any) -> Doubled | None:
    """The first such name of a body in JSON, from which `read_json` made ``read``; None where there is none.

    What was read has fewer colons than the body where a name and what it names were dropped, so that
    nearly every body is told by counting.
    """
    colons = body.count(b":")
    if isinstance(read, dict) and colons == len(read):
        return None
    if colons == orjson.dumps(read).count(b":") and _ESCAPED_COLON not in body:
        return None
    return next(_found(json.loads(body, object_pairs_hook=_object), ()), None)


class _Object(dict[str, Any]):
    """An object in which a name stands twice."""

    name: str


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = _Object(pairs)
    if len(made) == len(pairs):
        return dict(made)
    seen = set[str]()
    for name, _ in pairs:
        if name in seen:
            made.name = name
            break
        seen.add(name)
    return made


def _found(read: Any, path: tuple[str | int, ...]) -> Iterator[Doubled]:
    if isinstance(read, _Object):
        yield Doubled(read.name, "".join(f"/{escaped(one)}" for one in (*path, read.name)))
    if isinstance(read, dict):
        for name, value in read.items():
            yield from _found(value, (*path, name))
    elif isinstance(read, list):
        for index, value in enumerate(read):
            yield from _found(value, (*path, index))
