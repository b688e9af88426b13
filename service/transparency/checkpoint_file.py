"""Files to keep elsewhere: signed checkpoints, and leaf hashes that show which event was changed.

A file has one or more signed notes and then lists of leaf hashes: ``leaves N`` and the hashes from leaf N
(from 0) on, in base64, one a line. Empty lines separate the parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from service.eventstore.merkle.tree import HASH_BYTES
from service.transparency.signed_notes import (
    Checkpoint,
    InvalidNote,
    SignedNote,
    Verifier,
    decode_base64,
    encode_base64,
    parse_signed_note,
)
from service.transparency.verification_result import IntegrityFault

MAX_CHECKPOINT_FILE_BYTES: Final = 1 << 30
_LEAVES_HEADER: Final = "leaves "


class SavedCheckpoints(NamedTuple):
    """Checkpoints, the smallest first, and the known leaf hashes from the first leaf on."""

    notes: tuple[SignedNote, ...]
    leaf_hashes: Sequence[bytes] = ()

    def find_checkpoints(self, size: int) -> list[Checkpoint]:
        """The checkpoints of that size."""
        return [note.checkpoint for note in self.notes if note.checkpoint.size == size]

    def unknown_size_fault(self, code: str, size: int) -> IntegrityFault:
        """The fault that no checkpoint has that size, with the sizes that there are."""
        kept = ", ".join(str(note.checkpoint.size) for note in self.notes[-5:])
        return IntegrityFault("checkpoint", code, details={"size": size, "kept": kept})

    def find_unsigned(self, verifiers: Iterable[Verifier]) -> list[SignedNote]:
        """The checkpoints without a valid signature by any of these keys."""
        keys = list(verifiers)
        return [note for note in self.notes if not any(key.has_signed(note) for key in keys)]


def format_leaf_lines(first: int, leaf_hashes: Iterable[bytes]) -> Iterator[str]:
    """Leaf hashes from the leaf ``first`` on, as lines of such a file."""
    yield f"{_LEAVES_HEADER}{first}\n"
    for leaf in leaf_hashes:
        yield f"{encode_base64(leaf)}\n"


def parse_checkpoint_file(text: str) -> SavedCheckpoints:
    """Parse such a file. Raises `InvalidNote`."""
    notes: list[SignedNote] = []
    leaves: list[bytes] = []
    body: str | None = None
    for block in _split_blocks(text):
        if body is not None:
            notes.append(parse_signed_note(f"{body}\n{block}"))
            body = None
        elif block.startswith(_LEAVES_HEADER):
            _parse_leaf_block(leaves, block)
        else:
            body = block
    if body is not None or not notes:
        raise InvalidNote("The file has no complete checkpoint: three lines, an empty line and a signature.")
    if len({note.checkpoint.origin for note in notes}) > 1:
        raise InvalidNote(
            "The file has checkpoints of several logs; keep each log's checkpoints in their own file."
        )
    return SavedCheckpoints(tuple(sorted(notes, key=lambda note: note.checkpoint.size)), tuple(leaves))


def _split_blocks(text: str) -> Iterator[str]:
    """The parts between empty lines, each with a line end."""
    for block in text.replace("\r\n", "\n").split("\n\n"):
        if stripped := block.strip("\n"):
            yield f"{stripped}\n"


def _parse_leaf_block(leaf_hashes: list[bytes], block: str) -> None:
    head, *lines = block.splitlines()
    first = head.removeprefix(_LEAVES_HEADER)
    if not (first.isascii() and first.isdigit() and len(first) < 19 and int(first) <= len(leaf_hashes)):
        raise InvalidNote(
            f"A list of leaf hashes continues where the last one ends, at {len(leaf_hashes)}, not at "
            f"{first[:40]!r}."
        )
    del leaf_hashes[int(first) :]
    for line in lines:
        leaf = decode_base64(line)
        if leaf is None or len(leaf) != HASH_BYTES:
            raise InvalidNote(f"A leaf hash is 32 bytes in base64, not {line[:60]!r}.")
        leaf_hashes.append(leaf)
