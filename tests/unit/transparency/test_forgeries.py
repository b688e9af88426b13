"""What a forger does to a copy of a store is noticed, and the first event that differs is named."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from service.config.data_files import STORE_FILE_NAME
from service.transparency.checkpoint_file import SavedCheckpoints
from service.transparency.verification_result import IntegrityFault
from tests.support.api.recording import OPENING, recorded_deal
from tests.support.cli.docs import run_examples
from tests.support.cli.verify import make_club_folder
from tests.support.transparency.forging import (
    DEALS,
    Execute,
    body_at,
    forging,
    make_store,
    put,
    rehash,
    verified,
)


@pytest.fixture(scope="module")
def signed_store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SavedCheckpoints]:
    """A store of some four hundred events, so that one tile is full; and what was kept of it elsewhere."""
    path = tmp_path_factory.mktemp("club") / "store.db"
    kept = make_store(path, 12)
    assert 300 < kept.notes[0].checkpoint.size < 512
    return path, kept


@pytest.fixture
def store(signed_store: tuple[Path, SavedCheckpoints], tmp_path: Path) -> Path:
    return Path(shutil.copy(signed_store[0], tmp_path / "copy.db"))


@pytest.fixture
def checkpoints(signed_store: tuple[Path, SavedCheckpoints]) -> SavedCheckpoints:
    return signed_store[1]


def place_of(path: Path, stream: str, version: int) -> int:
    where = "stream_key = (SELECT stream_key FROM streams WHERE stream = ?) AND version = ?"
    with forging(path) as execute:
        (found,) = positions(execute, where, stream, version)
    return found


def change(execute: Execute, position: int) -> None:
    put(execute, position, basis="printed")


def at_the_position(statement: str) -> Callable[[Execute, int], None]:
    return lambda execute, position: execute(f"{statement} WHERE position = ?", (position,))


remove = at_the_position("DELETE FROM events")


def pretend_erasure(execute: Execute, position: int) -> None:
    execute("INSERT INTO erasures VALUES (?, zeroblob(32), '')", (position,))
    execute("UPDATE events SET salt = NULL, body = CAST('{}' AS BLOB) WHERE position = ?", (position,))


def stream_and_version(execute: Execute, position: int) -> tuple[int, int]:
    asked = execute("SELECT stream_key, version FROM events WHERE position = ?", (position,))
    found: tuple[int, int] = asked.fetchone()
    return found


def positions(execute: Execute, where: str, *named: int | str) -> list[int]:
    return [one for (one,) in execute(f"SELECT position FROM events WHERE {where}", named).fetchall()]


def remove_and_close_up(execute: Execute, position: int) -> None:
    """Nothing shows it any more: positions, versions and the numbers in the contents follow one another."""
    stream, version = stream_and_version(execute, position)
    remove(execute, position)
    for one in positions(execute, "stream_key = ? AND version > ? ORDER BY version", stream, version):
        put(execute, one, seq=body_at(execute, one)["seq"] - 1)
        execute("UPDATE events SET version = version - 1 WHERE position = ?", (one,))
    for one in positions(execute, "position > ? ORDER BY position", position):
        execute("UPDATE events SET position = position - 1 WHERE position = ?", (one,))


def swap(execute: Execute, position: int) -> None:
    """Two events of a deal change places, and their contents say so."""
    for one, seq in ((position, 1), (position + 1, -1)):
        put(execute, one, seq=body_at(execute, one)["seq"] + seq)
    execute("UPDATE events SET version = -version WHERE position = ?", (position,))
    execute("UPDATE events SET version = version - 1 WHERE position = ?", (position + 1,))
    execute("UPDATE events SET version = 1 - version WHERE position = ?", (position,))
    for was, now in ((position, -1), (position + 1, position), (-1, position + 1)):
        execute("PRAGMA ignore_check_constraints = ON")
        execute("UPDATE events SET position = ? WHERE position = ?", (now, was))


def add(execute: Execute, position: int) -> None:
    """An event of the forger's own making stands where another stood, and all behind it moved up."""
    stream, version = stream_and_version(execute, position)
    for one in positions(execute, "stream_key = ? AND version >= ? ORDER BY version DESC", stream, version):
        put(execute, one, seq=body_at(execute, one)["seq"] + 1)
        execute("UPDATE events SET version = version + 1 WHERE position = ?", (one,))
    for one in positions(execute, "position >= ? ORDER BY position DESC", position):
        execute("UPDATE events SET position = position + 1 WHERE position = ?", (one,))
    execute(
        "INSERT INTO events(position, root_key, stream_key, version, event_id, stored_at, digest, body, salt)"
        " SELECT ?, root_key, stream_key, ?, 'added', stored_at, digest, body, randomblob(16)"
        " FROM events WHERE position = ?", (position, version, position + 1),
    )  # fmt: skip
    put(execute, position, id="added", seq=version)


FORGERIES: dict[str, tuple[Callable[[Execute, int], None], str]] = {
    "contents": (change, "changed"),
    "time": (at_the_position("UPDATE events SET stored_at = '2001-01-01T00:00:00.000Z'"), "changed"),
    "id": (at_the_position("UPDATE events SET event_id = 'other'"), "changed"),
    "salt": (at_the_position("UPDATE events SET salt = zeroblob(16)"), "changed"),
    "lost salt": (at_the_position("UPDATE events SET salt = NULL"), "changed"),
    "pretended erasure": (pretend_erasure, "changed"),
    "removed": (remove, "removed"),
    "closed up": (remove_and_close_up, "removed"),
    "swapped": (swap, "reordered"),
    "added": (add, "added"),
}


IN_A_TILE, BEHIND_IT = (3, 5), (11, 4)


@pytest.mark.parametrize(
    ("place", "hashes"),
    [(IN_A_TILE, "as they were"), (BEHIND_IT, "leaves made anew"), (IN_A_TILE, "all made anew")],
    ids=["in a tile", "behind it with its hash made anew", "in a tile with all hashes made anew"],
)
@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forgery_is_named_by_what_was_kept(
    store: Path, checkpoints: SavedCheckpoints, forgery: str, place: tuple[int, int], hashes: str
) -> None:
    act, kind = FORGERIES[forgery]
    number, version = place
    position = place_of(store, DEALS[number], version)
    with forging(store) as execute:
        act(execute, position)
        if hashes != "as they were":
            execute("UPDATE events SET salt = zeroblob(16) WHERE salt IS NULL AND position NOT IN "
                    "(SELECT position FROM erasures)")  # fmt: skip
            if act is not pretend_erasure:
                rehash(execute, tiles=hashes == "all made anew")
    verdict = verified(store, checkpoints)
    first = verdict.faults[0]
    assert (first.kind, first.position) == (kind, position), verdict.faults[:3]
    if first.stream is not None or act is not remove:
        assert (first.stream, first.version) == (DEALS[number], version)
    if kind in ("added", "reordered") or act is change:
        assert first.event_id
    assert (verdict.proven_count or 0) < position
    if hashes == "all made anew":
        alone = verified(store, SavedCheckpoints(checkpoints.notes))
        assert alone.faults and alone.proven_count == 0, "the checkpoint alone notices it"


def test_events_cut_off_at_the_end_are_named(store: Path, checkpoints: SavedCheckpoints) -> None:
    size = checkpoints.notes[0].checkpoint.size
    with forging(store) as execute:
        execute("DELETE FROM events WHERE position > ?", (size - 3,))
    (first,) = verified(store, checkpoints).faults
    assert first == IntegrityFault("removed", "at_the_end", size - 2)
    given, first = verified(store, SavedCheckpoints(checkpoints.notes)).faults
    assert (first.kind, first.code, first.details["has"]) == ("removed", "too_few", size - 3)
    assert first.position is None, "which of them are gone cannot be told"
    assert (first.details["first"], first.details["last"]) == (1, size)
    # Without a checkpoint the database's own count of positions tells, unless that was set back too.
    assert (given,) == verified(store).faults
    assert given == IntegrityFault("removed", "given", size - 2, details={"last": size})
    with forging(store) as execute:
        execute("UPDATE sqlite_sequence SET seq = ?", (size - 3,))
    assert verified(store).faults == ()
    # But a full tile remembers.
    with forging(store) as execute:
        execute("DELETE FROM events WHERE position > 250")
    assert verified(store).faults[0] == IntegrityFault("removed", "at_the_end", 251)


def test_who_adds_an_event_behind_the_rest_is_named(store: Path, checkpoints: SavedCheckpoints) -> None:
    size = checkpoints.notes[0].checkpoint.size
    with forging(store) as execute:
        execute(
            "INSERT INTO events (root_key, stream_key, version, event_id, stored_at, digest, body) "
            "SELECT root_key, stream_key, version + 1, 'added', stored_at, digest, body FROM events "
            "WHERE position = ?", (size,)
        )  # fmt: skip
    for held in (checkpoints, SavedCheckpoints(checkpoints.notes), None):
        first = verified(store, held).faults[0]
        assert (first.kind, first.code) == ("added", "no_leaf")
        assert (first.position, first.event_id) == (size + 1, "added")


def test_two_events_of_different_records_that_change_places_are_named(
    store: Path, checkpoints: SavedCheckpoints
) -> None:
    one, other = place_of(store, DEALS[10], 3), place_of(store, DEALS[11], 5)
    with forging(store) as execute:
        execute("PRAGMA ignore_check_constraints = ON")
        for was, now in ((one, -1), (other, one), (-1, other)):
            execute("UPDATE events SET position = ? WHERE position = ?", (now, was))
    first = verified(store, checkpoints).faults[0]
    assert (first.kind, first.position, first.details) == ("reordered", one, {"was": other})
    assert verified(store, SavedCheckpoints(checkpoints.notes)).faults


def test_who_rewrote_everything_is_not_listed_without_end(store: Path, checkpoints: SavedCheckpoints) -> None:
    with forging(store) as execute:
        execute("UPDATE events SET stored_at = '2001-01-01T00:00:00.000Z'")
    for verdict in (verified(store, checkpoints), verified(store)):
        assert (verdict.faults[0].kind, verdict.faults[0].position) == ("changed", 1)
        assert len(verdict.faults) <= 50
        assert len(verdict.faults) + verdict.unnamed_fault_count >= verdict.event_count


@pytest.mark.parametrize(("statement", "what"), [
    ("UPDATE leaf_tiles SET hashes = zeroblob(8192)", "contents"),
    ("UPDATE subtrees SET hash = zeroblob(32)", "subtree"),
    ("INSERT INTO leaf_tiles VALUES (9, zeroblob(8192))", "tile"),
    ("INSERT INTO leaf_tiles VALUES (-1, zeroblob(8192))", "tile"),
    ("DROP INDEX streams_by_kind", "rule"),
    ("CREATE TRIGGER t BEFORE INSERT ON events BEGIN SELECT 1; END", "rule"),
    ("UPDATE streams SET stream = 'other' WHERE stream_key = 2", "contents"),
    ("UPDATE roots SET root = 'other' WHERE root_key = 2", "contents"),
    ("UPDATE streams SET kind = 'table' WHERE stream_key = 2", "kind"),
    ("UPDATE streams SET kind = 'rulesets' WHERE stream_key = 3", "kind"),
    ("UPDATE streams SET kind = 'variant' WHERE stream_key = 3", "kind"),
    ("DELETE FROM streams WHERE stream_key = 2", "contents"),
    ("UPDATE events SET version = 99 WHERE position = 20", "columns"),
    ("UPDATE events SET body = CAST('{' AS BLOB) WHERE position = 20", "contents"),
])  # fmt: skip
def test_any_other_change_is_found_without_a_checkpoint(store: Path, statement: str, what: str) -> None:
    with forging(store) as execute:
        execute(statement)
    faults = verified(store).faults
    assert what in [one.code for one in faults], faults[:3]


def test_a_list_of_leaf_hashes_that_leads_elsewhere_is_reported(
    store: Path, checkpoints: SavedCheckpoints
) -> None:
    with forging(store) as execute:
        change(execute, 20)
    wrong = SavedCheckpoints(checkpoints.notes, (b"x" * 32, *checkpoints.leaf_hashes[1:]))
    faults = verified(store, wrong).faults
    # The store's own leaf hashes lead to the root.
    assert [one.code for one in faults] == ["contents", "leaves_amiss"]
    with forging(store) as execute:
        rehash(execute, tiles=True)
    assert [one.code for one in verified(store, wrong).faults] == ["between", "leaves_amiss"]


@pytest.mark.process
def test_the_examples_of_the_guide_run(tmp_path: Path) -> None:
    deal = [OPENING, {"type": "result_recorded", "outcome": "passed_out"}]
    make_club_folder(tmp_path / "club", lambda store: recorded_deal(store, deal))
    shutil.copytree(tmp_path / "club", tmp_path / "forged")
    with forging(tmp_path / "forged" / STORE_FILE_NAME) as execute:
        put(execute, 4, outcome="voided")
        rehash(execute, tiles=True)
    run_examples("transparency", 4, tmp_path)
