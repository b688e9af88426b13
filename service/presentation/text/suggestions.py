"""A record as it would stand put right, in words: which entries, and what the deal pays then."""

from collections.abc import Iterable
from typing import Final

from engine import Audit, Score, State
from engine.audit_report import AuditReport, CorrectedDeal, SettlementCheck
from engine.diagnosis.explanations import has_suspected_mistake
from engine.diagnosis.mistakes import Mistake
from schemas.i18n.translate import translate
from service.presentation.text import names
from service.presentation.text.findings import format_card_codes
from service.presentation.text.sentences import SentenceContext
from service.presentation.text.style import TextStyle

SUGGESTION_PHRASES: Final = {
    "once": "Once entry {seqs} is put right as proposed:",
    "once_several": "Once entries {seqs} are put right as proposed:",
    "recorded": "As recorded.",
    "score": "With the proposed correction (entry {seqs}) it is {result}.",
    "score_several": "With the proposed corrections (entries {seqs}) it is {result}.",
    "instead": "If entry {seqs} was that slip, it is {result}.",
    "instead_several": "If entries {seqs} were such slips, it is {result}.",
    "right_then": "What was paid is right then.",
    "wrong_then": "What was paid is not right then.",
    "perhaps": "Of the record as it stands. A mistake of the pen may explain it: {mistakes}",
    "see_audit": "A mistake of the pen may explain what is found in the record; spadille audit says which.",
}
"""The lines; ``{seqs}`` are the entries that would be corrected."""


def assumed_correction_phrase(corrected_deal: CorrectedDeal, style: TextStyle) -> str:
    """That what follows speaks of the record put right: "Once entry 18 is put right as proposed:"."""
    key = "once" if len(corrected_deal.corrected_seqs) == 1 else "once_several"
    return style.phrase(SUGGESTION_PHRASES[key], seqs=_corrected_seqs(corrected_deal, style))


def corrected_score_sentences(audit_report: AuditReport, style: TextStyle) -> str:
    """What the deal pays put right, and whether what was paid is right then; empty where nothing changes."""
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
    if _has_same_result(recorded_audit, corrected_deal.audit):
        return ""
    if len(corrected_deal.corrected_seqs) > 1:
        key += "_several"
    line = style.phrase(
        SUGGESTION_PHRASES[key],
        seqs=_corrected_seqs(corrected_deal, style),
        result=_result_with_payments(corrected_deal.audit.score, corrected_deal.audit.state, style),
    )
    paid = _payment_check_sentence(corrected_deal.settlements, style)
    return f"{line} {paid}" if paid else line


def mistakes_sentence(mistakes: Iterable[Mistake], style: TextStyle) -> str:
    """The mistakes of the pen that may explain what a record breaks, where it is told of as it stands."""
    text = " ".join(format_card_codes(translate(one.finding.message, style.lang), style) for one in mistakes)
    return style.phrase(SUGGESTION_PHRASES["perhaps"], mistakes=text)


def audit_hint(audited: Audit, style: TextStyle) -> str:
    """Where to ask whether a mistake of the pen explains what a record breaks; empty where none can."""
    return style.phrase(SUGGESTION_PHRASES["see_audit"]) if has_suspected_mistake(audited) else ""


def _corrected_seqs(corrected_deal: CorrectedDeal, style: TextStyle) -> str:
    return names.join_names(map(str, corrected_deal.corrected_seqs), style)


def _has_same_result(recorded: Audit, corrected: Audit) -> bool:
    """Whether the deal ends and pays the same."""
    recorded_score, corrected_score = recorded.score, corrected.score
    return (recorded_score.outcome, recorded_score.payments, recorded_score.contract) == (
        corrected_score.outcome,
        corrected_score.payments,
        corrected_score.contract,
    )


def _result_with_payments(score: Score, state: State, style: TextStyle) -> str:
    result = names.result_phrase(state, score, style)
    if score.payments is None or not any(chips for _, chips in score.payments):
        return result
    return f"{result}; {SentenceContext(state, state, style).format_chips(score.payments)}"


def _payment_check_sentence(settled: tuple[SettlementCheck, ...], style: TextStyle) -> str:
    """Whether what was last paid at the table is right in the record put right."""
    if not settled or settled[-1].differences is None:
        return ""
    return style.phrase(SUGGESTION_PHRASES["wrong_then" if settled[-1].differences else "right_then"])
