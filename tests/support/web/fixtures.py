"""The applications that the tests of the pages look at."""

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext, Page, expect

from service.app import create_app
from service.auth.caller import OWNER_CALLER
from service.eventstore import MemoryStore
from tests.support.api.clients import owner_of
from tests.support.api.recording import recorded_deal
from tests.support.web.club import Club
from tests.support.web.eyes import Watch
from tests.support.web.serving import serving_store
from tests.support.web.showing import RECORDED

# A busy machine takes its time, but what is waited for happens.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def origin() -> Iterator[str]:
    """Where the library and the deals of an evening are served to their owner."""
    store = MemoryStore()
    for deal, events in RECORDED.items():
        recorded_deal(store, events, deal)
    with serving_store(store, fixed_caller=OWNER_CALLER) as club:
        yield club.origin


@pytest.fixture(scope="session")
def library() -> FlaskClient:
    """The owner's client of a service in which nothing is recorded: the library is there."""
    return owner_of(create_app(MemoryStore()))


# One for each file, so that no file counts on what another has left there.
@pytest.fixture(scope="module")
def club() -> Iterator[Club]:
    """A club where everybody needs a link."""
    with serving_store(MemoryStore()) as club:
        yield club


@pytest.fixture
def new_club() -> Iterator[Club]:
    """A club in which nobody has ever played."""
    with serving_store(MemoryStore()) as club:
        yield club


# Not `device`: pytest-playwright has a fixture of that name, and all its pages ask for it.
@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    """A phone with a service worker: what it keeps outlives its pages."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, reduced_motion="reduce", color_scheme="light"
    )
    yield context
    context.close()


@pytest.fixture
def watched(page: Page, club: Club) -> Iterator[None]:
    """The owner's page at a club: it complains of nothing, and asks nobody but the club."""
    watch = Watch(page)
    yield
    assert (watch.complaints, watch.hosts) == ([], {club.origin})


@pytest.fixture
def second(browser: Browser) -> Iterator[Page]:
    """Another device, on which nobody is logged in yet."""
    context = browser.new_context(viewport={"width": 1000, "height": 800}, reduced_motion="reduce")
    yield context.new_page()
    context.close()
