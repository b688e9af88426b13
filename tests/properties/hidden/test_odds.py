"""Best play where hands are hidden, beside every deal that agrees, found by trying and played by itself."""

import random
from collections import Counter
from fractions import Fraction

import pytest

from engine import effective, fold_all
from engine.core.cards import CARD_BY_CODE, CARD_CODES, SEATS, Card
from engine.core.log import Log
from engine.core.work_budget import WorkBudget
from engine.play.state import PLAY, State
from engine.solver.evaluation import evaluate_deal, evaluate_position
from engine.solver.monte_carlo import (
    NO_CONSISTENT_DEAL,
    TOO_MUCH_HIDDEN,
    DealEstimate,
    OutcomeShare,
    PlayEstimate,
    TurnEstimate,
    estimate_deal,
    estimate_position,
)
from engine.solver.position_value import PositionValue
from schemas.answers.hidden_cards import odds_object
from schemas.i18n.translate import translate as in_words
from tests.support.effort import examples
from tests.support.engine.shorthand import log_from
from tests.support.engine.slipping import unseen
from tests.support.hidden.by_trying import Tried, agreeing
from tests.support.hidden.naive import Event, World, whole
from tests.support.hidden.records import RULESETS, covered, random_record, unsure_cards, with_hands

EACH = examples(12, 6)
Aggregated = dict[Card | None, tuple[int, int, Counter[tuple[str, str | None]], Fraction | None]]


def entries_of(events: list[Event]) -> tuple[Log, State]:
    entries = effective(log_from(events)).entries
    return entries, fold_all(entries)


def with_cards_seen(visible: list[Event], world: World) -> list[Event]:
    """The record as it would be if every card of a complete deal had been seen."""
    plays = iter(world.plays)
    events = []
    for one in visible:
        if one["type"] == "card_played":
            one = {**one, "card": next(plays)[2]}
        elif one["type"] in ("hand_dealt", "cards_discarded", "cards_drawn", "hand_held"):
            one = {**one, "cards": sorted(world.told(one["type"], one["seat"]))}
        elif one["type"] == "talon_laid":
            one = {"type": "note_added", "text": "The order of the talon is another matter."}
        events.append(one)
    return events


MOST_WORLDS = 24
"""Each is played out by itself, from the first card on."""


def late(rng: random.Random, ruleset: str) -> Tried | None:
    """A record that stops in the last tricks with some cards hidden, and all deals that agree."""
    events = random_record(rng, ruleset)
    laid = [at for at, one in enumerate(events) if one["type"] == "card_played"]
    if len(laid) < 17:
        return None
    events = with_hands(events[: laid[rng.randint(14, len(laid) - 1)]])
    if entries_of(events)[1].phase != PLAY:
        return None
    unsure = unsure_cards(rng, events, rng.randint(3, 4))
    found = agreeing(covered(rng, events, unsure, rng.choice((0.7, 1.0))), whole(events), unsure)
    return None if len(found.lawful) > MOST_WORLDS else found


def by_trying(tried: Tried) -> Aggregated | None:
    """What each card comes to over all of these deals, each played out from its own complete record."""
    found: dict[Card | None, list[tuple[PositionValue, bool]]] = {}
    turn = None
    for world in tried.lawful:
        answer = evaluate_position(entries_of(with_cards_seen(tried.visible, world))[1])
        if answer is None or answer.turn is None or turn not in (None, answer.turn.seat):
            return None
        point, turn = answer.turn, answer.turn.seat
        choices = [(one.card, one.value) for one in point.choices]
        for card, value in [*choices, *([(None, point.stop_value)] if point.stop_value else [])]:
            found.setdefault(card, []).append((value, value.ends_by_defender == point.value.ends_by_defender))
    assert turn is not None
    aggregated: Aggregated = {}
    for card, values in found.items():
        chips = [value.chips_for_side(turn) for value, _ in values]
        mean = None if None in chips else Fraction(sum(one or 0 for one in chips), len(chips))
        first_ends = [value.ends_by_defender[0] for value, _ in values]
        ends = Counter((one.outcome, one.slam) for one in first_ends)
        aggregated[card] = (len(values), sum(best for _, best in values), ends, mean)
    return aggregated


def by_outcome(shares: tuple[OutcomeShare, ...]) -> Counter[tuple[str, str | None]]:
    return Counter({(one.outcome, one.slam): one.deals for one in shares})


def as_aggregated(point: TurnEstimate) -> Aggregated:
    outlooks = [*point.choices, *([point.stop_estimate] if point.stop_estimate else [])]
    return {
        one.card: (one.deal_count, one.best_count, by_outcome(one.ends), one.average_chips)
        for one in outlooks
    }


def test_best_play_beside_the_moves_agrees_with_the_engine_at_every_play_of_twenty_deals() -> None:
    rng = random.Random("best play beside the moves")
    compared = 0
    while compared < 20:
        entries, state = entries_of(with_hands(random_record(rng, rng.choice(RULESETS))))
        evaluation = evaluate_deal(entries)
        if evaluation.missing_facts or len(evaluation.plays) < 12:
            continue
        plays = odds_object(estimate_deal(entries, state, seed=1), None)["plays"]
        for told, played in zip(plays, evaluation.plays, strict=True):
            turn = played.turn
            wanted = [
                (
                    CARD_CODES[one.card],
                    one.value.ends_by_defender == turn.value.ends_by_defender,
                    one.value.chips_for_side(turn.seat),
                )
                for one in turn.choices
            ]
            assert [(one["card"], one["best"] == 1, one["chips"]) for one in told["cards"]] == wanted
            assert (told["seq"], told["card"]) == (played.seq, CARD_CODES[played.card])
            assert [one["chips"] for one in told["costs"]] == [
                cost for cost in [played.cost] if cost is not None
            ]
        compared += 1


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_card_comes_to_what_all_deals_say(ruleset: str) -> None:
    rng = random.Random(f"likely {ruleset}")
    compared = several = 0
    while compared < EACH:
        made = late(rng, ruleset)
        wanted = None if made is None else by_trying(made)
        if made is None or wanted is None:
            continue
        entries, state = entries_of(made.visible)
        answer = estimate_position(entries, state, seed=1, sample_size=10_000)
        assert answer is not None and answer.sample is not None
        assert answer.turn is not None, answer.missing_facts
        assert (answer.sample.whole, answer.sample.deals) == (True, len(made.lawful))
        assert as_aggregated(answer.turn) == wanted
        if compared % 3 == 0:
            same_course(made, estimate_deal(entries, state, seed=1, sample_size=10_000))
        compared += 1
        several += len(made.lawful) > 1
    assert several > 1


def same_course(made: Tried, answer: DealEstimate) -> None:
    """What each card cost is told over all deals, as each deal by itself has it."""
    courses = [evaluate_deal(entries_of(with_cards_seen(made.visible, world))[0]) for world in made.lawful]
    if any(course.missing_facts for course in courses):
        return
    assert not answer.missing_facts
    for number, played in enumerate(answer.plays):
        over = [course.plays[number] for course in courses]
        assert {one.seq for one in over} == {played.seq}
        costs = Counter(one.cost for one in over if one.cost is not None)
        assert played.costs == tuple(sorted(costs.items()))
        assert played.costly_deals == sum(one.cost is not None and one.cost > 0 for one in over)
        first_ends = [one.value.ends_by_defender[0] for one in over]
        ends = Counter((one.outcome, one.slam) for one in first_ends)
        assert by_outcome(played.ends_of_card) == ends


def blind(events: list[Event], tricks: int) -> list[Event]:
    """What who looks on sees of a deal: the cards as they are played, and how many are exchanged."""
    laid = [at for at, one in enumerate(events) if one["type"] == "card_played"]
    return unseen([one for one in events[: laid[3 * tricks]] if one["type"] != "talon_laid"])


def long_deal(name: str) -> list[Event]:
    """A deal of which at least five tricks were played."""
    rng = random.Random(name)
    while True:
        events = random_record(rng, "dlu")
        if sum(one["type"] == "card_played" for one in events) > 15:
            return events


def test_the_same_seed_tells_the_same_and_another_seed_of_other_deals() -> None:
    entries, state = entries_of(blind(long_deal("seeds"), 3))
    first, again, other = (estimate_position(entries, state, seed, sample_size=12) for seed in (1, 1, 2))
    assert first is not None and other is not None and first.sample is not None
    assert first == again and first.turn != other.turn
    assert (first.sample.whole, first.sample.deals) == (False, 12)
    assert first.sample.total > 10**9
    assert first.turn is not None
    for one in first.turn.choices:
        assert 0 < one.deal_count <= 12
        assert one.best_count <= one.deal_count == sum(end.deals for end in one.ends)
    assert max(one.best_count for one in first.turn.choices) > 0


def test_what_was_seen_later_counts_for_the_course_and_not_for_the_point() -> None:
    events = long_deal("later")
    entries, state = entries_of(blind(events, 2))
    early = estimate_position(entries, state, seed=1, sample_size=10)
    assert early is not None and early.sample is not None
    longer, end = entries_of(blind(events, 4))
    course = estimate_deal(longer, end, seed=1, sample_size=10)
    assert course.sample is not None
    assert course.sample.total < early.sample.total
    assert [one.trick for one in course.plays] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    sentence = course.plays[0].cost_text
    assert sentence.startswith("At trick 1 ")
    assert " of 10 deals, with the best card " in sentence


IN_WORDS = {
    "both, in some deals": (
        ((-4, 1), (0, 6), (2, 3)), 10,
        "In 3 it cost something: 6 chips in all. In 1 it brought something: 4 chips in all.",
    ),
    "one chip": (((-1, 1),), 10, "best card 7. In 1 it brought something: 1 chip in all."),
    "the same in all": (((4, 10),), 10, "best card 7. In all of them it cost 4 chips."),
    "in each deal another cost": (((2, 4), (6, 6)), 10, "In 10 it cost something: 44 chips in all."),
    "much: on average": (
        ((-2, 20_000), (2, 30_000), (5, 10_000)), 100_000,
        "In 40000 it cost something: 2.8 chips on average. "
        "In 20000 it brought something: 2 chips on average.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("costs", "deals", "sentences"), IN_WORDS.values(), ids=IN_WORDS)
def test_what_a_card_cost_and_what_it_brought_are_told_apart(
    costs: tuple[tuple[int, int], ...], deals: int, sentences: str
) -> None:
    shares = (OutcomeShare("won", None, 7 * deals // 10), OutcomeShare("bete", None, 3 * deals // 10))
    played = PlayEstimate(
        9, 2, SEATS[1], CARD_BY_CODE["SA"], costs, shares, shares, TurnEstimate(2, SEATS[1], (), None)
    )
    assert played.cost_text.endswith(sentences)
    if deals > 10:
        assert "I 40000 kostede det noget: 2,8 jetoner i gennemsnit." in in_words(played.cost_text, "da")


def test_what_cannot_be_told_is_named() -> None:
    seen = blind(long_deal("missing"), 4)
    laid = [at for at, one in enumerate(seen) if one["type"] == "card_played"]
    assert estimate_position(*entries_of(seen[:3]), seed=1) is None
    twice = [*seen[: laid[-1]], {**seen[laid[-1]], "card": seen[laid[0]]["card"]}, *seen[laid[-1] + 1 :]]
    answer = estimate_position(*entries_of(twice), seed=1)
    assert answer is not None and answer.missing_facts == (NO_CONSISTENT_DEAL,)
    assert estimate_deal(*entries_of(twice), seed=1).missing_facts == (NO_CONSISTENT_DEAL,)
    veiled = [{**one, "card": "??"} if one["type"] == "card_played" else one for one in seen]
    answer = estimate_position(*entries_of(veiled), seed=1, steps=20, work=WorkBudget(10_000))
    assert answer is not None and answer.missing_facts == (TOO_MUCH_HIDDEN,)
    unnamed = [one for one in seen if one["type"] not in ("bid_made", "contract_named", "talon_turned")]
    assert "the declarer" in estimate_deal(*entries_of(unnamed), seed=1).missing_facts
