"""Members of the club: named by an id in the records, called by name at the door, and forgotten."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.identity.calling import short_names
from service.identity.grants import Member, Scope, Terms
from service.store import MemoryStore
from tests.support.api.clients import holding, of_app, owner_of
from tests.support.api.recording import DEAL, TABLE, some_deal

API = "/api/v1"
SLIP = {"type": "result_recorded", "declarer": "forehand", "contract": "solo", "outcome": "won"}


@pytest.fixture
def app() -> Flask:
    return create_app(MemoryStore())


@pytest.fixture
def owner(app: Flask) -> FlaskClient:
    return owner_of(app)


def enrolled(owner: FlaskClient, name: str, **more: str) -> Any:
    answer = owner.post(f"{API}/members", json={"name": name, **more})
    assert answer.status_code == 201, answer.text
    assert answer.headers["Location"] == f"{API}/members/{answer.get_json()['id']}"
    return answer.get_json()


def recorded(owner: FlaskClient, *players: str) -> None:
    """A table with a deal whose players are those."""
    seats = dict(zip(("forehand", "middlehand", "backhand"), players, strict=True))
    opening = {"id": TABLE, "ruleset": "dlu", "players": list(players)}
    assert owner.post(f"{API}/tables", json=opening).status_code == 201
    started = owner.post(
        f"{API}/tables/{TABLE}/deals", json={"id": DEAL, "players": seats}, headers={"If-Match": '"1"'}
    )
    assert started.status_code == 201, started.text
    rest = [event for event in some_deal() if event["type"] != "deal_opened"]
    answer = owner.post(f"{API}/deals/{DEAL}/events", json=rest, headers={"If-Match": '"1"'})
    assert answer.status_code == 201, answer.text


@pytest.mark.parametrize(
    "name", ["anna  ANDERSEN", "\u0410nn\u0430 Andersen", "Anna Anders\u200den", "Ann\u00e1 Andersen"]
)
def test_a_name_that_looks_like_a_member_s_is_asked_about(owner: FlaskClient, name: str) -> None:
    enrolled(owner, "Anna Andersen")
    bo = enrolled(owner, "Bo")
    address = f"{API}/members/{bo['id']}"
    for ask, at, status in ((owner.post, f"{API}/members", 201), (owner.put, address, 200)):
        refused = ask(at, json={"name": name})
        assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/similar-name")
        assert refused.get_json()["member"] == "Anna Andersen" in refused.get_json()["detail"]
        assert ask(f"{at}?confirm=similar-name", json={"name": name}).status_code == status
    assert owner.put(address, json={"name": name, "note": "the same name"}).status_code == 200


def test_a_member_with_an_id_is_added_once(owner: FlaskClient) -> None:
    sent = {"id": "m-abcdefgh234567ab", "name": "Anna Andersen", "joined": "2019-09-01"}
    for status in (201, 200, 200):
        answer = owner.post(f"{API}/members", json=sent)
        assert (answer.status_code, answer.get_json()["id"]) == (status, sent["id"])
        assert answer.headers["Location"] == f"{API}/members/{sent['id']}"
    assert [one["name"] for one in owner.get(f"{API}/members").get_json()["members"]] == ["Anna Andersen"]
    for other in ({**sent, "name": "Bo"}, {**sent, "note": "else"}):
        refused = owner.post(f"{API}/members", json=other)
        assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/id-conflict")
    assert owner.delete(f"{API}/members/{sent['id']}").status_code == 204
    assert owner.post(f"{API}/members", json=sent).status_code == 409
    for wrong in ("m-abc", "m-abcdefgh234567ab\n", "M-ABCDEFGH234567AB", 7):
        assert owner.post(f"{API}/members", json={**sent, "id": wrong}).status_code == 422
    assert owner.put(f"{API}/members/{sent['id']}", json=sent).status_code == 422


def test_a_member_is_added_shown_and_changed(owner: FlaskClient) -> None:
    anna = enrolled(owner, "Anna Andersen", short="Anna", joined="2019-09-01", note="has the key")
    address = f"{API}/members/{anna['id']}"
    assert owner.get(address).get_json() == anna
    changed = owner.put(address, json={"name": "Anna Bertelsen"}).get_json()
    assert changed == {**anna, "name": "Anna Bertelsen", "short": "", "joined": None, "note": ""}
    assert owner.get(f"{API}/members").get_json() == {"members": [changed]}


@pytest.mark.parametrize(
    "body",
    [{}, {"name": ""}, {"name": "  "}, {"name": "a\nb"}, {"name": "x" * 101}, {"name": 3}, {"name": None},
     {"name": "A", "joined": "x"}, {"name": "A", "age": 3}, [], "Anna"],
)  # fmt: skip
def test_what_is_no_member_is_refused(owner: FlaskClient, body: Any) -> None:
    assert owner.post(f"{API}/members", json=body).status_code == 422


def test_records_keep_the_id_and_answers_say_the_name(app: Flask, owner: FlaskClient) -> None:
    anna, bo = enrolled(owner, "Anna Andersen", short="Anna"), enrolled(owner, "Bo Berg")
    recorded(owner, anna["id"], bo["id"], "Carl")
    names = {anna["id"]: "Anna", bo["id"]: "Bo"}
    for path in (f"deals/{DEAL}", f"tables/{TABLE}", f"deals/{DEAL}/replay", f"tables/{TABLE}/ledger"):
        assert owner.get(f"{API}/{path}").get_json()["names"] == names, path
    for path in (f"deals/{DEAL}/events.jsonl", f"deals/{DEAL}/events.deal", f"deals/{DEAL}/state"):
        text = owner.get(f"{API}/{path}").text
        assert anna["id"] in text
        assert "Andersen" not in text
    rows = owner.get(f"{API}/tables/{TABLE}/ledger.csv").text
    assert "Anna, total" in rows
    assert anna["id"] not in rows
    stored = b"".join(event.body for event in of_app(app).store.read(DEAL))
    assert b"Andersen" not in stored
    assert "Anna" in owner.get("/deals").text
    assert anna["id"] not in owner.get("/deals").text


def test_names_at_a_table_are_brief_and_tell_each_from_the_others(app: Flask, owner: FlaskClient) -> None:
    """By letters of the family name; by the whole name only for who reads by a link of his own."""
    lars, larsen = enrolled(owner, "Anna Lars"), enrolled(owner, "Anna Larsen")
    recorded(owner, lars["id"], larsen["id"], "Carl")
    of_app(app).register.make(Terms("viewer", Scope("table", TABLE), public=True))
    brief = {lars["id"]: "Anna Lar.", larsen["id"]: "Anna Lar."}
    assert holding(app).get(f"{API}/deals/{DEAL}").get_json()["names"] == brief
    viewer = holding(app, Terms("viewer", Scope("table", TABLE)))
    whole = {lars["id"]: "Anna Lars", larsen["id"]: "Anna Larsen"}
    assert viewer.get(f"{API}/deals/{DEAL}").get_json()["names"] == whole
    owner.put(f"{API}/members/{larsen['id']}", json={"name": "Anna Larsen", "short": "Anna M."})
    told = {lars["id"]: "Anna", larsen["id"]: "Anna M."}
    for caller in (viewer, holding(app), owner):
        assert caller.get(f"{API}/tables/{TABLE}/ledger").get_json()["names"] == told


@pytest.mark.parametrize(
    ("members", "guests", "called"),
    [
        (["Anna Lund", "Bo Berg"], [], ["Anna", "Bo"]),
        (["Anna Lund", "Anna Maria Moe"], [], ["Anna L.", "Anna M."]),
        (["Anna Lund", "Bo Berg"], ["anna"], ["Anna L.", "Bo"]),
        (["Anna Lund", "Anna Larsen", "Anna Moe"], [], ["Anna Lu.", "Anna La.", "Anna M."]),
        (["Anna Lars", "Anna Larsen"], [], ["Anna Lars", "Anna Larsen"]),
        (["Anna", "Anna Moe"], [], ["Anna", "Anna M."]),
    ],
    ids=["apart", "initials", "a-guest", "two-letters", "whole-names", "one-name"],
)  # fmt: skip
def test_what_members_are_called_beside_each_other(
    members: list[str], guests: list[str], called: list[str]
) -> None:
    there = [Member(f"m-{number}", name) for number, name in enumerate(members)]
    assert list(short_names(there, guests).values()) == called


def test_a_member_is_a_player_wherever_he_sits(app: Flask, owner: FlaskClient) -> None:
    anna = enrolled(owner, "Anna Andersen")
    recorded(owner, "Dorte", anna["id"], "Carl")
    player = holding(app, Terms("player", person=anna["id"]))
    hands = player.get(f"{API}/deals/{DEAL}/state?at=4").get_json()["hands"]
    assert [len(hands[seat]["cards"]) for seat in ("forehand", "middlehand", "backhand")] == [0, 9, 0]
    assert player.get(f"{API}/deals/{DEAL}/state?viewer=forehand").status_code == 403
    assert player.get(f"{API}/deals/{DEAL}/state?viewer=middlehand").status_code == 200


def test_a_member_is_forgotten_and_the_record_stays(app: Flask, owner: FlaskClient) -> None:
    anna = enrolled(owner, "Anna Andersen", short="Anna", note="has the key")
    recorded(owner, anna["id"], "Bo", "Carl")
    before = [event.body for event in of_app(app).store.read(DEAL)]
    player = holding(app, Terms("player", person=anna["id"]))
    assert owner.delete(f"{API}/members/{anna['id']}").status_code == 204
    assert owner.get(f"{API}/members/{anna['id']}").status_code == 404
    assert owner.put(f"{API}/members/{anna['id']}", json={"name": "Anna"}).status_code == 404
    assert owner.delete(f"{API}/members/{anna['id']}").status_code == 404
    assert player.get(f"{API}/deals/{DEAL}").status_code == 401
    assert [event.body for event in of_app(app).store.read(DEAL)] == before
    assert owner.get(f"{API}/deals/{DEAL}").get_json()["names"] == {anna["id"]: None}
    for path in (
        f"{API}/deals/{DEAL}",
        f"{API}/deals/{DEAL}/replay",
        "/deals",
        f"{API}/members",
        f"{API}/grants",
    ):
        assert "Andersen" not in owner.get(path).text
    assert "en, der er gået ud" in owner.get("/deals?lang=da").text


@pytest.mark.parametrize("sign", ["\u202e", "\u2066", "\u200f", "\u200b", "\u2060", "\ufeff"])
def test_a_name_that_turns_text_around_or_hides_a_sign_is_refused(owner: FlaskClient, sign: str) -> None:
    assert owner.post(f"{API}/members", json={"name": f"Bo{sign}b"}).status_code == 422
    grant = {"role": "viewer", "label": f"Bo{sign}b"}
    assert owner.post(f"{API}/grants", json=grant).status_code == 422


@pytest.mark.parametrize(
    "name",
    ["\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\u05d3\u05d5\u05d3", "Bo \U0001f469\u200d\U0001f4bb"],
)
def test_a_name_of_any_script_is_taken(owner: FlaskClient, name: str) -> None:
    assert enrolled(owner, name)["name"] == name
