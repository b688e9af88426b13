"""The report on a deal as a JSON object."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from marshmallow.fields import List

from engine.audit_report import AuditReport
from engine.core.events import CorrectionMade
from engine.diagnosis.finding_caveats import add_caveats
from engine.diagnosis.misprints import group_proposals
from engine.inference.called_revokes import VERDICTS
from engine.rulings import list_penalties, list_ruling_effects
from engine.verdicts import deal_verdict
from schemas.answers import fields
from schemas.answers.deal_reports import CorrectionSchema
from schemas.answers.response_schema import Json, ResponseSchema
from schemas.answers.states import (
    FindingSchema,
    LegalSchema,
    ScoreSchema,
    StateSchema,
    nullable_ruleset,
    nullable_title,
)
from schemas.i18n.catalogs import SOURCE_LANGUAGE
from schemas.i18n.translate import translate
from schemas.logs.deal_size import FragmentEncoder
from schemas.wire.event_schemas import BareEventSchema, EventSchema
from schemas.wire.event_writer import entry_object, event_object

OPENING: Final = "audit.state.opening.event"
"""The path to the opening of a reported deal."""
MAX_AUDIT_PROPOSALS: Final = 20
"""The most proposals in an answer, the likeliest first."""


def proposed_corrections(description: str, **options: Any) -> List[Any]:
    """A list of corrections that are proposed."""
    return fields.list_of(BareEventSchema, description, translate=correction_objects, **options)


def correction_objects(corrections: Iterable[CorrectionMade], lang: str) -> list[Json]:
    """Corrections that are proposed, as the events to append."""
    return [event_object(replace(one, reason=translate(one.reason, lang))) for one in corrections]


class AuditedEntrySchema(ResponseSchema):
    """An entry with findings, and the deal before it."""

    entry = fields.nested(EventSchema)
    findings = fields.list_of(FindingSchema)
    follows = fields.list_of(
        FindingSchema, "Findings that would disappear if this mistake were corrected.", get="consequences"
    )
    corrections = proposed_corrections(
        "`correction_made` entries that would correct it, if a person accepts them."
    )
    state = fields.nested(
        StateSchema,
        "The deal before it; null for an entry outside the history, such as a correction.",
        get="state_before",
        allow_none=True,
    )
    legal = fields.nested(
        LegalSchema, "The legal events then; null if there were none.", get="legal_actions", allow_none=True
    )
    cost = fields.integer(
        "Chips that the card cost its side; null if it is no card, or some hands are unknown. Negative if "
        "an unlawful card gained.",
        get=lambda report: report.play_value and report.play_value.cost,
        allow_none=True,
    )
    told = fields.sentence(
        "The cost as a sentence; null if a lawful card cost nothing.",
        get=lambda report: (report.play_value and report.play_value.cost_text) or None,
        allow_none=True,
    )


class AuditedCorrectionSchema(CorrectionSchema):
    """A correction or a withdrawal at the table, and what replaces the old entries."""

    since = fields.list_of(EventSchema, "The entries that it added, as far as they are still valid.")


class SettlementSchema(ResponseSchema):
    """A payment at the table."""

    seq = fields.seq(get="entry.seq")
    paid = fields.chips_by_player(get="payments")
    parted = fields.chips_by_player(get="differences", allow_none=True)


class RulingEffectSchema(ResponseSchema):
    """A ruling on what the deal pays, and what it changes."""

    seq = fields.seq()
    in_force = fields.boolean(
        "Whether the deal is paid by it; a later ruling, or a void deal, overrides it.", get="is_in_force"
    )
    without = fields.chips_by_player(get="payments_without", allow_none=True)
    pays = fields.chips_by_player(get="payments", allow_none=True)
    changed = fields.chips_by_player(get="differences", allow_none=True)


class IrregularityAnswerSchema(ResponseSchema):
    """The answer to an irregularity that was called: whether the record proves it, and what would."""

    seq = fields.seq("The entry that calls it.")
    verdict = fields.string("Whether it is proved.", choices=VERDICTS)
    told = fields.sentence("The answer as a sentence.", get="message")
    evidence = fields.list_of(fields.seq())
    revoked = fields.digits("In how many it was one, or null.", get="revoke_count", allow_none=True)
    deals = fields.digits("Deals that fit; null: not counted.", get="deal_count", allow_none=True)


class PenaltyPointsSchema(ResponseSchema):
    """The penalty points of one seat, kept apart from the chips."""

    seat = fields.seat()
    possible = fields.integer(
        "Points that the ruleset sets for the offences found, whether given or not.", get="possible_points"
    )
    offences = fields.list_of(fields.seq(), "The entries at which they were found.", get="offence_seqs")
    given = fields.integer("Points that the director gave, for any reason.", get="given_points")
    rulings = fields.list_of(fields.seq(), "The entries that gave them.", get="ruling_seqs")


class CorrectionProposalSchema(ResponseSchema):
    """Corrections that would make the record possible; nothing is corrected automatically."""

    corrections = proposed_corrections(
        "`correction_made` entries to append, if a person accepts them.", get="first.corrections"
    )
    reasons = fields.list_of(fields.sentence(), "The reason for its place in the list.", get="first.reasons")
    alike = fields.cards("Other cards that would do equally well.", get="cards")


class MisprintsSchema(ResponseSchema):
    """Possible misprints in an impossible record."""

    contradicting = fields.list_of(
        fields.seq(), "Entries, at least one of which is wrong.", get="contradicting_entries"
    )
    complete = fields.boolean("Whether the search was complete.", get="is_complete")
    proposals = fields.list_of(
        CorrectionProposalSchema,
        "The likeliest first, at most twenty.",
        get=lambda misprints: group_proposals(misprints.proposals)[:MAX_AUDIT_PROPOSALS],
    )


class InputSlipSchema(ResponseSchema):
    """A slip of the pen that may explain the findings; nothing is corrected automatically."""

    finding = fields.nested(FindingSchema)
    corrections = proposed_corrections(
        "`correction_made` entries that would correct it, if a person accepts them."
    )


class CorrectedDealSchema(ResponseSchema):
    """The deal with the corrections that are proposed for slips of the pen."""

    mistakes = fields.list_of(InputSlipSchema, get="explanation.mistakes")
    score = fields.nested(ScoreSchema, get="audit.score")
    settled = fields.list_of(SettlementSchema, get="settlements")


class BaseAuditSchema(ResponseSchema):
    """The report on a deal, for a judge."""

    title = nullable_title(OPENING)
    ruleset = nullable_ruleset(OPENING)
    verdict = fields.sentence("What was wrong and what is paid, in one sentence.", get=deal_verdict)
    ok = fields.boolean("Whether there is no impossible entry and no error.", get="audit.ok")
    findings = fields.list_of(FindingSchema, get=lambda report: add_caveats(report.audit))
    score = fields.nested(ScoreSchema, get="audit.score")
    course = fields.list_of(EventSchema, "The entries of the effective history.", get="audit.history.entries")
    matters = fields.list_of(AuditedEntrySchema)
    mendings = fields.list_of(AuditedCorrectionSchema)
    rulings = fields.list_of(EventSchema, "Claims, irregularities, rulings and void deals.")
    answers = fields.list_of(IrregularityAnswerSchema)
    ruled = fields.list_of(
        RulingEffectSchema,
        "The rulings on what the deal pays.",
        get=lambda report: list_ruling_effects(report.audit, report.audit.state.opening.book),
    )
    penalties = fields.list_of(
        PenaltyPointsSchema,
        "For each seat that may get or got some.",
        get=lambda report: list_penalties(report.audit),
    )
    settled = fields.list_of(SettlementSchema, get="settlements")
    put_right = fields.nested(
        CorrectedDealSchema,
        "Null if no slip of the pen explains a finding.",
        get="corrected",
        allow_none=True,
    )
    instead = fields.list_of(
        CorrectedDealSchema, "Slips of the pen that may explain a revoke, each corrected.", get="alternatives"
    )
    misprints = fields.nested(MisprintsSchema, "Null if the record is possible.", allow_none=True)


def audit_object(audit_report: AuditReport, lang: str = SOURCE_LANGUAGE) -> Json:
    """The report on a deal: what it breaks and pays, and why. Raises `DealTooLarge`."""
    pieces = FragmentEncoder()
    return BaseAuditSchema.write(
        audit_report,
        lang,
        matters=[pieces.encode(AuditedEntrySchema.write(one, lang)) for one in audit_report.entry_reports],
        mendings=[
            pieces.encode(
                AuditedCorrectionSchema.write(
                    one.amendment, since=[entry_object(entry) for entry in one.replacement_entries]
                )
            )
            for one in audit_report.amendments
        ],
    )
