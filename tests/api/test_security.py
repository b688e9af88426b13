"""Who may ask, and what browsers are told of the answers."""

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.eventstore import MemoryStore
from tests.support.api.clients import owner_of
from tests.support.api.recording import OPENING

PORT = 8240
OURS = f"http://localhost:{PORT}"


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return owner_of(create_app(MemoryStore(), port=PORT))


def status(client: FlaskClient, host: str, path: str = "/api/v1/deals") -> int:
    return client.get(path, environ_overrides={"HTTP_HOST": host}).status_code


@pytest.mark.parametrize("host", ["localhost:8240", "127.0.0.1:8240", "[::1]:8240", "LocalHost:8240"])
def test_our_own_host_is_answered(client: FlaskClient, host: str) -> None:
    assert status(client, host) == status(client, host, "/") == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8240", "localhost", "localhost:80", "localhost:8241", "127.0.0.1:",
     "[::1]", "", "localhost:8240.evil.example", "localhost@evil.example:8240", "127.0.0.2:8240", "[::1",
     "localhost:8240:8240", "evil.example\\@localhost:8240"],
)  # fmt: skip
def test_any_other_host_is_refused_also_for_pages_and_files(client: FlaskClient, host: str) -> None:
    for path in ("/api/v1/deals", "/", "/static/css/page.css", "/nowhere"):
        assert status(client, host, path) == 421


def test_on_the_usual_port_the_host_stands_alone() -> None:
    plain = owner_of(create_app(MemoryStore(), port=80))
    assert status(plain, "localhost") == 200


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, 201),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost:8240"}, 201),
        ({"Sec-Fetch-Site": "none"}, 201),
        ({"Origin": "http://localhost:8240"}, 201),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://evil.example"}, 403),
        ({"Sec-Fetch-Site": ""}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:8241"}, 403),
        ({"Origin": "http://127.0.0.1:8240"}, 403),
        ({"Origin": "http://["}, 403),
    ],
)
def test_a_change_comes_from_us(client: FlaskClient, headers: dict[str, str], expected: int) -> None:
    answer = client.post("/api/v1/deals", json=OPENING, headers=headers, base_url=OURS)
    assert answer.status_code == expected


@pytest.mark.parametrize(
    "content_type",
    [None, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"],
)
@pytest.mark.parametrize("path", ["deals", "tables", "validate", "score"])
def test_a_body_that_is_not_said_to_be_json_is_not_read(
    client: FlaskClient, path: str, content_type: str | None
) -> None:
    answer = client.post(f"/api/v1/{path}", data=b"{}", content_type=content_type, base_url=OURS)
    assert answer.status_code == 415
    assert answer.headers["Accept-Post"] == "application/json, application/jsonl, text/vnd.spadille.deal"


@pytest.mark.parametrize(
    "path", ["js/replay/replay.js", "css/page.css", "fonts/spadille-serif-latin-400-normal.woff2"]
)
def test_a_part_of_a_page_says_what_holds_for_itself(client: FlaskClient, path: str) -> None:
    """The page's policy holds for all that stands in it; each of forty files would only repeat it."""
    answer = client.get(f"/static/{path}", base_url=OURS)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    tag = {"If-None-Match": answer.headers["ETag"]}
    known = client.get(f"/static/{path}", base_url=OURS, headers=tag)
    assert known.status_code == 304
    assert max(len(str(one.headers)) for one in (answer, known)) < 450


@pytest.mark.parametrize(
    "path",
    ["/", "/deals", "/nowhere", "/static/icons/icon.svg", "/static/js/nowhere.js", "/sw.js", "/api/v1/deals",
     "/api/v1/nowhere", "/api/v1/openapi.json"],
)  # fmt: skip
def test_every_answer_tells_browsers_to_be_careful(client: FlaskClient, path: str) -> None:
    answer = client.get(path, base_url=OURS)
    policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
    assert policy == {
        "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self'",
        "font-src": "'self'", "connect-src": "'self'", "manifest-src": "'self'",
        "base-uri": "'none'", "form-action": "'self'",
        "frame-ancestors": "'none'",
    }  # fmt: skip
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in answer.headers["Permissions-Policy"]
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("path", ["/static/../words.py", "/static/%2e%2e/words.py", "/static//etc/passwd"])
def test_nothing_but_the_static_files_is_served_as_such(client: FlaskClient, path: str) -> None:
    assert client.get(path, base_url=OURS, follow_redirects=True).status_code == 404
