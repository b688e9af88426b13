"""The shapes of reports: on a deal, on a table, and on two accounts of one deal."""

from engine.inference.called_revokes import VERDICTS
from engine.reconcile import CONFLICTING, MORE_DETAIL, ONLY_ONE
from schemas.rulesets.other_rules_text import MAX_OTHER_RULES_LENGTH
from schemas.wire.event_schemas import BareEventSchema, EventSchema
from service.http.api.schemas import fields, points
from service.http.api.schemas.fields import QuerySchema, ResponseSchema
from service.http.api.schemas.ledgers import PotSchema, TableFindingSchema


class AuditedEntrySchema(ResponseSchema):
    """An entry with findings, and the deal before it."""

    entry = fields.nested(EventSchema)
    findings = fields.list_of(points.FindingSchema)
    follows = fields.list_of(
        points.FindingSchema, "Findings that would disappear if this mistake were corrected."
    )
    corrections = fields.list_of(
        BareEventSchema, "`correction_made` entries that would correct it, if a person accepts them."
    )
    state = fields.nested(
        points.StateSchema,
        "The deal before it; null for an entry outside the history, such as a correction.",
        allow_none=True,
    )
    legal = fields.nested(
        points.LegalSchema, "The legal events then; null if there were none.", allow_none=True
    )
    cost = fields.integer(
        "Chips that the card cost its side; null if it is no card, or some hands are unknown. Negative if "
        "an unlawful card gained.",
        allow_none=True,
    )
    told = fields.string("The cost as a sentence; null if a lawful card cost nothing.", allow_none=True)


class AuditedCorrectionSchema(points.CorrectionSchema):
    """A correction or a withdrawal at the table, and what replaces the old entries."""

    since = fields.list_of(EventSchema, "The entries that it added, as far as they are still valid.")


class SettlementSchema(ResponseSchema):
    """A payment at the table."""

    seq = fields.seq()
    paid = fields.chips_by_player()
    parted = fields.chips_by_player(allow_none=True)


class RulingEffectSchema(ResponseSchema):
    """A ruling on what the deal pays, and what it changes."""

    seq = fields.seq()
    in_force = fields.boolean("Whether the deal is paid by it; a later ruling, or a void deal, overrides it.")
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
    possible = fields.integer("Points that the ruleset sets for the offences found, whether given or not.")
    offences = fields.list_of(fields.seq(), "The entries at which they were found.")
    given = fields.integer("Points that the director gave, for any reason.")
    rulings = fields.list_of(fields.seq(), "The entries that gave them.")


class CorrectionProposalSchema(ResponseSchema):
    """Corrections that would make the record possible; nothing is corrected automatically."""

    corrections = fields.list_of(
        BareEventSchema, "`correction_made` entries to append, if a person accepts them."
    )
    reasons = fields.list_of(fields.string(), "The reason for its place in the list.")
    alike = fields.list_of(fields.card(), "Other cards that would do equally well.")


class MisprintsSchema(ResponseSchema):
    """Possible misprints in an impossible record."""

    contradicting = fields.list_of(fields.seq(), "Entries, at least one of which is wrong.")
    complete = fields.boolean("Whether the search was complete.")
    proposals = fields.list_of(CorrectionProposalSchema, "The likeliest first, at most twenty.")


class InputSlipSchema(ResponseSchema):
    """A slip of the pen that may explain the findings; nothing is corrected automatically."""

    finding = fields.nested(points.FindingSchema)
    corrections = fields.list_of(
        BareEventSchema, "`correction_made` entries that would correct it, if a person accepts them."
    )


class CorrectedDealSchema(ResponseSchema):
    """The deal with the corrections that are proposed for slips of the pen."""

    mistakes = fields.list_of(InputSlipSchema)
    score = fields.nested(points.ScoreSchema)
    settled = fields.list_of(SettlementSchema)


class AuditSchema(points.JudgedDealSchema):
    """The report on a deal, for a judge."""

    course = fields.list_of(EventSchema, "The entries of the effective history.")
    matters = fields.list_of(AuditedEntrySchema)
    mendings = fields.list_of(AuditedCorrectionSchema)
    rulings = fields.list_of(EventSchema, "Claims, irregularities, rulings and void deals.")
    verdict = fields.string("What was wrong and what is paid, in one sentence.")
    answers = fields.list_of(IrregularityAnswerSchema)
    ruled = fields.list_of(RulingEffectSchema, "The rulings on what the deal pays.")
    penalties = fields.list_of(PenaltyPointsSchema, "For each seat that may get or got some.")
    settled = fields.list_of(SettlementSchema)
    put_right = fields.nested(
        CorrectedDealSchema,
        "Null if no slip of the pen explains a finding.",
        allow_none=True,
    )
    instead = fields.list_of(
        CorrectedDealSchema, "Slips of the pen that may explain a revoke, each corrected."
    )
    misprints = fields.nested(MisprintsSchema, "Null if the record is possible.", allow_none=True)
    names = fields.member_names(required=False)
    links = fields.links()


NUMBER_DESCRIPTION = "The deal's number; null if it concerns no deal."

TableAuditQuery = QuerySchema.from_dict(
    {
        "rescore_with": fields.query_text(
            "Rescore the evening by other rules: a ruleset (`la-bete`), a revision (`dlu@1`), and house "
            "rules after commas (`dlu@1,sitter-pays=yes`).",
            MAX_OTHER_RULES_LENGTH,
        )
    },
    name="TableAuditQuery",
)
"""The rules to rescore the evening by."""


class TableFaultSchema(TableFindingSchema):
    """A fault of the evening, once, with all its consequences."""

    number = fields.integer(NUMBER_DESCRIPTION, allow_none=True)
    follows = fields.list_of(TableFindingSchema, "Findings that would disappear without it.")
    corrections = fields.list_of(
        BareEventSchema,
        "`correction_made` entries to append to the deal's log, if a person accepts them; empty if the "
        "right value is unknown.",
    )
    instead = fields.list_of(InputSlipSchema, "Slips of the pen that may explain a revoke.")


class FirstDiscrepancySchema(ResponseSchema):
    """The first deal with a wrong payment or a wrong pool."""

    deal = fields.name()
    number = fields.integer("The deal's number.")
    seq = fields.seq("The deal's entry: the payment, or the opening.")
    apart = fields.chips_by_player()
    recorded = fields.nested(
        PotSchema,
        "The pool of its opening, if the earlier deals left another; else null.",
        allow_none=True,
    )
    before = fields.nested(
        PotSchema,
        "The pool that the earlier deals left, with the stake; null without a pool.",
        allow_none=True,
    )


class RecountedSettlementSchema(ResponseSchema):
    """A payment of an entry."""

    seq = fields.seq()
    paid = fields.chips_by_player()
    apart = fields.chips_by_player(allow_none=True)
    engine = fields.string(
        "The program version that calculated it, for a closing; else null.", allow_none=True
    )


class RecountedDealSchema(ResponseSchema):
    """A deal of the evening, rescored."""

    deal = fields.name()
    number = fields.integer("Its number.")
    dealer = fields.name("Null if the seats are unknown.", allow_none=True)
    contract = fields.name("Null if there is none, or it is unknown.", allow_none=True)
    declarer = fields.name("Null if nobody plays alone, or the player is unknown.", allow_none=True)
    outcome = fields.outcome("The outcome; null while it is open.", allow_none=True)
    here = fields.boolean("Whether its record is here.")
    ok = fields.boolean("Whether its own record has no impossible entry and no error.")
    due = fields.chips_by_player(allow_none=True)
    settlements = fields.list_of(
        RecountedSettlementSchema, "All payments of its record; the last one counts."
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
    """The evening by other rules: the findings stay, only the payments change."""

    ruleset = fields.name()
    revision = fields.integer("Null if the newest was requested.", allow_none=True)
    switches = fields.dict_of(None, "The requested house rules.")
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
    """The report on a table, for a judge."""

    title = fields.string("The title of the evening; null without one.", allow_none=True)
    ruleset = fields.name()
    voided = fields.set_aside()
    verdict = fields.string("What was wrong and what is paid, in one sentence.")
    ok = fields.boolean("Whether there is no impossible entry and no error.")
    faults = fields.list_of(TableFaultSchema, "First those of the table's own log, then by deal.")
    first = fields.nested(FirstDiscrepancySchema, "Null if everything was paid as due.", allow_none=True)
    deals = fields.list_of(RecountedDealSchema, "In the order in which they started.")
    totals = fields.chips_by_player()
    due = fields.chips_by_player()
    apart = fields.chips_by_player()
    changes = fields.list_of(EveningChangeSchema)
    rescored = fields.nested(RescoredTableSchema, "Null if no other rules were requested.", allow_none=True)
    names = fields.member_names()
    links = fields.links()


class AccountSchema(ResponseSchema):
    """An account of the deal."""

    name = fields.string("The name of the account.")
    entries = fields.integer("Its number of entries, with corrections applied.")
    contradicting = fields.list_of(points.FindingSchema)


class EntryPairSchema(ResponseSchema):
    """Entries for the same act, or an entry of one account alone."""

    first = fields.nested(EventSchema, "Null if only the second account has it.", allow_none=True)
    second = fields.nested(EventSchema, "Null if only the first account has it.", allow_none=True)


class AccountDifferenceSchema(ResponseSchema):
    """A point in which the accounts differ."""

    seq = fields.integer(
        "Its entry in the merged record; null if that leaves it out.", min_value=1, allow_none=True
    )
    kind = fields.string(
        "`only` one account has it; they `otherwise` differ; one says `more` than the other.",
        choices=(ONLY_ONE, CONFLICTING, MORE_DETAIL),
    )
    first = fields.nested(EventSchema, "Null if only the second account has it.", allow_none=True)
    second = fields.nested(EventSchema, "Null if only the first account has it.", allow_none=True)
    differs_in = fields.list_of(fields.string(), "The fields in which they differ.")
    taken = fields.integer(
        "The account that the merged record follows, 1 or 2; null: both, or neither.", allow_none=True
    )


class ComparisonSchema(ResponseSchema):
    """Two accounts of one deal, aligned, and one merged record."""

    accounts = fields.list_of(AccountSchema)
    agree = fields.boolean("Whether they can both be right.")
    pairs = fields.list_of(EntryPairSchema, "Aligned, in an order that keeps the order of both.")
    differences = fields.list_of(AccountDifferenceSchema)
    merged = fields.list_of(EventSchema, "The merged entries, each with its `accounts`.")
