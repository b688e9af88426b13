"""Logs, metrics, readiness, limits: what whoever runs the service is told, and what nobody is told."""

from __future__ import annotations

import io
import json
import re
import uuid
from typing import Any
from unittest.mock import Mock

import pytest
import structlog
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.config.settings import Settings
from service.eventstore import EventStore, StoreDamaged, StoreUnavailable
from service.http.api.routes.health import DAMAGE_ADVICE
from service.http.rate_limit import MAX_TRACKED_CLIENTS, TokenBuckets, client_address, is_local_request
from service.http.store_health import MAX_DAMAGED_PLACES, DamageTracker
from service.projections.facts_projection import FACTS_PROJECTION
from service.projections.projection import PROJECTION_VERSION
from service.projections.projector import Projector
from tests.support.api.asking import API, ELSEWHERE, problem, send
from tests.support.api.clients import of_app, owner_of
from tests.support.api.recording import DEAL, OPENING, TABLE, damaging, recorded_deal, some_records
from tests.support.logged import log_to

EVENTS = f"deals/{DEAL}/events"
LIVE = f"{API}/deals/{DEAL}/live"
NOTE = {"type": "note_added", "text": "Nobody's business", "id": "018f5e2a-7b1c-7d3e-9f40-000000000001"}


def log_lines(written: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in written.getvalue().splitlines()]


def served(**wishes: Any) -> Flask:
    return create_app(some_records(), settings=Settings(**wishes))


@pytest.fixture
def store() -> EventStore:
    return some_records()


@pytest.fixture
def app(store: EventStore) -> Flask:
    return create_app(store)


def test_a_request_has_a_line(client: FlaskClient, log_output: io.StringIO) -> None:
    answer = send(client, EVENTS, NOTE)
    (line,) = log_lines(log_output)
    assert list(line)[:3] == ["time", "level", "event"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", line.pop("time"))
    assert 0 < line.pop("seconds") < 5
    assert line == {
        "level": "info", "event": "request", "request_id": answer.headers["X-Request-Id"], "method": "POST",
        "route": "/api/v1/deals/<stream:deal>/events", "status": 201, "deal": DEAL, "events": [NOTE["id"]],
    }  # fmt: skip
    stream = client.get(f"{API}/tables/{TABLE}/live", buffered=False)
    assert len(log_lines(log_output)) == 1, "that of a stream is written when it ends"
    stream.close()
    (_, line) = log_lines(log_output)
    assert (line["route"], line["table"]) == ("/api/v1/tables/<stream:table>/live", TABLE)


def test_an_id_of_a_request_is_taken_only_where_it_is_one(client: FlaskClient) -> None:
    for sent in ("", "x", "../../etc", "spadille_secret", "a" * 64, "0123456789abcdef" * 4, "é", "{}"):
        uuid.UUID(client.get("/healthz", headers={"X-Request-Id": sent}).headers["X-Request-Id"])
    mine = "018F5E2A-7b1c-7d3e-9f40-5a6b7c8d9e0f"
    assert client.get("/healthz", headers={"X-Request-Id": mine}).headers["X-Request-Id"] == mine.lower()
    # As text only what worries is written.
    stream = io.StringIO()
    with log_to(stream, "text"):
        client.get("/healthz")
        assert stream.getvalue() == ""
        structlog.get_logger().warning("something", error="ZeroDivisionError")
    assert "something" in stream.getvalue()
    assert "\x1b" not in stream.getvalue()


def test_a_fault_and_its_request_have_the_same_id(
    app: Flask, store: EventStore, log_output: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "append", Mock(side_effect=ZeroDivisionError("Anna holds S7")))
    answer = app.test_client().get("/readyz")
    assert [line["event"] for line in log_lines(log_output)] == ["unexpected", "request"]
    assert {line["request_id"] for line in log_lines(log_output)} == {answer.headers["X-Request-Id"]}
    assert "Anna" not in log_output.getvalue()


def values(client: FlaskClient) -> dict[str, float]:
    rows = [line.rsplit(" ", 1) for line in client.get("/metrics").text.splitlines() if line[0] != "#"]
    return {name: float(value) for name, value in rows}


def test_what_is_answered_is_counted_by_template(client: FlaskClient) -> None:
    for number in range(3):
        client.get(f"{API}/deals/{DEAL}/state?at={number + 1}")
    client.get(f"{API}/deals/018f5e2a-0000-7000-8000-000000000000/state")
    found = values(client)
    route = 'method="GET",route="/api/v1/deals/<stream:deal>/state"'
    assert found[f'spadille_http_requests_total{{{route},status="200"}}'] == 3
    assert found[f'spadille_http_requests_total{{{route},status="404"}}'] == 1
    assert found[f"spadille_http_request_seconds_count{{{route}}}"] == 4
    assert not any(DEAL in name for name in found)
    for number in range(30):
        client.get(f"/nowhere/{number}")
        client.open("/healthz", method=f"BREW{number}")
    counts = [name for name in values(client) if "requests_total" in name]
    assert len(counts) <= 6, "strange addresses and methods make no labels of their own"


def test_events_and_streams_are_counted(client: FlaskClient) -> None:
    before = values(client)
    for _ in range(2):  # the second is a repeat
        send(client, EVENTS, NOTE)
    client.post(f"{API}/deals", json=[OPENING, {"type": "gap_noted"}])
    line = client.get(LIVE, buffered=False)
    found = values(client)
    for name in ("spadille_events_appended_total", "spadille_store_position_total"):
        assert found[name] - before[name] == 3
    assert (found["spadille_live_streams"], found["spadille_live_streams_limit"]) == (1, 500)
    line.close()
    assert values(client)["spadille_live_streams"] == 0


def test_how_far_what_is_kept_has_come_is_a_metric(app: Flask, client: FlaskClient) -> None:
    def found() -> list[float]:
        names = (f'spadille_projection_{name}{{projection="facts"}}' for name in ("position", "current"))
        return [values(client)[name] for name in names]

    serving = of_app(app)
    assert found() == [0, 0]
    Projector(serving.store, serving.club_rules, FACTS_PROJECTION).catch_up()
    assert found() == [serving.store.head(), 1]
    serving.store.projections.begin(FACTS_PROJECTION.name, PROJECTION_VERSION + 1)
    assert found() == [0, 0]


def test_nobody_else_gets_the_metrics(app: Flask, client: FlaskClient) -> None:
    stranger = app.test_client()
    assert stranger.get("/metrics").status_code == 200
    forwarded = {"HTTP_X_FORWARDED_FOR": "127.0.0.1"}
    for environment in (ELSEWHERE, forwarded, {"HTTP_FORWARDED": "for=127.0.0.1"}, {"REMOTE_ADDR": ""}):
        assert stranger.get("/metrics", environ_overrides=environment).status_code == 401, environment
        assert client.get("/metrics", environ_overrides=environment).status_code == 200, "its owner"


def test_a_service_that_can_write_says_so_and_one_that_cannot_says_why(
    client: FlaskClient, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = {"status": "ready", "damaged": 0, "places": [], "detail": None}
    assert [client.get(path).get_json() for path in ("/readyz", f"{API}/readyz")] == [ready] * 2
    full = StoreUnavailable("The disk that holds the store is full. Make room on it.")
    for method in ("append", "head"):
        monkeypatch.setattr(store, method, Mock(side_effect=full))
    assert problem(client.get("/readyz")) == (503, "store-unavailable")
    assert values(client)["spadille_store_up"] == 0
    for path in ("/healthz", f"{API}/healthz"):
        answer = client.get(path)
        assert (answer.get_json()["status"], answer.headers["Cache-Control"]) == ("ok", "no-store")


def test_damage_that_was_noticed_is_told_to_who_watches(
    client: FlaskClient, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest is served as ever, so it is ready for that; where it is stands for this computer only."""
    damaging(monkeypatch, store, DEAL, 3, 5)
    for _ in range(4):
        assert client.get(f"{API}/{EVENTS}").status_code == 500
    places = [{"stream": DEAL, "seq": seq} for seq in (3, 5)]
    degraded = {"status": "degraded", "damaged": 2, "places": places, "detail": DAMAGE_ADVICE}
    assert client.get("/readyz").get_json() == degraded
    assert client.get("/healthz").get_json()["status"] == "degraded"
    assert values(client)["spadille_damage_noticed_total"] == 2
    assert client.get("/readyz", environ_overrides=ELSEWHERE).get_json() == {**degraded, "places": []}
    assert DEAL not in client.get("/readyz", headers={"X-Forwarded-For": "192.0.2.7"}).text
    noticed = DamageTracker()
    for seq in range(MAX_DAMAGED_PLACES + 5):
        noticed.record(StoreDamaged("", DEAL, seq))
    assert len(noticed.places) == MAX_DAMAGED_PLACES, "no more are kept in mind"
    # What is not concerned is served and continued.
    guest = {"type": "player_joined", "player": "Dorte"}
    assert send(client, f"tables/{TABLE}/events", guest, 1).status_code == 201
    assert client.get(f"{API}/tables/{TABLE}").status_code == 200


@pytest.mark.parametrize("what", [f"tables/{TABLE}/live", "export.jsonl"])
def test_damage_is_noticed_also_where_an_answer_has_begun(
    monkeypatch: pytest.MonkeyPatch, app: Flask, client: FlaskClient, store: EventStore, what: str
) -> None:
    recorded_deal(store, deal="018f5e2a-7b1c-7d3e-9f40-ffffffffffff")
    answer = client.get(f"{API}/{what}", buffered=False)
    assert answer.status_code == 200
    taken = iter(answer.response)
    next(taken)
    if what.endswith("live"):
        damaged = Mock(side_effect=StoreDamaged("The file is damaged."))
        monkeypatch.setattr(store, "list_streams", damaged)
        for listener in of_app(app).live_streams.broadcaster._all_subscribers():
            listener.mark_missed()
    damaging(monkeypatch, store, "018f5e2a-7b1c-7d3e-9f40-ffffffffffff", 7)
    with pytest.raises(StoreDamaged):
        list(taken)
    assert client.get("/readyz").get_json()["damaged"] == 1
    answer.close()


def test_a_bucket_is_filled_again_with_time() -> None:
    now = 100.0
    buckets = TokenBuckets(2, 3, lambda: now)
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert buckets.take("b") == 0
    now += 0.5
    assert [buckets.take("a") for _ in range(2)] == [0, 0.5]
    now += 3600
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    now -= 7200  # a clock that jumps back takes nothing away
    assert buckets.take("b") == 0
    few = TokenBuckets(1, 1)
    for number in range(MAX_TRACKED_CLIENTS + 50):
        few.take(str(number))
    assert len(few) == MAX_TRACKED_CLIENTS, "no more are kept"
    assert few.take(str(MAX_TRACKED_CLIENTS + 49)) > 0


def test_who_asks_too_often_is_told_when_to_go_on() -> None:
    hasty = served(rate=0.5, burst=3).test_client()
    answers = [hasty.get("/healthz", environ_overrides=ELSEWHERE) for _ in range(4)]
    assert [answer.status_code for answer in answers[:3]] == [200] * 3
    assert problem(answers[-1]) == (429, "too-many-requests")
    assert answers[-1].headers["Retry-After"] == "2"
    assert hasty.get("/healthz", environ_overrides={"REMOTE_ADDR": "192.0.2.8"}).status_code == 200
    assert {hasty.get("/healthz").status_code for _ in range(20)} == {200}  # this computer's own programs


def test_by_what_a_client_is_counted() -> None:
    for address, client in (
        ("127.0.0.1", ""), ("::1", ""), ("::ffff:127.0.0.1", ""), ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("unix:", "unknown"),
    ):  # fmt: skip
        environment = {"REMOTE_ADDR": address}
        assert (client_address(environment), is_local_request(environment)) == (client, client == ""), address
    forwarded = {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "192.0.2.7"}
    assert (client_address(forwarded), is_local_request(forwarded)) == ("127.0.0.1", False)
    assert (client_address({}), is_local_request({})) == ("unknown", False)


def test_behind_a_proxy_it_is_whom_the_proxy_names() -> None:
    hasty = owner_of(served(proxies=1, burst=1, rate=0.01))

    def asked(forwarded: str | None) -> int:
        return hasty.get("/healthz", headers={"X-Forwarded-For": forwarded} if forwarded else {}).status_code

    assert [asked("192.0.2.7"), asked("192.0.2.7"), asked("192.0.2.8")] == [200, 429, 200]
    assert asked("192.0.2.99, 192.0.2.7") == 429, "what the client itself says before it does not count"
    assert [asked(None), asked(None)] == [200, 200]
    stranger = hasty.application.test_client()
    assert stranger.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 401
    # A browser that came by https is told to come so again.
    for path in ("/", "/static/js/words.js", "/nowhere"):
        answers = [hasty.get(path, headers={"X-Forwarded-Proto": scheme}) for scheme in ("https", "http")]
        said = [answer.headers.get("Strict-Transport-Security") for answer in answers]
        assert said == ["max-age=31536000", None], path


def test_one_client_has_no_more_than_a_share_of_the_streams() -> None:
    client = owner_of(served(streams=8))
    taken = [client.get(LIVE, environ_overrides=ELSEWHERE, buffered=False) for _ in range(8)]
    assert [answer.status_code for answer in taken] == [200] * 4 + [503] * 4
    own = [client.get(LIVE, buffered=False) for _ in range(5)]
    assert [answer.status_code for answer in own] == [200] * 4 + [503]
    for answer in (*taken, *own):
        answer.close()
