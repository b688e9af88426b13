"""The contract as the service answers it, made once for each process and only when a test asks."""

import warnings
from functools import cache
from typing import Any

from flask import Flask
from jsonschema import Draft202012Validator, FormatChecker  # type: ignore[import-untyped]
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

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


@cache
def _registry() -> Any:
    whole = Resource.from_contents(contract(), default_specification=DRAFT202012)
    return Registry().with_resource("urn:contract", whole)


def schema_errors(schema: Any, value: Any) -> list[str]:
    validator = Draft202012Validator(_rooted(schema), registry=_registry(), format_checker=FormatChecker())
    return [error.message for error in validator.iter_errors(value)]


def _rooted(schema: Any) -> Any:
    """A schema whose references lead into the whole contract."""
    if isinstance(schema, dict):
        return {key: f"urn:contract{one}" if key == "$ref" else _rooted(one) for key, one in schema.items()}
    return [_rooted(one) for one in schema] if isinstance(schema, list) else schema


def schema_ref(name: str) -> Any:
    return {"$ref": f"#/components/schemas/{name}"}
