"""What was wrong with a request, in the form of problem details (RFC 9457): pointer and sentence.

Marshmallow nests its messages as the data nests; the event reader has a flat list of faults. Both become the
same list here.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypedDict

from marshmallow import ValidationError
from marshmallow.exceptions import SCHEMA

from schemas.wire.wire_faults import WireError, escape_pointer_token


class ProblemError(TypedDict):
    """One member of a problem's ``errors``: where (a JSON Pointer) and what to do about it."""

    pointer: str
    detail: str


def build_problem_errors(error: ValidationError | WireError) -> list[ProblemError]:
    """The ``errors`` of a problem body for what a schema or the fast reader found."""
    if isinstance(error, WireError):
        return [{"pointer": fault.pointer, "detail": fault.advice} for fault in error.faults]
    return flatten_messages(error.messages)


def flatten_messages(messages: Any) -> list[ProblemError]:
    """Marshmallow's nested messages as a flat list.

    ``messages`` is what ``ValidationError.messages`` holds: lists of sentences in dictionaries by
    field or index. What concerns an object as a whole stands under ``_schema`` there and gets the
    pointer of the object here.
    """
    return [{"pointer": pointer, "detail": str(detail)} for pointer, detail in _walk(messages, "")]


def _walk(messages: Any, pointer: str) -> Iterator[tuple[str, object]]:
    if isinstance(messages, Mapping):
        for key, value in messages.items():
            yield from _walk(value, pointer if key == SCHEMA else f"{pointer}/{escape_pointer_token(key)}")
    elif isinstance(messages, list | tuple):
        for value in messages:
            yield from _walk(value, pointer)
    else:
        yield pointer, messages
