"""The fixtures of `tests/support/store` that these tests ask for."""

from tests.support.store.fixtures import open_store, sqlite_path, store

__all__ = ["open_store", "sqlite_path", "store"]
