"""Of any evening a report is made, which loses nothing that is found and names what is there."""

import random
from typing import Any

import pytest

from engine import Log, audit
from engine.core.log import Entry
from engine.diagnosis.explanations import for_a_director
from engine.tables.report import table_report
from tests.support.effort import examples
from tests.support.engine.shorthand import log_from
from tests.support.hidden.records import RULESETS
from tests.tables.evenings import evening

Event = dict[str, Any]


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
        report = table_report(log, deals)
        assert report is not None
        all_told = {(one.deal, one.finding.seq, one.finding.code) for one in report.faults}
        below = (one for fault in report.faults for one in fault.follows)
        all_told |= {(one.deal, one.finding.seq, one.finding.code) for one in below}
        started = {one.line.deal for one in report.deals}
        for name, deal in deals.items():
            if name in started and deal[0].seq == 1:
                own = for_a_director(audit(deal).findings)
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
