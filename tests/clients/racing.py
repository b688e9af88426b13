"""Several requests at the same moment, each by a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from tests.clients.client import Client

Wanted = tuple[Client, str, Any, int]
"""Who sends what to which address, deciding on which version."""


def at_once(app: Flask, wanted: Sequence[Wanted]) -> list[TestResponse]:
    """The answers to requests that are sent together."""
    ready = threading.Barrier(len(wanted))

    def send(one: Wanted) -> TestResponse:
        client, path, body, version = one
        # A client in process is not made for two threads; this one shows the same of itself.
        other = client.on_another_line(app)
        ready.wait()
        return other.post(path, body, version)

    with ThreadPoolExecutor(len(wanted)) as threads:
        return list(threads.map(send, wanted))
