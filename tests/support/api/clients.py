"""Clients of an application, each with what it shows of itself."""

from flask import Flask
from flask.testing import FlaskClient

from service.context import Context
from service.identity.grants import Terms


def of_app(app: Flask) -> Context:
    """What an application serves."""
    found: Context = app.extensions["spadille"]
    return found


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
