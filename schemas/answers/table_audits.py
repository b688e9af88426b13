"""The report on a table as a JSON object."""

from engine.scoring.payments import add_by_name
from engine.tables.evening_audit import Settlement
from engine.tables.evening_faults import EveningFault
from engine.tables.ledger import LedgerLine
from engine.tables.rescoring import EveningRescoring, OtherRules
from engine.tables.table_report import DealReport, FirstDifference, TableReport
from schemas.answers.audits import correction_object, mistake_objects
from schemas.answers.ledgers import table_finding_object
from schemas.answers.states import Json, finding_object, members_object, optional
from schemas.i18n.catalogs import SOURCE_LANGUAGE


def table_audit_object(
    table_report: TableReport,
    lang: str = SOURCE_LANGUAGE,
    other_rules: OtherRules | None = None,
    rescoring: EveningRescoring | None = None,
) -> Json:
    """The report on a table: its faults, each with what follows from it, and every settlement counted again.

    ``rescoring``: the same evening under ``other_rules``, where they were asked for.
    """
    opening_event = table_report.table.opening_event
    return {
        "title": opening_event.title,
        "ruleset": opening_event.ruleset,
        "ok": table_report.ok,
        "faults": [_fault(one, lang) for one in table_report.faults],
        "first": optional(_first_difference_object, table_report.first_difference),
        "deals": [_deal(one) for one in table_report.deals],
        "totals": dict(table_report.ledger.totals),
        "due": dict(table_report.corrected_ledger.totals),
        "apart": dict(table_report.difference),
        "rescored": None
        if other_rules is None or rescoring is None
        else _rescoring_object(other_rules, rescoring),
    }


def _fault(fault: EveningFault, lang: str) -> Json:
    return {
        "deal": fault.deal,
        "number": fault.number,
        **finding_object(fault.finding, lang),
        "follows": [table_finding_object(one, lang) for one in fault.consequences],
        "instead": mistake_objects(fault.alternatives, lang),
        "corrections": [correction_object(one, lang) for one in fault.corrections],
    }


def _first_difference_object(first_difference: FirstDifference) -> Json:
    line = first_difference.line
    return {
        "deal": line.deal,
        "number": line.number,
        "seq": first_difference.fault.finding.seq,
        "apart": dict(first_difference.difference),
        "recorded": optional(members_object, first_difference.recorded_pot),
        "before": optional(members_object, line.pot_before),
    }


def _deal(deal_report: DealReport) -> Json:
    line = deal_report.line
    return {
        "deal": line.deal,
        "number": line.number,
        "dealer": None if line.seating is None else line.seating.dealer,
        "contract": line.contract,
        "declarer": line.declarer,
        "outcome": line.outcome,
        "here": deal_report.audit is not None,
        "ok": deal_report.audit is None or deal_report.audit.ok,
        "due": optional(dict, deal_report.due_chips),
        "settlements": [_settlement(paid) for paid in deal_report.settlements],
        "apart": dict(deal_report.difference),
        "running": dict(deal_report.running_difference),
    }


def _settlement(settlement: Settlement) -> Json:
    return {
        "seq": settlement.seq,
        "paid": dict(settlement.payments),
        "apart": optional(dict, settlement.difference),
        "engine": settlement.engine_version,
    }


def _rescoring_object(other_rules: OtherRules, rescoring: EveningRescoring) -> Json:
    return {
        "ruleset": other_rules.ruleset,
        "revision": other_rules.revision,
        "switches": dict(other_rules.switches),
        "deals": [
            {
                "deal": one.before.deal,
                "number": one.before.number,
                "before": _deal_payments(one.before),
                "after": _deal_payments(one.after),
                "difference": optional(dict, one.difference),
            }
            for one in rescoring.deals
        ],
        "before": dict(rescoring.before.totals),
        "after": dict(rescoring.after.totals),
        "difference": dict(rescoring.difference),
    }


def _deal_payments(line: LedgerLine) -> Json | None:
    """What a deal brings each, the stake in it; None where the rules leave it open."""
    return add_by_name((*line.stake, *line.chips)) if line.is_decided else None
