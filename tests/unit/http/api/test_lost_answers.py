"""An answer that got lost is asked for by sending the same again, and nothing happens by it.

For every way of writing: what was stored is answered again, nothing is stored twice, and it does not matter
what others wrote meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from schemas.notation import NOTATION_MEDIA_TYPE
from service.eventstore import EventStore
from tests.support.api.asking import API, body_of, problem, send
from tests.support.api.recording import DEAL, OPENING, PLAYERS, TABLE, Json, recorded_deal, recorded_table
from tests.support.api.recording import SLIP as IN_WORDS

NEW = "018f5e2b-0000-7000-8000-0000000000{:02d}".format
NOTE: Json = {"type": "note_added", "text": "Well played.", "id": NEW(1)}
BID: Json = {"type": "bid_made", "seat": "forehand", "bid": "pass", "id": NEW(2)}
OTHER_BID: Json = {"type": "bid_made", "seat": "middlehand", "bid": "pass"}
SLIP: Json = {"type": "result_recorded", "declarer": "forehand", "contract": "solo", "outcome": "won"}
CORRECTION: Json = {"type": "correction_made", "replaces": [1], "reason": "no", "id": NEW(8)}
LINES = "application/jsonl"
TEXT = IN_WORDS.replace("\n\n", f"\nId: {NEW(3)}\n\n")
TABLE_OPENED = {"type": "table_opened", "ruleset": "dlu", "players": ["Anna", "Bo", "Carl"]}
STARTED: Json = {"type": "deal_started", "deal": NEW(5), "number": 1}
EVENING = [{**TABLE_OPENED, "id": NEW(4)}, STARTED, {**OPENING, "id": NEW(5)}, SLIP]


class Way(NamedTuple):
    """A way of writing: where it is sent, what, on which version, as which type."""

    path: str
    body: Any
    version: str | None = None
    content_type: str = "application/json"

    def sent(self, client: FlaskClient) -> TestResponse:
        body = self.body if isinstance(self.body, str) else json.dumps(self.body)
        named = {"If-Match": self.version} if self.version else {}
        return client.post(f"{API}{self.path}", data=body, headers=named, content_type=self.content_type)


def to_jsonl(events: list[Json]) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


AT_DEAL, AT_TABLE, START = f"/deals/{DEAL}/events", f"/tables/{TABLE}/events", f"/tables/{TABLE}/deals"
WAYS = {
    "a deal is opened": Way("/deals", {**OPENING, "id": NEW(6)}),
    "a deal from a slip": Way("/deals", [{**OPENING, "id": NEW(6)}, SLIP]),
    "a deal in the notation": Way("/deals", TEXT, None, NOTATION_MEDIA_TYPE),
    "a variation": Way("/deals", {**OPENING, "id": NEW(6), "branch": {"deal": DEAL, "at": 1, "known": 1}}),
    "an event of a deal": Way(AT_DEAL, BID, '"1"'),
    "a batch": Way(AT_DEAL, [BID, {**OTHER_BID, "id": NEW(7)}, NOTE], '"1"'),
    "a batch of which the first has an id": Way(AT_DEAL, [BID, OTHER_BID], '"1"'),
    "a batch as lines": Way(AT_DEAL, to_jsonl([BID, NOTE]), '"1"', LINES),
    "a strict batch": Way(f"{AT_DEAL}?mode=strict", [BID, NOTE], '"1"'),
    "a note at any version": Way(AT_DEAL, NOTE, "*"),
    "a correction": Way(AT_DEAL, {**CORRECTION, "with": [OPENING]}, '"1"'),
    "a table is opened": Way("/tables", {**TABLE_OPENED, "id": NEW(9)}),
    "an event of a table": Way(AT_TABLE, {"type": "player_joined", "player": "Dora", "id": NEW(9)}, '"1"'),
    "a correction at a table": Way(AT_TABLE, {**CORRECTION, "with": [TABLE_OPENED]}, '"1"'),
    "a deal is started": Way(START, {"id": NEW(10)}, '"1"'),
    "a deal is started with players": Way(START, {"id": NEW(10), "players": PLAYERS, "title": "A"}, '"1"'),
    "a file is imported": Way("/import", to_jsonl([{**OPENING, "id": NEW(11)}, SLIP]), None, LINES),
    "a file without ids is imported": Way("/import", to_jsonl([OPENING, SLIP, OPENING]), None, LINES),
    "an evening is imported": Way("/import", to_jsonl(EVENING), None, LINES),
    "a text is imported": Way("/import", TEXT, None, NOTATION_MEDIA_TYPE),
}  # fmt: skip


@pytest.fixture
def records(client: FlaskClient, store: EventStore) -> EventStore:
    recorded_deal(store, [OPENING])
    recorded_table(store)
    return store


def meanwhile(client: FlaskClient) -> None:
    for kind in ("deals", "tables"):
        for one in client.get(f"{API}/{kind}").get_json()[kind]:
            body_of(send(client, f"{kind}/{one['id']}/events", {"type": "note_added", "text": "Hm."}), 201)


def stored_part(answer: TestResponse) -> Any:
    """What an answer says of what is stored, without the version, which moves on."""
    body = answer.get_json()
    if "records" in body:
        return [(one["kind"], one["id"], one["detail"]) for one in body["records"]]
    at_table = body["table"]["events"] if isinstance(body.get("table"), dict) else None
    return body["events"], at_table


@pytest.mark.parametrize("name", WAYS)
def test_it_is_harmless_to_send_it_again(client: FlaskClient, records: EventStore, name: str) -> None:
    way = WAYS[name]
    first = way.sent(client)
    assert first.status_code == (200 if way.path == "/import" else 201), first.text
    for act in (lambda _: None, meanwhile):
        act(client)
        head = records.head()
        again = way.sent(client)
        assert (again.status_code, stored_part(again)) == (200, stored_part(first)), again.text
        assert records.head() == head


CHANGED: dict[str, Callable[[Any], Any]] = {
    "a deal is opened": lambda body: {**body, "title": "Another"},
    "an event of a deal": lambda body: {**body, "bid": "solo"},
    "a batch": lambda body: [*body[:-1], {**body[-1], "text": "Badly played."}],
    "a batch of which the first has an id": lambda body: [body[0], {**body[1], "seat": "backhand"}],
    "a strict batch": lambda body: [{**body[0], "bid": "solo"}, *body[1:]],
    "a note at any version": lambda body: {**body, "text": "Badly played."},
    "a table is opened": lambda body: {**body, "title": "Another"},
    "an event of a table": lambda body: {**body, "player": "Else"},
    "a deal is started": lambda body: {**body, "title": "Another"},
}


@pytest.mark.parametrize("name", CHANGED)
def test_the_same_id_with_another_body_conflicts(client: FlaskClient, records: EventStore, name: str) -> None:
    way = WAYS[name]
    assert way.sent(client).status_code == 201
    head = records.head()
    assert problem(way._replace(body=CHANGED[name](way.body)).sent(client)) == (409, "id-conflict")
    assert records.head() == head


def test_a_queue_is_stored_once_and_in_order_in_the_end(client: FlaskClient, store: EventStore) -> None:
    """A device comes back from offline; its answers get lost, and then somebody else writes in between."""
    recorded_deal(store, [OPENING])
    queue = [{**NOTE, "id": NEW(n), "text": f"Remark {n}"} for n in range(60)]
    for size in (20, 5, 23, 23):
        assert Way(AT_DEAL, queue[:size], '"1"').sent(client).status_code in (200, 201)
    meanwhile(client)
    refused = Way(AT_DEAL, queue, '"1"').sent(client)
    assert (refused.status_code, refused.headers["ETag"], store.stream_version(DEAL)) == (412, '"25"', 25)
    assert Way(AT_DEAL, queue, '"25"').sent(client).status_code == 201
    stored = [event.event_id for event in store.read_stream(DEAL)]
    assert [one for one in stored if one in {NEW(n) for n in range(60)}] == [NEW(n) for n in range(60)]


def test_opening_a_deal_again_with_more_is_stale(client: FlaskClient, records: EventStore) -> None:
    opening = WAYS["a deal from a slip"]
    assert opening.sent(client).status_code == 201
    meanwhile(client)
    answer = opening._replace(body=[*opening.body, {"type": "gap_noted"}]).sent(client)
    others = "The record is at version 3, and others have written after the entries that you send again."
    assert body_of(answer, 412)["detail"] == f"{others} Append the rest to its events."
