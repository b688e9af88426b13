"""What is said of evidence, in both languages: whether a record is as it was, and which event is not."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from engine.rulesets.model import Words
from service.cli.io.terminal_text import printable
from service.presentation.text.style import Style
from service.transparency.faults import Fault
from service.transparency.verdict import Erasure, Verdict

SAFEGUARDS: Final = 3
"""So many safeguards are named of those that are gone."""
ERASURES: Final = 10
"""So many erased events are named."""

VERDICTS: Final = {
    "sound": Words(
        "{name}: {events} events in {streams} records, as they were recorded",
        "{name}: {events} poster i {streams} optegnelser, som de blev skrevet",
    ),
    "in_part": Words(
        "{name}: {events} events in {streams} records, of which {known} say what was recorded",
        "{name}: {events} poster i {streams} optegnelser, hvoraf {known} siger, hvad der blev skrevet",
    ),
    "grown": Words(
        "{name}: the log of {events} events begins with the one of {first} that was kept",
        "{name}: loggen på {events} poster begynder med den på {first}, der er gemt",
    ),
    "faulty": Words("{name}: not as it was recorded", "{name}: ikke, som det blev skrevet"),
    "proven": Words(
        "{proven} of them proved by a checkpoint kept elsewhere",
        "{proven} af dem bevist af et kontrolpunkt, der er gemt et andet sted",
    ),
    "unproven": Words(
        "looked at by itself only; whoever could write to it could have made it anew: --checkpoint proves "
        "more",
        "kun sammenholdt med sig selv; hvem der kunne skrive i det, kan have lavet det om: --checkpoint "
        "beviser mere",
    ),
    "since": Words(
        "{since} recorded since then, from position {position} on, are held to the store itself only",
        "{since} skrevet siden da, fra position {position}, er kun sammenholdt med lageret selv",
    ),
    "hidden": Words(
        "{hidden} of them by their hash alone: that they stand in their place; what they say is not shown, "
        "and what a line says of them is not proved",
        "{hidden} af dem kun ved deres hash: at de står på deres plads; hvad de siger, vises ikke, og hvad "
        "en linje siger om dem, er ikke bevist",
    ),
    "erased": Words(
        "{erased} of them have been erased: what they said is gone, and no checkpoint made before that "
        "proves what stands there instead. Ask whoever keeps the records whether they were to be erased:",
        "{erased} af dem er slettet: hvad de sagde, er væk, og intet kontrolpunkt fra før da beviser, hvad "
        "der står i stedet. Spørg den, der fører optegnelserne, om de skulle slettes:",
    ),
    "erasure": Words("{place}, erased {moment}", "{place}, slettet {moment}"),
    "erasure_proved": Words(
        "{place}, erased {moment}, before the checkpoint",
        "{place}, slettet {moment}, før kontrolpunktet",
    ),
    "erasure_since": Words(
        "{place}, erased {moment}, after the checkpoint (position {entry})",
        "{place}, slettet {moment}, efter kontrolpunktet (position {entry})",
    ),
    "erasure_undated": Words("{place}", "{place}"),
    "erasures": Words(
        "and {count} more; --verbose names them", "og {count} mere; --verbose nævner dem"
    ),
    "more": Words("and {count} more", "og {count} mere"),
    "kept_amiss": Words(
        "what is counted of {count} of them is not what was kept of it: "
        "“spadille projections refresh --from 0” counts anew",
        "hvad der er talt op af {count} af dem, er ikke, hvad der blev gemt: "
        "»spadille projections refresh --from 0« tæller op på ny",
    ),
    "safeguards": Words(
        "and {count} more of the database's safeguards; --verbose names them",
        "og {count} mere af databasens værn; --verbose nævner dem",
    ),
}  # fmt: skip

KINDS: Final = {
    "changed": Words("changed", "ændret"),
    "removed": Words("removed", "fjernet"),
    "added": Words("added", "tilføjet"),
    "unproved": Words("not proved", "ikke bevist"),
    "reordered": Words("moved", "flyttet"),
    "unreadable": Words("unreadable", "ulæselig"),
    "rewritten": Words("rewritten", "skrevet om"),
    "damaged": Words("damaged", "beskadiget"),
    "rule": Words("safeguard", "værn"),
    "checkpoint": Words("checkpoint", "kontrolpunkt"),
}  # fmt: skip

PLACES: Final = {
    "event": Words("event {version} of {stream}", "post {version} i {stream}"),
    "id": Words("id {id}", "id {id}"),
    "position": Words("position {position}", "position {position}"),
    "at": Words("the event at position {position}", "posten på position {position}"),
}  # fmt: skip

DIFFERENCES: Final = {
    "contents": Words(
        "what it says is not what was recorded", "hvad den siger, er ikke, hvad der blev skrevet"
    ),
    "columns": Words(
        "in the row stands another {names} than was recorded",
        "i rækken står et andet {names}, end der blev skrevet",
    ),
    "no_leaf": Words(
        "it was put in past the service: it has no leaf hash",
        "den er sat ind uden om tjenesten: den har ingen blad-hash",
    ),
    "leaf": Words(
        "what it says was recorded, and the leaf hash in its row is another",
        "hvad den siger, blev skrevet, og blad-hashen i dens række er en anden",
    ),
    "standin": Words(
        "what stands in the place of what was erased is not what was put there",
        "hvad der står i stedet for det slettede, er ikke, hvad der blev sat der",
    ),
    "not_erased": Words(
        "it counts as erased, and no entry of the store records that it was",
        "den tæller som slettet, og ingen post i lageret siger, at den blev det",
    ),
    "returned": Words(
        "by the entry at position {entry} it was erased, and it has contents again",
        "ifølge posten på position {entry} blev den slettet, og den har indhold igen",
    ),
    "kind": Words(
        "it begins a record of the kind “{due}”, which is kept as one of the kind “{kept_as}”: so it is not "
        "in the lists that it belongs in",
        "den begynder en optegnelse af slagsen »{due}«, som er gemt som slagsen »{kept_as}«: så den er ikke "
        "i de lister, den hører til i",
    ),
    "given": Words(
        "it and what followed up to position {last} is not there any more: the database has given these "
        "positions to events",
        "den og hvad der fulgte til position {last} er der ikke mere: databasen har givet de positioner til "
        "poster",
    ),
    "no_standin": Words(
        "it counts as erased, and neither a person nor a word is in it: forgetting puts nothing else there",
        "den tæller som slettet, og der er hverken en person eller et ord i den: intet andet sættes i stedet",
    ),
    "noted": Words(
        "it and what followed up to position {last} was acknowledged, and is not there any more; was an "
        "older copy put here on purpose, remove the file beside it that ends in .head",
        "den og hvad der fulgte til position {last}, blev kvitteret og er der ikke mere; blev en ældre kopi "
        "lagt her med vilje, så fjern filen ved siden af, der ender på .head",
    ),
    "stray": Words(
        "it has no position though others after it have one: it is in the tables, and is told to nobody",
        "den har ingen position, selv om senere har en: den er i tabellerne og vises ingen",
    ),
    "salt_lost": Words("its salt was taken out", "dens salt er taget ud"),
    "no_json": Words("its contents are no JSON", "dens indhold er ikke JSON"),
    "no_entry": Words(
        "its contents are no entry of a log: {said}", "dens indhold er ikke en post i en log: {said}"
    ),
    "version_skipped": Words(
        "the next one of its record has a later number", "den næste i optegnelsen har et senere nummer"
    ),
    "version_repeated": Words("number {due} would be next here", "her skulle nummer {due} komme"),
    "no_row": Words("it is not there any more", "den er der ikke mere"),
    "at_the_end": Words(
        "it and what followed is not there any more", "den og hvad der fulgte, er der ikke mere"
    ),
    "closed_up": Words(
        "those behind it were moved up; {next} stands in its place",
        "de følgende er rykket op; {next} står på dens plads",
    ),
    "not_recorded": Words(
        "it was not recorded then; those behind it were moved down",
        "den blev ikke skrevet dengang; de følgende er rykket ned",
    ),
    "stood_at": Words("it was recorded at position {was}", "den blev skrevet på position {was}"),
    "too_few": Words(
        "the checkpoint is of {size} events, and there are {has}: of those at positions {first} to {last} "
        "one or more are gone, unless this is an older copy; which, could be told with leaf hashes or an "
        "earlier checkpoint kept elsewhere",
        "kontrolpunktet er for {size} poster, og der er {has}: af dem på positionerne {first} til {last} "
        "mangler en eller flere, medmindre dette er en ældre kopi; hvilke, kunne ses med blad-hasher eller "
        "et tidligere kontrolpunkt, der var gemt et andet sted",
    ),
    "between": Words(
        "one or more from position {first} to {last} are not as they were recorded; which, could be told "
        "with leaf hashes or an earlier checkpoint kept elsewhere",
        "en eller flere fra position {first} til {last} er ikke, som de blev skrevet; hvilke, kunne ses med "
        "blad-hasher eller et tidligere kontrolpunkt, der var gemt et andet sted",
    ),
    "not_in_log": Words(
        "it does not lead to the checkpoint: what it says, its place or its path is not what was recorded",
        "den fører ikke til kontrolpunktet: hvad den siger, dens plads eller dens sti er ikke, hvad der blev "
        "skrevet",
    ),
    "number_missing": Words("the proof leaves it out", "beviset springer den over"),
    "number_twice": Words("that number stands there twice", "det nummer står der to gange"),
    "out_of_place": Words("number {due} would be next here", "her skulle nummer {due} komme"),
    "fields": Words(
        "line {line} has another {names} than was recorded",
        "linje {line} har et andet {names}, end der blev skrevet",
    ),
    "says_more": Words(
        "line {line} says what the proof does not show", "linje {line} siger, hvad beviset ikke viser"
    ),
    "line_missing": Words("no line has it in its place", "ingen linje har den på dens plads"),
    "line_moved": Words("another one stands on line {line}", "en anden står på linje {line}"),
    "line_unknown": Words("line {line} was not recorded", "linje {line} blev ikke skrevet"),
    "line": Words("line {line} is no JSON object", "linje {line} er ikke et JSON-objekt"),
    "position": Words("its position cannot be", "dens position er umulig"),
    "file": Words("{said}", "{said}"),
    "register": Words("{said}", "{said}"),
    "integrity": Words("SQLite says: {said}", "SQLite siger: {said}"),
    "tile": Words(
        "the stored leaf hashes number {number} fit no events",
        "de gemte blad-hasher nummer {number} passer ikke til nogen poster",
    ),
    "subtree": Words(
        "the stored hash {number} of level {level} is not that of what lies below it",
        "den gemte hash {number} på niveau {level} er ikke den for, hvad der ligger under",
    ),
    "rule": Words(
        "“{name}” of the database is not as the store makes it",
        "»{name}« i databasen er ikke, som lageret laver det",
    ),
    "unsigned": Words(
        "that of {size} events is not signed by the key",
        "det for {size} poster er ikke underskrevet med nøglen",
    ),
    "own_unreadable": Words(
        "{file} beside the store is no checkpoint any more",
        "{file} ved siden af lageret er ikke et kontrolpunkt mere",
    ),
    "leaves_amiss": Words(
        "the leaf hashes kept with it do not lead to its root; they were damaged",
        "de blad-hasher, der er gemt med det, fører ikke til dets rod; de er beskadiget",
    ),
    "other_size": Words(
        "the proof is of {size} events, and the checkpoints kept elsewhere are of {kept}; fetch a proof with "
        "?size= one of these",
        "beviset er for {size} poster, og de gemte kontrolpunkter er for {kept}; hent et bevis med ?size= et "
        "af disse",
    ),
    "other_first": Words(
        "it begins at {size} events, and the checkpoints kept elsewhere are of {kept}; fetch it with ?from= "
        "one of these",
        "den begynder ved {size} poster, og de gemte kontrolpunkter er for {kept}; hent den med ?from= et af "
        "disse",
    ),
    "not_grown": Words(
        "the log of {size} events does not begin with the one of {first} that was kept",
        "loggen på {size} poster begynder ikke med den på {first}, der er gemt",
    ),
    "other_root": Words(
        "the proof has another root for {size} events than the one kept elsewhere",
        "beviset har en anden rod for {size} poster end det, der er gemt et andet sted",
    ),
}  # fmt: skip


def verdict_lines(name: str, verdict: Verdict, style: Style, verbose: bool = False) -> list[str]:
    """A verdict for people: a line for the whole, then what was found, the first event first.

    Of the database's safeguards, which are gone together where they are, and of erased events a few are
    named, all if ``verbose``.
    """
    known = verdict.events - verdict.hidden - verdict.erased
    said: dict[str, str | int] = {
        "name": name, "events": verdict.events, "streams": verdict.streams, "known": known,
    }  # fmt: skip
    if verdict.faults:
        mark = style.faulty(style.sign("✗", "x"))
        told, safeguards = (list(verdict.faults), 0) if verbose else _without_most_safeguards(verdict.faults)
        return [
            f"{mark} {_words(VERDICTS['faulty'], style, said)}",
            *(f"  {fault_sentence(fault, style)}" for fault in told),
            *([f"  {_words(VERDICTS['safeguards'], style, {'count': safeguards})}"] if safeguards else []),
            *([f"  {_words(VERDICTS['more'], style, {'count': verdict.more})}"] if verdict.more else []),
            *_erasure_lines(verdict, style, verbose),
            *_kept_lines(verdict, style),
        ]
    mark = style.sound(style.sign("✓", "+"))
    if verdict.first is not None:
        return [f"{mark} {_words(VERDICTS['grown'], style, {**said, 'first': verdict.first})}"]
    whole = "sound" if known == verdict.events else "in_part"
    lines = [f"{mark} {_words(VERDICTS[whole], style, said)}"]
    if verdict.proven is None:
        lines.append(f"  {_words(VERDICTS['unproven'], style, {})}")
    else:
        lines.append(f"  {_words(VERDICTS['proven'], style, {'proven': verdict.proven})}")
        if verdict.reach is not None and (since := verdict.events - verdict.reach):
            parts = {"since": since, "position": verdict.reach + 1}
            lines.append(f"  {_words(VERDICTS['since'], style, parts)}")
    if verdict.hidden:
        lines.append(f"  {_words(VERDICTS['hidden'], style, {'hidden': verdict.hidden})}")
    return [*lines, *_erasure_lines(verdict, style, verbose), *_kept_lines(verdict, style)]


def _kept_lines(verdict: Verdict, style: Style) -> list[str]:
    """That something else is kept beside the events than was, if so."""
    if not verdict.kept_amiss:
        return []
    return [f"  {_words(VERDICTS['kept_amiss'], style, {'count': len(verdict.kept_amiss)})}"]


def _erasure_lines(verdict: Verdict, style: Style, verbose: bool) -> list[str]:
    """That events were erased, and which: the first of them, or all; those after the checkpoint first."""
    erasures = sorted(verdict.erasures, key=lambda one: _when(one, verdict.reach) != "erasure_since")
    if not erasures:
        return []
    named = erasures if verbose else erasures[:ERASURES]
    lines = [f"  {_words(VERDICTS['erased'], style, {'erased': len(erasures)})}"]
    for one in named:
        place = _place(Fault("changed", "contents", *one[:4]), style)
        moment = printable(one.erased_at or "")
        parts: dict[str, str | int] = {"place": place, "moment": moment, "entry": one.entry or 0}
        lines.append(f"    {_words(VERDICTS[_when(one, verdict.reach)], style, parts)}")
    if left := len(erasures) - len(named):
        lines.append(f"    {_words(VERDICTS['erasures'], style, {'count': left})}")
    return lines


def _when(erasure: Erasure, reach: int | None) -> str:
    """The words for when it was erased: by the clock, and beside a checkpoint that reaches so far."""
    if erasure.erased_at is None:
        return "erasure_undated"
    if reach is None or erasure.entry is None:
        return "erasure"
    return "erasure_proved" if erasure.entry <= reach else "erasure_since"


def _without_most_safeguards(faults: Iterable[Fault]) -> tuple[list[Fault], int]:
    """The faults without safeguards behind the first few, and how many were left out."""
    told, safeguards = [], 0
    for fault in faults:
        safeguards += fault.kind == "rule"
        if fault.kind != "rule" or safeguards <= SAFEGUARDS:
            told.append(fault)
    return told, max(0, safeguards - SAFEGUARDS)


def fault_sentence(fault: Fault, style: Style) -> str:
    """What is the matter with which event."""
    kind = _words(KINDS[fault.kind], style, {})
    place = _place(fault, style)
    parts = {name: _shown(value) for name, value in fault.parts.items()}
    what = _words(DIFFERENCES[fault.what], style, parts)
    return f"{kind}: {place}: {what}" if place else f"{kind}: {what}"


def _shown(value: str | int) -> str | int:
    return printable(value) if isinstance(value, str) else value


def _place(fault: Fault, style: Style) -> str:
    if fault.version is None or fault.stream is None:
        if fault.position is None:
            return ""
        return _words(PLACES["at"], style, {"position": fault.position})
    stream = printable(fault.stream)
    where = _words(PLACES["event"], style, {"version": fault.version, "stream": stream})
    more = []
    if fault.event_id is not None:
        more.append(_words(PLACES["id"], style, {"id": printable(fault.event_id)}))
    if fault.position is not None:
        more.append(_words(PLACES["position"], style, {"position": fault.position}))
    return f"{where} ({', '.join(more)})" if more else where


def verdict_object(name: str, kind: str, verdict: Verdict) -> dict[str, Any]:
    """A verdict for programs."""
    return {
        "file": name,
        "kind": kind,
        "ok": not verdict.faults,
        "events": verdict.events,
        "records": verdict.streams,
        "proven": verdict.proven,
        "hidden": verdict.hidden,
        "erased": verdict.erased,
        "erasures": [_erasure_object(one) for one in verdict.erasures],
        "kept_amiss": list(verdict.kept_amiss),
        "more": verdict.more,
        "faults": [_fault_object(fault) for fault in verdict.faults],
    }


def _fault_object(fault: Fault) -> dict[str, Any]:
    return {
        "kind": fault.kind,
        "what": fault.what,
        "position": fault.position,
        "stream": fault.stream,
        "seq": fault.version,
        "id": fault.event_id,
        "message": fault_sentence(fault, Style()),
    }


def _erasure_object(erasure: Erasure) -> dict[str, Any]:
    return {
        "position": erasure.position,
        "stream": erasure.stream,
        "seq": erasure.version,
        "id": erasure.event_id,
        "erased_at": erasure.erased_at,
        "entry": erasure.entry,
    }


def _words(words: Words, style: Style, parts: Mapping[str, str | int]) -> str:
    return words[style.lang].format(**parts)
