"""Files: logs imported, a table or all of a store taken away, and the same again in an empty store."""

import re
from typing import Any, cast

import orjson
import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.auth.grants import GrantTerms
from service.eventstore import EventReader, EventStore, MemoryStore, StoreDamaged, StoredEvent
from service.records.log_export import export_store_lines
from tests.support.api.asking import API, NOTE, body_of, fetch, problem, send
from tests.support.api.clients import holding, owner_of
from tests.support.api.club_rules import CLUB, OURS, WON, dearer, opening
from tests.support.api.everything import bare, client_with_everything
from tests.support.api.recording import PLAYERS, TABLE, recorded_deal, recorded_table

ALL = f"{API}/export.jsonl"
PUBLISHED = "ruleset_published"
RULES = {"type": PUBLISHED, "ruleset": {"id": "our-club", **CLUB}}


@pytest.fixture
def full(store: EventStore) -> FlaskClient:
    return client_with_everything(store)


def upload(client: FlaskClient, body: bytes) -> Any:
    return body_of(client.post(f"{API}/import", data=body, content_type="application/jsonl"))


def answers(client: FlaskClient) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind in ("tables", "deals"):
        for one in fetch(client, kind)[kind]:
            found[one["links"]["self"]] = {**one, "recorded_at": "", "opened_at": "", "changed_at": ""}
            if kind == "tables":
                found[one["links"]["ledger"]] = client.get(one["links"]["ledger"]).get_json()
    return found


def test_import_into_an_empty_store_gives_the_same(full: FlaskClient, store: EventStore) -> None:
    exported, before = full.get(ALL), store.head()
    assert (exported.mimetype, exported.headers["Cache-Control"]) == ("application/jsonl", "no-store")
    empty = MemoryStore()
    other = owner_of(create_app(empty))
    done = upload(other, exported.data)
    assert done["problems"] == []
    rules = [(one["id"], one["revision"], one["new"]) for one in done["rulesets"]]
    assert rules == [("our-club", 1, True), ("our-club", 2, True)]
    assert [one["detail"] for one in done["records"]] == [None] * 7
    assert bare(other.get(ALL).text) == bare(exported.text)
    assert answers(other) == answers(full)
    assert empty.head() == before
    # The export again, also by way of another store, adds nothing.
    for lines in (exported.data, other.get(ALL).data):
        back = upload(full, lines)
        assert {(one["new"], one["detail"]) for one in (*back["records"], *back["rulesets"])} == {(0, None)}
    assert store.head() == before
    # The order is rules, tables with their deals, deals alone.
    types = re.findall(r'^\{"type":"(ruleset|table|deal)_(?:published|opened)"', full.get(ALL).text, re.M)
    assert types == ["ruleset"] * 2 + ["table"] + ["deal"] * 2 + ["table"] + ["deal"] * 3


def test_it_is_as_it_stood_when_it_began_and_read_as_it_is_sent(full: FlaskClient, store: EventStore) -> None:
    asked: list[str] = []

    class Counted:
        """The store, noting which streams are read."""

        def __getattr__(self, name: str) -> Any:
            return getattr(store, name)

        def read_stream(self, stream: str, *more: Any, **named: Any) -> Any:
            asked.append(stream)
            return store.read_stream(stream, *more, **named)

    before = list(export_store_lines(store))
    counted = cast(EventReader, Counted())
    reading = export_store_lines(counted)
    got = [next(reading) for _ in range(3)]
    assert len(set(asked)) == 2, "rulesets and the first table: the rest is not read before it is asked for"
    body_of(full.post(f"{API}/deals", json=[opening(revision=1), WON]), 201)
    recorded_table(store, "018f5e2a-7b1c-7d3e-9f40-0a1b2c3d4e01")
    assert [*got, *reading] == before


def test_a_bad_ruleset_spoils_nothing(client: FlaskClient) -> None:
    bad = b'{"type":"ruleset_published","ruleset":{"id":"our-club","based_on":"whist"}}'
    done = upload(client, bad + b"\n" + orjson.dumps({"type": PUBLISHED, "ruleset": {**CLUB, "id": "two"}}))
    assert [one["id"] for one in done["rulesets"]] == ["two"]
    (fault,) = done["problems"]
    assert (fault["line"], fault["column"], fault["pointer"]) == (1, 67, "/ruleset/based_on")
    assert fault["expected"].startswith("the id of a ruleset")
    assert client.get(f"{API}/rulesets/two").status_code == 200
    client.put(OURS, json=CLUB)
    other = {"type": PUBLISHED, "ruleset": {"id": "our-club", **dearer(9)}}
    done = body_of(client.post(f"{API}/import", json=[other, opening(), WON]))
    assert done["rulesets"][0]["detail"].startswith("Revision 1 of our-club already exists")
    assert [one["detail"] for one in done["records"]] == [None]


def test_rulesets_in_a_file_judge_its_deals(client: FlaskClient, store: EventStore) -> None:
    (score,) = body_of(client.post(f"{API}/score", json=[RULES, opening(), WON]))["scores"]
    assert score["payments"]["forehand"] == 8
    assert client.get(OURS).status_code == 404
    recorder = holding(client.application, GrantTerms("recorder"))
    assert recorder.post(f"{API}/import", json=[opening(), WON, RULES]).status_code == 403
    assert store.head() == 0


def test_a_record_is_read_whole_before_it_is_answered(
    client: FlaskClient, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is damaged after the first page, or in a table's last deal, is a problem just as well."""
    table = recorded_table(store)
    recorded_deal(store)
    deal = body_of(send(client, f"tables/{table}/deals", {"players": PLAYERS}, 1), 201)["deal"]
    for _ in range(6):
        assert send(client, f"deals/{deal}/events", [NOTE] * 200).status_code == 201
    read, first_damaged = store.read_stream, 1100

    def damaged(stream: str, after: int = 0, limit: int = 1000) -> list[StoredEvent]:
        if first_damaged == 1 or (stream == deal and after + limit > first_damaged):
            raise StoreDamaged(f"Event {first_damaged} is not as it was recorded.")
        return read(stream, after, limit)

    monkeypatch.setattr(store, "read_stream", damaged)
    log, away = f"{API}/deals/{deal}/events", f"{API}/tables/{table}/export.jsonl"
    assert client.get(f"{log}?limit=5").status_code == 200
    for path in (f"{log}.jsonl", away):
        assert problem(client.get(path)) == (500, "store-damaged"), path
    first_damaged = 1
    for path in (ALL, away):
        assert problem(client.get(path)) == (500, "store-damaged"), path


EVENING = b"""\
{"type":"table_opened","ruleset":"dlu","players":["Anna","Bo","Carl"],"id":"%s"}
{"type":"deal_started","deal":"first","number":1}
{"type":"deal_opened","ruleset":"dlu","number":1,"players":{"forehand":"Anna","middlehand":"Bo","backhand":"Carl"}}
{"type":"result_recorded","declarer":"middlehand","contract":"solo","trump":"H","tricks":{"middlehand":5}}
""" % TABLE.encode()


def imported_records(client: FlaskClient, body: bytes) -> Any:
    answer = upload(client, body)
    assert (answer["problems"], answer["unlisted"]) == ([], 0)
    return answer["records"]


def test_a_table_is_taken_away_and_brought_back_the_same(client: FlaskClient) -> None:
    table, deal = imported_records(client, EVENING)
    away = client.get(f"{API}/tables/{TABLE}/export.jsonl")
    assert away.content_type == "application/jsonl"
    other = owner_of(create_app(MemoryStore()))
    back = [(one["kind"], one["id"], one["new"]) for one in imported_records(other, away.data)]
    assert back == [("table", TABLE, 2), ("deal", deal["id"], 2)]
    assert fetch(client, f"tables/{TABLE}/ledger") == fetch(other, f"tables/{TABLE}/ledger")
    assert [one["new"] for one in imported_records(client, away.data)] == [0, 0]
    assert table["links"] == {"self": f"{API}/tables/{TABLE}"}
    for lang, words in (("", ("spilfører", "hjerter")), ("?lang=en", ("declarer", "hearts"))):
        sheet = client.get(f"{API}/tables/{TABLE}/slips.csv{lang}").text
        assert all(word in sheet for word in words)
    assert client.get(f"{API}/tables/{TABLE}/slips.csv?lang=fr").status_code == 422
    links = fetch(client, f"tables/{TABLE}")["links"]
    assert all(client.get(link).status_code == 200 for link in links.values())
