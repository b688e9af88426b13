"""How much a record takes, from whom, and that all of it can be read back."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient

from schemas.wire.jsonlines import ENTRIES
from service.app import create_app
from service.auth.grants import Scope, Terms
from service.eventstore import ANY, Append, EventStore, MemoryStore, NewEvent
from service.records import capacity
from tests.support.api.asking import API, NOTE, body_of, correction, problem, send
from tests.support.api.clients import holding, owner_of
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, recorded_table

USED_UP, FULL = (413, "notes-used-up"), (413, "record-full")


@pytest.fixture(params=["deal", "table"])
def stream(request: pytest.FixtureRequest, store: EventStore) -> str:
    """A record of either kind."""
    return recorded_deal(store, [OPENING]) if request.param == "deal" else recorded_table(store)


@pytest.fixture
def events(stream: str) -> str:
    return f"deals/{DEAL}/events" if stream == DEAL else f"tables/{TABLE}/events"


def player(app: Flask, stream: str) -> FlaskClient:
    if stream == DEAL:
        return holding(app, Terms("player", Scope("deal", DEAL), seat="backhand"))
    return holding(app, Terms("player", Scope("table", TABLE), person="Carl"))


def filled(store: EventStore, stream: str, version: int) -> None:
    """Fill the record with notes that nobody wrote, up to that version."""
    new = [
        NewEvent(f"018f5e2a-0000-7000-8000-{seq:012d}", b'{"type":"note_added","text":"on"}')
        for seq in range(store.version(stream), version)
    ]
    store.append(stream, [Append(stream, ANY, new)])


def test_a_player_has_a_share_of_notes_and_the_recorder_the_rest(
    app: Flask, client: FlaskClient, store: EventStore, stream: str, events: str
) -> None:
    one, other = player(app, stream), player(app, stream)
    assert problem(send(one, events, [NOTE] * (capacity.NOTES + 1))) == USED_UP
    sent = [{**NOTE, "id": f"018f5e2a-0000-7000-9000-{n:012d}"} for n in range(capacity.NOTES)]
    for status in (201, 200):
        assert send(one, events, sent).status_code == status
    for version in ("*", store.version(stream)):
        assert problem(send(one, events, NOTE, version)) == USED_UP
    assert problem(send(one, events, NOTE, 1)) == (412, "stale-version")
    assert send(other, events, NOTE).status_code == 201
    assert send(client, events, [NOTE] * 101).status_code == 201


def test_the_share_and_the_bound_hold_however_many_write_at_once(
    app: Flask, client: FlaskClient, store: EventStore
) -> None:
    deal = recorded_deal(store, [OPENING])

    def statuses(writer: FlaskClient, count: int) -> list[int]:
        """What six who write so many at once are answered."""

        def post(_: int) -> int:
            asker = app.test_client(use_cookies=False)
            asker.environ_base = writer.environ_base
            return send(asker, f"deals/{deal}/events", [NOTE] * count).status_code

        with ThreadPoolExecutor(6) as pool:
            return sorted(pool.map(post, range(6)))

    assert statuses(player(app, deal), 30) == [201] * 3 + [413] * 3
    assert store.version(deal) == 1 + 90
    filled(store, deal, ENTRIES - 499)
    assert statuses(client, 499) == [201] + [413] * 5
    assert store.version(deal) == ENTRIES


def test_the_last_entries_are_kept_for_the_recorder(
    app: Flask, client: FlaskClient, store: EventStore, stream: str, events: str
) -> None:
    filled(store, stream, ENTRIES - capacity.KEPT_FOR_WRITERS - 1)
    one = player(app, stream)
    assert problem(send(one, events, [NOTE] * 2)) == FULL
    assert send(one, events, NOTE).status_code == 201
    refused = send(one, events, NOTE)
    assert problem(refused) == FULL
    assert "Ask the recorder" in refused.get_json()["detail"] and refused.get_json()["version"] == 1500
    assert send(client, events, [NOTE] * 498).status_code == 201
    last = [{**NOTE, "id": f"018f5e2a-0000-7000-9000-{n:012d}"} for n in range(3)]
    assert problem(send(client, events, last)) == FULL
    for status in (201, 200):
        assert send(client, events, last[:2]).status_code == status, "a lost answer is asked for again"
    assert store.version(stream) == ENTRIES


def test_a_correction_counts_with_what_it_puts_in(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING])
    events, fits = f"deals/{DEAL}/events", correction(*[NOTE] * 1000)
    assert send(client, events, fits, 1).status_code == 201
    refused = send(client, events, fits, 2)
    assert problem(refused) == FULL
    assert str(ENTRIES) in refused.get_json()["detail"]
    assert send(client, events, correction(NOTE), 2).status_code == 201


def test_a_full_table_starts_no_deal_and_can_be_imported_elsewhere(
    client: FlaskClient, store: EventStore
) -> None:
    recorded_table(store)
    filled(store, TABLE, ENTRIES)
    for path, body in (("deals", {}), ("pile", [[{}]])):
        assert problem(send(client, f"tables/{TABLE}/{path}", body, ENTRIES)) == FULL
    taken = client.get(f"{API}/tables/{TABLE}/export.jsonl").data
    elsewhere = owner_of(create_app(MemoryStore()))
    for new in (ENTRIES, 0):
        done = body_of(elsewhere.post(f"{API}/import", data=taken, content_type="application/jsonl"))
        (record,) = done["records"]
        assert (record["version"], record["new"], record["detail"]) == (ENTRIES, new, None)


def test_an_event_that_no_line_of_a_file_could_hold_is_refused(
    client: FlaskClient, store: EventStore
) -> None:
    recorded_deal(store, [OPENING])
    mended: dict[str, Any] = {**correction(*[{**NOTE, "text": "x" * 20_000}] * 52), "reason": ""}
    mended["reason"] = "y" * ((1 << 20) - len(orjson.dumps(mended)) - 20)
    sent = {"data": orjson.dumps(mended), "content_type": "application/json"}
    refused = client.post(f"{API}/deals/{DEAL}/events", headers={"If-Match": '"1"'}, **sent)
    assert "at most 1048576" in body_of(refused, 422)["detail"]
    assert store.version(DEAL) == 1
