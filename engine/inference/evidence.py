"""Evidence: what each hidden card of a record can be (DESIGN 5), and which entries contradict each other.

The *physical* level counts only the cards themselves: the pack, how many cards were dealt, laid away and
drawn, in which order, and what was seen. On the *lawful* level every player also followed suit, and each
trick was led by the winner of the one before, except for the offences that the cards prove.
"""

from collections.abc import Iterable
from math import inf
from typing import Final, NamedTuple

from engine.core.cards import CARD_BITS, HIDDEN_CARD, SEATS, mask_of_cards
from engine.core.field_types import Seq
from engine.core.log import Log, seq_key
from engine.core.work_budget import BudgetExceeded, WorkBudget
from engine.inference.claims import PLACE_COUNT, Claims, collect_claims, hand_cards
from engine.inference.hidden_play_search import MAX_SEARCH_STEPS, has_consistent_deal, search_level
from engine.inference.hidden_plays import HiddenPlayModel
from engine.inference.inference_case import (
    INCONSISTENT_LEVEL,
    PHYSICAL_ONLY,
    AssumedRules,
    EvidenceLevel,
    InferenceCase,
    build_case,
    build_case_without_scenarios,
)
from engine.inference.physical_constraints import Scenario, find_allowed_places
from engine.inference.placement import CardsByPlace, merge_cards_by_place, possible_cards_by_place
from engine.inference.suit_constraints import OffSuitPlay
from engine.play.state import State

QUESTIONS_PER_SCENARIO: Final = 13
"""Questions about a scenario besides its hidden plays: ten places and three hands."""
FORGET_COST: Final = 1
"""Work of leaving the cards of an entry out."""
MAX_CONFLICT_STEPS: Final = 300
"""Limit on the steps of each question about a conflict; one that takes more counts as no conflict."""


class Evidence(NamedTuple):
    """What a record proves of its hidden cards.

    ``revokes``: entries of the plays that were revokes whatever the hidden cards are; the lawful level
    excepts them. ``steps``: the budget of each search.
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

    @property
    def is_outline(self) -> bool:
        """Whether no hidden play was searched."""
        return self.physical.is_consistent is None and self.physical is self.lawful

    def level(self, lawful: bool) -> EvidenceLevel:
        """One of the two levels."""
        return self.lawful if lawful else self.physical


def build_evidence(
    entries: Log,
    state: State,
    steps: int = MAX_SEARCH_STEPS,
    work: WorkBudget | None = None,
    max_questions: float = inf,
) -> Evidence:
    """What the entries of an effective history prove; ``state`` is their fold.

    ``steps`` limits each search among hidden plays, ``work`` all of it. If the scenarios raise more than
    ``max_questions`` about hidden plays, nothing is searched and the answer is an outline.
    """
    claims, work = collect_claims(entries, state), work or WorkBudget()
    try:
        case = build_case(claims, work)
    except BudgetExceeded:
        return _outline_evidence(build_case_without_scenarios(claims, work), None, steps)
    try:
        if max_questions < inf and (case.hidden_plays or not max_questions):
            possible = [possible_cards_by_place(scenario, work) for scenario in case.scenarios]
            placements = [one for one in possible if one is not None]
            if len(placements) * (QUESTIONS_PER_SCENARIO + len(case.hidden_plays)) > max_questions:
                return _outline_evidence(case, merge_cards_by_place(placements), steps)
        physical = find_physical_level(case, WorkBudget(steps))
    except BudgetExceeded:
        return _outline_evidence(case, None, steps)
    try:
        return _add_lawful_level(case, physical, steps)
    except BudgetExceeded:
        # All that is lawful is physically possible.
        return Evidence(case, physical, physical._replace(is_consistent=None, is_exact=False), (), steps)


def _outline_evidence(case: InferenceCase, cards_by_place: CardsByPlace | None, steps: int) -> Evidence:
    """What is possible, and perhaps more, without a search; whether any deal agrees stays open.

    ``cards_by_place``: where the cards can lie, in any order of play; without it, all that no single entry
    excludes counts as possible.
    """
    if cards_by_place is None:
        allowed = find_allowed_places(case.claims)
        cards_by_place = [
            sum(1 << card for card, places in enumerate(allowed) if places >> place & 1)
            for place in range(PLACE_COUNT)
        ]
    hands = _hands_after_play(case, cards_by_place)
    plays = {play: hands[play.seat] & play.candidates for play in case.hidden_plays}
    level = EvidenceLevel(None, False, tuple(cards_by_place), plays, hands)
    return Evidence(case, level, level, (), steps)


def _hands_after_play(case: InferenceCase, cards_by_place: CardsByPlace) -> tuple[int, ...]:
    """By seat the cards that can be in the hand, without those known to be played."""
    played = mask_of_cards(tuple(case.plays_by_card))
    return tuple(hand_cards(cards_by_place, seat) & ~played for seat in SEATS)


def find_physical_level(case: InferenceCase, budget: WorkBudget) -> EvidenceLevel:
    """What is physically possible, whatever the rules say. Raises `BudgetExceeded`."""
    if case.hidden_plays:
        return _find_unordered_level(case) or search_level(case, PHYSICAL_ONLY, budget)
    return _build_level(case, case.scenarios)


def _find_unordered_level(case: InferenceCase) -> EvidenceLevel | None:
    """The level if nothing shows when an unseen card was played: each can be any card of the hand."""
    placements = []
    plays, current_hands = dict.fromkeys(case.hidden_plays, 0), [0, 0, 0]
    for scenario in case.scenarios:
        model = HiddenPlayModel(case, scenario, PHYSICAL_ONLY)
        cards_by_place = possible_cards_by_place(scenario, case.work)
        if not model.is_unordered:
            return None
        if cards_by_place is None or min(model.hand_sizes) < 0:
            continue
        placements.append(cards_by_place)
        hands = _hands_after_play(case, cards_by_place)
        for play in case.hidden_plays:
            plays[play] |= hands[play.seat]
        for seat in SEATS:
            current_hands[seat] |= hands[seat] if model.hand_sizes[seat] else 0
    merged = merge_cards_by_place(placements)
    if merged is None:
        return INCONSISTENT_LEVEL
    return EvidenceLevel(True, case.is_play_complete, tuple(merged), plays, tuple(current_hands))


def _build_level(case: InferenceCase, scenarios: Iterable[Scenario]) -> EvidenceLevel:
    """The level of these scenarios of a case in which every play is seen."""
    merged = merge_cards_by_place(possible_cards_by_place(one, case.work) for one in scenarios)
    if merged is None:
        return INCONSISTENT_LEVEL
    hands = _hands_after_play(case, merged)
    return EvidenceLevel(True, case.is_play_complete, tuple(merged), {}, hands)


def _add_lawful_level(case: InferenceCase, physical: EvidenceLevel, steps: int) -> Evidence:
    """The evidence with the lawful level, and the revokes that it excepts. Raises `BudgetExceeded`."""
    if physical.is_consistent is False:
        return Evidence(case, physical, INCONSISTENT_LEVEL, (), steps)
    if not case.claims.is_play_order_known or not (case.off_suit_plays or case.hidden_plays):
        return Evidence(case, physical, physical, (), steps)

    def find_level(rules: AssumedRules) -> EvidenceLevel:
        if case.hidden_plays:
            return search_level(case, rules, WorkBudget(steps))
        return _build_level(case, case.list_lawful_scenarios(rules))

    level, revokes = find_level(AssumedRules()), tuple[Seq, ...]()
    if not level.is_consistent and (revokes := find_revokes(case, case.off_suit_plays, steps)):
        level = find_level(AssumedRules(excused_plays=frozenset(revokes)))
    return Evidence(case, physical, level, revokes, steps)


# --- Revokes ----------------------------------------------------------------------------------------


def find_revokes(
    case: InferenceCase, off_suit_plays: tuple[OffSuitPlay, ...], steps: int, total_steps: int | None = None
) -> tuple[Seq, ...]:
    """The entries of the plays that were revokes; ``off_suit_plays`` are known not to have followed suit.

    The cards of the record must not contradict each other. Each question takes at most ``steps``, all of them
    together at most ``total_steps`` if given. Raises `BudgetExceeded`.
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
    """The entries of all plays that were revokes, without ``known_revokes``; none if the cards contradict.

    Each question takes at most ``steps``, all of them together at most ``total_steps`` if given. Raises
    `BudgetExceeded`.
    """
    if not case.claims.is_play_order_known:
        return ()
    rules = AssumedRules(excused_plays=known_revokes, must_winner_lead=False)
    if has_consistent_deal(case, rules, WorkBudget(steps)) or not has_consistent_deal(
        case, PHYSICAL_ONLY, WorkBudget(steps)
    ):
        return ()
    off_suit_plays = tuple(play for play in case.off_suit_plays if rules.is_binding(play.seq))
    proved = find_revokes(case, off_suit_plays, steps, total_steps)
    return tuple(seq for seq in proved if seq not in known_revokes)


# --- Contradictions ---------------------------------------------------------------------------------


def find_minimal_conflict(
    claims: Claims, rules: AssumedRules, steps: int = MAX_CONFLICT_STEPS, work: WorkBudget | None = None
) -> tuple[Seq, ...]:
    """Entries whose cards cannot all be true under these rules; none if they can.

    The cards of one entry after another are left out. If the rest is still contradictory, the entry was not
    needed; each entry returned is needed, as far as the steps and the work show. If the numbers contradict
    each other and not the cards, these are the entries of the exchange. Raises `BudgetExceeded`.
    """
    work = WorkBudget() if work is None else work
    if not is_contradictory(claims, rules, steps, work):
        return ()
    seqs = _list_card_entries(claims)
    try:
        if is_contradictory(claims.without_cards(set(seqs)), rules, steps, work):
            exchanges = {
                one.seq for one in claims.card_claims if one.seat is not None and not one.is_uncounted
            }
            return tuple(sorted(exchanges, key=seq_key))
    except BudgetExceeded:
        return tuple(seqs)
    return _minimize(claims, seqs, rules, steps, work)


def is_contradictory(claims: Claims, rules: AssumedRules, steps: int, work: WorkBudget) -> bool:
    """Whether no complete deal agrees with the claims under these rules. Raises `BudgetExceeded`."""
    work.spend(FORGET_COST * (len(claims.card_claims) + len(claims.talon_cards)))
    return has_consistent_deal(build_case(claims, work), rules, WorkBudget(steps)) is False


def _list_card_entries(claims: Claims) -> list[Seq]:
    """The entries with known cards, in their order."""
    seqs = {one.seq for one in claims.card_claims if any(card != HIDDEN_CARD for card in one.cards)}
    seqs.update(one.seq for one in claims.talon_cards)
    for trick in claims.tricks:
        seqs.update(seq for seq, card in zip(trick.seqs, trick.cards, strict=True) if card != HIDDEN_CARD)
    return sorted(seqs, key=seq_key)


def _minimize(
    claims: Claims, seqs: list[Seq], rules: AssumedRules, steps: int, work: WorkBudget
) -> tuple[Seq, ...]:
    """Leave out entries in halves, quarters, … and at last one by one, as long as the rest contradicts."""
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
        pass  # as few as the work can show
    return tuple(seq for seq in seqs if seq not in forgotten)
