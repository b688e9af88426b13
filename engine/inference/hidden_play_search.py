"""The search among hidden plays, within a budget of steps.

What is possible with the cards already assumed bounds what is worth trying. Every complete filling that is
found proves much at once: its own cards, and everything that the flow still leaves open with them. What no
filling has proved is looked for by itself, until it is found or shown to be impossible.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from engine.core.cards import CARD_BITS, SEATS, Card, Seat, cards_in_mask, mask_of_cards
from engine.core.work_budget import BudgetExceeded, WorkBudget
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
from engine.inference.places import (
    FATE_DISCARDED,
    FATE_DRAWN,
    FATE_KEPT,
    HAND_PLACES,
    PLACE_COUNT,
    TALON_REST_PLACE,
    hand_cards,
    place_number,
)
from engine.inference.suit_constraints import list_lawful_placements, list_off_suit_plays

MAX_SEARCH_STEPS: Final = 6_000
"""How often the search may ask what is possible with some cards assumed, on each level."""
SCENARIO_QUESTION_COST: Final = 5
"""What it costs to put a question to a scenario."""
MAX_STEPS_PER_QUESTION: Final = 600
"""So many of them for one question, so that one hard one does not use up all."""
MAX_NEARBY_FILLINGS: Final = 3
"""So many fillings already found are changed a little before a new one is searched for."""


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
        """This very filling of all hidden plays, or None where it does not fit. Raises `BudgetExceeded`."""
        self.budget.spend(1)
        if not all(CARD_BITS[card] & self.model.candidates[play] for play, card in assignment.items()):
            return None
        return None if self.model.remaining_options(assignment) is None else self._complete(assignment)

    def _complete(self, assignment: PlayAssignment) -> CompleteFilling | None:
        """The filling with what it leaves open, where the hands were dealt and drawn so too."""
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
    """Whether some complete deal agrees; None where the steps do not suffice to find out.

    Raises:
        BudgetExceeded: every play is seen, and there is too little work to find out.
    """
    if not case.hidden_plays:
        plays = (play for play in list_off_suit_plays(case.claims) if rules.is_binding(play.seq))
        return any(
            possible_cards_by_place(scenario, case.work) is not None
            for scenario in case.list_lawful_scenarios(plays)
        )
    try:
        return find_first_filling(case, rules, budget) is not None
    except BudgetExceeded:
        return None


def find_first_filling(
    case: InferenceCase, rules: AssumedRules, budget: WorkBudget
) -> CompleteFilling | None:
    """Some complete filling, or None where there is none. Raises `BudgetExceeded`."""
    for scenario in case.scenarios:
        if possible_cards_by_place(scenario, case.work) is None:
            continue  # nothing fits even where any card may have been played at any time: no step is needed
        filling = HiddenPlaySearch(HiddenPlayModel(case, scenario, rules), budget).find_first({})
        if filling is not None:
            return filling
    return None


def search_level(case: InferenceCase, rules: AssumedRules, budget: WorkBudget) -> EvidenceLevel:
    """What is possible for the hidden plays and everything else, where these rules bind.

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
    """What may still be possible, and what of it has been proved."""

    def __init__(self, case: InferenceCase) -> None:
        self.case = case
        self.possible_plays = dict.fromkeys(case.hidden_plays, 0)
        self.proved_plays = dict(self.possible_plays)
        self.possible_places, self.proved_places = [0] * PLACE_COUNT, [0] * PLACE_COUNT
        self.possible_hands, self.proved_hands = [0, 0, 0], [0, 0, 0]

    def add_bound(self, options: RemainingOptions, cards_by_place: CardsByPlace) -> None:
        """Add what one scenario leaves open at most: physically, and by the options of the hidden plays."""
        for play, cards in options.cards_by_play.items():
            self.possible_plays[play] |= cards
        for seat in SEATS:
            hand = options.hands[seat]
            self.possible_hands[seat] |= hand
            for card, known in self.case.plays_by_card.items():
                hand |= CARD_BITS[card] if known.seat == seat else 0
            for play, cards in options.cards_by_play.items():
                hand |= cards if play.seat == seat else 0
            self._add_places(cards_by_place, place_number(seat, FATE_DISCARDED), options.discards[seat])
            self._add_places(cards_by_place, place_number(seat, FATE_KEPT), hand)
            self._add_places(cards_by_place, place_number(seat, FATE_DRAWN), hand)
        self._add_places(cards_by_place, TALON_REST_PLACE, options.talon_rest)

    def _add_places(self, cards_by_place: CardsByPlace, place: int, cards: int) -> None:
        self.possible_places[place] |= cards_by_place[place] & cards

    def add_proof(self, filling: CompleteFilling) -> None:
        """Take in a complete filling, and what it leaves open."""
        for play, card in filling.assignment.items():
            self.proved_plays[play] |= CARD_BITS[card]
        played = mask_of_cards((*self.case.plays_by_card, *filling.assignment.values()))
        for place, cards in enumerate(filling.cards_by_place):
            self.proved_places[place] |= cards
        for seat in SEATS:
            self.proved_hands[seat] |= hand_cards(filling.cards_by_place, seat) & ~played

    def build_level(self, is_exact: bool) -> EvidenceLevel:
        """The level as far as it is known."""
        any_found = any(self.proved_places)
        if not is_exact:
            places, plays, hands = self.possible_places, self.possible_plays, self.possible_hands
        elif any_found:
            places, plays, hands = self.proved_places, self.proved_plays, self.proved_hands
        else:
            return INCONSISTENT_LEVEL
        return EvidenceLevel(any_found or None, is_exact, tuple(places), plays, tuple(hands))


class _LevelSearch:
    """Proves what is open, one thing after another, in every scenario."""

    def __init__(self, case: InferenceCase, rules: AssumedRules, budget: WorkBudget) -> None:
        """Takes in what each scenario leaves open at most. Raises `BudgetExceeded`."""
        self.case, self.rules, self.budget = case, rules, budget
        self.bounds = PossibilityBounds(case)
        self.scenarios: list[Scenario] = []
        self.models: list[HiddenPlayModel] = []
        self.hint: PlayAssignment = {}
        self.known: list[tuple[int, PlayAssignment]] = []
        self.max_question_steps = max(MAX_STEPS_PER_QUESTION, budget.units_left // 10)
        for scenario in case.scenarios:
            model = HiddenPlayModel(case, scenario, rules)
            cards_by_place, options = (
                possible_cards_by_place(scenario, case.work),
                model.remaining_options({}),
            )
            if options is not None and cards_by_place is not None:
                self.scenarios.append(scenario)
                self.models.append(model)
                self.bounds.add_bound(options, cards_by_place)

    def prove(self) -> bool:
        """Until nothing is open any more; False where some things were left open.

        Raises:
            BudgetExceeded: not even one filling was found within the budget.
        """
        bounds = self.bounds
        self._search({}, self.scenarios)
        decided = True
        for play in self.case.hidden_plays:
            decided &= self._decide_cards(bounds.possible_plays, bounds.proved_plays, play, self._search_play)
        for place in range(PLACE_COUNT):
            decided &= self._decide_cards(
                bounds.possible_places, bounds.proved_places, place, self._search_place
            )
        for seat in SEATS:
            decided &= self._decide_cards(bounds.possible_hands, bounds.proved_hands, seat, self._search_hand)
        return decided

    def _search_play(self, play: HiddenPlay, card: Card) -> bool:
        return self._search({play: card}, self.scenarios)

    def _search_place(self, place: int, card: Card) -> bool:
        return self._search({}, [_restrict_card(1 << place, card, one) for one in self.scenarios])

    def _search_hand(self, seat: Seat, card: Card) -> bool:
        scenarios = [_restrict_card(HAND_PLACES[seat], card, one) for one in self.scenarios]
        return self._search({}, scenarios, CARD_BITS[card])

    def _decide_cards(
        self, possible: Any, proved: Any, key: Any, is_possible: Callable[[Any, Card], bool]
    ) -> bool:
        """Looks for each card that may be there until it is found or excluded; False where some stay open."""
        unanswered = 0
        while missing := possible[key] & ~proved[key] & ~unanswered:
            card = cards_in_mask(missing)[0]
            try:
                if not is_possible(key, card):
                    possible[key] ^= CARD_BITS[card]
            except BudgetExceeded:
                unanswered |= CARD_BITS[card]
        return not unanswered

    def _search(self, assignment: PlayAssignment, scenarios: list[Scenario], unplayed_cards: int = 0) -> bool:
        """Looks for a complete filling, first near those already found, and takes it in.

        Raises:
            BudgetExceeded: the budget was used up, or this question alone would use too much of it.
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
            """The search in a scenario, made when first asked: making one takes as long as some steps."""
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
    """A filling with other cards in some plays; what was assumed there goes where these came from."""
    varied = dict(known)
    for play, card in changes.items():
        for other, other_card in known.items():
            if other_card == card:
                varied[other] = known[play]
        varied[play] = card
    return varied


def _restrict_card(places: int, card: Card, scenario: Scenario) -> Scenario:
    """The scenario with ``card`` in one of these places only."""
    allowed = list(scenario.allowed_places)
    allowed[card] &= places
    return scenario._replace(allowed_places=allowed)
