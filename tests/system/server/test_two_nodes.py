"""Two nodes with folders of their own on one PostgreSQL: who begins at one goes on at the other."""

import http.client
import json
from collections.abc import Iterator
from contextlib import ExitStack
from http.cookies import SimpleCookie
from typing import Any

import pytest

from service.transparency.signed_notes import parse_signed_note, parse_verifier
from service.transparency.signing_keys import KEY_FILE_NAME
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
        line.request(method, f"{API}/{path}", json.dumps(body) if body is not None else None, headers)
        answer = line.getresponse()
        if found := SimpleCookie(answer.headers.get("Set-Cookie", "")):
            self.cookie = "; ".join(f"{name}={one.value}" for name, one in found.items())
        return answer

    def ask(self, port: int, path: str, method: str = "GET", body: Any = None, **more: str) -> Any:
        answer = self.open(port, path, method, body, **more)
        text = answer.read().decode()
        assert answer.status < 300, text
        return json.loads(text) if "json" in answer.headers.get("Content-Type", "") else text

    def record(self, port: int, events: list[Any]) -> str:
        return str(self.ask(port, "deals", "POST", events)["deal"])

    def append(self, port: int, deal: str, version: int, event: Any) -> None:
        self.ask(port, f"deals/{deal}/events", "POST", [event], If_Match=f'"{version}"')

    def follow(self, port: int, deal: str, **more: str) -> Iterator[Message]:
        answer = self.open(port, f"deals/{deal}/live", Accept="text/event-stream", **more)
        assert answer.status == 200
        return messages_in(iter(lambda: answer.read1(65536), b""))


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    """The ports of two nodes. The second is given the key of the first, and nothing else."""
    first, second = (tmp_path_factory.mktemp(name) for name in ("first", "second"))
    with a_database() as url, ExitStack() as stack:
        told = {"SPADILLE_STORE": url, "SPADILLE_NAMES": NAME, "SPADILLE_PROXIES": "1"}
        here = stack.enter_context(served(first, **told))
        there = stack.enter_context(served(second, **told, SPADILLE_KEY=str(first / KEY_FILE_NAME)))
        yield here, there
    assert not list(second.glob("*.key")) and not list(second.glob("access.db*"))


@pytest.fixture
def owner(nodes: tuple[int, int]) -> Browser:
    made = Browser()
    assert made.ask(nodes[0], "session", "POST", {"token": TOKENS[nodes[0]]})["known"]
    assert made.cookie.startswith("__Host-spadille=")
    return made


def test_a_session_holds_at_both_nodes(nodes: tuple[int, int], owner: Browser) -> None:
    here, there = nodes
    first, *rest = some_deal()
    deal = owner.record(here, [first])
    told = owner.follow(there, deal)
    assert next(told).id == "1"
    for number, event in enumerate(rest[:3], 1):
        owner.append((there, here)[number % 2], deal, number, event)
        assert next(told).id == str(number + 1)
    # The connection is lost, and the proxy leads to the other node.
    owner.append(there, deal, 4, rest[3])
    again = owner.follow(here, deal, Last_Event_ID="4")
    assert next(one for one in again if one.event != "reset").id == "5"
    logs = [owner.ask(port, f"deals/{deal}/events") for port in nodes]
    assert logs[0] == logs[1] and len(logs[0]["events"]) == 5
    keys = [owner.ask(port, "checkpoint/key") for port in nodes]
    notes = [owner.ask(port, "checkpoint") for port in nodes]
    assert (keys[0], notes[0]) == (keys[1], notes[1])
    assert parse_verifier(keys[0].strip()).has_signed(parse_signed_note(notes[0]))
    owner.record(there, [OPENING])
    size = parse_signed_note(notes[0]).checkpoint.size
    assert owner.ask(here, f"checkpoint?size={size}") == notes[1]
    kept = owner.cookie
    assert owner.open(there, "session", "DELETE").status == 204
    owner.cookie = kept
    assert not any(owner.ask(port, "session")["known"] for port in nodes)


def test_revoking_at_one_node_ends_a_stream_at_the_other(nodes: tuple[int, int], owner: Browser) -> None:
    here, there = nodes
    deal = owner.record(here, [OPENING])
    made = owner.ask(here, "grants", "POST", {"role": "viewer", "deal": deal})
    guest = Browser()
    guest.ask(here, "session", "POST", {"token": made["token"]})
    told = guest.follow(here, deal)
    assert next(told).id == "1"
    owner.ask(there, f"grants/{made['id']}", "DELETE")
    assert list(told) == []
