"""Of several who decide on one version of a record and send at the same moment, exactly one wins.

Over a real server, each writer on a connection of his own.
"""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import pytest

from tests.support.api.recording import OPENING
from tests.support.api.servers import as_owner, served

pytestmark = pytest.mark.process

Json = dict[str, Any]
Outcome = TypeVar("Outcome")


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


def at_once(port: int, act: Callable[[Writer, int], Outcome], count: int) -> list[Outcome]:
    """What comes of it where so many writers act at the same moment."""
    ready = threading.Barrier(count)

    def run(number: int) -> Outcome:
        writer = Writer(port)
        ready.wait()
        return act(writer, number)

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(run, range(count)))


@pytest.fixture
def deal(port: int) -> str:
    return str(Writer(port).send("/deals", OPENING).body["deal"])


@pytest.mark.parametrize("count", [2, 16])
def test_exactly_one_wins_and_the_others_decide_again(port: int, deal: str, count: int) -> None:
    def insist(writer: Writer, number: int) -> list[int]:
        """Send until it is stored, each time on the version that the refusal told; the refused versions."""
        note = {"type": "note_added", "text": f"Writer {number}."}
        version, refused = 1, []
        while (answer := writer.send(f"/deals/{deal}/events", note, version)).status != 201:
            assert (answer.status, answer.body["type"]) == (412, "/problems/stale-version")
            assert answer.etag == f'"{answer.body["version"]}"'
            assert answer.body["version"] > version
            refused.append(version)
            version = answer.body["version"]
        assert answer.body["version"] == version + 1
        return refused

    refused = [version for one in at_once(port, insist, count) for version in one]
    log = Writer(port).log(deal)
    assert [one["seq"] for one in log] == list(range(1, count + 2))
    assert {one["text"] for one in log[1:]} == {f"Writer {number}." for number in range(count)}
    # All of them decided on the first version, and one of them won.
    assert refused.count(1) == count - 1


def test_of_batches_one_is_stored_whole_and_of_the_others_nothing(port: int, deal: str) -> None:
    def send(writer: Writer, number: int) -> int:
        batch = [{"type": "note_added", "text": f"{number}: {part}"} for part in range(5)]
        return writer.send(f"/deals/{deal}/events", batch, 1).status

    statuses = at_once(port, send, 16)
    winner = statuses.index(201)
    assert sorted(statuses) == [201] + [412] * 15
    assert [one["text"] for one in Writer(port).log(deal)[1:]] == [f"{winner}: {part}" for part in range(5)]


def test_the_same_event_on_many_lines_at_once_is_stored_once(port: int, deal: str) -> None:
    """As an impatient device does: it sends again while the first try is still on its way."""
    note = {"type": "note_added", "text": "Once.", "id": "018f5e2b-0000-7000-8000-000000000001"}
    answers = at_once(port, lambda writer, _: writer.send(f"/deals/{deal}/events", note, 1), 16)
    assert sorted(answer.status for answer in answers) == [200] * 15 + [201]
    assert all(answer.body["events"] == answers[0].body["events"] for answer in answers)
    assert len(Writer(port).log(deal)) == 2


def test_of_several_who_start_a_deal_at_a_table_one_does(port: int) -> None:
    opening = {"ruleset": "dlu", "players": ["Anna", "Bo", "Carl"]}
    table = Writer(port).send("/tables", opening).body["table"]
    answers = at_once(port, lambda writer, _: writer.send(f"/tables/{table}/deals", {}, 1), 16)
    assert sorted(answer.status for answer in answers) == [201] + [412] * 15
    again = Writer(port).send(f"/tables/{table}/deals", {}, 2)
    assert again.body["events"][0]["number"] == 2
