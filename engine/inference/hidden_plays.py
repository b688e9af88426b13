"""Hidden plays: what each can be if some of the others are assumed, and what the known ones prove (RULES 5).

Each hidden play is a place for one card. With some plays assumed, the others and the cards still in the hands
are a flow again (`engine.inference.placement`); it does not tell cards dealt to a hand from cards drawn.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from engine.core.cards import CARD_BITS, PACK_MASK, SEATS, Card, Seat, mask_of_cards
from engine.inference.claims import DISCARD_PLACES, HAND_PLACES, TALON_REST_PLACE, TALON_REST_PLACES
from engine.inference.inference_case import AssumedRules, HiddenPlay, InferenceCase, PlayAssignment
from engine.inference.physical_constraints import PACK_SIZE, CardPlay, Scenario
from engine.inference.placement import CardClasses, possible_cards
from engine.inference.suit_constraints import (
    OffSuitPlay,
    exclusion_by_lead,
    is_lead_known,
    off_suit_plays_of_trick,
)
from engine.play.state import Trick
from engine.play.tricks import possible_trick_winners, trick_winner

PLAY_MODEL_COST, CLAIM_PER_PLAY_COST = 50, 1
"""Work of a model, and of each claim for each hidden play."""
OPTIONS_COST, OPTIONS_PER_PLAY_COST, CARD_CLASS_COST, OFF_SUIT_COST = 40, 5, 5, 10
"""Work of finding options, for each hidden play and class of cards, and of listing off-suit plays."""
FIRST_HAND, TALON_REST, FIRST_OPEN_PLAY = 3, 6, 7
"""The places of the flow: three discards, three hands, the rest of the talon, the open hidden plays."""


class RemainingOptions(NamedTuple):
    """The cards that are possible with the assumed plays.

    ``cards_by_play``: for each open hidden play; ``discards`` and ``hands``: by seat what it can have laid
    away, and can still hold; ``talon_rest``: what can be left in the talon.
    """

    cards_by_play: dict[HiddenPlay, int]
    discards: tuple[int, ...]
    hands: tuple[int, ...]
    talon_rest: int


class TrickWithHiddenPlays(NamedTuple):
    """A trick with hidden cards.

    ``leader``: the seat that must have won it, None if any may; ``hidden_plays``: each with its place in it.
    """

    trick: Trick
    leader: Seat | None
    hidden_plays: tuple[tuple[int, HiddenPlay], ...]

    def cards_with(self, assignment: PlayAssignment) -> tuple[Card, ...]:
        """The cards of the trick with the assumed plays put in."""
        cards = list(self.trick.cards)
        for place, play in self.hidden_plays:
            cards[place] = assignment.get(play, cards[place])
        return tuple(cards)


TricksWithCards = list[tuple[TrickWithHiddenPlays, tuple[Card, ...]]]
"""Tricks with hidden cards, each with its cards as they are assumed."""
SeatExclusions = tuple[list[tuple[int, int]], ...]
"""By seat: trick numbers, each with the cards that it did not hold after that trick."""


class HiddenPlayModel:
    """The play of one scenario, with hidden plays to which cards can be assigned."""

    def __init__(
        self, case: InferenceCase, scenario: Scenario, rules: AssumedRules, unplayed_cards: int = 0
    ) -> None:
        """``unplayed_cards``: a mask of cards that no hidden play is. Raises `BudgetExceeded`."""
        claims, self.hidden_plays = case.claims, case.hidden_plays
        case.work.spend(
            PLAY_MODEL_COST
            + CLAIM_PER_PLAY_COST * (PACK_SIZE + len(case.hidden_plays) * len(claims.card_claims))
        )
        self.work, self.claims, self.plays_by_card = case.work, claims, case.plays_by_card
        self.scenario, self.rules = scenario, rules
        self.known_later_plays: dict[tuple[Seat, int], int] = {}
        self.candidates, self.held_after = {}, {}
        for play in self.hidden_plays:
            shown = self._cards_shown_after(play)
            self.candidates[play] = play.candidates & ~shown & ~unplayed_cards
            self.held_after[play] = shown | self._known_plays_after(play.seat, play.trick)
        self.tricks_with_hidden_plays: list[TrickWithHiddenPlays] = []
        self.off_suit_plays: list[OffSuitPlay] = []
        for number, trick in enumerate(claims.tricks):
            self._add_trick(number, trick)
        self.winning_cards: dict[tuple[int, tuple[Card, ...]], int] = {}
        self.hand_sizes = self._count_hands()
        self.unseen_cards_by_places = self._group_unseen_cards()

    @property
    def is_unordered(self) -> bool:
        """Whether nothing shows when an unseen card was played."""
        return all(cards == PACK_MASK for cards in self.candidates.values())

    def _count_hands(self) -> tuple[int, ...]:
        """The number of cards left in each hand."""
        sizes = self.scenario.place_sizes
        left = [sizes[3 * seat + 1] + sizes[3 * seat + 2] for seat in SEATS]
        for trick in self.claims.tricks:
            for seat in trick.seats:
                left[seat] -= 1
        for play in self.hidden_plays:
            left[play.seat] -= play.seq is None
        for known in self.plays_by_card.values():
            left[known.seat] -= not known.is_counted
        return tuple(left)

    def _add_trick(self, number: int, trick: Trick) -> None:
        """Note a trick's off-suit plays if all its cards are known, else the trick itself to check later."""
        tricks = self.claims.tricks
        if not is_lead_known(tricks, number):
            return
        if all(CARD_BITS[card] for card in trick.cards):
            self.off_suit_plays += self._binding_off_suit_plays(trick)
            return
        leader = None
        if self.rules.must_winner_lead and number + 1 < len(tricks) and is_lead_known(tricks, number + 1):
            leader = tricks[number + 1].seats[0]
        can_win = leader in possible_trick_winners(trick, self.claims.trick_rules)
        plays = {play.seat: play for play in self.hidden_plays if play.trick == trick.number}
        plays_by_place = tuple(
            (place, plays[seat]) for place, seat in enumerate(trick.seats) if seat in plays
        )
        self.tricks_with_hidden_plays.append(
            TrickWithHiddenPlays(trick, leader if can_win else None, plays_by_place)
        )

    def _binding_off_suit_plays(self, trick: Trick) -> Iterator[OffSuitPlay]:
        plays = off_suit_plays_of_trick(trick, self.claims.trick_rules)
        return (play for play in plays if self.rules.is_binding(play.seq))

    def _cards_shown_after(self, play: HiddenPlay) -> int:
        """Cards known to have been in the hand after this play."""
        mask = 0
        for claim in self.claims.card_claims:
            if claim.seat == play.seat and claim.last_trick >= play.trick:
                mask |= mask_of_cards(claim.cards)
        return mask

    def _known_plays_after(self, seat: Seat, trick: int) -> int:
        """The known cards that leave the hand of ``seat`` after this trick."""
        if (seat, trick) not in self.known_later_plays:
            self.known_later_plays[seat, trick] = sum(
                CARD_BITS[card]
                for card, play in self.plays_by_card.items()
                if play.seat == seat and play.was_held_after(trick)
            )
        return self.known_later_plays[seat, trick]

    def _group_unseen_cards(self) -> dict[tuple[int, int], int]:
        """The cards not seen in play, by their places outside the play and the seats that may play them."""
        groups: dict[tuple[int, int], int] = {}
        for card in map(Card, range(PACK_SIZE)):
            if card in self.plays_by_card:
                continue
            allowed = self.scenario.allowed_places[card]
            places = 1 << TALON_REST if allowed & TALON_REST_PLACES else 0
            places |= sum(1 << seat for seat in SEATS if allowed & DISCARD_PLACES[seat])
            seats = sum(1 << seat for seat in SEATS if allowed & HAND_PLACES[seat])
            groups[places, seats] = groups.get((places, seats), 0) | CARD_BITS[card]
        return groups

    def off_suit_plays_with(self, assignment: PlayAssignment) -> list[OffSuitPlay]:
        """All binding plays that did not follow, the assumed ones included. Raises `BudgetExceeded`."""
        self.work.spend(OFF_SUIT_COST)
        return self._list_off_suit_plays(self._tricks_with(assignment))

    def _tricks_with(self, assignment: PlayAssignment) -> TricksWithCards:
        return [(one, one.cards_with(assignment)) for one in self.tricks_with_hidden_plays]

    def _list_off_suit_plays(self, tricks: TricksWithCards) -> list[OffSuitPlay]:
        found = list(self.off_suit_plays)
        for one, cards in tricks:
            found += self._binding_off_suit_plays(replace(one.trick, cards=cards))
        return found

    def plays_by_card_with(self, assignment: PlayAssignment) -> dict[Card, CardPlay]:
        """Where and when each card was played."""
        assumed = {card: CardPlay(play.seat, play.trick) for play, card in assignment.items()}
        return self.plays_by_card | assumed

    def remaining_options(self, assignment: PlayAssignment) -> RemainingOptions | None:
        """What is possible with ``assignment``; None where nothing is. Raises `BudgetExceeded`."""
        self.work.spend(OPTIONS_COST + OPTIONS_PER_PLAY_COST * len(self.hidden_plays))
        tricks = self._tricks_with(assignment)
        exclusions = self._exclusions(tricks, assignment)
        if exclusions is None or min(self.hand_sizes) < 0:
            return None
        windows = {play: cards for play, cards in self.candidates.items() if play not in assignment}
        if not self._restrict_to_winners(tricks, windows):
            return None
        self._restrict_to_suit(tricks, assignment, windows)
        assigned = mask_of_cards(tuple(assignment.values()))
        classes: CardClasses = {}
        for (places, seats), cards in self.unseen_cards_by_places.items():
            if cards & ~assigned:
                self._classify(classes, {places: cards & ~assigned}, seats, exclusions, windows)
        return None if 0 in classes else self._solve_options(classes, windows)

    def _classify(
        self,
        classes: CardClasses,
        parts: CardClasses,
        seats: int,
        exclusions: SeatExclusions,
        windows: dict[HiddenPlay, int],
    ) -> None:
        """Divide cards by the hands and plays that they may still be in, and add them to the classes."""
        for seat in SEATS:
            if seats >> seat & 1:
                excluded = 0
                for _, excluded_then in exclusions[seat]:
                    excluded |= excluded_then
                parts = _split_classes(parts, 1 << FIRST_HAND + seat, ~excluded)
        for number, (play, window) in enumerate(windows.items(), FIRST_OPEN_PLAY):
            if seats >> play.seat & 1:
                for trick, excluded_then in exclusions[play.seat]:
                    if trick < play.trick:
                        window &= ~excluded_then
                parts = _split_classes(parts, 1 << number, window)
        for places, cards in parts.items():
            classes[places] = classes.get(places, 0) | cards

    def _solve_options(self, classes: CardClasses, windows: dict[HiddenPlay, int]) -> RemainingOptions | None:
        sizes = self.scenario.place_sizes
        self.work.spend(CARD_CLASS_COST * len(classes))
        cards_by_place = possible_cards(
            classes, (*sizes[:9:3], *self.hand_sizes, sizes[TALON_REST_PLACE], *(1 for _ in windows))
        )
        if cards_by_place is None:
            return None
        return RemainingOptions(
            dict(zip(windows, cards_by_place[FIRST_OPEN_PLAY:], strict=True)),
            tuple(cards_by_place[:FIRST_HAND]),
            tuple(cards_by_place[FIRST_HAND:TALON_REST]),
            cards_by_place[TALON_REST],
        )

    def _exclusions(self, tricks: TricksWithCards, assignment: PlayAssignment) -> SeatExclusions | None:
        """What each seat cannot have held any more, and since when; None where it played some of it later."""
        exclusions: SeatExclusions = ([], [], [])
        for play in self._list_off_suit_plays(tricks):
            excluded = exclusion_by_lead(play.lead, self.claims.trick_rules).excluded
            exclusions[play.seat].append((play.trick, excluded))
        for seat in SEATS:
            for trick, excluded in exclusions[seat]:
                later = self._known_plays_after(seat, trick) | _assumed_plays_after(assignment, seat, trick)
                if later & excluded:
                    return None
        return exclusions

    def _restrict_to_winners(self, tricks: TricksWithCards, windows: dict[HiddenPlay, int]) -> bool:
        """Limit the open plays to cards by which the next leader wins; False where a trick has none."""
        for one, cards in tricks:
            if one.leader is None:
                continue
            hidden = [play for _, play in one.hidden_plays if play in windows]
            if not hidden and not self._can_win(one.leader, one.trick, cards):
                return False
            if len(hidden) == 1:
                windows[hidden[0]] &= self._winning_cards(one.leader, one.trick, cards)
        return True

    def _restrict_to_suit(
        self, tricks: TricksWithCards, assignment: PlayAssignment, windows: dict[HiddenPlay, int]
    ) -> None:
        """Limit open plays to cards that follow, where the seat certainly held a compelling card later."""
        trick_rules = self.claims.trick_rules
        for one, cards in tricks:
            if not CARD_BITS[cards[0]]:
                continue
            for place, play in one.hidden_plays:
                if place and play in windows and play.seq is not None and self.rules.is_binding(play.seq):
                    later = self.held_after[play] | _assumed_plays_after(assignment, play.seat, play.trick)
                    if exclusion_by_lead(cards[0], trick_rules).excluded & later:
                        windows[play] &= trick_rules.followers[cards[0]]

    def _can_win(self, leader: Seat, trick: Trick, cards: tuple[Card, ...]) -> bool:
        """Whether a trick of known cards goes to ``leader``, or nobody knows what wins."""
        return trick_winner(trick.seats, cards, (), self.claims.trick_rules) in (leader, None)

    def _winning_cards(self, leader: Seat, trick: Trick, cards: tuple[Card, ...]) -> int:
        """The cards that give the trick to ``leader`` in the one place that is open."""
        key = (trick.number, cards)
        if key not in self.winning_cards:
            place = next(place for place, card in enumerate(cards) if not CARD_BITS[card])
            self.winning_cards[key] = sum(
                CARD_BITS[number]
                for number in range(PACK_SIZE)
                if self._can_win(leader, trick, (*cards[:place], Card(number), *cards[place + 1 :]))
            )
        return self.winning_cards[key]


def _assumed_plays_after(assignment: PlayAssignment, seat: Seat, trick: int) -> int:
    """The assumed cards that leave the hand of ``seat`` after this trick."""
    mask = 0
    for play, card in assignment.items():
        if play.seat == seat and play.trick > trick:
            mask |= CARD_BITS[card]
    return mask


def _split_classes(parts: CardClasses, place: int, allowed: int) -> CardClasses:
    """The classes, each divided into cards that may lie in one more place and cards that may not."""
    split: CardClasses = {}
    for places, cards in parts.items():
        if cards & allowed:
            split[places | place] = cards & allowed
        if cards & ~allowed:
            split[places] = cards & ~allowed
    return split
