"""Evidence: for every hidden card of a record what it can be (DESIGN 5).

On the *physical* level only matter counts: the pack, how many cards were dealt, laid away and drawn, in which
order, what was seen. On the *lawful* level also every duty to follow was kept, and who led to a trick had won
the one before, except for the offences that the cards prove.
"""

from typing import NamedTuple

from engine.core.log import Log
from engine.core.vocabulary import Seq
from engine.core.work_budget import Spent, Work
from engine.inference.cases import NOTHING, Case, Level, case_of, unread
from engine.inference.claims import Claims, claims_of
from engine.inference.duties import duties
from engine.inference.levels import active, lawful_level, outlined, physical
from engine.inference.offences import offences
from engine.inference.plays import Rules
from engine.inference.searching import MOST_STEPS, Budget, searched
from engine.play.state import State


class Evidence(NamedTuple):
    """What a record proves of its hidden cards.

    ``offences``: by entry the plays that were revokes whatever the hidden cards are; the lawful level excepts
    them. ``steps``: the budget of each search, in steps.
    """

    case: Case
    physical: Level
    lawful: Level
    offences: tuple[Seq, ...]
    steps: int

    @property
    def claims(self) -> Claims:
        """What the record claims."""
        return self.case.claims

    @property
    def rules(self) -> Rules:
        """The rules that bind on the lawful level."""
        return Rules(excused=frozenset(self.offences))


def evidence(entries: Log, state: State, steps: int = MOST_STEPS, work: Work | None = None) -> Evidence:
    """What the entries of an effective history prove; ``state`` is the fold of just these.

    ``steps`` bounds each search among hidden plays; where every play is seen there is none. ``work`` bounds
    all of it.
    """
    try:
        return of_case(case_of(claims_of(entries, state), work), steps)
    except Spent:
        return not_searched(unread(claims_of(entries, state), work or Work()), steps)


def not_searched(case: Case, steps: int) -> Evidence:
    """A case in which nothing was looked for: everything that no single entry excludes is possible."""
    level = outlined(case)
    return Evidence(case, level, level, (), steps)


def of_case(case: Case, steps: int = MOST_STEPS) -> Evidence:
    """What a case proves, as far as its work suffices."""
    try:
        matter = physical(case, Budget(steps))
    except Spent:
        return not_searched(case, steps)
    try:
        return _lawful(case, matter, steps)
    except Spent:
        # Whatever is lawful is possible as matter too.
        return Evidence(case, matter, matter._replace(agrees=None, decided=False), (), steps)


def _lawful(case: Case, matter: Level, steps: int) -> Evidence:
    claims = case.claims
    if matter.agrees is False:
        return Evidence(case, matter, NOTHING, (), steps)
    if not claims.course_known:
        return Evidence(case, matter, matter, (), steps)
    if case.slots:
        return _with_hidden_plays(case, matter, steps)
    kept = active(case, matter, duties(claims))
    level = lawful_level(case, matter, kept)
    if level.agrees:
        return Evidence(case, matter, level, (), steps)
    found = offences(case, kept, steps)
    kept = tuple(duty for duty in kept if duty.seq not in found)
    return Evidence(case, matter, lawful_level(case, matter, kept), found, steps)


def _with_hidden_plays(case: Case, matter: Level, steps: int) -> Evidence:
    level = searched(case, Rules(), Budget(steps))
    if level.agrees:
        return Evidence(case, matter, level, (), steps)
    found = offences(case, active(case, matter, duties(case.claims)), steps)
    if found:
        level = searched(case, Rules(excused=frozenset(found)), Budget(steps))
    return Evidence(case, matter, level, found, steps)
