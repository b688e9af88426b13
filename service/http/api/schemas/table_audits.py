"""The shape of the report on a table."""

from schemas.rulesets.other_rules_text import MAX_OTHER_RULES_LENGTH
from schemas.wire.event_schemas import BareEventSchema
from service.http.api.schemas import fields
from service.http.api.schemas.audits import InputSlipSchema
from service.http.api.schemas.fields import QuerySchema, ResponseSchema
from service.http.api.schemas.ledger import PotSchema, TableFindingSchema

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
    """A deal of the evening, counted again."""

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


class TableAuditSchema(ResponseSchema):
    """The report on a table, for whoever has to judge the evening."""

    title = fields.string("What the evening is called; null where it has no name.", allow_none=True)
    ruleset = fields.name()
    ok = fields.boolean("Whether nothing is impossible or against the rules.")
    faults = fields.list_of(TableFaultSchema, "Those of the table's own log first, then deal by deal.")
    first = fields.nested(FirstDiscrepancySchema, "Null where all was paid as it is due.", allow_none=True)
    deals = fields.list_of(RecountedDealSchema, "In the order in which they were started.")
    totals = fields.chips_by_player()
    due = fields.chips_by_player()
    apart = fields.chips_by_player()
    rescored = fields.nested(
        RescoredTableSchema, "Null where no other rules were asked for.", allow_none=True
    )
    names = fields.member_names()
    links = fields.links()
