"""A store on PostgreSQL looked at without trust: what a forger does to its tables is found and named."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from service.eventstore import StoreUnavailable
from service.eventstore.events import ANY_VERSION, StreamAppend
from service.eventstore.postgres.connections import Connection
from service.eventstore.postgres.store import PostgresReader, PostgresStore
from service.transparency.checkpoint_file import SavedCheckpoints
from service.transparency.store_verification import verify_store
from service.transparency.verification_result import VerificationResult
from tests.support.store.postgres_server import as_role, execute
from tests.support.store.writing import events
from tests.support.transparency.forging import DEALS, checkpoints_of, fill

pytestmark = pytest.mark.postgres


@pytest.fixture
def checkpoints(empty_url: str) -> SavedCheckpoints:
    """What is kept of a store with some hundred events."""
    with PostgresStore(empty_url) as store:
        fill(store, 20)
        return checkpoints_of(store)


def verified(url: str, kept: SavedCheckpoints | None = None) -> VerificationResult:
    with PostgresReader(url) as reader:
        return verify_store(reader.inspection(), kept)


@contextmanager
def forging(url: str) -> Iterator[Connection]:
    """SQL that no trigger of the tables meets, as their owner can have it."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        yield connection


def found(verdict: VerificationResult) -> list[tuple[str, str, int | None]]:
    return [(one.kind, one.code, one.position) for one in verdict.faults]


AT = "(stream_key, version) = (SELECT stream_key, version FROM log WHERE position = %s)"


def test_a_store_is_as_it_was_recorded(empty_url: str, checkpoints: SavedCheckpoints) -> None:
    size = checkpoints.notes[0].checkpoint.size
    assert size > 512
    alone, held = verified(empty_url), verified(empty_url, checkpoints)
    assert (alone.faults, alone.proven_count, alone.event_count) == ((), None, size)
    assert (held.faults, held.proven_count, held.proven_position, held.stream_count) == ((), size, size, 20)
    with PostgresStore(empty_url) as store:
        store.append(DEALS[0], [StreamAppend(DEALS[0], ANY_VERSION, events(300))])
    later = verified(empty_url, checkpoints)
    assert (later.faults, later.proven_count, later.event_count) == ((), size, size + 300)


def test_who_may_only_read_the_tables_can_verify_them(empty_url: str, checkpoints: SavedCheckpoints) -> None:
    rights = ("GRANT SELECT ON ALL TABLES IN SCHEMA public TO {user}", "REVOKE SELECT ON secrets FROM {user}")
    with as_role(empty_url, "auditor", *rights) as auditing:
        verdict = verified(auditing, checkpoints)
        assert (verdict.faults, verdict.proven_count) == ((), checkpoints.notes[0].checkpoint.size)
        execute(empty_url, "REVOKE SELECT ON subtrees, eras FROM auditor")
        with pytest.raises(StoreUnavailable, match="may not read eras, subtrees"):
            verified(auditing, checkpoints)


@pytest.mark.parametrize("table", ["events", "log"])
def test_another_leaf_hash_in_one_of_two_places_is_found(
    empty_url: str, checkpoints: SavedCheckpoints, table: str
) -> None:
    where = AT if table == "events" else "position = %s"
    with forging(empty_url) as connection:
        connection.execute(f"UPDATE {table} SET leaf = sha256('') WHERE {where}".encode(), (20,))
    assert {position for _, _, position in found(verified(empty_url)) if position} == {20}
    assert ("changed", "leaf", 20) in found(verified(empty_url, checkpoints))


def test_events_cut_off_at_the_end_are_missed_by_a_checkpoint(
    empty_url: str, checkpoints: SavedCheckpoints
) -> None:
    size = checkpoints.notes[0].checkpoint.size
    with forging(empty_url) as connection:
        for position in (size, size - 1):
            connection.execute(f"DELETE FROM events WHERE {AT}".encode(), (position,))
            connection.execute("DELETE FROM log WHERE position = %s", (position,))
    assert found(verified(empty_url)) == []
    assert ("removed", "at_the_end", size - 1) in found(verified(empty_url, checkpoints))


def test_a_stray_event_and_another_hash_over_a_tile_are_named(
    empty_url: str, checkpoints: SavedCheckpoints
) -> None:
    with forging(empty_url) as connection:
        connection.execute(
            "INSERT INTO events SELECT root_key, stream_key, version + 100000, event_id || 'x', stored_at, "
            "digest, body, salt, leaf, era, tx, ordinal FROM events LIMIT 1"
        )
        (fault,) = verified(empty_url, checkpoints).faults
        assert (fault.kind, fault.code, fault.position) == ("added", "stray", None)
        assert fault.version is not None and fault.version > 100_000
        connection.execute("DELETE FROM events WHERE version > 100000")
        connection.execute("UPDATE subtrees SET hash = sha256('') WHERE level = 1 AND number = 1")
    assert found(verified(empty_url)) == [("damaged", "subtree", None)]


def test_contents_that_were_erased_are_told_and_held_to_the_entry(
    empty_url: str, checkpoints: SavedCheckpoints
) -> None:
    with PostgresStore(empty_url) as store:
        opening = store.read_stream(DEALS[0])[0]
        placeholder = opening.body.replace(b'"id"', b'"recorded_by":"N. N.","id"')
        store.erase({DEALS[0]: {opening.event_id: placeholder}})
    verdict = verified(empty_url, checkpoints)
    assert verdict.faults == ()
    (erasure,) = verdict.erased_events
    assert (erasure.position, erasure.entry) == (opening.position, verdict.event_count)
    assert verdict.proven_count == checkpoints.notes[0].checkpoint.size - 1
    with forging(empty_url) as connection:
        connection.execute(f"UPDATE events SET body = body || ' ' WHERE {AT}".encode(), (opening.position,))
    assert ("changed", "standin", opening.position) in found(verified(empty_url))
