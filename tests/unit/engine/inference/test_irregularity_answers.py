"""What people at the table called is proved, excluded, or neither; and what would prove it."""

import random
from typing import NamedTuple

import pytest

from engine import PUBLIC_VIEWER, audit, view
from engine.core.log import Log
from engine.inference.called_revokes import IrregularityAnswer
from engine.inference.irregularity_answers import answer_irregularities
from tests.support.effort import examples
from tests.support.engine.shorthand import (
    Event,
    a_deal,
    bids,
    cards_shown,
    dealt,
    log_from,
    names,
    plays,
    stands,
    withdrawn,
)
from tests.support.hidden.by_trying import a_trial, examined, policy_of
from tests.support.hidden.naive import SEATS, broken
from tests.support.hidden.records import RULESETS


def scene(cards: str, *more: Event, hand: str = "") -> list[Event]:
    """A game in hearts with these plays; ``hand``: what Bo was dealt."""
    opening, *rest = [*a_deal(), *bids("F simple, M pass, B pass"), *names("F", "simple", "H"), *stands()]
    return [opening, *([dealt("M", hand)] if hand else []), *rest, *plays(cards), *more]


def calling(kind: str = "revoke", seat: str = "middlehand", **more: str) -> Event:
    return {"type": "irregularity_noted", "seat": seat, "kind": kind, **more}


def answers_to(log: Log) -> list[IrregularityAnswer]:
    judged = audit(log)
    return answer_irregularities(judged.history, judged.state, judged.findings)


def answer_to(events: list[Event]) -> IrregularityAnswer:
    (answer,) = answers_to(log_from(events))
    return answer


class Case(NamedTuple):
    """A record, the verdict on what is called in it, and a part of the answer."""

    events: list[Event]
    verdict: str
    sentence: str


SIX = (
    "F-SA M-H3 B-H4 F-H7 M-C4 B-H5 F-SK M-S3 B-S4 F-CK M-C5 B-C6 F-D2 M-DK B-D3 "
    "M-H6"  # trick 6: a trump that was not given to the second
)
NO_DIAMOND = "H2 C4 C5 C6 C7 S2 S3 S4 S5"
OFF_SUIT = scene("F-D4 M-C4")
CASES = {
    "a card played later": Case(scene(SIX, calling()), "proved", "At trick 6 Bo played H6, held since"),
    "in the trick that is named": Case(scene(SIX, calling(text="In trick 2.")), "proved", "Bo played C4"),
    "not in another": Case(
        scene(SIX, calling("kulørsvigt i 3. stik")), "excluded",
        "At trick 3 Anna led SK; Bo played S3. That follows.",
    ),
    "not in another, in words": Case(scene(SIX, calling(text="the first trick")), "excluded", "played H3."),
    "a hand that is known": Case(
        scene("F-D4 M-C4 B-D2", calling(), hand=NO_DIAMOND), "excluded",
        "Bo can have held no card that had to follow.",
    ),
    "one of two that are named": Case(scene(SIX, calling(text="trick 1 or 2")), "proved", "Bo played C4"),
    "two that are named": Case(scene(SIX, calling(text="trick 1-2")), "proved", "Bo played C4"),
    "the one after": Case(scene(SIX, calling(text="not trick 1, the next")), "proved", "Bo played C4"),
    "who led": Case(scene("F-D4", calling(seat="forehand", text="trick 1")), "excluded", "Anna led, so"),
    "a hand that is hidden": Case(
        scene("F-D4 M-C4 B-D2", calling()), "neither",
        "In about 89 % of the deals that fit the record it was a revoke; that is not a probability. It is "
        "proved if Bo turns out to have held D3 or D5 or D6 or D7 or DA or DJ or DK or DQ then. It would "
        "show in: the cards left in Bo's hand.",
    ),
    "a card that is hidden": Case(
        scene("F-D4 M-?? B-D2 F-DK M-??", calling(text="trick 1")), "neither",
        "in: what Bo played to trick 1, what Bo played to trick 2, the cards left in Bo's hand.",
    ),
    "a trick that is not there": Case(
        scene("F-D4 M-C4 B-D2", calling(text="trick 4")), "neither", "lacks what Bo played to trick 4"
    ),
    "taken back": Case(
        [*OFF_SUIT, withdrawn(len(OFF_SUIT)), *plays("M-D3 B-D2"), calling()], "proved",
        "At trick 1 Bo played C4 to D4, took it back and played D3.",
    ),
    "a contradiction": Case(
        scene("F-D4 M-C4 B-D4", calling()), "neither", "The record contradicts itself, so its cards"
    ),
    "trumps that nobody wrote down": Case(
        [*a_deal(), *bids("F simple, M pass, B pass"), *names("F", "simple"), *stands(),
         *plays("F-SA M-D4 B-D2"), calling()],
        "neither", "No trump suit is recorded, so it is unknown which cards had to follow.",
    ),
    "out of turn": Case(
        scene("F-D4 B-C4", calling("lead out of turn", "backhand")), "proved", "but it is Bo's turn"
    ),
    "in turn": Case(scene("F-D4 M-D3", calling("udspil uden for tur")), "neither", "No entry shows it;"),
    "a card that is shown": Case(
        scene("F-D4 M-D3", cards_shown("M", "C5"), calling("exposed card")), "neither", "has it at entry 11;"
    ),
    "talk": Case(scene("F-D4 M-D3", calling("talk or signs")), "neither", "cannot show this;"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_call_is_answered(case: Case) -> None:
    answer = answer_to(case.events)
    assert (answer.verdict, case.sentence in answer.message) == (case.verdict, True), answer.message


def test_only_a_viewer_who_may_know_the_hand_is_told_what_it_proves() -> None:
    log = log_from(scene("F-D4 M-C4 B-D2", calling(), hand=NO_DIAMOND))
    assert [one.verdict for one in answers_to(view(log, PUBLIC_VIEWER))] == ["neither"]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_called_revoke_is_answered_as_by_trying_every_deal(ruleset: str) -> None:
    rng = random.Random(f"called {ruleset}")
    for _ in range(examples(60, 6)):
        tried = a_trial(rng, ruleset)
        policy = policy_of(examined(tried.visible)[2])
        for seat in SEATS:
            answer = answer_to([*tried.visible, calling(seat=seat)])
            offenders = [
                {world.plays[number][1] for number in broken(world, policy)} for world in tried.worlds
            ]
            revoked, total = sum(seat in one for one in offenders), len(tried.worlds)
            if not any(play[1] == seat for play in tried.worlds[0].plays):
                assert answer.verdict == "neither"
                continue
            verdict = "proved" if revoked == total else "neither" if revoked else "excluded"
            assert answer.verdict == verdict, (tried.visible, seat, answer)
            assert answer.deal_count in (None, total)
            assert answer.revoke_count in (None, revoked)


@pytest.mark.parametrize("work", [0, 100, 1_000, 3_000, 10_000])
def test_with_little_work_nobody_is_accused_and_nobody_is_cleared_wrongly(
    work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.inference.irregularity_answers.DEFAULT_UNSEEN_WORK", work)
    for case in CASES.values():
        assert answer_to(case.events).verdict in (case.verdict, "neither")
