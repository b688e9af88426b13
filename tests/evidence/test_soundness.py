"""The one pass over a sound store: it says what the thorough look says, and leaves all else to that."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.evidence import soundness, verifying
from service.evidence.kept import Kept
from service.evidence.notary import Notary
from service.evidence.soundness import sound_verdict
from service.evidence.tiles import WIDTH
from service.evidence.verifying import verify_store
from service.evidence.walking import Walk
from service.forgetting import forget, named_in
from service.store import SqliteReader, SqliteStore
from service.store.inspection import RawEvent
from service.store.sqlite_inspection import SqliteInspection
from tests.evidence.forging import fill, forging, kept_of, put


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with two full tiles and more, in which a name was erased."""
    path = tmp_path / "store.db"
    with SqliteStore(path) as store:
        fill(store, 22)
        forget(store, named_in(store, "Anna", "N. N."))
        assert store.head() > 2 * WIDTH + 10
    return path


def checkpoints(path: Path) -> list[Kept | None]:
    """None; checkpoints of several sizes, by themselves and together; and with all leaf hashes."""
    with SqliteStore(path) as store:
        notary = Notary.in_memory()
        whole = kept_of(store)
        sizes = (0, 1, WIDTH - 1, WIDTH, WIDTH + 1, 2 * WIDTH, store.head())
        notes = tuple(notary.checkpoint(store, size) for size in sizes)
    return [None, Kept(notes), *(Kept((note,)) for note in notes), whole]


def test_it_says_what_the_thorough_look_says(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    every = checkpoints(path)
    with SqliteReader(path) as reader:
        inspection = reader.inspection()
        quick = [sound_verdict(inspection, kept, own) for kept in every for own in (None, every[1])]
        monkeypatch.setattr(verifying, "sound_verdict", lambda *_: None)
        assert quick == [verify_store(inspection, kept, own) for kept in every for own in (None, every[1])]
    assert None not in quick


class Counted(SqliteInspection):
    """Counts how often the events were read, and the most leaf hashes that a walk held meanwhile."""

    passes = 0

    def events(self) -> Iterator[RawEvent]:
        self.passes += 1
        yield from super().events()


def test_a_sound_store_is_read_once_and_a_tile_held(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[int] = []

    class Watched(Walk):
        def step(self, event: RawEvent) -> bool:
            held.append(len(self.now))
            return super().step(event)

    monkeypatch.setattr(soundness, "Walk", Watched)
    with SqliteReader(path) as reader:
        inspection = Counted(reader._readers)
        assert verify_store(inspection).faults == ()
    assert inspection.passes == 1
    assert max(held) < WIDTH < len(held)


FORGERIES = {
    "contents": lambda execute: put(execute, 30, basis="told"),
    "a leaf": lambda execute: execute("UPDATE events SET leaf = zeroblob(32) WHERE position = 300"),
    "an event that is gone": lambda execute: execute("DELETE FROM events WHERE position = 300"),
    "a tile": lambda execute: execute("UPDATE leaf_tiles SET hashes = zeroblob(8192) WHERE number = 1"),
    "a tile that is none": lambda execute: execute("INSERT INTO leaf_tiles VALUES (99, zeroblob(8192))"),
    "a tile before the first": lambda execute: execute("INSERT INTO leaf_tiles VALUES (-1, zeroblob(8192))"),
    "a hash over a tile": lambda execute: execute("UPDATE subtrees SET hash = zeroblob(32) WHERE number = 1"),
    "an erasure": lambda execute: execute("UPDATE events SET salt = zeroblob(16) WHERE salt IS NULL"),
    "the end": lambda execute: execute(
        "DELETE FROM events WHERE position = (SELECT max(position) FROM events)"
    ),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_of_any_other_it_says_nothing(path: Path, forgery: str) -> None:
    with forging(path) as execute:
        FORGERIES[forgery](execute)
    with SqliteReader(path, whole=False) as reader:
        inspection = reader.inspection()
        assert sound_verdict(inspection, None, None) is None
        assert verify_store(inspection).faults
