"""State, legal actions, score, findings and replay at any point, for any viewer."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from engine import audit, fold_all, legal
from schemas.answers.states import finding_objects, legal_object, score_object, state_object
from schemas.wire.reader import read_entry
from service.app import create_app
from service.auth.grants import Scope, Terms
from service.eventstore import EventStore, MemoryStore
from tests.support.api.asking import CLOSING, correction, parameters, problem
from tests.support.api.clients import holding, of_app, owner_of
from tests.support.api.recording import DEAL, OPENING, Json, recorded_deal, some_deal

ADDRESS = f"/api/v1/deals/{DEAL}"
ASPECTS = ("state", "legal", "score", "findings", "replay", "audit", "evidence", "odds")
CORRECTION = correction({"type": "bid_made", "seat": "forehand", "bid": "pass"}, replaces=[2])
BIDS = [
    OPENING,
    {"type": "bid_made", "seat": "forehand", "bid": "simple"},
    {"type": "bid_made", "seat": "middlehand", "bid": "pass"},
]


def log_of(events: list[Json]) -> Any:
    return tuple(read_entry(event, seq) for seq, event in enumerate(events, 1))


@pytest.fixture(scope="module")
def whole() -> FlaskClient:
    store = MemoryStore()
    recorded_deal(store)
    return owner_of(create_app(store))


def test_a_point_is_the_fold_up_to_there_and_the_end_the_audit_of_the_whole(whole: FlaskClient) -> None:
    def told(aspect: str) -> Any:
        return whole.get(f"{ADDRESS}/{aspect}").get_json()

    log = log_of(some_deal())
    for at in (1, 4, 9, 20, len(log)):
        state, replay = fold_all(log[:at]), told(f"replay?at={at}")
        assert told(f"state?at={at}") == state_object(state)
        assert told(f"legal?at={at}") == legal_object(legal(state))
        assert [frame["seq"] for frame in replay["frames"]] == list(range(1, at + 1))
        assert replay["frames"][-1]["state"] == state_object(state)
        assert replay["score"] == told(f"score?at={at}")
    judged = audit(log)
    found = {"ok": judged.ok, "findings": finding_objects(judged.findings)}
    assert [told(one) for one in ("legal", "score", "findings")] == [None, score_object(judged.score), found]


def test_a_correction_has_its_own_points(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [*BIDS, CORRECTION])
    then = client.get(f"{ADDRESS}/state?known=3").get_json()
    assert [call["bid"] for call in then["calls"]] == ["simple", "pass"]
    part = client.get(f"{ADDRESS}/state?at=4.1").get_json()
    assert [call["seq"] for call in part["calls"]] == ["4.1"]
    assert client.get(f"{ADDRESS}/state?at=2").get_json() == part


def test_a_point_that_is_not_there_or_is_none_is_refused(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [*BIDS, CORRECTION])
    for query in ("at=5", "at=4.2", "at=3.1", "at=4.1.1", "known=5", "at=4&known=3"):
        for aspect in ASPECTS:
            answer = client.get(f"{ADDRESS}/{aspect}?{query}")
            assert problem(answer) == (404, "unknown-point"), (aspect, query)
    for query in ("at=x", "at=0", "at=-1", "at=1e2", "at=", "known=0", "known=2.0", "viewer=me", "konwn=2",
                  "at=%00"):  # fmt: skip
        assert parameters(client.get(f"{ADDRESS}/state?{query}")) == [query.partition("=")[0]], query


def test_what_is_found_at_a_point_was_known_there(client: FlaskClient, store: EventStore) -> None:
    low = {"type": "bid_made", "seat": "middlehand", "bid": "simple"}
    faulty = {"type": "correction_made", "replaces": [9], "reason": "?"}
    recorded_deal(store, [*BIDS[:2], low, faulty])
    found = {
        at: [one["code"] for one in client.get(f"{ADDRESS}/findings{at}").get_json()["findings"]]
        for at in ("", "?at=2", "?at=3", "?at=4", "?known=2")
    }
    assert found == {
        "": ["bid_too_low", "correction_not_possible", "incomplete"],
        "?at=2": [],
        "?at=3": ["bid_too_low"],
        "?at=4": ["bid_too_low", "correction_not_possible"],
        "?known=2": ["incomplete"],
    }


@pytest.mark.parametrize("viewer", ["public", "middlehand"])
def test_answers_follow_from_the_cut_log(client: FlaskClient, store: EventStore, viewer: str) -> None:
    deal, other = some_deal(talon=True), "018f5e2a-7b1c-7d3e-9f40-000000000001"
    hidden = ("hand_dealt", "cards_discarded", "cards_drawn", "talon_laid")
    cut = [
        {**event, "cards": ["??"] * len(event["cards"])}
        if event["type"] in hidden and event.get("seat") != viewer
        else event
        for event in deal
    ]
    recorded_deal(store, deal)
    recorded_deal(store, cut, other)
    at = len(deal) - 4
    aspects = ASPECTS if viewer in ("public", "forehand") else ("state", "legal", "findings", "replay")
    for aspect in aspects:
        shown = client.get(f"{ADDRESS}/{aspect}?viewer={viewer}&at={at}")
        assert shown.headers["Cache-Control"] == "no-store"
        of_cut = client.get(f"/api/v1/deals/{other}/{aspect}?at={at}")
        assert comparable(aspect, shown.get_json()) == comparable(aspect, of_cut.get_json()), aspect


def comparable(aspect: str, told: Any) -> Any:
    """What of an answer follows from the log alone, but for what is written down in it."""
    if aspect == "replay":
        return [frame["state"] for frame in told["frames"]]
    if aspect == "audit":
        course = [(one["type"], one.get("card"), one.get("cards")) for one in told["course"]]
        return course, *(told[name] for name in ("findings", "matters", "mendings", "score"))
    return told


@pytest.mark.parametrize(
    ("closed", "query", "kept"),
    [
        (True, "?at=5&known=7", "private, max-age=31536000, immutable"),
        (False, "?at=5&known=7", "private, no-cache"),
        (True, "?at=5", "private, no-cache"),
        (True, "?known=7", "private, no-cache"),
        (True, "", "private, no-cache"),
        (True, "?at=5&known=7&viewer=public", "no-store"),
    ],
)
def test_what_cannot_change_may_be_kept_for_ever(
    client: FlaskClient, store: EventStore, closed: bool, query: str, kept: str
) -> None:
    events = [*BIDS, {"type": "gap_noted"}, {"type": "gap_noted"}, {"type": "gap_noted"}]
    recorded_deal(store, [*events, CLOSING] if closed else [*events, {"type": "gap_noted"}])
    for aspect in ASPECTS:
        answer = client.get(f"{ADDRESS}/{aspect}{query}")
        assert answer.headers["Cache-Control"] == kept
        assert answer.headers["ETag"].startswith('"7-')


CORRECTED = correction(replaces=[8])


@pytest.mark.parametrize(
    ("events", "query", "kept"),
    [
        ([CLOSING], "?at=5&known=8", "public, max-age=300"),
        ([CLOSING], "?at=5", "no-store"),
        ([CLOSING], "", "no-store"),
        ([], "?at=5&known=7", "no-store"),
        ([CLOSING, CORRECTED], "?at=5&known=8", "no-store"),
    ],
    ids=["closed", "at what is known now", "as it is now", "open", "opened again"],
)
def test_what_everybody_may_know_is_kept_for_a_while_and_no_longer(
    client: FlaskClient, store: EventStore, events: list[dict[str, Any]], query: str, kept: str
) -> None:
    recorded_deal(store, [OPENING, *some_deal()[1:7], *events])
    app, published = client.application, Terms("viewer", Scope("deal", DEAL), public=True)
    stranger, viewer = holding(app), holding(app, published._replace(public=False))
    register = of_app(app).register
    for aspect in (*ASPECTS, "state.svg"):
        asked = f"{ADDRESS}/{aspect}{query}"
        assert viewer.get(asked).headers["Cache-Control"] == "no-store"
        grant = register.make(published).grant
        for reader in (stranger, viewer):
            told = reader.get(asked)
            assert (told.status_code, told.headers["Cache-Control"]) == (200, kept), aspect
            assert {"Authorization", "Cookie"} <= set(told.headers["Vary"].split(", "))
            if kept != "no-store":
                assert told.data == reader.get(f"{asked}&viewer=public").data == client.get(asked).data
                again = reader.get(asked, headers={"If-None-Match": told.headers["ETag"]})
                assert (again.status_code, again.headers["Cache-Control"]) == (304, kept)
        register.revoke(grant.id)
        assert viewer.get(asked).headers["Cache-Control"] == "no-store"
        assert stranger.get(asked).status_code == 401
