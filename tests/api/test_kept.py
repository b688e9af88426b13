"""What of the answers may be kept, by whom, and how it is found out whether it still holds."""

import re
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.auth.grants import Scope, Terms
from service.eventstore import EventStore, MemoryStore
from service.http.api.openapi import caching
from service.http.api.openapi.caching import Kept
from service.http.api.routes import points
from tests.support.api.asking import API, CLOSING, NOTE, again, body_of, parameters, send
from tests.support.api.clients import holding
from tests.support.api.club_rules import CLUB, OURS
from tests.support.api.recording import DEAL, OPENING, TABLE, some_records

HERE = f"{API}/deals/{DEAL}"
POINTS = ("state", "legal", "score", "findings", "replay", "audit", "evidence", "likely")
BIDS = [{"type": "bid_made", "seat": seat, "bid": "pass"} for seat in ("forehand", "middlehand")]
SEAT = Terms("player", Scope("deal", DEAL), seat="forehand")


@pytest.fixture
def store() -> EventStore:
    return some_records([OPENING, *BIDS])


@pytest.mark.parametrize("path", ["", *(f"/{aspect}" for aspect in POINTS), "/state?at=2", "/score?known=2"])
def test_whoever_has_it_is_told_so_until_something_is_recorded(client: FlaskClient, path: str) -> None:
    first = client.get(HERE + path)
    same = again(client, HERE + path, first)
    assert (same.status_code, same.data) == (304, b"")
    for name in ("ETag", "Cache-Control", "Vary"):
        assert same.headers[name] == first.headers[name]
    assert {"Authorization", "Cookie"} <= set(first.headers["Vary"].split(", "))
    assert first.headers["Cache-Control"] == "private, no-cache"
    send(client, f"deals/{DEAL}/events", NOTE)
    assert again(client, HERE + path, first).status_code == 200


@pytest.mark.parametrize("aspect", POINTS)
def test_whoever_has_it_costs_no_judging(client: FlaskClient, aspect: str) -> None:
    first = client.get(f"{HERE}/{aspect}")
    with patch.object(points, "point_of", side_effect=AssertionError("it was judged all the same")):
        assert again(client, f"{HERE}/{aspect}", first).status_code == 304


def test_no_two_questions_share_a_tag_and_none_is_taken_for_another_caller_s(
    app: Flask, client: FlaskClient
) -> None:
    player, viewer = holding(app, SEAT), holding(app, Terms("viewer"))
    queries = ("", "?at=2", "?known=2", "?at=2&known=2")
    asked = [f"{HERE}/{aspect}{query}" for aspect in POINTS for query in queries]
    forms = ("events", "events.jsonl", "events.deal", "events.deal?bookkeeping=all")
    asked += [f"{HERE}/{form}" for form in forms]
    tags = [one.get(path).headers["ETag"] for path in asked for one in (client, player, viewer)]
    assert len(set(tags)) == len(tags) == 3 * len(asked)
    assert not any(tag.startswith("W/") for tag in tags)
    for path in asked:
        for one, other in ((player, client), (client, player), (player, player)):
            assert again(other, path, one.get(path)).status_code == 200, path
        assert player.get(path).headers["Cache-Control"] == "no-store"


def test_the_forms_of_a_log_are_not_taken_for_each_other(client: FlaskClient) -> None:
    forms = ("application/json", "application/jsonl", "text/vnd.spadille.deal")
    told = {form: client.get(f"{HERE}/events", headers={"Accept": form}) for form in forms}
    assert [told[form].mimetype for form in forms] == list(forms)
    assert len({answer.headers["ETag"] for answer in told.values()}) == len(forms)
    assert told["application/json"].headers["ETag"] == '"3"'
    for form in forms:
        for other in forms:
            answer = again(client, f"{HERE}/events", told[other], Accept=form)
            assert answer.status_code == (304 if form == other else 200)
            assert "Accept" in answer.headers["Vary"]


@pytest.mark.parametrize("path", ["", "/events", "/events.jsonl", "/events.deal", "/state", "/replay"])
def test_every_tag_of_a_record_can_be_named_as_the_version_decided_on(client: FlaskClient, path: str) -> None:
    tag = client.get(HERE + path).headers["ETag"]
    for status in (201, 412):
        assert send(client, f"deals/{DEAL}/events", BIDS[0], tag).status_code == status
    weak = f"W/{client.get(HERE + path).headers['ETag']}"
    assert send(client, f"deals/{DEAL}/events", BIDS[0], weak).status_code == 412


def test_a_ruleset_that_is_published_makes_another_answer(client: FlaskClient) -> None:
    made = client.post(f"{API}/deals", json=[{**OPENING, "ruleset": "our-club"}, *BIDS]).get_json()["deal"]
    path = f"{API}/deals/{made}/findings"
    first = client.get(path)
    assert "unknown_ruleset" in first.text
    assert client.put(OURS, json=CLUB).status_code == 201
    assert again(client, path, first).status_code == 200


def test_a_member_s_new_name_makes_another_answer(client: FlaskClient) -> None:
    member = client.post(f"{API}/members", json={"name": "Anna Holm"}).get_json()["id"]
    opening = {**OPENING, "players": {"forehand": member, "middlehand": "Bo", "backhand": "Carl"}}
    deal = f"{API}/deals/{client.post(f'{API}/deals', json=opening).get_json()['deal']}"
    first = {path: client.get(path) for path in (deal, f"{deal}/replay")}
    client.put(f"{API}/members/{member}", json={"name": "Karen Krogh"})
    for path, answer in first.items():
        assert again(client, path, answer).status_code == 200, path
        assert "Karen" in client.get(path).text


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


def asked_of(client: FlaskClient, path: str) -> str:
    """An address with something in the place of each name."""
    member = client.post(f"{API}/members", json={"name": "Anna Holm"}).get_json()["id"]
    (grant, *_) = client.get(f"{API}/grants").get_json()["grants"]
    joins = {"type": "player_joined", "player": member}
    body_of(send(client, f"tables/{TABLE}/events", joins, 1), 201)
    named = {
        "deal": DEAL, "table": TABLE, "name": "belinda", "ruleset": "dlu", "member": member,
        "grant": grant["id"], "season": "all",
    }  # fmt: skip
    return path.format(**named) + QUERIES.get(path, "")


@pytest.mark.parametrize("path", [path for path in READ if not path.endswith("/live")])
def test_what_is_answered_is_what_is_told(app: Flask, client: FlaskClient, path: str) -> None:
    kept, asked = kept_of(READ[path]), asked_of(client, path)
    first = client.get(asked)
    assert first.status_code == 200, first.text
    assert kept.how.startswith(f"`{first.headers['Cache-Control']}`")
    assert (kept.tag is not None) == ("ETag" in first.headers)
    if kept.tag is not None:
        same = again(client, asked, first)
        assert (same.status_code, same.data) == (304, b"")
        for name in ("Cache-Control", "Vary"):
            assert same.headers.get(name) == first.headers.get(name)
        assert READ[path]["responses"]["304"] == {"$ref": "#/components/responses/NotModified"}
    if "else `no-store`" in kept.how:
        cut = holding(app, Terms("viewer")).get(asked)
        assert (cut.status_code, cut.headers["Cache-Control"]) == (200, "no-store")
        assert {"Authorization", "Cookie"} <= set(cut.headers["Vary"].split(", "))
        assert {"Authorization", "Cookie"} <= set(first.headers["Vary"].split(", "))


def test_what_says_that_it_never_changes_is_what_the_table_says(client: FlaskClient) -> None:
    body_of(send(client, f"deals/{DEAL}/events", CLOSING, 3), 201)
    path = f"{HERE}/state?at=2&known=4"
    fixed = client.get(path)
    assert fixed.headers["Cache-Control"] in caching.POINT.how
    assert fixed.headers["Cache-Control"].endswith("immutable")
    same = again(client, path, fixed)
    assert (same.status_code, same.headers["Cache-Control"]) == (304, fixed.headers["Cache-Control"])


# A question asked twice


TWICE = [
    ("/deals", "limit"), ("/tables", "after"), (f"/deals/{DEAL}/state", "at"),
    (f"/deals/{DEAL}/live", "after"), (f"/deals/{DEAL}/state.svg", "lang"),
    (f"/deals/{DEAL}/events", "viewer"), ("/rulesets/dlu", "revision"), ("/replays/belinda/legal", "known"),
    ("/checkpoint", "size"), ("/replays", "folder"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "name"), TWICE)
def test_a_name_given_twice_is_refused_by_name(client: FlaskClient, path: str, name: str) -> None:
    answer = client.get(f"{API}{path}?{name}=1&{name}=2")
    assert parameters(answer) == [name]
    detail = "It stands in the address more than once; give it once."
    assert answer.get_json()["errors"][0]["detail"] == detail
    assert client.get(f"{API}{path}?{name}=1&{name}=1").status_code == 422


def test_nor_is_it_passed_over_in_what_is_sent(client: FlaskClient) -> None:
    twice = send(client, f"deals/{DEAL}/events?mode=strict&mode=as_played", NOTE)
    assert twice.status_code == 422
    assert client.get(HERE).get_json()["version"] == 3


@pytest.mark.parametrize("path", ["", "/state", "/events", "/events.jsonl", "/state.svg"])
def test_by_a_star_is_asked_for_what_is_not_there(app: Flask, client: FlaskClient, path: str) -> None:
    star = {"If-None-Match": "*"}
    there = client.get(f"{HERE}{path}")
    told = client.get(f"{HERE}{path}", headers=star)
    assert (told.status_code, told.data, told.headers["ETag"]) == (304, b"", there.headers["ETag"])
    assert client.get(f"{HERE}/state?at=999", headers=star).status_code == 404
    cut = holding(app, Terms("viewer")).get(f"{HERE}{path}", headers=star)
    assert (cut.status_code, cut.headers["Cache-Control"]) == (200, "no-store")
