"""The queries and answers about hidden cards: what they can be, and what best play comes to."""

from typing import Final

from marshmallow import validate
from marshmallow.fields import Float, String

from schemas.answers.hidden_cards import EVIDENCE_LEVELS
from service.http.api.schemas import fields, points
from service.http.api.schemas.audits import InputSlipSchema
from service.http.api.schemas.fields import QuerySchema, ResponseSchema
from service.http.api.schemas.records import AT_DESCRIPTION, PointQuery
from service.records.deal_points import VIEWERS_BY_NAME

MAX_SAMPLED_DEALS: Final = 12
"""The most deals that best play is computed for: each takes up to a tenth of a second."""
INPUT_SLIPS_DESCRIPTION: Final = (
    "Mistakes of the pen that may explain what the record breaks; all here is told of the record as it is."
)


class EvidenceParameters(QuerySchema):
    """What else is asked about hidden cards."""

    of = fields.query_seq(
        "Also in how many lawful deals the hidden card played at this entry is each that it can be."
    )
    witness = fields.query_choice(
        EVIDENCE_LEVELS,
        "Also one complete deal that agrees with the record: as matter alone (`physical`), or with the rules "
        "kept too (`lawful`).",
    )


class OddsParameters(QuerySchema):
    """Which deals best play is looked at in."""

    deals = fields.query_integer(
        "How many deals are looked at.", min_value=1, max_value=MAX_SAMPLED_DEALS, default=MAX_SAMPLED_DEALS
    )
    seed = fields.query_integer(
        "By which they are drawn: the same one draws the same deals. Unless told otherwise it is made of the "
        "record as you may know it."
    )


class EvidenceQuery(EvidenceParameters, PointQuery):
    """Of which point the hidden cards are asked about, as seen by whom."""


class OddsQuery(OddsParameters, PointQuery):
    """At which point best play is asked about, as seen by whom, over how many deals."""


class LogPointQuery(QuerySchema):
    """Which deal of a log, at which point, and for whom."""

    deal = fields.query_integer("Which deal of the log, from 1; unless told otherwise the last.", min_value=1)
    at = fields.query_seq(AT_DESCRIPTION)
    viewer = fields.query_choice(
        VIEWERS_BY_NAME,
        "The viewer: a seat, `public` for an onlooker, or `all`.",
        default="all",
    )


class LogEvidenceQuery(EvidenceParameters, LogPointQuery):
    """Of which deal of a log the hidden cards are asked about."""


class LogOddsQuery(OddsParameters, LogPointQuery):
    """Of which deal of a log best play is asked about, over how many deals."""


def digits_field(description: str, *, allow_none: bool = False) -> String:
    """A whole number of any size, as text."""
    return fields.string(description, allow_none=allow_none, validate=validate.Regexp("^[0-9]+$"))


class DealCountSchema(ResponseSchema):
    """How many complete deals agree with the record; as text, since it can have fifty digits."""

    least = digits_field("At least so many.")
    most = digits_field("At most so many; null where no bound was found in time.", allow_none=True)


class EvidenceLevelSchema(ResponseSchema):
    """What is assumed on one level, and whether any complete deal agrees then."""

    assumes = fields.string("What is assumed, as a sentence.")
    agrees = fields.boolean(
        "Whether some complete deal agrees; null where that was not found out in time.", allow_none=True
    )
    decided = fields.boolean(
        "Whether all is exact; else everything that is possible is named, and perhaps more."
    )
    deals = fields.nested(DealCountSchema)


class HiddenCardSchema(ResponseSchema):
    """A card that the record does not show."""

    seq = fields.seq("The entry that tells of it.")
    place = fields.integer("Its place among the cards of that entry, from 0.")
    seat = fields.seat("Whose it was; null for a card of the talon.", allow_none=True)
    card = fields.card("As it was recorded: `??`, or `S?` where its suit is known.")
    physical = fields.cards("What it can be as matter alone.")
    lawful = fields.cards("What it can be if the rules were kept too.")
    forced = fields.string(
        "On which level it can be but one card; null where on neither.",
        allow_none=True,
        choices=EVIDENCE_LEVELS,
    )


class CertainCardsSchema(ResponseSchema):
    """The cards that a hand holds for certain, on each level."""

    physical = fields.cards()
    lawful = fields.cards()


class HandEvidenceSchema(ResponseSchema):
    """A hand at the point."""

    count = fields.integer("How many cards it holds.")
    physical = fields.cards("What can be in it as matter alone.")
    lawful = fields.cards("What can be in it if the rules were kept too.")
    certain = fields.nested(CertainCardsSchema, "What can be nowhere else.")


HoldingsBySeat = fields.by_seat_schema("Holdings", lambda: fields.nested(HandEvidenceSchema))
CardsBySeat = fields.by_seat_schema("Cards", fields.cards)


class WitnessPlaySchema(ResponseSchema):
    """A card that was played."""

    seq = fields.seq("The entry that tells of it; null where there is none.", allow_none=True)
    seat = fields.seat()
    trick = fields.integer("To which trick.", min_value=1)
    card = fields.card()


class WitnessSchema(ResponseSchema):
    """One complete deal that agrees with the record; in which order cards lay in the talon is not said."""

    level = fields.string(
        "What it keeps to: the cards alone, or the duty to follow, too.", choices=EVIDENCE_LEVELS
    )
    dealt = fields.nested(CardsBySeat)
    discarded = fields.nested(CardsBySeat)
    drawn = fields.nested(CardsBySeat)
    left = fields.cards("What was left of the talon.")
    plays = fields.list_of(WitnessPlaySchema)


class CardCountSchema(ResponseSchema):
    """In how many lawful deals a hidden card is this one."""

    card = fields.card()
    deals = digits_field("As text; null where it takes too long to count.", allow_none=True)


class EvidenceSchema(ResponseSchema):
    """What the hidden cards of a record can be, and what follows from it."""

    physical = fields.nested(EvidenceLevelSchema, "As matter alone.")
    lawful = fields.nested(EvidenceLevelSchema, "If the rules were kept too, except for `offences`.")
    offences = fields.list_of(fields.seq(), "Plays that were revokes whatever the hidden cards are.")
    cards = fields.list_of(HiddenCardSchema, "Every hidden card of the record.")
    hands = fields.nested(HoldingsBySeat, "The three hands as they stand.")
    contradicting = fields.list_of(
        fields.seq(),
        "Where no deal agrees: entries whose cards cannot all be true, each of them needed to see it. Null "
        "where that was not looked for, as it would take long.",
        allow_none=True,
    )
    shares = fields.list_of(
        CardCountSchema,
        "Null where none were asked for, or no hidden card was played there.",
        allow_none=True,
    )
    witness = fields.nested(
        WitnessSchema,
        "Null where none was asked for, there is none or none was found in time.",
        allow_none=True,
    )
    mistakes = fields.list_of(InputSlipSchema, INPUT_SLIPS_DESCRIPTION)


class OutcomeShareSchema(ResponseSchema):
    """How deals end, and how many of them."""

    outcome = fields.string("How they end, such as `won`.")
    slam = fields.string("`made` or `failed`; null where none was tried.", allow_none=True)
    deals = fields.integer("How many.")


class CardCostSchema(ResponseSchema):
    """What a card cost, and in how many deals it did."""

    chips = fields.integer("Less than nothing where an unlawful card gained.", min_value=-1_000_000_000)
    deals = fields.integer("In how many.")


class DealSampleSchema(ResponseSchema):
    """The deals that were looked at. Each complete deal counts once; it is no probability of a hand."""

    deals = fields.integer("How many.")
    whole = fields.boolean(
        "Whether these are all that agree with the record; else they were drawn by chance."
    )
    total = digits_field("How many agree; as text, since it can have fifty digits.")
    seed = fields.integer("By which they were drawn.")
    even = fields.boolean(
        "Whether each was as likely as any other; else nearly, and `total` is about so many."
    )


class PlayedCardOddsSchema(ResponseSchema):
    """A card that was played, over the deals."""

    seq = fields.seq()
    trick = fields.integer("To which trick.", min_value=1)
    seat = fields.seat()
    card = fields.card()
    costs = fields.list_of(CardCostSchema, "What it cost the side that played it, in chips.")
    before = fields.list_of(OutcomeShareSchema, "How the deals end by the best card.")
    after = fields.list_of(OutcomeShareSchema, "How they end by this one.")
    told = fields.string("That as a sentence.")


class ActionOddsSchema(ResponseSchema):
    """What something comes to over the deals."""

    deals = fields.integer("In how many it is legal.")
    best = fields.integer("In how many of these nothing else is worth more.")
    ends = fields.list_of(OutcomeShareSchema)
    chips = Float(
        required=True,
        allow_none=True,
        metadata={"description": "What the side has of it on average; null where not stated of some end."},
    )


class CardOddsSchema(ActionOddsSchema):
    """What a card comes to over the deals."""

    card = fields.card()


class PointOddsSchema(ResponseSchema):
    """Whose turn it is, and every card that is legal in one of the deals."""

    trick = fields.integer("To which trick.", min_value=1)
    seat = fields.seat()
    cards = fields.list_of(CardOddsSchema)
    stop = fields.nested(
        ActionOddsSchema, "Not going on for all nine tricks; null where that is no choice.", allow_none=True
    )


class OddsSchema(ResponseSchema):
    """What best play comes to over lawful deals that agree with the record, all hands open in each."""

    looked = fields.nested(DealSampleSchema, "Null where something is missing.", allow_none=True)
    missing = fields.list_of(fields.string(), "What it would take.")
    plays = fields.list_of(PlayedCardOddsSchema, "The cards that were played.")
    point = fields.nested(PointOddsSchema, "Null where no card is to be played there.", allow_none=True)
    mistakes = fields.list_of(InputSlipSchema, INPUT_SLIPS_DESCRIPTION)


class LogEvidenceSchema(EvidenceSchema):
    """The hidden cards of one deal of a log, and what of the log could not be read."""

    problems = fields.list_of(points.UnreadableLineSchema)
    unlisted = fields.integer("Problems beyond those told in full.")


class LogOddsSchema(OddsSchema):
    """Best play in one deal of a log, and what of the log could not be read."""

    problems = fields.list_of(points.UnreadableLineSchema)
    unlisted = fields.integer("Problems beyond those told in full.")
