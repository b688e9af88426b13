"""A ruleset of a club's own on its way: as a line beside logs, and as an event of its store.

``{"type": "ruleset_published", "ruleset": {…}}``. It belongs to no log: whoever reads logs passes it over,
and whoever judges or stores what stands in the same file reads it first.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, BinaryIO, Final, NamedTuple

import orjson

from engine.rulesets import PUBLISHED, Book, Ruleset, rules_of
from schemas.rulesets.rulesets import read_ruleset, ruleset_object
from schemas.wire.faults import Fault, WireError, placed
from schemas.wire.json_text import read_json
from schemas.wire.jsonlines import RULESET
from schemas.wire.lines import lines_of
from schemas.wire.positions import columns_of, nearest_column

_MARK: Final = RULESET.encode()


class Misread(NamedTuple):
    """Why a line that tells a ruleset cannot be read: what a log's problem says too."""

    line: int
    column: int
    pointer: str
    read: str
    expected: str
    message: str


def published_object(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset as it is told beside logs: whole, whatever it is based on."""
    return {"type": RULESET, "ruleset": ruleset_object(ruleset)}


def is_published(obj: object) -> bool:
    """Whether an object of JSON tells a ruleset."""
    return isinstance(obj, dict) and obj.get("type") == RULESET


def read_published(obj: dict[str, Any], book: Book = PUBLISHED) -> Ruleset:
    """The ruleset that an object tells; it may be based on one of ``book``. Raises `WireError`."""
    try:
        return read_ruleset(obj.get("ruleset"), book)
    except WireError as error:
        raise WireError([_within(fault) for fault in error.faults]) from None


def _within(fault: Fault) -> Fault:
    return replace(fault, pointer=f"/ruleset{fault.pointer}")


def told_in(stream: BinaryIO | Iterable[bytes], book: Book = PUBLISHED) -> Iterator[Ruleset | Misread]:
    """The rulesets that a file of JSON Lines tells, in its order; each may be based on one before it."""
    for number, (content, _) in enumerate(lines_of(stream), 1):
        if content is None or _MARK not in content:
            continue
        try:
            obj = read_json(content)
        except orjson.JSONDecodeError:
            # A line that is no JSON is told by whoever reads the logs.
            continue
        if not is_published(obj):
            continue
        try:
            ruleset = read_published(obj, book)
        except WireError as error:
            fault = error.faults[0]
            column = nearest_column(columns_of(content.decode(), [fault.pointer]), fault.pointer)
            yield Misread(number, column, fault.pointer, fault.read, fault.expected, placed(fault))
        else:
            book = (*book, rules_of(ruleset))
            yield ruleset
