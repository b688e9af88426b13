"""A client that records deals and keeps what was acknowledged, in a process of its own.

It sends as a page's outbox does: where the answer is lost it sends the same with the same ids again, until
there is an answer. What was acknowledged is written, line by line, into a file of its own:
``{"stream", "seq", "id", "body"}``.

    python -m tests.system.faults.recorder PORT FILE SEED SHARED_DEAL     (the token comes in SPADILLE_TOKEN)
"""

import http.client
import itertools
import json
import os
import random
import socket
import sys
import time
import uuid
from pathlib import Path
from typing import Any, Final

import orjson

from tests.properties.slow import generator

DEALS: Final = "/api/v1/deals"
TIMEOUT_SECONDS: Final = 10.0
SIZES: Final = ((500, 500), (500, 500), (1, 1), (2, 11))
"""The least and most events that are sent at once: a deal whole, one by one, in parts."""
NOTES_AFTER: Final = 0.2
"""After so many of the deals: the one that all write to takes 2,000 entries."""
Json = dict[str, Any]


class Outbox:
    """Sends each request until it is answered, and writes down what was acknowledged."""

    def __init__(self, port: int, token: str, file: Path) -> None:
        self._port, self._file = port, file.open("a", encoding="utf-8")
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._connection: http.client.HTTPConnection | None = None

    def send(self, path: str, events: list[Json], version: str | None) -> None:
        """Record events."""
        body = orjson.dumps(events if len(events) > 1 else events[0])
        headers = {**self._headers, **({"If-Match": version} if version else {})}
        lost = False
        while True:
            try:
                status, told = self._once(path, body, headers)
            except (OSError, http.client.HTTPException):
                self._connection, status, told = None, 503, b""
            if status != 503:
                break
            lost = True
            time.sleep(0.05)
        if status != 201 and not (status == 200 and lost):
            raise RuntimeError(f"{status}: {told.decode()}")
        self._acknowledged(path, events, json.loads(told))

    def _once(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT_SECONDS)
            self._connection.connect()
            self._connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection.request("POST", path, body, headers)
        answer = self._connection.getresponse()
        return answer.status, answer.read()

    def _acknowledged(self, path: str, sent: list[Json], told: Json) -> None:
        stream: str = told.get("deal") or path.split("/")[4]
        events = told["events"]
        if [one["id"] for one in events] != [one["id"] for one in sent]:
            raise RuntimeError(f"other events were acknowledged than were sent: {events}")
        for event in events:
            line = {"stream": stream, "seq": event["seq"], "id": event["id"]}
            # Stored bodies are canonical JSON: these are the very bytes.
            self._file.write(json.dumps({**line, "body": orjson.dumps(event).decode()}) + "\n")
        self._file.flush()


def record_for_ever(outbox: Outbox, seed: str, shared: str) -> None:
    """Record random deals whole, event by event or in parts, and notes to one that all write to."""
    chance = random.Random(seed)
    for number in itertools.count():
        deal = [
            {**event, "id": str(uuid.uuid4())}
            for event in generator.random_deal(random.Random(f"{seed}{number}"))
        ]
        least, most = chance.choice(SIZES)
        done = 0
        while done < len(deal):
            part = deal[done : done + chance.randint(least, most)]
            path = f"{DEALS}/{deal[0]['id']}/events" if done else DEALS
            outbox.send(path, part, f'"{done}"' if done else None)
            done += len(part)
        if chance.random() < NOTES_AFTER:
            text = f"From {seed}, {number}: tourné, spar dame."
            note = {"type": "note_added", "text": text}
            notes = [{**note, "id": str(uuid.uuid4())} for _ in range(chance.choice((1, 1, 3)))]
            outbox.send(f"{DEALS}/{shared}/events", notes, "*")


if __name__ == "__main__":
    port, file, seed, shared = sys.argv[1:]
    record_for_ever(Outbox(int(port), os.environ["SPADILLE_TOKEN"], Path(file)), seed, shared)
