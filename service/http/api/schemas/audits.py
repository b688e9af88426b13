"""The shapes of reports: on a deal, on a table, and on two accounts of one deal."""

from engine.inference.called_revokes import VERDICTS
from engine.reconcile import CONFLICTING, MORE_DETAIL, ONLY_ONE
from schemas.rulesets.other_rules_text import MAX_OTHER_RULES_LENGTH
from schemas.wire.event_schemas import BareEventSchema, EventSchema
from service.http.api.schemas import fields, points
from service.http.api.schemas.fields import QuerySchema, ResponseSchema
from service.http.api.schemas.ledgers import PotSchema, TableFindingSchema


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


class IrregularityAnswerSchema(ResponseSchema):
    """The answer to an irregularity that was called: whether the record proves it, and what would."""

    seq = fields.seq("The entry that calls it.")
    verdict = fields.string("Whether it is proved.", choices=VERDICTS)
    told = fields.string("The answer as a sentence.")
    evidence = fields.list_of(fields.seq())
    deals = fields.digits("Deals that fit; null: not counted.", allow_none=True)
    revoked = fields.digits("In how many it was one, or null.", allow_none=True)


class PenaltyPointsSchema(ResponseSchema):
    """The penalty points of one seat, kept apart from the chips."""

    seat = fields.seat()
    possible = fields.integer(
        "Points that the ruleset states for the offences found, whether any were given or not."
    )
    offences = fields.list_of(fields.seq())
    given = fields.integer("Points that the director gave, whatever for.")
    rulings = fields.list_of(fields.seq())


class CorrectionProposalSchema(ResponseSchema):
    """Corrections that would make the record possible; nothing is corrected by itself."""

    corrections = fields.list_of(
        BareEventSchema, "`correction_made` entries to append, if a person accepts them."
    )
    reasons = fields.list_of(fields.string(), "Why it is likely.")
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
    verdict = fields.string("What was wrong and what is paid, in one sentence.")
    answers = fields.list_of(IrregularityAnswerSchema)
    ruled = fields.list_of(RulingEffectSchema)
    penalties = fields.list_of(PenaltyPointsSchema)
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


NUMBER_DESCRIPTION = "The deal's number; null where it is about none."

TableAuditQuery = QuerySchema.from_dict(
    {
        "rescore_with": fields.query_text(
            "Counts the evening once more by other rules: a ruleset (`la-bete`), one revision of it "
            "(`dlu@1`), and house rules behind commas (`dlu@1,sitter-pays=yes`).",
            MAX_OTHER_RULES_LENGTH,
        )
    },
    name="TableAuditQuery",
)
"""By which rules to count the evening once more."""


class TableFaultSchema(TableFindingSchema):
    """Something that is wrong with the evening, told once, and all that follows from it."""

    number = fields.integer(NUMBER_DESCRIPTION, allow_none=True)
    follows = fields.list_of(TableFindingSchema, "What would not be found without it.")
    corrections = fields.list_of(
        BareEventSchema,
        "`correction_made` entries to append to the deal's log, if a person accepts them; none where it is "
        "not known what is right.",
    )
    instead = fields.list_of(
        InputSlipSchema, "The mistakes of the pen that may have been instead of a revoke."
    )


class FirstDiscrepancySchema(ResponseSchema):
    """The first deal in which what was paid, or the pool, is not what it should be."""

    deal = fields.name()
    number = fields.integer("The deal's number.")
    seq = fields.seq("The deal's entry: what was paid, or how the deal was opened.")
    apart = fields.chips_by_player()
    recorded = fields.nested(
        PotSchema,
        "The pool it was opened with, where the earlier deals left another; else null.",
        allow_none=True,
    )
    before = fields.nested(
        PotSchema,
        "The pool that the earlier deals left, the stake in it; null without a pool.",
        allow_none=True,
    )


class RecountedSettlementSchema(ResponseSchema):
    """What an entry says was paid."""

    seq = fields.seq()
    paid = fields.chips_by_player()
    apart = fields.chips_by_player(allow_none=True)
    engine = fields.string("The version that computed it, for a closing; else null.", allow_none=True)


class RecountedDealSchema(ResponseSchema):
    """A deal of the evening, counted again; the deals stand in the order in which they were started."""

    deal = fields.name()
    number = fields.integer("Its number.")
    dealer = fields.name("Null where nobody can be seated.", allow_none=True)
    contract = fields.name("Null where there is none, or it is not known.", allow_none=True)
    declarer = fields.name("Null where nobody plays alone, or it is not known who.", allow_none=True)
    outcome = fields.nullable_outcome("How it ended; null while it is open.")
    here = fields.boolean("Whether its record is here.")
    ok = fields.boolean("Whether nothing in its own record is impossible or against the rules.")
    due = fields.chips_by_player(allow_none=True)
    settlements = fields.list_of(
        RecountedSettlementSchema, "All that its record says was paid; the last counts."
    )
    apart = fields.chips_by_player()
    running = fields.chips_by_player()


class RescoredDealSchema(ResponseSchema):
    """What a deal pays by its own rules, and by the others."""

    deal = fields.name()
    number = fields.integer("Its number.")
    before = fields.chips_by_player(allow_none=True)
    after = fields.chips_by_player(allow_none=True)
    difference = fields.chips_by_player(allow_none=True)


class RescoredTableSchema(ResponseSchema):
    """The evening by other rules: what happened in the deals is not judged anew, only paid otherwise."""

    ruleset = fields.name()
    revision = fields.integer("Null where the newest was asked for.", allow_none=True)
    switches = fields.dict_of(None, "The house rules that were asked for.")
    deals = fields.list_of(RescoredDealSchema)
    before = fields.chips_by_player()
    after = fields.chips_by_player()
    difference = fields.chips_by_player()


class EveningChangeSchema(ResponseSchema):
    """A player who came later or left, or a correction."""

    deal = fields.name("Null: the table itself.", allow_none=True)
    number = fields.integer(NUMBER_DESCRIPTION, allow_none=True)
    seq = fields.seq()
    told = fields.string("The change as a sentence.")


class TableAuditSchema(ResponseSchema):
    """The report on a table, for whoever has to judge the evening."""

    title = fields.string("What the evening is called; null where it has no name.", allow_none=True)
    ruleset = fields.name()
    verdict = fields.string("What was wrong and what is paid, in one sentence.")
    ok = fields.boolean("Whether nothing is impossible or against the rules.")
    faults = fields.list_of(TableFaultSchema, "Those of the table's own log first, then deal by deal.")
    first = fields.nested(FirstDiscrepancySchema, "Null where all was paid as it is due.", allow_none=True)
    deals = fields.list_of(RecountedDealSchema)
    totals = fields.chips_by_player()
    due = fields.chips_by_player()
    apart = fields.chips_by_player()
    changes = fields.list_of(EveningChangeSchema)
    rescored = fields.nested(
        RescoredTableSchema, "Null where no other rules were asked for.", allow_none=True
    )
    names = fields.member_names()
    links = fields.links()


class AccountSchema(ResponseSchema):
    """An account of the deal."""

    name = fields.string("What it is called.")
    entries = fields.integer("How many entries it has, corrections taken in.")
    contradicting = fields.list_of(points.FindingSchema)


class EntryPairSchema(ResponseSchema):
    """Entries that tell of the same act, or an entry of one account alone."""

    first = fields.nested(EventSchema, "Null where the second alone tells it.", allow_none=True)
    second = fields.nested(EventSchema, "Null where the first alone tells it.", allow_none=True)


class AccountDifferenceSchema(ResponseSchema):
    """A point in which the accounts differ."""

    seq = fields.integer(
        "Its entry in the merged record; null where that leaves it out.", min_value=1, allow_none=True
    )
    kind = fields.string(
        "`only` one tells it; they tell it `otherwise`; one tells `more` than the other.",
        choices=(ONLY_ONE, CONFLICTING, MORE_DETAIL),
    )
    first = fields.nested(EventSchema, "Null where the second alone tells it.", allow_none=True)
    second = fields.nested(EventSchema, "Null where the first alone tells it.", allow_none=True)
    differs_in = fields.list_of(fields.string(), "Those fields.")
    taken = fields.integer(
        "The account that the merged record follows, 1 or 2; null: both, or neither.", allow_none=True
    )


class ComparisonSchema(ResponseSchema):
    """Two accounts of one deal side by side, and one record of both."""

    accounts = fields.list_of(AccountSchema)
    agree = fields.boolean("Whether they can both be right.")
    pairs = fields.list_of(EntryPairSchema, "Side by side, in an order that keeps that of either.")
    differences = fields.list_of(AccountDifferenceSchema)
    merged = fields.list_of(EventSchema, "What both tell, each entry with its `accounts`.")
