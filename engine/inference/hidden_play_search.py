"""The search among hidden plays, within a budget of steps.

What is possible beside the slots already filled bounds what is worth trying. Every complete filling that is
found proves much at once: its own cards, and everything that the flow still leaves open beside them. What no
filling has proved is looked for by itself, until it is found or shown not to be.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from engine.core.cards import CARD_BITS, SEATS, Card, Seat, cards_in_mask
from engine.core.work_budget import BudgetExceeded
from engine.inference.hidden_plays import (
    AssumedRules,
    HiddenPlay,
    HiddenPlayModel,
    PlayAssignment,
    RemainingOptions,
)
from engine.inference.inference_case import INCONSISTENT_LEVEL, EvidenceLevel, InferenceCase
from engine.inference.physical_constraints import Scenario
from engine.inference.placement import CardsByPlace, merge_cards_by_place, possible_cards_by_place
from engine.inference.places import (
    FATE_DISCARDED,
    FATE_DRAWN,
    FATE_KEPT,
    HAND_PLACES,
    PLACE_COUNT,
    TALON_REST_PLACE,
    place_number,
)
from engine.inference.suit_constraints import list_lawful_placements

MAX_SEARCH_STEPS: Final = 6_000
"""So many times the search asks what is possible beside some filled slots, on each level."""


SCENARIO_QUESTION_COST: Final = 5
"""What it costs to put a question to a scenario."""
MAX_STEPS_PER_QUESTION: Final = 600
"""So many of them for one question, so that one hard one does not use up all."""
MAX_NEARBY_FILLINGS: Final = 3
"""So many fillings already found are changed a little before a new one is searched for."""


class StepBudget:
    """Steps that a search may still take; there is no clock in the engine."""

    def __init__(self, steps: int = MAX_SEARCH_STEPS) -> None:
        self.left = steps

    def take_step(self) -> None:
        """Takes a step.

        Raises:
            BudgetExceeded: none was left.
        """
        if self.left <= 0:
            raise BudgetExceeded
        self.left -= 1


class CompleteFilling(NamedTuple):
    """A complete filling of the slots, and what lies open beside it."""

    assignment: PlayAssignment
    scenarios: tuple[Scenario, ...]
    cards_by_place: CardsByPlace


class HiddenPlaySearch:
    """The search in one scenario."""

    def __init__(self, model: HiddenPlayModel, budget: StepBudget) -> None:
        self.model, self.budget = model, budget
        self.hint: Mapping[HiddenPlay, Card] = {}

    def find_first(self, assignment: dict[HiddenPlay, Card]) -> CompleteFilling | None:
        """Some complete filling with ``assignment`` in it, or None where there is none.

        Raises:
            BudgetExceeded: it was not found out within the budget.
        """
        return next(self.find_all(assignment), None)

    def find_all(self, assignment: dict[HiddenPlay, Card]) -> Iterator[CompleteFilling]:
        """Every complete filling with ``assignment`` in it.

        Raises:
            BudgetExceeded: not all were found within the budget.
        """
        self.budget.take_step()
        remaining = self.model.remaining_options(assignment)
        if remaining is None:
            return
        if not remaining.cards_by_play:
            filling = self._complete(assignment)
            if filling is not None:
                self.hint = dict(assignment)
                yield filling
            return
        slot = min(remaining.cards_by_play, key=lambda one: remaining.cards_by_play[one].bit_count())
        options = cards_in_mask(remaining.cards_by_play[slot])
        hinted = self.hint.get(slot)
        for card in sorted(options, key=lambda one: one != hinted):
            yield from self.find_all({**assignment, slot: card})

    def check(self, assignment: PlayAssignment) -> CompleteFilling | None:
        """This very filling of all slots, or None where it does not fit.

        Raises:
            BudgetExceeded: no step was left.
        """
        self.budget.take_step()
        if not all(CARD_BITS[card] & self.model.candidates[slot] for slot, card in assignment.items()):
            return None
        return None if self.model.remaining_options(assignment) is None else self._complete(assignment)

    def _complete(self, filled: PlayAssignment) -> CompleteFilling | None:
        """The filling with what it leaves open, where the hands were dealt and drawn so too."""
        scenarios, merged = [], None
        for scenario in list_complete_scenarios(self.model, filled):
            cards_by_place = possible_cards_by_place(scenario, self.model.work)
            if cards_by_place is not None:
                scenarios.append(scenario)
                merged = merge_cards_by_place(merged, cards_by_place)
        return None if merged is None else CompleteFilling(filled, tuple(scenarios), merged)


def list_complete_scenarios(model: HiddenPlayModel, assignment: PlayAssignment) -> Iterator[Scenario]:
    """Where the cards can lie once every slot is filled; no deal belongs to two of these scenarios."""
    allowed = list(model.scenario.allowed_places)
    for slot, card in assignment.items():
        allowed[card] &= HAND_PLACES[slot.seat]
    off_suit_plays = model.off_suit_plays_with(assignment)
    for placement in list_lawful_placements(
        allowed, off_suit_plays, model.claims.trick_rules, model.plays_by_card_with(assignment), model.work
    ):
        yield model.scenario._replace(allowed_places=placement)


class PossibilityBounds:
    """What may still be possible, and what of it has been proved."""

    def __init__(self, case: InferenceCase) -> None:
        self.case = case
        self.possible_plays = dict.fromkeys(case.hidden_plays, 0)
        self.proved_plays = dict(self.possible_plays)
        self.possible_places, self.proved_places = [0] * PLACE_COUNT, [0] * PLACE_COUNT
        self.possible_hands, self.proved_hands = [0, 0, 0], [0, 0, 0]

    def add_bound(self, options: RemainingOptions, cards_by_place: CardsByPlace) -> None:
        """Add what one scenario leaves open at most: physically, and next to the slots."""
        for slot, cards in options.cards_by_play.items():
            self.possible_plays[slot] |= cards
        for seat in SEATS:
            hand = options.hands[seat] | sum(
                CARD_BITS[card] for card, play in self.case.plays_by_card.items() if play.seat == seat
            )
            for slot, cards in options.cards_by_play.items():
                hand |= cards if slot.seat == seat else 0
            self.possible_hands[seat] |= options.hands[seat]
            for fate, cards in (
                (FATE_DISCARDED, options.discards[seat]),
                (FATE_KEPT, hand),
                (FATE_DRAWN, hand),
            ):
                place = place_number(seat, fate)
                self.possible_places[place] |= cards_by_place[place] & cards
        self.possible_places[TALON_REST_PLACE] |= cards_by_place[TALON_REST_PLACE] & options.talon_rest

    def add_proof(self, filling: CompleteFilling) -> None:
        """Takes in a complete filling, and what lies open beside it."""
        played = sum(CARD_BITS[card] for card in self.case.plays_by_card)
        for slot, card in filling.assignment.items():
            self.proved_plays[slot] |= CARD_BITS[card]
            played |= CARD_BITS[card]
        for place, cards in enumerate(filling.cards_by_place):
            self.proved_places[place] |= cards
        for seat in SEATS:
            hand = (
                filling.cards_by_place[place_number(seat, FATE_KEPT)]
                | filling.cards_by_place[place_number(seat, FATE_DRAWN)]
            )
            self.proved_hands[seat] |= hand & ~played

    def build_level(self, is_exact: bool) -> EvidenceLevel:
        """The level as far as it is known."""
        any_found = any(self.proved_places)
        if is_exact and not any_found:
            return INCONSISTENT_LEVEL
        if is_exact:
            return EvidenceLevel(
                True, True, tuple(self.proved_places), self.proved_plays, tuple(self.proved_hands)
            )
        return EvidenceLevel(
            any_found or None,
            False,
            tuple(self.possible_places),
            self.possible_plays,
            tuple(self.possible_hands),
        )


def search_level(case: InferenceCase, rules: AssumedRules, budget: StepBudget) -> EvidenceLevel:
    """What is possible for the hidden plays and everything beside them, where these rules bind.

    Raises:
        BudgetExceeded: there was not even work enough left to go through the scenarios once.
    """
    level = PossibilityBounds(case)
    search = _LevelSearch(case, rules, budget, level)
    search.add_bounds()
    try:
        built = level.build_level(search.prove())
        return built._replace(is_exact=built.is_exact and (not built.is_consistent or case.is_play_complete))
    except BudgetExceeded:
        return level.build_level(False)


def has_consistent_deal(case: InferenceCase, rules: AssumedRules, budget: StepBudget) -> bool | None:
    """Whether some complete deal agrees; None where the budget was too small to find out."""
    try:
        return find_first_filling(case, rules, budget) is not None
    except BudgetExceeded:
        return None


def find_first_filling(
    case: InferenceCase, rules: AssumedRules, budget: StepBudget
) -> CompleteFilling | None:
    """Some complete filling.

    Raises:
        BudgetExceeded: none was found within the budget, nor shown that there is none.
    """
    for scenario in case.scenarios:
        if possible_cards_by_place(scenario, case.work) is None:
            continue  # nothing fits even where any card may have been played at any time: no step is needed
        filling = HiddenPlaySearch(
            HiddenPlayModel(case.claims, scenario, case.hidden_plays, rules, case.work), budget
        ).find_first({})
        if filling is not None:
            return filling
    return None


class _LevelSearch:
    """Proves what is open, one thing after another, in every scenario."""

    def __init__(
        self, case: InferenceCase, rules: AssumedRules, budget: StepBudget, bounds: PossibilityBounds
    ) -> None:
        self.case, self.rules, self.budget, self.bounds = case, rules, budget, bounds
        self.scenarios: list[Scenario] = []
        self.models: list[HiddenPlayModel] = []
        self.hint: Mapping[HiddenPlay, Card] = {}
        self.known: list[tuple[int, PlayAssignment]] = []
        self.total_steps = budget.left

    def add_bounds(self) -> None:
        """Take in what each scenario leaves open at most. Raises `BudgetExceeded`."""
        for scenario in self.case.scenarios:
            model, cards_by_place = (
                self._build_model(scenario),
                possible_cards_by_place(scenario, self.case.work),
            )
            options = model.remaining_options({})
            if options is not None and cards_by_place is not None:
                self.scenarios.append(scenario)
                self.models.append(model)
                self.bounds.add_bound(options, cards_by_place)

    def prove(self) -> bool:
        """Until nothing is open any more; False where some things were left open.

        Raises:
            BudgetExceeded: not even one filling was found within the budget.
        """
        level = self.bounds
        self._search({}, self.scenarios)
        decided = True
        for slot in self.case.hidden_plays:
            decided &= self._decide_cards(level.possible_plays, level.proved_plays, slot, self._search_play)
        for place in range(PLACE_COUNT):
            decided &= self._decide_cards(
                level.possible_places, level.proved_places, place, self._search_place
            )
        for seat in SEATS:
            decided &= self._decide_cards(level.possible_hands, level.proved_hands, seat, self._search_hand)
        return decided

    def _search_play(self, slot: HiddenPlay, card: Card) -> bool:
        return self._search({slot: card}, self.scenarios)

    def _search_place(self, place: int, card: Card) -> bool:
        return self._search({}, [_restrict_card(1 << place, card, one) for one in self.scenarios])

    def _search_hand(self, seat: Seat, card: Card) -> bool:
        return self._search(
            {}, [_restrict_card(HAND_PLACES[seat], card, one) for one in self.scenarios], CARD_BITS[card]
        )

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

    def _build_model(self, scenario: Scenario, unplayed: int = 0) -> HiddenPlayModel:
        return HiddenPlayModel(
            self.case.claims, scenario, self.case.hidden_plays, self.rules, self.case.work, unplayed
        )

    def _search(self, filled: dict[HiddenPlay, Card], scenarios: list[Scenario], unplayed: int = 0) -> bool:
        """Looks for a complete filling, first near those already found, and takes it in.

        Raises:
            BudgetExceeded: the budget was used up, or this question alone would use too much of it.
        """
        self.case.work.spend(SCENARIO_QUESTION_COST * len(scenarios))
        budget = StepBudget(min(self.budget.left, max(MAX_STEPS_PER_QUESTION, self.total_steps // 10)))
        before = budget.left
        try:
            return self._search_scenarios(filled, scenarios, unplayed, budget)
        finally:
            self.budget.left -= before - budget.left

    def _search_scenarios(
        self, filled: dict[HiddenPlay, Card], scenarios: list[Scenario], unplayed: int, budget: StepBudget
    ) -> bool:
        searches: dict[int, HiddenPlaySearch] = {}

        def search(number: int) -> HiddenPlaySearch:
            """The search in a scenario, made when first asked: making one takes as long as some steps."""
            if number not in searches:
                as_bounded = scenarios is self.scenarios and not unplayed
                model = self.models[number] if as_bounded else self._build_model(scenarios[number], unplayed)
                searches[number] = HiddenPlaySearch(model, budget)
            return searches[number]

        for number, known in self.known[-MAX_NEARBY_FILLINGS:]:
            if self._record_filling(number, search(number).check(_vary_assignment(known, filled))):
                return True
        for number in range(len(scenarios)):
            search(number).hint = self.hint
            if self._record_filling(number, search(number).find_first(filled)):
                return True
        return False

    def _record_filling(self, number: int, filling: CompleteFilling | None) -> bool:
        if filling is None:
            return False
        self.hint = filling.assignment
        self.known.append((number, filling.assignment))
        self.bounds.add_proof(filling)
        return True


def _vary_assignment(known: PlayAssignment, changes: PlayAssignment) -> dict[HiddenPlay, Card]:
    """A filling with other cards in some slots; what lay there goes where these came from."""
    filled = dict(known)
    for slot, card in changes.items():
        for other, other_card in known.items():
            if other_card == card:
                filled[other] = known[slot]
        filled[slot] = card
    return filled


def _restrict_card(places: int, card: Card, scenario: Scenario) -> Scenario:
    """The scenario with ``card`` in one of these places only."""
    allowed = list(scenario.allowed_places)
    allowed[card] &= places
    return scenario._replace(allowed_places=allowed)
