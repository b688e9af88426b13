"""Of several who decide on one version of a record and send at the same moment, exactly one wins.

Over a real server, each writer on a connection of his own.
"""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest

from tests.support.api.recording import OPENING
from tests.support.api.servers import as_owner, served

pytestmark = pytest.mark.process

Json = dict[str, Any]


class Answer(NamedTuple):
    """What a writer is told."""

    status: int
    body: Json
    etag: str | None


class Writer:
    """Somebody with a connection to the server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def send(self, path: str, body: Any, version: int | None = None) -> Answer:
        named = {} if version is None else {"If-Match": f'"{version}"'}
        headers = {"Content-Type": "application/json", **as_owner(self.port), **named}
        self.connection.request("POST", f"/api/v1{path}", json.dumps(body), headers)
        answer = self.connection.getresponse()
        return Answer(answer.status, json.loads(answer.read()), answer.headers["ETag"])

    def log(self, deal: str) -> list[Json]:
        self.connection.request("GET", f"/api/v1/deals/{deal}/events", headers=as_owner(self.port))
        events: list[Json] = json.loads(self.connection.getresponse().read())["events"]
        return events


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with served(tmp_path_factory.mktemp("writers")) as port:
        yield port


@pytest.mark.parametrize("count", [2, 16])
def test_exactly_one_wins_and_the_others_decide_again(port: int, count: int) -> None:
    deal = Writer(port).send("/deals", OPENING).body["deal"]
    writers = [Writer(port) for _ in range(count)]
    ready = threading.Barrier(count)
    refused = []

    def insist(number: int) -> None:
        """Send until it is stored, each time on the version that the refusal told."""
        note = {"type": "note_added", "text": f"Writer {number}."}
        version = 1
        ready.wait()
        while (answer := writers[number].send(f"/deals/{deal}/events", note, version)).status != 201:
            assert (answer.status, answer.body["type"]) == (412, "/problems/stale-version")
            assert answer.etag == f'"{answer.body["version"]}"'
            assert answer.body["version"] > version
            refused.append(version)
            version = answer.body["version"]
        assert answer.body["version"] == version + 1

    with ThreadPoolExecutor(count) as threads:
        list(threads.map(insist, range(count)))
    log = writers[0].log(deal)
    assert [one["seq"] for one in log] == list(range(1, count + 2))
    assert {one["text"] for one in log[1:]} == {f"Writer {number}." for number in range(count)}
    # All of them decided on the first version, and one of them won.
    assert refused.count(1) == count - 1


@pytest.mark.parametrize("count", [2, 16])
def test_of_batches_one_is_stored_whole_and_of_the_others_nothing(port: int, count: int) -> None:
    deal = Writer(port).send("/deals", OPENING).body["deal"]
    writers = [Writer(port) for _ in range(count)]
    ready = threading.Barrier(count)

    def send(number: int) -> int:
        batch = [{"type": "note_added", "text": f"{number}: {part}"} for part in range(5)]
        ready.wait()
        return writers[number].send(f"/deals/{deal}/events", batch, 1).status

    with ThreadPoolExecutor(count) as threads:
        statuses = list(threads.map(send, range(count)))
    winner = statuses.index(201)
    assert sorted(statuses) == [201] + [412] * (count - 1)
    assert [one["text"] for one in writers[0].log(deal)[1:]] == [f"{winner}: {part}" for part in range(5)]


@pytest.mark.parametrize("count", [2, 16])
def test_the_same_event_on_many_lines_at_once_is_stored_once(port: int, count: int) -> None:
    """As an impatient device does: it sends again while the first try is still on its way."""
    deal = Writer(port).send("/deals", OPENING).body["deal"]
    writers = [Writer(port) for _ in range(count)]
    ready = threading.Barrier(count)
    note = {"type": "note_added", "text": "Once.", "id": "018f5e2b-0000-7000-8000-000000000001"}

    def send(writer: Writer) -> Answer:
        ready.wait()
        return writer.send(f"/deals/{deal}/events", note, 1)

    with ThreadPoolExecutor(count) as threads:
        answers = list(threads.map(send, writers))
    assert sorted(answer.status for answer in answers) == [200] * (count - 1) + [201]
    assert all(answer.body["events"] == answers[0].body["events"] for answer in answers)
    assert len(writers[0].log(deal)) == 2


@pytest.mark.parametrize("count", [2, 16])
def test_of_several_who_start_a_deal_at_a_table_one_does(port: int, count: int) -> None:
    opening = {"ruleset": "dlu", "players": ["Anna", "Bo", "Carl"]}
    table = Writer(port).send("/tables", opening).body["table"]
    writers = [Writer(port) for _ in range(count)]
    ready = threading.Barrier(count)

    def start(writer: Writer) -> Answer:
        ready.wait()
        return writer.send(f"/tables/{table}/deals", {}, 1)

    with ThreadPoolExecutor(count) as threads:
        answers = list(threads.map(start, writers))
    assert sorted(answer.status for answer in answers) == [201] + [412] * (count - 1)
    again = writers[0].send(f"/tables/{table}/deals", {}, 2)
    assert again.body["events"][0]["number"] == 2
