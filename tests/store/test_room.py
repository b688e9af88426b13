"""How much room a store takes and has, and whether it could be written to."""

from collections import namedtuple
from pathlib import Path

import pytest

from service.eventstore import EventStore, MemoryStore, SqliteStore, StoreUnavailable
from service.http.readiness import LEAST_FREE, require_ready
from tests.store.writing import deal, event

Usage = namedtuple("Usage", "total used free")


def test_a_store_says_what_it_takes(store: EventStore) -> None:
    if isinstance(store, MemoryStore):
        assert store.room() is None
        return
    before = store.room()
    for number in range(50):
        store.append("r", [deal(f"s{number}", 0, event())])
    after = store.room()
    assert before is not None and after is not None
    assert after.used > before.used > 0
    assert after.free is None or after.free > 0


def test_to_look_whether_it_can_be_written_to_writes_nothing(store: EventStore) -> None:
    store.append("r", [deal("s", 0, event())])
    for _ in range(3):
        require_ready(store)
    assert store.head() == 1
    assert [info.stream for info in store.streams()] == ["s"]


def test_a_disk_that_is_nearly_full_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SqliteStore(tmp_path / "x.db") as store:
        monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(0, 0, LEAST_FREE))
        require_ready(store)
        monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(0, 0, LEAST_FREE - 1))
        with pytest.raises(StoreUnavailable, match="63 MiB left, and 64 MiB are needed"):
            require_ready(store)
