"""Logging in and out, handing out links, and where no token is ever to be read."""

import re
import threading
from typing import Any

import pytest
import structlog
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from service.app import create_app
from service.identity.credentials import SECURE_COOKIE
from service.identity.grants import Scope, Terms
from service.identity.moments import after_days
from service.identity.register import Register
from service.identity.tokens import SESSION, TOKEN, names_a_secret, new_secret
from service.live.messages import HEARTBEAT
from service.recording import continue_deal
from service.store import ANY, EventStore, MemoryStore
from service.store.clock import utc_now
from tests.support.api.clients import holding, of_app, owner_of, token_for
from tests.support.api.recording import (
    DEAL,
    OPENING,
    TABLE,
    posted,
    some_records,
)
from tests.support.effort import examples

API = "/api/v1"
OURS = {"Sec-Fetch-Site": "same-origin"}
NOTE = {"type": "note_added", "text": "A long think."}


@pytest.fixture
def app() -> Flask:
    return create_app(some_records())


def logged_in(app: Flask, *terms: Terms) -> FlaskClient:
    """A browser in which these links were opened, one after the other."""
    browser = app.test_client()
    for one in terms:
        answer = browser.post(f"{API}/session", json={"token": token_for(app, one)}, headers=OURS)
        assert answer.status_code == 201, answer.text
    return browser


def secret_in(browser: FlaskClient) -> str:
    """What the browser keeps of its login."""
    (cookie,) = (browser._cookies or {}).values()
    return cookie.value


# Logging in


def test_a_link_logs_a_browser_in(app: Flask) -> None:
    browser = logged_in(app, Terms("recorder", Scope("deal", DEAL)))
    answer = browser.get(f"{API}/session").get_json()
    assert answer["known"] is True
    assert [grant["role"] for grant in answer["grants"]] == ["recorder"]
    assert browser.get(f"{API}/deals/{DEAL}/state").status_code == 200
    assert browser.get(f"/deals/{DEAL}").status_code == 200
    assert "Log out" in browser.get("/deals").text


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
    kept = {one for one in said if not one.startswith(("Expires=", "Max-Age="))}
    assert kept == attributes
    assert answer.headers["Cache-Control"] == "no-store"


def test_logging_in_again_adds_what_the_new_link_is_for(app: Flask) -> None:
    browser = logged_in(app, Terms("recorder", Scope("table", TABLE)))
    before = secret_in(browser)
    answer = browser.post(
        f"{API}/session", json={"token": token_for(app, Terms("viewer", Scope("deal", DEAL)))}, headers=OURS
    )
    assert {grant["role"] for grant in answer.get_json()["grants"]} == {"recorder", "viewer"}
    # The secret from before the login is worth nothing after it.
    assert of_app(app).register.held_in(before) is None


def test_logging_out(app: Flask) -> None:
    browser = logged_in(app, Terms("owner"))
    secret = secret_in(browser)
    assert browser.delete(f"{API}/session", headers=OURS).status_code == 204
    assert not browser._cookies
    stolen = app.test_client(use_cookies=False)
    assert (
        stolen.get(f"{API}/session", headers={"Cookie": f"spadille-80={secret}"}).get_json()["grants"] == []
    )


@pytest.mark.parametrize("token", ["", "x", TOKEN, SESSION, "\x00", "é" * 200])
def test_a_token_that_is_none_logs_nobody_in(app: Flask, token: str) -> None:
    token = new_secret(token) if token in (TOKEN, SESSION) else token
    answer = app.test_client().post(f"{API}/session", json={"token": token})
    assert (answer.status_code, answer.get_json()["type"]) == (401, "/problems/invalid-token")
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("body", [{}, {"token": 3}, {"token": None}, {"token": "x" * 201}, {"tokn": "x"}, []])
def test_a_login_that_cannot_be_read_is_told(app: Flask, body: Any) -> None:
    assert app.test_client().post(f"{API}/session", json=body).status_code == 422


def test_the_page_of_a_link_holds_no_secret_and_takes_none(app: Flask) -> None:
    page = app.test_client().get("/enter")
    assert page.status_code == 200
    assert page.headers["Cache-Control"] == "no-store"
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert f'data-enter="{API}/session"' in page.text


@pytest.mark.parametrize(
    ("site", "asks"),
    [("none", False), ("same-origin", False), ("same-site", True), ("cross-site", True), (None, True)],
)
def test_a_link_that_another_site_opened_waits_for_a_click(app: Flask, site: str | None, asks: bool) -> None:
    for lang, said in (("en", "Open"), ("da", "Åbn")):
        headers = {"Sec-Fetch-Site": site} if site else {}
        page = app.test_client().get(f"/enter?lang={lang}", headers=headers).text
        assert ("data-asks" in page, f">{said}</button>" in page) == (asks, True)


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
            assert answer.get_json()["type"] == "/problems/cross-site-request", (method, headers)
    assert browser.post(f"{API}/deals", json=OPENING, headers=OURS).status_code == 201


def test_a_token_goes_before_a_session(app: Flask) -> None:
    browser = logged_in(app, Terms("owner"))
    viewer = {"Authorization": f"bearer  {token_for(app, Terms('viewer'))}"}
    assert [g["role"] for g in browser.get(f"{API}/session", headers=viewer).get_json()["grants"]] == [
        "viewer"
    ]
    wrong = {"Authorization": f"Bearer {new_secret(TOKEN)}"}
    assert browser.get(f"{API}/deals", headers=wrong).status_code == 401
    proxy = {"Authorization": "Basic Zm9vOmJhcg=="}
    assert browser.get(f"{API}/session", headers=proxy).get_json()["known"] is True


def test_a_session_that_ended_is_nobody(app: Flask) -> None:
    browser = logged_in(app, Terms("owner"))
    (session,) = of_app(app).register.sessions()
    owner = owner_of(app)
    listed = owner.get(f"{API}/sessions").get_json()["sessions"]
    assert [(one["id"], one["this"]) for one in listed] == [(session.id, False)]
    assert browser.get(f"{API}/sessions").get_json()["sessions"][0]["this"] is True
    assert owner.delete(f"{API}/sessions/{session.id}").status_code == 204
    assert browser.get(f"{API}/session").get_json()["known"] is False
    assert browser.get(f"{API}/deals/{DEAL}").status_code == 401


def test_a_session_ends_with_its_last_grant(app: Flask) -> None:
    browser = logged_in(app, Terms("organiser"))
    (made,) = browser.get(f"{API}/session").get_json()["grants"]
    owner = owner_of(app)
    assert owner.delete(f"{API}/grants/{made['id']}").status_code == 200
    told = browser.get(f"{API}/session").get_json()
    assert (told["known"], told["session"]) == (False, None)
    assert browser.get(f"{API}/deals/{DEAL}").status_code == 401
    # Another link logs the same browser in again.
    token = {"token": token_for(app, Terms("viewer"))}
    assert browser.post(f"{API}/session", json=token, headers=OURS).status_code == 201
    assert browser.get(f"{API}/session").get_json()["known"] is True


# Handing out


def grant(client: FlaskClient, **terms: Any) -> Any:
    answer = client.post(f"{API}/grants", json=terms)
    return answer.get_json() if answer.status_code == 201 else answer.status_code


def test_a_link_for_a_seat(app: Flask) -> None:
    made = grant(owner_of(app), role="player", deal=DEAL, seat="forehand", label="Anna")
    assert made["link"] == f"http://localhost/enter#token={made['token']}&to=/deals/{DEAL}"
    player = app.test_client()
    player.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {made['token']}"
    hands = player.get(f"{API}/deals/{DEAL}/state?at=4").get_json()["hands"]
    assert [len(hands[seat]["cards"]) for seat in hands] == [9, 0, 0]
    assert player.get(f"{API}/deals/{DEAL}/state?viewer=forehand").status_code == 200
    assert player.get(f"{API}/deals/{DEAL}/state?viewer=public").status_code == 200
    for viewer in ("all", "middlehand", "backhand"):
        answer = player.get(f"{API}/deals/{DEAL}/state?viewer={viewer}")
        assert (answer.status_code, answer.get_json()["type"]) == (403, "/problems/not-allowed")
        assert player.get(f"{API}/deals/{DEAL}/events.deal?viewer={viewer}").status_code == 403


def test_a_token_is_told_once(app: Flask) -> None:
    owner = owner_of(app)
    made = grant(owner, role="viewer", table=TABLE)
    for path in (f"{API}/grants", f"{API}/grants/{made['id']}", f"{API}/session", f"{API}/sessions"):
        answer = owner.get(path)
        assert not names_a_secret(answer.text)
        assert answer.headers["Cache-Control"] == "no-store"


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
def test_terms_that_do_not_go_together_are_refused(app: Flask, terms: dict[str, Any]) -> None:
    assert grant(owner_of(app), **terms) == 422


def test_nobody_hands_out_more_than_he_has(app: Flask) -> None:
    soon = after_days(utc_now(), 1)
    organiser = holding(app, Terms("organiser", Scope("table", TABLE), expires_at=soon))
    assert grant(organiser, role="organiser", table=TABLE)["expires_at"] == soon
    assert (
        grant(organiser, role="viewer", table=TABLE, expires_at="2999-01-01T00:00:00Z")["expires_at"] == soon
    )
    assert grant(organiser, role="viewer") == 403
    assert grant(organiser, role="viewer", deal=DEAL) == 404
    assert grant(organiser, role="owner") == 403
    assert grant(organiser, role="viewer", table=DEAL) == 404


def test_what_is_revoked_is_refused_at_once_with_what_was_made_by_it(app: Flask) -> None:
    owner = owner_of(app)
    made = grant(owner, role="organiser", table=TABLE)
    organiser = app.test_client()
    organiser.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {made['token']}"
    second = grant(organiser, role="recorder", table=TABLE)
    assert second["made_by"] == made["id"]
    revoked = owner.delete(f"{API}/grants/{made['id']}").get_json()
    assert revoked["active"] is False
    assert organiser.get(f"{API}/tables/{TABLE}").status_code == 401
    assert owner.get(f"{API}/grants/{second['id']}").get_json()["active"] is False


def test_the_last_owner_s_grant_is_revoked_only_with_a_confirmation(app: Flask) -> None:
    first, second = owner_of(app), owner_of(app)
    (kept, last) = first.get(f"{API}/grants").get_json()["grants"]
    assert second.delete(f"{API}/grants/{kept['id']}").status_code == 200
    refused = second.delete(f"{API}/grants/{last['id']}")
    assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/last-owner")
    assert second.get(f"{API}/grants").status_code == 200
    assert second.delete(f"{API}/grants/{last['id']}?confirm=last-owner").status_code == 200
    assert second.get(f"{API}/grants").status_code == 401


def test_an_organiser_sees_the_grants_of_his_table_only(app: Flask) -> None:
    owner_of(app)
    holding(app, Terms("viewer", Scope("deal", DEAL)))
    holding(app, Terms("viewer", Scope("table", TABLE)))
    organiser = holding(app, Terms("organiser", Scope("table", TABLE)))
    listed = organiser.get(f"{API}/grants").get_json()["grants"]
    assert [(one["role"], one["scope"]["id"]) for one in listed] == [("viewer", TABLE), ("organiser", TABLE)]


def test_what_a_published_record_s_grant_is_called_is_told_to_nobody_else(app: Flask) -> None:
    made = of_app(app).register.make(
        Terms("viewer", Scope("deal", DEAL), label="for Eva's mother", public=True)
    )
    callers = [holding(app), holding(app, Terms("viewer")), logged_in(app, Terms("recorder"))]
    for client in callers:
        answer = client.get(f"{API}/session")
        assert answer.get_json()["published"] == [{"role": "viewer", "scope": {"kind": "deal", "id": DEAL}}]
        assert made.grant.id not in answer.text
        assert "Eva" not in answer.text
    assert holding(app).get(f"{API}/session").get_json()["grants"] == []
    assert "Eva" in owner_of(app).get(f"{API}/grants").text


@pytest.mark.parametrize(
    "terms",
    [
        {"role": "viewer", "deal": DEAL, "title": "Eva’s nolo"},
        {"role": "viewer", "table": TABLE, "public": True, "title": "Our evening"},
        {"role": "viewer", "public": True, "title": "All of it"},
    ],
    ids=["not public", "a table", "everything"],
)
def test_a_title_is_that_of_a_published_deal(app: Flask, terms: dict[str, object]) -> None:
    answer = owner_of(app).post(f"{API}/grants", json=terms)
    assert answer.status_code == 422
    assert "a title is that of a deal which is published" in answer.get_json()["detail"]


@pytest.mark.parametrize(
    ("title", "why"),
    [
        ("", "write a title, or leave it out where there is none."),
        ("\u202eabc", "write it without characters that turn the direction of writing."),
        ("Eva \u2066nolo", "write it without characters that turn the direction of writing."),
    ],
    ids=["empty", "an override", "an isolate"],
)
def test_a_title_says_something_and_turns_nothing_around(app: Flask, title: str, why: str) -> None:
    told = {"role": "viewer", "deal": DEAL, "public": True, "title": title}
    answer = owner_of(app).post(f"{API}/grants", json=told)
    assert answer.status_code == 422
    assert [(one["pointer"], why in one["detail"]) for one in answer.get_json()["errors"]] == [
        ("/title", True)
    ]


def test_a_published_deal_has_a_title_and_nobody_is_told_what_else_its_grant_is_called(app: Flask) -> None:
    told = {"role": "viewer", "deal": DEAL, "public": True, "title": "Eva’s nolo", "label": "for her mother"}
    made = owner_of(app).post(f"{API}/grants", json=told).get_json()
    assert (made["title"], made["label"], made["token"]) == ("Eva’s nolo", "for her mother", None)
    page = holding(app).get("/?lang=en").text
    assert "Eva’s nolo" in page
    assert made["id"] not in page + holding(app).get(f"/deals/{DEAL}").text
    assert "mother" not in page


# What a player adds


def test_a_player_writes_in_his_own_name_and_nobody_else_s(app: Flask) -> None:
    anna = holding(app, Terms("player", Scope("deal", DEAL), seat="forehand"))
    bo = holding(app, Terms("player", Scope("deal", DEAL), seat="middlehand"))
    note = {**NOTE, "id": TABLE[:-4] + "aaaa", "recorded_by": "the director"}
    path, headers = f"{API}/deals/{DEAL}/events", {"If-Match": "*"}
    first = anna.post(path, json=note, headers=headers)
    assert first.status_code == 201
    (stored,) = first.get_json()["events"]
    assert stored["recorded_by"] != "the director"
    assert anna.post(path, json=note, headers=headers).status_code == 200
    # Nobody finds out what he wrote by sending it again.
    assert bo.post(path, json=note, headers=headers).status_code == 409
    assert NOTE["text"] not in bo.get(path).text
    assert NOTE["text"] in owner_of(app).get(path).text


def test_he_reads_his_own_notes_and_nobody_else_does(app: Flask) -> None:
    deal = f"{API}/deals/{DEAL}"
    anna = holding(app, Terms("player", Scope("deal", DEAL), seat="forehand"))
    anna.post(f"{deal}/events", json=NOTE, headers={"If-Match": "*"})
    doors = (
        "events",
        "events?viewer=forehand",
        "events.jsonl",
        "events.deal",
        "replay",
        "replay?viewer=forehand",
    )
    for door in doors:
        assert NOTE["text"] in anna.get(f"{deal}/{door}").text, door
    assert NOTE["text"] not in anna.get(f"{deal}/events?viewer=public").text
    others = [
        holding(app, Terms("player", Scope("deal", DEAL), seat="middlehand")),
        # The same seat is not the same person.
        holding(app, Terms("player", Scope("deal", DEAL), seat="forehand")),
        holding(app, Terms("viewer")),
    ]
    for door in doors:
        for other in others:
            assert NOTE["text"] not in other.get(f"{deal}/{door}").text, door
    # His other notes, of the table, are his as well.
    at_table = holding(app, Terms("player", Scope("table", TABLE), person="Anna"))
    told = at_table.post(f"{API}/tables/{TABLE}/events", json=NOTE, headers={"If-Match": "*"})
    assert told.status_code == 201
    assert NOTE["text"] in at_table.get(f"{API}/tables/{TABLE}/events").text
    assert NOTE["text"] not in others[-1].get(f"{API}/tables/{TABLE}/events").text


def test_a_batch_in_which_one_event_is_not_his_is_refused_whole(app: Flask) -> None:
    player = holding(app, Terms("player", Scope("deal", DEAL), seat="forehand"))
    version = of_app(app).store.version(DEAL)
    batch = [NOTE, {"type": "card_played", "seat": "forehand", "card": "SA"}]
    sent = player.post(f"{API}/deals/{DEAL}/events", json=batch, headers={"If-Match": f'"{version}"'})
    assert sent.status_code == 403
    correction = {"type": "correction_made", "replaces": [2], "with": [NOTE], "reason": "x"}
    sent = player.post(f"{API}/deals/{DEAL}/events", json=correction, headers={"If-Match": f'"{version}"'})
    assert sent.status_code == 403
    assert of_app(app).store.version(DEAL) == version


# Where no token is ever to be read


@pytest.mark.parametrize("kind", [TOKEN, SESSION])
@pytest.mark.parametrize(
    "where", ["/{}", "/api/v1/deals?token={}", "/replays/{}", "/?{}=1", "/api/v1/replays/{}"]
)
def test_a_token_in_an_address_is_refused_and_not_told_again(app: Flask, where: str, kind: str) -> None:
    secret = new_secret(kind)
    with structlog.testing.capture_logs() as logged:
        answer = owner_of(app).get(where.format(secret))
    assert (answer.status_code, answer.get_json()["type"]) == (400, "/problems/secret-in-address")
    assert secret not in answer.text + str(answer.headers) + str(logged)


@settings(max_examples=examples(40))
@given(
    st.sampled_from(["deals", "tables", "members", "grants", "session", "validate", "score"]),
    st.sampled_from(["type", "ruleset", "name", "label", "token", "role", "title"]),
    st.sampled_from(["application/json", "application/jsonl", "text/vnd.spadille.deal"]),
    st.booleans(),
)
def test_a_token_in_a_body_is_in_no_error_and_in_no_log(
    path: str, field: str, kind: str, broken: bool
) -> None:
    secret = new_secret(TOKEN)
    body = f'{{"{field}": "{secret}"' + ("" if broken else "}")
    with structlog.testing.capture_logs() as logged:
        answer = OWNER.post(f"{API}/{path}", data=body, content_type=kind, headers={"If-Match": secret})
    if answer.status_code >= 400:
        assert secret not in answer.text + str(answer.headers)
    assert secret not in str(logged)


OWNER = owner_of(create_app(MemoryStore()))


def test_a_fault_while_somebody_shows_a_token_is_logged_without_it(app: Flask) -> None:
    owner = owner_of(app)
    shown = owner.environ_base["HTTP_AUTHORIZATION"]

    def streams(*_: Any, **__: Any) -> list[Any]:
        raise ZeroDivisionError(shown)

    of_app(app).store.streams = streams  # type: ignore[method-assign]
    with structlog.testing.capture_logs() as logged:
        answer = owner.get(f"{API}/deals")
    assert answer.status_code == 500
    assert [line["event"] for line in logged if line["log_level"] == "error"] == ["unexpected"]
    assert not names_a_secret(answer.text + str(logged))


def test_an_expired_token_is_refused_at_the_doors() -> None:
    now = ["2026-11-20T19:30:05.250Z"]
    app = create_app(register=Register(clock=lambda: now[0]))
    viewer = holding(app, Terms("owner", expires_at=after_days(now[0], 1)))
    assert viewer.get(f"{API}/members").status_code == 200
    now[0] = after_days(now[0], 1)
    assert viewer.get(f"{API}/members").status_code == 401


def test_a_live_stream_ends_when_what_it_was_opened_with_is_revoked(app: Flask) -> None:
    serving = of_app(app)
    for how in ("token", "session"):
        grant, token = serving.register.make(Terms("recorder", Scope("deal", DEAL)))
        assert token
        listener = app.test_client()
        headers = {"Authorization": f"Bearer {token}"} if how == "token" else {}
        if how == "session":
            listener.post(f"{API}/session", json={"token": token}, headers=OURS)
        answer = listener.get(f"{API}/deals/{DEAL}/live", headers=headers, buffered=False)
        chunks = answer.iter_encoded()
        assert next(chunks).startswith(b"retry")
        assert b"deal_opened" in next(chunks)
        # What else changes in the register does not end it.
        serving.register.make(Terms("viewer"))
        added(serving.store, {**NOTE, "text": "still there"})
        assert b"still there" in next(chunks)
        serving.register.revoke(grant.id)
        added(serving.store, {**NOTE, "text": "too late"})
        assert list(chunks) == []


def test_a_live_stream_in_which_nothing_happens_ends_with_what_it_was_opened_with(app: Flask) -> None:
    serving = of_app(app)
    # Without an end of its own it would be looked at by chance, when the silence is broken.
    serving.live._heartbeat = 3600
    for seconds in (None, 3):
        end = after_days(utc_now(), seconds / 86_400) if seconds else None
        grant, token = serving.register.make(Terms("viewer", Scope("deal", DEAL), expires_at=end))
        shown = {"Authorization": f"Bearer {token}"}
        answer = app.test_client().get(f"{API}/deals/{DEAL}/live", headers=shown, buffered=False)
        chunks = answer.iter_encoded()
        assert next(chunks).startswith(b"retry")
        assert b"deal_opened" in next(chunks)
        told: list[bytes] = []
        reader = threading.Thread(target=told.extend, args=(chunks,), daemon=True)
        reader.start()
        if end is None:
            serving.register.make(Terms("viewer"))
            reader.join(0.2)
            serving.register.revoke(grant.id)
        reader.join(30)
        assert not reader.is_alive()
        assert set(told) <= {HEARTBEAT}


def added(store: EventStore, event: Any) -> None:
    continue_deal(store, store.describe(DEAL), ANY, [posted(event)], strict=False)
