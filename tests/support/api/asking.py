"""Short ways to ask the API, and to say what it has to answer."""

from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

Json = dict[str, Any]

API = "/api/v1"
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.7"}
"""The environment of a request that comes from another computer."""
NOTE: Json = {"type": "note_added", "text": "A long think."}
CLOSING: Json = {"type": "deal_closed", "payments": {}, "engine": "0.1.0"}


def correction(*events: Json, replaces: list[int | str] | None = None) -> Json:
    """A correction that puts these events in place of those."""
    return {"type": "correction_made", "replaces": replaces or [], "with": [*events], "reason": "again"}


def body_of(answer: TestResponse, status: int = 200) -> Any:
    assert answer.status_code == status, answer.text
    return answer.get_json()


def fetch(client: FlaskClient, path: str, **headers: str) -> Any:
    """The JSON at a path below the API, which has to be there."""
    return body_of(client.get(f"{API}/{path}", headers=headers))


def send(client: FlaskClient, path: str, body: Any, version: int | str = "*", **query: str) -> TestResponse:
    """The answer to events that are sent at a version of the record."""
    tag = version if isinstance(version, str) else f'"{version}"'
    return client.post(f"{API}/{path}", json=body, headers={"If-Match": tag}, query_string=query or None)


def problem(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["type"].removeprefix("/problems/")


def parameters(answer: TestResponse) -> list[str]:
    """The parameters that a refused request has wrong."""
    assert problem(answer) == (422, "invalid-parameter"), answer.text
    return [error["parameter"] for error in answer.get_json()["errors"]]


def again(client: FlaskClient, path: str, first: TestResponse, **headers: str) -> TestResponse:
    """The answer to a client that says that it has the first one."""
    return client.get(path, headers={"If-None-Match": first.headers["ETag"], **headers})
