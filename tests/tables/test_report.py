"""The report of a table: of an evening with five errors in it, it names all five and nothing else."""

import random

import pytest

from engine.diagnosis.explanations import with_corrections
from engine.tables.report import TableReport, table_report
from tests.support.effort import examples
from tests.support.hidden.records import RULESETS
from tests.tables.evenings import Event, evening
from tests.tables.planting import PLANTERS
from tests.tables.trials import DOUBLINGS, Trial, reported, trial

SOME = ("dlu", "ombre", "tresillo")
either = pytest.mark.parametrize("hidden", [False, True], ids=["all told", "some hidden"])


def named(report: TableReport) -> list[tuple[int | None, str, object]]:
    return [(one.number, one.finding.code, one.finding.seq) for one in report.faults]


@pytest.mark.parametrize(
    ("ruleset", "doubling", "deals"),
    [
        *((ruleset, doubling, examples(40, 15)) for ruleset in SOME for doubling in DOUBLINGS),
        *((ruleset, "", examples(20, 10)) for ruleset in RULESETS if ruleset not in SOME),
    ],
)
@either
def test_five_errors_in_an_evening_are_named_and_nothing_else(
    ruleset: str, doubling: str, deals: int, hidden: bool
) -> None:
    made = trial("forty" if doubling else "every", ruleset, hidden=hidden, deals=deals, doubling=doubling)
    assert made.named, (named(made.report), made.planted)
    wrong = next(one for one in made.planted if one.kind == "wrong settlement")
    first = made.report.first
    assert first is not None
    assert (first.line.number, first.fault.finding.seq) == (wrong.deal + 1, wrong.seq)
    assert sum(chips for _, chips in first.apart) == 0
    assert first.apart
    assert dict(made.report.apart) == dict(first.apart)
    assert not made.report.ok


@either
@pytest.mark.parametrize("ruleset", RULESETS)
def test_where_nothing_is_wrong_nothing_is_named(ruleset: str, hidden: bool) -> None:
    rng = random.Random(f"right {ruleset} {hidden}")
    report = reported(evening(rng, ruleset, count=examples(20, 8), players=4, hidden=hidden))
    assert named(report) == []
    assert (report.ok, report.first, report.apart) == (True, None, ())


@pytest.mark.parametrize("kind", sorted(PLANTERS))
@pytest.mark.parametrize("ruleset", SOME)
def test_one_error_alone_is_told_once_and_what_it_causes_stands_below_it(ruleset: str, kind: str) -> None:
    for seed in range(examples(3, 1)):
        rng = random.Random(f"one {ruleset} {kind} {seed}")
        made = evening(rng, ruleset, count=examples(12, 8))
        planted = PLANTERS[kind](rng, made)
        report = reported(made)
        (fault,) = report.faults
        assert Trial(made, (planted,), report).named
        assert fault.finding.seq in fault.finding.evidence
        assert (fault.deal, fault.finding.seq, fault.finding.code) not in [
            (one.deal, one.finding.seq, one.finding.code) for one in fault.follows
        ]


@either
@pytest.mark.parametrize("ruleset", SOME)
def test_a_card_that_was_not_entered_is_one_fault_of_the_evening(ruleset: str, hidden: bool) -> None:
    rng = random.Random(f"not entered {ruleset} {hidden}")
    made = evening(rng, ruleset, count=8, hidden=hidden)
    at = next(at for at, one in enumerate(made.deals) if sum(map(is_play, one)) > 20)
    plays = [place for place, one in enumerate(made.deals[at]) if is_play(one)]
    deal = [{name: told for name, told in one.items() if name != "trick"} for one in made.deals[at]]
    made.deals[at] = [*deal[: plays[7]], *deal[plays[7] + 1 :]]
    (fault,) = reported(made).faults
    assert (fault.number, fault.finding.code, fault.finding.seq) == (at + 1, "entry_missing", plays[7] + 1)
    assert len(fault.follows) > 1


def is_play(event: Event) -> bool:
    return bool(event["type"] == "card_played")


def test_the_correction_that_comes_with_a_fault_puts_it_right() -> None:
    """Appended to the deal's log, it leaves nothing to find; it is an entry like any other."""
    for kind in ("swapped_card", "doubled_entry"):
        rng = random.Random(f"right {kind}")
        made = evening(rng, "dlu", count=8)
        planted = PLANTERS[kind](rng, made)
        (fault,) = reported(made).faults
        name = made.names()[planted.deal]
        logs = made.logs()
        again = table_report(made.log(), {**logs, name: with_corrections(logs[name], fault.corrections)})
        assert again is not None
        assert named(again) == []
