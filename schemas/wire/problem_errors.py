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
    return list(_flatten_messages(error.messages, ""))


def _flatten_messages(messages: Any, pointer: str) -> Iterator[ProblemError]:
    """Marshmallow's nested messages as a flat list; those under ``_schema`` concern the object as a whole."""
    if isinstance(messages, Mapping):
        for key, value in messages.items():
            at = pointer if key == SCHEMA else f"{pointer}/{escape_pointer_token(key)}"
            yield from _flatten_messages(value, at)
    elif isinstance(messages, list | tuple):
        for value in messages:
            yield from _flatten_messages(value, pointer)
    else:
        yield {"pointer": pointer, "detail": str(messages)}
