"""A ruleset of a club's own on its way: as a line beside logs, and as an event of its store.

``{"type": "ruleset_published", "ruleset": {…}}``. It belongs to no log: whoever reads logs passes it over,
and whoever judges or stores what stands in the same file reads it first.
"""

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final, NamedTuple

import orjson

from engine.rulesets import PUBLISHED_RULESETS, Ruleset, RulesetBook, compile_ruleset
from schemas.rulesets.ruleset_json import read_ruleset, ruleset_object
from schemas.wire.json_text import find_column, parse_json
from schemas.wire.jsonlines import RULESET_PUBLISHED_TYPE
from schemas.wire.line_reader import iterate_lines
from schemas.wire.wire_faults import WireError, format_fault

_TYPE_BYTES: Final = RULESET_PUBLISHED_TYPE.encode()


class RulesetProblem(NamedTuple):
    """Why a line that tells a ruleset cannot be read: what a log's problem says too."""

    line: int
    column: int
    pointer: str
    read: str
    expected: str
    message: str


def published_ruleset_object(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset as it is told beside logs: whole, whatever it is based on."""
    return {"type": RULESET_PUBLISHED_TYPE, "ruleset": ruleset_object(ruleset)}


def is_published_ruleset(obj: object) -> bool:
    """Whether an object of JSON tells a ruleset."""
    return isinstance(obj, dict) and obj.get("type") == RULESET_PUBLISHED_TYPE


def read_published_ruleset(obj: dict[str, Any], book: RulesetBook = PUBLISHED_RULESETS) -> Ruleset:
    """The ruleset that an object tells; it may be based on one of ``book``. Raises `WireError`."""
    try:
        return read_ruleset(obj.get("ruleset"), book)
    except WireError as error:
        raise WireError(error.prefixed_faults("ruleset")) from None


def read_published_rulesets(
    stream: BinaryIO | Iterable[bytes], book: RulesetBook = PUBLISHED_RULESETS
) -> Iterator[Ruleset | RulesetProblem]:
    """The rulesets that a file of JSON Lines tells, in its order; each may be based on one before it."""
    for number, (content, _) in enumerate(iterate_lines(stream), 1):
        if content is None or _TYPE_BYTES not in content:
            continue
        try:
            obj = parse_json(content)
        except orjson.JSONDecodeError:
            # A line that is no JSON is told by whoever reads the logs.
            continue
        if not is_published_ruleset(obj):
            continue
        try:
            ruleset = read_published_ruleset(obj, book)
        except WireError as error:
            fault = error.faults[0]
            column = find_column(content.decode(), fault.pointer)
            yield RulesetProblem(
                number, column, fault.pointer, fault.read, fault.expected, format_fault(fault)
            )
        else:
            book = (*book, compile_ruleset(ruleset))
            yield ruleset
