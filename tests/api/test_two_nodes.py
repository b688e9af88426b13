"""Two nodes with folders of their own on one PostgreSQL: who begins at one goes on at the other."""

import http.client
import json
from collections.abc import Iterator
from contextlib import ExitStack
from http.cookies import SimpleCookie
from typing import Any

import pytest

from service.transparency.keys import KEY_FILE
from service.transparency.notes import read_note, read_verifier
from tests.support.api.asking import API
from tests.support.api.listening import Message, messages_in
from tests.support.api.recording import OPENING, some_deal
from tests.support.api.servers import TOKENS, served
from tests.support.store.postgres_server import a_database

pytestmark = pytest.mark.process

NAME = "cards.example"


class Browser:
    """A browser that reaches the nodes through a proxy, now the one and now the other, with one cookie."""

    def __init__(self) -> None:
        self.cookie = ""

    def open(self, port: int, path: str, method: str = "GET", body: Any = None, **more: str) -> Any:
        """The answer to a request, to be read. The proxy says by what name and how safely it was asked."""
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        headers = {"Host": NAME, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
        headers |= {"Cookie": self.cookie} if self.cookie else {}
        headers |= {"Sec-Fetch-Site": "same-origin"} if method != "GET" else {}
        headers |= {"Content-Type": "application/json"} if body is not None else {}
        headers |= {name.replace("_", "-"): one for name, one in more.items()}
        line.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = line.getresponse()
        if found := SimpleCookie(answer.headers.get("Set-Cookie", "")):
            self.cookie = "; ".join(f"{name}={one.value}" for name, one in found.items())
        return answer

    def ask(
        self, port: int, path: str, method: str = "GET", body: Any = None, **more: str
    ) -> tuple[int, Any]:
        """Status and body of an answer."""
        answer = self.open(port, path, method, body, **more)
        text = answer.read().decode()
        is_json = "json" in answer.headers.get("Content-Type", "")
        return answer.status, json.loads(text) if is_json else text


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    """The ports of two nodes. The second is given the key of the first, and nothing else."""
    first, second = (tmp_path_factory.mktemp(name) for name in ("first", "second"))
    with a_database() as url, ExitStack() as stack:
        told = {"SPADILLE_STORE": url, "SPADILLE_NAMES": NAME, "SPADILLE_PROXIES": "1"}
        here = stack.enter_context(served(first, **told))
        there = stack.enter_context(served(second, **told, SPADILLE_KEY=str(first / KEY_FILE)))
        yield here, there
    assert not list(second.glob("*.key")) and not list(second.glob("access.db*"))


@pytest.fixture
def owner(nodes: tuple[int, int]) -> Browser:
    """An owner's, who logged in at the first node."""
    made = Browser()
    status, told = made.ask(nodes[0], f"{API}/session", "POST", {"token": TOKENS[nodes[0]]})
    assert (status, told["known"]) == (201, True)
    assert made.cookie.startswith("__Host-spadille=")
    return made


def recorded(owner: Browser, port: int, events: list[Any]) -> str:
    status, told = owner.ask(port, f"{API}/deals", "POST", events)
    assert status == 201, told
    deal: str = told["deal"]
    return deal


def append(owner: Browser, port: int, deal: str, version: int, event: Any) -> None:
    path = f"{API}/deals/{deal}/events"
    status, told = owner.ask(port, path, "POST", [event], If_Match=f'"{version}"')
    assert status == 201, told


def follow(owner: Browser, port: int, deal: str, **more: str) -> Iterator[Message]:
    answer = owner.open(port, f"{API}/deals/{deal}/live", Accept="text/event-stream", **more)
    assert answer.status == 200
    return messages_in(iter(lambda: answer.read1(65536), b""))


def test_who_logged_in_at_one_records_at_either_and_is_out_at_both(
    nodes: tuple[int, int], owner: Browser
) -> None:
    here, there = nodes
    first, *rest = some_deal()
    deal = recorded(owner, here, [first])
    for number, event in enumerate(rest[:4]):
        append(owner, (there, here)[number % 2], deal, number + 1, event)
    logs = [owner.ask(port, f"{API}/deals/{deal}/events")[1] for port in nodes]
    assert logs[0] == logs[1] and len(logs[0]["events"]) == 5
    kept = owner.cookie
    assert owner.open(there, f"{API}/session", "DELETE").status == 204
    owner.cookie = kept
    assert not any(owner.ask(port, f"{API}/session")[1]["known"] for port in nodes)


def test_who_follows_at_one_is_told_what_is_written_at_the_other(
    nodes: tuple[int, int], owner: Browser
) -> None:
    here, there = nodes
    first, *rest = some_deal()
    deal = recorded(owner, here, [first])
    told = follow(owner, there, deal)
    assert next(told).id == "1"
    for number, event in enumerate(rest[:3]):
        append(owner, here, deal, number + 1, event)
        assert next(told).id == str(number + 2)
    # The connection is lost, and the proxy leads to the other node.
    append(owner, there, deal, 4, rest[3])
    again = follow(owner, here, deal, Last_Event_ID="4")
    assert next(one for one in again if one.event != "reset").id == "5"


def test_a_stream_ends_when_its_grant_is_revoked_at_the_other_node(
    nodes: tuple[int, int], owner: Browser
) -> None:
    here, there = nodes
    deal = recorded(owner, here, [OPENING])
    _, made = owner.ask(here, f"{API}/grants", "POST", {"role": "viewer", "deal": deal})
    guest = Browser()
    assert guest.ask(here, f"{API}/session", "POST", {"token": made["token"]})[0] == 201
    told = follow(guest, here, deal)
    assert next(told).id == "1"
    assert owner.ask(there, f"{API}/grants/{made['id']}", "DELETE")[0] == 200
    assert list(told) == []


def test_a_checkpoint_of_either_holds_for_both(nodes: tuple[int, int], owner: Browser) -> None:
    keys = [owner.ask(port, f"{API}/checkpoint/key")[1] for port in nodes]
    assert keys[0] == keys[1]
    verifier = read_verifier(keys[0].strip())
    recorded(owner, nodes[0], [OPENING])
    notes = [owner.ask(port, f"{API}/checkpoint")[1] for port in nodes]
    assert notes[0] == notes[1]
    assert verifier.has_signed(read_note(notes[0]))
    recorded(owner, nodes[1], [OPENING])
    size = read_note(notes[0]).checkpoint.size
    assert owner.ask(nodes[0], f"{API}/checkpoint?size={size}")[1] == notes[1]
