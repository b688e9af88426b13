"""Clients of an application, each with what it shows of itself."""

from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from engine.rulesets import PUBLISHED_RULESETS
from service.auth.access_register import AccessRegister
from service.auth.grants import GrantTerms
from service.eventstore import EventStore
from service.http.service_context import ServiceContext, register_context
from service.records.live import LiveStreams
from service.transparency.notary import Notary
from tests.support.api.asking import API, body_of


def of_app(app: Flask) -> ServiceContext:
    found: ServiceContext = app.extensions["spadille"]
    return found


def app_over(
    app: Flask, store: EventStore, register: AccessRegister | None = None, live: LiveStreams | None = None
) -> Flask:
    """The application, whose routes are made once, over a store of its own: it knows nothing of the last."""
    register = register or AccessRegister()
    live = live or LiveStreams(store, permission_state=register.data_version)
    library = of_app(app).library.values()
    notary = Notary.in_memory()
    context = ServiceContext(store, register, notary, library, PUBLISHED_RULESETS, live_streams=live)
    register_context(app, context)
    return app


def token_for(app: Flask, terms: GrantTerms) -> str:
    token = of_app(app).register.create_grant(terms).token
    assert token is not None
    return token


def holding(app: Flask, *terms: GrantTerms) -> FlaskClient:
    """A client that shows the token of a new grant with these terms; without terms it shows none."""
    return showing(app, token_for(app, terms[0])) if terms else app.test_client(use_cookies=False)


def owner_of(app: Flask) -> FlaskClient:
    return holding(app, GrantTerms("owner"))


def showing(app: Flask, token: str | None) -> FlaskClient:
    client = app.test_client(use_cookies=False)
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return client


class Owner:
    """A service over HTTP, with the owner's eyes."""

    origin: str | None = None

    def __init__(self, app: Flask) -> None:
        self.client = owner_of(app)

    def post(self, path: str, body: Any, version: int | None = None) -> Any:
        headers = {} if version is None else {"If-Match": f'"{version}"'}
        return body_of(self.client.post(API + path, json=body, headers=headers, base_url=self.origin), 201)

    def get(self, path: str) -> Any:
        return body_of(self.client.get(API + path, base_url=self.origin))
