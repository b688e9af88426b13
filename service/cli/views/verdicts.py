"""The verdict on a store or a proof: whether records are unchanged, and which are not."""

from collections.abc import Iterable
from typing import Any, Final

from service.cli.io.terminal_text import sanitize_line
from service.presentation.text.style import TextStyle
from service.transparency.verification_result import ErasedEvent, IntegrityFault, VerificationResult

MAX_LISTED_SAFEGUARDS: Final = 3
"""How many missing safeguards are named."""
MAX_LISTED_ERASURES: Final = 10
"""How many erased events are named."""

VERDICT_PHRASES: Final = {
    "sound": "{name}: {events} events in {streams} records, all unchanged",
    "in_part": "{name}: {events} events in {streams} records; {known} of them show their contents",
    "grown": (
        "{name}: the log of {events} events begins with the {first} events of the checkpoint that you kept"
    ),
    "faulty": "{name}: changed since it was recorded",
    "proven": "{proven} of them are proved by a checkpoint that you kept elsewhere",
    "unproven": (
        "checked only against itself: anyone who can write to the store could have rewritten it; "
        "--checkpoint proves more"
    ),
    "since": (
        "{since} events after that, from position {position} on, are checked only against the store itself"
    ),
    "hidden": (
        "{hidden} of them are proved by their hash alone: their place is proved, but their contents are "
        "hidden, and what a line says of them is not proved"
    ),
    "erased": (
        "{erased} of them have been erased: their contents are gone, and no earlier checkpoint proves "
        "what replaces them. Ask the keeper of the records whether the erasures were intended:"
    ),
    "erasure": "{place}, erased {moment}",
    "erasure_proved": "{place}, erased {moment}, before the checkpoint",
    "erasure_since": "{place}, erased {moment}, after the checkpoint (position {entry})",
    "erasure_undated": "{place}",
    "erasures": "and {count} more; --verbose names them",
    "more": "and {count} more",
    "safeguards": "and {count} more of the database's safeguards; --verbose names them",
}

FAULT_KIND_WORDS: Final = {
    "changed": "changed",
    "removed": "removed",
    "added": "added",
    "unproved": "not proved",
    "reordered": "moved",
    "unreadable": "unreadable",
    "rewritten": "rewritten",
    "damaged": "damaged",
    "rule": "safeguard",
    "checkpoint": "checkpoint",
}

DIFFERENCE_PHRASES: Final = {
    "contents": "its contents are not what was recorded",
    "columns": "its row differs from what was recorded: {names}",
    "no_leaf": "it was inserted without the service: it has no leaf hash",
    "leaf": "its contents are as recorded, but the leaf hash in its row is different",
    "standin": "the replacement for its erased contents is not the one that was recorded",
    "not_erased": "it is marked as erased, but no entry in the store records the erasure",
    "returned": "the entry at position {entry} erased it, but it has contents again",
    "kind": (
        "it begins a record of the kind “{due}”, but is stored as “{kept_as}”, so it is missing from its "
        "lists"
    ),
    "given": (
        "this and the following events up to position {last} are missing: the database has given these "
        "positions to events"
    ),
    "no_standin": (
        "it is marked as erased, but its replacement names neither a person nor a text: an erasure writes "
        "nothing else"
    ),
    "noted": (
        "this and the following events up to position {last} were acknowledged and are now missing; if "
        "you restored an older copy on purpose, remove the file next to it whose name ends in .head"
    ),
    "stray": "it has no position, but later events have one: it is in the tables, and no reader receives it",
    "salt_lost": "its salt was removed",
    "no_json": "its contents are not JSON",
    "no_entry": "its contents are not an entry of a log: {said}",
    "version_skipped": "the next entry of its record has a later number",
    "version_repeated": "number {due} is expected here",
    "no_row": "it is missing",
    "at_the_end": "this and the following events are missing",
    "closed_up": "it is missing, and the following events were moved up; {next} is in its place",
    "not_recorded": "it was not recorded here, and the following events were moved down",
    "stood_at": "it was recorded at position {was}",
    "too_few": (
        "the checkpoint has {size} events, and the store has {has}: at least one event from position "
        "{first} to {last} is missing, unless this is an older copy; leaf hashes or an earlier checkpoint "
        "kept elsewhere would show which"
    ),
    "between": (
        "at least one event from position {first} to {last} is not what was recorded; leaf hashes or an "
        "earlier checkpoint kept elsewhere would show which"
    ),
    "not_in_log": (
        "it does not lead to the checkpoint: its contents, its place or its path are not what was recorded"
    ),
    "number_missing": "the proof leaves it out",
    "number_twice": "that number appears twice",
    "out_of_place": "number {due} is expected here",
    "fields": "line {line} differs from what was recorded: {names}",
    "says_more": "line {line} has contents that the proof does not show",
    "line_missing": "no line has it at its place",
    "line_moved": "line {line} has another event",
    "line_unknown": "line {line} was not recorded",
    "line": "line {line} is not a JSON object",
    "position": "its position is impossible",
    "file": "{said}",
    "register": "{said}",
    "integrity": "SQLite says: {said}",
    "tile": "the stored leaf hashes number {number} match no events",
    "subtree": "the stored hash {number} of level {level} does not match the hashes below it",
    "rule": "“{name}” in the database is not as the store creates it",
    "unsigned": "the checkpoint of {size} events is not signed by the key",
    "own_unreadable": "{file} next to the store is not a checkpoint",
    "leaves_amiss": "its leaf hashes do not lead to its root; they are damaged",
    "other_size": (
        "the proof has {size} events, and the checkpoints that you kept have {kept}; fetch a proof with "
        "?size= one of these"
    ),
    "other_first": (
        "it begins at {size} events, and the checkpoints that you kept have {kept}; fetch it with ?from= "
        "one of these"
    ),
    "not_grown": (
        "the log of {size} events does not begin with the {first} events of the checkpoint that you kept"
    ),
    "other_root": "for {size} events, the proof has another root than the checkpoint that you kept",
}


def verdict_lines(
    name: str, verdict: VerificationResult, style: TextStyle, verbose: bool = False
) -> list[str]:
    """A verdict for people: a line for the whole, then what was found, the first event first.

    Only a few missing safeguards and erased events are named, all of them if ``verbose``.
    """
    if verdict.faults:
        heading = f"{style.faulty(style.sign('✗', 'x'))} {_phrase('faulty', style, name=name)}"
        details = _fault_lines(verdict, style, verbose)
    else:
        known = verdict.event_count - verdict.hidden_count - verdict.erased_count
        counts = {"events": verdict.event_count, "streams": verdict.stream_count, "known": known}
        first = verdict.consistent_from_size
        key = "grown" if first is not None else "sound" if known == verdict.event_count else "in_part"
        text = _phrase(key, style, name=name, first=first, **counts)
        heading = f"{style.sound(style.sign('✓', '+'))} {text}"
        if first is not None:
            return [heading]
        details = _proof_lines(verdict, style)
    details += _erasure_lines(verdict, style, verbose)
    return [heading, *(f"  {line}" for line in details)]


def _fault_lines(verdict: VerificationResult, style: TextStyle, verbose: bool) -> list[str]:
    listed, safeguards = (list(verdict.faults), 0) if verbose else _limit_safeguard_faults(verdict.faults)
    lines = [fault_sentence(fault, style) for fault in listed]
    if safeguards:
        lines.append(_phrase("safeguards", style, count=safeguards))
    if verdict.unnamed_fault_count:
        lines.append(_phrase("more", style, count=verdict.unnamed_fault_count))
    return lines


def _proof_lines(verdict: VerificationResult, style: TextStyle) -> list[str]:
    """How much of a sound store is proved."""
    if verdict.proven_count is None:
        lines = [_phrase("unproven", style)]
    else:
        lines = [_phrase("proven", style, proven=verdict.proven_count)]
        proven_position = verdict.proven_position
        if proven_position is not None and (since := verdict.event_count - proven_position):
            lines.append(_phrase("since", style, since=since, position=proven_position + 1))
    if verdict.hidden_count:
        lines.append(_phrase("hidden", style, hidden=verdict.hidden_count))
    return lines


def _erasure_lines(verdict: VerificationResult, style: TextStyle, verbose: bool) -> list[str]:
    """The erased events, or the first of them; those erased after the checkpoint come first."""
    erasures = sorted(
        verdict.erased_events,
        key=lambda one: _erasure_time_phrase(one, verdict.proven_position) != "erasure_since",
    )
    if not erasures:
        return []
    listed = erasures if verbose else erasures[:MAX_LISTED_ERASURES]
    lines = [_phrase("erased", style, erased=len(erasures))]
    for one in listed:
        key = _erasure_time_phrase(one, verdict.proven_position)
        place = _fault_location(IntegrityFault("changed", "contents", *one[:4]), style)
        moment = sanitize_line(one.erased_at or "")
        lines.append(f"  {_phrase(key, style, place=place, moment=moment, entry=one.entry)}")
    if omitted_count := len(erasures) - len(listed):
        lines.append(f"  {_phrase('erasures', style, count=omitted_count)}")
    return lines


def _erasure_time_phrase(erasure: ErasedEvent, proven_position: int | None) -> str:
    """The key of the phrase for when an event was erased, by the clock and by the checkpoint."""
    if erasure.erased_at is None:
        return "erasure_undated"
    if proven_position is None or erasure.entry is None:
        return "erasure"
    return "erasure_proved" if erasure.entry <= proven_position else "erasure_since"


def _limit_safeguard_faults(faults: Iterable[IntegrityFault]) -> tuple[list[IntegrityFault], int]:
    """The faults with only the first few safeguards, and how many were left out."""
    listed, safeguards = [], 0
    for fault in faults:
        safeguards += fault.kind == "rule"
        if fault.kind != "rule" or safeguards <= MAX_LISTED_SAFEGUARDS:
            listed.append(fault)
    return listed, max(0, safeguards - MAX_LISTED_SAFEGUARDS)


def fault_sentence(fault: IntegrityFault, style: TextStyle) -> str:
    """What is wrong with which event."""
    parts = {
        name: sanitize_line(value) if isinstance(value, str) else value
        for name, value in fault.details.items()
    }
    what = style.phrase(DIFFERENCE_PHRASES[fault.code], **parts)
    kind, location = style.phrase(FAULT_KIND_WORDS[fault.kind]), _fault_location(fault, style)
    return f"{kind}: {location}: {what}" if location else f"{kind}: {what}"


def _fault_location(fault: IntegrityFault, style: TextStyle) -> str:
    position = fault.position
    if fault.version is None or fault.stream is None:
        return "" if position is None else style.phrase("the event at position {position}", position=position)
    stream = sanitize_line(fault.stream)
    location = style.phrase("event {version} of {stream}", version=fault.version, stream=stream)
    more = []
    if fault.event_id is not None:
        more.append(style.phrase("id {id}", id=sanitize_line(fault.event_id)))
    if position is not None:
        more.append(style.phrase("position {position}", position=position))
    return f"{location} ({', '.join(more)})" if more else location


def verdict_object(name: str, kind: str, verdict: VerificationResult) -> dict[str, Any]:
    """A verdict for programs."""
    return {
        "file": name,
        "kind": kind,
        "ok": not verdict.faults,
        "events": verdict.event_count,
        "records": verdict.stream_count,
        "proven": verdict.proven_count,
        "hidden": verdict.hidden_count,
        "erased": verdict.erased_count,
        "erasures": [_erasure_object(one) for one in verdict.erased_events],
        "more": verdict.unnamed_fault_count,
        "faults": [_fault_object(fault) for fault in verdict.faults],
    }


def _fault_object(fault: IntegrityFault) -> dict[str, Any]:
    return {
        "kind": fault.kind,
        "what": fault.code,
        "position": fault.position,
        "stream": fault.stream,
        "seq": fault.version,
        "id": fault.event_id,
        "message": fault_sentence(fault, TextStyle()),
    }


def _erasure_object(erasure: ErasedEvent) -> dict[str, Any]:
    return {
        "position": erasure.position,
        "stream": erasure.stream,
        "seq": erasure.version,
        "id": erasure.event_id,
        "erased_at": erasure.erased_at,
        "entry": erasure.entry,
    }


def _phrase(key: str, style: TextStyle, **parts: object) -> str:
    return style.phrase(VERDICT_PHRASES[key], **parts)
