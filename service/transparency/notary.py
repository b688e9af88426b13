"""The notary: signs what the log comes to, as its events have it, and nothing that contradicts what it signed
before."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Self

from service.eventstore import EventReader, StoreDamaged, StoreError, StoreUnavailable
from service.eventstore.merkle.tiles import WIDTH, node_in
from service.eventstore.merkle.tree import HASH_BYTES
from service.eventstore.private_files import open_private, replace_private
from service.transparency.kept import leaf_lines
from service.transparency.keys import KEY_FILE, fresh_signer, keys_in
from service.transparency.notes import Checkpoint, NotANote, Note, Signer, Verifier, read_note, signed
from service.transparency.recomputing import root_before, root_from_events

TOLD_FILE: Final = "checkpoint.txt"
LEAVES_FILE: Final = "checkpoint.leaves"
"""Holds the leaf hashes of what was told, 32 bytes each: a copy that no SQL reaches."""


class Notary:
    """Signs the checkpoints of one store.

    The newest one that was told stands in the file ``checkpoint.txt`` of ``folder`` with its leaf hashes
    beside it, or only in memory where that is None.
    """

    def __init__(self, signers: Sequence[Signer], folder: Path | None = None) -> None:
        self._signers = tuple(signers)
        self._folder = folder
        self._told: Note | None = None
        self._mutex = threading.Lock()

    @classmethod
    def in_folder(cls, folder: Path, key: Path | None = None) -> Self:
        """The notary whose newest checkpoint lies in a data folder, and whose key there or in a file ``key``.

        Raises `KeyUnusable`.
        """
        return cls(keys_in(key or folder / KEY_FILE), folder)

    @classmethod
    def in_memory(cls) -> Self:
        """A notary with a key that is gone when the program ends."""
        return cls([fresh_signer()])

    @property
    def verifiers(self) -> list[Verifier]:
        """The public halves of the keys."""
        return [signer.verifier for signer in self._signers]

    def checkpoint(self, store: EventReader, size: int | None = None) -> Note:
        """The checkpoint of the log's first ``size`` leaves; of all that there are, unless told otherwise.

        The events behind the newest checkpoint that was signed are read, and the root is made of what they
        say. Raises `ValueError` where there are not so many, `StoreDamaged` where the log is not the one that
        was signed before, or an event or a stored hash is damaged, `StoreUnavailable` where it cannot be
        noted that this was told.
        """
        with self._mutex:
            head = store.head()
            told = self._newest()
            if told is not None:
                _require_all_there(head, told.checkpoint)
            if size is not None and size > head:
                raise ValueError(f"The log has {head} events, not {size}.")
            note = self._signed(store, told, head if size is None else size)
            if told is None or note.checkpoint.size > told.checkpoint.size:
                self._keep(note, store, anew=told is None)
            return note

    def complaint(self, store: EventReader) -> str | None:
        """Why no checkpoint of this store would be signed, if none would: a few sentences for its owner."""
        try:
            told = self._newest()
            if told is not None:
                _require_all_there(store.head(), told.checkpoint)
                root_from_events(store, told.checkpoint, told.checkpoint.size)
        except StoreError as error:
            return f"No checkpoint is signed: {error}"
        return None

    def to_keep(self, store: EventReader, with_leaves: bool) -> Iterator[str]:
        """The present checkpoint, and if wanted its leaf hashes, as a file that is kept elsewhere has them.

        Raises as `checkpoint` does.
        """
        note = self.checkpoint(store)
        yield str(note)
        if with_leaves:
            yield "\n"
            yield from leaf_lines(0, leaves_of(store, 0, note.checkpoint.size))

    def _signed(self, store: EventReader, told: Note | None, size: int) -> Note:
        known = None if told is None else told.checkpoint
        if known is not None and size < known.size:
            root = root_before(node_in(store.tile), size, known)
        else:
            root = root_from_events(store, known, size)
        return signed(Checkpoint(self._signers[0].name, size, root), self._signers)

    def _newest(self) -> Note | None:
        if self._folder is None:
            return self._told
        path = self._folder / TOLD_FILE
        try:
            return read_note(path.read_text("utf-8"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreUnavailable(
                f"The newest checkpoint, {path}, cannot be read: {error.strerror or error}."
            ) from error
        except (UnicodeDecodeError, NotANote) as error:
            raise StoreDamaged(
                f"The newest checkpoint, {path}, is damaged. Put it back from a backup; if there is "
                f"none, run spadille verify with a checkpoint kept elsewhere, then remove the file."
            ) from error

    def _keep(self, note: Note, store: EventReader, anew: bool) -> None:
        self._told = note
        if self._folder is None:
            return
        try:
            _add_leaves(self._folder / LEAVES_FILE, store, note.checkpoint.size, anew)
            replace_private(self._folder / TOLD_FILE, str(note))
        except OSError as error:
            raise StoreUnavailable(
                f"The checkpoint cannot be written into {self._folder}: {error.strerror or error}. "
                f"Make room, or see that this user may write there."
            ) from error


def _add_leaves(path: Path, store: EventReader, size: int, anew: bool) -> None:
    """Write the leaf hashes that are not in the file yet, or all of them.

    Each has its place: two processes that do it at once write the same bytes there.
    """
    with os.fdopen(open_private(path), "r+b") as file:
        there = 0 if anew else file.seek(0, os.SEEK_END) // HASH_BYTES
        file.seek(there * HASH_BYTES)
        for leaf in leaves_of(store, there, size):
            file.write(leaf)
        if anew:
            file.truncate()
        file.flush()
        os.fsync(file.fileno())


def leaves_of(store: EventReader, start: int, stop: int) -> Iterator[bytes]:
    """The leaf hashes from index ``start`` up to ``stop``, a tile at a time."""
    for number in range(start // WIDTH, (stop + WIDTH - 1) // WIDTH):
        first = number * WIDTH
        yield from store.tile(0, number)[max(0, start - first) : stop - first]


def _require_all_there(head: int, told: Checkpoint) -> None:
    """Raise `StoreDamaged` where the log has fewer events than the checkpoint is of."""
    if told.size > head:
        raise StoreDamaged(
            f"A checkpoint of {told.size} events was signed, and the store has {head}. If an older backup "
            f"was put in its place on purpose, remove {TOLD_FILE} beside it, and tell those who keep "
            f"checkpoints. Else run spadille verify."
        )
