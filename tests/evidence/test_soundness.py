"""The one pass over a sound store: it says what the thorough look says, and leaves all else to that."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.eventstore import SqliteReader, SqliteStore
from service.eventstore.inspection import Inspection, RawEvent
from service.eventstore.merkle.tiles import WIDTH
from service.eventstore.sqlite.inspection import SqliteInspection
from service.transparency import soundness, verifying
from service.transparency.kept import Kept
from service.transparency.notary import Notary
from service.transparency.soundness import sound_verdict
from service.transparency.stretches import Stretch, stretch_of
from service.transparency.verifying import verify_store
from service.transparency.walking import Walk
from tests.support.evidence.forging import forging, kept_of


def checkpoints(path: Path) -> list[Kept | None]:
    """None; checkpoints of several sizes, by themselves and together; and with all leaf hashes."""
    with SqliteStore(path) as store:
        notary = Notary.in_memory()
        whole = kept_of(store)
        sizes = (0, 1, WIDTH - 1, WIDTH, WIDTH + 1, 2 * WIDTH, store.head())
        notes = tuple(notary.checkpoint(store, size) for size in sizes)
    return [None, Kept(notes), *(Kept((note,)) for note in notes), whole]


def in_stretches(inspection: Inspection, tiles: int) -> list[Stretch | None]:
    """The store's whole tiles looked at so many at a time, each stretch by itself."""
    events = tiles * WIDTH
    starts = range(0, inspection.reached() // events * events, events)
    return [stretch_of(inspection, after, after + events) for after in starts]


def test_it_says_what_the_thorough_look_says(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    every = checkpoints(path)
    asked = [(kept, own) for kept in every for own in (None, every[1])]
    with SqliteReader(path) as reader:
        inspection = reader.inspection()
        by_one, by_two = in_stretches(inspection, 1), in_stretches(inspection, 2)
        assert (len(by_one), len(by_two)) == (2, 1)
        quick = [
            [sound_verdict(inspection, kept, own, stretches) for kept, own in asked]
            for stretches in ([], by_one, by_two)
        ]
        monkeypatch.setattr(verifying, "sound_verdict", lambda *_: None)
        thorough = [verify_store(inspection, kept, own) for kept, own in asked]
    assert quick == [thorough] * 3


class Counted(SqliteInspection):
    """Counts how often the events were read, and the most leaf hashes that a walk held meanwhile."""

    passes = 0

    def events(self, after: int = 0, upto: int | None = None) -> Iterator[RawEvent]:
        self.passes += 1
        yield from super().events(after, upto)


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


@pytest.mark.parametrize(
    "forgery",
    [
        "UPDATE leaf_tiles SET hashes = zeroblob(8192) WHERE number = 1",
        "UPDATE subtrees SET hash = zeroblob(32) WHERE number = 1",
        "INSERT INTO leaf_tiles VALUES (99, zeroblob(8192))",
        "DELETE FROM events WHERE position = 300",
    ],
)
def test_of_any_other_store_it_says_nothing_in_stretches_either(path: Path, forgery: str) -> None:
    with forging(path) as execute:
        execute(forgery)
    with SqliteReader(path, whole=False) as reader:
        inspection = reader.inspection()
        assert sound_verdict(inspection, None, None, in_stretches(inspection, 1)) is None


def test_stretches_have_to_follow_one_another(path: Path) -> None:
    with SqliteReader(path) as reader:
        inspection = reader.inspection()
        first, second = in_stretches(inspection, 1)
        assert first is not None and second is not None
        assert sound_verdict(inspection, None, None, [first, second]) is not None
        # A stretch alone cannot tell whether its first event of a stream is the first, or any other.
        (both, *_) = first.streams.keys() & second.streams.keys()
        begun, ended = second.streams[both]
        assert first.streams[both][1] == begun - 1
        late = first._replace(streams={**first.streams, both: (2, begun - 1)})
        gap = second._replace(streams={**second.streams, both: (begun + 1, ended)})
        for wrong in ([late, second], [first, gap], [second], [second, first], [first, first]):
            assert sound_verdict(inspection, None, None, wrong) is None
