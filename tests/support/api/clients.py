"""Clients of an application, each with what it shows of itself."""

from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from engine.rulesets import PUBLISHED
from service.auth.grants import Terms
from service.auth.register import Register
from service.eventstore import EventStore
from service.http.context import Context, give_context
from service.http.damage import Noticed
from service.records.live import Live
from service.transparency.notary import Notary

Json = dict[str, Any]


def of_app(app: Flask) -> Context:
    """What an application serves."""
    found: Context = app.extensions["spadille"]
    return found


def over(app: Flask, store: EventStore) -> Flask:
    """The application, whose routes are made once, over a store of its own: it knows nothing of the last."""
    before, register = of_app(app), Register()
    live, library = Live(store, standing=register.state), before.library.values()
    notary, damage = Notary.in_memory(), Noticed()
    give_context(app, store, register, notary, library, PUBLISHED, live, before.metrics, damage)
    return app


def token_for(app: Flask, terms: Terms) -> str:
    """The token of a new grant."""
    token = of_app(app).register.make(terms).token
    assert token is not None
    return token


def holding(app: Flask, *terms: Terms) -> FlaskClient:
    """A client that shows the token of a new grant with these terms; without terms it shows none."""
    return showing(app, token_for(app, terms[0])) if terms else app.test_client(use_cookies=False)


def owner_of(app: Flask) -> FlaskClient:
    """A client that shows an owner's token."""
    return holding(app, Terms("owner"))


def showing(app: Flask, token: str | None) -> FlaskClient:
    """A client that shows this token."""
    client = app.test_client(use_cookies=False)
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return client


class Owner:
    """A service over HTTP, with the owner's eyes."""

    origin: str | None = None

    def __init__(self, app: Flask) -> None:
        self.client = owner_of(app)

    def post(self, path: str, body: Any, version: int | None = None) -> Json:
        """What the API answers to the owner, who sends something."""
        headers = {} if version is None else {"If-Match": f'"{version}"'}
        answer = self.client.post(f"/api/v1{path}", json=body, headers=headers, base_url=self.origin)
        assert answer.status_code == 201, answer.get_json()
        told: Json = answer.get_json()
        return told

    def get(self, path: str) -> Json:
        """What the API tells the owner."""
        answer = self.client.get(f"/api/v1{path}", base_url=self.origin)
        assert answer.status_code == 200, answer.get_json()
        told: Json = answer.get_json()
        return told
