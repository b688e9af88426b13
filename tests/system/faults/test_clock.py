"""A clock that jumps by years, between requests and within them: nothing of it depends on time."""

import itertools
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.eventstore import SqliteStore
from service.eventstore.clock import utc_now
from service.eventstore.ids import new_id
from service.http.rate_limit import TokenBuckets
from service.transparency.notary import open_notary
from service.transparency.store_verification import verify_store
from tests.support.api.asking import send
from tests.support.api.clients import of_app, owner_of
from tests.support.api.recording import some_deal

SECOND, YEAR = 10**9, 365 * 86400 * 10**9
NOW = 1_795_000_000 * SECOND
JUMPS = (0, 10 * YEAR, -30 * YEAR, SECOND, -SECOND, 70 * YEAR, -56 * YEAR, 0, -NOW - SECOND, 200 * YEAR)
"""From now: years ahead and back, to before 1970 and behind 2106."""
OTHERS = ("/api/v1/checkpoint", "/metrics", "/readyz", "/api/v1/grants", "/api/v1/sessions", "/deals")


class Clock:
    """The wall clock of this process, put where one likes, or somewhere else at every look."""

    def __init__(self) -> None:
        self.now = NOW
        self.everywhere: Iterator[int] | None = None

    def time_ns(self) -> int:
        return NOW + next(self.everywhere) if self.everywhere else self.now

    def time(self) -> float:
        return self.time_ns() / SECOND


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    jumping = Clock()
    monkeypatch.setattr(time, "time_ns", jumping.time_ns)
    monkeypatch.setattr(time, "time", jumping.time)
    return jumping


@pytest.fixture
def app(clock: Clock, tmp_path: Path) -> Iterator[Flask]:
    with SqliteStore(tmp_path / "spadille.db") as store:
        yield create_app(store, notary=open_notary(tmp_path))


def record_deal(client: FlaskClient, deal: list[dict[str, Any]], before_each: Callable[[], None]) -> str:
    name = str(uuid.uuid4())
    assert client.post("/api/v1/deals", json={**deal[0], "id": name}).status_code == 201
    for version, event in enumerate(deal[1:], 1):
        before_each()
        answer = send(client, f"deals/{name}/events", event, version)
        assert (answer.status_code, answer.get_json()["version"]) == (201, version + 1), answer.text
    return name


def require_sound(app: Flask, client: FlaskClient, deals: list[str]) -> None:
    store = of_app(app).store
    assert isinstance(store, SqliteStore)
    for deal in deals:
        log = client.get(f"/api/v1/deals/{deal}/events").get_json()["events"]
        assert [event["seq"] for event in log] == list(range(1, store.stream_version(deal) + 1))
        for what in ("score", "findings", "audit", "proof", "state.svg", "events.jsonl", "events.deal"):
            assert client.get(f"/api/v1/deals/{deal}/{what}").status_code == 200, what
    followed = store.read_all(limit=10_000)
    assert [event.position for event in followed] == list(range(1, len(followed) + 1))
    assert verify_store(store.inspection()).faults == ()
    assert [one["id"] for one in client.get("/api/v1/deals").get_json()["deals"]] == deals


def test_a_clock_that_jumps_between_appends_changes_no_order(app: Flask, clock: Clock) -> None:
    client, store, notary = owner_of(app), of_app(app).store, of_app(app).notary
    jumps = itertools.cycle(JUMPS)

    def jump() -> None:
        clock.now = NOW + next(jumps)
        assert notary.sign_checkpoint(store).checkpoint.size == store.head()

    deals = [record_deal(client, some_deal(seed), jump) for seed in (3, 4)]
    moments = [event.stored_at for event in store.read_all()]
    assert moments != sorted(moments), "the clock did not jump"
    require_sound(app, client, deals)


def test_a_clock_that_jumps_within_a_request_does_no_harm(app: Flask, clock: Clock) -> None:
    client = owner_of(app)
    clock.everywhere = itertools.cycle(JUMPS)
    deal = record_deal(client, some_deal(5), lambda: None)
    for address in OTHERS:
        assert client.get(address).status_code == 200, address
    batch = [{"type": "note_added", "text": str(number)} for number in range(30)]
    assert send(client, f"deals/{deal}/events", batch).status_code == 201
    require_sound(app, client, [deal])


def test_ids_and_moments_have_their_shape_whatever_the_clock_says(clock: Clock) -> None:
    for jump in JUMPS:
        clock.now = NOW + jump
        assert len(utc_now()) == len("2026-11-20T19:30:05.250Z"), jump
    clock.everywhere = itertools.cycle((*JUMPS, -NOW, 9000 * YEAR))
    made = {new_id() for _ in range(100)}
    assert ({uuid.UUID(one).version for one in made}, len(made)) == ({7}, 100)


def test_rates_are_counted_by_a_clock_of_their_own(clock: Clock) -> None:
    buckets = TokenBuckets(rate=0.001, burst=1)
    assert buckets.take("192.0.2.1") == 0
    for jump in JUMPS:
        clock.now = NOW + jump
        assert 900 < buckets.take("192.0.2.1") <= 1000, "the years of the wall clock are no wait"
