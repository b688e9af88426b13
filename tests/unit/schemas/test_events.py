"""Marshmallow's schemas and the fast reader are equally strict: same verdict, same event, same words."""

from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marshmallow import ValidationError

from engine.core.cards import BACKHAND, parse_card
from engine.core.events import CardPlayed, Event
from engine.core.log import EVENT_TYPES, Entry, EntryMetadata
from schemas.wire.event_reader import MAX_CORRECTION_DEPTH, ParsedEntry, read_event, read_submitted_entry
from schemas.wire.event_schemas import BareEventSchema, EventSchema
from schemas.wire.event_writer import entry_bytes, entry_object, event_object
from schemas.wire.problem_errors import build_problem_errors, flatten_messages, nest_faults
from schemas.wire.wire_faults import WireError, WireFault, escape_pointer_token
from tests.support.effort import examples
from tests.support.schemas.strategies import corrections, entries, events, events_of, mutated

SCHEMA = EventSchema()
BARE = BareEventSchema()

Verdict = tuple[str, list[tuple[str, str]]]


def verdict(read: Any, obj: Any) -> Verdict:
    """The event in words, or all that is wrong, in an order of its own."""
    try:
        return repr(read(obj)), []
    except (WireError, ValidationError) as error:
        return "", sorted((e["pointer"], e["detail"]) for e in build_problem_errors(error))


@given(entries())
def test_both_read_and_write_the_same_entry(entry: Entry) -> None:
    obj = entry_object(entry)
    assert SCHEMA.load(obj) == ParsedEntry(entry.event, entry.metadata, entry.seq)
    assert verdict(SCHEMA.load, obj) == verdict(read_submitted_entry, obj)
    assert SCHEMA.load([obj, obj], many=True) == [read_submitted_entry(obj)] * 2
    assert entry_bytes(entry) == orjson.dumps(SCHEMA.dump(entry))
    assert orjson.dumps(SCHEMA.dump([entry, entry], many=True)) == orjson.dumps([obj] * 2)


@pytest.mark.parametrize("type_name", EVENT_TYPES)
def test_every_type_goes_through_both(type_name: str) -> None:
    @settings(max_examples=5, database=None)
    @given(events_of(type_name, depth=1))
    def goes_through(event: Event) -> None:
        obj = event_object(event)
        assert obj["type"] == type_name
        assert repr(BARE.load(obj)) == repr(read_event(obj)) == repr(event)
        assert orjson.dumps(obj) == orjson.dumps(BARE.dump(event))

    goes_through()


def test_fields_in_declared_order_then_all_the_bookkeeping() -> None:
    record = EntryMetadata(id="018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f", accounts=("slip",))
    entry = Entry(12, CardPlayed(BACKHAND, parse_card("SA"), 3), record)
    assert entry_bytes(entry) == (
        b'{"type":"card_played","seat":"backhand","card":"SA","trick":3,'
        b'"id":"018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f","seq":12,"recorded_at":null,"stored_at":null,'
        b'"recorded_by":null,"basis":null,"accounts":["slip"]}'
    )
    assert entry_bytes(entry, omit_unknown=True) == (
        b'{"type":"card_played","seat":"backhand","card":"SA","trick":3,'
        b'"id":"018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f","seq":12,"accounts":["slip"]}'
    )


@pytest.mark.property
@settings(max_examples=examples(400))
@given(st.data())
def test_both_say_the_same_of_what_is_wrong(data: st.DataObject) -> None:
    obj = data.draw(mutated(entry_object(data.draw(entries()), omit_unknown=data.draw(st.booleans()))))
    assert verdict(SCHEMA.load, obj) == verdict(read_submitted_entry, obj)


@settings(max_examples=examples(200))
@given(st.data())
def test_both_say_the_same_of_bare_events(data: st.DataObject) -> None:
    obj = data.draw(mutated(event_object(data.draw(events()))))
    assert verdict(BARE.load, obj) == verdict(read_event, obj)


@pytest.mark.parametrize(
    "levels", [1, MAX_CORRECTION_DEPTH, MAX_CORRECTION_DEPTH + 1, MAX_CORRECTION_DEPTH + 2, 100]
)
def test_both_go_as_deep(levels: int) -> None:
    got = verdict(SCHEMA.load, corrections(levels))
    assert got == verdict(read_submitted_entry, corrections(levels))
    assert bool(got[1]) == (levels > MAX_CORRECTION_DEPTH)


@pytest.mark.parametrize("obj", [None, 5, "", "x", {}, {"type": "gap_noted"}])
def test_a_list_is_asked_for_and_nothing_else_taken(obj: Any) -> None:
    with pytest.raises(ValidationError) as caught:
        SCHEMA.load(obj, many=True)
    (error,) = build_problem_errors(caught.value)
    assert error["pointer"] == "" and error["detail"].endswith("write a list of events.")


def test_a_schema_of_one_type_takes_only_that_type() -> None:
    schema = SCHEMA.type_schemas["gap_noted"]
    assert not isinstance(schema, type)
    with pytest.raises(ValidationError) as caught:
        schema.load({"type": "note_added"})
    assert build_problem_errors(caught.value) == [
        {"pointer": "/type", "detail": 'In place of "note_added", write "gap_noted".'}
    ]


TOKENS = st.text(min_size=1, max_size=4).filter(lambda token: token != "_schema")
POINTERS = st.lists(TOKENS, max_size=3).map(
    lambda tokens: "".join(f"/{escape_pointer_token(token)}" for token in tokens)
)


def test_messages_are_walked_to_pointers() -> None:
    messages = {
        "cards": {3: ["no card"]},
        "players": {"_schema": ["no object"]},
        "a/b~c": ["odd name", "long name"],
        "_schema": ["no event"],
    }
    assert flatten_messages(messages) == [
        {"pointer": "/cards/3", "detail": "no card"},
        {"pointer": "/players", "detail": "no object"},
        {"pointer": "/a~1b~0c", "detail": "odd name"},
        {"pointer": "/a~1b~0c", "detail": "long name"},
        {"pointer": "", "detail": "no event"},
    ]
    assert flatten_messages(["alone"]) == [{"pointer": "", "detail": "alone"}]


def prefix_free(pointers: set[str]) -> set[str]:
    """No pointer leads through another: a value has faults itself, or its members have."""
    return {p for p in pointers if not any(q != p and (q + "/").startswith(p + "/") for q in pointers)}


@given(st.sets(POINTERS, min_size=1, max_size=5).map(prefix_free))
def test_faults_come_back_from_their_nested_form(pointers: set[str]) -> None:
    faults = [WireFault(pointer, f'"{number}"', "better") for number, pointer in enumerate(sorted(pointers))]
    flat = build_problem_errors(WireError(faults))
    again = build_problem_errors(ValidationError(nest_faults(faults)))
    assert sorted(again, key=lambda e: e["pointer"]) == sorted(flat, key=lambda e: e["pointer"])


def test_a_fault_of_the_whole_and_one_of_a_part_go_together() -> None:
    both = nest_faults([WireFault("", "1", "two"), WireFault("/a", "3", "four")])
    assert {e["pointer"] for e in flatten_messages(both)} == {"", "/a"}
