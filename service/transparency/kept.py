"""What somebody keeps elsewhere: signed checkpoints, and the leaf hashes by which a change can be named.

A file of one checkpoint is a signed note. Notes may follow one another, and after them lists of leaf hashes:
``leaves N`` and then each hash from the leaf N (from 0) on, in base64, a line each; an empty line parts what
follows from what went before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from service.eventstore.merkle.tree import HASH_BYTES
from service.transparency.notes import NotANote, Note, Verifier, decoded, encoded, read_note

MOST_BYTES: Final = 1 << 30
"""No file of kept checkpoints is as long as this."""
_LEAVES: Final = "leaves "


class Kept(NamedTuple):
    """Checkpoints, the smallest first, and leaf hashes from the first leaf on, as far as they are known."""

    notes: tuple[Note, ...]
    leaves: Sequence[bytes] = ()

    def unsigned(self, verifiers: Iterable[Verifier]) -> list[Note]:
        """The checkpoints that none of these keys has signed."""
        keys = list(verifiers)
        return [note for note in self.notes if not any(key.has_signed(note) for key in keys)]


def leaf_lines(first: int, leaves: Iterable[bytes]) -> Iterator[str]:
    """Leaf hashes from the leaf ``first`` on, as such a file has them."""
    yield f"{_LEAVES}{first}\n"
    for leaf in leaves:
        yield f"{encoded(leaf)}\n"


def read_kept(text: str) -> Kept:
    """What such a file holds. Raises `NotANote`."""
    notes: list[Note] = []
    leaves: list[bytes] = []
    said: str | None = None
    for block in _blocks(text):
        if said is not None:
            notes.append(read_note(f"{said}\n{block}"))
            said = None
        elif block.startswith(_LEAVES):
            _add_leaves(leaves, block)
        else:
            said = block
    if said is not None or not notes:
        raise NotANote(
            "There is no whole checkpoint in it: three lines, an empty line, and a signature are expected."
        )
    if len({note.checkpoint.origin for note in notes}) > 1:
        raise NotANote("It holds checkpoints of several logs; keep those of each log in a file of their own.")
    return Kept(tuple(sorted(notes, key=lambda note: note.checkpoint.size)), tuple(leaves))


def _blocks(text: str) -> Iterator[str]:
    """The parts between empty lines, each with the end of its last line."""
    for block in text.replace("\r\n", "\n").split("\n\n"):
        if kept := block.strip("\n"):
            yield f"{kept}\n"


def _add_leaves(leaves: list[bytes], block: str) -> None:
    head, *lines = block.splitlines()
    first = head.removeprefix(_LEAVES)
    if not (first.isascii() and first.isdigit() and len(first) < 19 and int(first) <= len(leaves)):
        raise NotANote(
            f"A list of leaf hashes goes on where the one before it ends, at {len(leaves)}, "
            f"not at {first[:40]!r}."
        )
    hashes = [decoded(line) for line in lines]
    for number, one in enumerate(hashes):
        if one is None or len(one) != HASH_BYTES:
            raise NotANote(f"A leaf hash is 32 bytes in base64, not {lines[number][:60]!r}.")
    leaves[int(first) :] = [one for one in hashes if one is not None]
