"""What is asked and answered of unseen cards: what they can be, and what would have happened then."""

from typing import Final

from marshmallow import fields, validate

from engine.core.vocabulary import MOST, Kind
from schemas.answers.unseen import LEVELS
from service.http.api.schemas.audits import MistakeSchema
from service.http.api.schemas.fields import (
    CARD,
    SEAT,
    SEQ,
    Answer,
    Parameter,
    Vocabulary,
    Whole,
    by_seat,
    flag,
    list_of,
    nested_in,
    said,
)
from service.http.api.schemas.points import UnreadSchema, card_list
from service.http.api.schemas.streams import AT_MEANS, Asked, PointQuery
from service.records.points import VIEWERS

MOST_DEALS: Final = 12
"""Over so many deals best play is told at most: each takes up to a tenth of a second."""
EXPLAINED: Final = (
    "Mistakes of the pen that may explain what the record breaks; all here is told of the record as it is."
)
"""What is said of the mistakes beside what is told of the record as it is."""


def witness_parameter() -> Parameter:
    """Whether one complete deal is told."""
    return Parameter(
        Kind("choice", choices=LEVELS),
        "Also one complete deal that agrees with the record: as matter alone (`physical`), or with the rules "
        "kept too (`lawful`).",
    )


def of_parameter() -> Parameter:
    """Of which card it is counted in how many deals it is which."""
    return Parameter(
        SEQ, "Also in how many lawful deals the hidden card played at this entry is each that it can be."
    )


def deals_parameter() -> Parameter:
    """How many deals are looked at."""
    return Parameter(
        Kind("integer", least=1, most=MOST_DEALS), "How many deals are looked at.", default=MOST_DEALS
    )


def seed_parameter() -> Parameter:
    """By what they are drawn."""
    return Parameter(
        Kind("integer", least=0, most=MOST),
        "By which they are drawn: the same one draws the same deals. Unless told otherwise it is made of the "
        "record as you may know it.",
    )


class EvidenceQuery(PointQuery):
    """Of which point the hidden cards are asked about, as seen by whom."""

    of = of_parameter()
    witness = witness_parameter()


class LikelyQuery(PointQuery):
    """At which point best play is asked about, as seen by whom, over how many deals."""

    deals = deals_parameter()
    seed = seed_parameter()


class OfALogQuery(Asked):
    """Which deal of a log, at which point, and for whom."""

    deal = Parameter(
        Kind("integer", least=1, most=MOST), "Which deal of the log, from 1; unless told otherwise the last."
    )
    at = Parameter(SEQ, AT_MEANS)
    viewer = Parameter(
        Kind("choice", choices=tuple(VIEWERS)),
        "As whoever sits there may know it: a seat, `public` for an onlooker, or `all`.",
        default="all",
    )


class EvidenceOfLogQuery(OfALogQuery):
    """Of which deal of a log the hidden cards are asked about."""

    of = of_parameter()
    witness = witness_parameter()


class LikelyOfLogQuery(OfALogQuery):
    """Of which deal of a log best play is asked about, over how many deals."""

    deals = deals_parameter()
    seed = seed_parameter()


def digits(means: str, *, null: bool = False) -> fields.String:
    """A whole number of any size, as text."""
    return fields.String(
        required=True, allow_none=null, validate=validate.Regexp("^[0-9]+$"), metadata={"description": means}
    )


class AgreeingSchema(Answer):
    """How many complete deals agree with the record; as text, since it can have fifty digits."""

    least = digits("At least so many.")
    most = digits("At most so many; null where no bound was found in time.", null=True)


class LevelSchema(Answer):
    """What is assumed on one level, and whether any complete deal agrees then."""

    assumes = said("What is assumed, as a sentence.")
    agrees = flag("Whether some complete deal agrees; null where that was not found out in time.", null=True)
    decided = flag("Whether all is exact; else everything that is possible is named, and perhaps more.")
    deals = nested_in(AgreeingSchema)


class HiddenCardSchema(Answer):
    """A card that the record does not show."""

    seq = Vocabulary(SEQ, "The entry that tells of it.")
    place = Whole("Its place among the cards of that entry, from 0.")
    seat = Vocabulary(SEAT, "Whose it was; null for a card of the talon.", null=True)
    card = Vocabulary(CARD, "As it was recorded: `??`, or `S?` where its suit is known.")
    physical = card_list("What it can be as matter alone.")
    lawful = card_list("What it can be if the rules were kept too.")
    forced = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(LEVELS),
        metadata={"description": "On which level it can be but one card; null where on neither."},
    )


class CertainSchema(Answer):
    """The cards that a hand holds for certain, on each level."""

    physical = card_list()
    lawful = card_list()


class HoldingSchema(Answer):
    """A hand at the point."""

    count = Whole("How many cards it holds.")
    physical = card_list("What can be in it as matter alone.")
    lawful = card_list("What can be in it if the rules were kept too.")
    certain = nested_in(CertainSchema, "What can be nowhere else.")


HoldingsBySeat = by_seat("Holdings", lambda: nested_in(HoldingSchema))
CardsBySeat = by_seat("Cards", card_list)


class WitnessPlaySchema(Answer):
    """A card that was played."""

    seq = Vocabulary(SEQ, "The entry that tells of it; null where there is none.", null=True)
    seat = Vocabulary(SEAT)
    trick = Whole("To which trick.", least=1)
    card = Vocabulary(CARD)


class WitnessSchema(Answer):
    """One complete deal that agrees with the record; in which order cards lay in the talon is not said."""

    level = fields.String(
        required=True,
        validate=validate.OneOf(LEVELS),
        metadata={"description": "What it keeps to: the cards alone, or the duty to follow, too."},
    )
    dealt = nested_in(CardsBySeat)
    discarded = nested_in(CardsBySeat)
    drawn = nested_in(CardsBySeat)
    left = card_list("What was left of the talon.")
    plays = list_of(WitnessPlaySchema)


class CountedSchema(Answer):
    """In how many lawful deals a hidden card is this one."""

    card = Vocabulary(CARD)
    deals = digits("As text; null where it takes too long to count.", null=True)


class EvidenceSchema(Answer):
    """What the hidden cards of a record can be, and what follows from it."""

    physical = nested_in(LevelSchema, "As matter alone.")
    lawful = nested_in(LevelSchema, "If the rules were kept too, except for `offences`.")
    offences = list_of(Vocabulary(SEQ), "Plays that were revokes whatever the hidden cards are.")
    cards = list_of(HiddenCardSchema, "Every hidden card of the record.")
    hands = nested_in(HoldingsBySeat, "The three hands as they stand.")
    contradicting = list_of(
        Vocabulary(SEQ),
        "Where no deal agrees: entries whose cards cannot all be true, each of them needed to see it. Null "
        "where that was not looked for, as it would take long.",
        null=True,
    )
    shares = list_of(
        CountedSchema, "Null where none were asked for, or no hidden card was played there.", null=True
    )
    witness = nested_in(
        WitnessSchema, "Null where none was asked for, there is none or none was found in time.", null=True
    )
    mistakes = list_of(MistakeSchema, EXPLAINED)


class ShareSchema(Answer):
    """How deals end, and how many of them."""

    outcome = said("How they end, such as `won`.")
    slam = said("`made` or `failed`; null where none was tried.", null=True)
    deals = Whole("How many.")


class CostSchema(Answer):
    """What a card cost, and in how many deals it did."""

    chips = Whole("Less than nothing where an unlawful card gained.", least=-1_000_000_000)
    deals = Whole("In how many.")


class LookedSchema(Answer):
    """The deals that were looked at. Each complete deal counts once; it is no probability of a hand."""

    deals = Whole("How many.")
    whole = flag("Whether these are all that agree with the record; else they were drawn by chance.")
    total = digits("How many agree; as text, since it can have fifty digits.")
    seed = Whole("By which they were drawn.")
    even = flag("Whether each was as likely as any other; else nearly, and `total` is about so many.")


class LikelyPlayedSchema(Answer):
    """A card that was played, over the deals."""

    seq = Vocabulary(SEQ)
    trick = Whole("To which trick.", least=1)
    seat = Vocabulary(SEAT)
    card = Vocabulary(CARD)
    costs = list_of(CostSchema, "What it cost the side that played it, in chips.")
    before = list_of(ShareSchema, "How the deals end by the best card.")
    after = list_of(ShareSchema, "How they end by this one.")
    told = said("That as a sentence.")


class StoppingSchema(Answer):
    """What something comes to over the deals."""

    deals = Whole("In how many it is legal.")
    best = Whole("In how many of these nothing else is worth more.")
    ends = list_of(ShareSchema)
    chips = fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "What the side has of it on average; null where not stated of some end."},
    )


class OutlookSchema(StoppingSchema):
    """What a card comes to over the deals."""

    card = Vocabulary(CARD)


class LikelyPointSchema(Answer):
    """Whose turn it is, and every card that is legal in one of the deals."""

    trick = Whole("To which trick.", least=1)
    seat = Vocabulary(SEAT)
    cards = list_of(OutlookSchema)
    stop = nested_in(
        StoppingSchema, "Not going on for all nine tricks; null where that is no choice.", null=True
    )


class LikelySchema(Answer):
    """What best play comes to over lawful deals that agree with the record, all hands open in each."""

    looked = nested_in(LookedSchema, "Null where something is missing.", null=True)
    missing = list_of(said(), "What it would take.")
    plays = list_of(LikelyPlayedSchema, "The cards that were played.")
    point = nested_in(LikelyPointSchema, "Null where no card is to be played there.", null=True)
    mistakes = list_of(MistakeSchema, EXPLAINED)


class EvidenceOfLogSchema(EvidenceSchema):
    """The hidden cards of one deal of a log, and what of the log could not be read."""

    problems = list_of(UnreadSchema)
    unlisted = Whole("Problems beyond those told in full.")


class LikelyOfLogSchema(LikelySchema):
    """Best play in one deal of a log, and what of the log could not be read."""

    problems = list_of(UnreadSchema)
    unlisted = Whole("Problems beyond those told in full.")
