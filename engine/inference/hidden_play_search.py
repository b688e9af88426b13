"""The search among hidden plays, within a budget of steps.

What is possible with the cards already assumed limits what is worth trying. Every complete filling that is
found proves much at once: its own cards, and all that the flow still leaves open with them. What no filling
has proved is searched for separately, until it is found or shown to be impossible.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.core.cards import CARD_BITS, SEATS, Card, cards_in_mask, mask_of_cards
from engine.core.work_budget import BudgetExceeded, WorkBudget
from engine.inference.claims import (
    FATE_DISCARDED,
    FATE_DRAWN,
    FATE_KEPT,
    HAND_PLACES,
    PLACE_COUNT,
    TALON_REST_PLACE,
    hand_cards,
    place_number,
)
from engine.inference.hidden_plays import HiddenPlayModel, RemainingOptions
from engine.inference.inference_case import (
    INCONSISTENT_LEVEL,
    AssumedRules,
    EvidenceLevel,
    HiddenPlay,
    InferenceCase,
    PlayAssignment,
)
from engine.inference.physical_constraints import Scenario
from engine.inference.placement import CardsByPlace, merge_cards_by_place, possible_cards_by_place
from engine.inference.suit_constraints import list_lawful_placements

MAX_SEARCH_STEPS: Final = 6_000
"""Limit on the questions what is possible with some cards assumed, on each level."""
SCENARIO_QUESTION_COST: Final = 5
"""Work of a question about a scenario."""
MAX_STEPS_PER_QUESTION: Final = 600
"""Limit on the steps of one question, so that a hard one does not use up all."""
MAX_NEARBY_FILLINGS: Final = 3
"""How many earlier fillings are varied before a new one is searched for."""
PLACE, HAND = "place", "hand"
SearchTarget = HiddenPlay | tuple[str, int]
"""What cards are searched for: a hidden play, a place by its number, or a seat's hand at this point."""


class CompleteFilling(NamedTuple):
    """Cards for all hidden plays, and what they leave open."""

    assignment: PlayAssignment
    scenarios: tuple[Scenario, ...]
    cards_by_place: CardsByPlace


class HiddenPlaySearch:
    """The search in one scenario; each step takes a unit of ``budget``."""

    def __init__(self, model: HiddenPlayModel, budget: WorkBudget) -> None:
        self.model, self.budget = model, budget
        self.hint: PlayAssignment = {}

    def find_first(self, assignment: PlayAssignment) -> CompleteFilling | None:
        """Some complete filling with ``assignment`` in it, or None. Raises `BudgetExceeded`."""
        return next(self.find_all(assignment), None)

    def find_all(self, assignment: PlayAssignment) -> Iterator[CompleteFilling]:
        """Every complete filling with ``assignment`` in it. Raises `BudgetExceeded`."""
        self.budget.spend(1)
        remaining = self.model.remaining_options(assignment)
        if remaining is None:
            return
        if not remaining.cards_by_play:
            filling = self._complete(assignment)
            if filling is not None:
                self.hint = dict(assignment)
                yield filling
            return
        play = min(remaining.cards_by_play, key=lambda one: remaining.cards_by_play[one].bit_count())
        hinted = self.hint.get(play)
        for card in sorted(cards_in_mask(remaining.cards_by_play[play]), key=lambda one: one != hinted):
            yield from self.find_all({**assignment, play: card})

    def check(self, assignment: PlayAssignment) -> CompleteFilling | None:
        """This filling of all hidden plays, or None if it does not fit. Raises `BudgetExceeded`."""
        self.budget.spend(1)
        if not all(CARD_BITS[card] & self.model.candidates[play] for play, card in assignment.items()):
            return None
        return None if self.model.remaining_options(assignment) is None else self._complete(assignment)

    def _complete(self, assignment: PlayAssignment) -> CompleteFilling | None:
        """The filling with what it leaves open, or None if no hands dealt and drawn agree with it."""
        possible = [
            (scenario, cards_by_place)
            for scenario in list_complete_scenarios(self.model, assignment)
            if (cards_by_place := possible_cards_by_place(scenario, self.model.work)) is not None
        ]
        merged = merge_cards_by_place(cards_by_place for _, cards_by_place in possible)
        scenarios = tuple(scenario for scenario, _ in possible)
        return None if merged is None else CompleteFilling(assignment, scenarios, merged)


def list_complete_scenarios(model: HiddenPlayModel, assignment: PlayAssignment) -> Iterator[Scenario]:
    """Where the cards can lie with all hidden plays assumed; no deal belongs to two of these scenarios."""
    allowed = list(model.scenario.allowed_places)
    for play, card in assignment.items():
        allowed[card] &= HAND_PLACES[play.seat]
    off_suit_plays = model.off_suit_plays_with(assignment)
    for placement in list_lawful_placements(
        allowed, off_suit_plays, model.claims.trick_rules, model.plays_by_card_with(assignment), model.work
    ):
        yield model.scenario._replace(allowed_places=placement)


def has_consistent_deal(case: InferenceCase, rules: AssumedRules, budget: WorkBudget) -> bool | None:
    """Whether some complete deal agrees; None if the steps do not suffice.

    Raises:
        BudgetExceeded: every play is seen, and there is too little work to find out.
    """
    if not case.hidden_plays:
        return any(
            possible_cards_by_place(scenario, case.work) is not None
            for scenario in case.list_lawful_scenarios(rules)
        )
    try:
        return find_first_filling(case, rules, budget) is not None
    except BudgetExceeded:
        return None


def find_first_filling(
    case: InferenceCase, rules: AssumedRules, budget: WorkBudget
) -> CompleteFilling | None:
    """Some complete filling, or None if there is none. Raises `BudgetExceeded`."""
    for scenario in case.scenarios:
        # A scenario in which the cards fit in no order of play takes no step.
        if possible_cards_by_place(scenario, case.work) is not None:
            filling = HiddenPlaySearch(HiddenPlayModel(case, scenario, rules), budget).find_first({})
            if filling is not None:
                return filling
    return None


def search_level(case: InferenceCase, rules: AssumedRules, budget: WorkBudget) -> EvidenceLevel:
    """What is possible under these rules, for the hidden plays and everything else.

    Raises:
        BudgetExceeded: there is too little work to go through the scenarios once.
    """
    search = _LevelSearch(case, rules, budget)
    try:
        is_exact = search.prove()
    except BudgetExceeded:
        return search.bounds.build_level(False)
    level = search.bounds.build_level(is_exact)
    return level._replace(is_exact=level.is_exact and (not level.is_consistent or case.is_play_complete))


class PossibilityBounds:
    """By search target the cards that may still be possible, and those proved to be."""

    def __init__(self, case: InferenceCase) -> None:
        self.case = case
        places, hands = ((PLACE, place) for place in range(PLACE_COUNT)), ((HAND, seat) for seat in SEATS)
        self.possible: dict[SearchTarget, int] = dict.fromkeys((*case.hidden_plays, *places, *hands), 0)
        self.proved = dict(self.possible)

    def add_bound(self, options: RemainingOptions, cards_by_place: CardsByPlace) -> None:
        """Add what one scenario leaves open at most: physically, and by the options of the hidden plays."""
        by_place = [0] * PLACE_COUNT
        by_place[TALON_REST_PLACE] = options.talon_rest
        for seat in SEATS:
            hand = options.hands[seat]
            self.possible[HAND, seat] |= hand
            for card, known in self.case.plays_by_card.items():
                hand |= CARD_BITS[card] if known.seat == seat else 0
            for play, cards in options.cards_by_play.items():
                hand |= cards if play.seat == seat else 0
            by_place[place_number(seat, FATE_DISCARDED)] = options.discards[seat]
            by_place[place_number(seat, FATE_KEPT)] = by_place[place_number(seat, FATE_DRAWN)] = hand
        for play, cards in options.cards_by_play.items():
            self.possible[play] |= cards
        for place, cards in enumerate(by_place):
            self.possible[PLACE, place] |= cards & cards_by_place[place]

    def add_proof(self, filling: CompleteFilling) -> None:
        """Add a complete filling, and what it leaves open."""
        for play, card in filling.assignment.items():
            self.proved[play] |= CARD_BITS[card]
        played = mask_of_cards((*self.case.plays_by_card, *filling.assignment.values()))
        for place, cards in enumerate(filling.cards_by_place):
            self.proved[PLACE, place] |= cards
        for seat in SEATS:
            self.proved[HAND, seat] |= hand_cards(filling.cards_by_place, seat) & ~played

    def build_level(self, is_exact: bool) -> EvidenceLevel:
        """The level as far as it is known."""
        any_found = any(self.proved[PLACE, place] for place in range(PLACE_COUNT))
        if is_exact and not any_found:
            return INCONSISTENT_LEVEL
        found = self.proved if is_exact else self.possible
        return EvidenceLevel(
            any_found or None,
            is_exact,
            tuple(found[PLACE, place] for place in range(PLACE_COUNT)),
            {play: found[play] for play in self.case.hidden_plays},
            tuple(found[HAND, seat] for seat in SEATS),
        )


class _LevelSearch:
    """Proves or excludes all that is open, in every scenario."""

    def __init__(self, case: InferenceCase, rules: AssumedRules, budget: WorkBudget) -> None:
        """Collect what each scenario leaves open at most. Raises `BudgetExceeded`."""
        self.case, self.rules, self.budget = case, rules, budget
        self.bounds = PossibilityBounds(case)
        self.scenarios: list[Scenario] = []
        self.models: list[HiddenPlayModel] = []
        self.hint: PlayAssignment = {}
        self.known: list[tuple[int, PlayAssignment]] = []
        self.max_question_steps = max(MAX_STEPS_PER_QUESTION, budget.units_left // 10)
        for scenario in case.scenarios:
            model = HiddenPlayModel(case, scenario, rules)
            cards_by_place = possible_cards_by_place(scenario, case.work)
            options = model.remaining_options({})
            if options is not None and cards_by_place is not None:
                self.scenarios.append(scenario)
                self.models.append(model)
                self.bounds.add_bound(options, cards_by_place)

    def prove(self) -> bool:
        """Decide all targets; False if some cards stay open.

        Raises:
            BudgetExceeded: not even one filling was found within the budget.
        """
        self._search({}, self.scenarios)
        decided = [self._decide_cards(target) for target in self.bounds.possible]
        return all(decided)

    def _decide_cards(self, target: SearchTarget) -> bool:
        """Search for each card that may be there until it is found or excluded; False if some stay open."""
        possible, proved = self.bounds.possible, self.bounds.proved
        unanswered = 0
        while missing := possible[target] & ~proved[target] & ~unanswered:
            card = cards_in_mask(missing)[0]
            try:
                if not self._search_card(target, card):
                    possible[target] ^= CARD_BITS[card]
            except BudgetExceeded:
                unanswered |= CARD_BITS[card]
        return not unanswered

    def _search_card(self, target: SearchTarget, card: Card) -> bool:
        if isinstance(target, HiddenPlay):
            return self._search({target: card}, self.scenarios)
        kind, number = target
        places = 1 << number if kind == PLACE else HAND_PLACES[number]
        scenarios = [_restrict_card(places, card, one) for one in self.scenarios]
        return self._search({}, scenarios, 0 if kind == PLACE else CARD_BITS[card])

    def _search(self, assignment: PlayAssignment, scenarios: list[Scenario], unplayed_cards: int = 0) -> bool:
        """Search for a complete filling, first near those already found, and record it.

        Raises:
            BudgetExceeded: the budget is used up, or this question alone would use too much of it.
        """
        self.case.work.spend(SCENARIO_QUESTION_COST * len(scenarios))
        steps = min(self.budget.units_left, self.max_question_steps)
        budget = WorkBudget(steps)
        try:
            return self._search_scenarios(assignment, scenarios, unplayed_cards, budget)
        finally:
            self.budget.units_left -= steps - budget.units_left

    def _search_scenarios(
        self, assignment: PlayAssignment, scenarios: list[Scenario], unplayed_cards: int, budget: WorkBudget
    ) -> bool:
        searches: dict[int, HiddenPlaySearch] = {}

        def search(number: int) -> HiddenPlaySearch:
            """The search in a scenario, made on demand: making one takes as long as some steps."""
            if number not in searches:
                model = self.models[number]
                if scenarios is not self.scenarios or unplayed_cards:
                    model = HiddenPlayModel(self.case, scenarios[number], self.rules, unplayed_cards)
                searches[number] = HiddenPlaySearch(model, budget)
            return searches[number]

        for number, known in self.known[-MAX_NEARBY_FILLINGS:]:
            if self._record_filling(number, search(number).check(_vary_assignment(known, assignment))):
                return True
        for number in range(len(scenarios)):
            search(number).hint = self.hint
            if self._record_filling(number, search(number).find_first(assignment)):
                return True
        return False

    def _record_filling(self, number: int, filling: CompleteFilling | None) -> bool:
        if filling is None:
            return False
        self.hint = filling.assignment
        self.known.append((number, filling.assignment))
        self.bounds.add_proof(filling)
        return True


def _vary_assignment(known: PlayAssignment, changes: PlayAssignment) -> PlayAssignment:
    """The filling with other cards in some plays; a card already used swaps with the one it replaces."""
    varied = dict(known)
    for play, card in changes.items():
        for other, other_card in known.items():
            if other_card == card:
                varied[other] = known[play]
        varied[play] = card
    return varied


def _restrict_card(places: int, card: Card, scenario: Scenario) -> Scenario:
    """The scenario with ``card`` only in these places."""
    allowed = list(scenario.allowed_places)
    allowed[card] &= places
    return scenario._replace(allowed_places=allowed)
