"""A few hostile logs, each time the same; `make trials` sends many."""

from pathlib import Path

from tests.support.effort import examples
from tests.system.hostile_logs.runner import all_tried


def test_no_request_with_a_hostile_log_takes_too_much(tmp_path: Path) -> None:
    # In processes of their own, as what is measured is all the memory that a process holds.
    logs = examples(12, 3)
    tries = list(all_tried(1, logs, tmp_path, seconds=300))
    assert len(tries) == logs
    assert not [str(took) for one in tries for took, _ in one.found]
