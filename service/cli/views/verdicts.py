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
    "sound": "{name}: {events} events in {streams} records, as they were recorded",
    "in_part": "{name}: {events} events in {streams} records, of which {known} say what was recorded",
    "grown": "{name}: the log of {events} events begins with the one of {first} that was kept",
    "faulty": "{name}: not as it was recorded",
    "proven": "{proven} of them proved by a checkpoint kept elsewhere",
    "unproven": (
        "looked at by itself only; whoever could write to it could have made it anew: --checkpoint proves "
        "more"
    ),
    "since": "{since} recorded since then, from position {position} on, are held to the store itself only",
    "hidden": (
        "{hidden} of them by their hash alone: that they stand in their place; what they say is not shown, "
        "and what a line says of them is not proved"
    ),
    "erased": (
        "{erased} of them have been erased: what they said is gone, and no checkpoint made before that "
        "proves what stands there instead. Ask whoever keeps the records whether they were to be erased:"
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
    "contents": "what it says is not what was recorded",
    "columns": "in the row stands another {names} than was recorded",
    "no_leaf": "it was put in past the service: it has no leaf hash",
    "leaf": "what it says was recorded, and the leaf hash in its row is another",
    "standin": "what stands in the place of what was erased is not what was put there",
    "not_erased": "it counts as erased, and no entry of the store records that it was",
    "returned": "by the entry at position {entry} it was erased, and it has contents again",
    "kind": (
        "it begins a record of the kind “{due}”, which is kept as one of the kind “{kept_as}”: so it is not "
        "in the lists that it belongs in"
    ),
    "given": (
        "it and what followed up to position {last} is not there any more: the database has given these "
        "positions to events"
    ),
    "no_standin": (
        "it counts as erased, and neither a person nor a word is in it: forgetting puts nothing else there"
    ),
    "noted": (
        "it and what followed up to position {last} was acknowledged, and is not there any more; was an "
        "older copy put here on purpose, remove the file beside it that ends in .head"
    ),
    "stray": "it has no position though others after it have one: it is in the tables, and is told to nobody",
    "salt_lost": "its salt was taken out",
    "no_json": "its contents are no JSON",
    "no_entry": "its contents are no entry of a log: {said}",
    "version_skipped": "the next one of its record has a later number",
    "version_repeated": "number {due} would be next here",
    "no_row": "it is not there any more",
    "at_the_end": "it and what followed is not there any more",
    "closed_up": "those behind it were moved up; {next} stands in its place",
    "not_recorded": "it was not recorded then; those behind it were moved down",
    "stood_at": "it was recorded at position {was}",
    "too_few": (
        "the checkpoint is of {size} events, and there are {has}: of those at positions {first} to {last} "
        "one or more are gone, unless this is an older copy; which, could be told with leaf hashes or an "
        "earlier checkpoint kept elsewhere"
    ),
    "between": (
        "one or more from position {first} to {last} are not as they were recorded; which, could be told "
        "with leaf hashes or an earlier checkpoint kept elsewhere"
    ),
    "not_in_log": (
        "it does not lead to the checkpoint: what it says, its place or its path is not what was recorded"
    ),
    "number_missing": "the proof leaves it out",
    "number_twice": "that number stands there twice",
    "out_of_place": "number {due} would be next here",
    "fields": "line {line} has another {names} than was recorded",
    "says_more": "line {line} says what the proof does not show",
    "line_missing": "no line has it in its place",
    "line_moved": "another one stands on line {line}",
    "line_unknown": "line {line} was not recorded",
    "line": "line {line} is no JSON object",
    "position": "its position cannot be",
    "file": "{said}",
    "register": "{said}",
    "integrity": "SQLite says: {said}",
    "tile": "the stored leaf hashes number {number} fit no events",
    "subtree": "the stored hash {number} of level {level} is not that of what lies below it",
    "rule": "“{name}” of the database is not as the store makes it",
    "unsigned": "that of {size} events is not signed by the key",
    "own_unreadable": "{file} beside the store is no checkpoint any more",
    "leaves_amiss": "the leaf hashes kept with it do not lead to its root; they were damaged",
    "other_size": (
        "the proof is of {size} events, and the checkpoints kept elsewhere are of {kept}; fetch a proof with "
        "?size= one of these"
    ),
    "other_first": (
        "it begins at {size} events, and the checkpoints kept elsewhere are of {kept}; fetch it with ?from= "
        "one of these"
    ),
    "not_grown": "the log of {size} events does not begin with the one of {first} that was kept",
    "other_root": "the proof has another root for {size} events than the one kept elsewhere",
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
