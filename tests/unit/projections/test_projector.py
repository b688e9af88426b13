"""What every evening came to, kept in the store by the service or a command, is what folding it anew is."""

import contextlib
import re
import sqlite3
import threading
import uuid
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from service.app import create_app
from service.application.evening_queries import EveningQueries
from service.auth.grants import GrantTerms, Scope
from service.config.data_files import STORE_FILE_NAME
from service.eventstore import EventStore, MemoryStore, SqliteStore, StoreDamaged, StoreUnavailable
from service.eventstore.postgres.store import PostgresStore
from service.eventstore.projections import ProjectionProgress, ProjectionStore, ProjectionUpdate
from service.projections import projector
from service.projections.evenings_projection import (
    EVENINGS_NAME,
    EVENINGS_PROJECTION,
    parse_evening,
    serialize_evening,
)
from service.projections.facts_projection import FACTS_PROJECTION
from service.projections.projection import CLUB_RULES_TAG, PROJECTION_VERSION, RowViews
from service.projections.projector import ALL_PROJECTIONS, ProjectionWorker, Projector
from service.projections.summaries import SummaryCache
from service.records.club_rules import ClubRules
from service.records.erase_person import erase_name, find_name_occurrences
from tests.support.api.clients import holding, of_app, owner_of
from tests.support.api.recording import damaging, recorded_deal, some_deal
from tests.support.api.seasons import LOST, SOLO, Club
from tests.support.cli.deals import run
from tests.support.effort import examples
from tests.support.projector import all_made, some_evenings
from tests.support.store.postgres_server import a_store
from tests.support.waiting import until


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EventStore]:
    if request.param == "postgresql":
        with a_store() as url, PostgresStore(url) as opened:
            yield opened
    else:
        with SqliteStore(tmp_path / "store.db") as opened:
            yield opened


API = "/api/v1"


@pytest.fixture
def folded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables whose evenings were folded because somebody asked."""
    tables: list[str] = []
    fold = EveningQueries.build_evening

    def watched(self: EveningQueries, table: Any, day: Any) -> Any:
        tables.append(table.stream)
        return fold(self, table, day)

    monkeypatch.setattr(EveningQueries, "build_evening", watched)
    return tables


def answers_of(clients: list[FlaskClient], *paths: str) -> list[Any]:
    return [client.get(f"{API}{path}").get_json() for client in clients for path in paths]


def test_a_season_is_the_same_from_what_is_kept(store: EventStore, folded: list[str]) -> None:
    app = create_app(store)
    club = Club(app)
    tables = some_evenings(club)
    club.post("/grants", {"role": "viewer", "public": True})
    scope = Scope("table", tables[-1])
    clients = [
        owner_of(app), app.test_client(), holding(app, GrantTerms("viewer")),
        holding(app, GrantTerms("viewer", scope)), holding(app, GrantTerms("recorder", scope)),
        holding(app, GrantTerms("player", scope, person="Anna Larsen")),
        holding(app, GrantTerms("player", scope, person=club.members["Anna"])),
    ]  # fmt: skip
    anna = f"/members/{club.members['Anna']}/figures"
    paths = ("/seasons", "/seasons/all", "/seasons/2025-26", "/seasons/2025-10-02--2025-12-31", anna)
    before = answers_of(clients, *paths)
    assert len(set(folded)) == 5  # at the sixth nothing was played
    assert all_made(store) == 6
    of_app(app).summary_cache.clear()
    folded.clear()
    assert answers_of(clients[:3], *paths) == before[: 3 * len(paths)]
    assert folded == []
    assert answers_of(clients, *paths) == before
    assert set(folded) <= {tables[-1]}  # of which the players know more than everybody, and less than all
    assert all_made(store) == 0


def test_who_may_know_less_is_told_what_everybody_knows_or_what_is_folded_then(folded: list[str]) -> None:
    store = MemoryStore()
    app = create_app(store)
    club = Club(app)
    table, other = club.evening("2025-09-04", SOLO), club.evening("2025-09-11", SOLO)
    club.post("/grants", {"role": "viewer", "public": True})
    (deal,) = (one.stream for one in store.list_streams(table, "deal"))

    def made(reader: Any, book: Any, due: Any) -> Any:
        whole = parse_evening(EVENINGS_PROJECTION.build(reader, book, due).body or b"").full
        kept = RowViews(whole._replace(title="whole"), whole._replace(title="public"))
        return ProjectionUpdate(due, whole.day.isoformat(), serialize_evening(kept))

    all_made(store, EVENINGS_PROJECTION._replace(build=made))
    at_table, of_deal = Scope("table", table), Scope("deal", deal)
    told_as: list[tuple[GrantTerms, tuple[str | None, str | None]]] = [
        (GrantTerms("owner"), ("whole", "whole")),
        (GrantTerms("recorder"), ("whole", "whole")),
        (GrantTerms("recorder", at_table), ("whole", "public")),
        (GrantTerms("viewer"), ("public", "public")),
        (GrantTerms("viewer", at_table), ("public", "public")),
        # None: it was folded for this client, with the title that it has.
        (GrantTerms("player", at_table, person="Bo Larsen"), (None, "public")),
        (GrantTerms("player", person="Bo Larsen"), (None, None)),
        (GrantTerms("player", of_deal, seat="forehand"), (None, None)),  # a deal may be of any table
        (GrantTerms("player", of_deal, person="Bo Larsen"), (None, None)),
    ]
    for terms, titles in told_as:
        folded.clear()
        evenings = holding(app, terms).get(f"{API}/seasons/all").get_json()["evenings"]
        assert [one["table"] for one in evenings] == [table, other]
        assert tuple(one["title"] for one in evenings) == titles
        assert set(folded) == {one["table"] for one in evenings if one["title"] is None}


def test_while_people_play_it_is_not_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("service.projections.projector.time.monotonic", lambda: now)
    store = MemoryStore()
    club = Club(create_app(store))
    watching = Projector(store, ClubRules(store), EVENINGS_PROJECTION, quiet_seconds=30)
    watching._stop_event.wait = lambda timeout=None: False  # type: ignore[method-assign]
    table = club.evening("2025-09-04", SOLO)
    made = []
    for moment in range(0, 120, 5):
        now = 1000.0 + moment
        if moment in (20, 40):
            club.post(f"/tables/{table}/events", {"type": "note_added", "text": "."}, 2 + (moment == 40))
        watching.step()
        made.append(watching.folded_count)
    assert made.index(1) * 5 == 70
    assert made[-1] == 1


@pytest.mark.parametrize("failure", [StoreUnavailable("The disk is away."), RuntimeError()], ids=repr)
def test_it_goes_on_after_the_store_failed(failure: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projector, "CHECK_INTERVAL_SECONDS", 0.01)
    store = MemoryStore()
    Club(create_app(store)).evening("2025-09-04", SOLO)
    begin = ProjectionStore.begin
    failing = threading.Event()

    def fails_once(self: ProjectionStore, name: str, version: int) -> int:
        if not failing.is_set():
            failing.set()
            raise failure
        return begin(self, name, version)

    monkeypatch.setattr(ProjectionStore, "begin", fails_once)
    working = ProjectionWorker(store, ClubRules(store), quiet_seconds=0.01)
    working.start()
    until(lambda: working.folded_count == len(ALL_PROJECTIONS))
    working.stop()
    assert (failing.is_set(), working.folded_count) == (True, len(ALL_PROJECTIONS))
    assert [one.name for one in threading.enumerate() if one.name == "projector"] == []
    ProjectionWorker(store, ClubRules(store)).stop()


def test_of_a_damaged_table_nothing_is_kept_and_the_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    club = Club(create_app(store))
    whole, broken = club.evening("2025-09-04", SOLO), club.evening("2025-09-11", LOST)
    damaging(monkeypatch, store, broken, 1)
    assert all_made(store) == 2
    season = club.get("/seasons/all")
    assert ([one["table"] for one in season["evenings"]], season["damaged"]) == ([whole], [broken])
    assert club.get("/seasons")["damaged"] == [broken]
    remarks = {"en": f",not counted: table {broken} is damaged", "da": f"bord {broken} er beskadiget"}
    for lang, remark in remarks.items():
        rows = club.client.get(f"/api/v1/seasons/all/standings.csv?lang={lang}").text.splitlines()
        assert remark in rows[-1] and remark not in rows[-2]
    assert all_made(store) == 0


def test_rows_of_another_version_are_not_read_and_are_folded_anew(
    store: EventStore, folded: list[str]
) -> None:
    club = Club(create_app(store))
    table = club.evening("2025-09-04", SOLO)
    before = club.get("/seasons/all")
    assert all_made(store) == 1
    (row,) = store.projections.read_projection_rows(EVENINGS_NAME).rows
    another = ProjectionProgress(
        PROJECTION_VERSION + 1, store.projections.begin(EVENINGS_NAME, PROJECTION_VERSION + 1)
    )
    assert store.projections.advance(EVENINGS_NAME, another, store.head(), [table])
    (due,) = store.projections.list_pending_roots(EVENINGS_NAME, store.head(), 10)
    unreadable = ProjectionUpdate(due, "no day", b"no JSON")
    store.projections.save_updates(EVENINGS_NAME, another.version, [unreadable])
    of_app(club.client.application).summary_cache.clear()
    folded.clear()
    assert (club.get("/seasons/all"), folded) == (before, [table])
    assert all_made(store) == 1
    assert store.projections.read_projection_rows(EVENINGS_NAME).rows == [row]


def test_the_version_is_raised_when_the_same_events_come_to_other_rows() -> None:
    store = MemoryStore()
    some_evenings(Club(create_app(store)))
    bodies = list[bytes]()
    for projection in ALL_PROJECTIONS:
        all_made(store, projection)
        rows = store.projections.read_projection_rows(projection.name).rows
        bodies += sorted(re.sub(rb"m-[a-z0-9]{16}|[0-9a-f-]{36}", b"an id", row.body or b"") for row in rows)
    assert (PROJECTION_VERSION, sha256(b"".join(bodies)).hexdigest()[:16]) == (5, "7c36c237a734eb0a")


def test_where_the_tables_cannot_be_read_everything_is_folded(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "store.db") as store:
        club = Club(create_app(store))
        some_evenings(club)
        deal = recorded_deal(store)
        club.post("/grants", {"role": "viewer", "deal": deal, "public": True, "title": "Published"})
        all_made(store)

        def answers() -> list[Any]:
            assert "Published" in club.client.get("/library?card=SA").text
            paths = ("/seasons", "/seasons/all", f"/members/{club.members['Anna']}/figures")
            return [club.get(path) for path in paths]

        before = answers()
        with contextlib.closing(sqlite3.connect(tmp_path / "store.db")) as file:
            file.execute("DROP TABLE projected")
        with pytest.raises(StoreDamaged):
            store.projections.list_sort_keys(EVENINGS_NAME)
        assert answers() == before


def test_what_the_engine_cannot_fold_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    club = Club(create_app(store))
    club.evening("2025-09-04", SOLO)
    failing = club.evening("2025-09-11", LOST)
    make = EVENINGS_PROJECTION.build

    def fails(store: Any, book: Any, due: Any) -> Any:
        if due.root == failing:
            raise ZeroDivisionError
        return make(store, book, due)

    assert all_made(store, EVENINGS_PROJECTION._replace(build=fails)) == 2
    kept = store.projections.read_projection_rows(EVENINGS_NAME).rows
    assert [one.root for one in kept if one.body is None] == [failing]
    assert len(club.get("/seasons/all")["evenings"]) == 2


def test_a_name_that_was_erased_is_not_kept(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "store.db") as store:
        club = Club(create_app(store))
        club.evening("2025-09-04", SOLO, players=("Anna", "Bo", "Gertrud Gast"))
        club.evening("2025-09-11", SOLO)
        all_made(store)
        (there,) = store.projections.read_projection_rows(EVENINGS_NAME, tag="player Gertrud Gast").rows
        assert there.body is not None and b"Gertrud" in there.body
        erase_name(store, find_name_occurrences(store, "Gertrud Gast", "N. N."))
        (gone,) = store.projections.read_projection_rows(EVENINGS_NAME, tag="player Gertrud Gast").rows
        assert gone.body is None
        assert b"Gertrud" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert all_made(store) == 1
        assert len(store.projections.read_projection_rows(EVENINGS_NAME, tag="player N. N.").rows) == 1
        assert len(club.get("/seasons/all")["evenings"]) == 2


def test_a_new_revision_has_those_folded_again_who_play_by_rules_of_the_club(store: EventStore) -> None:
    club = Club(create_app(store))
    told = {**club.get("/rulesets/dlu"), "id": "onsdag", "revision": 1}
    ours = {name: value for name, value in told.items() if name not in ("own", "revisions")}

    def publish(**more: Any) -> None:
        answer = club.client.put(f"{API}/rulesets/onsdag", json={**ours, **more})
        assert answer.status_code == 201, answer.get_json()

    usual = club.evening("2025-09-04", SOLO)
    publish()
    club.evening("2025-09-11", SOLO, ruleset="onsdag")
    assert all_made(store) == 2
    (tagged,) = store.projections.read_projection_rows(EVENINGS_NAME, tag=CLUB_RULES_TAG).rows
    assert tagged.root != usual
    publish(revision=2)
    assert len(club.get("/seasons/all")["evenings"]) == 2
    assert all_made(store) == 1


def test_a_search_is_the_same_from_what_is_kept(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(store)
    club = Club(app)
    whole = [recorded_deal(store, some_deal(seed), str(uuid.UUID(int=(7 << 76) + seed))) for seed in range(4)]
    going_on = recorded_deal(store, some_deal(9)[:20], str(uuid.UUID(int=(7 << 76) + 9)))
    (at_table,) = (one.stream for one in store.list_streams(club.evening("2025-09-04", SOLO), "deal"))
    left = [*some_deal(9)[:1], {"branch": {"deal": whole[0], "at": 12}, "id": str(uuid.uuid4())}]
    variation = club.post("/deals", left[0] | left[1])["deal"]
    for number, deal in enumerate((*whole, going_on, at_table, variation)):
        public = {"role": "viewer", "deal": deal, "public": True, "title": f"Published {number}"}
        club.post("/grants", public)
    judged: list[str] = []
    judge = SummaryCache.search_facts

    def watched(self: SummaryCache, deal: Any, *rest: Any) -> Any:
        judged.append(deal.stream)
        return judge(self, deal, *rest)

    monkeypatch.setattr(SummaryCache, "search_facts", watched)
    clients = [app.test_client(), owner_of(app)]
    asked = ["", "player=forehand", "player=anna", "card=SA", "finding=revoke"]
    asked += ["outcome=won", "contract=solo"]

    def found() -> list[list[str]]:
        pages = (client.get(f"/library?{one}&lang=en").text for client in clients for one in asked)
        return [re.findall("Published [0-9]", page) for page in pages]

    before = found()
    assert set(judged) == {*whole, going_on, at_table, variation}
    all_made(store, FACTS_PROJECTION)
    of_app(app).summary_cache.clear()
    judged.clear()
    assert found() == before
    assert set(judged) == {variation}
    note = {"type": "note_added", "text": "Anna hesitated."}
    club.client.post(f"{API}/deals/{whole[1]}/events", json=note, headers={"If-Match": "*"})
    judged.clear()
    assert found() == before
    assert set(judged) == {variation, whole[1]}


ACTS = st.lists(st.sampled_from(("open", "deal", "note", "make", "rewind", "erase")), max_size=12)


@given(ACTS, st.data())
@settings(max_examples=examples(20))
def test_wherever_it_stands_a_season_is_what_its_tables_come_to(acts: list[str], data: st.DataObject) -> None:
    store = MemoryStore()
    club = Club(create_app(store))
    tables: dict[str, int] = {}
    for act in acts:
        table = data.draw(st.sampled_from(sorted(tables))) if tables else ""
        if act == "open" or not tables:
            tables[club.evening("2025-09-04", SOLO)] = 2
        elif act == "deal":
            deal = club.post(f"/tables/{table}/deals", {}, tables[table])["deal"]
            club.post(f"/deals/{deal}/events", {"type": "result_recorded", **LOST}, 1)
            tables[table] += 1
        elif act == "note":
            club.post(f"/tables/{table}/events", {"type": "note_added", "text": "Anna"}, tables[table])
            tables[table] += 1
        elif act == "rewind":
            store.projections.rewind(EVENINGS_NAME, data.draw(st.integers(0, store.head())))
        elif act == "erase":
            erase_name(store, find_name_occurrences(store, "Anna", "N. N."))
        else:
            Projector(store, ClubRules(store), EVENINGS_PROJECTION).step()
    assert {one["table"]: one["totals"] for one in club.get("/seasons/all")["evenings"]} == {
        table: club.get(f"/tables/{table}/ledger")["totals"] for table in tables
    }


def test_the_figures_of_all_evenings_are_made_and_then_only_what_is_new(tmp_path: Path) -> None:
    file = tmp_path / STORE_FILE_NAME
    with SqliteStore(file) as store:
        club = Club(create_app(store))
        club.evening("2025-09-04", SOLO, LOST)
        club.evening("2025-09-11", SOLO)
    first = run("projections", "refresh", str(file))
    assert (first.exit_code, first.stderr) == (0, "")
    assert first.stdout == "Evenings counted: 2; already stored: 2, up to event 11.\n"
    again = run("projections", "refresh", "--data", str(tmp_path), "--lang", "da")
    assert again.stdout == "Aftener regnet ud: 0; allerede gemt: 2, til og med post 11.\n"
    with SqliteStore(file) as store:
        kept = store.projections.read_projection_rows(EVENINGS_NAME).rows
    # The second evening's events are the last four.
    assert run("projections", "refresh", str(file), "--from", "7").stdout.startswith("Evenings counted: 1; ")
    assert run("projections", "refresh", str(file), "--from", "0").stdout.startswith("Evenings counted: 2; ")
    with SqliteStore(file) as store:
        assert store.projections.read_projection_rows(EVENINGS_NAME).rows == kept
