"""Members of the club: named by an id in the records, by name in answers, and deleted."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.auth.display_names import short_display_names
from service.auth.grants import GrantTerms, Member, Scope
from tests.support.api.asking import API, body_of, fetch, problem, send
from tests.support.api.clients import holding, of_app
from tests.support.api.recording import DEAL, TABLE, some_deal

MEMBERS = f"{API}/members"


def enrolled(client: FlaskClient, name: str, **more: str) -> Any:
    answer = client.post(MEMBERS, json={"name": name, **more})
    member = body_of(answer, 201)
    assert answer.headers["Location"] == f"{MEMBERS}/{member['id']}"
    return member


def record_table_deal(client: FlaskClient, *players: str) -> None:
    seats = dict(zip(("forehand", "middlehand", "backhand"), players, strict=True))
    body_of(client.post(f"{API}/tables", json={"id": TABLE, "ruleset": "dlu", "players": players}), 201)
    body_of(send(client, f"tables/{TABLE}/deals", {"id": DEAL, "players": seats}, 1), 201)
    body_of(send(client, f"deals/{DEAL}/events", some_deal()[1:], 1), 201)


@pytest.mark.parametrize("name", ["anna  ANDERSEN", "\u0410nn\u0430 Andersen", "Ann\u00e1 Andersen"])
def test_a_name_that_looks_like_a_member_s_is_asked_about(client: FlaskClient, name: str) -> None:
    enrolled(client, "Anna Andersen")
    address = f"{MEMBERS}/{enrolled(client, 'Bo')['id']}"
    for ask, at, status in ((client.post, MEMBERS, 201), (client.put, address, 200)):
        refused = ask(at, json={"name": name})
        assert problem(refused) == (409, "similar-name")
        assert refused.get_json()["member"] == "Anna Andersen" in refused.get_json()["detail"]
        assert ask(f"{at}?confirm=similar-name", json={"name": name}).status_code == status
    assert client.put(address, json={"name": name, "note": "the same name"}).status_code == 200


def test_a_member_with_an_id_is_added_once(client: FlaskClient) -> None:
    sent = {"id": "m-abcdefgh234567ab", "name": "Anna Andersen", "joined": "2019-09-01"}
    for status in (201, 200):
        answer = client.post(MEMBERS, json=sent)
        assert (answer.status_code, answer.get_json()["id"]) == (status, sent["id"])
        assert answer.headers["Location"] == f"{MEMBERS}/{sent['id']}"
    assert [one["name"] for one in fetch(client, "members")["members"]] == ["Anna Andersen"]
    for other in ({**sent, "name": "Bo"}, {**sent, "note": "else"}):
        assert problem(client.post(MEMBERS, json=other)) == (409, "id-conflict")
    assert client.delete(f"{MEMBERS}/{sent['id']}").status_code == 204
    assert client.post(MEMBERS, json=sent).status_code == 409
    for wrong in ("m-abc", "m-abcdefgh234567ab\n", "M-ABCDEFGH234567AB", 7):
        assert client.post(MEMBERS, json={**sent, "id": wrong}).status_code == 422
    assert client.put(f"{MEMBERS}/{sent['id']}", json=sent).status_code == 422


def test_a_member_is_added_shown_and_changed(client: FlaskClient) -> None:
    anna = enrolled(client, "Anna Andersen", short="Anna", joined="2019-09-01", note="has the key")
    address = f"{MEMBERS}/{anna['id']}"
    assert client.get(address).get_json() == anna
    changed = client.put(address, json={"name": "Anna Bertelsen"}).get_json()
    assert changed == {**anna, "name": "Anna Bertelsen", "short": "", "joined": None, "note": ""}
    assert client.get(MEMBERS).get_json() == {"members": [changed]}
    bodies: list[Any] = [
        {}, {"name": "  "}, {"name": "a\nb"}, {"name": "x" * 101}, {"name": None}, {"name": "A", "age": 3},
        {"name": "A", "joined": "x"}, [],
    ]  # fmt: skip
    for body in bodies:
        assert client.post(MEMBERS, json=body).status_code == 422, body
    for name in ("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\u05d3\u05d5\u05d3",
                 "Bo \U0001f469\u200d\U0001f4bb"):  # fmt: skip
        assert enrolled(client, name)["name"] == name


def test_records_keep_the_id_and_answers_say_the_name(app: Flask, client: FlaskClient) -> None:
    anna, bo = enrolled(client, "Anna Andersen", short="Anna"), enrolled(client, "Bo Berg")
    record_table_deal(client, anna["id"], bo["id"], "Carl")
    names = {anna["id"]: "Anna", bo["id"]: "Bo"}
    for path in (f"deals/{DEAL}", f"tables/{TABLE}", f"deals/{DEAL}/replay", f"tables/{TABLE}/ledger"):
        assert fetch(client, path)["names"] == names, path
    for path in (f"deals/{DEAL}/events.jsonl", f"deals/{DEAL}/events.deal", f"deals/{DEAL}/state"):
        text = client.get(f"{API}/{path}").text
        assert anna["id"] in text
        assert "Andersen" not in text
    rows = client.get(f"{API}/tables/{TABLE}/ledger.csv").text
    assert "Anna, total" in rows
    assert anna["id"] not in rows
    slips = client.get(f"{API}/tables/{TABLE}/slips.csv").text
    assert "Anna Andersen;Bo Berg;Carl" in slips and anna["id"] not in slips
    assert not any(b"Andersen" in event.body for event in of_app(app).store.read_stream(DEAL))
    assert "Anna" in client.get("/deals").text
    assert anna["id"] not in client.get("/deals").text


def test_names_at_a_table_are_brief_and_tell_each_from_the_others(app: Flask, client: FlaskClient) -> None:
    """By letters of the family name; by the whole name only for who reads by a link of his own."""
    lars, larsen = enrolled(client, "Anna Lars"), enrolled(client, "Anna Larsen")
    record_table_deal(client, lars["id"], larsen["id"], "Carl")
    of_app(app).register.create_grant(GrantTerms("viewer", Scope("table", TABLE), public=True))
    brief = {lars["id"]: "Anna Lar.", larsen["id"]: "Anna Lar."}
    assert fetch(holding(app), f"deals/{DEAL}")["names"] == brief
    viewer = holding(app, GrantTerms("viewer", Scope("table", TABLE)))
    whole = {lars["id"]: "Anna Lars", larsen["id"]: "Anna Larsen"}
    assert fetch(viewer, f"deals/{DEAL}")["names"] == whole
    client.put(f"{MEMBERS}/{larsen['id']}", json={"name": "Anna Larsen", "short": "Anna M."})
    apart = {lars["id"]: "Anna", larsen["id"]: "Anna M."}
    for caller in (viewer, holding(app), client):
        assert fetch(caller, f"tables/{TABLE}/ledger")["names"] == apart


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
def test_short_names_tell_members_apart(members: list[str], guests: list[str], called: list[str]) -> None:
    there = [Member(f"m-{number}", name) for number, name in enumerate(members)]
    assert list(short_display_names(there, guests).values()) == called


def test_a_member_is_a_player_wherever_he_sits(app: Flask, client: FlaskClient) -> None:
    anna = enrolled(client, "Anna Andersen")
    record_table_deal(client, "Dorte", anna["id"], "Carl")
    player = holding(app, GrantTerms("player", person=anna["id"]))
    hands = fetch(player, f"deals/{DEAL}/state?at=4")["hands"]
    assert [len(hands[seat]["cards"]) for seat in ("forehand", "middlehand", "backhand")] == [0, 9, 0]
    assert player.get(f"{API}/deals/{DEAL}/state?viewer=forehand").status_code == 403
    assert player.get(f"{API}/deals/{DEAL}/state?viewer=middlehand").status_code == 200


def test_a_member_is_forgotten_and_the_record_stays(app: Flask, client: FlaskClient) -> None:
    anna = enrolled(client, "Anna Andersen", short="Anna", note="has the key")
    record_table_deal(client, anna["id"], "Bo", "Carl")
    before = [event.body for event in of_app(app).store.read_stream(DEAL)]
    player = holding(app, GrantTerms("player", person=anna["id"]))
    assert client.delete(f"{MEMBERS}/{anna['id']}").status_code == 204
    for method, body in (("GET", None), ("PUT", {"name": "Anna"}), ("DELETE", None)):
        assert client.open(f"{MEMBERS}/{anna['id']}", method=method, json=body).status_code == 404
    assert player.get(f"{API}/deals/{DEAL}").status_code == 401
    assert [event.body for event in of_app(app).store.read_stream(DEAL)] == before
    assert fetch(client, f"deals/{DEAL}")["names"] == {anna["id"]: None}
    for path in (f"{API}/deals/{DEAL}", f"{API}/deals/{DEAL}/replay", "/deals", MEMBERS, f"{API}/grants"):
        assert "Andersen" not in client.get(path).text
    assert "en, der er gået ud" in client.get("/deals?lang=da").text
