"""Events and entries are written in their canonical form, and read again from it."""

import pytest
from hypothesis import given, settings
from marshmallow import ValidationError

from engine.core.cards import BACKHAND, parse_card
from engine.core.events import CardPlayed, Event
from engine.core.log import EVENT_TYPES, Entry, EntryMetadata
from schemas.wire.event_reader import read_event
from schemas.wire.event_writer import entry_bytes, event_object
from schemas.wire.problem_errors import build_problem_errors
from tests.support.schemas.strategies import events_of


@pytest.mark.parametrize("type_name", EVENT_TYPES)
def test_every_type_is_read_as_it_is_written(type_name: str) -> None:
    @settings(max_examples=5, database=None)
    @given(events_of(type_name, depth=1))
    def goes_through(event: Event) -> None:
        obj = event_object(event)
        assert obj["type"] == type_name
        assert repr(read_event(obj)) == repr(event)

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


def test_messages_are_walked_to_pointers() -> None:
    messages = {
        "cards": {3: ["no card"]},
        "players": {"_schema": ["no object"]},
        "a/b~c": ["odd name", "long name"],
        "_schema": ["no event"],
    }
    assert build_problem_errors(ValidationError(messages)) == [
        {"pointer": "/cards/3", "detail": "no card"},
        {"pointer": "/players", "detail": "no object"},
        {"pointer": "/a~1b~0c", "detail": "odd name"},
        {"pointer": "/a~1b~0c", "detail": "long name"},
        {"pointer": "", "detail": "no event"},
    ]
    assert build_problem_errors(ValidationError(["alone"])) == [{"pointer": "", "detail": "alone"}]
