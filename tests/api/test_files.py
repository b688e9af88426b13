"""Whole files over the API: logs imported, a table taken away and brought back."""

from flask.testing import FlaskClient

import replays
from schemas.notation import MEDIA_TYPE, written_log
from service.app import create_app
from service.store import MemoryStore
from tests.support.api.clients import owner_of
from tests.support.api.notation import SLIP
from tests.support.api.recording import TABLE

API = "/api/v1"
EVENING = b"""\
{"type":"table_opened","ruleset":"dlu","players":["Anna","Bo","Carl"],"id":"%s"}
{"type":"deal_started","deal":"first","number":1}
{"type":"deal_opened","ruleset":"dlu","number":1,"players":{"forehand":"Anna","middlehand":"Bo","backhand":"Carl"}}
{"type":"result_recorded","declarer":"middlehand","contract":"solo","trump":"H","tricks":{"middlehand":5}}
""" % TABLE.encode()


def imported(client: FlaskClient, body: bytes, kind: str = "application/jsonl") -> dict[str, object]:
    answer = client.post(f"{API}/import", data=body, content_type=kind)
    assert answer.status_code == 200, answer.get_json()
    told: dict[str, object] = answer.get_json()
    return told


def records(client: FlaskClient, body: bytes, kind: str = "application/jsonl") -> list[dict[str, object]]:
    told = imported(client, body, kind)
    assert (told["problems"], told["unlisted"]) == ([], 0)
    found = told["records"]
    assert isinstance(found, list)
    return found


def test_a_table_is_taken_away_and_brought_back_the_same(client: FlaskClient) -> None:
    table, deal = records(client, EVENING)
    away = client.get(f"{API}/tables/{TABLE}/export.jsonl")
    assert away.content_type == "application/jsonl"
    other = owner_of(create_app(MemoryStore()))
    back = records(other, away.data)
    assert [(one["kind"], one["id"], one["new"]) for one in back] == [
        ("table", TABLE, 2),
        ("deal", deal["id"], 2),
    ]
    ledgers = [one.get(f"{API}/tables/{TABLE}/ledger").get_json() for one in (client, other)]
    assert ledgers[0] == ledgers[1]
    assert [one["new"] for one in records(client, away.data)] == [0, 0]
    assert table["links"] == {"self": f"{API}/tables/{TABLE}"}


def test_a_table_is_taken_away_as_slips(client: FlaskClient) -> None:
    records(client, EVENING)
    danish = client.get(f"{API}/tables/{TABLE}/slips.csv").text
    assert "melder" in danish and "hjerter" in danish
    english = client.get(f"{API}/tables/{TABLE}/slips.csv?lang=en").text
    assert "declarer" in english and "hearts" in english


def test_a_text_and_a_list_are_imported_too(client: FlaskClient) -> None:
    (first,) = records(client, SLIP.encode(), MEDIA_TYPE)
    assert client.get(f"{API}/deals/{first['id']}").get_json()["title"] == "Thursday, the third"
    belinda = replays.find("belinda")
    assert belinda is not None
    (second,) = records(client, written_log(belinda.log()).encode(), MEDIA_TYPE)
    assert second["new"] == len(belinda.log())


def test_what_cannot_be_imported_is_told_and_the_rest_is(client: FlaskClient) -> None:
    records(client, EVENING)
    other = EVENING.replace(b'"Carl"]', b'"Dora"]')
    bad = b'{"type":"deal_opened","ruleset":7}\n'
    told = imported(client, other + bad + EVENING.splitlines(keepends=True)[2])
    assert isinstance(told["records"], list) and isinstance(told["problems"], list)
    assert [one["log"] for one in told["records"] if one["detail"]] == [1, 2]
    assert told["records"][-1]["new"] == 1
    assert told["problems"][0]["line"] == 5


def test_nothing_that_can_be_read_is_a_problem(client: FlaskClient) -> None:
    answer = client.post(f"{API}/import", data=b"rubbish\n", content_type="application/jsonl")
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/unreadable-log")
    assert client.get(f"{API}/tables/{TABLE}/export.jsonl").status_code == 404
    assert client.get(f"{API}/tables/{TABLE}/slips.csv?lang=fr").status_code in (404, 422)


def test_every_link_of_a_table_leads_somewhere(client: FlaskClient) -> None:
    records(client, EVENING)
    links = client.get(f"{API}/tables/{TABLE}").get_json()["links"]
    assert all(client.get(link).status_code == 200 for link in links.values())
