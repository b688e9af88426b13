"""How much a record takes, from whom, and that all of it can be read back."""

import re
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.audit_report import build_audit_report
from schemas.logs.deal_size import MAX_ANSWER_BYTES
from schemas.logs.deal_size import MAX_SHOWN_ENTRIES as SHOWN
from schemas.wire.jsonlines import MAX_ENTRIES_PER_LOG
from service.app import create_app
from service.auth.grants import GrantTerms, Scope
from service.eventstore import ANY_VERSION, EventStore, MemoryStore, NewEvent, StreamAppend
from service.presentation.reports.attestation import build_unattested_record
from service.presentation.reports.deal_article import MAX_DIAGRAMS, ArticleContext, build_deal_article
from service.records import capacity
from tests.support.api.asking import API, NOTE, body_of, correction, problem, send
from tests.support.api.clients import holding, owner_of
from tests.support.api.recording import DEAL, OPENING, TABLE, Json, recorded_deal, recorded_table
from tests.support.engine.shorthand import log_from

PLAYED: Json = {"type": "card_played", "seat": "forehand", "card": "S7"}
USED_UP, FULL = (413, "notes-used-up"), (413, "record-full")


@pytest.fixture(params=["deal", "table"])
def stream(request: pytest.FixtureRequest, store: EventStore) -> str:
    return recorded_deal(store, [OPENING]) if request.param == "deal" else recorded_table(store)


@pytest.fixture
def events(stream: str) -> str:
    return f"deals/{DEAL}/events" if stream == DEAL else f"tables/{TABLE}/events"


def player(app: Flask, stream: str) -> FlaskClient:
    if stream == DEAL:
        return holding(app, GrantTerms("player", Scope("deal", DEAL), seat="backhand"))
    return holding(app, GrantTerms("player", Scope("table", TABLE), person="Carl"))


def fill_record(store: EventStore, stream: str, version: int, wire: Json = NOTE) -> None:
    """Fill the record with events that nobody sent, up to that version."""
    missing = range(store.stream_version(stream), version)
    new = [NewEvent(f"018f5e2a-0000-7000-8000-{seq:012d}", orjson.dumps(wire)) for seq in missing]
    store.append(stream, [StreamAppend(stream, ANY_VERSION, new)])


def test_a_player_has_a_share_of_notes_and_the_recorder_the_rest(
    app: Flask, client: FlaskClient, store: EventStore, stream: str, events: str
) -> None:
    one, other = player(app, stream), player(app, stream)
    assert problem(send(one, events, [NOTE] * (capacity.MAX_NOTES_PER_GRANT + 1))) == USED_UP
    sent = [{**NOTE, "id": f"018f5e2a-0000-7000-9000-{n:012d}"} for n in range(capacity.MAX_NOTES_PER_GRANT)]
    for status in (201, 200):
        assert send(one, events, sent).status_code == status
    for version in ("*", store.stream_version(stream)):
        assert problem(send(one, events, NOTE, version)) == USED_UP
    assert problem(send(one, events, NOTE, 1)) == (412, "stale-version")
    assert send(other, events, NOTE).status_code == 201
    assert send(client, events, [NOTE] * 101).status_code == 201


def test_the_bounds_hold_for_writers_at_once(app: Flask, client: FlaskClient, store: EventStore) -> None:
    deal = recorded_deal(store, [OPENING])

    def statuses(writer: FlaskClient, count: int) -> list[int]:
        """What six who write so many at once are answered."""

        def post(_: int) -> int:
            asker = app.test_client(use_cookies=False)
            asker.environ_base = writer.environ_base
            return send(asker, f"deals/{deal}/events", [NOTE] * count).status_code

        with ThreadPoolExecutor(6) as pool:
            return sorted(pool.map(post, range(6)))

    assert statuses(player(app, deal), 30) == [201] * 3 + [413] * 3
    assert store.stream_version(deal) == 1 + 90
    fill_record(store, deal, MAX_ENTRIES_PER_LOG - 499)
    assert statuses(client, 499) == [201] + [413] * 5
    assert store.stream_version(deal) == MAX_ENTRIES_PER_LOG


def test_the_last_entries_are_kept_for_the_recorder(
    app: Flask, client: FlaskClient, store: EventStore, stream: str, events: str
) -> None:
    fill_record(store, stream, MAX_ENTRIES_PER_LOG - capacity.ENTRIES_RESERVED_FOR_WRITERS - 1)
    one = player(app, stream)
    assert problem(send(one, events, [NOTE] * 2)) == FULL
    assert send(one, events, NOTE).status_code == 201
    refused = send(one, events, NOTE)
    assert problem(refused) == FULL
    assert "Ask the recorder" in refused.get_json()["detail"] and refused.get_json()["version"] == 1500
    assert send(client, events, [NOTE] * 498).status_code == 201
    last = [{**NOTE, "id": f"018f5e2a-0000-7000-9000-{n:012d}"} for n in range(3)]
    assert problem(send(client, events, last)) == FULL
    for status in (201, 200):
        assert send(client, events, last[:2]).status_code == status, "a lost answer is asked for again"
    assert store.stream_version(stream) == MAX_ENTRIES_PER_LOG


def test_a_correction_counts_with_what_it_puts_in(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING])
    events, fits = f"deals/{DEAL}/events", correction(*[NOTE] * 1000)
    assert send(client, events, fits, 1).status_code == 201
    refused = send(client, events, fits, 2)
    assert problem(refused) == FULL
    assert str(MAX_ENTRIES_PER_LOG) in refused.get_json()["detail"]
    assert send(client, events, correction(NOTE), 2).status_code == 201


def test_a_full_table_starts_no_deal_and_is_imported_whole(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    fill_record(store, TABLE, MAX_ENTRIES_PER_LOG)
    for path, body in (("deals", {}), ("slip-batches", [[{}]])):
        assert problem(send(client, f"tables/{TABLE}/{path}", body, MAX_ENTRIES_PER_LOG)) == FULL
    taken = client.get(f"{API}/tables/{TABLE}/export.jsonl").data
    elsewhere = owner_of(create_app(MemoryStore()))
    for new in (MAX_ENTRIES_PER_LOG, 0):
        done = body_of(elsewhere.post(f"{API}/import", data=taken, content_type="application/jsonl"))
        (record,) = done["records"]
        assert (record["version"], record["new"], record["detail"]) == (MAX_ENTRIES_PER_LOG, new, None)


def test_an_event_longer_than_a_line_is_refused(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING])
    mended: dict[str, Any] = {**correction(*[{**NOTE, "text": "x" * 20_000}] * 52), "reason": ""}
    mended["reason"] = "y" * ((1 << 20) - len(orjson.dumps(mended)) - 20)
    sent = {"data": orjson.dumps(mended), "content_type": "application/json"}
    refused = client.post(f"{API}/deals/{DEAL}/events", headers={"If-Match": '"1"'}, **sent)
    assert "at most 1048576" in body_of(refused, 422)["detail"]
    assert store.stream_version(DEAL) == 1


def nested(depth: int) -> Json:
    return correction(*[PLAYED] * 400, *([nested(depth - 1)] if depth > 1 else []))


def memory_peak(ask: Callable[[], object]) -> int:
    """The most bytes that Python held at once while that was asked."""
    tracemalloc.start()
    try:
        ask()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


SAID: Json = {"type": "bid_made", "seat": "forehand", "bid": "pass", "said": "x" * 2000}
TOO_LARGE: dict[str, tuple[list[Json], str]] = {
    "several corrections": ([OPENING, *[correction(*[PLAYED] * 1000)] * 8], "8009"),
    "corrections in corrections": ([OPENING, nested(3)], "1201"),
    "long texts": ([OPENING, *[SAID] * (SHOWN - 1)], f"{MAX_ANSWER_BYTES >> 20} MiB"),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_posted_deal_is_measured_with_what_corrections_put_in(app: Flask, name: str) -> None:
    events, said = TOO_LARGE[name]
    body = b"".join(orjson.dumps(event) + b"\n" for event in events)

    def ask() -> None:
        for path in ("replay", "evidence", "odds") if name == "several corrections" else ("replay",):
            answer = app.test_client().post(f"{API}/{path}", data=body, content_type="application/jsonl")
            detail = body_of(answer, 413)["detail"]
            assert said in detail and re.search("(500|2000|MiB) is not|MiB", detail), detail

    assert memory_peak(ask) < 100 << 20


def test_a_larger_record_of_before_is_still_read(store: EventStore, client: FlaskClient) -> None:
    """An early version stored a record larger than one takes now."""
    recorded_deal(store, [OPENING])
    fill_record(store, DEAL, 3, correction(*[PLAYED] * 1000))

    def refused() -> None:
        for aspect in ("replay", "audit", "evidence", "odds"):
            answer = client.get(f"{API}/deals/{DEAL}/{aspect}")
            assert problem(answer) == (413, "too-large"), aspect
            assert "2001" in answer.get_json()["detail"]
        for page in ("file", "report"):
            answer = client.get(f"/deals/{DEAL}/{page}", headers={"Accept": "text/html"})
            assert answer.status_code == 413, page

    assert memory_peak(refused) < 150 << 20
    for aspect in ("state", "score", "state.svg"):
        answer = client.get(f"{API}/deals/{DEAL}/{aspect}")
        assert answer.status_code == 200 and len(answer.data) < 2 << 20, aspect


def test_a_long_record_is_replayed(store: EventStore, client: FlaskClient) -> None:
    long = [OPENING, correction(*[PLAYED] * (SHOWN - 1))]
    recorded_deal(store, long)
    answer = client.get(f"{API}/deals/{DEAL}/replay")
    assert (answer.status_code, len(answer.get_json()["frames"])) == (200, SHOWN)
    assert client.get(f"{API}/deals/{DEAL}/audit").status_code == 200
    assert client.get(f"/deals/{DEAL}/file").status_code == 200
    assert problem(client.post(f"{API}/replay", json=[*long, PLAYED])) == (413, "too-large")


def test_a_report_of_very_many_matters_draws_the_first() -> None:
    cards = ["SA", "S2", "CA", "H2", "H3", "D4", "D5", "C6", "C7"]
    hand = {"type": "hand_dealt", "seat": "forehand", "cards": cards}
    made = build_audit_report(log_from([OPENING, hand, *[PLAYED] * (2 * MAX_DIAGRAMS)]))
    article = build_deal_article(made, "en", ArticleContext(build_unattested_record(made.log, "here")))
    drawn = [one["number"] for one in article["entry_reports"] if one.get("diagram")]
    assert len(article["entry_reports"]) > MAX_DIAGRAMS >= max(drawn)
