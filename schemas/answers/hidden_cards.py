"""What the unseen cards of a deal can be, and what best play comes to, as JSON objects."""

from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from typing import Final, NamedTuple

from engine.core.cards import CARD_CODES, SEAT_NAMES, Card, Seat
from engine.core.events import CardPlayed, Event, TalonTurned
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.core.message import Message
from engine.diagnosis.mistakes import Mistake
from engine.inference.consistent_deals import DealCount, find_witness
from engine.inference.inference_case import EvidenceLevel
from engine.inference.unseen_cards import (
    LAWFUL_ASSUMPTIONS,
    PHYSICAL_ASSUMPTIONS,
    UnseenCards,
    count_deals_by_card,
    forcing_level,
)
from engine.solver.monte_carlo import CardEstimate, DealEstimate, PositionEstimate, TurnEstimate
from schemas.answers import fields
from schemas.answers.audits import InputSlipSchema
from schemas.answers.response_schema import Json, ResponseSchema, by_seat_schema
from schemas.answers.states import optional
from schemas.i18n.catalogs import SOURCE_LANGUAGE
from schemas.i18n.translate import translate_phrase

EVIDENCE_LEVELS: Final = ("physical", "lawful")
"""The two levels of evidence, the one that assumes less first."""
INPUT_SLIPS_DESCRIPTION: Final = (
    "Slips of the pen that may explain the findings; the answer treats the record as it is."
)
AVERAGE_DIGITS: Final = 4
"""The decimal places of an average of chips."""


class DealCountSchema(ResponseSchema):
    """The number of complete deals that agree with the record; as text, because it can have fifty digits."""

    least = fields.digits("The lower bound.", get="minimum")
    most = fields.digits("The upper bound; null if none was found in time.", get="maximum", allow_none=True)


class JudgedLevel(NamedTuple):
    """A level of evidence, what it assumes, and how many deals agree with it."""

    assumptions: Message
    evidence: EvidenceLevel
    deal_count: DealCount


class EvidenceLevelSchema(ResponseSchema):
    """The assumptions of a level, and whether any complete deal agrees with them."""

    assumes = fields.sentence("The assumptions, as a sentence.", get="assumptions")
    agrees = fields.boolean(
        "Whether some complete deal agrees; null if that was not found in time.",
        get="evidence.is_consistent",
        allow_none=True,
    )
    decided = fields.boolean(
        "Whether the answer is exact; else it has every possible card, and perhaps more.",
        get="evidence.is_exact",
    )
    deals = fields.nested(DealCountSchema, get="deal_count")


class HiddenCardSchema(ResponseSchema):
    """A hidden card of the record."""

    seq = fields.seq("The entry of the card.")
    place = fields.integer("Its place among the cards of that entry, from 0.")
    seat = fields.seat("Its owner; null for a card of the talon.", allow_none=True)
    card = fields.card("As recorded: `??`, or `S?` if its suit is known.")
    physical = fields.cards_in_mask("What it can be by the cards alone.")
    lawful = fields.cards_in_mask("What it can be if the rules were kept too.")
    forced = fields.string(
        "The level on which it can be only one card; null if on neither.",
        get=forcing_level,
        allow_none=True,
        choices=EVIDENCE_LEVELS,
    )


def event_seat_name(event: Event) -> str | None:
    """Whose cards an entry shows; None where they lie in the talon."""
    seat: Seat | None = getattr(event, "seat", None)
    return optional(SEAT_NAMES.__getitem__, seat)


def event_cards(event: Event) -> tuple[Card, ...]:
    """The cards of an entry, as recorded."""
    if isinstance(event, CardPlayed | TalonTurned):
        return (event.card,)
    cards: tuple[Card, ...] = getattr(event, "cards", ())
    return cards


def _hidden_card_objects(unseen_cards: UnseenCards, entries: Log) -> list[Json]:
    events: dict[Seq, Event] = {entry.seq: entry.event for entry in entries}
    return [
        HiddenCardSchema.write(
            one,
            seat=event_seat_name(events[one.seq]),
            card=CARD_CODES[event_cards(events[one.seq])[one.place]],
        )
        for one in unseen_cards.cards
    ]


class CertainCardsSchema(ResponseSchema):
    """The cards that a hand certainly holds, on each level."""

    physical = fields.cards_in_mask(get="certain_physical")
    lawful = fields.cards_in_mask(get="certain_lawful")


class HandEvidenceSchema(ResponseSchema):
    """A hand at the point, and what can be in it by the cards alone and if the rules were kept too."""

    count = fields.integer("Its number of cards.", get="size")
    physical = fields.cards_in_mask("What can be in it by the cards alone.")
    lawful = fields.cards_in_mask("What can be in it if the rules were kept too.")
    certain = fields.nested(CertainCardsSchema, "Cards that can be nowhere else.", get=lambda hand: hand)


HoldingsBySeat = by_seat_schema("Holdings", partial(fields.nested, HandEvidenceSchema))
CardsBySeat = by_seat_schema("Cards", fields.cards_in_mask)


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
    dealt = fields.nested(CardsBySeat, get="dealt_hands")
    discarded = fields.nested(CardsBySeat, get="discards")
    drawn = fields.nested(CardsBySeat, get="draws")
    left = fields.cards_in_mask("The rest of the talon.", get="talon_rest")
    plays = fields.list_of(WitnessPlaySchema)


class CardCountSchema(ResponseSchema):
    """In how many lawful deals a hidden card is this one."""

    card = fields.card(get=0)
    deals = fields.digits("As text; null if counting takes too long.", get=1, allow_none=True)


class EvidenceSchema(ResponseSchema):
    """What the hidden cards of a record can be."""

    physical = fields.nested(
        EvidenceLevelSchema,
        "By the cards alone.",
        get=lambda unseen: JudgedLevel(PHYSICAL_ASSUMPTIONS, unseen.evidence.physical, unseen.physical_count),
    )
    lawful = fields.nested(
        EvidenceLevelSchema,
        "If the rules were kept too, except for `offences`.",
        get=lambda unseen: JudgedLevel(LAWFUL_ASSUMPTIONS, unseen.evidence.lawful, unseen.lawful_count),
    )
    offences = fields.list_of(
        fields.seq(), "Plays that were revokes, whatever the hidden cards are.", get="evidence.revokes"
    )
    cards = fields.list_of(HiddenCardSchema, "Every hidden card of the record.")
    hands = fields.nested(HoldingsBySeat, "The three hands as they stand.")
    contradicting = fields.list_of(
        fields.seq(),
        "If no deal agrees: entries that cannot all be true, without any that are not needed. Null if the "
        "search would take too long.",
        get="contradicting_entries",
        allow_none=True,
    )
    shares = fields.list_of(
        CardCountSchema, "Null if not requested, or if no hidden card was played there.", allow_none=True
    )
    witness = fields.nested(
        WitnessSchema, "Null if not requested, impossible, or not found in time.", allow_none=True
    )
    mistakes = fields.list_of(InputSlipSchema, INPUT_SLIPS_DESCRIPTION)


def evidence_object(
    unseen_cards: UnseenCards,
    entries: Log,
    lang: str = SOURCE_LANGUAGE,
    play_seq: Seq | None = None,
    witness_level: str | None = None,
    mistakes: Iterable[Mistake] = (),
) -> Json:
    """What is proved of the hidden cards of ``entries``.

    With the shares of what the card played at ``play_seq`` can be, and with one complete deal of the level
    ``witness_level``, where these are asked for. ``mistakes`` of the pen may explain it.
    """
    shares = None if play_seq is None else count_deals_by_card(unseen_cards, play_seq)
    witness = None
    if witness_level is not None:
        witness = find_witness(unseen_cards.evidence, witness_level == "lawful")
    return EvidenceSchema.write(
        unseen_cards,
        lang,
        cards=_hidden_card_objects(unseen_cards, entries),
        shares=None if shares is None else [CardCountSchema.write(one) for one in shares],
        witness=None if witness is None else WitnessSchema.write(witness, level=witness_level),
        mistakes=[InputSlipSchema.write(one, lang) for one in mistakes],
    )


class OutcomeShareSchema(ResponseSchema):
    """How deals end, and how many of them."""

    outcome = fields.string("How they end, such as `won`.")
    slam = fields.string("`made` or `failed`; null where none was tried.", allow_none=True)
    deals = fields.integer("How many.")


class CardCostSchema(ResponseSchema):
    """What a card cost, and in how many deals it did."""

    chips = fields.integer(
        "Less than nothing where an unlawful card gained.", get=0, min_value=-1_000_000_000
    )
    deals = fields.integer("The number of these deals.", get=1)


class DealSampleSchema(ResponseSchema):
    """The deals that were examined. Each complete deal counts once; this is not the probability of a hand."""

    deals = fields.integer("How many.")
    whole = fields.boolean(
        "Whether these are all deals that agree with the record; else they are a random sample."
    )
    total = fields.digits("The number of deals that agree; as text, because it can have fifty digits.")
    seed = fields.integer("The seed.")
    even = fields.boolean("Whether each was equally likely; else nearly, and `total` is approximate.")


def round_average(chips: Fraction) -> float:
    """An average of chips, rounded."""
    return round(float(chips), AVERAGE_DIGITS)


class ActionOddsSchema(ResponseSchema):
    """The results of a choice over the deals."""

    deals = fields.integer("In how many deals it is legal.", get="deal_count")
    best = fields.integer("In how many of these nothing is better.", get="best_count")
    ends = fields.list_of(OutcomeShareSchema)
    chips = fields.number(
        "The side's average; null if some outcome has no value.",
        get="average_chips",
        write=round_average,
        allow_none=True,
    )


class ChosenCardSchema(ResponseSchema):
    """A card to choose."""

    card = fields.card()


class CardOddsSchema(ActionOddsSchema, ChosenCardSchema):
    """The results of a card over the deals."""


def _list_card_choices(turn: TurnEstimate) -> list[CardEstimate]:
    return [one for one in turn.choices if one.card is not None]


class PlayedCardOddsSchema(ResponseSchema):
    """A card that was played, over the deals."""

    seq = fields.seq()
    trick = fields.integer("The number of the trick.", min_value=1)
    seat = fields.seat()
    card = fields.card()
    costs = fields.list_of(CardCostSchema, "What it cost its side, in chips.")
    before = fields.list_of(OutcomeShareSchema, "The outcomes after the best card.", get="ends_of_best_card")
    after = fields.list_of(OutcomeShareSchema, "The outcomes after this card.", get="ends_of_card")
    cards = fields.list_of(
        CardOddsSchema,
        "Every card that was legal in one of the deals.",
        get=lambda play: _list_card_choices(play.turn),
    )
    told = fields.sentence("The cost as a sentence.", get="cost_text")


class PointOddsSchema(ResponseSchema):
    """The turn, and every card that is legal in one of the deals."""

    trick = fields.integer("The number of the trick.", min_value=1)
    seat = fields.seat()
    cards = fields.list_of(CardOddsSchema, get=_list_card_choices)
    stop = fields.nested(
        ActionOddsSchema,
        "Not trying for all nine tricks; null if that is no choice.",
        get="stop_estimate",
        allow_none=True,
    )


class OddsSchema(ResponseSchema):
    """The results of best play over lawful deals that agree with the record, with all hands open."""

    looked = fields.nested(DealSampleSchema, "Null if something is missing.", get="sample", allow_none=True)
    missing = fields.list_of(fields.string(), "What is missing.")
    plays = fields.list_of(PlayedCardOddsSchema, "The cards that were played.")
    point = fields.nested(PointOddsSchema, "Null if no card is to be played there.", allow_none=True)
    mistakes = fields.list_of(InputSlipSchema, INPUT_SLIPS_DESCRIPTION)


def odds_object(
    deal_estimate: DealEstimate,
    position_estimate: PositionEstimate | None,
    lang: str = SOURCE_LANGUAGE,
    mistakes: Iterable[Mistake] = (),
) -> Json:
    """What the cards that were played cost over the deals, and what those that are legal now come to.

    ``position_estimate`` is the end of the record; ``point`` is null where no card is to be played there.
    ``mistakes`` of the pen may explain the record.
    """
    missing, turn = list(deal_estimate.missing_facts), None
    if position_estimate is not None:
        missing += position_estimate.missing_facts
        turn = position_estimate.turn
    return OddsSchema.write(
        deal_estimate,
        lang,
        missing=[translate_phrase(one, lang) for one in dict.fromkeys(missing)],
        point=optional(PointOddsSchema.write, turn),
        mistakes=[InputSlipSchema.write(one, lang) for one in mistakes],
    )
