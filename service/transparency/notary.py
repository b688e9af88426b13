"""The notary: signs checkpoints of the log that follow from its events and continue earlier checkpoints.

A store has hashes, so that a root is found without reading all events. A flipped bit in one gives a wrong
root. So before a root is signed, the hashes after the last checkpoint are compared with the events, and those
before it have to give its root.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, Self

from service.eventstore import EventReader, StoreDamaged, StoreError, StoreUnavailable
from service.eventstore.merkle.leaves import ABSENT_LEAF_HASH
from service.eventstore.merkle.tiles import TILE_WIDTH, node_reader_from_tiles
from service.eventstore.merkle.tree import (
    EMPTY_ROOT,
    HASH_BYTES,
    consistency_proof,
    is_consistent,
    root_hash,
    root_of_leaves,
)
from service.eventstore.private_files import open_private_file, replace_private_file
from service.eventstore.store_factory import require_postgres_driver
from service.transparency.checkpoint_file import format_leaf_lines
from service.transparency.signed_notes import (
    Checkpoint,
    InvalidNote,
    SignedNote,
    Signer,
    Verifier,
    build_signed_note,
    parse_signed_note,
)
from service.transparency.signing_keys import KEY_FILE_NAME, generate_log_signer, load_or_create_signers

CHECKPOINT_FILE_NAME: Final = "checkpoint.txt"
LEAVES_FILE_NAME: Final = "checkpoint.leaves"
"""The leaf hashes up to the newest checkpoint, 32 bytes each: a copy outside the database."""


class Notary:
    """Signs the checkpoints of one store; the newest is in files of ``folder``, or only in memory."""

    def __init__(self, signers: Sequence[Signer], folder: Path | None = None) -> None:
        self._signers = tuple(signers)
        self._folder = folder
        self._newest_note: SignedNote | None = None
        self._mutex = threading.Lock()

    @classmethod
    def in_memory(cls) -> Self:
        """A notary with a key that is never stored."""
        return cls([generate_log_signer()])

    @property
    def verifiers(self) -> list[Verifier]:
        """The public halves of the keys."""
        return [signer.verifier for signer in self._signers]

    def sign_checkpoint(self, store: EventReader, size: int | None = None) -> SignedNote:
        """The signed checkpoint of the log's first ``size`` leaves, or of all.

        Raises `ValueError` if there are fewer, `StoreDamaged` if the log does not continue the newest
        checkpoint or an event or stored hash is damaged, `StoreUnavailable` if the files cannot be written.
        """
        with self._mutex:
            head = store.head()
            newest = self._read_newest_note()
            if newest is not None:
                _require_not_truncated(head, newest.checkpoint)
            if size is not None and size > head:
                raise ValueError(f"The log has {head} events, not {size}.")
            note = self._build_note(store, newest, head if size is None else size)
            if newest is None or note.checkpoint.size > newest.checkpoint.size:
                self._save_note(note, store, replace_leaves=newest is None)
            return note

    def find_signing_obstacle(self, store: EventReader) -> str | None:
        """Why no checkpoint of this store can be signed, for its owner; None if one can."""
        try:
            newest = self._read_newest_note()
            if newest is not None:
                _require_not_truncated(store.head(), newest.checkpoint)
                compute_verified_root(store, newest.checkpoint, newest.checkpoint.size)
        except StoreError as error:
            return f"Spadille cannot sign a checkpoint: {error}"
        return None

    def format_checkpoint_file(self, store: EventReader, with_leaves: bool) -> Iterator[str]:
        """The current checkpoint as a file to keep elsewhere. Raises as `sign_checkpoint` does."""
        note = self.sign_checkpoint(store)
        yield str(note)
        if with_leaves:
            yield "\n"
            yield from format_leaf_lines(0, iterate_leaf_hashes(store, 0, note.checkpoint.size))

    def _build_note(self, store: EventReader, newest: SignedNote | None, size: int) -> SignedNote:
        root = compute_verified_root(store, newest.checkpoint if newest else None, size)
        return build_signed_note(Checkpoint(self._signers[0].name, size, root), self._signers)

    def _read_newest_note(self) -> SignedNote | None:
        if self._folder is None:
            return self._newest_note
        path = self._folder / CHECKPOINT_FILE_NAME
        try:
            return parse_signed_note(path.read_text("utf-8"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreUnavailable(
                f"The newest checkpoint, {path}, cannot be read: {error.strerror or error}."
            ) from error
        except (UnicodeDecodeError, InvalidNote) as error:
            raise StoreDamaged(
                f"The newest checkpoint, {path}, is damaged. Restore it from a backup. If there is none, "
                "run spadille verify with a checkpoint that you kept elsewhere, then remove the file."
            ) from error

    def _save_note(self, note: SignedNote, store: EventReader, replace_leaves: bool) -> None:
        self._newest_note = note
        if self._folder is None:
            return
        try:
            _write_leaf_hashes(self._folder / LEAVES_FILE_NAME, store, note.checkpoint.size, replace_leaves)
            replace_private_file(self._folder / CHECKPOINT_FILE_NAME, str(note))
        except OSError as error:
            raise StoreUnavailable(
                f"The checkpoint cannot be written into {self._folder}: {error.strerror or error}. Free "
                "disk space, or let this user write there."
            ) from error


def open_notary(folder: Path, key_path: Path | None = None, store_address: str | None = None) -> Notary:
    """The notary with its newest checkpoint in ``folder`` and its key there or in the file ``key_path``.

    With the ``store_address`` of a store on PostgreSQL its keys have to be those of all nodes. Raises
    `KeyUnusable`, or `StoreUnavailable` if the database cannot be asked.
    """
    path = key_path or folder / KEY_FILE_NAME
    if store_address is None:
        return Notary(load_or_create_signers(path), folder)
    with require_postgres_driver():
        from service.transparency.shared_signing_keys import load_shared_signers
    return Notary(load_shared_signers(path, store_address), folder)


class TransparencyLog:
    """What everybody may know of a store's log: its size and hashes, nothing of its contents."""

    def __init__(self, store: EventReader, notary: Notary) -> None:
        self._store, self._notary = store, notary
        self.verifiers = notary.verifiers

    @property
    def size(self) -> int:
        """The number of events."""
        return self._store.head()

    def sign_checkpoint(self, size: int | None = None) -> SignedNote:
        """See `Notary.sign_checkpoint`."""
        return self._notary.sign_checkpoint(self._store, size)

    def read_leaf_hashes(self, after: int, last: int) -> Iterator[bytes]:
        """The leaf hashes of the events after position ``after``, up to and including ``last``."""
        return iterate_leaf_hashes(self._store, after, last)

    def prove_consistency(self, first_size: int, second_size: int) -> list[bytes]:
        """The proof that the log of size ``second_size`` begins with that of size ``first_size``."""
        return consistency_proof(node_reader_from_tiles(self._store.read_tile), first_size, second_size)


def _write_leaf_hashes(path: Path, store: EventReader, size: int, replace_leaves: bool) -> None:
    """Write the leaf hashes that are not in the file yet, or all.

    Two processes that do it at the same time write the same bytes to the same places.
    """
    with os.fdopen(open_private_file(path), "r+b") as file:
        leaf_count = 0 if replace_leaves else file.seek(0, os.SEEK_END) // HASH_BYTES
        file.seek(leaf_count * HASH_BYTES)
        for leaf in iterate_leaf_hashes(store, leaf_count, size):
            file.write(leaf)
        if replace_leaves:
            file.truncate()
        file.flush()
        os.fsync(file.fileno())


def iterate_leaf_hashes(store: EventReader, start: int, stop: int) -> Iterator[bytes]:
    """The leaf hashes from index ``start`` up to ``stop``, a tile at a time."""
    for number in range(start // TILE_WIDTH, (stop + TILE_WIDTH - 1) // TILE_WIDTH):
        first = number * TILE_WIDTH
        yield from store.read_tile(0, number)[max(0, start - first) : stop - first]


def _require_not_truncated(head: int, newest: Checkpoint) -> None:
    """Raise `StoreDamaged` if the log has fewer events than the checkpoint."""
    if newest.size > head:
        raise StoreDamaged(
            f"A checkpoint of {newest.size} events was signed, but the store has only {head}. If you "
            f"restored an older backup on purpose, remove {CHECKPOINT_FILE_NAME} next to it, and inform "
            "everyone who keeps checkpoints. Otherwise run spadille verify."
        )


_PAGE: Final = 4 * TILE_WIDTH
_WHAT_TO_DO: Final = (
    "Keep a copy of the store as it is, run spadille verify to see what is damaged, and restore it from a "
    "backup."
)


def compute_verified_root(store: EventReader, signed_checkpoint: Checkpoint | None, size: int) -> bytes:
    """The root of the first ``size`` leaves.

    Reads the events after ``signed_checkpoint``, and at most a tile before it. Raises `StoreDamaged` if one
    of them or a stored hash is damaged, or ``signed_checkpoint`` is of another log.
    """
    node = node_reader_from_tiles(store.read_tile)
    signed_size, signed_root = signed_checkpoint[1:] if signed_checkpoint else (0, EMPTY_ROOT)
    if size >= signed_size:
        _require_true_hashes(store, signed_size // TILE_WIDTH, size)
        root = root_hash(node, size)
        is_same_log = root_hash(node, signed_size) == signed_root
    else:
        root = root_hash(node, size)
        proof = consistency_proof(node, size, signed_size)
        is_same_log = is_consistent(size, root, signed_size, signed_root, proof)
    if not is_same_log:
        raise StoreDamaged(
            f"The first {signed_size} events are not those that the last checkpoint signed. Run spadille "
            "verify, and keep a copy of the store as it is."
        )
    return root


def _require_true_hashes(store: EventReader, first_tile: int, size: int) -> None:
    """Raise `StoreDamaged` if stored hashes, from that tile on, do not follow from the events."""
    level, first = 0, first_tile * TILE_WIDTH
    hashes = _compute_leaf_hashes(store, first, size)
    while True:
        number, offset = divmod(first, TILE_WIDTH)
        parents: list[bytes] = []
        while computed := list(islice(hashes, TILE_WIDTH - offset)):
            end = offset + len(computed)
            stored = store.read_tile(level, number)
            _require_equal_hashes(level, number * TILE_WIDTH + offset, computed, stored[offset:end])
            if end == TILE_WIDTH:
                parents.append(root_of_leaves(stored))
            number, offset = number + 1, 0
        if not parents:
            return
        level, first, hashes = level + 1, first // TILE_WIDTH, iter(parents)


def _compute_leaf_hashes(store: EventReader, start: int, stop: int) -> Iterator[bytes]:
    """The leaf hashes from index ``start`` up to ``stop``, computed from the events.

    Stores of early versions may lack events, for which whole tiles have `ABSENT_LEAF_HASH`. Later positions
    without an event are damage.
    """
    index = start
    while index < stop:
        page = store.read_verified_leaves(index, min(_PAGE, stop - index)) or [(stop + 1, b"")]
        for position, leaf in page:
            gap_end = min(position - 1, stop)
            if index < gap_end:
                tiled_size = store.head() // TILE_WIDTH * TILE_WIDTH
                if gap_end > tiled_size:
                    raise StoreDamaged(
                        f"The event at position {max(index, tiled_size) + 1} is missing. {_WHAT_TO_DO}"
                    )
                yield from [ABSENT_LEAF_HASH] * (gap_end - index)
            if position > stop:
                return
            yield leaf
            index = position


def _require_equal_hashes(level: int, first: int, computed: Sequence[bytes], stored: Sequence[bytes]) -> None:
    if list(computed) == list(stored):
        return
    pairs = enumerate(zip(computed, stored, strict=False))
    at = first + next((at for at, (one, other) in pairs if one != other), min(len(computed), len(stored)))
    what = f"The leaf hash of position {at + 1}" if level == 0 else f"Hash {at} of level {level}"
    raise StoreDamaged(f"{what} in the store does not match the events. {_WHAT_TO_DO}")
