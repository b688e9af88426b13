"""Strict mode: what breaks a rule is refused, judged by no more than the acting seat may know."""

import random
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from engine import in_seat, view
from engine.cards import SEAT_OF
from schemas.reader import read_entry
from service.store import EventStore
from service.strictness import refusals
from tests.slow import faults
from tests.support.api.recording import (
    DEAL,
    OPENING,
    PLAYERS,
    TABLE,
    Json,
    recorded_deal,
    recorded_table,
    some_deal,
)
from tests.support.effort import examples

ADDRESS = f"/api/v1/deals/{DEAL}"
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


def append(client: FlaskClient, events: Any, version: int | str, mode: str | None = "strict") -> TestResponse:
    tag = f'"{version}"' if isinstance(version, int) else version
    query = f"?mode={mode}" if mode else ""
    return client.post(f"{ADDRESS}/events{query}", json=events, headers={"If-Match": tag})


def play(seat: str, card: str) -> Json:
    return {"type": "card_played", "seat": seat, "card": card}


def test_what_breaks_no_rule_is_stored(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING, *HANDS])
    assert append(client, SOLO, 3).status_code == 201
    assert append(client, play("forehand", "SK"), 9).status_code == 201


def test_an_act_out_of_turn_is_refused_with_its_rule_and_place(
    client: FlaskClient, store: EventStore
) -> None:
    recorded_deal(store, [OPENING, *HANDS, *SOLO])
    answer = append(client, [play("forehand", "SK"), play("backhand", "S?")], 9)
    assert answer.status_code == 422
    problem = answer.get_json()
    assert problem["type"] == "/problems/against-the-rules"
    assert (problem["rule"], problem["seq"]) == ("5. Play", 11)
    assert problem["errors"][0]["pointer"] == "/1"
    assert problem["findings"][0]["code"] == "wrong_seat"
    assert store.version(DEAL) == 9


def test_a_card_that_he_has_not_is_refused(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING, *HANDS, *SOLO])
    answer = append(client, play("forehand", "D2"), 9)
    assert [finding["code"] for finding in answer.get_json()["findings"]] == ["card_not_held"]


def test_a_refusal_tells_nothing_of_another_hand(client: FlaskClient, store: EventStore) -> None:
    """Backhand's hand is not recorded: what he plays may be in middlehand's, which he does not know."""
    recorded_deal(store, [OPENING, *HANDS, *SOLO])
    append(client, [play("forehand", "SK"), play("middlehand", "HK")], 9)
    answer = append(client, play("backhand", "HQ"), 11)
    assert answer.status_code == 201
    assert "card_duplicated" not in {finding["code"] for finding in answer.get_json()["findings"]}
    everything = client.get(f"/api/v1/deals/{DEAL}/findings").get_json()["findings"]
    assert "card_duplicated" in {finding["code"] for finding in everything}


def test_a_closing_in_the_same_breath_opens_no_hands(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING, *HANDS, *SOLO])
    append(client, [play("forehand", "SK"), play("middlehand", "HK")], 9)
    closing = {"type": "deal_closed", "payments": {}, "engine": "0"}
    answer = append(client, [play("backhand", "HQ"), closing], 11)
    assert answer.status_code == 201


def test_a_note_at_any_version_is_judged_at_the_current_one(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING])
    assert append(client, {"type": "note_added", "text": "!"}, "*").status_code == 201


def test_a_repeat_is_not_judged_again(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING, *HANDS, *SOLO])
    card = {**play("forehand", "SK"), "id": "018f5e2b-0000-7000-8000-000000000001"}
    assert append(client, card, 9).status_code == 201
    assert append(client, card, 9).status_code == 200
    more = [card, {**play("middlehand", "HK"), "id": "018f5e2b-0000-7000-8000-000000000002"}]
    assert append(client, more, 9).status_code == 201


def test_a_stale_version_is_stale_before_anything_is_judged(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING, *HANDS, *SOLO])
    assert append(client, play("backhand", "D2"), 4).status_code == 412


def test_a_batch_whose_beginning_is_stored_is_stale_where_others_wrote_behind_it(
    client: FlaskClient, store: EventStore
) -> None:
    recorded_deal(store, [OPENING, *HANDS, *SOLO])
    card = {**play("forehand", "SK"), "id": "018f5e2b-0000-7000-8000-000000000001"}
    assert append(client, card, 9).status_code == 201
    assert append(client, play("middlehand", "HK"), 10).status_code == 201
    more = [card, {**play("backhand", "C4"), "id": "018f5e2b-0000-7000-8000-000000000002"}]
    for version in (9, 10, 12):
        answer = append(client, more, version)
        assert (answer.status_code, answer.get_json()["version"]) == (412, 11)
    answer = append(client, more, 11)
    assert (answer.status_code, [one["seq"] for one in answer.get_json()["events"]]) == (201, [10, 12])
    # What is found at the entry of somebody else, between the two, is not told here.
    assert 11 not in {one["seq"] for one in answer.get_json()["findings"]}


def test_ids_are_looked_at_before_the_version(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING, *HANDS, *SOLO])
    card = {**play("forehand", "SK"), "id": "018f5e2b-0000-7000-8000-000000000001"}
    assert append(client, card, 9).status_code == 201
    changed = [{**card, "card": "SQ"}, play("middlehand", "HK")]
    assert append(client, changed, 4).status_code == 409
    assert append(client, [*changed[1:], card], 4).status_code == 409


def test_a_whole_deal_is_judged_when_it_is_opened(client: FlaskClient) -> None:
    deal = [OPENING, *HANDS, *SOLO, play("forehand", "D2")]
    assert client.post("/api/v1/deals?mode=strict", json=deal).status_code == 422
    assert client.post("/api/v1/deals", json=deal).status_code == 201


@pytest.mark.parametrize(("mode", "status"), [(None, 422), ("strict", 422), ("as_played", 201)])
def test_a_strict_table_is_strict_unless_the_request_says_otherwise(
    client: FlaskClient, store: EventStore, mode: str | None, status: int
) -> None:
    recorded_table(store, mode="strict")
    opening = {"players": PLAYERS, "id": DEAL}
    started = client.post(f"/api/v1/tables/{TABLE}/deals", json=opening, headers={"If-Match": '"1"'})
    assert started.status_code == 201
    bid = {"type": "bid_made", "seat": "backhand", "bid": "solo"}
    assert append(client, bid, 1, mode).status_code == status


def test_a_planted_fault_is_refused_where_its_seat_can_see_it(client: FlaskClient, store: EventStore) -> None:
    events, seq, codes = faults.revoke(random.Random(3))
    recorded_deal(store, events[: seq - 1])
    answer = append(client, events[seq - 1], seq - 1)
    assert answer.status_code == 422
    assert {f["code"] for f in answer.get_json()["findings"]} & codes


@settings(max_examples=examples(40))
@given(st.integers(0, 10_000), st.data())
def test_what_is_refused_follows_from_what_the_actor_may_know(seed: int, data: st.DataObject) -> None:
    deal = some_deal(seed, talon=True)
    acts = [n for n, event in enumerate(deal) if n > 3 and "seat" in event]
    at = data.draw(st.sampled_from(acts))
    act = dict(deal[at])
    if "card" in act:
        act["card"] = data.draw(st.sampled_from(["SA", "CA", "H7", "D2", "CK", "S?", act["card"]]))
    log = tuple(read_entry(event, seq) for seq, event in enumerate(deal[:at], 1))
    seen = view(log, in_seat(SEAT_OF[act["seat"]]))
    sent = [read_entry(act, at + 1)]
    assert [f[:5] for f in refusals(log, sent)] == [f[:5] for f in refusals(seen, sent)]
