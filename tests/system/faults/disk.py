"""A disk that fails or is full, and a process that dies: `strace` strikes each single call that writes."""

import itertools
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from service.config.data_files import STORE_FILE_NAME
from service.eventstore import SqliteStore, StoreError
from service.transparency.store_verification import verify_store
from tests.support.store.writing import ROOT
from tests.system.faults.accounts import Acknowledged, amiss, stored_in
from tests.system.faults.appending import ERASED
from tests.system.faults.service import ENVIRONMENT

CALLS: Final = ("fsync", "fdatasync", "pwrite64", "write", "ftruncate")
"""The calls by which Python and SQLite write to a disk."""
KILL: Final = "signal=SIGKILL"
WAYS: Final = (("error=EIO", 1), ("error=EIO", 4), ("error=ENOSPC", 1), ("error=ENOSPC", 4), (KILL, 1))
"""What becomes of a call, and of how many calls in a row."""
AT_ONCE: Final = 2


class Strike(NamedTuple):
    """A fault: which call, the how manieth, what becomes of it, and of how many calls from there on."""

    call: str
    at: int
    how: str
    lasts: int = 1

    def __str__(self) -> str:
        return f"{self.call} {self.at}, {self.how}" + (f", {self.lasts} times" if self.lasts > 1 else "")


class Struck(NamedTuple):
    """What came of a strike: whether there was such a call, whether it was told, and what is amiss."""

    strike: Strike
    there: bool
    told: bool
    faults: tuple[str, ...]


Scenario = Callable[[Path, Strike], Struck]


def can_trace() -> bool:
    words = ("strace", "-qq", "-o", "/dev/null", "true")
    return bool(shutil.which("strace")) and subprocess.run(words, check=False).returncode == 0


def struck(
    folder: Path, strike: Strike, command: Sequence[str]
) -> tuple[bool, subprocess.CompletedProcess[str]]:
    """Run a command under a strike: whether there was such a call, and how it ended."""
    log = folder / "strace.log"
    when = f"{strike.at}..{strike.at + strike.lasts - 1}" if strike.lasts > 1 else f"{strike.at}"
    inject = f"-einject={strike.call}:{strike.how}:when={when}"
    done = subprocess.run(
        ["strace", "-f", "-qq", "-o", str(log), f"-etrace={strike.call}", inject, *command],
        cwd=ROOT, env={**ENVIRONMENT, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    said = log.read_text("utf-8", "replace")
    return "(INJECTED)" in said or "killed by SIGKILL" in said, done


def appending(folder: Path, strike: Strike) -> Struck:
    """A store that does all that a store does, and what it is when it is opened again."""
    there, done = struck(folder, strike, [sys.executable, "-m", "tests.system.faults.appending", str(folder)])
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    told = [Acknowledged(**line) for line in lines if "stream" in line]
    refusals = [line["refused"] for line in lines if "refused" in line]
    faults = [f"not a sentence: {one}" for one in refusals if not one.rstrip().endswith((".", "ids."))]
    if "Traceback" in done.stderr:
        faults.append(done.stderr)
    if strike.how != KILL and {"done": True} not in lines:
        faults.append(f"it did not recover: {refusals} {done.stderr}")
    if told or (folder / STORE_FILE_NAME).exists():
        faults += as_acknowledged(folder / STORE_FILE_NAME, told)
    return Struck(strike, there, bool(refusals), tuple(faults))


def as_acknowledged(store: Path, told: list[Acknowledged]) -> list[str]:
    """What is amiss with a store after the fault, opened as the service opens it."""
    try:
        with SqliteStore(store) as opened:
            opened.require_intact()
            faults = verify_store(opened.inspection()).faults
    except StoreError as error:
        return [f"not opened: {error}"]
    # Callers that write at once are answered in any order: each event counts as one caller's.
    by_caller = {Path(f"{number}"): [one] for number, one in enumerate(told)}
    found = amiss(by_caller, stored_in(store), may_be_erased={ERASED})
    return found + [f"verify: {fault}" for fault in faults]


def sweep(scenario: Scenario, calls: Sequence[str], step: int, place: Path) -> Iterator[Struck]:
    """Strike a scenario at its first, second, … call of each kind until there is no such call any more."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for call, (how, lasting) in itertools.product(calls, WAYS):
            at, there = 1, True
            while there:
                strikes = [Strike(call, at + step * number, how, lasting) for number in range(AT_ONCE)]
                outcomes = list(pool.map(lambda strike: in_new_folder(scenario, strike, place), strikes))
                yield from (outcome for outcome in outcomes if outcome.there or outcome.faults)
                there = all(one.there for one in outcomes)
                at += step * AT_ONCE


def in_new_folder(scenario: Scenario, strike: Strike, place: Path) -> Struck:
    """The scenario in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(dir=place, prefix="struck-") as folder:
        return scenario(Path(folder), strike)
