"""Findings for people: what was found at which entry, how grave it is, what shows it."""

import re
from typing import Final

from engine import Finding
from engine.core.cards import CARD_BY_CODE
from engine.core.log import seq_key
from engine.play.findings import FAULT_SEVERITIES, Findings
from engine.play.findings import SEVERITIES as BY_GRAVITY
from schemas.i18n.translate import finding_kind_name, rule_section_name, translate
from service.presentation.text.layout import wrap_text
from service.presentation.text.names import translated_seat_names
from service.presentation.text.style import TextStyle
from service.presentation.text.words import LABEL_PHRASES

_CARD_CODE: Final = re.compile(r"\b[CDHS][2-7AJKQ]\b")
_MINUS: Final = re.compile(r"(?<![\w-])-(?=\d)")


def finding_lines(findings: Findings, style: TextStyle, indent: str = "  ") -> list[str]:
    """Each finding on lines of its own: entry, seat and sentence, then severity, code and rule.

    They stand in the order of their entries, the gravest of an entry first.
    """
    lines: list[str] = []
    for one in sorted(findings, key=lambda one: (seq_key(one.seq), BY_GRAVITY.index(one.severity))):
        lines += wrap_text(finding_with_location(one, style), style.width, indent + severity_mark(one, style))
        lines += [
            style.dim(line) for line in wrap_text(_finding_details(one, style), style.width, indent + "  ")
        ]
    return lines


def finding_with_location(finding: Finding, style: TextStyle) -> str:
    """A finding after its entry and seat, unless its sentence begins with the entry itself."""
    message = _translated_message(finding, style)
    if begins_with_entry(message, finding, style):
        return message
    return f"{_finding_location(finding, style)}: {message}"


def begins_with_entry(message: str, finding: Finding, style: TextStyle) -> bool:
    """Whether a finding's sentence names its entry first, so that nothing need stand before it."""
    entry = style.phrase(LABEL_PHRASES["entry"], seq=finding.seq)
    return message.startswith(f"{entry[:1].upper()}{entry[1:]} ")


def severity_mark(finding: Finding, style: TextStyle) -> str:
    """A sign for how grave a finding is, and a space."""
    if finding.severity in FAULT_SEVERITIES:
        return style.faulty(style.sign("✗", "x")) + " "
    return "! " if finding.severity == "warning" else style.sign("·", "-") + " "


def _finding_location(finding: Finding, style: TextStyle) -> str:
    entry = style.phrase(LABEL_PHRASES["entry"], seq=finding.seq)
    return entry if finding.seat is None else f"{entry}, {translated_seat_names(style)[finding.seat]}"


def _translated_message(finding: Finding, style: TextStyle) -> str:
    """The engine's sentence in the reader's language, with its cards written as everywhere else."""
    return format_card_codes(translate(finding.message, style.lang), style)


def format_card_codes(text: str, style: TextStyle) -> str:
    """A sentence of the engine's with its cards, and the sign of chips paid, written as everywhere else."""
    signed = _MINUS.sub(style.sign("−", "-"), text)
    return _CARD_CODE.sub(lambda found: style.card(CARD_BY_CODE[found.group()]), signed)


def _finding_details(finding: Finding, style: TextStyle) -> str:
    """How grave, of what kind, by which rule, and what else shows it."""
    kind = finding_kind_name(finding.code, style.lang)
    parts = [
        style.phrase(finding.severity),
        kind,
        rule_section_name(finding.rule, style.lang),
    ]
    other_seqs = [str(seq) for seq in finding.evidence if seq != finding.seq]
    if other_seqs:
        parts.append(style.phrase(LABEL_PHRASES["shown_at"], seqs=", ".join(other_seqs)))
    return style.sign(" · ", " - ").join(parts)
