"""Deals that corrections make large: refused with the figure where each entry is shown with its state."""

import re
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Final

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.report import report
from schemas.logs.deal_size import BYTES, ENTRIES
from schemas.wire.jsonlines import ENTRIES as RECORD_ENTRIES
from service.eventstore import ANY, Append, EventStore, NewEvent
from service.presentation.reports.article import MOST_DRAWN, About, article_of
from service.presentation.reports.vouching import unvouched
from tests.support.api.asking import API, body_of, correction, problem, send
from tests.support.api.recording import DEAL, OPENING, Json, recorded_deal
from tests.support.engine.shorthand import log_from

PLAYED: Final[Json] = {"type": "card_played", "seat": "forehand", "card": "S7"}
SHOWN: Final = ("replay", "audit", "evidence", "likely")
READ: Final = ("state", "legal", "score", "findings", "state.svg")


def lines(events: list[Json]) -> bytes:
    return b"".join(orjson.dumps(event) + b"\n" for event in events)


def nested(depth: int) -> Json:
    return correction(*[PLAYED] * 400, *([nested(depth - 1)] if depth > 1 else []))


@pytest.fixture
def memory_peak() -> Iterator[Callable[[], int]]:
    """Gives the most bytes that Python held at once since the test began."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


@pytest.mark.parametrize("path", ["replay", "evidence", "likely"])
@pytest.mark.parametrize(
    ("events", "count"),
    [([OPENING, *[correction(*[PLAYED] * 1000)] * 8], "8009"), ([OPENING, nested(3)], "1201")],
    ids=["several", "nested"],
)
def test_a_posted_deal_is_measured_with_what_corrections_put_in(
    app: Flask, memory_peak: Callable[[], int], path: str, events: list[Json], count: str
) -> None:
    sent = {"data": lines(events), "content_type": "application/jsonl"}
    detail = body_of(app.test_client().post(f"{API}/{path}", **sent), 413)["detail"]
    assert count in detail and re.search("(500|2000) is not", detail)
    assert memory_peak() < 100 << 20


def test_long_texts_are_measured_in_bytes(app: Flask, memory_peak: Callable[[], int]) -> None:
    bid = {"type": "bid_made", "seat": "forehand", "bid": "pass", "said": "x" * 2000}
    body = lines([OPENING, *[bid] * (ENTRIES - 1)])
    answer = app.test_client().post(f"{API}/replay", data=body, content_type="application/jsonl")
    assert f"{BYTES >> 20} MiB" in body_of(answer, 413)["detail"]
    assert memory_peak() < 100 << 20


def stored_by_an_early_version(store: EventStore) -> None:
    """A record larger than one takes now."""
    recorded_deal(store, [OPENING])
    wire = orjson.dumps(correction(*[PLAYED] * 1000))
    new = [NewEvent(f"018f5e2a-0000-7000-8000-{seq:012d}", wire) for seq in range(2)]
    store.append(DEAL, [Append(DEAL, ANY, new)])


def test_of_a_stored_record_all_but_what_grows_with_its_square_can_be_read(
    store: EventStore, client: FlaskClient, memory_peak: Callable[[], int]
) -> None:
    stored_by_an_early_version(store)
    for aspect in SHOWN:
        answer = client.get(f"{API}/deals/{DEAL}/{aspect}")
        assert problem(answer) == (413, "too-large"), aspect
        assert "2001" in answer.get_json()["detail"]
    for page in ("file", "report"):
        assert client.get(f"/deals/{DEAL}/{page}", headers={"Accept": "text/html"}).status_code == 413, page
    for aspect in READ:
        answer = client.get(f"{API}/deals/{DEAL}/{aspect}")
        assert answer.status_code == 200 and len(answer.data) < 2 << 20, aspect
    assert memory_peak() < 150 << 20


def test_a_long_record_is_replayed(store: EventStore, client: FlaskClient) -> None:
    recorded_deal(store, [OPENING, correction(*[PLAYED] * (ENTRIES - 1))])
    answer = client.get(f"{API}/deals/{DEAL}/replay")
    assert (answer.status_code, len(answer.get_json()["frames"])) == (200, ENTRIES)
    assert client.get(f"{API}/deals/{DEAL}/audit").status_code == 200
    assert client.get(f"/deals/{DEAL}/file").status_code == 200


def test_a_record_takes_as_many_entries_also_by_corrections(store: EventStore, client: FlaskClient) -> None:
    recorded_deal(store, [OPENING])
    events, fits = f"deals/{DEAL}/events", correction(*[PLAYED] * 1000)
    assert send(client, events, fits, 1).status_code == 201
    refused = send(client, events, fits, 2)
    assert problem(refused) == (413, "record-full")
    assert str(RECORD_ENTRIES) in refused.get_json()["detail"]
    assert send(client, events, correction(PLAYED), 2).status_code == 201
    assert client.get(f"{API}/deals/{DEAL}/state").status_code == 200


def test_a_report_of_very_many_matters_draws_the_first() -> None:
    hand = {
        "type": "hand_dealt",
        "seat": "forehand",
        "cards": ["SA", "S2", "CA", "H2", "H3", "D4", "D5", "C6", "C7"],
    }
    deal = [OPENING, hand, *[PLAYED] * (2 * MOST_DRAWN)]
    made = report(log_from(deal))
    article = article_of(made, "en", About(unvouched(made.log, "here")))
    drawn = [one.number for one in article.matters if one.diagram is not None]
    assert len(article.matters) > MOST_DRAWN >= max(drawn)
