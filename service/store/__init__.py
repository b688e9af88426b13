"""Event stores: append-only streams of opaque events, in memory or in a file, behind one interface."""

from service.store.errors import (
    IdConflict,
    NotAStore,
    StaleVersion,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreInUse,
    StoreTooNew,
    StoreUnavailable,
    StreamMismatch,
    UnknownStream,
)
from service.store.interface import (
    ANY,
    PAGE,
    Append,
    Appended,
    EventReader,
    EventStore,
    NewEvent,
    Room,
    StoredEvent,
    StreamInfo,
    stamp,
)
from service.store.memory import MemoryStore
from service.store.sqlite import SqliteReader, SqliteStore

__all__ = [
    "ANY",
    "PAGE",
    "Append",
    "Appended",
    "EventReader",
    "EventStore",
    "IdConflict",
    "MemoryStore",
    "NewEvent",
    "NotAStore",
    "Room",
    "SqliteReader",
    "SqliteStore",
    "StaleVersion",
    "StoreClosed",
    "StoreDamaged",
    "StoreError",
    "StoreInUse",
    "StoreTooNew",
    "StoreUnavailable",
    "StoredEvent",
    "StreamInfo",
    "StreamMismatch",
    "UnknownStream",
    "stamp",
]
