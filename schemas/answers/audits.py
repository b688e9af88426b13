"""The report on a deal as a JSON object."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from engine.audit_report import AuditReport, CorrectedDeal, EntryReport, SettlementCheck
from engine.core.cards import CARD_CODES, SEAT_NAMES
from engine.core.events import CorrectionMade, type_name
from engine.core.log import Entry
from engine.diagnosis.finding_caveats import add_caveats
from engine.diagnosis.misprints import MisprintProposals, group_proposals
from engine.diagnosis.mistakes import Mistake
from engine.inference.called_revokes import IrregularityAnswer
from engine.rulings import RulingEffect, SeatPenalty, list_penalties, list_ruling_effects
from engine.verdicts import deal_verdict
from schemas.answers.deal_reports import amendment_object
from schemas.answers.states import (
    Json,
    finding_object,
    finding_objects,
    legal_object,
    opening_object,
    optional,
    score_object,
    state_object,
)
from schemas.i18n.catalogs import SOURCE_LANGUAGE
from schemas.i18n.translate import translate
from schemas.logs.deal_size import FragmentEncoder
from schemas.wire.event_writer import entry_object, event_object

MAX_AUDIT_PROPOSALS: Final = 20
"""The most proposals in an answer, the likeliest first."""


def audit_object(audit_report: AuditReport, lang: str = SOURCE_LANGUAGE) -> Json:
    """The report on a deal: what it breaks and pays, and why. Raises `DealTooLarge`."""
    pieces = FragmentEncoder()
    audit = audit_report.audit
    return {
        **opening_object(audit.state),
        "verdict": translate(deal_verdict(audit_report), lang),
        "ok": audit.ok,
        "findings": finding_objects(add_caveats(audit), lang),
        "score": score_object(audit.score, lang),
        "course": _entry_objects(audit.history.entries),
        "matters": [pieces.encode(_entry_report_object(one, lang)) for one in audit_report.entry_reports],
        "mendings": [
            pieces.encode(
                {**amendment_object(one.amendment), "since": _entry_objects(one.replacement_entries)}
            )
            for one in audit_report.amendments
        ],
        "rulings": _entry_objects(audit_report.rulings),
        "answers": [_irregularity_answer_object(one, lang) for one in audit_report.answers],
        "ruled": [_ruling_effect_object(one) for one in list_ruling_effects(audit, audit.state.opening.book)],
        "penalties": [_seat_penalty_object(one) for one in list_penalties(audit)],
        "settled": _settlement_objects(audit_report.settlements),
        "put_right": optional(
            lambda corrected: _corrected_deal_object(corrected, lang), audit_report.corrected
        ),
        "instead": [_corrected_deal_object(one, lang) for one in audit_report.alternatives],
        "misprints": optional(lambda misprints: _misprints_object(misprints, lang), audit_report.misprints),
    }


def _settlement_objects(settlements: Iterable[SettlementCheck]) -> list[Json]:
    return [
        {
            "seq": one.entry.seq,
            "paid": dict(one.payments),
            "parted": optional(dict, one.differences),
        }
        for one in settlements
    ]


def _corrected_deal_object(corrected: CorrectedDeal, lang: str) -> Json:
    return {
        "mistakes": mistake_objects(corrected.explanation.mistakes, lang),
        "score": score_object(corrected.audit.score, lang),
        "settled": _settlement_objects(corrected.settlements),
    }


def mistake_objects(mistakes: Iterable[Mistake], lang: str) -> list[Json]:
    """Mistakes of the pen that may explain what is found, each with the corrections to append."""
    return [
        {
            "finding": finding_object(one.finding, lang),
            "corrections": [correction_object(correction, lang) for correction in one.corrections],
        }
        for one in mistakes
    ]


def _misprints_object(misprints: MisprintProposals, lang: str) -> Json:
    return {
        "contradicting": list(misprints.contradicting_entries),
        "complete": misprints.is_complete,
        "proposals": [
            {
                "corrections": [correction_object(one, lang) for one in group.first.corrections],
                "reasons": [translate(one, lang) for one in group.first.reasons],
                "alike": [CARD_CODES[card] for card in group.cards],
            }
            for group in group_proposals(misprints.proposals)[:MAX_AUDIT_PROPOSALS]
        ],
    }


def correction_object(correction: CorrectionMade, lang: str) -> Json:
    """A correction that is proposed, as the event to append."""
    return {
        "type": type_name(CorrectionMade),
        **event_object(replace(correction, reason=translate(correction.reason, lang))),
    }


def _entry_report_object(entry_report: EntryReport, lang: str) -> Json:
    played = entry_report.play_value
    return {
        "entry": entry_object(entry_report.entry),
        "findings": finding_objects(entry_report.findings, lang),
        "follows": finding_objects(entry_report.consequences, lang),
        "corrections": [correction_object(one, lang) for one in entry_report.corrections],
        "state": optional(state_object, entry_report.state_before),
        "legal": legal_object(entry_report.legal_actions),
        "cost": None if played is None else played.cost,
        "told": translate(played.cost_text, lang) if played is not None and played.cost_text else None,
    }


def _ruling_effect_object(ruling_effect: RulingEffect) -> Json:
    return {
        "seq": ruling_effect.seq,
        "in_force": ruling_effect.is_in_force,
        "without": optional(dict, ruling_effect.payments_without),
        "pays": optional(dict, ruling_effect.payments),
        "changed": optional(dict, ruling_effect.differences),
    }


def _irregularity_answer_object(answer: IrregularityAnswer, lang: str) -> Json:
    return {
        "seq": answer.seq,
        "verdict": answer.verdict,
        "told": translate(answer.message, lang),
        "evidence": list(answer.evidence),
        "revoked": optional(str, answer.revoke_count),
        "deals": optional(str, answer.deal_count),
    }


def _seat_penalty_object(seat_penalty: SeatPenalty) -> Json:
    return {
        "seat": SEAT_NAMES[seat_penalty.seat],
        "possible": seat_penalty.possible_points,
        "offences": list(seat_penalty.offence_seqs),
        "given": seat_penalty.given_points,
        "rulings": list(seat_penalty.ruling_seqs),
    }


def _entry_objects(entries: Iterable[Entry]) -> list[Json]:
    return [entry_object(entry) for entry in entries]
