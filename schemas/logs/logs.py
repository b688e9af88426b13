"""Logs in a file of either form, JSON Lines or the notation, told apart by how it begins."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO, Final

from schemas import notation
from schemas.wire import jsonlines
from schemas.wire.jsonlines import NOTHING_PASSED, DealLog, Passed, Unreadable
from schemas.wire.lines import CHUNK, chunks_of

_MARK: Final = b"\xef\xbb\xbf"
_LETTER: Final = 4
"""A letter has at most so many bytes."""


def read_logs(
    stream: BinaryIO | Iterable[bytes], name: str, passed: Passed = NOTHING_PASSED
) -> Iterator[DealLog | Unreadable]:
    """The logs of a file, one after the other, each as soon as the next one begins.

    ``stream`` is a binary file, or its bytes in pieces of any size; ``name`` is what problems call the
    file. What begins with a letter is the notation, anything else JSON Lines; where nothing is in it,
    the name says. ``passed`` is what of the file was read before.
    """
    beginning, chunks = begun(stream)
    empty = not beginning.strip() and name.endswith(notation.SUFFIX)
    reader = notation.read_logs if empty or in_notation(beginning) else jsonlines.read_logs
    return reader(chunks, name, passed)


def begun(stream: BinaryIO | Iterable[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """So much of a file's beginning as tells its form; and all its bytes, those too.

    That the file cannot be read is met with where its bytes are asked for, not here.
    """
    chunks = chunks_of(stream)
    parts: list[bytes] = []
    beginning = b""
    while not _told_apart(beginning):
        try:
            part = next(chunks, None)
        except OSError as error:
            return beginning, chain(parts, _broken_off(error))
        if part is None:
            break
        parts.append(part)
        beginning += part[: CHUNK - len(beginning)]
    return beginning, chain(parts, chunks)


def _broken_off(error: OSError) -> Iterator[bytes]:
    yield from ()
    raise error


def _told_apart(beginning: bytes) -> bool:
    return len(beginning) >= CHUNK or len(_first_signs(beginning)) >= _LETTER


def in_notation(beginning: bytes) -> bool:
    """Whether what begins so is the notation: with a letter. JSON begins with a brace."""
    return _first_signs(beginning)[:_LETTER].decode("utf-8", "ignore")[:1].isalpha()


def _first_signs(beginning: bytes) -> bytes:
    return beginning.removeprefix(_MARK).lstrip()
