"""Revokes that the cards prove, whatever the hidden ones are (RULES 5).

A play that did not follow is a revoke if no complete deal agrees in which it was lawful. Such a deal only has
to be physically possible, so that nobody is accused because somebody else may have broken a rule.
"""

from engine.core.cards import CARD_BITS
from engine.core.field_types import Seq
from engine.core.work_budget import WorkBudget
from engine.inference.hidden_play_search import has_consistent_deal
from engine.inference.inference_case import PHYSICAL_ONLY, AssumedRules, InferenceCase
from engine.inference.suit_constraints import OffSuitPlay, list_off_suit_plays


def find_revokes(
    case: InferenceCase, off_suit_plays: tuple[OffSuitPlay, ...], steps: int, total_steps: int | None = None
) -> tuple[Seq, ...]:
    """The entries of the plays that were revokes; ``off_suit_plays`` are known not to have followed suit.

    In a record in which the cards themselves contradict each other nobody is accused. Each question takes
    ``steps`` at most, all of them ``total_steps`` where that is given. Raises `BudgetExceeded`.
    """
    if not case.claims.is_play_order_known:
        return ()
    suspects = dict.fromkeys(play.seq for play in off_suit_plays)
    for trick in case.claims.tricks:
        if not all(CARD_BITS[card] for card in trick.cards):
            suspects.update(dict.fromkeys(trick.seqs[1:]))
    found = []
    steps_left = len(suspects) * steps if total_steps is None else total_steps
    for seq in suspects:
        rules = AssumedRules(binding_plays=frozenset((seq,)), must_winner_lead=False)
        budget = WorkBudget(min(steps, steps_left))
        steps_left -= budget.units_left
        if has_consistent_deal(case, rules, budget) is False:
            found.append(seq)
        steps_left += budget.units_left
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
    rules = AssumedRules(excused_plays=known_revokes, must_winner_lead=False)
    if has_consistent_deal(case, rules, WorkBudget(steps)) or not has_consistent_deal(
        case, PHYSICAL_ONLY, WorkBudget(steps)
    ):
        return ()
    off_suit_plays = tuple(play for play in list_off_suit_plays(case.claims) if rules.is_binding(play.seq))
    proved = find_revokes(case, off_suit_plays, steps, total_steps)
    return tuple(seq for seq in proved if seq not in known_revokes)
