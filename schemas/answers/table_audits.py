"""The report on a table as a JSON object."""

from collections.abc import Iterable
from typing import Final

from engine.scoring.payments import add_by_name
from engine.tables.evening_faults import EveningFault
from engine.tables.ledger import LedgerLine
from engine.tables.rescoring import EveningRescoring, OtherRules
from engine.tables.table_report import TableReport
from engine.verdicts import table_verdict
from schemas.answers import fields
from schemas.answers.audits import InputSlipSchema, correction_objects, proposed_corrections
from schemas.answers.ledgers import FindingPlaceSchema, PotSchema, TableFindingSchema, table_finding_objects
from schemas.answers.response_schema import Json, ResponseSchema
from schemas.i18n.catalogs import SOURCE_LANGUAGE

NUMBER_DESCRIPTION: Final = "The deal's number; null if it concerns no deal."


class FaultPlaceSchema(FindingPlaceSchema):
    """The log of a fault, and the deal that it concerns."""

    number = fields.integer(NUMBER_DESCRIPTION, allow_none=True)


class TableFaultSchema(TableFindingSchema, FaultPlaceSchema):
    """A fault of the evening, once, with all its consequences."""

    follows = fields.list_of(TableFindingSchema, "Findings that would disappear without it.")
    instead = fields.list_of(InputSlipSchema, "Slips of the pen that may explain a revoke.")
    corrections = proposed_corrections(
        "`correction_made` entries to append to the deal's log, if a person accepts them; empty if the "
        "right value is unknown."
    )


def _fault_objects(faults: Iterable[EveningFault], lang: str) -> list[Json]:
    return [
        TableFaultSchema.write(
            one.finding,
            lang,
            deal=one.deal,
            number=one.number,
            follows=table_finding_objects(one.consequences, lang),
            instead=[InputSlipSchema.write(mistake, lang) for mistake in one.alternatives],
            corrections=correction_objects(one.corrections, lang),
        )
        for one in faults
    ]


class FirstDiscrepancySchema(ResponseSchema):
    """The first deal with a wrong payment or a wrong pool."""

    deal = fields.name(get="line.deal")
    number = fields.integer("The deal's number.", get="line.number")
    seq = fields.seq("The deal's entry: the payment, or the opening.", get="fault.finding.seq")
    apart = fields.chips_by_player(get="difference")
    recorded = fields.nested(
        PotSchema,
        "The pool of its opening, if the earlier deals left another; else null.",
        get="recorded_pot",
        allow_none=True,
    )
    before = fields.nested(
        PotSchema,
        "The pool that the earlier deals left, with the stake; null without a pool.",
        get="line.pot_before",
        allow_none=True,
    )


class RecountedSettlementSchema(ResponseSchema):
    """A payment of an entry."""

    seq = fields.seq()
    paid = fields.chips_by_player(get="payments")
    apart = fields.chips_by_player(get="difference", allow_none=True)
    engine = fields.string(
        "The program version that calculated it, for a closing; else null.",
        get="engine_version",
        allow_none=True,
    )


class RecountedDealSchema(ResponseSchema):
    """A deal of the evening, rescored."""

    deal = fields.name(get="line.deal")
    number = fields.integer("Its number.", get="line.number")
    dealer = fields.name(
        "Null if the seats are unknown.",
        get=lambda report: report.line.seating and report.line.seating.dealer,
        allow_none=True,
    )
    contract = fields.name("Null if there is none, or it is unknown.", get="line.contract", allow_none=True)
    declarer = fields.name(
        "Null if nobody plays alone, or the player is unknown.", get="line.declarer", allow_none=True
    )
    outcome = fields.outcome("The outcome; null while it is open.", allow_none=True, get="line.outcome")
    here = fields.boolean("Whether its record is here.", get=lambda report: report.audit is not None)
    ok = fields.boolean(
        "Whether its own record has no impossible entry and no error.",
        get=lambda report: report.audit is None or report.audit.ok,
    )
    due = fields.chips_by_player(get="due_chips", allow_none=True)
    settlements = fields.list_of(
        RecountedSettlementSchema, "All payments of its record; the last one counts."
    )
    apart = fields.chips_by_player(get="difference")
    running = fields.chips_by_player(get="running_difference")


def _deal_payments(line: LedgerLine) -> dict[str, int] | None:
    """What a deal brings each, the stake in it; None where the rules leave it open."""
    return add_by_name((*line.stake, *line.chips)) if line.is_decided else None


class RescoredDealSchema(ResponseSchema):
    """What a deal pays by its own rules, and by the others."""

    deal = fields.name(get="before.deal")
    number = fields.integer("Its number.", get="before.number")
    before = fields.chips_by_player(get=lambda deal: _deal_payments(deal.before), allow_none=True)
    after = fields.chips_by_player(get=lambda deal: _deal_payments(deal.after), allow_none=True)
    difference = fields.chips_by_player(allow_none=True)


class RescoredTableSchema(ResponseSchema):
    """The evening by other rules: the findings stay, only the payments change."""

    ruleset = fields.name()
    revision = fields.integer("Null if the newest was requested.", allow_none=True)
    switches = fields.dict_of(None, "The requested house rules.")
    deals = fields.list_of(RescoredDealSchema)
    before = fields.chips_by_player(get="before.totals")
    after = fields.chips_by_player(get="after.totals")
    difference = fields.chips_by_player()


class EveningChangeSchema(ResponseSchema):
    """A player who came later or left, or a correction."""

    deal = fields.name("Null: the table itself.", allow_none=True)
    number = fields.integer(NUMBER_DESCRIPTION, allow_none=True)
    seq = fields.seq()
    told = fields.sentence("The change as a sentence.", get="message")


class BaseTableAuditSchema(ResponseSchema):
    """The report on a table, for a judge."""

    title = fields.string(
        "The title of the evening; null without one.", get="table.opening_event.title", allow_none=True
    )
    ruleset = fields.name(get="table.opening_event.ruleset")
    voided = fields.set_aside(get="table.voided")
    verdict = fields.sentence("What was wrong and what is paid, in one sentence.", get=table_verdict)
    ok = fields.boolean("Whether there is no impossible entry and no error.")
    faults = fields.list_of(
        TableFaultSchema, "First those of the table's own log, then by deal.", translate=_fault_objects
    )
    first = fields.nested(
        FirstDiscrepancySchema, "Null if everything was paid as due.", get="first_difference", allow_none=True
    )
    deals = fields.list_of(RecountedDealSchema, "In the order in which they started.")
    totals = fields.chips_by_player(get="ledger.totals")
    due = fields.chips_by_player(get="corrected_ledger.totals")
    apart = fields.chips_by_player(get="difference")
    changes = fields.list_of(EveningChangeSchema)
    rescored = fields.nested(RescoredTableSchema, "Null if no other rules were requested.", allow_none=True)


def table_audit_object(
    table_report: TableReport,
    lang: str = SOURCE_LANGUAGE,
    other_rules: OtherRules | None = None,
    rescoring: EveningRescoring | None = None,
) -> Json:
    """The report on a table: its faults, each with what follows from it, and every settlement counted again.

    ``rescoring``: the same evening under ``other_rules``, where they were asked for.
    """
    rescored = None
    if other_rules is not None and rescoring is not None:
        rules = {**other_rules._asdict(), "switches": dict(other_rules.switches)}
        rescored = RescoredTableSchema.write(rescoring, **rules)
    return BaseTableAuditSchema.write(table_report, lang, rescored=rescored)
