"""The canonical form: what stands where, what is left out, and that marshmallow writes the same."""

import orjson
from hypothesis import given

from engine.core import events as ev
from engine.core.cards import BACKHAND, read_card
from engine.core.log import Entry, Record
from schemas.wire.events import BareEventSchema, EventSchema
from schemas.wire.writer import entry_bytes, entry_object, event_fields
from tests.support.schemas.strategies import entries, events

SCHEMA = EventSchema()
BARE = BareEventSchema()


def test_fields_in_declared_order_then_all_the_bookkeeping() -> None:
    record = Record(id="018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f", accounts=("slip",))
    entry = Entry(12, ev.CardPlayed(BACKHAND, read_card("SA"), 3), record)
    assert entry_bytes(entry) == (
        b'{"type":"card_played","seat":"backhand","card":"SA","trick":3,'
        b'"id":"018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f","seq":12,"recorded_at":null,"stored_at":null,'
        b'"recorded_by":null,"basis":null,"accounts":["slip"]}'
    )
    assert entry_bytes(entry, bare=True) == (
        b'{"type":"card_played","seat":"backhand","card":"SA","trick":3,'
        b'"id":"018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f","seq":12,"accounts":["slip"]}'
    )


@given(entries())
def test_marshmallow_writes_the_same_bytes(entry: Entry) -> None:
    assert entry_bytes(entry) == orjson.dumps(SCHEMA.dump(entry))
    assert orjson.dumps(SCHEMA.dump([entry, entry], many=True)) == orjson.dumps([entry_object(entry)] * 2)


@given(events())
def test_marshmallow_writes_the_same_bare_events(event: ev.Event) -> None:
    assert orjson.dumps(event_fields(event)) == orjson.dumps(BARE.dump(event))
