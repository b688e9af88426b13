"""What is asked and answered of unseen cards: what they can be, and what would have happened then."""

from typing import Final

from marshmallow import fields, validate

from engine.core.field_types import MAX_INTEGER, FieldKind
from schemas.answers.hidden_cards import EVIDENCE_LEVELS
from service.http.api.schemas.audits import InputSlipSchema
from service.http.api.schemas.fields import (
    CARD_KIND,
    SEAT_KIND,
    SEQ_KIND,
    IntegerField,
    QueryParameter,
    ResponseSchema,
    VocabularyField,
    boolean_field,
    build_by_seat_schema,
    list_field,
    nested_field,
    string_field,
)
from service.http.api.schemas.points import UnreadableLineSchema, card_list_field
from service.http.api.schemas.records import AT_DESCRIPTION, PointQuery, QuerySchema
from service.records.deal_points import VIEWERS_BY_NAME

MAX_SAMPLED_DEALS: Final = 12
"""Over so many deals best play is told at most: each takes up to a tenth of a second."""
INPUT_SLIPS_DESCRIPTION: Final = (
    "Mistakes of the pen that may explain what the record breaks; all here is told of the record as it is."
)
"""What is said of the mistakes beside what is told of the record as it is."""


def witness_parameter() -> QueryParameter:
    """Whether one complete deal is told."""
    return QueryParameter(
        FieldKind("choice", choices=EVIDENCE_LEVELS),
        "Also one complete deal that agrees with the record: as matter alone (`physical`), or with the rules "
        "kept too (`lawful`).",
    )


def counted_card_parameter() -> QueryParameter:
    """Of which card it is counted in how many deals it is which."""
    return QueryParameter(
        SEQ_KIND, "Also in how many lawful deals the hidden card played at this entry is each that it can be."
    )


def sampled_deals_parameter() -> QueryParameter:
    """How many deals are looked at."""
    return QueryParameter(
        FieldKind("integer", minimum=1, maximum=MAX_SAMPLED_DEALS),
        "How many deals are looked at.",
        default=MAX_SAMPLED_DEALS,
    )


def seed_parameter() -> QueryParameter:
    """By what they are drawn."""
    return QueryParameter(
        FieldKind("integer", minimum=0, maximum=MAX_INTEGER),
        "By which they are drawn: the same one draws the same deals. Unless told otherwise it is made of the "
        "record as you may know it.",
    )


class EvidenceQuery(PointQuery):
    """Of which point the hidden cards are asked about, as seen by whom."""

    of = counted_card_parameter()
    witness = witness_parameter()


class OddsQuery(PointQuery):
    """At which point best play is asked about, as seen by whom, over how many deals."""

    deals = sampled_deals_parameter()
    seed = seed_parameter()


class LogPointQuery(QuerySchema):
    """Which deal of a log, at which point, and for whom."""

    deal = QueryParameter(
        FieldKind("integer", minimum=1, maximum=MAX_INTEGER),
        "Which deal of the log, from 1; unless told otherwise the last.",
    )
    at = QueryParameter(SEQ_KIND, AT_DESCRIPTION)
    viewer = QueryParameter(
        FieldKind("choice", choices=tuple(VIEWERS_BY_NAME)),
        "As whoever sits there may know it: a seat, `public` for an onlooker, or `all`.",
        default="all",
    )


class LogEvidenceQuery(LogPointQuery):
    """Of which deal of a log the hidden cards are asked about."""

    of = counted_card_parameter()
    witness = witness_parameter()


class LogOddsQuery(LogPointQuery):
    """Of which deal of a log best play is asked about, over how many deals."""

    deals = sampled_deals_parameter()
    seed = seed_parameter()


def digits_field(description: str, *, allow_none: bool = False) -> fields.String:
    """A whole number of any size, as text."""
    return fields.String(
        required=True,
        allow_none=allow_none,
        validate=validate.Regexp("^[0-9]+$"),
        metadata={"description": description},
    )


class DealCountSchema(ResponseSchema):
    """How many complete deals agree with the record; as text, since it can have fifty digits."""

    least = digits_field("At least so many.")
    most = digits_field("At most so many; null where no bound was found in time.", allow_none=True)


class EvidenceLevelSchema(ResponseSchema):
    """What is assumed on one level, and whether any complete deal agrees then."""

    assumes = string_field("What is assumed, as a sentence.")
    agrees = boolean_field(
        "Whether some complete deal agrees; null where that was not found out in time.", allow_none=True
    )
    decided = boolean_field(
        "Whether all is exact; else everything that is possible is named, and perhaps more."
    )
    deals = nested_field(DealCountSchema)


class HiddenCardSchema(ResponseSchema):
    """A card that the record does not show."""

    seq = VocabularyField(SEQ_KIND, "The entry that tells of it.")
    place = IntegerField("Its place among the cards of that entry, from 0.")
    seat = VocabularyField(SEAT_KIND, "Whose it was; null for a card of the talon.", allow_none=True)
    card = VocabularyField(CARD_KIND, "As it was recorded: `??`, or `S?` where its suit is known.")
    physical = card_list_field("What it can be as matter alone.")
    lawful = card_list_field("What it can be if the rules were kept too.")
    forced = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(EVIDENCE_LEVELS),
        metadata={"description": "On which level it can be but one card; null where on neither."},
    )


class CertainCardsSchema(ResponseSchema):
    """The cards that a hand holds for certain, on each level."""

    physical = card_list_field()
    lawful = card_list_field()


class HandEvidenceSchema(ResponseSchema):
    """A hand at the point."""

    count = IntegerField("How many cards it holds.")
    physical = card_list_field("What can be in it as matter alone.")
    lawful = card_list_field("What can be in it if the rules were kept too.")
    certain = nested_field(CertainCardsSchema, "What can be nowhere else.")


HoldingsBySeat = build_by_seat_schema("Holdings", lambda: nested_field(HandEvidenceSchema))
CardsBySeat = build_by_seat_schema("Cards", card_list_field)


class WitnessPlaySchema(ResponseSchema):
    """A card that was played."""

    seq = VocabularyField(SEQ_KIND, "The entry that tells of it; null where there is none.", allow_none=True)
    seat = VocabularyField(SEAT_KIND)
    trick = IntegerField("To which trick.", min_value=1)
    card = VocabularyField(CARD_KIND)


class WitnessSchema(ResponseSchema):
    """One complete deal that agrees with the record; in which order cards lay in the talon is not said."""

    level = fields.String(
        required=True,
        validate=validate.OneOf(EVIDENCE_LEVELS),
        metadata={"description": "What it keeps to: the cards alone, or the duty to follow, too."},
    )
    dealt = nested_field(CardsBySeat)
    discarded = nested_field(CardsBySeat)
    drawn = nested_field(CardsBySeat)
    left = card_list_field("What was left of the talon.")
    plays = list_field(WitnessPlaySchema)


class CardCountSchema(ResponseSchema):
    """In how many lawful deals a hidden card is this one."""

    card = VocabularyField(CARD_KIND)
    deals = digits_field("As text; null where it takes too long to count.", allow_none=True)


class EvidenceSchema(ResponseSchema):
    """What the hidden cards of a record can be, and what follows from it."""

    physical = nested_field(EvidenceLevelSchema, "As matter alone.")
    lawful = nested_field(EvidenceLevelSchema, "If the rules were kept too, except for `offences`.")
    offences = list_field(VocabularyField(SEQ_KIND), "Plays that were revokes whatever the hidden cards are.")
    cards = list_field(HiddenCardSchema, "Every hidden card of the record.")
    hands = nested_field(HoldingsBySeat, "The three hands as they stand.")
    contradicting = list_field(
        VocabularyField(SEQ_KIND),
        "Where no deal agrees: entries whose cards cannot all be true, each of them needed to see it. Null "
        "where that was not looked for, as it would take long.",
        allow_none=True,
    )
    shares = list_field(
        CardCountSchema,
        "Null where none were asked for, or no hidden card was played there.",
        allow_none=True,
    )
    witness = nested_field(
        WitnessSchema,
        "Null where none was asked for, there is none or none was found in time.",
        allow_none=True,
    )
    mistakes = list_field(InputSlipSchema, INPUT_SLIPS_DESCRIPTION)


class OutcomeShareSchema(ResponseSchema):
    """How deals end, and how many of them."""

    outcome = string_field("How they end, such as `won`.")
    slam = string_field("`made` or `failed`; null where none was tried.", allow_none=True)
    deals = IntegerField("How many.")


class CardCostSchema(ResponseSchema):
    """What a card cost, and in how many deals it did."""

    chips = IntegerField("Less than nothing where an unlawful card gained.", min_value=-1_000_000_000)
    deals = IntegerField("In how many.")


class DealSampleSchema(ResponseSchema):
    """The deals that were looked at. Each complete deal counts once; it is no probability of a hand."""

    deals = IntegerField("How many.")
    whole = boolean_field("Whether these are all that agree with the record; else they were drawn by chance.")
    total = digits_field("How many agree; as text, since it can have fifty digits.")
    seed = IntegerField("By which they were drawn.")
    even = boolean_field(
        "Whether each was as likely as any other; else nearly, and `total` is about so many."
    )


class PlayedCardOddsSchema(ResponseSchema):
    """A card that was played, over the deals."""

    seq = VocabularyField(SEQ_KIND)
    trick = IntegerField("To which trick.", min_value=1)
    seat = VocabularyField(SEAT_KIND)
    card = VocabularyField(CARD_KIND)
    costs = list_field(CardCostSchema, "What it cost the side that played it, in chips.")
    before = list_field(OutcomeShareSchema, "How the deals end by the best card.")
    after = list_field(OutcomeShareSchema, "How they end by this one.")
    told = string_field("That as a sentence.")


class ActionOddsSchema(ResponseSchema):
    """What something comes to over the deals."""

    deals = IntegerField("In how many it is legal.")
    best = IntegerField("In how many of these nothing else is worth more.")
    ends = list_field(OutcomeShareSchema)
    chips = fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "What the side has of it on average; null where not stated of some end."},
    )


class CardOddsSchema(ActionOddsSchema):
    """What a card comes to over the deals."""

    card = VocabularyField(CARD_KIND)


class PointOddsSchema(ResponseSchema):
    """Whose turn it is, and every card that is legal in one of the deals."""

    trick = IntegerField("To which trick.", min_value=1)
    seat = VocabularyField(SEAT_KIND)
    cards = list_field(CardOddsSchema)
    stop = nested_field(
        ActionOddsSchema, "Not going on for all nine tricks; null where that is no choice.", allow_none=True
    )


class OddsSchema(ResponseSchema):
    """What best play comes to over lawful deals that agree with the record, all hands open in each."""

    looked = nested_field(DealSampleSchema, "Null where something is missing.", allow_none=True)
    missing = list_field(string_field(), "What it would take.")
    plays = list_field(PlayedCardOddsSchema, "The cards that were played.")
    point = nested_field(PointOddsSchema, "Null where no card is to be played there.", allow_none=True)
    mistakes = list_field(InputSlipSchema, INPUT_SLIPS_DESCRIPTION)


class LogEvidenceSchema(EvidenceSchema):
    """The hidden cards of one deal of a log, and what of the log could not be read."""

    problems = list_field(UnreadableLineSchema)
    unlisted = IntegerField("Problems beyond those told in full.")


class LogOddsSchema(OddsSchema):
    """Best play in one deal of a log, and what of the log could not be read."""

    problems = list_field(UnreadableLineSchema)
    unlisted = IntegerField("Problems beyond those told in full.")
