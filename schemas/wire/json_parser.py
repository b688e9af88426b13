"""JSON from outside, read with a bound on how deep it nests.

What is read may be told in an answer, nested further there; the writer takes some 250 levels, the reader a
thousand. So JSON that nests too deep is refused where it is read, like any other text that is no JSON here.
"""

import re
from typing import Any, Final

import orjson

MAX_JSON_DEPTH: Final = 100
"""The most levels of lists and objects inside each other; no event or ruleset needs a quarter of them."""

_TOKENS: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[{]|[\]}]', re.DOTALL)
"""Strings, in which brackets mean nothing, and brackets."""


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
    for token in _TOKENS.finditer(text):
        first = text[token.start()]
        if first in b"[{":
            depth += 1
            if depth > MAX_JSON_DEPTH:
                message = f"lists and objects nest more than {MAX_JSON_DEPTH} levels deep"
                raise JsonTooDeep(message, text.decode(), len(text[: token.start()].decode()))
        elif first in b"]}":
            depth -= 1
