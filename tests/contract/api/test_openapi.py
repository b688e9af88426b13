"""The published contract: complete, valid OpenAPI 3.1, and as strict as the readers behind it."""

import warnings
from functools import cache
from typing import Any

import pytest
from apispec import APISpec
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker  # type: ignore[import-untyped]

from engine.core.cards import CARD_CODES
from engine.core.field_types import Branch
from engine.core.log import EVENT_TYPES, Entry
from schemas.wire.event_openapi import FIELD_DESCRIPTIONS, EventMarshmallowPlugin
from schemas.wire.event_reader import EXPECTED_NO_DEEPER_EVENTS, read_submitted_entry
from schemas.wire.event_schemas import EventSchema
from schemas.wire.event_writer import entry_object
from schemas.wire.value_readers import EXPECTED_TIMESTAMP, EXPECTED_UUID
from schemas.wire.wire_faults import WireError
from tests.support.effort import examples
from tests.support.schemas.strategies import entries, mutated

INEXPRESSIBLE = (EXPECTED_TIMESTAMP, EXPECTED_UUID, EXPECTED_NO_DEEPER_EVENTS, "half characters")
"""What a reader checks and JSON Schema cannot say, or leaves to its formats."""


@cache
def components() -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        spec = APISpec("Spadille", "1", "3.1.1", plugins=[EventMarshmallowPlugin()])
        spec.components.schema("Event", schema=EventSchema())
        published: dict[str, Any] = spec.to_dict()["components"]["schemas"]
    return published


@cache
def validator(name: str) -> Draft202012Validator:
    schema = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": components()}}
    return Draft202012Validator(schema, format_checker=FormatChecker())


def component_of(type_name: str) -> str:
    return EVENT_TYPES[type_name].__name__


@pytest.mark.parametrize(("family", "prefix"), [("Event", ""), ("BareEvent", "Bare")])
def test_one_of_names_every_type(family: str, prefix: str) -> None:
    published = components()[family]
    mapping = published["discriminator"]["mapping"]
    assert published["discriminator"]["propertyName"] == "type"
    assert mapping == {
        name: f"#/components/schemas/{prefix}{declared.__name__}" for name, declared in EVENT_TYPES.items()
    }
    assert [member["$ref"] for member in published["oneOf"]] == list(mapping.values())


def test_a_card_played_as_a_reader_of_the_contract_sees_it() -> None:
    published = components()["CardPlayed"]
    assert published["description"] == "A card played; `trick` anchors a record in which entries are missing."
    assert published["properties"]["type"] == {"type": "string", "const": "card_played"}
    assert published["properties"]["seat"] == {"$ref": "#/components/schemas/Seat"}
    assert published["required"] == ["card", "seat", "type"]
    assert published["additionalProperties"] is False
    assert components()["Seat"]["enum"] == ["forehand", "middlehand", "backhand"]
    assert components()["Suit"]["enum"] == ["C", "D", "H", "S"]


def test_a_branch_says_how_the_other_deal_and_its_point_may_be_named() -> None:
    branch = components()["Branch"]["properties"]
    for field, reference, words in (
        ("deal", "Name", ("recorded here", "title", "library")),
        ("at", "Seq", ("`30.1`", "`1.5`")),
    ):
        assert branch[field]["$ref"] == f"#/components/schemas/{reference}"
        assert all(word in branch[field]["description"] for word in words)
    assert "as many as there are" in branch["known"]["description"]
    assert {name: branch[name] for shape, name in FIELD_DESCRIPTIONS if shape is Branch} == branch


def test_the_pattern_of_a_card_is_the_pack() -> None:
    ranks, suits = "0123456789AJKQTX?acdhs", "CDHSXcdhs?"
    fits = [s + r for s in suits for r in ranks if validator("Card").is_valid(s + r)]
    assert sorted(fits) == sorted(CARD_CODES)


@given(entries())
def test_what_we_write_fits_the_contract(entry: Entry) -> None:
    obj = entry_object(entry)
    validator(component_of(obj["type"])).validate(obj)
    validator(component_of(obj["type"])).validate(entry_object(entry, omit_unknown=True))


@settings(max_examples=examples(300))
@given(st.data())
def test_the_contract_is_as_strict_as_the_reader(data: st.DataObject) -> None:
    obj = data.draw(mutated(entry_object(data.draw(entries()), omit_unknown=True)))
    if not isinstance(obj, dict) or obj.get("type") not in list(EVENT_TYPES):
        return
    fits = validator(component_of(obj["type"])).is_valid(obj)
    try:
        read_submitted_entry(obj)
    except WireError as error:
        sayable = [f for f in error.faults if not any(words in f.expected for words in INEXPRESSIBLE)]
        assert not (fits and sayable), sayable
    else:
        assert fits, list(validator(component_of(obj["type"])).iter_errors(obj))
