"""What every store keeps to prove its events: salts, leaves, tiles; and contents that are erased."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from service.eventstore import (
    ANY_VERSION,
    EventStore,
    SealedEvent,
    SqliteReader,
    SqliteStore,
    StoredEvent,
    erasure_log,
    errors,
)
from service.eventstore.head_file import HEAD_FILE_SUFFIX
from service.eventstore.merkle.leaves import (
    ABSENT_LEAF_HASH,
    SALT_BYTES,
    compute_commitment,
    compute_event_leaf,
)
from service.eventstore.merkle.tiles import TILE_WIDTH, node_reader_from_tiles
from service.eventstore.merkle.tree import leaf_hash, root_hash, root_of_leaves
from tests.support.store.concurrency import in_threads
from tests.support.store.merkle_tree import all_sealed, require_whole_tree
from tests.support.store.writing import deal, event, events
from tests.support.transparency.forging import forging


def leaf_of(sealed: SealedEvent) -> bytes:
    position, root, stream, seq, event_id, stored_at, _ = sealed.event
    assert position > 0
    return compute_event_leaf(root, stream, seq, event_id, stored_at, sealed.commitment)


def test_a_leaf_is_what_the_guide_says() -> None:
    told = compute_commitment(b"s" * 16, b'{"type":"gap_noted"}')
    data = b"spadille event 1\n5:table,4:deal,2:12,2:id,24:2026-11-20T19:30:05.250Z," + told
    assert compute_event_leaf("table", "deal", 12, "id", "2026-11-20T19:30:05.250Z", told) == leaf_hash(data)
    # A comma or a colon in a name cannot make two events one.
    one, other = (compute_event_leaf(*names, 1, "i", "t", told) for names in (("a,1:b", "c"), ("a", "b,1:c")))
    assert one != other


def test_every_event_is_sealed_as_it_stands(store: EventStore) -> None:
    store.append("r", [deal("s", 0, *events(3)), deal("t", 0, event("same"))])
    store.append("r", [deal("s", 3, event("same"))])
    sealed = all_sealed(store)
    assert [one.event for one in sealed] == store.read_all()
    for one in sealed:
        assert one.salt is not None and len(one.salt) == SALT_BYTES
        assert one.commitment == compute_commitment(one.salt, one.event.body)
        assert one.leaf_hash == leaf_of(one)
    assert len({one.salt for one in sealed}) == 5
    assert store.read_sealed_events("s", 1, 2) == [sealed[1], sealed[2]]
    assert store.read_sealed_events("s", 4) == []
    with pytest.raises(errors.UnknownStream):
        store.read_sealed_events("nowhere")
    with pytest.raises(ValueError, match="at least 1"):
        store.read_sealed_events("s", 0, 0)


def test_the_tree_has_every_event_at_its_position(store: EventStore) -> None:
    require_whole_tree(store)
    for count in (1, 1, 200, 53, 1, 1, 300, 1, 700):
        store.append("r", [deal("s", ANY_VERSION, *events(count))])
        require_whole_tree(store)
    before = store.read_tile(0, 4)
    with pytest.raises(errors.IdConflict):
        taken = event("other", store.read_stream("s")[0].event_id)
        store.append("r", [deal("s", ANY_VERSION, *events(20), taken)])
    assert store.read_tile(0, 4) == before, "a refused append leaves no trace"
    store.append("r", [deal("s", ANY_VERSION, *events(20))])
    require_whole_tree(store)


def test_contents_are_erased_and_the_leaf_stays(store: EventStore) -> None:
    store.append("r", [deal("s", 0, *events(2), event("Mrs Secret's note", "told"))])
    before = all_sealed(store)
    store.erase({"r": {"told": b'{"type":"note_added","text":""}'}})
    after = all_sealed(store)
    assert after[:2] == before[:2]
    erased = after[2]
    stays = before[2].event._replace(body=b'{"type":"note_added","text":""}')
    assert erased == before[2]._replace(event=stays, salt=None)
    assert leaf_of(erased) == erased.leaf_hash
    found = store.find_events("r", ["told"])["told"]
    assert store.read_stream("s")[2] == store.read_all()[2] == found == erased.event
    require_whole_tree(store)
    with pytest.raises(errors.IdConflict):  # what was erased cannot be told by repeating it
        store.append("r", [deal("s", ANY_VERSION, event("Mrs Secret's note", "told"))])
    for root, ids in (("r", ["told", "unknown"]), ("q", ["told"])):
        with pytest.raises(errors.UnknownEvent, match="Nothing was erased"):
            store.erase({root: dict.fromkeys(ids, b"{}")})
    assert all_sealed(store)[:3] == after[:3]
    store.erase({"r": {"told": b"{}"}})
    assert all_sealed(store)[2].commitment == before[2].commitment
    store.append("r", [deal("s", 3, event())])
    require_whole_tree(store)


def require_placeholders(stored: StoredEvent, placeholders: dict[int, bytes]) -> None:
    """The record of an erasure says of each position what stands there now."""
    told = list(erasure_log.parse_placeholders(json.loads(stored.body)))
    assert told == [(position, sha256(body).digest()) for position, body in placeholders.items()]


def test_an_erasure_is_an_event_of_the_store(store: EventStore) -> None:
    store.append("r", [deal("s", 0, event("a", "a"), event("b", "b"))])
    store.erase({"r": {"a": b"{}", "b": b'{"b":1}'}})
    (recorded,) = store.read_stream(erasure_log.ERASURE_STREAM)
    kind = store.stream_info(erasure_log.ERASURE_STREAM).kind
    assert (recorded.position, kind) == (3, erasure_log.ERASURE_STREAM_KIND)
    require_placeholders(recorded, {1: b"{}", 2: b'{"b":1}'})
    # The same once more is no erasure; other contents are.
    store.erase({"r": {"a": b"{}"}})
    assert store.head() == 3
    store.erase({"r": {"a": b"[]", "b": b'{"b":1}'}})
    require_placeholders(store.read_all(3)[0], {1: b"[]"})
    require_whole_tree(store)


def test_older_erasures_are_recorded_at_the_first_opening(sqlite_path: Path) -> None:
    with SqliteStore(sqlite_path) as store:
        store.append("r", [deal("s", 0, event("a", "a"), *events(256))])
        store.erase({"r": {"a": b"{}"}})
    with forging(sqlite_path) as execute:
        execute("DELETE FROM events WHERE position = 258")
        execute("DELETE FROM streams WHERE stream = ?", (erasure_log.ERASURE_STREAM,))
        execute("DELETE FROM roots WHERE root = ?", (erasure_log.ERASURE_STREAM,))
        execute("DELETE FROM _sqlite_migrations WHERE name = '0004_erasures_are_recorded'")
    sqlite_path.with_name(sqlite_path.name + HEAD_FILE_SUFFIX).unlink()
    for _ in range(2):
        with SqliteStore(sqlite_path) as store:
            (recorded,) = store.read_stream(erasure_log.ERASURE_STREAM)
            assert (recorded.position, store.head()) == (259, 259)
            require_placeholders(recorded, {1: b"{}"})


def test_an_erasure_waits_for_its_turn(sqlite_path: Path) -> None:
    with SqliteStore(sqlite_path) as store:
        store.append("r", [deal("s", 0, event("gone", "gone"))])

        def write(number: int) -> None:
            if number == 0:
                store.erase({"r": {"gone": b"{}"}})
            else:
                for _ in range(30):
                    store.append("r", [deal("s", ANY_VERSION, event())])

        in_threads(5, write)
        assert store.stream_version("s") == 121
        require_whole_tree(store)


def test_writers_at_once_fill_the_tiles(store: EventStore) -> None:
    def write(number: int) -> None:
        for version in range(80):
            (appended,) = store.append(f"r{number}", [deal(f"s{number}", version, event())])
            assert (appended.version, appended.repeated_count) == (version + 1, 0)

    in_threads(8, write)
    assert store.head() == 640 > 2 * TILE_WIDTH
    require_whole_tree(store)


def test_of_what_was_torn_out_the_leaf_or_a_complaint_is_reported(sqlite_path: Path) -> None:
    with SqliteStore(sqlite_path) as store:
        store.append("r", [deal("s", 0, *events(300))])
        leaves = [*store.read_tile(0, 0), *store.read_tile(0, 1)]
    with forging(sqlite_path) as execute:
        execute("DELETE FROM events WHERE position IN (5, 290)")
        execute("UPDATE events SET salt = NULL WHERE position = 1")
    with SqliteReader(sqlite_path) as reader:
        assert reader.read_tile(0, 0) == leaves[:256], "a stored tile has it still"
        assert reader.read_tile(0, 1) == [*leaves[256:289], ABSENT_LEAF_HASH, *leaves[290:]]
        with pytest.raises(errors.StoreDamaged, match=r"Event 1 of stream s .* not as it was recorded"):
            reader.read_sealed_events("s")


def test_a_large_store_has_hashes_over_tiles_of_tiles(sqlite_path: Path) -> None:
    with SqliteStore(sqlite_path) as store:
        many = events(4700)
        for number in range(14):
            store.append(f"r{number}", [deal(f"s{number}", 0, *many)])
        assert store.head() > TILE_WIDTH**2
        leaves = [leaf for number in range(TILE_WIDTH + 2) for leaf in store.read_tile(0, number)]
        assert len(leaves) == store.head()
        (top,) = store.read_tile(2, 0)
        assert top == root_of_leaves(leaves[: TILE_WIDTH**2])
        assert root_hash(node_reader_from_tiles(store.read_tile), store.head()) == root_of_leaves(leaves)
        inspection = store.inspection()
        assert inspection.read_subtree_hashes()[2, 0] == top
        assert len(inspection.read_subtree_hashes()) == store.head() // TILE_WIDTH + 1
    # Without what is stored over the tiles, it follows from them all the same.
    with forging(sqlite_path) as execute:
        execute("DELETE FROM subtrees")
    with SqliteReader(sqlite_path) as reader:
        assert reader.read_tile(2, 0) == [top]
