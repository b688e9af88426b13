"""Entries that cannot all be true: as few of them as are needed to see it.

The cards of one entry after another are forgotten. Where the record still cannot be, the entry was not
needed; what is left in the end is a set of which every entry is needed.
"""

from engine.core.cards import HIDDEN_CARD
from engine.core.field_types import Seq
from engine.core.log import seq_key
from engine.core.work_budget import BudgetExceeded, WorkBudget
from engine.inference.claims import Claims
from engine.inference.hidden_play_search import has_consistent_deal
from engine.inference.inference_case import AssumedRules, build_case

FORGET_COST = 1
"""What it costs to forget what an entry tells."""
MAX_CONFLICT_STEPS = 300
"""So many steps each question takes at most; one that takes more counts as not contradicting."""


def find_minimal_conflict(
    claims: Claims, rules: AssumedRules, steps: int = MAX_CONFLICT_STEPS, work: WorkBudget | None = None
) -> tuple[Seq, ...]:
    """Entries whose cards cannot all be true where these rules bind; none where they can.

    Every one of them is needed, as far as the steps and the work allow to see. Where not the cards but the
    numbers contradict each other, these are the entries of the exchange. Raises `BudgetExceeded`.
    """
    work = WorkBudget() if work is None else work
    if not is_contradictory(claims, rules, steps, work):
        return ()
    seqs = _list_card_entries(claims)
    try:
        if is_contradictory(claims.without_cards(set(seqs)), rules, steps, work):
            return _list_exchange_entries(claims)
    except BudgetExceeded:
        return tuple(seqs)
    return _minimize(claims, seqs, rules, steps, work)


def is_contradictory(claims: Claims, rules: AssumedRules, steps: int, work: WorkBudget) -> bool:
    """Whether no complete deal agrees with the claims where these rules bind. Raises `BudgetExceeded`."""
    work.spend(FORGET_COST * (len(claims.card_claims) + len(claims.talon_cards)))
    return has_consistent_deal(build_case(claims, work), rules, WorkBudget(steps)) is False


def _list_card_entries(claims: Claims) -> list[Seq]:
    """The entries that tell of cards, in their order."""
    seqs = {one.seq for one in claims.card_claims if any(card != HIDDEN_CARD for card in one.cards)}
    seqs.update(one.seq for one in claims.talon_cards)
    for trick in claims.tricks:
        seqs.update(seq for seq, card in zip(trick.seqs, trick.cards, strict=True) if card != HIDDEN_CARD)
    return sorted(seqs, key=seq_key)


def _list_exchange_entries(claims: Claims) -> tuple[Seq, ...]:
    exchanged = {one.seq for one in claims.card_claims if one.seat is not None and not one.is_uncounted}
    return tuple(sorted(exchanged, key=seq_key))


def _minimize(
    claims: Claims, seqs: list[Seq], rules: AssumedRules, steps: int, work: WorkBudget
) -> tuple[Seq, ...]:
    """Forgets the entries in halves, quarters, …, and at last one by one, as long as the rest contradicts."""
    forgotten: set[Seq] = set()
    size = max(len(seqs) // 2, 1)
    try:
        while size:
            remaining = [seq for seq in seqs if seq not in forgotten]
            for first in range(0, len(remaining), size):
                candidate = forgotten | set(remaining[first : first + size])
                if is_contradictory(claims.without_cards(candidate), rules, steps, work):
                    forgotten = candidate
            size //= 2
    except BudgetExceeded:
        pass  # as few as the work allows to see
    return tuple(seq for seq in seqs if seq not in forgotten)
