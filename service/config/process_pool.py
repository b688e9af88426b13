"""Worker processes that end with the process that started them, even if it is killed."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.context import BaseContext
from threading import Thread


class CannotStartProcess(Exception):
    """The operating system cannot start a process, or share memory between processes."""


@contextmanager
def open_process_pool(
    count: int, initializer: Callable[[], None], context: BaseContext | None = None
) -> Iterator[ProcessPoolExecutor]:
    """Up to ``count`` processes, each set up by ``initializer``; an exception here kills them.

    Only this process handles Ctrl-C.

    Raises:
        CannotStartProcess: the operating system cannot start one.
    """
    others = set(multiprocessing.active_children())
    try:
        pool = ProcessPoolExecutor(count, context, partial(_initialize_worker, initializer))
    except (OSError, NotImplementedError) as error:
        raise CannotStartProcess(error) from None
    try:
        try:
            with _block_interrupts():
                pool.submit(os.getpid)
        except OSError as error:
            raise CannotStartProcess(error.strerror or error) from None
        yield pool
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.kill()
        _stop_waiting_for_results(pool)
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _stop_waiting_for_results(pool: ProcessPoolExecutor) -> None:
    """Let the pool see the end of its results.

    After a worker was killed while it sent one, the pool would wait forever for the rest of it, as this
    process can still write to that pipe.
    """
    for queue, end in (("_call_queue", "_reader"), ("_result_queue", "_writer")):
        with suppress(AttributeError, OSError):  # the pool has dropped or closed them already
            getattr(getattr(pool, queue), end).close()


@contextmanager
def _block_interrupts() -> Iterator[None]:
    """Block Ctrl-C in processes that start here: only the parent handles it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)


def _initialize_worker(initializer: Callable[[], None]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, daemon=True).start()
    initializer()


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
