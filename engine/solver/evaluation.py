"""What would have happened: the value of every legal card, at a point and through a whole deal."""

from collections.abc import Iterable
from itertools import groupby
from typing import Final, NamedTuple

from engine.core.cards import CARD_BITS, CARD_CODES, Card, Seat, cards_in_mask
from engine.core.events import CardPlayed
from engine.core.field_types import Seq
from engine.core.log import Entry
from engine.core.message import Message, format_message
from engine.core.ranking import playable_cards
from engine.core.work_budget import WorkBudget
from engine.fold import evolve
from engine.judging.game_terms import contract_term, format_chips, outcome_term
from engine.play.findings import seat_term
from engine.play.state import INITIAL_STATE, PLAY, ContractState, State, SurrenderOffer
from engine.play.surrender import forbidden_surrender
from engine.play.tricks import prepare_for_card
from engine.solver.position_value import (
    EndRanks,
    Position,
    PositionValue,
    PositionValuer,
    build_position,
    initial_hands,
    list_missing_facts,
)

VALUER_COST: Final = 3_000
"""Work of finding how a deal can end, and what each end pays."""
INCONSISTENT_HANDS: Final = format_message("hands from which the cards can have been played as they were")


class CardEvaluation(NamedTuple):
    """A legal card and its value."""

    card: Card
    value: PositionValue


class TurnEvaluation(NamedTuple):
    """A point of the play: whose turn it is, every legal card, and the value of the best.

    ``stop_value``: the value of not trying for all nine tricks; None if that is no choice.
    """

    trick: int
    seat: Seat
    choices: tuple[CardEvaluation, ...]
    stop_value: PositionValue | None
    value: PositionValue


class PlayEvaluation(NamedTuple):
    """A card that was played, the point before it, and the value after it.

    ``is_legal``: whether it was a legal card of the seat whose turn it was. After an illegal card the value
    is that of lawful play from there on.
    """

    seq: Seq
    seat: Seat
    card: Card
    is_legal: bool
    turn: TurnEvaluation
    value: PositionValue

    @property
    def cost(self) -> int | None:
        """Chips that the card cost the side that played it, for the defenders both together.

        Negative for an illegal card by which the side gained; None if a rate is not stated.
        """
        before, after = self.turn.value.chips_for_side(self.seat), self.value.chips_for_side(self.seat)
        return None if before is None or after is None else before - after

    @property
    def cost_text(self) -> Message | None:
        """A sentence on what the card cost; None if that is unknown, or a lawful card cost nothing.

        That an illegal card cost nothing is stated too, as directors ask for it.
        """
        if self.cost is None or (self.is_legal and not self.cost):
            return None
        trick, seat, card = self.turn.trick, seat_term(self.seat), CARD_CODES[self.card]
        if self.cost <= 0:
            return self._no_cost_text
        before, after = (value.ends_by_defender[0].outcome for value in (self.turn.value, self.value))
        if before == after:
            return format_message(
                "At trick {trick} {seat} played {card}, which cost {chips}.",
                trick=trick,
                seat=seat,
                card=card,
                chips=format_chips(self.cost),
            )
        return format_message(
            "At trick {trick} {seat} played {card}, which cost {chips}: {after} instead of {before}.",
            trick=trick,
            seat=seat,
            card=card,
            chips=format_chips(self.cost),
            after=outcome_term(after),
            before=outcome_term(before),
        )

    @property
    def _no_cost_text(self) -> Message:
        """What an illegal card brought, or that it cost nothing."""
        trick, seat, card = self.turn.trick, seat_term(self.seat), CARD_CODES[self.card]
        if not self.cost:
            return format_message(
                "At trick {trick} {seat} played {card}, which was not lawful and cost nothing.",
                trick=trick,
                seat=seat,
                card=card,
            )
        return format_message(
            "At trick {trick} {seat} played {card}, which was not lawful and brought {chips}.",
            trick=trick,
            seat=seat,
            card=card,
            chips=format_chips(-self.cost),
        )


class PositionEvaluation(NamedTuple):
    """What the cards are worth at a point; ``turn`` is None if there are ``missing_facts``."""

    turn: TurnEvaluation | None
    missing_facts: tuple[Message, ...]


class DealEvaluation(NamedTuple):
    """A deal's play, card by card, without the plays that need ``missing_facts``."""

    plays: tuple[PlayEvaluation, ...]
    missing_facts: tuple[Message, ...]


class _PlayToEvaluate(NamedTuple):
    """A card about to be played: the state made ready for it, and the position."""

    seq: Seq
    event: CardPlayed
    state: State
    position: Position


def evaluate_position(state: State, work: WorkBudget | None = None) -> PositionEvaluation | None:
    """What every legal card is worth at ``state``; None if no card is to be played there.

    The hands are those that the record shows up to here. A claim, a surrender or a slip is ignored: the cards
    are played on. Raises `BudgetExceeded`.
    """
    work = WorkBudget() if work is None else work
    work.spend(VALUER_COST)
    if state.phase != PLAY:
        return None
    dealt = initial_hands(state)
    missing = (*list_missing_facts(state), *dealt.missing)
    position = None if missing else build_position(state, dealt.hands)
    if position is None:
        return PositionEvaluation(None, missing or (INCONSISTENT_HANDS,))
    valuer = PositionValuer(state, position, work)
    if valuer.unpriced_ends:
        return PositionEvaluation(None, _list_missing_rates(state, valuer))
    point, _ = _evaluate_turn(state, position, valuer, {})
    return PositionEvaluation(point, ())


def evaluate_deal(
    entries: Iterable[Entry], state: State = INITIAL_STATE, work: WorkBudget | None = None
) -> DealEvaluation:
    """What every legal card was worth at each card that was played, and what the card played cost.

    ``entries`` are a history (`engine.effective`) that begins at ``state``. Hands are those that the whole
    record shows, also later than a card. Cards that do not count, after the end or second to a trick, are
    left out. Raises `BudgetExceeded`.
    """
    work = WorkBudget() if work is None else work
    played, end = _list_counted_plays(entries, state)
    dealt = initial_hands(end)
    missing = dict.fromkeys(dealt.missing if played else ())
    turns = []
    for entry, event, before in () if missing else played:
        missing_facts = list_missing_facts(before)
        position = None if missing_facts else build_position(before, dealt.hands)
        if position is None or not position.hands[event.seat] & CARD_BITS[event.card]:
            missing.update(dict.fromkeys(missing_facts or (INCONSISTENT_HANDS,)))
        else:
            turns.append(_PlayToEvaluate(entry.seq, event, before, position))
    plays: list[PlayEvaluation] = []
    for _, group in groupby(turns, key=lambda turn: _contract_terms(turn.state)):
        same = list(group)
        work.spend(VALUER_COST)
        valuer = PositionValuer(same[0].state, same[0].position, work)
        missing.update(dict.fromkeys(_list_missing_rates(same[0].state, valuer)))
        plays += () if valuer.unpriced_ends else _evaluate_plays(same, valuer)
    return DealEvaluation(tuple(plays), tuple(missing))


def _list_counted_plays(
    entries: Iterable[Entry], state: State
) -> tuple[list[tuple[Entry, CardPlayed, State]], State]:
    """The cards that count, each with the state made ready for it; and the last state."""
    found = []
    for entry in entries:
        before, state = state, evolve(state, entry)
        event = entry.event
        if isinstance(event, CardPlayed) and len(state.ending.uncounted_plays) == len(
            before.ending.uncounted_plays
        ):
            found.append((entry, event, prepare_for_card(before, event)))
    return found, state


def _contract_terms(state: State) -> tuple[ContractState, str | None, SurrenderOffer | None]:
    """The contract, the declarer, and whether all nine tricks must be tried for."""
    return state.contract_state, state.ending.slam, forbidden_surrender(state)


def _list_missing_rates(state: State, valuer: PositionValuer) -> tuple[Message, ...]:
    """The ends whose payments would have to be known."""
    contract = contract_term(state, state.contract_state.contract_id or "")
    return tuple(
        format_message(
            "what {contract} pays when it is {outcome}",
            contract=contract,
            outcome=outcome_term(end.outcome),
        )
        for end in valuer.unpriced_ends
    )


def _evaluate_plays(turns: list[_PlayToEvaluate], valuer: PositionValuer) -> list[PlayEvaluation]:
    """The plays of ``turns``, evaluated from the last to the first, so that each builds on the next."""
    plays: list[PlayEvaluation] = []
    later: EndRanks | None = None
    for turn in reversed(turns):
        seat, card, position = turn.event.seat, turn.event.card, turn.position
        if later is None:
            later = valuer.ranks_by_card(position, seat, (card,), {})[card]
        lawful = seat == position.turn and card in _legal_cards(turn.state, position)
        point, best = _evaluate_turn(turn.state, position, valuer, {card: later} if lawful else {})
        plays.append(PlayEvaluation(turn.seq, seat, card, lawful, point, valuer.value_of_ranks(later)))
        later = best
    return plays[::-1]


def _legal_cards(state: State, position: Position) -> tuple[Card, ...]:
    """The legal cards (RULES 5)."""
    lead = position.trick_plays[0][1] if position.trick_plays else None
    return cards_in_mask(playable_cards(position.hands[position.turn], lead, state.play.trick_rules))


def _evaluate_turn(
    state: State, position: Position, valuer: PositionValuer, known: dict[Card, EndRanks]
) -> tuple[TurnEvaluation, EndRanks]:
    """A point and its ranks; ``known``: the ranks of some of the cards."""
    seat, cards = position.turn, _legal_cards(state, position)
    ranks = valuer.ranks_by_card(position, seat, cards, known)
    stop = valuer.stop_ranks(position)
    best = valuer.best_ranks(seat, [*ranks.values(), *([stop] if stop else [])])
    choices = tuple(CardEvaluation(card, valuer.value_of_ranks(ranks[card])) for card in cards)
    stopped = None if stop is None else valuer.value_of_ranks(stop)
    return TurnEvaluation(
        len(state.play.tricks) + 1, seat, choices, stopped, valuer.value_of_ranks(best)
    ), best
