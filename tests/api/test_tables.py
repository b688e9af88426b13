"""Tables over HTTP: opening, appending, and starting deals in one step with the table's own entry."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.store import EventStore
from tests.support.api.recording import DEAL, PLAYERS, TABLE, Json, recorded_deal, recorded_table
from tests.support.api.tables import ADDRESS

OPENING = {"ruleset": "dlu", "players": ["Anna", "Bo", "Carl"], "id": TABLE}


def start(client: FlaskClient, version: int, **opening: Any) -> TestResponse:
    body = {"players": PLAYERS, **opening}
    return client.post(f"{ADDRESS}/deals", json=body, headers={"If-Match": f'"{version}"'})


def append(client: FlaskClient, events: Any, version: int | str) -> TestResponse:
    tag = f'"{version}"' if isinstance(version, int) else version
    return client.post(f"{ADDRESS}/events", json=events, headers={"If-Match": tag})


def test_a_table_is_opened_once(client: FlaskClient) -> None:
    first = client.post("/api/v1/tables", json=OPENING)
    assert (first.status_code, first.headers["Location"], first.headers["ETag"]) == (201, ADDRESS, '"1"')
    assert client.post("/api/v1/tables", json={**OPENING, "type": "table_opened"}).status_code == 200
    assert client.post("/api/v1/tables", json={**OPENING, "title": "Other"}).status_code == 409
    assert [table["id"] for table in client.get("/api/v1/tables").get_json()["tables"]] == [TABLE]


def test_at_a_closed_table_it_is_said_why_no_deal_starts_and_what_to_do(
    client: FlaskClient, store: EventStore
) -> None:
    recorded_table(store)
    append(client, {"type": "table_closed"}, 1)
    answer = client.post(f"{ADDRESS}/deals", json={}, headers={"If-Match": '"2"'})
    problem = answer.get_json()
    assert (answer.status_code, problem["type"]) == (422, "/problems/invalid-event")
    assert "was closed, by its entry 2" in problem["detail"]
    assert "`replaces` [2]" in problem["detail"]
    assert problem["errors"] == [{"pointer": "/players", "detail": problem["detail"]}]
    # What it says to do works: either way.
    assert start(client, 2).status_code == 201
    reopened = {"type": "correction_made", "replaces": [2], "with": [], "reason": "one more"}
    assert append(client, reopened, 3).status_code == 201
    started = client.post(f"{ADDRESS}/deals", json={}, headers={"If-Match": '"4"'})
    assert started.status_code == 201, started.text


@pytest.mark.parametrize(
    ("opening", "said"),
    [
        ({}, "Too few sit at the table for a deal: Anna, Bo."),
        ({"ruleset": "ombre"}, "other rules than the table's"),
    ],
)
def test_where_the_table_cannot_say_who_plays_it_says_so(
    client: FlaskClient, opening: Json, said: str
) -> None:
    table = client.post("/api/v1/tables", json={**OPENING, "players": ["Anna", "Bo"]}).get_json()["table"]
    answer = client.post(f"/api/v1/tables/{table}/deals", json=opening, headers={"If-Match": '"1"'})
    assert answer.status_code == 422
    assert said in answer.get_json()["detail"]
    assert "`players`" in answer.get_json()["detail"]


def test_a_table_says_who_sits_there(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    append(client, [{"type": "player_joined", "player": "Dorte", "place": 2}], 1)
    append(client, [{"type": "player_left", "player": "Carl"}, {"type": "table_closed"}], 2)
    table = client.get(ADDRESS).get_json()
    assert (table["players"], table["closed"], table["version"]) == (["Anna", "Dorte", "Bo"], True, 4)
    append(client, {"type": "seats_set", "players": ["Bo", "Anna", "Dorte"]}, 4)
    assert client.get(ADDRESS).get_json()["players"] == ["Bo", "Anna", "Dorte"]


def test_a_correction_at_a_table_counts(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    append(client, {"type": "player_joined", "player": "Dorthe"}, 1)
    right = {"type": "player_joined", "player": "Dorte"}
    append(client, {"type": "correction_made", "replaces": [2], "reason": "name", "with": [right]}, 2)
    assert client.get(ADDRESS).get_json()["players"] == ["Anna", "Bo", "Carl", "Dorte"]


def test_a_deal_is_started_with_the_table_s_rules_and_the_next_number(
    client: FlaskClient, store: EventStore
) -> None:
    recorded_table(store, switches={"talon": True}, revision=1)
    answer = start(client, 1, id=DEAL)
    assert (answer.status_code, answer.headers["Location"]) == (201, f"/api/v1/deals/{DEAL}")
    (opening,) = answer.get_json()["events"]
    told = {name: opening[name] for name in ("type", "ruleset", "revision", "switches", "table", "number")}
    assert told == {
        "type": "deal_opened", "ruleset": "dlu", "revision": 1,
        "switches": {"talon": True}, "table": TABLE, "number": 1,
    }  # fmt: skip
    (noted,) = answer.get_json()["table"]["events"]
    assert (noted["type"], noted["deal"], noted["number"], noted["seq"]) == ("deal_started", DEAL, 1, 2)
    assert client.get(ADDRESS).get_json()["next_number"] == 2
    assert start(client, 2).get_json()["events"][0]["number"] == 2
    assert len(client.get(f"/api/v1/deals?table={TABLE}").get_json()["deals"]) == 2


def test_a_deal_keeps_the_revision_it_was_started_by(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    assert start(client, 1).get_json()["events"][0]["revision"] == 1


def test_another_ruleset_does_not_take_the_table_s_switches(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store, switches={"talon": True})
    (opening,) = start(client, 1, ruleset="ombre").get_json()["events"]
    assert (opening["ruleset"], "switches" in opening) == ("ombre", False)


@pytest.mark.parametrize("ruleset", ["nobody-knows", "dlu"])
def test_a_deal_by_rules_that_nobody_published_is_a_fact_too(
    client: FlaskClient, store: EventStore, ruleset: str
) -> None:
    recorded_table(store, ruleset="nobody-knows")
    assert start(client, 1, ruleset=ruleset).status_code == 201


def test_a_start_sent_twice_is_one_deal(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    first = start(client, 1, id=DEAL)
    start(client, 2)
    again = start(client, 1, id=DEAL)
    assert (again.status_code, again.get_json()["events"]) == (200, first.get_json()["events"])
    assert again.get_json()["table"]["version"] == 3  # the table's version now
    assert start(client, 3, id=DEAL, title="Another").status_code == 409
    assert store.version(TABLE) == 3


def test_a_start_at_a_stale_version_starts_nothing(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    start(client, 1)
    answer = start(client, 1, id=DEAL)
    assert (answer.status_code, answer.headers["ETag"]) == (412, '"2"')
    assert client.get(f"/api/v1/deals/{DEAL}").status_code == 404
    assert store.version(TABLE) == 2


def test_the_id_of_a_deal_elsewhere_starts_nothing(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    recorded_deal(store)
    answer = start(client, 1, id=DEAL)
    assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/id-conflict")
    assert store.version(TABLE) == 1


def test_the_id_of_the_table_s_own_entry_starts_nothing(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    assert start(client, 1, id=TABLE).status_code == 409


@pytest.mark.parametrize(
    ("opening", "status"),
    [({"table": "another"}, 422), ({"type": "bid_made"}, 422), ({"players": 3}, 422), ({"ruleset": [1]}, 422),
     ({"id": 7}, 422), ({"number": 0}, 422), ({"strange": 1}, 422), ({"number": None, "table": TABLE}, 201)],
)  # fmt: skip
def test_an_opening_that_does_not_fit_is_refused(
    client: FlaskClient, store: EventStore, opening: Json, status: int
) -> None:
    recorded_table(store)
    assert start(client, 1, **opening).status_code == status


def test_a_start_is_no_list_and_names_a_version(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    tag = {"If-Match": '"1"'}
    assert client.post(f"{ADDRESS}/deals", json=[{"players": PLAYERS}], headers=tag).status_code == 422
    assert client.post(f"{ADDRESS}/deals", json={"players": PLAYERS}).status_code == 428
    anyhow = client.post(f"{ADDRESS}/deals", json={"players": PLAYERS}, headers={"If-Match": "*"})
    assert anyhow.status_code == 428


def test_a_deal_of_a_table_leads_back_to_it(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    start(client, 1, id=DEAL)
    deal = client.get(f"/api/v1/deals/{DEAL}").get_json()
    assert (deal["table"], deal["number"], deal["links"]["table"]) == (TABLE, 1, ADDRESS)
    assert client.get(f"{ADDRESS}/events").get_json()["version"] == 2
    lines = client.get(f"{ADDRESS}/events", headers={"Accept": "application/jsonl"}).data.splitlines()
    assert len(lines) == 2


def test_a_card_is_not_played_at_a_table(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    answer = append(client, {"type": "card_played", "seat": "forehand", "card": "SK"}, 1)
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/wrong-stream")
    assert append(client, {"type": "deal_started", "deal": DEAL, "number": 1}, 1).status_code == 422
    assert append(client, {"type": "note_added", "text": "Coffee."}, "*").status_code == 201


def test_a_table_that_is_not_there_is_told(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store)
    for table in (TABLE, DEAL):
        answer = client.get(f"/api/v1/tables/{table}")
        assert (answer.status_code, answer.get_json()["type"]) == (404, "/problems/unknown-table")
    assert client.get(f"/api/v1/deals?table={TABLE}").get_json()["type"] == "/problems/unknown-table"
    assert client.get(f"/api/v1/tables?after={TABLE}").status_code == 404
