"""Reads on a standby: whoever wrote reads what he wrote, and others are told what the standby has."""

import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import orjson
import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.auth.grants import GrantTerms
from service.eventstore import NotAStore, SqliteStore, StoreUnavailable
from service.eventstore.errors import StandbyLagging
from service.eventstore.postgres.replica import Standby
from service.eventstore.postgres.store import PostgresReader, PostgresStore
from service.eventstore.store_factory import open_standby
from service.http.read_your_writes import POSITION_HEADER
from tests.support.api.clients import holding, owner_of, token_for
from tests.support.api.recording import DEAL, OPENING, some_deal
from tests.support.api.servers import as_owner, prepare, served
from tests.support.store.postgres_pair import Pair, pair
from tests.support.store.postgres_server import as_role
from tests.support.store.writing import deal, event

pytestmark = pytest.mark.postgres

NAME = "copied"
EVENTS = f"/api/v1/deals/{DEAL}/events"
FIRST, SECOND, *_ = some_deal()


class Copied(NamedTuple):
    """A store with a standby of it, and clients of an application over both."""

    pair: Pair
    standby: Standby
    owner: FlaskClient
    viewer: FlaskClient
    browsers: tuple[FlaskClient, FlaskClient]


@pytest.fixture
def databases() -> Iterator[Pair]:
    """A pair with an empty store, which the standby has too."""
    whole = pair()
    whole.leader.execute(f"CREATE DATABASE {NAME} TEMPLATE template0")
    PostgresStore(whole.leader.address(NAME)).close()
    whole.wait_for_replay()
    yield whole
    whole.mend()
    resume(whole)
    whole.leader.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


@pytest.fixture
def copied(databases: Pair) -> Iterator[Copied]:
    """A deal of one event, which the standby has; what comes behind that it lacks: its replay is paused."""
    with PostgresStore(databases.leader.address(NAME)) as store:
        standby = open_standby(store, databases.standby.address(NAME))
        assert standby.wait_until_available(30)
        app = create_app(store, standby=standby)
        browsers = app.test_client(), app.test_client()
        for browser in browsers:
            browser.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
            sent = {"token": token_for(app, GrantTerms("owner"))}
            assert browser.post("/api/v1/session", json=sent).status_code == 201
        one = Copied(databases, standby, owner_of(app), holding(app, GrantTerms("viewer")), browsers)
        assert one.owner.post("/api/v1/deals", json={**FIRST, "id": DEAL}).status_code == 201
        databases.wait_for_replay()
        databases.standby.execute("SELECT pg_wal_replay_pause()")
        yield one
        standby.close()


def resume(whole: Pair) -> None:
    whole.standby.execute("SELECT pg_wal_replay_resume() WHERE pg_is_wal_replay_paused()")
    whole.wait_for_replay()


def write_more(client: FlaskClient) -> str:
    """The position that a writer is told."""
    answer = client.post(EVENTS, json=SECOND, headers={"If-Match": '"1"'})
    assert answer.status_code == 201, answer.json
    return answer.headers[POSITION_HEADER]


def version(client: FlaskClient, **headers: str) -> int:
    """How many events of the deal he is told of."""
    answer = client.get(EVENTS, headers={name.replace("_", "-"): value for name, value in headers.items()})
    assert answer.json is not None
    return len(answer.json["events"])


def test_a_writer_never_reads_behind_what_he_wrote(copied: Copied) -> None:
    told = write_more(copied.owner)
    assert (told, int(told)) == ("2", 2)
    for _ in range(5):
        assert version(copied.owner, Spadille_Position=told) == 2
        assert version(copied.owner) == 2  # he may have written, and does not say how far he has come
        assert version(copied.owner, Spadille_Position="what is none") == 2
    assert version(copied.owner, Spadille_Position="1") == 1
    resume(copied.pair)
    assert version(copied.owner, Spadille_Position="1") == 2


def test_a_reader_without_a_position_is_told_what_the_standby_has(copied: Copied) -> None:
    told = write_more(copied.owner)
    assert version(copied.viewer) == 1
    assert version(copied.viewer, Spadille_Position=told) == 2
    assert version(copied.viewer, Cache_Control="no-cache") == 2
    assert version(copied.viewer, Cache_Control="max-age=0") == 2
    assert version(copied.viewer, If_None_Match='"1"') == 2
    assert copied.viewer.get(f"/api/v1/deals/{DEAL}/state?at=2&known=2").status_code == 200
    assert version(copied.viewer) == 1
    resume(copied.pair)
    assert version(copied.viewer) == 2


def test_where_the_standby_is_away_nobody_waits_for_it(copied: Copied) -> None:
    write_more(copied.owner)
    copied.pair.standby.kill()
    assert [version(copied.viewer) for _ in range(3)] == [2, 2, 2]
    assert not copied.standby.wait_until_available(0)
    copied.pair.follow()
    assert copied.standby.wait_until_available(30)
    assert version(copied.viewer) == 2


def test_a_standby_that_is_away_at_first_is_taken_when_it_comes(databases: Pair) -> None:
    databases.make_synchronous(False)
    databases.standby.kill()
    with PostgresStore(databases.leader.address(NAME)) as store:
        standby = open_standby(store, databases.standby.address(NAME))
        assert standby.with_min_position(0) is None
        databases.follow()
        assert standby.wait_until_available(30)
        standby.close()
        standby.close()


def test_each_connection_shows_how_far_it_has_come(databases: Pair) -> None:
    with PostgresStore(databases.leader.address(NAME)) as store:
        store.append("r", [deal("s", 0, event())])
        databases.wait_for_replay()
        with PostgresReader(databases.standby.address(NAME)) as reader:
            assert reader.with_min_position(1).stream_version("s") == 1
            with pytest.raises(StandbyLagging, match="at position 1, but 2 is"):
                reader.with_min_position(2).stream_version("s")
            store.append("r", [deal("s", 1, event())])
            databases.wait_for_replay()
            assert reader.with_min_position(2).stream_version("s") == reader.stream_version("s") == 2


def test_what_can_be_no_standby_is_refused_at_once(databases: Pair, tmp_path: Path) -> None:
    """A copy has the store's secret too: who reads there would be told what was never recorded here."""
    leader = databases.leader
    leader.execute("CREATE DATABASE another TEMPLATE template0")
    PostgresStore(leader.address("another")).close()
    leader.execute(f"CREATE DATABASE its_copy TEMPLATE {NAME}")
    try:
        for name, told in (
            ("another", "must name a standby"),
            ("its_copy", "is not one, even if it has a copy"),
        ):
            with pytest.raises(SystemExit, match=told):
                prepare(tmp_path, store=databases.address(NAME), store_reads=leader.address(name))
    finally:
        for name in ("another", "its_copy"):
            leader.execute(f"DROP DATABASE {name} WITH (FORCE)")
    unreadable = "SPADILLE_STORE_READS: The address of the store cannot"
    with PostgresStore(leader.address(NAME)) as store, pytest.raises(StoreUnavailable, match=unreadable):
        open_standby(store, "postgresql://u:hunter/2@standby/cards")
    with SqliteStore(tmp_path / "x.db") as store, pytest.raises(NotAStore, match="SPADILLE_STORE_READS"):
        open_standby(store, databases.standby.address(NAME))


def test_a_service_reads_from_it(databases: Pair, tmp_path: Path) -> None:
    both = {
        "SPADILLE_STORE": databases.address(NAME),
        "SPADILLE_STORE_READS": databases.standby.address(NAME),
    }
    with served(tmp_path, **both) as port:
        address = f"http://127.0.0.1:{port}/api/v1/deals"
        sent = {**as_owner(port), "Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(address, orjson.dumps(OPENING), sent)) as answer:
            assert answer.headers[POSITION_HEADER] == "1"
        asked = urllib.request.Request(address, headers={**as_owner(port), POSITION_HEADER: "1"})
        with urllib.request.urlopen(asked) as answer:
            assert b'"version":1' in answer.read()


def test_a_user_without_the_right_to_the_secret_reads_and_is_told_it(databases: Pair) -> None:
    rights = "GRANT SELECT ON roots, streams, events, log, spadille_steps TO {user}"
    url = databases.leader.address(NAME)
    with as_role(url, "reads_only", rights) as reading, PostgresStore(url) as store:
        databases.wait_for_replay()
        with closing(open_standby(store, databases.standby.address(NAME, "reads_only"))) as standby:
            assert standby.wait_until_available(0)
        with (
            PostgresReader(reading) as reader,
            pytest.raises(StoreUnavailable, match="user has no right"),
        ):
            reader.keyed_id(b"")
        assert store.keyed_id(b"")
