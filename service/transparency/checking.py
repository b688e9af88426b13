"""Checking a proof file, and an export beside it: offline, with nothing but the checkpoint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import orjson

from schemas.wire.faults import WireError
from schemas.wire.json_text import read_json
from schemas.wire.reader import read_entry
from service.eventstore.merkle.tree import ProofFails, root_by_path
from service.records.erase_person import may_be_standin
from service.transparency.beginnings import kind_amiss
from service.transparency.faults import Fault
from service.transparency.kept import Kept
from service.transparency.knowing import is_cut
from service.transparency.notes import Checkpoint
from service.transparency.proofs import Proof, ProvenEvent, ProvenStream
from service.transparency.verdict import Erasure, Verdict

MOST_NAMED: Final = 20


def verify_proof(proof: Proof, kept: Kept | None) -> Verdict:
    """Hold a proof to its own checkpoint, and that to those kept elsewhere.

    With checkpoints kept elsewhere that of the proof has to be one of them.
    """
    faults = [fault for stream in proof.streams for fault in _of_stream(stream, proof.note.checkpoint)]
    if kept is not None:
        faults += _not_kept(proof.note.checkpoint, kept)
    events = [(stream.stream, event) for stream in proof.streams for event in stream.events]
    erasures = tuple(_erasure(stream, event) for stream, event in events if event.erased)
    shown = sum(event.contents is not None for _, event in events)
    hidden = len(events) - shown - len(erasures)
    return Verdict(len(events), len(proof.streams), tuple(faults), 0 if faults else shown, hidden, erasures)


def _erasure(stream: str, event: ProvenEvent) -> Erasure:
    return Erasure(event.position, stream, event.version, event.event_id)


def _not_kept(made: Checkpoint, kept: Kept) -> Iterator[Fault]:
    same = [note.checkpoint for note in kept.notes if note.checkpoint.size == made.size]
    if not same:
        sizes = ", ".join(str(note.checkpoint.size) for note in kept.notes[-5:])
        yield Fault("checkpoint", "other_size", parts={"size": made.size, "kept": sizes})
    elif any(one != made for one in same):
        yield Fault("checkpoint", "other_root", parts={"size": made.size})


def _of_stream(stream: ProvenStream, made: Checkpoint) -> Iterator[Fault]:
    yield from _out_of_order(stream)
    yield from _of_another_kind(stream)
    for event in stream.events:
        try:
            root = root_by_path(event.position - 1, made.size, stream.leaf(event), event.path)
        except ProofFails:
            root = None
        if root != made.root:
            yield _fault("changed", "not_in_log", stream, event)


def _of_another_kind(stream: ProvenStream) -> Iterator[Fault]:
    """Where the proof calls a record something else than its first event makes it."""
    first = next((event for event in stream.events if event.version == 1 and event.contents), None)
    if first is None or first.contents is None:
        return
    try:
        said = orjson.loads(first.contents.body)
    except orjson.JSONDecodeError:
        return
    if isinstance(said, dict) and (due := kind_amiss(stream.kind, said)):
        yield _fault("changed", "kind", stream, first, kept_as=stream.kind, due=due)


def _out_of_order(stream: ProvenStream) -> Iterator[Fault]:
    """The first event that does not stand in its place."""
    numbers = [event.version for event in stream.events]
    for due, event in enumerate(stream.events, 1):
        if event.version == due:
            continue
        if due not in numbers:
            yield _fault("removed", "number_missing", stream, event)._replace(
                position=None, version=due, event_id=None
            )
        elif event.version in numbers[: due - 1]:
            yield _fault("added", "number_twice", stream, event)
        else:
            yield _fault("reordered", "out_of_place", stream, event, due=due)
        return


def _fault(kind: str, what: str, stream: ProvenStream, event: ProvenEvent, **parts: str | int) -> Fault:
    return Fault(kind, what, event.position, stream.stream, event.version, event.event_id, parts)


class Line(NamedTuple):
    """A line of an export: its number, and the event on it; None where it is no JSON object."""

    number: int
    event: dict[str, Any] | None


def lines_in(data: bytes) -> list[Line]:
    """The lines of a JSON Lines file that are not empty."""
    found = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            try:
                said = read_json(line)
            except orjson.JSONDecodeError:
                said = None
            found.append(Line(number, said if isinstance(said, dict) else None))
    return found


def verify_export(lines: Sequence[Line], proof: Proof, kept: Kept | None) -> Verdict:
    """Hold an export to the proof beside it, and the proof to the checkpoint."""
    proven = verify_proof(proof, kept)
    faults = [_no_object(line) for line in lines if line.event is None]
    for stream, of_stream in _by_stream(lines, proof):
        faults += _compared(stream, of_stream)
    faults += proven.faults
    return proven._replace(faults=tuple(faults[:MOST_NAMED]), proven=0 if faults else proven.proven)


def _no_object(line: Line) -> Fault:
    return Fault("unreadable", "line", parts={"line": line.number})


def _by_stream(lines: Iterable[Line], proof: Proof) -> Iterator[tuple[ProvenStream, list[Line]]]:
    """The lines of each stream; what no stream has belongs to that of the line before it."""
    home = {event.event_id: stream for stream in proof.streams for event in stream.events}
    found: dict[str, list[Line]] = {stream.stream: [] for stream in proof.streams}
    current = proof.streams[0] if proof.streams else None
    for line in lines:
        if line.event is not None:
            name = line.event.get("id")
            current = home.get(name, current) if isinstance(name, str) else current
            if current is not None:
                found[current.stream].append(line)
    yield from ((stream, found[stream.stream]) for stream in proof.streams)


def _compared(stream: ProvenStream, lines: list[Line]) -> Iterator[Fault]:
    """Where the lines differ from the events: each that is changed, up to the first that stands elsewhere."""
    told = [line.event or {} for line in lines]
    ids = [one.get("id") for one in told]
    for place, event in enumerate(stream.events):
        if place >= len(lines):
            yield _fault("removed", "line_missing", stream, event)
            return
        number = lines[place].number
        if ids[place] == event.event_id:
            if names := differing(event, told[place]):
                yield _fault("changed", "fields", stream, event, names=", ".join(names), line=number)
            elif says_more(event, told[place]):
                yield _fault("unproved", "says_more", stream, event, line=number)
            continue
        if event.event_id not in ids:
            yield _fault("removed", "line_missing", stream, event)
        elif any(ids[place] == one.event_id for one in stream.events):
            yield _fault("reordered", "line_moved", stream, event, line=ids.index(event.event_id) + 1)
        else:
            yield _unknown(stream, told[place], number)
        return
    for line in lines[len(stream.events) :]:
        yield _unknown(stream, line.event or {}, line.number)


def _unknown(stream: ProvenStream, told: dict[str, Any], line: int) -> Fault:
    """A line whose event the proof does not have, as far as it says which it is."""
    seq, name = told.get("seq"), told.get("id")
    return Fault(
        "added",
        "line_unknown",
        None,
        stream.stream,
        seq if isinstance(seq, int) else None,
        name if isinstance(name, str) else None,
        {"line": line},
    )


def differing(event: ProvenEvent, told: dict[str, Any]) -> list[str]:
    """The fields in which a line differs from the event; null is as good as left out.

    Of an event whose contents are not in the proof only the bookkeeping is compared, here; see `says_more`.
    """
    if event.contents is None:
        proven = {"id": event.event_id, "seq": event.version, "stored_at": event.stored_at}
        told = {name: told.get(name) for name in proven}
    else:
        try:
            proven = orjson.loads(event.contents.body)
        except orjson.JSONDecodeError:
            return ["body"]
    names = [*proven, *(name for name in told if name not in proven)]
    return [name for name in names if proven.get(name) != told.get(name)]


def says_more(event: ProvenEvent, told: dict[str, Any]) -> bool:
    """Whether a line says what its proof does not show, which may be anything.

    Of an event that the proof has as a commitment a line may say what is left where cards and words are cut
    out, or, of one that was erased, what forgetting may have put there.
    """
    if event.contents is not None:
        return False
    try:
        entry = read_entry(told, event.version)
    except WireError:
        return True
    return not (is_cut(entry) or (event.erased and may_be_standin(told)))
