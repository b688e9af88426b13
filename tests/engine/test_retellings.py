"""A true record breaks nothing, however much it leaves out, and never settles a deal wrongly."""

import random
from collections.abc import Callable

import pytest

from tests.slow import generator
from tests.support.effort import examples
from tests.support.engine.retellings import (
    numbered,
    with_a_gap,
    with_a_jump,
    with_a_ragged_gap,
    with_statements,
)
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    audited,
    due_after,
    found,
    gap,
    given_up,
    laid,
    named,
    opened,
    plays,
    said,
    score_after,
    shown,
    state_after,
    swap,
    tricks,
)

Retelling = Callable[[list[Event], random.Random], list[Event]]
DEALS = examples(120)


def wrongly_found(retold: Retelling, *, hidden: bool = False, deals: int = DEALS) -> list[str]:
    """What is found or settled wrongly in true records."""
    wrong = []
    for seed in range(deals):
        rng = random.Random(seed)
        deal = generator.random_deal(rng, talon=seed % 3 == 0)
        told = retold(deal, rng)
        told = generator.hide(told, rng) if hidden else told
        whole, part = audited(deal), audited(told)
        wrong += [f"seed {seed}: {one}" for one in part.findings if one.code != "incomplete"]
        paid = (part.score.outcome, part.score.payments)
        if part.score.decided and paid != (whole.score.outcome, whole.score.payments):
            wrong.append(f"seed {seed}: {part.score}")
    return wrong


@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
@pytest.mark.parametrize("retold", [with_statements, with_a_jump], ids=["statements", "jump"])
def test_what_is_left_out_is_no_offence(retold: Retelling, hidden: bool) -> None:
    assert wrongly_found(retold, hidden=hidden) == []


def test_trick_numbers_change_nothing() -> None:
    """The careful way through judge, which numbered cards take, says what the quick way says."""
    for seed in range(DEALS // 2):
        deal = generator.random_deal(random.Random(seed))
        plain, careful = audited(deal), audited(numbered(deal))
        assert (plain.findings, plain.score) == (careful.findings, careful.score), f"seed {seed}"
        assert plain.state.play == careful.state.play, f"seed {seed}"


GAPS = "after a gap the record is read as if nothing but one entry were missing; see the examples below"


@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
def test_a_gap_where_whole_parts_are_missing_is_no_offence(hidden: bool) -> None:
    assert wrongly_found(with_a_gap, hidden=hidden) == []


@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
def test_a_gap_anywhere_is_no_offence(hidden: bool) -> None:
    assert wrongly_found(with_a_ragged_gap, hidden=hidden) == []


def unnumbered(retold: Retelling) -> Retelling:
    """The same by somebody who does not number the tricks."""

    def told(deal: list[Event], rng: random.Random) -> list[Event]:
        return [{key: value for key, value in event.items() if key != "trick"} for event in retold(deal, rng)]

    return told


def test_a_gap_of_whole_parts_without_trick_numbers_is_no_offence() -> None:
    assert wrongly_found(unnumbered(with_a_gap), deals=3 * DEALS) == []


def test_a_gap_anywhere_without_trick_numbers_is_no_offence() -> None:
    assert wrongly_found(unnumbered(with_a_ragged_gap)) == []


# --- Gaps, by example -------------------------------------------------------------------------

HANDS = ("SA S2 CA HK HQ HJ D7 D6 D5", "S7 S6 CK CQ CJ H2 H3 DK DQ", "SK SQ SJ C7 C6 C5 H4 H5 DJ")


def bargain() -> list[Event]:
    return opened(*HANDS) + said("F simple, M pass, B pass") + named("F", "simple", "H")


def test_a_gap_says_that_the_record_is_incomplete() -> None:
    assert state_after([*opened(), gap()])["incomplete"]
    assert not state_after(opened())["incomplete"]


def test_a_gap_where_the_auction_was() -> None:
    events = [*opened(*HANDS), gap(), *named("F", "simple", "H"), *swap("F"), *swap("M"), *swap("B")]
    assert found(events + plays("F-SA")) == []
    assert state_after(events)["declarer"] == F


def test_a_gap_where_the_exchange_was() -> None:
    events = [*bargain(), gap(), *plays("F-SA M-D2 B-H5")]
    assert found(events) == []
    assert state_after(events)["hands"][F]["unknown"] == 8


def test_a_gap_hides_what_the_hands_are() -> None:
    events = [*bargain(), gap()]
    assert state_after(events)["hands"][F] == {"cards": [], "unknown": 9}


def test_a_gap_at_the_end_of_the_play() -> None:
    events = [*bargain(), *swap("F"), *swap("M"), *swap("B"), *plays("F-SA M-H2 B-H4"), gap()]
    assert found(events) == []
    assert not score_after(events)["decided"]


def test_calls_after_a_gap_in_the_auction_are_taken_as_they_come() -> None:
    """Forehand's bid and middlehand's pass are missing."""
    events = [*opened(), gap(), *said("B solo, F pass"), *named("B", "solo", "H")]
    assert found(events) == []


def test_a_gap_where_the_contract_was_lets_everybody_exchange() -> None:
    events = [*opened(*HANDS), *said("F simple, M pass, B pass"), gap()]
    events += [*swap("F", "D5 D6", "C4 C3"), *swap("M", "S6 S7", "C2 D2")]
    assert found(events) == []


def test_a_gap_where_the_contract_was_leaves_open_who_else_exchanged() -> None:
    events = [*opened(*HANDS), gap(), *swap("M"), *plays("F-S3@1 M-S7@1 B-D2@1")]
    assert found(events) == []


@pytest.mark.parametrize("then", [plays("F-SA@1"), swap("B", "C5", "D3")])
def test_an_exchange_before_the_next_ones_was_in_the_gap(then: list[Event]) -> None:
    """Anna's exchange is missing, Bo's is there: hers was before his, nobody waits for her."""
    events = [*bargain(), gap(), *swap("M", "S6 S7", "C2 D2")]
    assert due_after(events)["seat"] == B
    events += [] if then[0]["type"] == "cards_discarded" else swap("B")
    assert found([*events, *then]) == []


def test_how_many_cards_were_drawn_in_a_gap_is_not_known() -> None:
    events = [*opened(*HANDS), laid("C4 C3 C2 D2 D3"), *said("F simple, M pass, B pass")]
    events += [*named("F", "simple", "H"), gap(), *swap("M", "S6 S7", "C2 D2")]
    assert found(events) == []


def test_giving_up_where_the_contract_is_missing() -> None:
    events = [*opened(), *said("F simple, M pass, B pass"), gap(), given_up("F", "bete")]
    assert found(events) == []


def test_giving_up_after_a_gap_is_bete_or_kodille() -> None:
    events = [*bargain(), *swap("F"), *swap("M"), *swap("B"), gap(), given_up("F")]
    assert not score_after(events)["decided"]


def test_the_first_card_after_a_gap_is_not_always_a_lead() -> None:
    """Forehand's lead to trick 3 is in the gap, and so is who won trick 2: not middlehand."""
    events = opened() + said("F pass, M pure-nolo, B pass") + named("M", "pure-nolo")
    events += [*plays("F-D2@1 M-D3@1 B-DK@1"), gap(), *plays("M-S2@3 B-SK@3 B-SQ@4 F-S3@4 M-C2@4")]
    assert state_after(events)["tricks_won"][M] == 0


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("F-D2@1 M-D3@1 B-DK@1 M-C2@2", "wrong_seat"),
        ("F-D2@1 M-D3@1 B-DK@1 B-DK@2", "card_duplicated"),
        ("F-H4@1 M-D3@1 B-H6@1 F-S2@2 M-H2@2", "revoke"),
    ],
)
def test_once_the_record_holds_together_again_it_is_judged_again(words: str, code: str) -> None:
    """A gap excuses what it may have swallowed, nothing that came long after it."""
    events = [*opened(), gap(), *named("F", "solo", "H"), *swap("M"), *swap("B"), *plays(words)]
    assert [one for _, one in found(events)] == [code]


def test_a_gap_before_the_first_card_may_hold_tricks() -> None:
    """Bo stood and had a trump; he may have played it in the gap."""
    events = opened(middlehand="H2 C4 C5 C6 D2 D3 D4 D5 S3") + said("F solo, M pass, B pass")
    events += [*named("F", "solo", "H"), *swap("M"), gap(), *plays("F-H4 M-C4 B-D7 F-H5 M-C5")]
    assert found(events) == []


def test_a_record_that_begins_with_the_play() -> None:
    events = [*opened(), gap(), *tricks("FFMBF")]
    assert found(events) == []
    assert score_after(events)["tricks"] == {F: 2, M: 1, B: 1} or not score_after(events)["decided"]


def test_a_hand_shown_in_a_gap_is_believed() -> None:
    events = [*bargain(), gap(), shown("F", "SA D2")]
    assert found(events) == []
    assert state_after(events)["hands"][F]["cards"] == ["D2", "SA"]
