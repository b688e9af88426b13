"""Tables over HTTP: opening, appending, and starting deals in one step with the table's own entry."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.eventstore import EventStore
from tests.support.api.asking import API, NOTE, Json, body_of, correction, problem, send, told
from tests.support.api.recording import DEAL, PLAYERS, TABLE, recorded_deal, recorded_table
from tests.support.api.tables import ADDRESS

HERE = f"tables/{TABLE}"
OPENING = {"ruleset": "dlu", "players": ["Anna", "Bo", "Carl"], "id": TABLE}


@pytest.fixture
def table(client: FlaskClient, store: EventStore) -> FlaskClient:
    recorded_table(store)
    return client


def start(client: FlaskClient, version: int, **opening: Any) -> TestResponse:
    return send(client, f"{HERE}/deals", {"players": PLAYERS, **opening}, version)


def append(client: FlaskClient, events: Any, version: int | str) -> TestResponse:
    return send(client, f"{HERE}/events", events, version)


def joined(name: str, **more: Any) -> Json:
    return {"type": "player_joined", "player": name, **more}


def test_a_table_is_opened_once(client: FlaskClient) -> None:
    first = client.post(f"{API}/tables", json=OPENING)
    assert (first.status_code, first.headers["Location"], first.headers["ETag"]) == (201, ADDRESS, '"1"')
    assert client.post(f"{API}/tables", json={**OPENING, "type": "table_opened"}).status_code == 200
    assert [table["id"] for table in told(client, "tables")["tables"]] == [TABLE]


def test_at_a_closed_table_it_is_said_why_no_deal_starts_and_what_to_do(table: FlaskClient) -> None:
    append(table, {"type": "table_closed"}, 1)
    answer = send(table, f"{HERE}/deals", {}, 2)
    assert problem(answer) == (422, "invalid-event")
    detail = answer.get_json()["detail"]
    assert "was closed, by its entry 2" in detail and "`replaces` [2]" in detail
    assert answer.get_json()["errors"] == [{"pointer": "/players", "detail": detail}]
    # What it says to do works: either way.
    assert start(table, 2).status_code == 201
    assert append(table, correction(replaces=[2]), 3).status_code == 201
    assert send(table, f"{HERE}/deals", {}, 4).status_code == 201


def test_where_the_table_cannot_say_who_plays_it_says_so(client: FlaskClient) -> None:
    body_of(client.post(f"{API}/tables", json={**OPENING, "players": ["Anna", "Bo"]}), 201)
    for opening, said in (
        ({}, "Too few sit at the table for a deal: Anna, Bo."),
        ({"ruleset": "ombre"}, "other rules than the table's"),
    ):
        detail = body_of(send(client, f"{HERE}/deals", opening, 1), 422)["detail"]
        assert said in detail and "`players`" in detail


def test_a_table_says_who_sits_there(table: FlaskClient) -> None:
    append(table, [joined("Dorthe", place=2)], 1)
    append(table, correction(joined("Dorte", place=2), replaces=[2]), 2)
    append(table, [{"type": "player_left", "player": "Carl"}, {"type": "table_closed"}], 3)
    now = told(table, HERE)
    assert (now["players"], now["closed"], now["version"]) == (["Anna", "Dorte", "Bo"], True, 5)
    append(table, {"type": "seats_set", "players": ["Bo", "Anna", "Dorte"]}, 5)
    assert told(table, HERE)["players"] == ["Bo", "Anna", "Dorte"]


def test_a_deal_is_started_by_the_rules_of_its_table(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store, switches={"talon": True}, revision=1)
    answer = start(client, 1, id=DEAL)
    assert (answer.status_code, answer.headers["Location"]) == (201, f"{API}/deals/{DEAL}")
    (opening,) = answer.get_json()["events"]
    expected = {"type": "deal_opened", "ruleset": "dlu", "revision": 1, "switches": {"talon": True}}
    assert {**expected, "table": TABLE, "number": 1}.items() <= opening.items()
    (noted,) = answer.get_json()["table"]["events"]
    assert (noted["type"], noted["deal"], noted["number"], noted["seq"]) == ("deal_started", DEAL, 1, 2)
    assert told(client, HERE)["next_number"] == 2
    (other,) = start(client, 2, ruleset="ombre").get_json()["events"]
    assert (other["number"], other["ruleset"], "switches" in other) == (2, "ombre", False)
    assert len(told(client, f"deals?table={TABLE}")["deals"]) == 2
    # It leads back to its table.
    deal = told(client, f"deals/{DEAL}")
    assert (deal["table"], deal["number"], deal["links"]["table"]) == (TABLE, 1, ADDRESS)
    lines = client.get(f"{ADDRESS}/events", headers={"Accept": "application/jsonl"}).data.splitlines()
    assert len(lines) == told(client, f"{HERE}/events")["version"] == 3


def test_a_deal_by_rules_that_nobody_published_is_a_fact_too(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store, ruleset="nobody-knows")
    assert start(client, 1, ruleset="nobody-knows").status_code == 201
    (opening,) = start(client, 2, ruleset="dlu").get_json()["events"]
    assert opening["revision"] == 1, "the newest of the rules that it names"


def test_a_start_sent_twice_is_one_deal(table: FlaskClient, store: EventStore) -> None:
    first = start(table, 1, id=DEAL)
    start(table, 2)
    again = body_of(start(table, 1, id=DEAL))
    assert again["events"] == first.get_json()["events"]
    assert again["table"]["version"] == 3, "the table's version now"
    elsewhere = recorded_deal(store, deal=f"{DEAL[:-1]}b")
    for taken in (elsewhere, TABLE):
        assert problem(start(table, 3, id=taken)) == (409, "id-conflict")
    stale = start(table, 2, id=f"{DEAL[:-1]}a")
    assert (stale.status_code, stale.headers["ETag"]) == (412, '"3"')
    assert table.get(f"{API}/deals/{DEAL[:-1]}a").status_code == 404
    assert store.version(TABLE) == 3


def test_an_opening_that_does_not_fit_is_refused(table: FlaskClient) -> None:
    for opening in ({"table": "another"}, {"type": "bid_made"}, {"players": 3}, {"id": 7}, {"strange": 1}):
        assert start(table, 1, **opening).status_code == 422, opening
    assert send(table, f"{HERE}/deals", [{"players": PLAYERS}], 1).status_code == 422, "a list"
    assert table.post(f"{ADDRESS}/deals", json={"players": PLAYERS}).status_code == 428
    assert send(table, f"{HERE}/deals", {"players": PLAYERS}, "*").status_code == 428
    assert start(table, 1, number=None, table=TABLE).status_code == 201


def test_a_card_is_not_played_at_a_table(table: FlaskClient) -> None:
    card = {"type": "card_played", "seat": "forehand", "card": "SK"}
    assert problem(append(table, card, 1)) == (422, "wrong-stream")
    assert append(table, {"type": "deal_started", "deal": DEAL, "number": 1}, 1).status_code == 422
    assert append(table, NOTE, "*").status_code == 201


def test_a_table_that_is_not_there_is_told(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store)
    for path in (HERE, f"tables/{DEAL}", f"{HERE}/ledger", f"{HERE}/ledger.csv", f"deals?table={TABLE}",
                 f"tables?after={TABLE}"):  # fmt: skip
        assert problem(client.get(f"{API}/{path}")) == (404, "unknown-table"), path
