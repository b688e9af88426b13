"""A file that shows that a later log begins with an earlier one, for those who keep only checkpoints."""

from __future__ import annotations

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
    first_size, new, known = (
        proof.first_size,
        proof.note.checkpoint,
        trusted.find_checkpoints(proof.first_size),
    )
    faults = [] if known else [trusted.unknown_size_fault("other_first", first_size)]
    for old in known:
        is_extension = is_consistent(old.size, old.root, new.size, new.root, proof.hashes)
        if not is_extension or old.origin != new.origin:
            details = {"size": new.size, "first": old.size}
            faults.append(IntegrityFault("rewritten", "not_grown", details=details))
    proven_count = 0 if faults else first_size
    return VerificationResult(new.size, 0, tuple(faults), proven_count, consistent_from_size=first_size)
