"""Logs in a file, JSON Lines or the notation."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO, Final

from schemas import notation
from schemas.wire import jsonlines
from schemas.wire.jsonlines import ParsedLog, UnreadableLog
from schemas.wire.line_reader import CHUNK_BYTES, iterate_chunks

_UTF8_MARK: Final = b"\xef\xbb\xbf"
_MAX_LETTER_BYTES: Final = 4
"""The most bytes of a letter in UTF-8."""


def read_log_file(stream: BinaryIO | Iterable[bytes], name: str) -> Iterator[ParsedLog | UnreadableLog]:
    """The logs of a file, one after the other, each as soon as the next one begins.

    ``stream`` is a binary file, or its bytes in pieces of any size; ``name`` is what problems call the
    file. What begins with a letter is the notation, anything else JSON Lines; where nothing is in it,
    the name says.
    """
    chunks = iterate_chunks(stream)
    beginning = b""
    while len(beginning) < CHUNK_BYTES and len(_strip_mark_and_space(beginning)) < _MAX_LETTER_BYTES:
        chunk = next(chunks, None)
        if chunk is None:
            break
        beginning += chunk
    text = _strip_mark_and_space(beginning[:CHUNK_BYTES])
    is_empty = not beginning.strip() and name.endswith(notation.NOTATION_SUFFIX)
    if is_empty or text[:_MAX_LETTER_BYTES].decode("utf-8", "ignore")[:1].isalpha():
        yield from notation.read_notation_logs(chain((beginning,), chunks), name)
    else:
        yield from jsonlines.read_json_lines_logs(chain((beginning,), chunks), name)


def _strip_mark_and_space(beginning: bytes) -> bytes:
    return beginning.removeprefix(_UTF8_MARK).lstrip()
