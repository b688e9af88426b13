"""Scanning the segments of a large store in several processes.

Hashing and reading the events takes the time, and one Python process does that on one processor only.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Generator
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
"""The events of one segment."""
MIN_PARALLEL_EVENTS: Final = 8 * SEGMENT_SIZE
"""One process scans a smaller store before others have started."""
MAX_PROCESSES: Final = 8


class _Reader(Protocol):
    def inspection(self) -> Inspection: ...


StoreOpener: TypeAlias = Callable[[], AbstractContextManager[_Reader]]
"""Opens the store in another process: a function of a module with its arguments, as it is pickled."""


def usable_process_count() -> int:
    """The number of processes that are of use on this computer."""
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
    """Scan the whole segments of a store in order; None for a segment that is not intact.

    Yields nothing for a small store or if no process starts, and ends if a process is killed.
    """
    processes = usable_process_count() if processes is None else processes
    segment_count = inspection.last_position() // segment_size
    if processes < 2 or segment_count * segment_size < min_events:
        return
    try:
        initializer = partial(_initialize_worker, store_opener)
        with open_process_pool(processes, initializer, get_context("spawn")) as pool:
            starts = range(0, segment_count * segment_size, segment_size)
            yield from pool.map(_scan_segment_in_worker, starts, (start + segment_size for start in starts))
    except (CannotStartProcess, BrokenProcessPool, OSError):
        return


def scan_segment(inspection: Inspection, after: int, up_to: int) -> StoreScan | None:
    """Scan the events after one position up to another, both ends of a tile; None if they are not intact.

    Raises as the inspection does.
    """
    scan = StoreScan(after)
    is_sound = scan.add_events(inspection.read_raw_events(after, up_to)) is None and scan.is_intact()
    return scan if is_sound and scan.end == up_to else None


class _WorkerState:
    """The store of this process, open from the first segment on."""

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
        return None  # the main process reads the segment again and reports the error
