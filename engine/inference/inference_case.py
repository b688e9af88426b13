"""A record as a case to be decided, and a level of evidence as the answer (DESIGN 5)."""

from collections.abc import Mapping
from typing import NamedTuple

from engine.core.cards import Card, mask_of_cards
from engine.core.work_budget import WorkBudget
from engine.inference.claims import Claims
from engine.inference.hidden_plays import HiddenPlay, list_hidden_plays
from engine.inference.physical_constraints import CardPlay, Scenario, list_scenarios, plays_by_card
from engine.inference.places import PLACE_COUNT


class EvidenceLevel(NamedTuple):
    """What is possible on one level of evidence.

    ``is_consistent``: whether some complete deal agrees with the record, None where that was not found out;
    ``is_exact``: whether everything here is exact, or else all that is possible stands in it and perhaps
    more. ``cards_by_place``: the cards that can lie in each place (`engine.inference.places`);
    ``cards_by_play``: by slot what each hidden play can be; ``hands``: by seat the cards that can be in the
    hand at this point.
    """

    is_consistent: bool | None
    is_exact: bool
    cards_by_place: tuple[int, ...]
    cards_by_play: Mapping[HiddenPlay, int]
    hands: tuple[int, ...]


INCONSISTENT_LEVEL = EvidenceLevel(False, True, (0,) * PLACE_COUNT, {}, (0, 0, 0))
"""No complete deal agrees."""


class InferenceCase(NamedTuple):
    """The claims and what is derived from them once: known plays, hidden plays and scenarios.

    ``work`` is the budget for deciding the case; every function that examines it spends from that.
    ``has_all_scenarios``: whether ``scenarios`` is complete.
    """

    claims: Claims
    plays_by_card: dict[Card, CardPlay]
    hidden_plays: tuple[HiddenPlay, ...]
    scenarios: tuple[Scenario, ...]
    work: WorkBudget
    has_all_scenarios: bool = True

    @property
    def is_play_complete(self) -> bool:
        """Whether every card that left a hand in the play was seen, or has a slot."""
        unseen = any(one.is_uncounted and not mask_of_cards(one.cards) for one in self.claims.card_claims)
        return self.claims.is_play_order_known and not unseen


def build_case(claims: Claims, work: WorkBudget | None = None) -> InferenceCase:
    """The case that the claims make, to be decided with that ``work``, else with as much as it takes.

    Raises:
        BudgetExceeded: it has more scenarios than there is work for.
    """
    work = WorkBudget() if work is None else work
    return InferenceCase(
        claims, plays_by_card(claims), list_hidden_plays(claims), tuple(list_scenarios(claims, work)), work
    )


def build_case_without_scenarios(claims: Claims, work: WorkBudget) -> InferenceCase:
    """The case of claims that have more scenarios than there is work for: it has none of them."""
    return InferenceCase(
        claims, plays_by_card(claims), list_hidden_plays(claims), (), work, has_all_scenarios=False
    )
