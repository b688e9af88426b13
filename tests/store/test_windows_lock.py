"""The lock as Windows has it: the module read as it is there, over a stand-in for what locks a byte."""

import importlib.util
import os
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.eventstore import ownership
from service.eventstore.errors import StoreInUse


class Locks(types.ModuleType):
    """What `msvcrt` does with locks: a byte is one opened file's until that is closed."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.held: dict[tuple[int, int], int] = {}

    def locking(self, file: int, mode: int, count: int) -> None:
        """Locks the bytes from where the file stands."""
        assert (mode, count) == (self.LK_NBLCK, 1)
        byte = (os.fstat(file).st_ino, os.lseek(file, 0, os.SEEK_CUR))
        if byte in self.held:
            raise OSError(36, "Resource deadlock avoided")
        self.held[byte] = file

    def closed(self, file: int) -> None:
        """A file was closed: what it held is free."""
        self.held = {byte: holder for byte, holder in self.held.items() if holder != file}


@pytest.fixture
def on_windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module as Windows runs it."""
    locks, close = Locks(), os.close

    def closing(file: int) -> None:
        locks.closed(file)
        close(file)

    monkeypatch.setitem(sys.modules, "msvcrt", locks)
    spec = importlib.util.find_spec(ownership.__name__)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with monkeypatch.context() as there:
        there.setattr(sys, "platform", "win32")
        spec.loader.exec_module(module)
    monkeypatch.setattr(os, "close", closing)
    yield module


def test_one_process_at_a_time_has_a_store_on_windows(tmp_path: Path, on_windows: Any) -> None:
    path = tmp_path / "spadille.db"
    first = on_windows.Ownership(path)
    with pytest.raises(StoreInUse, match=f"already in use by process {os.getpid()}"):
        on_windows.Ownership(path)
    first.release()
    first.release()
    on_windows.Ownership(path).release()
    # Others read who it is, so the byte that is locked lies behind what is written.
    assert path.with_name("spadille.db.lock").read_text().strip() == str(os.getpid())
