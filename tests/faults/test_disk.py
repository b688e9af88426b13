"""Some of the faults of `python -m tests.faults disk`, and of a service whose disk fails."""

import json
import signal
import subprocess
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest

from service.eventstore import SqliteStore
from service.transparency.verifying import verify_store
from tests.faults.disk import KILL, Strike, can_trace, in_new_folder
from tests.faults.scenarios import SCENARIOS
from tests.faults.service import Service, require_no_traceback
from tests.support.api.recording import OPENING
from tests.support.api.servers import free_port
from tests.support.waiting import until

pytestmark = pytest.mark.process

needs_strace = pytest.mark.skipif(
    not can_trace(), reason="strace is not here or may not trace: faults of the system cannot be made."
)

STRIKES = (
    ("append", Strike("fsync", 9, KILL)),
    ("append", Strike("fsync", 30, "error=EIO", 4)),
    ("append", Strike("pwrite64", 120, "error=ENOSPC", 4)),
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
@pytest.mark.parametrize(("scenario", "strike"), STRIKES, ids=[f"{name}, {one}" for name, one in STRIKES])
def test_a_fault_loses_nothing_and_is_told(scenario: str, strike: Strike, tmp_path: Path) -> None:
    outcome = in_new_folder(SCENARIOS[scenario], strike, tmp_path)
    assert outcome.there, "the fault did not strike"
    assert outcome.faults == ()


@contextmanager
def failing(service: Service, fault: str) -> Iterator[None]:
    """The disk fails the service as it runs, until the end of it."""
    words = ["-f", "-qq", "-o", "/dev/null", f"-etrace={fault.partition(':')[0]}", f"-einject={fault}"]
    strace = subprocess.Popen(
        ["strace", *words, "-p", str(service.worker())], stderr=subprocess.PIPE, text=True
    )
    until(lambda: strace.poll() is not None or _traced(service.worker()))
    if strace.poll() is not None:
        pytest.skip(f"strace may not look at a process that runs: {strace.communicate()[1]}")
    try:
        yield
    finally:
        strace.send_signal(signal.SIGINT)
        strace.communicate(timeout=20)


def _traced(pid: int) -> bool:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return all("TracerPid:\t0\n" not in (task / "status").read_text(encoding="ascii") for task in tasks)


@needs_strace
@pytest.mark.parametrize("fault", ["fsync:error=EIO:when=3+4", "pwrite64:error=ENOSPC:when=5+40"])
def test_a_service_whose_disk_fails_says_so_and_goes_on(fault: str, tmp_path: Path) -> None:
    service = Service(tmp_path / "club", free_port())
    service.start()
    deal, statuses, told = str(uuid.uuid4()), Counter[int](), list[dict[str, Any]]()
    notes = [{"type": "note_added", "id": str(uuid.uuid4()), "text": f"{number}"} for number in range(24)]

    def send(path: str, event: dict[str, Any]) -> int:
        status, said = service.ask("POST", path, orjson.dumps(event), If_Match="*")
        statuses[status] += 1
        answer = json.loads(said)
        if status == 503:
            assert answer["type"] == "/problems/store-unavailable"
            assert "send it again with the same ids" in answer["detail"]
        else:
            told.extend(answer["events"])
        return status

    with failing(service, fault):
        for path, event in (
            ("/api/v1/deals", {**OPENING, "id": deal}),
            *((f"/api/v1/deals/{deal}/events", note) for note in notes),
        ):
            while send(path, event) not in (200, 201):
                assert statuses[503] < 100
    assert statuses[503] > 0, "the fault did not strike"
    # The disk is well again, and so is the service, without anybody's doing.
    assert service.ask("GET", "/readyz")[0] == 200
    assert send(f"/api/v1/deals/{deal}/events", {**notes[0], "id": str(uuid.uuid4())}) == 201
    require_no_traceback(service.stop())
    with SqliteStore(service.store) as store:
        assert [orjson.dumps(event) for event in told] == [event.body for event in store.read(deal)]
        assert verify_store(store.inspection()).faults == ()
