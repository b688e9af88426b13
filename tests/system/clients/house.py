"""The real service, in process: over a file or in memory, with a clock that the test sets."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from unittest import mock

from flask import Flask

from service.app import create_app
from service.auth.access_register import AccessRegister
from service.config.data_files import AUTH_FILE_NAME, STORE_FILE_NAME
from service.eventstore import EventStore, MemoryStore, SqliteStore
from service.records.live import LiveStreams
from tests.support.api.clients import app_over

BEGINNING = datetime(2031, 1, 1, tzinfo=UTC)
PULSE = 0.01
"""So many seconds a live stream waits before it says that there is nothing new."""


def moment(seconds: int) -> str:
    told = BEGINNING + timedelta(seconds=seconds)
    return told.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@cache
def routes() -> Flask:
    """The application, made once: its routes keep nothing, and to make them takes longer than a story."""
    return create_app(library=())


class House:
    """A service that is started, stopped and started again over the same files."""

    def __init__(self, on_disk: bool) -> None:
        self.on_disk = on_disk
        self.seconds = 0
        self._folder = tempfile.TemporaryDirectory()
        self.path = Path(self._folder.name)
        self._patches = ExitStack()
        for place in ("service.auth.request_identity.utc_now", "service.http.api.routes.identity.utc_now"):
            self._patches.enter_context(mock.patch(place, self.clock))
        self.store: EventStore
        self.register: AccessRegister
        self.app: Flask
        self.open()

    def clock(self) -> str:
        return moment(self.seconds)

    def open(self) -> None:
        """Start the service: all that it keeps in memory is new, and what is on the disk is there."""
        self.store = SqliteStore(self.path / STORE_FILE_NAME) if self.on_disk else MemoryStore()
        self.register = AccessRegister(self.path / AUTH_FILE_NAME if self.on_disk else None, self.clock)
        self.live = LiveStreams(self.store, heartbeat_seconds=PULSE)
        self.app = app_over(routes(), self.store, self.register, self.live)

    def stop(self) -> None:
        self.live.close()
        self.store.close()
        self.register.close()

    def close(self) -> None:
        self.stop()
        self._patches.close()
        self._folder.cleanup()
