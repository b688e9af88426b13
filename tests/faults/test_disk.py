"""Some of the faults of `python -m tests.faults disk`, and of a service whose disk fails."""

from pathlib import Path

import pytest

from tests.faults.disk import KILL, Strike, can_trace, in_new_folder
from tests.faults.scenarios import SCENARIOS

pytestmark = pytest.mark.process

needs_strace = pytest.mark.skipif(
    not can_trace(), reason="strace is not here or may not trace: faults of the system cannot be made."
)

STRIKES = (
    ("append", Strike("fsync", 9, KILL)),
    pytest.param("append", Strike("fsync", 30, "error=EIO", 4), marks=pytest.mark.smoke),
    pytest.param("append", Strike("pwrite64", 120, "error=ENOSPC", 4), marks=pytest.mark.smoke),
    ("append", Strike("pwrite64", 260, KILL)),
    ("append", Strike("write", 2, "error=ENOSPC", 4)),
    ("import", Strike("pwrite64", 60, "error=EIO", 4)),
    ("forget", Strike("fsync", 5, KILL)),
    ("figures", Strike("fsync", 8, KILL)),
    ("figures", Strike("pwrite64", 50, "error=ENOSPC", 4)),
    ("migrate", Strike("pwrite64", 40, KILL)),
    ("backup", Strike("write", 1, "error=ENOSPC")),
)  # fmt: skip


@needs_strace
@pytest.mark.parametrize(("scenario", "strike"), STRIKES, ids=str)
def test_a_fault_loses_nothing_and_is_told(scenario: str, strike: Strike, tmp_path: Path) -> None:
    outcome = in_new_folder(SCENARIOS[scenario], strike, tmp_path)
    assert outcome.there, "the fault did not strike"
    assert outcome.faults == ()
