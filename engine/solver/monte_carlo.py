"""Best play where hands are hidden: over the lawful deals that agree with a record.

In each deal both sides play their best with all hands open, so a share says in how many deals a card *leads*
to an end, not how somebody who sees one hand should play. Each complete deal counts once
(`engine.inference.sampling`): what a bid or a discard suggests of a hand does not count.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple

from engine.core.cards import CARD_CODES, SEATS, Card, Seat, cards_in_mask
from engine.core.events import CardPlayed, HandDealt, HandHeld
from engine.core.field_types import Seq
from engine.core.log import Entry, Log
from engine.core.message import Message, format_message
from engine.core.work_budget import BudgetExceeded, WorkBudget
from engine.fold import fold_all, folding_cost
from engine.inference.claims import collect_claims
from engine.inference.inference_case import build_case
from engine.inference.sampling import DealSample, SampledDeal, sample_deals
from engine.judging.game_terms import format_chips
from engine.play.findings import seat_term
from engine.play.outcomes import WON
from engine.play.state import PLAY, State, initial_state
from engine.solver.evaluation import PlayEvaluation, TurnEvaluation, evaluate_deal, evaluate_position
from engine.solver.position_value import PositionValue, list_missing_facts

DEFAULT_SAMPLE_SIZE: Final = 100
"""The number of deals drawn."""
DEFAULT_SAMPLE_STEPS: Final = 3_000
"""Limit on the steps of the search among hidden plays: some seconds at most."""
MAX_CHIPS_TOTAL: Final = 9_999
"""The most chips reported as a total over all deals; above it the average is clearer."""
NO_CONSISTENT_DEAL: Final = format_message("a lawful deal that agrees with the record")
TOO_MUCH_HIDDEN: Final = format_message("few enough hidden entries or cards to count the deals")
TOO_EXPENSIVE: Final = format_message("a point of the play at which best play can be worked out in time")
TURN_UNKNOWN: Final = format_message("whose turn it is, which depends on a hidden card")


class OutcomeShare(NamedTuple):
    """How a deal ends, and in how many deals of the sample."""

    outcome: str
    slam: str | None
    deals: int


class CardEstimate(NamedTuple):
    """What a card leads to; ``card`` is None for stopping instead of trying for all nine tricks.

    ``deal_count``: in how many deals it is legal; ``best_count``: in how many of these no other card is worth
    more; ``ends``: how they end, the most frequent first; ``average_chips``: what the side whose turn it is
    gets in one deal, on average (None: some end has no stated payments). If a codille's maker collects alone,
    the side plays for the next defender after the declarer.
    """

    card: Card | None
    deal_count: int
    best_count: int
    ends: tuple[OutcomeShare, ...]
    average_chips: Fraction | None


class TurnEstimate(NamedTuple):
    """A point of the play over the deals: whose turn it is, and every card that is legal in one of them."""

    trick: int
    seat: Seat
    choices: tuple[CardEstimate, ...]
    stop_estimate: CardEstimate | None


class PlayEstimate(NamedTuple):
    """A card that was played, over the deals.

    ``costs``: chips that it cost its side (negative if an illegal card gained), each with the number of
    deals; deals without stated payments are left out. ``ends_of_best_card`` and ``ends_of_card``: how the
    deals end by the best card, and by this one. ``turn``: the point before it, with every legal card.
    """

    seq: Seq
    trick: int
    seat: Seat
    card: Card
    costs: tuple[tuple[int, int], ...]
    ends_of_best_card: tuple[OutcomeShare, ...]
    ends_of_card: tuple[OutcomeShare, ...]
    turn: TurnEstimate

    @property
    def costly_deals(self) -> int:
        """In how many deals it cost something."""
        return _sum_positive(self.costs).deals

    @property
    def cost_text(self) -> Message:
        """Sentences on the wins, and on what the card cost and brought in all or on average."""
        deals = sum(one.deals for one in self.ends_of_card)
        text = format_message(
            "At trick {trick} {seat} played {card}: with it the declarer wins {after} of {deals} "
            "deals, with the best card {before}.",
            trick=self.trick,
            seat=seat_term(self.seat),
            card=CARD_CODES[self.card],
            after=_count_wins(self.ends_of_card),
            before=_count_wins(self.ends_of_best_card),
            deals=deals,
        )
        cost, gain = _sum_positive(self.costs), _sum_positive((-cost, deals) for cost, deals in self.costs)
        if self.costs and self.costs[0][1] == deals > 1 and cost.deals:
            # All deals are alike in this.
            loss = format_message("In all of them it cost {chips}.", chips=format_chips(self.costs[0][0]))
            text = format_message("{sentence} {another}", sentence=text, another=loss)
        elif cost.deals:
            text = format_message("{sentence} {another}", sentence=text, another=_describe_loss(cost))
        if gain.deals:
            text = format_message("{sentence} {another}", sentence=text, another=_describe_gain(gain))
        return text


class _ChipsTotal(NamedTuple):
    """In how many deals chips changed hands, and how many in all."""

    deals: int
    chips: int

    @property
    def average_text(self) -> Message:
        """The average in these deals, to a tenth."""
        whole, tenth = divmod(round(Fraction(10 * self.chips, self.deals)), 10)
        if not tenth:
            return format_chips(whole)
        return format_message("{whole}.{tenth} chips", whole=whole, tenth=tenth)


def _sum_positive(costs: Iterable[tuple[int, int]]) -> _ChipsTotal:
    """The total of the positive costs."""
    positive = [(chips, deals) for chips, deals in costs if chips > 0]
    return _ChipsTotal(sum(deals for _, deals in positive), sum(chips * deals for chips, deals in positive))


def _describe_loss(cost: _ChipsTotal) -> Message:
    """What a card cost in the deals in which it cost something."""
    if cost.chips > MAX_CHIPS_TOTAL:
        return format_message(
            "In {deals} it cost something: {chips} on average.", deals=cost.deals, chips=cost.average_text
        )
    return format_message(
        "In {deals} it cost something: {chips} in all.", deals=cost.deals, chips=format_chips(cost.chips)
    )


def _describe_gain(gain: _ChipsTotal) -> Message:
    """What a card brought in the deals in which it brought something."""
    if gain.chips > MAX_CHIPS_TOTAL:
        return format_message(
            "In {deals} it brought something: {chips} on average.", deals=gain.deals, chips=gain.average_text
        )
    return format_message(
        "In {deals} it brought something: {chips} in all.", deals=gain.deals, chips=format_chips(gain.chips)
    )


class SampleInfo(NamedTuple):
    """The deals of a sample.

    ``deals``: how many; ``whole``: whether these are all that agree with the record, otherwise they were
    drawn from ``total``; ``seed``: the seed of the draw; ``even``: each was equally likely, otherwise nearly,
    and ``total`` is an estimate.
    """

    deals: int
    whole: bool
    total: int
    seed: int
    even: bool


class PositionEstimate(NamedTuple):
    """What the cards lead to at a point; ``turn`` is None if there are ``missing_facts``."""

    turn: TurnEstimate | None
    sample: SampleInfo | None
    missing_facts: tuple[Message, ...]


class DealEstimate(NamedTuple):
    """What the cards that were played cost; no ``plays`` if there are ``missing_facts``."""

    plays: tuple[PlayEstimate, ...]
    sample: SampleInfo | None
    missing_facts: tuple[Message, ...]


def estimate_position(
    entries: Log,
    state: State,
    seed: int,
    sample_size: int = DEFAULT_SAMPLE_SIZE,
    steps: int = DEFAULT_SAMPLE_STEPS,
    work: WorkBudget | None = None,
) -> PositionEstimate | None:
    """What every card leads to at ``state``, the fold of ``entries``; None if no card is to be played.

    ``sample_size`` deals that agree with ``entries`` are drawn by ``seed``, or all taken if there are no
    more. ``steps`` limits the search among hidden plays, ``work`` all of it.
    """
    if state.phase != PLAY:
        return None
    work = WorkBudget() if work is None else work
    try:
        sample, missing = _sample(entries, state, seed, sample_size, steps, work)
        if sample is None:
            return PositionEstimate(None, None, missing)
        return _estimate_over_sample(entries, state, sample, seed, work)
    except BudgetExceeded:
        return PositionEstimate(None, None, (TOO_EXPENSIVE,))


def _estimate_over_sample(
    entries: Log, state: State, sample: DealSample, seed: int, work: WorkBudget
) -> PositionEstimate:
    """What every card leads to at a point, over the sample. Raises `BudgetExceeded`."""
    points: list[tuple[TurnEvaluation, int]] = []
    for one in sample.deals:
        work.spend(folding_cost(len(entries)))
        answer = evaluate_position(
            fold_all(_complete_log(entries, one), initial_state(state.opening.book)), work
        )
        if answer is None or answer.turn is None:
            return PositionEstimate(None, None, (TURN_UNKNOWN,) if answer is None else answer.missing_facts)
        points.append((answer.turn, one.weight))
    if len({point.seat for point, _ in points}) > 1:
        return PositionEstimate(None, None, (TURN_UNKNOWN,))
    return PositionEstimate(_merge_turns(points), _sample_info(sample, seed), ())


def estimate_deal(
    entries: Log,
    state: State,
    seed: int,
    sample_size: int = DEFAULT_SAMPLE_SIZE,
    steps: int = DEFAULT_SAMPLE_STEPS,
    work: WorkBudget | None = None,
) -> DealEstimate:
    """What each card that was played cost, over deals that agree with all ``entries``, also later ones.

    ``state`` is the fold of ``entries``; deals are drawn as in `estimate_position`.
    """
    work = WorkBudget() if work is None else work
    try:
        sample, missing = _sample(entries, state, seed, sample_size, steps, work)
        if sample is None:
            return DealEstimate((), None, missing)
        return _estimate_plays(entries, state, sample, seed, work)
    except BudgetExceeded:
        return DealEstimate((), None, (TOO_EXPENSIVE,))


def _estimate_plays(
    entries: Log, state: State, sample: DealSample, seed: int, work: WorkBudget
) -> DealEstimate:
    """What each card that was played cost, over the sample. Raises `BudgetExceeded`."""
    plays: dict[Seq, list[tuple[PlayEvaluation, int]]] = {}
    for one in sample.deals:
        work.spend(folding_cost(len(entries)))
        evaluation = evaluate_deal(_complete_log(entries, one), initial_state(state.opening.book), work)
        if evaluation.missing_facts:
            return DealEstimate((), None, evaluation.missing_facts)
        for played in evaluation.plays:
            plays.setdefault(played.seq, []).append((played, one.weight))
    return DealEstimate(tuple(map(_merge_plays, plays.values())), _sample_info(sample, seed), ())


def _sample(
    entries: Log, state: State, seed: int, deals: int, steps: int, work: WorkBudget
) -> tuple[DealSample | None, tuple[Message, ...]]:
    """The deals, or what is missing for them."""
    # Who won a trick may depend on a hidden card, which a complete deal shows.
    missing = list_missing_facts(replace(state, play=replace(state.play, tricks=())))
    if missing:
        return None, missing
    sample = sample_deals(build_case(collect_claims(entries, state), work), seed, deals, steps)
    if sample is None:
        return None, (TOO_MUCH_HIDDEN,)
    return (sample, ()) if sample.deals else (None, (NO_CONSISTENT_DEAL,))


def _sample_info(sample: DealSample, seed: int) -> SampleInfo:
    return SampleInfo(sample.weight, sample.is_exhaustive, sample.total, seed, sample.is_uniform)


def _complete_log(entries: Log, sampled: SampledDeal) -> Log:
    """The record with the cards of one deal: its hidden plays, and the hands at the start of play."""
    whole = [_reveal_card(entry, sampled.plays) for entry in entries]
    plays = (place for place, entry in enumerate(whole) if isinstance(entry.event, CardPlayed))
    first = next(plays, len(whole))
    hands = [Entry(0, HandHeld(seat, cards_in_mask(sampled.hands[seat]))) for seat in SEATS]
    # Later statements of hands add nothing, and may say less.
    later = (entry for entry in whole[first:] if not isinstance(entry.event, (HandDealt, HandHeld)))
    return (*whole[:first], *hands, *later)


def _reveal_card(entry: Entry, plays: Mapping[Seq, Card]) -> Entry:
    event = entry.event
    if entry.seq not in plays or not isinstance(event, CardPlayed):
        return entry
    return entry._replace(event=replace(event, card=plays[entry.seq]))


def _merge_turns(points: list[tuple[TurnEvaluation, int]]) -> TurnEstimate:
    """The same point in several deals, each with its weight."""
    first, _ = points[0]
    of_card: dict[Card, list[tuple[PositionValue, bool, int]]] = {}
    stops: list[tuple[PositionValue, bool, int]] = []
    for point, weight in points:
        best = point.value.ends_by_defender
        for choice in point.choices:
            of_card.setdefault(choice.card, []).append(
                (choice.value, choice.value.ends_by_defender == best, weight)
            )
        if point.stop_value is not None:
            stops.append((point.stop_value, point.stop_value.ends_by_defender == best, weight))
    choices = tuple(_estimate_card(card, first.seat, of_card[card]) for card in sorted(of_card))
    return TurnEstimate(
        first.trick, first.seat, choices, _estimate_card(None, first.seat, stops) if stops else None
    )


def _estimate_card(
    card: Card | None, turn: Seat, values: list[tuple[PositionValue, bool, int]]
) -> CardEstimate:
    deals = sum(weight for _, _, weight in values)
    chips = [
        None if (amount := value.chips_for_side(turn)) is None else amount * weight
        for value, _, weight in values
    ]
    known = [amount for amount in chips if amount is not None]
    return CardEstimate(
        card,
        deals,
        sum(weight for _, is_best, weight in values if is_best),
        _outcome_shares((value, weight) for value, _, weight in values),
        Fraction(sum(known), deals) if len(known) == len(chips) else None,
    )


def _merge_plays(estimates: list[tuple[PlayEvaluation, int]]) -> PlayEstimate:
    """The same card played in several deals, each with its weight."""
    first, _ = estimates[0]
    costs: Counter[int] = Counter()
    for played, weight in estimates:
        if played.cost is not None:
            costs[played.cost] += weight
    return PlayEstimate(
        first.seq,
        first.turn.trick,
        first.seat,
        first.card,
        tuple(sorted(costs.items())),
        _outcome_shares((played.turn.value, weight) for played, weight in estimates),
        _outcome_shares((played.value, weight) for played, weight in estimates),
        _merge_turns([(played.turn, weight) for played, weight in estimates]),
    )


def _outcome_shares(values: Iterable[tuple[PositionValue, int]]) -> tuple[OutcomeShare, ...]:
    """How deals end, the most frequent end first."""
    counts: Counter[tuple[str, str | None]] = Counter()
    for value, weight in values:
        counts[value.ends_by_defender[0].outcome, value.ends_by_defender[0].slam] += weight
    return tuple(OutcomeShare(outcome, slam, deals) for (outcome, slam), deals in counts.most_common())


def _count_wins(shares: tuple[OutcomeShare, ...]) -> int:
    return sum(one.deals for one in shares if one.outcome == WON)
