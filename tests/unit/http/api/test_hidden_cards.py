"""What hidden cards can be and best play over them, and heavy answers from another process."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any
from unittest.mock import Mock

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient

import replays
from engine import effective, fold_all
from engine.core.log import Entry
from engine.inference.unseen_cards import analyze_unseen_cards
from schemas.answers.hidden_cards import evidence_object, odds_object
from schemas.logs.deal_size import MAX_SHOWN_ENTRIES
from service.app import create_app
from service.application import hidden_cards
from service.config.settings import Settings
from service.eventstore import MemoryStore
from service.http import heavy_worker
from service.http.api.anonymous_limits import register_heavy_worker
from service.http.api.openapi.examples import request_example
from service.http.heavy_worker import HeavyQuestion, HeavyWorker, HeavyWorkerUnavailable, answer_question
from service.records.deal_points import build_deal_point
from tests.support.api.asking import API, ELSEWHERE, body_of, fetch, parameters, problem
from tests.support.api.clients import owner_of
from tests.support.api.contract import schema_errors, schema_ref
from tests.support.api.recording import DEAL, OPENING, recorded_deal, some_deal
from tests.support.engine.shorthand import log_from
from tests.support.hidden.suits_only import suits_only

BELINDA = "replays/belinda"
LOG: list[dict[str, Any]] = request_example("logs_evidence")


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    store = MemoryStore()
    recorded_deal(store, some_deal(talon=True))
    return owner_of(create_app(store))


def belinda() -> tuple[Entry, ...]:
    replay = replays.find_library_deal("belinda")
    assert replay is not None
    return effective(replay.read_log()).entries


def test_it_is_what_the_engine_says(client: FlaskClient) -> None:
    for query, of, witness, upto in (
        ("of=31", 31, None, None),
        ("witness=lawful", None, "lawful", None),
        ("at=20&witness=physical", None, "physical", 20),
    ):
        answer, entries = fetch(client, f"{BELINDA}/evidence?{query}"), belinda()[:upto]
        made = analyze_unseen_cards(entries, fold_all(entries))
        assert answer == evidence_object(made, entries, play_seq=of, witness_level=witness), query
        assert schema_errors(schema_ref("Evidence"), answer) == []


@pytest.mark.parametrize(("aspect", "viewer"), [("evidence", "forehand"), ("odds", "public")])
def test_it_follows_from_the_cut_log_alone(client: FlaskClient, viewer: str, aspect: str) -> None:
    at, given = len(some_deal(talon=True)) - 3, ("id", "seq", "stored_at", "recorded_by")
    text = client.get(f"{API}/deals/{DEAL}/events.jsonl?viewer={viewer}").data
    cut = [orjson.loads(line) for line in text.splitlines()][:at]
    log = [{name: value for name, value in one.items() if name not in given} for one in cut]
    answer = fetch(client, f"deals/{DEAL}/{aspect}?viewer={viewer}&at={at}")
    assert body_of(client.post(f"{API}/{aspect}", json=log)) == {**answer, "problems": [], "unlisted": 0}


def test_more_deals_than_a_number_of_json_says_are_told_as_text(client: FlaskClient) -> None:
    answer = body_of(client.post(f"{API}/evidence", json=LOG))
    assert int(answer["lawful"]["deals"]["most"]) > 2**64
    likely = body_of(client.post(f"{API}/odds?deals=2", json=LOG))
    assert int(likely["looked"]["total"]) == int(answer["lawful"]["deals"]["most"])
    assert schema_errors(schema_ref("LogEvidence"), answer) == []
    assert schema_errors(schema_ref("LogOdds"), likely) == []


def test_deals_are_drawn_by_a_seed_that_follows_from_the_record(client: FlaskClient) -> None:
    one = fetch(client, f"{BELINDA}/odds?deals=5")
    assert schema_errors(schema_ref("Odds"), one) == []
    assert one["looked"]["deals"] == 5
    seed = one["looked"]["seed"]
    for asked in ("deals=5", f"deals=5&seed={seed}"):
        assert fetch(client, f"{BELINDA}/odds?{asked}") == one
    other = fetch(client, f"{BELINDA}/odds?deals=5&seed={seed + 1}")
    assert other["looked"] == {**one["looked"], "seed": seed + 1}
    entries = belinda()
    assert hidden_cards.derive_seed(entries) == seed != hidden_cards.derive_seed(entries[:-1])


def test_what_cannot_be_counted_in_time_is_said_to_be_missing(client: FlaskClient) -> None:
    answer = fetch(client, "replays/belinda-second-reading/odds")
    assert (answer["looked"], answer["plays"], answer["point"]) == (None, [], None)
    missing = "few enough hidden entries or cards to count the deals"
    assert answer["missing"] == [missing]
    assert schema_errors(schema_ref("Odds"), odds_object(hidden_cards.UNCOUNTED_ODDS, None)) == []


def test_what_cannot_be_asked_is_refused(client: FlaskClient) -> None:
    for query in ("odds?deals=0", "odds?deals=13", "odds?seed=-1", "evidence?witness=any",
                  "evidence?of=x", "evidence?deals=3", "odds?of=3"):  # fmt: skip
        named = query.partition("?")[2].partition("=")[0]
        assert parameters(client.get(f"{API}/{BELINDA}/{query}")) == [named], query
    # No two questions share a tag.
    queries = ("evidence", "evidence?of=3", "evidence?witness=lawful", "odds", "odds?seed=3",
               "odds?deals=3")  # fmt: skip
    answers = [client.get(f"{API}/deals/{DEAL}/{query}") for query in queries]
    assert len({answer.headers["ETag"] for answer in answers}) == len(queries)


@pytest.mark.parametrize("aspect", ["evidence?", "odds?deals=2&"])
def test_one_deal_of_a_log_is_looked_at(client: FlaskClient, aspect: str) -> None:
    two = [*LOG, *LOG[:5]]
    first = body_of(client.post(f"{API}/{aspect}deal=1", json=two))
    assert first == body_of(client.post(f"{API}/{aspect.rstrip('?&')}", json=LOG))
    assert client.post(f"{API}/{aspect}at=99", json=LOG).status_code == 404
    assert client.post(f"{API}/{aspect}deal=3", json=two).status_code == 422
    long = [OPENING, *[{"type": "gap_noted"}] * MAX_SHOWN_ENTRIES]
    assert problem(client.post(f"{API}/{aspect.rstrip('?&')}", json=long)) == (413, "too-large")


@pytest.mark.parametrize(("path", "body"), [(f"{BELINDA}/odds?at=30", None), ("evidence", LOG)])
def test_for_an_anonymous_caller_it_counts_as_many_requests(path: str, body: Any) -> None:
    anybody = create_app(MemoryStore(), settings=Settings(rate=0.001, burst=30)).test_client()
    asked = {"method": "POST" if body else "GET", "json": body, "environ_overrides": ELSEWHERE}
    answers = [anybody.open(f"{API}/{path}", **asked) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]


QUERY = {"of": None, "witness": "lawful", "deals": 3, "seed": 1}
MOST_SECONDS = 2.0


@pytest.fixture(scope="module")
def process() -> Iterator[HeavyWorker]:
    """A process that may take its time: where every processor is busy, its low priority starves it."""
    with pytest.MonkeyPatch.context() as patch, closing(HeavyWorker()) as made:
        patch.setattr(heavy_worker, "ANSWER_TIMEOUT_SECONDS", 500.0)
        yield made


def question(answer: str, language: str = "en") -> HeavyQuestion:
    return HeavyQuestion(answer, log_from(LOG), None, (), language, QUERY)


@pytest.mark.parametrize(("answer", "language"), [("evidence", "en"), ("odds", "da")])
def test_it_answers_the_same_as_here(process: HeavyWorker, answer: str, language: str) -> None:
    here = {"evidence": hidden_cards.build_evidence_answer, "odds": hidden_cards.build_odds_answer}
    told = here[answer](build_deal_point(log_from(LOG), None), language, QUERY)
    found = process.ask(question(answer, language))
    assert found.body == told
    assert 0 < found.cpu_seconds < MOST_SECONDS
    assert answer_question(question(answer, language)).body == found.body


@pytest.mark.usefixtures("process")
def test_it_is_started_again_where_it_has_ended_and_ends_with_the_service() -> None:
    process = HeavyWorker()
    process.ask(question("evidence"))
    assert process._process is not None
    process._process.terminate()
    process._process.join(20)
    assert process.ask(question("evidence")).body["lawful"]
    running = process._process
    for _ in range(2):
        process.close()
        assert not running.is_alive()


def test_what_takes_too_long_is_given_up(process: HeavyWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heavy_worker, "ANSWER_TIMEOUT_SECONDS", 0.0)
    with pytest.raises(HeavyWorkerUnavailable):
        for _ in range(100):
            process.ask(question("odds"))
    monkeypatch.undo()
    assert process.ask(question("evidence")).body["lawful"]


@pytest.fixture
def app(process: HeavyWorker) -> Flask:
    app = create_app(MemoryStore(), settings=Settings(rate=0.001, burst=1000))
    register_heavy_worker(app, process)
    return app


def test_a_hostile_log_is_answered_in_time_and_undecided(app: Flask, process: HeavyWorker) -> None:
    client = app.test_client()
    told = body_of(client.post(f"{API}/odds", json=suits_only(), environ_overrides=ELSEWHERE))
    assert told["missing"]
    hostile = question("odds")._replace(log=log_from(suits_only()))
    assert process.ask(hostile).cpu_seconds < 2 * MOST_SECONDS
    assert client.post(f"{API}/odds", json=suits_only()).get_json() == told


def test_whoever_has_used_much_is_told_to_wait(process: HeavyWorker) -> None:
    app = create_app(MemoryStore(), settings=Settings(rate=0.001, burst=20))
    register_heavy_worker(app, process)
    client = app.test_client()

    def status(log: Any, environment: dict[str, str]) -> int:
        return client.post(f"{API}/evidence", json=log, environ_overrides=environment).status_code

    assert [status(suits_only(), ELSEWHERE) for _ in range(2)] == [200, 429]
    assert status(LOG, {"REMOTE_ADDR": "192.0.2.8"}) == 200


def test_without_an_answer_one_is_told_to_come_back(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HeavyWorker, "ask", Mock(side_effect=HeavyWorkerUnavailable))
    client, asked = app.test_client(), {"path": f"{API}/evidence", "json": LOG}
    refused = client.post(**asked, environ_overrides=ELSEWHERE)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "10")
    assert client.post(**asked).status_code == 200
