"""A record as a case to decide, and a level of evidence as the answer (DESIGN 5)."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.core.cards import (
    CARD_BITS,
    CARD_CANDIDATES,
    PACK_MASK,
    SEATS,
    Card,
    Seat,
    cards_in_mask,
    mask_of_cards,
)
from engine.core.field_types import Seq
from engine.core.work_budget import WorkBudget
from engine.inference.claims import PLACE_COUNT, Claims, PlaceMask
from engine.inference.physical_constraints import CardPlay, Scenario, list_scenarios, plays_by_card
from engine.inference.suit_constraints import OffSuitPlay, list_lawful_placements, list_off_suit_plays


class HiddenPlay(NamedTuple):
    """A play that nobody saw; ``seq`` is None if even its entry is missing."""

    seq: Seq | None
    seat: Seat
    trick: int
    candidates: int


PlayAssignment = Mapping[HiddenPlay, Card]
"""Hidden plays with the cards assumed for them."""


class AssumedRules(NamedTuple):
    """Which plays had to follow: all but ``excused_plays``, or only ``binding_plays``.

    ``must_winner_lead``: whether each trick is led by the winner of the one before.
    """

    excused_plays: frozenset[Seq] = frozenset()
    binding_plays: frozenset[Seq] | None = None
    must_winner_lead: bool = True

    def is_binding(self, seq: Seq) -> bool:
        """Whether the play at ``seq`` had to follow."""
        return seq not in self.excused_plays and (self.binding_plays is None or seq in self.binding_plays)


PHYSICAL_ONLY = AssumedRules(binding_plays=frozenset(), must_winner_lead=False)
"""No play had to follow."""


class EvidenceLevel(NamedTuple):
    """What is possible on one level of evidence.

    ``is_consistent``: whether some complete deal agrees with the record, None if that is not known;
    ``is_exact``: whether all of this is exact, otherwise it may include more than is possible.
    ``cards_by_place``: the cards that can lie in each place (`engine.inference.claims`); ``cards_by_play``:
    what each hidden play can be; ``hands``: by seat the cards that can be in the hand at this point.
    """

    is_consistent: bool | None
    is_exact: bool
    cards_by_place: tuple[int, ...]
    cards_by_play: Mapping[HiddenPlay, int]
    hands: tuple[int, ...]

    def cards_in(self, places: PlaceMask) -> int:
        """The cards that can lie in any of these places."""
        mask = 0
        for place in cards_in_mask(places):
            mask |= self.cards_by_place[place]
        return mask


INCONSISTENT_LEVEL = EvidenceLevel(False, True, (0,) * PLACE_COUNT, {}, (0, 0, 0))
"""No complete deal agrees."""


class InferenceCase(NamedTuple):
    """The claims and what is derived from them once: known, hidden and off-suit plays, and scenarios.

    ``work`` is the budget for deciding the case; every function that examines it spends from that.
    """

    claims: Claims
    plays_by_card: dict[Card, CardPlay]
    hidden_plays: tuple[HiddenPlay, ...]
    off_suit_plays: tuple[OffSuitPlay, ...]
    scenarios: tuple[Scenario, ...]
    work: WorkBudget

    @property
    def is_play_complete(self) -> bool:
        """Whether every card that left a hand during the play was seen, or is a hidden play."""
        unseen = any(one.is_uncounted and not mask_of_cards(one.cards) for one in self.claims.card_claims)
        return self.claims.is_play_order_known and not unseen

    def list_lawful_scenarios(self, rules: AssumedRules) -> Iterator[Scenario]:
        """The scenarios in which all known plays kept these rules; no deal belongs to two of them.

        Raises `BudgetExceeded`.
        """
        plays = [play for play in self.off_suit_plays if rules.is_binding(play.seq)]
        for scenario in self.scenarios:
            for allowed in list_lawful_placements(
                scenario.allowed_places, plays, self.claims.trick_rules, self.plays_by_card, self.work
            ):
                yield scenario._replace(allowed_places=allowed)


def build_case(claims: Claims, work: WorkBudget | None = None) -> InferenceCase:
    """The case that the claims make, to be decided with ``work``, if given. Raises `BudgetExceeded`."""
    case = build_case_without_scenarios(claims, WorkBudget() if work is None else work)
    return case._replace(scenarios=tuple(list_scenarios(claims, case.work)))


def build_case_without_scenarios(claims: Claims, work: WorkBudget) -> InferenceCase:
    """The case of claims that have more scenarios than there is work for."""
    plays, hidden_plays = plays_by_card(claims), _list_hidden_plays(claims)
    return InferenceCase(claims, plays, hidden_plays, list_off_suit_plays(claims), (), work)


def _list_hidden_plays(claims: Claims) -> tuple[HiddenPlay, ...]:
    """The hidden plays of a record, including those whose entries are missing, in the order of play."""
    if not claims.is_play_order_known:
        return ()
    found: list[HiddenPlay] = []
    for trick in claims.tricks:
        for place, card in enumerate(trick.cards):
            if not CARD_BITS[card]:
                seq, seat = trick.seqs[place], trick.seats[place]
                found.append(HiddenPlay(seq, seat, trick.number, CARD_CANDIDATES[card]))
        if trick is not claims.tricks[-1]:
            found += [
                HiddenPlay(None, seat, trick.number, PACK_MASK) for seat in SEATS if seat not in trick.seats
            ]
    return tuple(found)
