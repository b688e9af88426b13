"""Shares the logs of a trial among processes."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator
from multiprocessing import Queue
from pathlib import Path
from queue import Empty
from typing import Final, NamedTuple

from tests.system.hostile_logs.runner import Tried, limit_this_process, tried

LOOK_SECONDS: Final = 5
"""How often it is looked whether the processes are still there."""


class Trial(NamedTuple):
    """Which logs are tried, by how many processes, and the folder for what fails."""

    seed: int
    numbers: range
    processes: int
    folder: Path


def _work(trial: Trial, share: int, end: float, answers: Queue[Tried | None]) -> None:
    """Tries one process's share of the logs, as long as the process that asked for it is there."""
    limit_this_process()
    parent, shares = os.getppid(), trial.numbers[share :: trial.processes]
    numbers = (one for one in shares if time.monotonic() < end and os.getppid() == parent)
    for one in tried(trial.seed, numbers, trial.folder):
        answers.put(one)
    answers.put(None)


def all_tried(trial: Trial, seconds: float) -> Iterator[Tried]:
    """Each log as it was tried; after these ``seconds`` no log is begun.

    Raises:
        RuntimeError: a process ended before it had tried its share.
    """
    context = multiprocessing.get_context("spawn")
    answers: Queue[Tried | None] = context.Queue()
    end = time.monotonic() + seconds
    shares = [
        context.Process(target=_work, args=(trial, share, end, answers), daemon=True)
        for share in range(trial.processes)
    ]
    for one in shares:
        one.start()
    waiting = len(shares)
    while waiting:
        try:
            answer = answers.get(timeout=LOOK_SECONDS)
        except Empty:
            if any(one.exitcode for one in shares):
                raise RuntimeError("A process of the trial ended while it tried a log.") from None
            continue
        if answer is None:
            waiting -= 1
        else:
            yield answer
