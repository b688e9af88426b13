"""A point of the play with open hands, and how the deal ends with best play of both sides."""

from collections.abc import Callable
from typing import NamedTuple

from engine.core.cards import (
    CARD_BITS,
    HAND_SIZE,
    SEAT_NAMES,
    SEATS,
    Card,
    Seat,
    cards_in_mask,
    codes_in_mask,
)
from engine.core.message import Message, TextList, format_message
from engine.core.ranking import UNKNOWN_TRUMP
from engine.core.work_budget import WorkBudget
from engine.play.findings import player_or_seat
from engine.play.outcomes import CODILLE
from engine.play.state import PLAY, State
from engine.scoring.estuches import hand_at_start_of_play
from engine.solver.double_dummy import BitLayout, DoubleDummySearch, HandMasks
from engine.solver.outcome_order import (
    DealEnd,
    TrickCount,
    build_trick_splits,
    list_ends,
    order_ends,
    trick_count_at,
)
from engine.solver.questions import NO, YES, EndSet, build_question_table, outline_splits

TablePlays = tuple[tuple[Seat, Card], ...]
"""The trick on the table, in the order of play."""


class Position(NamedTuple):
    """A point of the play: the hands, the cards on the table, whose turn it is, the tricks won."""

    hands: HandMasks
    trick_plays: TablePlays
    turn: Seat
    trick_count: TrickCount

    def hands_at_trick_start(self) -> HandMasks:
        """The hands at the beginning of the current trick."""
        hands = list(self.hands)
        for seat, card in self.trick_plays:
            hands[seat] |= CARD_BITS[card]
        return hands[0], hands[1], hands[2]

    def cards_at_trick_start(self) -> tuple[Card, ...]:
        """All cards at the beginning of the current trick."""
        first, second, third = self.hands_at_trick_start()
        return cards_in_mask(first | second | third)


class InitialHands(NamedTuple):
    """The hands with which the play began, as far as the record shows, and what is missing from them."""

    hands: HandMasks
    missing: tuple[Message, ...]


def initial_hands(state: State) -> InitialHands:
    """The hands at the lead to trick 1, by the record up to ``state``."""
    hands = [hand_at_start_of_play(state, seat) for seat in SEATS]
    first, second, third = (mask for mask, _ in hands)
    missing = [
        format_message(
            "{count} of the cards with which {player} began", count=count, player=player_or_seat(state, seat)
        )
        for seat, (mask, whole) in zip(SEATS, hands, strict=True)
        if not whole and (count := max(HAND_SIZE - mask.bit_count(), 1))
    ]
    missing += [
        format_message(
            "a hand of nine, {player} having begun with {count} cards",
            player=player_or_seat(state, seat),
            count=mask.bit_count(),
        )
        for seat, (mask, whole) in zip(SEATS, hands, strict=True)
        if whole and mask.bit_count() != HAND_SIZE
    ]
    duplicates = (first & second) | (first & third) | (second & third)
    if duplicates:
        missing.append(
            format_message(
                "who held {cards}, which the record puts in two hands",
                cards=TextList(codes_in_mask(duplicates)),
            )
        )
    return InitialHands((first, second, third), tuple(missing))


def list_missing_facts(state: State) -> tuple[Message, ...]:
    """What is unknown at a point of the play, besides the hands, and is needed to play on."""
    contract_state, play = state.contract_state, state.play
    found = []
    if not state.opening.rules.is_known:
        found.append(format_message("the rules in force"))
    if contract_state.declarer is None:
        found.append(format_message("the declarer"))
    if contract_state.contract is None:
        found.append(format_message("the contract"))
    if play.trick_rules is UNKNOWN_TRUMP and state.opening.rules.is_known:
        found.append(format_message("the trumps"))
    if state.has_gap:
        found.append(format_message("the entries that are missing before this point"))
    found += [
        format_message("who won trick {trick}", trick=trick.number)
        for trick in play.tricks
        if trick.winner is None
    ]
    return tuple(found)


def build_position(state: State, hands_at_start: HandMasks) -> Position | None:
    """The position at ``state``, a point without missing facts; None if the cards do not add up.

    ``hands_at_start``: the hands at the lead to trick 1.
    """
    play = state.play
    hands = list(hands_at_start)
    trick_plays = tuple(zip(play.seats, play.cards, strict=True))
    earlier_plays = [pair for trick in play.tricks for pair in zip(trick.seats, trick.cards, strict=True)]
    for seat, card in (*earlier_plays, *trick_plays):
        if not hands[seat] & CARD_BITS[card]:
            return None
        hands[seat] ^= CARD_BITS[card]
    left = HAND_SIZE - len(play.tricks)
    sizes = [left - (seat in play.seats) for seat in SEATS]
    if state.phase != PLAY or play.turn is None or [hand.bit_count() for hand in hands] != sizes:
        return None
    return Position((hands[0], hands[1], hands[2]), trick_plays, play.turn, trick_count_at(state))


class PositionValue(NamedTuple):
    """How the deal ends with best play of both sides.

    The declarer plays for the most chips; the defenders, as one side, for the declarer to have the fewest. If
    the defender who makes a codille collects it, the two want different ends of the same cost to the
    declarer: so ``ends_by_defender`` has the end for each defender, in order of play after the declarer, if
    the side plays for that one to collect. Mostly both are the same.
    """

    declarer: Seat
    ends_by_defender: tuple[DealEnd, DealEnd]

    @property
    def agreed_end(self) -> DealEnd | None:
        """How the deal ends; None if that depends on the defender for whom the side plays."""
        first, second = self.ends_by_defender
        return first if first == second else None

    def chips_for_seat(self, seat: Seat) -> int | None:
        """Chips to (+) or from (−) a seat, if defenders play for it to collect; None: not stated."""
        payments = self.ends_by_defender[seat == (self.declarer + 2) % 3].payments
        return None if payments is None else dict(payments)[SEAT_NAMES[seat]]

    def chips_for_side(self, seat: Seat) -> int | None:
        """The same for the side of a seat: the declarer alone, or both defenders together."""
        if seat == self.declarer:
            return self.chips_for_seat(seat)
        payments = self.ends_by_defender[0].payments
        if payments is None:
            return None
        return sum(dict(payments)[SEAT_NAMES[(self.declarer + step) % 3]] for step in (1, 2))


EndRanks = tuple[int, int]
"""The rank of an end in the order of each defender, in order of play after the declarer."""


class PositionValuer:
    """Values the positions of one deal with the same declarer and contract, and remembers what it finds.

    ``unpriced_ends``: possible ends whose payments the ruleset does not state, and whose rank is therefore
    uncertain. A codille is never among them: it costs more than any other end.
    """

    def __init__(self, state: State, position: Position, work: WorkBudget) -> None:
        """For the ``position`` at ``state`` and all that can follow it; ``work`` limits the search."""
        declarer = state.contract_state.declarer
        assert declarer is not None
        splits = build_trick_splits(state)
        ends = list_ends(splits)
        self.unpriced_ends = tuple(end for end in ends if end.payments is None and end.outcome != CODILLE)
        self.declarer = declarer
        first, second = (Seat((declarer + step) % 3) for step in (1, 2))
        self._orders = order_ends(ends, declarer, first), order_ends(ends, declarer, second)
        self._wanted = [_list_wanted(order, ends) for order in self._orders]
        self._splits, self._place_of_count = splits, {count: place for place, count in enumerate(splits)}
        self._questions = build_question_table(
            outline_splits(splits, ends), tuple(dict.fromkeys(self._wanted[0] + self._wanted[1]))
        )
        self._layout = BitLayout(position.hands_at_trick_start(), state.play.trick_rules)
        self._search = DoubleDummySearch(self._layout, self._questions, declarer, work)

    def value_of_ranks(self, end_ranks: EndRanks) -> PositionValue:
        """The value that ranks stand for."""
        first, second = self._orders
        return PositionValue(self.declarer, (first[end_ranks[0]], second[end_ranks[1]]))

    def best_ranks(self, seat: Seat, options: list[EndRanks]) -> EndRanks:
        """The best of ``options`` for the player at ``seat``."""
        choose = max if seat == self.declarer else min
        return choose(first for first, _ in options), choose(second for _, second in options)

    def stop_ranks(self, position: Position) -> EndRanks | None:
        """The ranks if the declarer stops at this lead instead of trying for all nine; None if not open."""
        if position.trick_plays or position.turn != self.declarer:
            return None
        stop_end = self._splits[position.trick_count].stop_end
        if stop_end is None:
            return None
        first, second = self._orders
        return first.index(stop_end), second.index(stop_end)

    def ranks_by_card(
        self, position: Position, seat: Seat, cards: tuple[Card, ...], known: dict[Card, EndRanks]
    ) -> dict[Card, EndRanks]:
        """The ranks of each of ``cards``, played by ``seat``; ``known``: the ranks of some of them.

        Equivalent cards are searched once.
        """
        place_of = self._layout.place_of
        left = sum(1 << place_of[card] for card in position.cards_at_trick_start())
        heads = self._layout.run_heads(left)
        head_of = {card: _lowest_place(heads & -(1 << place_of[card])) for card in (*cards, *known)}
        by_head = {head_of[card]: ranks for card, ranks in known.items()}
        guess = next(iter(known.values()), None)
        for card in cards:
            head = head_of[card]
            if head not in by_head:
                by_head[head] = guess = self._find_ranks(position, left, seat, head, guess)
        return {card: by_head[head_of[card]] for card in cards}

    def _find_ranks(
        self, position: Position, left: int, seat: Seat, card: int, guess: EndRanks | None
    ) -> EndRanks:
        """The ranks of the card at a place."""
        place = self._place_of_count[position.trick_count]
        search = self._build_search(position, left, seat, card)
        answers = {NO: False, YES: True}

        def reaches(wanted: EndSet) -> bool:
            question = self._questions.question_at(place, wanted)
            if question not in answers:
                answers[question] = search(question)
            return answers[question]

        wanted_first, wanted_second = self._wanted
        first = _find_rank(reaches, wanted_first, guess[0] if guess else len(wanted_first) // 2)
        return first, _find_rank(reaches, wanted_second, guess[1] if guess else first)

    def _build_search(self, position: Position, left: int, seat: Seat, card: int) -> Callable[[int], bool]:
        """The search for the answer to a question, after the card at a place."""
        search = self._search
        place_of, beats = self._layout.place_of, self._layout.beaten_by
        plays = [(player, place_of[one]) for player, one in position.trick_plays] + [(seat, card)]
        lead, heads, follows = plays[0][1], self._layout.run_heads(left), (seat + 1) % 3
        if len(plays) == 1:
            return lambda question: search.reaches_at_second_card(left, heads, seat, card, follows, question)
        holder, best = plays[0]
        for player, one in plays[1:]:
            if beats[best] >> one & 1:
                holder, best = player, one
        rest = left - sum(1 << one for _, one in plays)
        if len(plays) == 3:
            after = self._questions.next_question[holder]
            return lambda question: search.reaches_at_lead(rest, holder, after[question])
        last = Seat(3 - seat - plays[0][0])
        return lambda question: search.reaches_at_last_card(rest, heads, lead, best, holder, last, question)


def _lowest_place(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def _list_wanted(order: tuple[DealEnd, ...], ends: tuple[DealEnd, ...]) -> list[EndSet]:
    """For each rank in an order, the ends of this rank or a higher one."""
    bits = [1 << ends.index(end) for end in order]
    return [sum(bits[rank:]) for rank in range(len(bits))]


def _find_rank(reaches: Callable[[EndSet], bool], wanted: list[EndSet], guess: int) -> int:
    """The highest rank that the declarer reaches, searched from ``guess`` outwards."""
    rank = guess
    while rank and not reaches(wanted[rank]):
        rank -= 1
    while rank == guess and guess + 1 < len(wanted) and reaches(wanted[guess + 1]):
        rank = guess = guess + 1
    return rank
