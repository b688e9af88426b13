"""Messages of a live stream in the form of server-sent events."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import orjson

RETRY_MILLISECONDS: Final = 2000
RETRY_MESSAGE: Final = b"retry: %d\n\n" % RETRY_MILLISECONDS
"""How long a client waits before it asks again where a stream broke off."""

HEARTBEAT_MESSAGE: Final = b": nothing new\n\n"
"""A comment, which clients pass over."""

MAX_CACHED_MESSAGES: Final = 500
"""The messages that are kept, as all who listen are sent the same."""

RESET_EVENT_TYPE: Final = "reset"
"""The type of a message that puts other entries in place of those a client has."""


@lru_cache(MAX_CACHED_MESSAGES)
def format_event_message(sse_id: str, body: bytes) -> bytes:
    """An event: its name as ``id``, its type as ``event``, and its JSON, which has no line break."""
    kind: str = orjson.loads(body)["type"]
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (sse_id.encode(), kind.encode(), body)


def format_reset_message(stream: str | None, bodies: Iterable[bytes]) -> bytes:
    """What a client has of a stream is now these entries; of all streams where ``stream`` is None.

    It bears no ``id``: what a client has seen so far stays what it has seen.
    """
    events = [orjson.Fragment(body) for body in bodies]
    data = orjson.dumps({"stream": stream, "version": len(events), "events": events})
    return b"event: %s\ndata: %s\n\n" % (RESET_EVENT_TYPE.encode(), data)
