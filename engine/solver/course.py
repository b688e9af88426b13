"""What would have happened: the value of every legal card, at a point and through a whole deal."""

from collections.abc import Iterable
from itertools import groupby
from typing import Final, NamedTuple

from engine.core.cards import BIT, CODES, Card, Seat, cards_in
from engine.core.events import CardPlayed
from engine.core.log import Entry
from engine.core.message import Said, said
from engine.core.ranking import playable
from engine.core.vocabulary import Seq
from engine.core.work_budget import Work
from engine.fold import evolve
from engine.judging.called import chips_called, contract_called, outcome_called
from engine.play.findings import seat_called
from engine.play.state import PLAY, START, Bargain, State, Surrender
from engine.play.surrender import forbidden
from engine.play.tricks import ready
from engine.solver.position import Position, dealt_in, lacking, position_in
from engine.solver.values import Ranks, Value, Valuer

VALUER: Final = 3_000
"""What it costs to find out how a deal can end, and what each end pays."""
DOES_NOT_ADD_UP: Final = said("hands from which the cards can have been played as they were")


class Choice(NamedTuple):
    """A legal card, and what it is worth."""

    card: Card
    value: Value


class Point(NamedTuple):
    """A point of the play: whose turn it is, every legal card, and the value of the best.

    ``stop``: what the declarer has if he does not try for all nine tricks; None where he has no such choice.
    """

    trick: int
    turn: Seat
    choices: tuple[Choice, ...]
    stop: Value | None
    value: Value


class Played(NamedTuple):
    """A card that was played, at which point, and what was left of its value.

    ``lawful``: whether it was one of the legal cards, played by whose turn it was. After one that was not the
    play goes on lawfully, with the hands as they are.
    """

    seq: Seq
    seat: Seat
    card: Card
    lawful: bool
    point: Point
    value: Value

    @property
    def cost(self) -> int | None:
        """Chips that the card cost the side that played it, for the defenders both together.

        Less than nothing for an unlawful card by which the side gained; None where a rate is not stated.
        """
        before, after = self.point.value.chips_of_side(self.seat), self.value.chips_of_side(self.seat)
        return None if before is None or after is None else before - after

    def cost_to(self, seat: Seat) -> int | None:
        """Chips that the card cost one seat, for a defender where his side plays for him to collect."""
        before, after = self.point.value.chips(seat), self.value.chips(seat)
        return None if before is None or after is None else before - after

    @property
    def told(self) -> Said | None:
        """What the card cost, in a sentence; None where nobody knows what, or a lawful card cost nothing.

        Of one that was not lawful it matters that it cost nothing too: that is what a director asks.
        """
        if self.cost is None or (self.lawful and not self.cost):
            return None
        trick, seat, card = self.point.trick, seat_called(self.seat), CODES[self.card]
        if self.cost <= 0:
            return self._cost_nothing
        before, after = (value.ends[0].outcome for value in (self.point.value, self.value))
        if before == after:
            return said(
                "At trick {trick} {seat} played {card}, which cost {chips}.",
                trick=trick,
                seat=seat,
                card=card,
                chips=chips_called(self.cost),
            )
        return said(
            "At trick {trick} {seat} played {card}, which cost {chips}: {after} instead of {before}.",
            trick=trick,
            seat=seat,
            card=card,
            chips=chips_called(self.cost),
            after=outcome_called(after),
            before=outcome_called(before),
        )

    @property
    def _cost_nothing(self) -> Said:
        """What an unlawful card brought, or that it cost nothing."""
        trick, seat, card = self.point.trick, seat_called(self.seat), CODES[self.card]
        if not self.cost:
            return said(
                "At trick {trick} {seat} played {card}, which was not lawful and cost nothing.",
                trick=trick,
                seat=seat,
                card=card,
            )
        return said(
            "At trick {trick} {seat} played {card}, which was not lawful and brought {chips}.",
            trick=trick,
            seat=seat,
            card=card,
            chips=chips_called(-self.cost),
        )


class Answer(NamedTuple):
    """What the cards are worth at a point; ``point`` is None where something is ``missing``."""

    point: Point | None
    missing: tuple[Said, ...]

    @property
    def decided(self) -> bool:
        """Whether all that it takes is known."""
        return self.point is not None


class Course(NamedTuple):
    """A deal's play, card by card; where something is ``missing``, without the plays it takes that for."""

    plays: tuple[Played, ...]
    missing: tuple[Said, ...]

    @property
    def decided(self) -> bool:
        """Whether all that it takes is known, for every card that was played."""
        return not self.missing


class _Turn(NamedTuple):
    """A card about to be played: the state before it, made ready, and the position."""

    seq: Seq
    event: CardPlayed
    state: State
    position: Position


def best_play(state: State, work: Work | None = None) -> Answer | None:
    """What every legal card is worth at ``state``; None where no card is to be played there.

    The hands are known by what the record says up to here. A claim or a surrender on the table, or a slip
    already entered, is left aside: what counts is how the cards would be played on.

    Raises:
        Spent: it takes more ``work`` than was given.
    """
    work = Work() if work is None else work
    work.spend(VALUER)
    if state.phase != PLAY:
        return None
    dealt = dealt_in(state)
    missing = (*lacking(state), *dealt.missing)
    position = None if missing else position_in(state, dealt.hands)
    if position is None:
        return Answer(None, missing or (DOES_NOT_ADD_UP,))
    valuer = Valuer(state, position, work)
    if valuer.unpaid:
        return Answer(None, _rates_missing(state, valuer))
    point, _ = _point(state, position, valuer, {})
    return Answer(point, ())


def best_course(entries: Iterable[Entry], state: State = START, work: Work | None = None) -> Course:
    """What every legal card was worth at every card that was played, and what each of these cost.

    ``entries`` are a history (`engine.effective`), ``state`` is where it begins. Hands are known by all that
    the whole record says, also by what it says later than a card. Cards that do not count, played after the
    end or second to a trick, are left out.

    Raises:
        Spent: it takes more ``work`` than was given.
    """
    work = Work() if work is None else work
    played, end = _played(entries, state)
    dealt = dealt_in(end)
    missing = dict.fromkeys(dealt.missing if played else ())
    turns = []
    for entry, event, before in () if missing else played:
        lacks = lacking(before)
        position = None if lacks else position_in(before, dealt.hands)
        if position is None or not position.hands[event.seat] & BIT[event.card]:
            missing.update(dict.fromkeys(lacks or (DOES_NOT_ADD_UP,)))
        else:
            turns.append(_Turn(entry.seq, event, before, position))
    plays: list[Played] = []
    for _, group in groupby(turns, key=lambda turn: _terms(turn.state)):
        same = list(group)
        work.spend(VALUER)
        valuer = Valuer(same[0].state, same[0].position, work)
        missing.update(dict.fromkeys(_rates_missing(same[0].state, valuer)))
        plays += () if valuer.unpaid else _valued(same, valuer)
    return Course(tuple(plays), tuple(missing))


def _played(entries: Iterable[Entry], state: State) -> tuple[list[tuple[Entry, CardPlayed, State]], State]:
    """The cards that count, each with the state before it as the fold makes it ready; and the last state."""
    found = []
    for entry in entries:
        before, state = state, evolve(state, entry)
        event = entry.event
        if isinstance(event, CardPlayed) and len(state.ending.beyond) == len(before.ending.beyond):
            found.append((entry, event, ready(before, event)))
    return found, state


def _terms(state: State) -> tuple[Bargain, str | None, Surrender | None]:
    """What is played, by whom, and whether he is bound to try for all nine."""
    return state.bargain, state.ending.slam, forbidden(state)


def _rates_missing(state: State, valuer: Valuer) -> tuple[Said, ...]:
    """The ends of which it would have to be known what they pay."""
    contract = contract_called(state, state.bargain.contract_id or "")
    return tuple(
        said(
            "what {contract} pays when it is {outcome}",
            contract=contract,
            outcome=outcome_called(end.outcome),
        )
        for end in valuer.unpaid
    )


def _valued(turns: list[_Turn], valuer: Valuer) -> list[Played]:
    """The plays of ``turns``, worked out from the last to the first: so each rests on what came after it."""
    plays: list[Played] = []
    later: Ranks | None = None
    for turn in reversed(turns):
        seat, card, position = turn.event.seat, turn.event.card, turn.position
        if later is None:
            later = valuer.by_card(position, seat, (card,), {})[card]
        lawful = seat == position.turn and card in _legal(turn.state, position)
        point, best = _point(turn.state, position, valuer, {card: later} if lawful else {})
        plays.append(Played(turn.seq, seat, card, lawful, point, valuer.value(later)))
        later = best
    return plays[::-1]


def _legal(state: State, position: Position) -> tuple[Card, ...]:
    """The legal cards (RULES 5)."""
    lead = position.laid[0][1] if position.laid else None
    return cards_in(playable(position.hands[position.turn], lead, state.play.table))


def _point(state: State, position: Position, valuer: Valuer, known: dict[Card, Ranks]) -> tuple[Point, Ranks]:
    """A point and its ranks; ``known`` is what is known already of some of the cards."""
    seat, cards = position.turn, _legal(state, position)
    ranks = valuer.by_card(position, seat, cards, known)
    stop = valuer.stopping(position)
    best = valuer.best(seat, [*ranks.values(), *([stop] if stop else [])])
    choices = tuple(Choice(card, valuer.value(ranks[card])) for card in cards)
    stopped = None if stop is None else valuer.value(stop)
    return Point(len(state.play.tricks) + 1, seat, choices, stopped, valuer.value(best)), best
