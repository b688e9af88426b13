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

from engine.log import EVENT_TYPES
from service.api import contract
from service.api.shapes.audits import AuditSchema
from service.api.shapes.evidence import ConsistencySchema, ProofSchema
from service.api.shapes.library import HealthSchema, ReplaysSchema
from service.api.shapes.points import (
    FindingsSchema,
    LegalSchema,
    ReplaySchema,
    ReportsSchema,
    ScoreSchema,
    ScoresSchema,
    StateSchema,
)
from service.api.shapes.problems import ProblemSchema
from service.api.shapes.rulesets import RulesetSchema, RulesetsSchema
from service.api.shapes.streams import (
    AppendedSchema,
    DealAppendedSchema,
    DealSchema,
    DealsPageSchema,
    EventsPageSchema,
    StartedDealSchema,
    TableAppendedSchema,
    TableSchema,
    TablesPageSchema,
)
from service.app import create_app
from service.identity.grants import Terms
from service.store import MemoryStore
from tests.support.api.clients import holding, owner_of
from tests.support.api.listening import messages_in
from tests.support.api.recording import (
    DEAL,
    OPENING,
    PLAYERS,
    TABLE,
    recorded_deal,
    recorded_table,
    some_deal,
)

FILE = Path(__file__).parents[2] / "openapi.yaml"
DEALS, TABLES = "/api/v1/deals", "/api/v1/tables"


@pytest.fixture(scope="module")
def published() -> Any:
    return owner_of(create_app(MemoryStore())).get("/api/v1/openapi.json").get_json()


def test_the_committed_contract_is_the_one_of_the_code(published: Any) -> None:
    committed = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    assert committed == published, "openapi.yaml is not what the code says: run `make openapi`"


def test_the_contract_is_valid_openapi(published: Any) -> None:
    assert published["openapi"] == contract.OPENAPI == "3.1.1"
    validate(published)


def test_every_operation_is_described_and_has_a_name_of_its_own(published: Any) -> None:
    operations = [
        operation
        for path in published["paths"].values()
        for method, operation in path.items()
        if method in ("get", "post")
    ]
    names = [operation["operationId"] for operation in operations]
    assert len(operations) > 25
    assert len(set(names)) == len(names)
    assert all(operation["summary"] and operation["responses"]["default"] for operation in operations)
    for operation in operations:
        for parameter in operation.get("parameters", []):
            shared = parameter.get("$ref", "").removeprefix("#/components/parameters/")
            told = published["components"]["parameters"][shared] if shared else parameter
            assert told["description"], operation["operationId"]
        if "requestBody" in operation:
            assert operation["requestBody"]["content"]["application/json"]["examples"]


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


def test_every_operation_tells_of_what_any_may_be_answered_with(published: Any) -> None:
    components = published["components"]["responses"]
    for status in ("429", "503"):
        assert "Retry-After" in components[f"Problem{status}"]["headers"]
    for path in published["paths"].values():
        for method in {"get", "post", "put", "delete"} & set(path):
            assert {"429", "503", "default"} <= set(path[method]["responses"]), path[method]["operationId"]


def test_every_page_tells_of_its_link(published: Any) -> None:
    schemas = published["components"]["schemas"]
    pages = {name for name, schema in schemas.items() if "next" in schema.get("properties", {})}
    found = 0
    for path in published["paths"].values():
        answer = path.get("get", {}).get("responses", {}).get("200", {})
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


def test_every_event_is_published_in_full(published: Any) -> None:
    schemas = published["components"]["schemas"]
    mapping = schemas["Event"]["discriminator"]["mapping"]
    assert set(mapping) == set(EVENT_TYPES)
    assert [one["$ref"] for one in schemas["Event"]["oneOf"]] == [mapping[name] for name in EVENT_TYPES]
    for name, reference in mapping.items():
        event = schemas[reference.rpartition("/")[2]]
        assert event["properties"]["type"]["const"] == name
        assert event["additionalProperties"] is False
        assert event["description"]


@pytest.fixture(scope="module")
def filled() -> FlaskClient:
    store = MemoryStore()
    recorded_deal(store, some_deal(talon=True))
    recorded_table(store, plan={"deals": 12}, switches={"talon": True})
    return owner_of(create_app(store))


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        (DealSchema, f"{DEALS}/{DEAL}"),
        (DealsPageSchema, f"{DEALS}?limit=1"),
        (EventsPageSchema, f"{DEALS}/{DEAL}/events?limit=3"),
        (TableSchema, f"{TABLES}/{TABLE}"),
        (TablesPageSchema, TABLES),
        (EventsPageSchema, f"{TABLES}/{TABLE}/events"),
        (RulesetsSchema, "/api/v1/rulesets"),
        (RulesetSchema, "/api/v1/rulesets/dlu"),
        (RulesetSchema, "/api/v1/rulesets/ombre"),
        (ReplaysSchema, "/api/v1/replays"),
        (HealthSchema, "/api/v1/healthz"),
        (ConsistencySchema, "/api/v1/checkpoint/consistency?from=2"),
        (ProofSchema, f"{DEALS}/{DEAL}/proof?viewer=public"),
        (ProofSchema, f"{TABLES}/{TABLE}/proof"),
        (ProblemSchema, f"{DEALS}/{DEAL}/state?at=0&strange=1"),
        (ReplaySchema, f"{DEALS}/{DEAL}/replay"),
        (ReplaySchema, "/api/v1/replays/belinda/replay"),
        (FindingsSchema, f"{DEALS}/{DEAL}/findings?at=3"),
        *[(StateSchema, f"{DEALS}/{DEAL}/state?at={at}") for at in (1, 3, 9, 25)],
        *[(ScoreSchema, f"{DEALS}/{DEAL}/score?at={at}") for at in (1, 9, 25)],
        *[(LegalSchema, f"{DEALS}/{DEAL}/legal?at={at}") for at in (1, 3, 9, 12, 25)],
    ],
)
def test_an_answer_has_the_shape_that_is_published(
    filled: FlaskClient, schema: type[Schema], path: str
) -> None:
    answer = filled.get(path).get_json()
    assert answer
    assert schema().validate(answer) == {}


def test_an_audit_of_a_faulty_opening_has_the_shape_that_is_published() -> None:
    client = owner_of(create_app(MemoryStore()))
    opening = {**OPENING, "id": DEAL, "switches": {"0": 999999999}}
    assert client.post(DEALS, json=opening).status_code == 201
    audit = client.get(f"{DEALS}/{DEAL}/audit").get_json()
    assert audit["matters"], "the fault stands before the opening, where nobody is known to play"
    assert AuditSchema().validate(audit) == {}


def test_what_is_answered_to_a_change_has_the_shape_that_is_published() -> None:
    client = owner_of(create_app(MemoryStore()))

    def sent(path: str, body: Any, version: int = 0) -> Any:
        return client.post(
            path, json=body, headers={"If-Match": f'"{version}"'} if version else {}
        ).get_json()

    assert DealAppendedSchema().validate(sent(DEALS, {**OPENING, "id": DEAL})) == {}
    assert AppendedSchema().validate(sent(f"{DEALS}/{DEAL}/events", {"type": "gap_noted"}, 1)) == {}
    table = {"id": TABLE, "ruleset": "dlu", "players": ["Anna", "Bo", "Carl"]}
    assert TableAppendedSchema().validate(sent(TABLES, table)) == {}
    assert StartedDealSchema().validate(sent(f"{TABLES}/{TABLE}/deals", {"players": PLAYERS}, 1)) == {}
    assert ReportsSchema().validate(sent("/api/v1/validate", [*some_deal(), OPENING, {"type": "?"}])) == {}
    assert ScoresSchema().validate(sent("/api/v1/score", some_deal())) == {}


def test_a_shape_takes_no_other_answer() -> None:
    assert StateSchema().validate({"phase": "tea", "incomplete": "yes", "strange": 1}).keys() > {
        "phase", "incomplete", "strange", "to_act",
    }  # fmt: skip
    assert "version" in DealSchema().validate({"version": True})


def test_the_messages_of_a_stream_are_as_the_contract_says(published: Any) -> None:
    """Also the one that puts other entries in place of those that were told."""
    resources = Resource.from_contents(published, default_specification=DRAFT202012)
    registry: Any = Registry().with_resource("urn:contract", resources)

    def faults(name: str, told: Any) -> list[str]:
        schema = {"$ref": f"urn:contract#/components/schemas/{name}"}
        return [error.message for error in Draft202012Validator(schema, registry=registry).iter_errors(told)]

    store = MemoryStore()
    recorded_deal(store, [OPENING, {"type": "hand_dealt", "seat": "forehand", "cards": ["SA"] + ["??"] * 8}])
    app = create_app(store)
    viewer = holding(app, Terms("viewer"))
    lay_open = {"type": "deal_closed", "payments": {}, "engine": "0.1.0"}
    owner_of(app).post(f"{DEALS}/{DEAL}/events", json=lay_open, headers={"If-Match": '"2"'})
    kinds = set()
    for path, last in (
        (f"{DEALS}/{DEAL}/live", ""),
        (f"{DEALS}/{DEAL}/live", "2"),
        (f"{DEALS}/{DEAL}/live", "99"),
    ):
        answer = viewer.get(path, headers={"Last-Event-ID": last} if last else {})
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
