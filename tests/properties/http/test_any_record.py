"""Whatever is recorded: it can be read, at every point and by every viewer, and nothing breaks."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.events import DEAL_EVENTS, DealOpened
from engine.core.log import Entry
from schemas.wire.event_reader import ParsedEntry
from schemas.wire.event_writer import event_object
from schemas.wire.field_specs import EVENT_TYPE_BY_CLASS
from service.app import create_app
from service.eventstore import MemoryStore
from service.records.append import open_deal
from service.records.deal_points import VIEWERS_BY_NAME
from service.records.hidden_characters import find_hidden_in_names
from service.records.record_streams import (
    MisplacedEvent,
    SubmittedEvent,
    assign_event_ids,
    submitted_event_id,
)
from tests.support.api.clients import owner_of
from tests.support.api.recording import OPENING, posted
from tests.support.effort import examples
from tests.support.schemas.strategies import entries, events_of

DEAL_TYPES = sorted(EVENT_TYPE_BY_CLASS[kind] for kind in DEAL_EVENTS if kind is not DealOpened)
ASPECTS = ("state", "legal", "score", "findings", "replay", "audit", "evidence", "odds", "events")
ANY_DEAL_EVENT = st.sampled_from(DEAL_TYPES).flatmap(events_of)


@settings(max_examples=examples(40, 4))
@given(st.lists(ANY_DEAL_EVENT, max_size=12), st.data())
def test_any_events_are_recorded_and_read_back(events: list[Any], data: st.DataObject) -> None:
    client = owner_of(create_app(MemoryStore()))
    body = [OPENING, *(event_object(event) for event in events)]
    answer = client.post("/api/v1/deals", json=body)
    if answer.status_code == 422:
        # A correction may bring what belongs to a table; a name may have hidden characters.
        may_be = {"/problems/wrong-stream"}
        if any(list(find_hidden_in_names(event)) for event in body):
            may_be.add("/problems/invalid-event")
        assert answer.get_json()["type"] in may_be
        return
    assert answer.status_code == 201
    address = answer.headers["Location"]
    stored = client.get(f"{address}/events").get_json()["events"]
    assert [{name: event[name] for name in sent} for event, sent in zip(stored, body, strict=True)] == body
    at = data.draw(st.integers(1, len(body)))
    viewer = data.draw(st.sampled_from(list(VIEWERS_BY_NAME)))
    for aspect in ASPECTS:
        asked = "" if aspect == "events" else f"?at={at}&viewer={viewer}"
        assert client.get(f"{address}/{aspect}{asked}").status_code == 200
    assert client.get(address.removeprefix("/api/v1")).status_code == 200
    assert client.post("/api/v1/deals?mode=strict", json=body).status_code in (201, 422)


@settings(max_examples=examples(40))
@given(entries(st.none()))
def test_any_event_is_recognised_when_it_is_sent_again(entry: Entry) -> None:
    store = MemoryStore()
    (opening,) = assign_event_ids([posted(OPENING)])
    (sent,) = assign_event_ids([SubmittedEvent(ParsedEntry(entry.event, entry.metadata, None))])
    if submitted_event_id(sent) == submitted_event_id(opening) or type(entry.event) not in DEAL_EVENTS[1:]:
        return
    try:
        first = open_deal(store, [opening, sent], strict=False)
    except MisplacedEvent:
        return
    again = open_deal(store, [opening, sent], strict=False)
    assert not again.has_new_events
    assert again.append_result.events == first.append_result.events
