"""Projections on PostgreSQL: for whom they are, after an upgrade too, and many processes at once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from service.eventstore import ANY_VERSION, StoreUnavailable
from service.eventstore.postgres import migrations as steps
from service.eventstore.postgres.store import PostgresReader, PostgresStore
from service.eventstore.postgres.tables import SERVICE_USER_GRANTS, STORE_TABLES
from service.eventstore.projections import ProjectionProgress, ProjectionUpdate
from tests.support.store.postgres_server import a_store, as_role, execute, rows
from tests.support.store.writing import content, deal, event, events, table

pytestmark = pytest.mark.postgres

NAME = "counts"


def test_rights_are_kept_after_an_upgrade(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    older = {name: done for name, done in steps.STORE_MIGRATIONS.steps.items() if name < "0004"}
    monkeypatch.setattr(
        steps, "STORE_MIGRATIONS", steps.STORE_MIGRATIONS._replace(tables=STORE_TABLES, steps=older)
    )
    with PostgresStore(empty_url) as store:
        store.append("r", [table("r", 0, event("", "told"), *events(3))])
    monkeypatch.undo()
    before = [one for one in SERVICE_USER_GRANTS if "projected" not in one]
    all_tables = "GRANT SELECT ON ALL TABLES IN SCHEMA public TO {user}"
    with (
        as_role(empty_url, "upgraded_service", *before) as serving,
        as_role(empty_url, "upgraded_reader", all_tables) as reading,
        as_role(empty_url, "upgraded_counter", "GRANT SELECT ON roots TO {user}") as counting,
    ):
        with pytest.raises(StoreUnavailable, match="as the owner"):
            PostgresStore(serving)
        PostgresStore(empty_url).close()
        with PostgresStore(serving) as store:
            projections = store.projections
            begun = ProjectionProgress(1, projections.begin(NAME, 1))
            assert projections.advance(NAME, begun, 4, projections.list_changed_roots(0, 10).kinds)
            (due,) = projections.list_pending_roots(NAME, 4, 10)
            made = ProjectionUpdate(due, "2026-11-20", b"Mrs Secret", frozenset({"Mrs Secret"}))
            projections.save_updates(NAME, 1, [made])
            projections.rewind(NAME, 2)
            with PostgresReader(reading) as reader:
                progress, (kept,) = reader.projections.read_projection_rows(NAME, tag="Mrs Secret")
                assert (progress, kept.body) == (ProjectionProgress(1, 2), b"Mrs Secret")
            store.erase({"r": {"told": b"{}"}})
            assert projections.read_projection_rows(NAME, tag="Mrs Secret").rows[0].body is None
        for url, statement in ((reading, "DELETE FROM projected"), (counting, "SELECT FROM projected")):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                execute(url, statement)


@pytest.mark.smoke
def test_what_is_about_to_be_erased_is_not_taken_in_meanwhile(empty_url: str) -> None:
    """Also where nobody has begun the projection yet, so that there is no row of it to wait for."""
    with PostgresStore(empty_url) as store, ThreadPoolExecutor(1) as another:
        store.append("r", [table("r", 0, event("Mrs Secret", "told"))])
        projections = store.projections
        with psycopg.connect(empty_url) as erasing:
            (keys,) = erasing.execute("SELECT root_key, stream_key FROM streams").fetchall()
            erasing.execute(
                "SELECT erase_contents(%s, %s, 1, '{}', '', (SELECT sha256(salt || body) FROM events), '')",
                keys,
            )
            begun = another.submit(projections.begin, NAME, 1)
            with pytest.raises(TimeoutError):
                begun.result(0.5)
            erasing.commit()
        assert begun.result(20) == 0
        assert rows(empty_url, "SELECT body FROM events") == [(b"{}",)]


ROOTS = [f"root {number}" for number in range(6)]


def make(store: PostgresStore, done: threading.Event) -> None:
    """Takes in what was added and makes what is due, as any node does."""
    projections = store.projections
    while not done.is_set():
        progress = ProjectionProgress(1, projections.begin(NAME, 1))
        changed = projections.list_changed_roots(progress.position, 7)
        projections.advance(NAME, progress, changed.position, changed.kinds)
        due = projections.list_pending_roots(NAME, changed.position, 4)
        updates = [ProjectionUpdate(one, None, content(store, one.root)) for one in due]
        projections.save_updates(NAME, 1, updates)


def write(store: PostgresStore) -> None:
    for number in range(30):
        for root in ROOTS:
            store.append(root, [deal(f"{root}, deal {number // 10}", ANY_VERSION, event(str(number)))])


def erase(store: PostgresStore) -> None:
    for number in range(20):
        store.erase({root: {f"first of {root}": b'{"erased":%d}' % number} for root in reversed(ROOTS)})


def test_many_who_make_it_while_others_write_and_erase_come_to_what_is_so() -> None:
    done = threading.Event()
    with a_store() as url, PostgresStore(url) as store, PostgresStore(url) as other:
        for root in ROOTS:
            store.append(root, [table(root, 0, event("", f"first of {root}"))])
        with ThreadPoolExecutor(5) as threads:
            makers = [threads.submit(make, one, done) for one in (store, other, store)]
            try:
                for act in [threads.submit(write, store), threads.submit(erase, other)]:
                    act.result()
            finally:
                done.set()
            for maker in makers:
                maker.result()
        progress, found = store.projections.read_projection_rows(NAME)
        assert progress is not None
        changed = store.projections.list_changed_roots(progress.position, 10_000).kinds
        kept = {one.root: one.body for one in found}
        assert set(kept) | set(changed) >= set(ROOTS)
        for root, body in kept.items():
            assert body is None or root in changed or body == content(store, root)
