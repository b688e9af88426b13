"""The exact search: does the declarer reach an end that is asked for, whatever the defenders do as one side?

A question (`engine.solver.questions`) is answered yes or no. Answers are remembered at the beginnings of
tricks, where positions meet that were reached in different ways.

The cards in play are numbered as bits so that a suit lies together from its highest card to its lowest. Two
positions in which the remaining cards of each suit lie in the same hands in the same order count as one, and
of cards next to each other in one hand only the highest is tried (RULES 1, 5).
"""

from typing import Final

from engine.core.cards import CARD_BITS, BySeat, Card, cards_in_mask
from engine.core.ranking import TrickRules
from engine.core.work_budget import WorkBudget
from engine.solver.questions import OPEN, YES, QuestionTable

HandMasks = BySeat[int]
"""A mask for each seat."""

MAX_CARDS: Final = 27
"""Three hands of nine."""
ALL_CARDS: Final = (1 << MAX_CARDS) - 1
KINDS_PER_SUIT: Final = 6
"""Kinds of cards in a suit: three hands, in each the matadors apart."""
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
        groups = _group_suits(sorted(suits, key=lambda suit: suit.bit_count()))
        cards = [
            card
            for group in groups
            for suit in group
            for card in sorted(cards_in_mask(suit), key=lambda one: _count_higher(one, trick_rules))
        ]
        self.place_of = place_of = {card: place for place, card in enumerate(cards)}

        def bits(mask: int) -> int:
            return sum(1 << place_of[card] for card in cards_in_mask(mask & dealt))

        self.hands: HandMasks = (bits(hands[0]), bits(hands[1]), bits(hands[2]))
        self.followers = [bits(trick_rules.followers[card]) for card in cards]
        self.compelling = [bits(trick_rules.compelling[card]) for card in cards]
        self.freeing = [bits(trick_rules.freeing[card]) for card in cards]
        self.beaten_by = [bits(trick_rules.beaten_by[card]) for card in cards]
        self._kinds = [
            KINDS_PER_SUIT * self.followers[place]
            + next(seat for seat, hand in enumerate(hands) if hand & CARD_BITS[card])
            + (3 if CARD_BITS[card] & trick_rules.matadors else 0)
            for place, card in enumerate(cards)
        ]
        # The forms of the cards of each group, each below the heads of its runs, are computed on demand.
        low, middle, high = (sum(suit.bit_count() for suit in group) for group in groups)
        self.low_mask, self.middle_mask = (1 << low) - 1, (1 << middle) - 1
        self.middle_place, self.high_place = low, low + middle
        self.low_forms = [UNKNOWN_FORM] * (1 << low)
        self.middle_forms = [UNKNOWN_FORM] * (1 << middle)
        self.high_forms = [UNKNOWN_FORM] * (1 << high)
        self._first: dict[tuple[int, ...], int] = {}
        trumps = bits(trick_rules.trumps)
        self.trump_place = max((trumps & -trumps).bit_length() - 1, 0)
        self.trump_mask = trumps >> self.trump_place

    def form_of(self, left: int) -> int:
        """The form of the cards that are left, and above it the heads of their runs."""
        low, middle = left & self.low_mask, left >> self.middle_place & self.middle_mask
        high = left >> self.high_place
        form = self.low_forms[low] | self.middle_forms[middle] | self.high_forms[high]
        if form == UNKNOWN_FORM:
            self.low_forms[low] = self._compute_form(low)
            self.middle_forms[middle] = self._compute_form(middle << self.middle_place)
            self.high_forms[high] = self._compute_form(high << self.high_place)
            form = self.low_forms[low] | self.middle_forms[middle] | self.high_forms[high]
        return form

    def run_heads(self, left: int) -> int:
        """The first card of each run."""
        return self.form_of(left) >> MAX_CARDS

    def count_sure_tricks(self, left: int) -> BySeat[int]:
        """The tricks that each seat wins with its trumps, however the cards are played.

        A trump that does not win its trick is beaten by a higher one, which beats only that one of this hand.
        """
        trumps = left & self.trump_mask << self.trump_place
        first, second, third = (_count_unbeaten(trumps, hand) for hand in self.hands)
        return first, second, third

    def _compute_form(self, left: int) -> int:
        kinds: list[int] = []
        heads, rest = 0, left
        while rest:
            place = (rest & -rest).bit_length() - 1
            rest ^= 1 << place
            kind = self._kinds[place]
            if not kinds or kind != kinds[-1]:
                heads |= 1 << place
            kinds.append(kind)
        return self._first.setdefault(tuple(kinds), left) | heads << MAX_CARDS


def _count_unbeaten(trumps: int, hand: int) -> int:
    """The trumps of a hand for which all other hands have too few higher ones."""
    unbeaten = higher = 0
    while trumps:
        trump = trumps & -trumps
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
NEXT_SEAT: Final[tuple[int, ...]] = (1, 2, 0)
"""The next seat in the order of play."""


class DoubleDummySearch:
    """The search of one deal, with the same cards, questions and declarer throughout.

    ``left``: the cards in all hands at the beginning of a trick; ``heads``: the first of each run of them;
    ``question``: a number of the `QuestionTable`. Each answer says whether the declarer has what is asked.
    """

    def __init__(self, layout: BitLayout, questions: QuestionTable, declarer: int, work: WorkBudget) -> None:
        self._work = work
        self._declarer = declarer
        self._hands = layout.hands
        self._suit, self._beats = layout.followers, layout.beaten_by
        self._compelling, self._freeing = layout.compelling, layout.freeing
        self._layout = layout
        self._trump_place, self._trump_mask = layout.trump_place, layout.trump_mask
        self._questions = questions
        self._after = questions.next_question
        self._count = len(questions.tricks_left)
        self._known: dict[int, bool] = {}
        """By position and question."""
        self._by_trumps: list[list[int]] = [[]] * (layout.trump_mask + 1)
        """By the trumps that are left, when they are known: the answers of `QuestionTable.answers_given`."""

    def reaches_at_lead(self, left: int, leader: int, question: int) -> bool:
        """At the lead to a trick. Raises `BudgetExceeded`."""
        if question <= YES:
            return question == YES
        trumps = left >> self._trump_place & self._trump_mask
        answers = self._by_trumps[trumps]
        if not answers:
            answers = self._questions.answers_given(self._layout.count_sure_tricks(left))
            self._by_trumps[trumps] = answers
        answer = answers[question]
        if answer != OPEN:
            return answer == YES
        form = self._layout.form_of(left)
        key = ((form & ALL_CARDS) * 3 + leader) * self._count + question
        known = self._known.get(key)
        if known is None:
            known = self._reaches_by_some_lead(left, form >> MAX_CARDS, leader, question)
            self._known[key] = known
        return known

    def _reaches_by_some_lead(self, left: int, heads: int, leader: int, question: int) -> bool:
        self._work.spend(LEAD_COST)
        declarer_moves = leader == self._declarer
        seat = NEXT_SEAT[leader]
        moves = left & self._hands[leader] & heads
        while moves:
            card = (moves & -moves).bit_length() - 1
            moves ^= 1 << card
            if self.reaches_at_second_card(left, heads, leader, card, seat, question) is declarer_moves:
                return declarer_moves
        return not declarer_moves

    def reaches_at_second_card(
        self, left: int, heads: int, leader: int, lead: int, seat: int, question: int
    ) -> bool:
        """With one card on the table, at place ``lead``, and ``seat`` to play.

        Cards that beat it are tried first.
        """
        declarer_moves = seat == self._declarer
        last = NEXT_SEAT[seat]
        hand = left & self._hands[seat]
        suit = hand & self._suit[lead]
        # What may be played (RULES 5; `engine.core.ranking`), here as below; of each run the first card.
        if suit and (hand & self._compelling[lead] or not hand & self._freeing[lead]):
            hand = suit
        moves = hand & heads
        taking = moves & self._beats[lead]
        moves ^= taking
        left ^= 1 << lead
        while taking:
            card = taking.bit_length() - 1
            bit = 1 << card
            taking ^= bit
            if (
                self.reaches_at_last_card(left ^ bit, heads, lead, card, seat, last, question)
                is declarer_moves
            ):
                return declarer_moves
        while moves:
            card = moves.bit_length() - 1
            bit = 1 << card
            moves ^= bit
            if (
                self.reaches_at_last_card(left ^ bit, heads, lead, lead, leader, last, question)
                is declarer_moves
            ):
                return declarer_moves
        return not declarer_moves

    def reaches_at_last_card(
        self, rest: int, heads: int, lead: int, best: int, holder: int, seat: int, question: int
    ) -> bool:
        """With two cards on the table, the better one at place ``best``, held by ``holder``.

        ``rest``: the cards in the hands.

        Cards that take the trick from the other side are tried first.
        """
        declarer_moves = seat == self._declarer
        hand = rest & self._hands[seat]
        suit = hand & self._suit[lead]
        if suit and (hand & self._compelling[lead] or not hand & self._freeing[lead]):
            hand = suit
        other = hand & heads
        first = other & self._beats[best]
        other ^= first
        winner = seat
        if not declarer_moves and holder != self._declarer:
            first, other, winner, holder = other, first, holder, winner
        follows = self._after[winner][question]
        while first:
            card = 1 << first.bit_length() - 1
            first ^= card
            if self.reaches_at_lead(rest ^ card, winner, follows) is declarer_moves:
                return declarer_moves
        follows = self._after[holder][question]
        while other:
            card = 1 << other.bit_length() - 1
            other ^= card
            if self.reaches_at_lead(rest ^ card, holder, follows) is declarer_moves:
                return declarer_moves
        return not declarer_moves
