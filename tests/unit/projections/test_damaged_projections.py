"""What is kept of the records, where a disk turned a bit in it: nobody is told it, and `verify` names it."""

import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from service.app import create_app
from service.config.data_files import STORE_FILE_NAME
from service.eventstore import EventStore, SqliteReader, SqliteStore, StoreDamaged
from service.eventstore.postgres.store import PostgresStore
from service.eventstore.projection_interface import ClaimRefusal
from service.projections.evenings_projection import EVENINGS_PROJECTION
from service.projections.facts_projection import FACTS_PROJECTION
from service.projections.projection_check import find_damaged_roots
from service.projections.projector import Projector
from service.records.club_rules import ClubRules
from tests.support.api.recording import recorded_deal
from tests.support.api.seasons import Club
from tests.support.cli.deals import run, text_of
from tests.support.projector import all_made, some_evenings
from tests.support.store.postgres_server import a_store

BODY = "UPDATE projected SET body"
NO_TEXT = "CAST(x'61ff62' AS TEXT)"
CHANGES = {
    "farther than it has come": "UPDATE projections SET position = position + 1",
    "less far": "UPDATE projections SET position = position - 1",
    "behind the end": "UPDATE projections SET position = position + (1 << 40)",
    "another maker": "UPDATE projections SET maker = 'a' || maker",
    "another seal": "UPDATE projections SET seal = ''",
    "a day that is none": "UPDATE projected SET place = replace(place, '-0', '-9')",
    "another day": "UPDATE projected SET place = replace(place, '2025-', '1925-')",
    "no day": "UPDATE projected SET place = NULL",
    "nothing made": "UPDATE projected SET body = NULL",
}
"""What may come to stand in the tables; the changes are of what no table's rule forbids."""
OF_A_FILE = {
    "a maker that is no text": f"UPDATE projections SET maker = {NO_TEXT}",
    "a seal that is no text": f"UPDATE projections SET seal = {NO_TEXT}, former = {NO_TEXT}",
    "a day that is no text": f"UPDATE projected SET place = {NO_TEXT}",
    "another first byte": f"{BODY} = CAST(x'00' || substr(body, 2) AS BLOB)",
    "another byte": f"{BODY} = CAST(substr(body, 1, 9) || x'00' || substr(body, 11) AS BLOB)",
    "no last byte": f"{BODY} = CAST(substr(body, 1, length(body) - 1) AS BLOB)",
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / STORE_FILE_NAME) as opened:
        yield opened


def change(folder: Path, *statements: str) -> None:
    with sqlite3.connect(folder / STORE_FILE_NAME) as file:
        for statement in statements:
            file.execute(statement)


def publish(store: EventStore, club: Club) -> None:
    """A deal of which all cards are known."""
    deal = recorded_deal(store)
    club.post("/grants", {"role": "viewer", "deal": deal, "public": True, "title": "Published"})


def club_answers(club: Club) -> list[Any]:
    paths = ("/seasons", "/seasons/all", f"/members/{club.members['Anna']}/figures")
    assert "Published" in club.client.get("/?card=SA").text
    return [club.get(path) for path in paths]


def holds(store: EventStore, club: Club, damage: Any) -> None:
    """Nobody is told what is damaged, and it is made anew where it can be."""
    tables = some_evenings(club)
    publish(store, club)
    for projection in (EVENINGS_PROJECTION, FACTS_PROJECTION):
        all_made(store, projection)
    club.post(f"/tables/{tables[0]}/events", {"type": "note_added", "text": "Late"}, 3)
    before = club_answers(club)
    damage()
    assert club_answers(club) == before
    for projection in (EVENINGS_PROJECTION, FACTS_PROJECTION):
        all_made(store, projection)
    assert club_answers(club) == before


@pytest.mark.parametrize("statement", [*CHANGES.values(), *OF_A_FILE.values()], ids=[*CHANGES, *OF_A_FILE])
def test_in_a_file_no_damage_is_reported(store: SqliteStore, tmp_path: Path, statement: str) -> None:
    holds(store, Club(create_app(store)), lambda: change(tmp_path, statement))


def test_where_the_tables_cannot_be_read_everything_is_folded(store: SqliteStore, tmp_path: Path) -> None:
    club = Club(create_app(store))
    some_evenings(club)
    publish(store, club)
    all_made(store)
    before = club_answers(club)
    change(tmp_path, "DROP TABLE projected")
    with pytest.raises(StoreDamaged):
        store.projections.list_sort_keys(EVENINGS_PROJECTION.name)
    assert club_answers(club) == before


@pytest.mark.postgres
@pytest.mark.parametrize("statement", CHANGES.values(), ids=CHANGES)
def test_on_postgresql_neither(statement: str) -> None:
    statement = statement.replace("1 << 40", "1::bigint << 40")
    with a_store() as url, PostgresStore(url) as store, psycopg.connect(url, autocommit=True) as connection:
        holds(store, Club(create_app(store)), lambda: connection.execute(statement.encode()))


def test_where_another_version_left_it_damaged_it_is_made_anew(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some_evenings(Club(create_app(store)))
    all_made(store)
    store.projections.claim(EVENINGS_PROJECTION.name, "a newer version", "another process", 0)
    change(tmp_path, CHANGES["another seal"])
    monkeypatch.setattr("service.projections.projector.ABANDONED_SECONDS", 0.05)
    one = Projector(store, ClubRules(store), EVENINGS_PROJECTION)
    assert not one.step()
    assert one.refusal is ClaimRefusal.SUPERSEDED
    time.sleep(0.1)
    assert one.catch_up_and_release()
    assert one.folded_count == 6


AMISS = {
    "another day": ("UPDATE projected SET place = replace(place, '2025-', '1925-')", 4),
    "a name that is gone": ("DELETE FROM projected_tags WHERE tag LIKE '%Gast'", 1),
    "a name more": ("INSERT INTO projected_tags SELECT name, 'player N. N.', root_key FROM projected", 6),
    "another text": ("UPDATE projected SET body = CAST(substr(body, 1, 40) AS BLOB)", 6),
    "nothing kept": ("UPDATE projected SET body = NULL", 0),
    "no day": ("UPDATE projected SET place = NULL", 6),
}


def test_verify_names_what_is_not_as_it_was_kept(tmp_path: Path) -> None:
    file = tmp_path / STORE_FILE_NAME
    with SqliteStore(file) as store:
        some_evenings(Club(create_app(store)))
        all_made(store)
        assert find_damaged_roots(store) == []
    for name, (statement, amiss) in AMISS.items():
        change(tmp_path, statement)
        with SqliteReader(file) as reader:
            assert len(find_damaged_roots(reader)) == amiss, name
        run("projections", "refresh", str(file), "--from", "0")
        with SqliteReader(file) as reader:
            assert find_damaged_roots(reader) == [], name
    change(tmp_path, AMISS["a name that is gone"][0])
    verdict = run("verify", str(file), "--format", "json")
    assert (verdict.exit_code, len(json.loads(verdict.stdout)["kept_amiss"])) == (0, 1)
    assert "what is counted of 1 of them is not what was kept of it" in text_of("verify", str(file))
    assert "er ikke, hvad der blev gemt" in text_of("verify", str(file), "--lang", "da")
