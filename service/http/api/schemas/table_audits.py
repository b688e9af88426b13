"""The shape of the report on a table."""

from marshmallow import fields

from engine.core.vocabulary import Kind
from schemas.rulesets.other_rules import LONGEST
from schemas.wire.events import BareEventSchema
from service.http.api.schemas.audits import MistakeSchema
from service.http.api.schemas.fields import (
    SEQ,
    Answer,
    Parameter,
    Vocabulary,
    Whole,
    flag,
    link_map,
    list_of,
    nested_in,
    said,
)
from service.http.api.schemas.ledger import PotSchema, TableFindingSchema
from service.http.api.schemas.points import NAME, chips_by_name, names_of_members, outcome_or_null
from service.http.api.schemas.streams import Asked

DEAL = "The deal; null for the table's own log."
NUMBER = "The deal's number; null where it is about none."

TableAuditQuery = Asked.from_dict(
    {
        "rescore_with": Parameter(
            Kind("text", least=1, most=LONGEST),
            "Counts the evening once more by other rules: a ruleset (`la-bete`), one revision of it "
            "(`dlu@1`), and house rules behind commas (`dlu@1,sitter-pays=yes`).",
        )
    },
    name="TableAuditQuery",
)
"""By which rules to count the evening once more."""


class TableFaultSchema(TableFindingSchema):
    """Something that is wrong with the evening, told once, and all that follows from it."""

    number = Whole(NUMBER, null=True)
    follows = list_of(TableFindingSchema, "What would not be found without it.")
    corrections = list_of(
        BareEventSchema,
        "`correction_made` entries to append to the deal's log, if a person accepts them; none where it is "
        "not known what is right.",
    )
    instead = list_of(MistakeSchema, "The mistakes of the pen that may have been instead of a revoke.")


class PartingSchema(Answer):
    """The first deal in which what was paid, or the pool, is not what it should be."""

    deal = Vocabulary(NAME)
    number = Whole("The deal's number.")
    seq = Vocabulary(SEQ, "The deal's entry: what was paid, or how the deal was opened.")
    apart = chips_by_name()
    recorded = nested_in(
        PotSchema, "The pool it was opened with, where the earlier deals left another; else null.", null=True
    )
    before = nested_in(
        PotSchema, "The pool that the earlier deals left, the stake in it; null without a pool.", null=True
    )


class CountedSettlementSchema(Answer):
    """What an entry says was paid."""

    seq = Vocabulary(SEQ)
    paid = chips_by_name()
    apart = chips_by_name(null=True)
    engine = said("The version that computed it, for a closing; else null.", null=True)


class CountedDealSchema(Answer):
    """A deal of the evening, counted again."""

    deal = Vocabulary(NAME)
    number = Whole("Its number.")
    dealer = Vocabulary(NAME, "Null where nobody can be seated.", null=True)
    contract = Vocabulary(NAME, "Null where there is none, or it is not known.", null=True)
    declarer = Vocabulary(NAME, "Null where nobody plays alone, or it is not known who.", null=True)
    outcome = outcome_or_null("How it ended; null while it is open.")
    here = flag("Whether its record is here.")
    ok = flag("Whether nothing in its own record is impossible or against the rules.")
    due = chips_by_name(null=True)
    settlements = list_of(CountedSettlementSchema, "All that its record says was paid; the last counts.")
    apart = chips_by_name()
    running = chips_by_name()


class RescoredDealSchema(Answer):
    """What a deal pays by its own rules, and by the others."""

    deal = Vocabulary(NAME)
    number = Whole("Its number.")
    before = chips_by_name(null=True)
    after = chips_by_name(null=True)
    difference = chips_by_name(null=True)


class RescoredSchema(Answer):
    """The evening by other rules: what happened in the deals is not judged anew, only paid otherwise."""

    ruleset = Vocabulary(NAME)
    revision = Whole("Null where the newest was asked for.", null=True)
    switches = fields.Dict(
        keys=fields.String(), required=True, metadata={"description": "The house rules that were asked for."}
    )
    deals = list_of(RescoredDealSchema)
    before = chips_by_name()
    after = chips_by_name()
    difference = chips_by_name()


class TableAuditSchema(Answer):
    """The report on a table, for whoever has to judge the evening."""

    title = said("What the evening is called; null where it has no name.", null=True)
    ruleset = Vocabulary(NAME)
    ok = flag("Whether nothing is impossible or against the rules.")
    faults = list_of(TableFaultSchema, "Those of the table's own log first, then deal by deal.")
    first = nested_in(PartingSchema, "Null where all was paid as it is due.", null=True)
    deals = list_of(CountedDealSchema, "In the order in which they were started.")
    totals = chips_by_name()
    due = chips_by_name()
    apart = chips_by_name()
    rescored = nested_in(RescoredSchema, "Null where no other rules were asked for.", null=True)
    names = names_of_members()
    links = link_map()
