"""Records asked whether they can be, so many times and no more.

A record can be if judging finds no card in it where it cannot have been, and some complete deal agrees with
it physically. Nothing is asked of the rules: a revoke is no misprint.
"""

from collections.abc import Collection
from typing import Final, NamedTuple

from engine.audit import judge_history
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.core.work_budget import BudgetExceeded, WorkBudget
from engine.fold import fold_all, folding_cost
from engine.inference.claims import DISCARD_PLACES, DRAW_PLACES, Claims, collect_claims
from engine.inference.evidence import Evidence, find_minimal_conflict, find_physical_level
from engine.inference.hidden_play_search import has_consistent_deal
from engine.inference.inference_case import INCONSISTENT_LEVEL, PHYSICAL_ONLY, InferenceCase, build_case
from engine.inference.unseen_cards import list_hidden_cards
from engine.play.findings import Findings, card_findings
from engine.play.history import History
from engine.play.state import State, initial_state
from engine.rulesets import RulesetBook

MAX_STEPS_PER_CHECK: Final = 150
"""So many steps each look takes at most where plays are hidden."""


CONFLICT_COST: Final = 40
"""What it is counted as to look for what contradicts: about so many records are asked for it."""


class CheckedRecord(NamedTuple):
    """A record as it was found: its state, what judging finds in it, and what it claims of the cards."""

    state: State
    findings: Findings
    claims: Claims

    @property
    def card_findings(self) -> Findings:
        """What cannot be, of the cards alone."""
        return card_findings(self.findings)


class PossibilityChecker:
    """Looks at records; ``left`` is the work that may still be done.

    A look is one piece of work, and one more for every reading of the record in numbers and every step.
    ``budget`` bounds what all looks cost together.
    """

    def __init__(self, book: RulesetBook, max_work: int, budget: WorkBudget) -> None:
        self.book, self.left, self.budget = book, max_work, budget

    def _build_case(self, claims: Claims) -> InferenceCase:
        """The case that claims make, its readings paid for."""
        if self.left <= 0:
            raise BudgetExceeded
        case = build_case(claims, self.budget)
        self.left -= 1 + len(case.scenarios)
        return case

    def _is_consistent(self, claims: Claims) -> bool | None:
        """Whether some complete deal agrees; None where the steps did not suffice to say so."""
        case, budget = self._build_case(claims), WorkBudget(MAX_STEPS_PER_CHECK)
        found = has_consistent_deal(case, PHYSICAL_ONLY, budget)
        self.left -= MAX_STEPS_PER_CHECK - budget.units_left
        return found

    def judge_record(self, entries: Log) -> CheckedRecord:
        """The record as it is. Raises `BudgetExceeded`."""
        self.budget.spend(folding_cost(len(entries)))
        state, found = judge_history(History(entries, None, (), False), initial_state(self.book))
        return CheckedRecord(state, tuple(found), collect_claims(entries, state))

    def collect_claims(self, entries: Log) -> Claims:
        """What a record claims of the cards. Raises `BudgetExceeded`."""
        self.budget.spend(folding_cost(len(entries)) // 3)  # it is not judged
        return collect_claims(entries, fold_all(entries, initial_state(self.book)))

    def require_possible(self, entries: Log) -> CheckedRecord | None:
        """The record, if it certainly can be; None if not, or if nobody knows. Raises `BudgetExceeded`."""
        if self.left <= 0:
            raise BudgetExceeded
        record = self.judge_record(entries)
        self.left -= 1
        return record if not record.card_findings and self._is_consistent(record.claims) else None

    def can_be_true(self, claims: Claims, ignored_entries: Collection[Seq]) -> bool:
        """Whether the claims might be true if some entries said otherwise. Raises `BudgetExceeded`."""
        return self._is_consistent(drop_entries(claims, ignored_entries)) is not False

    def possible_cards(self, entries: Log, seq: Seq, index: int, ignored_entries: Collection[Seq]) -> int:
        """What a hidden card in an entry can be physically, if the ``ignored_entries`` said otherwise.

        A mask of cards, perhaps some too many where plays are hidden. Raises `BudgetExceeded`.
        """
        case = self._build_case(drop_entries(self.collect_claims(entries), ignored_entries))
        budget = WorkBudget(MAX_STEPS_PER_CHECK)
        physical = find_physical_level(case, budget)
        evidence = Evidence(case, physical, INCONSISTENT_LEVEL, (), MAX_STEPS_PER_CHECK)
        self.left -= MAX_STEPS_PER_CHECK - budget.units_left
        if evidence.physical.is_consistent is False:
            return 0
        read = tuple(entry for entry in entries if entry.seq == seq)
        return next((one.physical for one in list_hidden_cards(evidence, read) if one.place == index), 0)

    def find_contradiction(self, record: CheckedRecord) -> tuple[Seq, ...]:
        """Entries of which one at least is wrong: a contradiction of which each is a part.

        Where the cards are physically possible but judging finds fault, what it gives as evidence.
        Raises `BudgetExceeded`.
        """
        entries = find_minimal_conflict(record.claims, PHYSICAL_ONLY, MAX_STEPS_PER_CHECK, self.budget)
        if entries:
            return entries
        return tuple(
            dict.fromkeys(seq for one in record.card_findings[:1] for seq in (one.seq, *one.evidence))
        )

    def find_contradiction_without(self, record: CheckedRecord, ignored_entry: Seq) -> tuple[Seq, ...]:
        """What contradicts if one entry said otherwise, nothing where the rest can be. Raises
        `BudgetExceeded`."""
        self.left -= CONFLICT_COST
        return find_minimal_conflict(
            drop_entries(record.claims, (ignored_entry,)), PHYSICAL_ONLY, MAX_STEPS_PER_CHECK, self.budget
        )


def drop_entries(claims: Claims, ignored_entries: Collection[Seq]) -> Claims:
    """The claims with some entries unread: neither their cards nor how many they were."""
    if not ignored_entries:
        return claims
    swapped = list(claims.exchanges)
    for one in claims.card_claims:
        if (
            one.seq in ignored_entries
            and one.seat is not None
            and one.places in (DISCARD_PLACES[one.seat], DRAW_PLACES[one.seat])
        ):
            swapped[one.seat] = None
    drawing = tuple(seat for seat in claims.draw_order if swapped[seat] is not None)
    talon = claims.talon_cards
    if drawing != claims.draw_order:  # how deep the others drew hangs on how many these were
        drawn = {
            one.seq
            for one in claims.card_claims
            if one.seat is not None and one.places == DRAW_PLACES[one.seat]
        }
        talon = tuple(one for one in talon if one.seq not in drawn)
    return claims._replace(exchanges=tuple(swapped), draw_order=drawing, talon_cards=talon).without_cards(
        set(ignored_entries)
    )
