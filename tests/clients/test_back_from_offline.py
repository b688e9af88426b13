"""A device comes back with sixty events in its outbox, of which the first twenty had been stored.

It was recording at a table without a network. Once there was one for a moment: twenty events went out and
were stored, and the answer never came. So it has to send all sixty again.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.eventstore import EventStore
from tests.support.api.recording import DEAL, OPENING, Json, recorded_deal, some_deal

EVENTS = f"/api/v1/deals/{DEAL}/events"
STORED, QUEUED = 20, 60


def queue() -> list[Json]:
    """Sixty events, each with the id that the device gave it: a deal, and remarks after it."""
    deal = some_deal(0)[1:]
    remarks = [{"type": "note_added", "text": f"Remark {n}"} for n in range(QUEUED - len(deal))]
    return [{**one, "id": f"018f5e2b-0000-7000-8000-{n:012d}"} for n, one in enumerate([*deal, *remarks])]


def send(client: FlaskClient, events: list[Json], version: int) -> TestResponse:
    return client.post(EVENTS, json=events, headers={"If-Match": f'"{version}"'})


def log(client: FlaskClient) -> list[Json]:
    found: list[Json] = client.get(EVENTS).get_json()["events"]
    return found


def require_each_once(client: FlaskClient, outbox: list[Json], others: int = 0) -> None:
    """The whole queue stands in the record in its order, behind the opening, with nothing twice."""
    told = log(client)
    assert [one["seq"] for one in told] == list(range(1, QUEUED + others + 2))
    own = {one["id"] for one in outbox}
    assert [one["id"] for one in told if one["id"] in own] == [one["id"] for one in outbox]


@pytest.fixture
def outbox(client: FlaskClient, store: EventStore) -> list[Json]:
    """What the device has to send; the first twenty are stored, which it does not know."""
    recorded_deal(store, [OPENING])
    events = queue()
    assert len(events) == QUEUED
    assert send(client, events[:STORED], 1).status_code == 201
    return events


def test_all_of_it_in_one_batch(client: FlaskClient, outbox: list[Json]) -> None:
    answer = send(client, outbox, 1)
    assert (answer.status_code, answer.get_json()["version"]) == (201, QUEUED + 1)
    assert [one["seq"] for one in answer.get_json()["events"]] == list(range(2, QUEUED + 2))
    require_each_once(client, outbox)


@pytest.mark.parametrize("size", [1, 7, 20, 50])
def test_in_parts_each_on_the_version_behind_the_one_before(
    client: FlaskClient, outbox: list[Json], size: int
) -> None:
    version = 1
    for start in range(0, QUEUED, size):
        answer = send(client, outbox[start : start + size], version)
        known = start + size <= STORED
        assert answer.status_code == (200 if known else 201)
        version = answer.get_json()["events"][-1]["seq"]
    require_each_once(client, outbox)


def test_the_network_fails_again_and_again(client: FlaskClient, outbox: list[Json]) -> None:
    """Each time some more is stored and the answer is lost, so that it begins from the first again."""
    for size in (5, 20, 23, 23, 41, 60, 60):
        assert send(client, outbox[:size], 1).status_code in (200, 201)
    require_each_once(client, outbox)


def test_two_flushers_of_one_outbox_at_once(client: FlaskClient, outbox: list[Json]) -> None:
    """Two tabs of one browser send the same queue, one event at a time, each at its own pace."""
    ready = threading.Barrier(2)

    def flush(_: int) -> list[int]:
        own = client.application.test_client()
        own.environ_base.update(client.environ_base)
        ready.wait()
        return [send(own, [event], version).status_code for version, event in enumerate(outbox, 1)]

    with ThreadPoolExecutor(2) as threads:
        statuses = list(threads.map(flush, range(2)))
    assert {status for one in statuses for status in one} <= {200, 201}
    assert sum(one.count(201) for one in statuses) == QUEUED - STORED
    require_each_once(client, outbox)


@pytest.mark.parametrize("strict", [False, True])
def test_somebody_wrote_in_between(client: FlaskClient, outbox: list[Json], strict: bool) -> None:
    """Nothing of it is stored behind another's entry before a person has seen that, and decided."""
    ruling = {"type": "ruling_made", "text": "The deal goes on."}
    assert client.post(EVENTS, json=ruling, headers={"If-Match": "*"}).status_code == 201
    path = f"{EVENTS}?mode=strict" if strict else EVENTS
    answer = client.post(path, json=outbox, headers={"If-Match": '"1"'})
    assert (answer.status_code, answer.headers["ETag"]) == (412, f'"{STORED + 2}"')
    assert len(log(client)) == STORED + 2
    # What came in between can be read, and lies before the person.
    between: Any = client.get(f"{EVENTS}?after={STORED + 1}").get_json()["events"]
    assert [one["text"] for one in between] == ["The deal goes on."]
    answer = client.post(path, json=outbox, headers={"If-Match": answer.headers["ETag"]})
    assert answer.status_code == 201
    require_each_once(client, outbox, others=1)


def test_it_changed_its_mind_about_what_was_stored(client: FlaskClient, outbox: list[Json]) -> None:
    """An entry that was mended in the outbox, and had gone out as it was: nobody overwrites it unseen."""
    outbox[STORED - 1] = {**outbox[STORED - 1], "type": "note_added", "text": "I meant this."}
    keep = {name: outbox[STORED - 1][name] for name in ("type", "text", "id")}
    answer = send(client, [*outbox[: STORED - 1], keep, *outbox[STORED:]], 1)
    assert (answer.status_code, answer.get_json()["seq"]) == (409, STORED + 1)
    assert len(log(client)) == STORED + 1
