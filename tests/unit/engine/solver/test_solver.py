"""What would have happened: values against every course of the play, whole deals, and what is not decided."""

import random
from collections import Counter
from itertools import pairwise

import pytest

import replays
from engine import State, effective, fold_all, initial_state, score
from engine.core.cards import SEATS
from engine.core.ranking import MATADOR_POLICIES
from engine.rulesets import PUBLISHED_RULESETS
from engine.solver.evaluation import DealEvaluation, evaluate_deal, evaluate_position
from tests.properties.slow.endings import RULESETS, difference, ending
from tests.support.effort import examples
from tests.support.engine.shorthand import (
    Event,
    a_deal,
    bids,
    folded,
    gap,
    log_from,
    names,
    plays,
    slip,
    stands,
)

EXAMPLES = [replay for replay in replays.list_examples() if replay.folder != "findings"]


def some_endings(ruleset: str, policy: str, left: int, count: int) -> list[State]:
    chances = (random.Random(f"{ruleset} {policy} {left} {number}") for number in range(count))
    made = (ending(rng, ruleset, policy, left) for rng in chances)
    return [state for state in made if state is not None]


@pytest.mark.parametrize("policy", MATADOR_POLICIES)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_legal_card_is_worth_what_every_course_says(ruleset: str, policy: str) -> None:
    states = [state for left in (1, 2, 3) for state in some_endings(ruleset, policy, left, examples(9, 4))]
    assert states
    assert [found for state in states if (found := difference(state))] == []


def course_of(name: str) -> DealEvaluation:
    replay = replays.find_library_deal(name)
    assert replay is not None
    return evaluate_deal(effective(replay.read_log()).entries)


@pytest.mark.parametrize("folder", sorted({replay.folder for replay in EXAMPLES}))
def test_each_card_leaves_what_the_next_point_is_worth(folder: str) -> None:
    counted = Counter[str]()
    for replay in [one for one in EXAMPLES if one.folder == folder][:: examples(1, 4)]:
        entries = effective(replay.read_log()).entries
        course = evaluate_deal(entries)
        for before, after in pairwise(course.plays):
            if int(after.seq) == int(before.seq) + 1:
                assert before.value == after.turn.value, replay.name
                counted["points"] += 1
        assert all(played.is_legal and (played.cost is None or played.cost >= 0) for played in course.plays)
        final = fold_all(entries, initial_state())
        due = score(final)
        finished = course.plays and sum(final.play.tricks_won) == 9 and due.decided
        if finished and due.outcome in ("won", "bete", "codille"):
            assert course.plays[-1].value.agreed_end is not None
            assert course.plays[-1].value.agreed_end.payments == due.payments, replay.name
            counted["ends"] += 1
    assert counted["points"] > 60
    assert counted["ends"]


@pytest.mark.parametrize("ruleset", [rules.ruleset.id for rules in PUBLISHED_RULESETS])
def test_a_point_alone_says_what_it_says_in_the_whole_deal(ruleset: str) -> None:
    replay = next(one for one in EXAMPLES if one.folder == ruleset and one.name.endswith("-codille"))
    entries = effective(replay.read_log()).entries
    for played in evaluate_deal(entries).plays[13:]:
        before = [entry for entry in entries if isinstance(entry.seq, int) and entry.seq < int(played.seq)]
        answer = evaluate_position(fold_all(before, initial_state()))
        assert answer is not None and answer.turn == played.turn


def test_a_try_in_vain_costs_what_stopping_would_have_kept_and_a_lost_deal_its_price() -> None:
    played = course_of("la-bete-slam-led-failed").plays
    lead = next(one for one in played if one.turn.trick == 6)
    assert lead.turn.stop_value and lead.turn.stop_value.agreed_end and lead.value.agreed_end
    assert (lead.turn.stop_value.agreed_end.outcome, lead.turn.stop_value.agreed_end.slam) == ("won", None)
    assert (lead.value.agreed_end.slam, lead.cost) == ("failed", 2)
    assert lead.cost_text == "At trick 6 forehand played D4, which cost 2 chips."
    costly = next(one for one in played if one.cost)
    assert costly.cost_text == "At trick 1 backhand played DK, which cost 6 chips: won instead of codille."
    before, after = costly.turn.value, costly.value
    costs = [(before.chips_for_seat(one) or 0) - (after.chips_for_seat(one) or 0) for one in SEATS]
    assert costs == [-6, 3, 3]


HANDS = ("C5 H2 D2 D3 D4 D5 D6 DJ S3", "CK C3 HA HK HQ HJ H5 H3 H4", "C6 C7 S7 SJ SQ S4 S5 DQ DK")
AUCTION = bids("F pass, M solo, B pass") + names("M", "solo", "H") + stands("F B")
SOLO = a_deal(*HANDS) + AUCTION


def test_a_card_out_of_turn_has_a_value_too() -> None:
    course = evaluate_deal(log_from(SOLO + plays("M-HA B-C6 F-H2 F-C5 M-CK B-C7")))
    assert not course.missing_facts
    assert [played.is_legal for played in course.plays] == [False, True, True, False, True, True]
    assert [played.turn.seat for played in course.plays] == [0, 2, 0, 1, 1, 2]
    assert all(one.value == two.turn.value for one, two in pairwise(course.plays))


def test_nothing_is_valued_where_no_card_is_to_be_played() -> None:
    assert evaluate_position(folded(a_deal(*HANDS) + bids("F pass"))) is None
    assert evaluate_position(folded([*SOLO, slip(outcome="passed_out")])) is not None
    assert evaluate_deal(log_from(a_deal(*HANDS))) == DealEvaluation((), ())


@pytest.mark.parametrize(
    ("events", "missing"),
    [
        (a_deal(*HANDS[:2]) + AUCTION, "9 of the cards with which Carl began"),
        (a_deal(*HANDS[:2], "C6 C7 S7 SJ SQ S4 S5 DQ ??") + AUCTION, "1 of the cards with which Carl began"),
        ([*a_deal(*HANDS, ruleset="no-such"), *AUCTION, *plays("F-C5")], "the rules in force"),
        ([*SOLO, gap()], "the entries that are missing before this point"),
    ],
    ids=["a hand", "a card", "rules", "a gap"],
)
def test_what_is_missing_is_named(events: list[Event], missing: str) -> None:
    answer = evaluate_position(folded(events))
    assert answer is not None and answer.turn is None
    assert missing in answer.missing_facts


def test_a_card_in_two_hands_and_a_rate_that_no_source_states_are_named() -> None:
    assert (
        "who held D4, which the record puts in two hands"
        in course_of("findings-play-after-end").missing_facts
    )
    course = course_of("tresillo-favoured-play-won")
    lacking = [f"what favoured-play pays when it is {outcome}" for outcome in ("won", "bête")]
    assert (list(course.missing_facts), course.plays) == (lacking, ())
    last = course_of("lomber-spade-solo-codille").plays[-1]
    assert last.value.agreed_end is not None
    assert (last.value.agreed_end.outcome, last.value.agreed_end.payments) == ("codille", None), "the dearest"
    assert (last.cost, last.cost_text) == (None, None)
