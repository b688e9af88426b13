"""Messages of a live stream in the form of server-sent events."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import orjson

RETRY_MILLISECONDS: Final = 2000
RETRY: Final = b"retry: %d\n\n" % RETRY_MILLISECONDS
"""How long a client waits before it asks again where a stream broke off."""

HEARTBEAT: Final = b": nothing new\n\n"
"""A comment, which clients pass over."""

KEPT: Final = 500
"""So many messages are kept, as all who listen are sent the same."""

RESET: Final = "reset"
"""The type of a message that puts other entries in place of those a client has."""


@lru_cache(KEPT)
def event_message(name: str, body: bytes) -> bytes:
    """An event: its name as ``id``, its type as ``event``, and its JSON, which has no line break."""
    kind: str = orjson.loads(body)["type"]
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (name.encode(), kind.encode(), body)


def reset_message(stream: str | None, bodies: Iterable[bytes]) -> bytes:
    """What a client has of a stream is now these entries; of all streams where ``stream`` is None.

    It bears no ``id``: what a client has seen so far stays what it has seen.
    """
    events = [orjson.Fragment(body) for body in bodies]
    data = orjson.dumps({"stream": stream, "version": len(events), "events": events})
    return b"event: %s\ndata: %s\n\n" % (RESET.encode(), data)
