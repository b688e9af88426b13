"""Deals that corrections make large: refused with the figure where each entry is shown with its state."""

import re
import tracemalloc
from collections.abc import Callable
from typing import Final

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.report import report
from schemas.logs.deal_size import BYTES, ENTRIES
from service.eventstore import ANY, Append, EventStore, NewEvent
from service.presentation.reports.article import MOST_DRAWN, About, article_of
from service.presentation.reports.vouching import unvouched
from tests.support.api.asking import API, body_of, correction, problem
from tests.support.api.recording import DEAL, OPENING, Json, recorded_deal
from tests.support.engine.shorthand import log_from

PLAYED: Final[Json] = {"type": "card_played", "seat": "forehand", "card": "S7"}


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


BID: Final[Json] = {"type": "bid_made", "seat": "forehand", "bid": "pass", "said": "x" * 2000}
TOO_LARGE: Final[dict[str, tuple[list[Json], str]]] = {
    "several corrections": ([OPENING, *[correction(*[PLAYED] * 1000)] * 8], "8009"),
    "corrections in corrections": ([OPENING, nested(3)], "1201"),
    "long texts": ([OPENING, *[BID] * (ENTRIES - 1)], f"{BYTES >> 20} MiB"),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_posted_deal_is_measured_with_what_corrections_put_in(app: Flask, name: str) -> None:
    events, said = TOO_LARGE[name]
    body = b"".join(orjson.dumps(event) + b"\n" for event in events)

    def ask() -> None:
        for path in ("replay", "evidence", "likely") if name == "several corrections" else ("replay",):
            answer = app.test_client().post(f"{API}/{path}", data=body, content_type="application/jsonl")
            detail = body_of(answer, 413)["detail"]
            assert said in detail and re.search("(500|2000|MiB) is not|MiB", detail), detail

    assert memory_peak(ask) < 100 << 20


def test_of_a_stored_record_all_but_what_grows_with_its_square_can_be_read(
    store: EventStore, client: FlaskClient
) -> None:
    """An early version stored a record larger than one takes now."""
    recorded_deal(store, [OPENING])
    wire = orjson.dumps(correction(*[PLAYED] * 1000))
    new = [NewEvent(f"018f5e2a-0000-7000-8000-{seq:012d}", wire) for seq in range(2)]
    store.append(DEAL, [Append(DEAL, ANY, new)])

    def refused() -> None:
        for aspect in ("replay", "audit", "evidence", "likely"):
            answer = client.get(f"{API}/deals/{DEAL}/{aspect}")
            assert problem(answer) == (413, "too-large"), aspect
            assert "2001" in answer.get_json()["detail"]
        for page in ("file", "report"):
            answer = client.get(f"/deals/{DEAL}/{page}", headers={"Accept": "text/html"})
            assert answer.status_code == 413, page

    assert memory_peak(refused) < 150 << 20
    for aspect in ("state", "legal", "score", "findings", "state.svg"):
        answer = client.get(f"{API}/deals/{DEAL}/{aspect}")
        assert answer.status_code == 200 and len(answer.data) < 2 << 20, aspect


def test_a_long_record_is_replayed(store: EventStore, client: FlaskClient) -> None:
    long = [OPENING, correction(*[PLAYED] * (ENTRIES - 1))]
    recorded_deal(store, long)
    answer = client.get(f"{API}/deals/{DEAL}/replay")
    assert (answer.status_code, len(answer.get_json()["frames"])) == (200, ENTRIES)
    assert client.get(f"{API}/deals/{DEAL}/audit").status_code == 200
    assert client.get(f"/deals/{DEAL}/file").status_code == 200
    assert problem(client.post(f"{API}/replay", json=[*long, PLAYED])) == (413, "too-large")


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
