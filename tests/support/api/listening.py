"""A client that listens to a live stream as a browser does, and keeps what it is told."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from tests.support.api.servers import as_owner

Json = dict[str, Any]


class Message(NamedTuple):
    """A server-sent event: fields that it does not have are None."""

    id: str | None
    event: str | None
    data: str | None


def messages_in(chunks: Iterable[bytes]) -> Iterator[Message]:
    """The messages of a stream as they are complete, comments and `retry` left out."""
    held = b""
    for chunk in chunks:
        held += chunk
        while (end := held.find(b"\n\n")) >= 0:
            block, held = held[:end].decode(), held[end + 2 :]
            fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
            if "data" in fields:
                yield Message(fields.get("id"), fields.get("event"), fields["data"])


class Listening:
    """What the client has of each log, and the last id that it was told."""

    def __init__(self, own: str) -> None:
        self._own = own
        self.last: str | None = None
        self.logs: dict[str, list[Json]] = {}
        self.resets = 0

    def take(self, message: Message) -> None:
        """Keep what a message says. Raises `AssertionError` where an event is missed or comes twice."""
        assert message.data is not None
        told = json.loads(message.data)
        if message.event == "reset":
            self.resets += 1
            assert message.id is None
            assert told["version"] == len(told["events"])
            if told["stream"] is None:
                self.logs = {}
            else:
                assert len(self.logs[told["stream"]]) == told["version"]
                self.logs[told["stream"]] = told["events"]
            return
        assert message.id is not None
        self.last = message.id
        stream, _, seq = message.id.rpartition(":")
        log = self.logs.setdefault(stream or self._own, [])
        assert message.event == told["type"]
        assert told["seq"] == int(seq) == len(log) + 1, "missed, or told twice"
        log.append(told)


class Line:
    """A connection to a live stream of a real server."""

    def __init__(self, port: int, path: str, last: str | None = None, timeout: float = 10) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
        headers = {"Accept": "text/event-stream", **as_owner(port)}
        headers |= {"Last-Event-ID": last} if last else {}
        self.connection.request("GET", path, headers=headers)
        self.answer = self.connection.getresponse()

    def chunks(self) -> Iterator[bytes]:
        while chunk := self.answer.read1(65536):
            yield chunk

    def messages(self) -> Iterator[Message]:
        return messages_in(self.chunks())

    def close(self) -> None:
        self.answer.close()
        self.connection.close()
