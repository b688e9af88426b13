"""The shape of the report on a deal."""

from schemas.wire.event_schemas import BareEventSchema, EventSchema
from service.http.api.schemas.fields import (
    CARD_KIND,
    SEAT_KIND,
    SEQ_KIND,
    IntegerField,
    ResponseSchema,
    VocabularyField,
    boolean_field,
    links_field,
    list_field,
    nested_field,
    string_field,
)
from service.http.api.schemas.points import (
    NAME_KIND,
    CorrectionSchema,
    FindingSchema,
    LegalSchema,
    ScoreSchema,
    StateSchema,
    chips_by_name_field,
    finding_list_field,
    member_names_field,
)


class AuditedEntrySchema(ResponseSchema):
    """An entry at which something is found, and how the deal stood before it."""

    entry = nested_field(EventSchema)
    findings = finding_list_field()
    follows = list_field(
        FindingSchema, "What would not be found if the mistake that is found there were put right."
    )
    corrections = list_field(
        BareEventSchema, "`correction_made` entries that would put it right, if a person accepts them."
    )
    state = nested_field(
        StateSchema,
        "The deal before it; null where the entry does not stand in the history, as a correction.",
        allow_none=True,
    )
    legal = nested_field(LegalSchema, "What might happen then; null where nothing might.", allow_none=True)
    cost = IntegerField(
        "Chips that the card cost the side that played it; null where it is no card, or not all hands are "
        "known. Less than nothing where an unlawful card gained.",
        allow_none=True,
    )
    told = string_field("That as a sentence; null where a lawful card cost nothing.", allow_none=True)


class AuditedCorrectionSchema(CorrectionSchema):
    """A correction, or something taken back at the table, and what stands there because of it."""

    since = list_field(EventSchema, "What it put in, as far as that still stands.")


class SettlementSchema(ResponseSchema):
    """What was paid at the table."""

    seq = VocabularyField(SEQ_KIND)
    paid = chips_by_name_field()
    parted = chips_by_name_field(allow_none=True)


class RulingEffectSchema(ResponseSchema):
    """A ruling on what the deal pays, and what it changes."""

    seq = VocabularyField(SEQ_KIND)
    in_force = boolean_field(
        "Whether the deal is paid by it; a later ruling, or a deal declared void, takes its place."
    )
    without = chips_by_name_field(allow_none=True)
    pays = chips_by_name_field(allow_none=True)
    changed = chips_by_name_field(allow_none=True)


class PenaltyPointsSchema(ResponseSchema):
    """The penalty points of one seat, kept apart from the chips."""

    seat = VocabularyField(SEAT_KIND)
    possible = IntegerField(
        "Points that the ruleset states for the offences found, whether any were given or not."
    )
    offences = list_field(VocabularyField(SEQ_KIND), "The entries at which they were found.")
    given = IntegerField("Points that the director gave, whatever for.")
    rulings = list_field(VocabularyField(SEQ_KIND), "The entries by which he gave them.")


class CorrectionProposalSchema(ResponseSchema):
    """Corrections that would make the record possible; nothing is corrected by itself."""

    corrections = list_field(
        BareEventSchema, "`correction_made` entries to append, if a person accepts them."
    )
    reasons = list_field(string_field(), "Why it stands where it does among the others.")
    alike = list_field(
        VocabularyField(CARD_KIND), "Cards that would do as well there as the one that is put in."
    )


class MisprintsSchema(ResponseSchema):
    """What may be written wrongly in a record that cannot be."""

    contradicting = list_field(VocabularyField(SEQ_KIND), "Entries of which one at least is wrong.")
    complete = boolean_field("Whether everything was looked at.")
    proposals = list_field(CorrectionProposalSchema, "The likeliest first, twenty at most.")


class InputSlipSchema(ResponseSchema):
    """A mistake of the pen that may explain what is found; nothing is corrected by itself."""

    finding = nested_field(FindingSchema)
    corrections = list_field(
        BareEventSchema, "`correction_made` entries that would put it right, if a person accepts them."
    )


class CorrectedDealSchema(ResponseSchema):
    """The deal as it would stand with the corrections that are proposed for mistakes of the pen."""

    mistakes = list_field(InputSlipSchema)
    score = nested_field(ScoreSchema)
    settled = list_field(SettlementSchema)


class AuditSchema(ResponseSchema):
    """The report on a deal, for whoever has to judge it."""

    title = string_field(
        "What the deal is called; null where it has no name, or you may not know it.", allow_none=True
    )
    ruleset = VocabularyField(NAME_KIND, "Null where its opening is missing.", allow_none=True)
    ok = boolean_field("Whether nothing is impossible or against the rules.")
    findings = finding_list_field()
    score = nested_field(ScoreSchema)
    course = list_field(EventSchema, "The entries of the effective history.")
    matters = list_field(AuditedEntrySchema)
    mendings = list_field(AuditedCorrectionSchema)
    rulings = list_field(EventSchema, "What was called, ruled and declared void.")
    ruled = list_field(RulingEffectSchema, "Of these the rulings on what the deal pays.")
    penalties = list_field(PenaltyPointsSchema, "Of whoever may get some, or got some.")
    settled = list_field(SettlementSchema)
    put_right = nested_field(
        CorrectedDealSchema,
        "Null where no mistake of the pen explains anything that is found.",
        allow_none=True,
    )
    instead = list_field(
        CorrectedDealSchema, "The slips that may have been instead of a revoke that is found, each put right."
    )
    misprints = nested_field(MisprintsSchema, "Null where the record can be.", allow_none=True)
    names = member_names_field(required=False)
    links = links_field()
