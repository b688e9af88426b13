"""What of the answers may be kept, by whom, and how it is found out whether it still holds."""

import re
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.api import caching, points
from service.api.caching import Kept
from service.app import create_app
from service.identity.grants import Scope, Terms
from service.store import EventStore, MemoryStore
from tests.support.api.clients import holding, owner_of
from tests.support.api.club_rules import CLUB, OURS
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, recorded_table

API = "/api/v1"
HERE = f"{API}/deals/{DEAL}"
POINTS = ("state", "legal", "score", "findings", "replay", "audit", "evidence", "likely")
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
    owner.put(f"{API}/members/{member}", json={"name": "Karen Krogh"})
    for path, answer in first.items():
        assert again(owner, path, answer).status_code == 200, path
        assert "Karen" in owner.get(path).text


KEPT = (
    f"{API}/deals", f"{API}/tables", f"{API}/tables/{TABLE}", f"{API}/tables/{TABLE}/ledger",
    f"{API}/tables/{TABLE}/audit",
    f"{API}/tables/{TABLE}/ledger.csv", f"{API}/tables/{TABLE}/slips.csv",
    f"{API}/tables/{TABLE}/export.jsonl", f"{API}/seasons", f"{API}/seasons/all",
    f"{API}/seasons/all/standings.csv",
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


# As the contract and the guide tell it

GUIDE = Path(__file__).parents[2] / "docs" / "api.md"
PUBLISHED: Any = create_app(MemoryStore()).test_client().get(f"{API}/openapi.json").get_json()
READ = {path: address["get"] for path, address in PUBLISHED["paths"].items() if "get" in address}
"""Every operation that reads, by its address."""
QUERIES = {f"{API}/checkpoint/consistency": "?from=1"}


def kept_of(operation: Any) -> Kept:
    """What the contract says that may be kept of an operation."""
    return caching.KEPT.get(operation["operationId"], caching.NEVER)


def test_the_guide_tells_of_every_address_what_may_be_kept() -> None:
    section = GUIDE.read_text(encoding="utf-8").partition("## Keeping answers")[2].partition("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.strip("| ").split(" | ")]
        for line in re.findall(r"^\|.*$", section, re.M)
    ]
    told = {
        f"{API}{path}": (how, tag)
        for addresses, how, tag in rows[2:]
        for path in re.findall("`([^`]+)`", addresses)
    }
    known = {path: kept_of(operation) for path, operation in READ.items()}
    assert told == {path: (kept.how, kept.tag or "none") for path, kept in known.items()}


def asked_of(owner: FlaskClient, path: str) -> str:
    """An address with something in the place of each name."""
    member = owner.post(f"{API}/members", json={"name": "Anna Holm"}).get_json()["id"]
    (grant, *_) = owner.get(f"{API}/grants").get_json()["grants"]
    seen = {"If-Match": f'"{owner.get(f"{API}/tables/{TABLE}").get_json()["version"]}"'}
    joins = {"type": "player_joined", "player": member}
    assert owner.post(f"{API}/tables/{TABLE}/events", json=joins, headers=seen).status_code == 201
    named = {
        "deal": DEAL, "table": TABLE, "name": "belinda", "ruleset": "dlu", "member": member,
        "grant": grant["id"], "season": "all",
    }  # fmt: skip
    return path.format(**named) + QUERIES.get(path, "")


@pytest.mark.parametrize("path", [path for path in READ if not path.endswith("/live")])
def test_what_is_answered_is_what_is_told(app: Flask, owner: FlaskClient, path: str) -> None:
    kept, asked = kept_of(READ[path]), asked_of(owner, path)
    first = owner.get(asked)
    assert first.status_code == 200, first.text
    assert kept.how.startswith(f"`{first.headers['Cache-Control']}`")
    assert (kept.tag is not None) == ("ETag" in first.headers)
    if kept.tag is not None:
        assert again(owner, asked, first).status_code == 304
        assert READ[path]["responses"]["304"] == {"$ref": "#/components/responses/NotModified"}
    if "else `no-store`" in kept.how:
        cut = holding(app, Terms("viewer")).get(asked)
        assert (cut.status_code, cut.headers["Cache-Control"]) == (200, "no-store")
        assert {"Authorization", "Cookie"} <= set(cut.headers["Vary"].split(", "))
        assert {"Authorization", "Cookie"} <= set(first.headers["Vary"].split(", "))


def test_what_says_that_it_never_changes_is_what_the_table_says(owner: FlaskClient) -> None:
    closing = {"type": "deal_closed", "payments": {}, "engine": "0.1.0"}
    assert owner.post(f"{HERE}/events", json=closing, headers={"If-Match": '"3"'}).status_code == 201
    fixed = owner.get(f"{HERE}/state?at=2&known=4")
    assert fixed.headers["Cache-Control"] in caching.POINT.how
    assert fixed.headers["Cache-Control"].endswith("immutable")
    same = again(owner, f"{HERE}/state?at=2&known=4", fixed)
    assert (same.status_code, same.headers["Cache-Control"]) == (304, fixed.headers["Cache-Control"])


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


@pytest.mark.parametrize("path", ["", "/state", "/events", "/events.jsonl", "/state.svg"])
def test_by_a_star_is_asked_for_what_is_not_there(app: Flask, owner: FlaskClient, path: str) -> None:
    star = {"If-None-Match": "*"}
    there = owner.get(f"{HERE}{path}")
    told = owner.get(f"{HERE}{path}", headers=star)
    assert (told.status_code, told.data, told.headers["ETag"]) == (304, b"", there.headers["ETag"])
    assert owner.get(f"{HERE}/state?at=999", headers=star).status_code == 404
    cut = holding(app, Terms("viewer")).get(f"{HERE}{path}", headers=star)
    assert (cut.status_code, cut.headers["Cache-Control"]) == (200, "no-store")
