"""Stores made by earlier versions, and steps that are not edited once stores were made by them."""

import gzip
import json
from hashlib import sha256
from pathlib import Path

import pytest
from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from service.app import create_app
from service.auth import postgres_tables
from service.auth import sqlite_repository as register_migrations
from service.config.data_files import STORE_FILE_NAME
from service.eventstore import SqliteStore
from service.eventstore.postgres import tables
from service.eventstore.sqlite import migrations
from service.eventstore.sqlite.connections import sqlite3
from service.eventstore.sqlite.inspection import list_schema_objects
from tests.support.api.clients import owner_of
from tests.support.api.recording import TABLE
from tests.support.cli.deals import run
from tests.support.store.merkle_tree import all_sealed, require_whole_tree
from tests.support.transparency.forging import DEALS, fill
from tests.system.faults.scenarios import make_older

STORES_FOLDER = Path(__file__).parent / "stores"
STORES = sorted(STORES_FOLDER.glob("*.db.gz"))


def schema(path: Path) -> set[tuple[str, str]]:
    connection = sqlite3.connect(str(path))
    try:
        return list_schema_objects(connection)
    finally:
        connection.close()


@pytest.mark.parametrize("store", STORES, ids=lambda path: path.name.removesuffix(".db.gz"))
def test_a_store_of_an_earlier_version_is_as_good_as_a_new_one(store: Path, tmp_path: Path) -> None:
    path, new = tmp_path / STORE_FILE_NAME, tmp_path / "new.db"
    path.write_bytes(gzip.decompress(store.read_bytes()))
    SqliteStore(new).close()
    with SqliteStore(path) as opened:
        client = owner_of(create_app(opened))
        for deal in DEALS[:2]:
            for what in ("events", "state", "score", "findings"):
                assert client.get(f"/api/v1/deals/{deal}/{what}").status_code == 200, what
        assert client.get(f"/api/v1/tables/{TABLE}").status_code == 200
        assert client.get("/api/v1/checkpoint").status_code == 200
        fill(opened, 3, 2)  # it goes on
    assert run("projections", "refresh", str(tmp_path)).exit_code == 0
    assert schema(path) == schema(new)
    verified = run("verify", str(tmp_path))
    assert (verified.exit_code, verified.stderr) == (0, ""), verified.output


def test_a_backup_from_before_the_names_changed_answers_the_same(tmp_path: Path) -> None:
    backup = STORES_FOLDER / "2026-11-26-839c016.zip"
    club = tmp_path / "club"
    assert run("restore", str(backup), "--data", str(club)).exit_code == 0
    verified = run("verify", str(club))
    assert (verified.exit_code, verified.stderr) == (0, ""), verified.output
    assert "the committee" in run("tokens", "list", "--data", str(club)).stdout
    answers = json.loads(gzip.decompress(backup.with_suffix(".json.gz").read_bytes()))
    with SqliteStore(club / STORE_FILE_NAME) as opened:
        client = owner_of(create_app(opened))
        now = {address: client.get(f"/api/v1/{address}").get_json() for address in answers}
    for address, answer in answers.items():
        if address.endswith("/ledger"):
            answer["voided"] = None  # a field that was added since
    assert now == answers and len(now) == 33


def test_a_large_store_from_before_events_were_sealed_gets_leaves_and_tiles(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "new.db") as store:
        fill(store, 22)
        events = store.read_all(limit=10_000)
    make_older(tmp_path / "old.db", events)
    with SqliteStore(tmp_path / "old.db") as store:
        assert [one.event for one in all_sealed(store)] == events
        require_whole_tree(store)
        fill(store, 26, 22)
        require_whole_tree(store)


# What each step makes of an empty database. A step that has landed is never edited: stores that it made
# before would lack the change. Add a further step, and its digest here.

DIGESTS = {
    "spadille.store 0001_streams_and_events": "cb3ed0accfa15768",
    "spadille.store 0002_salted_leaves": "465e329bffd5380f",
    "spadille.store 0003_a_secret_of_its_own": "7c2df8f69d3942a6",
    "spadille.store 0004_erasures_are_recorded": "7c2df8f69d3942a6",
    "spadille.store 0005_branches_are_found": "e856556416d07c44",
    "spadille.store 0006_projections": "72908885ef835524",
    "spadille.store 0007_projections_are_sealed": "68c2cabc192c7595",
    "spadille.store 0008_edited_steps_are_made_up_for": "68c2cabc192c7595",
    "spadille.access 0001_grants_sessions_members": "433ee03d74dc1a76",
    "spadille.access 0002_seal": "d395e8e677eb075f",
    "spadille.access 0003_titles": "a1261a7f93470659",
    "postgres store 0001_streams_and_events": "5fdb7adf9115e84d",
    "postgres store 0002_lighter_appends": "92350be65f065805",
    "postgres store 0003_branches_are_found": "1a34b588e06a9909",
    "postgres store 0004_projections": "48dd700fe670665f",
    "postgres store 0005_projections_are_sealed": "8c360c4009d8fdf9",
    "postgres register 0001_grants_sessions_members": "364887d847b9eac7",
}


def digest(said: object) -> str:
    return sha256(repr(said).encode()).hexdigest()[:16]


def made_by(steps: Migrations) -> dict[str, str]:
    """The digest of the schema after each step, by its name."""
    db = Database(memory=True)
    found = {}
    for step in steps.pending(db):
        step.fn(db)
        found[f"{steps.name} {step.name}"] = digest(sorted(list_schema_objects(db.conn)))
    return found


def test_no_step_that_has_landed_is_edited() -> None:
    found = made_by(migrations.MIGRATIONS) | made_by(register_migrations.SQLITE_REGISTER_MIGRATIONS)
    for name, steps in (
        ("postgres store", tables.MIGRATION_STEPS),
        ("postgres register", postgres_tables.REGISTER_MIGRATION_STEPS),
    ):
        found |= {f"{name} {step}": digest(list(statements)) for step, statements in steps.items()}
    assert found == DIGESTS
