"""What of the answers may be kept, by whom, and how it is found out whether it still holds."""

from unittest.mock import patch

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.api import points
from service.app import create_app
from service.identity.grants import Scope, Terms
from service.store import EventStore, MemoryStore
from tests.api.clients import holding, owner_of
from tests.api.recording import DEAL, OPENING, TABLE, recorded_deal, recorded_table
from tests.api.test_club_rules import CLUB, OURS

API = "/api/v1"
HERE = f"{API}/deals/{DEAL}"
POINTS = ("state", "legal", "score", "findings", "replay")
BIDS = [{"type": "bid_made", "seat": seat, "bid": "pass"} for seat in ("forehand", "middlehand")]
NOTE = {"type": "note_added", "text": "Rain."}


@pytest.fixture
def store() -> EventStore:
    made = MemoryStore()
    recorded_deal(made, [OPENING, *BIDS])
    recorded_table(made)
    return made


@pytest.fixture
def app(store: EventStore) -> Flask:
    return create_app(store)


@pytest.fixture
def owner(app: Flask) -> FlaskClient:
    return owner_of(app)


def again(client: FlaskClient, path: str, first: TestResponse, **headers: str) -> TestResponse:
    """The answer to somebody who says that he has the first one."""
    return client.get(path, headers={"If-None-Match": first.headers["ETag"], **headers})


@pytest.mark.parametrize("path", ["", *(f"/{aspect}" for aspect in POINTS), "/state?at=2", "/score?known=2"])
def test_whoever_has_it_is_told_so_until_something_is_recorded(owner: FlaskClient, path: str) -> None:
    first = owner.get(HERE + path)
    same = again(owner, HERE + path, first)
    assert (same.status_code, same.data) == (304, b"")
    for name in ("ETag", "Cache-Control", "Vary"):
        assert same.headers[name] == first.headers[name]
    assert {"Authorization", "Cookie"} <= set(first.headers["Vary"].split(", "))
    assert first.headers["Cache-Control"] == "private, no-cache"
    owner.post(f"{HERE}/events", json=NOTE, headers={"If-Match": "*"})
    assert again(owner, HERE + path, first).status_code == 200


@pytest.mark.parametrize("aspect", POINTS)
def test_whoever_has_it_costs_no_judging(owner: FlaskClient, aspect: str) -> None:
    first = owner.get(f"{HERE}/{aspect}")
    with patch.object(points, "point_of", side_effect=AssertionError("it was judged all the same")):
        assert again(owner, f"{HERE}/{aspect}", first).status_code == 304


def test_no_two_questions_share_a_tag(app: Flask, owner: FlaskClient) -> None:
    player = holding(app, Terms("player", Scope("deal", DEAL), seat="forehand"))
    asked = [
        *(
            f"{HERE}/{aspect}{query}"
            for aspect in POINTS
            for query in ("", "?at=2", "?known=2", "?at=2&known=2")
        ),
        *(
            f"{HERE}/{end}"
            for end in ("events", "events.jsonl", "events.deal", "events.deal?bookkeeping=all")
        ),
    ]
    tags = [
        client.get(path).headers["ETag"]
        for path in asked
        for client in (owner, player, holding(app, Terms("viewer")))
    ]
    assert len(set(tags)) == len(tags) == 3 * len(asked)
    assert not any(tag.startswith("W/") for tag in tags)


def test_what_a_player_was_told_is_not_taken_for_what_a_recorder_is(app: Flask, owner: FlaskClient) -> None:
    player = holding(app, Terms("player", Scope("deal", DEAL), seat="forehand"))
    for path in ("/events", "/events.jsonl", "/events.deal", *(f"/{aspect}" for aspect in POINTS)):
        for one, other in ((player, owner), (owner, player), (player, player)):
            answer = again(other, HERE + path, one.get(HERE + path))
            assert answer.status_code == 200, path
        assert player.get(HERE + path).headers["Cache-Control"] == "no-store"


def test_the_forms_of_a_log_are_not_taken_for_each_other(owner: FlaskClient) -> None:
    forms = ("application/json", "application/jsonl", "text/vnd.spadille.deal")
    told = {form: owner.get(f"{HERE}/events", headers={"Accept": form}) for form in forms}
    assert [told[form].mimetype for form in forms] == list(forms)
    assert len({answer.headers["ETag"] for answer in told.values()}) == len(forms)
    assert told["application/json"].headers["ETag"] == '"3"'
    for form in forms:
        for other in forms:
            answer = again(owner, f"{HERE}/events", told[other], Accept=form)
            assert answer.status_code == (304 if form == other else 200)
            assert "Accept" in answer.headers["Vary"]


@pytest.mark.parametrize("path", ["", "/events", "/events.jsonl", "/events.deal", "/state", "/replay"])
def test_every_tag_of_a_record_can_be_named_as_the_version_decided_on(owner: FlaskClient, path: str) -> None:
    tag = owner.get(HERE + path).headers["ETag"]
    assert owner.post(f"{HERE}/events", json=BIDS[0], headers={"If-Match": tag}).status_code == 201
    assert owner.post(f"{HERE}/events", json=BIDS[0], headers={"If-Match": tag}).status_code == 412
    weak = {"If-Match": f"W/{owner.get(HERE + path).headers['ETag']}"}
    assert owner.post(f"{HERE}/events", json=BIDS[0], headers=weak).status_code == 412


def test_an_asterisk_says_nothing_of_what_somebody_has(owner: FlaskClient) -> None:
    assert owner.get(f"{HERE}/state?at=99", headers={"If-None-Match": "*"}).status_code == 404


def test_a_ruleset_that_is_published_makes_another_answer(owner: FlaskClient) -> None:
    made = owner.post(f"{API}/deals", json=[{**OPENING, "ruleset": "our-club"}, *BIDS]).get_json()["deal"]
    path = f"{API}/deals/{made}/findings"
    first = owner.get(path)
    assert "unknown_ruleset" in first.text
    assert owner.put(OURS, json=CLUB).status_code == 201
    assert again(owner, path, first).status_code == 200


def test_a_member_s_new_name_makes_another_answer(owner: FlaskClient) -> None:
    member = owner.post(f"{API}/members", json={"name": "Anna Holm"}).get_json()["id"]
    opening = {**OPENING, "players": {"forehand": member, "middlehand": "Bo", "backhand": "Carl"}}
    deal = f"{API}/deals/{owner.post(f'{API}/deals', json=opening).get_json()['deal']}"
    first = {path: owner.get(path) for path in (deal, f"{deal}/replay")}
    owner.put(f"{API}/members/{member}", json={"name": "Anna Krogh"})
    for path, answer in first.items():
        assert again(owner, path, answer).status_code == 200, path
        assert "Krogh" in owner.get(path).text


KEPT = (
    f"{API}/deals", f"{API}/tables", f"{API}/tables/{TABLE}", f"{API}/tables/{TABLE}/ledger",
    f"{API}/tables/{TABLE}/ledger.csv", f"{API}/tables/{TABLE}/slips.csv",
    f"{API}/tables/{TABLE}/export.jsonl",
    f"{API}/rulesets", f"{API}/rulesets/dlu", f"{API}/replays", f"{API}/replays/belinda",
    f"{API}/replays/belinda/events", f"{API}/replays/belinda/events.jsonl", f"{API}/replays/belinda/state",
    f"{API}/replays/belinda/state?at=20&known=30", f"{API}/replays/belinda/state.svg", f"{HERE}/state.svg",
    f"{API}/checkpoint/key", f"{API}/checkpoint/leaves",
)  # fmt: skip


@pytest.mark.parametrize("path", KEPT)
def test_whatever_may_be_kept_can_be_asked_for_again_at_no_cost(owner: FlaskClient, path: str) -> None:
    first = owner.get(path)
    assert first.status_code == 200
    answer = again(owner, path, first)
    assert (answer.status_code, answer.data) == (304, b"")
    assert answer.headers["Cache-Control"] == first.headers["Cache-Control"]
    assert answer.headers.get("Vary") == first.headers.get("Vary")


# A question asked twice


TWICE = [
    ("/deals", "limit"), ("/tables", "after"), (f"/deals/{DEAL}/state", "at"),
    (f"/deals/{DEAL}/live", "after"), (f"/deals/{DEAL}/state.svg", "lang"),
    (f"/deals/{DEAL}/events", "viewer"), ("/rulesets/dlu", "revision"), ("/replays/belinda/legal", "known"),
    ("/checkpoint", "size"), ("/replays", "folder"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "name"), TWICE)
def test_a_name_given_twice_is_refused_by_name(owner: FlaskClient, path: str, name: str) -> None:
    answer = owner.get(f"{API}{path}?{name}=1&{name}=2")
    problem = answer.get_json()
    assert (answer.status_code, problem["type"]) == (422, "/problems/invalid-parameter")
    detail = "It stands in the address more than once; give it once."
    assert problem["errors"] == [{"parameter": name, "detail": detail}]
    same = owner.get(f"{API}{path}?{name}=1&{name}=1")
    assert same.status_code == 422


def test_nor_is_it_passed_over_in_what_is_sent(owner: FlaskClient) -> None:
    sent = owner.post(f"{HERE}/events?mode=strict&mode=as_played", json=NOTE, headers={"If-Match": "*"})
    assert sent.status_code == 422
    assert owner.get(HERE).get_json()["version"] == 3
