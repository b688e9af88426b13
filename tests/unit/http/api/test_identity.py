"""Logging in and out, handing out links, and who recorded an entry.

That no token is told is tested in `tests/system/secrets`.
"""

import re
import threading
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.core.cards import SEAT_NAMES
from service.app import create_app
from service.auth.caller import OWNER_CALLER
from service.auth.grants import GrantTerms, Role, Scope
from service.auth.request_identity import SECURE_COOKIE_NAME
from service.auth.timestamps import add_days
from service.auth.tokens import SESSION_PREFIX, TOKEN_PREFIX, generate_secret
from service.config.settings import Settings
from service.eventstore import EventStore
from service.eventstore.clock import utc_now
from service.records.live.feeds import HEARTBEAT_MESSAGE
from tests.support.api.asking import API, NOTE, body_of, correction, fetch, problem, send
from tests.support.api.clients import holding, of_app, owner_of, showing, token_for
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, recorded_table

OURS = {"Sec-Fetch-Site": "same-origin"}
EVENTS = f"deals/{DEAL}/events"
HERE = f"{API}/deals/{DEAL}"
SEAT = GrantTerms("player", Scope("deal", DEAL), seat="forehand")


@pytest.fixture(autouse=True)
def deal_and_table(store: EventStore) -> None:
    recorded_deal(store)
    recorded_table(store)


def enter(browser: FlaskClient, token: str, **more: Any) -> None:
    body_of(browser.post(f"{API}/session", json={"token": token, **more}, headers=OURS), 201)


def logged_in(app: Flask, terms: GrantTerms) -> FlaskClient:
    browser = app.test_client()
    enter(browser, token_for(app, terms))
    return browser


def secret_in(browser: FlaskClient) -> str:
    (cookie,) = (browser._cookies or {}).values()
    return cookie.value


def roles(client: FlaskClient, **headers: str) -> list[str]:
    return [grant["role"] for grant in fetch(client, "session", **headers)["grants"]]


def test_links_log_a_browser_in_until_it_logs_out(app: Flask) -> None:
    browser = logged_in(app, GrantTerms("recorder", Scope("deal", DEAL)))
    assert (fetch(browser, "session")["known"], roles(browser)) == (True, ["recorder"])
    assert browser.get(f"{HERE}/state").status_code == 200
    assert browser.get(f"/deals/{DEAL}").status_code == 200
    assert "Log out" in browser.get("/deals").text
    before = secret_in(browser)
    enter(browser, token_for(app, GrantTerms("viewer", Scope("table", TABLE))))
    assert set(roles(browser)) == {"recorder", "viewer"}
    # The secret from before the login is worth nothing after it.
    assert of_app(app).register.find_session_caller(before) is None
    browser = logged_in(app, GrantTerms("owner"))
    secret = secret_in(browser)
    assert browser.delete(f"{API}/session", headers=OURS).status_code == 204
    assert not browser._cookies
    assert roles(app.test_client(use_cookies=False), Cookie=f"spadille-80={secret}") == []


def test_the_cookie_is_out_of_reach(app: Flask) -> None:
    for origin, name, more in (
        ("http://localhost:8240", "spadille-8240", set()),
        ("http://localhost", "spadille-80", set()),
        ("https://localhost", SECURE_COOKIE_NAME, {"Secure"}),
    ):
        token = token_for(app, GrantTerms("owner"))
        answer = app.test_client().post(f"{API}/session", json={"token": token}, base_url=origin)
        cookie, *said = answer.headers["Set-Cookie"].split("; ")
        assert re.fullmatch(rf"{name}=spadille_s_[0-9A-Za-z]{{49}}", cookie)
        attributes = {one for one in said if not one.startswith(("Expires=", "Max-Age="))}
        assert attributes == {"HttpOnly", "Path=/", "SameSite=Lax", *more}
        assert answer.headers["Cache-Control"] == "no-store"


def test_a_token_that_is_none_logs_nobody_in(app: Flask) -> None:
    for token in ("", "x", generate_secret(TOKEN_PREFIX), generate_secret(SESSION_PREFIX), "\x00", "é" * 200):
        answer = app.test_client().post(f"{API}/session", json={"token": token})
        assert problem(answer) == (401, "invalid-token")
        assert "Set-Cookie" not in answer.headers
    bodies: list[Any] = [{}, {"token": 3}, {"token": None}, {"token": "x" * 201}, {"tokn": "x"}, []]
    for body in bodies:
        assert app.test_client().post(f"{API}/session", json=body).status_code == 422, body


def test_a_link_that_another_site_opened_waits_for_a_click(app: Flask) -> None:
    for site in ("none", "same-origin", "same-site", "cross-site", None):
        asks = site not in ("none", "same-origin")
        for lang, said in (("en", "Open"), ("da", "Åbn")):
            headers = {"Sec-Fetch-Site": site} if site else {}
            page = app.test_client().get(f"/enter?lang={lang}", headers=headers)
            assert ("data-asks-first" in page.text, f">{said}</button>" in page.text) == (asks, True), site
            assert page.headers["Cache-Control"] == "no-store"
            assert f'data-session-url="{API}/session"' in page.text


def test_a_session_is_worth_nothing_on_another_site(app: Flask) -> None:
    browser = logged_in(app, GrantTerms("owner"))
    member = ("PUT", "members/m-nobody", {"name": "x"})
    for headers in ({}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.example"}):
        for method, path, body in (("POST", "deals", OPENING), ("DELETE", "session", None), member):
            answer = browser.open(f"{API}/{path}", method=method, json=body, headers=headers)
            assert problem(answer) == (403, "cross-site-request"), (method, headers)
    assert browser.post(f"{API}/deals", json=OPENING, headers=OURS).status_code == 201
    browser = logged_in(app, GrantTerms("owner"))
    assert roles(browser, Authorization=f"bearer  {token_for(app, GrantTerms('viewer'))}") == ["viewer"]
    wrong = {"Authorization": f"Bearer {generate_secret(TOKEN_PREFIX)}"}
    assert browser.get(f"{API}/deals", headers=wrong).status_code == 401
    assert roles(browser, Authorization="Basic Zm9vOmJhcg==") == ["owner"], "a proxy's"


def test_a_session_ends_by_the_owner_or_with_its_last_grant(app: Flask, client: FlaskClient) -> None:
    browser = logged_in(app, GrantTerms("owner"))
    (session,) = of_app(app).register.list_sessions()
    for one, this in ((client, False), (browser, True)):
        listed = fetch(one, "sessions")["sessions"]
        assert [(each["id"], each["this"]) for each in listed] == [(session.id, this)]
    assert client.delete(f"{API}/sessions/{session.id}").status_code == 204
    assert not fetch(browser, "session")["known"]
    assert browser.get(HERE).status_code == 401
    enter(browser, token_for(app, GrantTerms("organiser")))
    (made,) = fetch(browser, "session")["grants"]
    body_of(client.delete(f"{API}/grants/{made['id']}"))
    left = fetch(browser, "session")
    assert (left["known"], left["session"]) == (False, None)
    assert browser.get(HERE).status_code == 401
    # Another link logs the same browser in again.
    enter(browser, token_for(app, GrantTerms("viewer")))
    assert fetch(browser, "session")["known"]


def grant(client: FlaskClient, **terms: Any) -> Any:
    """The grant that is made, or the status where none is."""
    answer = client.post(f"{API}/grants", json=terms)
    return answer.get_json() if answer.status_code == 201 else answer.status_code


TOGETHER: dict[str, dict[str, Any]] = {
    "a player of nothing": {"role": "player"},
    "a seat of no deal": {"role": "player", "seat": "forehand"},
    "nobody": {"role": "player", "person": ""},
    "a seat of a table": {"role": "player", "seat": "forehand", "table": TABLE},
    "a viewer's seat": {"role": "viewer", "seat": "forehand", "deal": DEAL},
    "a seat and a person": {"role": "player", "seat": "forehand", "deal": DEAL, "person": "Anna"},
    "an owner of a table": {"role": "owner", "table": TABLE},
    "everybody a recorder": {"role": "recorder", "public": True},
    "everybody once": {"role": "viewer", "public": True, "once": True},
    "a table and a deal": {"role": "viewer", "table": TABLE, "deal": DEAL},
    "an end that is past": {"role": "viewer", "expires_at": "2020-01-01T00:00:00Z"},
    "an end that is none": {"role": "viewer", "expires_at": "2999-01-01T00:00:00"},
    "a label of two lines": {"role": "viewer", "label": "a\nb"},
    "no truth": {"role": "viewer", "once": "yes"},
    "no id": {"role": "viewer", "table": "x"},
    "the title of what is not public": {"role": "viewer", "deal": DEAL, "title": "Eva’s nolo"},
    "the title of a table": {"role": "viewer", "table": TABLE, "public": True, "title": "Our evening"},
    "an empty title": {"role": "viewer", "deal": DEAL, "public": True, "title": ""},
    "a title turned round": {"role": "viewer", "deal": DEAL, "public": True, "title": "\u202eabc"},
}


def test_terms_that_do_not_go_together_are_refused(client: FlaskClient) -> None:
    refused = {name: client.post(f"{API}/grants", json=terms) for name, terms in TOGETHER.items()}
    assert {name: answer.status_code for name, answer in refused.items()} == dict.fromkeys(TOGETHER, 422)
    for name, pointer, why in (
        ("the title of a table", None, "only a published deal has a title"),
        ("an empty title", "/title", "write a title, or leave it out."),
        ("a title turned round", "/title", "without characters that change the direction of writing."),
    ):
        answer = refused[name].get_json()
        assert why in answer["detail"]
        assert pointer in (None, answer["errors"][0]["pointer"]), name


def test_a_link_that_is_made_on_the_own_computer_works_on_phones_too(store: EventStore) -> None:
    names = Settings(names=frozenset({"192.0.2.7:8240"}))
    served = create_app(store, settings=names, fixed_caller=OWNER_CALLER).test_client()
    for host in ("localhost", "127.0.0.1:8240", "[::1]:8240", "192.0.2.7:8240"):
        made = served.post(f"{API}/grants", json={"role": "viewer"}, headers={"Host": host}).get_json()
        assert made["link"].startswith("http://192.0.2.7:8240/enter#token="), host


def test_a_caller_hands_out_no_more_than_their_own_and_sees_no_other(app: Flask, client: FlaskClient) -> None:
    holding(app, GrantTerms("viewer", Scope("deal", DEAL)))
    soon = add_days(utc_now(), 1)
    made = grant(client, role="organiser", table=TABLE, expires_at=soon)
    assert made["link"] == f"http://localhost/enter#token={made['token']}&to=/tables/{TABLE}"
    organiser = showing(app, made["token"])
    second = grant(organiser, role="organiser", table=TABLE)
    assert (second["expires_at"], second["made_by"]) == (soon, made["id"])
    late = grant(organiser, role="viewer", table=TABLE, expires_at="2999-01-01T00:00:00Z")
    assert late["expires_at"] == soon
    for role in ("viewer", "owner"):
        assert grant(organiser, role=role) == 403
    for scope in ({"deal": DEAL}, {"table": DEAL}):
        assert grant(organiser, role="viewer", **scope) == 404
    listed = fetch(organiser, "grants")["grants"]
    assert [one["role"] for one in listed] == ["organiser", "organiser", "viewer"]
    assert {one["scope"]["id"] for one in listed} == {TABLE}
    # With it goes what was made by it.
    assert body_of(client.delete(f"{API}/grants/{made['id']}"))["active"] is False
    assert organiser.get(f"{API}/tables/{TABLE}").status_code == 401
    assert fetch(client, f"grants/{second['id']}")["active"] is False


def test_the_last_owner_s_grant_is_revoked_only_with_a_confirmation(app: Flask) -> None:
    first, second = owner_of(app), owner_of(app)
    (kept, last) = fetch(first, "grants")["grants"]
    body_of(second.delete(f"{API}/grants/{kept['id']}"))
    assert problem(second.delete(f"{API}/grants/{last['id']}")) == (409, "last-owner")
    fetch(second, "grants")
    body_of(second.delete(f"{API}/grants/{last['id']}?confirm=last-owner"))
    assert second.get(f"{API}/grants").status_code == 401


def test_everybody_reads_a_published_record_and_not_its_label(app: Flask, client: FlaskClient) -> None:
    terms = {"role": "viewer", "deal": DEAL, "public": True, "title": "A nolo", "label": "for Eva's mother"}
    made = grant(client, **terms)
    assert (made["title"], made["label"], made["token"]) == ("A nolo", "for Eva's mother", None)
    for reader in (holding(app), holding(app, GrantTerms("viewer")), logged_in(app, GrantTerms("recorder"))):
        answer = reader.get(f"{API}/session")
        assert answer.get_json()["published"] == [{"role": "viewer", "scope": {"kind": "deal", "id": DEAL}}]
        assert made["id"] not in answer.text and "Eva" not in answer.text
    assert roles(holding(app)) == []
    assert "Eva" in client.get(f"{API}/grants").text
    everybody = holding(app)
    page = everybody.get("/library?lang=en").text
    assert "A nolo" in page
    assert made["id"] not in page + everybody.get(f"/deals/{DEAL}").text
    assert "mother" not in page
    assert DEAL in everybody.get("/deals").text
    assert everybody.get(f"{HERE}/state?viewer=all").status_code == 401
    assert send(everybody, EVENTS, NOTE).status_code == 401


def test_a_player_reads_their_own_notes_and_no_other_player_does(app: Flask, client: FlaskClient) -> None:
    anna, bo = holding(app, SEAT), holding(app, SEAT._replace(seat="middlehand"))
    note = {**NOTE, "id": TABLE[:-4] + "aaaa", "recorded_by": "the director"}
    (stored,) = body_of(send(anna, EVENTS, note), 201)["events"]
    assert stored["recorded_by"] != "the director"
    assert send(anna, EVENTS, note).status_code == 200
    # Nobody finds out what it says by sending it again.
    assert send(bo, EVENTS, note).status_code == 409
    # The same seat is not the same person.
    others = [bo, holding(app, SEAT), holding(app, GrantTerms("viewer"))]
    for form in ("events", "events?viewer=forehand", "events.jsonl", "events.deal", "replay",
                 "replay?viewer=forehand"):  # fmt: skip
        assert NOTE["text"] in anna.get(f"{HERE}/{form}").text, form
        for other in others:
            assert NOTE["text"] not in other.get(f"{HERE}/{form}").text, form
    assert NOTE["text"] not in anna.get(f"{HERE}/events?viewer=public").text
    assert NOTE["text"] in client.get(f"{HERE}/events").text
    # So it is at a table.
    events = f"tables/{TABLE}/events"
    at_table = holding(app, GrantTerms("player", Scope("table", TABLE), person="Anna"))
    assert send(at_table, events, NOTE).status_code == 201
    for reader, reads in ((at_table, True), (others[-1], False)):
        assert (NOTE["text"] in reader.get(f"{API}/{events}").text) == reads


def test_a_player_s_batch_with_another_s_event_is_refused_whole(app: Flask, store: EventStore) -> None:
    player, version = holding(app, SEAT), store.stream_version(DEAL)
    for sent in ([NOTE, {"type": "card_played", "seat": "forehand", "card": "SA"}],
                 correction(NOTE, replaces=[2])):  # fmt: skip
        assert send(player, EVENTS, sent, version).status_code == 403
    assert store.stream_version(DEAL) == version


@pytest.mark.parametrize("seconds", [None, 1], ids=["revoked", "expired"])
def test_a_silent_live_stream_ends_with_its_grant(app: Flask, seconds: int | None) -> None:
    serving = of_app(app)
    # Without an end of its own it would be looked at by chance, when the silence is broken.
    serving.live_streams._heartbeat = 3600
    end = add_days(utc_now(), seconds / 86_400) if seconds else None
    made, token = serving.register.create_grant(GrantTerms("viewer", Scope("deal", DEAL), expires_at=end))
    listener = showing(app, token) if seconds else app.test_client()
    if not seconds:
        enter(listener, token or "")
    chunks = listener.get(f"{HERE}/live", buffered=False).iter_encoded()
    assert next(chunks).startswith(b"retry")
    assert b"deal_opened" in next(chunks)
    heard: list[bytes] = []
    reader = threading.Thread(target=heard.extend, args=(chunks,), daemon=True)
    reader.start()
    if not seconds:
        # What else changes in the register does not end it.
        serving.register.create_grant(GrantTerms("viewer"))
        reader.join(0.2)
        assert reader.is_alive()
        serving.register.revoke_grant(made.id)
    reader.join(30)
    assert not reader.is_alive()
    assert set(heard) <= {HEARTBEAT_MESSAGE}
    assert listener.get(HERE).status_code == 401


def recorders(answer: Any) -> set[str]:
    return {event["recorded_by"] for event in answer["events"]}


def grant_and_client(app: Flask, role: Role) -> tuple[str, FlaskClient]:
    made = of_app(app).register.create_grant(GrantTerms(role))
    return made.grant.id, showing(app, made.token)


@pytest.mark.parametrize("role", ["owner", "organiser", "recorder"])
def test_the_grant_that_recorded_stands_in_every_entry(app: Flask, role: Role) -> None:
    own, client = grant_and_client(app, role)
    forged = {"recorded_by": "the director"}
    note = {**NOTE, **forged}
    recorded = [body_of(client.post(f"{API}/deals", json=[{**OPENING, **forged}, note]), 201)]
    events = f"deals/{recorded[0]['deal']}/events"
    recorded += [body_of(send(client, events, [note, note]), 201), fetch(client, events)]
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
    imported = fetch(client, f"deals/{record['id']}/events")["events"]
    assert [event["recorded_by"] for event in imported] == ["Eva" if role == "owner" else own, own]


def test_a_repeat_by_another_is_the_same_and_stays_the_first_s(app: Flask) -> None:
    (first, one), (_, other) = grant_and_client(app, "recorder"), grant_and_client(app, "recorder")
    note = {**NOTE, "id": TABLE[:-4] + "bbbb"}
    assert send(one, EVENTS, note).status_code == 201
    assert recorders(body_of(send(other, EVENTS, note))) == {first}


def test_who_recorded_is_no_secret_but_what_a_file_says_of_it_is(app: Flask, client: FlaskClient) -> None:
    file = [{**OPENING, "recorded_by": "Eva, who holds SA"}, {**NOTE, "recorded_by": TABLE}]
    (record,) = body_of(client.post(f"{API}/import", json=file))["records"]
    events = fetch(holding(app, GrantTerms("viewer")), f"deals/{record['id']}/events")["events"]
    assert [event["recorded_by"] for event in events] == [None, TABLE]


def test_a_second_seat_of_a_deal_joins_no_session_unasked(app: Flask) -> None:
    browser, second = app.test_client(), token_for(app, SEAT._replace(seat="middlehand", once=True))
    enter(browser, token_for(app, SEAT._replace(label="Anna")))
    refused = browser.post(f"{API}/session", json={"token": second}, headers=OURS)
    assert problem(refused) == (409, "other-person")
    asked = refused.get_json()
    assert asked["here"] == [{"role": "player", "seat": "forehand", "name": "Anna"}]
    assert asked["asked"] == {"role": "player", "seat": "middlehand", "name": ""}
    assert second not in refused.text
    (held,) = fetch(browser, "session")["grants"]
    assert held["seat"] == "forehand"
    # The question spent nothing: the same link goes on as the other.
    enter(browser, second, instead=True)
    (held,) = fetch(browser, "session")["grants"]
    assert held["seat"] == "middlehand"
    # Grants of other records join it.
    for terms in (GrantTerms("viewer", Scope("table", TABLE)), GrantTerms("recorder", Scope("deal", DEAL))):
        enter(browser, token_for(app, terms))
    assert len(fetch(browser, "session")["grants"]) == 3


def test_in_a_session_of_two_seats_the_note_is_of_whom_it_names(app: Flask) -> None:
    register = of_app(app).register
    forehand, middlehand = (register.create_grant(SEAT._replace(seat=seat)) for seat in SEAT_NAMES[:2])
    secret = register.create_session(forehand.token or "").secret
    browser = app.test_client()
    browser.environ_base["HTTP_ORIGIN"] = "http://localhost"
    # Of a session from before the question was asked.
    browser.set_cookie("spadille-80", register.create_session(middlehand.token or "", secret).secret)
    for note, made in ((NOTE, forehand), ({**NOTE, "author": "middlehand"}, middlehand)):
        assert recorders(body_of(send(browser, EVENTS, note), 201)) == {made.grant.id}
