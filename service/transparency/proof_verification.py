"""Verifying proof files, and exports with their proofs: offline, with nothing but the checkpoint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import orjson

from schemas.wire.event_reader import read_entry
from schemas.wire.json_text import parse_json
from schemas.wire.wire_faults import WireError
from service.eventstore.merkle.tree import InvalidProof, is_consistent, root_from_audit_path
from service.records.erase_person import can_be_placeholder
from service.transparency.checkpoint_file import SavedCheckpoints
from service.transparency.disclosure import is_redacted_entry
from service.transparency.proof_files import ConsistencyProof, InclusionProof, ProvenEvent, ProvenStream
from service.transparency.scan import find_mismatched_kind
from service.transparency.signed_notes import Checkpoint
from service.transparency.verification_result import ErasedEvent, IntegrityFault, VerificationResult

MAX_EXPORT_FAULTS: Final = 20


def verify_inclusion_proof(proof: InclusionProof, trusted: SavedCheckpoints | None) -> VerificationResult:
    """Verify a proof against its own checkpoint, which has to be one of the ``trusted`` ones, if given."""
    checkpoint = proof.note.checkpoint
    faults = [fault for stream in proof.streams for fault in _find_stream_faults(stream, checkpoint)]
    if trusted is not None:
        known = trusted.find_checkpoints(checkpoint.size)
        if not known:
            faults.append(trusted.unknown_size_fault("other_size", checkpoint.size))
        elif any(one != checkpoint for one in known):
            faults.append(IntegrityFault("checkpoint", "other_root", details={"size": checkpoint.size}))
    events = [(stream.stream, event) for stream in proof.streams for event in stream.events]
    erasures = tuple(
        ErasedEvent(event.position, stream, event.version, event.event_id)
        for stream, event in events
        if event.is_erased
    )
    shown = sum(event.contents is not None for _, event in events)
    hidden = len(events) - shown - len(erasures)
    return VerificationResult(
        len(events), len(proof.streams), tuple(faults), 0 if faults else shown, hidden, erasures
    )


def verify_consistency_proof(proof: ConsistencyProof, trusted: SavedCheckpoints) -> VerificationResult:
    """Check that the log of the proof's checkpoint begins with the log of a saved one."""
    first_size, new = proof.first_size, proof.note.checkpoint
    known = trusted.find_checkpoints(first_size)
    faults = [] if known else [trusted.unknown_size_fault("other_first", first_size)]
    for old in known:
        is_extension = is_consistent(old.size, old.root, new.size, new.root, proof.hashes)
        if not is_extension or old.origin != new.origin:
            details = {"size": new.size, "first": old.size}
            faults.append(IntegrityFault("rewritten", "not_grown", details=details))
    proven_count = 0 if faults else first_size
    return VerificationResult(new.size, 0, tuple(faults), proven_count, consistent_from_size=first_size)


def _find_stream_faults(stream: ProvenStream, checkpoint: Checkpoint) -> Iterator[IntegrityFault]:
    yield from _find_order_fault(stream)
    yield from _find_kind_fault(stream)
    for event in stream.events:
        try:
            root = root_from_audit_path(
                event.position - 1, checkpoint.size, stream.compute_leaf_hash(event), event.audit_path
            )
        except InvalidProof:
            root = None
        if root != checkpoint.root:
            yield _build_event_fault("changed", "not_in_log", stream, event)


def _find_kind_fault(stream: ProvenStream) -> Iterator[IntegrityFault]:
    """The fault of a stream of another kind than its first event says."""
    first = next((event for event in stream.events if event.version == 1 and event.contents), None)
    if first is None or first.contents is None:
        return
    try:
        data = orjson.loads(first.contents.body)
    except orjson.JSONDecodeError:
        return
    if isinstance(data, dict) and (expected := find_mismatched_kind(stream.kind, data)):
        yield _build_event_fault("changed", "kind", stream, first, kept_as=stream.kind, due=expected)


def _find_order_fault(stream: ProvenStream) -> Iterator[IntegrityFault]:
    """The fault of the first event that is not in its place."""
    numbers = [event.version for event in stream.events]
    for expected, event in enumerate(stream.events, 1):
        if event.version == expected:
            continue
        if expected not in numbers:
            yield _build_event_fault("removed", "number_missing", stream, event)._replace(
                position=None, version=expected, event_id=None
            )
        elif event.version in numbers[: expected - 1]:
            yield _build_event_fault("added", "number_twice", stream, event)
        else:
            yield _build_event_fault("reordered", "out_of_place", stream, event, due=expected)
        return


def _build_event_fault(
    kind: str, code: str, stream: ProvenStream, event: ProvenEvent, **details: str | int
) -> IntegrityFault:
    return IntegrityFault(kind, code, event.position, stream.stream, event.version, event.event_id, details)


class ExportLine(NamedTuple):
    """A line of an export: its number, and its event or None if it is no JSON object."""

    number: int
    event_json: dict[str, Any] | None


def parse_export_lines(data: bytes) -> list[ExportLine]:
    """The non-empty lines of a JSON Lines file."""
    found = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            try:
                obj = parse_json(line)
            except orjson.JSONDecodeError:
                obj = None
            found.append(ExportLine(number, obj if isinstance(obj, dict) else None))
    return found


def verify_export(
    lines: Sequence[ExportLine], proof: InclusionProof, trusted: SavedCheckpoints | None
) -> VerificationResult:
    """Verify an export against its proof, and the proof against the checkpoint."""
    proven = verify_inclusion_proof(proof, trusted)
    faults = [
        IntegrityFault("unreadable", "line", details={"line": line.number})
        for line in lines
        if line.event_json is None
    ]
    for stream, stream_lines in _group_by_stream(lines, proof):
        faults += _compare_lines(stream, stream_lines)
    if not proof.streams:
        faults += [_build_unknown_line_fault(None, one.event_json or {}, one.number) for one in lines]
    faults += proven.faults
    return proven._replace(
        faults=tuple(faults[:MAX_EXPORT_FAULTS]), proven_count=0 if faults else proven.proven_count
    )


def _group_by_stream(
    lines: Iterable[ExportLine], proof: InclusionProof
) -> list[tuple[ProvenStream, list[ExportLine]]]:
    """The lines of each stream; unknown ones belong to the stream of the line before."""
    groups = [(stream, list[ExportLine]()) for stream in proof.streams]
    lines_by_event_id = {event.event_id: found for stream, found in groups for event in stream.events}
    current = groups[0][1] if groups else []
    for line in lines:
        if line.event_json is not None:
            event_id = line.event_json.get("id")
            current = lines_by_event_id.get(event_id, current) if isinstance(event_id, str) else current
            current.append(line)
    return groups


def _compare_lines(stream: ProvenStream, lines: list[ExportLine]) -> Iterator[IntegrityFault]:
    """The changed lines, up to the first that is in another place."""
    objects = [line.event_json or {} for line in lines]
    ids = [one.get("id") for one in objects]
    for place, event in enumerate(stream.events):
        if place >= len(lines):
            yield _build_event_fault("removed", "line_missing", stream, event)
            return
        number = lines[place].number
        if ids[place] == event.event_id:
            if names := find_differing_fields(event, objects[place]):
                yield _build_event_fault(
                    "changed", "fields", stream, event, names=", ".join(names), line=number
                )
            elif has_unproven_content(event, objects[place]):
                yield _build_event_fault("unproved", "says_more", stream, event, line=number)
            continue
        if event.event_id not in ids:
            yield _build_event_fault("removed", "line_missing", stream, event)
        elif any(ids[place] == one.event_id for one in stream.events):
            yield _build_event_fault(
                "reordered", "line_moved", stream, event, line=ids.index(event.event_id) + 1
            )
        else:
            yield _build_unknown_line_fault(stream.stream, objects[place], number)
        return
    for line in lines[len(stream.events) :]:
        yield _build_unknown_line_fault(stream.stream, line.event_json or {}, line.number)


def _build_unknown_line_fault(stream: str | None, event_json: dict[str, Any], line: int) -> IntegrityFault:
    """The fault of a line whose event is not in the proof."""
    seq, event_id = event_json.get("seq"), event_json.get("id")
    version, name = seq if isinstance(seq, int) else None, event_id if isinstance(event_id, str) else None
    return IntegrityFault("added", "line_unknown", None, stream, version, name, {"line": line})


def find_differing_fields(event: ProvenEvent, event_json: dict[str, Any]) -> list[str]:
    """The fields in which a line differs from the proven event; null equals a missing field."""
    if event.contents is None:
        proven = {"id": event.event_id, "seq": event.version, "stored_at": event.stored_at}
        event_json = {name: event_json.get(name) for name in proven}
    else:
        try:
            proven = orjson.loads(event.contents.body)
        except orjson.JSONDecodeError:
            return ["body"]
    names = [*proven, *(name for name in event_json if name not in proven)]
    return [name for name in names if proven.get(name) != event_json.get(name)]


def has_unproven_content(event: ProvenEvent, event_json: dict[str, Any]) -> bool:
    """Whether a line says more of an undisclosed event than redaction or erasure leaves."""
    if event.contents is not None:
        return False
    try:
        entry = read_entry(event_json, event.version)
    except WireError:
        return True
    return not (is_redacted_entry(entry) or (event.is_erased and can_be_placeholder(event_json)))
