"""Sending to a live server, and listeners who take nothing."""

from __future__ import annotations

import http.client
import json
import socket
from typing import Any

from tests.support.api.servers import as_owner, half_taken

DEALS, TABLES = "/api/v1/deals", "/api/v1/tables"


NOTE = {"type": "note_added", "text": "A note."}


def send(port: int, path: str, body: Any, **headers: str) -> Any:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    sent = json.dumps(body).encode()
    connection.request("POST", path, sent, {"Content-Type": "application/json", **as_owner(port), **headers})
    answer = connection.getresponse()
    told = json.loads(answer.read())
    assert answer.status in (200, 201), told
    connection.close()
    return told


def deaf(port: int, path: str) -> socket.socket:
    """One who asks for a stream, and then takes next to nothing of it."""
    made = half_taken(port, path)
    assert made.recv(12) == b"HTTP/1.1 200"
    return made


def note(port: int, deal: str, text: str = "A note.") -> int:
    told = send(port, f"{DEALS}/{deal}/events", {**NOTE, "text": text}, **{"If-Match": "*"})
    version: int = told["version"]
    return version
