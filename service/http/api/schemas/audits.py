"""The shape of the report on a deal."""

from schemas.wire.event_schemas import BareEventSchema, EventSchema
from service.http.api.schemas import fields, points
from service.http.api.schemas.fields import ResponseSchema


class AuditedEntrySchema(ResponseSchema):
    """An entry at which something is found, and how the deal stood before it."""

    entry = fields.nested(EventSchema)
    findings = fields.list_of(points.FindingSchema)
    follows = fields.list_of(
        points.FindingSchema, "What would not be found if the mistake that is found there were put right."
    )
    corrections = fields.list_of(
        BareEventSchema, "`correction_made` entries that would put it right, if a person accepts them."
    )
    state = fields.nested(
        points.StateSchema,
        "The deal before it; null where the entry does not stand in the history, as a correction.",
        allow_none=True,
    )
    legal = fields.nested(
        points.LegalSchema, "What might happen then; null where nothing might.", allow_none=True
    )
    cost = fields.integer(
        "Chips that the card cost the side that played it; null where it is no card, or not all hands are "
        "known. Less than nothing where an unlawful card gained.",
        allow_none=True,
    )
    told = fields.string("That as a sentence; null where a lawful card cost nothing.", allow_none=True)


class AuditedCorrectionSchema(points.CorrectionSchema):
    """A correction, or something taken back at the table, and what stands there because of it."""

    since = fields.list_of(EventSchema, "What it put in, as far as that still stands.")


class SettlementSchema(ResponseSchema):
    """What was paid at the table."""

    seq = fields.seq()
    paid = fields.chips_by_player()
    parted = fields.chips_by_player(allow_none=True)


class RulingEffectSchema(ResponseSchema):
    """A ruling on what the deal pays, and what it changes."""

    seq = fields.seq()
    in_force = fields.boolean(
        "Whether the deal is paid by it; a later ruling, or a deal declared void, takes its place."
    )
    without = fields.chips_by_player(allow_none=True)
    pays = fields.chips_by_player(allow_none=True)
    changed = fields.chips_by_player(allow_none=True)


class PenaltyPointsSchema(ResponseSchema):
    """The penalty points of one seat, kept apart from the chips."""

    seat = fields.seat()
    possible = fields.integer(
        "Points that the ruleset states for the offences found, whether any were given or not."
    )
    offences = fields.list_of(fields.seq(), "The entries at which they were found.")
    given = fields.integer("Points that the director gave, whatever for.")
    rulings = fields.list_of(fields.seq(), "The entries by which he gave them.")


class CorrectionProposalSchema(ResponseSchema):
    """Corrections that would make the record possible; nothing is corrected by itself."""

    corrections = fields.list_of(
        BareEventSchema, "`correction_made` entries to append, if a person accepts them."
    )
    reasons = fields.list_of(fields.string(), "Why it stands where it does among the others.")
    alike = fields.list_of(fields.card(), "Cards that would do as well there as the one that is put in.")


class MisprintsSchema(ResponseSchema):
    """What may be written wrongly in a record that cannot be."""

    contradicting = fields.list_of(fields.seq(), "Entries of which one at least is wrong.")
    complete = fields.boolean("Whether everything was looked at.")
    proposals = fields.list_of(CorrectionProposalSchema, "The likeliest first, twenty at most.")


class InputSlipSchema(ResponseSchema):
    """A mistake of the pen that may explain what is found; nothing is corrected by itself."""

    finding = fields.nested(points.FindingSchema)
    corrections = fields.list_of(
        BareEventSchema, "`correction_made` entries that would put it right, if a person accepts them."
    )


class CorrectedDealSchema(ResponseSchema):
    """The deal as it would stand with the corrections that are proposed for mistakes of the pen."""

    mistakes = fields.list_of(InputSlipSchema)
    score = fields.nested(points.ScoreSchema)
    settled = fields.list_of(SettlementSchema)


class AuditSchema(points.JudgedDealSchema):
    """The report on a deal, for whoever has to judge it."""

    course = fields.list_of(EventSchema, "The entries of the effective history.")
    matters = fields.list_of(AuditedEntrySchema)
    mendings = fields.list_of(AuditedCorrectionSchema)
    rulings = fields.list_of(EventSchema, "What was called, ruled and declared void.")
    ruled = fields.list_of(RulingEffectSchema, "Of these the rulings on what the deal pays.")
    penalties = fields.list_of(PenaltyPointsSchema, "Of whoever may get some, or got some.")
    settled = fields.list_of(SettlementSchema)
    put_right = fields.nested(
        CorrectedDealSchema,
        "Null where no mistake of the pen explains anything that is found.",
        allow_none=True,
    )
    instead = fields.list_of(
        CorrectedDealSchema, "The slips that may have been instead of a revoke that is found, each put right."
    )
    misprints = fields.nested(MisprintsSchema, "Null where the record can be.", allow_none=True)
    names = fields.member_names(required=False)
    links = fields.links()
