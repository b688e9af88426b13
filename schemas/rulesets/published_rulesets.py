"""A club's own ruleset as a line between logs, and as an event of its store.

``{"type": "ruleset_published", "ruleset": {…}}``. It belongs to no log: readers of logs skip it, and what
judges or stores the logs of a file reads its rulesets first.
"""

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final

import orjson

from engine.rulesets import PUBLISHED_RULESETS, Ruleset, RulesetBook, compile_ruleset
from schemas.rulesets.ruleset_json import read_ruleset, ruleset_object
from schemas.wire.json_text import find_column, parse_json
from schemas.wire.jsonlines import RULESET_PUBLISHED_TYPE, LineProblem
from schemas.wire.line_reader import iterate_lines
from schemas.wire.wire_faults import WireError, format_fault

_TYPE_BYTES: Final = RULESET_PUBLISHED_TYPE.encode()


def published_ruleset_object(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset as a line between logs: whole, whatever it is based on."""
    return {"type": RULESET_PUBLISHED_TYPE, "ruleset": ruleset_object(ruleset)}


def is_published_ruleset(obj: object) -> bool:
    """Whether a JSON object publishes a ruleset."""
    return isinstance(obj, dict) and obj.get("type") == RULESET_PUBLISHED_TYPE


def read_published_ruleset(obj: dict[str, Any], book: RulesetBook = PUBLISHED_RULESETS) -> Ruleset:
    """The ruleset that an object publishes; it may be based on one of ``book``. Raises `WireError`."""
    try:
        return read_ruleset(obj.get("ruleset"), book)
    except WireError as error:
        raise WireError(error.prefixed_faults("ruleset")) from None


def read_published_rulesets(
    stream: BinaryIO | Iterable[bytes], name: str, book: RulesetBook
) -> Iterator[Ruleset | LineProblem]:
    """The rulesets in a file of JSON Lines, in its order; each may be based on one before it.

    ``name`` is what problems call the file.
    """
    for number, (content, _) in enumerate(iterate_lines(stream), 1):
        if content is None or _TYPE_BYTES not in content:
            continue
        try:
            obj = parse_json(content)
        except orjson.JSONDecodeError:
            continue  # The reader of the logs reports it.
        if not is_published_ruleset(obj):
            continue
        try:
            ruleset = read_published_ruleset(obj, book)
        except WireError as error:
            fault = error.faults[0]
            column = find_column(content.decode(), fault.pointer)
            yield LineProblem(
                name, number, column, fault.pointer, fault.read, fault.expected, format_fault(fault)
            )
        else:
            book = (*book, compile_ruleset(ruleset))
            yield ruleset
