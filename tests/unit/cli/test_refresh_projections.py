"""``spadille projections refresh``: the figures of every evening are made before anybody asks."""

from pathlib import Path

import pytest

from service.app import create_app
from service.config.data_files import STORE_FILE_NAME
from service.eventstore import SqliteReader, SqliteStore
from service.eventstore.postgres.store import PostgresReader, PostgresStore
from service.projections.evenings_projection import EVENINGS_NAME
from service.projections.projection import builder_version
from service.projections.projection_worker import ALL_PROJECTIONS
from tests.support.api.seasons import LOST, SOLO, Club
from tests.support.cli.deals import run, text_of
from tests.support.store.postgres_server import a_store


def test_the_figures_of_all_evenings_are_made_and_then_only_what_is_new(tmp_path: Path) -> None:
    file = tmp_path / STORE_FILE_NAME
    with SqliteStore(file) as store:
        club = Club(create_app(store))
        club.evening("2025-09-04", SOLO, LOST)
        club.evening("2025-09-11", SOLO)
    first = run("projections", "refresh", str(file))
    assert (first.exit_code, first.stderr) == (0, "")
    assert first.stdout == "Evenings counted: 2; kept: 2, up to event 11.\n"
    again = run("projections", "refresh", "--data", str(tmp_path), "--lang", "da")
    assert again.stdout == "Aftener talt op: 0; gemt: 2, til og med hændelse 11.\n"
    with SqliteReader(file) as reader:
        kept = reader.projections.read_projection_rows(EVENINGS_NAME).rows
    # The second evening's events are the last four.
    assert run("projections", "refresh", str(file), "--from", "7").stdout.startswith("Evenings counted: 1; ")
    assert run("projections", "refresh", str(file), "--from", "0").stdout.startswith("Evenings counted: 2; ")
    with SqliteReader(file) as reader:
        assert reader.projections.read_projection_rows(EVENINGS_NAME).rows == kept


@pytest.mark.postgres
def test_on_postgresql_another_process_or_version_may_have_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.projections.projector.LEASE_SECONDS", 0.0)
    with a_store() as url:
        with PostgresStore(url) as store:
            Club(create_app(store)).evening("2025-09-04", SOLO)
            store.projections.claim(EVENINGS_NAME, "whoever", "another process", 1000)
        busy = text_of("projections", "refresh", "--store", url, "--from", "2")
        assert "Another process is making the figures of this store, from event 0 on" in busy
    with a_store() as url:
        with PostgresStore(url) as store:
            Club(create_app(store)).evening("2025-09-04", SOLO)
            for projection in ALL_PROJECTIONS:
                for version in (builder_version(), "a newer version"):
                    store.projections.claim(projection.name, version, version, 0)
        other = "Another version of Spadille keeps the figures of this store"
        assert other in text_of("projections", "refresh", url)
        assert "Evenings counted: 1" in text_of("projections", "refresh", url, "--from", "0")
        assert "Evenings counted: 0" in text_of("projections", "refresh", url)
        with PostgresReader(url) as reader:
            (kept,) = reader.projections.read_projection_rows(EVENINGS_NAME).rows
            assert kept.body is not None
