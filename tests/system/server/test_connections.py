"""A real server: who follows live, and those who send half of a request or take half of an answer."""

from __future__ import annotations

import http.client
import json
import select
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

WAITRESS = (
    "import service.server.run, service.server.waitress_server as w; "
    "service.server.run.select_server = lambda: w"
)
SERVERS = pytest.mark.parametrize("first", ["", WAITRESS], ids=["gunicorn", "waitress"])
HOST = "Host: 127.0.0.1:{port}\r\n"
POST = f"POST /api/v1/validate HTTP/1.1\r\n{HOST}"
POSTING = f"{POST}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
HALF_A_BODY = POSTING + "{"
MUCH_OF_A_BODY = HALF_A_BODY.replace("1000", str(8 << 20)) + "x" * 1_000_000
MUCH = [{**NOTE, "text": "x" * 1990}] * 300
CROWDED = {"SPADILLE_STREAMS": "4", "SPADILLE_CONNECTIONS": "40"}
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


@contextmanager
def served_by(first: str, data: Path, **settings: str) -> Iterator[int]:
    """A server that has to end without a word."""
    with run_server(data, first, **settings) as (port, server):
        yield port
        assert ended(server)[1] == ""


@SERVERS
def test_who_sends_bit_by_bit_or_stops_is_told_that_it_is_too_slow(tmp_path: Path, first: str) -> None:
    with served_by(first, tmp_path, SPADILLE_REQUEST_TIMEOUT="1", SPADILLE_STREAMS="4") as port:
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
            assert parse_problem(answers.get(one, b"") + recv_all(one)) == (408, "/problems/too-slow")
            one.close()


@SERVERS
def test_where_there_is_no_room_the_oldest_gives_way(tmp_path: Path, first: str) -> None:
    with served_by(first, tmp_path, **CROWDED) as port, crowd(port, 200, *HALVES) as sent:
        for _ in range(5):
            assert is_answered(port) == 200
        if not first:
            answers = [parse_problem(answer) for answer in map(recv_all, sent[:20]) if answer]
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
    settings = {"SPADILLE_STREAMS": "0", "SPADILLE_REQUEST_TIMEOUT": "600", "SPADILLE_PROXIES": "1"}
    with served(tmp_path, **settings) as port:
        deal = post_deal(port)
        for _ in range(4):  # more than the buffers between a server and one who reads nothing hold
            send(port, f"{deal}/events", [{**NOTE, "text": "x" * 1990}] * 490)
        path = f"{deal}/events.jsonl"
        with ExitStack() as stack:
            for number in range(3 * 16):
                client = f"X-Forwarded-For: 192.0.2.{7 - number // 16}\r\n"
                asking = stack.enter_context(half_taken(port, path, client))
                assert number >= 16 or asking.recv(12) == b"HTTP/1.1 200"
            answer = recv_all(stack.enter_context(half_taken(port, path, "X-Forwarded-For: 192.0.2.7\r\n")))
            assert parse_problem(answer) == (429, "/problems/too-many-requests")
            assert b"\r\nRetry-After: 2\r\n" in answer
            assert is_answered(port, **{"X-Forwarded-For": "192.0.2.8"}) == 200


@SERVERS
def test_a_stream_that_is_asked_for_with_a_large_body_is_refused(tmp_path: Path, first: str) -> None:
    """As it was found: eight of them, each open for hours, kept every larger body out."""
    with served_by(first, tmp_path, SPADILLE_STREAMS="12") as port, ExitStack() as stack:
        deal, shown = post_deal(port), as_owner(port)["Authorization"]
        head = f"GET {deal}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: {shown}\r\n"
        for size in (*[8 << 20] * 8, 5000):
            raw = stack.enter_context(connected(port, f"{head}Content-Length: {size}\r\n\r\n"))
            with suppress(ConnectionError):
                raw.sendall(b"x" * size)
            assert parse_problem(recv_all(raw)) == (413, "/problems/too-large")
        headers = {**as_owner(port), "Content-Type": "application/jsonl"}
        assert asked(port, "POST", "/api/v1/score", log_of_bytes(200_000), **headers)[0] == 200


def test_who_holds_most_of_what_is_on_its_way_gives_way_and_nobody_else(tmp_path: Path) -> None:
    """As it was found: the oldest gave way, whosever it was."""
    with served(tmp_path, SPADILLE_STREAMS="0", SPADILLE_PROXIES="1") as port, ExitStack() as stack:
        body, shown = log_of_bytes(500_000), as_owner(port)["Authorization"]
        head = POSTING.replace("json", f"jsonl\r\nAuthorization: {shown}").replace("1000", str(len(body)))
        own = stack.enter_context(connected(port, for_client(head, "192.0.2.8")))
        own.sendall(body[:200_000])
        assert is_answered(port) == 200
        greedy = for_client(HALF_A_BODY.replace("1000", str(8 << 20)), "192.0.2.7")
        others = [stack.enter_context(connected(port, greedy)) for _ in range(12)]
        for other in others:
            with suppress(ConnectionError):
                other.sendall(b"x" * (6 << 20))
        gone = select.select(others, [], [], 20)[0]
        assert parse_problem(recv_all(gone[0])) == (503, "/problems/too-many-connections")
        own.sendall(body[200_000:])
        assert own.recv(12) == b"HTTP/1.1 200"


def for_client(asked: str, client: str) -> str:
    return asked.replace("\r\n\r\n", f"\r\nX-Forwarded-For: {client}\r\n\r\n", 1)


def log_of_bytes(size: int) -> bytes:
    line = json.dumps(OPENING).encode()
    return line + b"\n" * (size - len(line))


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
            answers = {parse_problem(answer) for answer in map(recv_all, sent) if answer}
            assert answers <= {(503, "/problems/too-many-connections")}


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


def test_a_reader_who_takes_nothing_is_let_go(tmp_path: Path) -> None:
    first = "import service.records.live.connection_limit as limit; limit.SEND_TIMEOUT_SECONDS = 0.5"
    with served_by(first, tmp_path) as port:
        deal = post_deal(port)
        for _ in range(6):
            send(port, f"{deal}/events", MUCH)
        with deaf(port, f"{deal}/live"):
            gone = b"\nspadille_live_streams 0.0\n"
            until(lambda: gone in asked(port, "GET", "/metrics", b"", **as_owner(port))[1])
