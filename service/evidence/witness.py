"""The witness: what a store can be proved by, from the store and the notary who signs what it comes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from service.evidence.kept import leaf_lines
from service.evidence.merkle import consistency_proof
from service.evidence.notary import Notary, leaves_of
from service.evidence.notes import Note, Verifier
from service.evidence.proofs import MayKnow, proof_bytes, proof_of
from service.evidence.tiles import node_in
from service.store import EventReader


class Witness:
    """Tells checkpoints of one store, leaf hashes, and proofs. What it tells says nothing of hidden cards."""

    def __init__(self, store: EventReader, notary: Notary) -> None:
        self._store, self._notary = store, notary

    @property
    def verifiers(self) -> list[Verifier]:
        """The public halves of the keys."""
        return self._notary.verifiers

    def events(self) -> int:
        """How many events there are."""
        return self._store.head()

    def checkpoint(self, size: int | None = None) -> Note:
        """See `Notary.checkpoint`."""
        return self._notary.checkpoint(self._store, size)

    def leaves(self, after: int, last: int) -> Iterator[str]:
        """The leaf hashes behind a position up to another, a line each."""
        return leaf_lines(after, leaves_of(self._store, after, last) if after < last else ())

    def consistency(self, first: int, second: int) -> list[bytes]:
        """The hashes that show that a log of ``second`` events begins with that of ``first``."""
        return consistency_proof(node_in(self._store.tile), first, second)

    def proof(self, note: Note, versions: Mapping[str, int], may_know: MayKnow) -> bytes:
        """The proof file of streams up to versions; of what the holder may not know, the place alone."""
        return proof_bytes(proof_of(self._store, note, dict(versions), may_know))
