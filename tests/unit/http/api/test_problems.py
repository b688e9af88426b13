"""Every error has one shape and is documented; and what no body may hold, whatever it is sent to."""

import gzip
import re
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson
import pytest
import structlog
from flask.testing import FlaskClient
from werkzeug.exceptions import ImATeapot
from werkzeug.test import TestResponse

from schemas.wire.json_text import find_duplicate_name
from service.app import create_app
from service.auth.grants import GrantTerms, Scope
from service.auth.tokens import TOKEN_PREFIX, generate_secret
from service.config.settings import Settings
from service.eventstore import EventStore, StoreDamaged, StoreUnavailable
from service.http.problems import PROBLEM_TYPES
from tests.support.api.asking import API, ELSEWHERE, NOTE, body_of, fetch, problem, send
from tests.support.api.clients import holding, of_app, owner_of, token_for
from tests.support.api.club_rules import CLUB
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, recorded_table

GUIDE = Path(__file__).parents[4] / "docs" / "api.md"
NOWHERE = "018f5e2a-7b1c-7d3e-9f40-ffffffffffff"
ANY_TAG = {"If-Match": "*"}
BID = {"type": "bid_made", "seat": "forehand", "bid": "simple"}
SEAT = GrantTerms("player", Scope("deal", DEAL), seat="backhand")
HTML = {"Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}


@pytest.fixture
def asker(client: FlaskClient, store: EventStore) -> FlaskClient:
    recorded_deal(store, [OPENING, {**BID, "id": NOWHERE}])
    recorded_table(store)
    return client


def to_deal(asker: FlaskClient, body: Any, version: int | str = 2, **query: str) -> TestResponse:
    return send(asker, f"deals/{DEAL}/events", body, version, **query)


def second_person(asker: FlaskClient) -> TestResponse:
    """The answer to a link for another seat of the same deal, in one browser."""
    browser = asker.application.test_client()
    browser.environ_base["HTTP_ORIGIN"] = "http://localhost"
    links = [token_for(asker.application, terms) for terms in (SEAT, SEAT._replace(seat="forehand"))]
    return [browser.post(f"{API}/session", json={"token": token}) for token in links][-1]


def provoked(asker: FlaskClient, kind: str) -> TestResponse:
    deals, secret = f"{API}/deals", generate_secret(TOKEN_PREFIX)
    provocations: dict[str, Any] = {
        "malformed-json": lambda: asker.post(deals, data=b"{", content_type="application/json"),
        "malformed-header": lambda: to_deal(asker, BID, "2"),
        "cross-site-request": lambda: asker.post(deals, json=OPENING, headers={"Origin": "http://x.example"}),
        "other-session": lambda: asker.post(deals, json=OPENING, headers={"Spadille-Session": NOWHERE}),
        "other-person": lambda: second_person(asker),
        "secret-in-address": lambda: asker.get(f"{deals}?token={secret}"),
        "secret-in-body": lambda: to_deal(asker, {**NOTE, "text": f"Log in by {secret}."}, "*"),
        "login-required": lambda: holding(asker.application).post(deals, json=OPENING),
        "invalid-token": lambda: asker.get(deals, headers={"Authorization": f"Bearer {secret}"}),
        "not-allowed": lambda: holding(asker.application, GrantTerms("viewer")).post(deals, json=OPENING),
        "similar-name": lambda: [asker.post(f"{API}/members", json={"name": "Bo"}) for _ in range(2)][1],
        "last-owner": lambda: asker.delete(f"{API}/grants/{fetch(asker, 'grants')['grants'][0]['id']}"),
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
        "stale-version": lambda: to_deal(asker, BID, 1),
        "too-large": lambda: asker.post(deals, data=b" " * (2 << 20), content_type="application/json"),
        "record-full": lambda: [to_deal(asker, [NOTE] * count, "*") for count in (500, 500, 500, 498, 1)][-1],
        "notes-used-up": lambda: to_deal(holding(asker.application, SEAT), [NOTE] * 101, "*"),
        "unsupported-media-type": lambda: asker.post(deals, data={"ruleset": "dlu"}),
        "wrong-host": lambda: asker.get(deals, base_url="http://evil.example"),
        "invalid-event": lambda: to_deal(asker, {**BID, "seat": "nobody"}),
        "invalid-parameter": lambda: asker.get(f"{deals}?limit=many"),
        "wrong-stream": lambda: to_deal(asker, {"type": "table_closed"}),
        "wrong-branch": lambda: asker.post(deals, json={**OPENING, "branch": {"deal": NOWHERE, "at": 1}}),
        "against-the-rules": lambda: to_deal(asker, BID, mode="strict"),
        "unreadable-log": lambda: asker.post(f"{API}/validate", data=b"{", content_type="application/jsonl"),
        "version-required": lambda: asker.post(f"{deals}/{DEAL}/events", json=BID),
        "not-acceptable": lambda: asker.get(f"{deals}/{DEAL}/live", headers={"Accept": "image/png"}),
        "too-many-requests": lambda: _with(asker, burst=0).get(deals, environ_overrides=ELSEWHERE),
        "too-many-streams": lambda: _with(asker, streams=0).get(f"{deals}/{DEAL}/live"),
        "picture-unavailable": lambda: _without_a_renderer(asker),
        "unexpected": lambda: _breaking(asker, ZeroDivisionError("S7 in Anna's hand")),
        "store-damaged": lambda: _breaking(asker, StoreDamaged("Event 3 has S7.")),
        "store-unavailable": lambda: _breaking(asker, StoreUnavailable("The disk is full.")),
    }
    answer: TestResponse = provocations[kind]()
    return answer


def _breaking(asker: FlaskClient, error: Exception) -> TestResponse:
    def describe(_: str) -> None:
        raise error

    with patch.object(of_app(asker.application).store, "stream_info", describe):
        return asker.get(f"{API}/deals/{DEAL}")


def _with(asker: FlaskClient, **settings: Any) -> FlaskClient:
    return owner_of(create_app(of_app(asker.application).store, settings=Settings(**settings)))


def _without_a_renderer(asker: FlaskClient) -> TestResponse:
    with patch("service.presentation.png.renderer.build_render_command", lambda _: ["/nowhere/renderer"]):
        return asker.get(f"{API}/deals/{DEAL}/state.png?theme=dark")


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
        chunked = {"wsgi.input": BytesIO(b"[" + b" " * size), "wsgi.input_terminated": True}
        chunked |= {"CONTENT_TYPE": "application/json", "HTTP_TRANSFER_ENCODING": "chunked"}
        answer = asker.post(f"{API}/{path}", environ_overrides=chunked)
        assert (answer.status_code == 413) == refused, answer.text


def test_a_browser_gets_a_page_instead(asker: FlaskClient) -> None:
    for path in ("/nowhere", "/replays/nobody", f"/deals/{NOWHERE}"):
        answer = asker.get(path, headers=HTML)
        assert (answer.status_code, answer.mimetype) == (404, "text/html")
        assert "Der er ikke noget på denne adresse." in asker.get(f"{path}?lang=da", headers=HTML).text
    for path, headers in ((f"{API}/nowhere", HTML), ("/nowhere", {"Accept": "*/*"})):
        assert asker.get(path, headers=headers).content_type == "application/problem+json"
    with patch.object(of_app(asker.application).store, "list_streams", side_effect=ZeroDivisionError("S7")):
        answer = asker.get("/deals", headers=HTML)
    assert (answer.status_code, answer.mimetype) == (500, "text/html")
    assert "S7" not in answer.text


def test_a_name_that_stands_twice_is_found_wherever_it_stands() -> None:
    found: dict[bytes, str | None] = {
        b'{"a": 1, "a": 1}': "/a",
        b'{"a":{"b":[{"c":1},{"c":":","c/d":2,"c/d":3}]},"z":"::"}': "/a/b/1/c~1d",
        b'{"a":{"x":1,"x":2},"a":1}': "/a",
        b'[{"text":"one: two"},{"text":"\\u003a\\u003A","text":"x"}]': "/1/text",
        b'{"a":1,"\\u0061":2}': "/a",
        b'{"a":1,"a":%s}' % (b"9" * 300): "/a",
        b'{"a":"x:y","b":["\\":"],"c":{"a":1}}': None,
        b'{"a":"\\u003a\\u003ab"}': None,
        b'"a:b:c"': None,
        b"[" * 90 + b'{"a":1}' + b"]" * 90: None,
        b"[" * 90 + b'{"a":1,"a":2}' + b"]" * 90: "/0" * 90 + "/a",
    }
    for body, pointer in found.items():
        doubled = find_duplicate_name(body, orjson.loads(body))
        assert (doubled and doubled.pointer) == pointer, body


def test_a_name_that_stands_twice_is_refused_with_its_place(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING])
    recorded_table(store)
    note = b'{"type":"note_added","text":"a","text":"b"}'
    events, opening = f"deals/{DEAL}/events", orjson.dumps(OPENING)
    asked: list[tuple[str, bytes, str, dict[str, Any]]] = [
        (events, b"[%s]" % note, "json", {"pointer": "/0/text"}),
        (events, b'{"type":"note_added","text":"a"}\n%s\n' % note, "jsonl", {"line": 2, "pointer": "/text"}),
        (f"tables/{TABLE}/events", note, "json", {"pointer": "/text"}),
        ("members", b'{"name":"Anna","name":"Bo"}', "json", {"pointer": "/name"}),
        ("validate", b"[%s,%s]" % (opening, note), "json", {"pointer": "/1/text"}),
        ("import", b"[%s,%s]" % (opening, note), "json", {"pointer": "/1/text"}),
    ]
    for path, body, kind, place in asked:
        answer = client.post(f"{API}/{path}", data=body, headers=ANY_TAG, content_type=f"application/{kind}")
        assert problem(answer) == (400, "malformed-json"), path
        (error,) = answer.get_json()["errors"]
        assert {**place, "detail": error["detail"]} == error and "twice" in error["detail"]
    assert (store.stream_version(DEAL), store.stream_version(TABLE)) == (1, 1)


def test_json_that_nests_too_deep_is_refused_by_every_route(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING])
    recorded_table(store)
    known = {"deal": DEAL, "table": TABLE, "name": "belinda", "ruleset": "dlu"}
    nested = b'{"type":"note_added","text":%s}' % (b"[" * 300 + b"]" * 300)
    asked = 0
    for rule in client.application.url_map.iter_rules():
        address = f"/{rule.rule.lstrip('/')}"
        for name in rule.arguments:
            address = re.sub(rf"<(\w+:)?{name}>", known.get(name, "1"), address)
        for method in {"POST", "PUT", "PATCH"} & (rule.methods or set()):
            for kind in ("application/json", "application/jsonl"):
                answer = client.open(address, method=method, data=nested, headers=ANY_TAG, content_type=kind)
                assert 400 <= answer.status_code < 500, (address, kind, answer.text)
                asked += 1
    assert asked > 20
    answer = client.post(f"{API}/validate", data=nested, content_type="application/json")
    assert answer.get_json()["detail"].startswith("The body nests too deep. At line 1, column ")


def test_a_body_that_is_coded_is_not_read(client: FlaskClient, store: EventStore) -> None:
    body, headers = orjson.dumps(OPENING), {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    answer = client.post(f"{API}/deals", data=gzip.compress(body), headers=headers)
    assert problem(answer) == (415, "unsupported-media-type")
    assert answer.headers["Accept-Encoding"] == "identity" and "gzip" in answer.get_json()["detail"]
    assert store.list_streams() == []
    plain = {**headers, "Content-Encoding": "identity"}
    assert client.post(f"{API}/deals", data=body, headers=plain).status_code == 201


def test_a_deal_of_a_table_is_recorded_there_or_imported(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING])
    recorded_table(store)
    opening = {**OPENING, "table": TABLE, "number": 3}
    variation = {**opening, "branch": {"deal": DEAL, "at": 1}}
    for sent, pointer in (([opening, NOTE], "/0/table"), (opening, "/table"), (variation, "/table")):
        answer = client.post(f"{API}/deals", json=sent)
        assert problem(answer) == (422, "wrong-stream")
        assert "/api/v1/tables/" in answer.get_json()["detail"]
        assert answer.get_json()["errors"][0]["pointer"] == pointer
    assert store.head() == 2
    elsewhere = {**opening, "table": TABLE[:-4] + "ffff"}
    (record,) = body_of(client.post(f"{API}/import", json=[elsewhere, NOTE]))["records"]
    assert (record["kind"], record["version"], record["detail"]) == ("deal", 2, None)
    first, _ = fetch(client, f"deals/{record['id']}/events")["events"]
    assert (first["table"], first["number"]) == (elsewhere["table"], 3)


def test_of_many_faults_the_first_hundred_are_listed(client: FlaskClient) -> None:
    event = {"type": "gap_noted", **{f"field{number}": 1 for number in range(1_000)}}
    answer = client.post(f"{API}/deals", json=event)
    assert (answer.status_code, len(answer.get_json()["errors"])) == (422, 100)


@pytest.mark.parametrize(
    "name", ["oB \u202e,04+", "Bo\u200b", "Bo\u3164"], ids=["turned round", "invisible", "a filler"]
)
def test_a_name_with_hidden_characters_is_refused_with_its_place(client: FlaskClient, name: str) -> None:
    players = {"forehand": "Anna", "middlehand": name, "backhand": "Carl"}
    (error,) = body_of(client.post(f"{API}/deals", json={**OPENING, "players": players}), 422)["errors"]
    assert error["pointer"] == "/players/middlehand"
    rules = {"based_on": "dlu", "words": {"en": name, "da": "Vores"}, "source": "Ours."}
    table, grant = {"ruleset": "dlu", "players": ["Anna", name, "Carl"]}, {"role": "viewer", "label": name}
    for path, body in (("tables", table), ("members", {"name": name}), ("grants", grant)):
        assert client.post(f"{API}/{path}", json=body).status_code == 422, path
    assert client.put(f"{API}/rulesets/ours", json=rules).status_code == 422
    opened = client.post(f"{API}/deals", json=[OPENING, {**NOTE, "text": "\u200eשלום"}])
    assert opened.status_code == 201, "a text of several words may be in any script"


def test_a_report_shows_hidden_characters_by_a_sign(client: FlaskClient, store: EventStore) -> None:
    players = {"forehand": "Anna", "middlehand": "oB \u202e,04+", "backhand": "Carl"}
    recorded_deal(store, [{**OPENING, "players": players}])
    assert "\u202e" in client.get(f"{API}/deals/{DEAL}/events.jsonl").text, "the record keeps what it has"
    html = client.get(f"/deals/{DEAL}/report").text
    assert "\u202e" not in html and "oB \N{REPLACEMENT CHARACTER},04+" in html
