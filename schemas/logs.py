"""Logs in a file of either form, JSON Lines or the notation, told apart by how it begins."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO, Final

from schemas import jsonlines, notation
from schemas.jsonlines import DealLog, Unreadable
from schemas.lines import CHUNK, chunks_of

_MARK: Final = b"\xef\xbb\xbf"


def read_logs(stream: BinaryIO | Iterable[bytes], name: str) -> Iterator[DealLog | Unreadable]:
    """The logs of a file, one after the other, each as soon as the next one begins.

    ``stream`` is a binary file, or its bytes in pieces of any size; ``name`` is what problems call the
    file. What begins with a letter is the notation, anything else JSON Lines.
    """
    pieces = chunks_of(stream)
    begun: list[bytes] = []
    for piece in pieces:
        begun.append(piece)
        if _told_apart(b"".join(begun)):
            break
    reader = notation.read_logs if in_notation(b"".join(begun)) else jsonlines.read_logs
    return reader(chain(begun, pieces), name)


def _told_apart(beginning: bytes) -> bool:
    return len(beginning) > CHUNK or bool(beginning.removeprefix(_MARK).strip())


def in_notation(beginning: bytes) -> bool:
    """Whether what begins so is the notation: with a letter. JSON begins with a brace."""
    first = beginning.removeprefix(_MARK).lstrip()[:4]
    return first.decode("utf-8", "ignore")[:1].isalpha()
