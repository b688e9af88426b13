"""What the tables on PostgreSQL refuse by themselves, and how they are made and carried elsewhere."""

import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from service.auth import postgres_tables
from service.eventstore import ANY_VERSION, NewEvent, StreamAppend, StreamInfo, erasure_log, errors
from service.eventstore.merkle.tree import root_of_leaves
from service.eventstore.postgres import connections
from service.eventstore.postgres.store import PostgresReader, PostgresStore
from service.eventstore.postgres.tables import EVENT_PARTITIONS, SERVICE_USER_GRANTS
from tests.support.store.merkle_tree import all_sealed, require_whole_tree
from tests.support.store.postgres_cut import insert_in
from tests.support.store.postgres_server import Server, a_database, as_role, execute, rows, server
from tests.support.store.writing import ROOT, deal, event, events

pytestmark = pytest.mark.postgres


def fill(url: str) -> None:
    """Some events, one of which is erased."""
    with PostgresStore(url) as store:
        store.append("r", [deal("s", 0, event("a", "a"), *events(300))])
        store.erase({"r": {"a": b"{}"}})


@pytest.fixture
def service_user(empty_url: str) -> Iterator[str]:
    """The address of a store with some events, for the user as whom a service runs."""
    fill(empty_url)
    with as_role(empty_url, "cards_service", *SERVICE_USER_GRANTS) as url:
        yield url


CHANGES = [
    "UPDATE events SET salt = NULL",
    "UPDATE events SET body = '', salt = NULL WHERE version = 2",
    "UPDATE events SET version = 999, salt = NULL WHERE version = 1",
    "UPDATE events SET leaf = decode(repeat('00', 32), 'hex'), salt = NULL WHERE version = 1",
    "UPDATE events SET salt = decode(repeat('00', 16), 'hex') WHERE version = 1",
    "UPDATE events SET tx = '1', salt = NULL WHERE version = 1",
    "DELETE FROM events",
    "DELETE FROM ONLY events_0; DELETE FROM ONLY events_1; DELETE FROM events WHERE version = 3",
    "TRUNCATE events",
    *(f"TRUNCATE events_{part}" for part in (0, EVENT_PARTITIONS - 1)),
    *(
        f"{act} {table}"
        for table in ("log", "streams", "eras", "subtrees", "erasures", "secrets")
        for act in ("DELETE FROM", "TRUNCATE")
    ),
    "DELETE FROM roots",
    "TRUNCATE roots CASCADE",
    "UPDATE log SET position = position + 1000",
    "UPDATE streams SET kind = 'table'",
    "UPDATE erasures SET erased_at = ''",
    "UPDATE subtrees SET hash = decode(repeat('00', 32), 'hex')",
    "INSERT INTO log SELECT 999, root_key, stream_key, version, leaf, era FROM log WHERE position = 1",
    "INSERT INTO log SELECT 303, root_key, stream_key, 999, leaf, era FROM log WHERE position = 1",
    *(
        f"INSERT INTO events SELECT {place}, 'new', stored_at, digest, body, {salt}, leaf, era, tx, ordinal "
        "FROM events WHERE version = 2"
        for place, salt in (
            ("root_key, stream_key, 900", "salt"),
            ("root_key + 1, stream_key, 302", "salt"),
            ("root_key, stream_key, 302", "NULL"),
        )
    ),
    "SELECT erase_contents(root_key, stream_key, version, '', '', leaf, '') FROM events WHERE version = 2",
]


@pytest.fixture(scope="module")
def filled_url() -> Iterator[str]:
    """A store to which nothing is done in the end, as all that is tried is refused."""
    with a_database() as url:
        fill(url)
        yield url


@pytest.mark.smoke
@pytest.mark.parametrize("statement", CHANGES)
def test_the_tables_themselves_keep_what_happened(filled_url: str, statement: str) -> None:
    with pytest.raises(
        psycopg.errors.RaiseException, match=r"only appended to|takes the next|has a salt|leaf of|belongs to"
    ):
        execute(filled_url, statement)


def test_a_stranger_is_refused_each_change_by_his_rights(service_user: str) -> None:
    for statement in (
        *(one for one in CHANGES if one.startswith(("UPDATE", "DELETE", "TRUNCATE"))),
        "ALTER TABLE events DISABLE TRIGGER ALL",
        "DROP TRIGGER events_stay ON events",
        "DROP TABLE log CASCADE",
        "INSERT INTO events_0 DEFAULT VALUES",
        "INSERT INTO erasures VALUES (1, 1, 1, '', '')",
        "SET session_replication_role = replica",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            execute(service_user, statement)


def test_the_service_runs_with_no_more_than_these_rights(service_user: str, empty_url: str) -> None:
    with PostgresStore(service_user) as store:
        store.append("r", [deal("s", ANY_VERSION, *events(2)), deal("new", 0, *events(600))])
        store.append("q", [deal("t", 0, event("Mrs Secret", "told"))])
        store.erase({"q": {"told": b"{}"}})
        assert store.find_events("q", ["told"])["told"].body == b"{}"
        assert store.keyed_id(b"said")
        require_whole_tree(store)
    with PostgresStore(empty_url) as owner:
        assert len(owner.read_stream(erasure_log.ERASURE_STREAM)) == 2


def test_the_guide_says_these_rights() -> None:
    guide = (ROOT / "docs" / "scaling.md").read_text(encoding="utf-8")
    told = re.findall(r"^GRANT .*;$", guide, re.M)
    rights = (*SERVICE_USER_GRANTS, *postgres_tables.REGISTER_USER_GRANTS)
    assert told == [f"{one.format(user='cards_service')};" for one in rights]
    assert f"PostgreSQL {connections.MIN_SERVER_VERSION} or later" in guide


def test_tables_of_his_own_do_not_help_who_would_erase_without_a_trace(service_user: str) -> None:
    of_the_second = "FROM events WHERE version = 2"
    with pytest.raises(psycopg.errors.RaiseException, match="only appended to"):
        execute(
            service_user,
            "CREATE TEMPORARY TABLE erasures (LIKE public.erasures);"
            f"INSERT INTO erasures SELECT root_key, stream_key, version, leaf, '' {of_the_second};"
            f"SELECT erase_contents(root_key, stream_key, version, '', '', leaf, '') {of_the_second}",
        )


def test_when_an_event_came_is_not_the_writer_s_word(service_user: str) -> None:
    execute(
        service_user,
        "INSERT INTO events SELECT root_key, stream_key, 302, 'new', stored_at, digest, body, salt, leaf, "
        "99, '12345678901', ordinal FROM events WHERE version = 2 AND event_id <> 'a'",
    )
    told = "SELECT era, tx::text <> '12345678901' FROM events WHERE event_id = 'new'"
    assert rows(service_user, told) == [(1, True)]


def test_several_that_start_together_make_the_tables_once(empty_url: str) -> None:
    with ThreadPoolExecutor(4) as threads:
        opened = list(threads.map(PostgresStore, [empty_url] * 4))
    assert len({store.keyed_id(b"said") for store in opened}) == 1
    for store in opened:
        store.append("r", [deal("s", ANY_VERSION, event())])
    assert opened[0].stream_version("s") == 4
    for store in opened:
        store.close()


@pytest.mark.parametrize(
    ("schema", "named"), [("cards", "cards"), ("Kort og Øl", "%22Kort%5C%20og%5C%20%C3%98l%22")]
)
def test_two_schemas_of_one_database_are_two_stores(empty_url: str, schema: str, named: str) -> None:
    execute(empty_url, f'CREATE SCHEMA "{schema}"')
    there = f"{empty_url}&options=-csearch_path%3D{named}"
    with PostgresStore(empty_url) as one, PostgresStore(there) as other:
        one.append("r", [deal("s", 0, event())])
        with pytest.raises(errors.UnknownStream):
            other.stream_version("s")
        other.append("r", [deal("s", 0, *events(2))])
        assert (one.head(), other.head()) == (1, 2)
        other.erase({"r": {other.read_stream("s")[0].event_id: b"{}"}})
        assert (one.head(), other.head()) == (1, 3)
        with PostgresReader(there) as reader:
            assert reader.inspection().find_schema_differences() == []


@pytest.mark.parametrize("store", [PostgresReader, PostgresStore])
def test_other_tables_and_newer_ones_are_left_alone(empty_url: str, store: type[PostgresReader]) -> None:
    execute(empty_url, "CREATE TABLE events (id integer)")
    with pytest.raises(errors.NotAStore, match=r"another program .*\(events\)"):
        store(empty_url)
    execute(empty_url, "DROP TABLE events")
    PostgresStore(empty_url).close()
    execute(empty_url, "INSERT INTO spadille_steps (name) VALUES ('9999_a_step_to_come')")
    with pytest.raises(errors.StoreTooNew, match="9999_a_step_to_come"):
        store(empty_url)


def test_who_may_not_make_the_tables_says_who_must(empty_url: str) -> None:
    with as_role(empty_url, "newcomer") as newcomer:
        for store in (PostgresStore, PostgresReader):
            with pytest.raises(errors.StoreUnavailable, match="as the owner of the tables"):
                store(newcomer)
        PostgresStore(empty_url).close()
        with pytest.raises(errors.StoreUnavailable, match="lists the rights that the user needs"):
            PostgresStore(newcomer)


def test_what_cannot_be_connected_to_is_reported() -> None:
    with pytest.raises(errors.StoreUnavailable, match=r"postgresql://postgres@/nothing_here.* not exist"):
        PostgresStore(server().url("nothing_here"))
    with pytest.raises(errors.StoreUnavailable, match="could not be opened"):
        PostgresStore("postgresql:///x?host=/nowhere/at/all")
    for wrong in (
        "hunt er@h/x", "hunter%2@h/x", "hunter/2@h/x", "55/hunter@h:5432/x",
        "55@hunter@h/x", "hunter", "55?5@hunter@h/x", "hunter#/2@h/x",
    ):  # fmt: skip
        with pytest.raises(errors.StoreUnavailable, match="cannot be read") as error:
            PostgresStore(f"postgresql://u:{wrong}")
        assert "hunt" not in str(error.value) and error.value.__cause__ is None


def test_an_address_is_named_again_whole_but_for_its_password() -> None:
    for address in (
        "postgresql://u:hunter2@h:1/x?sslmode=require",
        "postgresql://u%40x@h:1,i/a%2Fb?password=hunter2",
        "postgresql:///x?host=/a%20b&port=7&sslpassword=hunter2",
        "postgresql://h/x?options=-csearch_path%3Dy",
        "postgresql://u:hunter2@[fe80::1%25eth0]:5/x",
    ):
        again = str(connections.PostgresAddress(address))
        assert "hunter2" not in again
        parts = conninfo_to_dict(address)
        assert conninfo_to_dict(again) == {name: parts[name] for name in parts if "password" not in name}


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_in_which_not_every_name_can_be_written_is_refused(encoding: str) -> None:
    name = f"in_{encoding.lower()}"
    server().execute(f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")
    try:
        for store in (PostgresStore, PostgresReader):
            with pytest.raises(errors.StoreUnavailable, match=f"keeps text in {encoding}.*UTF8 is needed"):
                store(server().url(name))
    finally:
        server().execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_a_table_that_is_missing_and_one_that_takes_no_writes_are_reported(empty_url: str) -> None:
    with PostgresStore(empty_url) as store:
        store.append("r", [deal("s", 0, event())])
        name = urlsplit(empty_url).path.removeprefix("/")
        execute(empty_url, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        with PostgresReader(empty_url) as reader:
            assert reader.stream_version("s") == 1
        with pytest.raises(errors.StoreUnavailable, match="accepts no writes"):
            PostgresStore(empty_url)
        execute(empty_url, "SET default_transaction_read_only = off", "DROP TABLE log CASCADE")
        for ask in (store.head, store.read_all, lambda: store.append("r", [deal("s", 1, event())])):
            with pytest.raises(errors.StoreDamaged, match="lacks one of its tables"):
                ask()


def test_an_event_that_was_changed_or_torn_out_is_never_told(empty_url: str) -> None:
    with PostgresStore(empty_url) as store:
        store.append("r", [deal("s", 0, *events(5))])
        force = "SET session_replication_role = replica;"
        execute(empty_url, f"{force} UPDATE events SET body = 'x' WHERE version = 3")
        with pytest.raises(errors.StoreDamaged, match="Event 3 of stream s"):
            store.read_stream("s")
        ids = [str(event_id) for (event_id,) in rows(empty_url, "SELECT event_id FROM events")]
        with pytest.raises(errors.StoreDamaged, match="Event 3 of stream s"):
            store.find_events("r", ids)
        execute(empty_url, f"{force} DELETE FROM events WHERE version = 3")
        with pytest.raises(errors.StoreDamaged):
            store.read_stream("s")
        with pytest.raises(errors.StoreDamaged):
            store.read_all()
        assert len(store.read_tile(0, 0)) == 5  # the leaves stand in the log, and every other proof with them


MANY_TRANSACTIONS = """
    DO $$ BEGIN
        FOR number IN 1..3000 LOOP
            PERFORM pg_current_xact_id();
            COMMIT;
        END LOOP;
    END $$"""


def test_a_store_that_was_dumped_goes_on_elsewhere(empty_url: str, tmp_path: Path) -> None:
    with PostgresStore(empty_url) as store:
        store.append("r", [deal("s", 0, *events(300))])
        store.erase({"r": {store.read_stream("s")[0].event_id: b"{}"}})
        sealed, tile = all_sealed(store), store.read_tile(0, 0)
        execute(empty_url, MANY_TRANSACTIONS)  # the new server has not counted so far
        with psycopg.connect(empty_url, autocommit=True) as stopped:  # before the event has its position
            insert_in(stopped, "r", deal("left", 0, event("left", "left")))
    dump = tmp_path / "dump.sql"
    with dump.open("wb") as file:
        subprocess.run([server().programs / "pg_dump", "--dbname", empty_url], stdout=file, check=True)
    elsewhere = Server()
    try:
        url = elsewhere.url(elsewhere.new_database())
        with dump.open("rb") as file:
            subprocess.run(
                [server().programs / "psql", "--quiet", "--set=ON_ERROR_STOP=1", "--dbname", url],
                stdin=file,
                stdout=subprocess.DEVNULL,
                check=True,
            )
        counted = "SELECT max(tx::text::bigint) > pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
        assert rows(url, f"{counted} FROM events") == [(True,)]
        with PostgresStore(url) as store, PostgresStore(url) as other:
            assert [one for one in all_sealed(store) if one.event.event_id != "left"] == sealed
            assert store.read_tile(0, 0) == tile and store.read_tile(1, 0) == [root_of_leaves(tile)]
            assert (store.head(), store.find_events("r", ["left"])["left"].position) == (302, 302)
            for number in range(3):
                (appended,) = (store, other)[number % 2].append("r", [deal("s", ANY_VERSION, event())])
                assert appended.events[0].position == 303 + number
            require_whole_tree(store)
        assert rows(url, "SELECT era FROM eras ORDER BY era") == [(1,), (2,)]
    finally:
        elsewhere.stop()


def test_what_cannot_be_given_its_position_is_told_and_given_it_at_the_next_start(empty_url: str) -> None:
    """As where tables were put in the place of others while a service ran."""
    ahead = "UPDATE log SET seen = '99999999:99999999:'::pg_snapshot WHERE seen IS NOT NULL"
    sent = deal("s", ANY_VERSION, event())
    with PostgresStore(empty_url) as store:
        store.append("r", [deal("s", 0, event())])
        execute(empty_url, f"SET session_replication_role = replica; {ahead}")
        for _ in range(2):
            with pytest.raises(errors.StoreUnavailable, match="got no position in the log"):
                store.append("r", [sent])
        assert store.stream_version("s") == 1
    execute(empty_url, "SET session_replication_role = replica; UPDATE eras SET system_identifier = 1")
    with PostgresStore(empty_url) as store:
        (again,) = store.append("r", [sent])
        assert (again.repeated_count, again.events[0].position, store.stream_version("s")) == (1, 2, 2)
        (after,) = store.append("r", [deal("s", 2, event())])
        assert after.events[0].position == 3


def test_a_restore_that_lost_its_rights_lets_nobody_erase(empty_url: str) -> None:
    """Where a role is not on the server yet `pg_restore` fails to take a function from everybody."""
    with PostgresStore(empty_url) as store:
        store.append("r", [deal("s", 0, event("a", "a"))])
    execute(empty_url, "GRANT EXECUTE ON FUNCTION erase_contents, place_events TO PUBLIC")
    with PostgresReader(empty_url) as reader:
        found = reader.inspection().find_schema_differences()
    assert found == [f"{name}, open to everybody" for name in ("erase_contents", "place_events")]
    with PostgresStore(empty_url) as store:
        assert store.inspection().find_schema_differences() == []


def test_keys_of_another_server_are_looked_up_anew(empty_url: str) -> None:
    """After a failover that lost events a stream may have another number, or its root may."""
    with PostgresStore(empty_url) as store:
        store.append("r", [deal("s", 0, event())])
        store.append("q", [deal("t", 0, event())])
        store.append("r", [deal("s", 1, event())])
        assert [len(store.read_stream(name)) for name in ("s", "t")] == [2, 1]
        mine, others = (store._keys._known[name] for name in ("s", "t"))
        for wrong in (others._replace(stream="s"), mine._replace(root_key=others.root_key)):
            store._keys._known["s"] = wrong
            assert [one.seq for one in store.read_stream("s")] == [1, 2]
        lost = StreamAppend("lost", ANY_VERSION, [event()])  # to a stream that the former leader alone had
        for keys in (mine, mine._replace(stream_key=99)):
            store._keys._known["lost"] = keys._replace(stream="lost")
            with pytest.raises(errors.UnknownStream):
                store.read_stream("lost")
        for hint in (StreamInfo("lost", "r", "deal", 1), StreamInfo("t", "r", "deal", 1)):
            store._writer._hints[hint.stream] = hint
            with pytest.raises((errors.UnknownStream, errors.StreamMismatch)):
                store.append("r", [lost._replace(stream=hint.stream)])


def test_branches_are_found(empty_url: str) -> None:
    leaves = NewEvent("a", b'{"branch":{"deal":"d"}}')
    with PostgresStore(empty_url) as store:
        for number in range(20):
            store.append(f"r{number}", [deal(f"d{number}", 0, leaves if number % 7 == 3 else event())])
        found = store.list_branches()
        assert [stream for _, stream in found] == ["d3", "d10", "d17"]
        assert store.list_branches(found[0][0], 1) == found[1:2]
