"""A real server among those who send half of a request, or take half of an answer: nobody waits for them."""

from __future__ import annotations

import http.client
import json
import select
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from tests.support.api.live import DEALS, NOTE, deaf, send
from tests.support.api.recording import OPENING
from tests.support.api.servers import as_owner, free_port, half_taken, served, start, wait_until_it_answers

pytestmark = pytest.mark.process

WAITRESS = (
    "import service.server.run, service.server.waitress_server as w; service.server.run.server = lambda: w"
)
SERVERS = pytest.mark.parametrize("first", ["", WAITRESS], ids=["gunicorn", "waitress"])
HALF_A_HEAD = "POST /api/v1/validate HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Slow: "
HALF_A_BODY = (
    "POST /api/v1/validate HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    "Content-Length: 1000\r\n\r\n{{"
)
MUCH_OF_A_BODY = HALF_A_BODY.replace("1000", str(8 << 20)) + "x" * 1_000_000
HALVES = (HALF_A_HEAD, HALF_A_BODY)
HEALTH = "GET /api/v1/healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"


def connected(port: int, sent: str = "") -> socket.socket:
    raw = socket.create_connection(("127.0.0.1", port), timeout=20)
    raw.sendall(sent.format(port=port).encode())
    return raw


def told(raw: socket.socket) -> bytes:
    answer = b""
    try:
        while part := raw.recv(65536):
            answer += part
    except ConnectionResetError:
        pass
    return answer


def problem(answer: bytes) -> tuple[int, str]:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"application/problem+json" in head, answer
    read = json.loads(body)
    assert read["status"] == int(head.split()[1])
    assert read["detail"] and read["title"]
    return read["status"], read["type"]


def status_of(port: int, method: str, path: str, body: bytes = b"", **headers: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, path, body or None, headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def is_answered(port: int, **headers: str) -> int:
    return status_of(port, "GET", "/api/v1/healthz", b"", **headers)


@contextmanager
def crowd(port: int, count: int, *sent: str) -> Iterator[list[socket.socket]]:
    """So many who have sent only that, or that, in turn."""
    with ExitStack() as stack:
        yield [stack.enter_context(connected(port, sent[number % len(sent)])) for number in range(count)]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with served(tmp_path_factory.mktemp("doors"), SPADILLE_STREAMS="4") as port:
        yield port


@contextmanager
def served_by(first: str, data: Path, **settings: str) -> Iterator[int]:
    port = free_port()
    server = start(data, port, first, **settings)
    try:
        wait_until_it_answers(server, port)
        yield port
    finally:
        server.send_signal(signal.SIGTERM)
        _, complained = server.communicate(timeout=30)
    assert (server.returncode, complained) == (0, "")


@SERVERS
def test_who_sends_bit_by_bit_or_stops_is_told_that_it_is_too_slow(tmp_path: Path, first: str) -> None:
    with served_by(first, tmp_path, SPADILLE_PATIENCE="1", SPADILLE_STREAMS="4") as port:
        stopped = [] if first else [connected(port, half) for half in (*HALVES, MUCH_OF_A_BODY)]
        slow = [connected(port, half) for half in (*HALVES, MUCH_OF_A_BODY)]
        for one in slow:
            one.setblocking(False)
        answers = dict.fromkeys(slow, b"")
        deadline = time.monotonic() + 20
        while not all(answers.values()) and time.monotonic() < deadline:
            time.sleep(0.1)  # a byte now and then
            for one in slow:
                try:
                    answers[one] += one.recv(65536)
                except BlockingIOError:
                    with suppress(ConnectionError):
                        one.send(b"x")
        for one in (*slow, *stopped):
            one.settimeout(20)
            assert problem(answers.get(one, b"") + told(one)) == (408, "/problems/too-slow")
            one.close()


CROWDED = {"SPADILLE_STREAMS": "4", "SPADILLE_CONNECTIONS": "40"}


@SERVERS
def test_where_there_is_no_room_the_oldest_gives_way(tmp_path: Path, first: str) -> None:
    with served_by(first, tmp_path, **CROWDED) as port, crowd(port, 200, *HALVES) as sent:
        for _ in range(5):
            assert is_answered(port) == 200
        if not first:
            answers = [problem(answer) for answer in map(told, sent[:20]) if answer]
            assert set(answers) == {(503, "/problems/too-many-connections")}


@SERVERS
def test_idle_connections_keep_nobody_out(tmp_path: Path, first: str) -> None:
    with served_by(first, tmp_path, **CROWDED) as port, ExitStack() as idle:
        for number in range(200):
            raw = idle.enter_context(connected(port, "" if number % 2 else HEALTH))
            assert number % 2 or raw.recv(12) == b"HTTP/1.1 200"
        assert is_answered(port) == 200


def test_a_client_that_does_not_close_its_end_holds_nobody_up(port: int) -> None:
    """gunicorn by itself waits two seconds for each, one after the other, and everybody waits with it."""
    with crowd(port, 30, HEALTH.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")) as sent:
        for one in sent:
            assert one.recv(12) == b"HTTP/1.1 200"
        assert is_answered(port) == 200


def test_nobody_else_waits_for_clients_that_do_not_take_their_answers(tmp_path: Path) -> None:
    """A client is whom the proxy names. There are 32 threads, and half of them for one client."""
    settings = {"SPADILLE_STREAMS": "0", "SPADILLE_PATIENCE": "600", "SPADILLE_PROXIES": "1"}
    with served(tmp_path, **settings) as port:
        path = large_record(port)
        with ExitStack() as stack:
            for number in range(3 * 16):
                client = f"X-Forwarded-For: 192.0.2.{7 - number // 16}\r\n"
                asking = stack.enter_context(half_taken(port, path, client))
                assert number >= 16 or asking.recv(12) == b"HTTP/1.1 200"
            refused = stack.enter_context(half_taken(port, path, "X-Forwarded-For: 192.0.2.7\r\n"))
            answer = told(refused)
            assert problem(answer) == (429, "/problems/too-many-requests")
            assert b"\r\nRetry-After: 2\r\n" in answer
            assert is_answered(port, **{"X-Forwarded-For": "192.0.2.8"}) == 200


def large_record(port: int) -> str:
    deal = send(port, DEALS, OPENING)["deal"]
    for _ in range(4):
        big = [{**NOTE, "text": "x" * 1990} for _ in range(490)]
        send(port, f"{DEALS}/{deal}/events", big, **{"If-Match": "*"})
    return f"{DEALS}/{deal}/events.jsonl"


@SERVERS
def test_a_stream_that_is_asked_for_with_a_large_body_is_refused(tmp_path: Path, first: str) -> None:
    """As it was found: eight of them, each open for hours, kept every larger body out."""
    with served_by(first, tmp_path, SPADILLE_STREAMS="12") as port, ExitStack() as stack:
        deal = send(port, DEALS, OPENING)["deal"]
        shown = as_owner(port)["Authorization"]
        for size in (*[8 << 20] * 8, 5000):
            head = (
                f"GET {DEALS}/{deal}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: {shown}\r\n"
                f"Content-Length: {size}\r\n\r\n"
            )
            raw = stack.enter_context(connected(port, head))
            with suppress(ConnectionError):
                raw.sendall(b"x" * size)
            assert problem(told(raw)) == (413, "/problems/too-large")
        headers = {**as_owner(port), "Content-Type": "application/jsonl"}
        assert status_of(port, "POST", "/api/v1/score", log_of_bytes(200_000), **headers) == 200


def test_who_holds_most_of_what_is_on_its_way_gives_way_and_nobody_else(tmp_path: Path) -> None:
    """As it was found: the oldest gave way, whosever it was."""
    with served(tmp_path, SPADILLE_STREAMS="0", SPADILLE_PROXIES="1") as port, ExitStack() as stack:
        body = log_of_bytes(500_000)
        shown = as_owner(port)["Authorization"]
        head = HALF_A_BODY.replace("application/json", "application/jsonl").replace("1000", str(len(body)))
        head = head.replace("{{", "").replace("\r\n\r\n", f"\r\nAuthorization: {shown}\r\n\r\n")
        own = stack.enter_context(connected(port, for_client(head, "192.0.2.8")))
        own.sendall(body[:200_000])
        assert is_answered(port) == 200
        greedy = for_client(HALF_A_BODY.replace("1000", str(8 << 20)), "192.0.2.7")
        others = [stack.enter_context(connected(port, greedy)) for _ in range(12)]
        for other in others:
            with suppress(ConnectionError):
                other.sendall(b"x" * (6 << 20))
        gone = select.select(others, [], [], 20)[0]
        assert problem(told(gone[0])) == (503, "/problems/too-many-connections")
        own.sendall(body[200_000:])
        assert own.recv(12) == b"HTTP/1.1 200"


def for_client(asked: str, client: str) -> str:
    return asked.replace("\r\n\r\n", f"\r\nX-Forwarded-For: {client}\r\n\r\n", 1)


def log_of_bytes(size: int) -> bytes:
    line = json.dumps(OPENING).encode()
    return line + b"\n" * (size - len(line))


def test_requests_that_wait_or_come_together_are_answered(port: int) -> None:
    body = json.dumps([OPENING]).encode()
    head = HALF_A_BODY.replace("1000\r\n", f"{len(body)}\r\nExpect: 100-continue\r\n").replace("{{", "")
    with connected(port, head) as raw:
        assert raw.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        raw.sendall(body)
        assert raw.recv(12) == b"HTTP/1.1 200"
    # Requests that are sent together are answered in turn.
    text = json.dumps([OPENING])
    asked = (
        "GET /api/v1/healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
        + HALF_A_BODY.replace("1000", str(len(text))).replace(
            "{{", text.replace("{", "{{").replace("}", "}}")
        )
        + "GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
    )
    with connected(port, asked) as raw:
        answers = told(raw)
    statuses = [int(part[:3]) for part in answers.split(b"HTTP/1.1 ")[1:]]
    assert statuses == [200, 200, 404]


def test_half_sent_requests_do_not_hold_the_service_s_end_up(tmp_path: Path) -> None:
    port = free_port()
    server = start(tmp_path, port)
    wait_until_it_answers(server, port)
    deal = send(port, DEALS, OPENING)["deal"]
    with crowd(port, 100, *HALVES) as sent, deaf(port, f"{DEALS}/{deal}/live"):
        is_answered(port)
        server.send_signal(signal.SIGTERM)
        # The patience with a half-sent request is 20 seconds, and the service's with all its requests 10.
        _, complained = server.communicate(timeout=9)
        assert (server.returncode, complained) == (0, "")
        answers = {problem(answer) for answer in map(told, sent) if answer}
        assert answers <= {(503, "/problems/too-many-connections")}
