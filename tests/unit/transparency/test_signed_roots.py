"""What a notary signs follows from the events: a stored hash in which a bit flipped gives no false root."""

import shutil
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from service.app import create_app
from service.eventstore import SqliteReader, SqliteStore, StoreDamaged
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.merkle.tree import root_of_leaves
from service.eventstore.postgres.store import PostgresStore
from service.transparency.notary import Notary, open_notary
from service.transparency.signed_notes import Checkpoint, SignedNote
from tests.support.api.asking import problem
from tests.support.api.clients import owner_of
from tests.support.store.postgres_server import a_database
from tests.support.transparency.forging import DEALS, fill, forging

SIGNED_DEALS, ALL_DEALS = 7, 22
"""The notary signs in the first tile; behind that checkpoint a tile becomes full, a second, and a part."""


def on_sqlite(table: str, column: str, where: str, byte: int = 5) -> str:
    """The SQL that flips a bit of a blob."""
    hexed = f"hex(substr({column}, {byte}, 1))"
    digit = f"substr({hexed}, 2, 1)"
    other = f"substr('1032547698BADCFE', instr('0123456789ABCDEF', {digit}), 1)"
    new = f"unhex(substr({hexed}, 1, 1) || {other})"
    flipped = f"CAST(substr({column}, 1, {byte - 1}) || {new} || substr({column}, {byte + 1}) AS BLOB)"
    return f"UPDATE {table} SET {column} = {flipped} WHERE {where}"


LAST = "position = (SELECT max(position) FROM events)"
BEHIND = {
    "leaf behind the whole tiles": on_sqlite("events", "leaf", LAST),
    "leaf in a tile that became whole": on_sqlite("events", "leaf", f"position = {TILE_WIDTH + 9}"),
    "leaf just behind the checkpoint": on_sqlite("events", "leaf", "position = {signed} + 1"),
    "tile": on_sqlite("leaf_tiles", "hashes", "number = 1", 900),
    "first tile": on_sqlite("leaf_tiles", "hashes", "number = 0", 8190),
    "hash over a tile": on_sqlite("subtrees", "hash", "level = 1 AND number = 1"),
    "body": on_sqlite("events", "body", LAST, 30),
    "salt": on_sqlite("events", "salt", LAST),
    "leaf before the checkpoint": on_sqlite("events", "leaf", "position = {signed} - 1"),
    "event that is gone": f"DELETE FROM events WHERE {LAST.replace('max(position)', 'max(position) - 3')}",
}


class Club:
    """A folder with a store of which a checkpoint was signed before the later deals were recorded."""

    def __init__(self, folder: Path, signed: Checkpoint, leaves: list[bytes]) -> None:
        self.path = folder / "spadille.db"
        self.notary = open_notary(folder)
        self.signed, self.leaves = signed, leaves

    def require_true(self, note: SignedNote) -> None:
        checkpoint = note.checkpoint
        assert checkpoint.root == root_of_leaves(self.leaves[: checkpoint.size])


@pytest.fixture(scope="module")
def recorded_club(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Checkpoint, list[bytes]]:
    folder = tmp_path_factory.mktemp("club")
    with SqliteStore(folder / "spadille.db") as store:
        fill(store, SIGNED_DEALS)
        signed = open_notary(folder).sign_checkpoint(store).checkpoint
        fill(store, ALL_DEALS, SIGNED_DEALS)
        assert signed.size < TILE_WIDTH and store.head() > 2 * TILE_WIDTH + 10
        return folder, signed, [leaf for _, leaf in store.read_verified_leaves(0, 10_000)]


@pytest.fixture
def club(recorded_club: tuple[Path, Checkpoint, list[bytes]], tmp_path: Path) -> Club:
    folder, signed, leaves = recorded_club
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return Club(tmp_path, signed, leaves)


@pytest.mark.parametrize("damage", BEHIND)
def test_no_root_is_signed_over_a_damaged_hash(club: Club, damage: str, tmp_path: Path) -> None:
    backup = shutil.copy(club.path, tmp_path / "backup.db")
    with forging(club.path) as execute:
        assert execute(BEHIND[damage].format(signed=club.signed.size)).rowcount == 1
    with SqliteReader(club.path, require_complete=False) as store:
        with pytest.raises(StoreDamaged, match="spadille verify") as refused:
            club.notary.sign_checkpoint(store)
        gone = f"The event at position {len(club.leaves) - 3} is gone."
        assert damage != "event that is gone" or str(refused.value).startswith(gone)
        # A note of fewer events may be signed still, where what it needs is whole; then it is true.
        signed = club.signed.size
        for size in (1, signed - 1, signed, signed + 5, TILE_WIDTH, TILE_WIDTH + 20):
            with suppress(StoreDamaged):
                club.require_true(club.notary.sign_checkpoint(store, size))
    shutil.copy(backup, club.path)
    with SqliteReader(club.path, require_complete=False) as store:
        assert open_notary(tmp_path).find_signing_obstacle(store) is None  # whatever was signed
        note = club.notary.sign_checkpoint(store)
        club.require_true(note)
        assert note.checkpoint.size == len(club.leaves)


def test_a_damaged_hash_is_told_at_the_start_and_to_who_asks(club: Club) -> None:
    """It is the last event's, which no checkpoint has yet; a start looks at what was signed only."""
    with forging(club.path) as execute:
        execute(BEHIND["leaf behind the whole tiles"])
    with SqliteStore(club.path) as store:
        client = owner_of(create_app(store, notary=club.notary))
        answer = client.get("/api/v1/checkpoint")
        assert problem(answer) == (500, "store-damaged") and "spadille verify" in answer.text
        ready = client.get("/readyz").get_json()
        assert (ready["status"], ready["damaged"]) == ("degraded", 1)
        assert ready["places"][0]["stream"] == DEALS[ALL_DEALS - 1]
    with forging(club.path) as execute:
        execute(BEHIND["leaf before the checkpoint"].format(signed=club.signed.size))
    with SqliteReader(club.path) as reader:
        said = club.notary.find_signing_obstacle(reader)
        assert said is not None and "Spadille cannot sign a checkpoint" in said and "spadille verify" in said


POSTGRES_DAMAGE = {
    "leaf in the log": "UPDATE log SET leaf = {flipped} WHERE position = {last}",
    "leaf beside the event": (
        "UPDATE events SET leaf = {flipped} WHERE (stream_key, version) = "
        "(SELECT stream_key, version FROM log WHERE position = {last})"
    ),
    "leaf in a whole tile": "UPDATE log SET leaf = {flipped} WHERE position = 300",
    "hash over a tile": "UPDATE subtrees SET hash = {hash} WHERE level = 1 AND number = 1",
    "event that is gone": "DELETE FROM log WHERE position = {last} - 3",
}


@pytest.mark.postgres
@pytest.mark.parametrize("damage", POSTGRES_DAMAGE)
def test_on_postgresql_no_root_is_signed_over_a_damaged_hash(damage: str) -> None:
    notary = Notary.in_memory()
    with a_database() as url, PostgresStore(url) as store:
        fill(store, SIGNED_DEALS)
        notary.sign_checkpoint(store)
        fill(store, ALL_DEALS, SIGNED_DEALS)
        true = root_of_leaves([leaf for _, leaf in store.read_verified_leaves(0, 10_000)])
        statement = POSTGRES_DAMAGE[damage].format(
            last=store.head(), flipped="set_bit(leaf, 77, 1 - get_bit(leaf, 77))",
            hash="set_bit(hash, 77, 1 - get_bit(hash, 77))",
        )  # fmt: skip
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("SET session_replication_role = replica")
            assert connection.execute(statement.encode()).rowcount == 1
            with pytest.raises(StoreDamaged, match="spadille verify"):
                notary.sign_checkpoint(store)
            if "set_bit" in statement:
                connection.execute(statement.encode())
                assert notary.sign_checkpoint(store).checkpoint.root == true
