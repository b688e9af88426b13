"""A client: what it shows of itself, what it knows of the records, what it has not been told is stored."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.api.asking import API
from tests.support.api.listening import Listening, Message, messages_in
from tests.system.clients.model import ANY, Grant, Holder, Json, Record

TIMEOUT_SECONDS: Final = 60.0
"""So many seconds a message of a live stream may take: a bound on waiting, not a measure."""

Fate = Literal["delivered", "answer lost", "request lost"]
FATES: Final[tuple[Fate, ...]] = (
    "delivered", "delivered", "delivered", "answer lost", "answer lost", "request lost",
)  # fmt: skip


@dataclass
class Outbox:
    """What a client wants stored in one record, in its order, and the version it decided on."""

    decided_on: int
    events: list[Json] = field(default_factory=list)


class Client:
    def __init__(self, app: Flask, name: str, holder: Holder, token: str | None = None) -> None:
        self.name, self.holder = name, holder
        self.http: FlaskClient = app.test_client(use_cookies=holder.browser)
        if token:
            self.http.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
        if holder.browser:
            self.http.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
        self.offline = False
        self.outboxes: dict[str, Outbox] = {}
        self.kept: dict[str, tuple[str, bytes]] = {}
        """Answers that it may keep, with their ETags, by address."""

    def __repr__(self) -> str:
        return self.name

    def on_another_line(self, app: Flask) -> Client:
        """The same somebody, by a connection of its own."""
        other = Client(app, self.name, self.holder)
        other.http.environ_base.update(self.http.environ_base)
        other.http._cookies = dict(self.http._cookies or {})
        return other

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> TestResponse:
        return self.http.get(f"{API}{path}", headers=dict(headers or {}))

    def post(self, path: str, body: Any, version: int | str | None = None) -> TestResponse:
        shown = {} if version is None else {"If-Match": version if version == ANY else f'"{version}"'}
        return self.http.post(f"{API}{path}", json=body, headers=shown)

    def open_link(self, token: str, grant: Grant, clashing: Sequence[Grant] = ()) -> None:
        """A browser opens a link and holds it, too; instead of those that ``clashing`` names."""
        if clashing:
            assert self.http.post(f"{API}/session", json={"token": token}).status_code == 409
        answer = self.http.post(f"{API}/session", json={"token": token, "instead": bool(clashing)})
        assert answer.status_code == 201, answer.get_data(as_text=True)
        self.holder.own = [*(one for one in self.holder.own if one not in clashing), grant]
        self.holder.logins += 1

    def want(self, record: Record, event: Json) -> None:
        self.outboxes.setdefault(record.id, Outbox(record.version)).events.append(event)

    def sent(self, record: str, count: int, version: int) -> None:
        """The first so many are known to be stored, and the record's version is known."""
        box = self.outboxes[record]
        del box.events[:count]
        box.decided_on = version
        if not box.events:
            del self.outboxes[record]


class Follower:
    """One who follows a record live, with connections that break off."""

    def __init__(self, client: Client, record: Record, with_deals: bool) -> None:
        self.client, self.record, self.with_deals = client, record, with_deals
        self.has = Listening(record.id)
        self.held: list[Grant] = []
        self.login = 0
        self.answer: TestResponse | None = None
        self._chunks: Iterator[bytes] = iter(())
        self._waiting: list[Message] = []

    def connect(self, held: list[Grant]) -> int:
        """Follow, from behind the last event that was heard; the answer's status."""
        self.disconnect()
        headers = {"Accept": "text/event-stream"}
        if self.has.last is not None:
            headers["Last-Event-ID"] = self.has.last
        end = "live" if self.with_deals or self.record.kind == "deal" else "events"
        answer = self.client.get(f"/{self.record.kind}s/{self.record.id}/{end}", headers)
        if answer.status_code == 200:
            self.answer, self.held, self.login = answer, held, self.client.holder.logins
            self._chunks = iter(answer.response)  # type: ignore[arg-type]
            # The client in process takes the first chunk with the headers.
            assert next(self._chunks).startswith(b"retry: ")
        else:
            answer.close()
        return answer.status_code

    def disconnect(self) -> None:
        if self.answer is not None:
            self.answer.close()
        self.answer, self._chunks, self._waiting = None, iter(()), []

    def hear(self, wanted: Mapping[str, int], most: int | None = None) -> bool:
        """Listen until it has so many events of each log and all is silent, or has heard so many messages.

        Returns whether the stream goes on.
        """
        count, since = 0, time.monotonic()
        while most is None or count < most:
            if self._waiting:
                self.has.take(self._waiting.pop(0))
                count, since = count + 1, time.monotonic()
                continue
            has_all = all(len(self.has.logs.get(name, ())) >= version for name, version in wanted.items())
            chunk = next(self._chunks, None)
            if chunk is None:
                self.disconnect()
                return False
            if chunk.startswith(b":") and has_all:
                return True
            assert time.monotonic() - since < TIMEOUT_SECONDS, "what was stored is not told"
            self._waiting += messages_in([chunk])
        return True

    def ends(self) -> bool:
        """Whether nothing more is sent, and it is at an end; what came before is dropped unread."""
        chunk = next(self._chunks, None)
        self.disconnect()
        return chunk is None
