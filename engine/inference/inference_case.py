"""A record as a case to be decided, and a level of evidence as the answer (DESIGN 5)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from engine.core.cards import CARD_BITS, CARD_CANDIDATES, PACK_MASK, SEATS, Card, Seat, mask_of_cards
from engine.core.field_types import Seq
from engine.core.work_budget import WorkBudget
from engine.inference.claims import Claims
from engine.inference.physical_constraints import CardPlay, Scenario, list_scenarios, plays_by_card
from engine.inference.places import PLACE_COUNT
from engine.inference.suit_constraints import OffSuitPlay, list_lawful_placements


class HiddenPlay(NamedTuple):
    """A play that nobody saw; ``seq`` is None where even its entry is missing."""

    seq: Seq | None
    seat: Seat
    trick: int
    candidates: int


PlayAssignment = Mapping[HiddenPlay, Card]
"""Hidden plays with the cards that are assumed for them."""


class AssumedRules(NamedTuple):
    """Which plays had to follow: all but those of ``excused_plays``, or only those of ``binding_plays``.

    ``must_winner_lead``: whether who leads next has to have won the trick before.
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
    ``is_exact``: whether all of this is exact; otherwise more may stand here than is possible.
    ``cards_by_place``: the cards that can lie in each place (`engine.inference.places`); ``cards_by_play``:
    what each hidden play can be; ``hands``: by seat the cards that can be in the hand at this point.
    """

    is_consistent: bool | None
    is_exact: bool
    cards_by_place: tuple[int, ...]
    cards_by_play: Mapping[HiddenPlay, int]
    hands: tuple[int, ...]


INCONSISTENT_LEVEL = EvidenceLevel(False, True, (0,) * PLACE_COUNT, {}, (0, 0, 0))
"""No complete deal agrees."""


class InferenceCase(NamedTuple):
    """The claims and what is derived from them once: known plays, hidden plays and scenarios.

    ``work`` is the budget for deciding the case; every function that examines it spends from that.
    ``has_all_scenarios``: whether ``scenarios`` is complete.
    """

    claims: Claims
    plays_by_card: dict[Card, CardPlay]
    hidden_plays: tuple[HiddenPlay, ...]
    scenarios: tuple[Scenario, ...]
    work: WorkBudget
    has_all_scenarios: bool = True

    @property
    def is_play_complete(self) -> bool:
        """Whether every card that left a hand in the play was seen, or is a hidden play."""
        unseen = any(one.is_uncounted and not mask_of_cards(one.cards) for one in self.claims.card_claims)
        return self.claims.is_play_order_known and not unseen

    def list_lawful_scenarios(self, off_suit_plays: Iterable[OffSuitPlay]) -> Iterator[Scenario]:
        """The scenarios in which these plays were lawful; no deal belongs to two. Raises `BudgetExceeded`."""
        plays = tuple(off_suit_plays)
        for scenario in self.scenarios:
            for allowed in list_lawful_placements(
                scenario.allowed_places, plays, self.claims.trick_rules, self.plays_by_card, self.work
            ):
                yield scenario._replace(allowed_places=allowed)


def build_case(claims: Claims, work: WorkBudget | None = None) -> InferenceCase:
    """The case that the claims make, to be decided with ``work``, if given. Raises `BudgetExceeded`."""
    case = build_case_without_scenarios(claims, WorkBudget() if work is None else work)
    return case._replace(scenarios=tuple(list_scenarios(claims, case.work)), has_all_scenarios=True)


def build_case_without_scenarios(claims: Claims, work: WorkBudget) -> InferenceCase:
    """The case of claims that have more scenarios than there is work for."""
    return InferenceCase(claims, plays_by_card(claims), _list_hidden_plays(claims), (), work, False)


def _list_hidden_plays(claims: Claims) -> tuple[HiddenPlay, ...]:
    """The hidden plays of a record, and those of which the entries are missing, in the order of play."""
    if not claims.is_play_order_known:
        return ()
    found: list[HiddenPlay] = []
    for trick in claims.tricks:
        for seat, card, seq in zip(trick.seats, trick.cards, trick.seqs, strict=True):
            if not CARD_BITS[card]:
                found.append(HiddenPlay(seq, seat, trick.number, CARD_CANDIDATES[card]))
        if trick is not claims.tricks[-1]:
            found += [
                HiddenPlay(None, seat, trick.number, PACK_MASK) for seat in SEATS if seat not in trick.seats
            ]
    return tuple(found)
