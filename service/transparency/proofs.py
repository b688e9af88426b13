"""Proof files: the events of a deal, or of a table with its deals, and what leads from each to a checkpoint.

A proof is one JSON object that is checked offline (docs/evidence.md has its form). Each event has its own
audit path, so that a changed one is told from its neighbours; the paths share their hashes, which are mostly
the same. What a holder may not know has no salt and no contents in it, only the commitment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson

from service.eventstore import PAGE, EventReader, Sealed, StoreDamaged
from service.eventstore.merkle.leaves import SALT_BYTES, commitment, event_leaf
from service.eventstore.merkle.tiles import node_in
from service.eventstore.merkle.tree import HASH_BYTES, MOST_LEAVES, Node, audit_path
from service.transparency.notes import Note, encoded
from service.transparency.reading import NotAProof, bytes_at, list_at, opened, text_at, whole_at

FORMAT: Final = "spadille-proof/1"
MOST_BYTES: Final = 256 << 20
"""No proof file is as long as this."""
_LONGEST_PATH: Final = 62


class Contents(NamedTuple):
    """What an event says, for those who may know it: the stored bytes, and the salt of their commitment."""

    salt: bytes
    body: bytes


class ProvenEvent(NamedTuple):
    """An event of a proof, where it stands, and the audit path of its leaf, lowest hash first.

    ``contents`` is None where the holder may not know it, or where it was ``erased``, which is said to whom
    may know it.
    """

    position: int
    version: int
    event_id: str
    stored_at: str
    committed: bytes
    contents: Contents | None
    path: tuple[bytes, ...]
    erased: bool = False


class ProvenStream(NamedTuple):
    """The events of one stream that were stored when the checkpoint was made."""

    root: str
    stream: str
    kind: str
    events: tuple[ProvenEvent, ...]

    def leaf(self, event: ProvenEvent) -> bytes:
        """The leaf that one of its events has in the log."""
        return event_leaf(
            self.root, self.stream, event.version, event.event_id, event.stored_at, event.committed
        )


class Proof(NamedTuple):
    """What a proof file holds."""

    note: Note
    streams: tuple[ProvenStream, ...]


MayKnow = Callable[[Sealed], bool]
"""Whether the holder of a proof may know what an event says."""


def proof_of(store: EventReader, note: Note, streams: Mapping[str, int], may_know: MayKnow) -> Proof:
    """The proof of these streams, each up to a version, as far as they are in the tree of the checkpoint.

    Raises `UnknownStream`.
    """
    node, size = node_in(store.tile), note.checkpoint.size
    proven = (_proven_stream(store, one, upto, node, size, may_know) for one, upto in streams.items())
    return Proof(note, tuple(proven))


def _proven_stream(
    store: EventReader, stream: str, upto: int, node: Node, size: int, may_know: MayKnow
) -> ProvenStream:
    info = store.describe(stream)
    events = [
        _proven_event(sealed, may_know(sealed), tuple(audit_path(node, sealed.event.position - 1, size)))
        for sealed in _sealed_events(store, stream, upto)
        if sealed.event.position <= size
    ]
    return ProvenStream(info.root, stream, info.kind, tuple(events))


def _sealed_events(store: EventReader, stream: str, upto: int) -> Iterator[Sealed]:
    after = 0
    while after < upto and (page := store.sealed(stream, after, min(PAGE, upto - after))):
        yield from page
        after = page[-1].event.seq


def _proven_event(sealed: Sealed, known: bool, path: tuple[bytes, ...]) -> ProvenEvent:
    event, contents = sealed.event, None
    if known and sealed.salt is not None:
        contents = Contents(sealed.salt, event.body)
    erased = known and sealed.salt is None
    return ProvenEvent(
        event.position, event.seq, event.event_id, event.stored_at, sealed.committed, contents, path, erased
    )


def proof_bytes(proof: Proof) -> bytes:
    """The proof as its file has it, an event on each line, so that a person finds his way."""
    places: dict[bytes, int] = {}
    streams = [_stream_object(stream, places) for stream in proof.streams]
    head = {"format": FORMAT, "checkpoint": str(proof.note)}
    pieces = [orjson.dumps(head)[:-1], b',\n"streams":[']
    for number, (about, events) in enumerate(streams):
        pieces += [b",\n" if number else b"\n", orjson.dumps(about)[:-1], b',"events":[\n']
        pieces += [b",\n".join(map(orjson.dumps, events)), b"\n]}"]
    hashes = [orjson.dumps(encoded(one)) for one in places]
    return b"".join([*pieces, b'],\n"hashes":[\n', b",\n".join(hashes), b"\n]}\n"])


def _stream_object(stream: ProvenStream, places: dict[bytes, int]) -> tuple[dict[str, Any], list[Any]]:
    about = {"root": stream.root, "stream": stream.stream, "kind": stream.kind}
    return about, [_event_object(event, places) for event in stream.events]


def _event_object(event: ProvenEvent, places: dict[bytes, int]) -> dict[str, Any]:
    said: dict[str, Any] = {
        "position": event.position,
        "seq": event.version,
        "id": event.event_id,
        "stored_at": event.stored_at,
    }
    if event.contents is None:
        said["commitment"] = encoded(event.committed)
        if event.erased:
            said["erased"] = True
    else:
        said["salt"] = encoded(event.contents.salt)
        said["body"] = _as_text(event)
    said["path"] = [places.setdefault(one, len(places)) for one in event.path]
    return said


def _as_text(event: ProvenEvent) -> str:
    try:
        return event.contents.body.decode() if event.contents else ""
    except UnicodeDecodeError:
        raise StoreDamaged(f"Event {event.event_id} holds what is no text. Run spadille verify.") from None


def read_proof(data: bytes) -> Proof:
    """The proof in a file. Whether it proves anything is not looked at here. Raises `NotAProof`."""
    obj, note, hashes = opened(data, FORMAT)
    streams = list_at(obj, "streams", "")
    return Proof(
        note, tuple(_read_stream(one, f"/streams/{number}", hashes) for number, one in enumerate(streams))
    )


def _read_stream(obj: Any, at: str, hashes: Sequence[bytes]) -> ProvenStream:
    events = enumerate(list_at(obj, "events", at))
    return ProvenStream(
        text_at(obj, "root", at),
        text_at(obj, "stream", at),
        text_at(obj, "kind", at),
        tuple(_read_event(one, f"{at}/events/{number}", hashes) for number, one in events),
    )


def _read_event(obj: Any, at: str, hashes: Sequence[bytes]) -> ProvenEvent:
    numbers = list_at(obj, "path", at)
    if len(numbers) > _LONGEST_PATH:
        raise NotAProof(f"At {at}/path: a path has at most {_LONGEST_PATH} hashes.")
    path = [hashes[whole_at(one, f"{at}/path/{place}", len(hashes) - 1)] for place, one in enumerate(numbers)]
    contents = None
    if "commitment" in obj:
        committed = bytes_at(obj["commitment"], HASH_BYTES, f"{at}/commitment")
    else:
        salt = bytes_at(obj.get("salt"), SALT_BYTES, f"{at}/salt")
        contents = Contents(salt, text_at(obj, "body", at).encode())
        committed = commitment(*contents)
    return ProvenEvent(
        whole_at(obj.get("position"), f"{at}/position", MOST_LEAVES),
        whole_at(obj.get("seq"), f"{at}/seq", MOST_LEAVES),
        text_at(obj, "id", at),
        text_at(obj, "stored_at", at),
        committed,
        contents,
        tuple(path),
        contents is None and obj.get("erased") is True,
    )
