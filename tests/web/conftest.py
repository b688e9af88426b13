"""The application that the tests of the pages look at."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from werkzeug.serving import make_server

from service.app import create_app
from service.identity.caller import OWNER
from service.store import MemoryStore
from tests.support.api.recording import recorded_deal
from tests.support.api.servers import free_port
from tests.support.web.club import Club
from tests.support.web.showing import RECORDED

# What is waited for happens; on a machine that is busy with eight such browsers it takes its time.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def origin() -> Iterator[str]:
    """Where the application answers, over the library and an evening's deals, held to its port."""
    store = MemoryStore()
    for deal, events in RECORDED.items():
        recorded_deal(store, events, deal)
    port = free_port()
    server = make_server("127.0.0.1", port, create_app(store, everybody=OWNER, port=port), threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{port}"
    server.shutdown()


@contextmanager
def serving() -> Iterator[Club]:
    """A club's own service, where everybody needs a link."""
    port = free_port()
    app = create_app(MemoryStore(), port=port)
    server = make_server("127.0.0.1", port, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Club(app, f"http://127.0.0.1:{port}")
    server.shutdown()


# One for each file: what another file's tests have left there is nobody's to count on.
@pytest.fixture(scope="module")
def club() -> Iterator[Club]:
    """A club with four members and whatever tables the tests of a file have opened."""
    with serving() as club:
        yield club


@pytest.fixture
def new_club() -> Iterator[Club]:
    """A club in which nobody has ever played."""
    with serving() as club:
        yield club


# Not `device`: pytest-playwright has a fixture of that name, and all its pages ask for it.
@pytest.fixture
def phone(chromium_page: Page, browser: Browser) -> Iterator[BrowserContext]:
    """A phone with a service worker: what it keeps outlives its pages."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, reduced_motion="reduce", color_scheme="light"
    )
    yield context
    context.close()
