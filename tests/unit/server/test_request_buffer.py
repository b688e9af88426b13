"""A request is all there when gunicorn's own parser finds it so, however it was cut up on its way."""

from __future__ import annotations

import random
import time
from http import HTTPStatus
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.http import errors
from gunicorn.http.parser import RequestParser
from hypothesis import given, settings
from hypothesis import strategies as st
from waitress.adjustments import Adjustments

from service.server import waitress_server
from service.server.fair_queue import FairQueue
from service.server.gunicorn_connection import BufferedUnreader
from service.server.request_buffer import MAX_HEAD_BYTES, MAX_UNUSED_BODY_BYTES, RequestBuffer
from service.server.throughput_deadline import MAX_EXTRA_SECONDS, MIN_BYTES_PER_SECOND, ThroughputDeadline
from tests.support.effort import examples

MOST = 4096
HEAD = b"POST /x HTTP/1.1\r\nHost: a\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
WHOLE = {
    "no body": b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "no header": b"GET / HTTP/1.1\r\n\r\n",
    "empty line before": b"\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "a length": HEAD + b"Content-Length: 10\r\n\r\n0123456789",
    "a length written otherwise": HEAD + b"CONTENT-length:\t 10 \r\n\r\n0123456789",
    "a length of nothing": HEAD + b"Content-Length: 0\r\n\r\n",
    "a body like a head": HEAD + b"Content-Length: 4\r\n\r\n\r\n\r\n",
    "chunks": CHUNKED + b"4\r\nabcd\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n",
    "chunks like ends": CHUNKED + b"5\r\n0\r\n\r\n\r\n0\r\n\r\n",
    "no chunk": CHUNKED + b"0\r\n\r\n",
    "trailers": CHUNKED + b"1\r\nx\r\n0\r\nX-More: 1\r\nX-Most: 2\r\n\r\n",
    "a large chunk": CHUNKED + b"fa0\r\n" + b"x" * 4000 + b"\r\n000\r\n\r\n",
}
ODD = {
    "no request": b"what is this\r\n\r\n",
    "a bare line end": b"GET / HTTP/1.1\nHost: a\n\n",
    "two lengths": HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    "no length": HEAD + b"Content-Length: +1\r\n\r\nx",
    "a length and chunks": HEAD + b"Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "another coding": HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n",
    "no size": CHUNKED + b"x\r\n\r\n",
    "a size that is too long": CHUNKED + b"0" * 1100,
    "a size without end": CHUNKED + b"ffffffffffffffff\r\n",
    "next to nothing in each chunk": CHUNKED + b"1\r\nx\r\n" * 20_000,
    "trailers without end": CHUNKED + b"0\r\n" + b"X: y\r\n" * 7000,
}


def parsed(held: bytes) -> tuple[Any, bytes, bytes]:
    """What gunicorn reads there: the request, its body, and what is left."""
    parser = RequestParser(Config(), SimpleNamespace(recv=None), ("192.0.2.7", 1))
    parser.unreader = gathered = BufferedUnreader()
    gathered.set_data(held)
    request = next(parser)
    return request, request.body.read(), gathered.remaining_data()


@settings(max_examples=examples(150))
@given(st.sampled_from(sorted(WHOLE)), st.randoms(use_true_random=False))
def test_it_is_complete_where_gunicorn_reads_all_of_it(name: str, chance: random.Random) -> None:
    text, behind = WHOLE[name], b"GET /next HTTP/1.1\r\n"
    arrival = RequestBuffer(MOST)
    cuts = {chance.randrange(len(text) + 1) for _ in range(chance.choice((0, 1, 3, 50)))}
    for start, end in pairwise(sorted({0, *cuts, len(text)})):
        assert not arrival.is_ready
        arrival.receive(text[start:end])
    assert (arrival.is_ready, arrival.is_whole, arrival.refusal_status) == (True, True, None)
    assert parsed(bytes(arrival.data))[2] == b""
    arrival.receive(behind)
    assert arrival.is_ready
    assert parsed(bytes(arrival.data))[2] == behind


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_is_not_waited_for(name: str) -> None:
    for size in (1, 7, len(ODD[name])):
        arrival, text = RequestBuffer(1 << 20), ODD[name]
        while text and not arrival.is_ready:
            arrival.receive(text[:size])
            text = text[size:]
        assert arrival.is_ready and arrival.refusal_status is None
        try:
            parsed(bytes(arrival.data))
        except (errors.ParseException, errors.NoMoreData):
            continue
        assert not arrival.is_whole, "gunicorn reads it, and it is all of it"


def test_what_is_too_long_is_refused_before_all_of_it_is_there() -> None:
    for text, status in (
        (b"GET /" + b"x" * MAX_HEAD_BYTES, HTTPStatus.REQUEST_URI_TOO_LONG),
        (HEAD + b"X: " + b"x" * MAX_HEAD_BYTES, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE),
        (HEAD + b"X: " + b"x" * MAX_HEAD_BYTES + b"\r\n\r\n", HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE),
        (HEAD + b"Content-Length: 4097\r\n\r\n", HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
        (CHUNKED + b"800\r\n" + b"x" * 2048 + b"\r\n801\r\n", HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
    ):
        arrival = RequestBuffer(MOST)
        arrival.receive(text)
        assert (arrival.refusal_status, arrival.is_ready) == (status, False), text[:60]


def test_the_head_says_who_asks_and_who_waits_for_leave_to_send_the_body() -> None:
    arrival = RequestBuffer(MOST)
    arrival.receive(HEAD + b"X-Forwarded-For: 192.0.2.1, 192.0.2.2\r\nx-forwarded-for: 192.0.2.3\r\n\r")
    assert arrival.forwarded_address(1) == ""  # the head has no end yet
    arrival.receive(b"\n")
    told = [arrival.forwarded_address(proxies) for proxies in range(5)]
    assert told == ["", "192.0.2.3", "192.0.2.2", "192.0.2.1", ""]
    for version, waits in ((b"1.1", True), (b"1.0", False)):
        arrival = RequestBuffer(MOST)
        arrival.receive(HEAD.replace(b"1.1", version) + b"Expect: 100-Continue\r\nContent-Length: 2\r\n\r\n")
        assert arrival.expects_continue == waits
        arrival.receive(b"{}")
        assert arrival.is_ready and not arrival.expects_continue


@pytest.mark.parametrize("seed", range(examples(20)))
def test_the_bytes_of_a_request_come_to_the_parser_in_their_order(seed: int) -> None:
    chance = random.Random(seed)
    text = chance.randbytes(50_000)
    gathered, read = BufferedUnreader(), b""
    gathered.set_data(text)
    while piece := gathered.read(chance.choice((None, 1, 100, 9000)), chance.choice((None, 20_000))):
        back = chance.randrange(len(piece) + 1)
        gathered.unread(piece[len(piece) - back :])
        read += piece[: len(piece) - back]
        assert gathered.remaining_count == len(gathered.remaining_data()), "what was read is not kept"
        if chance.random() < 0.1:
            gathered.unread(b"+")
            assert gathered.read(1) == b"+"
    assert read + gathered.remaining_data() == text
    assert (gathered.remaining_count, gathered._data) == (0, b"")


def test_who_has_most_gives_way_and_of_his_the_oldest() -> None:
    waiting: FairQueue[int] = FairQueue()
    assert waiting.pick_eviction() is None
    for one, client in enumerate("aabbbaab"):
        waiting.add(one, client)
    gone: list[int] = []
    while (first := waiting.pick_eviction()) is not None:
        gone.append(first)
        for _ in range(2):
            waiting.discard(first)
    assert (len(waiting), sorted(gone)) == (0, list(range(8)))
    clients = ["aabbbaab"[one] for one in gone]
    assert all(abs(clients[at:].count("a") - clients[at:].count("b")) <= 1 for at in range(9))
    for client in "ab":
        of_client = [one for one, other in zip(gone, clients, strict=True) if other == client]
        assert of_client == sorted(of_client)


def test_who_counts_for_another_now_is_behind_his_others() -> None:
    waiting: FairQueue[str] = FairQueue()
    for one, client in ("xa", "ya", "zb", "xb"):
        waiting.add(one, client)
    assert (waiting.count("a"), waiting.count("b"), waiting.count("c")) == (1, 2, 0)
    assert waiting.pick_eviction() == "z"
    assert "x" in waiting and list(waiting) == ["y", "z", "x"]


@pytest.mark.parametrize(
    "framed", [b"Transfer-Encoding: chunked\r\n\r\n%x\r\n", b"Content-Length: %d\r\n\r\n"]
)
def test_a_method_that_takes_no_body_is_sent_next_to_none(framed: bytes) -> None:
    allowed = dict.fromkeys((b"GET", b"HEAD", b"DELETE", b"get"), MAX_UNUSED_BODY_BYTES)
    allowed |= dict.fromkeys((b"POST", b"PUT", b"PATCH"), 1 << 20)
    for method, most in allowed.items():
        for size in (most, most + 1):
            arrival = RequestBuffer(1 << 20)
            arrival.receive(b"\r\n" + HEAD.replace(b"POST", method) + framed % size)
            refused = HTTPStatus.REQUEST_ENTITY_TOO_LARGE if size > most else None
            told = (arrival.refusal_status, arrival.body_limit, arrival.is_ready)
            assert told == (refused, most, False), method


def test_much_sent_at_once_buys_no_silence_and_who_sends_steadily_has_an_end_too() -> None:
    rest = ThroughputDeadline(20, 100)
    assert rest.expires_at == 120
    for sent, now, until in ((8 << 20, 101, 121), (1000, 119, 122), (1, 121.9, 122.001)):
        rest.record_bytes(sent, now)
        assert rest.expires_at == pytest.approx(until)
    rest, second = ThroughputDeadline(20, 0), 0
    while second < rest.expires_at:
        second += 1
        rest.record_bytes(MIN_BYTES_PER_SECOND, second)
    assert rest.expires_at == 20 + MAX_EXTRA_SECONDS


@pytest.mark.parametrize("sent", [b"GET / HT", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"])
def test_waitress_answers_a_request_that_does_not_come_in_time(
    sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    request, now = waitress_server._DeadlineRequestParser(Adjustments()), time.monotonic()
    request.received(sent)
    assert not request.completed
    monkeypatch.setattr(time, "monotonic", lambda: now + 3600)
    request.received(b"x")
    assert request.completed and request.error.code == HTTPStatus.REQUEST_TIMEOUT
