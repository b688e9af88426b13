"""Hidden plays: what each can be beside the others, and what the known ones then prove (RULES 5).

A hidden play is a *slot*: a place for one card. Where some slots are filled, the others and what is still in
the hands are a flow again, one that leaves open only which cards of a hand were dealt and which drawn.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.core.cards import CARD_BITS, CARD_CANDIDATES, SEATS, Card, Seat, cards_in_mask
from engine.core.field_types import Seq
from engine.core.work_budget import WorkBudget
from engine.inference.claims import Claims
from engine.inference.flow import possible_places
from engine.inference.physical_constraints import PACK_SIZE, CardPlay, Scenario, plays_by_card
from engine.inference.places import DISCARD_PLACES, HAND_PLACES, TALON_REST_PLACE, TALON_REST_PLACES
from engine.inference.suit_constraints import (
    OffSuitPlay,
    exclusion_by_lead,
    is_lead_known,
    off_suit_plays_of_trick,
)
from engine.play.state import Trick
from engine.play.tricks import possible_trick_winners, trick_winner

PLAY_MODEL_COST, CLAIM_PER_PLAY_COST, OPTIONS_COST, OPTIONS_PER_PLAY_COST, CARD_CLASS_COST, OFF_SUIT_COST = (
    50,
    1,
    40,
    5,
    5,
    10,
)
"""What a model costs, and each claim for each slot; what looking for options costs, by slots and classes."""


class HiddenPlay(NamedTuple):
    """A play that nobody saw; ``seq`` is None where even its entry is missing."""

    seq: Seq | None
    seat: Seat
    trick: int
    candidates: int


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

PlayAssignment = Mapping[HiddenPlay, Card]
"""Slots with the cards that lie in them."""


def list_hidden_plays(claims: Claims) -> tuple[HiddenPlay, ...]:
    """The hidden plays of a record, and those of which the entries are missing, in the order of play."""
    if not claims.is_play_order_known:
        return ()
    found: list[HiddenPlay] = []
    last = claims.tricks[-1] if claims.tricks else None
    for trick in claims.tricks:
        for seat, card, seq in zip(trick.seats, trick.cards, trick.seqs, strict=True):
            if not CARD_BITS[card]:
                found.append(HiddenPlay(seq, seat, trick.number, CARD_CANDIDATES[card]))
        if trick is not last:
            found += [
                HiddenPlay(None, seat, trick.number, PACK_MASK) for seat in SEATS if seat not in trick.seats
            ]
    return tuple(found)


PACK_MASK = (1 << PACK_SIZE) - 1


class RemainingOptions(NamedTuple):
    """What is possible beside the filled slots, for each open slot, each seat and the talon.

    ``discards`` and ``hands``: by seat the cards that it can have laid away, and can still hold;
    ``talon_rest``: the cards that can be left in the talon.
    """

    cards_by_play: dict[HiddenPlay, int]
    discards: tuple[int, ...]
    hands: tuple[int, ...]
    talon_rest: int


class TrickWithHiddenPlays(NamedTuple):
    """A trick with hidden cards.

    ``leader`` has to have won it, where that counts; ``hidden_plays``: its slots, each with its place.
    """

    trick: Trick
    leader: Seat | None
    hidden_plays: tuple[tuple[int, HiddenPlay], ...]


SeatExclusions = tuple[list[tuple[int, int]], ...]
"""By seat: after which trick it held none of which cards."""


class HiddenPlayModel:
    """The play of one scenario, into which cards can be put for the hidden ones."""

    def __init__(
        self,
        claims: Claims,
        scenario: Scenario,
        hidden_plays: tuple[HiddenPlay, ...],
        rules: AssumedRules,
        work: WorkBudget,
        unplayed: int = 0,
    ) -> None:
        """``unplayed``: cards that are in no slot. Raises `BudgetExceeded`."""
        work.spend(
            PLAY_MODEL_COST + CLAIM_PER_PLAY_COST * (PACK_SIZE + len(hidden_plays) * len(claims.card_claims))
        )
        self.work = work
        self.claims, self.scenario, self.hidden_plays, self.rules = claims, scenario, hidden_plays, rules
        self.plays_by_card = plays_by_card(claims)
        self.held_after = {slot: self._shown_after(slot) for slot in hidden_plays}
        self.candidates = {
            slot: slot.candidates & ~self.held_after[slot] & ~unplayed for slot in hidden_plays
        }
        for slot in hidden_plays:
            self.held_after[slot] |= self._laid_after(slot.seat, slot.trick, {})
        self.tricks_with_hidden_plays: list[TrickWithHiddenPlays] = []
        self.off_suit_plays: list[OffSuitPlay] = []
        for number, played in enumerate(claims.tricks):
            self._add_trick(number, played)
        self.winning_cards: dict[tuple[int, tuple[Card, ...]], int] = {}
        played_counts = [sum(1 for trick in claims.tricks if seat in trick.seats) for seat in SEATS]
        for slot in hidden_plays:
            played_counts[slot.seat] += slot.seq is None
        for one in self.plays_by_card.values():
            played_counts[one.seat] += not one.is_counted
        sizes = scenario.place_sizes
        self.hand_sizes = tuple(sizes[3 * s + 1] + sizes[3 * s + 2] - played_counts[s] for s in SEATS)
        self.unseen_cards_by_places = self._unseen_cards_by_places()

    def _add_trick(self, number: int, trick: Trick) -> None:
        """A trick's off-suit plays where all its cards are known, else a trick to check later."""
        if not is_lead_known(self.claims.tricks, number):
            return
        if all(CARD_BITS[card] for card in trick.cards):
            self.off_suit_plays += self._binding_off_suit_plays(trick)
            return
        following = self.claims.tricks[number + 1 : number + 2]
        leader = (
            following[0].seats[0] if following and is_lead_known(self.claims.tricks, number + 1) else None
        )
        can_win = leader in possible_trick_winners(trick, self.claims.trick_rules)
        slots = {slot.seat: slot for slot in self.hidden_plays if slot.trick == trick.number}
        slots_by_place = tuple(
            (place, slots[seat]) for place, seat in enumerate(trick.seats) if seat in slots
        )
        self.tricks_with_hidden_plays.append(
            TrickWithHiddenPlays(
                trick, leader if can_win and self.rules.must_winner_lead else None, slots_by_place
            )
        )

    def _binding_off_suit_plays(self, trick: Trick) -> Iterator[OffSuitPlay]:
        return (
            play
            for play in off_suit_plays_of_trick(trick, self.claims.trick_rules)
            if self.rules.is_binding(play.seq)
        )

    def _shown_after(self, slot: HiddenPlay) -> int:
        """Cards known to have been in the hand after this play."""
        mask = 0
        for one in self.claims.card_claims:
            if one.seat == slot.seat and one.last_trick >= slot.trick:
                for card in one.cards:
                    mask |= CARD_BITS[card]
        return mask

    def _laid_after(self, seat: Seat, trick: int, filled: PlayAssignment) -> int:
        """The cards that leave ``seat`` after this trick: the known ones, or those in its slots."""
        mask = 0
        for slot, card in filled.items():
            if slot.seat == seat and slot.trick > trick:
                mask |= CARD_BITS[card]
        for card, play in self.plays_by_card.items() if not filled else ():
            if play.seat == seat and play.was_held_after(trick):
                mask |= CARD_BITS[card]
        return mask

    def _unseen_cards_by_places(self) -> dict[tuple[int, int], int]:
        """The cards not seen in play, by their places apart from slots and the seats that may hold them."""
        classes: dict[tuple[int, int], int] = {}
        for number in range(PACK_SIZE):
            card = Card(number)
            if card in self.plays_by_card:
                continue
            allowed, mask, seats = self.scenario.allowed_places[card], 0, 0
            for seat in SEATS:
                if allowed & DISCARD_PLACES[seat]:
                    mask |= 1 << seat
                if allowed & HAND_PLACES[seat]:
                    seats |= 1 << seat
            key = (mask | (1 << 6 if allowed & TALON_REST_PLACES else 0), seats)
            classes[key] = classes.get(key, 0) | CARD_BITS[card]
        return classes

    def off_suit_plays_with(self, assignment: PlayAssignment) -> list[OffSuitPlay]:
        """All binding plays that did not follow, those in the slots among them. Raises
        `BudgetExceeded`."""
        self.work.spend(OFF_SUIT_COST)
        found = list(self.off_suit_plays)
        for one in self.tricks_with_hidden_plays:
            found += self._binding_off_suit_plays(one.trick._replace(cards=_complete_trick(one, assignment)))
        return found

    def plays_by_card_with(self, assignment: PlayAssignment) -> dict[Card, CardPlay]:
        """Where and when each card was played."""
        return {
            **self.plays_by_card,
            **{card: CardPlay(slot.seat, slot.trick) for slot, card in assignment.items()},
        }

    def remaining_options(self, assignment: PlayAssignment) -> RemainingOptions | None:
        """What is possible beside ``assignment``; None where nothing is. Raises `BudgetExceeded`."""
        self.work.spend(OPTIONS_COST + OPTIONS_PER_PLAY_COST * len(self.hidden_plays))
        trick_cards = [_complete_trick(one, assignment) for one in self.tricks_with_hidden_plays]
        exclusions = self._exclusions(trick_cards, assignment)
        if exclusions is None or min(self.hand_sizes) < 0:
            return None
        windows = {slot: cards for slot, cards in self.candidates.items() if slot not in assignment}
        if not self._restrict_to_winners(trick_cards, windows):
            return None
        self._restrict_to_suit(trick_cards, assignment, windows)
        assigned = 0
        for card in assignment.values():
            assigned |= CARD_BITS[card]
        classes: dict[int, int] = {}
        for (mask, seats), cards in self.unseen_cards_by_places.items():
            self._classify(classes, mask, seats, cards & ~assigned, exclusions, windows)
        return None if 0 in classes else self._solve_options(classes, windows)

    def _classify(
        self,
        classes: dict[int, int],
        mask: int,
        seats: int,
        cards: int,
        exclusions: SeatExclusions,
        windows: dict[HiddenPlay, int],
    ) -> None:
        """Parts cards by the slots and hands that they may still be in, and puts them among the classes."""
        parts = {mask: cards} if cards else {}
        for seat in SEATS:
            if seats >> seat & 1:
                excluded = 0
                for _, excluded_then in exclusions[seat]:
                    excluded |= excluded_then
                parts = _split_classes(parts, 8 << seat, ~excluded)
        for number, (slot, window) in enumerate(windows.items()):
            if seats >> slot.seat & 1:
                for trick, excluded_then in exclusions[slot.seat]:
                    if trick < slot.trick:
                        window &= ~excluded_then
                parts = _split_classes(parts, 128 << number, window)
        for places, class_cards in parts.items():
            classes[places] = classes.get(places, 0) | class_cards

    def _solve_options(
        self, classes: dict[int, int], windows: dict[HiddenPlay, int]
    ) -> RemainingOptions | None:
        sizes = self.scenario.place_sizes
        self.work.spend(CARD_CLASS_COST * len(classes))
        places_by_class = possible_places(
            classes, (*sizes[:9:3], *self.hand_sizes, sizes[TALON_REST_PLACE], *(1 for _ in windows))
        )
        if places_by_class is None:
            return None
        cards_by_place = [0] * (7 + len(windows))
        for mask, cards in classes.items():
            for place in cards_in_mask(places_by_class[mask]):
                cards_by_place[place] |= cards
        slots = {slot: cards_by_place[7 + number] for number, slot in enumerate(windows)}
        return RemainingOptions(
            slots, tuple(cards_by_place[:3]), tuple(cards_by_place[3:6]), cards_by_place[6]
        )

    def _exclusions(
        self, trick_cards: list[tuple[Card, ...]], filled: PlayAssignment
    ) -> SeatExclusions | None:
        """What the seats cannot have held any more, and since when; None where one played it later."""
        trick_rules = self.claims.trick_rules
        exclusions: SeatExclusions = ([], [], [])
        for play in self.off_suit_plays:
            exclusions[play.seat].append((play.trick, exclusion_by_lead(play.lead, trick_rules).excluded))
        for one, cards in zip(self.tricks_with_hidden_plays, trick_cards, strict=True):
            suit = trick_rules.followers[cards[0]] if CARD_BITS[cards[0]] else 0
            for seat, card, seq in zip(one.trick.seats, cards, one.trick.seqs, strict=True):
                if suit and CARD_BITS[card] and not CARD_BITS[card] & suit and self.rules.is_binding(seq):
                    exclusions[seat].append(
                        (one.trick.number, exclusion_by_lead(cards[0], trick_rules).excluded)
                    )
        for seat in SEATS:
            for trick, excluded in exclusions[seat]:
                later = self._laid_after(seat, trick, {}) | self._laid_after(seat, trick, filled)
                if later & excluded:
                    return None
        return exclusions

    def _restrict_to_winners(
        self, trick_cards: list[tuple[Card, ...]], windows: dict[HiddenPlay, int]
    ) -> bool:
        """Keeps of the open slots what lets the tricks go to those who lead next; False where one cannot."""
        for one, cards in zip(self.tricks_with_hidden_plays, trick_cards, strict=True):
            if one.leader is None:
                continue
            hidden = [slot for _, slot in one.hidden_plays if slot in windows]
            if not hidden and not self._can_win(one.leader, one.trick, cards):
                return False
            if len(hidden) == 1:
                windows[hidden[0]] &= self._winning_cards(one, cards, one.leader)
        return True

    def _restrict_to_suit(
        self, trick_cards: list[tuple[Card, ...]], filled: PlayAssignment, windows: dict[HiddenPlay, int]
    ) -> None:
        """Keeps of the open slots what follows, where the seat certainly held later what compelled it."""
        trick_rules = self.claims.trick_rules
        for one, cards in zip(self.tricks_with_hidden_plays, trick_cards, strict=True):
            for place, slot in one.hidden_plays:
                if not place or slot not in windows or not CARD_BITS[cards[0]] or not self._is_binding(slot):
                    continue
                later = self.held_after[slot] | self._laid_after(slot.seat, slot.trick, filled)
                if exclusion_by_lead(cards[0], trick_rules).excluded & later:
                    windows[slot] &= trick_rules.followers[cards[0]]

    def _is_binding(self, slot: HiddenPlay) -> bool:
        return slot.seq is not None and self.rules.is_binding(slot.seq)

    def _can_win(self, leader: Seat, trick: Trick, cards: tuple[Card, ...]) -> bool:
        """Whether a trick of known cards goes to ``leader``, or nobody knows what wins."""
        return trick_winner(trick.seats, cards, (), self.claims.trick_rules) in (leader, None)

    def _winning_cards(self, one: TrickWithHiddenPlays, cards: tuple[Card, ...], leader: Seat) -> int:
        """The cards that give the trick to ``leader`` in the one place that is open."""
        key = (one.trick.number, cards)
        if key not in self.winning_cards:
            place = next(place for place, card in enumerate(cards) if not CARD_BITS[card])
            mask = 0
            for number in range(PACK_SIZE):
                whole = (*cards[:place], Card(number), *cards[place + 1 :])
                mask |= CARD_BITS[number] if self._can_win(leader, one.trick, whole) else 0
            self.winning_cards[key] = mask
        return self.winning_cards[key]


def _complete_trick(one: TrickWithHiddenPlays, filled: PlayAssignment) -> tuple[Card, ...]:
    """The cards of a trick with what lies in its slots put in."""
    cards = list(one.trick.cards)
    for place, slot in one.hidden_plays:
        card = filled.get(slot)
        if card is not None:
            cards[place] = card
    return tuple(cards)


def _split_classes(parts: dict[int, int], place: int, allowed: int) -> dict[int, int]:
    """Classes parted into those that may be in one more place, and those that may not."""
    split: dict[int, int] = {}
    for places, cards in parts.items():
        inside, outside = cards & allowed, cards & ~allowed
        if inside:
            split[places | place] = inside
        if outside:
            split[places] = outside
    return split
