"""A deal in sections of lines, with the faults and notes of each line.

A line lists the entries that it shows. An entry that no line shows (a note, a claim, a ruling, a slip)
follows in words below the line to which it belongs, so that nothing is lost.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine import Audit, Entry, History, evolve, initial_state
from engine.core.events import CardPlayed, NoteAdded
from engine.core.field_types import Seq
from engine.play.findings import FAULT_SEVERITIES
from engine.rulesets import RulesetBook
from service.presentation.text.layout import INDENT, display_width, wrap_text
from service.presentation.text.sentences import SentenceContext, entry_sentence
from service.presentation.text.style import TextStyle

NOTE_INDENT = "      "
"""Before notes and other entries below a line."""


class TextLine(NamedTuple):
    """A line of text, and the entries that it shows."""

    text: str
    seqs: tuple[Seq, ...] = ()


class TextSection(NamedTuple):
    """Lines under a heading, which may be empty."""

    heading: str
    lines: list[TextLine]


def render_sections(sections: Iterable[TextSection], audited: Audit, style: TextStyle) -> list[str]:
    """Render sections as lines of text, with faults marked and all other entries at their place."""
    history, findings, book = audited.history, audited.findings, audited.state.opening.book
    shown = [section for section in sections if section.lines]
    annotations = _collect_annotations(
        [line for section in shown for line in section.lines], history, style, book
    )
    faults = {one.seq for one in findings if one.severity in FAULT_SEVERITIES}
    text: list[str] = []
    number = 0
    for section in shown:
        if section.heading:
            text += ["", style.bold(section.heading)]
        for line in section.lines:
            text += [_mark_faults(line, faults, style), *annotations.get(number, ())]
            number += 1
    return text


def _mark_faults(line: TextLine, faults: set[Seq], style: TextStyle) -> str:
    """A line followed by the faulty ones among its entries, or with these below it."""
    at_fault = [f"{style.sign('✗', 'x')}{seq}" for seq in line.seqs if seq in faults]
    if not at_fault:
        return line.text
    mark = style.faulty(" ".join(at_fault))
    last = line.text.rpartition("\n")[2]
    fits = display_width(last) + len(INDENT) + display_width(mark) <= style.width
    return line.text + (INDENT if fits else "\n" + NOTE_INDENT) + mark


def _collect_annotations(
    lines: list[TextLine], history: History, style: TextStyle, book: RulesetBook
) -> dict[int, list[str]]:
    """By the number of a line, the lines below it."""
    place = {seq: number for number, line in enumerate(lines) for seq in line.seqs}
    by_seq = {entry.seq: entry for entry in history.entries}
    annotations: dict[int, list[str]] = {}
    before, last = initial_state(book), 0
    for entry in history.entries:
        after = evolve(before, entry)
        event = entry.event
        if entry.seq in place:
            last = place[entry.seq]
        elif isinstance(event, NoteAdded):
            on = place.get(event.on, last) if event.on is not None else last
            annotations.setdefault(on, []).extend(_note_lines(event, by_seq, style))
        else:
            # Notes on this entry belong to the same line.
            place[entry.seq] = last
            sentence = entry_sentence(entry, SentenceContext(before, after, style))
            annotations.setdefault(last, []).extend(
                wrap_text(sentence, style.width, NOTE_INDENT + style.sign("– ", "- "))
            )
        before = after
    return annotations


def _note_lines(note: NoteAdded, by_seq: Mapping[Seq, Entry], style: TextStyle) -> list[str]:
    """A note, with a rule at its left."""
    rule = NOTE_INDENT + style.sign("│ ", "| ")
    on = by_seq.get(note.on) if note.on is not None else None
    card = style.card(on.event.card) if on is not None and isinstance(on.event, CardPlayed) else ""
    opening = f"{card}{note.mark or ''}"
    text = f"{opening} {note.text}" if opening else note.text
    signed = f"{text} — {note.author}" if note.author else text
    return wrap_text(signed, style.width, rule, rule)
