"""The proof of a record by a checkpoint of all records, or the digest of the file it was read from."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, NamedTuple

from engine import Log
from schemas.wire.event_writer import entry_bytes
from service.transparency.proof_files import InclusionProof, ProvenEvent
from service.transparency.proof_verification import verify_inclusion_proof
from service.transparency.signed_notes import Verifier, encode_base64


class UnattestedRecord(NamedTuple):
    """A record without a proof: where it was read, and its digest.

    The digest is the SHA-256 (hexadecimal) of its lines as ``spadille convert --to jsonl`` writes them.
    """

    source_label: str
    digest: str


def build_attestation(
    proof: InclusionProof, verifiers: Iterable[Verifier], proof_url: str, inherited_count: int = 0
) -> dict[str, Any]:
    """The result of checking the proof of one record against its checkpoint (docs/transparency.md).

    ``inherited_count`` is the number of entries of a variation that belong to its parent deal, and are not
    proved here.
    """
    checkpoint, verdict = proof.note.checkpoint, verify_inclusion_proof(proof, None)
    signed = [one for one in verifiers if one.has_signed(proof.note)]
    (stream,) = proof.streams
    return {
        "origin": checkpoint.origin,
        "size": checkpoint.size,
        "root": encode_base64(checkpoint.root),
        "note": str(proof.note).rstrip("\n"),
        "key_ids": [one.key_id.hex() for one in signed],
        "spans": _group_into_spans(stream.events),
        "is_valid": bool(signed) and not verdict.faults,
        "hidden_count": verdict.hidden_count,
        "erased_count": len(verdict.erased_events),
        "proof_url": proof_url,
        "inherited_count": inherited_count,
    }


def build_unattested_record(log: Log, source_label: str) -> UnattestedRecord:
    """The attestation of a log that was read from a file or the library."""
    lines = b"".join(entry_bytes(entry, omit_unknown=True) + b"\n" for entry in log)
    return UnattestedRecord(source_label, sha256(lines).hexdigest())


def _group_into_spans(events: Iterable[ProvenEvent]) -> list[tuple[str, str]]:
    """Entries and their positions, as ranges "3–7" where both are consecutive."""
    runs: list[tuple[ProvenEvent, ProvenEvent]] = []
    for event in events:
        if runs and (event.version - runs[-1][1].version, event.position - runs[-1][1].position) == (1, 1):
            runs[-1] = (runs[-1][0], event)
        else:
            runs.append((event, event))
    return [
        (_format_range(first.version, last.version), _format_range(first.position, last.position))
        for first, last in runs
    ]


def _format_range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"
