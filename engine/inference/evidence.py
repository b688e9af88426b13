"""Evidence: for every hidden card of a record what it can be (DESIGN 5).

The *physical* level counts only the cards themselves: the pack, how many cards were dealt, laid away and
drawn, in which order, what was seen. On the *lawful* level every card also followed where it had to, and who
led to a trick had won the one before, except for the offences that the cards prove.
"""

from math import inf
from typing import Final, NamedTuple

from engine.core.cards import CARD_BITS, SEATS, cards_in_mask, mask_of_cards
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.core.work_budget import BudgetExceeded, WorkBudget
from engine.inference.claims import Claims, collect_claims
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
from engine.inference.physical_constraints import find_allowed_places
from engine.inference.placement import CardsByPlace, merge_cards_by_place, possible_cards_by_place
from engine.inference.places import PLACE_COUNT, hand_cards
from engine.inference.suit_constraints import OffSuitPlay, exclusion_by_lead, list_off_suit_plays
from engine.play.state import State

QUESTIONS_PER_SCENARIO: Final = 13
"""What is asked of a scenario besides its hidden plays: of ten places and three hands."""


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
    """What the entries of an effective history prove; ``state`` is the fold of just these.

    ``steps`` bounds each search among hidden plays, ``work`` all of it. With more than ``max_questions``
    about hidden plays, over all scenarios, nothing is searched: what is possible is told in outline.
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
        # Whatever is lawful is physically possible too.
        return Evidence(case, physical, physical._replace(is_consistent=None, is_exact=False), (), steps)


def _outline_evidence(case: InferenceCase, cards_by_place: CardsByPlace | None, steps: int) -> Evidence:
    """What can be, and perhaps more, where no hidden play is searched; whether any deal agrees stays open.

    ``cards_by_place`` says where the cards can lie, whatever was played when; without it, whatever no single
    entry excludes counts as possible.
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
    """By seat the cards that can be in the hand, those left out that are known to be played."""
    played = mask_of_cards(tuple(case.plays_by_card))
    return tuple(hand_cards(cards_by_place, seat) & ~played for seat in SEATS)


def find_physical_level(case: InferenceCase, budget: WorkBudget) -> EvidenceLevel:
    """What is physically possible, whatever the rules say. Raises `BudgetExceeded`."""
    if case.hidden_plays:
        return _find_unordered_level(case) or search_level(case, PHYSICAL_ONLY, budget)
    return _build_level(
        case, merge_cards_by_place(possible_cards_by_place(one, case.work) for one in case.scenarios)
    )


def _find_unordered_level(case: InferenceCase) -> EvidenceLevel | None:
    """The level where nothing tells when an unseen card was played: each can be what the hand can hold."""
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


def _build_level(case: InferenceCase, cards_by_place: CardsByPlace | None) -> EvidenceLevel:
    """The level where every play is seen."""
    if cards_by_place is None:
        return INCONSISTENT_LEVEL
    hands = _hands_after_play(case, cards_by_place)
    return EvidenceLevel(True, case.is_play_complete, tuple(cards_by_place), {}, hands)


def _add_lawful_level(case: InferenceCase, physical: EvidenceLevel, steps: int) -> Evidence:
    """The evidence with the lawful level, and the revokes that it excepts. Raises `BudgetExceeded`."""
    if physical.is_consistent is False:
        return Evidence(case, physical, INCONSISTENT_LEVEL, (), steps)
    if not case.claims.is_play_order_known:
        return Evidence(case, physical, physical, (), steps)
    level = _find_lawful_level(case, physical, AssumedRules(), steps)
    if level.is_consistent:
        return Evidence(case, physical, level, (), steps)
    revokes = find_revokes(case, _list_relevant_plays(case, physical, AssumedRules()), steps)
    if revokes:
        rules = AssumedRules(excused_plays=frozenset(revokes))
        level = _find_lawful_level(case, physical, rules, steps)
    return Evidence(case, physical, level, revokes, steps)


def _find_lawful_level(
    case: InferenceCase, physical: EvidenceLevel, rules: AssumedRules, steps: int
) -> EvidenceLevel:
    """What is possible on the ``physical`` level if these rules bind too. Raises `BudgetExceeded`."""
    if case.hidden_plays:
        return search_level(case, rules, WorkBudget(steps))
    off_suit_plays = _list_relevant_plays(case, physical, rules)
    if not off_suit_plays or not physical.is_consistent:
        return physical
    scenarios = case.list_lawful_scenarios(off_suit_plays)
    return _build_level(
        case, merge_cards_by_place(possible_cards_by_place(one, case.work) for one in scenarios)
    )


def _list_relevant_plays(
    case: InferenceCase, physical: EvidenceLevel, rules: AssumedRules
) -> tuple[OffSuitPlay, ...]:
    """The off-suit plays that exclude anything: the hand may have held cards that compelled it."""
    return tuple(
        play
        for play in list_off_suit_plays(case.claims)
        if rules.is_binding(play.seq) and _excludes(play, case, physical)
    )


def _excludes(off_suit_play: OffSuitPlay, case: InferenceCase, physical: EvidenceLevel) -> bool:
    ban, seat = exclusion_by_lead(off_suit_play.lead, case.claims.trick_rules), off_suit_play.seat
    for card in cards_in_mask((ban.excluded | ban.conditional) & hand_cards(physical.cards_by_place, seat)):
        play = case.plays_by_card.get(card)
        if play is None or play.seat != seat or play.was_held_after(off_suit_play.trick):
            return True
    return False


# --- Revokes ----------------------------------------------------------------------------------------


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
