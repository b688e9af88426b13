"""Findings for people: what was found at which entry, how grave it is, what shows it."""

import re
from typing import Final

from engine import Finding
from engine.core.cards import CARD_OF
from engine.core.log import place
from engine.play.findings import GRAVE, Findings
from engine.play.findings import SEVERITIES as BY_GRAVITY
from service.presentation.i18n.translate import kind_called, rule_called, told
from service.presentation.text.layout import wrapped
from service.presentation.text.names import seat_names
from service.presentation.text.style import Style
from service.presentation.text.words import LABELS, SEVERITIES

_CODE: Final = re.compile(r"\b[CDHS][2-7AJKQ]\b")
_MINUS: Final = re.compile(r"(?<![\w-])-(?=\d)")


def finding_lines(findings: Findings, style: Style, indent: str = "  ") -> list[str]:
    """Each finding on lines of its own: entry, seat and sentence, then severity, code and rule.

    They stand in the order of their entries, the gravest of an entry first.
    """
    lines: list[str] = []
    for one in sorted(findings, key=lambda one: (place(one.seq), BY_GRAVITY.index(one.severity))):
        lines += wrapped(placed(one, style), style.width, indent + mark(one, style))
        lines += [style.dim(line) for line in wrapped(_grounds(one, style), style.width, indent + "  ")]
    return lines


def placed(finding: Finding, style: Style) -> str:
    """A finding after its entry and seat, unless its sentence begins with the entry itself."""
    message = _message(finding, style)
    if begins_with_entry(message, finding, style):
        return message
    return f"{_place(finding, style)}: {message}"


def begins_with_entry(message: str, finding: Finding, style: Style) -> bool:
    """Whether a finding's sentence names its entry first, so that nothing need stand before it."""
    entry = LABELS["entry"][style.lang].format(seq=finding.seq)
    return message.startswith(f"{entry[:1].upper()}{entry[1:]} ")


def mark(finding: Finding, style: Style) -> str:
    """A sign for how grave a finding is, and a space."""
    if finding.severity in GRAVE:
        return style.faulty(style.sign("✗", "x")) + " "
    return "! " if finding.severity == "warning" else style.sign("·", "-") + " "


def _place(finding: Finding, style: Style) -> str:
    entry = LABELS["entry"][style.lang].format(seq=finding.seq)
    return entry if finding.seat is None else f"{entry}, {seat_names(style)[finding.seat]}"


def _message(finding: Finding, style: Style) -> str:
    """The engine's sentence in the reader's language, with its cards written as everywhere else."""
    return with_cards(told(finding.message, style.lang), style)


def with_cards(sentence: str, style: Style) -> str:
    """A sentence of the engine's with its cards, and the sign of chips paid, written as everywhere else."""
    signed = _MINUS.sub(style.sign("−", "-"), sentence)
    return _CODE.sub(lambda found: style.card(CARD_OF[found.group()]), signed)


def _grounds(finding: Finding, style: Style) -> str:
    """How grave, of what kind, by which rule, and what else shows it."""
    kind = kind_called(finding.code, style.lang)
    parts = [SEVERITIES[finding.severity][style.lang], kind, rule_called(finding.rule, style.lang)]
    others = [str(seq) for seq in finding.evidence if seq != finding.seq]
    if others:
        parts.append(LABELS["shown_at"][style.lang].format(seqs=", ".join(others)))
    return style.sign(" · ", " - ").join(parts)
