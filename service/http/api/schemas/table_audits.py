"""The shape of the report on a table."""

from marshmallow import fields

from engine.core.field_types import FieldKind
from schemas.rulesets.other_rules_text import MAX_OTHER_RULES_LENGTH
from schemas.wire.event_schemas import BareEventSchema
from service.http.api.schemas.audits import InputSlipSchema
from service.http.api.schemas.fields import (
    SEQ_KIND,
    IntegerField,
    QueryParameter,
    ResponseSchema,
    VocabularyField,
    boolean_field,
    links_field,
    list_field,
    nested_field,
    string_field,
)
from service.http.api.schemas.ledger import PotSchema, TableFindingSchema
from service.http.api.schemas.points import (
    NAME_KIND,
    chips_by_name_field,
    member_names_field,
    nullable_outcome_field,
)
from service.http.api.schemas.records import QuerySchema

DEAL_DESCRIPTION = "The deal; null for the table's own log."
NUMBER_DESCRIPTION = "The deal's number; null where it is about none."

TableAuditQuery = QuerySchema.from_dict(
    {
        "rescore_with": QueryParameter(
            FieldKind("text", minimum=1, maximum=MAX_OTHER_RULES_LENGTH),
            "Counts the evening once more by other rules: a ruleset (`la-bete`), one revision of it "
            "(`dlu@1`), and house rules behind commas (`dlu@1,sitter-pays=yes`).",
        )
    },
    name="TableAuditQuery",
)
"""By which rules to count the evening once more."""


class TableFaultSchema(TableFindingSchema):
    """Something that is wrong with the evening, told once, and all that follows from it."""

    number = IntegerField(NUMBER_DESCRIPTION, allow_none=True)
    follows = list_field(TableFindingSchema, "What would not be found without it.")
    corrections = list_field(
        BareEventSchema,
        "`correction_made` entries to append to the deal's log, if a person accepts them; none where it is "
        "not known what is right.",
    )
    instead = list_field(InputSlipSchema, "The mistakes of the pen that may have been instead of a revoke.")


class FirstDiscrepancySchema(ResponseSchema):
    """The first deal in which what was paid, or the pool, is not what it should be."""

    deal = VocabularyField(NAME_KIND)
    number = IntegerField("The deal's number.")
    seq = VocabularyField(SEQ_KIND, "The deal's entry: what was paid, or how the deal was opened.")
    apart = chips_by_name_field()
    recorded = nested_field(
        PotSchema,
        "The pool it was opened with, where the earlier deals left another; else null.",
        allow_none=True,
    )
    before = nested_field(
        PotSchema,
        "The pool that the earlier deals left, the stake in it; null without a pool.",
        allow_none=True,
    )


class RecountedSettlementSchema(ResponseSchema):
    """What an entry says was paid."""

    seq = VocabularyField(SEQ_KIND)
    paid = chips_by_name_field()
    apart = chips_by_name_field(allow_none=True)
    engine = string_field("The version that computed it, for a closing; else null.", allow_none=True)


class RecountedDealSchema(ResponseSchema):
    """A deal of the evening, counted again."""

    deal = VocabularyField(NAME_KIND)
    number = IntegerField("Its number.")
    dealer = VocabularyField(NAME_KIND, "Null where nobody can be seated.", allow_none=True)
    contract = VocabularyField(NAME_KIND, "Null where there is none, or it is not known.", allow_none=True)
    declarer = VocabularyField(
        NAME_KIND, "Null where nobody plays alone, or it is not known who.", allow_none=True
    )
    outcome = nullable_outcome_field("How it ended; null while it is open.")
    here = boolean_field("Whether its record is here.")
    ok = boolean_field("Whether nothing in its own record is impossible or against the rules.")
    due = chips_by_name_field(allow_none=True)
    settlements = list_field(RecountedSettlementSchema, "All that its record says was paid; the last counts.")
    apart = chips_by_name_field()
    running = chips_by_name_field()


class RescoredDealSchema(ResponseSchema):
    """What a deal pays by its own rules, and by the others."""

    deal = VocabularyField(NAME_KIND)
    number = IntegerField("Its number.")
    before = chips_by_name_field(allow_none=True)
    after = chips_by_name_field(allow_none=True)
    difference = chips_by_name_field(allow_none=True)


class RescoredTableSchema(ResponseSchema):
    """The evening by other rules: what happened in the deals is not judged anew, only paid otherwise."""

    ruleset = VocabularyField(NAME_KIND)
    revision = IntegerField("Null where the newest was asked for.", allow_none=True)
    switches = fields.Dict(
        keys=fields.String(), required=True, metadata={"description": "The house rules that were asked for."}
    )
    deals = list_field(RescoredDealSchema)
    before = chips_by_name_field()
    after = chips_by_name_field()
    difference = chips_by_name_field()


class TableAuditSchema(ResponseSchema):
    """The report on a table, for whoever has to judge the evening."""

    title = string_field("What the evening is called; null where it has no name.", allow_none=True)
    ruleset = VocabularyField(NAME_KIND)
    ok = boolean_field("Whether nothing is impossible or against the rules.")
    faults = list_field(TableFaultSchema, "Those of the table's own log first, then deal by deal.")
    first = nested_field(FirstDiscrepancySchema, "Null where all was paid as it is due.", allow_none=True)
    deals = list_field(RecountedDealSchema, "In the order in which they were started.")
    totals = chips_by_name_field()
    due = chips_by_name_field()
    apart = chips_by_name_field()
    rescored = nested_field(RescoredTableSchema, "Null where no other rules were asked for.", allow_none=True)
    names = member_names_field()
    links = links_field()
