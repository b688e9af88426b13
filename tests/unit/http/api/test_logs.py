"""Logs that are not stored: judged, scored, replayed, and two accounts of one deal compared."""

import threading
from contextlib import suppress
from typing import Any

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import replays
from engine import audit
from engine.reconcile import DealAccount, compare_accounts
from schemas.answers.accounts import comparison_object
from schemas.answers.deal_reports import report_object
from schemas.answers.states import score_object
from schemas.wire.event_reader import read_entry
from schemas.wire.event_writer import entry_object
from service.app import create_app
from service.auth.grants import GrantTerms, Scope
from service.config.settings import Settings
from service.eventstore import MemoryStore
from service.http.api import anonymous_limits
from service.http.api.anonymous_limits import QueueFull, WorkQueue
from service.http.api.openapi.examples import request_example
from service.http.api.routes import logs
from tests.support.api.asking import API, ELSEWHERE, body_of, correction, fetch, problem
from tests.support.api.clients import of_app, owner_of, token_for
from tests.support.api.recording import OPENING, Json, some_deal
from tests.support.waiting import until

ACCOUNTS = request_example("logs_compare")
TWO = [some_deal(1), some_deal(2)]


@pytest.fixture(scope="module")
def reader() -> FlaskClient:
    return owner_of(create_app(MemoryStore()))


def jsonl_of(*deals: list[Json]) -> bytes:
    return b"".join(orjson.dumps(event) + b"\n" for deal in deals for event in deal)


def send(client: FlaskClient, path: str, body: bytes, kind: str = "application/jsonl") -> TestResponse:
    return client.post(f"{API}/{path}", data=body, content_type=kind)


@pytest.mark.parametrize("kind", ["lines", "lines called JSON", "list"])
def test_every_deal_of_a_log_has_its_report_and_score(reader: FlaskClient, kind: str) -> None:
    body = orjson.dumps([*TWO[0], *TWO[1]]) if kind == "list" else jsonl_of(*TWO)
    called = "application/jsonl" if kind == "lines" else "application/json"
    recorded = fetch(reader, "deals")
    audits = [audit(tuple(read_entry(event, n) for n, event in enumerate(deal, 1))) for deal in TWO]
    reports = [report_object(judged, "evening", n) for n, judged in enumerate(audits, 1)]
    answer = body_of(send(reader, "validate?name=evening", body, called))
    assert answer == {"reports": reports, "problems": [], "unlisted": 0}
    scores = [{"file": "-", "deal": n, **score_object(one.score)} for n, one in enumerate(audits, 1)]
    assert body_of(send(reader, "score", body, called))["scores"] == scores
    assert fetch(reader, "deals") == recorded


def test_what_cannot_be_read_is_reported_with_its_place_and_the_rest_is_judged(reader: FlaskClient) -> None:
    wrong = {"type": "card_played", "seat": "forehand", "card": "S8"}
    answer = body_of(send(reader, "validate", jsonl_of([OPENING, wrong]) + b'{"type":\n' + jsonl_of(TWO[1])))
    assert [report["deal"] for report in answer["reports"]] == [2]
    places = [(one["line"], one["column"], one["pointer"]) for one in answer["problems"]]
    assert places[0] == (2, 48, "/card")
    assert places[1][0] == 3
    body = orjson.dumps([*TWO[0], OPENING, wrong])
    (found,) = body_of(send(reader, "score", body, "application/json"))["problems"]
    assert (found["pointer"], found["line"], found["column"]) == (f"/{len(TWO[0]) + 1}/card", None, None)


def test_where_nothing_can_be_read_that_is_the_answer(reader: FlaskClient) -> None:
    bodies = (
        b"", b"{", b"[]", b"null", b"[" * 100_000, b"\xff\xfe{\x00", b'{"type":"bid_made"}', b"NaN", b"1e999",
        b'[{"type":"deal_opened"}]', b'{"type":"deal_opened","ruleset":"\\ud800"}', b"rubbish\n",
    )  # fmt: skip
    for body in bodies:
        for kind in ("application/json", "application/jsonl"):
            for path in ("validate", "score", "import"):
                answer = send(reader, path, body, kind)
                assert problem(answer) == (422, "unreadable-log"), (path, kind, body[:40])
                assert answer.get_json()["errors"]
    table = {"type": "table_opened", "ruleset": "dlu", "players": ["Anna", "Bo", "Carl"]}
    assert "table" in body_of(send(reader, "validate", jsonl_of([table])), 422)["detail"]
    both = body_of(send(reader, "validate", jsonl_of([table], TWO[0])))
    assert [report["deal"] for report in both["reports"]] == [2]


def too_large(answer: TestResponse) -> str:
    assert problem(answer) == (413, "too-large"), answer.text
    return str(answer.get_json()["detail"])


def test_a_body_has_at_most_a_mebibyte_and_a_deal_2000_entries(reader: FlaskClient) -> None:
    line = orjson.dumps(OPENING) + b"\n"
    body = line + b"\n" * ((1 << 20) - len(line))
    assert send(reader, "validate", body).status_code == 200
    assert "1 MiB" in too_large(send(reader, "validate", body + b"\n"))
    # A deal is counted with what corrections put in, before it is judged.
    again = correction(*[{"type": "action_withdrawn", "of": 1}] * 1000)
    for path in ("validate", "score", "replay", "compare"):
        detail = too_large(send(reader, path, jsonl_of([OPENING, again, again], [OPENING])))
        assert "2003 entries" in detail, path


RULES = [
    {"type": "ruleset_published", "ruleset": {"id": f"our-{n}", "based_on": "dlu", "source": "-",
                                              "words": {"en": "Ours", "da": "Vores"}}}
    for n in range(3)
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "before", "seconds", "after"),
    [
        ("validate", [], [0, 0, 0, 1, 2], "1 of its 2 logs"),
        ("score", [], [0, 0, 2], "reading 2 logs"),
        ("validate", RULES, [0, 0, 0, 2], "reading 2 rulesets"),
    ],
    ids=["judging", "reading", "reading rulesets"],
)
def test_work_on_a_body_ends_after_some_time(
    reader: FlaskClient, monkeypatch: pytest.MonkeyPatch, path: str, before: Any, seconds: Any, after: str
) -> None:
    monkeypatch.setattr("time.thread_time", iter(seconds).__next__)
    detail = too_large(send(reader, path, jsonl_of(before, [OPENING], [OPENING])))
    assert after in detail and "spadille validate" in detail


RECORD = "00000000-0000-4000-8000-000000000001"


def sent_by(app: Flask, body: bytes, elsewhere: bool = True, **headers: str) -> TestResponse:
    client = app.test_client()
    client.environ_base |= ELSEWHERE if elsewhere else {}
    return client.post(f"{API}/validate", data=body, content_type="application/jsonl", headers=headers)


def test_readers_wait_as_anonymous_callers_do(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    of_app(app).register.create_grant(GrantTerms("viewer", Scope("deal", RECORD), public=True))
    monkeypatch.setattr(anonymous_limits, "_queue", WorkQueue(0))
    large = jsonl_of(TWO[0]) + b"\n" * logs.MAX_UNQUEUED_BYTES
    assert sent_by(app, large).status_code == 429
    for shown in (GrantTerms("viewer"), GrantTerms("player", Scope("deal", RECORD), seat="forehand")):
        headers = {"Authorization": f"Bearer {token_for(app, shown)}"}
        assert sent_by(app, large, True, **headers).status_code == 429, shown.role
    client = app.test_client()
    for path in ("/api/v1/replays/belinda/audit", "/api/v1/replays/belinda/evidence",
                 "/replays/belinda/report"):  # fmt: skip
        assert client.get(path, environ_overrides=ELSEWHERE).status_code == 429, path
        assert client.get(path).status_code == 200, path


def test_only_anonymous_callers_wait_for_a_turn(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anonymous_limits, "_queue", WorkQueue(1))
    large = jsonl_of(TWO[0]) + b"\n" * logs.MAX_UNQUEUED_BYTES
    with anonymous_limits._queue.turn("192.0.2.8"):
        refused = sent_by(app, large)
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "10")
        assert sent_by(app, jsonl_of(TWO[0])).status_code == 200
        assert sent_by(app, large, elsewhere=False).status_code == 200
    assert sent_by(app, large).status_code == 200


def worker(queue: WorkQueue, client: str, order: list[str]) -> threading.Thread:
    def work() -> None:
        with queue.turn(client):
            order.append(client)

    thread, before = threading.Thread(target=work), len(queue)
    thread.start()
    until(lambda: len(queue) > before)
    return thread


def refuses(queue: WorkQueue, client: str) -> bool:
    with suppress(QueueFull), queue.turn(client):
        return False
    return True


def test_one_client_does_not_take_all_the_places_to_wait() -> None:
    queue, order = WorkQueue(4, 60), list[str]()
    with queue.turn("a"):
        threads = [worker(queue, "a", order)]
        assert refuses(queue, "a"), "a third of the same client"
        threads += [worker(queue, "b", order), worker(queue, "c", order)]
        assert refuses(queue, "d"), "one more than there are places"
        assert order == []
    for thread in threads:
        thread.join(20)
    assert (sorted(order), len(queue)) == (["a", "b", "c"], 0)
    impatient = WorkQueue(2, 0.05)
    with impatient.turn("a"):
        assert refuses(impatient, "a"), "a turn is waited for no longer"


def test_a_client_that_asks_again_and_again_lets_another_go_first() -> None:
    queue, order = WorkQueue(8, 60), list[str]()
    with queue.turn("hammering"):
        threads = [worker(queue, client, order) for client in ("hammering", "one", "another")]
    for thread in threads:
        thread.join(20)
    assert order == ["one", "another", "hammering"]


def test_what_is_judged_counts_by_its_size() -> None:
    app = create_app(MemoryStore(), settings=Settings(rate=0.001, burst=5))
    assert [sent_by(app, jsonl_of(TWO[0]) + b"\n" * 16_000).status_code for _ in range(3)] == [200, 429, 429]


BELINDA = {"forehand": "Belinda", "middlehand": "the Baron", "backhand": "Sir Anonym"}
IF_HE_LEADS: list[Json] = [
    {"type": "deal_opened", "ruleset": "ombre", "players": BELINDA, "title": "If she leads the king",
     "branch": {"deal": "belinda", "at": 26}},
    {"type": "card_played", "seat": "forehand", "card": "HK", "trick": 5},
]  # fmt: skip


def test_a_log_is_replayed_as_it_would_be_if_it_were_stored(client: FlaskClient) -> None:
    answer = body_of(send(client, "replay", jsonl_of(*TWO, IF_HE_LEADS)))
    stored = body_of(client.post(f"{API}/deals", json=IF_HE_LEADS), 201)["deal"]
    as_stored = fetch(client, f"deals/{stored}/replay")
    for document in (answer, as_stored):
        for frame in document["frames"]:
            frame["event"] = [frame["event"].get(name) for name in ("type", "card")]
    same = set(as_stored) & set(answer) - {"branch"}
    assert same >= {"frames", "findings", "score", "players"}
    assert {name: answer[name] for name in same} == {name: as_stored[name] for name in same}
    assert answer["frames"][-1]["legal"]["cards"] == ["HA"]
    assert answer["text"].endswith("Branch:     belinda at @26\n\n5: F HK\n")


def test_a_replayed_log_is_cut_to_what_a_seat_may_know(reader: FlaskClient) -> None:
    def hands(viewer: str) -> Json:
        last = body_of(send(reader, f"replay?viewer={viewer}", jsonl_of(IF_HE_LEADS)))["frames"][-1]
        return {**last["state"]["hands"], "legal": last["legal"]["cards"]}

    assert hands("all")["middlehand"]["cards"]
    assert hands("middlehand")["legal"] == ["HA"]
    for viewer in ("forehand", "public"):
        seen = hands(viewer)
        assert (seen["middlehand"]["cards"], seen["legal"]) == ([], [])
        assert bool(seen["forehand"]["cards"]) is (viewer == "forehand")
    # Of several deals it is the last, or the one that is asked for.
    named = [[{**deal[0], "title": str(n)}, *deal[1:]] for n, deal in enumerate(TWO, 1)]
    for asked, title in (("", "2"), ("?deal=1", "1"), ("?deal=2", "2")):
        assert body_of(send(reader, f"replay{asked}", jsonl_of(*named)))["title"] == title
    assert problem(send(reader, "replay?deal=3", jsonl_of(*named))) == (422, "unreadable-log")


def test_a_deal_is_replayed_without_what_cannot_be_read(reader: FlaskClient) -> None:
    head = "Deal: One\nRules: dlu\nForehand: Anna\nMiddlehand: Bo\nBackhand: Carl\n\n"
    text, kind = f"{head}F frobs solo\nM passes\n".encode(), "text/vnd.spadille.deal"
    skipping = f"{API}/replay?unread=skipped"
    assert send(reader, "replay", text, kind).status_code == 422
    answer = body_of(send(reader, "replay?unread=skipped", text, kind))
    assert [frame["event"]["type"] for frame in answer["frames"]] == ["deal_opened", "bid_made"]
    assert [one["line"] for one in answer["problems"]] == [7]
    passed = {"type": "bid_made", "seat": "forehand", "bid": "pass"}
    left = [{**OPENING, "seq": 1}, {**passed, "seq": 1.5}, {**passed, "seq": 5}]
    answer = body_of(reader.post(skipping, json=left))
    assert answer["text"] == "", "a number is left out"
    assert [frame["event"]["type"] for frame in answer["frames"]] == ["deal_opened", "bid_made"]
    refused = reader.post(skipping, json=left[1:])
    assert problem(refused) == (422, "unreadable-log")
    assert refused.get_json()["detail"].startswith("No deal could be read.")
    assert "/0/seq" in [error["pointer"] for error in refused.get_json()["errors"]]


PRINTED, MENDED = (replays.find_library_deal(name) for name in ("belinda-as-printed", "belinda"))


def test_the_answer_is_what_the_engine_says_and_nothing_is_stored(client: FlaskClient) -> None:
    assert PRINTED is not None and MENDED is not None
    logs = PRINTED.read_log(), MENDED.read_log()
    events = [entry_object(entry, omit_unknown=True) for log in logs for entry in log]
    events = [{name: value for name, value in event.items() if name != "seq"} for event in events]
    answer = body_of(client.post(f"{API}/compare?first=book&second=phone&take=11:1", json=events))
    accounts = DealAccount("book", logs[0]), DealAccount("phone", logs[1])
    wanted = orjson.loads(orjson.dumps(comparison_object(*accounts, compare_accounts(*accounts, {11: 0}))))
    assert answer["differences"][1]["taken"] == 1
    for part in ("accounts", "agree"):
        assert answer[part] == wanted[part]
    assert [one["accounts"] for one in answer["merged"]] == [one["accounts"] for one in wanted["merged"]]
    assert [one["seq"] for one in answer["differences"]] == [one["seq"] for one in wanted["differences"]]
    assert fetch(client, "deals")["deals"] == []
    twice = [*events[: len(logs[0])]] * 2
    danish = client.post(f"{API}/compare", json=twice, headers={"Accept-Language": "da"}).get_json()
    assert danish["agree"]
    assert "Belinda er skrevet ned " in danish["accounts"][0]["contradicting"][0]["message"]


def test_what_cannot_be_compared_is_a_problem(client: FlaskClient) -> None:
    note = {"type": "note_added", "text": "x"}
    refused: list[tuple[list[Any], str, int, str]] = [
        (ACCOUNTS[:2], "", 422, "The body has 1 deals. Send two, one account after the other."),
        ([*ACCOUNTS, {"type": "tea"}], "", 422, "tea"),
        (ACCOUNTS, "?take=1:2", 422, "Entry 1 of the merged record is the same in both"),
        ([*ACCOUNTS, *[note] * 400], "", 413, "at most 400 can be compared"),
    ]
    for events, asked, status, detail in refused:
        assert detail in body_of(client.post(f"{API}/compare{asked}", json=events), status)["detail"]
