"""Findings in words, the mistakes of the pen that may explain them, and what the record says corrected."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from engine import Audit, Entry, Finding, Score, State, evolve, initial_state
from engine.audit_report import AuditReport, CorrectedDeal
from engine.core.cards import CARD_BY_CODE
from engine.core.events import CorrectionMade
from engine.core.field_types import Seq
from engine.core.log import Log, seq_key
from engine.diagnosis.explanations import has_suspected_mistake
from engine.diagnosis.misprints import ProposalGroup
from engine.diagnosis.mistakes import Mistake
from engine.inference.called_revokes import IrregularityAnswer
from engine.play.findings import FAULT_SEVERITIES, SEVERITIES, Findings
from engine.rulesets import RulesetBook
from engine.tables.evening_faults import EveningFault
from engine.tables.ledger import TableFinding
from engine.tables.table_report import FirstDifference, TableReport
from schemas.i18n.translate import finding_kind_name, rule_section_name, translate
from service.presentation.text import names
from service.presentation.text.layout import wrap_text
from service.presentation.text.sentences import SentenceContext, capitalize_first, successive_sentences
from service.presentation.text.style import TextStyle
from service.presentation.text.words import LABEL_PHRASES

MAX_CONSEQUENCES: Final = 5
"""Only this many findings that follow from a mistake are shown."""

SUGGESTION_PHRASES: Final = {
    "once": "With entry {seqs} corrected as proposed:",
    "once_several": "With entries {seqs} corrected as proposed:",
    "recorded": "As recorded.",
    "score": "With the proposed correction (entry {seqs}) it is {result}.",
    "score_several": "With the proposed corrections (entries {seqs}) it is {result}.",
    "instead": "If entry {seqs} was such a mistake, it is {result}.",
    "instead_several": "If entries {seqs} were such mistakes, it is {result}.",
    "right_then": "Then what was paid is right.",
    "wrong_then": "Then what was paid is not right.",
    "perhaps": "This is about the record as it stands. A slip of the pen may explain it: {mistakes}",
    "see_audit": "A slip of the pen may explain what is found in the record; spadille audit says which.",
}
"""What is said of a proposed correction; ``{seqs}`` are the entries that it corrects."""

ANSWER_PHRASES: Final = {
    "proved": "Proved: {message}",
    "excluded": "Excluded: {message}",
    "neither": "Neither proved nor excluded: {message}",
}
"""The answer to an irregularity that was called, by its verdict."""

_CARD_CODE: Final = re.compile(r"\b[CDHS][2-7AJKQ]\b")
_MINUS: Final = re.compile(r"(?<![\w-])-(?=\d)")


# --- One finding ----------------------------------------------------------------------------------


def finding_lines(findings: Findings, style: TextStyle, indent: str = "  ") -> list[str]:
    """Each finding with its entry, seat, severity, code and rule; by entry, the most severe first."""
    lines: list[str] = []
    for one in sorted(findings, key=lambda one: (seq_key(one.seq), SEVERITIES.index(one.severity))):
        lines += wrap_text(_locate_finding(one, style), style.width, indent + severity_mark(one, style))
        details = wrap_text(_finding_details(one, style), style.width, indent + "  ")
        lines += map(style.dim, details)
    return lines


def severity_mark(finding: Finding, style: TextStyle) -> str:
    """A sign for the severity of a finding, and a space."""
    if finding.severity in FAULT_SEVERITIES:
        return style.faulty(style.sign("✗", "x")) + " "
    return "! " if finding.severity == "warning" else style.sign("·", "-") + " "


def finding_message(finding: Finding, style: TextStyle) -> str:
    """The sentence of a finding."""
    return format_engine_text(finding.message, style)


def format_engine_text(text: str, style: TextStyle) -> str:
    """A sentence of the engine in the language, its cards and negative numbers formatted as elsewhere."""
    return format_card_codes(translate(text, style.lang), style)


def format_card_codes(text: str, style: TextStyle) -> str:
    """A sentence with the card codes and negative numbers in it formatted as elsewhere."""
    signed = _MINUS.sub(style.sign("−", "-"), text)
    return _CARD_CODE.sub(lambda found: style.card(CARD_BY_CODE[found.group()]), signed)


def finding_after_entry(finding: Finding, style: TextStyle) -> str:
    """A finding after its entry, unless its sentence begins with the entry itself."""
    what = finding_message(finding, style)
    if _begins_with_entry(what, finding, style):
        return what
    return style.phrase("entry {seq}: {what}", seq=finding.seq, what=what)


def _locate_finding(finding: Finding, style: TextStyle) -> str:
    """A finding after its entry and seat, unless its sentence begins with the entry itself."""
    what = finding_message(finding, style)
    if _begins_with_entry(what, finding, style):
        return what
    entry = style.phrase(LABEL_PHRASES["entry"], seq=finding.seq)
    seat = "" if finding.seat is None else f", {names.seat_name(finding.seat, style)}"
    return f"{entry}{seat}: {what}"


def _begins_with_entry(message: str, finding: Finding, style: TextStyle) -> bool:
    entry = style.phrase(LABEL_PHRASES["entry"], seq=finding.seq)
    return message.startswith(f"{capitalize_first(entry)} ")


def _finding_details(finding: Finding, style: TextStyle) -> str:
    """The severity, kind and rule of a finding, and the other entries that show it."""
    parts = [
        style.phrase(finding.severity),
        finding_kind_name(finding.code, style.lang),
        rule_section_name(finding.rule, style.lang),
    ]
    if others := other_entries_phrase(finding, style):
        parts.append(others)
    return style.sign(" · ", " - ").join(parts)


def other_entries_phrase(finding: Finding, style: TextStyle) -> str:
    """The entries besides its own that show a finding; empty where there are none."""
    seqs = ", ".join(str(seq) for seq in finding.evidence if seq != finding.seq)
    return seqs and style.phrase("shown at {seqs}", seqs=seqs)


def answer_sentences(answers: Iterable[IrregularityAnswer], seq: Seq, style: TextStyle) -> Iterator[str]:
    """The answer to what is called at an entry, with the entries that show it."""
    for one in answers:
        if one.seq == seq:
            message = format_engine_text(one.message, style)
            text = style.phrase(ANSWER_PHRASES[one.verdict], message=message)
            shown = ", ".join(map(str, one.evidence))
            yield f"{text} ({style.phrase('shown at {seqs}', seqs=shown)})" if shown else text


# --- Mistakes of the pen and what follows from them -----------------------------------------------


def corrected_entry_sentences(
    entries: Log, correction: CorrectionMade, book: RulesetBook, style: TextStyle
) -> Iterator[str]:
    """What the record would say instead, each entry as it would be read at its place.

    ``entries`` are those of the record as it stands, with the replaced ones.
    """
    before = initial_state(book)
    for entry in entries:
        if entry.seq in correction.replaces:
            break
        before = evolve(before, entry)
    corrected = [Entry(correction.replaces[0], event) for event in correction.with_]
    return successive_sentences(before, corrected, style)


def consequence_sentences(consequences: Findings, style: TextStyle) -> tuple[str, ...]:
    """The first findings that follow from a mistake, each after its entry; then how many more there are."""
    lines = [finding_after_entry(one, style) for one in consequences[:MAX_CONSEQUENCES]]
    if (omitted_count := len(consequences) - MAX_CONSEQUENCES) > 0:
        lines.append(style.phrase("And {count} more.", count=omitted_count))
    return tuple(lines)


def similar_proposals_phrase(group: ProposalGroup, style: TextStyle) -> str:
    """How many other proposals differ only in the card, and in which; empty where there are none."""
    if not group.others:
        return ""
    return style.phrase(
        "And another like it, with {cards}."
        if len(group.others) == 1
        else "And {count} others like it, with {cards}.",
        count=len(group.others),
        cards=style.cards(group.cards),
    )


def mistakes_sentence(mistakes: Iterable[Mistake], style: TextStyle) -> str:
    """The mistakes of the pen that may explain what an uncorrected record breaks."""
    text = " ".join(finding_message(one.finding, style) for one in mistakes)
    return style.phrase(SUGGESTION_PHRASES["perhaps"], mistakes=text)


def audit_hint(audited: Audit, style: TextStyle) -> str:
    """The command that says whether a mistake of the pen explains the findings; empty where none can."""
    return style.phrase(SUGGESTION_PHRASES["see_audit"]) if has_suspected_mistake(audited) else ""


# --- The score of the corrected record ------------------------------------------------------------


def assumed_correction_phrase(corrected_deal: CorrectedDeal, style: TextStyle) -> str:
    """What is assumed of the sentences that follow: "Once entry 18 is put right as proposed:"."""
    return _correction_phrase("once", corrected_deal, style)


def corrected_score_sentences(audit_report: AuditReport, style: TextStyle) -> str:
    """What the corrected deal pays, and whether the payments are right then; empty if nothing changes."""
    corrected_deal = audit_report.corrected
    lines = (
        []
        if corrected_deal is None
        else [_corrected_score_sentence(audit_report.audit, corrected_deal, "score", style)]
    )
    lines += [
        _corrected_score_sentence(audit_report.likeliest_audit, one, "instead", style)
        for one in audit_report.alternatives
    ]
    text = " ".join(line for line in lines if line)
    return f"{style.phrase(SUGGESTION_PHRASES['recorded'])} {text}" if text else ""


def _corrected_score_sentence(
    recorded_audit: Audit, corrected_deal: CorrectedDeal, key: str, style: TextStyle
) -> str:
    before, after = recorded_audit.score, corrected_deal.audit.score
    if (before.outcome, before.payments, before.contract) == (after.outcome, after.payments, after.contract):
        return ""
    result = _result_with_payments(after, corrected_deal.audit.state, style)
    line = _correction_phrase(key, corrected_deal, style, result=result)
    settled = corrected_deal.settlements
    if not settled or settled[-1].differences is None:
        return line
    verdict = "wrong_then" if settled[-1].differences else "right_then"
    return f"{line} {style.phrase(SUGGESTION_PHRASES[verdict])}"


def _correction_phrase(key: str, corrected_deal: CorrectedDeal, style: TextStyle, **parts: str) -> str:
    if len(corrected_deal.corrected_seqs) > 1:
        key += "_several"
    seqs = names.join_names(map(str, corrected_deal.corrected_seqs), style)
    return style.phrase(SUGGESTION_PHRASES[key], seqs=seqs, **parts)


def _result_with_payments(score: Score, state: State, style: TextStyle) -> str:
    result = names.result_phrase(state, score, style)
    if score.payments is None or not any(chips for _, chips in score.payments):
        return result
    return f"{result}; {SentenceContext(state, state, style).format_chips(score.payments)}"


# --- Findings on a table --------------------------------------------------------------------------


def consequence_phrase(
    finding: TableFinding, fault: EveningFault, numbers: Mapping[str | None, int | None], style: TextStyle
) -> str:
    """A finding that follows from a fault, after its entry; ``numbers`` are those of the deals."""
    if finding.deal is None or finding.deal == fault.deal:
        return finding_after_entry(finding.finding, style)
    return style.phrase(
        "deal {number}, entry {seq}: {what}",
        number=numbers.get(finding.deal),
        seq=finding.finding.seq,
        what=finding_message(finding.finding, style),
    )


def first_difference_phrase(first_difference: FirstDifference, style: TextStyle) -> str:
    """What the first wrong deal paid each player too much, or how its pool is wrong."""
    if first_difference.difference:
        return ", ".join(f"{player} {style.chips(chips)}" for player, chips in first_difference.difference)
    recorded, before = first_difference.recorded_pot, first_difference.line.pot_before
    return style.phrase(
        "opened with {recorded} in the pool instead of {due}",
        recorded=0 if recorded is None else recorded.total,
        due=0 if before is None else before.opening_pot.total,
    )


def condition_sentence(table_report: TableReport, style: TextStyle) -> str:
    """The deals whose account holds only on a condition; empty where there are none."""
    numbers = table_report.deal_numbers_with_caveats
    if not numbers:
        return ""
    return style.phrase(
        ("For deal {deals} this holds on the condition stated there; if an entry is wrong, it differs.")
        if len(numbers) == 1
        else (
            "For deals {deals} this holds on the conditions stated there; if an entry is wrong, it differs."
        ),
        deals=names.join_names(map(str, numbers), style),
    )
