"""Revokes that the cards prove, whatever the hidden ones are (RULES 5).

A play that did not follow is a revoke if no complete deal agrees in which it was lawful. Nothing else is
asked of such a deal than matter, so that nobody is accused because somebody else may have broken a rule.
"""

from engine.core.cards import BIT
from engine.core.vocabulary import Seq
from engine.inference.cases import Case
from engine.inference.duties import Duty, duties, lawful
from engine.inference.plays import MATTER_ONLY, Rules
from engine.inference.searching import Budget, agrees
from engine.inference.solving import lying


def offences(case: Case, kept: tuple[Duty, ...], steps: int, together: int | None = None) -> tuple[Seq, ...]:
    """The entries of the plays that were revokes; ``kept`` are those known not to have followed.

    In a record in which the cards themselves contradict each other nobody is accused. Each question takes
    ``steps`` at most, all of them ``together`` where that is given. Raises `Spent`.
    """
    if not case.claims.course_known:
        return ()
    if not case.slots:
        return tuple(duty.seq for duty in kept if not _can_be_kept(case, (duty,)))
    suspects = [duty.seq for duty in kept]
    for trick in case.claims.tricks:
        if not all(BIT[card] for card in trick.cards):
            suspects += [seq for seq in trick.seqs[1:] if seq not in suspects]
    found = []
    left = len(suspects) * steps if together is None else together
    for seq in suspects:
        only, budget = Rules(only=frozenset((seq,)), winners=False), Budget(min(steps, left))
        left -= budget.left
        if agrees(case, only, budget) is False:
            found.append(seq)
        left += budget.left
    return tuple(found)


def proved_revokes(
    case: Case, steps: int, found: frozenset[Seq] = frozenset(), together: int | None = None
) -> tuple[Seq, ...]:
    """The entries of all plays that were revokes besides those ``found`` already, and nothing else.

    Each question takes ``steps`` at most, all of them ``together`` where that is given. Raises `Spent`.
    """
    if not case.claims.course_known:
        return ()
    kept = tuple(duty for duty in duties(case.claims) if duty.seq not in found)
    if not case.slots:
        if _can_be_kept(case, kept) or not _can_be_kept(case, ()):
            return ()
    else:
        rules = Rules(excused=found, winners=False)
        if agrees(case, rules, Budget(steps)) or not agrees(case, MATTER_ONLY, Budget(steps)):
            return ()
    proved = offences(case, kept, steps, together)
    return tuple(seq for seq in proved if seq not in found)


def _can_be_kept(case: Case, kept: tuple[Duty, ...]) -> bool:
    """Whether some deal agrees in which these plays were lawful; where every play is seen."""
    return any(
        lying(reading._replace(allowed=allowed), case.work) is not None
        for reading in case.readings
        for allowed in lawful(reading.allowed, kept, case.claims.table, case.played, case.work)
    )
