"""The published contract: in step with the code, valid, and true of the answers."""

import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from marshmallow import Schema
from openapi_spec_validator import validate
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from service.app import create_app
from service.auth.grants import Terms
from service.eventstore import EventStore, MemoryStore
from service.http.api.openapi import contract
from service.http.api.schemas.audits import AuditSchema
from service.http.api.schemas.evidence import ProofSchema
from service.http.api.schemas.points import LegalSchema, ScoreSchema, StateSchema
from service.http.api.schemas.problems import ProblemSchema
from service.http.api.schemas.streams import DealSchema
from tests.support.api.asking import CLOSING, body_of, send
from tests.support.api.clients import holding, owner_of
from tests.support.api.listening import messages_in
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, some_deal, some_records

FILE = Path(__file__).parents[2] / "openapi.yaml"
DEALS, TABLES = "/api/v1/deals", "/api/v1/tables"


@pytest.fixture(scope="module")
def published() -> Any:
    return owner_of(create_app(MemoryStore())).get("/api/v1/openapi.json").get_json()


def test_the_committed_contract_is_the_one_of_the_code_and_valid(published: Any) -> None:
    committed = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    assert committed == published, "openapi.yaml is not what the code says: run `make openapi`"
    assert published["openapi"] == contract.OPENAPI == "3.1.1"
    validate(published)


@pytest.fixture(scope="module")
def operations(published: Any) -> list[Any]:
    methods = {"get", "post", "put", "delete"}
    return [path[method] for path in published["paths"].values() for method in methods & set(path)]


def test_every_operation_is_described_and_has_a_name_of_its_own(
    published: Any, operations: list[Any]
) -> None:
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names) > 25
    components = published["components"]
    for status in ("429", "503"):
        assert "Retry-After" in components["responses"][f"Problem{status}"]["headers"]
    for operation in operations:
        assert operation["summary"]
        assert {"429", "503", "default"} <= set(operation["responses"]), operation["operationId"]
        for parameter in operation.get("parameters", []):
            shared = parameter.get("$ref", "").removeprefix("#/components/parameters/")
            told = components["parameters"][shared] if shared else parameter
            assert told["description"], operation["operationId"]


def is_nullable(schema: Any) -> bool:
    kinds = schema.get("type")
    choices = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    return "null" in (kinds if isinstance(kinds, list) else [kinds]) or any(map(is_nullable, choices))


def test_wherever_null_may_stand_it_is_said_what_that_means(published: Any) -> None:
    silent = [
        f"{name}.{member}"
        for name, schema in published["components"]["schemas"].items()
        for member, shape in schema.get("properties", {}).items()
        if is_nullable(shape) and "null" not in shape.get("description", "").lower()
    ]
    assert silent == []


def test_every_page_tells_of_its_link(published: Any, operations: list[Any]) -> None:
    schemas = published["components"]["schemas"]
    pages = {name for name, schema in schemas.items() if "next" in schema.get("properties", {})}
    found = 0
    for operation in operations:
        answer = operation["responses"].get("200", {})
        schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
        if schema.get("$ref", "").rpartition("/")[2] in pages:
            found += 1
            assert "Link" in answer["headers"]
    assert found == 7


def test_every_address_of_the_api_is_in_the_contract(published: Any) -> None:
    rules = create_app(MemoryStore()).url_map.iter_rules()
    ours = [rule.rule for rule in rules if rule.rule.startswith("/api/")]
    addresses = {re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", address) for address in ours}
    beside = {"/api/v1/openapi.json", "/api/v1/openapi.yaml", "/api/docs"}
    assert addresses - set(published["paths"]) == beside


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        (ProofSchema, f"{DEALS}/{DEAL}/proof?viewer=public"),
        (ProofSchema, f"{TABLES}/{TABLE}/proof"),
        (ProblemSchema, f"{DEALS}/{DEAL}/state?at=0&strange=1"),
        *[(StateSchema, f"{DEALS}/{DEAL}/state?at={at}") for at in (1, 3, 9, 25)],
        *[(ScoreSchema, f"{DEALS}/{DEAL}/score?at={at}") for at in (1, 9, 25)],
        *[(LegalSchema, f"{DEALS}/{DEAL}/legal?at={at}") for at in (1, 3, 9, 12, 25)],
    ],
)
def test_an_answer_has_the_shape_that_is_published(schema: type[Schema], path: str) -> None:
    """Of every operation an example is held to its shape in test_examples."""
    store = some_records(some_deal(talon=True))
    answer = owner_of(create_app(store)).get(path).get_json()
    assert answer
    assert schema().validate(answer) == {}


def test_an_audit_of_a_faulty_opening_has_the_shape_that_is_published(client: FlaskClient) -> None:
    body_of(client.post(DEALS, json={**OPENING, "id": DEAL, "switches": {"0": 999999999}}), 201)
    audit = client.get(f"{DEALS}/{DEAL}/audit").get_json()
    assert audit["matters"], "the fault stands before the opening, where nobody is known to play"
    assert AuditSchema().validate(audit) == {}


def test_a_shape_takes_no_other_answer() -> None:
    assert StateSchema().validate({"phase": "tea", "incomplete": "yes", "strange": 1}).keys() > {
        "phase", "incomplete", "strange", "to_act",
    }  # fmt: skip
    assert "version" in DealSchema().validate({"version": True})


def test_the_messages_of_a_stream_are_as_the_contract_says(
    published: Any, client: FlaskClient, store: EventStore
) -> None:
    """Also the one that puts other entries in place of those that were told."""
    resources = Resource.from_contents(published, default_specification=DRAFT202012)
    registry: Any = Registry().with_resource("urn:contract", resources)

    def faults(name: str, told: Any) -> list[str]:
        schema = {"$ref": f"urn:contract#/components/schemas/{name}"}
        return [error.message for error in Draft202012Validator(schema, registry=registry).iter_errors(told)]

    hand = {"type": "hand_dealt", "seat": "forehand", "cards": ["SA"] + ["??"] * 8}
    recorded_deal(store, [OPENING, hand])
    send(client, f"deals/{DEAL}/events", CLOSING, 2)
    viewer = holding(client.application, Terms("viewer"))
    kinds = set()
    for last in ({}, {"Last-Event-ID": "2"}, {"Last-Event-ID": "99"}):
        answer = viewer.get(f"{DEALS}/{DEAL}/live", headers=last)
        for message in messages_in(islice(answer.iter_encoded(), 2)):
            told = {name: value for name, value in message._asdict().items() if value is not None}
            kind = "ResetMessage" if message.event == "reset" else "EventMessage"
            kinds.add(kind)
            assert faults(kind, told) == []
            data = json.loads(told["data"])
            assert faults("Reset" if kind == "ResetMessage" else "Event", data) == []
        answer.close()
    assert kinds == {"EventMessage", "ResetMessage"}
    for path in (f"{DEALS}/{{deal}}/live", f"{TABLES}/{{table}}/live", f"{DEALS}/{{deal}}/events"):
        operation = published["paths"][path]["get"]
        assert {"$ref": "#/components/parameters/LastEventId"} in operation["parameters"]
        messages = operation["responses"]["200"]["content"]["text/event-stream"]["schema"]["x-messages"]
        names = {one["$ref"].rpartition("/")[2] for one in messages["oneOf"]}
        assert names == {"EventMessage", "ResetMessage"}
