"""The contract as the service answers it, made once for each process and only when a test asks."""

import warnings
from functools import cache
from typing import Any

from flask import Flask

from service.app import create_app
from service.eventstore import MemoryStore
from tests.support.api.asking import API


@cache
def contract_app() -> Flask:
    """The application that it is the contract of."""
    return create_app(MemoryStore())


@cache
def contract() -> Any:
    """All of it; a warning of the library that makes it is an error."""
    with warnings.catch_warnings(action="error", category=UserWarning):
        return contract_app().test_client().get(f"{API}/openapi.json").get_json()


def components(kind: str) -> Any:
    """Its components of a kind, such as ``schemas``, by their names."""
    return contract()["components"][kind]


@cache
def operations() -> dict[str, Any]:
    """Its operations, by their ids."""
    return {
        operation["operationId"]: operation
        for address in contract()["paths"].values()
        for method, operation in address.items()
        if method != "parameters"
    }
