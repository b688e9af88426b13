"""The two levels of evidence (DESIGN 5): what is possible as matter alone, and if the rules were kept."""

from collections.abc import Iterator

from engine.core.cards import SEATS, cards_in_mask
from engine.inference.hidden_play_search import StepBudget, search_level
from engine.inference.hidden_plays import PACK_MASK, PHYSICAL_ONLY, HiddenPlayModel
from engine.inference.inference_case import INCONSISTENT_LEVEL, EvidenceLevel, InferenceCase
from engine.inference.physical_constraints import Scenario, find_allowed_places
from engine.inference.placement import CardsByPlace, merge_cards_by_place, possible_cards_by_place
from engine.inference.places import FATE_DRAWN, FATE_KEPT, PLACE_COUNT, place_number
from engine.inference.suit_constraints import OffSuitPlay, exclusion_by_lead, list_lawful_placements


def find_physical_level(case: InferenceCase, budget: StepBudget) -> EvidenceLevel:
    """What is possible if only the matter of the cards counts."""
    if case.hidden_plays:
        return _find_unordered_level(case) or search_level(case, PHYSICAL_ONLY, budget)
    found: CardsByPlace | None = None
    for reading in case.scenarios:
        found = merge_cards_by_place(found, possible_cards_by_place(reading, case.work))
    return _build_level(case, found)


def outline_level(case: InferenceCase, cards_by_place: CardsByPlace | None = None) -> EvidenceLevel:
    """What can be, and perhaps more, where no hidden play is searched; whether any deal agrees stays open.

    ``cards_by_place`` says where the cards can lie, whatever was played when; without it, whatever no single
    entry excludes counts as possible.
    """
    lies = _cards_not_excluded(case) if cards_by_place is None else cards_by_place
    gone = sum(1 << card for card in case.plays_by_card)
    hands = [(lies[place_number(s, FATE_KEPT)] | lies[place_number(s, FATE_DRAWN)]) & ~gone for s in SEATS]
    plays = {slot: hands[slot.seat] & slot.candidates for slot in case.hidden_plays}
    return EvidenceLevel(None, False, tuple(lies), plays, (hands[0], hands[1], hands[2]))


def _cards_not_excluded(case: InferenceCase) -> CardsByPlace:
    allowed = find_allowed_places(case.claims)
    return [
        sum(1 << card for card, at in enumerate(allowed) if at >> place & 1) for place in range(PLACE_COUNT)
    ]


def _find_unordered_level(case: InferenceCase) -> EvidenceLevel | None:
    """The level where nothing tells when an unseen card was played: each can be what the hand can hold."""
    gone = 0
    for card in case.plays_by_card:
        gone |= 1 << card
    found: CardsByPlace | None = None
    plays, now = dict.fromkeys(case.hidden_plays, 0), [0, 0, 0]
    for reading in case.scenarios:
        course, here = (
            HiddenPlayModel(case.claims, reading, case.hidden_plays, PHYSICAL_ONLY, case.work),
            possible_cards_by_place(reading, case.work),
        )
        if any(window != PACK_MASK for window in course.candidates.values()):
            return None
        if here is None or min(course.hand_sizes) < 0:
            continue
        found = merge_cards_by_place(found, here)
        hands = [
            (here[place_number(s, FATE_KEPT)] | here[place_number(s, FATE_DRAWN)]) & ~gone for s in SEATS
        ]
        for slot in case.hidden_plays:
            plays[slot] |= hands[slot.seat]
        for seat in SEATS:
            now[seat] |= hands[seat] if course.hand_sizes[seat] else 0
    return (
        INCONSISTENT_LEVEL
        if found is None
        else EvidenceLevel(True, case.is_play_complete, tuple(found), plays, tuple(now))
    )


def find_lawful_level(
    case: InferenceCase, physical_level: EvidenceLevel, off_suit_plays: tuple[OffSuitPlay, ...]
) -> EvidenceLevel:
    """What is possible on the ``physical_level`` if these duties were kept too."""
    off_suit_plays = filter_excluding_plays(case, physical_level, off_suit_plays)
    if not off_suit_plays or not physical_level.is_consistent:
        return physical_level
    found: CardsByPlace | None = None
    for reading in list_lawful_scenarios(case, off_suit_plays):
        found = merge_cards_by_place(found, possible_cards_by_place(reading, case.work))
    return _build_level(case, found)


def list_lawful_scenarios(case: InferenceCase, off_suit_plays: tuple[OffSuitPlay, ...]) -> Iterator[Scenario]:
    """The readings in which these duties were kept; no deal belongs to two of them."""
    for reading in case.scenarios:
        for allowed in list_lawful_placements(
            reading.allowed_places, off_suit_plays, case.claims.trick_rules, case.plays_by_card, case.work
        ):
            yield reading._replace(allowed_places=allowed)


def filter_excluding_plays(
    case: InferenceCase, physical_level: EvidenceLevel, off_suit_plays: tuple[OffSuitPlay, ...]
) -> tuple[OffSuitPlay, ...]:
    """The duties that exclude anything: cards that compelled the seat may have been in its hand then."""
    return tuple(duty for duty in off_suit_plays if _excludes(duty, case, physical_level))


def _excludes(duty: OffSuitPlay, case: InferenceCase, matter: EvidenceLevel) -> bool:
    ban, seat = exclusion_by_lead(duty.lead, case.claims.trick_rules), duty.seat
    in_hand = (
        matter.cards_by_place[place_number(seat, FATE_KEPT)]
        | matter.cards_by_place[place_number(seat, FATE_DRAWN)]
    )
    for card in cards_in_mask((ban.excluded | ban.conditional) & in_hand):
        laid = case.plays_by_card.get(card)
        if laid is None or laid.seat != seat or laid.was_held_after(duty.trick):
            return True
    return False


def _build_level(case: InferenceCase, found: CardsByPlace | None) -> EvidenceLevel:
    if found is None:
        return INCONSISTENT_LEVEL
    gone = 0
    for card in case.plays_by_card:
        gone |= 1 << card
    hands = (found[place_number(seat, FATE_KEPT)] | found[place_number(seat, FATE_DRAWN)] for seat in SEATS)
    return EvidenceLevel(True, case.is_play_complete, tuple(found), {}, tuple(hand & ~gone for hand in hands))
