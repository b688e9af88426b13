"""Heavy answers for anonymous callers, from another process: the same as here, in time, and none is stuck."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any, cast

import orjson
import pytest
from flask import Flask

from service.app import create_app
from service.application import hidden_cards
from service.config.settings import Settings
from service.eventstore import MemoryStore
from service.http import heavy
from service.http.api.anonymous_limits import have_heavy_answered
from service.http.api.routes.hidden_cards import SEEN
from service.http.heavy import HeavyProcess, HeavyUnavailable, Question
from service.http.heavy_process import answered
from service.presentation.i18n.translate import telling
from service.records.points import point_of
from tests.support.api.asking import API, ELSEWHERE, body_of
from tests.support.engine.shorthand import log_from
from tests.support.hidden.suits_only import suits_only

QUERY = {"of": None, "witness": "lawful", "deals": 3, "seed": 1}
MOST_SECONDS = 2.0
ENTRIES = cast(list[dict[str, Any]], SEEN)


@pytest.fixture(scope="module")
def process() -> Iterator[HeavyProcess]:
    with closing(HeavyProcess()) as made:
        yield made


def question(answer: str, language: str = "en") -> Question:
    return Question(answer, log_from(ENTRIES), None, (), language, QUERY)


@pytest.mark.parametrize("language", ["en", "da"])
@pytest.mark.parametrize("answer", ["evidence", "likely"])
def test_it_answers_what_would_be_answered_here(process: HeavyProcess, answer: str, language: str) -> None:
    here = {"evidence": hidden_cards.evidence_told, "likely": hidden_cards.likely_told}
    told = here[answer](point_of(log_from(ENTRIES), None), telling(language), QUERY)
    found = process.ask(question(answer, language))
    assert found.body == orjson.loads(orjson.dumps(told))
    assert 0 < found.seconds < MOST_SECONDS
    assert orjson.loads(answered(question(answer, language)))["body"] == found.body


def test_it_is_started_again_where_it_has_ended_and_ends_with_the_service() -> None:
    process = HeavyProcess()
    process.ask(question("evidence"))
    assert process._process is not None
    os.kill(process._process.pid, signal.SIGTERM)
    process._process.wait(20)
    assert process.ask(question("evidence")).body["lawful"]
    running = process._process
    for _ in range(2):
        process.close()
        assert running is not None and running.poll() is not None


def test_what_takes_too_long_is_given_up(process: HeavyProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heavy, "MOST_SECONDS", 0.0)
    with pytest.raises(HeavyUnavailable):
        for _ in range(100):
            process.ask(question("likely"))
    monkeypatch.undo()
    assert process.ask(question("evidence")).body["lawful"]


@pytest.fixture
def app(process: HeavyProcess) -> Flask:
    app = create_app(MemoryStore(), settings=Settings(rate=0.001, burst=1000))
    have_heavy_answered(app, process)
    return app


@pytest.mark.parametrize("answer", [pytest.param("evidence", marks=pytest.mark.property), "likely"])
def test_a_hostile_log_is_answered_in_time_and_undecided(app: Flask, answer: str) -> None:
    client, begun = app.test_client(), time.monotonic()
    told = body_of(client.post(f"{API}/{answer}", json=suits_only(), environ_overrides=ELSEWHERE))
    if answer == "evidence":
        assert not told["physical"]["decided"] and not told["lawful"]["decided"]
    else:
        assert told["missing"]
    assert time.monotonic() - begun < 10 * MOST_SECONDS  # on a machine that has much else to do
    assert client.post(f"{API}/{answer}", json=suits_only()).get_json() == told


def test_whoever_has_used_much_is_told_to_wait(process: HeavyProcess) -> None:
    app = create_app(MemoryStore(), settings=Settings(rate=0.001, burst=60))
    have_heavy_answered(app, process)
    client = app.test_client()

    def status(log: Any, environment: dict[str, str]) -> int:
        return client.post(f"{API}/evidence", json=log, environ_overrides=environment).status_code

    assert [status(suits_only(), ELSEWHERE) for _ in range(2)] == [200, 429]
    assert status(SEEN, {"REMOTE_ADDR": "192.0.2.8"}) == 200


def test_without_an_answer_one_is_told_to_come_back(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(self: HeavyProcess, question: Question) -> None:
        raise HeavyUnavailable

    monkeypatch.setattr(HeavyProcess, "ask", none)
    refused = app.test_client().post(f"{API}/evidence", json=SEEN, environ_overrides=ELSEWHERE)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "10")
    assert app.test_client().post(f"{API}/evidence", json=SEEN).status_code == 200
