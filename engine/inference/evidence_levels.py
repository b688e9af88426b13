"""The two levels of evidence (DESIGN 5): what is physically possible, and if the rules were kept."""

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
    """What is physically possible, whatever the rules say."""
    if case.hidden_plays:
        return _find_unordered_level(case) or search_level(case, PHYSICAL_ONLY, budget)
    cards_by_place: CardsByPlace | None = None
    for scenario in case.scenarios:
        cards_by_place = merge_cards_by_place(cards_by_place, possible_cards_by_place(scenario, case.work))
    return _build_level(case, cards_by_place)


def outline_level(case: InferenceCase, cards_by_place: CardsByPlace | None = None) -> EvidenceLevel:
    """What can be, and perhaps more, where no hidden play is searched; whether any deal agrees stays open.

    ``cards_by_place`` says where the cards can lie, whatever was played when; without it, whatever no single
    entry excludes counts as possible.
    """
    placements = _cards_not_excluded(case) if cards_by_place is None else cards_by_place
    played = sum(1 << card for card in case.plays_by_card)
    hands = [
        (placements[place_number(s, FATE_KEPT)] | placements[place_number(s, FATE_DRAWN)]) & ~played
        for s in SEATS
    ]
    plays = {slot: hands[slot.seat] & slot.candidates for slot in case.hidden_plays}
    return EvidenceLevel(None, False, tuple(placements), plays, (hands[0], hands[1], hands[2]))


def _cards_not_excluded(case: InferenceCase) -> CardsByPlace:
    allowed = find_allowed_places(case.claims)
    return [
        sum(1 << card for card, places in enumerate(allowed) if places >> place & 1)
        for place in range(PLACE_COUNT)
    ]


def _find_unordered_level(case: InferenceCase) -> EvidenceLevel | None:
    """The level where nothing tells when an unseen card was played: each can be what the hand can hold."""
    played = 0
    for card in case.plays_by_card:
        played |= 1 << card
    merged: CardsByPlace | None = None
    plays, current_hands = dict.fromkeys(case.hidden_plays, 0), [0, 0, 0]
    for scenario in case.scenarios:
        model, cards_by_place = (
            HiddenPlayModel(case.claims, scenario, case.hidden_plays, PHYSICAL_ONLY, case.work),
            possible_cards_by_place(scenario, case.work),
        )
        if any(window != PACK_MASK for window in model.candidates.values()):
            return None
        if cards_by_place is None or min(model.hand_sizes) < 0:
            continue
        merged = merge_cards_by_place(merged, cards_by_place)
        hands = [
            (cards_by_place[place_number(s, FATE_KEPT)] | cards_by_place[place_number(s, FATE_DRAWN)])
            & ~played
            for s in SEATS
        ]
        for slot in case.hidden_plays:
            plays[slot] |= hands[slot.seat]
        for seat in SEATS:
            current_hands[seat] |= hands[seat] if model.hand_sizes[seat] else 0
    return (
        INCONSISTENT_LEVEL
        if merged is None
        else EvidenceLevel(True, case.is_play_complete, tuple(merged), plays, tuple(current_hands))
    )


def find_lawful_level(
    case: InferenceCase, physical_level: EvidenceLevel, off_suit_plays: tuple[OffSuitPlay, ...]
) -> EvidenceLevel:
    """What is possible on the ``physical_level`` if these plays were lawful too."""
    off_suit_plays = filter_excluding_plays(case, physical_level, off_suit_plays)
    if not off_suit_plays or not physical_level.is_consistent:
        return physical_level
    cards_by_place: CardsByPlace | None = None
    for scenario in list_lawful_scenarios(case, off_suit_plays):
        cards_by_place = merge_cards_by_place(cards_by_place, possible_cards_by_place(scenario, case.work))
    return _build_level(case, cards_by_place)


def list_lawful_scenarios(case: InferenceCase, off_suit_plays: tuple[OffSuitPlay, ...]) -> Iterator[Scenario]:
    """The scenarios in which these plays were lawful; no deal belongs to two of them."""
    for scenario in case.scenarios:
        for allowed in list_lawful_placements(
            scenario.allowed_places, off_suit_plays, case.claims.trick_rules, case.plays_by_card, case.work
        ):
            yield scenario._replace(allowed_places=allowed)


def filter_excluding_plays(
    case: InferenceCase, physical_level: EvidenceLevel, off_suit_plays: tuple[OffSuitPlay, ...]
) -> tuple[OffSuitPlay, ...]:
    """The off-suit plays that exclude anything: the hand may have held cards that compelled it."""
    return tuple(play for play in off_suit_plays if _excludes(play, case, physical_level))


def _excludes(off_suit_play: OffSuitPlay, case: InferenceCase, physical_level: EvidenceLevel) -> bool:
    ban, seat = exclusion_by_lead(off_suit_play.lead, case.claims.trick_rules), off_suit_play.seat
    in_hand = (
        physical_level.cards_by_place[place_number(seat, FATE_KEPT)]
        | physical_level.cards_by_place[place_number(seat, FATE_DRAWN)]
    )
    for card in cards_in_mask((ban.excluded | ban.conditional) & in_hand):
        play = case.plays_by_card.get(card)
        if play is None or play.seat != seat or play.was_held_after(off_suit_play.trick):
            return True
    return False


def _build_level(case: InferenceCase, cards_by_place: CardsByPlace | None) -> EvidenceLevel:
    if cards_by_place is None:
        return INCONSISTENT_LEVEL
    played = 0
    for card in case.plays_by_card:
        played |= 1 << card
    hands = (
        cards_by_place[place_number(seat, FATE_KEPT)] | cards_by_place[place_number(seat, FATE_DRAWN)]
        for seat in SEATS
    )
    return EvidenceLevel(
        True, case.is_play_complete, tuple(cards_by_place), {}, tuple(hand & ~played for hand in hands)
    )
