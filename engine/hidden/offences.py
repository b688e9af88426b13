"""Revokes that the cards prove, whatever the hidden ones are (RULES 5).

A play that did not follow is a revoke if no complete deal agrees in which it was lawful. Nothing else is
asked of such a deal than matter, so that nobody is accused because somebody else may have broken a rule.
"""

from engine.cards import BIT
from engine.hidden.cases import Case
from engine.hidden.duties import Duty, duties, lawful
from engine.hidden.plays import MATTER_ONLY, Rules
from engine.hidden.searching import Budget, agrees
from engine.hidden.solving import lying
from engine.vocabulary import Seq


def offences(case: Case, kept: tuple[Duty, ...], steps: int) -> tuple[Seq, ...]:
    """The entries of the plays that were revokes; ``kept`` are those known not to have followed.

    In a record in which the cards themselves contradict each other nobody is accused.
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
    for seq in suspects:
        only = Rules(only=frozenset((seq,)), winners=False)
        if agrees(case, only, Budget(steps)) is False:
            found.append(seq)
    return tuple(found)


def proved_revokes(case: Case, steps: int) -> tuple[Seq, ...]:
    """The entries of all plays that were revokes, without looking for anything else."""
    kept = duties(case.claims)
    if not case.slots:
        if _can_be_kept(case, kept) or not _can_be_kept(case, ()):
            return ()
    elif agrees(case, Rules(winners=False), Budget(steps)) or not agrees(case, MATTER_ONLY, Budget(steps)):
        return ()
    return offences(case, kept, steps)


def _can_be_kept(case: Case, kept: tuple[Duty, ...]) -> bool:
    """Whether some deal agrees in which these plays were lawful; where every play is seen."""
    return any(
        lying(reading._replace(allowed=allowed)) is not None
        for reading in case.readings
        for allowed in lawful(reading.allowed, kept, case.claims.table, case.played)
    )
