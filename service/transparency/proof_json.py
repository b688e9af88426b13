"""Reading inclusion and consistency proofs: JSON objects, and where in them what is wrong."""

from __future__ import annotations

from typing import Any, TypeVar

import orjson

from schemas.wire.json_text import parse_json
from service.eventstore.merkle.tree import HASH_BYTES
from service.transparency.signed_notes import InvalidNote, SignedNote, decode_base64, parse_signed_note

Value = TypeVar("Value")


class InvalidProofFile(Exception):
    """A file that is no proof; the sentence says where in it and what was expected."""


def parse_proof_envelope(data: bytes, file_format: str) -> tuple[dict[str, Any], SignedNote, list[bytes]]:
    """The object in a file of this format, with what both formats have: a checkpoint, and hashes.

    Raises `InvalidProofFile`.
    """
    try:
        obj = parse_json(data)
    except orjson.JSONDecodeError as error:
        raise InvalidProofFile(
            f"It is not JSON: line {error.lineno}, column {error.colno}: {error.msg}."
        ) from None
    if not isinstance(obj, dict) or obj.get("format") != file_format:
        raise InvalidProofFile(f'A JSON object with "format": "{file_format}" is expected; this is none.')
    try:
        note = parse_signed_note(require_text(obj, "checkpoint", ""))
    except InvalidNote as error:
        raise InvalidProofFile(f"At /checkpoint: {error}") from None
    listed = enumerate(require_list(obj, "hashes", ""))
    return obj, note, [require_bytes(one, HASH_BYTES, f"/hashes/{number}") for number, one in listed]


def require_list(obj: Any, name: str, pointer: str) -> list[Any]:
    """The list of that name in the object at ``pointer``. Raises `InvalidProofFile`."""
    return _require(obj, name, pointer, list, "a list")


def require_text(obj: Any, name: str, pointer: str) -> str:
    """The text of that name in the object at ``pointer``. Raises `InvalidProofFile`."""
    return _require(obj, name, pointer, str, "a text")


def _require(obj: Any, name: str, pointer: str, kind: type[Value], expected: str) -> Value:
    found = obj.get(name) if isinstance(obj, dict) else None
    if not isinstance(found, kind):
        raise InvalidProofFile(f"At {pointer}/{name}: {expected} is expected there.")
    return found


def require_integer(value: Any, pointer: str, maximum: int) -> int:
    """The value, if it is a whole number from 0 to ``maximum``. Raises `InvalidProofFile`."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= maximum:
        raise InvalidProofFile(f"At {pointer}: a whole number from 0 to {maximum} is expected there.")
    return value


def require_bytes(value: Any, length: int, pointer: str) -> bytes:
    """Decode a base64 value of ``length`` bytes. Raises `InvalidProofFile`."""
    found = decode_base64(value) if isinstance(value, str) else None
    if found is None or len(found) != length:
        raise InvalidProofFile(f"At {pointer}: {length} bytes in base64 are expected there.")
    return found
