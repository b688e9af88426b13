"""A deal over HTTP: its addresses, opening it and adding to it."""

from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.api.recording import DEAL, OPENING

ADDRESS = f"/api/v1/deals/{DEAL}"


EVENTS = f"{ADDRESS}/events"


def append(client: FlaskClient, events: Any, version: int | str, query: str = "") -> TestResponse:
    tag = version if isinstance(version, str) else f'"{version}"'
    return client.post(f"{EVENTS}{query}", json=events, headers={"If-Match": tag})


def opened(client: FlaskClient) -> TestResponse:
    return client.post("/api/v1/deals", json={**OPENING, "id": DEAL})
