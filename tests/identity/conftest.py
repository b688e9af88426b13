"""A register on PostgreSQL, for the tests that are held against it as against a file."""

from collections.abc import Iterator

import pytest

from tests.support.store.postgres_server import a_store


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """The address of a database in which nobody has done anything yet."""
    with a_store() as url:
        yield url
