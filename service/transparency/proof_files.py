"""Proof files: inclusion proofs of deals and tables, and consistency proofs of a log that grew.

Both are JSON objects that are checked offline; docs/transparency.md has their forms. In an inclusion proof
each event has its own audit path, which tells a changed event from its neighbours. Of events that the holder
may not know it has neither salt nor contents, only the commitment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

import orjson

from schemas.wire.json_text import parse_json
from service.eventstore import PAGE_SIZE, EventReader, SealedEvent, StoreDamaged
from service.eventstore.merkle.leaves import SALT_BYTES, compute_commitment, compute_event_leaf
from service.eventstore.merkle.tiles import node_reader_from_tiles
from service.eventstore.merkle.tree import HASH_BYTES, MAX_LEAVES, audit_path
from service.transparency.signed_notes import (
    InvalidNote,
    SignedNote,
    decode_base64,
    encode_base64,
    parse_signed_note,
)

Value = TypeVar("Value")


class InvalidProofFile(Exception):
    """A file is no proof; the sentence says where and what is expected."""


def parse_proof_envelope(data: bytes, file_format: str) -> tuple[dict[str, Any], SignedNote, list[bytes]]:
    """The JSON object, checkpoint and hashes of a file in this format. Raises `InvalidProofFile`."""
    try:
        obj = parse_json(data)
    except orjson.JSONDecodeError as error:
        raise InvalidProofFile(
            f"It is not JSON: line {error.lineno}, column {error.colno}: {error.msg}."
        ) from None
    if not isinstance(obj, dict) or obj.get("format") != file_format:
        raise InvalidProofFile(f'A JSON object with "format": "{file_format}" is expected; this is none.')
    try:
        note = parse_signed_note(require_text(obj, "checkpoint", ""))
    except InvalidNote as error:
        raise InvalidProofFile(f"At /checkpoint: {error}") from None
    listed = enumerate(require_list(obj, "hashes", ""))
    return obj, note, [require_bytes(one, HASH_BYTES, f"/hashes/{number}") for number, one in listed]


def require_list(obj: Any, name: str, pointer: str) -> list[Any]:
    """The list of that name in the object at ``pointer``. Raises `InvalidProofFile`."""
    return _require(obj, name, pointer, list, "a list")


def require_text(obj: Any, name: str, pointer: str) -> str:
    """The text of that name in the object at ``pointer``. Raises `InvalidProofFile`."""
    return _require(obj, name, pointer, str, "a text")


def _require(obj: Any, name: str, pointer: str, kind: type[Value], expected: str) -> Value:
    found = obj.get(name) if isinstance(obj, dict) else None
    if not isinstance(found, kind):
        raise InvalidProofFile(f"At {pointer}/{name}: expected {expected}.")
    return found


def require_integer(value: Any, pointer: str, maximum: int) -> int:
    """The value, if it is a whole number from 0 to ``maximum``. Raises `InvalidProofFile`."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= maximum:
        raise InvalidProofFile(f"At {pointer}: expected a whole number from 0 to {maximum}.")
    return value


def require_bytes(value: Any, length: int, pointer: str) -> bytes:
    """Decode a base64 value of ``length`` bytes. Raises `InvalidProofFile`."""
    found = decode_base64(value) if isinstance(value, str) else None
    if found is None or len(found) != length:
        raise InvalidProofFile(f"At {pointer}: expected {length} bytes in base64.")
    return found


INCLUSION_PROOF_FORMAT: Final = "spadille-proof/1"
MAX_PROOF_FILE_BYTES: Final = 256 << 20
_MAX_PATH_LENGTH: Final = 62


class DisclosedContents(NamedTuple):
    """The stored bytes of an event, and the salt of their commitment."""

    salt: bytes
    body: bytes


class ProvenEvent(NamedTuple):
    """An event of a proof, and the audit path of its leaf, lowest hash first.

    ``contents`` is None if the holder may not know them, or if they were erased. Only holders who may know
    them see ``is_erased``.
    """

    position: int
    version: int
    event_id: str
    stored_at: str
    commitment: bytes
    contents: DisclosedContents | None
    audit_path: tuple[bytes, ...]
    is_erased: bool = False


class ProvenStream(NamedTuple):
    """The events of one stream that were stored when the checkpoint was made."""

    root: str
    stream: str
    kind: str
    events: tuple[ProvenEvent, ...]

    def compute_leaf_hash(self, event: ProvenEvent) -> bytes:
        """The leaf hash of one of its events."""
        return compute_event_leaf(
            self.root, self.stream, event.version, event.event_id, event.stored_at, event.commitment
        )


class InclusionProof(NamedTuple):
    """The proof of streams, up to a checkpoint."""

    note: SignedNote
    streams: tuple[ProvenStream, ...]


def build_inclusion_proof(
    store: EventReader,
    note: SignedNote,
    streams: Mapping[str, int],
    can_disclose: Callable[[SealedEvent], bool],
) -> InclusionProof:
    """The proof of these streams, each up to a version, as far as the checkpoint includes them.

    ``can_disclose``: whether the holder may know an event's contents. Raises `UnknownStream`.
    """
    node, size = node_reader_from_tiles(store.read_tile), note.checkpoint.size
    proven_streams = []
    for stream, up_to_version in streams.items():
        info = store.stream_info(stream)
        events = tuple(
            _build_proven_event(
                sealed, can_disclose(sealed), audit_path(node, sealed.event.position - 1, size)
            )
            for sealed in _iterate_sealed_events(store, stream, up_to_version)
            if sealed.event.position <= size
        )
        proven_streams.append(ProvenStream(info.root, stream, info.kind, events))
    return InclusionProof(note, tuple(proven_streams))


def _iterate_sealed_events(store: EventReader, stream: str, up_to_version: int) -> Iterator[SealedEvent]:
    after = 0
    while after < up_to_version and (
        page := store.read_sealed_events(stream, after, min(PAGE_SIZE, up_to_version - after))
    ):
        yield from page
        after = page[-1].event.seq


def _build_proven_event(sealed: SealedEvent, is_disclosed: bool, path: Iterable[bytes]) -> ProvenEvent:
    event, salt = sealed.event, sealed.salt
    return ProvenEvent(
        event.position, event.seq, event.event_id, event.stored_at, sealed.commitment,
        DisclosedContents(salt, event.body) if is_disclosed and salt is not None else None,
        tuple(path), is_erased=is_disclosed and salt is None,
    )  # fmt: skip


def serialize_inclusion_proof(proof: InclusionProof) -> bytes:
    """The proof file, with an event on each line for human readers."""
    hash_numbers: dict[bytes, int] = {}
    streams = []
    for stream in proof.streams:
        about = orjson.dumps({"root": stream.root, "stream": stream.stream, "kind": stream.kind})
        events = [orjson.dumps(_build_event_object(event, hash_numbers)) for event in stream.events]
        streams.append(about[:-1] + b',"events":[\n' + b",\n".join(events) + b"\n]}")
    head = orjson.dumps({"format": INCLUSION_PROOF_FORMAT, "checkpoint": str(proof.note)})
    hashes = [orjson.dumps(encode_base64(one)) for one in hash_numbers]
    parts = (head[:-1], b',\n"streams":[\n', b",\n".join(streams), b'],\n"hashes":[\n', b",\n".join(hashes))
    return b"".join([*parts, b"\n]}\n"])


def _build_event_object(event: ProvenEvent, hash_numbers: dict[bytes, int]) -> dict[str, Any]:
    obj: dict[str, Any] = {
        "position": event.position,
        "seq": event.version,
        "id": event.event_id,
        "stored_at": event.stored_at,
    }
    if (contents := event.contents) is None:
        obj["commitment"] = encode_base64(event.commitment)
        if event.is_erased:
            obj["erased"] = True
    else:
        obj["salt"] = encode_base64(contents.salt)
        try:
            obj["body"] = contents.body.decode()
        except UnicodeDecodeError:
            raise StoreDamaged(f"Event {event.event_id} is not text. Run spadille verify.") from None
    obj["path"] = [hash_numbers.setdefault(one, len(hash_numbers)) for one in event.audit_path]
    return obj


def parse_inclusion_proof(data: bytes) -> InclusionProof:
    """Parse a proof file without checking the proof. Raises `InvalidProofFile`."""
    obj, note, hashes = parse_proof_envelope(data, INCLUSION_PROOF_FORMAT)
    streams = require_list(obj, "streams", "")
    return InclusionProof(
        note,
        tuple(_parse_proven_stream(one, f"/streams/{number}", hashes) for number, one in enumerate(streams)),
    )


def _parse_proven_stream(obj: Any, pointer: str, hashes: Sequence[bytes]) -> ProvenStream:
    events = enumerate(require_list(obj, "events", pointer))
    return ProvenStream(
        require_text(obj, "root", pointer),
        require_text(obj, "stream", pointer),
        require_text(obj, "kind", pointer),
        tuple(_parse_proven_event(one, f"{pointer}/events/{number}", hashes) for number, one in events),
    )


def _parse_proven_event(obj: Any, pointer: str, hashes: Sequence[bytes]) -> ProvenEvent:
    numbers = require_list(obj, "path", pointer)
    if len(numbers) > _MAX_PATH_LENGTH:
        raise InvalidProofFile(f"At {pointer}/path: a path has at most {_MAX_PATH_LENGTH} hashes.")
    path = [
        hashes[require_integer(one, f"{pointer}/path/{place}", len(hashes) - 1)]
        for place, one in enumerate(numbers)
    ]
    contents = None
    if "commitment" in obj:
        committed = require_bytes(obj["commitment"], HASH_BYTES, f"{pointer}/commitment")
    else:
        salt = require_bytes(obj.get("salt"), SALT_BYTES, f"{pointer}/salt")
        contents = DisclosedContents(salt, require_text(obj, "body", pointer).encode())
        committed = compute_commitment(*contents)
    return ProvenEvent(
        require_integer(obj.get("position"), f"{pointer}/position", MAX_LEAVES),
        require_integer(obj.get("seq"), f"{pointer}/seq", MAX_LEAVES),
        require_text(obj, "id", pointer),
        require_text(obj, "stored_at", pointer),
        committed,
        contents,
        tuple(path),
        contents is None and obj.get("erased") is True,
    )


CONSISTENCY_PROOF_FORMAT: Final = "spadille-consistency/1"


class ConsistencyProof(NamedTuple):
    """The proof that a log grew from ``first_size`` events to a checkpoint (RFC 6962, 2.1.2)."""

    first_size: int
    note: SignedNote
    hashes: tuple[bytes, ...]


def build_consistency_proof_object(proof: ConsistencyProof) -> dict[str, object]:
    """The proof as the JSON object of its file."""
    return {
        "format": CONSISTENCY_PROOF_FORMAT,
        "from": proof.first_size,
        "to": proof.note.checkpoint.size,
        "checkpoint": str(proof.note),
        "hashes": [encode_base64(one) for one in proof.hashes],
    }


def parse_consistency_proof(data: bytes) -> ConsistencyProof:
    """Parse a consistency proof without checking it. Raises `InvalidProofFile`."""
    obj, note, hashes = parse_proof_envelope(data, CONSISTENCY_PROOF_FORMAT)
    return ConsistencyProof(require_integer(obj.get("from"), "/from", MAX_LEAVES), note, tuple(hashes))
