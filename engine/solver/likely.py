"""What would have happened where hands are hidden: best play over the lawful deals that agree with a record.

In each deal both sides play as well as they can with all hands open, so a share tells in how many deals a
card *leads* to an end, and not what somebody who sees his own hand alone would best play. Each complete deal
counts once (`engine.inference.drawing`): what a bid or a discard promises of a hand does not count.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple

from engine.core.cards import CODES, SEATS, Card, Seat, cards_in
from engine.core.events import CardPlayed, HandDealt, HandHeld
from engine.core.log import Entry, Log
from engine.core.message import Said, said
from engine.core.vocabulary import Seq
from engine.core.work_budget import Spent, Work
from engine.fold import cost_of, fold_all
from engine.inference.cases import case_of
from engine.inference.claims import claims_of
from engine.inference.drawing import Drawn, Held, drawn_deals
from engine.judging.called import chips_called
from engine.play.findings import seat_called
from engine.play.outcomes import WON
from engine.play.state import PLAY, State, start
from engine.solver.course import Played, Point, best_course, best_play
from engine.solver.position import lacking
from engine.solver.values import Value

DEALS: Final = 100
"""So many deals are drawn, unless told otherwise."""
STEPS: Final = 3_000
"""So many steps the deals are searched for and counted where plays are hidden: some seconds at most."""
MOST_ADDED: Final = 9_999
"""So many chips at most are told as they add up over all deals; of more the average says more."""
NO_DEAL: Final = said("a lawful deal that agrees with the record")
NOT_COUNTED: Final = said("entries, or cards, so few of which are hidden that the deals can be counted")
TOO_LONG: Final = said("a point of the play at which best play can be worked out in time")
NO_TURN: Final = said("whose turn it is, which hangs on a hidden card")


class Share(NamedTuple):
    """How a deal ends, and in how many of the deals that were looked at it does."""

    outcome: str
    slam: str | None
    deals: int


class Outlook(NamedTuple):
    """What a card comes to; ``card`` is None for stopping instead of trying for all nine tricks.

    ``deals``: in how many it is legal; ``best``: in how many of these no other is worth more; ``ends``: how
    they end then, the most frequent first; ``chips``: what the side whose turn it is has of it in one deal,
    on average (None: not stated of some end). Where a kodille's maker collects alone, the side plays for the
    next defender after the declarer.
    """

    card: Card | None
    deals: int
    best: int
    ends: tuple[Share, ...]
    chips: Fraction | None


class LikelyPoint(NamedTuple):
    """A point of the play over the deals: whose turn it is, and every card that is legal in one of them."""

    trick: int
    turn: Seat
    choices: tuple[Outlook, ...]
    stop: Outlook | None


class LikelyPlayed(NamedTuple):
    """A card that was played, over the deals.

    ``costs``: what it cost its side, in chips, and in how many deals it cost that (less than nothing where an
    unlawful card gained), deals of which it is not stated left out; ``before`` and ``after``: how the deals
    end by the best card, and by this one.
    """

    seq: Seq
    trick: int
    seat: Seat
    card: Card
    costs: tuple[tuple[int, int], ...]
    before: tuple[Share, ...]
    after: tuple[Share, ...]

    @property
    def dear(self) -> int:
        """In how many deals it cost something."""
        return _added(self.costs).deals

    @property
    def told(self) -> Said:
        """What it came to, in sentences; what it cost, and what it brought, is added up or averaged."""
        deals = sum(one.deals for one in self.after)
        told = said(
            "At trick {trick} {seat} played {card}: so the declarer wins {after} of {deals} deals, by the "
            "best card {before}.",
            trick=self.trick,
            seat=seat_called(self.seat),
            card=CODES[self.card],
            after=_won(self.after),
            before=_won(self.before),
            deals=deals,
        )
        cost, gain = _added(self.costs), _added((-cost, deals) for cost, deals in self.costs)
        if self.costs and self.costs[0][1] == deals > 1 and cost.deals:
            # All deals are alike in this.
            lost = said("In all of them it cost {chips}.", chips=chips_called(self.costs[0][0]))
            told = said("{sentence} {another}", sentence=told, another=lost)
        elif cost.deals:
            told = said("{sentence} {another}", sentence=told, another=_lost(cost))
        if gain.deals:
            told = said("{sentence} {another}", sentence=told, another=_gained(gain))
        return told


class _Added(NamedTuple):
    """In how many deals it was chips that changed hands, and how many in all."""

    deals: int
    chips: int

    @property
    def called(self) -> Said:
        """All of them."""
        return chips_called(self.chips)

    @property
    def average(self) -> Said:
        """How many in one of these deals, to a tenth."""
        whole, tenth = divmod(round(Fraction(10 * self.chips, self.deals)), 10)
        if not tenth:
            return chips_called(whole)
        return said("{whole}.{tenth} chips", whole=whole, tenth=tenth)


def _added(costs: Iterable[tuple[int, int]]) -> _Added:
    """What is more than nothing, added up."""
    more = [(chips, deals) for chips, deals in costs if chips > 0]
    return _Added(sum(deals for _, deals in more), sum(chips * deals for chips, deals in more))


def _lost(cost: _Added) -> Said:
    """What a card cost in those deals in which it cost something."""
    if cost.chips > MOST_ADDED:
        return said("In {deals} it cost something: {chips} on average.", deals=cost.deals, chips=cost.average)
    return said("In {deals} it cost something: {chips} in all.", deals=cost.deals, chips=cost.called)


def _gained(gain: _Added) -> Said:
    """What a card brought in those deals in which it brought something."""
    if gain.chips > MOST_ADDED:
        return said(
            "In {deals} it brought something: {chips} on average.", deals=gain.deals, chips=gain.average
        )
    return said("In {deals} it brought something: {chips} in all.", deals=gain.deals, chips=gain.called)


class Looked(NamedTuple):
    """The deals that were looked at.

    ``deals``: how many; ``whole``: whether these are all that agree with the record, else they were drawn by
    chance from ``total``; ``seed``: by which they were drawn; ``even``: each was as likely as any other, else
    nearly, and ``total`` is about so many.
    """

    deals: int
    whole: bool
    total: int
    seed: int
    even: bool


class LikelyAnswer(NamedTuple):
    """What the cards come to at a point; ``point`` is None where something is ``missing``."""

    point: LikelyPoint | None
    looked: Looked | None
    missing: tuple[Said, ...]


class LikelyCourse(NamedTuple):
    """What the cards that were played cost; none of them where something is ``missing``."""

    plays: tuple[LikelyPlayed, ...]
    looked: Looked | None
    missing: tuple[Said, ...]


def likely_play(
    entries: Log, state: State, seed: int, deals: int = DEALS, steps: int = STEPS, work: Work | None = None
) -> LikelyAnswer | None:
    """What every card comes to at ``state``, the fold of ``entries``; None where no card is to be played.

    So many ``deals`` are drawn by ``seed``, always the same, or all are taken where there are no more. What
    counts is what ``entries`` tell, up to this point. ``steps`` bounds the search among hidden plays, and
    ``work`` all that is done.
    """
    if state.phase != PLAY:
        return None
    work = Work() if work is None else work
    try:
        drawn, missing = _drawn(entries, state, seed, deals, steps, work)
        if drawn is None:
            return LikelyAnswer(None, None, missing)
        return _played_on(entries, state, drawn, seed, work)
    except Spent:
        return LikelyAnswer(None, None, (TOO_LONG,))


def _played_on(entries: Log, state: State, drawn: Drawn, seed: int, work: Work) -> LikelyAnswer:
    """What every card comes to at a point, over the deals drawn. Raises `Spent`."""
    points: list[tuple[Point, int]] = []
    for one in drawn.held:
        work.spend(cost_of(len(entries)))
        answer = best_play(fold_all(_completed(entries, one), start(state.opening.book)), work)
        if answer is None or answer.point is None:
            return LikelyAnswer(None, None, (NO_TURN,) if answer is None else answer.missing)
        points.append((answer.point, one.weight))
    if len({point.turn for point, _ in points}) > 1:
        return LikelyAnswer(None, None, (NO_TURN,))
    return LikelyAnswer(_together(points), _looked(drawn, seed), ())


def likely_course(
    entries: Log, state: State, seed: int, deals: int = DEALS, steps: int = STEPS, work: Work | None = None
) -> LikelyCourse:
    """What each card that was played cost, over deals that agree with all that ``entries`` tell, also later.

    ``state`` is the fold of ``entries``; deals are drawn as by `likely_play`.
    """
    work = Work() if work is None else work
    try:
        drawn, missing = _drawn(entries, state, seed, deals, steps, work)
        if drawn is None:
            return LikelyCourse((), None, missing)
        return _course_of(entries, state, drawn, seed, work)
    except Spent:
        return LikelyCourse((), None, (TOO_LONG,))


def _course_of(entries: Log, state: State, drawn: Drawn, seed: int, work: Work) -> LikelyCourse:
    """What each card that was played cost, over the deals drawn. Raises `Spent`."""
    plays: dict[Seq, list[tuple[Played, int]]] = {}
    for one in drawn.held:
        work.spend(cost_of(len(entries)))
        course = best_course(_completed(entries, one), start(state.opening.book), work)
        if course.missing:
            return LikelyCourse((), None, course.missing)
        for played in course.plays:
            plays.setdefault(played.seq, []).append((played, one.weight))
    return LikelyCourse(tuple(map(_played, plays.values())), _looked(drawn, seed), ())


def _drawn(
    entries: Log, state: State, seed: int, deals: int, steps: int, work: Work
) -> tuple[Drawn | None, tuple[Said, ...]]:
    """The deals, or what is missing for them."""
    # Who won a trick may hang on a hidden card, which a complete deal tells.
    missing = lacking(state._replace(play=state.play._replace(tricks=())))
    if missing:
        return None, missing
    drawn = drawn_deals(case_of(claims_of(entries, state), work), seed, deals, steps)
    if drawn is None:
        return None, (NOT_COUNTED,)
    return (drawn, ()) if drawn.held else (None, (NO_DEAL,))


def _looked(drawn: Drawn, seed: int) -> Looked:
    return Looked(drawn.weight, drawn.whole, drawn.total, seed, drawn.even)


def _completed(entries: Log, held: Held) -> Log:
    """The record with the cards of one deal: its hidden plays, and the hands with which play begins."""
    whole = [_with_card(entry, held.plays) for entry in entries]
    plays = (place for place, entry in enumerate(whole) if isinstance(entry.event, CardPlayed))
    first = next(plays, len(whole))
    hands = [Entry(0, HandHeld(seat, cards_in(held.hands[seat]))) for seat in SEATS]
    # What is stated of hands later tells nothing more, and may tell less.
    later = (entry for entry in whole[first:] if not isinstance(entry.event, (HandDealt, HandHeld)))
    return (*whole[:first], *hands, *later)


def _with_card(entry: Entry, plays: Mapping[Seq, Card]) -> Entry:
    event = entry.event
    if entry.seq not in plays or not isinstance(event, CardPlayed):
        return entry
    return entry._replace(event=replace(event, card=plays[entry.seq]))


def _together(points: list[tuple[Point, int]]) -> LikelyPoint:
    """The same point in several deals, each with its weight."""
    first, _ = points[0]
    of_card: dict[Card, list[tuple[Value, bool, int]]] = {}
    stops: list[tuple[Value, bool, int]] = []
    for point, weight in points:
        best = point.value.ends
        for choice in point.choices:
            of_card.setdefault(choice.card, []).append((choice.value, choice.value.ends == best, weight))
        if point.stop is not None:
            stops.append((point.stop, point.stop.ends == best, weight))
    choices = tuple(_outlook(card, first.turn, of_card[card]) for card in sorted(of_card))
    return LikelyPoint(first.trick, first.turn, choices, _outlook(None, first.turn, stops) if stops else None)


def _outlook(card: Card | None, turn: Seat, values: list[tuple[Value, bool, int]]) -> Outlook:
    deals = sum(weight for _, _, weight in values)
    chips = [
        None if (had := value.chips_of_side(turn)) is None else had * weight for value, _, weight in values
    ]
    known = [had for had in chips if had is not None]
    return Outlook(
        card,
        deals,
        sum(weight for _, is_best, weight in values if is_best),
        _shares((value, weight) for value, _, weight in values),
        Fraction(sum(known), deals) if len(known) == len(chips) else None,
    )


def _played(over: list[tuple[Played, int]]) -> LikelyPlayed:
    """The same card played in several deals, each with its weight."""
    first, _ = over[0]
    costs: Counter[int] = Counter()
    for played, weight in over:
        if played.cost is not None:
            costs[played.cost] += weight
    return LikelyPlayed(
        first.seq,
        first.point.trick,
        first.seat,
        first.card,
        tuple(sorted(costs.items())),
        _shares((played.point.value, weight) for played, weight in over),
        _shares((played.value, weight) for played, weight in over),
    )


def _shares(values: Iterable[tuple[Value, int]]) -> tuple[Share, ...]:
    """How deals end, the most frequent end first."""
    counts: Counter[tuple[str, str | None]] = Counter()
    for value, weight in values:
        counts[value.ends[0].outcome, value.ends[0].slam] += weight
    return tuple(Share(outcome, slam, deals) for (outcome, slam), deals in counts.most_common())


def _won(shares: tuple[Share, ...]) -> int:
    return sum(one.deals for one in shares if one.outcome == WON)
