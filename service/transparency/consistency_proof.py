"""A file that shows that a later log begins with an earlier one, for those who keep only checkpoints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from service.eventstore.merkle.tree import MAX_LEAVES, is_consistent
from service.transparency.checkpoint_file import SavedCheckpoints
from service.transparency.integrity_faults import IntegrityFault
from service.transparency.proof_json import parse_proof_envelope, require_integer
from service.transparency.signed_notes import SignedNote, encode_base64
from service.transparency.verification_result import VerificationResult

CONSISTENCY_PROOF_FORMAT: Final = "spadille-consistency/1"


class ConsistencyProof(NamedTuple):
    """From how many events a log grew, to which checkpoint, and the consistency proof (RFC 6962, 2.1.2)."""

    first_size: int
    note: SignedNote
    hashes: tuple[bytes, ...]


def build_consistency_proof_object(proof: ConsistencyProof) -> dict[str, object]:
    """The growth as its file has it."""
    return {
        "format": CONSISTENCY_PROOF_FORMAT,
        "from": proof.first_size,
        "to": proof.note.checkpoint.size,
        "checkpoint": str(proof.note),
        "hashes": [encode_base64(one) for one in proof.hashes],
    }


def parse_consistency_proof(data: bytes) -> ConsistencyProof:
    """The growth in a file. Whether it shows anything is not looked at here. Raises `InvalidProofFile`."""
    obj, note, hashes = parse_proof_envelope(data, CONSISTENCY_PROOF_FORMAT)
    return ConsistencyProof(require_integer(obj.get("from"), "/from", MAX_LEAVES), note, tuple(hashes))


def verify_consistency_proof(proof: ConsistencyProof, trusted: SavedCheckpoints) -> VerificationResult:
    """Whether the log of its checkpoint begins with the one that was kept."""
    size = proof.note.checkpoint.size
    faults = tuple(_find_faults(proof, trusted))
    return VerificationResult(
        size, 0, faults, 0 if faults else proof.first_size, consistent_from_size=proof.first_size
    )


def _find_faults(proof: ConsistencyProof, trusted: SavedCheckpoints) -> Iterator[IntegrityFault]:
    known = [one.checkpoint for one in trusted.notes if one.checkpoint.size == proof.first_size]
    if not known:
        sizes = ", ".join(str(one.checkpoint.size) for one in trusted.notes[-5:])
        yield IntegrityFault("checkpoint", "other_first", details={"size": proof.first_size, "kept": sizes})
    new = proof.note.checkpoint
    for old in known:
        is_extension = is_consistent(old.size, old.root, new.size, new.root, proof.hashes)
        if not is_extension or old.origin != new.origin:
            yield IntegrityFault("rewritten", "not_grown", details={"size": new.size, "first": old.size})
