"""The exact search: does the declarer reach an end that is asked for, whatever the defenders do as one side?

A question (`engine.solver.questions`) is answered yes or no. Answers are remembered at the beginnings of
tricks, where positions meet that were reached in different ways.

The cards in play are numbered as bits so that a suit lies together from its lowest card to its highest. Two
positions in which the remaining cards of each suit lie in the same hands in the same order count as one, and
of cards next to each other in one hand only the highest is tried (RULES 1, 5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.core.cards import CARD_BITS, BySeat, Card, cards_in_mask
from engine.core.ranking import TrickRules
from engine.core.work_budget import WorkBudget
from engine.solver.questions import OPEN, YES, QuestionTable

if TYPE_CHECKING:
    from mypy_extensions import i64  # an int that the compiled engine keeps in a register

HandMasks = BySeat[int]
"""A mask for each seat."""

KINDS_PER_SUIT: Final = 6
"""Kinds of cards in a suit: three hands, in each the matadors apart."""
KIND_BITS: Final = 5
"""Enough for the kinds of all suits."""
UNKNOWN_FORM: Final = -1


class BitLayout:
    """The cards of three hands, each with a *place* (the number of its bit), and their order of play.

    ``place_of``: the place of each card; ``hands``: who holds what at the beginning; ``followers``,
    ``compelling``, ``freeing`` and ``beaten_by``: `engine.core.ranking.TrickRules` by place.

    The *form* of a set of cards is the same for all in which each suit lies in the same hands in the same
    order. A *run* is made of cards next to each other in one hand, and its *head* is the highest of them. No
    matador is in a run with a lower trump, as only the lower one compels (RULES 5).
    """

    def __init__(self, hands: HandMasks, trick_rules: TrickRules) -> None:
        """For three ``hands``, masks of the pack's cards of which none is in two hands."""
        dealt = hands[0] | hands[1] | hands[2]
        suits = {trick_rules.followers[card] & dealt for card in cards_in_mask(dealt)}
        groups = _group_suits(sorted(suits, key=lambda suit: suit.bit_count()))[::-1]
        cards = [
            card
            for group in groups
            for suit in group
            for card in sorted(cards_in_mask(suit), key=lambda one: -_count_higher(one, trick_rules))
        ]
        self.place_of = place_of = {card: place for place, card in enumerate(cards)}

        def bits(mask: int) -> int:
            return sum(1 << place_of[card] for card in cards_in_mask(mask & dealt))

        self.hands: HandMasks = (bits(hands[0]), bits(hands[1]), bits(hands[2]))
        self.followers = [bits(trick_rules.followers[card]) for card in cards]
        self.compelling = [bits(trick_rules.compelling[card]) for card in cards]
        self.freeing = [bits(trick_rules.freeing[card]) for card in cards]
        self.beaten_by = [bits(trick_rules.beaten_by[card]) for card in cards]
        suit_number = {suit: number for number, suit in enumerate(dict.fromkeys(self.followers))}
        self._kinds = [
            KINDS_PER_SUIT * suit_number[self.followers[place]]
            + next(seat for seat, hand in enumerate(hands) if hand & CARD_BITS[card])
            + (3 if CARD_BITS[card] & trick_rules.matadors else 0)
            for place, card in enumerate(cards)
        ]
        # The forms of the cards of each group, and the heads of their runs, are computed on demand.
        low, middle, high = (sum(suit.bit_count() for suit in group) for group in groups)
        self._low_mask: i64 = (1 << low) - 1
        self._middle_mask: i64 = (1 << middle) - 1
        self._middle_place: i64 = low
        self._high_place: i64 = low + middle
        self._low_forms = [UNKNOWN_FORM] * (1 << low)
        self._middle_forms = [UNKNOWN_FORM] * (1 << middle)
        self._high_forms = [UNKNOWN_FORM] * (1 << high)
        self._low_heads = [0] * (1 << low)
        self._middle_heads = [0] * (1 << middle)
        self._high_heads = [0] * (1 << high)
        self._first: dict[int, int] = {}
        """By the kinds of some cards, from the highest on, the first such cards."""
        trumps = bits(trick_rules.trumps)
        self.trump_place = max((trumps & -trumps).bit_length() - 1, 0)
        self.trump_mask = trumps >> self.trump_place

    def form_of(self, left: i64) -> i64:
        """The form of the cards that are left."""
        low: i64 = left & self._low_mask
        middle: i64 = left >> self._middle_place & self._middle_mask
        high: i64 = left >> self._high_place
        low_form: i64 = self._low_forms[low]
        middle_form: i64 = self._middle_forms[middle]
        high_form: i64 = self._high_forms[high]
        form = low_form | middle_form | high_form
        if form != UNKNOWN_FORM:
            return form
        self._low_forms[low], self._low_heads[low] = self._compute_form(low)
        middle_cards, high_cards = middle << self._middle_place, high << self._high_place
        self._middle_forms[middle], self._middle_heads[middle] = self._compute_form(middle_cards)
        self._high_forms[high], self._high_heads[high] = self._compute_form(high_cards)
        return self.form_of(left)

    def run_heads(self, left: i64) -> i64:
        """The highest card of each run."""
        self.form_of(left)  # finds them too
        low: i64 = self._low_heads[left & self._low_mask]
        middle: i64 = self._middle_heads[left >> self._middle_place & self._middle_mask]
        high: i64 = self._high_heads[left >> self._high_place]
        return low | middle | high

    def count_sure_tricks(self, left: int) -> BySeat[int]:
        """The tricks that each seat wins with its trumps, however the cards are played.

        A trump that does not win its trick is beaten by a higher one, which beats only that one of this hand.
        """
        trumps = left & self.trump_mask << self.trump_place
        first, second, third = (_count_unbeaten(trumps, hand) for hand in self.hands)
        return first, second, third

    def _compute_form(self, left: int) -> tuple[int, int]:
        """The form of some cards, and the heads of their runs."""
        kinds, heads, rest, kind_above = 1, 0, left, -1
        while rest:
            place = rest.bit_length() - 1
            rest ^= 1 << place
            kind = self._kinds[place]
            if kind != kind_above:
                heads |= 1 << place
            kinds = kinds << KIND_BITS | kind
            kind_above = kind
        return self._first.setdefault(kinds, left), heads


def _count_unbeaten(trumps: int, hand: int) -> int:
    """The trumps of a hand for which all other hands have too few higher ones."""
    unbeaten = higher = 0
    while trumps:
        trump = 1 << trumps.bit_length() - 1
        trumps ^= trump
        if not hand & trump:
            higher += 1
        elif higher:
            higher -= 1
        else:
            unbeaten += 1
    return unbeaten


def _count_higher(card: Card, trick_rules: TrickRules) -> int:
    return (trick_rules.beaten_by[card] & trick_rules.followers[card]).bit_count()


def _group_suits(suits: list[int]) -> list[list[int]]:
    """Three groups of suits with few cards in the largest; ``suits`` are sorted by length."""
    groups = [*([suit] for suit in suits), [], [], []]
    while len(groups) > 3:
        groups.sort(key=lambda group: sum(suit.bit_count() for suit in group))
        groups[:2] = [groups[0] + groups[1]]
    return groups


LEAD_COST: Final = 6
"""Work of searching a lead."""


def _seat_after(seat: i64) -> i64:
    return 0 if seat == 2 else seat + 1


class DoubleDummySearch:
    """The search of one deal, with the same cards, questions and declarer throughout.

    ``left``: the cards in all hands at the beginning of a trick; ``heads``: the highest of each run of them;
    ``question``: a number of the `QuestionTable`. Each answer says whether the declarer has what is asked.
    """

    def __init__(self, layout: BitLayout, questions: QuestionTable, declarer: int, work: WorkBudget) -> None:
        self._work = work
        self._declarer: i64 = declarer
        self._hands = list(layout.hands)
        self._suit, self._beats = layout.followers, layout.beaten_by
        self._compelling, self._freeing = layout.compelling, layout.freeing
        self._layout = layout
        self._trump_place: i64 = layout.trump_place
        self._trump_mask: i64 = layout.trump_mask
        self._questions = questions
        self._after = list(questions.next_question)
        self._count: i64 = len(questions.tricks_left)
        self._known: dict[int, bool] = {}
        """By position and question."""
        self._by_trumps: list[list[int]] = [[]] * (layout.trump_mask + 1)
        """By the trumps that are left, when they are known: the answers of `QuestionTable.answers_given`."""

    def reaches_at_lead(self, left: i64, leader: i64, question: i64) -> bool:
        """At the lead to a trick. Raises `BudgetExceeded`."""
        if question <= YES:
            return question == YES
        trumps = left >> self._trump_place & self._trump_mask
        answers = self._by_trumps[trumps]
        if not answers:
            answers = self._questions.answers_given(self._layout.count_sure_tricks(left))
            self._by_trumps[trumps] = answers
        answer: i64 = answers[question]
        if answer != OPEN:
            return answer == YES
        key: int = (self._layout.form_of(left) * 3 + leader) * self._count + question
        known = self._known.get(key)
        if known is None:
            known = self._reaches_by_some_lead(left, leader, question)
            self._known[key] = known
        return known

    def _reaches_by_some_lead(self, left: i64, leader: i64, question: i64) -> bool:
        self._work.spend(LEAD_COST)
        declarer_moves = leader == self._declarer
        seat = _seat_after(leader)
        heads = self._layout.run_heads(left)
        moves: int = left & self._hands[leader] & heads
        while moves:
            card = moves.bit_length() - 1
            moves ^= 1 << card
            if self.reaches_at_second_card(left, heads, leader, card, seat, question) is declarer_moves:
                return declarer_moves
        return not declarer_moves

    def reaches_at_second_card(
        self, left: i64, heads: i64, leader: i64, lead: i64, seat: i64, question: i64
    ) -> bool:
        """With one card on the table, at place ``lead``, and ``seat`` to play.

        Cards that beat it are tried first.
        """
        declarer_moves = seat == self._declarer
        last = 3 - leader - seat
        hand: i64 = self._hands[seat]
        hand &= left
        suit: i64 = self._suit[lead]
        # What may be played (RULES 5; `engine.core.ranking`), here as below; of each run the highest card.
        if suit & hand and (hand & self._compelling[lead] or not hand & self._freeing[lead]):
            hand &= suit
        beats: i64 = self._beats[lead]
        moves = hand & heads & ~beats
        taking: int = hand & heads & beats
        left ^= 1 << lead
        while taking:
            card = (taking & -taking).bit_length() - 1
            taking &= taking - 1
            if (
                self.reaches_at_last_card(left ^ 1 << card, heads, lead, card, seat, last, question)
                is declarer_moves
            ):
                return declarer_moves
        while moves:
            bit = moves & -moves
            moves ^= bit
            if (
                self.reaches_at_last_card(left ^ bit, heads, lead, lead, leader, last, question)
                is declarer_moves
            ):
                return declarer_moves
        return not declarer_moves

    def reaches_at_last_card(
        self, rest: i64, heads: i64, lead: i64, best: i64, holder: i64, seat: i64, question: i64
    ) -> bool:
        """With two cards on the table, the better one at place ``best``, held by ``holder``.

        ``rest``: the cards in the hands.

        Cards that take the trick from the other side are tried first.
        """
        declarer_moves = seat == self._declarer
        hand: i64 = self._hands[seat]
        hand &= rest
        suit: i64 = self._suit[lead]
        if suit & hand and (hand & self._compelling[lead] or not hand & self._freeing[lead]):
            hand &= suit
        hand &= heads
        beats: i64 = self._beats[best]
        first, other, winner = hand & beats, hand & ~beats, seat
        if not declarer_moves and holder != self._declarer:
            first, other, winner, holder = other, first, holder, winner
        follows: i64 = self._after[winner][question]
        while first:
            card = first & -first
            first ^= card
            if self.reaches_at_lead(rest ^ card, winner, follows) is declarer_moves:
                return declarer_moves
        follows = self._after[holder][question]
        while other:
            card = other & -other
            other ^= card
            if self.reaches_at_lead(rest ^ card, holder, follows) is declarer_moves:
                return declarer_moves
        return not declarer_moves
