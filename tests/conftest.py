"""What every test may lean on: a patient Hypothesis, a log to read, a Chromium that is there or says why."""

import io
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.support.effort import THOROUGH
from tests.support.logged import log_to, silence_log

SUPPORT = Path(__file__).parent / "support"
pytest.register_assert_rewrite(*(f"tests.support.{one.name}" for one in SUPPORT.iterdir() if one.is_dir()))

TIERS = ("browser", "postgres", "process", "property")
ID_LENGTH = 60
CHROMIUM = Path("/usr/bin/chromium")

# Two shared cores: how long one example takes says nothing about the code.
settings.register_profile("fast", deadline=None, print_blob=True, max_examples=20)
settings.register_profile("thorough", deadline=None, print_blob=True, max_examples=100)
settings.load_profile("thorough" if THOROUGH else "fast")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that ask for a browser or for PostgreSQL by what they ask for."""
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "browser" in fixtures:
            item.add_marker(pytest.mark.browser)
        params = item.callspec.params.values() if hasattr(item, "callspec") else ()
        if "postgres_url" in fixtures or "postgresql" in params:
            item.add_marker(pytest.mark.postgres)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a case by its value where pytest would number it; long values are cut."""
    if not isinstance(val, bytes | Mapping | list | tuple | str):
        return None
    name = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in " ".join(words(val).split()))
    return name if len(name) <= ID_LENGTH else f"{name[: ID_LENGTH - 3]}..."


def words(val: object) -> str:
    """Return a value in a few words: an event by its type, other objects by their members."""
    if isinstance(val, bytes):
        return val.decode("utf-8", "replace")
    if isinstance(val, Mapping):
        return str(val["type"]) if "type" in val else ", ".join(f"{key}={words(val[key])}" for key in val)
    return " ".join(map(words, val)) if isinstance(val, list | tuple) else str(val)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many tests of each tier ran, and the time they took, summed over all workers."""
    count: Counter[str] = Counter()
    seconds: defaultdict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if type(report) is pytest.TestReport:  # not its subclass, the report of a subtest
                tier = next((tier for tier in TIERS if tier in report.keywords), "fast")
                count[tier] += report.when == "call"
                seconds[tier] += report.duration
    terminalreporter.write_sep("-", "time of each tier, in seconds of all workers")
    for tier in count:
        terminalreporter.write_line(f"{tier:8} {count[tier]:5} tests {seconds[tier]:6.0f} s")


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Debian's Chromium for every fixture of pytest-playwright; skipped where there is none, except in CI."""
    if not os.access(CHROMIUM, os.X_OK):
        said = f"No Chromium at {CHROMIUM}: install Debian's package `chromium` to run the browser tests."
        if os.environ.get("CI"):
            pytest.fail(said, pytrace=False)
        pytest.skip(said)
    return {"executable_path": str(CHROMIUM)}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """No service worker where it is not what is tried: what is asked of the service is to come from it."""
    return {**browser_context_args, "service_workers": "block"}


@pytest.fixture(autouse=True)
def silent_log() -> None:
    """Start every test with a silent log: another may have left it to a stream that is closed by now."""
    silence_log()


@pytest.fixture
def log_output() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    with log_to(stream):
        yield stream


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """The address of an empty store, and register, on PostgreSQL."""
    from tests.support.store.postgres_server import a_store  # which needs the driver

    with a_store() as url:
        yield url
