"""A few rounds of `python -m tests.system.faults kill`, and some strikes of `… disk`."""

from pathlib import Path

import pytest

from service.eventstore import SqliteStore, StoredEvent
from tests.support.effort import examples
from tests.support.store.writing import deal, event
from tests.system.faults.accounts import Acknowledged, amiss
from tests.system.faults.disk import KILL, Strike, can_trace, in_new_folder
from tests.system.faults.kill import killed
from tests.system.faults.scenarios import SCENARIOS

pytestmark = pytest.mark.process


@pytest.mark.smoke
def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    outcome = killed(tmp_path, rounds=examples(3, 1), clients=2, at_least=50)
    assert outcome.faults == ()
    assert outcome.acknowledged >= 50
    assert outcome.lines > outcome.rounds, "who follows live came back after each"


def test_what_is_amiss_is_seen(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "store.db") as store:
        store.append("r", [deal("s", 0, event("a", "1"), event("b", "2"), event("c", "3"))])
        stored = store.read_all()
    file = Path("client")
    told = [Acknowledged(one.stream, one.seq, one.event_id, one.body.decode()) for one in stored]

    def seen(lines: list[Acknowledged], rows: list[StoredEvent]) -> set[str]:
        return {one.partition(":")[0] for one in amiss({file: lines}, rows)}

    assert seen(told, [*stored]) == set()
    assert seen(told, stored[:2]) == {"lost"}
    assert seen(told, [stored[0], stored[2]]) == {"lost", "gap"}
    assert seen(told, [*stored, stored[2]._replace(position=4, seq=4)]) >= {"doubled"}
    assert seen([told[0]._replace(body="{}")], [*stored]) == {"changed"}
    assert seen([told[1], told[0]], [*stored]) == {"order"}


STRIKES = (
    ("append", Strike("fsync", 9, KILL)),
    pytest.param("append", Strike("fsync", 30, "error=EIO", 4), marks=pytest.mark.smoke),
    pytest.param("append", Strike("pwrite64", 120, "error=ENOSPC", 4), marks=pytest.mark.smoke),
    ("append", Strike("pwrite64", 260, KILL)),
    ("append", Strike("write", 2, "error=ENOSPC", 4)),
    ("import-slips", Strike("pwrite64", 60, "error=EIO", 4)),
    ("erase-person", Strike("fsync", 5, KILL)),
    ("projections", Strike("fsync", 8, KILL)),
    ("projections", Strike("pwrite64", 50, "error=ENOSPC", 4)),
    ("migrate", Strike("pwrite64", 40, KILL)),
    ("backup", Strike("write", 1, "error=ENOSPC")),
)  # fmt: skip


@pytest.mark.skipif(
    not can_trace(), reason="strace is not here or may not trace: faults of the system cannot be made."
)
@pytest.mark.parametrize(("scenario", "strike"), STRIKES, ids=str)
def test_a_fault_loses_nothing_and_is_reported(scenario: str, strike: Strike, tmp_path: Path) -> None:
    outcome = in_new_folder(SCENARIOS[scenario], strike, tmp_path)
    assert outcome.there, "the fault did not strike"
    assert outcome.faults == ()
