"""Judging and scoring logs that are not stored."""

from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine import audit
from schemas.reader import read_entry
from schemas.reports import report_object
from schemas.states import score_object
from service.app import create_app
from service.store import MemoryStore
from tests.api.clients import owner_of
from tests.api.recording import OPENING, Json, some_deal

TWO = [some_deal(1), some_deal(2)]


@pytest.fixture(scope="module")
def reader() -> FlaskClient:
    return owner_of(create_app(MemoryStore()))


def lines(*deals: list[Json]) -> bytes:
    return b"".join(orjson.dumps(event) + b"\n" for deal in deals for event in deal)


def send(client: FlaskClient, path: str, body: bytes, kind: str = "application/jsonl") -> TestResponse:
    return client.post(f"/api/v1/{path}", data=body, content_type=kind)


def audits() -> list[Any]:
    return [audit(tuple(read_entry(event, n) for n, event in enumerate(deal, 1))) for deal in TWO]


@pytest.mark.parametrize("kind", ["lines", "lines called JSON", "list"])
def test_every_deal_of_a_log_has_its_report(reader: FlaskClient, kind: str) -> None:
    as_list = kind == "list"
    body = orjson.dumps([*TWO[0], *TWO[1]]) if as_list else lines(*TWO)
    answer = send(
        reader, "validate?name=evening", body, "application/jsonl" if kind == "lines" else "application/json"
    )
    assert answer.status_code == 200
    reports = [report_object(judged, "evening", n) for n, judged in enumerate(audits(), 1)]
    assert answer.get_json() == {"reports": reports, "problems": [], "unlisted": 0}
    assert reader.get("/api/v1/deals").get_json()["deals"] == []


def test_every_deal_of_a_log_has_its_score(reader: FlaskClient) -> None:
    scores = send(reader, "score", lines(*TWO)).get_json()["scores"]
    assert scores == [
        {"file": "-", "deal": n, **score_object(judged.score)} for n, judged in enumerate(audits(), 1)
    ]


def test_what_cannot_be_read_is_told_by_line_and_column_and_the_rest_is_judged(reader: FlaskClient) -> None:
    bad = (
        lines([OPENING]) + b'{"type":"card_played","seat":"forehand","card":"S8"}\n{"type":\n' + lines(TWO[1])
    )
    answer = send(reader, "validate", bad)
    assert answer.status_code == 200
    assert [report["deal"] for report in answer.get_json()["reports"]] == [2]
    places = [(one["line"], one["column"], one["pointer"]) for one in answer.get_json()["problems"]]
    assert places[0] == (2, 48, "/card")
    assert places[1][0] == 3


def test_in_a_list_it_is_told_by_pointer(reader: FlaskClient) -> None:
    body = orjson.dumps([*TWO[0], OPENING, {"type": "card_played", "seat": "forehand", "card": "S8"}])
    (problem,) = send(reader, "score", body, "application/json").get_json()["problems"]
    assert problem["pointer"] == f"/{len(TWO[0]) + 1}/card"
    assert (problem["line"], problem["column"]) == (None, None)


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[", b"[]", b"null", b"[" * 100_000, b"\xff\xfe{\x00", b'{"type":"bid_made"}', b"NaN",
     b'[{"type":"deal_opened"}]', b"\x00", b'{"type":"deal_opened","ruleset":"\\ud800"}', b"1e999"],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["application/json", "application/jsonl"])
@pytest.mark.parametrize("path", ["validate", "score"])
def test_where_nothing_can_be_read_that_is_the_answer(
    reader: FlaskClient, path: str, kind: str, body: bytes
) -> None:
    answer = send(reader, path, body, kind)
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/unreadable-log")
    assert answer.get_json()["errors"]


def test_the_log_of_a_table_is_no_deal(reader: FlaskClient) -> None:
    table = {"type": "table_opened", "ruleset": "dlu", "players": ["Anna", "Bo", "Carl"]}
    answer = send(reader, "validate", lines([table]))
    assert (answer.status_code, "table" in answer.get_json()["detail"]) == (422, True)
    both = send(reader, "validate", lines([table], TWO[0])).get_json()
    assert [report["deal"] for report in both["reports"]] == [2]


def test_a_log_may_be_larger_than_an_event_but_not_without_end(reader: FlaskClient) -> None:
    note = {"type": "note_added", "text": "x" * 19_000}
    large = lines([OPENING], [note] * 100)
    assert 1 << 20 < len(large) < 8 << 20
    assert send(reader, "validate", large).status_code == 200
    answer = send(reader, "validate", large * 5)
    assert (answer.status_code, answer.get_json()["type"]) == (413, "/problems/too-large")
    assert "8 MiB" in answer.get_json()["detail"]
