"""The log as checkpoints and proofs show it to everybody: its size and root, nothing of its contents."""

from __future__ import annotations

from collections.abc import Iterator

from service.eventstore import EventReader
from service.eventstore.merkle.tiles import node_reader_from_tiles
from service.eventstore.merkle.tree import consistency_proof
from service.transparency.notary import Notary, iterate_leaf_hashes
from service.transparency.signed_notes import SignedNote, Verifier


class TransparencyLog:
    """Checkpoints, leaf hashes and what leads from one checkpoint to the next, of one store."""

    def __init__(self, store: EventReader, notary: Notary) -> None:
        self._store, self._notary = store, notary

    @property
    def size(self) -> int:
        """The number of events."""
        return self._store.head()

    @property
    def verifiers(self) -> tuple[Verifier, ...]:
        """The keys that check the signatures."""
        return tuple(self._notary.verifiers)

    def sign_checkpoint(self, size: int | None) -> SignedNote:
        """The checkpoint of that size, or of all there is. Raises `ValueError` for a size there never was."""
        return self._notary.sign_checkpoint(self._store, size)

    def read_leaf_hashes(self, after: int, last: int) -> Iterator[bytes]:
        """The leaf hashes of the events behind position ``after``, up to and with ``last``."""
        return iterate_leaf_hashes(self._store, after, last) if after < last else iter(())

    def prove_consistency(self, first_size: int, second_size: int) -> list[bytes]:
        """What shows that the log of size ``second_size`` begins with that of size ``first_size``."""
        return list(consistency_proof(node_reader_from_tiles(self._store.read_tile), first_size, second_size))
