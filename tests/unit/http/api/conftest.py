"""The fixtures of `tests/support/api` that these tests ask for."""

from tests.support.api.fixtures import app, client, routes, store

__all__ = ["app", "client", "routes", "store"]
