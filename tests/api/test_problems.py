"""Every error has one shape, whatever went wrong; and every kind of it is documented."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import structlog
from flask.testing import FlaskClient
from werkzeug.datastructures import Headers
from werkzeug.exceptions import ImATeapot
from werkzeug.test import EnvironBuilder, TestResponse

from service.app import create_app
from service.auth.grants import Scope, Terms
from service.auth.tokens import TOKEN, new_secret
from service.config.settings import Settings
from service.eventstore import EventStore, StoreDamaged, StoreUnavailable
from service.http.problems import PROBLEM_TYPES, Problem
from service.server.raw_responses import no_room, refusal, too_slow
from tests.support.api.asking import API, ELSEWHERE, NOTE, body_of
from tests.support.api.clients import holding, of_app, owner_of, token_for
from tests.support.api.club_rules import CLUB
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, recorded_table

GUIDE = Path(__file__).parents[2] / "docs" / "api.md"
NOWHERE = "018f5e2a-7b1c-7d3e-9f40-ffffffffffff"
BID = {"type": "bid_made", "seat": "forehand", "bid": "simple"}
SEAT = Terms("player", Scope("deal", DEAL), seat="backhand")
HTML = {"Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}


@pytest.fixture
def asker(client: FlaskClient, store: EventStore) -> FlaskClient:
    recorded_deal(store, [OPENING, {**BID, "id": NOWHERE}])
    recorded_table(store)
    return client


def to_deal(asker: FlaskClient, body: Any, tag: str = '"2"', query: str = "") -> TestResponse:
    return asker.post(f"{API}/deals/{DEAL}/events{query}", json=body, headers={"If-Match": tag})


def second_person(asker: FlaskClient) -> TestResponse:
    """The answer to a link for another seat of the same deal, in one browser."""
    browser = asker.application.test_client()
    browser.environ_base["HTTP_ORIGIN"] = "http://localhost"
    links = [token_for(asker.application, terms) for terms in (SEAT, SEAT._replace(seat="forehand"))]
    return [browser.post(f"{API}/session", json={"token": token}) for token in links][-1]


def provoked(asker: FlaskClient, kind: str) -> TestResponse:
    deals = f"{API}/deals"
    provocations: dict[str, Any] = {
        "malformed-json": lambda: asker.post(deals, data=b"{", content_type="application/json"),
        "malformed-header": lambda: to_deal(asker, BID, "2"),
        "cross-site-request": lambda: asker.post(
            deals, json=OPENING, headers={"Origin": "http://evil.example"}
        ),
        "other-session": lambda: asker.post(deals, json=OPENING, headers={"Spadille-Session": NOWHERE}),
        "other-person": lambda: second_person(asker),
        "secret-in-address": lambda: asker.get(f"{deals}?token={new_secret(TOKEN)}"),
        "secret-in-body": lambda: to_deal(asker, {**NOTE, "text": f"Log in by {new_secret(TOKEN)}."}, "*"),
        "login-required": lambda: holding(asker.application).post(deals, json=OPENING),
        "invalid-token": lambda: asker.get(deals, headers={"Authorization": f"Bearer {new_secret(TOKEN)}"}),
        "not-allowed": lambda: holding(asker.application, Terms("viewer")).post(deals, json=OPENING),
        "similar-name": lambda: [asker.post(f"{API}/members", json={"name": "Bo"}) for _ in range(2)][1],
        "last-owner": lambda: asker.delete(f"{API}/grants/{_only_grant(asker)}"),
        "unknown-grant": lambda: asker.get(f"{API}/grants/{NOWHERE}"),
        "unknown-session": lambda: asker.delete(f"{API}/sessions/{NOWHERE}"),
        "unknown-member": lambda: asker.get(f"{API}/members/m-nobody"),
        "unknown-season": lambda: asker.get(f"{API}/seasons/last-winter"),
        "invalid-request": lambda: asker.post(f"{API}/grants", json={"role": "king"}),
        "not-found": lambda: asker.get(f"{API}/nowhere"),
        "unknown-deal": lambda: asker.get(f"{deals}/{NOWHERE}"),
        "unknown-table": lambda: asker.get(f"{API}/tables/{NOWHERE}"),
        "unknown-point": lambda: asker.get(f"{deals}/{DEAL}/state?at=9"),
        "unknown-replay": lambda: asker.get(f"{API}/replays/nobody"),
        "unknown-ruleset": lambda: asker.get(f"{API}/rulesets/nobody"),
        "method-not-allowed": lambda: asker.delete(f"{deals}/{DEAL}"),
        "id-conflict": lambda: to_deal(asker, {**BID, "id": NOWHERE, "bid": "solo"}),
        "revision-taken": lambda: [
            asker.put(f"{API}/rulesets/ours", json={**CLUB, "revision": 1, "source": source})
            for source in ("one", "another")
        ][-1],
        "invalid-ruleset": lambda: asker.put(f"{API}/rulesets/ours", json={"based_on": "whist"}),
        "stale-version": lambda: to_deal(asker, BID, '"1"'),
        "too-large": lambda: asker.post(
            deals, data=b" " * (1 << 20) + b"{}", content_type="application/json"
        ),
        "record-full": lambda: [to_deal(asker, [NOTE] * count, "*") for count in (500, 500, 500, 498, 1)][-1],
        "notes-used-up": lambda: to_deal(holding(asker.application, SEAT), [NOTE] * 101, "*"),
        "unsupported-media-type": lambda: asker.post(deals, data={"ruleset": "dlu"}),
        "wrong-host": lambda: asker.get(deals, base_url="http://evil.example"),
        "invalid-event": lambda: to_deal(asker, {**BID, "seat": "nobody"}),
        "invalid-parameter": lambda: asker.get(f"{deals}?limit=many"),
        "wrong-stream": lambda: to_deal(asker, {"type": "table_closed"}),
        "wrong-branch": lambda: asker.post(deals, json={**OPENING, "branch": {"deal": NOWHERE, "at": 1}}),
        "against-the-rules": lambda: to_deal(asker, BID, query="?mode=strict"),
        "unreadable-log": lambda: asker.post(f"{API}/validate", data=b"{", content_type="application/jsonl"),
        "version-required": lambda: asker.post(f"{deals}/{DEAL}/events", json=BID),
        "not-acceptable": lambda: asker.get(f"{deals}/{DEAL}/live", headers={"Accept": "image/png"}),
        "too-many-requests": lambda: _from_elsewhere(asker, 3),
        "too-many-streams": lambda: _with_all_places_taken(asker),
        "too-slow": lambda: _over_the_line(too_slow(20)),
        "too-many-connections": lambda: _over_the_line(no_room()),
        "picture-unavailable": lambda: _without_a_painter(asker),
        "unexpected": lambda: _breaking(asker, ZeroDivisionError("S7 in Anna's hand")),
        "store-damaged": lambda: _breaking(asker, StoreDamaged("Event 3 has S7.")),
        "store-unavailable": lambda: _breaking(asker, StoreUnavailable("The disk is full.")),
    }
    answer: TestResponse = provocations[kind]()
    return answer


def _only_grant(asker: FlaskClient) -> str:
    (only,) = asker.get(f"{API}/grants").get_json()["grants"]
    return str(only["id"])


def _breaking(asker: FlaskClient, error: Exception) -> TestResponse:
    def describe(_: str) -> None:
        raise error

    with patch.object(of_app(asker.application).store, "describe", describe):
        return asker.get(f"{API}/deals/{DEAL}")


def _from_elsewhere(asker: FlaskClient, times: int) -> TestResponse:
    """The last answer of so many to a client that is on another computer, where two at once are allowed."""
    hasty = create_app(of_app(asker.application).store, settings=Settings(rate=0.001, burst=times - 1))
    return [hasty.test_client().get(f"{API}/healthz", environ_overrides=ELSEWHERE) for _ in range(times)][-1]


def _over_the_line(problem: Problem) -> TestResponse:
    """What a server answers by itself, as a client reads it; ``tests/api/test_doors`` brings it about."""
    head, _, body = refusal(problem).partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = Headers([(name, value) for name, _, value in (line.partition(": ") for line in lines)])
    request = EnvironBuilder().get_request()
    return TestResponse([body], status.removeprefix("HTTP/1.1 "), headers, request)


def _without_a_painter(asker: FlaskClient) -> TestResponse:
    with patch("service.presentation.png.renderer.command", lambda _: ["/nowhere/painter"]):
        return asker.get(f"{API}/deals/{DEAL}/state.png?theme=dark")


def _with_all_places_taken(asker: FlaskClient) -> TestResponse:
    full = create_app(of_app(asker.application).store, settings=Settings(streams=0))
    return owner_of(full).get(f"{API}/deals/{DEAL}/live")


@pytest.mark.parametrize("kind", PROBLEM_TYPES)
def test_every_problem_has_the_one_shape(asker: FlaskClient, kind: str) -> None:
    answer = provoked(asker, kind)
    problem = answer.get_json()
    assert answer.content_type == "application/problem+json"
    assert answer.status_code == problem["status"] == PROBLEM_TYPES[kind].status
    assert problem["type"] == f"/problems/{kind}"
    assert problem["title"] == PROBLEM_TYPES[kind].title
    assert re.match(r".{15,}[.!)]$", problem["detail"]), problem["detail"]
    more = {"other-person": {"here", "asked"}, "similar-name": {"member"}}
    assert set(problem) - more.get(kind, set()) <= {
        "type", "title", "status", "detail", "errors", "rule", "seq", "findings", "version", "stream",
    }  # fmt: skip
    for error in problem.get("errors", []):
        assert error["detail"]
        assert set(error) - {"detail"} <= {"pointer", "parameter", "line", "column"}
    assert answer.headers["Cache-Control"] == "no-store"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    if kind == "store-unavailable":
        assert answer.headers["Retry-After"] == "5"


def test_every_problem_has_its_page_and_is_in_the_contract_and_the_guide(asker: FlaskClient) -> None:
    contract = asker.get(f"{API}/openapi.json").text
    section = GUIDE.read_text(encoding="utf-8").partition("## Problems")[2]
    assert set(re.findall(r"^\| `([a-z-]+)`", section, re.M)) == set(PROBLEM_TYPES)
    for kind, meant in PROBLEM_TYPES.items():
        page = asker.get(f"/problems/{kind}", headers=HTML)
        assert page.status_code == 200, kind
        assert meant.title in page.text.replace("&#39;", "'"), kind
        assert f"`/problems/{kind}`" in contract
    # An error that only HTTP knows has the shape too.
    problem = _breaking(asker, ImATeapot()).get_json()
    assert (problem["type"], problem["status"]) == ("about:blank", 418)
    answer = asker.delete(f"{API}/deals/{DEAL}/events")
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS", "POST"}


@pytest.mark.parametrize("kind", ["unexpected", "store-damaged"])
def test_a_fault_of_ours_is_logged_without_a_card_or_a_name(asker: FlaskClient, kind: str) -> None:
    with structlog.testing.capture_logs() as everything:
        answer = provoked(asker, kind)
    (logged,) = (one for one in everything if one["event"] != "request")
    assert "S7" not in str(everything) + answer.text
    assert "Anna" not in str(everything)
    if kind == "unexpected":
        assert logged["error"] == "ZeroDivisionError"
        assert any("test_problems.py" in place for place in logged["where"])


def test_what_is_no_json_is_told_by_line_and_column(asker: FlaskClient) -> None:
    places = {b"{": (1, 2), b'{"a":\n\n 1,}': (3, 3), b"": (1, 1), b"\xff": (1, 1), b'{"a":NaN}': (1, 6)}
    for body, place in places.items():
        answer = asker.post(f"{API}/deals", data=body, content_type="application/json")
        (error,) = body_of(answer, 400)["errors"]
        assert (error["line"], error["column"]) == place, body
    lines = b'{"type":"gap_noted"}\n\n{"type":\n'
    answer = asker.post(f"{API}/deals", data=lines, content_type="application/jsonl")
    assert answer.get_json()["errors"][0]["line"] == 3
    for body in (b"[1,2]", b"3", b'"x"', b"null", b"true"):
        for path in ("deals", "tables", f"tables/{TABLE}/deals"):
            sent = {"data": body, "content_type": "application/json", "headers": {"If-Match": '"1"'}}
            assert asker.post(f"{API}/{path}", **sent).status_code in (400, 422), (path, body)


@pytest.mark.parametrize(("path", "most"), [("deals", 1 << 20), ("import", 8 << 20)])
def test_a_large_body_without_a_length_is_refused(asker: FlaskClient, path: str, most: int) -> None:
    for size, refused in ((most - 200, False), (most + 200, True)):
        chunked = {
            "wsgi.input": BytesIO(b"[" + b" " * size),
            "wsgi.input_terminated": True,
            "CONTENT_TYPE": "application/json",
            "HTTP_TRANSFER_ENCODING": "chunked",
        }
        answer = asker.post(f"{API}/{path}", environ_overrides=chunked)
        assert (answer.status_code == 413) == refused, answer.text


def test_a_browser_gets_a_page_instead(asker: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in ("/nowhere", "/replays/nobody", f"/deals/{NOWHERE}"):
        answer = asker.get(path, headers=HTML)
        assert (answer.status_code, answer.mimetype) == (404, "text/html")
        assert "Der er ikke noget på denne adresse." in asker.get(f"{path}?lang=da", headers=HTML).text
    for path, headers in ((f"{API}/nowhere", HTML), ("/nowhere", {"Accept": "*/*"})):
        assert asker.get(path, headers=headers).content_type == "application/problem+json"
    def streams(**_: Any) -> list[Any]:
        raise ZeroDivisionError("S7")

    monkeypatch.setattr(of_app(asker.application).store, "streams", streams)
    answer = asker.get("/deals", headers=HTML)
    assert (answer.status_code, answer.mimetype) == (500, "text/html")
    assert "S7" not in answer.text
