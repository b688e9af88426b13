"""The report of a table: of an evening with five errors in it, it names all five and nothing else."""

import random

import pytest

from engine import Log, audit
from engine.core.log import Entry
from engine.diagnosis.explanations import append_corrections, filter_for_director
from engine.tables.table_report import TableReport, compile_table_report
from tests.support.effort import examples
from tests.support.engine.shorthand import Event, log_from
from tests.support.hidden.records import RULESETS
from tests.support.tables.evenings import evening
from tests.support.tables.planting import PLANTERS
from tests.support.tables.trials import DOUBLINGS, Trial, reported, trial

SOME = ("dlu", "ombre", "tresillo")
either = pytest.mark.parametrize("hidden", [False, True], ids=["all told", "some hidden"])


def report_faults(report: TableReport) -> list[tuple[int | None, str, object]]:
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
    assert made.named, (report_faults(made.report), made.planted)
    wrong = next(one for one in made.planted if one.kind == "wrong settlement")
    first = made.report.first_difference
    assert first is not None
    assert (first.line.number, first.fault.finding.seq) == (wrong.deal + 1, wrong.seq)
    assert sum(chips for _, chips in first.difference) == 0
    assert first.difference
    assert dict(made.report.difference) == dict(first.difference)
    assert not made.report.ok


@either
@pytest.mark.parametrize("ruleset", RULESETS)
def test_where_nothing_is_wrong_nothing_is_named(ruleset: str, hidden: bool) -> None:
    rng = random.Random(f"right {ruleset} {hidden}")
    report = reported(evening(rng, ruleset, count=examples(20, 8), players=4, hidden=hidden))
    assert report_faults(report) == []
    assert (report.ok, report.first_difference, report.difference) == (True, None, ())


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
            (one.deal, one.finding.seq, one.finding.code) for one in fault.consequences
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
    assert len(fault.consequences) > 1


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
        corrected = append_corrections(logs[name], fault.corrections)
        again = compile_table_report(made.log(), {**logs, name: corrected})
        assert again is not None
        assert report_faults(again) == []


def spoilt(rng: random.Random, events: list[Event]) -> list[Event]:
    """A deal in which entries are missing, doubled, moved, corrected or of another seat."""
    after = list(events)
    for _ in range(rng.randint(0, 3)):
        at, there = rng.randrange(len(after)), rng.randrange(len(after))
        one = after[at]
        seat = {"seat": rng.choice(("forehand", "middlehand", "backhand"))} if "seat" in one else {}
        kind = rng.choice(("left out", "twice", "elsewhere", "other seat", "corrected"))
        if kind in ("left out", "elsewhere") and len(after) > 1:
            del after[at]
        elif kind == "other seat":
            after[at] = one | seat
        if kind in ("twice", "elsewhere"):
            after.insert(there, one)
        elif kind == "corrected":
            after.append({"type": "correction_made", "replaces": [there + 1], "with": [one], "reason": ""})
    return after


def any_evening(seed: str) -> tuple[Log, dict[str, Log]]:
    """An evening of few deals, some of them spoilt, some not here, some entered again."""
    rng = random.Random(seed)
    made = evening(rng, rng.choice(RULESETS), count=5, players=rng.choice((3, 4)), hidden=rng.random() < 0.3)
    deals = zip(made.names(), made.deals, strict=True)
    logs = {name: log_from(spoilt(rng, events)) for name, events in deals}
    for _ in range(rng.randint(0, 2)):
        logs[rng.choice(made.names())] = rng.choice(list(logs.values()))
    if rng.random() < 0.3:
        del logs[rng.choice(list(logs))]
    table = list(made.log())
    if rng.random() < 0.5:
        table.insert(rng.randint(1, len(table)), rng.choice(table))
    if rng.random() < 0.5:
        del table[rng.randrange(1, len(table))]
    return tuple(Entry(seq, event) for seq, (_, event, _) in enumerate(table, 1)), logs


@pytest.mark.parametrize("part", range(examples(8, 1)))
def test_nothing_that_is_found_is_lost_and_every_entry_that_is_named_is_there(part: int) -> None:
    for number in range(examples(12, 3)):
        log, deals = any_evening(f"any {part}.{number}")
        report = compile_table_report(log, deals)
        assert report is not None
        all_told = {(one.deal, one.finding.seq, one.finding.code) for one in report.faults}
        below = (one for fault in report.faults for one in fault.consequences)
        all_told |= {(one.deal, one.finding.seq, one.finding.code) for one in below}
        started = {one.line.deal for one in report.deals}
        for name, deal in deals.items():
            if name in started and deal[0].seq == 1:
                own = filter_for_director(audit(deal).findings)
                of_chips = ("settlement_mismatch", "pool_mismatch")  # hang on the pool that lay there
                lost = {(name, one.seq, one.code) for one in own if one.code not in of_chips} - all_told
                assert not lost, (part, number)
        for fault in report.faults:
            there = log if fault.deal is None else deals[fault.deal]
            entries = {int(str(entry.seq).partition(".")[0]) for entry in there}
            named = (fault.finding.seq, *fault.finding.evidence)
            assert {int(str(seq).partition(".")[0]) for seq in named} <= entries, (part, number)
            assert fault.finding.severity != "info"
        assert len({(one.deal, one.finding) for one in report.faults}) == len(report.faults)
