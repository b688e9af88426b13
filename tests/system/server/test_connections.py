"""A real server: who follows live, and those who send half of a request or take half of an answer."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import pytest

from tests.support.api.listening import Line
from tests.support.api.recording import OPENING
from tests.support.api.servers import DEALS, NOTE, as_owner, deaf, ended, half_taken, run_server, send, served
from tests.support.waiting import until

pytestmark = pytest.mark.process

HOST = "Host: 127.0.0.1:{port}\r\n"
POST = f"POST /api/v1/validate HTTP/1.1\r\n{HOST}"
POSTING = f"{POST}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
HALF_A_BODY = POSTING + "{"
MUCH = [{**NOTE, "text": "x" * 1990}] * 300
HALVES = (f"{POST}X-Slow: ", HALF_A_BODY)
HEALTH = f"GET /api/v1/healthz HTTP/1.1\r\n{HOST}\r\n"


def connected(port: int, sent: str = "") -> socket.socket:
    raw = socket.create_connection(("127.0.0.1", port), timeout=20)
    raw.sendall(sent.replace("{port}", str(port)).encode())
    return raw


def recv_all(raw: socket.socket) -> bytes:
    answer = b""
    with suppress(ConnectionResetError):
        while part := raw.recv(65536):
            answer += part
    return answer


def parse_problem(answer: bytes) -> tuple[int, str]:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"application/problem+json" in head, answer
    read = json.loads(body)
    assert read["status"] == int(head.split()[1])
    assert read["detail"] and read["title"]
    return read["status"], read["type"]


def asked(port: int, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
    """The status and the body of an answer to one who behaves, over a connection of its own."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()


def is_answered(port: int, **headers: str) -> int:
    return asked(port, "GET", "/api/v1/healthz", b"", **headers)[0]


@contextmanager
def crowd(port: int, count: int, *sent: str) -> Iterator[list[socket.socket]]:
    """So many who have sent only that, or that, in turn."""
    with ExitStack() as stack:
        yield [stack.enter_context(connected(port, sent[number % len(sent)])) for number in range(count)]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with served(tmp_path_factory.mktemp("connections"), SPADILLE_STREAMS="12") as port:
        yield port


def post_deal(port: int) -> str:
    """The address of a new deal."""
    return f"{DEALS}/{send(port, DEALS, OPENING)['deal']}"


def test_slow_senders_hold_no_thread_and_their_connections_end(tmp_path: Path) -> None:
    settings = {"SPADILLE_STREAMS": "4", "SPADILLE_REQUEST_TIMEOUT": "2"}
    with served(tmp_path, **settings) as port, crowd(port, 200, *HALVES, HEALTH, "") as sent:
        for _ in range(5):
            assert is_answered(port) == 200
        for one in sent:
            assert recv_all(one)[:12] in (b"", b"HTTP/1.1 200")


def test_a_client_that_does_not_close_its_end_holds_nobody_up(port: int) -> None:
    with crowd(port, 30, HEALTH.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")) as sent:
        for one in sent:
            assert one.recv(12) == b"HTTP/1.1 200"
        assert is_answered(port) == 200


def test_nobody_else_waits_for_clients_that_do_not_take_their_answers(tmp_path: Path) -> None:
    """There are 16 threads."""
    with served(tmp_path, SPADILLE_STREAMS="0") as port:
        deal = post_deal(port)
        for _ in range(4):  # more than the buffers between a server and one who reads nothing hold
            send(port, f"{deal}/events", [{**NOTE, "text": "x" * 1990}] * 490)
        with ExitStack() as stack:
            for _ in range(40):
                asking = stack.enter_context(half_taken(port, f"{deal}/events.jsonl"))
                assert asking.recv(12) == b"HTTP/1.1 200"
            assert is_answered(port) == 200


@pytest.mark.parametrize(
    ("head", "size", "expected"),
    [
        (POST + "X: {fill}\r\n\r\n", 32 << 10, (431, "about:blank")),
        ("GET /{fill} HTTP/1.1\r\n\r\n", 32 << 10, (431, "about:blank")),
        (POSTING.replace("1000", str((8 << 20) + 1)), 0, (413, "/problems/too-large")),
        (POSTING.replace("Content-Length: 1000", "Transfer-Encoding: gzip"), 0, (501, "about:blank")),
        (POSTING.replace("1000", "-1"), 0, (400, "about:blank")),
    ],
    ids=["header", "address", "body", "coding", "length"],
)
def test_what_is_too_long_or_no_request_is_refused(
    port: int, head: str, size: int, expected: tuple[int, str]
) -> None:
    with connected(port, head.replace("{fill}", "x" * size)) as raw:
        assert parse_problem(recv_all(raw)) == expected


def test_who_comes_through_a_proxy_is_not_this_computer(port: int) -> None:
    assert asked(port, "GET", "/metrics")[0] == 200
    assert asked(port, "GET", "/metrics", b"", **{"X-Forwarded-For": "192.0.2.7"})[0] == 401


def test_a_large_log_is_taken(port: int) -> None:
    headers = {**as_owner(port), "Content-Type": "application/jsonl"}
    line = json.dumps(OPENING).encode()
    body = line + b"\n" * ((1 << 20) - len(line))
    assert asked(port, "POST", "/api/v1/score", body, **headers)[0] == 200


def test_requests_that_wait_or_come_together_are_answered(port: int) -> None:
    body = json.dumps([OPENING])
    head = POSTING.replace("1000", str(len(body)))
    with connected(port, head.replace("Content-Length", "Expect: 100-continue\r\nContent-Length")) as raw:
        assert raw.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        raw.sendall(body.encode())
        assert raw.recv(12) == b"HTTP/1.1 200"
    # Requests that are sent together are answered in turn.
    last = f"GET /nowhere HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n"
    with connected(port, HEALTH + head + body + last) as raw:
        statuses = [int(part[:3]) for part in recv_all(raw).split(b"HTTP/1.1 ")[1:]]
    assert statuses == [200, 200, 404]


def test_half_sent_requests_do_not_hold_the_service_s_end_up(tmp_path: Path) -> None:
    with run_server(tmp_path) as (port, server):
        deal = post_deal(port)
        with crowd(port, 100, *HALVES) as sent, deaf(port, f"{deal}/live"):
            is_answered(port)
            # A half-sent request times out after 20 seconds, and the service ends all its requests after 10.
            assert ended(server, seconds=9)[1] == ""
            assert {recv_all(one) for one in sent} == {b""}


def test_what_is_being_answered_when_the_service_ends_is_answered(tmp_path: Path) -> None:
    with run_server(tmp_path) as (port, server):
        deal = post_deal(port)
        for _ in range(6):
            send(port, f"{deal}/events", MUCH)
        with half_taken(port, f"{deal}/events.jsonl") as asking:
            answer = asking.recv(12)
            server.send_signal(signal.SIGTERM)
            answer += recv_all(asking)
        head, _, body = answer.partition(b"\r\n\r\n")
        assert f"Content-Length: {len(body)}\r\n".encode() in head
        assert server.wait(20) == 0


@pytest.mark.parametrize("path", ["live", "events"])
def test_what_is_recorded_comes_at_once(port: int, path: str) -> None:
    deal = post_deal(port)
    line = Line(port, f"{deal}/{path}")
    told_of = {"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    assert line.answer.status == 200 and told_of.items() <= dict(line.answer.headers).items()
    messages = line.messages()
    first = next(messages)
    assert (first.id, first.event) == ("1", "deal_opened")
    for number in range(2, 5):
        send(port, f"{deal}/events", NOTE)
        message = next(messages)
        assert (message.id, message.event) == (str(number), "note_added")
        _, log = asked(port, "GET", f"{deal}/events.jsonl", b"", **as_owner(port))
        assert json.loads(message.data or "") == json.loads(log.splitlines()[-1])
    line.close()


def test_each_live_stream_has_a_thread_of_its_own(tmp_path: Path) -> None:
    """There are 16 threads for requests."""
    with served(tmp_path) as port:
        deal = post_deal(port)
        lines = [Line(port, f"{deal}/live") for _ in range(40)]
        assert is_answered(port) == 200
        for line in lines:
            line.close()


def test_the_end_of_the_service_is_the_end_of_every_stream(tmp_path: Path) -> None:
    with run_server(tmp_path) as (port, server):
        deal = post_deal(port)
        path = f"{deal}/live"
        stuck, lines = [deaf(port, path) for _ in range(10)], [Line(port, path) for _ in range(10)]
        for _ in range(6):
            send(port, f"{deal}/events", MUCH)
        begun = time.monotonic()
        server.send_signal(signal.SIGTERM)
        # Whole answers, properly ended: what comes after the opening is read with it.
        assert all([message.id for message in line.messages()][:1] == ["1"] for line in lines)
        _, complained = server.communicate(timeout=20)
        # About a second on a machine at rest. Streams that held it would hold it for ten.
        assert time.monotonic() - begun < 8
        assert (server.returncode, complained) == (0, "")
    for line, raw in zip(lines, stuck, strict=True):
        line.close()
        raw.close()


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="where the system ends such connections")
def test_a_reader_who_takes_nothing_is_let_go(tmp_path: Path) -> None:
    with served(tmp_path, SPADILLE_REQUEST_TIMEOUT="1") as port:
        deal = post_deal(port)
        with deaf(port, f"{deal}/live"):
            for _ in range(6):
                send(port, f"{deal}/events", MUCH)
            gone = b"\nspadille_live_streams 0.0\n"

            def is_gone() -> bool:
                time.sleep(0.5)
                send(port, f"{deal}/events", NOTE)  # what is sent next finds the connection ended
                return gone in asked(port, "GET", "/metrics", b"", **as_owner(port))[1]

            until(is_gone)
