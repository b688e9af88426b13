"""Revokes that the cards prove, whatever the hidden ones are (RULES 5).

A play that did not follow is a revoke if no complete deal agrees in which it was lawful. Such a deal
only has to be physically possible, so that nobody is accused because somebody else may have broken a rule.
"""

from engine.core.cards import CARD_BITS
from engine.core.field_types import Seq
from engine.inference.hidden_play_search import StepBudget, has_consistent_deal
from engine.inference.hidden_plays import PHYSICAL_ONLY, AssumedRules
from engine.inference.inference_case import InferenceCase
from engine.inference.placement import possible_cards_by_place
from engine.inference.suit_constraints import OffSuitPlay, list_lawful_placements, list_off_suit_plays


def find_revokes(
    case: InferenceCase, off_suit_plays: tuple[OffSuitPlay, ...], steps: int, total_steps: int | None = None
) -> tuple[Seq, ...]:
    """The entries of the plays that were revokes; ``off_suit_plays`` are known not to have followed suit.

    In a record in which the cards themselves contradict each other nobody is accused. Each question takes
    ``steps`` at most, all of them ``total_steps`` where that is given. Raises `BudgetExceeded`.
    """
    if not case.claims.is_play_order_known:
        return ()
    if not case.hidden_plays:
        return tuple(play.seq for play in off_suit_plays if not _can_be_lawful(case, (play,)))
    suspects = [play.seq for play in off_suit_plays]
    for trick in case.claims.tricks:
        if not all(CARD_BITS[card] for card in trick.cards):
            suspects += [seq for seq in trick.seqs[1:] if seq not in suspects]
    found = []
    steps_left = len(suspects) * steps if total_steps is None else total_steps
    for seq in suspects:
        rules, budget = (
            AssumedRules(binding_plays=frozenset((seq,)), must_winner_lead=False),
            StepBudget(min(steps, steps_left)),
        )
        steps_left -= budget.left
        if has_consistent_deal(case, rules, budget) is False:
            found.append(seq)
        steps_left += budget.left
    return tuple(found)


def find_further_revokes(
    case: InferenceCase,
    steps: int,
    known_revokes: frozenset[Seq] = frozenset(),
    total_steps: int | None = None,
) -> tuple[Seq, ...]:
    """The entries of all plays that were revokes besides ``known_revokes``, and nothing else.

    Each question takes ``steps`` at most, all of them ``total_steps`` where that is given. Raises
    `BudgetExceeded`.
    """
    if not case.claims.is_play_order_known:
        return ()
    off_suit_plays = tuple(play for play in list_off_suit_plays(case.claims) if play.seq not in known_revokes)
    if not case.hidden_plays:
        if _can_be_lawful(case, off_suit_plays) or not _can_be_lawful(case, ()):
            return ()
    else:
        rules = AssumedRules(excused_plays=known_revokes, must_winner_lead=False)
        if has_consistent_deal(case, rules, StepBudget(steps)) or not has_consistent_deal(
            case, PHYSICAL_ONLY, StepBudget(steps)
        ):
            return ()
    proved = find_revokes(case, off_suit_plays, steps, total_steps)
    return tuple(seq for seq in proved if seq not in known_revokes)


def _can_be_lawful(case: InferenceCase, off_suit_plays: tuple[OffSuitPlay, ...]) -> bool:
    """Whether some deal agrees in which these plays were lawful; where every play is seen."""
    return any(
        possible_cards_by_place(scenario._replace(allowed_places=allowed), case.work) is not None
        for scenario in case.scenarios
        for allowed in list_lawful_placements(
            scenario.allowed_places, off_suit_plays, case.claims.trick_rules, case.plays_by_card, case.work
        )
    )
