"""A store with deals in it, and what a forger does to its file: by SQL, with the safeguards taken out."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from service.eventstore import EventStore, SqliteReader, SqliteStore
from service.eventstore.merkle.leaves import compute_commitment, compute_event_leaf
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.sqlite.connections import sqlite3
from service.eventstore.verified_rows import placeholder_row_digest
from service.records.append import open_deal
from service.transparency.checkpoint_file import SavedCheckpoints
from service.transparency.notary import Notary
from service.transparency.store_verification import verify_store
from service.transparency.verification_result import VerificationResult
from tests.properties.slow import generator
from tests.support.api.recording import posted

Execute = Callable[..., Any]
DEALS = [f"018f5e2a-7b1c-7d3e-9f40-{number:012d}" for number in range(40)]


def fill(store: EventStore, deals: int = 3, first: int = 0) -> None:
    """Records so many random deals, without those before number ``first``."""
    for number, name in list(enumerate(DEALS[:deals]))[first:]:
        opening, *rest = generator.random_deal(random.Random(number))
        open_deal(store, [posted(event) for event in ({**opening, "id": name}, *rest)], strict=False)


def make_store(path: Path, deals: int = 3) -> SavedCheckpoints:
    """A new store with so many deals; the checkpoint that was made of it then, with its leaf hashes."""
    with SqliteStore(path) as store:
        fill(store, deals)
        return checkpoints_of(store)


def checkpoints_of(store: EventStore) -> SavedCheckpoints:
    """What somebody keeps of a store as it is."""
    note = Notary.in_memory().sign_checkpoint(store)
    tiles = range((note.checkpoint.size + TILE_WIDTH - 1) // TILE_WIDTH)
    return SavedCheckpoints((note,), tuple(leaf for number in tiles for leaf in store.read_tile(0, number)))


def verified(path: Path, kept: SavedCheckpoints | None = None) -> VerificationResult:
    with SqliteReader(path, require_complete=False) as reader:
        return verify_store(reader.inspection(), kept)


@contextmanager
def forging(path: Path) -> Iterator[Execute]:
    """The file's SQL without any trigger; they are put back afterwards, as a careful forger does."""
    connection = sqlite3.connect(str(path), isolation_level=None)
    triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    yield connection.execute
    for _, sql in triggers:
        connection.execute(sql)
    connection.close()


def rehash(execute: Execute, tiles: bool = False) -> None:
    """Makes the leaf hashes fit what stands there now; and the tiles, if those too are to fit."""
    rows = execute(
        "SELECT position, root, stream, version, event_id, stored_at, salt, body FROM events "
        "JOIN streams USING (stream_key) JOIN roots ON roots.root_key = streams.root_key"
    ).fetchall()
    for position, root, stream, version, event_id, stored_at, salt, body in rows:
        leaf = compute_event_leaf(root, stream, version, event_id, stored_at, compute_commitment(salt, body))
        execute("UPDATE events SET leaf = ? WHERE position = ?", (leaf, position))
    if tiles:
        execute("DELETE FROM leaf_tiles")
        execute("DELETE FROM subtrees")


def body_at(execute: Execute, position: int) -> dict[str, Any]:
    row = execute("SELECT body FROM events WHERE position = ?", (position,)).fetchone()
    said: dict[str, Any] = orjson.loads(row[0])
    return said


def put(execute: Execute, position: int, **fields: Any) -> None:
    body = orjson.dumps({**body_at(execute, position), **fields})
    execute("UPDATE events SET body = ? WHERE position = ?", (body, position))


def pretend_erasure(execute: Execute, stream: str, kind: str, **fields: Any) -> int:
    """Puts other fields into the first event of that type, and enters it as erased; its position.

    All that the store holds of an erased event is as the store would have written it.
    """
    position, body, salt = execute(
        "SELECT position, body, salt FROM events JOIN streams USING (stream_key) WHERE stream = ? "
        "AND CAST(body AS TEXT) LIKE ? ORDER BY position LIMIT 1",
        (stream, f'%"type":"{kind}"%'),
    ).fetchone()
    placeholder = orjson.dumps({**orjson.loads(body), **fields})
    erased = (position, compute_commitment(salt, body), "2026-11-22T02:00:00.000Z")
    execute("INSERT INTO erasures VALUES (?, ?, ?)", erased)
    execute(
        "UPDATE events SET body = ?, digest = ?, salt = NULL WHERE position = ?",
        (placeholder, placeholder_row_digest(placeholder), position),
    )
    return int(position)
