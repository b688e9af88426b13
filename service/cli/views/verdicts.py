"""What checkpoints and proofs show, in both languages: whether records are unchanged, and what is not."""

from collections.abc import Iterable
from typing import Any, Final

from engine.rulesets.model import BilingualText
from service.cli.io.terminal_text import sanitize_line
from service.presentation.text.style import TextStyle
from service.transparency.integrity_faults import IntegrityFault
from service.transparency.verification_result import ErasedEvent, VerificationResult

MAX_LISTED_SAFEGUARDS: Final = 3
"""So many safeguards are named of those that are gone."""
MAX_LISTED_ERASURES: Final = 10
"""So many erased events are named."""

VERDICT_PHRASES: Final = {
    "sound": BilingualText(
        "{name}: {events} events in {streams} records, as they were recorded",
        "{name}: {events} poster i {streams} optegnelser, som de blev skrevet",
    ),
    "in_part": BilingualText(
        "{name}: {events} events in {streams} records, of which {known} say what was recorded",
        "{name}: {events} poster i {streams} optegnelser, hvoraf {known} siger, hvad der blev skrevet",
    ),
    "grown": BilingualText(
        "{name}: the log of {events} events begins with the one of {first} that was kept",
        "{name}: loggen på {events} poster begynder med den på {first}, der er gemt",
    ),
    "faulty": BilingualText("{name}: not as it was recorded", "{name}: ikke, som det blev skrevet"),
    "proven": BilingualText(
        "{proven} of them proved by a checkpoint kept elsewhere",
        "{proven} af dem bevist af et kontrolpunkt, der er gemt et andet sted",
    ),
    "unproven": BilingualText(
        "looked at by itself only; whoever could write to it could have made it anew: --checkpoint proves "
        "more",
        "kun sammenholdt med sig selv; hvem der kunne skrive i det, kan have lavet det om: --checkpoint "
        "beviser mere",
    ),
    "since": BilingualText(
        "{since} recorded since then, from position {position} on, are held to the store itself only",
        "{since} skrevet siden da, fra position {position}, er kun sammenholdt med lageret selv",
    ),
    "hidden": BilingualText(
        "{hidden} of them by their hash alone: that they stand in their place; what they say is not shown, "
        "and what a line says of them is not proved",
        "{hidden} af dem kun ved deres hash: at de står på deres plads; hvad de siger, vises ikke, og hvad "
        "en linje siger om dem, er ikke bevist",
    ),
    "erased": BilingualText(
        "{erased} of them have been erased: what they said is gone, and no checkpoint made before that "
        "proves what stands there instead. Ask whoever keeps the records whether they were to be erased:",
        "{erased} af dem er slettet: hvad de sagde, er væk, og intet kontrolpunkt fra før da beviser, hvad "
        "der står i stedet. Spørg den, der fører optegnelserne, om de skulle slettes:",
    ),
    "erasure": BilingualText("{place}, erased {moment}", "{place}, slettet {moment}"),
    "erasure_proved": BilingualText(
        "{place}, erased {moment}, before the checkpoint",
        "{place}, slettet {moment}, før kontrolpunktet",
    ),
    "erasure_since": BilingualText(
        "{place}, erased {moment}, after the checkpoint (position {entry})",
        "{place}, slettet {moment}, efter kontrolpunktet (position {entry})",
    ),
    "erasure_undated": BilingualText("{place}", "{place}"),
    "erasures": BilingualText(
        "and {count} more; --verbose names them", "og {count} mere; --verbose nævner dem"
    ),
    "more": BilingualText("and {count} more", "og {count} mere"),
    "safeguards": BilingualText(
        "and {count} more of the database's safeguards; --verbose names them",
        "og {count} mere af databasens værn; --verbose nævner dem",
    ),
}  # fmt: skip

FAULT_KIND_WORDS: Final = {
    "changed": BilingualText("changed", "ændret"),
    "removed": BilingualText("removed", "fjernet"),
    "added": BilingualText("added", "tilføjet"),
    "unproved": BilingualText("not proved", "ikke bevist"),
    "reordered": BilingualText("moved", "flyttet"),
    "unreadable": BilingualText("unreadable", "ulæselig"),
    "rewritten": BilingualText("rewritten", "skrevet om"),
    "damaged": BilingualText("damaged", "beskadiget"),
    "rule": BilingualText("safeguard", "værn"),
    "checkpoint": BilingualText("checkpoint", "kontrolpunkt"),
}  # fmt: skip

FAULT_LOCATION_PHRASES: Final = {
    "event": BilingualText("event {version} of {stream}", "post {version} i {stream}"),
    "id": BilingualText("id {id}", "id {id}"),
    "position": BilingualText("position {position}", "position {position}"),
    "at": BilingualText("the event at position {position}", "posten på position {position}"),
}  # fmt: skip

DIFFERENCE_PHRASES: Final = {
    "contents": BilingualText(
        "what it says is not what was recorded", "hvad den siger, er ikke, hvad der blev skrevet"
    ),
    "columns": BilingualText(
        "in the row stands another {names} than was recorded",
        "i rækken står et andet {names}, end der blev skrevet",
    ),
    "no_leaf": BilingualText(
        "it was put in past the service: it has no leaf hash",
        "den er sat ind uden om tjenesten: den har ingen blad-hash",
    ),
    "leaf": BilingualText(
        "what it says was recorded, and the leaf hash in its row is another",
        "hvad den siger, blev skrevet, og blad-hashen i dens række er en anden",
    ),
    "standin": BilingualText(
        "what stands in the place of what was erased is not what was put there",
        "hvad der står i stedet for det slettede, er ikke, hvad der blev sat der",
    ),
    "not_erased": BilingualText(
        "it counts as erased, and no entry of the store records that it was",
        "den tæller som slettet, og ingen post i lageret siger, at den blev det",
    ),
    "returned": BilingualText(
        "by the entry at position {entry} it was erased, and it has contents again",
        "ifølge posten på position {entry} blev den slettet, og den har indhold igen",
    ),
    "kind": BilingualText(
        "it begins a record of the kind “{due}”, which is kept as one of the kind “{kept_as}”: so it is not "
        "in the lists that it belongs in",
        "den begynder en optegnelse af slagsen »{due}«, som er gemt som slagsen »{kept_as}«: så den er ikke "
        "i de lister, den hører til i",
    ),
    "given": BilingualText(
        "it and what followed up to position {last} is not there any more: the database has given these "
        "positions to events",
        "den og hvad der fulgte til position {last} er der ikke mere: databasen har givet de positioner til "
        "poster",
    ),
    "no_standin": BilingualText(
        "it counts as erased, and neither a person nor a word is in it: forgetting puts nothing else there",
        "den tæller som slettet, og der er hverken en person eller et ord i den: intet andet sættes i stedet",
    ),
    "noted": BilingualText(
        "it and what followed up to position {last} was acknowledged, and is not there any more; was an "
        "older copy put here on purpose, remove the file beside it that ends in .head",
        "den og hvad der fulgte til position {last}, blev kvitteret og er der ikke mere; blev en ældre kopi "
        "lagt her med vilje, så fjern filen ved siden af, der ender på .head",
    ),
    "stray": BilingualText(
        "it has no position though others after it have one: it is in the tables, and is told to nobody",
        "den har ingen position, selv om senere har en: den er i tabellerne og vises ingen",
    ),
    "salt_lost": BilingualText("its salt was taken out", "dens salt er taget ud"),
    "no_json": BilingualText("its contents are no JSON", "dens indhold er ikke JSON"),
    "no_entry": BilingualText(
        "its contents are no entry of a log: {said}", "dens indhold er ikke en post i en log: {said}"
    ),
    "version_skipped": BilingualText(
        "the next one of its record has a later number", "den næste i optegnelsen har et senere nummer"
    ),
    "version_repeated": BilingualText("number {due} would be next here", "her skulle nummer {due} komme"),
    "no_row": BilingualText("it is not there any more", "den er der ikke mere"),
    "at_the_end": BilingualText(
        "it and what followed is not there any more", "den og hvad der fulgte, er der ikke mere"
    ),
    "closed_up": BilingualText(
        "those behind it were moved up; {next} stands in its place",
        "de følgende er rykket op; {next} står på dens plads",
    ),
    "not_recorded": BilingualText(
        "it was not recorded then; those behind it were moved down",
        "den blev ikke skrevet dengang; de følgende er rykket ned",
    ),
    "stood_at": BilingualText("it was recorded at position {was}", "den blev skrevet på position {was}"),
    "too_few": BilingualText(
        "the checkpoint is of {size} events, and there are {has}: of those at positions {first} to {last} "
        "one or more are gone, unless this is an older copy; which, could be told with leaf hashes or an "
        "earlier checkpoint kept elsewhere",
        "kontrolpunktet er for {size} poster, og der er {has}: af dem på positionerne {first} til {last} "
        "mangler en eller flere, medmindre dette er en ældre kopi; hvilke, kunne ses med blad-hasher eller "
        "et tidligere kontrolpunkt, der var gemt et andet sted",
    ),
    "between": BilingualText(
        "one or more from position {first} to {last} are not as they were recorded; which, could be told "
        "with leaf hashes or an earlier checkpoint kept elsewhere",
        "en eller flere fra position {first} til {last} er ikke, som de blev skrevet; hvilke, kunne ses med "
        "blad-hasher eller et tidligere kontrolpunkt, der var gemt et andet sted",
    ),
    "not_in_log": BilingualText(
        "it does not lead to the checkpoint: what it says, its place or its path is not what was recorded",
        "den fører ikke til kontrolpunktet: hvad den siger, dens plads eller dens sti er ikke, hvad der blev "
        "skrevet",
    ),
    "number_missing": BilingualText("the proof leaves it out", "beviset springer den over"),
    "number_twice": BilingualText("that number stands there twice", "det nummer står der to gange"),
    "out_of_place": BilingualText("number {due} would be next here", "her skulle nummer {due} komme"),
    "fields": BilingualText(
        "line {line} has another {names} than was recorded",
        "linje {line} har et andet {names}, end der blev skrevet",
    ),
    "says_more": BilingualText(
        "line {line} says what the proof does not show", "linje {line} siger, hvad beviset ikke viser"
    ),
    "line_missing": BilingualText("no line has it in its place", "ingen linje har den på dens plads"),
    "line_moved": BilingualText("another one stands on line {line}", "en anden står på linje {line}"),
    "line_unknown": BilingualText("line {line} was not recorded", "linje {line} blev ikke skrevet"),
    "line": BilingualText("line {line} is no JSON object", "linje {line} er ikke et JSON-objekt"),
    "position": BilingualText("its position cannot be", "dens position er umulig"),
    "file": BilingualText("{said}", "{said}"),
    "register": BilingualText("{said}", "{said}"),
    "integrity": BilingualText("SQLite says: {said}", "SQLite siger: {said}"),
    "tile": BilingualText(
        "the stored leaf hashes number {number} fit no events",
        "de gemte blad-hasher nummer {number} passer ikke til nogen poster",
    ),
    "subtree": BilingualText(
        "the stored hash {number} of level {level} is not that of what lies below it",
        "den gemte hash {number} på niveau {level} er ikke den for, hvad der ligger under",
    ),
    "rule": BilingualText(
        "“{name}” of the database is not as the store makes it",
        "»{name}« i databasen er ikke, som lageret laver det",
    ),
    "unsigned": BilingualText(
        "that of {size} events is not signed by the key",
        "det for {size} poster er ikke underskrevet med nøglen",
    ),
    "own_unreadable": BilingualText(
        "{file} beside the store is no checkpoint any more",
        "{file} ved siden af lageret er ikke et kontrolpunkt mere",
    ),
    "leaves_amiss": BilingualText(
        "the leaf hashes kept with it do not lead to its root; they were damaged",
        "de blad-hasher, der er gemt med det, fører ikke til dets rod; de er beskadiget",
    ),
    "other_size": BilingualText(
        "the proof is of {size} events, and the checkpoints kept elsewhere are of {kept}; fetch a proof with "
        "?size= one of these",
        "beviset er for {size} poster, og de gemte kontrolpunkter er for {kept}; hent et bevis med ?size= et "
        "af disse",
    ),
    "other_first": BilingualText(
        "it begins at {size} events, and the checkpoints kept elsewhere are of {kept}; fetch it with ?from= "
        "one of these",
        "den begynder ved {size} poster, og de gemte kontrolpunkter er for {kept}; hent den med ?from= et af "
        "disse",
    ),
    "not_grown": BilingualText(
        "the log of {size} events does not begin with the one of {first} that was kept",
        "loggen på {size} poster begynder ikke med den på {first}, der er gemt",
    ),
    "other_root": BilingualText(
        "the proof has another root for {size} events than the one kept elsewhere",
        "beviset har en anden rod for {size} poster end det, der er gemt et andet sted",
    ),
}  # fmt: skip


def verdict_lines(
    name: str, verdict: VerificationResult, style: TextStyle, verbose: bool = False
) -> list[str]:
    """A verdict for people: a line for the whole, then what was found, the first event first.

    Of the database's safeguards, which are gone together where they are, and of erased events a few are
    named, all if ``verbose``.
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
    """What of a sound store is proved."""
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
    """That events were erased, and which: the first of them, or all; those after the checkpoint first."""
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
    """The words for when it was erased: by the clock, and beside a checkpoint that reaches so far."""
    if erasure.erased_at is None:
        return "erasure_undated"
    if proven_position is None or erasure.entry is None:
        return "erasure"
    return "erasure_proved" if erasure.entry <= proven_position else "erasure_since"


def _limit_safeguard_faults(faults: Iterable[IntegrityFault]) -> tuple[list[IntegrityFault], int]:
    """The faults without safeguards behind the first few, and how many were left out."""
    listed, safeguards = [], 0
    for fault in faults:
        safeguards += fault.kind == "rule"
        if fault.kind != "rule" or safeguards <= MAX_LISTED_SAFEGUARDS:
            listed.append(fault)
    return listed, max(0, safeguards - MAX_LISTED_SAFEGUARDS)


def fault_sentence(fault: IntegrityFault, style: TextStyle) -> str:
    """What is the matter with which event."""
    parts = {
        name: sanitize_line(value) if isinstance(value, str) else value
        for name, value in fault.details.items()
    }
    what = DIFFERENCE_PHRASES[fault.code][style.lang].format(**parts)
    kind, location = FAULT_KIND_WORDS[fault.kind][style.lang], _fault_location(fault, style)
    return f"{kind}: {location}: {what}" if location else f"{kind}: {what}"


def _fault_location(fault: IntegrityFault, style: TextStyle) -> str:
    words = {name: words[style.lang] for name, words in FAULT_LOCATION_PHRASES.items()}
    if fault.version is None or fault.stream is None:
        return "" if fault.position is None else words["at"].format(position=fault.position)
    location = words["event"].format(version=fault.version, stream=sanitize_line(fault.stream))
    more = []
    if fault.event_id is not None:
        more.append(words["id"].format(id=sanitize_line(fault.event_id)))
    if fault.position is not None:
        more.append(words["position"].format(position=fault.position))
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
    return VERDICT_PHRASES[key][style.lang].format(**parts)
