"""What hidden cards can be, and best play over the deals that can have been, asked of the API."""

from typing import Any

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient

import replays
from engine import effective, fold_all
from engine.unseen import unseen
from schemas.deal_size import ENTRIES
from schemas.likely import likely_object
from schemas.unseen import evidence_object
from service import hidden_card_answers
from service.api.shapes.unseen import (
    MOST_DEALS,
    EvidenceOfLogSchema,
    EvidenceSchema,
    LikelyOfLogSchema,
    LikelySchema,
)
from service.api.unseen_logs import SEEN
from service.app import create_app
from service.settings import Settings
from service.store import MemoryStore
from tests.support.api.clients import owner_of
from tests.support.api.recording import DEAL, OPENING, recorded_deal, some_deal

API = "/api/v1"
BELINDA = f"{API}/replays/belinda"
SIXTH = 31
SEATS = ("forehand", "middlehand", "backhand")
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.7"}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    store = MemoryStore()
    recorded_deal(store, some_deal(talon=True))
    return owner_of(create_app(store))


def asked(client: FlaskClient, address: str, **more: Any) -> Any:
    answer = client.get(address, **more)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def test_what_his_card_to_trick_6_can_be(client: FlaskClient) -> None:
    told = asked(client, f"{BELINDA}/evidence?of={SIXTH}")
    (sixth,) = [one for one in told["cards"] if one["seq"] == SIXTH]
    assert sixth == {
        "seq": SIXTH, "place": 0, "seat": "backhand", "card": "??", "forced": None,
        "physical": ["CJ", "D6", "H2", "H3", "H4", "H6", "HJ"],
        "lawful": ["D6", "H2", "H3", "H4", "H6", "HJ"],
    }  # fmt: skip
    assert told["lawful"]["deals"] == {"least": "1080", "most": "1080"}
    assert told["physical"]["deals"] == {"least": "5040", "most": "5040"}
    assert {one["card"]: one["deals"] for one in told["shares"]} == {
        "D6": "360", "H2": "144", "H3": "144", "H4": "144", "H6": "144", "HJ": "144",
    }  # fmt: skip
    assert told["witness"] is None


@pytest.mark.parametrize(
    ("query", "of", "witness"),
    [("", None, None), ("of=31", 31, None), ("of=15", 15, None), ("witness=lawful", None, "lawful"),
     ("at=20&witness=physical", None, "physical")],
)  # fmt: skip
def test_it_is_what_the_engine_says_in_the_shape_that_is_published(
    client: FlaskClient, query: str, of: int | None, witness: str | None
) -> None:
    told = asked(client, f"{BELINDA}/evidence?{query}")
    replay = replays.find("belinda")
    assert replay is not None
    entries = effective(replay.log()).entries
    entries = entries[:20] if "at" in query else entries
    made = unseen(entries, fold_all(entries))
    assert told == evidence_object(made, entries, of=of, witness=witness)
    assert EvidenceSchema().validate(told) == {}


def test_a_witness_is_a_whole_deal(client: FlaskClient) -> None:
    witness = asked(client, f"{BELINDA}/evidence?witness=lawful")["witness"]
    assert witness["level"] == "lawful"
    assert len(witness["plays"]) == 27
    dealt = [card for seat in SEATS for card in witness["dealt"][seat]]
    drawn = [card for seat in SEATS for card in witness["drawn"][seat]]
    assert len({*dealt, *drawn, *witness["left"]}) == 40


def test_where_no_deal_agrees_the_entries_are_named(client: FlaskClient) -> None:
    told = asked(client, f"{API}/replays/belinda-as-printed/evidence")
    assert (told["physical"]["agrees"], told["lawful"]["agrees"]) == (False, False)
    assert told["contradicting"] == [11]


@pytest.mark.parametrize("aspect", ["evidence", "likely"])
@pytest.mark.parametrize("viewer", ["public", *SEATS])
def test_it_follows_from_the_cut_log_alone(client: FlaskClient, viewer: str, aspect: str) -> None:
    at = len(some_deal(talon=True)) - 3
    text = client.get(f"{API}/deals/{DEAL}/events.jsonl?viewer={viewer}").data
    cut = [orjson.loads(line) for line in text.splitlines()][:at]
    sent = client.post(f"{API}/{aspect}", json=[_posted(one) for one in cut])
    assert sent.status_code == 200, sent.text
    told = asked(client, f"{API}/deals/{DEAL}/{aspect}?viewer={viewer}&at={at}")
    assert sent.get_json() == {**told, "problems": [], "unlisted": 0}


def _posted(event: dict[str, Any]) -> dict[str, Any]:
    """An event without what the store gave it."""
    given = ("id", "seq", "stored_at", "recorded_by")
    return {name: value for name, value in event.items() if name not in given}


def test_more_deals_than_a_number_of_json_says_are_told_as_text(client: FlaskClient) -> None:
    told = client.post(f"{API}/evidence", json=SEEN).get_json()
    assert int(told["lawful"]["deals"]["most"]) > 2**64
    likely = client.post(f"{API}/likely?deals=2", json=SEEN).get_json()
    assert int(likely["looked"]["total"]) == int(told["lawful"]["deals"]["most"])
    assert EvidenceOfLogSchema().validate(told) == {}
    assert LikelyOfLogSchema().validate(likely) == {}


def test_deals_are_drawn_by_a_seed_that_follows_from_the_record(client: FlaskClient) -> None:
    one, again = (asked(client, f"{BELINDA}/likely?deals=5") for _ in range(2))
    assert one == again
    assert LikelySchema().validate(one) == {}
    assert one["looked"]["deals"] == 5
    seed = one["looked"]["seed"]
    assert asked(client, f"{BELINDA}/likely?deals=5&seed={seed}") == one
    other = asked(client, f"{BELINDA}/likely?deals=5&seed={seed + 1}")
    assert other["looked"] == {**one["looked"], "seed": seed + 1}
    replay = replays.find("belinda")
    assert replay is not None
    entries = effective(replay.log()).entries
    assert hidden_card_answers.seed_of(entries) == seed != hidden_card_answers.seed_of(entries[:-1])


def test_best_play_is_told_for_the_point_and_for_what_was_played(client: FlaskClient) -> None:
    told = asked(client, f"{BELINDA}/likely?at=27&deals={MOST_DEALS}")
    assert told["point"]["seat"] == "middlehand"
    assert len(told["plays"]) == 13
    for card in told["point"]["cards"]:
        assert sum(one["deals"] for one in card["ends"]) == card["deals"] == MOST_DEALS


def test_what_cannot_be_counted_in_time_is_said_to_be_missing(client: FlaskClient) -> None:
    told = asked(client, f"{API}/replays/belinda-second-reading/likely")
    assert (told["looked"], told["plays"], told["point"]) == (None, [], None)
    assert told["missing"] == ["entries, or cards, so few of which are hidden that the deals can be counted"]
    nothing = asked(client, f"{API}/replays/belinda-second-reading/evidence")
    assert (nothing["lawful"]["agrees"], nothing["lawful"]["decided"]) == (None, False)
    assert nothing["lawful"]["deals"] == {"least": "0", "most": None}


def test_it_is_told_in_danish_where_that_is_preferred(client: FlaskClient) -> None:
    danish = {"Accept-Language": "da"}
    for aspect, words in (("evidence", "Kortene alene"), ("likely", "I stik 1")):
        answer = client.get(f"{BELINDA}/{aspect}", headers=danish)
        assert answer.headers["Content-Language"] == "da"
        assert words in answer.text


@pytest.mark.parametrize(
    ("query", "parameter"),
    [("likely?deals=0", "deals"), ("likely?deals=13", "deals"), ("likely?seed=-1", "seed"),
     ("evidence?witness=any", "witness"), ("evidence?of=x", "of"), ("evidence?deals=3", "deals"),
     ("likely?of=3", "of")],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused(client: FlaskClient, query: str, parameter: str) -> None:
    answer = client.get(f"{BELINDA}/{query}")
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/invalid-parameter")
    assert [one["parameter"] for one in answer.get_json()["errors"]] == [parameter]


def test_no_two_questions_share_a_tag(client: FlaskClient) -> None:
    address = f"{API}/deals/{DEAL}"
    asked_for = [
        f"{address}/{query}"
        for query in (
            "evidence", "evidence?of=3", "evidence?witness=lawful", "evidence?witness=physical", "likely",
            "likely?seed=3", "likely?deals=3", "likely?deals=3&seed=3",
        )
    ]  # fmt: skip
    tags = [client.get(one).headers["ETag"] for one in asked_for]
    assert len(set(tags)) == len(tags)
    for one, tag in zip(asked_for, tags, strict=True):
        assert client.get(one, headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize("door", ["evidence", "likely"])
def test_of_a_log_one_deal_is_looked_at_and_no_longer_one_than_is_played(
    client: FlaskClient, door: str
) -> None:
    two = [*SEEN, *SEEN[:5]]
    first = client.post(f"{API}/{door}?deal=1", json=two).get_json()
    assert first == client.post(f"{API}/{door}", json=SEEN).get_json()
    assert client.post(f"{API}/{door}?at=99", json=SEEN).status_code == 404
    assert client.post(f"{API}/{door}?deal=3", json=two).status_code == 422
    long = [OPENING, *[{"type": "gap_noted"}] * ENTRIES]
    refused = client.post(f"{API}/{door}", json=long)
    assert (refused.status_code, refused.get_json()["type"]) == (413, "/problems/too-large")


@pytest.fixture
def hurried() -> Flask:
    return create_app(MemoryStore(), settings=Settings(rate=0.001, burst=30))


@pytest.mark.parametrize("door", ["evidence", "likely"])
def test_for_a_stranger_it_counts_as_many_requests(hurried: Flask, door: str) -> None:
    stranger = hurried.test_client()
    address = f"{BELINDA}/{door}?at=30"
    statuses = [stranger.get(address, environ_overrides=ELSEWHERE).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]


@pytest.mark.parametrize("door", ["evidence", "likely"])
def test_a_log_of_a_stranger_counts_as_many(hurried: Flask, door: str) -> None:
    stranger = hurried.test_client()
    sent = [
        stranger.post(f"{API}/{door}", json=SEEN, environ_overrides=ELSEWHERE).status_code for _ in range(3)
    ]
    assert sent == [200, 200, 429]


def test_an_answer_that_says_what_is_missing_has_the_same_shape() -> None:
    assert LikelySchema().validate(likely_object(hidden_card_answers.UNCOUNTED, None)) == {}
