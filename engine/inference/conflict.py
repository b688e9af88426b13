"""Entries that cannot all be true: as few of them as are needed to see it.

The cards of one entry after another are forgotten. Where the record still cannot be, the entry was not
needed; what is left in the end is a set of which every entry is needed.
"""

from engine.core.cards import BIT
from engine.core.log import place
from engine.core.vocabulary import Seq
from engine.core.work_budget import Spent, Work
from engine.inference.cases import Case, case_of
from engine.inference.claims import Claims
from engine.inference.duties import duties, lawful
from engine.inference.plays import Rules
from engine.inference.searching import Budget, agrees
from engine.inference.solving import lying

FORGETTING = 1
"""What it costs to forget what an entry tells."""
MOST_STEPS = 300
"""So many steps each question takes at most; one that takes more counts as not contradicting."""


def conflict(
    claims: Claims, rules: Rules, steps: int = MOST_STEPS, work: Work | None = None
) -> tuple[Seq, ...]:
    """Entries whose cards cannot all be true where these rules bind; none where they can.

    Every one of them is needed, as far as the steps and the work allow to see. Where not the cards but the
    numbers contradict each other, these are the entries of the exchange.

    Raises:
        Spent: there was not even work enough to see whether they contradict each other.
    """
    work = Work() if work is None else work
    if not contradicts(claims, rules, steps, work):
        return ()
    telling = _telling(claims)
    try:
        if contradicts(claims.but(set(telling)), rules, steps, work):
            return _of_numbers(claims)
    except Spent:
        return tuple(telling)
    return _needed(claims, telling, rules, steps, work)


def contradicts(claims: Claims, rules: Rules, steps: int, work: Work) -> bool:
    """Whether no complete deal agrees with the claims where these rules bind. Raises `Spent`."""
    work.spend(FORGETTING * (len(claims.told) + len(claims.talon)))
    return cannot_be(case_of(claims, work), rules, steps)


def cannot_be(case: Case, rules: Rules, steps: int) -> bool:
    """Whether no complete deal agrees with the case where these rules bind. Raises `Spent`."""
    if case.slots:
        return agrees(case, rules, Budget(steps)) is False
    return not _can_be(case, rules)


def _can_be(case: Case, rules: Rules) -> bool:
    kept = [duty for duty in duties(case.claims) if rules.bind(duty.seq)]
    return any(
        lying(reading._replace(allowed=allowed), case.work) is not None
        for reading in case.readings
        for allowed in lawful(reading.allowed, kept, case.claims.table, case.played, case.work)
    )


def _telling(claims: Claims) -> list[Seq]:
    """The entries that tell of cards, in their order."""
    seqs = [one.seq for one in claims.told if any(BIT[card] or card > 40 for card in one.cards)]
    seqs += [one.seq for one in claims.talon]
    for trick in claims.tricks:
        seqs += [seq for seq, card in zip(trick.seqs, trick.cards, strict=True) if BIT[card] or card > 40]
    return sorted(set(seqs), key=place)


def _of_numbers(claims: Claims) -> tuple[Seq, ...]:
    exchanged = [one.seq for one in claims.told if one.seat is not None and not one.beyond]
    return tuple(sorted(set(exchanged), key=place))


def _needed(claims: Claims, telling: list[Seq], rules: Rules, steps: int, work: Work) -> tuple[Seq, ...]:
    """Forgets the entries in halves, quarters, …, and at last one by one, as long as the rest contradicts."""
    forgotten: set[Seq] = set()
    size = max(len(telling) // 2, 1)
    while True:
        kept = [seq for seq in telling if seq not in forgotten]
        for first in range(0, len(kept), size):
            tried = forgotten | set(kept[first : first + size])
            try:
                if contradicts(claims.but(tried), rules, steps, work):
                    forgotten = tried
            except Spent:
                return tuple(seq for seq in telling if seq not in forgotten)
        if size == 1:
            return tuple(seq for seq in telling if seq not in forgotten)
        size //= 2
