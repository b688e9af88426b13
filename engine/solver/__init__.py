"""What would have happened: the value of every legal card when all hands are known, by exact search.

Modules, each on those before it: cards as bits (`bit_layout`), every way in which the tricks can fall and
what it pays (`trick_splits`), the ends in the order in which the sides want them (`outcome_order`), what sure
tricks tell before any search (`rank_bounds`), the search (`double_dummy`), a point of a record as a position
(`position`), its value (`position_value`), what is asked of a record (`evaluation`), and the same over the
deals that are possible where hands are hidden (`monte_carlo`).
"""

from engine.solver.evaluation import (
    CardEvaluation,
    DealEvaluation,
    PlayEvaluation,
    PositionEvaluation,
    TurnEvaluation,
    evaluate_deal,
    evaluate_position,
)
from engine.solver.monte_carlo import (
    CardEstimate,
    DealEstimate,
    OutcomeShare,
    PlayEstimate,
    PositionEstimate,
    SampleInfo,
    TurnEstimate,
    estimate_deal,
    estimate_position,
)
from engine.solver.position_value import PositionValue
from engine.solver.trick_splits import DealEnd

__all__ = [
    "CardEstimate",
    "CardEvaluation",
    "DealEnd",
    "DealEstimate",
    "DealEvaluation",
    "OutcomeShare",
    "PlayEstimate",
    "PlayEvaluation",
    "PositionEstimate",
    "PositionEvaluation",
    "PositionValue",
    "SampleInfo",
    "TurnEstimate",
    "TurnEvaluation",
    "estimate_deal",
    "estimate_position",
    "evaluate_deal",
    "evaluate_position",
]
