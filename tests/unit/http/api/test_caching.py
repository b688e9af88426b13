"""What of the answers may be kept, by whom, and how it is found out whether it still holds."""

import re
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.auth.grants import GrantTerms, Scope
from service.eventstore import EventStore, StoreUnavailable
from service.http.api import cache_policies
from service.http.api.routes import point_resources
from service.records.erase_person import erase_name, find_name_occurrences
from tests.support.api.asking import API, CLOSING, NOTE, again, body_of, parameters, send
from tests.support.api.clients import holding, owner_of
from tests.support.api.club_rules import CLUB, OURS
from tests.support.api.contract import components, contract
from tests.support.api.recording import DEAL, OPENING, TABLE, some_records

HERE = f"{API}/deals/{DEAL}"
POINTS = ("state", "legal", "score", "findings", "replay", "audit", "evidence", "odds")
BIDS = [{"type": "bid_made", "seat": seat, "bid": "pass"} for seat in ("forehand", "middlehand")]
SEAT = GrantTerms("player", Scope("deal", DEAL), seat="forehand")


@pytest.fixture
def store() -> EventStore:
    return some_records([OPENING, *BIDS])


def test_a_client_that_has_it_is_told_so_until_something_is_recorded(client: FlaskClient) -> None:
    paths = [HERE + path for path in ("", *(f"/{aspect}" for aspect in POINTS), "/state?at=2")]
    first = {path: client.get(path) for path in paths}
    judged = AssertionError("it was judged all the same")
    with patch.object(point_resources, "build_deal_point", side_effect=judged):
        for path, answer in first.items():
            same = again(client, path, answer)
            assert (same.status_code, same.data) == (304, b""), path
    assert send(client, f"deals/{DEAL}/events?mode=strict&mode=as_played", NOTE).status_code == 422
    assert all(again(client, path, answer).status_code == 304 for path, answer in first.items())
    send(client, f"deals/{DEAL}/events", NOTE)
    assert all(again(client, path, answer).status_code == 200 for path, answer in first.items())


def test_no_two_questions_or_callers_share_a_tag(app: Flask, client: FlaskClient) -> None:
    player, viewer = holding(app, SEAT), holding(app, GrantTerms("viewer"))
    asked = [f"{HERE}/{aspect}{query}" for aspect in POINTS for query in ("", "?at=2", "?at=2&known=2")]
    forms = ("events", "events.jsonl", "events.deal", "events.deal?bookkeeping=all")
    asked += [f"{HERE}/{form}" for form in forms]
    answers = {(path, one): one.get(path) for path in asked for one in (client, player, viewer)}
    tags = {answer.headers["ETag"] for answer in answers.values()}
    assert len(tags) == len(answers)
    assert not any(tag.startswith("W/") for tag in tags)
    for path in asked:
        for one, other in ((player, client), (client, player), (player, player)):
            assert again(other, path, answers[path, one]).status_code == 200, path
        assert answers[path, player].headers["Cache-Control"] == "no-store"
    # At one address the forms of a log are told apart by their tags too.
    accepted = ("application/json", "application/jsonl", "text/vnd.spadille.deal")
    log = {form: client.get(f"{HERE}/events", headers={"Accept": form}) for form in accepted}
    assert [log[form].mimetype for form in accepted] == list(accepted)
    for form in accepted:
        for had in accepted:
            answer = again(client, f"{HERE}/events", log[had], Accept=form)
            assert answer.status_code == (304 if form == had else 200)
            assert "Accept" in answer.headers["Vary"]


def test_every_tag_of_a_record_can_be_named_as_the_version_decided_on(client: FlaskClient) -> None:
    for path in ("", "/events", "/events.jsonl", "/events.deal", "/state", "/replay"):
        tag = client.get(HERE + path).headers["ETag"]
        for status in (201, 412):
            assert send(client, f"deals/{DEAL}/events", BIDS[0], tag).status_code == status, path
    weak = f"W/{client.get(HERE).headers['ETag']}"
    assert send(client, f"deals/{DEAL}/events", BIDS[0], weak).status_code == 412


def test_a_ruleset_or_a_name_that_changes_makes_another_answer(client: FlaskClient) -> None:
    member = client.post(f"{API}/members", json={"name": "Anna Holm"}).get_json()["id"]
    players = {"forehand": member, "middlehand": "Bo", "backhand": "Carl"}
    opening = {**OPENING, "ruleset": "our-club", "players": players}
    deal = f"{API}/deals/{client.post(f'{API}/deals', json=[opening, *BIDS]).get_json()['deal']}"
    found = client.get(f"{deal}/findings")
    assert "unknown_ruleset" in found.text
    assert client.put(OURS, json=CLUB).status_code == 201
    assert again(client, f"{deal}/findings", found).status_code == 200
    first = {path: client.get(path) for path in (deal, f"{deal}/replay")}
    client.put(f"{API}/members/{member}", json={"name": "Karen Krogh"})
    for path, answer in first.items():
        changed = again(client, path, answer)
        assert (changed.status_code, "Karen" in changed.text) == (200, True), path


GUIDE = Path(__file__).parents[4] / "docs" / "api.md"
QUERIES = {f"{API}/checkpoint/consistency": "?from=1"}


def operations_that_read() -> dict[str, Any]:
    """Each by its address."""
    return {path: address["get"] for path, address in contract()["paths"].items() if "get" in address}


def told_in_header(operation: Any, name: str) -> str | None:
    """What the contract tells of a header of the answer."""
    header = operation["responses"]["200"]["headers"].get(name)
    if header and "$ref" in header:
        header = components("headers")[header["$ref"].rpartition("/")[2]]
    return header and header["description"].partition(": ")[2].removesuffix(".")


def test_the_guide_tells_of_every_address_what_may_be_kept() -> None:
    section = GUIDE.read_text(encoding="utf-8").partition("## Caching")[2].partition("\n## ")[0]
    told: dict[str, tuple[str, str]] = {}
    for line in re.findall(r"^\|.*$", section, re.M)[2:]:
        addresses, how, tag = (cell.strip() for cell in line.strip("| ").split(" | "))
        told |= {f"{API}{path}": (how, tag) for path in re.findall("`([^`]+)`", addresses)}
    assert told == {
        path: (told_in_header(operation, "Cache-Control"), told_in_header(operation, "ETag") or "none")
        for path, operation in operations_that_read().items()
    }


def test_what_is_answered_is_what_is_reported(app: Flask, client: FlaskClient) -> None:
    viewer = holding(app, GrantTerms("viewer"))
    member = client.post(f"{API}/members", json={"name": "Anna Holm"}).get_json()["id"]
    (grant, *_) = client.get(f"{API}/grants").get_json()["grants"]
    body_of(send(client, f"tables/{TABLE}/events", {"type": "player_joined", "player": member}, 1), 201)
    players = {"forehand": member, "middlehand": "Bo", "backhand": "Carl"}
    body_of(send(client, f"tables/{TABLE}/deals", {"type": "deal_opened", "players": players}, 2), 201)
    named = {
        "deal": DEAL, "table": TABLE, "name": "belinda", "ruleset": "dlu", "member": member,
        "grant": grant["id"], "season": "all",
    }  # fmt: skip
    for path, operation in operations_that_read().items():
        if path.endswith("/live"):
            continue
        kept, tag = (told_in_header(operation, name) for name in ("Cache-Control", "ETag"))
        asked = path.format(**named) + QUERIES.get(path, "")
        first = client.get(asked)
        assert first.status_code == 200, (path, first.text)
        assert kept and kept.startswith(f"`{first.headers['Cache-Control']}`"), path
        assert (tag is not None) == ("ETag" in first.headers), path
        if tag is not None:
            same = again(client, asked, first)
            assert (same.status_code, same.data) == (304, b""), path
            for name in ("ETag", "Cache-Control", "Vary"):
                assert same.headers.get(name) == first.headers.get(name), path
            assert operation["responses"]["304"] == {"$ref": "#/components/responses/NotModified"}
        if "else `no-store`" in kept:
            cut = viewer.get(asked)
            assert (cut.status_code, cut.headers["Cache-Control"]) == (200, "no-store"), path
            assert {"Authorization", "Cookie"} <= set(cut.headers["Vary"].split(", "))
            assert {"Authorization", "Cookie"} <= set(first.headers["Vary"].split(", "))
    body_of(send(client, f"deals/{DEAL}/events", CLOSING, 3), 201)
    fixed = client.get(f"{HERE}/state?at=2&known=4").headers["Cache-Control"]
    assert fixed in cache_policies.POINT_POLICY.description and fixed.endswith("immutable")


def test_a_name_given_twice_is_refused_by_name(client: FlaskClient) -> None:
    for path, name in (
        ("/deals", "limit"), ("/tables", "after"), ("/checkpoint", "size"), ("/replays", "folder"),
        (f"/deals/{DEAL}/state", "at"), (f"/deals/{DEAL}/live", "after"), ("/rulesets/dlu", "revision"),
        (f"/deals/{DEAL}/state.svg", "lang"), (f"/deals/{DEAL}/events", "viewer"),
        ("/replays/belinda/legal", "known"),
    ):  # fmt: skip
        answer = client.get(f"{API}{path}?{name}=1&{name}=2")
        assert parameters(answer) == [name], path
        detail = "The address has it more than once; give it once."
        assert answer.get_json()["errors"][0]["detail"] == detail
        assert client.get(f"{API}{path}?{name}=1&{name}=1").status_code == 422


def test_by_a_star_is_asked_for_what_is_not_there(app: Flask, client: FlaskClient) -> None:
    star, viewer = {"If-None-Match": "*"}, holding(app, GrantTerms("viewer"))
    for path in ("", "/state", "/events", "/events.jsonl", "/state.svg"):
        there = client.get(f"{HERE}{path}")
        told = client.get(f"{HERE}{path}", headers=star)
        assert (told.status_code, told.data, told.headers["ETag"]) == (304, b"", there.headers["ETag"])
        cut = viewer.get(f"{HERE}{path}", headers=star)
        assert (cut.status_code, cut.headers["Cache-Control"]) == (200, "no-store"), path
    assert client.get(f"{HERE}/state?at=999", headers=star).status_code == 404


def test_a_name_that_another_process_erased_is_told_no_more(store: EventStore) -> None:
    store.has_other_writers = True
    paths = ("deals", *(f"deals/{DEAL}{part}" for part in ("", "/replay", "/events", "/events.deal")),
             f"tables/{TABLE}", f"tables/{TABLE}/events")  # fmt: skip
    told = [
        (client, f"{API}/{path}", client.get(f"{API}/{path}"))
        for client in (owner_of(create_app(store)), owner_of(create_app(store)))
        for path in paths
    ]
    erase_name(store, find_name_occurrences(store, "Anna", "N. N."))
    for client, path, before in told:
        after = again(client, path, before) if "ETag" in before.headers else client.get(path)
        assert (after.status_code, "Anna" in before.text, "Anna" in after.text) == (200, True, False), path
        assert "N. N." in after.text


def test_what_comes_after_is_judged_by_what_is_there_now(
    client: FlaskClient, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.has_other_writers = True
    passed = [{"type": "bid_made", "seat": "forehand", "bid": "pass"}]
    body_of(send(client, f"deals/{DEAL}/events", passed, 3), 201)
    erase_name(store, find_name_occurrences(store, "Anna", "N. N."))
    answer = send(client, f"deals/{DEAL}/events", passed, 4)
    assert answer.status_code == 201 and "Anna" not in answer.text
    monkeypatch.setattr(store, "head", Mock(side_effect=StoreUnavailable("The disk is away.")))
    assert client.get(f"{API}/session").status_code == 200
