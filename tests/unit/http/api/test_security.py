"""Who may ask, and what browsers are told of the answers."""

import pytest
from flask import Request
from flask.testing import FlaskClient
from werkzeug.test import EnvironBuilder

from service.app import create_app
from service.auth.caller import Caller
from service.config.settings import Settings
from service.eventstore import MemoryStore
from service.http.read_your_writes import POSITION_HEADER, min_position
from tests.support.api.asking import body_of
from tests.support.api.clients import owner_of
from tests.support.api.recording import OPENING

PORT = 8240
OURS = f"http://localhost:{PORT}"


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return owner_of(create_app(MemoryStore(), port=PORT))


def status(client: FlaskClient, host: str, path: str = "/api/v1/deals") -> int:
    return client.get(path, environ_overrides={"HTTP_HOST": host}).status_code


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        *((host, 200) for host in ("localhost:8240", "127.0.0.1:8240", "[::1]:8240", "LocalHost:8240")),
        *((host, 421) for host in (
            "evil.example:8240", "localhost", "localhost:8241", "127.0.0.1:", "[::1]", "", "[::1",
            "localhost:8240.evil.example", "localhost@evil.example:8240", "127.0.0.2:8240",
            "localhost:8240:8240", "evil.example\\@localhost:8240",
        )),
    ],
)  # fmt: skip
def test_our_own_host_is_answered_and_no_other(client: FlaskClient, host: str, expected: int) -> None:
    for path, found in (("/api/v1/deals", 200), ("/", 200), ("/static/css/page.css", 200), ("/nowhere", 404)):
        assert status(client, host, path) == (found if expected == 200 else expected), path


def test_on_the_usual_port_the_host_stands_alone_and_by_a_name_it_is_that_name() -> None:
    assert status(owner_of(create_app(MemoryStore(), port=80)), "localhost") == 200
    named = create_app(MemoryStore(), port=PORT, settings=Settings(names=frozenset({"cards.example"})))
    for host, expected in (
        ("Cards.Example", 200), ("localhost:8240", 200), ("cards.example:8240", 421),
        ("evil.cards.example", 421),
    ):  # fmt: skip
        assert status(owner_of(named), host, "/healthz") == expected, host


@pytest.mark.parametrize(
    ("site", "origin", "expected"),
    [
        (None, None, 201),
        ("same-origin", OURS, 201),
        ("none", None, 201),
        (None, OURS, 201),
        ("cross-site", None, 403),
        ("same-site", None, 403),
        ("same-origin", "http://evil.example", 403),
        ("", None, 403),
        (None, "null", 403),
        (None, "http://localhost:8241", 403),
        (None, "http://127.0.0.1:8240", 403),
        (None, "http://[", 403),
    ],
)
def test_cross_site_changes(client: FlaskClient, site: str | None, origin: str | None, expected: int) -> None:
    given = {"Sec-Fetch-Site": site, "Origin": origin}
    headers = {name: value for name, value in given.items() if value is not None}
    body_of(client.post("/api/v1/deals", json=OPENING, headers=headers, base_url=OURS), expected)


@pytest.mark.parametrize("content_type", [None, "text/plain", "multipart/form-data", "application/jsonp"])
def test_a_body_of_another_type_is_not_read(client: FlaskClient, content_type: str | None) -> None:
    for path in ("deals", "tables", "validate", "score"):
        answer = client.post(f"/api/v1/{path}", data=b"{}", content_type=content_type, base_url=OURS)
        assert answer.status_code == 415
        assert answer.headers["Accept-Post"] == "application/json, application/jsonl, text/vnd.spadille.deal"


def test_a_part_of_a_page_says_what_holds_for_itself(client: FlaskClient) -> None:
    """The page's policy holds for all that stands in it; each of forty files would only repeat it."""
    for path in ("js/replay/replayer.js", "css/page.css", "fonts/spadille-serif-latin-400-normal.woff2"):
        answer = client.get(f"/static/{path}", base_url=OURS)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        tag = {"If-None-Match": answer.headers["ETag"]}
        known = client.get(f"/static/{path}", base_url=OURS, headers=tag)
        assert known.status_code == 304
        assert max(len(str(one.headers)) for one in (answer, known)) < 450
    for path in ("/static/../words.py", "/static/%2e%2e/words.py", "/static//etc/passwd"):
        assert client.get(path, base_url=OURS, follow_redirects=True).status_code == 404, path


@pytest.mark.parametrize(
    "path",
    ["/", "/deals", "/nowhere", "/static/icons/icon.svg", "/static/js/nowhere.js", "/sw.js", "/api/v1/deals",
     "/api/v1/nowhere", "/api/v1/openapi.json"],
)  # fmt: skip
def test_every_answer_tells_browsers_to_be_careful(client: FlaskClient, path: str) -> None:
    answer = client.get(path, base_url=OURS)
    policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
    ours = ("script-src", "style-src", "img-src", "font-src", "connect-src", "manifest-src", "form-action")
    nobody_s = ("default-src", "base-uri", "frame-ancestors")
    assert policy == dict.fromkeys(ours, "'self'") | dict.fromkeys(nobody_s, "'none'")
    said = {
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
        "Access-Control-Allow-Origin": None, "Set-Cookie": None,
    }  # fmt: skip
    assert {name: answer.headers.get(name) for name in said} == said
    assert "camera=()" in answer.headers["Permissions-Policy"]


@pytest.mark.parametrize(
    ("shown", "least"), [(None, 0), ("12", 12), ("x", None), ("-1", None), ("٣", None), ("9" * 19, None)]
)
def test_a_standby_is_read_up_to_the_position_that_is_shown(shown: str | None, least: int | None) -> None:
    """What is no position may stand for anything: then the store itself answers."""
    sent = EnvironBuilder(headers=[] if shown is None else [(POSITION_HEADER, shown)])
    assert min_position(Caller(), Request(sent.get_environ())) == least
