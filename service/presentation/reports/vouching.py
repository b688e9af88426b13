"""What vouches for a record: a checkpoint of all records, or nothing but the file that it was read from."""

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from engine import Log
from schemas.wire.writer import entry_bytes
from service.transparency.checking import verify_proof
from service.transparency.notes import Verifier, encoded
from service.transparency.proofs import Proof, ProvenEvent


class Stretch(NamedTuple):
    """Entries that stand behind each other in the log of all records, as numbers or "3–7"."""

    entries: str
    positions: str


class Key(NamedTuple):
    """A key that signed: the id by which its signature names it (hexadecimal), and its public half."""

    id: str
    public: str


class Vouched(NamedTuple):
    """A record as a checkpoint has it (docs/evidence.md).

    ``holds``: every entry led to the root when this was made; ``note`` is the checkpoint as it is kept;
    ``proof_url`` is where the proof by that very checkpoint is. ``hidden`` entries are proved without what
    they say, ``erased`` ones say nothing any more. ``beginning`` are the entries of a variation that
    belong to the deal that it leaves, and are not proved here.
    """

    origin: str
    size: int
    root: str
    note: str
    keys: tuple[Key, ...]
    stretches: tuple[Stretch, ...]
    holds: bool
    hidden: int
    erased: int
    proof_url: str
    beginning: int


class Unvouched(NamedTuple):
    """A record for which nothing vouches but where it was read: that ``place`` in words, and a digest.

    The digest is SHA-256 (hexadecimal) of its lines as ``spadille convert --to jsonl`` writes them.
    """

    place: str
    digest: str


def vouched(proof: Proof, verifiers: Iterable[Verifier], proof_url: str, beginning: int = 0) -> Vouched:
    """What a proof of one record says, held to its own checkpoint here and now."""
    made, verdict = proof.note.checkpoint, verify_proof(proof, None)
    signed = [one for one in verifiers if one.has_signed(proof.note)]
    (stream,) = proof.streams
    return Vouched(
        made.origin,
        made.size,
        encoded(made.root),
        str(proof.note).rstrip("\n"),
        tuple(Key(one.key_id.hex(), str(one)) for one in signed),
        tuple(_stretches(stream.events)),
        bool(signed) and not verdict.faults,
        verdict.hidden,
        len(verdict.erasures),
        proof_url,
        beginning,
    )


def unvouched(log: Log, place: str) -> Unvouched:
    """A record that was read somewhere; the digest is of the whole log."""
    lines = b"".join(entry_bytes(entry, bare=True) + b"\n" for entry in log)
    return Unvouched(place, sha256(lines).hexdigest())


def _stretches(events: Iterable[ProvenEvent]) -> list[Stretch]:
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
        Stretch(_span(one[0].version, one[-1].version), _span(one[0].position, one[-1].position))
        for one in found
    ]


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"
