"""The published contract: in step with the code, valid, true of the answers, as strict as the readers."""

import json
import re
from collections.abc import Iterable
from itertools import islice
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from openapi_spec_validator import validate

from docs import examples as shown_examples
from docs import openapi
from engine.core.cards import CARD_CODES, SEAT_NAMES
from engine.core.field_types import Branch
from engine.core.log import EVENT_TYPES, Entry
from schemas.wire.event_reader import EXPECTED_NO_DEEPER_EVENTS, read_submitted_entry
from schemas.wire.event_writer import entry_object
from schemas.wire.value_readers import EXPECTED_TIMESTAMP, EXPECTED_UUID
from schemas.wire.wire_faults import WireError
from service.app import create_app
from service.auth.grants import GrantTerms
from service.eventstore import EventStore
from service.http.api.openapi.contract import OPENAPI_VERSION
from service.http.api.openapi.json_schemas import FIELD_DESCRIPTIONS
from service.http.api.routes.point_resources import POINT_RESOURCES
from service.http.problems import PROBLEM_TYPES
from tests.support.api.asking import API, CLOSING, body_of, send
from tests.support.api.clients import holding, owner_of
from tests.support.api.contract import (
    components,
    contract,
    contract_app,
    operations,
    schema_errors,
    schema_ref,
)
from tests.support.api.listening import Message, messages_in
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, some_deal, some_records
from tests.support.effort import examples
from tests.support.schemas.strategies import entries, mutated

DRAWN = {"image/svg+xml", "image/png"}
"""Types of answers that an example would not make clearer."""
INEXPRESSIBLE = (EXPECTED_TIMESTAMP, EXPECTED_UUID, EXPECTED_NO_DEEPER_EVENTS, "lone surrogates")
"""What a reader checks and JSON Schema cannot say, or leaves to its formats."""


def test_the_committed_contract_is_the_one_of_the_code() -> None:
    told = "openapi.yaml is not what the code says: run `make openapi`"
    assert openapi.FILE.read_text(encoding="utf-8") == openapi.format_yaml(contract()), told
    assert contract()["openapi"] == OPENAPI_VERSION == "3.1.1"


@pytest.mark.property
def test_the_contract_is_valid() -> None:
    validate(contract())


def test_every_address_of_the_api_is_in_the_contract() -> None:
    ours = [rule.rule for rule in contract_app().url_map.iter_rules() if rule.rule.startswith("/api/")]
    addresses = {re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", address) for address in ours}
    about_it = {"/api/v1/openapi.json", "/api/v1/openapi.yaml", "/api/docs"}
    assert addresses - set(contract()["paths"]) == about_it


def test_every_operation_is_described_and_has_a_name_of_its_own() -> None:
    assert len(operations()) == sum(len(set(path) - {"parameters"}) for path in contract()["paths"].values())
    for status in ("429", "503"):
        assert "Retry-After" in components("responses")[f"Problem{status}"]["headers"]
    for name, operation in operations().items():
        assert operation["summary"] and operation["description"], name
        assert {"429", "503", "default"} <= set(operation["responses"]), name
        for status, answer in operation["responses"].items():
            assert answer.get("description", "…") not in ("OK", "Created", ""), (name, status)
        for parameter in operation.get("parameters", []):
            shared = parameter.get("$ref", "").removeprefix("#/components/parameters/")
            assert (components("parameters")[shared] if shared else parameter)["description"], name


def test_every_page_tells_of_its_link() -> None:
    pages = {name for name, schema in components("schemas").items() if "next" in schema.get("properties", {})}
    paged = []
    for name, operation in operations().items():
        answer = operation["responses"].get("200", {})
        schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
        if schema.get("$ref", "").rpartition("/")[2] in pages:
            paged.append(name)
            assert "Link" in answer["headers"], name
    assert len(paged) == 7


def is_described(property_: Any) -> bool:
    if not isinstance(property_, dict):
        return False
    if "description" in property_ or "const" in property_:
        return True
    if "$ref" in property_:
        return "description" in components("schemas")[property_["$ref"].rpartition("/")[2]]
    inner = [*property_.get("anyOf", ()), *property_.get("oneOf", ()), property_.get("items")]
    return any(is_described(one) for one in inner)


def is_nullable(schema: Any) -> bool:
    kinds = schema.get("type")
    choices = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    return "null" in (kinds if isinstance(kinds, list) else [kinds]) or any(map(is_nullable, choices))


def test_every_schema_and_every_member_says_what_it_is_and_what_null_means() -> None:
    shown = components("schemas")
    assert [name for name, schema in shown.items() if not schema.get("description")] == []
    members = [
        (f"{name}.{member}", held)
        for name, schema in shown.items()
        for member, held in schema.get("properties", {}).items()
        if member not in SEAT_NAMES
    ]
    assert [name for name, held in members if not is_described(held)] == []
    nullable = [(name, held) for name, held in members if is_nullable(held)]
    assert [name for name, held in nullable if "null" not in held.get("description", "").lower()] == []


def test_the_examples_are_what_is_answered_by_operations_that_there_are() -> None:
    assert not shown_examples.out_of_step(), "run: python docs/examples.py"
    assert {ask.of for ask in shown_examples.ASKED if ask.of} <= set(operations())
    assert {ask.of for ask in shown_examples.PROBLEMS} <= set(PROBLEM_TYPES)


def examples_of(parts: Iterable[Any]) -> list[tuple[Any, Any]]:
    """Schema and example of each form of answers or a request that has one."""
    forms = [form for part in parts for form in part.get("content", {}).values()]
    return [(form["schema"], form["example"]) for form in forms if "example" in form]


def test_every_operation_and_problem_is_shown_once() -> None:
    for name, operation in operations().items():
        successes = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
        bodies = [operation["requestBody"]] if "requestBody" in operation else []
        answers, requests = examples_of(successes), examples_of(bodies)
        forms = {form for answer in successes for form in answer.get("content", {})}
        # Of the library's deals it is the same as of recorded ones.
        if name.removeprefix("replays_") not in POINT_RESOURCES:
            assert len(answers) == bool(forms - DRAWN), f"add a request for {name} to docs/examples.py"
        assert len(requests) == len(bodies), name
        for schema, example in answers + requests:
            assert schema_errors(schema, example) == [], name
    for name, kind in PROBLEM_TYPES.items():
        response = components("responses")[f"Problem{kind.status}"]
        example = response["content"]["application/problem+json"]["examples"][name]["value"]
        assert (example["type"], example["status"]) == (f"/problems/{name}", kind.status)
        assert schema_errors(schema_ref("Problem"), example) == [], name


def test_an_answer_has_the_shape_that_is_published() -> None:
    client = owner_of(create_app(some_records(some_deal(talon=True))))
    asked: list[tuple[str, str]] = [
        ("Proof", f"deals/{DEAL}/proof?viewer=public"),
        ("Proof", f"tables/{TABLE}/proof"),
        ("Problem", f"deals/{DEAL}/state?at=0&strange=1"),
        *(("State", f"deals/{DEAL}/state?at={at}") for at in (1, 3, 9, 25)),
        *(("Score", f"deals/{DEAL}/score?at={at}") for at in (1, 9, 25)),
        *(("Legal", f"deals/{DEAL}/legal?at={at}") for at in (1, 3, 9, 12, 25)),
    ]
    for schema, path in asked:
        answer = client.get(f"{API}/{path}").get_json()
        assert answer and schema_errors(schema_ref(schema), answer) == [], path
    assert schema_errors(schema_ref("State"), {"phase": "tea", "incomplete": "yes", "strange": 1})


def test_an_audit_of_a_faulty_opening_has_the_shape_that_is_published(client: FlaskClient) -> None:
    opening = {**OPENING, "id": DEAL, "switches": {"0": 999999999}}
    body_of(client.post(f"{API}/deals", json=opening), 201)
    audit = client.get(f"{API}/deals/{DEAL}/audit").get_json()
    assert audit["matters"], "the fault stands before the opening, where nobody is known to play"
    assert schema_errors(schema_ref("Audit"), audit) == []


def test_the_messages_of_a_stream_are_as_the_contract_says(client: FlaskClient, store: EventStore) -> None:
    """Also the one that puts other entries in place of those that were told."""
    recorded_deal(store, [OPENING, {"type": "hand_dealt", "seat": "forehand", "cards": ["SA"] + ["??"] * 8}])
    send(client, f"deals/{DEAL}/events", CLOSING, 2)
    viewer = holding(client.application, GrantTerms("viewer"))
    kinds, messages = set(), list[Message]()
    # Streams that go on from the beginning, from an entry, and from none.
    for last in ({}, {"Last-Event-ID": "2"}, {"Last-Event-ID": "99"}):
        with viewer.get(f"{API}/deals/{DEAL}/live", headers=last) as answer:
            messages += messages_in(islice(answer.iter_encoded(), 2))
    for message in messages:
        told = {name: value for name, value in message._asdict().items() if value is not None}
        kind = "ResetMessage" if message.event == "reset" else "EventMessage"
        kinds.add(kind)
        assert schema_errors(schema_ref(kind), told) == []
        assert schema_errors(schema_ref(kind.removesuffix("Message")), json.loads(told["data"])) == []
    assert kinds == {"EventMessage", "ResetMessage"}
    for path in ("deals/{deal}/live", "tables/{table}/live", "deals/{deal}/events"):
        operation = contract()["paths"][f"{API}/{path}"]["get"]
        assert {"$ref": "#/components/parameters/LastEventId"} in operation["parameters"]
        schema = operation["responses"]["200"]["content"]["text/event-stream"]["schema"]
        assert {one["$ref"].rpartition("/")[2] for one in schema["x-messages"]["oneOf"]} == kinds


@pytest.mark.parametrize(("family", "prefix"), [("Event", ""), ("BareEvent", "Bare")])
def test_one_of_names_every_type(family: str, prefix: str) -> None:
    published = components("schemas")[family]
    mapping = published["discriminator"]["mapping"]
    assert published["discriminator"]["propertyName"] == "type"
    assert mapping == {
        name: f"#/components/schemas/{prefix}{declared.__name__}" for name, declared in EVENT_TYPES.items()
    }
    assert [member["$ref"] for member in published["oneOf"]] == list(mapping.values())


def test_a_branch_says_how_the_other_deal_and_its_point_may_be_named() -> None:
    branch = components("schemas")["Branch"]["properties"]
    for field, reference, words in (
        ("deal", "Name", ("recorded here", "title", "library")),
        ("at", "Seq", ("`30.1`", "`1.5`")),
    ):
        assert branch[field]["$ref"] == f"#/components/schemas/{reference}"
        assert all(word in branch[field]["description"] for word in words)
    assert "all of its entries at the time of recording" in branch["known"]["description"]
    assert {name: branch[name] for shape, name in FIELD_DESCRIPTIONS if shape is Branch} == branch


def test_the_pattern_of_a_card_is_the_pack() -> None:
    ranks, suits = "0123456789AJKQTX?acdhs", "CDHSXcdhs?"
    fits = [s + r for s in suits for r in ranks if not schema_errors(schema_ref("Card"), s + r)]
    assert sorted(fits) == sorted(CARD_CODES)


@given(entries())
def test_what_we_write_fits_the_contract(entry: Entry) -> None:
    for omit_unknown in (False, True):
        written = entry_object(entry, omit_unknown=omit_unknown)
        assert schema_errors(schema_ref(EVENT_TYPES[written["type"]].__name__), written) == []


@settings(max_examples=examples(300))
@given(st.data())
def test_the_contract_is_as_strict_as_the_reader(data: st.DataObject) -> None:
    obj = data.draw(mutated(entry_object(data.draw(entries()), omit_unknown=True)))
    if not isinstance(obj, dict) or obj.get("type") not in list(EVENT_TYPES):
        return
    found = schema_errors(schema_ref(EVENT_TYPES[obj["type"]].__name__), obj)
    try:
        read_submitted_entry(obj)
    except WireError as error:
        sayable = [f for f in error.faults if not any(words in f.expected for words in INEXPRESSIBLE)]
        assert found or not sayable, sayable
    else:
        assert found == []
