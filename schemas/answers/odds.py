"""Best play over the deals that can have been, as JSON: how often each card leads to which end."""

from collections.abc import Iterable
from fractions import Fraction

from engine.core.cards import CARD_CODES, SEAT_NAMES
from engine.diagnosis.mistakes import Mistake
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
from schemas.answers.states import Json, members_object, optional
from schemas.i18n.catalogs import SOURCE_LANGUAGE
from schemas.i18n.translate import translate

AVERAGE_DIGITS = 4
"""So many places has an average of chips."""


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
        "told": translate(play.cost_text, lang),
    }


def _turn_object(turn: TurnEstimate) -> Json:
    return {
        "trick": turn.trick,
        "seat": SEAT_NAMES[turn.seat],
        "cards": [
            {"card": CARD_CODES[one.card], **_estimate_object(one)}
            for one in turn.choices
            if one.card is not None
        ],
        "stop": optional(_estimate_object, turn.stop_estimate),
    }


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
