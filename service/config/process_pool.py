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
from typing import Any


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
    """Let the pool's thread end, although its workers were killed.

    A worker killed while it sent a result leaves a part of it, and the thread would wait forever for the
    rest, as this process can still write to that pipe. Before Python 3.11.5 the thread could also be stuck
    sending calls that nobody reads; later versions close that pipe themselves, and closing it at the same
    time would make theirs fail.
    """
    internals: Any = pool  # typeshed declares them only in part
    with suppress(AttributeError, OSError):  # the pool has dropped or closed it already
        internals._result_queue._writer.close()
    if (manager := getattr(pool, "_executor_manager_thread", None)) is not None:
        manager.join(timeout=2)
        if manager.is_alive():
            with suppress(AttributeError, OSError):
                internals._call_queue._reader.close()


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
