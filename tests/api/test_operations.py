"""Logs, metrics, readiness, limits: what whoever runs the service is told, and what nobody is told."""

from __future__ import annotations

import io
import itertools
import json
import re
import uuid
from typing import Any

import pytest
import structlog
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from service.api.health import DAMAGE_ADVICE
from service.app import create_app
from service.clients import client_of, is_direct
from service.limits import CLIENTS, Buckets
from service.operations import logs
from service.operations.damage import MOST, Noticed
from service.projections.facts import FACTS
from service.projections.projector import Projector
from service.settings import Settings
from service.store import MemoryStore, StoreDamaged, StoreUnavailable
from tests.support.api.clients import of_app, owner_of
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, recorded_table, some_deal
from tests.support.effort import examples

EVENTS = f"/api/v1/deals/{DEAL}/events"
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.7"}
NOTE = {"type": "note_added", "text": "Nobody's business", "id": "018f5e2a-7b1c-7d3e-9f40-000000000001"}


def lines(written: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in written.getvalue().splitlines()]


def served(**wishes: Any) -> Flask:
    store = MemoryStore()
    recorded_deal(store)
    recorded_table(store)
    return create_app(store, settings=Settings(**wishes))


@pytest.fixture
def asker() -> FlaskClient:
    return owner_of(served())


# Logs


def test_a_request_has_a_line(asker: FlaskClient, written: io.StringIO) -> None:
    answer = asker.post(EVENTS, json=NOTE, headers={"If-Match": "*"})
    (line,) = lines(written)
    assert list(line)[:3] == ["time", "level", "event"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", line.pop("time"))
    assert 0 < line.pop("seconds") < 5
    assert line == {
        "level": "info",
        "event": "request",
        "request_id": answer.headers["X-Request-Id"],
        "method": "POST",
        "route": "/api/v1/deals/<stream:deal>/events",
        "status": 201,
        "deal": DEAL,
        "events": [NOTE["id"]],
    }


def test_of_a_stream_it_is_written_when_it_ends(asker: FlaskClient, written: io.StringIO) -> None:
    answer = asker.get(f"/api/v1/tables/{TABLE}/live", buffered=False)
    assert lines(written) == []
    answer.close()
    (line,) = lines(written)
    assert (line["route"], line["table"]) == ("/api/v1/tables/<stream:table>/live", TABLE)


@pytest.mark.parametrize(
    "sent", ["", "x", "../../etc", "spadille_secret", "a" * 64, "0123456789abcdef" * 4, "é", "{}"]
)
def test_an_id_of_a_request_is_taken_only_where_it_is_one(asker: FlaskClient, sent: str) -> None:
    answer = asker.get("/healthz", headers={"X-Request-Id": sent})
    uuid.UUID(answer.headers["X-Request-Id"])
    mine = "018F5E2A-7b1c-7d3e-9f40-5a6b7c8d9e0f"
    assert asker.get("/healthz", headers={"X-Request-Id": mine}).headers["X-Request-Id"] == mine.lower()


def test_a_fault_and_its_request_have_the_same_id(written: io.StringIO) -> None:
    app = served()

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("Anna holds S7")

    app.extensions["spadille"].store.append = broken
    answer = app.test_client().get("/readyz")
    told = lines(written)
    assert [line["event"] for line in told] == ["unexpected", "request"]
    assert {line["request_id"] for line in told} == {answer.headers["X-Request-Id"]}
    assert "Anna" not in written.getvalue()


def test_as_text_only_what_worries_is_written() -> None:
    stream = io.StringIO()
    logs.configure("text", stream)
    try:
        asker = served().test_client()
        asker.get("/healthz")
        assert stream.getvalue() == ""
        structlog.get_logger().warning("something", error="ZeroDivisionError")
        assert "something" in stream.getvalue()
        assert "\x1b" not in stream.getvalue()
    finally:
        structlog.reset_defaults()


SECRETS = st.from_regex(r"spadille_[a-z]{6}", fullmatch=True)


@pytest.mark.property
@settings(max_examples=examples(60))
@given(SECRETS, st.integers(0, 10**6), st.data())
def test_no_log_and_no_metric_tells_a_secret(secret: str, seed: int, data: st.DataObject) -> None:
    """A token, a card, a name or a text may be anywhere in a request: none comes out here."""
    stream = io.StringIO()
    logs.configure("json", stream)
    try:
        asker = owner_of(served())
        event = data.draw(st.sampled_from(some_deal(seed)))
        body = {**event, "recorded_by": secret, "text": secret}
        path = data.draw(
            st.sampled_from(
                [
                    EVENTS,
                    f"/api/v1/deals/{DEAL}/{secret}",
                    f"/{secret}",
                    "/api/v1/deals",
                    f"/api/v1/replays/{secret}",
                    f"/api/v1/rulesets/{secret}",
                    f"/api/v1/deals/{DEAL}/live",
                    f"/api/v1/deals/{DEAL}/state",
                ]
            )
        )
        headers = {
            "Authorization": f"Bearer {secret}",
            "Cookie": f"session={secret}",
            "X-Request-Id": secret,
            "User-Agent": secret,
            "Referer": f"http://localhost/{secret}",
            "If-Match": data.draw(st.sampled_from(["*", '"1"', secret])),
            "Last-Event-ID": data.draw(st.sampled_from(["", secret])),
        }
        method = data.draw(st.sampled_from(["GET", "POST", "HEAD", "DELETE", secret.upper()]))
        query = {data.draw(st.sampled_from(["token", "viewer", secret])): secret}
        answer = asker.open(
            path,
            method=method,
            json=body if method == "POST" else None,
            headers=headers,
            query_string=data.draw(st.sampled_from([{}, query])),
            buffered=False,
        )
        answer.close()
        told = stream.getvalue() + asker.get("/metrics").get_data(as_text=True)
    finally:
        structlog.reset_defaults()
    assert '"event":"request"' in stream.getvalue().replace(": ", ":")
    assert secret.lower() not in told.lower()
    for name in ("Anna", "Bo", "Carl"):
        assert not re.search(rf"\b{name}\b", told)
    cards = {card for card in (*event.get("cards", ()), event.get("card")) if card}
    assert not any(re.search(rf'"{re.escape(card)}"', told) for card in cards)


# Metrics


def values(asker: FlaskClient) -> dict[str, float]:
    told = asker.get("/metrics").get_data(as_text=True)
    return {
        name: float(value)
        for name, value in (line.rsplit(" ", 1) for line in told.splitlines() if line[0] != "#")
    }


def test_what_is_answered_is_counted_by_template(asker: FlaskClient) -> None:
    for number in range(3):
        asker.get(f"/api/v1/deals/{DEAL}/state?at={number + 1}")
    asker.get("/api/v1/deals/018f5e2a-0000-7000-8000-000000000000/state")
    told = values(asker)
    route = 'method="GET",route="/api/v1/deals/<stream:deal>/state"'
    assert told[f'spadille_http_requests_total{{{route},status="200"}}'] == 3
    assert told[f'spadille_http_requests_total{{{route},status="404"}}'] == 1
    assert told[f"spadille_http_request_seconds_count{{{route}}}"] == 4
    assert not any(DEAL in name for name in told)


def test_strange_addresses_and_methods_make_no_labels_of_their_own(asker: FlaskClient) -> None:
    for number in range(30):
        asker.get(f"/nowhere/{number}")
        asker.open("/healthz", method=f"BREW{number}")
    assert len([name for name in values(asker) if "requests_total" in name]) <= 4


def test_events_and_streams_are_counted(asker: FlaskClient) -> None:
    before = values(asker)
    for _ in range(2):  # the second is a repeat
        asker.post(EVENTS, json=NOTE, headers={"If-Match": "*"})
    asker.post("/api/v1/deals", json=[OPENING, {"type": "gap_noted"}])
    line = asker.get(f"/api/v1/deals/{DEAL}/live", buffered=False)
    told = values(asker)
    assert told["spadille_events_appended_total"] - before["spadille_events_appended_total"] == 3
    assert told["spadille_store_position_total"] - before["spadille_store_position_total"] == 3
    assert (told["spadille_live_streams"], told["spadille_live_streams_limit"]) == (1, 500)
    line.close()
    assert values(asker)["spadille_live_streams"] == 0


def test_how_far_what_is_kept_has_come_is_a_metric(asker: FlaskClient) -> None:
    position, current = (
        f'spadille_projection_{what}{{projection="facts"}}' for what in ("position", "current")
    )
    assert (values(asker)[position], values(asker)[current]) == (0, 0)
    serving = of_app(asker.application)
    projector = Projector(serving.store, serving.club_rules, FACTS)
    assert projector.caught_up()
    assert (values(asker)[position], values(asker)[current]) == (serving.store.head(), 1)
    serving.store.projections.claim(FACTS.name, "another version", "another process", 0)
    assert values(asker)[current] == 0


def test_a_store_that_cannot_be_read_is_a_metric_too(asker: FlaskClient) -> None:
    def broken() -> int:
        raise StoreUnavailable("The disk fails.")

    asker.application.extensions["spadille"].store.head = broken
    assert values(asker)["spadille_store_up"] == 0


@pytest.mark.parametrize(
    "environment",
    [
        ELSEWHERE,
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
        {"REMOTE_ADDR": ""},
    ],
)
def test_nobody_else_gets_the_metrics(asker: FlaskClient, environment: dict[str, str]) -> None:
    stranger = asker.application.test_client()
    assert stranger.get("/metrics").status_code == 200
    assert stranger.get("/metrics", environ_overrides=environment).status_code == 401
    assert asker.get("/metrics", environ_overrides=environment).status_code == 200  # its owner


# Readiness


def test_who_could_write_is_told_so(asker: FlaskClient) -> None:
    for path in ("/readyz", "/api/v1/readyz"):
        assert asker.get(path).get_json() == {"status": "ready", "damaged": 0, "places": [], "detail": None}


def test_who_could_not_is_told_what_to_do(asker: FlaskClient) -> None:
    def broken(*_: Any) -> Any:
        raise StoreUnavailable("The disk that holds the store is full. Make room on it.")

    asker.application.extensions["spadille"].store.append = broken
    answer = asker.get("/readyz")
    assert (answer.status_code, answer.get_json()["type"]) == (503, "/problems/store-unavailable")
    assert asker.get("/healthz").status_code == 200


# Damage


def damaging(store: MemoryStore, monkeypatch: pytest.MonkeyPatch, deal: str, *seqs: int) -> None:
    """Reading the deal meets damage: at these entries, one after the other and then again from the first."""
    read, met = store.read, itertools.cycle(seqs)

    def damaged(stream: str, after: int = 0, limit: int = 1000) -> Any:
        if stream == deal:
            raise StoreDamaged("An entry is not as it was recorded.", deal, next(met))
        return read(stream, after, limit)

    monkeypatch.setattr(store, "read", damaged)


def test_damage_that_was_noticed_is_told_to_who_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest is served as ever, so it is ready for that; where it is stands for this computer only."""
    store = MemoryStore()
    recorded_deal(store)
    recorded_table(store)
    asker = owner_of(create_app(store))
    assert asker.get("/healthz").get_json()["status"] == "ok"
    damaging(store, monkeypatch, DEAL, 3, 5)
    for _ in range(4):
        assert asker.get(f"/api/v1/deals/{DEAL}/events").status_code == 500
    places = [{"stream": DEAL, "seq": seq} for seq in (3, 5)]
    assert asker.get("/readyz").get_json() == {
        "status": "degraded",
        "damaged": 2,
        "places": places,
        "detail": DAMAGE_ADVICE,
    }
    assert asker.get("/healthz").get_json()["status"] == "degraded"
    assert values(asker)["spadille_damage_noticed_total"] == 2
    elsewhere = asker.get("/readyz", environ_overrides=ELSEWHERE)
    assert elsewhere.get_json() == {"status": "degraded", "damaged": 2, "places": [], "detail": DAMAGE_ADVICE}
    behind = asker.get("/readyz", headers={"X-Forwarded-For": "192.0.2.7"})
    assert DEAL not in behind.text
    # What is not concerned is served and continued.
    guest = {"type": "player_joined", "player": "Dorte"}
    answer = asker.post(f"/api/v1/tables/{TABLE}/events", json=guest, headers={"If-Match": '"1"'})
    assert answer.status_code == 201
    assert asker.get(f"/api/v1/tables/{TABLE}").status_code == 200


@pytest.mark.parametrize("what", ["live", "export.jsonl"])
def test_damage_is_noticed_also_where_an_answer_has_begun(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    store = MemoryStore()
    recorded_table(store)
    recorded_deal(store)
    asker = owner_of(create_app(store))
    address = f"/api/v1/tables/{TABLE}/live" if what == "live" else "/api/v1/export.jsonl"
    answer = asker.get(address, buffered=False)
    assert answer.status_code == 200
    taken = iter(answer.response)
    next(taken)
    if what == "live":
        following = of_app(asker.application).live.news
        monkeypatch.setattr(store, "streams", _damaged)
        for listener in following._all():
            listener.miss()
    damaging(store, monkeypatch, DEAL, 7)
    with pytest.raises(StoreDamaged):
        for _ in taken:
            pass
    assert asker.get("/readyz").get_json()["damaged"] == 1
    answer.close()


def _damaged(*_: Any, **__: Any) -> Any:
    raise StoreDamaged("The file is damaged.")


def test_only_so_many_places_are_kept_in_mind() -> None:
    noticed = Noticed()
    for seq in range(MOST + 5):
        noticed.note(StoreDamaged("", DEAL, seq))
    assert len(noticed.places) == MOST


# Limits


def test_a_bucket_is_filled_again_with_time() -> None:
    now = 100.0
    buckets = Buckets(2, 3, lambda: now)
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert buckets.take("b") == 0
    now += 0.5
    assert [buckets.take("a") for _ in range(2)] == [0, 0.5]
    now += 3600
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    now -= 7200  # a clock that jumps back takes nothing away
    assert buckets.take("b") == 0


def test_only_so_many_buckets_are_kept() -> None:
    buckets = Buckets(1, 1)
    for number in range(CLIENTS + 50):
        buckets.take(str(number))
    assert len(buckets) == CLIENTS
    assert buckets.take(str(CLIENTS + 49)) > 0


def test_who_asks_too_often_is_told_when_to_go_on() -> None:
    hasty = served(rate=0.5, burst=3).test_client()
    answers = [hasty.get("/healthz", environ_overrides=ELSEWHERE) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[-1].headers["Retry-After"] == "2"
    assert answers[-1].get_json()["type"] == "/problems/too-many-requests"
    assert hasty.get("/healthz", environ_overrides={"REMOTE_ADDR": "192.0.2.8"}).status_code == 200
    assert {hasty.get("/healthz").status_code for _ in range(20)} == {200}  # this computer's own programs


@pytest.mark.parametrize(
    ("environment", "client"),
    [
        ({"REMOTE_ADDR": "127.0.0.1"}, ""),
        ({"REMOTE_ADDR": "::1"}, ""),
        ({"REMOTE_ADDR": "::ffff:127.0.0.1"}, ""),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "192.0.2.7"}, "127.0.0.1"),
        ({"REMOTE_ADDR": "192.0.2.7"}, "192.0.2.7"),
        ({"REMOTE_ADDR": "::ffff:192.0.2.7"}, "192.0.2.7"),
        ({"REMOTE_ADDR": "2001:db8:1:2:3:4:5:6"}, "2001:db8:1:2::/64"),
        ({"REMOTE_ADDR": "unix:"}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_by_what_a_client_is_counted(environment: dict[str, str], client: str) -> None:
    assert client_of(environment) == client
    assert is_direct(environment) == (client == "")


def test_behind_a_proxy_it_is_whom_the_proxy_names() -> None:
    hasty = owner_of(served(proxies=1, burst=1, rate=0.01))

    def asked(forwarded: str | None) -> int:
        headers = {"X-Forwarded-For": forwarded} if forwarded else {}
        return hasty.get("/healthz", headers=headers).status_code

    assert [asked("192.0.2.7"), asked("192.0.2.7"), asked("192.0.2.8")] == [200, 429, 200]
    assert asked("192.0.2.99, 192.0.2.7") == 429  # what the client itself says before it does not count
    assert [asked(None), asked(None)] == [200, 200]
    stranger = hasty.application.test_client()
    assert stranger.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 401


def test_browsers_that_came_by_https_are_told_to_come_so_again() -> None:
    client = owner_of(served(proxies=1))
    for path in ("/", "/static/js/words.js", "/nowhere"):
        told = [
            client.get(path, headers={"X-Forwarded-Proto": scheme}).headers.get("Strict-Transport-Security")
            for scheme in ("https", "http")
        ]
        assert told == ["max-age=31536000", None], path


def test_one_client_has_no_more_than_his_share_of_the_streams() -> None:
    asker = owner_of(served(streams=8))
    path = f"/api/v1/deals/{DEAL}/live"
    taken = []
    for _ in range(8):
        answer = asker.get(path, environ_overrides=ELSEWHERE, buffered=False)
        taken.append(answer)
    assert [answer.status_code for answer in taken] == [200] * 4 + [503] * 4
    own = [asker.get(path, buffered=False) for _ in range(5)]
    assert [answer.status_code for answer in own] == [200] * 4 + [503]
    for answer in (*taken, *own):
        answer.close()


# Names


def test_a_name_by_which_it_is_asked_from_elsewhere_is_answered() -> None:
    app = create_app(MemoryStore(), port=8240, settings=Settings(names=frozenset({"cards.example"})))
    asker = app.test_client()
    for host, status in (
        ("cards.example", 200), ("Cards.Example", 200), ("localhost:8240", 200),
        ("cards.example:8240", 421), ("evil.cards.example", 421),
    ):  # fmt: skip
        assert asker.get("/healthz", environ_overrides={"HTTP_HOST": host}).status_code == status
