"""Who recorded an entry: the grant that wrote it, at whichever endpoint, whatever was sent."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.auth.grants import Role, Scope, Terms
from service.eventstore import EventStore
from tests.support.api.asking import API, NOTE, body_of, problem, send, told
from tests.support.api.clients import holding, of_app, showing, token_for
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, recorded_table

EVENTS = f"deals/{DEAL}/events"


@pytest.fixture(autouse=True)
def records(store: EventStore) -> None:
    recorded_deal(store)
    recorded_table(store)


def recorders(answer: Any) -> set[str]:
    """Who recorded the events of an answer."""
    return {event["recorded_by"] for event in answer["events"]}


def grant_and_client(app: Flask, role: Role) -> tuple[str, FlaskClient]:
    made = of_app(app).register.make(Terms(role))
    return made.grant.id, showing(app, made.token)


@pytest.mark.parametrize("role", ["owner", "organiser", "recorder"])
def test_the_grant_that_recorded_stands_in_every_entry(app: Flask, role: Role) -> None:
    own, client = grant_and_client(app, role)
    forged = {"recorded_by": "the director"}
    note = {**NOTE, **forged}
    recorded = [body_of(client.post(f"{API}/deals", json=[{**OPENING, **forged}, note]), 201)]
    events = f"deals/{recorded[0]['deal']}/events"
    recorded += [body_of(send(client, events, [note, note]), 201), told(client, events)]
    started = send(client, f"tables/{TABLE}/deals", {"players": OPENING["players"], **forged}, 1)
    recorded += [body_of(started, 201), started.get_json()["table"]]
    joined = {"type": "player_joined", "player": "Dorte", **forged}
    recorded.append(body_of(send(client, f"tables/{TABLE}/events", joined, 2), 201))
    if role != "recorder":
        opening = {"ruleset": "dlu", "players": ["Anna", "Bo", "Carl"], **forged}
        recorded.append(body_of(client.post(f"{API}/tables", json=opening), 201))
    assert [recorders(one) for one in recorded] == [{own}] * len(recorded)
    # Of an owner's file it is believed who recorded.
    file = [{**OPENING, "recorded_by": "Eva"}, NOTE]
    (record,) = body_of(client.post(f"{API}/import", json=file))["records"]
    imported = told(client, f"deals/{record['id']}/events")["events"]
    assert [event["recorded_by"] for event in imported] == ["Eva" if role == "owner" else own, own]


def test_a_repeat_by_another_is_the_same_and_stays_the_first_s(app: Flask) -> None:
    (first, one), (_, other) = grant_and_client(app, "recorder"), grant_and_client(app, "recorder")
    note = {**NOTE, "id": TABLE[:-4] + "bbbb"}
    assert send(one, EVENTS, note).status_code == 201
    assert recorders(body_of(send(other, EVENTS, note))) == {first}


def test_who_recorded_is_no_secret_but_what_a_file_says_of_it_is(app: Flask, client: FlaskClient) -> None:
    file = [{**OPENING, "recorded_by": "Eva, who holds SA"}, {**NOTE, "recorded_by": TABLE}]
    (record,) = body_of(client.post(f"{API}/import", json=file))["records"]
    events = told(holding(app, Terms("viewer")), f"deals/{record['id']}/events")["events"]
    assert [event["recorded_by"] for event in events] == [None, TABLE]


def entered(app: Flask, *tokens: str) -> tuple[FlaskClient, Any]:
    """A browser that opened links of those tokens, and the last answer."""
    browser = app.test_client()
    browser.environ_base["HTTP_ORIGIN"] = "http://localhost"
    return browser, [browser.post(f"{API}/session", json={"token": token}) for token in tokens][-1]


def seat_token(app: Flask, seat: str, **more: Any) -> str:
    return token_for(app, Terms("player", Scope("deal", DEAL), seat=seat, **more))


def test_a_second_seat_of_a_deal_joins_no_session_unasked(app: Flask) -> None:
    first, second = seat_token(app, "forehand", label="Anna"), seat_token(app, "middlehand", once=True)
    browser, refused = entered(app, first, second)
    assert problem(refused) == (409, "other-person")
    asked = refused.get_json()
    assert asked["here"] == [{"role": "player", "seat": "forehand", "name": "Anna"}]
    assert asked["asked"] == {"role": "player", "seat": "middlehand", "name": ""}
    assert second not in refused.text
    (held,) = told(browser, "session")["grants"]
    assert held["seat"] == "forehand"
    # The question spent nothing: the same link goes on as the other.
    body_of(browser.post(f"{API}/session", json={"token": second, "instead": True}), 201)
    (held,) = told(browser, "session")["grants"]
    assert held["seat"] == "middlehand"
    # Grants of other records join it.
    for terms in (Terms("viewer", Scope("table", TABLE)), Terms("recorder", Scope("deal", DEAL))):
        body_of(browser.post(f"{API}/session", json={"token": token_for(app, terms)}), 201)
    assert len(told(browser, "session")["grants"]) == 3


@pytest.mark.parametrize(("author", "seat"), [("middlehand", "middlehand"), (None, "forehand")])
def test_in_a_session_of_two_seats_the_note_is_of_whom_it_names(app: Flask, author: Any, seat: str) -> None:
    register = of_app(app).register
    made = {
        one: register.make(Terms("player", Scope("deal", DEAL), seat=one))
        for one in ("forehand", "middlehand")
    }
    secret = None  # of a session from before the question was asked
    for link in made.values():
        secret = register.enter(link.token or "", secret).secret
    browser = app.test_client()
    browser.environ_base["HTTP_ORIGIN"] = "http://localhost"
    browser.set_cookie("spadille-80", secret or "")
    note = NOTE if author is None else {**NOTE, "author": author}
    assert recorders(body_of(send(browser, EVENTS, note), 201)) == {made[seat].grant.id}
    for one, grant in made.items():
        alone = showing(app, grant.token)
        assert (NOTE["text"] in alone.get(f"{API}/{EVENTS}").text) == (one == seat)
