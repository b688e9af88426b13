"""What the unseen cards of a deal can be, as a JSON object."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from engine.core.cards import CARD_CODES, SEAT_NAMES, Card, codes_in_mask
from engine.core.events import CardPlayed, Event, TalonTurned
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.diagnosis.mistakes import Mistake
from engine.inference.consistent_deals import CompleteDeal, DealCount, find_witness
from engine.inference.inference_case import EvidenceLevel
from engine.inference.unseen_cards import (
    LAWFUL_ASSUMPTIONS,
    PHYSICAL_ASSUMPTIONS,
    PossibleHand,
    UnseenCards,
    count_deals_by_card,
    forcing_level,
)
from engine.solver.monte_carlo import (
    CardEstimate,
    DealEstimate,
    OutcomeShare,
    PlayEstimate,
    PositionEstimate,
    SampleInfo,
    TurnEstimate,
)
from schemas.answers.audits import mistake_objects
from schemas.answers.states import Json, by_seat, members_object, optional, seat_name
from schemas.i18n.catalogs import SOURCE_LANGUAGE
from schemas.i18n.translate import translate

EVIDENCE_LEVELS: Final = ("physical", "lawful")
"""The two levels of evidence, the one that assumes less first."""


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
    found = unseen_cards.evidence
    return {
        "physical": _level(
            found.physical, unseen_cards.physical_count, translate(PHYSICAL_ASSUMPTIONS, lang)
        ),
        "lawful": _level(found.lawful, unseen_cards.lawful_count, translate(LAWFUL_ASSUMPTIONS, lang)),
        "offences": list(found.revokes),
        "cards": _card_objects(unseen_cards, entries),
        "hands": {SEAT_NAMES[one.seat]: _hand(one) for one in unseen_cards.hands},
        "contradicting": optional(list, unseen_cards.contradicting_entries),
        "shares": None if play_seq is None else _card_share_objects(unseen_cards, play_seq),
        "witness": None
        if witness_level is None
        else _witness(find_witness(unseen_cards.evidence, witness_level == "lawful"), witness_level),
        "mistakes": mistake_objects(mistakes, lang),
    }


def _level(level: EvidenceLevel, count: DealCount, assumption: str) -> Json:
    return {
        "assumes": assumption,
        "agrees": level.is_consistent,
        "decided": level.is_exact,
        # As text: there can be more deals than a number of JSON should say (RFC 7493, 2.2).
        "deals": {"least": str(count.minimum), "most": optional(str, count.maximum)},
    }


def _card_objects(unseen_cards: UnseenCards, entries: Log) -> list[Json]:
    events: dict[Seq, Event] = {entry.seq: entry.event for entry in entries}
    return [
        {
            "seq": one.seq,
            "place": one.place,
            "seat": event_seat_name(events[one.seq]),
            "card": CARD_CODES[event_cards(events[one.seq])[one.place]],
            "physical": codes_in_mask(one.physical),
            "lawful": codes_in_mask(one.lawful),
            "forced": forcing_level(one),
        }
        for one in unseen_cards.cards
    ]


def event_seat_name(event: Event) -> str | None:
    """Whose cards an entry shows; None where they lie in the talon."""
    return seat_name(getattr(event, "seat", None))


def event_cards(event: Event) -> tuple[Card, ...]:
    """The cards of an entry, as recorded."""
    if isinstance(event, CardPlayed | TalonTurned):
        return (event.card,)
    cards: tuple[Card, ...] = getattr(event, "cards", ())
    return cards


def _card_share_objects(unseen_cards: UnseenCards, play_seq: Seq) -> list[Json] | None:
    found = count_deals_by_card(unseen_cards, play_seq)
    if found is None:
        return None
    return [{"card": CARD_CODES[card], "deals": optional(str, deals)} for card, deals in found]


def _hand(possible_hand: PossibleHand) -> Json:
    return {
        "count": possible_hand.size,
        "physical": codes_in_mask(possible_hand.physical),
        "lawful": codes_in_mask(possible_hand.lawful),
        "certain": {
            "physical": codes_in_mask(possible_hand.certain_physical),
            "lawful": codes_in_mask(possible_hand.certain_lawful),
        },
    }


def _witness(deal: CompleteDeal | None, level: str) -> Json | None:
    """A complete deal: what was dealt, discarded, drawn and left, and every play."""
    if deal is None:
        return None
    return {
        "level": level,
        "dealt": _codes_by_seat(deal.dealt_hands),
        "discarded": _codes_by_seat(deal.discards),
        "drawn": _codes_by_seat(deal.draws),
        "left": codes_in_mask(deal.talon_rest),
        "plays": [
            {
                "seq": play.seq,
                "seat": SEAT_NAMES[play.seat],
                "trick": play.trick,
                "card": CARD_CODES[play.card],
            }
            for play in deal.plays
        ],
    }


def _codes_by_seat(masks: tuple[int, ...]) -> Json:
    return by_seat(lambda seat: codes_in_mask(masks[seat]))


AVERAGE_DIGITS = 4
"""The decimal places of an average of chips."""


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
    missing = list(deal_estimate.missing_facts)
    if position_estimate is not None:
        missing += position_estimate.missing_facts
    return {
        "looked": optional(_sample_object, deal_estimate.sample),
        "missing": [translate(one, lang) for one in dict.fromkeys(missing)],
        "plays": [_play_object(one, lang) for one in deal_estimate.plays],
        "point": None if position_estimate is None else optional(_turn_object, position_estimate.turn),
        "mistakes": mistake_objects(mistakes, lang),
    }


def _sample_object(sample: SampleInfo) -> Json:
    # There can be more than 64 bits count, which no number of JSON should (RFC 7493, 2.2).
    return {**sample._asdict(), "total": str(sample.total)}


def _play_object(play: PlayEstimate, lang: str) -> Json:
    return {
        "seq": play.seq,
        "trick": play.trick,
        "seat": SEAT_NAMES[play.seat],
        "card": CARD_CODES[play.card],
        "costs": [{"chips": chips, "deals": deals} for chips, deals in play.costs],
        "before": _outcome_share_objects(play.ends_of_best_card),
        "after": _outcome_share_objects(play.ends_of_card),
        "cards": _choice_objects(play.turn),
        "told": translate(play.cost_text, lang),
    }


def _turn_object(turn: TurnEstimate) -> Json:
    return {
        "trick": turn.trick,
        "seat": SEAT_NAMES[turn.seat],
        "cards": _choice_objects(turn),
        "stop": optional(_estimate_object, turn.stop_estimate),
    }


def _choice_objects(turn: TurnEstimate) -> list[Json]:
    return [
        {"card": CARD_CODES[one.card], **_estimate_object(one)}
        for one in turn.choices
        if one.card is not None
    ]


def _estimate_object(estimate: CardEstimate) -> Json:
    return {
        "deals": estimate.deal_count,
        "best": estimate.best_count,
        "ends": _outcome_share_objects(estimate.ends),
        "chips": optional(round_average, estimate.average_chips),
    }


def round_average(chips: Fraction) -> float:
    """An average of chips, rounded."""
    return round(float(chips), AVERAGE_DIGITS)


def _outcome_share_objects(shares: tuple[OutcomeShare, ...]) -> list[Json]:
    return [members_object(one) for one in shares]
