"""Short ways to say what is appended in the tests of the stores."""

import uuid
from pathlib import Path

from service.eventstore import ANY_VERSION, EventStore, NewEvent, StreamAppend
from service.eventstore.events import ExpectedVersion

ROOT = Path(__file__).parents[3]
"""Where a process of its own is started, so that it finds the packages."""


def event(note: str = "", event_id: str | None = None) -> NewEvent:
    return NewEvent(event_id or str(uuid.uuid4()), b'{"type":"note_added","text":"%s"}' % note.encode())


def events(count: int) -> list[NewEvent]:
    return [event(str(number)) for number in range(count)]


def deal(stream: str, expected: ExpectedVersion = ANY_VERSION, *new: NewEvent) -> StreamAppend:
    return StreamAppend(stream, expected, new, "deal")


def content(store: EventStore, root: str) -> bytes:
    """Something that is another for whatever changes in a root."""
    streams = store.list_streams(root, limit=100)
    return b"".join(event.body for one in streams for event in store.read_stream(one.stream, limit=1000))


def table(stream: str, expected: ExpectedVersion = ANY_VERSION, *new: NewEvent) -> StreamAppend:
    return StreamAppend(stream, expected, new, "table")
