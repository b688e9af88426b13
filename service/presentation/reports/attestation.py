"""What vouches for a record: a checkpoint of all records, or nothing but the file that it was read from."""

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from engine import Log
from schemas.wire.event_writer import entry_bytes
from service.transparency.inclusion_proof import InclusionProof, ProvenEvent
from service.transparency.proof_verification import verify_inclusion_proof
from service.transparency.signed_notes import Verifier, encode_base64


class EntrySpan(NamedTuple):
    """Entries that stand behind each other in the log of all records, as numbers or "3–7"."""

    entries: str
    positions: str


class SigningKey(NamedTuple):
    """A key that signed: the id by which its signature names it (hexadecimal), and its public half."""

    id: str
    public: str


class RecordAttestation(NamedTuple):
    """A record as a checkpoint has it (docs/transparency.md).

    ``is_valid``: every entry led to the root when this was made; ``note`` is the checkpoint as it is kept;
    ``proof_url`` is where the proof by that very checkpoint is. ``hidden_count`` entries are proved without
    what they say, ``erased_count`` ones say nothing any more. ``inherited_count`` are the entries of a
    variation that belong to the deal that it leaves, and are not proved here.
    """

    origin: str
    size: int
    root: str
    note: str
    keys: tuple[SigningKey, ...]
    spans: tuple[EntrySpan, ...]
    is_valid: bool
    hidden_count: int
    erased_count: int
    proof_url: str
    inherited_count: int


class UnattestedRecord(NamedTuple):
    """A record for which nothing vouches but where it was read: ``source_label`` says where, beside a digest.

    The digest is SHA-256 (hexadecimal) of its lines as ``spadille convert --to jsonl`` writes them.
    """

    source_label: str
    digest: str


def build_attestation(
    proof: InclusionProof, verifiers: Iterable[Verifier], proof_url: str, inherited_count: int = 0
) -> RecordAttestation:
    """What a proof of one record says, held to its own checkpoint here and now."""
    checkpoint, verdict = proof.note.checkpoint, verify_inclusion_proof(proof, None)
    signed = [one for one in verifiers if one.has_signed(proof.note)]
    (stream,) = proof.streams
    return RecordAttestation(
        checkpoint.origin,
        checkpoint.size,
        encode_base64(checkpoint.root),
        str(proof.note).rstrip("\n"),
        tuple(SigningKey(one.key_id.hex(), str(one)) for one in signed),
        tuple(_group_into_spans(stream.events)),
        bool(signed) and not verdict.faults,
        verdict.hidden_count,
        len(verdict.erased_events),
        proof_url,
        inherited_count,
    )


def build_unattested_record(log: Log, source_label: str) -> UnattestedRecord:
    """A record that was read somewhere; the digest is of the whole log."""
    lines = b"".join(entry_bytes(entry, omit_unknown=True) + b"\n" for entry in log)
    return UnattestedRecord(source_label, sha256(lines).hexdigest())


def _group_into_spans(events: Iterable[ProvenEvent]) -> list[EntrySpan]:
    """The entries with their positions, those together that follow each other in both."""
    found: list[list[ProvenEvent]] = []
    for event in events:
        last = found[-1][-1] if found else None
        follows = last is not None and (event.version, event.position) == (
            last.version + 1,
            last.position + 1,
        )
        if follows:
            found[-1].append(event)
        else:
            found.append([event])
    return [
        EntrySpan(
            _format_range(one[0].version, one[-1].version), _format_range(one[0].position, one[-1].position)
        )
        for one in found
    ]


def _format_range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"
