"""The fixtures of `tests/support/store` that these tests ask for."""

from tests.support.store.fixtures import empty_url, postgres, sqlite_path

__all__ = ["empty_url", "postgres", "sqlite_path"]
