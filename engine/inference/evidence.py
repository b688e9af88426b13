"""Evidence: for every hidden card of a record what it can be (DESIGN 5).

The *physical* level counts only the cards themselves: the pack, how many cards were dealt, laid away and
drawn, in which order, what was seen. On the *lawful* level every card also followed where it had to, and who
led to a trick had won the one before, except for the offences that the cards prove.
"""

from typing import NamedTuple

from engine.core.field_types import Seq
from engine.core.log import Log
from engine.core.work_budget import BudgetExceeded, WorkBudget
from engine.inference.claims import Claims, collect_claims
from engine.inference.evidence_levels import (
    filter_excluding_plays,
    find_lawful_level,
    find_physical_level,
    outline_level,
)
from engine.inference.hidden_play_search import MAX_SEARCH_STEPS, StepBudget, search_level
from engine.inference.hidden_plays import AssumedRules
from engine.inference.inference_case import (
    INCONSISTENT_LEVEL,
    EvidenceLevel,
    InferenceCase,
    build_case,
    build_case_without_scenarios,
)
from engine.inference.revoke_search import find_revokes
from engine.inference.suit_constraints import list_off_suit_plays
from engine.play.state import State


class Evidence(NamedTuple):
    """What a record proves of its hidden cards.

    ``revokes``: by entry the plays that were revokes whatever the hidden cards are; the lawful level excepts
    them. ``steps``: the budget of each search, in steps.
    """

    case: InferenceCase
    physical: EvidenceLevel
    lawful: EvidenceLevel
    revokes: tuple[Seq, ...]
    steps: int

    @property
    def claims(self) -> Claims:
        """What the record claims."""
        return self.case.claims

    @property
    def rules(self) -> AssumedRules:
        """The rules that bind on the lawful level."""
        return AssumedRules(excused_plays=frozenset(self.revokes))


def build_evidence(
    entries: Log, state: State, steps: int = MAX_SEARCH_STEPS, work: WorkBudget | None = None
) -> Evidence:
    """What the entries of an effective history prove; ``state`` is the fold of just these.

    ``steps`` bounds each search among hidden plays; where every play is seen there is none. ``work`` bounds
    all of it.
    """
    try:
        return build_case_evidence(build_case(collect_claims(entries, state), work), steps)
    except BudgetExceeded:
        return build_unsearched_evidence(
            build_case_without_scenarios(collect_claims(entries, state), work or WorkBudget()), steps
        )


def build_unsearched_evidence(case: InferenceCase, steps: int) -> Evidence:
    """A case in which nothing was looked for: everything that no single entry excludes is possible."""
    level = outline_level(case)
    return Evidence(case, level, level, (), steps)


def build_case_evidence(case: InferenceCase, steps: int = MAX_SEARCH_STEPS) -> Evidence:
    """What a case proves, as far as its work suffices."""
    try:
        physical = find_physical_level(case, StepBudget(steps))
    except BudgetExceeded:
        return build_unsearched_evidence(case, steps)
    try:
        return _add_lawful_level(case, physical, steps)
    except BudgetExceeded:
        # Whatever is lawful is physically possible too.
        return Evidence(case, physical, physical._replace(is_consistent=None, is_exact=False), (), steps)


def _add_lawful_level(case: InferenceCase, physical: EvidenceLevel, steps: int) -> Evidence:
    claims = case.claims
    if physical.is_consistent is False:
        return Evidence(case, physical, INCONSISTENT_LEVEL, (), steps)
    if not claims.is_play_order_known:
        return Evidence(case, physical, physical, (), steps)
    if case.hidden_plays:
        return _with_hidden_plays(case, physical, steps)
    off_suit_plays = filter_excluding_plays(case, physical, list_off_suit_plays(claims))
    level = find_lawful_level(case, physical, off_suit_plays)
    if level.is_consistent:
        return Evidence(case, physical, level, (), steps)
    revokes = find_revokes(case, off_suit_plays, steps)
    off_suit_plays = tuple(play for play in off_suit_plays if play.seq not in revokes)
    return Evidence(case, physical, find_lawful_level(case, physical, off_suit_plays), revokes, steps)


def _with_hidden_plays(case: InferenceCase, physical: EvidenceLevel, steps: int) -> Evidence:
    level = search_level(case, AssumedRules(), StepBudget(steps))
    if level.is_consistent:
        return Evidence(case, physical, level, (), steps)
    revokes = find_revokes(
        case, filter_excluding_plays(case, physical, list_off_suit_plays(case.claims)), steps
    )
    if revokes:
        level = search_level(case, AssumedRules(excused_plays=frozenset(revokes)), StepBudget(steps))
    return Evidence(case, physical, level, revokes, steps)
