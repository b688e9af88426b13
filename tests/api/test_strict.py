"""Strict mode: what breaks a rule is refused, judged by no more than the acting seat may know."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.eventstore import EventStore
from tests.support.api.asking import API, CLOSING, body_of, send, told
from tests.support.api.recording import (
    DEAL,
    OPENING,
    PLAYERS,
    TABLE,
    Json,
    recorded_deal,
    recorded_table,
)

FIRST = ["SK", "SQ", "SJ", "S7", "S6", "S5", "S4", "S3", "S2"]
SECOND = ["HK", "HQ", "HJ", "H7", "H6", "H5", "H4", "H3", "H2"]
HANDS: list[Json] = [
    {"type": "hand_dealt", "seat": "forehand", "cards": FIRST},
    {"type": "hand_dealt", "seat": "middlehand", "cards": SECOND},
]
SOLO: list[Json] = [
    {"type": "bid_made", "seat": "forehand", "bid": "solo"},
    {"type": "bid_made", "seat": "middlehand", "bid": "pass"},
    {"type": "bid_made", "seat": "backhand", "bid": "pass"},
    {"type": "contract_named", "seat": "forehand", "contract": "solo", "trump": "D"},
    {"type": "cards_discarded", "seat": "middlehand", "cards": []},
    {"type": "cards_discarded", "seat": "backhand", "cards": []},
]


EVENTS = f"deals/{DEAL}/events"


def append(client: FlaskClient, events: Any, version: int | str, mode: str | None = "strict") -> TestResponse:
    return send(client, EVENTS, events, version, **({"mode": mode} if mode else {}))


def play(seat: str, card: str, number: int = 0) -> Json:
    """A card that is played, with an id where it has a number."""
    id_ = {"id": f"018f5e2b-0000-7000-8000-{number:012}"} if number else {}
    return {"type": "card_played", "seat": seat, "card": card, **id_}


@pytest.fixture
def trick(client: FlaskClient, store: EventStore) -> FlaskClient:
    """A client of a service with a deal in which forehand leads."""
    recorded_deal(store, [OPENING, *HANDS])
    assert append(client, SOLO, 3).status_code == 201
    return client


def test_what_breaks_a_rule_is_refused_with_its_rule_and_place(trick: FlaskClient, store: EventStore) -> None:
    refused = body_of(append(trick, [play("forehand", "SK"), play("backhand", "S?")], 9), 422)
    assert refused["type"] == "/problems/against-the-rules"
    assert (refused["rule"], refused["seq"]) == ("5. Play", 11)
    assert refused["errors"][0]["pointer"] == "/1"
    assert refused["findings"][0]["code"] == "wrong_seat"
    not_held = body_of(append(trick, play("forehand", "D2"), 9), 422)
    assert [finding["code"] for finding in not_held["findings"]] == ["card_not_held"]
    assert store.version(DEAL) == 9
    assert append(trick, {"type": "note_added", "text": "!"}, "*").status_code == 201
    assert append(trick, play("backhand", "D2"), 4).status_code == 412, "stale before it is judged"


@pytest.mark.parametrize("more", [[], [CLOSING]], ids=["alone", "with a closing in the same breath"])
def test_a_refusal_tells_nothing_of_another_hand(trick: FlaskClient, more: list[Json]) -> None:
    """Backhand's hand is not recorded: its card may be in middlehand's, which backhand does not know."""
    append(trick, [play("forehand", "SK"), play("middlehand", "HK")], 9)
    answer = body_of(append(trick, [play("backhand", "HQ"), *more], 11), 201)
    if not more:
        assert "card_duplicated" not in {finding["code"] for finding in answer["findings"]}
    everything = told(trick, f"deals/{DEAL}/findings")["findings"]
    assert "card_duplicated" in {finding["code"] for finding in everything}


def test_a_repeat_is_not_judged_again(trick: FlaskClient) -> None:
    card = play("forehand", "SK", 1)
    for status in (201, 200):
        assert append(trick, card, 9).status_code == status
    assert append(trick, play("middlehand", "HK", 2), 10).status_code == 201
    # Ids are looked at before the version, and the version before the rules.
    changed = [play("forehand", "SQ", 1), play("middlehand", "HK")]
    for sent in (changed, [*changed[1:], card]):
        assert append(trick, sent, 4).status_code == 409
    more = [card, play("backhand", "C4", 3)]
    assert body_of(append(trick, more, 9), 412)["version"] == 11
    answer = body_of(append(trick, more, 11), 201)
    assert [one["seq"] for one in answer["events"]] == [10, 12]
    # What is found at the entry of somebody else, between the two, is not told here.
    assert 11 not in {one["seq"] for one in answer["findings"]}


def test_a_whole_deal_is_judged_when_it_is_opened(client: FlaskClient) -> None:
    deal = [OPENING, *HANDS, *SOLO, play("forehand", "D2")]
    assert client.post(f"{API}/deals?mode=strict", json=deal).status_code == 422
    assert client.post(f"{API}/deals", json=deal).status_code == 201


def test_a_strict_table_is_strict_unless_the_request_says_otherwise(
    client: FlaskClient, store: EventStore
) -> None:
    recorded_table(store, mode="strict")
    body_of(send(client, f"tables/{TABLE}/deals", {"players": PLAYERS, "id": DEAL}, 1), 201)
    bid = {"type": "bid_made", "seat": "backhand", "bid": "solo"}
    for mode, status in ((None, 422), ("strict", 422), ("as_played", 201)):
        assert append(client, bid, 1, mode).status_code == status, mode
