"""The segments of a large store looked at by as many processes as there are processors.

What takes the time is to hash and to read each event, which one process of Python does on one processor only.
"""

from __future__ import annotations

import atexit
import os
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from multiprocessing import get_context
from typing import Final, Protocol, TypeAlias

from service.config.process_pool import CannotStartProcess, open_process_pool
from service.eventstore import StoreError
from service.eventstore.inspection import Inspection
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.transparency.scan import StoreScan

SEGMENT_SIZE: Final = 64 * TILE_WIDTH
"""So many events are scanned in one piece."""
MIN_PARALLEL_EVENTS: Final = 8 * SEGMENT_SIZE
"""A store of fewer events is looked at sooner by one process than others are begun."""
MAX_PROCESSES: Final = 8


class _Reader(Protocol):
    def inspection(self) -> Inspection: ...


StoreOpener: TypeAlias = Callable[[], AbstractContextManager[_Reader]]
"""Opens the store. It is sent to the processes, and so is to be a function of a module with its arguments."""


def usable_process_count() -> int:
    """How many processes are of use here."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(available, MAX_PROCESSES)


def scan_segments_in_parallel(
    store_opener: StoreOpener,
    inspection: Inspection,
    processes: int | None = None,
    *,
    segment_size: int = SEGMENT_SIZE,
    min_events: int = MIN_PARALLEL_EVENTS,
) -> Generator[StoreScan | None, None, None]:
    """Scan the whole segments of a store from its first event on; None for one in which anything is amiss.

    There are none where the store is small or no process can be begun, and they end where the processes do.
    """
    processes = usable_process_count() if processes is None else processes
    segment_count = inspection.last_position() // segment_size
    if processes < 2 or segment_count * segment_size < min_events:
        return
    try:
        initializer = partial(_initialize_worker, store_opener)
        with open_process_pool(processes, initializer, get_context("spawn")) as pool:
            starts = iter(range(0, segment_count * segment_size, segment_size))
            pending: deque[Future[StoreScan | None]] = deque()
            while True:
                while len(pending) < 2 * processes and (after := next(starts, None)) is not None:
                    pending.append(pool.submit(_scan_segment_in_worker, after, after + segment_size))
                if not pending:
                    return
                yield pending.popleft().result()
    except (CannotStartProcess, BrokenProcessPool, OSError):
        return  # a process could not be started, or was killed


def scan_segment(inspection: Inspection, after: int, up_to: int) -> StoreScan | None:
    """Scan the events behind one position and up to the other, each at the end of a tile; None where anything
    in them is amiss. Raises as the inspection does."""
    scan = StoreScan(after)
    is_sound = scan.add_events(inspection.read_raw_events(after, up_to)) is None and scan.is_intact()
    return scan if is_sound and scan.end == up_to else None


class _WorkerState:
    """The store as this process has it open, from the first segment on."""

    store_opener: StoreOpener
    inspection: Inspection | None = None


def _initialize_worker(store_opener: StoreOpener) -> None:
    _WorkerState.store_opener = store_opener


def _scan_segment_in_worker(after: int, up_to: int) -> StoreScan | None:
    try:
        if _WorkerState.inspection is None:
            until_the_end = ExitStack()
            atexit.register(until_the_end.close)
            _WorkerState.inspection = until_the_end.enter_context(_WorkerState.store_opener()).inspection()
        return scan_segment(_WorkerState.inspection, after, up_to)
    except StoreError:
        return None  # the process that asked reads it again, and says what it is
