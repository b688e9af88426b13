"""Logging in and out, and handing out links. That no token is told anywhere is tested in tests/secrets."""

import re
import threading
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.auth.credentials import SECURE_COOKIE
from service.auth.grants import Scope, Terms
from service.auth.moments import after_days
from service.auth.register import Register
from service.auth.tokens import SESSION, TOKEN, new_secret
from service.eventstore import ANY, EventStore
from service.eventstore.clock import utc_now
from service.records.append import continue_deal
from service.records.live.messages import HEARTBEAT
from tests.support.api.asking import API, CLOSING, NOTE, body_of, correction, problem, send, told
from tests.support.api.clients import holding, of_app, owner_of, showing, token_for
from tests.support.api.recording import (
    DEAL,
    OPENING,
    TABLE,
    posted,
    recorded_deal,
    recorded_table,
)

OURS = {"Sec-Fetch-Site": "same-origin"}
HERE = f"{API}/deals/{DEAL}"
SEAT = Terms("player", Scope("deal", DEAL), seat="forehand")


@pytest.fixture(autouse=True)
def records(store: EventStore) -> None:
    recorded_deal(store)
    recorded_table(store)


def enter(browser: FlaskClient, token: str) -> Any:
    """What is answered where a link is opened in a browser."""
    return body_of(browser.post(f"{API}/session", json={"token": token}, headers=OURS), 201)


def logged_in(app: Flask, terms: Terms) -> FlaskClient:
    """A browser in which this link was opened."""
    browser = app.test_client()
    enter(browser, token_for(app, terms))
    return browser


def secret_in(browser: FlaskClient) -> str:
    """What the browser keeps of its login."""
    (cookie,) = (browser._cookies or {}).values()
    return cookie.value


def roles(client: FlaskClient, **headers: str) -> list[str]:
    return [grant["role"] for grant in told(client, "session", **headers)["grants"]]


# Logging in


def test_a_link_logs_a_browser_in_and_another_adds_what_it_is_for(app: Flask) -> None:
    browser = logged_in(app, Terms("recorder", Scope("deal", DEAL)))
    assert (told(browser, "session")["known"], roles(browser)) == (True, ["recorder"])
    assert browser.get(f"{HERE}/state").status_code == 200
    assert browser.get(f"/deals/{DEAL}").status_code == 200
    assert "Log out" in browser.get("/deals").text
    before = secret_in(browser)
    enter(browser, token_for(app, Terms("viewer", Scope("table", TABLE))))
    assert set(roles(browser)) == {"recorder", "viewer"}
    # The secret from before the login is worth nothing after it.
    assert of_app(app).register.held_in(before) is None


@pytest.mark.parametrize(
    ("origin", "name", "attributes"),
    [
        ("http://localhost:8240", "spadille-8240", {"HttpOnly", "Path=/", "SameSite=Lax"}),
        ("http://localhost", "spadille-80", {"HttpOnly", "Path=/", "SameSite=Lax"}),
        ("https://localhost", SECURE_COOKIE, {"HttpOnly", "Path=/", "SameSite=Lax", "Secure"}),
    ],
)
def test_the_cookie_is_out_of_reach(app: Flask, origin: str, name: str, attributes: set[str]) -> None:
    token = token_for(app, Terms("owner"))
    answer = app.test_client().post(f"{API}/session", json={"token": token}, base_url=origin)
    cookie, *said = answer.headers["Set-Cookie"].split("; ")
    assert re.fullmatch(rf"{name}=spadille_s_[0-9A-Za-z]{{49}}", cookie)
    assert {one for one in said if not one.startswith(("Expires=", "Max-Age="))} == attributes
    assert answer.headers["Cache-Control"] == "no-store"


def test_logging_out(app: Flask) -> None:
    browser = logged_in(app, Terms("owner"))
    secret = secret_in(browser)
    assert browser.delete(f"{API}/session", headers=OURS).status_code == 204
    assert not browser._cookies
    assert roles(app.test_client(use_cookies=False), Cookie=f"spadille-80={secret}") == []


@pytest.mark.parametrize("token", ["", "x", TOKEN, SESSION, "\x00", "é" * 200])
def test_a_token_that_is_none_logs_nobody_in(app: Flask, token: str) -> None:
    token = new_secret(token) if token in (TOKEN, SESSION) else token
    answer = app.test_client().post(f"{API}/session", json={"token": token})
    assert problem(answer) == (401, "invalid-token")
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("body", [{}, {"token": 3}, {"token": None}, {"token": "x" * 201}, {"tokn": "x"}, []])
def test_a_login_that_cannot_be_read_is_told(app: Flask, body: Any) -> None:
    assert app.test_client().post(f"{API}/session", json=body).status_code == 422


@pytest.mark.parametrize(
    ("site", "asks"),
    [("none", False), ("same-origin", False), ("same-site", True), ("cross-site", True), (None, True)],
)
def test_a_link_that_another_site_opened_waits_for_a_click(app: Flask, site: str | None, asks: bool) -> None:
    for lang, said in (("en", "Open"), ("da", "Åbn")):
        headers = {"Sec-Fetch-Site": site} if site else {}
        page = app.test_client().get(f"/enter?lang={lang}", headers=headers)
        assert ("data-asks" in page.text, f">{said}</button>" in page.text) == (asks, True)
        assert page.headers["Cache-Control"] == "no-store"
        assert f'data-enter="{API}/session"' in page.text


# Whose request it is


def test_a_session_is_worth_nothing_on_another_site(app: Flask) -> None:
    browser = logged_in(app, Terms("owner"))
    for headers in ({}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.example"}):
        for method, path, body in (
            ("POST", f"{API}/deals", OPENING),
            ("DELETE", f"{API}/session", None),
            ("PUT", f"{API}/members/m-nobody", {"name": "x"}),
        ):
            answer = browser.open(path, method=method, json=body, headers=headers)
            assert problem(answer) == (403, "cross-site-request"), (method, headers)
    assert browser.post(f"{API}/deals", json=OPENING, headers=OURS).status_code == 201


def test_a_token_goes_before_a_session(app: Flask) -> None:
    browser = logged_in(app, Terms("owner"))
    assert roles(browser, Authorization=f"bearer  {token_for(app, Terms('viewer'))}") == ["viewer"]
    wrong = {"Authorization": f"Bearer {new_secret(TOKEN)}"}
    assert browser.get(f"{API}/deals", headers=wrong).status_code == 401
    assert roles(browser, Authorization="Basic Zm9vOmJhcg==") == ["owner"], "a proxy's"


def test_a_session_ends_where_the_owner_says_so_and_with_its_last_grant(
    app: Flask, client: FlaskClient
) -> None:
    browser = logged_in(app, Terms("owner"))
    (session,) = of_app(app).register.sessions()
    for one, this in ((client, False), (browser, True)):
        listed = told(one, "sessions")["sessions"]
        assert [(each["id"], each["this"]) for each in listed] == [(session.id, this)]
    assert client.delete(f"{API}/sessions/{session.id}").status_code == 204
    assert not told(browser, "session")["known"]
    assert browser.get(HERE).status_code == 401
    enter(browser, token_for(app, Terms("organiser")))
    (made,) = told(browser, "session")["grants"]
    body_of(client.delete(f"{API}/grants/{made['id']}"))
    left = told(browser, "session")
    assert (left["known"], left["session"]) == (False, None)
    assert browser.get(HERE).status_code == 401
    # Another link logs the same browser in again.
    enter(browser, token_for(app, Terms("viewer")))
    assert told(browser, "session")["known"]


# Handing out


def grant(client: FlaskClient, **terms: Any) -> Any:
    """The grant that is made, or the status where none is."""
    answer = client.post(f"{API}/grants", json=terms)
    return answer.get_json() if answer.status_code == 201 else answer.status_code


def test_a_link_for_a_seat(app: Flask, client: FlaskClient) -> None:
    made = grant(client, role="player", deal=DEAL, seat="forehand", label="Anna")
    assert made["link"] == f"http://localhost/enter#token={made['token']}&to=/deals/{DEAL}"
    player = showing(app, made["token"])
    hands = told(player, f"deals/{DEAL}/state?at=4")["hands"]
    assert [len(hands[seat]["cards"]) for seat in hands] == [9, 0, 0]
    for viewer in ("forehand", "public"):
        assert player.get(f"{HERE}/state?viewer={viewer}").status_code == 200
    for viewer in ("all", "middlehand", "backhand"):
        for form in ("state", "events.deal"):
            assert problem(player.get(f"{HERE}/{form}?viewer={viewer}")) == (403, "not-allowed")


@pytest.mark.parametrize(
    "terms",
    [
        {"role": "player"},
        {"role": "player", "seat": "forehand"},
        {"role": "player", "person": ""},
        {"role": "player", "seat": "forehand", "table": TABLE},
        {"role": "viewer", "seat": "forehand", "deal": DEAL},
        {"role": "player", "seat": "forehand", "deal": DEAL, "person": "Anna"},
        {"role": "owner", "table": TABLE},
        {"role": "recorder", "public": True},
        {"role": "viewer", "public": True, "once": True},
        {"role": "king"},
        {"role": "viewer", "table": TABLE, "deal": DEAL},
        {"role": "viewer", "expires_at": "2020-01-01T00:00:00Z"},
        {"role": "viewer", "expires_at": "tomorrow"},
        {"role": "viewer", "expires_at": "2999-01-01T00:00:00"},
        {"role": "viewer", "label": "a\nb"},
        {"role": "viewer", "once": "yes"},
        {"role": "viewer", "table": "x"},
    ],
)
def test_terms_that_do_not_go_together_are_refused(client: FlaskClient, terms: dict[str, Any]) -> None:
    assert grant(client, **terms) == 422


def test_a_caller_hands_out_no_more_than_their_own_and_sees_no_other(app: Flask) -> None:
    owner_of(app)
    holding(app, Terms("viewer", Scope("deal", DEAL)))
    soon = after_days(utc_now(), 1)
    organiser = holding(app, Terms("organiser", Scope("table", TABLE), expires_at=soon))
    assert grant(organiser, role="organiser", table=TABLE)["expires_at"] == soon
    late = grant(organiser, role="viewer", table=TABLE, expires_at="2999-01-01T00:00:00Z")
    assert late["expires_at"] == soon
    for terms, status in (
        ({"role": "viewer"}, 403),
        ({"role": "owner"}, 403),
        ({"role": "viewer", "deal": DEAL}, 404),
        ({"role": "viewer", "table": DEAL}, 404),
    ):
        assert grant(organiser, **terms) == status
    listed = told(organiser, "grants")["grants"]
    assert [one["role"] for one in listed] == ["organiser", "organiser", "viewer"]
    assert {one["scope"]["id"] for one in listed} == {TABLE}


def test_what_is_revoked_is_refused_at_once_with_what_was_made_by_it(app: Flask, client: FlaskClient) -> None:
    made = grant(client, role="organiser", table=TABLE)
    organiser = showing(app, made["token"])
    second = grant(organiser, role="recorder", table=TABLE)
    assert second["made_by"] == made["id"]
    assert body_of(client.delete(f"{API}/grants/{made['id']}"))["active"] is False
    assert organiser.get(f"{API}/tables/{TABLE}").status_code == 401
    assert told(client, f"grants/{second['id']}")["active"] is False


def test_the_last_owner_s_grant_is_revoked_only_with_a_confirmation(app: Flask) -> None:
    first, second = owner_of(app), owner_of(app)
    (kept, last) = told(first, "grants")["grants"]
    body_of(second.delete(f"{API}/grants/{kept['id']}"))
    assert problem(second.delete(f"{API}/grants/{last['id']}")) == (409, "last-owner")
    told(second, "grants")
    body_of(second.delete(f"{API}/grants/{last['id']}?confirm=last-owner"))
    assert second.get(f"{API}/grants").status_code == 401


def test_what_a_published_record_s_grant_is_called_is_told_to_the_owner_alone(
    app: Flask, client: FlaskClient
) -> None:
    terms = {"role": "viewer", "deal": DEAL, "public": True, "title": "A nolo", "label": "for Eva's mother"}
    made = grant(client, **terms)
    assert (made["title"], made["label"], made["token"]) == ("A nolo", "for Eva's mother", None)
    for reader in (holding(app), holding(app, Terms("viewer")), logged_in(app, Terms("recorder"))):
        answer = reader.get(f"{API}/session")
        assert answer.get_json()["published"] == [{"role": "viewer", "scope": {"kind": "deal", "id": DEAL}}]
        assert made["id"] not in answer.text and "Eva" not in answer.text
    assert roles(holding(app)) == []
    assert "Eva" in client.get(f"{API}/grants").text
    page = holding(app).get("/?lang=en").text
    assert "A nolo" in page
    assert made["id"] not in page + holding(app).get(f"/deals/{DEAL}").text
    assert "mother" not in page


@pytest.mark.parametrize(
    "terms",
    [
        {"role": "viewer", "deal": DEAL, "title": "Eva’s nolo"},
        {"role": "viewer", "table": TABLE, "public": True, "title": "Our evening"},
        {"role": "viewer", "public": True, "title": "All of it"},
    ],
    ids=["not public", "a table", "everything"],
)
def test_a_title_is_that_of_a_published_deal(client: FlaskClient, terms: dict[str, object]) -> None:
    refused = body_of(client.post(f"{API}/grants", json=terms), 422)
    assert "a title is that of a deal which is published" in refused["detail"]


@pytest.mark.parametrize(
    ("title", "why"),
    [
        ("", "write a title, or leave it out where there is none."),
        ("\u202eabc", "write it without characters that turn the direction of writing."),
        ("Eva \u2066nolo", "write it without characters that turn the direction of writing."),
    ],
    ids=["empty", "an override", "an isolate"],
)
def test_a_title_says_something_and_turns_nothing_around(client: FlaskClient, title: str, why: str) -> None:
    terms = {"role": "viewer", "deal": DEAL, "public": True, "title": title}
    (error,) = body_of(client.post(f"{API}/grants", json=terms), 422)["errors"]
    assert (error["pointer"], why in error["detail"]) == ("/title", True)


# What a player adds


def test_a_player_reads_their_own_notes_and_no_other_player_does(app: Flask, client: FlaskClient) -> None:
    anna, bo = holding(app, SEAT), holding(app, SEAT._replace(seat="middlehand"))
    events = f"deals/{DEAL}/events"
    note = {**NOTE, "id": TABLE[:-4] + "aaaa", "recorded_by": "the director"}
    (stored,) = body_of(send(anna, events, note), 201)["events"]
    assert stored["recorded_by"] != "the director"
    assert send(anna, events, note).status_code == 200
    # Nobody finds out what it says by sending it again.
    assert send(bo, events, note).status_code == 409
    # The same seat is not the same person.
    others = [bo, holding(app, SEAT), holding(app, Terms("viewer"))]
    for form in ("events", "events?viewer=forehand", "events.jsonl", "events.deal", "replay",
                 "replay?viewer=forehand"):  # fmt: skip
        assert NOTE["text"] in anna.get(f"{HERE}/{form}").text, form
        for other in others:
            assert NOTE["text"] not in other.get(f"{HERE}/{form}").text, form
    assert NOTE["text"] not in anna.get(f"{HERE}/events?viewer=public").text
    assert NOTE["text"] in client.get(f"{HERE}/events").text
    # So it is at a table.
    events = f"tables/{TABLE}/events"
    at_table = holding(app, Terms("player", Scope("table", TABLE), person="Anna"))
    assert send(at_table, events, NOTE).status_code == 201
    for reader, reads in ((at_table, True), (others[-1], False)):
        assert (NOTE["text"] in reader.get(f"{API}/{events}").text) == reads


def test_a_batch_in_which_one_event_is_not_the_player_s_is_refused_whole(
    app: Flask, store: EventStore
) -> None:
    player, version = holding(app, SEAT), store.version(DEAL)
    for sent in ([NOTE, {"type": "card_played", "seat": "forehand", "card": "SA"}],
                 correction(NOTE, replaces=[2])):  # fmt: skip
        assert send(player, f"deals/{DEAL}/events", sent, version).status_code == 403
    assert store.version(DEAL) == version


@pytest.mark.parametrize("revoked", [False, True])
def test_a_further_link_for_a_seat_does_not_show_the_notes_of_the_first(
    app: Flask, client: FlaskClient, store: EventStore, revoked: bool
) -> None:
    first, events = holding(app, SEAT), f"deals/{DEAL}/events"
    assert send(first, events, NOTE).status_code == 201
    if revoked:
        of_app(app).register.revoke(told(first, "session")["grants"][0]["id"])
    further = holding(app, SEAT)
    assert NOTE["text"] not in further.get(f"{API}/{events}").text
    assert send(client, events, CLOSING, store.version(DEAL)).status_code == 201
    assert NOTE["text"] in further.get(f"{API}/{events}").text


# Where it ends


def test_an_expired_token_is_refused() -> None:
    now = ["2026-11-20T19:30:05.250Z"]
    app = create_app(register=Register(clock=lambda: now[0]))
    owner = holding(app, Terms("owner", expires_at=after_days(now[0], 1)))
    assert owner.get(f"{API}/members").status_code == 200
    now[0] = after_days(now[0], 1)
    assert owner.get(f"{API}/members").status_code == 401


def added(store: EventStore, text: str) -> None:
    continue_deal(store, store.describe(DEAL), ANY, [posted({**NOTE, "text": text})], strict=False)


@pytest.mark.parametrize("how", ["token", "session"])
def test_a_live_stream_ends_when_what_it_was_opened_with_is_revoked(
    app: Flask, store: EventStore, how: str
) -> None:
    register = of_app(app).register
    made, token = register.make(Terms("recorder", Scope("deal", DEAL)))
    assert token
    listener = showing(app, token) if how == "token" else app.test_client()
    if how == "session":
        enter(listener, token)
    chunks = listener.get(f"{HERE}/live", buffered=False).iter_encoded()
    assert next(chunks).startswith(b"retry")
    assert b"deal_opened" in next(chunks)
    # What else changes in the register does not end it.
    register.make(Terms("viewer"))
    added(store, "still there")
    assert b"still there" in next(chunks)
    register.revoke(made.id)
    added(store, "too late")
    assert list(chunks) == []


@pytest.mark.parametrize("seconds", [None, 3], ids=["revoked", "expired"])
def test_a_live_stream_in_which_nothing_happens_ends_with_what_it_was_opened_with(
    app: Flask, seconds: int | None
) -> None:
    serving = of_app(app)
    # Without an end of its own it would be looked at by chance, when the silence is broken.
    serving.live._heartbeat = 3600
    end = after_days(utc_now(), seconds / 86_400) if seconds else None
    made, token = serving.register.make(Terms("viewer", Scope("deal", DEAL), expires_at=end))
    chunks = showing(app, token).get(f"{HERE}/live", buffered=False).iter_encoded()
    assert next(chunks).startswith(b"retry")
    assert b"deal_opened" in next(chunks)
    heard: list[bytes] = []
    reader = threading.Thread(target=heard.extend, args=(chunks,), daemon=True)
    reader.start()
    if end is None:
        serving.register.make(Terms("viewer"))
        reader.join(0.2)
        serving.register.revoke(made.id)
    reader.join(30)
    assert not reader.is_alive()
    assert set(heard) <= {HEARTBEAT}
