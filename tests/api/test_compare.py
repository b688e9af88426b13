"""Two accounts of one deal are compared without being stored."""

from typing import Any

import orjson
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import replays
from engine.reconcile import Account, compared
from schemas.answers.accounts import comparison_object
from schemas.wire.writer import entry_object
from service.http.api.routes.logs import TWO_SLIPS
from tests.support.api.asking import body_of

PRINTED, MENDED = (replays.find(name) for name in ("belinda-as-printed", "belinda"))


def send(client: FlaskClient, events: list[Any], asked: str = "") -> TestResponse:
    return client.post(f"/api/v1/compare{asked}", data=orjson.dumps(events), content_type="application/json")


def test_the_answer_is_what_the_engine_says_and_nothing_is_stored(client: FlaskClient) -> None:
    assert PRINTED is not None and MENDED is not None
    logs = PRINTED.log(), MENDED.log()
    events = [entry_object(entry, bare=True) for log in logs for entry in log]
    events = [{name: value for name, value in event.items() if name != "seq"} for event in events]
    told = body_of(send(client, events, "?first=book&second=phone&take=11:1"))
    accounts = Account("book", logs[0]), Account("phone", logs[1])
    wanted = orjson.loads(orjson.dumps(comparison_object(*accounts, compared(*accounts, {11: 0}))))
    assert told["differences"][1]["taken"] == 1
    for part in ("accounts", "agree"):
        assert told[part] == wanted[part]
    assert [one["accounts"] for one in told["merged"]] == [one["accounts"] for one in wanted["merged"]]
    assert [one["seq"] for one in told["differences"]] == [one["seq"] for one in wanted["differences"]]
    assert client.get("/api/v1/deals").get_json()["deals"] == []
    twice = [*events[: len(logs[0])]] * 2
    answer = client.post("/api/v1/compare", json=twice, headers={"Accept-Language": "da"}).get_json()
    assert answer["agree"]
    assert [one["name"] for one in answer["accounts"]] == ["first", "second"]
    assert "Hånden hos Belinda" in answer["accounts"][0]["contradicting"][0]["message"]


def test_what_cannot_be_compared_is_a_problem(client: FlaskClient) -> None:
    note = {"type": "note_added", "text": "x"}
    refused: list[tuple[list[Any], str, int, str]] = [
        (TWO_SLIPS[:2], "", 422, "The body has 1 deals. Send two, one account after the other."),
        (TWO_SLIPS[:2] * 3, "", 422, "The body has 3 deals."),
        ([*TWO_SLIPS, {"type": "tea"}], "", 422, "tea"),
        (TWO_SLIPS, "?take=2:3", 422, "is no choice: write an entry and the account it follows"),
        (TWO_SLIPS, "?take=1:2", 422, "There is nothing to choose for entry 1 of the merged record"),
        ([*TWO_SLIPS, *[note] * 400], "", 413, "400 at most can be compared"),
    ]
    for events, asked, status, told in refused:
        assert told in body_of(send(client, events, asked), status)["detail"]
