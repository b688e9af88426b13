"""A device comes back with sixty events in its outbox, of which the first twenty had been stored.

It was recording at a table without a network. Once there was one for a moment: twenty events went out and
were stored, and the answer never came. So it has to send all sixty again.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask.testing import FlaskClient

from service.eventstore import EventStore
from tests.support.api.asking import problem, send
from tests.support.api.recording import DEAL, OPENING, Json, recorded_deal, some_deal

EVENTS = f"deals/{DEAL}/events"
STORED, QUEUED = 20, 60


def log(client: FlaskClient) -> list[Json]:
    found: list[Json] = client.get(f"/api/v1/{EVENTS}").get_json()["events"]
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
    deal = some_deal(0)[1:]
    remarks = [{"type": "note_added", "text": f"Remark {n}"} for n in range(QUEUED - len(deal))]
    events = [{**one, "id": f"018f5e2b-0000-7000-8000-{n:012d}"} for n, one in enumerate([*deal, *remarks])]
    assert send(client, EVENTS, events[:STORED], 1).status_code == 201
    return events


@pytest.mark.parametrize("size", [1, 7, 50, QUEUED])
def test_in_parts_each_on_the_version_behind_the_one_before(
    client: FlaskClient, outbox: list[Json], size: int
) -> None:
    version = 1
    for start in range(0, QUEUED, size):
        answer = send(client, EVENTS, outbox[start : start + size], version)
        assert answer.status_code == (200 if start + size <= STORED else 201)
        version = answer.get_json()["events"][-1]["seq"]
    require_each_once(client, outbox)


def test_the_network_fails_again_and_again(client: FlaskClient, outbox: list[Json]) -> None:
    """Each time some more is stored and the answer is lost, so that it begins from the first again."""
    for size in (5, 20, 23, 23, 41, 60, 60):
        assert send(client, EVENTS, outbox[:size], 1).status_code in (200, 201)
    require_each_once(client, outbox)


def test_two_tabs_send_one_outbox_at_once(client: FlaskClient, outbox: list[Json]) -> None:
    ready = threading.Barrier(2)

    def flush(_: int) -> list[int]:
        own = client.application.test_client()
        own.environ_base.update(client.environ_base)
        ready.wait()
        return [send(own, EVENTS, [event], version).status_code for version, event in enumerate(outbox, 1)]

    with ThreadPoolExecutor(2) as threads:
        statuses = [status for one in threads.map(flush, range(2)) for status in one]
    assert set(statuses) <= {200, 201}
    assert statuses.count(201) == QUEUED - STORED
    require_each_once(client, outbox)


@pytest.mark.parametrize("mode", ["strict", "as_played"])
def test_somebody_wrote_in_between(client: FlaskClient, outbox: list[Json], mode: str) -> None:
    """Nothing of it is stored behind another's entry before a person has seen that, and decided."""
    assert send(client, EVENTS, {"type": "ruling_made", "text": "The deal goes on."}).status_code == 201
    answer = send(client, EVENTS, outbox, 1, mode=mode)
    assert (answer.status_code, answer.headers["ETag"]) == (412, f'"{STORED + 2}"')
    assert len(log(client)) == STORED + 2
    assert send(client, EVENTS, outbox, answer.headers["ETag"], mode=mode).status_code == 201
    require_each_once(client, outbox, others=1)


def test_an_entry_that_was_stored_and_changed_in_the_outbox_is_a_conflict(
    client: FlaskClient, outbox: list[Json]
) -> None:
    outbox[STORED - 1] = {"type": "note_added", "text": "I meant this.", "id": outbox[STORED - 1]["id"]}
    answer = send(client, EVENTS, outbox, 1)
    assert (problem(answer), answer.get_json()["seq"]) == ((409, "id-conflict"), STORED + 1)
    # Nor is an entry that was stored taken behind one that is new.
    assert problem(send(client, EVENTS, [outbox[STORED], outbox[0]], STORED + 1)) == (409, "id-conflict")
    assert len(log(client)) == STORED + 1
