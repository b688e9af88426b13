"""Who recorded an entry: the grant that wrote it, by whichever door, whatever was sent."""

from typing import Any

import orjson
import pytest
from flask import Flask

from service.app import create_app
from service.identity.grants import Scope, Terms
from tests.support.api.clients import holding, of_app, owner_of, token_for
from tests.support.api.recording import DEAL, OPENING, TABLE, some_records

API = "/api/v1"
NOTE = {"type": "note_added", "text": "A long think."}


@pytest.fixture
def app() -> Flask:
    return create_app(some_records())


def recorders(told: Any) -> set[str]:
    """Who recorded the events of an answer."""
    return {event["recorded_by"] for event in told.get_json()["events"]}


@pytest.mark.parametrize("role", ["owner", "organiser", "recorder"])
def test_the_grant_that_recorded_stands_in_every_entry(app: Flask, role: Any) -> None:
    made = of_app(app).register.make(Terms(role))
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {made.token}"
    forged = {"recorded_by": "the director"}
    opened = [{**OPENING, **forged}, {**NOTE, **forged}]
    deal = client.post(f"{API}/deals", json=opened)
    assert recorders(deal) == {made.grant.id}
    events = f"{API}/deals/{deal.get_json()['deal']}/events"
    lines = b"".join(orjson.dumps({**NOTE, **forged}) + b"\n" for _ in range(2))
    any_version = {"If-Match": "*"}
    batch = client.post(events, data=lines, content_type="application/jsonl", headers=any_version)
    assert recorders(batch) == {made.grant.id}
    assert recorders(client.get(events)) == {made.grant.id}
    table = f"{API}/tables/{TABLE}"
    version = client.get(table).get_json()["version"]
    players = OPENING["players"]
    started = client.post(
        f"{table}/deals", json={"players": players, **forged}, headers={"If-Match": f'"{version}"'}
    )
    assert recorders(started) == {made.grant.id}
    assert {event["recorded_by"] for event in started.get_json()["table"]["events"]} == {made.grant.id}
    joined = {"type": "player_joined", "player": "Dorte", **forged}
    told = client.post(f"{table}/events", json=joined, headers={"If-Match": f'"{version + 1}"'})
    assert recorders(told) == {made.grant.id}
    if role != "recorder":
        opening = {"ruleset": "dlu", "players": ["Anna", "Bo", "Carl"], **forged}
        assert recorders(client.post(f"{API}/tables", json=opening)) == {made.grant.id}


@pytest.mark.parametrize(("role", "believed"), [("owner", True), ("organiser", False), ("recorder", False)])
def test_only_of_an_owner_s_file_it_is_believed_who_recorded(app: Flask, role: Any, believed: bool) -> None:
    made = of_app(app).register.make(Terms(role))
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {made.token}"
    file = [{**OPENING, "recorded_by": "Eva"}, NOTE]
    (record,) = client.post(f"{API}/import", json=file).get_json()["records"]
    told = client.get(f"{API}/deals/{record['id']}/events").get_json()["events"]
    assert [event["recorded_by"] for event in told] == ["Eva" if believed else made.grant.id, made.grant.id]


def test_a_repeat_by_another_is_the_same_and_stays_the_first_s(app: Flask) -> None:
    first, second = (of_app(app).register.make(Terms("recorder")) for _ in range(2))
    note = {**NOTE, "id": TABLE[:-4] + "bbbb"}
    answers = []
    for made in (first, second):
        client = app.test_client()
        client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {made.token}"
        answers.append(client.post(f"{API}/deals/{DEAL}/events", json=note, headers={"If-Match": "*"}))
    assert [answer.status_code for answer in answers] == [201, 200]
    assert recorders(answers[1]) == {first.grant.id}


def test_who_recorded_is_no_secret_but_what_a_file_says_of_it_is(app: Flask) -> None:
    owner, viewer = owner_of(app), holding(app, Terms("viewer"))
    file = [{**OPENING, "recorded_by": "Eva, who holds SA"}, {**NOTE, "recorded_by": TABLE}]
    (record,) = owner.post(f"{API}/import", json=file).get_json()["records"]
    told = viewer.get(f"{API}/deals/{record['id']}/events").get_json()["events"]
    assert [event["recorded_by"] for event in told] == [None, TABLE]


def entered(app: Flask, *tokens: str, **more: Any) -> Any:
    """A browser that opened links of those tokens, and the last answer."""
    browser = app.test_client()
    browser.environ_base["HTTP_ORIGIN"] = "http://localhost"
    answer = None
    for token in tokens:
        answer = browser.post(f"{API}/session", json={"token": token, **more})
    return browser, answer


def seat_token(app: Flask, seat: str, **more: Any) -> str:
    return token_for(app, Terms("player", Scope("deal", DEAL), seat=seat, **more))


def test_a_second_seat_of_a_deal_joins_no_session_unasked(app: Flask) -> None:
    first, second = seat_token(app, "forehand", label="Anna"), seat_token(app, "middlehand", once=True)
    browser, refused = entered(app, first, second)
    told = refused.get_json()
    assert (refused.status_code, told["type"]) == (409, "/problems/other-person")
    assert told["here"] == [{"role": "player", "seat": "forehand", "name": "Anna"}]
    assert told["asked"] == {"role": "player", "seat": "middlehand", "name": ""}
    assert second not in refused.text
    (held,) = browser.get(f"{API}/session").get_json()["grants"]
    assert held["seat"] == "forehand"
    # The question spent nothing: the same link goes on as the other.
    assert browser.post(f"{API}/session", json={"token": second, "instead": True}).status_code == 201
    (held,) = browser.get(f"{API}/session").get_json()["grants"]
    assert held["seat"] == "middlehand"


def test_grants_of_different_records_join_a_session(app: Flask) -> None:
    viewer = token_for(app, Terms("viewer", Scope("table", TABLE)))
    recorder = token_for(app, Terms("recorder", Scope("deal", DEAL)))
    browser, answer = entered(app, seat_token(app, "forehand"), viewer, recorder)
    assert answer.status_code == 201
    assert len(browser.get(f"{API}/session").get_json()["grants"]) == 3


@pytest.mark.parametrize(
    ("author", "seat"), [("Bo", "middlehand"), ("middlehand", "middlehand"), (None, "forehand")]
)
def test_in_a_session_of_two_seats_the_note_is_of_whom_it_names(app: Flask, author: Any, seat: str) -> None:
    register = of_app(app).register
    made = {
        one: register.make(Terms("player", Scope("deal", DEAL), seat=one))
        for one in ("forehand", "middlehand")
    }
    # A session from before the question was asked.
    secret = None
    for link in made.values():
        secret = register.enter(link.token or "", secret).secret
    browser = app.test_client()
    browser.environ_base["HTTP_ORIGIN"] = "http://localhost"
    browser.set_cookie("spadille-80", secret or "")
    players = browser.get(f"{API}/deals/{DEAL}/events").get_json()["events"][0]["players"]
    named = players["middlehand"] if author == "Bo" else author
    note = NOTE if named is None else {**NOTE, "author": named}
    events = f"{API}/deals/{DEAL}/events"
    answer = browser.post(events, json=note, headers={"If-Match": "*"})
    assert answer.status_code == 201, answer.text
    assert recorders(answer) == {made[seat].grant.id}
    for one, grant in made.items():
        alone = app.test_client()
        alone.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {grant.token}"
        assert (NOTE["text"] in alone.get(events).text) == (one == seat)
