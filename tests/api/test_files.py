"""Whole files over the API: logs imported, a table taken away and brought back."""

from typing import Any

from flask.testing import FlaskClient

import replays
from schemas.notation import MEDIA_TYPE, written_log
from service.app import create_app
from service.eventstore import MemoryStore
from tests.support.api.asking import API, Json, body_of, problem, told
from tests.support.api.clients import owner_of
from tests.support.api.notation import SLIP
from tests.support.api.recording import TABLE

EVENING = b"""\
{"type":"table_opened","ruleset":"dlu","players":["Anna","Bo","Carl"],"id":"%s"}
{"type":"deal_started","deal":"first","number":1}
{"type":"deal_opened","ruleset":"dlu","number":1,"players":{"forehand":"Anna","middlehand":"Bo","backhand":"Carl"}}
{"type":"result_recorded","declarer":"middlehand","contract":"solo","trump":"H","tricks":{"middlehand":5}}
""" % TABLE.encode()


def imported(client: FlaskClient, body: bytes, kind: str = "application/jsonl") -> Any:
    return body_of(client.post(f"{API}/import", data=body, content_type=kind))


def records(client: FlaskClient, body: bytes, kind: str = "application/jsonl") -> list[Json]:
    """The records of a file without a fault."""
    answer = imported(client, body, kind)
    assert (answer["problems"], answer["unlisted"]) == ([], 0)
    found: list[Json] = answer["records"]
    return found


def test_a_table_is_taken_away_and_brought_back_the_same(client: FlaskClient) -> None:
    table, deal = records(client, EVENING)
    away = client.get(f"{API}/tables/{TABLE}/export.jsonl")
    assert away.content_type == "application/jsonl"
    other = owner_of(create_app(MemoryStore()))
    back = records(other, away.data)
    expected = [("table", TABLE, 2), ("deal", deal["id"], 2)]
    assert [(one["kind"], one["id"], one["new"]) for one in back] == expected
    assert told(client, f"tables/{TABLE}/ledger") == told(other, f"tables/{TABLE}/ledger")
    assert [one["new"] for one in records(client, away.data)] == [0, 0]
    assert table["links"] == {"self": f"{API}/tables/{TABLE}"}
    for lang, words in (("", ("melder", "hjerter")), ("?lang=en", ("declarer", "hearts"))):
        sheet = client.get(f"{API}/tables/{TABLE}/slips.csv{lang}").text
        assert all(word in sheet for word in words)
    links = told(client, f"tables/{TABLE}")["links"]
    assert all(client.get(link).status_code == 200 for link in links.values())


def test_a_text_and_a_list_are_imported_too(client: FlaskClient) -> None:
    (first,) = records(client, SLIP.encode(), MEDIA_TYPE)
    assert told(client, f"deals/{first['id']}")["title"] == "Thursday, the third"
    belinda = replays.find("belinda")
    assert belinda is not None
    (second,) = records(client, written_log(belinda.log()).encode(), MEDIA_TYPE)
    assert second["new"] == len(belinda.log())


def test_nothing_that_can_be_read_is_a_problem(client: FlaskClient) -> None:
    answer = client.post(f"{API}/import", data=b"rubbish\n", content_type="application/jsonl")
    assert problem(answer) == (422, "unreadable-log")
    assert client.get(f"{API}/tables/{TABLE}/export.jsonl").status_code == 404
    assert client.get(f"{API}/tables/{TABLE}/slips.csv?lang=fr").status_code in (404, 422)
