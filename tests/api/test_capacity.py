"""How much a record takes, from whom, and that all of it can be read back."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient

from schemas.jsonlines import ENTRIES
from service import capacity
from service.app import create_app
from service.identity.grants import Scope, Terms
from service.store import ANY, Append, EventStore, MemoryStore, NewEvent
from tests.support.api.clients import holding, owner_of
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, recorded_table

NOTE = {"type": "note_added", "text": "on and on"}
ADDRESSES = {"deal": f"/api/v1/deals/{DEAL}/events", "table": f"/api/v1/tables/{TABLE}/events"}
ANYTIME = {"If-Match": "*"}


@pytest.fixture(params=ADDRESSES)
def kind(request: pytest.FixtureRequest, store: EventStore) -> str:
    """A kind of record, of which one is there."""
    kind: str = request.param
    if kind == "deal":
        recorded_deal(store, [OPENING])
    else:
        recorded_table(store)
    return kind


def stream_of(kind: str) -> str:
    return DEAL if kind == "deal" else TABLE


def filled(store: EventStore, kind: str, version: int) -> None:
    """Fills the record with notes that nobody wrote, up to that version."""
    stream = stream_of(kind)
    new = [
        NewEvent(f"018f5e2a-0000-7000-8000-{seq:012d}", b'{"type":"note_added","text":"on"}')
        for seq in range(store.version(stream), version)
    ]
    store.append(stream, [Append(stream, ANY, new)])


def player(client: FlaskClient, kind: str) -> FlaskClient:
    where = Scope("deal", DEAL) if kind == "deal" else Scope("table", TABLE)
    who: dict[str, Any] = {"seat": "backhand"} if kind == "deal" else {"person": "Carl"}
    return holding(client.application, Terms("player", where, **who))


def problem(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["type"].removeprefix("/problems/")


def test_a_player_has_a_share_of_notes_and_the_recorder_the_rest(
    client: FlaskClient, store: EventStore, kind: str
) -> None:
    one, other, address = player(client, kind), player(client, kind), ADDRESSES[kind]
    refused = one.post(address, json=[NOTE] * (capacity.NOTES + 1), headers=ANYTIME)
    assert problem(refused) == (413, "notes-used-up")
    sent = [{**NOTE, "id": f"018f5e2a-0000-7000-9000-{n:012d}"} for n in range(capacity.NOTES)]
    for status in (201, 200):
        assert one.post(address, json=sent, headers=ANYTIME).status_code == status
    version = store.version(stream_of(kind))
    for tag in ("*", f'"{version}"'):
        assert problem(one.post(address, json=NOTE, headers={"If-Match": tag})) == (413, "notes-used-up")
    assert problem(one.post(address, json=NOTE, headers={"If-Match": '"1"'})) == (412, "stale-version")
    assert other.post(address, json=NOTE, headers=ANYTIME).status_code == 201
    assert client.post(address, json=[NOTE] * 101, headers=ANYTIME).status_code == 201


def test_the_last_entries_are_kept_for_the_recorder(
    client: FlaskClient, store: EventStore, kind: str
) -> None:
    filled(store, kind, ENTRIES - capacity.KEPT_FOR_WRITERS - 1)
    one, address = player(client, kind), ADDRESSES[kind]
    assert problem(one.post(address, json=[NOTE] * 2, headers=ANYTIME)) == (413, "record-full")
    assert one.post(address, json=NOTE, headers=ANYTIME).status_code == 201
    told = one.post(address, json=NOTE, headers=ANYTIME)
    assert problem(told) == (413, "record-full")
    assert "Ask the recorder" in told.get_json()["detail"] and told.get_json()["version"] == 1500
    assert client.post(address, json=[NOTE] * 499, headers=ANYTIME).status_code == 201
    assert problem(client.post(address, json=[NOTE] * 2, headers=ANYTIME)) == (413, "record-full")
    assert client.post(address, json=NOTE, headers=ANYTIME).status_code == 201
    assert store.version(stream_of(kind)) == ENTRIES


def test_the_share_and_the_bound_hold_however_many_write_at_once(
    client: FlaskClient, store: EventStore, kind: str
) -> None:
    one, stream = player(client, kind), stream_of(kind)
    app, shows = client.application, one.environ_base
    before = store.version(stream)

    def posts(count: int, shown: dict[str, Any]) -> int:
        asker = app.test_client(use_cookies=False)
        return asker.post(
            ADDRESSES[kind], json=[NOTE] * count, headers=ANYTIME, environ_base=shown
        ).status_code

    with ThreadPoolExecutor(6) as pool:
        statuses = list(pool.map(lambda _: posts(30, shows), range(6)))
        assert sorted(statuses) == [201] * 3 + [413] * 3
        assert store.version(stream) == before + 90
        filled(store, kind, ENTRIES - 499)
        owner = client.environ_base
        assert sorted(pool.map(lambda _: posts(499, owner), range(6))) == [201] + [413] * 5
    assert store.version(stream) == ENTRIES


def test_a_full_table_starts_no_deal_and_can_be_imported_elsewhere(
    client: FlaskClient, store: EventStore
) -> None:
    recorded_table(store)
    filled(store, "table", ENTRIES)
    address, tag = f"/api/v1/tables/{TABLE}", {"If-Match": f'"{ENTRIES}"'}
    assert problem(client.post(f"{address}/deals", json={}, headers=tag)) == (413, "record-full")
    assert problem(client.post(f"{address}/pile", json=[[{}]], headers=tag)) == (413, "record-full")
    taken = client.get(f"{address}/export.jsonl").data
    elsewhere = owner_of(create_app(MemoryStore()))
    for new in (ENTRIES, 0):
        told = elsewhere.post("/api/v1/import", data=taken, content_type="application/jsonl").get_json()
        (record,) = told["records"]
        assert (record["version"], record["new"], record["detail"]) == (ENTRIES, new, None)


def test_an_event_that_no_line_of_a_file_could_hold_is_refused(
    client: FlaskClient, store: EventStore
) -> None:
    recorded_deal(store, [OPENING])
    text = "x" * 20_000
    parts = [{"type": "note_added", "text": text}] * 52
    mended: dict[str, Any] = {"type": "correction_made", "replaces": [], "with": parts, "reason": ""}
    mended["reason"] = "y" * ((1 << 20) - len(orjson.dumps(mended)) - 20)
    sent = client.post(
        ADDRESSES["deal"],
        data=orjson.dumps(mended),
        content_type="application/json",
        headers={"If-Match": '"1"'},
    )
    assert (sent.status_code, store.version(DEAL)) == (422, 1)
    assert "at most 1048576" in sent.get_json()["detail"]
