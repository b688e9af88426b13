"""Records asked whether they can be, so many times and no more.

A record can be if judging finds no card in it where it cannot have been, and some complete deal agrees with
it as mere matter. Nothing is asked of the rules: a revoke is no misprint.
"""

from collections.abc import Collection
from typing import Final, NamedTuple

from engine.audit import judged
from engine.core.log import Log
from engine.core.vocabulary import Seq
from engine.core.work_budget import Spent, Work
from engine.fold import cost_of, fold_all
from engine.inference.answer import hidden_cards
from engine.inference.cases import NOTHING, Case, case_of
from engine.inference.claims import Claims, claims_of
from engine.inference.conflict import cannot_be, conflict
from engine.inference.evidence import Evidence
from engine.inference.levels import physical
from engine.inference.places import AWAY, TAKEN
from engine.inference.plays import MATTER_ONLY
from engine.inference.searching import Budget, agrees
from engine.play.findings import Findings, of_cards
from engine.play.history import History
from engine.play.state import State, start
from engine.rulesets import Book

STEPS: Final = 150
"""So many steps each look takes at most where plays are hidden."""


CONFLICT: Final = 40
"""What it is counted as to look for what contradicts: about so many records are asked for it."""


class Looked(NamedTuple):
    """A record as it was found: its state, what judging finds in it, and what it claims of the cards."""

    state: State
    findings: Findings
    claims: Claims

    @property
    def of_cards(self) -> Findings:
        """What cannot be, of the cards alone."""
        return of_cards(self.findings)


class Looks:
    """Looks at records; ``left`` is the work that may still be done.

    A look is one piece of work, and one more for every reading of the record in numbers and every step.
    ``budget`` bounds what all looks cost together.
    """

    def __init__(self, book: Book, most: int, budget: Work) -> None:
        self.book, self.left, self.budget = book, most, budget

    def _case(self, claims: Claims) -> Case:
        """The case that claims make, its readings paid for."""
        if self.left <= 0:
            raise Spent
        case = case_of(claims, self.budget)
        self.left -= 1 + len(case.readings)
        return case

    def _agrees(self, claims: Claims) -> bool | None:
        """Whether some complete deal agrees; None where the steps did not suffice to say so."""
        case = self._case(claims)
        if not case.slots:
            return not cannot_be(case, MATTER_ONLY, STEPS)
        budget = Budget(STEPS)
        found = agrees(case, MATTER_ONLY, budget)
        self.left -= STEPS - budget.left
        return found

    def at(self, entries: Log) -> Looked:
        """The record as it is. Raises `Spent`."""
        self.budget.spend(cost_of(len(entries)))
        state, found = judged(History(entries, None, (), False), start(self.book))
        return Looked(state, tuple(found), claims_of(entries, state))

    def claims(self, entries: Log) -> Claims:
        """What a record claims of the cards. Raises `Spent`."""
        self.budget.spend(cost_of(len(entries)) // 3)  # it is not judged
        return claims_of(entries, fold_all(entries, start(self.book)))

    def possible(self, entries: Log) -> Looked | None:
        """The record, if it is certain that it can be; None where it cannot, or nobody knows.

        Raises:
            Spent: no work is left to do.
        """
        if self.left <= 0:
            raise Spent
        looked = self.at(entries)
        self.left -= 1
        return looked if not looked.of_cards and self._agrees(looked.claims) else None

    def may_be(self, claims: Claims, unread: Collection[Seq]) -> bool:
        """Whether the claims might be true if some entries said otherwise, whatever that was.

        Raises:
            Spent: no work is left to do.
        """
        return self._agrees(without(claims, unread)) is not False

    def open_to(self, entries: Log, seq: Seq, index: int, unread: Collection[Seq]) -> int:
        """What the hidden card at a place of an entry can be, as matter, if ``unread`` said otherwise.

        A mask of cards, perhaps some too many where plays are hidden. Raises `Spent`.
        """
        case, budget = self._case(without(self.claims(entries), unread)), Budget(STEPS)
        found = Evidence(case, physical(case, budget), NOTHING, (), STEPS)
        self.left -= STEPS - budget.left
        if found.physical.agrees is False:
            return 0
        read = tuple(entry for entry in entries if entry.seq == seq)
        return next((one.physical for one in hidden_cards(found, read) if one.place == index), 0)

    def contradicting(self, looked: Looked) -> tuple[Seq, ...]:
        """Entries of which one at least is wrong: a contradiction of which each is a part.

        Where the cards can be as matter and judging finds fault all the same, what it gives as evidence.
        Raises `Spent`.
        """
        entries = conflict(looked.claims, MATTER_ONLY, STEPS, self.budget)
        if entries:
            return entries
        return tuple(dict.fromkeys(seq for one in looked.of_cards[:1] for seq in (one.seq, *one.evidence)))

    def contradicting_without(self, looked: Looked, unread: Seq) -> tuple[Seq, ...]:
        """What contradicts if one entry said otherwise, nothing where the rest can be. Raises `Spent`."""
        self.left -= CONFLICT
        return conflict(without(looked.claims, (unread,)), MATTER_ONLY, STEPS, self.budget)


def without(claims: Claims, unread: Collection[Seq]) -> Claims:
    """The claims with some entries unread: neither their cards nor how many they were."""
    if not unread:
        return claims
    swapped = list(claims.swapped)
    for one in claims.told:
        if one.seq in unread and one.seat is not None and one.places in (AWAY[one.seat], TAKEN[one.seat]):
            swapped[one.seat] = None
    drawing = tuple(seat for seat in claims.drawing if swapped[seat] is not None)
    talon = claims.talon
    if drawing != claims.drawing:  # how deep the others drew hangs on how many these were
        drawn = {one.seq for one in claims.told if one.seat is not None and one.places == TAKEN[one.seat]}
        talon = tuple(one for one in talon if one.seq not in drawn)
    return claims._replace(swapped=tuple(swapped), drawing=drawing, talon=talon).but(set(unread))
