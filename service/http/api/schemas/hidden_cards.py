"""The queries and answers about hidden cards: what they can be, and what best play comes to."""

from typing import Final

from marshmallow.fields import Float

from schemas.answers.hidden_cards import EVIDENCE_LEVELS
from service.http.api.schemas import fields, points
from service.http.api.schemas.audits import InputSlipSchema
from service.http.api.schemas.fields import QuerySchema, ResponseSchema
from service.http.api.schemas.records import AT_DESCRIPTION, PointQuery
from service.records.deal_points import VIEWERS_BY_NAME

MAX_SAMPLED_DEALS: Final = 12
"""The most deals that best play is computed for: each takes up to a tenth of a second."""
INPUT_SLIPS_DESCRIPTION: Final = (
    "Slips of the pen that may explain the findings; the answer treats the record as it is."
)


class EvidenceParameters(QuerySchema):
    """Further questions about hidden cards."""

    of = fields.query_seq("Also count the lawful deals for each card that this entry can be.")
    witness = fields.query_choice(
        EVIDENCE_LEVELS,
        "Also one complete deal that agrees with the record: by the cards alone (`physical`), or with the "
        "rules kept too (`lawful`).",
    )


class OddsParameters(QuerySchema):
    """The deals for which best play is computed."""

    deals = fields.query_integer(
        "The number of deals.", min_value=1, max_value=MAX_SAMPLED_DEALS, default=MAX_SAMPLED_DEALS
    )
    seed = fields.query_integer(
        "The seed of the sample: the same one draws the same deals. The default depends on the record as "
        "you may know it."
    )


class EvidenceQuery(EvidenceParameters, PointQuery):
    """The point and the viewer."""


class OddsQuery(OddsParameters, PointQuery):
    """The point, the viewer and the number of deals."""


class LogPointQuery(QuerySchema):
    """The deal of a log, the point and the viewer."""

    deal = fields.query_integer(
        "The number of the deal in the log, from 1; by default the last.", min_value=1
    )
    at = fields.query_seq(AT_DESCRIPTION)
    viewer = fields.query_choice(
        VIEWERS_BY_NAME,
        "The viewer: a seat, `public` for an onlooker, or `all`.",
        default="all",
    )


class LogEvidenceQuery(EvidenceParameters, LogPointQuery):
    """The deal of a log."""


class LogOddsQuery(OddsParameters, LogPointQuery):
    """The deal of a log, and the number of deals to draw."""


class DealCountSchema(ResponseSchema):
    """The number of complete deals that agree with the record; as text, because it can have fifty digits."""

    least = fields.digits("The lower bound.")
    most = fields.digits("The upper bound; null if none was found in time.", allow_none=True)


class EvidenceLevelSchema(ResponseSchema):
    """The assumptions of a level, and whether any complete deal agrees with them."""

    assumes = fields.string("The assumptions, as a sentence.")
    agrees = fields.boolean(
        "Whether some complete deal agrees; null if that was not found in time.", allow_none=True
    )
    decided = fields.boolean(
        "Whether the answer is exact; else it has every possible card, and perhaps more."
    )
    deals = fields.nested(DealCountSchema)


class HiddenCardSchema(ResponseSchema):
    """A hidden card of the record."""

    seq = fields.seq("The entry of the card.")
    place = fields.integer("Its place among the cards of that entry, from 0.")
    seat = fields.seat("Its owner; null for a card of the talon.", allow_none=True)
    card = fields.card("As recorded: `??`, or `S?` if its suit is known.")
    physical = fields.cards("What it can be by the cards alone.")
    lawful = fields.cards("What it can be if the rules were kept too.")
    forced = fields.string(
        "The level on which it can be only one card; null if on neither.",
        allow_none=True,
        choices=EVIDENCE_LEVELS,
    )


class CertainCardsSchema(ResponseSchema):
    """The cards that a hand certainly holds, on each level."""

    physical = fields.cards()
    lawful = fields.cards()


class HandEvidenceSchema(ResponseSchema):
    """A hand at the point, and what can be in it by the cards alone and if the rules were kept too."""

    count = fields.integer("Its number of cards.")
    physical = fields.cards("What can be in it by the cards alone.")
    lawful = fields.cards("What can be in it if the rules were kept too.")
    certain = fields.nested(CertainCardsSchema, "Cards that can be nowhere else.")


HoldingsBySeat = fields.by_seat_schema("Holdings", lambda: fields.nested(HandEvidenceSchema))
CardsBySeat = fields.by_seat_schema("Cards", fields.cards)


class WitnessPlaySchema(ResponseSchema):
    """A card that was played."""

    seq = fields.seq("The entry of the card; null without one.", allow_none=True)
    seat = fields.seat()
    trick = fields.integer("The number of the trick.", min_value=1)
    card = fields.card()


class WitnessSchema(ResponseSchema):
    """One complete deal that agrees with the record; the talon's order is left open."""

    level = fields.string(
        "Its assumptions: the cards alone, or the duty to follow as well.", choices=EVIDENCE_LEVELS
    )
    dealt = fields.nested(CardsBySeat)
    discarded = fields.nested(CardsBySeat)
    drawn = fields.nested(CardsBySeat)
    left = fields.cards("The rest of the talon.")
    plays = fields.list_of(WitnessPlaySchema)


class CardCountSchema(ResponseSchema):
    """In how many lawful deals a hidden card is this one."""

    card = fields.card()
    deals = fields.digits("As text; null if counting takes too long.", allow_none=True)


class EvidenceSchema(ResponseSchema):
    """What the hidden cards of a record can be."""

    physical = fields.nested(EvidenceLevelSchema, "By the cards alone.")
    lawful = fields.nested(EvidenceLevelSchema, "If the rules were kept too, except for `offences`.")
    offences = fields.list_of(fields.seq(), "Plays that were revokes, whatever the hidden cards are.")
    cards = fields.list_of(HiddenCardSchema, "Every hidden card of the record.")
    hands = fields.nested(HoldingsBySeat, "The three hands as they stand.")
    contradicting = fields.list_of(
        fields.seq(),
        "If no deal agrees: entries that cannot all be true, without any that are not needed. Null if the "
        "search would take too long.",
        allow_none=True,
    )
    shares = fields.list_of(
        CardCountSchema,
        "Null if not requested, or if no hidden card was played there.",
        allow_none=True,
    )
    witness = fields.nested(
        WitnessSchema,
        "Null if not requested, impossible, or not found in time.",
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
    deals = fields.integer("The number of these deals.")


class DealSampleSchema(ResponseSchema):
    """The deals that were examined. Each complete deal counts once; this is not the probability of a hand."""

    deals = fields.integer("How many.")
    whole = fields.boolean(
        "Whether these are all deals that agree with the record; else they are a random sample."
    )
    total = fields.digits("The number of deals that agree; as text, because it can have fifty digits.")
    seed = fields.integer("The seed.")
    even = fields.boolean("Whether each was equally likely; else nearly, and `total` is approximate.")


class ActionOddsSchema(ResponseSchema):
    """The results of a choice over the deals."""

    deals = fields.integer("In how many deals it is legal.")
    best = fields.integer("In how many of these nothing is better.")
    ends = fields.list_of(OutcomeShareSchema)
    chips = Float(
        required=True,
        allow_none=True,
        metadata={"description": "The side's average; null if some outcome has no value."},
    )


class CardOddsSchema(ActionOddsSchema):
    """The results of a card over the deals."""

    card = fields.card()


class PlayedCardOddsSchema(ResponseSchema):
    """A card that was played, over the deals."""

    seq = fields.seq()
    trick = fields.integer("The number of the trick.", min_value=1)
    seat = fields.seat()
    card = fields.card()
    costs = fields.list_of(CardCostSchema, "What it cost its side, in chips.")
    before = fields.list_of(OutcomeShareSchema, "The outcomes after the best card.")
    after = fields.list_of(OutcomeShareSchema, "The outcomes after this card.")
    cards = fields.list_of(CardOddsSchema, "Every card that was legal in one of the deals.")
    told = fields.string("The cost as a sentence.")


class PointOddsSchema(ResponseSchema):
    """The turn, and every card that is legal in one of the deals."""

    trick = fields.integer("The number of the trick.", min_value=1)
    seat = fields.seat()
    cards = fields.list_of(CardOddsSchema)
    stop = fields.nested(
        ActionOddsSchema, "Not trying for all nine tricks; null if that is no choice.", allow_none=True
    )


class OddsSchema(ResponseSchema):
    """The results of best play over lawful deals that agree with the record, with all hands open."""

    looked = fields.nested(DealSampleSchema, "Null if something is missing.", allow_none=True)
    missing = fields.list_of(fields.string(), "What is missing.")
    plays = fields.list_of(PlayedCardOddsSchema, "The cards that were played.")
    point = fields.nested(PointOddsSchema, "Null if no card is to be played there.", allow_none=True)
    mistakes = fields.list_of(InputSlipSchema, INPUT_SLIPS_DESCRIPTION)


class LogEvidenceSchema(EvidenceSchema):
    """The hidden cards of one deal of a log, and the log's unreadable parts."""

    problems = fields.list_of(points.UnreadableLineSchema)
    unlisted = fields.integer("The number of further problems.")


class LogOddsSchema(OddsSchema):
    """Best play in one deal of a log, and the log's unreadable parts."""

    problems = fields.list_of(points.UnreadableLineSchema)
    unlisted = fields.integer("The number of further problems.")
