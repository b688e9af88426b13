"""A few hostile logs, each time the same; `make trials` sends many."""

from pathlib import Path

from tests.system.hostile_logs.generator import HostileLog, hostile_log
from tests.system.hostile_logs.processes import Trial, all_tried
from tests.system.hostile_logs.requests import RECORDER, Asked
from tests.system.hostile_logs.runner import Measured


def test_no_request_with_a_hostile_log_takes_too_much(tmp_path: Path) -> None:
    # In a process of its own, as what is measured is all the memory that the process holds.
    trial = Trial(seed=1, numbers=range(12), processes=1, folder=tmp_path)
    tries = list(all_tried(trial, seconds=300))
    assert len(tries) == len(trial.numbers)
    assert not [str(took) for one in tries for took, _ in one.found]


def test_the_same_seed_makes_the_same_log() -> None:
    first: HostileLog = hostile_log(3, 5)
    assert hostile_log(3, 5) == first


def test_what_takes_too_much_is_noticed() -> None:
    took = Measured(Asked(RECORDER, "GET", "/", b"", ""), 200, seconds=1.9, memory=299 << 20)
    assert not took.exceeds
    assert took._replace(seconds=2.1).exceeds
    assert took._replace(memory=301 << 20).exceeds
    assert took._replace(status=500).exceeds
