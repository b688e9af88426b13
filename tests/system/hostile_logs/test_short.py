"""A few hostile logs, each time the same; `make trials` sends many."""

from pathlib import Path

from tests.system.hostile_logs.generator import LINES, HostileLog, hostile_log
from tests.system.hostile_logs.requests import RECORDER, Asked
from tests.system.hostile_logs.runner import Service, measured, tried


def test_no_request_with_a_hostile_log_takes_too_much(tmp_path: Path) -> None:
    found = [str(took) for one in tried(1, range(12), tmp_path) for took, _ in one.found]
    assert not found


def test_the_same_seed_makes_the_same_log() -> None:
    first: HostileLog = hostile_log(3, 5)
    assert hostile_log(3, 5) == first


def test_what_takes_too_much_is_noticed() -> None:
    took = measured(Service(), Asked(RECORDER, "POST", "/api/v1/validate", b"{}", LINES))
    assert not took.exceeds
    assert took._replace(seconds=2.1).exceeds
    assert took._replace(memory=301 << 20).exceeds
    assert took._replace(status=500).exceeds
