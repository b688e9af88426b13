"""Following live: over a real server, as browsers and programs do."""

from __future__ import annotations

import http.client
import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.config.settings import Settings
from service.eventstore import EventStore, StoreDamaged
from service.records.live import Live
from tests.support.api.asking import problem
from tests.support.api.clients import of_app
from tests.support.api.listening import Line, messages_in
from tests.support.api.live import DEALS, NOTE, TABLES, deaf, note, send
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, recorded_table
from tests.support.api.servers import as_owner, free_port, served, start, wait_until_it_answers
from tests.support.waiting import until

ANY = {"If-Match": "*"}
MUCH = [{**NOTE, "text": "x" * 1990}] * 300


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with served(tmp_path_factory.mktemp("live"), SPADILLE_STREAMS="12") as port:
        yield port


@pytest.fixture
def deal(port: int) -> str:
    found: str = send(port, DEALS, OPENING)["deal"]
    return found


def fetch(port: int, path: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers=as_owner(port))
    answer = connection.getresponse().read()
    connection.close()
    return answer


@pytest.mark.process
@pytest.mark.parametrize("path", ["live", "events"])
def test_what_is_recorded_comes_at_once(port: int, deal: str, path: str) -> None:
    line = Line(port, f"{DEALS}/{deal}/{path}")
    assert line.answer.status == 200
    told_of = {"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    assert told_of.items() <= dict(line.answer.headers).items()
    messages = line.messages()
    first = next(messages)
    assert (first.id, first.event) == ("1", "deal_opened")
    for number in range(2, 5):
        note(port, deal, f"Number {number}")
        told = next(messages)
        assert (told.id, told.event) == (str(number), "note_added")
        stored = fetch(port, f"{DEALS}/{deal}/events.jsonl").splitlines()[-1]
        assert json.loads(told.data or "") == json.loads(stored)
    line.close()


@pytest.mark.process
def test_the_end_of_the_service_is_the_end_of_every_stream(tmp_path: Path) -> None:
    port = free_port()
    server = start(tmp_path, port)
    wait_until_it_answers(server, port)
    deal = send(port, DEALS, OPENING)["deal"]
    path = f"{DEALS}/{deal}/live"
    stuck, lines = [deaf(port, path) for _ in range(10)], [Line(port, path) for _ in range(10)]
    for _ in range(6):
        send(port, f"{DEALS}/{deal}/events", MUCH, **ANY)
    asked = time.monotonic()
    server.send_signal(signal.SIGTERM)
    # Whole answers, properly ended: what comes after the opening is read with it.
    assert all([message.id for message in line.messages()][:1] == ["1"] for line in lines)
    _, complained = server.communicate(timeout=20)
    # About a second on a machine at rest. Streams that held it would hold it for ten.
    assert time.monotonic() - asked < 8
    assert (server.returncode, complained) == (0, "")
    for line in lines:
        line.close()
    for one in stuck:
        one.close()


@pytest.mark.process
def test_a_reader_who_takes_nothing_is_let_go(tmp_path: Path) -> None:
    port = free_port()
    first = "import service.records.live.places as places; places.PATIENCE_SECONDS = 0.5"
    server = start(tmp_path, port, first)
    wait_until_it_answers(server, port)
    deal = send(port, DEALS, OPENING)["deal"]
    for _ in range(6):
        send(port, f"{DEALS}/{deal}/events", MUCH, **ANY)
    line = deaf(port, f"{DEALS}/{deal}/live")
    until(lambda: b"\nspadille_live_streams 0.0\n" in fetch(port, "/metrics"))
    server.terminate()
    _, complained = server.communicate(timeout=20)
    assert (server.returncode, complained) == (0, "")
    line.close()


@pytest.fixture
def app(store: EventStore) -> Flask:
    recorded_deal(store)
    recorded_table(store)
    return create_app(store, settings=Settings(streams=2))


@pytest.fixture
def live(app: Flask) -> Live:
    return of_app(app).live


NOWHERE = "018f5e2a-7b1c-7d3e-9f40-ffffffffffff"


def test_what_cannot_be_followed_is_said(client: FlaskClient) -> None:
    asked: list[tuple[str, dict[str, str], str, int]] = [
        (f"{DEALS}/{NOWHERE}/live", {}, "unknown-deal", 404),
        (f"{DEALS}/{TABLE}/live", {}, "unknown-deal", 404),
        (f"{TABLES}/{NOWHERE}/live", {}, "unknown-table", 404),
        (f"{DEALS}/{DEAL}/live", {"Accept": "application/json"}, "not-acceptable", 406),
        (f"{TABLES}/{TABLE}/live", {"Accept": "text/html, */*;q=0"}, "not-acceptable", 406),
        (f"{DEALS}/{DEAL}/live", {"Last-Event-ID": "x"}, "malformed-header", 400),
        (f"{TABLES}/{TABLE}/live", {"Last-Event-ID": "17"}, "malformed-header", 400),
        (f"{TABLES}/{TABLE}/live?after=17", {}, "invalid-parameter", 422),
        (f"{DEALS}/{DEAL}/live?after=x", {}, "invalid-parameter", 422),
        (f"{DEALS}/{DEAL}/live?viewer=nobody", {}, "invalid-parameter", 422),
        (f"{TABLES}/{TABLE}/live?viewer=forehand", {}, "invalid-parameter", 422),
    ]
    for path, headers, kind, status in asked:
        assert problem(client.get(path, headers=headers)) == (status, kind), (path, headers)
    for headers, first in (({}, "4"), ({"Last-Event-ID": "20"}, "21")):
        answer = client.get(f"{DEALS}/{DEAL}/live?after=3", headers=headers, buffered=False)
        assert next(messages_in(answer.iter_encoded())).id == first, "the header goes before the address"
        answer.close()


def test_a_place_is_taken_until_the_answer_is_closed(
    client: FlaskClient, live: Live, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        answer = client.head(f"{DEALS}/{DEAL}/live")
        assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
    assert live.places.taken == 0
    first, second = (client.get(f"{DEALS}/{DEAL}/live", buffered=False) for _ in range(2))
    assert live.places.taken == 2
    assert client.get(f"{DEALS}/{DEAL}/live").status_code == 503
    next(iter(first.response))
    # Whether it was read or not.
    first.close()
    second.close()
    assert live.places.taken == 0
    # A browser would come back to a stream that breaks off, again and again; to a problem it does not.
    def damaged(*_: object, **__: object) -> NoReturn:
        raise StoreDamaged("Event 1 is not as it was recorded.")

    monkeypatch.setattr(store, "read", damaged)
    for followed in (f"{DEALS}/{DEAL}", f"{TABLES}/{TABLE}"):
        for method in ("GET", "HEAD"):
            answer = client.open(f"{followed}/live", method=method, buffered=False)
            assert (answer.status_code, answer.content_type) == (500, "application/problem+json"), followed
    assert live.places.taken == 0


def test_a_heartbeat_breaks_silence(client: FlaskClient, live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "_heartbeat", 0.05)
    answer = client.get(f"{DEALS}/{DEAL}/live", buffered=False)
    chunks = iter(answer.response)
    assert next(chunks) == b"retry: 2000\n\n"
    next(chunks)
    assert [next(chunks) for _ in range(3)] == [b": nothing new\n\n"] * 3
    live.end()
    assert list(chunks) == []
    answer.close()
