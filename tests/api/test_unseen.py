"""What hidden cards can be, and best play over the deals that can have been, asked of the API."""

from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient

import replays
from engine import effective, fold_all
from engine.core.log import Entry
from engine.inference.unseen import unseen
from schemas.answers.likely import likely_object
from schemas.answers.unseen import evidence_object
from schemas.logs.deal_size import ENTRIES
from service.app import create_app
from service.application import hidden_cards
from service.config.settings import Settings
from service.eventstore import MemoryStore
from service.http.api.routes.hidden_cards import SEEN
from service.http.api.schemas.unseen import (
    EvidenceOfLogSchema,
    EvidenceSchema,
    LikelyOfLogSchema,
    LikelySchema,
)
from tests.support.api.asking import API, ELSEWHERE, body_of, parameters, problem, told
from tests.support.api.clients import owner_of
from tests.support.api.recording import DEAL, OPENING, recorded_deal, some_deal

BELINDA = "replays/belinda"
BOTH = pytest.mark.parametrize("aspect", ["evidence", "likely"])


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    store = MemoryStore()
    recorded_deal(store, some_deal(talon=True))
    return owner_of(create_app(store))


def belinda() -> tuple[Entry, ...]:
    replay = replays.find("belinda")
    assert replay is not None
    return effective(replay.log()).entries


@pytest.mark.parametrize(
    ("query", "of", "witness"),
    [("of=31", 31, None), ("witness=lawful", None, "lawful"), ("at=20&witness=physical", None, "physical")],
)
def test_it_is_what_the_engine_says_in_the_shape_that_is_published(
    client: FlaskClient, query: str, of: int | None, witness: str | None
) -> None:
    answer = told(client, f"{BELINDA}/evidence?{query}")
    entries = belinda()
    entries = entries[:20] if "at" in query else entries
    made = unseen(entries, fold_all(entries))
    assert answer == evidence_object(made, entries, of=of, witness=witness)
    assert EvidenceSchema().validate(answer) == {}


@BOTH
@pytest.mark.parametrize("viewer", ["public", "forehand"])
def test_it_follows_from_the_cut_log_alone(client: FlaskClient, viewer: str, aspect: str) -> None:
    at, given = len(some_deal(talon=True)) - 3, ("id", "seq", "stored_at", "recorded_by")
    text = client.get(f"{API}/deals/{DEAL}/events.jsonl?viewer={viewer}").data
    cut = [orjson.loads(line) for line in text.splitlines()][:at]
    log = [{name: value for name, value in one.items() if name not in given} for one in cut]
    sent = body_of(client.post(f"{API}/{aspect}", json=log))
    answer = told(client, f"deals/{DEAL}/{aspect}?viewer={viewer}&at={at}")
    assert sent == {**answer, "problems": [], "unlisted": 0}


def test_more_deals_than_a_number_of_json_says_are_told_as_text(client: FlaskClient) -> None:
    answer = body_of(client.post(f"{API}/evidence", json=SEEN))
    assert int(answer["lawful"]["deals"]["most"]) > 2**64
    likely = body_of(client.post(f"{API}/likely?deals=2", json=SEEN))
    assert int(likely["looked"]["total"]) == int(answer["lawful"]["deals"]["most"])
    assert EvidenceOfLogSchema().validate(answer) == {}
    assert LikelyOfLogSchema().validate(likely) == {}


def test_deals_are_drawn_by_a_seed_that_follows_from_the_record(client: FlaskClient) -> None:
    one = told(client, f"{BELINDA}/likely?deals=5")
    assert LikelySchema().validate(one) == {}
    assert one["looked"]["deals"] == 5
    seed = one["looked"]["seed"]
    for asked in ("deals=5", f"deals=5&seed={seed}"):
        assert told(client, f"{BELINDA}/likely?{asked}") == one
    other = told(client, f"{BELINDA}/likely?deals=5&seed={seed + 1}")
    assert other["looked"] == {**one["looked"], "seed": seed + 1}
    entries = belinda()
    assert hidden_cards.seed_of(entries) == seed != hidden_cards.seed_of(entries[:-1])


def test_what_cannot_be_counted_in_time_is_said_to_be_missing(client: FlaskClient) -> None:
    answer = told(client, "replays/belinda-second-reading/likely")
    assert (answer["looked"], answer["plays"], answer["point"]) == (None, [], None)
    missing = "entries, or cards, so few of which are hidden that the deals can be counted"
    assert answer["missing"] == [missing]
    lawful = told(client, "replays/belinda-second-reading/evidence")["lawful"]
    assert (lawful["agrees"], lawful["decided"]) == (None, False)
    assert lawful["deals"] == {"least": "0", "most": None}
    assert LikelySchema().validate(likely_object(hidden_cards.UNCOUNTED, None)) == {}


def test_what_cannot_be_asked_is_refused(client: FlaskClient) -> None:
    for query, parameter in (
        ("likely?deals=0", "deals"), ("likely?deals=13", "deals"), ("likely?seed=-1", "seed"),
        ("evidence?witness=any", "witness"), ("evidence?of=x", "of"), ("evidence?deals=3", "deals"),
        ("likely?of=3", "of"),
    ):  # fmt: skip
        assert parameters(client.get(f"{API}/{BELINDA}/{query}")) == [parameter], query
    # No two questions share a tag.
    queries = ("evidence", "evidence?of=3", "evidence?witness=lawful", "likely", "likely?seed=3",
               "likely?deals=3", "likely?deals=3&seed=3")  # fmt: skip
    answers = [client.get(f"{API}/deals/{DEAL}/{query}") for query in queries]
    assert len({answer.headers["ETag"] for answer in answers}) == len(queries)


@BOTH
def test_of_a_log_one_deal_is_looked_at_and_no_longer_one_than_is_played(
    client: FlaskClient, aspect: str
) -> None:
    two = [*SEEN, *SEEN[:5]]
    first = body_of(client.post(f"{API}/{aspect}?deal=1", json=two))
    assert first == body_of(client.post(f"{API}/{aspect}", json=SEEN))
    assert client.post(f"{API}/{aspect}?at=99", json=SEEN).status_code == 404
    assert client.post(f"{API}/{aspect}?deal=3", json=two).status_code == 422
    long = [OPENING, *[{"type": "gap_noted"}] * ENTRIES]
    assert problem(client.post(f"{API}/{aspect}", json=long)) == (413, "too-large")


@pytest.mark.parametrize(
    ("path", "body"), [(f"{BELINDA}/evidence?at=30", None), ("likely", SEEN)], ids=["a deal", "a log"]
)
def test_for_an_anonymous_caller_it_counts_as_many_requests(path: str, body: Any) -> None:
    anybody = create_app(MemoryStore(), settings=Settings(rate=0.001, burst=30)).test_client()
    asked = {"method": "POST" if body else "GET", "json": body, "environ_overrides": ELSEWHERE}
    answers = [anybody.open(f"{API}/{path}", **asked) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
