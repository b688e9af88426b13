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
from werkzeug.test import EnvironBuilder, TestResponse

from service.app import create_app
from service.identity.grants import Scope, Terms
from service.identity.tokens import TOKEN, new_secret
from service.no_request import no_room, refusal, too_slow
from service.problems import PROBLEM_TYPES, Problem
from service.settings import Settings
from service.store import MemoryStore, StoreDamaged, StoreUnavailable
from tests.support.api.clients import holding, owner_of, token_for
from tests.support.api.club_rules import CLUB
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, recorded_table

GUIDE = Path(__file__).parents[2] / "docs" / "api.md"
NOWHERE = "018f5e2a-7b1c-7d3e-9f40-ffffffffffff"
BID = {"type": "bid_made", "seat": "forehand", "bid": "simple"}
NOTE = {"type": "note_added", "text": "x"}
SEAT = Terms("player", Scope("deal", DEAL), seat="backhand")
HTML = {"Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}


@pytest.fixture
def asker() -> FlaskClient:
    store = MemoryStore()
    recorded_deal(store, [OPENING, {**BID, "id": NOWHERE}])
    recorded_table(store)
    return owner_of(create_app(store))


def to_deal(asker: FlaskClient, body: Any, tag: str = '"2"', query: str = "") -> TestResponse:
    return asker.post(f"/api/v1/deals/{DEAL}/events{query}", json=body, headers={"If-Match": tag})


def second_person(asker: FlaskClient) -> TestResponse:
    """The answer to a link for another seat of the same deal, in one browser."""
    browser = asker.application.test_client()
    browser.environ_base["HTTP_ORIGIN"] = "http://localhost"
    links = [token_for(asker.application, terms) for terms in (SEAT, SEAT._replace(seat="forehand"))]
    return [browser.post("/api/v1/session", json={"token": token}) for token in links][-1]


def provoked(asker: FlaskClient, kind: str) -> TestResponse:
    """An answer with a problem of that kind."""
    deals = "/api/v1/deals"
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
        "similar-name": lambda: [asker.post("/api/v1/members", json={"name": "Bo"}) for _ in range(2)][1],
        "last-owner": lambda: asker.delete(f"/api/v1/grants/{_only_grant(asker)}"),
        "unknown-grant": lambda: asker.get(f"/api/v1/grants/{NOWHERE}"),
        "unknown-session": lambda: asker.delete(f"/api/v1/sessions/{NOWHERE}"),
        "unknown-member": lambda: asker.get("/api/v1/members/m-nobody"),
        "unknown-season": lambda: asker.get("/api/v1/seasons/last-winter"),
        "invalid-request": lambda: asker.post("/api/v1/grants", json={"role": "king"}),
        "not-found": lambda: asker.get("/api/v1/nowhere"),
        "unknown-deal": lambda: asker.get(f"{deals}/{NOWHERE}"),
        "unknown-table": lambda: asker.get(f"/api/v1/tables/{NOWHERE}"),
        "unknown-point": lambda: asker.get(f"{deals}/{DEAL}/state?at=9"),
        "unknown-replay": lambda: asker.get("/api/v1/replays/nobody"),
        "unknown-ruleset": lambda: asker.get("/api/v1/rulesets/nobody"),
        "method-not-allowed": lambda: asker.delete(f"{deals}/{DEAL}"),
        "id-conflict": lambda: to_deal(asker, {**BID, "id": NOWHERE, "bid": "solo"}),
        "revision-taken": lambda: [
            asker.put("/api/v1/rulesets/ours", json={**CLUB, "revision": 1, "source": source})
            for source in ("one", "another")
        ][-1],
        "invalid-ruleset": lambda: asker.put("/api/v1/rulesets/ours", json={"based_on": "whist"}),
        "stale-version": lambda: to_deal(asker, BID, '"1"'),
        "too-large": lambda: asker.post(
            deals, data=b" " * (1 << 20) + b"{}", content_type="application/json"
        ),
        "record-full": lambda: [to_deal(asker, [NOTE] * count, "*") for count in (500, 500, 500, 498, 1)][-1],
        "notes-used-up": lambda: [
            holding(asker.application, SEAT).post(
                f"{deals}/{DEAL}/events", json=[NOTE] * 101, headers={"If-Match": "*"}
            )
        ][-1],
        "unsupported-media-type": lambda: asker.post(deals, data={"ruleset": "dlu"}),
        "wrong-host": lambda: asker.get(deals, base_url="http://evil.example"),
        "invalid-event": lambda: to_deal(asker, {**BID, "seat": "nobody"}),
        "invalid-parameter": lambda: asker.get(f"{deals}?limit=many"),
        "wrong-stream": lambda: to_deal(asker, {"type": "table_closed"}),
        "wrong-branch": lambda: asker.post(deals, json={**OPENING, "branch": {"deal": NOWHERE, "at": 1}}),
        "against-the-rules": lambda: to_deal(asker, BID, query="?mode=strict"),
        "unreadable-log": lambda: asker.post("/api/v1/validate", data=b"{", content_type="application/jsonl"),
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
    grants: list[Any] = asker.get("/api/v1/grants").get_json()["grants"]
    (only,) = grants
    return str(only["id"])


def _breaking(asker: FlaskClient, error: Exception) -> TestResponse:
    """What is answered when the store raises that error."""

    def describe(_: str) -> None:
        raise error

    asker.application.extensions["spadille"].store.describe = describe
    return asker.get(f"/api/v1/deals/{DEAL}")


def _from_elsewhere(asker: FlaskClient, times: int) -> TestResponse:
    """The last answer of so many to a client that is on another computer, where two at once are allowed."""
    hasty = create_app(
        asker.application.extensions["spadille"].store, settings=Settings(rate=0.001, burst=times - 1)
    )
    answers = [
        hasty.test_client().get("/api/v1/healthz", environ_overrides={"REMOTE_ADDR": "192.0.2.7"})
        for _ in range(times)
    ]
    return answers[-1]


def _over_the_line(problem: Problem) -> TestResponse:
    """What a server answers by itself, as a client reads it; ``tests/api/test_doors`` brings it about."""
    head, _, body = refusal(problem).partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = Headers([(name, value) for name, _, value in (line.partition(": ") for line in lines)])
    request = EnvironBuilder().get_request()
    return TestResponse([body], status.removeprefix("HTTP/1.1 "), headers, request)


def _without_a_painter(asker: FlaskClient) -> TestResponse:
    with patch("service.pictures.studio.command", lambda _: ["/nowhere/painter"]):
        return asker.get(f"/api/v1/deals/{DEAL}/state.png?theme=dark")


def _with_all_places_taken(asker: FlaskClient) -> TestResponse:
    full = create_app(asker.application.extensions["spadille"].store, settings=Settings(streams=0))
    return owner_of(full).get(f"/api/v1/deals/{DEAL}/live")


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


def test_the_type_of_every_problem_is_a_page_that_says_what_it_means(asker: FlaskClient) -> None:
    for kind, meant in PROBLEM_TYPES.items():
        page = asker.get(f"/problems/{kind}", headers=HTML)
        assert page.status_code == 200, kind
        assert meant.title in page.get_data(as_text=True).replace("&#39;", "'"), kind


def test_every_problem_is_in_the_contract(asker: FlaskClient) -> None:
    contract = asker.get("/api/v1/openapi.json").get_data(as_text=True)
    assert [kind for kind in PROBLEM_TYPES if f"`/problems/{kind}`" not in contract] == []


def test_the_guide_names_no_problem_that_there_is_not() -> None:
    section = GUIDE.read_text(encoding="utf-8").partition("## Problems")[2]
    assert set(re.findall(r"^\| `([a-z-]+)`", section, re.M)) == set(PROBLEM_TYPES)


def test_an_error_that_only_http_knows_has_the_shape_too(asker: FlaskClient) -> None:
    def teapot(_: str) -> None:
        from werkzeug.exceptions import ImATeapot

        raise ImATeapot

    asker.application.extensions["spadille"].store.describe = teapot
    problem = asker.get(f"/api/v1/deals/{DEAL}").get_json()
    assert (problem["type"], problem["status"]) == ("about:blank", 418)


def test_what_is_allowed_is_said(asker: FlaskClient) -> None:
    answer = asker.delete(f"/api/v1/deals/{DEAL}/events")
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS", "POST"}


def test_a_full_disk_asks_to_try_again(asker: FlaskClient) -> None:
    assert provoked(asker, "store-unavailable").headers["Retry-After"] == "5"


@pytest.mark.parametrize("kind", ["unexpected", "store-damaged"])
def test_a_fault_of_ours_is_logged_without_a_card_or_a_name(asker: FlaskClient, kind: str) -> None:
    with structlog.testing.capture_logs() as everything:
        answer = provoked(asker, kind)
    assert "S7" not in str(everything)
    assert "Anna" not in str(everything)
    logged = [one for one in everything if one["event"] != "request"]
    assert len(logged) == 1
    assert "S7" not in str(logged)
    assert "Anna" not in str(logged)
    assert "S7" not in answer.get_data(as_text=True)
    if kind == "unexpected":
        assert logged[0]["error"] == "ZeroDivisionError"
        assert any("test_problems.py" in place for place in logged[0]["where"])


@pytest.mark.parametrize(
    ("body", "place"),
    [(b"{", (1, 2)), (b'{"a":\n\n 1,}', (3, 3)), (b"", (1, 1)), (b"\xff", (1, 1)), (b'{"a":NaN}', (1, 6))],
)
def test_what_is_no_json_is_told_by_line_and_column(
    asker: FlaskClient, body: bytes, place: tuple[int, int]
) -> None:
    answer = asker.post("/api/v1/deals", data=body, content_type="application/json")
    (error,) = answer.get_json()["errors"]
    assert (answer.status_code, error["line"], error["column"]) == (400, *place)


def test_in_json_lines_it_is_the_line_of_the_body(asker: FlaskClient) -> None:
    body = b'{"type":"gap_noted"}\n\n{"type":\n'
    answer = asker.post("/api/v1/deals", data=body, content_type="application/jsonl")
    assert answer.get_json()["errors"][0]["line"] == 3


@pytest.mark.parametrize(("path", "most"), [("/api/v1/deals", 1 << 20), ("/api/v1/import", 8 << 20)])
def test_a_body_without_a_length_is_refused_rather_than_cut_off(
    asker: FlaskClient, path: str, most: int
) -> None:
    line = (
        b'{"type":"deal_opened","ruleset":"dlu","players":{"forehand":"a","middlehand":"b","backhand":"c"}}\n'
    )
    for size, refused in ((most - 200, False), (most + 200, True)):
        body = line + b"\n" * (size - len(line))
        chunked = {
            "wsgi.input": BytesIO(body),
            "wsgi.input_terminated": True,
            "CONTENT_TYPE": "application/jsonl",
            "HTTP_TRANSFER_ENCODING": "chunked",
        }
        answer = asker.post(path, environ_overrides=chunked)
        assert (answer.status_code == 413) == refused


@pytest.mark.parametrize(
    "body", [b"[" * 100_000, b'{"a":' * 100_000, b"[1,2]", b"3", b'"x"', b"null", b"true"]
)
def test_json_that_is_no_event_is_refused(asker: FlaskClient, body: bytes) -> None:
    for path in ("deals", "tables", f"tables/{TABLE}/deals"):
        answer = asker.post(
            f"/api/v1/{path}", data=body, content_type="application/json", headers={"If-Match": '"1"'}
        )
        assert answer.status_code in (400, 422)


@pytest.mark.parametrize(
    ("field", "value"),
    [("pool", True), ("pool", "7"), ("pool", 2.5), ("number", 0), ("number", 10**30), ("title", "\0"),
     ("title", 3), ("players", []), ("switches", {"a": None}), ("ruleset", ""), ("id", "x"),
     ("recorded_at", "today"), ("rulset", "dlu")],
)  # fmt: skip
def test_a_field_that_does_not_fit_is_pointed_at(asker: FlaskClient, field: str, value: Any) -> None:
    answer = asker.post("/api/v1/deals", json={**OPENING, field: value})
    assert answer.status_code == 422
    pointers = [error["pointer"] for error in answer.get_json()["errors"]]
    assert [pointer for pointer in pointers if pointer.startswith(f"/{field}")] == pointers


def test_a_number_may_be_written_with_a_point_where_it_is_whole(asker: FlaskClient) -> None:
    assert asker.post("/api/v1/deals", json={**OPENING, "pool": 2.0}).status_code == 201


# Pages


@pytest.mark.parametrize(
    ("path", "status"), [("/nowhere", 404), ("/replays/nobody", 404), (f"/deals/{NOWHERE}", 404)]
)
def test_a_browser_gets_a_page(asker: FlaskClient, path: str, status: int) -> None:
    answer = asker.get(path, headers=HTML)
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    danish = asker.get(f"{path}?lang=da", headers=HTML).get_data(as_text=True)
    assert "Der er ikke noget på denne adresse." in danish


def test_a_browser_at_the_api_gets_the_problem(asker: FlaskClient) -> None:
    assert asker.get("/api/v1/nowhere", headers=HTML).content_type == "application/problem+json"


def test_a_program_at_a_page_gets_the_problem(asker: FlaskClient) -> None:
    assert asker.get("/nowhere", headers={"Accept": "*/*"}).content_type == "application/problem+json"


def test_a_fault_behind_a_page_is_a_page(asker: FlaskClient) -> None:
    def streams(**_: Any) -> list[Any]:
        raise ZeroDivisionError("S7")

    asker.application.extensions["spadille"].store.streams = streams
    answer = asker.get("/deals", headers=HTML)
    assert (answer.status_code, answer.mimetype) == (500, "text/html")
    assert "S7" not in answer.get_data(as_text=True)
