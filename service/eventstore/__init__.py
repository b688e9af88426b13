"""Event stores: append-only streams of opaque events, in memory, in a file or on PostgreSQL, with one
interface."""

from typing import TYPE_CHECKING, Any

from service.eventstore.errors import (
    IdConflict,
    NotAStore,
    StaleVersion,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreInUse,
    StoreTooNew,
    StoreUnavailable,
    StreamFull,
    StreamMismatch,
    UnknownEvent,
    UnknownStream,
)
from service.eventstore.events import (
    ANY_VERSION,
    PAGE_SIZE,
    AppendResult,
    DiskUsage,
    NewEvent,
    SealedEvent,
    StoredEvent,
    StreamAppend,
    StreamInfo,
    stamp_event,
)
from service.eventstore.interface import EventReader, EventStore

if TYPE_CHECKING:
    from service.eventstore.memory import MemoryStore
    from service.eventstore.sqlite.store import SqliteReader, SqliteStore

__all__ = [
    "ANY_VERSION",
    "PAGE_SIZE",
    "AppendResult",
    "DiskUsage",
    "EventReader",
    "EventStore",
    "IdConflict",
    "MemoryStore",
    "NewEvent",
    "NotAStore",
    "SealedEvent",
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
    "StreamAppend",
    "StreamFull",
    "StreamInfo",
    "StreamMismatch",
    "UnknownEvent",
    "UnknownStream",
    "stamp_event",
]


def __getattr__(name: str) -> Any:
    """Import a store when it is named: a command that reads files needs no SQLite."""
    if name == "MemoryStore":
        from service.eventstore.memory import MemoryStore

        return MemoryStore
    if name in ("SqliteReader", "SqliteStore"):
        from service.eventstore.sqlite import store

        return getattr(store, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
