"""A stranger's client: it knows openapi.yaml and nothing else, and records an evening with it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from referencing import Registry
from referencing.jsonschema import DRAFT202012
from werkzeug.test import TestResponse

from service.auth.grants import Terms
from tests.support.api.clients import token_for

Json = dict[str, Any]

FILE = Path(__file__).parents[2] / "openapi.yaml"
WHOLE = "urn:contract"


SOMETIMES = ("Link", "Spadille-Position")
"""Headers that are told where there is a next page, or a standby of the store."""


class Undeclared(AssertionError):
    """Something that the contract does not say was needed, or was answered."""


class Stranger:
    """A client made of the contract alone: it sends what that declares, and takes what that declares."""

    def __init__(self, contract: Json, send: FlaskClient, secret: str | None = None) -> None:
        self._contract, self._send, self._secret = contract, send, secret
        self._registry: Registry[Any] = Registry().with_resource(WHOLE, DRAFT202012.create_resource(contract))
        self._operations = {
            held["operationId"]: (method, path, held, address.get("parameters", []))
            for path, address in contract["paths"].items()
            for method, held in address.items()
            if method != "parameters"
        }

    def example(self, operation: str) -> Any:
        """The first example of what an operation is sent."""
        body = self._operations[operation][2]["requestBody"]["content"]["application/json"]
        return next(iter(body["examples"].values()))["value"]

    def ask(self, operation: str, body: Any = None, **given: str) -> TestResponse:
        """The answer to an operation, if all of it is as declared. ``given`` are its parameters."""
        method, path, held, shared = self._operations[operation]
        parameters = [self._resolved(one) for one in (*shared, *held.get("parameters", []))]
        names = {one["name"].replace("-", "_"): one for one in parameters}
        if lacking := {name for name, one in names.items() if one.get("required")} - set(given):
            raise Undeclared(f"{operation} takes {lacking}")
        if unknown := set(given) - set(names):
            raise Undeclared(f"{operation} does not take {unknown}")
        placed: dict[str, dict[str, str]] = {"path": {}, "query": {}, "header": {}}
        for name, value in given.items():
            placed[names[name]["in"]][names[name]["name"]] = value
        headers = {**placed["header"], **self._shown(held["security"])}
        if body is not None:
            self._fit(held["requestBody"]["content"]["application/json"]["schema"], body)
        answer = self._send.open(
            path.format(**placed["path"]), method=method.upper(), query_string=placed["query"],
            json=body, headers=headers,
        )  # fmt: skip
        self._take(operation, held, answer)
        return answer

    def _shown(self, security: list[Mapping[str, list[str]]]) -> Mapping[str, str]:
        """What the stranger shows of himself, where the operation lets him."""
        for requirement in security:
            for name in requirement:
                scheme = self._contract["components"]["securitySchemes"][name]
                if scheme["type"] == "http" and scheme["scheme"] == "bearer" and self._secret:
                    return {"Authorization": f"Bearer {self._secret}"}
        return {}

    def _take(self, operation: str, held: Json, answer: TestResponse) -> None:
        status = str(answer.status_code)
        if status not in held["responses"]:
            raise Undeclared(f"{operation} answered {status}, which only `default` declares")
        declared = self._resolved(held["responses"][status])
        for name in declared.get("headers", {}):
            if name not in (*SOMETIMES, *answer.headers.keys()):
                raise Undeclared(f"{operation} answered without {name}")
        if answer.mimetype not in {one.partition(";")[0] for one in declared.get("content", {})}:
            raise Undeclared(f"{operation} answered {answer.mimetype}")
        if answer.is_json:
            self._fit(declared["content"][answer.mimetype]["schema"], answer.get_json())

    def _resolved(self, held: Json) -> Json:
        if "$ref" not in held:
            return held
        found: Any = self._contract
        for name in held["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        return dict(found)

    def _fit(self, schema: Json, value: Any) -> None:
        Draft202012Validator(_absolute(schema), registry=self._registry).validate(value)


def _absolute(schema: Any) -> Any:
    """A schema whose references name the contract."""
    if isinstance(schema, dict):
        return {
            name: f"{WHOLE}{inner}" if name == "$ref" else _absolute(inner) for name, inner in schema.items()
        }
    return [_absolute(one) for one in schema] if isinstance(schema, list) else schema


@pytest.fixture(scope="module")
def contract() -> Json:
    read: Json = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return read


@pytest.fixture
def stranger(contract: Json, app: Flask) -> Stranger:
    return Stranger(contract, app.test_client(use_cookies=False), token_for(app, Terms("owner")))


def test_a_deal_is_recorded_by_the_examples_alone(stranger: Stranger) -> None:
    opened = stranger.ask("deals_record_deal", stranger.example("deals_record_deal"))
    deal, version = opened.get_json()["deal"], opened.headers["ETag"]
    for status in (201, 412):
        event = stranger.example("deals_append_events")
        answer = stranger.ask("deals_append_events", event, deal=deal, If_Match=version)
        assert answer.status_code == status
    assert stranger.ask("deals_score", deal=deal).get_json()["items"] is not None
    assert stranger.ask("deals_state", deal=deal, at="1").get_json()["phase"]


def test_an_evening_is_recorded_by_the_examples_alone(stranger: Stranger, contract: Json) -> None:
    publish, open_table, start = "rulesets_publish_ruleset", "tables_record_table", "tables_record_start"
    rules = stranger.ask(publish, stranger.example(publish), ruleset="our-club").get_json()["id"]
    opened = stranger.ask(open_table, {**stranger.example(open_table), "ruleset": rules})
    table, tag = opened.get_json()["table"], opened.headers["ETag"]
    started = stranger.ask(start, stranger.example(start), table=table, If_Match=tag)
    result = {"type": "result_recorded", "declarer": "forehand", "contract": "solo", "outcome": "won"}
    deal, tag = started.get_json()["deal"], started.headers["ETag"]
    stranger.ask("deals_append_events", result, deal=deal, If_Match=tag)
    assert stranger.ask("tables_show_ledger", table=table).get_json()["totals"]["Anna"] == 8
    assert stranger.ask("files_export_everything").text.count("\n") == 5
    # What a caller may not do is declared too.
    nobody = Stranger(contract, stranger._send)
    assert nobody.ask("tables_show_table", table=table).status_code == 401
    assert nobody.ask(open_table, stranger.example(open_table)).status_code == 401
    assert nobody.ask("members_list_members").status_code == 401
