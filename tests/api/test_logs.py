"""Judging and scoring logs that are not stored."""

import threading
import time
from typing import Any

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine import audit
from schemas.deal_size import ENTRIES
from schemas.reader import read_entry
from schemas.reports import report_object
from schemas.states import score_object
from service.api import logs, strangers
from service.app import create_app
from service.identity.grants import Scope, Terms
from service.judging_turns import QueueFull, WorkQueue
from service.settings import Settings
from service.store import MemoryStore
from tests.support.api.clients import of_app, owner_of, token_for
from tests.support.api.recording import OPENING, Json, some_deal

TWO = [some_deal(1), some_deal(2)]


@pytest.fixture(scope="module")
def reader() -> FlaskClient:
    return owner_of(create_app(MemoryStore()))


def lines(*deals: list[Json]) -> bytes:
    return b"".join(orjson.dumps(event) + b"\n" for deal in deals for event in deal)


def send(client: FlaskClient, path: str, body: bytes, kind: str = "application/jsonl") -> TestResponse:
    return client.post(f"/api/v1/{path}", data=body, content_type=kind)


def audits() -> list[Any]:
    return [audit(tuple(read_entry(event, n) for n, event in enumerate(deal, 1))) for deal in TWO]


@pytest.mark.parametrize("kind", ["lines", "lines called JSON", "list"])
def test_every_deal_of_a_log_has_its_report(reader: FlaskClient, kind: str) -> None:
    as_list = kind == "list"
    body = orjson.dumps([*TWO[0], *TWO[1]]) if as_list else lines(*TWO)
    answer = send(
        reader, "validate?name=evening", body, "application/jsonl" if kind == "lines" else "application/json"
    )
    assert answer.status_code == 200
    reports = [report_object(judged, "evening", n) for n, judged in enumerate(audits(), 1)]
    assert answer.get_json() == {"reports": reports, "problems": [], "unlisted": 0}
    assert reader.get("/api/v1/deals").get_json()["deals"] == []


def test_every_deal_of_a_log_has_its_score(reader: FlaskClient) -> None:
    scores = send(reader, "score", lines(*TWO)).get_json()["scores"]
    assert scores == [
        {"file": "-", "deal": n, **score_object(judged.score)} for n, judged in enumerate(audits(), 1)
    ]


def test_what_cannot_be_read_is_told_by_line_and_column_and_the_rest_is_judged(reader: FlaskClient) -> None:
    bad = (
        lines([OPENING]) + b'{"type":"card_played","seat":"forehand","card":"S8"}\n{"type":\n' + lines(TWO[1])
    )
    answer = send(reader, "validate", bad)
    assert answer.status_code == 200
    assert [report["deal"] for report in answer.get_json()["reports"]] == [2]
    places = [(one["line"], one["column"], one["pointer"]) for one in answer.get_json()["problems"]]
    assert places[0] == (2, 48, "/card")
    assert places[1][0] == 3


def test_in_a_list_it_is_told_by_pointer(reader: FlaskClient) -> None:
    body = orjson.dumps([*TWO[0], OPENING, {"type": "card_played", "seat": "forehand", "card": "S8"}])
    (problem,) = send(reader, "score", body, "application/json").get_json()["problems"]
    assert problem["pointer"] == f"/{len(TWO[0]) + 1}/card"
    assert (problem["line"], problem["column"]) == (None, None)


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[", b"[]", b"null", b"[" * 100_000, b"\xff\xfe{\x00", b'{"type":"bid_made"}', b"NaN",
     b'[{"type":"deal_opened"}]', b"\x00", b'{"type":"deal_opened","ruleset":"\\ud800"}', b"1e999"],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["application/json", "application/jsonl"])
@pytest.mark.parametrize("path", ["validate", "score"])
def test_where_nothing_can_be_read_that_is_the_answer(
    reader: FlaskClient, path: str, kind: str, body: bytes
) -> None:
    answer = send(reader, path, body, kind)
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/unreadable-log")
    assert answer.get_json()["errors"]


def test_the_log_of_a_table_is_no_deal(reader: FlaskClient) -> None:
    table = {"type": "table_opened", "ruleset": "dlu", "players": ["Anna", "Bo", "Carl"]}
    answer = send(reader, "validate", lines([table]))
    assert (answer.status_code, "table" in answer.get_json()["detail"]) == (422, True)
    both = send(reader, "validate", lines([table], TWO[0])).get_json()
    assert [report["deal"] for report in both["reports"]] == [2]


def test_a_body_has_at_most_a_mebibyte(reader: FlaskClient) -> None:
    line = orjson.dumps(OPENING) + b"\n"
    body = line + b"\n" * ((1 << 20) - len(line))
    assert send(reader, "validate", body).status_code == 200
    answer = send(reader, "validate", body + b"\n")
    assert (answer.status_code, answer.get_json()["type"]) == (413, "/problems/too-large")
    assert "1 MiB" in answer.get_json()["detail"]


@pytest.mark.parametrize(
    ("path", "seconds", "after"),
    [("validate", [0, 0, 0, 1, 2], "1 of its 2 logs"), ("score", [0, 0, 2], "reading 2 logs")],
)
def test_work_on_a_body_ends_after_some_time(
    reader: FlaskClient, monkeypatch: pytest.MonkeyPatch, path: str, seconds: list[float], after: str
) -> None:
    monkeypatch.setattr("time.thread_time", iter(seconds).__next__)
    answer = send(reader, path, lines([OPENING], [OPENING]))
    assert (answer.status_code, answer.get_json()["type"]) == (413, "/problems/too-large")
    assert after in answer.get_json()["detail"] and "spadille validate" in answer.get_json()["detail"]


def test_reading_rulesets_ends_after_some_time(reader: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    words = {"en": "Ours", "da": "Vores"}
    rules = [
        {
            "type": "ruleset_published",
            "ruleset": {"id": f"our-{n}", "based_on": "dlu", "words": words, "source": "-"},
        }
        for n in range(3)
    ]
    monkeypatch.setattr("time.thread_time", iter([0, 0, 0, 2]).__next__)
    answer = send(reader, "validate", lines(rules, [OPENING]))
    assert (answer.status_code, "reading 2 rulesets" in answer.get_json()["detail"]) == (413, True)


@pytest.mark.parametrize("path", ["validate", "score", "replay", "compare"])
def test_a_deal_is_counted_with_what_corrections_put_in_before_it_is_judged(
    reader: FlaskClient, path: str
) -> None:
    inside = [{"type": "action_withdrawn", "of": 1}] * 1000
    again = {"type": "correction_made", "reason": "again", "replaces": [], "with": inside}
    answer = send(reader, path, lines([OPENING, again, again], [OPENING]))
    assert (answer.status_code, answer.get_json()["type"]) == (413, "/problems/too-large")
    assert "2003 entries" in answer.get_json()["detail"]


# Strangers

ELSEWHERE = {"REMOTE_ADDR": "192.0.2.7"}
RECORD = "00000000-0000-4000-8000-000000000001"


def sent_by(app: Flask, body: bytes, elsewhere: bool = True, **headers: str) -> TestResponse:
    return app.test_client().post(
        "/api/v1/validate",
        data=body,
        content_type="application/jsonl",
        headers=headers,
        environ_overrides=ELSEWHERE if elsewhere else {},
    )


@pytest.fixture
def app() -> Flask:
    return create_app(MemoryStore())


@pytest.mark.parametrize(
    "shown",
    [None, Terms("viewer"), Terms("player", Scope("deal", RECORD), seat="forehand")],
    ids=["nothing", "viewer", "player"],
)
def test_who_may_record_nothing_stays_a_stranger_where_something_is_published(
    app: Flask, monkeypatch: pytest.MonkeyPatch, shown: Terms | None
) -> None:
    of_app(app).register.make(Terms("viewer", Scope("deal", RECORD), public=True))
    headers = {} if shown is None else {"Authorization": f"Bearer {token_for(app, shown)}"}
    monkeypatch.setattr(strangers, "_queue", WorkQueue(0))
    large = lines(TWO[0]) + b"\n" * logs.SMALL_BYTES
    assert sent_by(app, large, True, **headers).status_code == 429


@pytest.mark.parametrize(
    "path",
    ["/api/v1/replays/belinda/audit", "/api/v1/replays/belinda/evidence", "/replays/belinda/report"],
)
def test_a_stranger_waits_for_a_report(app: Flask, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setattr(strangers, "_queue", WorkQueue(0))
    client = app.test_client()
    assert client.get(path, environ_overrides=ELSEWHERE).status_code == 429
    assert client.get(path).status_code == 200


def test_strangers_wait_for_their_turn_and_nobody_else_does(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strangers, "_queue", WorkQueue(1))
    large = lines(TWO[0]) + b"\n" * logs.SMALL_BYTES
    with strangers._queue.turn("192.0.2.8"):
        refused = sent_by(app, large)
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "10")
        assert sent_by(app, lines(TWO[0])).status_code == 200
        assert sent_by(app, large, elsewhere=False).status_code == 200
    assert sent_by(app, large).status_code == 200


def test_a_turn_is_waited_for_and_no_longer_than_that() -> None:
    turns = WorkQueue(2, 0.05)
    with turns.turn("a"), pytest.raises(QueueFull), turns.turn("a"):
        raise AssertionError("two at once")
    ready, done = threading.Event(), threading.Event()
    patient = WorkQueue(2, 30)

    def next_one() -> None:
        ready.set()
        with patient.turn("a"):
            done.set()

    waiting = threading.Thread(target=next_one)
    with patient.turn("a"):
        waiting.start()
        assert ready.wait(20)
        assert not done.is_set()
    waiting.join(20)
    assert done.is_set()


def test_one_client_does_not_take_all_the_places_to_wait() -> None:
    turns, judged = WorkQueue(4, 60), threading.Semaphore(0)

    def next_one(client: str) -> None:
        with turns.turn(client):
            judged.release()

    def wait_for(client: str) -> threading.Thread:
        waiting, before = threading.Thread(target=next_one, args=(client,)), len(turns)
        waiting.start()
        deadline = time.monotonic() + 20
        while len(turns) == before and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(turns) == before + 1
        return waiting

    with turns.turn("a"):
        waiting = [wait_for("a")]
        with pytest.raises(QueueFull), turns.turn("a"):
            raise AssertionError("a third of the same client")
        waiting += [wait_for("b"), wait_for("c")]
        with pytest.raises(QueueFull), turns.turn("d"):
            raise AssertionError("one more than there are places")
    for one in waiting:
        one.join(20)
        assert judged.acquire(timeout=0)
    assert len(turns) == 0


def test_a_client_that_asks_again_and_again_lets_another_go_first() -> None:
    queue, order = WorkQueue(8, 60), list[str]()

    def work(client: str) -> None:
        with queue.turn(client):
            order.append(client)

    def waiting(client: str) -> threading.Thread:
        one, before = threading.Thread(target=work, args=(client,)), len(queue)
        one.start()
        deadline = time.monotonic() + 20
        while len(queue) == before and time.monotonic() < deadline:
            time.sleep(0.01)
        return one

    with queue.turn("hammering"):
        threads = [waiting(client) for client in ("hammering", "one", "another")]
    for thread in threads:
        thread.join(20)
    assert order == ["one", "another", "hammering"]


def test_what_is_judged_counts_by_its_size() -> None:
    app = create_app(MemoryStore(), settings=Settings(rate=0.001, burst=5))
    body = lines(TWO[0]) + b"\n" * 16_000
    assert [sent_by(app, body).status_code for _ in range(3)] == [200, 429, 429]


# Replaying


BELINDA = {"forehand": "Belinda", "middlehand": "the Baron", "backhand": "Sir Anonym"}
IF_HE_LEADS: list[Json] = [
    {
        "type": "deal_opened",
        "ruleset": "ombre",
        "players": BELINDA,
        "title": "If she leads the king",
        "branch": {"deal": "belinda", "at": 26},
    },
    {"type": "card_played", "seat": "forehand", "card": "HK", "trick": 5},
]


def test_a_log_is_replayed_as_it_would_be_if_it_were_stored(reader: FlaskClient) -> None:
    answer = send(reader, "replay", lines(*TWO, IF_HE_LEADS)).get_json()
    stored = reader.post("/api/v1/deals", json=IF_HE_LEADS).get_json()["deal"]
    as_stored = reader.get(f"/api/v1/deals/{stored}/replay").get_json()
    for document in (answer, as_stored):
        for frame in document["frames"]:
            frame["event"] = {
                name: value for name, value in frame["event"].items() if name in ("type", "card")
            }
    same = set(as_stored) & set(answer) - {"branch"}
    assert same >= {"frames", "findings", "score", "players"}
    assert {name: answer[name] for name in same} == {name: as_stored[name] for name in same}
    assert answer["frames"][-1]["legal"]["cards"] == ["HA"]
    assert answer["text"].endswith("Branch:     belinda at @26\n\n5: F HK\n")


def test_one_deal_of_a_log_is_replayed_the_last_or_the_one_that_is_asked_for(reader: FlaskClient) -> None:
    deals = [
        [{**deal[0], "title": name}, *deal[1:]] for name, deal in zip(("first", "second"), TWO, strict=True)
    ]
    for asked, title in (("", "second"), ("?deal=1", "first"), ("?deal=2", "second")):
        assert send(reader, f"replay{asked}", lines(*deals)).get_json()["title"] == title
    none = send(reader, "replay?deal=3", lines(*deals))
    assert (none.status_code, none.get_json()["type"]) == (422, "/problems/unreadable-log")


def test_a_replayed_log_is_cut_to_what_a_seat_may_know(reader: FlaskClient) -> None:
    def hands(viewer: str) -> Json:
        last = send(reader, f"replay?viewer={viewer}", lines(IF_HE_LEADS)).get_json()["frames"][-1]
        return {**last["state"]["hands"], "legal": last["legal"]["cards"]}

    assert hands("all")["middlehand"]["cards"]
    assert hands("middlehand")["legal"] == ["HA"]
    for viewer in ("forehand", "public"):
        seen = hands(viewer)
        assert (seen["middlehand"]["cards"], seen["legal"]) == ([], [])
        assert bool(seen["forehand"]["cards"]) is (viewer == "forehand")


def test_no_deal_is_replayed_that_is_longer_than_any_is_played(reader: FlaskClient) -> None:
    played = {"type": "card_played", "seat": "forehand", "card": "??"}
    note = {"type": "note_added", "text": "Again."}
    long = [OPENING, *[played] * (ENTRIES - 1)]
    answer = send(reader, "replay", lines([*long, note]))
    assert (answer.status_code, len(answer.get_json()["frames"])) == (200, ENTRIES + 1)
    answer = send(reader, "replay", lines([*long, played]))
    assert (answer.status_code, answer.get_json()["type"]) == (413, "/problems/too-large")


def test_a_deal_is_replayed_without_what_cannot_be_read(client: FlaskClient) -> None:
    text = "Deal: One\nRules: dlu\nForehand: Anna\nMiddlehand: Bo\nBackhand: Carl\n\nF frobs solo\nM passes\n"
    sent = {"data": text, "content_type": "text/vnd.spadille.deal"}
    assert client.post("/api/v1/replay", **sent).status_code == 422
    told = client.post("/api/v1/replay?unread=skipped", **sent).get_json()
    assert [frame["event"]["type"] for frame in told["frames"]] == ["deal_opened", "bid_made"]
    assert [problem["line"] for problem in told["problems"]] == [7]


def test_what_is_left_of_a_deal_without_its_opening_is_not_replayed(client: FlaskClient) -> None:
    passed = {"type": "bid_made", "seat": "forehand", "bid": "pass"}
    answer = client.post("/api/v1/replay?unread=skipped", json=[{**passed, "seq": 1.5}, {**passed, "seq": 5}])
    told = answer.get_json()
    assert (answer.status_code, told["type"]) == (422, "/problems/unreadable-log")
    assert told["detail"].startswith("No deal could be read.")
    assert "/0/seq" in [error["pointer"] for error in told["errors"]]


def test_what_is_left_of_a_deal_with_a_number_left_out_is_replayed_not_written(
    client: FlaskClient,
) -> None:
    passed = {"type": "bid_made", "seat": "forehand", "bid": "pass"}
    left = [{**OPENING, "seq": 1}, {**passed, "seq": 1.5}, {**passed, "seq": 5}]
    answer = client.post("/api/v1/replay?unread=skipped", json=left)
    told = answer.get_json()
    assert (answer.status_code, told["text"]) == (200, "")
    assert [frame["event"]["type"] for frame in told["frames"]] == ["deal_opened", "bid_made"]
