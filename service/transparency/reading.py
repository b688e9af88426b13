"""Reading the files of evidence, proof and consistency: JSON objects, and where in them what is amiss."""

from __future__ import annotations

from typing import Any

import orjson

from schemas.wire.json_text import read_json
from service.eventstore.merkle.tree import HASH_BYTES
from service.transparency.notes import NotANote, Note, decoded, read_note


class NotAProof(Exception):
    """A file that is no proof; the sentence says where in it and what was expected."""


def opened(data: bytes, file_format: str) -> tuple[dict[str, Any], Note, list[bytes]]:
    """The object in a file of this format, with what both formats have: a checkpoint, and hashes.

    Raises `NotAProof`.
    """
    try:
        obj = read_json(data)
    except orjson.JSONDecodeError as error:
        raise NotAProof(f"It is not JSON: line {error.lineno}, column {error.colno}: {error.msg}.") from None
    if not isinstance(obj, dict) or obj.get("format") != file_format:
        raise NotAProof(f'A JSON object with "format": "{file_format}" is expected; this is none.')
    try:
        note = read_note(text_at(obj, "checkpoint", ""))
    except NotANote as error:
        raise NotAProof(f"At /checkpoint: {error}") from None
    listed = enumerate(list_at(obj, "hashes", ""))
    return obj, note, [bytes_at(one, HASH_BYTES, f"/hashes/{number}") for number, one in listed]


def list_at(obj: Any, name: str, at: str) -> list[Any]:
    """The list of that name in the object at ``at``. Raises `NotAProof`."""
    found = obj.get(name) if isinstance(obj, dict) else None
    if not isinstance(found, list):
        raise NotAProof(f"At {at}/{name}: a list is expected there.")
    return found


def text_at(obj: Any, name: str, at: str) -> str:
    """The text of that name in the object at ``at``. Raises `NotAProof`."""
    found = obj.get(name) if isinstance(obj, dict) else None
    if not isinstance(found, str):
        raise NotAProof(f"At {at}/{name}: a text is expected there.")
    return found


def whole_at(value: Any, at: str, most: int) -> int:
    """The value, if it is a whole number from 0 to ``most``. Raises `NotAProof`."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise NotAProof(f"At {at}: a whole number from 0 to {most} is expected there.")
    return value


def bytes_at(value: Any, length: int, at: str) -> bytes:
    """The bytes that the value says in base64, so many. Raises `NotAProof`."""
    found = decoded(value) if isinstance(value, str) else None
    if found is None or len(found) != length:
        raise NotAProof(f"At {at}: {length} bytes in base64 are expected there.")
    return found
