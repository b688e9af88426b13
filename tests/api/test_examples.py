"""The contract is good enough to write a client from: everything is described, and shown by an example."""

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from docs import examples
from engine.core.cards import SEAT_NAMES
from service.app import create_app
from service.eventstore import MemoryStore
from service.http.problems import PROBLEM_TYPES

UNSHOWN = {"image/svg+xml", "image/png"}
"""Types of answers that an example would not make clearer."""

PUBLISHED: Any = create_app(MemoryStore()).test_client().get("/api/v1/openapi.json").get_json()
SCHEMAS: Any = PUBLISHED["components"]["schemas"]
REGISTRY: Any = Registry().with_resource(
    "urn:contract", Resource.from_contents(PUBLISHED, default_specification=DRAFT202012)
)


def operations() -> Iterator[tuple[str, Any]]:
    for address in PUBLISHED["paths"].values():
        for method, operation in address.items():
            if method != "parameters":
                yield operation["operationId"], operation


def faults(schema: Any, value: Any) -> list[str]:
    """What of a value is not as a schema of the contract has it."""
    validator = Draft202012Validator(rooted(schema), registry=REGISTRY)
    return [error.message for error in validator.iter_errors(value)]


def rooted(schema: Any) -> Any:
    """A schema whose references lead into the whole contract."""
    if isinstance(schema, dict):
        return {
            key: "urn:contract" + value if key == "$ref" else rooted(value) for key, value in schema.items()
        }
    return [rooted(one) for one in schema] if isinstance(schema, list) else schema


def shown() -> Iterator[Any]:
    """Every answer that is shown, with its schema."""
    for name, operation in operations():
        for status, answer in operation["responses"].items():
            for media_type, content in answer.get("content", {}).items():
                if status.startswith("2"):
                    yield pytest.param(media_type, content, id=f"{name}-{status}-{media_type}")


def test_the_examples_are_what_is_answered_by_operations_that_there_are() -> None:
    assert not examples.out_of_step(), "run: python docs/examples.py"
    known = {name for name, _ in operations()}
    assert {ask.of for ask in examples.ASKED if ask.of} <= known
    assert {ask.of for ask in examples.PROBLEMS} <= set(PROBLEM_TYPES)


@pytest.mark.parametrize(("media_type", "content"), list(shown()))
def test_every_answer_is_shown_and_is_as_its_schema_says(media_type: str, content: Any) -> None:
    if media_type in UNSHOWN:
        return
    assert "example" in content, "add a request for it to docs/examples.py"
    schema, example = content["schema"], content["example"]
    if media_type == "application/json":
        assert faults(schema, example) == []
    else:
        assert isinstance(example, str)
        assert example


@pytest.mark.parametrize(
    "operation", [pytest.param(one, id=name) for name, one in operations() if "requestBody" in one]
)
def test_every_request_is_shown_in_each_of_its_forms(operation: Any) -> None:
    for media_type, content in operation["requestBody"]["content"].items():
        if media_type == "application/json":
            assert content["examples"]
            for example in content["examples"].values():
                assert faults(content["schema"], example["value"]) == []
        else:
            assert content["example"]


def test_every_problem_is_shown(subtests: pytest.Subtests) -> None:
    for name in PROBLEM_TYPES:
        with subtests.test(name=name):
            status = PROBLEM_TYPES[name].status
            response = PUBLISHED["components"]["responses"][f"Problem{status}"]
            example = response["content"]["application/problem+json"]["examples"][name]["value"]
            assert example["type"] == f"/problems/{name}"
            assert example["status"] == status
            assert faults({"$ref": "#/components/schemas/Problem"}, example) == []


def test_every_operation_says_what_it_does_and_what_it_answers() -> None:
    silent = [name for name, operation in operations() if not operation.get("description")]
    assert silent == []
    for name, operation in operations():
        for status, answer in operation["responses"].items():
            assert answer.get("description", "…") not in ("OK", "Created", ""), (name, status)


def is_described(property_: Any) -> bool:
    if not isinstance(property_, dict):
        return False
    if "description" in property_ or "const" in property_:
        return True
    if "$ref" in property_:
        return "description" in SCHEMAS[property_["$ref"].rpartition("/")[2]]
    inner = [*property_.get("anyOf", ()), *property_.get("oneOf", ()), property_.get("items")]
    return any(is_described(one) for one in inner)


def test_every_schema_and_every_member_says_what_it_is(subtests: pytest.Subtests) -> None:
    for name in [name for name in SCHEMAS if name != "PaginationMetadata"]:
        with subtests.test(name=name):
            schema = SCHEMAS[name]
            assert schema.get("description")
            silent = [
                member
                for member, held in schema.get("properties", {}).items()
                if member not in SEAT_NAMES and not is_described(held)
            ]
            assert silent == []
